package qdrantmem

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qdrant/go-client/qdrant"
)

// BenchmarkEngine is one owner's hybrid query without the wire: 500 of the owner's points
// among others, 256 dimensions and 30 terms a point.
func BenchmarkEngine(b *testing.B) {
	const owned, dimensions = 500, 256
	c := emptyCollection(&qdrant.CollectionConfig{})
	c.dense = []denseSpec{{name: "dense", size: dimensions, distance: qdrant.Distance_Cosine}}
	c.sparse = []sparseSpec{{name: "bm25", stats: &termStats{df: make(map[uint32]int)}}}
	ix, err := newIndex(&qdrant.CreateFieldIndexCollection{
		FieldName: "owner", FieldIndexParams: qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)}),
	})
	if err != nil {
		b.Fatal(err)
	}
	c.indexes["owner"] = ix
	r := rand.New(rand.NewPCG(1, 2))
	vector := func() []float32 {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = r.Float32() - 0.5
		}
		return v
	}
	for i := range 10 * owned {
		p := c.newPoint(pointID{lo: uint64(i)})
		p.payload, _ = objectFrom(qdrant.NewValueMap(map[string]any{
			"owner": fmt.Sprint("owner ", i%10), "status": "active", "kind": "fact", "tier": "hot", "text": "Hangzhou", "key": "user.city",
			"value": "Hangzhou", "ledger_seq": i, "valid_from": "2025-01-01T00:00:00Z", "expires_at": "2030-01-01T00:00:00Z",
		}))
		terms := map[uint32]bool{}
		for len(terms) < 30 {
			terms[r.Uint32N(5000)] = true
		}
		indices, values := make([]uint32, 0, 30), make([]float32, 0, 30)
		for term := range terms {
			indices, values = append(indices, term), append(values, r.Float32())
		}
		sparse, _ := parseSparse(indices, values)
		if err := c.attach(p, map[string]anyVector{"dense": {dense: vector()}, "bm25": sparse}); err != nil {
			b.Fatal(err)
		}
		c.put(p)
	}
	filter := &qdrant.Filter{
		Must:    []*qdrant.Condition{qdrant.NewMatch("owner", "owner 3"), qdrant.NewMatchKeywords("status", "active", "open")},
		MustNot: []*qdrant.Condition{qdrant.NewMatch("tier", "cold"), qdrant.NewMatch("kind", "marker")},
	}
	indices, values := make([]uint32, 12), make([]float32, 12)
	for i := range indices {
		indices[i], values[i] = uint32(400*i)+r.Uint32N(400), 1
	}
	req := &qdrant.QueryPoints{
		Prefetch: []*qdrant.PrefetchQuery{
			{Query: qdrant.NewQueryDense(vector()), Using: qdrant.PtrOf("dense"), Filter: filter, Limit: qdrant.PtrOf(uint64(50))},
			{Query: qdrant.NewQuerySparse(indices, values), Using: qdrant.PtrOf("bm25"), Filter: filter, Limit: qdrant.PtrOf(uint64(50))},
		},
		Query: qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(60))}), Filter: filter,
	}
	b.ReportAllocs()
	for b.Loop() {
		if hits, err := c.query(req); err != nil || len(hits) != 10 {
			b.Fatalf("%d hits, %v", len(hits), err)
		}
	}
}
