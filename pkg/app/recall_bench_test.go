package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/recall"
)

// queries are what is asked of the seeded memories, in both languages.
var queries = []string{
	"What could I drink in the afternoon, maybe some tea?", "周末想去南京走走，有什么适合我的？", "Recommend me a film camera for the trip to Porto",
	"我平时喜欢吃什么菜？", "which records should I look for in Kyoto", "帮我找一个打羽毛球的地方", "what are my hobbies?", "推荐一本科幻小说",
}

// queryRecorder keeps the last query that went to the collection.
type queryRecorder struct{ last *qdrant.QueryBatchPoints }

func (r *queryRecorder) intercept(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if q, ok := req.(*qdrant.QueryBatchPoints); ok {
		r.last = q
	}
	return invoke(ctx, method, req, reply, cc, opts...)
}

// recordQueries puts an engine of the benchmark's own behind the backend.
func recordQueries(b *testing.B, backend *app.Backend) *queryRecorder {
	b.Helper()
	r, engine := &queryRecorder{}, qdrantmem.New()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	client, err := qdrantstore.ConnectWith(append(engine.DialOptions(), grpc.WithChainUnaryInterceptor(r.intercept))...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := client.Close(); err != nil {
			b.Error(err)
		}
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	backend.Qdrant = client
	return r
}

// BenchmarkRecallOtherwise recalls for an owner with 500 memories without a query, and as of a
// time at which half of them were there.
func BenchmarkRecallOtherwise(b *testing.B) {
	for name, r := range map[string]recall.Request{
		"start": {}, "as_of": {Query: queries[0], AsOf: day.Add(24 * time.Hour)}, "explained": {Query: queries[0], Explain: true},
		"shared": {Query: queries[0], Agent: "agent", Shared: true},
	} {
		b.Run(name, func(b *testing.B) {
			s := startStand(b, openBackend(b, b.TempDir()), app.Options{Now: func() time.Time { return day.Add(60 * 24 * time.Hour) }})
			s.seedOwner(b, benchOwner(0), 500, 50)
			r.User = memory.User(benchOwner(0).Owner.ID)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Recall.Recall(b.Context(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRecall recalls for an owner with 500 memories among others, and sends the very
// query that this contains once more, raw. Target: over-ms, which is p50-ms less 1.3 times
// raw-p50-ms, at most 1; and p99-ms below 10.
func BenchmarkRecall(b *testing.B) {
	for _, c := range []struct{ others, each int }{{100, 5}, {995, 100}} {
		b.Run(fmt.Sprintf("memories=%d", 500+c.others*c.each), func(b *testing.B) {
			backend := openBackend(b, b.TempDir())
			recorded := recordQueries(b, backend)
			s := startStand(b, backend, app.Options{Now: func() time.Time { return day.Add(60 * 24 * time.Hour) }})
			s.seedOthers(b, 1, c.others, c.each)
			s.seedOwner(b, benchOwner(0), 500, 50)
			user := memory.User(benchOwner(0).Owner.ID)
			var whole, raw []time.Duration
			var found int
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				start := time.Now()
				resp, err := s.Recall.Recall(b.Context(), recall.Request{User: user, Query: queries[n%len(queries)]})
				whole = append(whole, time.Since(start))
				if err != nil {
					b.Fatal(err)
				}
				found += len(resp.Memories)
				b.StopTimer()
				start = time.Now()
				if _, err := backend.Qdrant.QueryBatch(b.Context(), recorded.last); err != nil {
					b.Fatal(err)
				}
				raw = append(raw, time.Since(start))
				b.StartTimer()
			}
			if found == 0 {
				b.Error("nothing was found at all")
			}
			for _, q := range []struct {
				name string
				q    float64
			}{{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}} {
				b.ReportMetric(quantile(whole, q.q), q.name+"-ms")
				b.ReportMetric(quantile(raw, q.q), "raw-"+q.name+"-ms")
			}
			b.ReportMetric(quantile(whole, 0.5)/quantile(raw, 0.5), "ratio")
			b.ReportMetric(quantile(whole, 0.5)-1.3*quantile(raw, 0.5), "over-ms")
		})
	}
}
