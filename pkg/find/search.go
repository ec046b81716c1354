package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/terms"
)

// The breadth of the searches.
const (
	termHits    = 100
	denseHits   = 50
	furtherHits = 10
	// besideHits are the hits of which what was said up to besideReach away is taken too.
	besideHits  = 10
	besideReach = 3
)

// search is one request under way.
type search struct {
	*Finder
	r *Request
	// firm is the query without words that are no reason to hand something out.
	firm  string
	asked rank.Query
	query index.Query
	hits  []index.Hit
	seen  map[memory.ID]bool
}

func (f *Finder) search(r *Request, dense []float32) *search {
	keys := index.QueryDates(r.Query, r.Now)
	if r.Sort == index.SortMemory {
		keys = append(keys, index.QueryTerms(f.Registry, r.Query)...)
	}
	return &search{
		Finder: f, r: r, firm: rank.Firm(r.Query), asked: rank.NewQuery(r.Query, keys...), seen: map[memory.ID]bool{},
		query: index.Query{
			Now: r.Now, Sort: r.Sort, Dense: dense, Sparse: terms.Query(r.Query, keys...), MinDense: f.MinDense,
			Kinds: r.Kinds, Keys: r.Keys, Archive: r.Archive, Agent: r.Agent, Within: r.Within, Namespace: r.Namespace, Pairs: r.Pairs,
			Limit: termHits, Near: denseHits,
		},
	}
}

// take adds what a search of every owner finds, each once.
func (s *search) take(ctx context.Context, find func(context.Context, memory.Scope) ([]index.Hit, error)) error {
	for _, scope := range s.r.Scopes {
		hits, err := find(ctx, scope)
		if err != nil {
			return fmt.Errorf("find: %w", err)
		}
		for i := range hits {
			h := &hits[i]
			if s.seen[idOf(h)] || s.r.Keep != nil && !s.r.Keep(h) {
				continue
			}
			s.seen[idOf(h)] = true
			s.hits = append(s.hits, *h)
		}
	}
	return nil
}

func (s *search) run(ctx context.Context, q index.Query) error {
	return s.take(ctx, func(ctx context.Context, scope memory.Scope) ([]index.Hit, error) {
		return s.Store.Search(ctx, scope, q)
	})
}

// fused ranks by the lists of the search alone.
func (s *search) fused(ctx context.Context) ([]Found, error) {
	q := s.query
	switch s.r.Pipeline {
	case BM25:
		q.Near = 0
	case Dense:
		q.Limit, q.Near, q.MinDense = 0, termHits, 0
	default:
		q.Near = termHits
	}
	if err := s.run(ctx, q); err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.hits, func(a, b index.Hit) int { return cmp.Compare(b.Fused, a.Fused) })
	var out []Found
	for i := range s.hits[:min(len(s.hits), max(s.r.Limit, 0))] {
		near := s.hits[i].Fused / s.hits[0].Fused
		out = append(out, s.found(i, rank.Match{Similarity: near, Own: true}))
	}
	return out, nil
}

// memories finds memories. Nothing that is only about the same as another memory gets in.
func (s *search) memories(ctx context.Context) ([]Found, error) {
	if err := s.run(ctx, s.query); err != nil {
		return nil, err
	}
	m := s.Measure
	m.Strict = true
	return s.ranked(m), nil
}

// documents finds documents: it searches once more for what the best hits say, and takes
// what was said around them.
func (s *search) documents(ctx context.Context) ([]Found, error) {
	if err := s.run(ctx, s.query); err != nil {
		return nil, err
	}
	s.sort()
	first := s.candidates()
	spots := s.spots(s.Measure.Matches(s.asked, first))
	if further := s.Measure.Further(s.asked, first); len(further.Indices) > 0 {
		q := s.query
		q.Sparse, q.Limit, q.Near = further, furtherHits, 0
		if err := s.run(ctx, q); err != nil {
			return nil, err
		}
	}
	err := s.take(ctx, func(ctx context.Context, scope memory.Scope) ([]index.Hit, error) {
		if len(spots[scope]) == 0 {
			return nil, nil
		}
		return s.Store.Beside(ctx, scope, s.query, spots[scope], besideReach)
	})
	if err != nil {
		return nil, err
	}
	return s.ranked(s.Measure), nil
}

// spots are the places of the best hits, by owner.
func (s *search) spots(matches []rank.Match) map[memory.Scope][]index.Spot {
	order := make([]int, len(matches))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(matches[b].Similarity, matches[a].Similarity) })
	out := map[memory.Scope][]index.Spot{}
	for _, i := range order[:min(besideHits, len(order))] {
		d := s.hits[i].Document
		if d.Source.Thread != "" && matches[i].Similarity > 0 {
			out[d.Scope] = append(out[d.Scope], index.Spot{Thread: d.Source.Thread, Place: d.Source.Place})
		}
	}
	return out
}
