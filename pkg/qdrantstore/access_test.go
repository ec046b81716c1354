package qdrantstore

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

func hours(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }

func access(s memory.Scope, n int, at time.Time) index.Access {
	return index.Access{Scope: s, ID: id(n), At: at}
}

func recorded(a index.Access) index.Access {
	a.Recorded = true
	return a
}

// used is when a memory was last used, as it is read.
func used(t *testing.T, s *Store, scope memory.Scope, n int) time.Time {
	t.Helper()
	got, err := s.Get(t.Context(), scope, ids(n))
	if err != nil || len(got) != 1 {
		t.Fatalf("Get = %+v, %v, want one memory", got, err)
	}
	return got[0].UsedAt()
}

// unknown are the memories with a use that the ledger does not know of.
func unknown(t *testing.T, s *Store) []memory.ID {
	t.Helper()
	return sweep(t, s, index.Due{Job: index.DueAccessed}, 10)
}

// TestAUseIsNoted: wherever the memory is, whether or not it ages, by every way to read it,
// and of nobody else.
func TestAUseIsNoted(t *testing.T) {
	s := newStore(t)
	lasting := func(m *memory.Memory) { m.Lasting = true }
	pinned := func(m *memory.Memory) { m.Pinned = true }
	write(t, s,
		entry(alice, 1, 1, "tea"), entry(alice, 2, 1, "tea, lasting", lasting), entry(alice, 3, 1, "tea, pinned", pinned),
		moved(entry(alice, 4, 1, "tea, cold", cold)), entry(alice, 5, 1, "tea, not used"), entry(bob, 6, 1, "tea of bob"),
		moved(entry(alice, 7, 1, "", deleted(noon, "k", "h"))), entry(alice, 8, 1, "past tea", past(1)),
	)
	at := hours(5).Add(1234567 * time.Nanosecond)
	var b index.Batch
	for _, n := range []int{1, 2, 3, 4, 6, 7, 8, 99} {
		b.Accessed = append(b.Accessed, access(alice, n, at.In(time.FixedZone("", 8*3600))))
	}
	put(t, s, b)
	seen := at.Truncate(time.Microsecond)
	for n, want := range map[int]time.Time{1: seen, 2: seen, 3: seen, 4: seen, 5: noon} {
		if got := used(t, s, alice, n); !got.Equal(want) {
			t.Errorf("memory %d was last used at %s, want %s", n, got, want)
		}
	}
	if got := used(t, s, bob, 6); !got.Equal(noon) {
		t.Errorf("bob's memory was last used at %s by alice", got)
	}
	if got, want := unknown(t, s), ids(1, 2, 3, 4); !slices.Equal(got, want) {
		t.Errorf("the ledger does not know of %q, want %q", got, want)
	}
	if p := raw(t, s, s.hand, 4).GetPayload(); p[fieldUsed] != nil || p[fieldAccessed] != nil {
		t.Errorf("the marker of a memory was used: %v", p)
	}
	q := query("tea")
	q.Archive = true
	hits, err := s.Search(t.Context(), alice, q)
	if err != nil || len(hits) != 5 {
		t.Fatalf("Search = %+v, %v, want five", hits, err)
	}
	for _, h := range append(hits, index.Hit{Memory: list(t, s, alice)[0]}) {
		if want := seen; h.Memory.ID != id(5) && !h.Memory.AccessedAt.Equal(want) {
			t.Errorf("%q was accessed at %s, want %s", h.Memory.Text, h.Memory.AccessedAt, want)
		}
	}
}

// TestUsesAndRecordsMeetInAnyOrder: the last use stands, and the ledger lacks it if and only
// if no record is as late.
func TestUsesAndRecordsMeetInAnyOrder(t *testing.T) {
	s := newStore(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		change := func(m *memory.Memory) { m.Lasting = n%2 == 0 }
		if n%3 == 0 {
			change = cold
		}
		if err := s.Write(context.Background(), index.Batch{Entries: []index.Entry{entry(alice, n, 1, "tea", change)}}); err != nil {
			t.Fatal(err)
		}
		last, known := 0, 0
		for range rapid.IntRange(1, 4).Draw(t, "batches") {
			var b index.Batch
			for range rapid.IntRange(1, 3).Draw(t, "accesses") {
				hour := rapid.IntRange(-1, 4).Draw(t, "hour")
				a := access(alice, n, hours(hour))
				last = max(last, hour)
				if a.Recorded = rapid.Bool().Draw(t, "recorded"); a.Recorded {
					known = max(known, hour)
				}
				b.Accessed = append(b.Accessed, a)
			}
			if err := s.Write(context.Background(), b); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Get(context.Background(), alice, ids(n))
		if err != nil || len(got) != 1 || !got[0].UsedAt().Equal(hours(last)) {
			t.Fatalf("Get = %+v, %v, want a last use at hour %d", got, err, last)
		}
		flagged := false
		err = s.Sweep(context.Background(), index.Due{Job: index.DueAccessed}, maxPage, func(refs []index.Ref) error {
			flagged = flagged || slices.Contains(refs, index.Ref{Scope: alice, ID: id(n)})
			return nil
		})
		if err != nil || flagged != (last > known) {
			t.Errorf("unknown to the ledger: %v, %v, with the last use at %d and the last record at %d", flagged, err, last, known)
		}
	})
}

// TestAFullWriteSettlesUses: the memory's own state is what the ledger knows.
func TestAFullWriteSettlesUses(t *testing.T) {
	s := newStore(t)
	write(t, s, entry(alice, 1, 1, "tea"), entry(alice, 2, 1, "milk"))
	put(t, s, index.Batch{Accessed: []index.Access{access(alice, 1, hours(5)), access(alice, 2, hours(5))}})
	write(t, s, entry(alice, 1, 2, "green tea", func(m *memory.Memory) { m.ConfirmedAt, m.AccessedAt = hours(1), hours(5) }))
	if got, want := unknown(t, s), ids(2); !slices.Equal(got, want) {
		t.Errorf("the ledger does not know of %q, want %q", got, want)
	}
	if got := used(t, s, alice, 1); !got.Equal(hours(5)) {
		t.Errorf("last used at %s, want %s", got, hours(5))
	}
	put(t, s, index.Batch{Accessed: []index.Access{recorded(access(alice, 2, hours(4)))}})
	if got := unknown(t, s); !slices.Equal(got, ids(2)) {
		t.Errorf("after the record of an earlier use, the ledger does not know of %q, want that of hour 5", got)
	}
	put(t, s, index.Batch{Accessed: []index.Access{recorded(access(alice, 2, hours(5)))}})
	if got := unknown(t, s); len(got) != 0 {
		t.Errorf("after its record, the ledger does not know of %q", got)
	}
}
