package qdrantstore

import (
	"errors"
	"slices"
	"testing"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// both are the texts of what the owner has at hand and in the archive.
func both(t *testing.T, s *Store, scope memory.Scope) []string {
	t.Helper()
	cold, err := s.ListArchive(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	return append(texts(list(t, s, scope)), texts(cold)...)
}

func wantBoth(t *testing.T, s *Store, want ...string) {
	t.Helper()
	if got := both(t, s, alice); !slices.Equal(got, want) {
		t.Errorf("readers see %q, want %q", got, want)
	}
}

func TestARebuildFillsANewPairBesideTheOld(t *testing.T) {
	c, calls := newRecordedClient(t)
	first := startRebuild(t, c, small)
	if err := first.DropOld(t.Context()); err != nil {
		t.Errorf("DropOld without an old one = %v", err)
	}
	if err := first.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := first.Published()
	write(t, store, entry(alice, 1, 1, "old"), entry(alice, 2, 1, "old and cold", cold))

	second := startRebuild(t, c, small)
	write(t, second.Store, entry(alice, 3, 2, "new"), entry(alice, 4, 2, "new and cold", cold))
	wantBoth(t, store, "old", "old and cold")
	if err := second.DropOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantBoth(t, store, "old", "old and cold") // it is not old yet
	calls.reset()
	if err := second.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := calls.count("UpdateAliases"); n != 1 {
		t.Errorf("the aliases moved in %d steps, want 1", n)
	}
	wantBoth(t, store, "new", "new and cold")
	if err := second.DropOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantCollections(t, c, second.pair)
	wantBoth(t, store, "new", "new and cold")
}

func wantCollections(t *testing.T, c *qdrant.Client, want ...pair) {
	t.Helper()
	names, err := c.ListCollections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range want {
		all = append(all, p.both()...)
	}
	slices.Sort(names)
	slices.Sort(all)
	if !slices.Equal(names, all) {
		t.Errorf("collections %q, want %q", names, all)
	}
}

// TestARebuildThatWasCutOffIsDropped: what it had written is not in the next one, whatever
// it had made of the pair.
func TestARebuildThatWasCutOffIsDropped(t *testing.T) {
	c := newClient(t)
	cut := startRebuild(t, c, small)
	write(t, cut.Store, entry(alice, 1, 1, "left behind"), entry(alice, 2, 1, "left behind, cold", cold))
	if err := c.DeleteCollection(t.Context(), cut.hand); err != nil {
		t.Fatal(err)
	}
	again := startRebuild(t, c, small)
	if again.pair != cut.pair {
		t.Errorf("the new pair is %v, want the place of the unfinished %v", again.pair, cut.pair)
	}
	if err := again.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantBoth(t, again.Published())
}

// TestARebuildTouchesNothingThatIsNamed, though one alias of the pair is lost.
func TestARebuildTouchesNothingThatIsNamed(t *testing.T) {
	for _, lost := range aliases.both() {
		c := newClient(t)
		old := startRebuild(t, c, small)
		if err := old.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteAlias(t.Context(), lost); err != nil {
			t.Fatal(err)
		}
		next := startRebuild(t, c, small)
		wantCollections(t, c, old.pair, next.pair)
	}
}

// TestWhatOtherRebuildsLeftIsDropped: an unfinished pair of another model, and an old pair
// whose rebuild was cut off after it had published.
func TestWhatOtherRebuildsLeftIsDropped(t *testing.T) {
	c := newClient(t)
	large := Model{Name: "five numbers", Dim: 5}
	startRebuild(t, c, large)
	for range 2 {
		if err := startRebuild(t, c, small).Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.CreateCollection(t.Context(), atHand(Alias+"_of_somebody_else", small)); err != nil {
		t.Fatal(err)
	}
	last := startRebuild(t, c, small)
	if err := last.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := last.DropOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.DeleteCollection(t.Context(), Alias+"_of_somebody_else"); err != nil {
		t.Errorf("what is not ours was dropped: %v", err)
	}
	wantCollections(t, c, last.pair)
}

// TestAnotherModelGetsAnotherPair: a rebuild into a new model goes on beside the old.
func TestAnotherModelGetsAnotherPair(t *testing.T) {
	c := newClient(t)
	old := startRebuild(t, c, small)
	if err := old.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	large := Model{Name: "five numbers", Dim: 5}
	next := startRebuild(t, c, large)
	wantCollections(t, c, old.pair, next.pair)
	if err := next.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, large); err != nil {
		t.Errorf("Open with the new model = %v", err)
	}
	if _, err := Open(t.Context(), c, small); !fault.IsPermanent(err) {
		t.Errorf("Open with the old model = %v, want a refusal", err)
	}
}

func TestWhatDoesNotFitIsNotPublished(t *testing.T) {
	c := newClient(t)
	for _, of := range []func(pair) string{func(p pair) string { return p.hand }, func(p pair) string { return p.archive }} {
		r := startRebuild(t, c, small)
		dropIndex(t, c, of(r.pair))
		if err := r.Publish(t.Context()); err == nil {
			t.Error("a collection without an index on the owner was published")
		}
		if _, err := Open(t.Context(), c, small); !errors.Is(err, ErrNoCollection) {
			t.Errorf("Open = %v, want ErrNoCollection", err)
		}
	}
}

func TestNamesOfCollections(t *testing.T) {
	first, many := small.collections(1), small.collections(42)
	if pairOf(first.hand) != pairOf(first.archive) || pairOf(first.hand) == pairOf(many.hand) {
		t.Errorf("%v and %v are not each a pair of their own", first, many)
	}
	for name, want := range map[string]int{
		"": 0, Alias: 0, first.hand: 1, first.archive: 1, many.hand: 42, many.archive: 42, "x_y": 0,
	} {
		if got := generation(name); got != want {
			t.Errorf("generation(%q) = %d, want %d", name, got, want)
		}
		if pair := pairOf(name); (pair != "") != (want > 0) {
			t.Errorf("%q is of the pair %q", name, pair)
		}
	}
}
