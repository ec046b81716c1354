package qdrantstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/terms"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var small = Model{Name: "three numbers", Dim: 3}

// newClient is a client of an engine of the test's own.
func newClient(t *testing.T, opts ...qdrantmem.Option) *qdrant.Client {
	t.Helper()
	engine := qdrantmem.New(opts...)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	c, err := ConnectWith(engine.DialOptions()...)
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

// newStore is a store on an empty collection.
func newStore(t *testing.T) *Store {
	t.Helper()
	r := startRebuild(t, newClient(t), small)
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.Published()
}

func startRebuild(t *testing.T, c *qdrant.Client, m Model) *Rebuild {
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

func write(t *testing.T, s *Store, entries ...index.Entry) {
	t.Helper()
	cursors := map[memory.Scope]index.Step{}
	for _, e := range entries {
		cursors[e.Memory.Scope] = index.Step{To: max(cursors[e.Memory.Scope].To, e.LedgerSeq)}
	}
	if err := s.Write(t.Context(), index.Batch{Entries: entries, Cursors: cursors}); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, s *Store, scope memory.Scope) []memory.Memory {
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
