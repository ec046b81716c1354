package qdrantstore

import (
	"context"
	"fmt"
	"path"
	"sync"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"go.uber.org/goleak"
	"google.golang.org/grpc"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/terms"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var small = Model{Name: "three numbers", Dim: 3}

// newClient is a client of an engine of the test's own.
func newClient(t testing.TB, opts ...qdrantmem.Option) *qdrant.Client {
	t.Helper()
	return dial(t, qdrantmem.New(opts...))
}

func dial(t testing.TB, engine *qdrantmem.Server, opts ...grpc.DialOption) *qdrant.Client {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	c, err := ConnectWith(append(engine.DialOptions(), opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close() // a test may have closed it
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return c
}

// recorder keeps the methods that are called, and may answer in the server's place.
type recorder struct {
	mu     sync.Mutex
	calls  []string
	answer func(method string, req, reply any) (bool, error)
}

// newRecordedClient is a client whose calls are recorded.
func newRecordedClient(t testing.TB) (*qdrant.Client, *recorder) {
	t.Helper()
	r := &recorder{}
	return dial(t, qdrantmem.New(), grpc.WithChainUnaryInterceptor(r.intercept)), r
}

func (r *recorder) intercept(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	r.mu.Lock()
	r.calls = append(r.calls, path.Base(method))
	answer := r.answer
	r.mu.Unlock()
	if answer != nil {
		if done, err := answer(path.Base(method), req, reply); done {
			return err
		}
	}
	return invoke(ctx, method, req, reply, cc, opts...)
}

func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = nil
}

// count is how often the method was called since reset, or any method with "".
func (r *recorder) count(method string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, call := range r.calls {
		if method == "" || call == method {
			n++
		}
	}
	return n
}

func (r *recorder) answerWith(f func(method string, req, reply any) (bool, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

// newStore is a store on an empty pair.
func newStore(t testing.TB) *Store {
	t.Helper()
	return storeOn(t, newClient(t))
}

func storeOn(t testing.TB, c *qdrant.Client) *Store {
	t.Helper()
	r := startRebuild(t, c, small)
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.Published()
}

func startRebuild(t testing.TB, c *qdrant.Client, m Model) *Rebuild {
	t.Helper()
	r, err := StartRebuild(t.Context(), c, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var (
	noon  = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	alice = memory.UserScope("acme", "alice")
	bob   = memory.UserScope("acme", "bob")
)

func id(n int) memory.ID { return memory.ID(fmt.Sprintf("00000000-0000-5000-8000-%012d", n)) }

// entry is a current memory of the owner; change alters it.
func entry(s memory.Scope, n int, seq uint64, text string, change ...func(*memory.Memory)) index.Entry {
	m := memory.Memory{
		ID: id(n), Scope: s, Kind: memory.KindFact, Text: text, Status: memory.StatusCurrent, Stability: memory.Stable,
		SaidAt: noon, CreatedAt: noon, ConfirmedAt: noon, Confidence: 0.9,
		Evidence: []memory.Evidence{{Event: "e", Role: memory.RoleUser, At: noon, Quote: text}},
	}
	for _, f := range change {
		f(&m)
	}
	return index.Entry{
		Memory: m, LedgerSeq: seq, Dense: []float32{1, 0, 0}, Sparse: terms.Document(text, index.Terms(&m)...),
	}
}

// cold is what the reaper makes of a memory that is archived.
func cold(m *memory.Memory) { m.ArchivedAt = noon }

// past is a value that another memory has had.
func past(of int) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Origin, m.Status, m.ArchivedAt = id(of), memory.StatusSuperseded, noon }
}

func inStatusOf(s memory.Status) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Status = s }
}

func keyed(k memory.Key, s memory.Status) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Key, m.Value, m.Status = k, "v", s }
}

// deleted is what is left of a memory that blocks a key and a hash.
func deleted(at time.Time, key memory.Key, hash string) func(*memory.Memory) {
	return func(m *memory.Memory) {
		*m = memory.Memory{ID: m.ID, Scope: m.Scope, Kind: m.Kind, Status: memory.StatusDeleted, Tombstone: &memory.Tombstone{
			At: at, Seq: 9, Keys: []memory.Key{key}, Hashes: []string{hash, "other " + hash},
		}}
	}
}

// moved is the entry of a memory that may stand in the other collection.
func moved(e index.Entry) index.Entry {
	e.Moved = true
	return e
}

func write(t testing.TB, s *Store, entries ...index.Entry) {
	t.Helper()
	cursors := map[memory.Scope]index.Step{}
	for _, e := range entries {
		cursors[e.Memory.Scope] = index.Step{To: max(cursors[e.Memory.Scope].To, e.LedgerSeq)}
	}
	put(t, s, index.Batch{Entries: entries, Cursors: cursors})
}

func put(t testing.TB, s *Store, b index.Batch) {
	t.Helper()
	if err := s.Write(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func list(t testing.TB, s *Store, scope memory.Scope) []memory.Memory {
	t.Helper()
	got, err := s.List(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func texts(memories []memory.Memory) []string {
	out := []string{}
	for _, m := range memories {
		out = append(out, m.Text)
	}
	return out
}

// raw is a point as it is stored, nil if there is none.
func raw(t testing.TB, s *Store, collection string, n int) *qdrant.RetrievedPoint {
	t.Helper()
	points, err := s.client.Get(t.Context(), &qdrant.GetPoints{
		CollectionName: collection, Ids: []*qdrant.PointId{qdrant.NewIDUUID(string(id(n)))},
		WithPayload: qdrant.NewWithPayload(true), WithVectors: qdrant.NewWithVectors(true),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(points) == 0 {
		return nil
	}
	return points[0]
}

// typeAt is the type of the point in a collection, "" if there is none.
func typeAt(t testing.TB, s *Store, collection string, n int) string {
	t.Helper()
	return raw(t, s, collection, n).GetPayload()[fieldType].GetStringValue()
}
