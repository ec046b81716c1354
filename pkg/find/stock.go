package find

import (
	"cmp"
	"math"
	"slices"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/terms"
)

// stock is one collection of a shelf.
type stock struct {
	owners map[memory.Scope][]*ShelfEntry
	// entries is how many have terms, and holders how many of them have each: what a term is
	// worth depends on everything in a collection.
	entries int
	holders map[uint32]int
	threads map[memory.Scope]map[memory.Thread][]*ShelfEntry
}

func newStock() *stock {
	return &stock{
		owners: map[memory.Scope][]*ShelfEntry{}, holders: map[uint32]int{},
		threads: map[memory.Scope]map[memory.Thread][]*ShelfEntry{},
	}
}

func (s *stock) add(e *ShelfEntry) {
	e.length = length(e.Dense)
	scope := scopeOf(&e.Hit)
	s.owners[scope] = append(s.owners[scope], e)
	if d := e.Hit.Document; d != nil && d.Source.Thread != "" {
		if s.threads[scope] == nil {
			s.threads[scope] = map[memory.Thread][]*ShelfEntry{}
		}
		s.threads[scope][d.Source.Thread] = append(s.threads[scope][d.Source.Thread], e)
	}
	if len(e.Hit.Terms.Indices) > 0 {
		s.entries++
	}
	for _, index := range e.Hit.Terms.Indices {
		s.holders[index]++
	}
}

// scored is an entry with what one list makes of it.
type scored struct {
	*ShelfEntry
	score float32
}

// search fuses what is nearest by terms and by meaning.
func (s *stock) search(scope memory.Scope, q *index.Query) []index.Hit {
	weighted, asked := s.weighted(q.Sparse), length(q.Dense)
	var near, words []scored
	for _, e := range s.owners[scope] {
		if !within(&e.Hit, q) {
			continue
		}
		if q.Near > 0 && len(e.Dense) > 0 {
			if x := e.cosine(q.Dense, asked); x > q.MinDense {
				near = append(near, scored{e, x})
			}
		}
		if x, shared := product(e.Hit.Terms, weighted); shared && q.Limit > 0 {
			words = append(words, scored{e, x})
		}
	}
	sums := map[*ShelfEntry]float32{}
	var out []index.Hit
	for _, list := range [][]scored{first(near, q.Near), first(words, q.Limit)} {
		for place, found := range list {
			sums[found.ShelfEntry] += 1 / (float32(place) + index.RRFConstant)
		}
	}
	for e, sum := range sums {
		out = append(out, e.hit(q, asked, float64(sum)))
	}
	return byFused(out)
}

// beside are the documents near to the spots.
func (s *stock) beside(scope memory.Scope, q *index.Query, spots []index.Spot, reach int64) []index.Hit {
	found := map[*ShelfEntry]bool{}
	for _, spot := range spots {
		for _, e := range s.threads[scope][spot.Thread] {
			away := e.Hit.Document.Source.Place - spot.Place
			if away <= reach && away >= -reach && len(e.Dense) > 0 && within(&e.Hit, q) {
				found[e] = true
			}
		}
	}
	var out []index.Hit
	asked := length(q.Dense)
	for e := range found {
		out = append(out, e.hit(q, asked, 0))
	}
	return byFused(out)
}

func (e *ShelfEntry) hit(q *index.Query, asked, fused float64) index.Hit {
	h := e.Hit
	h.Fused, h.Cosine = fused, float64(e.cosine(q.Dense, asked))
	return h
}

// first are the n highest, the highest first and of equal ones the higher id.
func first(list []scored, n int) []scored {
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(idOf(&b.Hit), idOf(&a.Hit)))
	})
	return list[:min(n, len(list))]
}

// byFused lays hits out by their fused scores, and of equal ones the higher id first.
func byFused(hits []index.Hit) []index.Hit {
	slices.SortFunc(hits, func(a, b index.Hit) int {
		return cmp.Or(cmp.Compare(b.Fused, a.Fused), cmp.Compare(idOf(&b), idOf(&a)))
	})
	return hits
}

// within reports whether a search may find an entry.
func within(h *index.Hit, q *index.Query) bool {
	if d := h.Document; d != nil {
		return q.Sort == index.SortDocument && d.Live(q.Now) && document.Under(d.Namespace, q.Namespace) && hasPairs(d, q.Pairs)
	}
	m := &h.Memory
	return q.Sort == index.SortMemory && m.Live(q.Now) && m.SuppressedBy == "" && m.Origin == "" &&
		m.For(q.Agent, q.Within) &&
		(len(q.Kinds) == 0 || slices.Contains(q.Kinds, m.Kind)) && (len(q.Keys) == 0 || slices.Contains(q.Keys, m.Key))
}

func hasPairs(d *document.Document, wanted []string) bool {
	wanted = wanted[:min(len(wanted), index.MaxPairs)]
	if len(wanted) == 0 {
		return true
	}
	has := document.Pairs(d)
	return slices.Contains(has, document.PairsOverflow) ||
		!slices.ContainsFunc(wanted, func(pair string) bool { return !slices.Contains(has, pair) })
}

// weighted is a query with each term by its inverse document frequency.
func (s *stock) weighted(v terms.SparseVector) terms.SparseVector {
	out := terms.SparseVector{Indices: v.Indices, Values: make([]float32, len(v.Values))}
	for i, index := range v.Indices {
		n, df := float64(s.entries), float64(s.holders[index])
		out.Values[i] = v.Values[i] * float32(math.Log((n-df+0.5)/(df+0.5)+1))
	}
	return out
}

// product is that over the terms which both have; shared says that there are any.
func product(v, q terms.SparseVector) (sum float32, shared bool) {
	for i, index := range q.Indices {
		if j, ok := slices.BinarySearch(v.Indices, index); ok {
			sum += q.Values[i] * v.Values[j]
			shared = true
		}
	}
	return sum, shared
}

// cosine is that of an entry's vector and a query's of the given length, 0 if either is zero
// or missing.
func (e *ShelfEntry) cosine(query []float32, length float64) float32 {
	if len(e.Dense) != len(query) || e.length == 0 || length == 0 {
		return 0
	}
	return float32(dot(e.Dense, query) / (e.length * length))
}

func length(v []float32) float64 { return math.Sqrt(dot(v, v)) }

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
