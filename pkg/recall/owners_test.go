package recall_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// of is a change that gives a memory to an owner of the tenant.
func of(t memory.Tenant, kind memory.OwnerKind, id string) func(*memory.Memory) {
	return func(m *memory.Memory) {
		m.Scope = memory.Scope{Tenant: t, Owner: memory.Owner{Kind: kind, ID: id}}
	}
}

func qualified(agent memory.Agent, namespace string) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Agent, m.Namespace = agent, namespace }
}

// owned is a world with a memory about tea of everybody.
func owned(t *testing.T) *world {
	w := newWorld(t)
	w.remember(
		fact(1, "alice's tea"), fact(2, "alice's tea with the coach", qualified("coach", "")),
		fact(3, "alice's tea with the chef", qualified("chef", "")), fact(4, "alice's tea at the project", qualified("", "project")),
		fact(5, "alice's tea with the coach at the other project", qualified("coach", "other")),
	)
	for _, m := range []memory.Memory{
		fact(11, "the coach's tea", of("default", memory.OwnerAgent, "coach")), fact(12, "the chef's tea", of("default", memory.OwnerAgent, "chef")),
		fact(13, "everybody's tea", of("default", memory.OwnerTenant, "")), fact(14, "bob's tea", of("default", memory.OwnerUser, "bob")),
		fact(15, "the tea of a user called coach", of("default", memory.OwnerUser, "coach")),
		fact(16, "the tea of an agent called alice", of("default", memory.OwnerAgent, "alice")),
		fact(21, "another alice's tea", of("other", memory.OwnerUser, "alice")), fact(22, "another coach's tea", of("other", memory.OwnerAgent, "coach")),
		fact(23, "everybody's tea elsewhere", of("other", memory.OwnerTenant, "")),
	} {
		w.remember(m)
	}
	return w
}

func TestWhoseMemoriesAreAskedFor(t *testing.T) {
	w := owned(t)
	own := []string{"alice's tea", "alice's tea with the coach", "alice's tea with the chef", "alice's tea at the project", "alice's tea with the coach at the other project"}
	for name, c := range map[string]struct {
		request recall.Request
		want    []string
	}{
		"the user alone":           {recall.Request{}, own},
		"with an agent":            {recall.Request{Agent: "coach"}, []string{own[0], own[1], own[3], own[4], "the coach's tea"}},
		"with another agent":       {recall.Request{Agent: "chef"}, []string{own[0], own[2], own[3], "the chef's tea"}},
		"with an unknown agent":    {recall.Request{Agent: "pilot"}, []string{own[0], own[3]}},
		"an agent called as users": {recall.Request{Agent: "alice"}, []string{own[0], own[3], "the tea of an agent called alice"}},
		"with what is shared":      {recall.Request{Shared: true}, append([]string{"everybody's tea"}, own...)},
		"with everything":          {recall.Request{Agent: "coach", Shared: true}, []string{own[0], own[1], own[3], own[4], "the coach's tea", "everybody's tea"}},
		"in a namespace":           {recall.Request{Namespace: "project"}, own[:4]},
		"of an agent in one":       {recall.Request{Namespace: "project", Agent: "coach"}, []string{own[0], own[1], own[3], "the coach's tea"}},
		"in an unknown namespace":  {recall.Request{Namespace: "nowhere"}, own[:3]},
		"of another tenant":        {recall.Request{Tenant: "other", Agent: "coach", Shared: true}, []string{"another alice's tea", "another coach's tea", "everybody's tea elsewhere"}},
		"of an unknown tenant":     {recall.Request{Tenant: "third", Agent: "coach", Shared: true}, nil},
		"of an unknown user":       {recall.Request{User: "carol", Agent: "coach", Shared: true}, []string{"the coach's tea", "everybody's tea"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, query := range []string{"tea", ""} {
				for _, asOf := range []bool{false, true} {
					r := c.request
					r.Query, r.Limit = query, recall.MaxLimit
					if asOf {
						r.AsOf = noon
					}
					got := texts(w.recall(r))
					slices.Sort(got)
					want := slices.Sorted(slices.Values(c.want))
					if !slices.Equal(got, want) {
						t.Errorf("query %q, as of then %v: %q, want %q", query, asOf, got, want)
					}
				}
			}
		})
	}
}

func TestAResultNamesItsOwner(t *testing.T) {
	w := owned(t)
	owners := map[string]memory.Owner{
		"alice's tea": {Kind: memory.OwnerUser, ID: "alice"}, "the coach's tea": {Kind: memory.OwnerAgent, ID: "coach"},
		"everybody's tea": {Kind: memory.OwnerTenant},
	}
	found := 0
	for _, m := range w.recall(recall.Request{Query: "tea", Agent: "coach", Shared: true, Limit: recall.MaxLimit}).Memories {
		if want, ok := owners[m.Text]; ok {
			found++
			if m.Owner != want || m.Owned != want.Kind {
				t.Errorf("%q is owned by %+v, want %+v", m.Text, m.Owner, want)
			}
		}
		if m.Text == "alice's tea with the coach at the other project" && (m.Agent != "coach" || m.Namespace != "other") {
			t.Errorf("%q is qualified by %q and %q", m.Text, m.Agent, m.Namespace)
		}
	}
	if found != len(owners) {
		t.Errorf("%d of %d owners are there", found, len(owners))
	}
	raw, err := json.Marshal(w.recall(recall.Request{Query: "tea", Shared: true, Limit: recall.MaxLimit}))
	if err != nil || !strings.Contains(string(raw), `"owner":"tenant"`) {
		t.Errorf("on the wire: %s, %v", raw, err)
	}
}

// TestUsesAreNotedWithTheirOwners: and what belongs to others leaves no text in the trace.
func TestUsesAreNotedWithTheirOwners(t *testing.T) {
	w := owned(t)
	got := w.recall(recall.Request{Query: "tea", Agent: "coach", Shared: true, Limit: recall.MaxLimit})
	trace := w.traces[0]
	uses := trace.Uses()
	if len(uses) != len(got.Memories) || len(uses) != 6 {
		t.Fatalf("%d uses of %d memories, want 6", len(uses), len(got.Memories))
	}
	for i, m := range got.Memories {
		if uses[i].ID != m.ID || uses[i].Scope.Owner != m.Owner || uses[i].Scope.Tenant != memory.DefaultTenant || !uses[i].At.Equal(noon) {
			t.Errorf("the use of %q is %+v", m.Text, uses[i])
		}
	}
	w.recall(recall.Request{Query: "tea", AsOf: noon.AddDate(0, 0, -1)})
	w.recall(recall.Request{Query: "tea", AsOf: noon})
	for _, trace := range w.traces[1:] {
		if uses := trace.Uses(); len(uses) > 0 {
			t.Errorf("to look at the past uses %+v", uses)
		}
	}
}
