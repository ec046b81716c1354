package qdrantstore

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// known is what a decision finds: at hand, in the archive, and of another owner. The text
// of tombstones is none; they are named by their ids.
func known() []index.Entry {
	cold := func(change func(*memory.Memory)) func(*memory.Memory) {
		return func(m *memory.Memory) { change(m); m.ArchivedAt = noon }
	}
	plan := func(until time.Time) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Plan, m.ExpiresAt = true, until }
	}
	about := func(k memory.Key) func(*memory.Memory) { return func(m *memory.Memory) { m.About = k } }
	return []index.Entry{
		entry(alice, 1, 1, "city", keyed("user.city", memory.StatusCurrent)),
		entry(alice, 2, 1, "disputed city", keyed("user.city", memory.StatusDisputed)),
		entry(alice, 3, 1, "settled city", keyed("user.city", memory.StatusSettled)),
		entry(alice, 4, 1, "pet", keyed("user.pets", memory.StatusCurrent)),
		entry(alice, 5, 1, "ended pet", keyed("user.pets", memory.StatusEnded)),
		entry(alice, 6, 1, "the cat died", about("user.pets")),
		entry(alice, 7, 1, "plan", plan(noon)),
		entry(alice, 8, 1, "open plan", plan(time.Time{})),
		entry(alice, 9, 1, "ended plan", plan(noon.Add(time.Hour)), inStatusOf(memory.StatusEnded)),
		entry(alice, 10, 1, "no plan", func(m *memory.Memory) { m.ExpiresAt = noon.Add(time.Hour) }),
		entry(alice, 11, 1, "not of my job", inStatusOf(memory.StatusStanding)),
		entry(alice, 12, 1, "not of my ex", inStatusOf(memory.StatusLifted)),
		entry(alice, 13, 1, "called off", plan(noon.Add(-time.Hour)), over(noon, memory.Target{Value: "trip", Plan: true})),
		entry(alice, 14, 1, "no more Dutch", over(noon.Add(time.Hour), memory.Target{Value: "Dutch"})),
		entry(alice, 15, 1, "off hot drinks", about("user.home"), over(noon, memory.Target{Key: "user.likes", Value: "tea"})),
		entry(alice, 17, 1, "not mentioned", func(m *memory.Memory) { m.SuppressedBy = id(11) }),
		entry(alice, 16, 1, "ended and free", inStatusOf(memory.StatusEnded)),
		moved(entry(alice, 21, 1, "cold pet", cold(keyed("user.pets", memory.StatusCurrent)))),
		moved(entry(alice, 22, 1, "cold note", cold(about("user.home")))),
		moved(entry(alice, 23, 1, "cold plan", cold(plan(noon.Add(-time.Hour))))),
		moved(entry(alice, 24, 1, "cold and free", cold(func(*memory.Memory) {}))),
		entry(alice, 25, 1, "past city", past(1), func(m *memory.Memory) { m.Key = "user.city" }),
		moved(entry(alice, 31, 1, "", deleted(noon, "user.name", "h1"))),
		moved(entry(alice, 32, 1, "", deleted(noon, "user.city", "h2"))),
		entry(bob, 40, 1, "bob's city", keyed("user.city", memory.StatusDisputed)),
		entry(bob, 41, 1, "bob's plan", plan(time.Time{})),
		entry(bob, 42, 1, "bob's pet", keyed("user.pets", memory.StatusCurrent)),
		entry(bob, 43, 1, "not of bob", inStatusOf(memory.StatusStanding)),
		moved(entry(bob, 44, 1, "", deleted(noon, "user.name", "h1"))),
		moved(entry(bob, 45, 1, "bob's cold pet", cold(keyed("user.pets", memory.StatusCurrent)))),
	}
}

// over is a note that something was over at an instant, which leaves nothing to recall.
func over(at time.Time, target memory.Target) func(*memory.Memory) {
	return func(m *memory.Memory) {
		m.Status, m.Ends = memory.StatusEnded, &target
		m.Evidence = []memory.Evidence{{Event: "e", At: at}}
	}
}

func ids(n ...int) []memory.ID {
	out := []memory.ID{}
	for _, n := range n {
		out = append(out, id(n))
	}
	return out
}

func idsOf(memories []memory.Memory) []memory.ID {
	out := []memory.ID{}
	for _, m := range memories {
		out = append(out, m.ID)
	}
	return out
}

// TestNeededIsWhatADecisionNeeds: wherever it stands. 11 is the standing request, 17 and 26 are
// what it keeps from recall.
func TestNeededIsWhatADecisionNeeds(t *testing.T) {
	s := newStore(t)
	write(t, s, known()...)
	hushed := entry(alice, 26, 1, "cold, not mentioned", cold, func(m *memory.Memory) { m.SuppressedBy = id(11) })
	write(t, s, moved(hushed)) // costs every decision a second request
	for name, c := range map[string]struct {
		needs reconcile.Needs
		want  []memory.ID
	}{
		"nothing":                    {reconcile.Needs{}, ids()},
		"ids, in any status":         {reconcile.Needs{IDs: ids(5, 3, 31, 99)}, ids(3, 5, 11, 17, 26, 31)},
		"ids in the archive":         {reconcile.Needs{IDs: ids(24, 1)}, ids(1, 11, 17, 24, 26)},
		"another owner's ids":        {reconcile.Needs{IDs: ids(40, 41, 42, 44, 45)}, ids(11, 17, 26)},
		"keys: rivals":               {reconcile.Needs{Keys: []memory.Key{"user.city"}}, ids(2, 3, 11, 17, 26, 32)},
		"keys: free, about":          {reconcile.Needs{Keys: []memory.Key{"user.pets", "user.home"}}, ids(6, 11, 15, 17, 22, 26)},
		"keys: what is over":         {reconcile.Needs{Keys: []memory.Key{"user.likes"}}, ids(11, 15, 17, 26)},
		"free ones":                  {reconcile.Needs{Free: true}, ids(6, 7, 8, 10, 11, 17, 22, 23, 24, 26)},
		"keys: tombstones":           {reconcile.Needs{Keys: []memory.Key{"user.name"}}, ids(11, 17, 26, 31)},
		"hashes":                     {reconcile.Needs{Hashes: []string{"none", "other h1", "h2"}}, ids(11, 17, 26, 31, 32)},
		"whole: current ones":        {reconcile.Needs{Whole: []memory.Key{"user.pets", "user.city"}}, ids(1, 4, 11, 17, 21, 26)},
		"plans that go on":           {reconcile.Needs{PlansSince: noon.Add(-time.Minute)}, ids(7, 8, 9, 11, 13, 14, 17, 26)},
		"plans at their end":         {reconcile.Needs{PlansSince: noon}, ids(7, 8, 9, 11, 13, 14, 17, 26)},
		"in less than a microsecond": {reconcile.Needs{PlansSince: noon.Add(time.Nanosecond)}, ids(7, 8, 9, 11, 13, 14, 17, 26)},
		"plans after their end":      {reconcile.Needs{PlansSince: noon.Add(time.Second)}, ids(8, 9, 11, 14, 17, 26)},
		"plans in the archive":       {reconcile.Needs{PlansSince: noon.Add(-2 * time.Hour)}, ids(7, 8, 9, 11, 13, 14, 17, 23, 26)},
		"other keys":                 {reconcile.Needs{Keys: []memory.Key{"user.employer"}, Whole: []memory.Key{"user.email"}}, ids(11, 17, 26)},
		"all together": {
			reconcile.Needs{
				IDs: ids(1, 40), Keys: []memory.Key{"user.pets"}, Whole: []memory.Key{"user.pets"}, Hashes: []string{"h1"}, PlansSince: noon,
			},
			ids(1, 4, 6, 7, 8, 9, 11, 13, 14, 17, 21, 26, 31),
		},
		"all of the owner's": {
			reconcile.Needs{All: true, IDs: ids(1)}, ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 21, 22, 23, 24, 26, 31, 32),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.Needed(t.Context(), alice, c.needs)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(idsOf(got), c.want) {
				t.Errorf("Needed = %q, want %q", idsOf(got), c.want)
			}
		})
	}
}

// TestReadsCostNoMoreThanTheyMust: a decision about what is at hand reads once, and so does
// a write of it.
func TestReadsCostNoMoreThanTheyMust(t *testing.T) {
	c, calls := newRecordedClient(t)
	s := storeOn(t, c)
	write(t, s, known()...)
	needed := func(n reconcile.Needs) func() error {
		return func() error { _, err := s.Needed(t.Context(), alice, n); return err }
	}
	checkpoint := index.Checkpoint{Scope: alice, LedgerSeq: 2}
	for _, tc := range []struct {
		name string
		call func() error
		want int
	}{
		{"a decision at hand", needed(reconcile.Needs{IDs: ids(1, 2), Keys: []memory.Key{"user.city"}}), 1},
		{"a decision with the archive", needed(reconcile.Needs{IDs: ids(21, 22, 23, 24)}), 2},
		{"a search", func() error { _, err := s.Search(t.Context(), alice, query("pet")); return err }, 1},
		{"a page of what is due", func() error {
			_, err := s.DueOf(t.Context(), alice, index.Due{Job: index.DueUnused, Before: noon}, id(1), 2)
			return err
		}, 1},
		{"a batch at hand", func() error {
			return s.Write(t.Context(), index.Batch{
				Entries:     []index.Entry{entry(alice, 1, 2, "city"), entry(alice, 90, 2, "new"), entry(alice, 2, 3, "later")},
				Checkpoints: []index.Checkpoint{checkpoint}, Cursors: map[memory.Scope]index.Step{alice: {From: 1, To: 3}},
			})
		}, 1},
		{"a move to the archive", func() error {
			return s.Write(t.Context(), index.Batch{
				Entries: []index.Entry{moved(entry(alice, 90, 4, "new", cold))}, Cursors: map[memory.Scope]index.Step{alice: {From: 3, To: 4}},
			})
		}, 2},
		{"everything at once", func() error {
			return s.Write(t.Context(), index.Batch{
				Entries: []index.Entry{
					moved(entry(alice, 21, 5, "warm pet")), moved(entry(alice, 1, 5, "city", cold)), entry(alice, 2, 5, "at hand"),
				},
				Dropped:  []index.Dropped{{Scope: alice, ID: id(31), LedgerSeq: 5}, {Scope: alice, ID: id(32), LedgerSeq: 5}},
				Accessed: []index.Access{{Scope: alice, ID: id(4), At: noon}, {Scope: bob, ID: id(42), At: noon}},
				Cursors:  map[memory.Scope]index.Step{alice: {From: 4, To: 5}},
			})
		}, 4},
		{"nothing", func() error { return s.Write(t.Context(), index.Batch{}) }, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			calls.reset()
			if err := tc.call(); err != nil {
				t.Fatal(err)
			}
			if n := calls.count(""); n != tc.want {
				t.Errorf("%d requests, want %d", n, tc.want)
			}
		})
	}
}

// TestNeedsOfALargeDecision: as many ids and keys as there may be, more than one condition
// may hold.
func TestNeedsOfALargeDecision(t *testing.T) {
	s := newStore(t)
	var n reconcile.Needs
	for i := range 2*maxList + 1 {
		n.IDs = append(n.IDs, id(i+1))
		n.Keys = append(n.Keys, memory.Key(fmt.Sprintf("user.key%d", i)))
		n.Whole = append(n.Whole, memory.Key(fmt.Sprintf("user.key%d", i)))
		n.Hashes = append(n.Hashes, fmt.Sprintf("hash %d", i))
	}
	last := 2*maxList + 1
	write(t, s,
		entry(alice, last, 1, "the last"), moved(entry(alice, last-1, 1, "cold", cold)),
		entry(alice, last+1, 1, "whole", keyed(n.Whole[last-1], memory.StatusCurrent)),
		entry(alice, last+2, 1, "", deleted(noon, "user.other", n.Hashes[last-1])),
	)
	got, err := s.Needed(t.Context(), alice, n)
	if want := ids(last-1, last, last+1, last+2); err != nil || !slices.Equal(idsOf(got), want) {
		t.Errorf("Needed = %q, %v, want %q", idsOf(got), err, want)
	}
}

// TestManyMarkersAreFollowed: more than one request may ask for.
func TestManyMarkersAreFollowed(t *testing.T) {
	s := newStore(t)
	const n = maxList + 500
	var entries []index.Entry
	for i := range n {
		entries = append(entries, moved(entry(alice, i+1, 1, "cold pet", keyed("user.pets", memory.StatusCurrent), cold)))
	}
	for chunk := range slices.Chunk(entries, 500) {
		write(t, s, chunk...)
	}
	for name, needs := range map[string]reconcile.Needs{"by key": {Whole: []memory.Key{"user.pets"}}, "all": {All: true}} {
		got, err := s.Needed(t.Context(), alice, needs)
		if err != nil || len(got) != n {
			t.Errorf("%s: %d memories, %v, want %d", name, len(got), err, n)
		}
	}
	got, err := s.Get(t.Context(), alice, idsOf(list(t, s, alice)))
	if err != nil || len(got) != 0 {
		t.Errorf("Get of nothing = %d memories, %v", len(got), err)
	}
	all := make([]memory.ID, n)
	for i := range all {
		all[i] = id(i + 1)
	}
	if got, err = s.Get(t.Context(), alice, all); err != nil || len(got) != n {
		t.Errorf("Get = %d memories, %v, want %d", len(got), err, n)
	}
}

// TestListsAreOfOnePlace: what is at hand, what is archived, what was deleted; and what is
// asked for by id, wherever it is.
func TestListsAreOfOnePlace(t *testing.T) {
	s := newStore(t)
	write(t, s, known()...)
	for name, c := range map[string]struct {
		read func() ([]memory.Memory, error)
		want []memory.ID
	}{
		"List":        {func() ([]memory.Memory, error) { return s.List(t.Context(), alice) }, ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)},
		"ListArchive": {func() ([]memory.Memory, error) { return s.ListArchive(t.Context(), alice) }, ids(21, 22, 23, 24, 25)},
		"Tombstones":  {func() ([]memory.Memory, error) { return s.Tombstones(t.Context(), alice) }, ids(31, 32)},
		"Get": {
			func() ([]memory.Memory, error) {
				return s.Get(t.Context(), alice, ids(44, 42, 31, 25, 24, 11, 99, 1, 1))
			},
			ids(1, 11, 24, 25, 31),
		},
		"Get of no ids": {func() ([]memory.Memory, error) { return s.Get(t.Context(), alice, nil) }, ids()},
	} {
		got, err := c.read()
		if err != nil || !slices.Equal(idsOf(got), c.want) {
			t.Errorf("%s = %q, %v, want %q", name, idsOf(got), err, c.want)
		}
	}
}
