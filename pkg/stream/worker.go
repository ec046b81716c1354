package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Job is a thread that is due.
type Job struct {
	Ref memory.ThreadRef
	// Attempt is how many attempts have failed before; 0 at the first.
	Attempt int
	// Deliveries is how often the job was handed out, this time included. More than one
	// means that a process died on it, or was stopped during it.
	Deliveries uint64
}

// Handler does the work of a Worker.
type Handler interface {
	// Handle consolidates the thread from its checkpoint to its head. Its error's class
	// decides what follows: see Worker.
	Handle(ctx context.Context, j Job) error
	// Park gives up on what is pending in the thread: it copies the events to the dead
	// letters, and passes them. Reason is one of the Reason constants; cause may be nil.
	// It may be called again for what it has parked already.
	Park(ctx context.Context, j Job, reason string, cause error) error
}

// Why a thread's pending events are parked.
const (
	ReasonPermanent = "permanent"
	ReasonAttempts  = "attempts"
	ReasonPanicked  = "panicked"
	ReasonCrashed   = "crashed"
)

// The outcomes that a Worker counts, as the attribute "outcome" of mnemond.worker.jobs.
const (
	OutcomeOK          = "ok"
	OutcomeRetry       = "retry"
	OutcomeWaiting     = "waiting"
	OutcomeParked      = "parked"
	OutcomeInterrupted = "interrupted"
	// OutcomeGone is a thread whose pending events have been erased, or have expired.
	OutcomeGone = "gone"
)

// WorkerOptions are the limits of a Worker. The zero value is the defaults.
type WorkerOptions struct {
	// Concurrency is how many threads are worked on at a time; default 4.
	Concurrency int
	// MaxAttempts is after how many failed attempts a thread is parked; default 5.
	MaxAttempts int
	// MaxCrashes is after how many deliveries without an outcome it is parked without
	// another try; default 3.
	MaxCrashes int
	// AckWait is that of the consumer, Options.AckWait; a job shows a sign of life every
	// third of it. Default 30 s.
	AckWait time.Duration
	// BackoffMin and BackoffMax bound the delays that an error does not give itself: they
	// double, with jitter. Defaults 1 s and 1 min.
	BackoffMin, BackoffMax time.Duration
	// StopTimeout is how long running jobs may go on after Run's context has ended;
	// default 20 s.
	StopTimeout time.Duration
	// Logger takes failures, by thread and never with text of it; nil drops them.
	Logger *slog.Logger
	// Meter counts the outcomes; nil counts nothing.
	Meter metric.Meter
}

func (o WorkerOptions) withDefaults() WorkerOptions {
	defaultTo(&o.Concurrency, 4)
	defaultTo(&o.MaxAttempts, 5)
	defaultTo(&o.MaxCrashes, 3)
	defaultTo(&o.AckWait, 30*time.Second)
	defaultTo(&o.BackoffMin, time.Second)
	defaultTo(&o.BackoffMax, time.Minute)
	defaultTo(&o.StopTimeout, 20*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Meter == nil {
		o.Meter = noop.NewMeterProvider().Meter("")
	}
	return o
}

// Worker is the durable consumer "extractor" of MEM_TIMERS. What the handler returns
// decides: nil is acknowledged; a permanent error, or any on the last attempt, or a second
// panic, is parked; an outage waits in a new timer and is not an attempt; every other
// error is an attempt and tries again from a new timer. A delay is always a new timer and
// an ack, never a delayed nak.
type Worker struct {
	js       jetstream.JetStream
	timers   *Timers
	handler  Handler
	opts     WorkerOptions
	outcomes metric.Int64Counter
}

// NewWorker is a worker that has h handle the threads whose timers fire.
func NewWorker(js jetstream.JetStream, timers *Timers, h Handler, o WorkerOptions) (*Worker, error) {
	o = o.withDefaults()
	outcomes, err := o.Meter.Int64Counter("mnemond.worker.jobs",
		metric.WithDescription("Threads that were due, by what became of the attempt."))
	if err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	return &Worker{js: js, timers: timers, handler: h, opts: o, outcomes: outcomes}, nil
}

// Run works until ctx ends. Then it fetches nothing more, gives the running jobs
// StopTimeout to end, cancels them, and returns nil when all have. It returns an error only
// if its consumer does not exist: run Topology.Ensure first.
func (w *Worker) Run(ctx context.Context) error {
	consumer, err := openConsumer(ctx, w.js, StreamTimers, ConsumerExtractor)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	work, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(w.opts.StopTimeout, abort) })()
	var slots sync.WaitGroup
	for range w.opts.Concurrency {
		slots.Go(func() { w.slot(ctx, work, consumer) })
	}
	slots.Wait()
	return nil
}

// slot handles one job after the other; a job is fetched only when the slot is free.
func (w *Worker) slot(ctx, work context.Context, consumer jetstream.Consumer) {
	for ctx.Err() == nil {
		msg, err := fetchOne(ctx, consumer)
		switch {
		case ctx.Err() != nil && msg == nil:
		case err != nil:
			w.opts.Logger.Warn("fetching due threads failed, trying again", "error", err)
			pauseFor(ctx, failurePause)
		case msg != nil:
			w.process(work, msg)
		}
	}
}

// process handles one delivery to its end.
func (w *Worker) process(ctx context.Context, msg jetstream.Msg) {
	meta, err := msg.Metadata()
	if err != nil {
		w.opts.Logger.Error("due message is not the stream's, dropped", "error", err)
		w.settle(ctx, msg.Term(), OutcomeParked)
		return
	}
	name := strings.TrimPrefix(msg.Subject(), timerDuePrefix)
	p := decodePending(msg.Data())
	job := Job{Attempt: p.Attempt, Deliveries: meta.NumDelivered}
	stop := keepAlive(msg, w.opts.AckWait/3)
	defer stop()
	v := w.work(ctx, &job, p)
	if v.outcome != OutcomeOK && v.outcome != OutcomeGone {
		w.opts.Logger.Warn("thread not consolidated", "outcome", v.outcome, "reason", v.reason, "tenant", job.Ref.Tenant,
			"user", job.Ref.User, "thread", job.Ref.Thread, "attempt", job.Attempt, "deliveries", job.Deliveries, "error", v.cause)
	}
	switch v.outcome {
	case OutcomeInterrupted:
		w.settle(ctx, msg.Nak(), v.outcome)
	case OutcomeRetry, OutcomeWaiting:
		unbroken, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*Patience)
		defer cancel()
		if err := w.timers.again(unbroken, name, v.counts, v.after); err != nil {
			w.opts.Logger.Error("setting a new timer failed, the job comes again after AckWait", "error", err)
			w.count(ctx, v.outcome)
			return
		}
		w.settle(ctx, msg.Ack(), v.outcome)
	default:
		w.settle(ctx, msg.Ack(), v.outcome)
	}
}

// settle counts an outcome. An ack that did not get through brings the job again; it then
// finds nothing pending.
func (w *Worker) settle(ctx context.Context, err error, outcome string) {
	if err != nil {
		w.opts.Logger.Warn("acknowledging failed, the job comes again after AckWait", "outcome", outcome, "error", err)
	}
	w.count(ctx, outcome)
}

// safely calls f and turns a panic into errPanic. The panic's value is not logged, since
// it may hold text of the thread.
func (w *Worker) safely(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			w.opts.Logger.Error("handler panicked", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			err = fmt.Errorf("%w (%T)", errPanic, v)
		}
	}()
	return f()
}

var errPanic = errors.New("handler panicked")
