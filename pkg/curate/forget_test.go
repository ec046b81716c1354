package curate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// requests are the three ways in which an owner selects memories.
func (p *ports) requests() map[string]func(context.Context, memory.Scope, curate.Selection) (curate.Outcome, error) {
	return map[string]func(context.Context, memory.Scope, curate.Selection) (curate.Outcome, error){
		"forget": p.Forget, "suppress": p.Suppress, "unsuppress": p.Unsuppress,
	}
}

// TestSelectionsAreChecked names the field at fault, whatever is asked, and changes nothing.
func TestSelectionsAreChecked(t *testing.T) {
	p := newPorts(t)
	p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	head := p.head(ann)
	for name, tt := range map[string]struct {
		sel   curate.Selection
		field string
	}{
		"nothing":                  {curate.Selection{}, "ids"},
		"empty lists":              {curate.Selection{IDs: []memory.ID{}, Keys: []memory.Key{}}, "ids"},
		"all, and a part":          {curate.Selection{All: true, Contains: "Oslo"}, "all"},
		"all, and a topic":         {curate.Selection{All: true, Topic: "my job"}, "all"},
		"a topic, and a key":       {curate.Selection{Topic: "my job", Keys: []memory.Key{"user.city"}}, "topic"},
		"a topic, and a thread":    {curate.Selection{Topic: "my job", Thread: "t1"}, "topic"},
		"a blank topic":            {curate.Selection{Topic: " \t\n"}, "topic"},
		"a wide blank topic":       {curate.Selection{Topic: "\u3000"}, "topic"},
		"an endless topic":         {curate.Selection{Topic: strings.Repeat("x", 1025)}, "topic"},
		"a blank part":             {curate.Selection{Contains: " "}, "contains"},
		"a blank part, and a key":  {curate.Selection{Contains: " ", Keys: []memory.Key{"user.city"}}, "contains"},
		"an unknown key":           {curate.Selection{Keys: []memory.Key{"user.city", "user.shoe_size"}}, "keys"},
		"no key":                   {curate.Selection{Keys: []memory.Key{""}}, "keys"},
		"an unknown kind":          {curate.Selection{Kinds: []memory.Kind{"weird"}}, "kinds"},
		"more ids than are listed": {curate.Selection{IDs: make([]memory.ID, 1001)}, "ids"},
	} {
		for request, do := range p.requests() {
			out, err := do(t.Context(), ann, tt.sel)
			var bad *fault.FieldError
			if !errors.As(err, &bad) || bad.Field != tt.field || out.Memories == nil || len(out.Memories) > 0 {
				t.Errorf("%s: %s = %+v, %v; want the field %q", name, request, out, err, tt.field)
			}
		}
	}
	for request, do := range p.requests() {
		if _, err := do(t.Context(), memory.Scope{}, curate.Selection{All: true}); !errors.Is(err, memory.ErrScope) {
			t.Errorf("%s of nobody = %v, want ErrScope", request, err)
		}
	}
	if p.head(ann) != head || p.recalled(ann) != "I live in Oslo" {
		t.Errorf("the head is %d and %q is left, want everything as it was", p.head(ann), p.recalled(ann))
	}
}

// known has three threads tell of somebody.
func (p *ports) known(t *testing.T, s memory.Scope) map[string]memory.ID {
	t.Helper()
	ids := map[string]memory.ID{}
	ids["bakery"] = p.say(t, s, "t1", "user.employer", "bakery", "I work at a bakery")
	ids["Oslo"] = p.say(t, s, "t2", "user.city", "Oslo", "I live in Oslo")
	ids["jazz"] = p.say(t, s, "t2", "user.likes", "jazz", "I like jazz")
	p.say(t, s, "t3", "user.likes", "jazz", "I like jazz")
	ids["opera"] = p.say(t, s, "t1", "user.likes", "opera", "I like opera")
	ids["ielts"] = p.say(t, s, "t3", "", "", "I am preparing for IELTS")
	return ids
}

const all = "I am preparing for IELTS; I like jazz; I like opera; I live in Oslo; I work at a bakery"

// TestForgetMeansTheSelection and nothing of anybody else.
func TestForgetMeansTheSelection(t *testing.T) {
	for name, tt := range map[string]struct {
		sel  func(ids map[string]memory.ID) curate.Selection
		gone string // the names of what is forgotten, sorted
	}{
		"an id": {func(ids map[string]memory.ID) curate.Selection {
			return curate.Selection{IDs: []memory.ID{ids["jazz"]}}
		}, "jazz"},
		"ids": {func(ids map[string]memory.ID) curate.Selection {
			return curate.Selection{IDs: []memory.ID{ids["jazz"], ids["Oslo"], "x"}}
		}, "Oslo jazz"},
		"ids as they are cited": {func(ids map[string]memory.ID) curate.Selection {
			return curate.Selection{IDs: []memory.ID{memory.ID(ids["jazz"].Short()), memory.ID(ids["Oslo"].Short()[:7])}}
		}, "jazz"},
		"a key": {func(map[string]memory.ID) curate.Selection { return curate.Selection{Keys: []memory.Key{"user.likes"}} }, "jazz opera"},
		"kinds": {func(map[string]memory.ID) curate.Selection {
			return curate.Selection{Kinds: []memory.Kind{memory.KindFact}}
		}, "ielts"},
		"a part":   {func(map[string]memory.ID) curate.Selection { return curate.Selection{Contains: "BAKE"} }, "bakery"},
		"a thread": {func(map[string]memory.ID) curate.Selection { return curate.Selection{Thread: "t1"} }, "bakery opera"},
		// What was said in another thread as well was not learnt from this one alone.
		"a thread of which another knows": {func(map[string]memory.ID) curate.Selection { return curate.Selection{Thread: "t2"} }, "Oslo"},
		"an event":                        {func(map[string]memory.ID) curate.Selection { return curate.Selection{Event: "e2"} }, "Oslo"},
		"a topic":                         {func(map[string]memory.ID) curate.Selection { return curate.Selection{Topic: "where I work"} }, "bakery"},
		"a topic in Chinese":              {func(map[string]memory.ID) curate.Selection { return curate.Selection{Topic: "我住在哪里"} }, "Oslo"},
		"a key, narrowed by a part": {func(map[string]memory.ID) curate.Selection {
			return curate.Selection{Keys: []memory.Key{"user.likes"}, Contains: "jazz"}
		}, "jazz"},
		"a thread, narrowed by a kind": {func(map[string]memory.ID) curate.Selection {
			return curate.Selection{Thread: "t1", Kinds: []memory.Kind{memory.KindPreference}}
		}, "opera"},
		"all":            {func(map[string]memory.ID) curate.Selection { return curate.Selection{All: true} }, "Oslo bakery ielts jazz opera"},
		"no such part":   {func(map[string]memory.ID) curate.Selection { return curate.Selection{Contains: "chess"} }, ""},
		"no such thread": {func(map[string]memory.ID) curate.Selection { return curate.Selection{Thread: "t9"} }, ""},
		"an id of somebody else": {func(map[string]memory.ID) curate.Selection {
			return curate.Selection{IDs: []memory.ID{"0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90"}}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPorts(t)
			ids := p.known(t, ann)
			p.known(t, anna)
			p.known(t, other)
			head := p.head(ann)
			out, err := p.Forget(t.Context(), ann, tt.sel(ids))
			if err != nil {
				t.Fatal(err)
			}
			var gone []string
			left := all
			for name, id := range ids {
				if slices.Contains(out.Memories, id) {
					gone = append(gone, name)
				}
				if got := p.hand.points[id].Memory; slices.Contains(strings.Fields(tt.gone), name) != (got.Status == memory.StatusDeleted) {
					t.Errorf("%s is %s", name, got.Status)
				}
			}
			slices.Sort(gone)
			if strings.Join(gone, " ") != tt.gone || len(out.Memories) != len(gone) || out.Request != "" {
				t.Errorf("the outcome is %+v: %q, want %q", out, gone, tt.gone)
			}
			if (p.head(ann) == head) != (tt.gone == "") {
				t.Errorf("the head went from %d to %d", head, p.head(ann))
			}
			for _, s := range []memory.Scope{anna, other} {
				if got := p.recalled(s); got != left {
					t.Errorf("of %s %q is left", s.Owner.ID, got)
				}
			}
		})
	}
}

// TestForgetMeansPastValues too, where they are what is selected.
// TestACitationOfSeveral: nothing is forgotten by an id that two memories are cited by.
func TestACitationOfSeveral(t *testing.T) {
	p := newPorts(t)
	id := p.known(t, ann)["jazz"]
	twin := p.hand.points[id]
	twin.Memory.ID = memory.ID(id.Short()) + "-0000-5000-8000-000000000000"
	p.hand.points[twin.Memory.ID] = twin
	_, err := p.Forget(t.Context(), ann, curate.Selection{IDs: []memory.ID{memory.ID(id.Short())}})
	var bad *fault.FieldError
	if !errors.As(err, &bad) || bad.Field != "ids" {
		t.Errorf("Forget = %v, want the field ids", err)
	}
	if got := p.hand.points[id].Memory.Status; got != memory.StatusCurrent {
		t.Errorf("jazz is %s", got)
	}
}

func TestForgetMeansPastValues(t *testing.T) {
	p := newPorts(t)
	p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	city := p.say(t, ann, "t2", "user.city", "Bergen", "I moved to Bergen")
	out, err := p.Forget(t.Context(), ann, curate.Selection{Contains: "oslo"})
	if err != nil || len(out.Memories) != 1 || out.Memories[0] == city {
		t.Errorf("Forget = %+v, %v; want the past value", out, err)
	}
	left := p.texts(ann, func(m *memory.Memory) bool { return m.Text != "" })
	if left != "I moved to Bergen" {
		t.Errorf("left is %q", left)
	}
	if out, err = p.Forget(t.Context(), ann, curate.Selection{Keys: []memory.Key{"user.city"}}); err != nil || !slices.Equal(out.Memories, []memory.ID{city}) {
		t.Errorf("Forget = %+v, %v; want the city", out, err)
	}
}

// TestSuppressAndUnsuppress keep memories from recall and give them back; what is restated
// or corrected meanwhile is kept from it as well.
func TestSuppressAndUnsuppress(t *testing.T) {
	for name, tt := range map[string]struct {
		sel    curate.Selection
		hidden string
	}{
		"a key":   {curate.Selection{Keys: []memory.Key{"user.city"}}, "I moved to Bergen"},
		"a part":  {curate.Selection{Contains: "oslo"}, "I moved to Bergen"},
		"a topic": {curate.Selection{Topic: "where I live"}, "I moved to Bergen"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPorts(t)
			ids := p.known(t, ann)
			out, err := p.Suppress(t.Context(), ann, tt.sel)
			if err != nil || !slices.Equal(out.Memories, []memory.ID{ids["Oslo"]}) || out.Request == "" {
				t.Fatalf("Suppress = %+v, %v", out, err)
			}
			request := out.Request
			if asked := p.hand.points[request].Memory; asked.Status != memory.StatusStanding || asked.Evidence[0].Role != memory.RoleUser {
				t.Errorf("the request is %+v", asked)
			}
			p.say(t, ann, "t4", "user.city", "Bergen", "I moved to Bergen")
			if got := p.hidden(ann); got != tt.hidden || strings.Contains(p.recalled(ann), "Bergen") {
				t.Errorf("hidden is %q and recalled %q", got, p.recalled(ann))
			}
			if again, err := p.Suppress(t.Context(), ann, tt.sel); err != nil || again.Request != "" && again.Request != request {
				t.Errorf("asked again: %+v, %v", again, err)
			}
			for _, by := range []curate.Selection{{IDs: []memory.ID{request}}, {IDs: []memory.ID{ids["Oslo"]}}, {Keys: []memory.Key{"user.city"}}, {Contains: "Bergen"}, {All: true}} {
				if out, err = p.Unsuppress(t.Context(), ann, by); err != nil || !slices.Contains(out.Memories, ids["Oslo"]) || p.hidden(ann) != "" {
					t.Errorf("Unsuppress(%+v) = %+v, %v; hidden is %q", by, out, err, p.hidden(ann))
				}
				if got := p.recalled(ann); !strings.Contains(got, "I moved to Bergen") || strings.Contains(got, "Oslo") {
					t.Errorf("given back: %q", got)
				}
				if _, err := p.Suppress(t.Context(), ann, curate.Selection{Keys: []memory.Key{"user.city"}}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestNothingToSuppress and nothing to give back is no error, and leaves no change set.
func TestNothingToSuppress(t *testing.T) {
	p := newPorts(t)
	p.known(t, ann)
	head := p.head(ann)
	for _, sel := range []curate.Selection{{Contains: "chess"}, {IDs: []memory.ID{"x"}}, {Thread: "t9"}} {
		if out, err := p.Suppress(t.Context(), ann, sel); err != nil || len(out.Memories) > 0 || out.Request != "" {
			t.Errorf("Suppress(%+v) = %+v, %v", sel, out, err)
		}
	}
	for _, sel := range []curate.Selection{{Contains: "jazz"}, {Topic: "my job"}, {All: true}} {
		if out, err := p.Unsuppress(t.Context(), ann, sel); err != nil || len(out.Memories) > 0 {
			t.Errorf("Unsuppress(%+v) = %+v, %v", sel, out, err)
		}
	}
	if got := p.head(ann); got != head {
		t.Errorf("the head went from %d to %d", head, got)
	}
}

// TestRestore undoes a deletion, once, and only the owner's.
func TestRestore(t *testing.T) {
	p := newPorts(t)
	ids := p.known(t, ann)
	p.known(t, other)
	refused := func(what string, s memory.Scope, id memory.ID) {
		t.Helper()
		if err := p.Restore(t.Context(), s, id); !errors.Is(err, curate.ErrNotFound) {
			t.Errorf("restore %s = %v, want ErrNotFound", what, err)
		}
	}
	refused("what is there", ann, ids["jazz"])
	refused("what never was", ann, "0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90")
	refused("what is no id", ann, "x")
	refused("nothing", ann, "")
	if err := p.Restore(t.Context(), memory.Scope{}, ids["jazz"]); !errors.Is(err, memory.ErrScope) {
		t.Errorf("restore of nobody = %v, want ErrScope", err)
	}
	if _, err := p.Forget(t.Context(), ann, curate.Selection{Topic: "everything about me"}); err != nil || p.recalled(ann) != "" {
		t.Fatalf("left is %q, %v", p.recalled(ann), err)
	}
	refused("somebody else's", anna, ids["jazz"])
	for _, e := range p.hand.points {
		if e.Memory.Scope == ann && e.Memory.Key == "" && e.Memory.Status == memory.StatusDeleted && e.Memory.ID != ids["ielts"] {
			refused("the request itself", ann, e.Memory.ID)
		}
	}
	before := p.hand.points[ids["jazz"]].Memory.Tombstone
	if err := p.Restore(t.Context(), ann, ids["jazz"]); err != nil || before == nil || p.recalled(ann) != "I like jazz" {
		t.Errorf("restored: %v; recalled is %q", err, p.recalled(ann))
	}
	if m := p.hand.points[ids["jazz"]].Memory; m.Tombstone != nil || len(m.Evidence) != 2 || m.Value != "jazz" {
		t.Errorf("restored is %+v, want it as it was", m)
	}
	refused("it again", ann, ids["jazz"])
	p.say(t, ann, "t5", "user.city", "Bergen", "I live in Bergen")
	refused("what was said anew", ann, ids["Oslo"])
	if got := p.recalled(ann); got != "I like jazz; I live in Bergen" {
		t.Errorf("recalled is %q", got)
	}
}

// TestRestoreOfWhatIsNotToBeMentioned leaves it hidden.
func TestRestoreOfWhatIsNotToBeMentioned(t *testing.T) {
	p := newPorts(t)
	ids := p.known(t, ann)
	if _, err := p.Suppress(t.Context(), ann, curate.Selection{Topic: "my hobbies and jazz"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Suppress(t.Context(), ann, curate.Selection{Topic: "jazz"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Forget(t.Context(), ann, curate.Selection{IDs: []memory.ID{ids["jazz"]}}); err != nil || p.hidden(ann) != "" {
		t.Fatalf("hidden is %q, %v", p.hidden(ann), err)
	}
	if err := p.Restore(t.Context(), ann, ids["jazz"]); err != nil || p.hidden(ann) != "I like jazz" {
		t.Errorf("hidden is %q, %v", p.hidden(ann), err)
	}
}

// TestRequestsAreDecidedAnew when another decision comes between: on what is there then.
func TestRequestsAreDecidedAnew(t *testing.T) {
	t.Run("forget", func(t *testing.T) {
		p := newPorts(t)
		p.known(t, ann)
		p.at = func() { p.say(t, ann, "t4", "user.city", "Bergen", "I moved to Bergen") }
		if _, err := p.Forget(t.Context(), ann, curate.Selection{Contains: "Oslo"}); err != nil {
			t.Fatal(err)
		}
		if got := p.texts(ann, func(m *memory.Memory) bool { return m.Key == "user.city" && m.Text != "" }); got != "I moved to Bergen" {
			t.Errorf("of cities %q is left, want the one that came between", got)
		}
	})
	t.Run("suppress", func(t *testing.T) {
		p := newPorts(t)
		p.known(t, ann)
		p.at = func() { p.say(t, ann, "t4", "user.city", "Bergen", "I moved to Bergen") }
		out, err := p.Suppress(t.Context(), ann, curate.Selection{Keys: []memory.Key{"user.city"}})
		if err != nil || out.Request == "" || p.hidden(ann) != "I moved to Bergen" {
			t.Errorf("Suppress = %+v, %v; hidden is %q", out, err, p.hidden(ann))
		}
	})
	t.Run("restore", func(t *testing.T) {
		p := newPorts(t)
		ids := p.known(t, ann)
		if _, err := p.Forget(t.Context(), ann, curate.Selection{Contains: "Oslo"}); err != nil {
			t.Fatal(err)
		}
		p.at = func() { p.say(t, ann, "t4", "user.city", "Bergen", "I live in Bergen") }
		if err := p.Restore(t.Context(), ann, ids["Oslo"]); !errors.Is(err, curate.ErrNotFound) {
			t.Errorf("Restore = %v, want ErrNotFound: it was said anew", err)
		}
		if got := p.recalled(ann); !strings.Contains(got, "I live in Bergen") {
			t.Errorf("recalled is %q", got)
		}
	})
	t.Run("the same request twice", func(t *testing.T) {
		p := newPorts(t)
		p.known(t, ann)
		sel := curate.Selection{Contains: "jazz"}
		p.at = func() {
			if _, err := p.Forget(t.Context(), ann, sel); err != nil {
				t.Error(err)
			}
		}
		out, err := p.Forget(t.Context(), ann, sel)
		if err != nil || len(out.Memories) > 0 {
			t.Errorf("the loser has forgotten %+v, %v; want nothing any more", out, err)
		}
	})
}

// TestAFailureChangesNothing: what cannot be read or appended is reported, and tried again.
func TestAFailureChangesNothing(t *testing.T) {
	down := fault.Outage(errors.New("down"), 0)
	for _, port := range []string{"memories", "append", "event head"} {
		p := newPorts(t)
		p.known(t, ann)
		p.fails[port] = down
		for request, do := range p.requests() {
			if request == "unsuppress" && port == "append" {
				continue // there is nothing to append
			}
			if _, err := do(t.Context(), ann, curate.Selection{Contains: "jazz"}); !errors.Is(err, fault.ErrOutage) {
				t.Errorf("%s with %s down = %v, want the outage", request, port, err)
			}
		}
		clear(p.fails)
		if got := p.recalled(ann); got != all {
			t.Errorf("with %s down, %q is left", port, got)
		}
		if out, err := p.Forget(t.Context(), ann, curate.Selection{Contains: "jazz"}); err != nil || len(out.Memories) != 1 {
			t.Errorf("afterwards: %+v, %v", out, err)
		}
	}
}

// TestTheOwnersOwnDecisionsAreTheUsers, in the ledger.
func TestTheOwnersOwnDecisionsAreTheUsers(t *testing.T) {
	p := newPorts(t)
	p.known(t, ann)
	if _, err := p.Forget(t.Context(), ann, curate.Selection{Topic: "where I work"}); err != nil {
		t.Fatal(err)
	}
	last := p.log.sets[ann][len(p.log.sets[ann])-1]
	c, err := ledger.Decode(last.data, ann)
	if err != nil || c.Author != ledger.AuthorUser || !c.At.Equal(p.now) {
		t.Errorf("the change set is by %s at %s, %v", c.Author, c.At, err)
	}
	for _, word := range []string{"bakery", "where I work"} {
		if strings.Contains(string(last.data), word) {
			t.Errorf("%q stands in it: %s", word, last.data)
		}
	}
}
