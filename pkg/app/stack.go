package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/rules"
	"github.com/mnemond/mnemond/pkg/stream"
	"github.com/mnemond/mnemond/schemas"
)

// minDense is the cosine above which the lexical embedder's texts count as near: that of
// unrelated texts stays below 0.2 (see pkg/embed), and what shares a term is found by it.
const minDense = 0.35

// Options are what differs between a real installation and a simulation: the clock, and
// who watches.
type Options struct {
	// Now is the clock of decisions. Default time.Now.
	Now    func() time.Time
	Logger *slog.Logger
	// Reached is called between the steps of consolidation. Default: nothing.
	Reached func(decide.Step)
}

// Stack is every part, wired to one backend. Which of them run is up to the caller.
type Stack struct {
	Config      Config
	Backend     *Backend
	Events      *stream.Events
	Log         *stream.Log
	Timers      *stream.Timers
	Dead        *stream.Dead
	Store       *qdrantstore.Store
	Projector   *project.Projector
	Consolidate *consolidate.Service
	Recall      *recall.Service
	Ingest      *ingest.Service
	Registry    *profile.Registry

	js       jetstream.JetStream
	embedder *embed.Lexical
	options  Options
	// lag is the age at which the trails look at a log a second time: trailLag.
	lag time.Duration
}

// NewStack prepares the streams and the collection and wires every part. A missing
// collection is replayed from the ledger before it returns.
func NewStack(ctx context.Context, b *Backend, c Config, o Options) (*Stack, error) {
	s, err := NewEdge(ctx, b, c, o)
	if err != nil {
		return nil, err
	}
	if err := s.openStore(ctx); err != nil {
		return nil, err
	}
	return s, s.wire()
}

// NewEdge prepares the streams and wires what needs no collection: accepting events goes
// on while Qdrant is away, and an operator can look at the logs and rebuild. Store,
// Projector, Consolidate and Recall are nil.
func NewEdge(ctx context.Context, b *Backend, c Config, o Options) (*Stack, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	js, err := jetstream.New(b.NATS)
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	drift, err := c.topology().Ensure(ctx, js)
	if err != nil {
		return nil, fmt.Errorf("prepare streams: %w", err)
	}
	for _, d := range drift {
		o.Logger.Warn("stream setting corrected", "object", d.Object, "field", d.Field, "want", d.Want, "have", d.Have)
	}
	registry, err := profile.Parse(schemas.Profile)
	if err != nil {
		return nil, fmt.Errorf("profile schema: %w", err)
	}
	s := &Stack{
		Config: c, Backend: b, Registry: registry, js: js, options: o, embedder: embed.NewLexical(), lag: trailLag,
		Events: stream.NewEvents(js, stream.EventsOptions{}),
		Log:    stream.NewLog(js),
		Timers: stream.NewTimers(js, c.Timers.options(), time.Now),
		Dead:   stream.NewDead(js),
	}
	s.Ingest, err = ingest.New(publisher{s.Events}, o.Now)
	return s, err
}

func (t TimersConfig) options() stream.TimerOptions {
	return stream.TimerOptions{Quiet: t.Quiet, MaxWait: t.MaxWait, MaxTurns: t.MaxTurns, MaxTokens: t.MaxTokens}
}

func (s *Stack) model() qdrantstore.Model {
	return qdrantstore.Model{Name: s.embedder.Name(), Dim: s.embedder.Dim()}
}

// openStore opens the collection; where there is none, it is built from the ledger, by one
// process of those that start together.
func (s *Stack) openStore(ctx context.Context) error {
	var err error
	s.Store, err = qdrantstore.Open(ctx, s.Backend.Qdrant, s.model())
	if errors.Is(err, qdrantstore.ErrNoCollection) {
		err = s.alone(ctx, leaseRebuild, func(ctx context.Context) error {
			var err error
			s.Store, err = qdrantstore.Open(ctx, s.Backend.Qdrant, s.model())
			if errors.Is(err, qdrantstore.ErrNoCollection) {
				_, err = s.rebuild(ctx)
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("open collection: %w", err)
	}
	return nil
}

// Rebuild replays the ledger into a new collection, while writes go on, and drops the old
// one. It waits for a rebuild of another process to end.
func (s *Stack) Rebuild(ctx context.Context) (report project.Report, err error) {
	err = s.alone(ctx, leaseRebuild, func(ctx context.Context) error {
		report, err = s.rebuild(ctx)
		return err
	})
	return report, err
}

func (s *Stack) rebuild(ctx context.Context) (project.Report, error) {
	target, err := qdrantstore.StartRebuild(ctx, s.Backend.Qdrant, s.model())
	if err != nil {
		return project.Report{}, err
	}
	report, err := project.Rebuild(ctx, replayer{s.Log}, target, s.embedder)
	if err != nil {
		return report, err
	}
	s.Store = target.Published()
	return report, target.DropOld(ctx)
}

func (s *Stack) wire() error {
	var err error
	s.Projector = project.New(s.Log, s.Store, s.embedder)
	s.Consolidate, err = consolidate.New(consolidate.Config{
		Events: eventLog{s.Events}, Ledger: ledgerLog{s.Log}, Threads: stream.NewThreads(s.js), Memories: s.Store,
		Projector: s.Projector, Dead: deadLetters{s.Dead, s.Events}, Extractor: rules.Extractor{}, Registry: s.Registry,
		Now: s.options.Now, Logger: s.options.Logger, Reached: s.options.Reached,
	})
	if err != nil {
		return err
	}
	s.Recall = recall.New(recall.Config{
		Search: s.Store, Ledger: s.Log, Embed: s.embedder, Registry: s.Registry,
		Weights: rank.DefaultWeights(), MinDense: minDense, Related: s.embedder.Related, Now: s.options.Now,
	})
	return nil
}

// Ready reports why the stack cannot serve, or nil: the backends that it uses must answer.
func (s *Stack) Ready(ctx context.Context) error {
	if !s.Backend.NATS.IsConnected() {
		return errors.New("not connected to NATS")
	}
	if _, err := s.Log.LastSeq(ctx); err != nil {
		return err
	}
	if s.Store == nil {
		return nil
	}
	return qdrantstore.Check(ctx, s.Backend.Qdrant, qdrantstore.Alias, s.model())
}
