package conformance

import (
	"math"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

// queries: dense search, selectors, thresholds and malformed queries.
func queries(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.index("n", qdrant.FieldType_FieldTypeInteger, nil)
	s.upsert(
		withVectors(1, map[string]any{"n": 1}, map[string]*qdrant.Vector{
			"dense": qdrant.NewVector(3, 4, 0, 0), "raw": qdrant.NewVector(1, 2)}),
		withVectors(2, map[string]any{"n": 2}, map[string]*qdrant.Vector{
			"dense": qdrant.NewVector(0, 2, 0, 0), "raw": qdrant.NewVector(3, 4)}),
		withVectors(3, map[string]any{"n": 3}, map[string]*qdrant.Vector{"dense": qdrant.NewVector(-1, 0, 0, 0)}),
		withVectors(4, map[string]any{"n": 4}, map[string]*qdrant.Vector{
			"terms": qdrant.NewVectorSparse([]uint32{1}, []float32{1})}),
	)
	s.run("cosine", func(t *testing.T, s *space) {
		found := s.query(&qdrant.QueryPoints{
			Query: qdrant.NewQuery(5, 0, 0, 0), Using: qdrant.PtrOf("dense"), WithVectors: qdrant.NewWithVectors(true),
		})
		wantIDs(t, "order", scoredIDs(found), []uint64{1, 2, 3})
		wantClose(t, "score", found[0].GetScore(), 0.6)
		wantClose(t, "worst score", found[2].GetScore(), -1)
		stored := found[0].GetVectors().GetVectors().GetVectors()["dense"].GetDenseVector().GetData()
		wantClose(t, "stored at length one", stored[1], 0.8)
	})
	s.run("dot", func(t *testing.T, s *space) {
		found := s.query(&qdrant.QueryPoints{Query: qdrant.NewQuery(1, 1), Using: qdrant.PtrOf("raw")})
		wantIDs(t, "order", scoredIDs(found), []uint64{2, 1})
		wantClose(t, "score", found[0].GetScore(), 7)
	})
	s.run("selection", func(t *testing.T, s *space) { selections(t, s) })
	s.run("by id", func(t *testing.T, s *space) {
		found := s.query(&qdrant.QueryPoints{Query: qdrant.NewQueryID(qdrant.NewIDNum(1)), Using: qdrant.PtrOf("dense")})
		wantIDs(t, "without the point itself", scoredIDs(found), []uint64{2, 3})
	})
	s.run("rescore", func(t *testing.T, s *space) {
		found := s.query(&qdrant.QueryPoints{
			Prefetch: []*qdrant.PrefetchQuery{
				{Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Limit: qdrant.PtrOf(uint64(2))},
			},
			Query: qdrant.NewQuery(1, 1), Using: qdrant.PtrOf("raw"),
		})
		wantIDs(t, "order", scoredIDs(found), []uint64{2, 1})
	})
	s.run("batch", func(t *testing.T, s *space) {
		found, err := client.QueryBatch(s.ctx, &qdrant.QueryBatchPoints{CollectionName: s.name, QueryPoints: []*qdrant.QueryPoints{
			{CollectionName: s.name, Query: qdrant.NewQuery(1, 1), Using: qdrant.PtrOf("raw")},
			{CollectionName: s.name, Query: qdrant.NewQuery(0, 1, 0, 0), Using: qdrant.PtrOf("dense"), Limit: qdrant.PtrOf(uint64(1))},
		}})
		s.ok(err)
		wantIDs(t, "first", scoredIDs(found[0].GetResult()), []uint64{2, 1})
		wantIDs(t, "second", scoredIDs(found[1].GetResult()), []uint64{2})
	})
	s.run("batch with a common prefetch", func(t *testing.T, s *space) { commonPrefetch(t, s, client) })
	s.run("search with terms and cosines", func(t *testing.T, s *space) { termsAndCosines(t, s, client) })
	s.run("errors", func(t *testing.T, s *space) { queryErrors(t, s) })
}

// termsAndCosines: one batch gives fused points with their sparse vectors, and no others, and
// the scores of the same points by a dense vector, also of those that only the sparse list
// found.
func termsAndCosines(t *testing.T, s *space, client *qdrant.Client) {
	s.upsert(
		withVectors(5, map[string]any{"n": 5}, map[string]*qdrant.Vector{
			"dense": qdrant.NewVector(0, 0, 3, 4), "terms": qdrant.NewVectorSparse([]uint32{9, 8}, []float32{2, 1}),
		}),
		withVectors(6, map[string]any{"n": 6}, map[string]*qdrant.Vector{"terms": qdrant.NewVectorSparse([]uint32{8}, []float32{3})}),
		withVectors(7, map[string]any{"n": 7}, map[string]*qdrant.Vector{"dense": qdrant.NewVector(0, 0, 1, 0)}),
	)
	filter := must(qdrant.NewRange("n", &qdrant.Range{Gte: qdrant.PtrOf(5.0)}))
	prefetch := []*qdrant.PrefetchQuery{
		{
			Query: qdrant.NewQuery(0, 0, 1, 0), Using: qdrant.PtrOf("dense"), Filter: filter,
			Limit: qdrant.PtrOf(uint64(10)), ScoreThreshold: qdrant.PtrOf(float32(0.7)),
		},
		{Query: qdrant.NewQuerySparse([]uint32{8}, []float32{1}), Using: qdrant.PtrOf("terms"), Filter: filter, Limit: qdrant.PtrOf(uint64(10))},
	}
	found, err := client.QueryBatch(s.ctx, &qdrant.QueryBatchPoints{CollectionName: s.name, QueryPoints: []*qdrant.QueryPoints{
		{
			CollectionName: s.name, Prefetch: prefetch, Filter: filter, Query: qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(60))}),
			WithPayload: qdrant.NewWithPayloadInclude("n"), WithVectors: qdrant.NewWithVectorsInclude("terms"),
		},
		{
			CollectionName: s.name, Prefetch: prefetch, Filter: filter, Query: qdrant.NewQuery(0, 0, 1, 0), Using: qdrant.PtrOf("dense"),
		},
	}})
	s.ok(err)
	for _, p := range found[0].GetResult() {
		vectors := p.GetVectors().GetVectors().GetVectors()
		if vectors["dense"] != nil {
			t.Errorf("point %d has its dense vector", p.GetId().GetNum())
		}
		if p.GetId().GetNum() != 5 {
			continue
		}
		terms := vectors["terms"].GetSparseVector()
		if terms == nil || len(terms.GetIndices()) != 2 || terms.GetIndices()[0] != 8 || terms.GetValues()[1] != 2 {
			t.Errorf("the terms of point 5 are %v", terms)
		}
	}
	if n := len(found[0].GetResult()); n != 3 {
		t.Errorf("%d points are fused", n)
	}
	cosines := found[1].GetResult()
	wantIDs(t, "with a dense vector, the nearest first", scoredIDs(cosines), []uint64{7, 5})
	wantClose(t, "cosine of what only the sparse list found", cosines[1].GetScore(), 0.6)
}

// commonPrefetch: queries of one batch that prefetch the same are answered as each alone.
func commonPrefetch(t *testing.T, s *space, client *qdrant.Client) {
	prefetch := func(limit uint64) []*qdrant.PrefetchQuery {
		return []*qdrant.PrefetchQuery{
			{Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Limit: qdrant.PtrOf(limit)},
			{Query: qdrant.NewQuery(0, 1), Using: qdrant.PtrOf("raw"), Limit: qdrant.PtrOf(uint64(1))},
		}
	}
	notTwo := must(qdrant.NewRange("n", &qdrant.Range{Gt: qdrant.PtrOf(2.0)}))
	reqs := []*qdrant.QueryPoints{
		{Prefetch: prefetch(2), Query: qdrant.NewQueryFusion(qdrant.Fusion_RRF)},
		{Prefetch: prefetch(2), Query: qdrant.NewQuery(1, 1), Using: qdrant.PtrOf("raw")},
		{Prefetch: prefetch(2), Query: qdrant.NewQuery(0, 1, 0, 0), Using: qdrant.PtrOf("dense"), Limit: qdrant.PtrOf(uint64(1))},
		{Prefetch: prefetch(3), Query: qdrant.NewQuery(0, 1, 0, 0), Using: qdrant.PtrOf("dense")},
		{Prefetch: prefetch(3), Query: qdrant.NewQueryFusion(qdrant.Fusion_RRF), Filter: notTwo},
	}
	for _, req := range reqs {
		req.CollectionName = s.name
	}
	found, err := client.QueryBatch(s.ctx, &qdrant.QueryBatchPoints{CollectionName: s.name, QueryPoints: reqs})
	s.ok(err)
	for i, want := range [][]uint64{{2, 1}, {2, 1}, {2}, {2, 1, 3}, {3}} {
		wantIDs(t, "together", scoredIDs(found[i].GetResult()), want)
		wantIDs(t, "alone", scoredIDs(s.query(reqs[i])), want)
	}
}

func selections(t *testing.T, s *space) {
	dense := func(req *qdrant.QueryPoints) []uint64 {
		req.Query, req.Using = qdrant.NewQuery(1, 0, 0, 0), qdrant.PtrOf("dense")
		return scoredIDs(s.query(req))
	}
	wantIDs(t, "limit", dense(&qdrant.QueryPoints{Limit: qdrant.PtrOf(uint64(2))}), []uint64{1, 2})
	wantIDs(t, "offset", dense(&qdrant.QueryPoints{Offset: qdrant.PtrOf(uint64(1))}), []uint64{2, 3})
	wantIDs(t, "offset beyond", dense(&qdrant.QueryPoints{Offset: qdrant.PtrOf(uint64(10))}), []uint64{})
	wantIDs(t, "filter", dense(&qdrant.QueryPoints{
		Filter: must(qdrant.NewRange("n", &qdrant.Range{Gte: qdrant.PtrOf(2.0)})),
	}), []uint64{2, 3})
	wantIDs(t, "threshold is exclusive", dense(&qdrant.QueryPoints{ScoreThreshold: qdrant.PtrOf(float32(0))}), []uint64{1})
	byID := s.query(&qdrant.QueryPoints{Limit: qdrant.PtrOf(uint64(3))})
	wantIDs(t, "no query is by id", scoredIDs(byID), []uint64{1, 2, 3})
	wantClose(t, "score without query", byID[0].GetScore(), 1)
	desc := qdrant.Direction_Desc
	ordered := s.query(&qdrant.QueryPoints{Query: qdrant.NewQueryOrderBy(&qdrant.OrderBy{Key: "n", Direction: &desc})})
	wantIDs(t, "order_by", scoredIDs(ordered), []uint64{4, 3, 2, 1})
}

func queryErrors(t *testing.T, s *space) {
	using := qdrant.PtrOf("dense")
	prefetch := []*qdrant.PrefetchQuery{{Query: qdrant.NewQuery(1, 0, 0, 0), Using: using}}
	for _, c := range []struct {
		name    string
		req     *qdrant.QueryPoints
		code    codes.Code
		message string
	}{
		{"limit 0", &qdrant.QueryPoints{Query: qdrant.NewQuery(1, 0, 0, 0), Using: using, Limit: qdrant.PtrOf(uint64(0))},
			codes.InvalidArgument, "limit"},
		{"dimension", &qdrant.QueryPoints{Query: qdrant.NewQuery(1, 0), Using: using},
			codes.InvalidArgument, "Vector dimension error: expected dim: 4, got 2"},
		{"vector name", &qdrant.QueryPoints{Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("none")},
			codes.InvalidArgument, "Not existing vector name error: none"},
		{"unknown id", &qdrant.QueryPoints{Query: qdrant.NewQueryID(qdrant.NewIDNum(99)), Using: using},
			codes.NotFound, "No point with id 99 found"},
		{"prefetch without query", &qdrant.QueryPoints{Prefetch: prefetch}, codes.InvalidArgument, ""},
		{"fusion without prefetch", &qdrant.QueryPoints{Query: qdrant.NewQueryFusion(qdrant.Fusion_RRF)}, codes.InvalidArgument, ""},
		{"fusion with using", &qdrant.QueryPoints{
			Prefetch: prefetch, Query: qdrant.NewQueryFusion(qdrant.Fusion_RRF), Using: using,
		}, codes.InvalidArgument, ""},
		{"weights of another number", &qdrant.QueryPoints{
			Prefetch: prefetch, Query: qdrant.NewQueryRRF(&qdrant.Rrf{Weights: []float32{1, 2}}),
		}, codes.InvalidArgument, ""},
		{"rrf k 0", &qdrant.QueryPoints{
			Prefetch: prefetch, Query: qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(0))}),
		}, codes.InvalidArgument, ""},
		{"threshold without query", &qdrant.QueryPoints{ScoreThreshold: qdrant.PtrOf(float32(1))}, codes.InvalidArgument, ""},
		{"sparse with a repeated index", &qdrant.QueryPoints{
			Query: qdrant.NewQuerySparse([]uint32{1, 1}, []float32{1, 1}), Using: qdrant.PtrOf("terms"),
		}, codes.InvalidArgument, ""},
		{"sparse of two lengths", &qdrant.QueryPoints{
			Query: qdrant.NewQuerySparse([]uint32{1, 2}, []float32{1}), Using: qdrant.PtrOf("terms"),
		}, codes.InvalidArgument, ""},
	} {
		c.req.CollectionName = s.name
		_, err := s.client.Query(s.ctx, c.req)
		wantStatus(t, c.name, err, c.code, c.message)
	}
}

// sparse: the product over shared indices, and the IDF modifier over the whole collection.
func sparse(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	docs := []struct {
		indices []uint32
		values  []float32
	}{{[]uint32{7, 1}, []float32{2, 1}}, {[]uint32{1, 3}, []float32{3, 1}}, {[]uint32{9}, []float32{1}}}
	for i, d := range docs {
		s.upsert(withVectors(uint64(i+1), map[string]any{"n": i}, map[string]*qdrant.Vector{
			"terms": qdrant.NewVectorSparse(d.indices, d.values), "idf": qdrant.NewVectorSparse(d.indices, d.values),
		}))
	}
	search := func(s *space, name string, filter *qdrant.Filter) []*qdrant.ScoredPoint {
		return s.query(&qdrant.QueryPoints{
			Query: qdrant.NewQuerySparse([]uint32{7, 1, 50}, []float32{1, 1, 1}), Using: &name, Filter: filter,
		})
	}
	idf := func(n, df float64) float64 { return math.Log((n-df+0.5)/(df+0.5) + 1) }

	s.run("only points that share an index", func(t *testing.T, s *space) {
		s.upsert(withVectors(4, nil, map[string]*qdrant.Vector{"terms": qdrant.NewVectorSparse([]uint32{1}, []float32{0.5})}))
		found := search(s, "terms", must(qdrant.NewHasID(numIDs(2, 3, 4)...)))
		wantIDs(t, "order", scoredIDs(found), []uint64{2, 4})
		wantClose(t, "score", found[0].GetScore(), 3)
	})
	s.run("idf counts points of other tenants, not those without the vector", func(t *testing.T, s *space) {
		found := search(s, "idf", must(qdrant.NewHasID(numIDs(1, 2)...)))
		wantIDs(t, "order", scoredIDs(found), []uint64{1, 2})
		wantClose(t, "both terms", found[0].GetScore(), 2*idf(3, 1)+idf(3, 2))
		wantClose(t, "the common term", found[1].GetScore(), 3*idf(3, 2))
	})
	s.run("stored indices come back in order", func(t *testing.T, s *space) {
		vector := s.get(qdrant.NewIDNum(1))[0].GetVectors().GetVectors().GetVectors()["terms"].GetSparseVector()
		if got := vector.GetIndices(); len(got) != 2 || got[0] != 1 || got[1] != 7 || vector.GetValues()[1] != 2 {
			t.Errorf("got %v", vector)
		}
	})
}

// fusions: reciprocal rank and distribution-based fusion, and the filters of prefetches.
func fusions(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	for i, v := range [][2][]float32{
		{{1, 0, 0, 0}, {1, 0}}, {{1, 1, 0, 0}, {2, 0}}, {{1, 3, 0, 0}, {5, 0}}, {{0, 1, 0, 0}, {9, 0}},
	} {
		s.upsert(withVectors(uint64(i+1), map[string]any{"n": i + 1}, map[string]*qdrant.Vector{
			"dense": qdrant.NewVectorDense(v[0]), "raw": qdrant.NewVectorDense(v[1]),
		}))
	}
	lists := func() []*qdrant.PrefetchQuery {
		return []*qdrant.PrefetchQuery{
			{Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Limit: qdrant.PtrOf(uint64(3))}, // 1 2 3
			{Query: qdrant.NewQuery(1, 0), Using: qdrant.PtrOf("raw"), Limit: qdrant.PtrOf(uint64(2))},         // 4 3
		}
	}
	score := func(k, weight float64, place int) float64 { return 1 / ((float64(place)+1)/weight + k - 1) }
	found := func(s *space, q *qdrant.Query, change func(*qdrant.QueryPoints)) map[uint64]float32 {
		req := &qdrant.QueryPoints{Prefetch: lists(), Query: q}
		if change != nil {
			change(req)
		}
		scores := map[uint64]float32{}
		for _, p := range s.query(req) {
			scores[p.GetId().GetNum()] = p.GetScore()
		}
		return scores
	}
	s.run("rrf", func(t *testing.T, s *space) {
		got := found(s, qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(60)), Weights: []float32{1, 2}}), nil)
		wantClose(t, "in one list", got[1], score(60, 1, 0))
		wantClose(t, "in both lists", got[3], score(60, 1, 2)+score(60, 2, 1))
		wantClose(t, "in the weighted list", got[4], score(60, 2, 0))
	})
	s.run("rrf has k 2 by default", func(t *testing.T, s *space) {
		got := found(s, qdrant.NewQueryFusion(qdrant.Fusion_RRF), nil)
		wantClose(t, "first place", got[1], score(2, 1, 0))
		wantClose(t, "both lists", got[3], score(2, 1, 2)+score(2, 1, 1))
	})
	s.run("threshold is inclusive", func(t *testing.T, s *space) {
		got := found(s, qdrant.NewQueryFusion(qdrant.Fusion_RRF), func(req *qdrant.QueryPoints) {
			req.ScoreThreshold = qdrant.PtrOf(float32(0.5))
		})
		if _, ok := got[1]; !ok || len(got) != 3 {
			t.Errorf("got %v, want 1, 3 and 4", got)
		}
	})
	s.run("dbsf", func(t *testing.T, s *space) {
		got := found(s, qdrant.NewQueryFusion(qdrant.Fusion_DBSF), nil)
		low := 7 - 3*math.Sqrt(8)
		wantClose(t, "only in the second list", got[4], (9-low)/(6*math.Sqrt(8)))
	})
	s.run("filter reaches the leaves", func(t *testing.T, s *space) {
		got := found(s, qdrant.NewQueryFusion(qdrant.Fusion_RRF), func(req *qdrant.QueryPoints) {
			req.Filter = must(qdrant.NewRange("n", &qdrant.Range{Lte: qdrant.PtrOf(2.0)}))
			req.Prefetch[1].Filter = must(qdrant.NewRange("n", &qdrant.Range{Gte: qdrant.PtrOf(2.0)}))
		})
		wantClose(t, "by the first list", got[1], score(2, 1, 0))
		wantClose(t, "by both lists", got[2], score(2, 1, 1)+score(2, 1, 0))
		if len(got) != 2 {
			t.Errorf("got %v", got)
		}
	})
	s.run("offset and limit", func(t *testing.T, s *space) {
		all := s.query(&qdrant.QueryPoints{Prefetch: lists(), Query: qdrant.NewQueryRRF(&qdrant.Rrf{Weights: []float32{1, 3}})})
		page := s.query(&qdrant.QueryPoints{
			Prefetch: lists(), Query: qdrant.NewQueryRRF(&qdrant.Rrf{Weights: []float32{1, 3}}),
			Offset: qdrant.PtrOf(uint64(1)), Limit: qdrant.PtrOf(uint64(2)),
		})
		wantIDs(t, "page", scoredIDs(page), scoredIDs(all)[1:3])
	})
}
