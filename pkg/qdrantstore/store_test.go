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
)

func TestEveryCallRefusesAZeroScope(t *testing.T) {
	s := newStore(t)
	write(t, s, entry(alice, 1, 1, "text"))
	defer func() {
		if got := list(t, s, alice); len(got) != 1 {
			t.Errorf("%d memories afterwards, want the one that was there", len(got))
		}
	}()
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
			"Get":         func(ctx context.Context) error { _, err := s.Get(ctx, scope, []memory.ID{id(1)}); return err },
			"ListArchive": func(ctx context.Context) error { _, err := s.ListArchive(ctx, scope); return err },
			"Tombstones":  func(ctx context.Context) error { _, err := s.Tombstones(ctx, scope); return err },
			"Needed, all": func(ctx context.Context) error {
				_, err := s.Needed(ctx, scope, reconcile.Needs{All: true})
				return err
			},
			"Search the archive": func(ctx context.Context) error {
				q := query("text")
				q.Archive = true
				_, err := s.Search(ctx, scope, q)
				return err
			},
			"Erase":      func(ctx context.Context) error { _, err := s.Erase(ctx, scope, 9); return err },
			"CountOwner": func(ctx context.Context) error { _, err := s.CountOwner(ctx, scope, 9); return err },
			"Write what is dropped": func(ctx context.Context) error {
				return s.Write(ctx, index.Batch{Dropped: []index.Dropped{{Scope: scope, ID: id(1), LedgerSeq: 3}}})
			},
			"Write an access": func(ctx context.Context) error {
				return s.Write(ctx, index.Batch{Accessed: []index.Access{{Scope: scope, ID: id(1), At: noon}}})
			},
			"Write what is erased": func(ctx context.Context) error {
				return s.Write(ctx, index.Batch{Erased: map[memory.Scope]uint64{scope: 9}})
			},
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
