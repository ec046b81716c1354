package shelve_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/shelve"
	"github.com/mnemond/mnemond/schemas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	noon   = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	alice  = memory.UserScope("acme", "alice")
	bob    = memory.UserScope("acme", "bob")
	shared = memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}}
)

// log is MEM_LEDGER in memory: one sequence for all owners, compare-and-set for each.
type log struct {
	mu  sync.Mutex
	all []appended
	// before is called ahead of each append.
	before func()
}

type appended struct {
	scope memory.Scope
	data  []byte
}

func (l *log) head(s memory.Scope) uint64 {
	for i, a := range slices.Backward(l.all) {
		if a.scope == s {
			return uint64(i + 1)
		}
	}
	return 0
}

func (l *log) Head(_ context.Context, s memory.Scope) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head(s), nil
}

func (l *log) Append(_ context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error) {
	if l.before != nil {
		l.before()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.head(s) != expect {
		return 0, ledger.ErrConflict
	}
	l.all = append(l.all, appended{s, data})
	return uint64(len(l.all)), nil
}

func (l *log) Read(_ context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	l.mu.Lock()
	all := slices.Clone(l.all)
	l.mu.Unlock()
	for i, a := range all {
		if seq := uint64(i + 1); a.scope == s && seq > after && seq <= upTo {
			if err := fn(seq, time.Time{}, a.data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *log) Holds(context.Context, memory.Scope, uint64) (bool, error) { return true, nil }

type noErasures struct{}

func (noErasures) Erased(context.Context, memory.Scope) (uint64, error) { return 0, nil }

type noQuestions struct{}

func (noQuestions) Put(context.Context, memory.Question, uint64) error            { return nil }
func (noQuestions) EraseOwner(context.Context, memory.Scope, uint64) (int, error) { return 0, nil }

// counted counts the texts that are embedded together.
type counted struct {
	find.Embedder
	calls []int
}

func (c *counted) EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error) {
	c.calls = append(c.calls, len(texts))
	return c.Embedder.EmbedFor(ctx, s, texts)
}

// world is a service on an engine and a ledger of the test's own.
type world struct {
	*shelve.Service
	log   *log
	store *qdrantstore.Store
	embed *counted
	now   time.Time
}

func newWorld(t testing.TB) *world {
	t.Helper()
	lexical := embed.NewLexical()
	w := &world{log: &log{}, store: newStore(t, lexical.Dim()), embed: &counted{Embedder: lexical}, now: noon}
	registry, err := profile.Parse(schemas.Profile)
	if err != nil {
		t.Fatal(err)
	}
	projector := project.New(project.Config{Log: w.log, Store: w.store, Embed: w.embed, Questions: noQuestions{}, Erasures: noErasures{}})
	w.Service = shelve.New(shelve.Config{
		Decider: &decide.Decider{Ledger: w.log, Projector: projector}, Documents: w.store, Vectors: w.store,
		Find: find.New(find.Config{
			Store: w.store, Embed: lexical, Registry: registry, Weights: rank.DefaultWeights(), Measure: rank.DefaultMeasure(), MinDense: 0.35,
		}),
		Now: func() time.Time { return w.now },
	})
	return w
}

func newStore(t testing.TB, dim int) *qdrantstore.Store {
	t.Helper()
	engine := qdrantmem.New()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	c, err := qdrantstore.ConnectWith(engine.DialOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := c.Close()
		stop()
		if err := errors.Join(err, <-done); err != nil {
			t.Error(err)
		}
	})
	r, err := qdrantstore.StartRebuild(t.Context(), c, qdrantstore.Model{Name: "test", Dim: dim})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.Published()
}

// item is one to put; change alters it.
func item(key, value string, change ...func(*shelve.Item)) shelve.Item {
	out := shelve.Item{Namespace: []string{"notes"}, Key: key, Value: json.RawMessage(value)}
	for _, f := range change {
		f(&out)
	}
	return out
}

func in(labels ...string) func(*shelve.Item) {
	return func(i *shelve.Item) { i.Namespace = labels }
}

func (w *world) put(t testing.TB, s memory.Scope, items ...shelve.Item) {
	t.Helper()
	if _, err := w.Put(t.Context(), s, items); err != nil {
		t.Fatal(err)
	}
}

// keys is the keys of what a search finds.
func (w *world) keys(t testing.TB, s memory.Scope, r shelve.Request) []string {
	t.Helper()
	found, err := w.Search(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range found {
		if (f.Score > 0) != (r.Query != "") {
			t.Errorf("%s has the score %v", f.Document.Key, f.Score)
		}
		out = append(out, f.Document.Key)
	}
	return out
}
