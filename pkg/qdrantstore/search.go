package qdrantstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// rrfK is the constant of reciprocal rank fusion: Cormack, Clarke and Büttcher (2009).
const rrfK = 60

// Search returns the owner's current memories nearest to the query, best first: those that
// share a term with it, and those whose dense vector is near enough, fused by reciprocal
// rank. What has expired, or is suppressed, is not among them. With q.Archive, the archive
// is searched as well, but for past values, and its hits take their places by their scores.
func (s *Store) Search(ctx context.Context, scope memory.Scope, q index.Query) ([]index.Hit, error) {
	hits, err := s.search(ctx, s.hand, scope, q)
	if err != nil || !q.Archive {
		return hits, err
	}
	cold, err := s.search(ctx, s.archive, scope, q)
	if err != nil {
		return nil, err
	}
	seen := make(map[memory.ID]bool, len(hits))
	for _, h := range hits {
		seen[h.Memory.ID] = true
	}
	// While a memory moves, it may stand in both.
	cold = slices.DeleteFunc(cold, func(h index.Hit) bool { return seen[h.Memory.ID] })
	hits = append(hits, cold...)
	slices.SortStableFunc(hits, func(a, b index.Hit) int { return cmp.Compare(b.Fused, a.Fused) })
	return hits[:min(len(hits), q.Limit)], nil
}

func (s *Store) search(ctx context.Context, collection string, scope memory.Scope, q index.Query) ([]index.Hit, error) {
	filter, err := recallable(scope, q)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	limit := qdrant.PtrOf(uint64(q.Limit))
	prefetch := []*qdrant.PrefetchQuery{{
		Query: qdrant.NewQueryDense(q.Dense), Using: qdrant.PtrOf(vectorDense),
		Filter: filter, Limit: limit, ScoreThreshold: qdrant.PtrOf(q.MinDense),
	}}
	if len(q.Sparse.Indices) > 0 {
		prefetch = append(prefetch, &qdrant.PrefetchQuery{
			Query: qdrant.NewQuerySparse(q.Sparse.Indices, q.Sparse.Values), Using: qdrant.PtrOf(vectorSparse),
			Filter: filter, Limit: limit,
		})
	}
	points, err := s.client.Query(ctx, &qdrant.QueryPoints{
		CollectionName: collection, Prefetch: prefetch, Filter: filter, Limit: limit,
		Query:       qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(rrfK))}),
		WithPayload: qdrant.NewWithPayloadInclude(memoryFields...),
	})
	if err != nil {
		return nil, fmt.Errorf("search: %w", classify(err))
	}
	hits := make([]index.Hit, 0, len(points))
	for _, p := range points {
		m, err := decode(p.GetPayload())
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		hits = append(hits, index.Hit{Memory: m, Fused: float64(p.GetScore())})
	}
	return hits, nil
}

// recallable holds for what a search may find: no past value is current, nor has one of its
// own to be.
func recallable(scope memory.Scope, q index.Query) (*qdrant.Filter, error) {
	f := &qdrant.Filter{
		Must:    []*qdrant.Condition{inStatus(memory.StatusCurrent), laterThan(fieldExpires, q.Now)},
		MustNot: []*qdrant.Condition{qdrant.NewMatchBool(fieldSuppressed, true)},
	}
	if len(q.Kinds) > 0 {
		f.Must = append(f.Must, qdrant.NewMatchKeywords(fieldKind, words(q.Kinds)...))
	}
	if q.Archive {
		f.Must = append(f.Must, qdrant.NewIsEmpty(fieldOrigin))
	}
	return scoped(scope, f, typeMemory)
}
