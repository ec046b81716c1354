package qdrantmem

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

// seeker is a matcher that can name, without a scan, points outside of which none match.
type seeker interface {
	lookup(c *collection) (candidates, bool)
}

type candidates struct {
	size int
	each iter.Seq[*point]
}

// posted names the points that an index has postings of under any of terms.
type posted struct {
	index *index
	terms []string
}

func (s posted) lookup(c *collection) (candidates, bool) {
	size := 0
	for _, term := range s.terms {
		size += len(s.index.postings[term])
	}
	return candidates{size: size, each: func(yield func(*point) bool) {
		for i, term := range s.terms {
			for slot := range s.index.postings[term] {
				if !s.seenBefore(i, slot) && !yield(c.slots[slot]) {
					return
				}
			}
		}
	}}, true
}

// seenBefore reports whether a term before terms[i] has led to slot already.
func (s posted) seenBefore(i int, slot uint32) bool {
	return slices.ContainsFunc(s.terms[:i], func(term string) bool {
		_, ok := s.index.postings[term][slot]
		return ok
	})
}

// dated is one date of a point, in microseconds as a datetime index keeps it.
type dated struct {
	at   int64
	slot uint32
}

func compareDated(a, b dated) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.slot, b.slot))
}

// span names the points that a datetime index holds between two instants, both included.
type span struct {
	index       *index
	first, last int64
}

// spanWithin is the span within the bounds of a range, of which any may be nil.
func spanWithin(ix *index, lt, gt, gte, lte *time.Time) span {
	s := span{index: ix, first: math.MinInt64, last: math.MaxInt64}
	if gt != nil {
		s.first = max(s.first, gt.UnixMicro()+1)
	}
	if gte != nil {
		s.first = max(s.first, gte.UnixMicro())
	}
	if lt != nil {
		s.last = min(s.last, lt.UnixMicro()-1)
	}
	if lte != nil {
		s.last = min(s.last, lte.UnixMicro())
	}
	return s
}

func (s span) begun(d dated) bool { return d.at >= s.first }
func (s span) over(d dated) bool  { return d.at > s.last }

// lookup is false where a point has several dates: it might be named more than once.
func (s span) lookup(c *collection) (candidates, bool) {
	if s.index.repeated > 0 {
		return candidates{}, false
	}
	dates := s.index.dates
	size := max(0, dates.rank(s.over)-dates.rank(s.begun))
	return candidates{size: size, each: func(yield func(*point) bool) {
		for d := range dates.from(s.begun) {
			if s.over(d) || !yield(c.slots[d.slot]) {
				return
			}
		}
	}}, true
}
