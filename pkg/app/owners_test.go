package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// ownersNow is when everybody's memories are made and asked for.
var ownersNow = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// belongings are what everybody knows of lighthouses, decided as an operator decides.
func belongings(t *testing.T, s *Stack) map[string]memory.Scope {
	t.Helper()
	user := memory.UserScope
	agent := func(tenant memory.Tenant, id string) memory.Scope {
		return memory.Scope{Tenant: tenant, Owner: memory.Owner{Kind: memory.OwnerAgent, ID: id}}
	}
	tenant := func(t memory.Tenant) memory.Scope {
		return memory.Scope{Tenant: t, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	}
	out := map[string]memory.Scope{
		"Robin collects model lighthouses": user("default", "robin"), "Kim paints lighthouses": user("default", "kim"),
		"guides answer about lighthouses in verse": agent("default", "guide"), "clerks never mention lighthouses": agent("default", "clerk"),
		"the lighthouse closes at five": tenant("default"), "the other lighthouse closes at six": tenant("acme"),
		"guides of acme know no lighthouse": agent("acme", "guide"), "Robin of acme fears lighthouses": user("acme", "robin"),
	}
	for text, scope := range out {
		c := noted(s, scope, ledger.AuthorOperator, 1, text)
		if _, err := s.Decider.Do(t.Context(), scope, func(context.Context, uint64) (*ledger.ChangeSet, error) { return c, nil }); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestNothingCrossesOwners: with the whole stack beneath, a recall returns what it asks for
// of its user, its agent and its tenant, now and as of then, and nothing else.
func TestNothingCrossesOwners(t *testing.T) {
	s := newStack(t, Options{Now: func() time.Time { return ownersNow }})
	all := belongings(t, s)
	for _, c := range []struct {
		request recall.Request
		want    []string
	}{
		{recall.Request{User: "robin"}, []string{"Robin collects model lighthouses"}},
		{recall.Request{User: "robin", Agent: "guide"}, []string{"Robin collects model lighthouses", "guides answer about lighthouses in verse"}},
		{recall.Request{User: "robin", Agent: "clerk", Shared: true}, []string{"Robin collects model lighthouses", "clerks never mention lighthouses", "the lighthouse closes at five"}},
		{recall.Request{User: "guide", Agent: "robin"}, nil},
		{recall.Request{Tenant: "acme", User: "robin", Agent: "guide", Shared: true}, []string{"Robin of acme fears lighthouses", "guides of acme know no lighthouse", "the other lighthouse closes at six"}},
		{recall.Request{Tenant: "acme", User: "kim", Agent: "clerk"}, nil},
	} {
		for _, query := range []string{"tell me about the lighthouse", ""} {
			for _, asOf := range []time.Time{{}, ownersNow} {
				r := c.request
				r.Query, r.AsOf = query, asOf
				got, err := s.Recall.Recall(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				var texts []string
				for _, m := range got.Memories {
					texts = append(texts, m.Text)
					if m.Owner != all[m.Text].Owner {
						t.Errorf("%q is owned by %+v", m.Text, m.Owner)
					}
				}
				slices.Sort(texts)
				if !slices.Equal(texts, c.want) {
					t.Errorf("%+v: %q, want %q", r, texts, c.want)
				}
			}
		}
	}
}

// TestAUseIsNotedWithItsOwner: what a user's recall hands out of an agent's and the tenant's
// counts as used there.
func TestAUseIsNotedWithItsOwner(t *testing.T) {
	now := ownersNow
	s := newStack(t, Options{Now: func() time.Time { return now }})
	s.Config.Recalls.Interval = 5 * time.Millisecond
	all := belongings(t, s)
	now = now.Add(time.Hour)
	background(t, s.Recalls.Run)
	background(t, s.NoteUses)
	got, err := s.Recall.Recall(t.Context(), recall.Request{User: "robin", Agent: "guide", Shared: true, Query: "lighthouse"})
	if err != nil || len(got.Memories) != 3 {
		t.Fatalf("recall = %+v, %v, want three", got.Memories, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for _, m := range got.Memories {
		for {
			held, err := s.Store.Get(ctx, all[m.Text], []memory.ID{m.ID})
			if err != nil || len(held) != 1 {
				t.Fatalf("%q: %v, %v", m.Text, held, err)
			}
			if held[0].AccessedAt.Equal(now) {
				break
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				t.Fatalf("the use of %q is not noted", m.Text)
			}
		}
	}
}
