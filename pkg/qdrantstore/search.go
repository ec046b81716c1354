package qdrantstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Search returns what the owner has of q.Sort that is nearest to the query, best first: the
// q.Limit nearest by terms and the q.Near nearest by meaning, fused by reciprocal rank, each
// with its terms and its cosine. What has expired, is suppressed or was removed is not among
// them. With q.Archive, the archive is searched as well, but for past values, and its hits
// take their places by their scores. It is one request a collection.
func (s *Store) Search(ctx context.Context, scope memory.Scope, q index.Query) ([]index.Hit, error) {
	filter, err := recallable(scope, q)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	prefetch := nearest(filter, q)
	if len(prefetch) == 0 {
		return nil, nil
	}
	fused := &qdrant.QueryPoints{
		Prefetch: prefetch, Filter: filter, Limit: qdrant.PtrOf(uint64(q.Limit + q.Near)),
		Query: qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(index.RRFConstant))}),
	}
	hits, err := s.query(ctx, s.hand, fused, q)
	if err != nil || !q.Archive || q.Sort == index.SortDocument {
		return hits, err
	}
	cold, err := s.query(ctx, s.archive, fused, q)
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
	return hits, nil
}

// maxBeside bounds the documents that stand beside the spots of one request: several may have
// one place.
const maxBeside = 200

// Beside returns the owner's documents that are found by meaning and stand at most reach
// places away from the spots, within what q narrows to, each with its terms and its cosine.
func (s *Store) Beside(ctx context.Context, scope memory.Scope, q index.Query, spots []index.Spot, reach int64) ([]index.Hit, error) {
	q.Sort = index.SortDocument
	filter, err := recallable(scope, q)
	if err != nil {
		return nil, fmt.Errorf("search beside: %w", err)
	}
	if len(spots) == 0 {
		return nil, nil
	}
	for _, spot := range spots {
		filter.Should = append(filter.Should, all(
			qdrant.NewMatchKeyword(fieldThread, string(spot.Thread)),
			qdrant.NewRange(fieldPlace, &qdrant.Range{
				Gte: qdrant.PtrOf(float64(spot.Place - reach)), Lte: qdrant.PtrOf(float64(spot.Place + reach)),
			}),
		))
	}
	hits, err := s.query(ctx, s.hand, &qdrant.QueryPoints{
		Query: qdrant.NewQueryDense(q.Dense), Using: qdrant.PtrOf(vectorDense), Filter: filter, Limit: qdrant.PtrOf(uint64(maxBeside)),
	}, q)
	for i := range hits {
		hits[i].Fused = 0
	}
	return hits, err
}

// recallable holds for what a search may find. No past value is current, nor has one of its
// own to be.
func recallable(scope memory.Scope, q index.Query) (*qdrant.Filter, error) {
	if q.Sort == index.SortDocument {
		return liveDocuments(scope, q)
	}
	f := &qdrant.Filter{
		Must:    []*qdrant.Condition{inStatus(memory.StatusCurrent), laterThan(fieldExpires, q.Now)},
		MustNot: []*qdrant.Condition{qdrant.NewMatchBool(fieldSuppressed, true)},
	}
	if len(q.Kinds) > 0 {
		f.Must = append(f.Must, qdrant.NewMatchKeywords(fieldKind, words(q.Kinds)...))
	}
	if len(q.Keys) > 0 {
		f.Must = append(f.Must, qdrant.NewMatchKeywords(fieldKey, words(q.Keys)...))
	}
	for field, asked := range map[string]string{fieldAgent: string(q.Agent), fieldWithin: q.Within} {
		if asked != "" {
			f.Must = append(f.Must, qdrant.NewFilterAsCondition(&qdrant.Filter{
				Should: []*qdrant.Condition{qdrant.NewIsEmpty(field), qdrant.NewMatchKeyword(field, asked)},
			}))
		}
	}
	if q.Archive {
		f.Must = append(f.Must, qdrant.NewIsEmpty(fieldOrigin))
	}
	return scoped(scope, f, typeMemory)
}

// nearest are the lists that a search fuses.
func nearest(filter *qdrant.Filter, q index.Query) []*qdrant.PrefetchQuery {
	var out []*qdrant.PrefetchQuery
	if q.Near > 0 {
		out = append(out, &qdrant.PrefetchQuery{
			Query: qdrant.NewQueryDense(q.Dense), Using: qdrant.PtrOf(vectorDense),
			Filter: filter, Limit: qdrant.PtrOf(uint64(q.Near)), ScoreThreshold: qdrant.PtrOf(q.MinDense),
		})
	}
	if q.Limit > 0 && len(q.Sparse.Indices) > 0 {
		out = append(out, &qdrant.PrefetchQuery{
			Query: qdrant.NewQuerySparse(q.Sparse.Indices, q.Sparse.Values), Using: qdrant.PtrOf(vectorSparse),
			Filter: filter, Limit: qdrant.PtrOf(uint64(q.Limit)),
		})
	}
	return out
}

// query asks for points with all that a hit needs, and in the same request for the cosines of
// the same points, so that no dense vector has to travel.
func (s *Store) query(ctx context.Context, collection string, main *qdrant.QueryPoints, q index.Query) ([]index.Hit, error) {
	main.CollectionName = collection
	main.WithPayload = qdrant.NewWithPayloadInclude(append([]string{fieldDocument}, memoryFields...)...)
	main.WithVectors = qdrant.NewWithVectorsInclude(vectorSparse)
	batch := []*qdrant.QueryPoints{main}
	if len(main.GetPrefetch()) > 0 {
		batch = append(batch, &qdrant.QueryPoints{
			CollectionName: collection, Prefetch: main.GetPrefetch(), Filter: main.GetFilter(), Limit: main.Limit,
			Query: qdrant.NewQueryDense(q.Dense), Using: qdrant.PtrOf(vectorDense),
		})
	}
	results, err := s.client.QueryBatch(ctx, &qdrant.QueryBatchPoints{CollectionName: collection, QueryPoints: batch})
	if err != nil {
		return nil, fmt.Errorf("search: %w", classify(err))
	}
	cosines := map[string]float64{}
	for _, p := range results[len(results)-1].GetResult() {
		cosines[p.GetId().GetUuid()] = float64(p.GetScore())
	}
	points := results[0].GetResult()
	hits := make([]index.Hit, 0, len(points))
	for _, p := range points {
		h, err := decodeHit(p, q.Sort)
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		h.Cosine = cosines[p.GetId().GetUuid()]
		hits = append(hits, h)
	}
	return hits, nil
}

func decodeHit(p *qdrant.ScoredPoint, sort index.Sort) (index.Hit, error) {
	h := index.Hit{Fused: float64(p.GetScore())}
	if v := p.GetVectors().GetVectors().GetVectors()[vectorSparse].GetSparseVector(); v != nil {
		h.Terms = terms.SparseVector{Indices: v.Indices, Values: v.Values}
	}
	if sort != index.SortDocument {
		var err error
		h.Memory, err = decode(p.GetPayload())
		return h, err
	}
	d, err := decodeDocument(p.GetPayload())
	h.Document = &d
	return h, err
}
