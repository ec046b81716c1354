package qdrantstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/terms"
)

func TestEveryReadRefusesAZeroScope(t *testing.T) {
	s := newStore(t)
	write(t, s, entry(alice, 1, 1, "text"))
	for _, scope := range []memory.Scope{
		{}, {Tenant: "acme"}, memory.UserScope("", "alice"), memory.UserScope("acme", ""), {Owner: alice.Owner},
		{Tenant: "acme", Owner: memory.Owner{Kind: "everyone", ID: "alice"}}, memory.UserScope("acme", "a\x00"),
	} {
		for name, f := range map[string]func(context.Context) error{
			"List": func(ctx context.Context) error { _, err := s.List(ctx, scope); return err },
			"Needed": func(ctx context.Context) error {
				_, err := s.Needed(ctx, scope, reconcile.Needs{IDs: []memory.ID{id(1)}})
				return err
			},
			"Search": func(ctx context.Context) error { _, err := s.Search(ctx, scope, query("text")); return err },
			"Cursor": func(ctx context.Context) error { _, err := s.Cursor(ctx, scope); return err },
			"Write": func(ctx context.Context) error {
				return s.Write(ctx, index.Batch{Entries: []index.Entry{entry(scope, 2, 2, "text")}})
			},
			"Write a cursor": func(ctx context.Context) error {
				return s.Write(ctx, index.Batch{Cursors: map[memory.Scope]index.Step{scope: {To: 3}}})
			},
			"Write a checkpoint": func(ctx context.Context) error {
				return s.Write(ctx, index.Batch{Checkpoints: []index.Checkpoint{{Scope: scope, LedgerSeq: 3}}})
			},
			"Checkpoints": func(ctx context.Context) error { _, err := s.Checkpoints(ctx, scope, "t", 0); return err },
		} {
			if err := f(t.Context()); !errors.Is(err, memory.ErrScope) {
				t.Errorf("%s in the scope %+v = %v, want ErrScope", name, scope, err)
			}
		}
	}
}

// TestWhatIsWrittenIsRead: the whole memory, with its zones, and the cursors of owners.
func TestWhatIsWrittenIsRead(t *testing.T) {
	s := newStore(t)
	shanghai := time.FixedZone("", 8*3600)
	e := entry(alice, 1, 7, "我住在杭州", func(m *memory.Memory) {
		m.Key, m.Value, m.About, m.Plan, m.Pinned = "user.city", "杭州", "user.home", true, true
		m.ExpiresAt = noon.Add(1500 * time.Microsecond)
		m.Evidence[0].At = noon.In(shanghai)
		m.Ends = &memory.Target{Key: "user.city", Must: true}
	})
	write(t, s, e)
	got := list(t, s, alice)
	if len(got) != 1 {
		t.Fatalf("%d memories, want 1", len(got))
	}
	if at := got[0].Evidence[0].At.Format(time.RFC3339); at != "2026-03-02T20:00:00+08:00" {
		t.Errorf("evidence of %s, want the speaker's zone", at)
	}
	got[0].Evidence[0].At = e.Memory.Evidence[0].At
	if !reflect.DeepEqual(got[0], e.Memory) {
		t.Errorf("read  %+v\nwrote %+v", got[0], e.Memory)
	}
	if seq, err := s.Cursor(t.Context(), alice); seq != 7 || err != nil {
		t.Errorf("Cursor = %d, %v, want 7", seq, err)
	}
	if seq, err := s.Cursor(t.Context(), bob); seq != 0 || err != nil {
		t.Errorf("Cursor of another owner = %d, %v, want 0", seq, err)
	}
	if err := s.Write(t.Context(), index.Batch{}); err != nil {
		t.Errorf("writing nothing = %v", err)
	}
}

// TestAnOlderWriteChangesNothing: neither a memory's state nor a cursor goes back, and an
// equal write is the same write.
func TestAnOlderWriteChangesNothing(t *testing.T) {
	s := newStore(t)
	write(t, s, entry(alice, 1, 5, "fifth"))
	write(t, s, entry(alice, 1, 3, "third"), entry(alice, 2, 3, "another, third"))
	write(t, s, entry(alice, 1, 5, "fifth again"))
	if got, want := texts(list(t, s, alice)), []string{"fifth", "another, third"}; !slices.Equal(got, want) {
		t.Errorf("memories %q, want %q", got, want)
	}
	if seq, err := s.Cursor(t.Context(), alice); seq != 5 || err != nil {
		t.Errorf("Cursor = %d, %v, want 5", seq, err)
	}
	write(t, s, entry(alice, 1, 6, "sixth"))
	if got := texts(list(t, s, alice)); got[0] != "sixth" {
		t.Errorf("memories %q, want the sixth", got)
	}
}

// TestWritesInAnyOrderGiveTheSame: the last state of each memory wins, in whatever order
// and grouping writes arrive.
func TestWritesInAnyOrderGiveTheSame(t *testing.T) {
	s := newStore(t)
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		scope := memory.UserScope("acme", memory.User(fmt.Sprintf("user %d", round)))
		want := map[int]uint64{}
		var entries []index.Entry
		for seq := uint64(1); seq <= 12; seq++ {
			n := rapid.IntRange(1, 3).Draw(t, "memory")
			entries = append(entries, entry(scope, round*10+n, seq, fmt.Sprint(seq)))
			want[round*10+n] = seq
		}
		order := rapid.Permutation(entries).Draw(t, "order")
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(t, "together")
			cursors := map[memory.Scope]index.Step{scope: {To: order[0].LedgerSeq}}
			if err := s.Write(context.Background(), index.Batch{Entries: order[:n], Cursors: cursors}); err != nil {
				t.Fatal(err)
			}
			order = order[n:]
		}
		got, err := s.List(context.Background(), scope)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%d memories, want %d", len(got), len(want))
		}
		for n, seq := range want {
			if i := slices.IndexFunc(got, func(m memory.Memory) bool { return m.ID == id(n) }); i < 0 || got[i].Text != fmt.Sprint(seq) {
				t.Errorf("memories %q, want memory %d as of %d", texts(got), n, seq)
			}
		}
	})
}

func TestManyMemoriesAreReadPageByPage(t *testing.T) {
	s := newStore(t)
	for _, n := range []int{pageSize - 1, 1, 1, 1500 - pageSize - 1} { // around the page's bound, then many
		have := len(list(t, s, alice))
		var entries []index.Entry
		for i := range n {
			entries = append(entries, entry(alice, have+i+1, 1, fmt.Sprint(have+i+1)))
		}
		for chunk := range slices.Chunk(entries, 500) {
			write(t, s, chunk...)
		}
		got := list(t, s, alice)
		if len(got) != have+n {
			t.Fatalf("%d memories, want %d", len(got), have+n)
		}
		for i, m := range got {
			if m.ID != id(i+1) {
				t.Fatalf("memory %d is %s, want them ordered by id and each once", i, m.ID)
			}
		}
	}
	write(t, s, entry(bob, 9001, 1, "bob's"))
	if got := list(t, s, bob); len(got) != 1 {
		t.Errorf("bob has %d memories, want 1", len(got))
	}
}

func TestNeededIsWhatADecisionNeeds(t *testing.T) {
	s := newStore(t)
	key := func(k memory.Key, status memory.Status) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Key, m.Value, m.Status = k, "v", status }
	}
	write(t, s,
		entry(alice, 1, 1, "city", key("user.city", memory.StatusCurrent)),
		entry(alice, 2, 1, "disputed city", key("user.city", memory.StatusDisputed)),
		entry(alice, 3, 1, "settled city", key("user.city", memory.StatusSettled)),
		entry(alice, 4, 1, "pet", key("user.pets", memory.StatusCurrent)),
		entry(alice, 5, 1, "ended pet", key("user.pets", memory.StatusEnded)),
		entry(alice, 6, 1, "the cat died", func(m *memory.Memory) { m.About = "user.pets" }),
		entry(alice, 7, 1, "plan", func(m *memory.Memory) { m.Plan, m.ExpiresAt = true, noon }),
		entry(alice, 8, 1, "open plan", func(m *memory.Memory) { m.Plan = true }),
		entry(alice, 9, 1, "no plan", func(m *memory.Memory) { m.ExpiresAt = noon.Add(time.Hour) }),
		entry(bob, 10, 1, "bob's city", key("user.city", memory.StatusDisputed)),
		entry(bob, 11, 1, "bob's plan", func(m *memory.Memory) { m.Plan = true }),
		entry(bob, 12, 1, "bob's pet", key("user.pets", memory.StatusCurrent)),
	)
	for name, c := range map[string]struct {
		needs reconcile.Needs
		want  []string
	}{
		"nothing":              {reconcile.Needs{}, []string{}},
		"ids, in any status":   {reconcile.Needs{IDs: []memory.ID{id(5), id(3), id(99)}}, []string{"settled city", "ended pet"}},
		"another owner's ids":  {reconcile.Needs{IDs: []memory.ID{id(10), id(11), id(12)}}, []string{}},
		"keys: disputed ones":  {reconcile.Needs{Keys: []memory.Key{"user.city"}}, []string{"disputed city"}},
		"keys: free, about":    {reconcile.Needs{Keys: []memory.Key{"user.pets"}}, []string{"the cat died"}},
		"whole: current ones":  {reconcile.Needs{Whole: []memory.Key{"user.pets", "user.city"}}, []string{"city", "pet"}},
		"plans that go on":     {reconcile.Needs{PlansSince: noon.Add(-time.Minute)}, []string{"plan", "open plan"}},
		"plans at their end":   {reconcile.Needs{PlansSince: noon}, []string{"open plan"}},
		"another owner's keys": {reconcile.Needs{Keys: []memory.Key{"user.employer"}, Whole: []memory.Key{"user.name"}}, []string{}},
		"all together": {
			reconcile.Needs{IDs: []memory.ID{id(1), id(10)}, Keys: []memory.Key{"user.pets"}, Whole: []memory.Key{"user.pets"}, PlansSince: noon},
			[]string{"city", "pet", "the cat died", "open plan"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.Needed(t.Context(), alice, c.needs)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(texts(got), c.want) {
				t.Errorf("Needed = %q, want %q", texts(got), c.want)
			}
		})
	}
}

// TestNeedsOfALargeDecision: as many ids and keys as a decision of a hundred statements has.
func TestNeedsOfALargeDecision(t *testing.T) {
	s := newStore(t)
	var n reconcile.Needs
	for i := range 300 {
		n.IDs = append(n.IDs, id(i+1))
		n.Keys = append(n.Keys, memory.Key(fmt.Sprintf("user.key%d", i)))
		n.Whole = append(n.Whole, memory.Key(fmt.Sprintf("user.key%d", i)))
	}
	write(t, s, entry(alice, 300, 1, "the last"))
	got, err := s.Needed(t.Context(), alice, n)
	if err != nil || len(got) != 1 {
		t.Errorf("Needed = %q, %v, want one memory", texts(got), err)
	}
}

func query(text string) index.Query {
	return index.Query{Now: noon, Dense: []float32{0, 0, 1}, MinDense: 0.35, Sparse: terms.Query(text), Limit: 10}
}

func search(t *testing.T, s *Store, scope memory.Scope, q index.Query) []string {
	t.Helper()
	hits, err := s.Search(t.Context(), scope, q)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, h := range hits {
		if h.Fused <= 0 {
			t.Errorf("%q has the score %v", h.Memory.Text, h.Fused)
		}
		out = append(out, h.Memory.Text)
	}
	slices.Sort(out)
	return out
}

func TestSearchSeesWhatIsCurrentAtTheInstant(t *testing.T) {
	s := newStore(t)
	with := func(status memory.Status, expires time.Time) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Status, m.ExpiresAt = status, expires }
	}
	write(t, s,
		entry(alice, 1, 1, "train always", with(memory.StatusCurrent, time.Time{})),
		entry(alice, 2, 1, "train over now", with(memory.StatusCurrent, noon)),
		entry(alice, 3, 1, "train over soon", with(memory.StatusCurrent, noon.Add(time.Microsecond))),
		entry(alice, 4, 1, "train over long ago", with(memory.StatusCurrent, noon.AddDate(-1, 0, 0))),
		entry(alice, 5, 1, "train ended", with(memory.StatusEnded, time.Time{})),
		entry(alice, 6, 1, "train superseded", with(memory.StatusSuperseded, time.Time{})),
		entry(alice, 7, 1, "train disputed", with(memory.StatusDisputed, time.Time{})),
		entry(alice, 8, 1, "train settled", with(memory.StatusSettled, time.Time{})),
		entry(bob, 9, 1, "train of bob", with(memory.StatusCurrent, time.Time{})),
	)
	if got, want := search(t, s, alice, query("train")), []string{"train always", "train over soon"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q", got, want)
	}
}

func TestSearchHasAFloor(t *testing.T) {
	s := newStore(t)
	near := entry(alice, 1, 1, "hiking")
	far := entry(alice, 2, 1, "soup")
	near.Dense, far.Dense = []float32{0, 0.6, 0.8}, []float32{0, 0.98, 0.2}
	none := entry(alice, 3, 1, "吃饭")
	none.Sparse = terms.SparseVector{}
	write(t, s, near, far, none)
	q := query("trousers")
	if got, want := search(t, s, alice, q), []string{"hiking"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q: the others are neither near nor share a word", got, want)
	}
	if got, want := search(t, s, alice, query("soup")), []string{"hiking", "soup"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q: one is near, one shares a word", got, want)
	}
	q.Sparse = terms.SparseVector{}
	if got, want := search(t, s, alice, q), []string{"hiking"}; !slices.Equal(got, want) {
		t.Errorf("Search without words = %q, want %q", got, want)
	}
	q.MinDense = 0.99
	if got := search(t, s, alice, q); len(got) != 0 {
		t.Errorf("Search above everything = %q, want nothing", got)
	}
}

func TestSearchByKindAndLimit(t *testing.T) {
	s := newStore(t)
	kind := func(k memory.Kind) func(*memory.Memory) { return func(m *memory.Memory) { m.Kind = k } }
	write(t, s,
		entry(alice, 1, 1, "tea fact"), entry(alice, 2, 1, "tea preference", kind(memory.KindPreference)),
		entry(alice, 3, 1, "tea constraint", kind(memory.KindConstraint)),
	)
	q := query("tea")
	q.Kinds = []memory.Kind{memory.KindPreference, memory.KindConstraint}
	if got, want := search(t, s, alice, q), []string{"tea constraint", "tea preference"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q", got, want)
	}
	q.Kinds, q.Limit = nil, 2
	if got := search(t, s, alice, q); len(got) != 2 {
		t.Errorf("Search = %q, want two", got)
	}
}

// TestOwnersWhoseNamesRunTogether: no two scopes have one keyword.
func TestOwnersWhoseNamesRunTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[a:/0-9]{1,4}|user|agent`)
		scope := rapid.Custom(func(t *rapid.T) memory.Scope {
			return memory.Scope{
				Tenant: memory.Tenant(part.Draw(t, "tenant")),
				Owner: memory.Owner{
					Kind: rapid.SampledFrom([]memory.OwnerKind{memory.OwnerUser, memory.OwnerAgent}).Draw(t, "kind"), ID: part.Draw(t, "id"),
				},
			}
		})
		a, b := scope.Draw(t, "a"), scope.Draw(t, "b")
		if (ownerOf(a) == ownerOf(b)) != (a == b) {
			t.Errorf("%+v and %+v are %q and %q", a, b, ownerOf(a), ownerOf(b))
		}
	})
}

// TestCheckpointsAreThoseOfTheThread: of the owner's, after the sequence, in the order of
// decision, however many there are.
func TestCheckpointsAreThoseOfTheThread(t *testing.T) {
	s := newStore(t)
	const n = pageSize + 10
	var b index.Batch
	for seq := uint64(1); seq <= n; seq++ {
		for i, c := range []struct {
			scope  memory.Scope
			thread memory.Thread
		}{{alice, "t1"}, {alice, "t2"}, {bob, "t1"}} {
			b.Checkpoints = append(b.Checkpoints, index.Checkpoint{
				Scope: c.scope, LedgerSeq: 10*seq + uint64(i),
				Checkpoint: ledger.Checkpoint{Thread: c.thread, Seq: seq, Events: []ledger.EventHash{ledger.EventHash(seq)}},
			})
		}
	}
	for range 2 { // written again, they stay the same
		for chunk := range slices.Chunk(b.Checkpoints, 200) {
			if err := s.Write(t.Context(), index.Batch{Checkpoints: chunk}); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := s.Checkpoints(t.Context(), alice, "t1", 20)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != n-2 {
		t.Fatalf("%d checkpoints, want %d", len(got), n-2)
	}
	for i, c := range got {
		seq := uint64(i + 3)
		want := ledger.Checkpoint{Thread: "t1", Seq: seq, Events: []ledger.EventHash{ledger.EventHash(seq)}}
		if c.Scope != alice || c.LedgerSeq != 10*seq || !reflect.DeepEqual(c.Checkpoint, want) {
			t.Fatalf("checkpoint %d is %+v, want %+v of %d", i, c, want, 10*seq)
		}
	}
	if all := list(t, s, alice); len(all) != 0 {
		t.Errorf("checkpoints are listed as %d memories", len(all))
	}
}
