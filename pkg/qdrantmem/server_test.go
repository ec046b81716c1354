package qdrantmem_test

import (
	"context"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantmem/conformance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs an engine until the test ends and returns a client of it.
func start(tb testing.TB, opts ...qdrantmem.Option) *qdrant.Client {
	tb.Helper()
	s := qdrantmem.New(opts...)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	client, err := qdrant.NewClient(&qdrant.Config{
		Host: "passthrough:///qdrantmem", Port: 1, PoolSize: 1, SkipCompatibilityCheck: true, GrpcOptions: s.DialOptions(),
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := client.Close(); err != nil {
			tb.Error(err)
		}
		cancel()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	})
	return client
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) *qdrant.Client { return start(t) })
}

// TestConformanceOfRealServer runs the same suite where MNEMOND_TEST_QDRANT=host:port names
// a server.
func TestConformanceOfRealServer(t *testing.T) {
	address := os.Getenv("MNEMOND_TEST_QDRANT")
	if address == "" {
		if strings.Contains(os.Getenv("MNEMOND_TEST_REQUIRE"), "qdrant") {
			t.Fatal("MNEMOND_TEST_REQUIRE asks for a real server, but MNEMOND_TEST_QDRANT is not set")
		}
		t.Log("not run against a real server: MNEMOND_TEST_QDRANT is not set")
		return
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	conformance.Run(t, func(t *testing.T) *qdrant.Client {
		client, err := qdrant.NewClient(&qdrant.Config{Host: host, Port: number, PoolSize: 1, SkipCompatibilityCheck: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		return client
	})
}

func TestServeOverTCP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := qdrantmem.New(qdrantmem.WithVersion("1.17.3"))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client, err := qdrant.NewClient(&qdrant.Config{
		Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, PoolSize: 1, SkipCompatibilityCheck: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	health, err := client.HealthCheck(ctx)
	if err != nil || health.GetVersion() != "1.17.3" {
		t.Errorf("health = %v, %v", health, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

func TestServeReportsWhatEndsIt(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := qdrantmem.New().Serve(t.Context(), l); err == nil {
		t.Error("Serve on a closed listener reports nothing")
	}
}

func TestRequestLargerThanDefaultLimits(t *testing.T) {
	client := start(t)
	create(t, client)
	const n = 300
	points := make([]*qdrant.PointStruct, n)
	for i := range points {
		points[i] = &qdrant.PointStruct{
			Id: qdrant.NewIDNum(uint64(i)), Vectors: qdrant.NewVectorsMap(nil),
			Payload: qdrant.NewValueMap(map[string]any{"text": strings.Repeat("记忆", 4000)}),
		}
	}
	upsert(t, client, points...)
	found, err := client.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: "c", Limit: qdrant.PtrOf(uint32(n))})
	if err != nil || len(found) != n {
		t.Errorf("scroll = %d points, %v", len(found), err)
	}
}

func TestWhatIsNotOfferedIsUnimplemented(t *testing.T) {
	client := start(t)
	create(t, client)
	ctx := t.Context()
	_, facet := client.Facet(ctx, &qdrant.FacetCounts{CollectionName: "c", Key: "k"})
	_, snapshot := client.CreateSnapshot(ctx, "c")
	_, shard := client.Count(ctx, &qdrant.CountPoints{CollectionName: "c", ShardKeySelector: &qdrant.ShardKeySelector{}})
	_, geo := client.Count(ctx, &qdrant.CountPoints{CollectionName: "c", Filter: &qdrant.Filter{
		Must: []*qdrant.Condition{qdrant.NewGeoRadius("at", 1, 2, 3)},
	}})
	_, sample := client.Query(ctx, &qdrant.QueryPoints{CollectionName: "c", Query: qdrant.NewQuerySample(qdrant.Sample_Random)})
	_, multi := client.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Points: []*qdrant.PointStruct{
		{Id: qdrant.NewIDNum(1), Vectors: qdrant.NewVectorsMulti([][]float32{{1}})},
	}})
	_, geoIndex := client.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
		CollectionName: "c", FieldName: "at", FieldType: qdrant.PtrOf(qdrant.FieldType_FieldTypeGeo),
	})
	for name, err := range map[string]error{
		"facet": facet, "snapshot": snapshot, "shard key": shard, "geo condition": geo, "sample": sample,
		"multi-vector": multi, "geo index": geoIndex,
		"euclid": client.CreateCollection(ctx, &qdrant.CreateCollection{CollectionName: "d",
			VectorsConfig: qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 1, Distance: qdrant.Distance_Euclid})}),
		"rate limit": client.CreateCollection(ctx, &qdrant.CreateCollection{CollectionName: "d",
			StrictModeConfig: &qdrant.StrictModeConfig{ReadRateLimit: qdrant.PtrOf(uint32(1))}}),
	} {
		if status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: %v, want Unimplemented", name, err)
		}
	}
}

// create makes the collection c: a dense and an IDF sparse vector and a tenant index.
func create(tb testing.TB, client *qdrant.Client) {
	tb.Helper()
	if err := client.CreateCollection(tb.Context(), &qdrant.CreateCollection{
		CollectionName: "c",
		VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
			"dense": {Size: 256, Distance: qdrant.Distance_Cosine},
		}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{
			"bm25": {Modifier: qdrant.PtrOf(qdrant.Modifier_Idf)},
		}),
	}); err != nil {
		tb.Fatal(err)
	}
	if _, err := client.CreateFieldIndex(tb.Context(), &qdrant.CreateFieldIndexCollection{
		CollectionName: "c", FieldName: "owner", FieldType: qdrant.PtrOf(qdrant.FieldType_FieldTypeKeyword),
		FieldIndexParams: qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)}),
	}); err != nil {
		tb.Fatal(err)
	}
}

func upsert(tb testing.TB, client *qdrant.Client, points ...*qdrant.PointStruct) {
	tb.Helper()
	if _, err := client.Upsert(tb.Context(), &qdrant.UpsertPoints{
		CollectionName: "c", Wait: qdrant.PtrOf(true), Points: points,
	}); err != nil {
		tb.Fatal(err)
	}
}
