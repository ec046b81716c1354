package curate_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// TestMergeTakesDocumentsAlong: what the other has under the same key stays, and the answer
// says which were left.
func TestMergeTakesDocumentsAlong(t *testing.T) {
	for _, erase := range []bool{false, true} {
		p := newPorts(t)
		p.put(t, anon, "draft", `{"v":1}`)
		p.put(t, anon, "same", `{"v":2}`)
		p.put(t, anon, "theme", `{"v":3}`)
		p.put(t, ann, "same", `{ "v": 2 }`)
		p.put(t, ann, "theme", `{"v":4}`)
		p.put(t, ann, "other", `{"v":5}`)
		got, err := p.Merge(t.Context(), anon, ann, erase)
		if err != nil {
			t.Fatal(err)
		}
		results := ""
		for _, d := range got.Documents {
			results += fmt.Sprint(d.Namespace, d.Key, " ", d.Result, " ", d.Reason, "; ")
		}
		if results != "[notes]draft added ; [notes]same unchanged ; [notes]theme skipped another_document_is_there; " {
			t.Errorf("documents became %q", results)
		}
		if got := p.kept(ann); got != `draft={"v":1}; other={"v":5}; same={ "v": 2 }; theme={"v":4}` {
			t.Errorf("kept are %s", got)
		}
		if got, want := p.kept(anon) == "", erase; got != want {
			t.Errorf("erase %t: the merged user keeps %s", erase, p.kept(anon))
		}
		head := p.head(ann)
		if _, err := p.Merge(t.Context(), anon, ann, erase); err != nil || p.head(ann) != head {
			t.Errorf("merged again: %v, head %d, want %d", err, p.head(ann), head)
		}
	}
}

// TestMergeOfTooManyDocuments changes nothing.
func TestMergeOfTooManyDocuments(t *testing.T) {
	p := newPorts(t)
	for i := range curate.MaxCarry + 1 {
		key := fmt.Sprint(i)
		id := document.Identity(anon, []string{"notes"}, key)
		p.hand.documents[id] = index.DocumentEntry{LedgerSeq: 1, Document: document.Document{ID: id, Scope: anon, Namespace: []string{"notes"}, Key: key, Value: []byte(`{}`)}}
	}
	if _, err := p.Merge(t.Context(), anon, ann, true); !badField(err, "from") {
		t.Errorf("%v, want a fault of from", err)
	}
	if p.head(ann) != 0 || p.head(anon) != 0 {
		t.Error("something was decided")
	}
}

// TestMergeConsolidatesFirst: what was said and not consolidated is taken over, also what is
// said while the merge is decided.
func TestMergeConsolidatesFirst(t *testing.T) {
	for _, erase := range []bool{false, true} {
		p := newPorts(t)
		p.utter(anon, "a1", "user.likes", "jazz", "I like jazz")
		if erase {
			p.at = func() { p.at = func() { p.utter(anon, "a1", "user.likes", "tea", "I like tea") } }
		}
		got, err := p.Merge(t.Context(), anon, ann, erase)
		if err != nil {
			t.Fatal(err)
		}
		if want := "I like jazz"; p.recalled(ann) != want {
			t.Errorf("recalled is %q, want %q", p.recalled(ann), want)
		}
		if !erase {
			continue
		}
		// What came after the decision is the merged user's next life, and not lost.
		if got.Erased.EventHead != 1 || p.recalled(anon) != "" {
			t.Errorf("erased up to %d, recalled is %q", got.Erased.EventHead, p.recalled(anon))
		}
		if _, err := p.Merge(t.Context(), anon, ann, erase); err != nil {
			t.Fatal(err)
		}
		if got := p.recalled(ann); got != "I like jazz; I like tea" {
			t.Errorf("merged again, recalled is %q", got)
		}
	}
}

// TestMergeWaits: where what was said cannot be consolidated, nothing is merged or erased.
func TestMergeWaits(t *testing.T) {
	p := newPorts(t)
	p.utter(anon, "a1", "user.likes", "jazz", "I like jazz")
	p.fails["settle"] = context.DeadlineExceeded
	for _, erase := range []bool{true, false} {
		if _, err := p.Merge(t.Context(), anon, ann, erase); !errors.Is(err, curate.ErrPending) {
			t.Errorf("%v, want ErrPending", err)
		}
	}
	if p.head(ann) != 0 || p.records[anon].bounds.EventHead != 0 {
		t.Errorf("head %d, fence %d", p.head(ann), p.records[anon].bounds.EventHead)
	}
	delete(p.fails, "settle")
	if _, err := p.Merge(t.Context(), anon, ann, true); err != nil || p.recalled(ann) != "I like jazz" {
		t.Errorf("recalled is %q, %v", p.recalled(ann), err)
	}
}

// TestMergeBrokenOffAnywhere: a merge that is killed between any two steps is finished by a
// repetition; nothing is lost, and nothing there twice.
func TestMergeBrokenOffAnywhere(t *testing.T) {
	for _, at := range []string{"settle", "newest", "documents", "memories", "append", "collections", "events", "change sets", "delete fence", "store record"} {
		for calls := range 4 {
			t.Run(fmt.Sprint(at, calls), func(t *testing.T) {
				p := newPorts(t)
				p.say(t, anon, "a1", "user.likes", "jazz", "I like jazz")
				p.put(t, anon, "draft", `{"v":1}`)
				p.put(t, ann, "theme", `{"v":4}`)
				p.utter(anon, "a2", "user.likes", "tea", "I like tea")
				p.failsAfter(at, calls)
				if _, err := p.Merge(t.Context(), anon, ann, true); err == nil && calls == 0 {
					t.Fatal("nothing failed")
				}
				p.failsAfter("", 0)
				if lost := p.recalled(ann)+p.recalled(anon) == "" || p.kept(ann)+p.kept(anon) == `theme={"v":4}`; lost {
					t.Fatalf("lost: %q, %q", p.recalled(ann), p.kept(ann))
				}
				got, err := p.Merge(t.Context(), anon, ann, true)
				if err != nil || !got.Erased.Final {
					t.Fatalf("merged again: %+v, %v", got, err)
				}
				if got := p.recalled(ann) + "|" + p.kept(ann); got != `I like jazz; I like tea|draft={"v":1}; theme={"v":4}` {
					t.Errorf("there are %q", got)
				}
				all := p.list(func(m *memory.Memory) bool { return m.Scope == ann && len(m.Evidence) > 1 })
				if len(all) > 0 || p.recalled(anon)+p.kept(anon) != "" || p.head(anon) != 0 {
					t.Errorf("left are %+v, %q, %q", all, p.recalled(anon), p.kept(anon))
				}
			})
		}
	}
}
