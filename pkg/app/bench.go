package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/schemas"
)

// BenchStand is what a benchmark measures: collections of its own, the lexical embedder, and
// recall over them without any broker.
type BenchStand struct {
	// Where names the server of the collections.
	Where    string
	Store    *qdrantstore.Rebuild
	Embed    *embed.Lexical
	Registry *profile.Registry

	client *qdrant.Client
	stop   func() error
}

// OpenBench makes empty collections on the server at an address, which must have none of
// mnemond's, or on an embedded engine of their own where the address is empty.
func OpenBench(ctx context.Context, address, apiKey string) (_ *BenchStand, err error) {
	b := &BenchStand{Where: "the embedded engine", Embed: embed.NewLexical(), stop: func() error { return nil }}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	if b.Registry, err = profile.Parse(schemas.Profile); err != nil {
		return nil, fmt.Errorf("profile schema: %w", err)
	}
	measured := grpc.WithChainUnaryInterceptor(measureRequest)
	if address != "" {
		b.Where = "Qdrant at " + address
		b.client, err = qdrantstore.Connect(address, apiKey, measured)
	} else {
		engine := qdrantmem.New()
		engineCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
		done := make(chan error, 1)
		go func() { done <- engine.Run(engineCtx) }()
		b.stop = func() error { stop(); return <-done }
		b.client, err = qdrantstore.ConnectWith(append(engine.DialOptions(), measured)...)
	}
	if err != nil {
		return nil, err
	}
	b.Store, err = qdrantstore.StartApart(ctx, b.client, qdrantstore.Model{Name: b.Embed.Name(), Dim: b.Embed.Dim()})
	return b, err
}

// Close drops the collections and ends the engine, if it was started.
func (b *BenchStand) Close() error {
	var errs []error
	if b.Store != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		errs = append(errs, b.Store.Drop(ctx))
	}
	if b.client != nil {
		errs = append(errs, b.client.Close())
	}
	return errors.Join(append(errs, b.stop())...)
}

// closeTimeout bounds how long Close waits for a server to drop the collections.
const closeTimeout = 30 * time.Second

// finding is the product's, by default.
func (b *BenchStand) finding() find.Config {
	m := &models{query: timedEmbedder{b.Embed}, minDense: minDense, related: b.Embed.Related}
	return DefaultConfig().Recall.finding(b.Store, m, b.Registry)
}

// Recaller answers by the product's recall, at one time for all, without questions or traces.
func (b *BenchStand) Recaller(now time.Time) bench.Recaller {
	s := recall.New(recall.Config{
		Find: b.finding(), Lists: b.Store, Ledger: newChangeLog(), Passages: b.Embed, Questions: nothing{}, Traces: nothing{},
		Policies: retention.Policies{}, Now: func() time.Time { return now },
	})
	return func(ctx context.Context, q bench.Question) (bench.Recalled, error) {
		var r bench.Recalled
		resp, err := s.Recall(context.WithValue(ctx, spentKey{}, &r), recall.Request{
			Tenant: q.Scope.Tenant, User: memory.User(q.Scope.Owner.ID), Query: q.Query,
		})
		for _, m := range resp.Memories {
			r.Found = append(r.Found, m.ID)
		}
		return r, err
	}
}

// Shelve puts the turns of pools as documents, each pool's for an owner of its own: change
// sets as putting them makes, projected as the product does. It returns how to search them.
func (b *BenchStand) Shelve(ctx context.Context, pools []*bench.Pool, now time.Time) (bench.Opener, error) {
	log := newChangeLog()
	projector := project.New(project.Config{Log: log, Store: b.Store, Embed: b.Embed})
	owners := map[*bench.Pool]memory.Scope{}
	for i, p := range pools {
		scope := memory.UserScope(memory.DefaultTenant, memory.User(fmt.Sprintf("pool-%d", i)))
		owners[p] = scope
		documents, err := p.Documents(scope, now.AddDate(-1, 0, 0))
		if err != nil {
			return nil, err
		}
		if err := log.put(scope, documents); err != nil {
			return nil, fmt.Errorf("put turns of %s: %w", p.Users[0].ID, err)
		}
		if _, err := projector.CatchUp(ctx, scope); err != nil {
			return nil, fmt.Errorf("put turns of %s: %w", p.Users[0].ID, err)
		}
	}
	finder := find.New(b.finding())
	return func(p *bench.Pool, pipeline bench.Pipeline) bench.Ranker {
		return func(ctx context.Context, query string) ([]int, error) {
			found, err := finder.Find(ctx, find.Request{
				Scopes: []memory.Scope{owners[p]}, Query: query, Now: now, Sort: index.SortDocument, Pipeline: pipeline, Limit: len(p.Turns),
			})
			if err != nil {
				return nil, err
			}
			order := make([]int, len(found))
			for i := range found {
				if order[i], err = bench.Place(found[i].Hit.Document); err != nil {
					return nil, err
				}
			}
			return order, nil
		}
	}, nil
}

// spentKey is under what a context carries the *bench.Recalled of one recall, which asks for
// one thing after the other.
type spentKey struct{}

func spent(ctx context.Context) *bench.Recalled {
	if r, ok := ctx.Value(spentKey{}).(*bench.Recalled); ok {
		return r
	}
	return &bench.Recalled{}
}

// measureRequest adds what a request to the points takes.
func measureRequest(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if !strings.HasPrefix(method, "/qdrant.Points/") {
		return invoke(ctx, method, req, reply, cc, opts...)
	}
	start := time.Now()
	err := invoke(ctx, method, req, reply, cc, opts...)
	r := spent(ctx)
	r.Raw += time.Since(start)
	r.Queries++
	return err
}

// timedEmbedder adds what embedding takes.
type timedEmbedder struct{ *embed.Lexical }

// EmbedFor serves recall.Embedder.
func (e timedEmbedder) EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error) {
	start := time.Now()
	vectors, err := e.Lexical.EmbedFor(ctx, s, texts)
	spent(ctx).Embedding += time.Since(start)
	return vectors, err
}

// nothing is asked, and no trace is kept.
type nothing struct{}

// Get serves recall.Questions.
func (nothing) Get(context.Context, memory.Scope, memory.ID) (q memory.Question, ok bool, err error) {
	return q, false, nil
}

// Record serves recall.Traces.
func (nothing) Record(recall.Trace) {}
