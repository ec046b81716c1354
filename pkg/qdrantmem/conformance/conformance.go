// Package conformance is one suite of what mnemond relies on in a Qdrant server, run through
// the official client against the embedded engine and against a real server alike. It
// asserts nothing that a real server leaves open, such as the order of equal scores.
//
// It creates collections under unique names and deletes them; it touches nothing else on the
// server that it is given.
package conformance

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// patience bounds every test of the suite, also against a slow remote server.
const patience = time.Minute

// Run runs the suite on the server that newClient connects to. newClient is called once and
// closes its client by t.Cleanup.
func Run(t *testing.T, newClient func(t *testing.T) *qdrant.Client) {
	client := newClient(t)
	for _, group := range []struct {
		name string
		run  func(*testing.T, *qdrant.Client)
	}{
		{"Filters", filters},
		{"Values", values},
		{"IndexedValues", indexedValues},
		{"Paths", paths},
		{"Datetimes", datetimes},
		{"Reads", reads},
		{"Scroll", scrolls},
		{"Query", queries},
		{"Sparse", sparse},
		{"Fusion", fusions},
		{"Upsert", upserts},
		{"Payload", payloads},
		{"Writes", writes},
		{"Due", due},
		{"Collections", collections},
		{"OnDisk", onDisk},
		{"Aliases", aliases},
		{"Status", statuses},
		{"Strict", strictMode},
	} {
		t.Run(group.name, func(t *testing.T) { group.run(t, client) })
	}
}

// space is one collection for one test.
type space struct {
	t      *testing.T
	ctx    context.Context
	client *qdrant.Client
	name   string
}

// newSpace creates a collection with the vectors dense (4, cosine), raw (2, dot), terms
// (sparse) and idf (sparse, IDF), after change has adapted the request.
func newSpace(t *testing.T, client *qdrant.Client, change ...func(*qdrant.CreateCollection)) *space {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	req := &qdrant.CreateCollection{
		CollectionName: uniqueName(),
		VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
			"dense": {Size: 4, Distance: qdrant.Distance_Cosine},
			"raw":   {Size: 2, Distance: qdrant.Distance_Dot},
		}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{
			"terms": {},
			"idf":   {Modifier: qdrant.PtrOf(qdrant.Modifier_Idf)},
		}),
	}
	for _, f := range change {
		f(req)
	}
	s := &space{t: t, ctx: ctx, client: client, name: req.GetCollectionName()}
	s.ok(client.CreateCollection(ctx, req))
	t.Cleanup(func() { s.drop(s.name) })
	return s
}

// run is a subtest on the same collection.
func (s *space) run(name string, f func(*testing.T, *space)) {
	s.t.Helper()
	s.t.Run(name, func(t *testing.T) {
		here := *s
		here.t = t
		f(t, &here)
	})
}

func uniqueName() string { return "mnemond-conformance-" + uuid.NewString() }

func (s *space) drop(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := s.client.GetCollectionsClient().Delete(ctx, &qdrant.DeleteCollection{CollectionName: name}); err != nil {
		s.t.Errorf("delete collection %s: %v", name, err)
	}
}

func (s *space) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// index declares a payload index before there is data.
func (s *space) index(field string, fieldType qdrant.FieldType, params *qdrant.PayloadIndexParams) {
	s.t.Helper()
	_, err := s.client.CreateFieldIndex(s.ctx, &qdrant.CreateFieldIndexCollection{
		CollectionName: s.name, Wait: qdrant.PtrOf(true), FieldName: field,
		FieldType: &fieldType, FieldIndexParams: params,
	})
	s.ok(err)
}

func tenantIndex() *qdrant.PayloadIndexParams {
	return qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)})
}

// point has a dense vector that no test of filters looks at.
func point(id uint64, payload map[string]any) *qdrant.PointStruct {
	return withVectors(id, payload, map[string]*qdrant.Vector{"dense": qdrant.NewVector(1, 0, 0, 0)})
}

func withVectors(id uint64, payload map[string]any, vectors map[string]*qdrant.Vector) *qdrant.PointStruct {
	return &qdrant.PointStruct{
		Id: qdrant.NewIDNum(id), Payload: qdrant.NewValueMap(payload), Vectors: qdrant.NewVectorsMap(vectors),
	}
}

func (s *space) upsert(points ...*qdrant.PointStruct) {
	s.t.Helper()
	s.upsertWith(&qdrant.UpsertPoints{Points: points})
}

func (s *space) upsertWith(req *qdrant.UpsertPoints) {
	s.t.Helper()
	req.CollectionName, req.Wait = s.name, qdrant.PtrOf(true)
	result, err := s.client.Upsert(s.ctx, req)
	s.ok(err)
	if result.GetStatus() != qdrant.UpdateStatus_Completed {
		s.t.Fatalf("status of an upsert with wait = %v", result.GetStatus())
	}
}

// matching are the numeric ids of the points that f matches, ascending.
func (s *space) matching(f *qdrant.Filter) []uint64 {
	s.t.Helper()
	found, err := s.client.Scroll(s.ctx, &qdrant.ScrollPoints{
		CollectionName: s.name, Filter: f, Limit: qdrant.PtrOf(uint32(100)),
	})
	s.ok(err)
	return retrievedIDs(found)
}

func retrievedIDs(points []*qdrant.RetrievedPoint) []uint64 {
	ids := make([]uint64, len(points))
	for i, p := range points {
		ids[i] = p.GetId().GetNum()
	}
	return ids
}

func scoredIDs(points []*qdrant.ScoredPoint) []uint64 {
	ids := make([]uint64, len(points))
	for i, p := range points {
		ids[i] = p.GetId().GetNum()
	}
	return ids
}

// payload is the stored payload of a point, nil if there is no such point.
func (s *space) payload(id uint64) map[string]*qdrant.Value {
	s.t.Helper()
	found := s.get(qdrant.NewIDNum(id))
	if len(found) == 0 {
		return nil
	}
	return found[0].GetPayload()
}

func (s *space) get(ids ...*qdrant.PointId) []*qdrant.RetrievedPoint {
	s.t.Helper()
	found, err := s.client.Get(s.ctx, &qdrant.GetPoints{
		CollectionName: s.name, Ids: ids, WithPayload: qdrant.NewWithPayload(true), WithVectors: qdrant.NewWithVectors(true),
	})
	s.ok(err)
	return found
}

func (s *space) query(req *qdrant.QueryPoints) []*qdrant.ScoredPoint {
	s.t.Helper()
	req.CollectionName = s.name
	found, err := s.client.Query(s.ctx, req)
	s.ok(err)
	return found
}

func must(conditions ...*qdrant.Condition) *qdrant.Filter {
	return &qdrant.Filter{Must: conditions}
}

func wantIDs(t *testing.T, what string, got, want []uint64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// wantStatus checks the code of err and that its message contains each of parts.
func wantStatus(t *testing.T, what string, err error, code codes.Code, parts ...string) {
	t.Helper()
	if got := status.Code(err); got != code {
		t.Errorf("%s: code %v, want %v (%v)", what, got, code, err)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: message %q lacks %q", what, err, part)
		}
	}
}

func wantClose(t *testing.T, what string, got float32, want float64) {
	t.Helper()
	if diff := float64(got) - want; diff < -1e-5 || diff > 1e-5 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
