package conformance

import (
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

// strictMode: what strict mode refuses, with the configuration that mnemond uses.
func strictMode(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client, func(req *qdrant.CreateCollection) {
		no := qdrant.PtrOf(false)
		req.HnswConfig = &qdrant.HnswConfigDiff{M: qdrant.PtrOf(uint64(0)), PayloadM: qdrant.PtrOf(uint64(16))}
		req.StrictModeConfig = &qdrant.StrictModeConfig{
			Enabled: qdrant.PtrOf(true), UnindexedFilteringRetrieve: no, UnindexedFilteringUpdate: no, SearchAllowExact: no,
			MaxQueryLimit: qdrant.PtrOf(uint32(20)), UpsertMaxBatchsize: qdrant.PtrOf(uint64(3)),
			FilterMaxConditions: qdrant.PtrOf(uint64(4)), ConditionMaxSize: qdrant.PtrOf(uint64(5)),
			MaxTimeout: qdrant.PtrOf(uint32(30)),
		}
	})
	s.index("owner", qdrant.FieldType_FieldTypeKeyword, tenantIndex())
	s.index("seq", qdrant.FieldType_FieldTypeInteger, nil)
	s.index("note", qdrant.FieldType_FieldTypeText, nil)
	s.upsert(point(1, map[string]any{"owner": "a", "seq": 1}), point(2, map[string]any{"owner": "b", "seq": 2}))
	s.run("filters", func(t *testing.T, s *space) { strictFilters(t, s) })
	s.run("queries", func(t *testing.T, s *space) { strictQueries(t, s) })
	s.run("limits", func(t *testing.T, s *space) { strictLimits(t, s) })
}

func strictFilters(t *testing.T, s *space) {
	scroll := func(c ...*qdrant.Condition) error {
		_, err := s.client.Scroll(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, Filter: must(c...)})
		return err
	}
	ten := 10.0
	for _, c := range []struct {
		name      string
		condition *qdrant.Condition
		message   string // of the refusal, if it is one
	}{
		{"indexed keyword", qdrant.NewMatch("owner", "a"), ""},
		{"indexed range", qdrant.NewRange("seq", &qdrant.Range{Lt: &ten}), ""},
		{"is_empty of an indexed field", qdrant.NewIsEmpty("seq"), ""},
		{"has_id", qdrant.NewHasID(numIDs(1)...), ""},
		{"unindexed keyword", qdrant.NewMatch("k", "x"), `Bad request: Index required but not found for "k"`},
		{"unindexed range", qdrant.NewRange("k", &qdrant.Range{Lt: &ten}), `not found for "k" of one of the following types: [float, integer]`},
		{"index of another type", qdrant.NewMatchInt("owner", 1), `not found for "owner" of one of the following types: [integer]`},
		{"in an inner filter", qdrant.NewFilterAsCondition(&qdrant.Filter{
			MustNot: []*qdrant.Condition{qdrant.NewMatchBool("k", true)},
		}), `not found for "k" of one of the following types: [bool]`},
		{"unindexed is_null", qdrant.NewIsNull("k"), `Index required but not found for "k"`},
	} {
		err := scroll(c.condition)
		if c.message == "" {
			s.ok(err)
			continue
		}
		wantStatus(t, c.name, err, codes.InvalidArgument, c.message)
	}
	owner := qdrant.NewMatch("owner", "a")
	wantStatus(t, "conditions", scroll(owner, owner, owner, owner, owner), codes.InvalidArgument, "Filter condition limit reached (5 > 4)")
	wantStatus(t, "size of a condition", scroll(qdrant.NewMatchKeywords("owner", "a", "b", "c", "d", "e", "f")),
		codes.InvalidArgument, "Condition size limit reached (6 > 5)")
	_, err := s.client.Delete(s.ctx, &qdrant.DeletePoints{
		CollectionName: s.name, Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelectorFilter(must(qdrant.NewMatch("k", "x"))),
	})
	wantStatus(t, "delete by an unindexed field", err, codes.InvalidArgument, `Index required but not found for "k"`)
}

func strictQueries(t *testing.T, s *space) {
	dense := func(f *qdrant.Filter) *qdrant.PrefetchQuery {
		return &qdrant.PrefetchQuery{Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Filter: f}
	}
	query := func(req *qdrant.QueryPoints) error {
		req.CollectionName = s.name
		_, err := s.client.Query(s.ctx, req)
		return err
	}
	rrf := qdrant.NewQueryFusion(qdrant.Fusion_RRF)
	mine := must(qdrant.NewMatch("owner", "a"))
	const refusal = "because global vector indexing is disabled (hnsw_config.m = 0)"

	s.ok(query(&qdrant.QueryPoints{Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Filter: mine}))
	s.ok(query(&qdrant.QueryPoints{Prefetch: []*qdrant.PrefetchQuery{dense(mine)}, Query: rrf, Filter: mine}))
	s.ok(query(&qdrant.QueryPoints{Query: qdrant.NewQuerySparse([]uint32{1}, []float32{1}), Using: qdrant.PtrOf("terms")}))
	for name, req := range map[string]*qdrant.QueryPoints{
		"no filter":            {Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense")},
		"no tenant in it":      {Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Filter: must(qdrant.NewMatchInt("seq", 1))},
		"tenant only at root":  {Prefetch: []*qdrant.PrefetchQuery{dense(nil)}, Query: rrf, Filter: mine},
		"one of two prefetch":  {Prefetch: []*qdrant.PrefetchQuery{dense(mine), dense(nil)}, Query: rrf, Filter: mine},
		"in a nested prefetch": {Prefetch: []*qdrant.PrefetchQuery{{Prefetch: []*qdrant.PrefetchQuery{dense(nil)}, Query: rrf}}, Query: rrf, Filter: mine},
	} {
		wantStatus(t, name, query(req), codes.InvalidArgument, "Request is forbidden on 'dense' "+refusal)
	}
	wantStatus(t, "exact", query(&qdrant.QueryPoints{
		Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Filter: mine,
		Params: &qdrant.SearchParams{Exact: qdrant.PtrOf(true)},
	}), codes.InvalidArgument, "Exact search disabled!")
}

func strictLimits(t *testing.T, s *space) {
	_, err := s.client.Scroll(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, Limit: qdrant.PtrOf(uint32(21))})
	wantStatus(t, "scroll", err, codes.InvalidArgument, `Limit exceeded 21 > 20 for "limit"`)
	_, err = s.client.Query(s.ctx, &qdrant.QueryPoints{CollectionName: s.name, Limit: qdrant.PtrOf(uint64(21))})
	wantStatus(t, "query", err, codes.InvalidArgument, `Limit exceeded 21 > 20 for "limit"`)
	_, err = s.client.Scroll(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, Timeout: qdrant.PtrOf(uint64(31))})
	wantStatus(t, "timeout", err, codes.InvalidArgument, `Limit exceeded 31 > 30 for "timeout"`)
	_, err = s.client.Upsert(s.ctx, &qdrant.UpsertPoints{
		CollectionName: s.name, Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{point(1, nil), point(2, nil), point(3, nil), point(4, nil)},
	})
	wantStatus(t, "upsert", err, codes.InvalidArgument, `Limit exceeded 4 > 3 for "upsert limit"`)
	_, err = s.client.Count(s.ctx, &qdrant.CountPoints{CollectionName: s.name, Exact: qdrant.PtrOf(true)})
	wantStatus(t, "exact count", err, codes.InvalidArgument, "Exact search disabled!")
	n, err := s.client.Count(s.ctx, &qdrant.CountPoints{CollectionName: s.name, Exact: qdrant.PtrOf(false)})
	s.ok(err)
	if n != 2 {
		t.Errorf("count = %d", n)
	}
}
