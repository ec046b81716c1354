// Package consolidate turns what was said in a thread into change sets: gather, guard,
// extract, verify, reconcile, append, project. It owns the order of these steps and what a
// crash between any two of them means; it never writes a memory except through the ledger.
package consolidate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

// EventLog reads what was said. A thread's events come in the order of the log.
type EventLog interface {
	// ReadThread returns up to limit events after the sequence, and whether there are more.
	ReadThread(ctx context.Context, r memory.ThreadRef, after uint64, limit int) ([]event.Stored, bool, error)
	// Get returns one event of the thread, or event.ErrGone.
	Get(ctx context.Context, r memory.ThreadRef, seq uint64) (event.Stored, error)
}

// Threads caches the fold of a thread's checkpoints. What it loses is folded again.
type Threads interface {
	Load(ctx context.Context, r memory.ThreadRef) (data []byte, ok bool, err error)
	Store(ctx context.Context, r memory.ThreadRef, data []byte) error
}

// Memories is the collection, read for one owner.
type Memories interface {
	// Needed returns the memories that a decision needs.
	Needed(ctx context.Context, s memory.Scope, n reconcile.Needs) ([]memory.Memory, error)
	// Checkpoints returns a thread's, of the change sets after the sequence, in order.
	Checkpoints(ctx context.Context, s memory.Scope, t memory.Thread, after uint64) ([]index.Checkpoint, error)
}

// Recalls knows what recall has handed out of late.
type Recalls interface {
	// HandedOut returns the memories of a recall of the owner; none when it is not known.
	HandedOut(ctx context.Context, s memory.Scope, recall string) ([]memory.ID, error)
	// Attach keeps what was told about a recall of the owner, once. It is no error that the
	// recall is not known: then nothing is kept.
	Attach(ctx context.Context, s memory.Scope, t Told) error
}

// Erasures keeps those who were erased from being learnt again by who was at work on them.
type Erasures interface {
	// Fence is the sequence in MEM_EVENTS up to which the owner's events are erased; 0 when
	// nothing of the owner was ever erased.
	Fence(ctx context.Context, s memory.Scope) (uint64, error)
	// TakeBack deletes a change set that an erasure has overtaken, and all that it has made.
	TakeBack(ctx context.Context, s memory.Scope, seq uint64) error
}

// DeadLetters keeps what is given up on. Putting the same letter again has no effect.
type DeadLetters interface {
	Put(ctx context.Context, d event.DeadLetter) error
}

// Extractor finds candidates and directives in messages.
type Extractor interface {
	Extract(ctx context.Context, in memory.Extraction) ([]memory.Candidate, []memory.Directive, error)
}

// Known looks up what an extractor has to know of an owner.
type Known interface {
	// Known returns the owner's memories that could matter to what is said, the most
	// relevant first, and what stands in an open question.
	Known(ctx context.Context, s memory.Scope, messages []memory.Message) ([]memory.Memory, error)
}

// The points between two steps that are consolidation's own, beside those of every decision.
const (
	StepGathered  decide.Step = "gathered"
	StepExtracted decide.Step = "extracted"
	StepCached    decide.Step = "cached"
)

// Steps lists every point, in order.
var Steps = slices.Concat([]decide.Step{StepGathered, StepExtracted}, decide.Steps, []decide.Step{StepCached})

// Config is what a Service is made of. All but Known and Reached is required.
type Config struct {
	Events    EventLog
	Ledger    decide.Ledger
	Threads   Threads
	Memories  Memories
	Projector decide.Projector
	Recalls   Recalls
	Erasures  Erasures
	Dead      DeadLetters
	// Known is nil for an extractor that does not ask.
	Known     Known
	Extractor Extractor
	Registry  *profile.Registry
	Policies  retention.Policies
	// Secret keys the hashes of tombstones.
	Secret []byte
	// Now is the clock of decisions.
	Now    func() time.Time
	Logger *slog.Logger
	// Reached is called at each of Steps. Default: nothing.
	Reached func(decide.Step)
}

// Service consolidates threads.
type Service struct {
	Config
	decider  decide.Decider
	tracer   trace.Tracer
	messages metric.Int64Counter
	refused  metric.Int64Counter
}

// New returns a service; it starts nothing.
func New(c Config) (*Service, error) {
	if c.Reached == nil {
		c.Reached = func(decide.Step) {}
	}
	const scope = "github.com/mnemond/mnemond/pkg/consolidate"
	s := &Service{
		Config: c, tracer: otel.Tracer(scope),
		decider: decide.Decider{Ledger: c.Ledger, Projector: c.Projector, Reached: c.Reached},
	}
	meter := otel.Meter(scope)
	var err error
	if s.messages, err = meter.Int64Counter("mnemond.messages",
		metric.WithDescription("Messages consolidated, by outcome.")); err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	if s.refused, err = meter.Int64Counter("mnemond.candidates.rejected",
		metric.WithDescription("Candidates refused, by reason.")); err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	return s, nil
}

// Thread consolidates everything in the thread after its checkpoint. It returns nil when
// the checkpoint has reached the thread's head, whoever moved it there.
func (s *Service) Thread(ctx context.Context, r memory.ThreadRef) error {
	if err := r.Validate(); err != nil {
		return fmt.Errorf("consolidate: %w", err)
	}
	ctx, span := s.tracer.Start(ctx, "consolidate")
	defer span.End()
	for {
		more, err := s.batch(ctx, r)
		if err != nil {
			return fmt.Errorf("consolidate thread: %w", err)
		}
		if !more {
			return nil
		}
	}
}

// batch consolidates one bounded piece of the thread and reports whether more is left.
func (s *Service) batch(ctx context.Context, r memory.ThreadRef) (more bool, err error) {
	state, err := s.state(ctx, r)
	if err != nil {
		return false, err
	}
	g, err := s.gather(ctx, r, &state)
	if err != nil {
		return false, err
	}
	if g.empty() {
		return false, nil
	}
	s.Reached(StepGathered)
	link(ctx, g.fresh)
	if err := s.attach(ctx, r.Scope(), g.told); err != nil {
		return false, err
	}
	found, err := s.extract(ctx, r.Scope(), g)
	if err != nil {
		return false, err
	}
	s.Reached(StepExtracted)
	done, err := s.commit(ctx, r, &state, g, found)
	if errors.Is(err, errOvertaken) {
		s.Logger.DebugContext(ctx, "another worker consolidated the thread", "after", state.Seq)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	s.count(ctx, done)
	return g.more, nil
}

// Again consolidates the whole thread once more, from the first event that is still there,
// whatever its checkpoint: what is known by its evidence stays as it is, and what was
// forgotten stays forgotten.
func (s *Service) Again(ctx context.Context, r memory.ThreadRef) error {
	if err := r.Validate(); err != nil {
		return fmt.Errorf("consolidate: %w", err)
	}
	for after, more := uint64(0), true; more; {
		g, err := s.once(ctx, r, after)
		if errors.Is(err, errOvertaken) {
			continue
		}
		if err != nil {
			return fmt.Errorf("consolidate thread again: %w", err)
		}
		if g.empty() {
			return nil
		}
		after, more = g.upTo, g.more
	}
	return nil
}

// once consolidates one bounded piece of the thread after the event, whatever its checkpoint.
func (s *Service) once(ctx context.Context, r memory.ThreadRef, after uint64) (*gathered, error) {
	state, err := s.state(ctx, r)
	if err != nil {
		return nil, err
	}
	past := ledger.ThreadState{LedgerSeq: state.LedgerSeq, Checkpoint: state.Checkpoint, Seq: after}
	g, err := s.gather(ctx, r, &past)
	if err != nil || g.empty() {
		return g, err
	}
	found, err := s.extract(ctx, r.Scope(), g)
	if err != nil {
		return nil, err
	}
	_, _, err = s.append(ctx, r, &past, g, found)
	return g, err
}

// Park gives up on everything in the thread after its checkpoint: the events go to the
// dead letters first, and then a change set passes them.
func (s *Service) Park(ctx context.Context, r memory.ThreadRef, attempts int, reason, detail string) error {
	for {
		state, err := s.state(ctx, r)
		if err != nil {
			return fmt.Errorf("park thread: %w", err)
		}
		g, err := s.gather(ctx, r, &state)
		if err != nil {
			return fmt.Errorf("park thread: %w", err)
		}
		if g.empty() {
			return nil
		}
		if len(g.fresh) > 0 {
			err := s.Dead.Put(ctx, event.DeadLetter{
				Stage: "consolidate", Reason: reason, Detail: detail, Attempts: attempts,
				At: s.Now(), Ref: r, Events: g.fresh,
			})
			if err != nil {
				return fmt.Errorf("park thread: %w", err)
			}
		}
		g.parked = true
		_, err = s.commit(ctx, r, &state, g, extraction{})
		if err != nil && !errors.Is(err, errOvertaken) {
			return fmt.Errorf("park thread: %w", err)
		}
		if err == nil && !g.more {
			return nil
		}
	}
}

// maxLinks bounds the senders' traces that a consolidation's span refers to.
const maxLinks = 16

// link refers from the consolidation to the requests that its events came with.
func link(ctx context.Context, events []event.Stored) {
	span := trace.SpanFromContext(ctx)
	for _, e := range events[:min(len(events), maxLinks)] {
		carrier := propagation.MapCarrier{"traceparent": e.TraceParent, "tracestate": e.TraceState}
		if sender := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier)); sender.IsValid() {
			span.AddLink(trace.Link{SpanContext: sender})
		}
	}
}

func (s *Service) count(ctx context.Context, c *ledger.ChangeSet) {
	n := c.Checkpoint.Counts
	for outcome, v := range map[string]int{
		"remembered": n.Remembered, "refreshed": n.Refreshed, "rejected": n.Rejected,
		"nothing": n.Nothing, "parked": n.Parked,
	} {
		if v > 0 {
			s.messages.Add(ctx, int64(v), metric.WithAttributes(attr("outcome", outcome)))
		}
	}
	for _, r := range c.Rejections {
		s.refused.Add(ctx, int64(r.Count), metric.WithAttributes(attr("reason", r.Reason)))
	}
}
