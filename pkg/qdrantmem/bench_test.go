package qdrantmem_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qdrant/go-client/qdrant"
)

const (
	perOwner  = 500
	benchTerm = 5000
)

// memoryPoint is a point as mnemond stores a memory: 256 dimensions, 30 terms, 12 fields.
func memoryPoint(r *rand.Rand, id int) *qdrant.PointStruct {
	terms := r.Perm(benchTerm)[:30]
	indices, values := make([]uint32, len(terms)), make([]float32, len(terms))
	for i, term := range terms {
		indices[i], values[i] = uint32(term), r.Float32()
	}
	return &qdrant.PointStruct{
		Id: qdrant.NewIDNum(uint64(id)),
		Payload: qdrant.NewValueMap(map[string]any{
			"owner": owner(id), "status": "active", "kind": "fact", "tier": "hot", "ledger_seq": id, "importance": 0.5,
			"text": "The user moved from Berlin to Hangzhou (杭州) and likes green tea", "key": "user.city", "value": "Hangzhou",
			"valid_from": "2025-01-01T00:00:00Z", "expires_at": "2030-01-01T00:00:00Z", "tags": []any{"a", "b"},
		}),
		Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{
			"dense": qdrant.NewVectorDense(randomVector(r)), "bm25": qdrant.NewVectorSparse(indices, values),
		}),
	}
}

func owner(id int) string { return fmt.Sprint("owner ", id/perOwner) }

func randomVector(r *rand.Rand) []float32 {
	v := make([]float32, 256)
	for i := range v {
		v[i] = r.Float32() - 0.5
	}
	return v
}

// recall is the query that mnemond's recall sends: both prefetches and the root filtered.
func recall(r *rand.Rand) *qdrant.QueryPoints {
	filter := &qdrant.Filter{
		Must:    []*qdrant.Condition{qdrant.NewMatch("owner", owner(0)), qdrant.NewMatchKeywords("status", "active", "open")},
		MustNot: []*qdrant.Condition{qdrant.NewMatch("tier", "cold"), qdrant.NewMatch("kind", "marker")},
	}
	indices, values := make([]uint32, 12), make([]float32, 12)
	for i := range indices {
		indices[i], values[i] = uint32(i*100+r.IntN(100)), 1
	}
	return &qdrant.QueryPoints{
		CollectionName: "c",
		Prefetch: []*qdrant.PrefetchQuery{
			{Query: qdrant.NewQueryDense(randomVector(r)), Using: qdrant.PtrOf("dense"), Filter: filter, Limit: qdrant.PtrOf(uint64(50))},
			{Query: qdrant.NewQuerySparse(indices, values), Using: qdrant.PtrOf("bm25"), Filter: filter, Limit: qdrant.PtrOf(uint64(50))},
		},
		Query:  qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(60))}),
		Filter: filter, Limit: qdrant.PtrOf(uint64(10)), WithPayload: qdrant.NewWithPayload(true),
	}
}

func fill(b *testing.B, client *qdrant.Client, r *rand.Rand, points int) {
	b.Helper()
	create(b, client)
	batch := make([]*qdrant.PointStruct, 0, 500)
	for id := range points {
		if batch = append(batch, memoryPoint(r, id)); len(batch) == cap(batch) || id == points-1 {
			upsert(b, client, batch...)
			batch = batch[:0]
		}
	}
}

// BenchmarkQuery is one owner's recall over the in-process connection, protobuf included.
func BenchmarkQuery(b *testing.B) {
	for _, points := range []int{1_000, 100_000} {
		b.Run(fmt.Sprintf("points=%d", points), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			client := start(b)
			fill(b, client, r, points)
			req := recall(r)
			b.ReportAllocs()
			for b.Loop() {
				found, err := client.Query(b.Context(), req)
				if err != nil || len(found) != 10 {
					b.Fatalf("%d points, %v", len(found), err)
				}
			}
		})
	}
}

// BenchmarkHealthCheck is what the connection alone costs, to subtract from BenchmarkQuery.
func BenchmarkHealthCheck(b *testing.B) {
	client := start(b)
	for b.Loop() {
		if _, err := client.HealthCheck(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpsert writes batches of 100 memories, new ones and replacements.
func BenchmarkUpsert(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	client := start(b)
	create(b, client)
	batch := make([]*qdrant.PointStruct, 100)
	for i := range batch {
		batch[i] = memoryPoint(r, i)
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		for i, p := range batch {
			p.Id = qdrant.NewIDNum(uint64(n/2*len(batch) + i))
		}
		upsert(b, client, batch...)
	}
	b.ReportMetric(float64(b.N*len(batch))/b.Elapsed().Seconds(), "points/s")
}
