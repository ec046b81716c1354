package qdrantstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// TestAMemoryStandsInOnePlace: at hand, in the archive, at hand again, deleted.
func TestAMemoryStandsInOnePlace(t *testing.T) {
	s := newStore(t)
	for _, step := range []struct {
		name          string
		entry         index.Entry
		hand, archive string
	}{
		{"new", entry(alice, 1, 1, "tea"), typeMemory, ""},
		{"archived", moved(entry(alice, 1, 2, "tea", cold)), typeMarker, typeMemory},
		{"expired in the archive", entry(alice, 1, 3, "tea", cold, func(m *memory.Memory) { m.ExpiresAt = noon }), typeMarker, typeMemory},
		{"returned", moved(entry(alice, 1, 4, "tea")), typeMemory, typeMarker},
		{"archived again", moved(entry(alice, 1, 5, "tea", cold)), typeMarker, typeMemory},
		{"deleted", moved(entry(alice, 1, 6, "", deleted(noon, "user.tea", "h"))), typeMemory, typeMarker},
		{"deleted, with the dates it had", moved(entry(alice, 1, 7, "", deleted(noon, "user.tea", "h"), cold)), typeMemory, typeMarker},
		{"restored to the archive", moved(entry(alice, 1, 8, "tea", cold)), typeMarker, typeMemory},
	} {
		write(t, s, step.entry)
		if hand, archive := typeAt(t, s, s.hand, 1), typeAt(t, s, s.archive, 1); hand != step.hand || archive != step.archive {
			t.Errorf("%s: a %q at hand and a %q in the archive, want %q and %q", step.name, hand, archive, step.hand, step.archive)
		}
		got, err := s.Get(t.Context(), alice, ids(1))
		if err != nil || len(got) != 1 || got[0].Text != step.entry.Memory.Text || !got[0].ArchivedAt.Equal(step.entry.Memory.ArchivedAt) {
			t.Errorf("%s: Get = %+v, %v", step.name, got, err)
		}
	}
}

// TestWhatIsLeftHasNoContent: markers and tombstones hold nothing that was said, and no
// vector that could tell.
func TestWhatIsLeftHasNoContent(t *testing.T) {
	s := newStore(t)
	const secret = "seventeen cats"
	say := func(m *memory.Memory) {
		m.Key, m.Value, m.About, m.Plan, m.ExpiresAt = "user.pets", secret, "user.home", true, noon
	}
	write(t, s,
		moved(entry(alice, 1, 1, secret, say, cold)),
		entry(alice, 2, 1, secret, say), moved(entry(alice, 3, 1, secret, say)),
	)
	write(t, s, moved(entry(alice, 2, 2, "", deleted(noon, "user.pets", "h"))))
	for _, left := range []struct {
		collection string
		n          int
		status     string
	}{
		{s.hand, 1, "current"}, {s.hand, 2, "deleted"}, {s.archive, 2, "deleted"}, {s.archive, 3, "current"},
	} {
		p := raw(t, s, left.collection, left.n)
		if dump := protojson.Format(p); strings.Contains(dump, "cats") {
			t.Errorf("%s holds %s", left.collection, dump)
		}
		if p.GetVectors() != nil || p.GetPayload()[fieldStatus].GetStringValue() != left.status {
			t.Errorf("point %d of %s has the vectors %v and the payload %v", left.n, left.collection, p.GetVectors(), p.GetPayload())
		}
	}
	got := slices.Sorted(maps.Keys(raw(t, s, s.hand, 1).GetPayload()))
	want := []string{fieldAbout, fieldKey, fieldKind, fieldSeq, fieldOwner, fieldPlan, fieldPlanUntil, fieldStatus, fieldTenant, fieldType}
	if !slices.Equal(got, want) {
		t.Errorf("a marker has the fields %q, want %q", got, want)
	}
}

// TestALateWriteResurrectsNothing: whatever is written last, where the memory is not any
// more, by whoever was slow.
func TestALateWriteResurrectsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		now, late     index.Entry
		hand, archive string
	}{
		"at hand, since archived": {
			moved(entry(alice, 1, 5, "tea", cold)), entry(alice, 1, 3, "tea"), typeMarker, typeMemory,
		},
		"archived, since returned": {
			moved(entry(alice, 1, 5, "tea")), moved(entry(alice, 1, 3, "tea", cold)), typeMemory, typeMarker,
		},
		"at hand, since deleted": {
			moved(entry(alice, 1, 5, "", deleted(noon, "k", "h"))), entry(alice, 1, 3, "tea"), typeMemory, typeMarker,
		},
		"archived, since deleted": {
			moved(entry(alice, 1, 5, "", deleted(noon, "k", "h"))), moved(entry(alice, 1, 3, "tea", cold)), typeMemory, typeMarker,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			write(t, s, c.now)
			write(t, s, c.late)
			if hand, archive := typeAt(t, s, s.hand, 1), typeAt(t, s, s.archive, 1); hand != c.hand || archive != c.archive {
				t.Errorf("a %q at hand and a %q in the archive, want %q and %q", hand, archive, c.hand, c.archive)
			}
			got, err := s.Needed(t.Context(), alice, reconcile.Needs{All: true})
			if err != nil || len(got) != 1 || got[0].Text != c.now.Memory.Text {
				t.Errorf("Needed = %+v, %v, want the state of 5", got, err)
			}
		})
	}
}

// TestMovesInAnyOrderGiveTheSame: the last state of each memory wins, in its place, in
// whatever order and grouping the states arrive.
func TestMovesInAnyOrderGiveTheSame(t *testing.T) {
	s := newStore(t)
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		scope := memory.UserScope("acme", memory.User(fmt.Sprintf("user %d", round)))
		last := map[int]index.Entry{}
		var entries []index.Entry
		for seq := uint64(1); seq <= 12; seq++ {
			n := round*10 + rapid.IntRange(1, 3).Draw(t, "memory")
			var change []func(*memory.Memory)
			switch rapid.IntRange(0, 3).Draw(t, "state") {
			case 0:
				change = append(change, cold)
			case 1:
				change = append(change, deleted(noon, "k", "h"))
			}
			e := entry(scope, n, seq, fmt.Sprint(seq), change...)
			if before, ok := last[n]; ok {
				e.Moved = inArchive(&before.Memory) != inArchive(&e.Memory)
			}
			last[n] = e
			entries = append(entries, e)
		}
		order := rapid.Permutation(entries).Draw(t, "order")
		for len(order) > 0 {
			n := rapid.IntRange(1, len(order)).Draw(t, "together")
			if err := s.Write(context.Background(), index.Batch{Entries: order[:n]}); err != nil {
				t.Fatal(err)
			}
			order = order[n:]
		}
		checkPlaces(t, s, scope, slices.Collect(maps.Values(last)))
	})
}

// checkPlaces checks that each memory stands as it is where it belongs, and nowhere else.
func checkPlaces(t *rapid.T, s *Store, scope memory.Scope, want []index.Entry) {
	all, err := s.Needed(context.Background(), scope, reconcile.Needs{All: true})
	if err != nil {
		t.Fatal(err)
	}
	hand, err := s.List(context.Background(), scope)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := s.ListArchive(context.Background(), scope)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(want) {
		t.Fatalf("%d memories, want %d", len(all), len(want))
	}
	for _, e := range want {
		has := func(in []memory.Memory) bool {
			return slices.ContainsFunc(in, func(m memory.Memory) bool { return m.ID == e.Memory.ID && m.Text == e.Memory.Text })
		}
		gone := e.Memory.Status == memory.StatusDeleted
		if !has(all) || has(hand) != (!gone && !inArchive(&e.Memory)) || has(archive) != inArchive(&e.Memory) {
			t.Errorf("%s as of %d: in all %v, at hand %v, in the archive %v", e.Memory.ID, e.LedgerSeq, has(all), has(hand), has(archive))
		}
	}
}

var errCut = errors.New("cut off")

// TestAMoveThatIsCutOff: between any two requests, nothing is lost, nothing is seen twice,
// and the same write again ends as if nothing had happened.
func TestAMoveThatIsCutOff(t *testing.T) {
	for name, back := range map[string]bool{"to the archive": false, "back": true} {
		for cut := range 3 {
			t.Run(fmt.Sprintf("%s, after %d requests", name, cut), func(t *testing.T) {
				c, calls := newRecordedClient(t)
				s := storeOn(t, c)
				before, after := entry(alice, 1, 1, "old tea"), moved(entry(alice, 1, 2, "new tea", cold))
				if back {
					before, after = entry(alice, 1, 1, "old tea", cold), moved(entry(alice, 1, 2, "new tea"))
				}
				write(t, s, before)
				done := 0
				calls.answerWith(func(method string, _, _ any) (bool, error) {
					if method != "UpdateBatch" {
						return false, nil
					}
					done++
					return done > cut, errCut
				})
				b := index.Batch{Entries: []index.Entry{after}, Cursors: map[memory.Scope]index.Step{alice: {From: 1, To: 2}}}
				err := s.Write(t.Context(), b)
				calls.answerWith(nil)
				if (err == nil) != (done <= cut) {
					t.Fatalf("Write = %v after %d requests", err, done)
				}
				want := "old tea"
				if cut > 0 {
					want = "new tea"
				}
				wantOnce(t, s, want)
				put(t, s, b)
				wantOnce(t, s, "new tea")
				if seq, err := s.Cursor(t.Context(), alice); seq != 2 || err != nil {
					t.Errorf("Cursor = %d, %v, want 2", seq, err)
				}
			})
		}
	}
}

// wantOnce checks that alice's only memory is seen once, as it is.
func wantOnce(t *testing.T, s *Store, want string) {
	t.Helper()
	got, err := s.Needed(t.Context(), alice, reconcile.Needs{All: true})
	if err != nil || !slices.Equal(texts(got), []string{want}) {
		t.Errorf("all of it is %q, %v, want %q", texts(got), err, want)
	}
	q := query("tea")
	q.Archive = true
	if found := search(t, s, alice, q); len(found) != 1 {
		t.Errorf("Search = %q, want it once", found)
	}
}

// TestPastValuesStandInTheArchive: as history, to be read and not to be decided on.
func TestPastValuesStandInTheArchive(t *testing.T) {
	s := newStore(t)
	write(t, s, entry(alice, 1, 1, "Hangzhou"), entry(alice, 2, 1, "Berlin", past(1)))
	if hand, archive := typeAt(t, s, s.hand, 2), typeAt(t, s, s.archive, 2); hand != "" || archive != typeMemory {
		t.Errorf("a %q at hand and a %q in the archive", hand, archive)
	}
	if got := raw(t, s, s.archive, 2).GetPayload()[fieldOrigin].GetStringValue(); got != string(id(1)) {
		t.Errorf("origin %q", got)
	}
}

// TestDroppedLeavesNoTrace: below the sequence, of that owner, in both collections.
func TestDroppedLeavesNoTrace(t *testing.T) {
	s := newStore(t)
	write(t, s,
		moved(entry(alice, 1, 5, "", deleted(noon, "k", "h"))), moved(entry(alice, 2, 5, "cold", cold)), entry(alice, 3, 5, "stays"),
		entry(alice, 4, 6, "as new as that"), entry(alice, 5, 7, "later"), entry(alice, 6, 5, "past", past(3)), entry(bob, 7, 5, "bob's"),
	)
	var b index.Batch
	for _, n := range []int{1, 2, 4, 5, 6, 7, 99} {
		b.Dropped = append(b.Dropped, index.Dropped{Scope: alice, ID: id(n), LedgerSeq: 6})
	}
	put(t, s, b)
	for n, want := range map[int][2]string{
		1: {}, 2: {}, 3: {typeMemory, ""}, 4: {typeMemory, ""}, 5: {typeMemory, ""}, 6: {}, 7: {typeMemory, ""},
	} {
		if got := [2]string{typeAt(t, s, s.hand, n), typeAt(t, s, s.archive, n)}; got != want {
			t.Errorf("point %d: %q, want %q", n, got, want)
		}
	}
}

// TestManyPointsOfOneChangeSet: more than one operation may put, and one deletion name.
func TestManyPointsOfOneChangeSet(t *testing.T) {
	s := newStore(t)
	var b index.Batch
	for i := range maxPoints + 100 {
		b.Entries = append(b.Entries, moved(entry(alice, i+1, 1, "tea", cold)))
	}
	put(t, s, b)
	archive, err := s.ListArchive(t.Context(), alice)
	if err != nil || len(archive) != len(b.Entries) {
		t.Errorf("%d memories in the archive, %v, want %d", len(archive), err, len(b.Entries))
	}
	drop := index.Batch{}
	for _, e := range b.Entries {
		drop.Dropped = append(drop.Dropped, index.Dropped{Scope: alice, ID: e.Memory.ID, LedgerSeq: 2})
	}
	put(t, s, drop)
	if n, err := s.CountOwner(t.Context(), alice, math.MaxUint64); n != 0 || err != nil {
		t.Errorf("%d points, %v, want none", n, err)
	}
}
