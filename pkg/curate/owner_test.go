package curate_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

func ptr[T any](v T) *T { return &v }

var anon = memory.UserScope("acme", "anon-1")

// TestOthersMemoriesAreNotFound: a memory of another owner, or of another tenant's user of the
// same name, is not there, whatever is asked of it.
func TestOthersMemoriesAreNotFound(t *testing.T) {
	p := newPorts(t)
	id := p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	for _, s := range []memory.Scope{anna, other} {
		head := p.head(s)
		if _, err := p.Memory(t.Context(), s, id); !errors.Is(err, curate.ErrNotFound) {
			t.Errorf("%v reads it: %v", s, err)
		}
		if _, err := p.Edit(t.Context(), s, "", id, curate.Change{Value: ptr("Bergen")}); !errors.Is(err, curate.ErrNotFound) {
			t.Errorf("%v edits it: %v", s, err)
		}
		if all, err := p.Export(t.Context(), s, "", math.MaxInt); err != nil || len(all) != 0 {
			t.Errorf("%v exports %v, %v", s, all, err)
		}
		if p.head(s) != head {
			t.Errorf("%v has decided something", s)
		}
	}
	if _, err := p.Merge(t.Context(), other, ann, false); !badField(err, "from") {
		t.Errorf("another tenant's user is merged: %v", err)
	}
	if got := p.recalled(ann); got != "I live in Oslo" {
		t.Errorf("recalled is %q", got)
	}
}

func badField(err error, name string) bool {
	var f *fault.FieldError
	return errors.As(err, &f) && f.Field == name
}

// TestEditWhatIsGone: only what holds can be edited.
func TestEditWhatIsGone(t *testing.T) {
	p := newPorts(t)
	id := p.say(t, ann, "t1", "user.likes", "jazz", "I like jazz")
	if _, err := p.Edit(t.Context(), ann, "", id, curate.Change{Value: ptr("opera")}); err != nil {
		t.Fatal(err)
	}
	var late *curate.ConflictError
	if _, err := p.Edit(t.Context(), ann, "", id, curate.Change{Value: ptr("tea")}); !errors.As(err, &late) {
		t.Errorf("what has ended is edited: %v", err)
	}
	gone := p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	if _, err := p.Forget(t.Context(), ann, curate.Selection{IDs: []memory.ID{gone}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Edit(t.Context(), ann, "", gone, curate.Change{Value: ptr("Bergen")}); !errors.Is(err, curate.ErrNotFound) {
		t.Errorf("what was forgotten is edited: %v", err)
	}
	a, err := p.Memory(t.Context(), ann, gone)
	if err != nil || a.Memory.Status != memory.StatusDeleted || a.Memory.Tombstone != nil || a.Why.Reason != "forgotten" || len(a.History) != 2 {
		t.Errorf("the account of what was forgotten is %+v, %v", a, err)
	}
	for _, e := range a.History {
		if e.Text+e.Value != "" || e.Evidence != nil {
			t.Errorf("the history of what was forgotten says %+v", e)
		}
	}
}

// TestEditRefused: each bad change is refused with its field, and changes nothing.
func TestEditRefused(t *testing.T) {
	p := newPorts(t)
	city := p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	free := p.say(t, ann, "t1", "", "", "My desk is by the window")
	head := p.head(ann)
	for _, c := range []struct {
		id     memory.ID
		change curate.Change
		field  string
	}{
		{city, curate.Change{}, "text"},
		{city, curate.Change{Value: ptr("  ")}, "value"},
		{city, curate.Change{Value: ptr(strings.Repeat("x", 501))}, "value"},
		{city, curate.Change{Text: ptr("My password is hunter2swordfish")}, "text"},
		{city, curate.Change{Text: ptr("I live in Bergen")}, "value"},
		{free, curate.Change{Value: ptr("x")}, "value"},
		{city, curate.Change{ExpiresAt: p.now.Add(-time.Hour)}, "expires_at"},
		{city, curate.Change{ExpiresAt: p.now.Add(time.Hour), NoExpiry: true}, "no_expiry"},
	} {
		if _, err := p.Edit(t.Context(), ann, "", c.id, c.change); !badField(err, c.field) {
			t.Errorf("%+v: %v, want a fault of %s", c.change, err, c.field)
		}
	}
	if p.head(ann) != head {
		t.Error("a refused change was decided")
	}
}

// TestPatchesAndStatements: what is said while a patch is decided is not lost, and the patch is
// made again on what holds then.
func TestPatchesAndStatements(t *testing.T) {
	p := newPorts(t)
	p.say(t, ann, "t1", "user.likes", "jazz", "I like jazz")
	p.at = func() { p.say(t, ann, "t1", "user.likes", "opera", "I like opera") }
	if _, err := p.PatchProfile(t.Context(), ann, "", []curate.PatchOperation{
		{Op: "add", Path: "/user/likes/-", Value: "tea"}, {Op: "add", Path: "/user/city", Value: "Oslo"},
	}); err != nil {
		t.Fatal(err)
	}
	if got := p.recalled(ann); got != "I like jazz; I like opera; city: Oslo; likes: tea" {
		t.Errorf("recalled is %q", got)
	}
	p.at = func() { p.say(t, ann, "t1", "user.city", "Bergen", "I moved to Bergen") }
	var late *curate.ConflictError
	if _, err := p.PatchProfile(t.Context(), ann, "", []curate.PatchOperation{
		{Op: "test", Path: "/user/city", Value: "Oslo"}, {Op: "replace", Path: "/user/city", Value: "Tromsø"}, {Op: "remove", Path: "/user/likes"},
	}); !errors.As(err, &late) {
		t.Errorf("a patch whose test fails meanwhile: %v", err)
	}
	if got := p.recalled(ann); got != "I like jazz; I like opera; I moved to Bergen; likes: tea" {
		t.Errorf("recalled is %q", got)
	}
}

// TestMergeIsOneDecision: what the merged user says while the merge is decided is merged too,
// and nothing of them is left.
func TestMergeIsOneDecision(t *testing.T) {
	p := newPorts(t)
	p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	p.say(t, anon, "a1", "user.likes", "jazz", "I like jazz")
	p.at = func() { p.say(t, anon, "a1", "user.likes", "tea", "I like tea") }
	got, err := p.Merge(t.Context(), anon, ann, true)
	if err != nil || got.Erased == nil || !got.Erased.Final || len(got.Results) != 2 {
		t.Fatalf("merged: %+v, %v", got, err)
	}
	if got := p.recalled(ann); got != "I like jazz; I like tea; I live in Oslo" {
		t.Errorf("recalled is %q", got)
	}
	if got, all := p.recalled(anon), p.list(func(m *memory.Memory) bool { return m.Scope == anon }); got != "" || len(all) > 0 || p.head(anon) != 0 {
		t.Errorf("left of the merged user: %q, %v, head %d", got, all, p.head(anon))
	}
}

// TestMergeAfterACrash: a merge that was broken off in its erasure is taken up again, and takes
// nothing over twice.
func TestMergeAfterACrash(t *testing.T) {
	for _, at := range []string{"memories", "append", "collections", "events", "change sets", "delete fence", "store record"} {
		t.Run(at, func(t *testing.T) {
			p := newPorts(t)
			p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
			p.say(t, anon, "a1", "user.likes", "jazz", "I like jazz")
			p.fails[at] = context.DeadlineExceeded
			if _, err := p.Merge(t.Context(), anon, ann, true); err == nil {
				t.Fatal("nothing failed")
			}
			delete(p.fails, at)
			if got := p.recalled(ann) + "|" + p.recalled(anon); !strings.Contains(got, "jazz") {
				t.Fatalf("what was said is lost: %q", got)
			}
			got, err := p.Merge(t.Context(), anon, ann, true)
			if err != nil || !got.Erased.Final {
				t.Fatalf("merged again: %+v, %v", got, err)
			}
			if got := p.recalled(ann); got != "I like jazz; I live in Oslo" {
				t.Errorf("recalled is %q", got)
			}
			all := p.list(func(m *memory.Memory) bool { return m.Scope == ann && m.Key == "user.likes" })
			if len(all) != 1 || len(all[0].Evidence) != 1 || all[0].Evidence[0].Thread != "a1" {
				t.Errorf("taken over are %+v", all)
			}
			if p.head(anon) != 0 {
				t.Error("the merged user is still there")
			}
		})
	}
}

// TestImportTwice changes nothing the second time, and brings nothing back that was forgotten.
func TestImportTwice(t *testing.T) {
	p := newPorts(t)
	p.say(t, ann, "t1", "user.likes", "jazz", "I like jazz")
	p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	p.say(t, ann, "t2", "user.city", "Oslo", "I still live in Oslo")
	if _, err := p.Suppress(t.Context(), ann, curate.Selection{Topic: "jazz"}); err != nil {
		t.Fatal(err)
	}
	all, err := p.Export(t.Context(), ann, "", math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	var memories []memory.Memory
	for _, r := range all {
		if r.Memory != nil {
			memories = append(memories, *r.Memory)
		}
	}
	if _, err := p.Import(t.Context(), anna, memories); err != nil {
		t.Fatal(err)
	}
	if got, hidden := p.recalled(anna), p.hidden(anna); got != "I still live in Oslo" && got != "I live in Oslo" || hidden != "I like jazz" {
		t.Errorf("recalled is %q, hidden %q", got, hidden)
	}
	head := p.head(anna)
	p.now = p.now.Add(time.Hour)
	results, err := p.Import(t.Context(), anna, memories)
	if err != nil || p.head(anna) != head {
		t.Errorf("the second import decided something: %+v, %v", results, err)
	}
	for _, r := range results {
		if r.Result != curate.ResultUnchanged && r.Result != curate.ResultSkipped {
			t.Errorf("the second time: %+v", r)
		}
	}
	if _, err := p.Import(t.Context(), ann, make([]memory.Memory, curate.MaxImport+1)); !badField(err, "records") {
		t.Errorf("too many records: %v", err)
	}
}

// TestWritesAndErasures: what an erasure overtakes is not written, whether the user was known
// before or not.
func TestWritesAndErasures(t *testing.T) {
	for _, known := range []bool{true, false} {
		p := newPorts(t)
		if known {
			p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
		}
		p.at = func() {
			if _, err := p.Erase(t.Context(), ann); err != nil {
				t.Error(err)
			}
		}
		var late *curate.ConflictError
		if _, err := p.PatchProfile(t.Context(), ann, "", []curate.PatchOperation{{Op: "add", Path: "/user/name", Value: "Ann"}}); !errors.As(err, &late) {
			t.Errorf("known %t: %v, want a conflict", known, err)
		}
		if all := p.list(func(m *memory.Memory) bool { return m.Scope == ann }); len(all) > 0 || p.head(ann) != 0 {
			t.Errorf("known %t: left are %+v, head %d", known, all, p.head(ann))
		}
	}
}
