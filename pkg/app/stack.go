package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/purge"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/shelve"
	"github.com/mnemond/mnemond/pkg/stream"
)

// minDense is the cosine above which the lexical embedder's texts count as near, if they are
// related at all: see embed.Lexical.
const minDense = 0.25

// Options are what differs between a real installation and a simulation: the clock, and
// who watches.
type Options struct {
	// Now is the clock of decisions. Default time.Now.
	Now    func() time.Time
	Logger *slog.Logger
	// BreakerMin is the least wait after outages of a model. Default: see llm.Endpoint.
	BreakerMin time.Duration
	// Spent is called with the tokens of each call to a model, for who measures. Default:
	// nothing.
	Spent func(tokens int)
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
	Recalls     *stream.Recalls
	Questions   *stream.Questions
	Budgets     *stream.Budgets
	Store       *qdrantstore.Store
	Projector   *project.Projector
	Decider     *decide.Decider
	Consolidate *consolidate.Service
	Recall      *recall.Service
	Teller      *recall.Teller
	Curate      *curate.Service
	Shelve      *shelve.Service
	Reap        *reap.Service
	Ingest      *ingest.Service
	Registry    *profile.Registry
	Policies    retention.Policies

	js       jetstream.JetStream
	secret   []byte
	names    stream.Names
	erasures erasures
	models   *models
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
	return s, s.Open(ctx)
}

// Open prepares the collections and wires what needs them, on what NewEdge has made.
func (s *Stack) Open(ctx context.Context) error {
	if err := s.openModels(ctx); err != nil {
		return err
	}
	if err := s.openStore(ctx); err != nil {
		return err
	}
	return s.wire()
}

// NewEdge prepares the streams and wires what needs no collection: accepting events goes
// on while Qdrant is away, and an operator can look at the logs and rebuild. What needs the
// collections is nil until Open.
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
	registry, err := c.Profile.registry()
	if err != nil {
		return nil, err
	}
	secret, err := stream.Secret(ctx, js)
	if err != nil {
		return nil, err
	}
	names := stream.NewNames(secret)
	s := &Stack{
		secret: secret, names: names, Policies: c.Retention.Policies, Questions: stream.NewQuestions(js),
		Config: c, Backend: b, Registry: registry, js: js, options: o, lag: trailLag,
		Budgets: stream.NewBudgets(js, names, c.LLM.DailyTokens, o.Now),
		Events:  stream.NewEvents(js, stream.EventsOptions{}),
		Log:     stream.NewLog(js),
		Timers:  stream.NewTimers(js, names, c.Timers.options(), time.Now),
		Dead:    stream.NewDead(js),
	}
	s.erasures = erasures{stream.NewErasures(js, names), s.Log, s.Questions, vectors{s.place(stream.PlaceEmbeddings)}, s.store}
	s.Recalls, err = stream.NewRecalls(js, stream.RecallsOptions{Logger: o.Logger, Meter: otel.Meter("github.com/mnemond/mnemond/pkg/stream")})
	if err != nil {
		return nil, err
	}
	s.Ingest, err = ingest.New(publisher{s.Events}, o.Now)
	return s, err
}

func (t TimersConfig) options() stream.TimerOptions {
	return stream.TimerOptions{Quiet: t.Quiet, MaxWait: t.MaxWait, MaxTurns: t.MaxTurns, MaxTokens: t.MaxTokens}
}

func (s *Stack) model() qdrantstore.Model {
	return qdrantstore.Model{Name: s.models.passage.Name(), Dim: s.models.passage.Dim()}
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
				_, err = s.rebuild(ctx, nil)
			}
			return err
		})
	}
	switch {
	case err != nil && !s.Backend.embedded && errors.Is(err, fault.ErrOutage):
		return fmt.Errorf("open collection: %w (MNEMOND_QDRANTSTORE_ADDRESS)", err)
	case err != nil:
		return fmt.Errorf("open collection: %w", err)
	}
	return nil
}

// Rebuild replays the ledger into new collections, while writes go on, and drops the old
// ones. It waits for a rebuild or an erasure of another process to end. Progress may be nil.
func (s *Stack) Rebuild(ctx context.Context, progress func(done int, left uint64)) (report project.Report, err error) {
	if s.models == nil { // nothing else was opened
		if err := s.openModels(ctx); err != nil {
			return report, err
		}
	}
	err = s.alone(ctx, leaseRebuild, func(ctx context.Context) error {
		report, err = s.rebuild(ctx, progress)
		return err
	})
	return report, err
}

func (s *Stack) rebuild(ctx context.Context, progress func(done int, left uint64)) (project.Report, error) {
	target, err := qdrantstore.StartRebuild(ctx, s.Backend.Qdrant, s.model())
	if err != nil {
		return project.Report{}, err
	}
	report, err := project.Rebuild(ctx, project.Rebuilding{
		Log: replayer{s.Log}, Traces: s.traces(), Target: target, Embed: s.models.passage, Progress: progress,
	})
	if err != nil {
		return report, err
	}
	if s.Store == nil { // else it is known by the aliases, which have moved
		s.Store = target.Published()
	}
	return report, target.DropOld(ctx)
}

// traces are those of as long as the stream keeps them.
func (s *Stack) traces() traces {
	return traces{s.Recalls, func() time.Time { return time.Time{} }}
}

func (s *Stack) wire() error {
	var err error
	s.Projector = project.New(project.Config{
		Log: s.Log, Store: s.Store, Embed: s.models.passage, Questions: s.Questions, Erasures: s.erasures,
		Vectors: s.erasures.vectors,
	})
	s.Decider = &decide.Decider{Ledger: ledgerLog{s.Log}, Projector: s.Projector, Reached: s.options.Reached}
	var knowing consolidate.Known
	if s.models.reads {
		knowing = known{s}
	}
	s.Consolidate, err = consolidate.New(consolidate.Config{
		Events: eventLog{s.Events}, Ledger: ledgerLog{s.Log}, Threads: stream.NewThreads(s.js, s.names), Memories: s.Store,
		Projector: s.Projector, Recalls: s.traces(), Erasures: s.erasures, Dead: deadLetters{s.Dead, s.Events, s.erasures, s.place(stream.PlaceDead)},
		Known: knowing, Extractor: s.models.extractor, Registry: s.Registry, Policies: s.Policies, Secret: s.secret,
		Now: s.options.Now, Logger: s.options.Logger, Reached: s.options.Reached,
	})
	if err != nil {
		return err
	}
	s.Recall = recall.New(recall.Config{
		Find: s.finding(), Lists: s.Store, Ledger: s.Log, Passages: s.models.passage, Questions: s.Questions, Traces: s.traces(),
		Policies: s.Policies, Now: s.options.Now,
	})
	s.Shelve = shelve.New(shelve.Config{
		Decider: s.Decider, Documents: s.Store, Vectors: s.Store, Find: find.New(s.finding()), Now: s.options.Now,
	})
	s.Teller = recall.NewTeller(s.traces(), s.Store, s.options.Now)
	s.Curate = curate.New(curate.Config{
		Decider: s.Decider, Batch: ledgerLog{s.Log}, Late: s.erasures, Memories: s.Store, Documents: s.Store, Words: s.Consolidate, Threads: settler{s}, Ledger: s.Log, Questions: s.Questions, Events: s.Events, Owners: owners{s.Log},
		Records: records{s.erasures.Erasures}, Fences: s.Log, Places: s.places(), Registry: s.Registry, Policies: s.Policies, Secret: s.secret,
		Alone: func(ctx context.Context, f func(context.Context) error) error { return s.alone(ctx, leaseRebuild, f) },
		Now:   s.options.Now,
	})
	s.Reap = reap.New(reap.Config{
		Memories: s.Store, Documents: s.Store, Uses: s.Store, Ledger: s.Log, Traces: s.traces(), Decider: s.Decider, Policies: s.Policies,
		Registry: s.Registry, Secret: s.secret, Rewrite: purge.Purger{Registry: s.Registry, Secret: s.secret}.Rewrite,
		Logger: s.options.Logger, Reached: s.options.Reached,
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
	return s.Store.Check(ctx)
}
