package qdrantmem

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"
)

// TestOrderedAgreesWithASortedSet adds and drops runs of elements, ascending or scattered,
// so that blocks fill, split, join and go.
func TestOrderedAgreesWithASortedSet(t *testing.T) {
	const top = 8 * blockSize
	rapid.Check(t, func(t *rapid.T) {
		o := &ordered[int]{compare: cmp.Compare[int]}
		model := map[int]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			start, n := rapid.IntRange(0, top).Draw(t, "start"), rapid.IntRange(1, 3*blockSize).Draw(t, "n")
			stride := rapid.SampledFrom([]int{1, 1, 2, 769, -1}).Draw(t, "stride")
			drop := rapid.Bool().Draw(t, "drop")
			for i := range n {
				x := ((start+i*stride)%top + top) % top
				if drop {
					o.drop(x)
					delete(model, x)
				} else {
					o.add(x)
					model[x] = true
				}
			}
			checkBlocks(t, o)
		}
		want := slices.Sorted(maps.Keys(model))
		first := rapid.IntRange(-1, top+1).Draw(t, "first")
		at, _ := slices.BinarySearch(want, first)
		reached := func(x int) bool { return x >= first }
		if got := slices.Collect(o.from(reached)); !slices.Equal(got, want[at:]) {
			t.Fatalf("%d elements from %d, want %d", len(got), first, len(want)-at)
		}
		if got := o.rank(reached); got != at {
			t.Fatalf("rank of %d = %d, want %d", first, got, at)
		}
		for x := range o.from(reached) {
			if x != want[at] {
				t.Fatalf("first from %d = %d, want %d", first, x, want[at])
			}
			break
		}
	})
}

// checkBlocks checks that no block is empty or too long, and that small ones were joined.
func checkBlocks(t *rapid.T, o *ordered[int]) {
	t.Helper()
	for i, b := range o.blocks {
		if len(b) == 0 || len(b) > blockSize {
			t.Fatalf("block %d of %d has %d elements", i, len(o.blocks), len(b))
		}
	}
}

// TestBlocksFollowWhatTheyHold moves a window over ascending elements, as the dates of last
// use move: what has become sparse is joined.
func TestBlocksFollowWhatTheyHold(t *testing.T) {
	o := &ordered[int]{compare: cmp.Compare[int]}
	const n = 20 * blockSize
	for x := range n {
		o.add(x)
	}
	if len(o.blocks) != n/blockSize {
		t.Errorf("%d elements in order fill %d blocks, want %d", n, len(o.blocks), n/blockSize)
	}
	for x := range n {
		if x%64 != 0 {
			o.drop(x)
		}
	}
	held, room := o.rank(func(int) bool { return false }), 0
	for _, b := range o.blocks {
		room += cap(b)
	}
	if held != n/64 || room > 8*held {
		t.Errorf("%d elements have room for %d", held, room)
	}
}

// looked counts how often it is asked about a point.
type looked struct{ n *int }

func (l looked) match(*point, object) bool { *l.n++; return true }

// datedPoints is a collection of as many points, of which so many are of march(10), spread
// evenly, and the others of march(20).
func datedPoints(t *testing.T, points, due int) *collection {
	t.Helper()
	s := engine(t)
	req := &qdrant.UpsertPoints{CollectionName: "c"}
	for i := range points {
		day := 20
		if i%(points/due) == 0 {
			day = 10
		}
		req.Points = append(req.Points, doc{id: uint64(i), at: []int{day}, raw: []float32{1, 1}}.wire())
	}
	if _, err := s.Upsert(ctx, req); err != nil {
		t.Fatal(err)
	}
	c, err := s.catalog.find("c")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPagesLookAtWhatIsDue reads all that is due in pages: few of many points are found by
// their dates, and many are not looked at again for every page.
func TestPagesLookAtWhatIsDue(t *testing.T) {
	const points, limit = 10_000, 50
	for _, tc := range []struct{ due, most int }{{100, 100 * 3}, {1000, 2 * points}, {points, points + points/limit}} {
		c := datedPoints(t, points, tc.due)
		f, err := c.compile(&qdrant.Filter{Must: []*qdrant.Condition{
			qdrant.NewDatetimeRange("at", &qdrant.DatetimeRange{Lte: timestamppb.New(march(10))}),
		}})
		if err != nil {
			t.Fatal(err)
		}
		checks, found := 0, 0
		f.must = append([]matcher{looked{&checks}}, f.must...)
		var next *pointID
		for more := true; more; {
			page := c.firstMatching(f, next, limit+1)
			found += min(len(page), limit)
			if more = len(page) > limit; more {
				next = &page[limit].point.id
			}
		}
		if found != tc.due || checks > tc.most {
			t.Errorf("%d of %d due: found %d with %d checks, want at most %d", tc.due, points, found, checks, tc.most)
		}
	}
}
