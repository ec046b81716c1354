package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/mnemond/mnemond/pkg/memory"
)

// MaxTraceBytes is the largest trace of a recall.
const MaxTraceBytes = 64 << 10

// Trace says what a recall has handed out. What its data means is up to who writes and
// reads it.
type Trace struct {
	Tenant memory.Tenant
	User   memory.User
	// Data is at most MaxTraceBytes.
	Data []byte
	// Seq is where a stored trace stands, and StoredAt when it was stored, by the server's
	// clock.
	Seq      uint64
	StoredAt time.Time
}

// RecallsOptions are the limits of Recalls. The zero value is the defaults.
type RecallsOptions struct {
	// Queue is how many traces wait to be stored; default 1024. Beyond it they are dropped.
	Queue int
	// Patience is for how long traces are kept for a stream without a leader; default
	// Patience.
	Patience time.Duration
	// Logger takes outages; nil drops them.
	Logger *slog.Logger
	// Meter counts the traces that are dropped; nil counts nothing.
	Meter metric.Meter
}

// Recalls is the recall traces in MEM_RECALLS, and what was told about them. Losing one is
// harmless, and a recall never waits for its trace.
type Recalls struct {
	source
	opts    RecallsOptions
	queue   chan Trace
	dropped metric.Int64Counter
}

// NewRecalls is the recall traces in MEM_RECALLS.
func NewRecalls(js jetstream.JetStream, o RecallsOptions) (*Recalls, error) {
	defaultTo(&o.Queue, 1024)
	defaultTo(&o.Patience, Patience)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Meter == nil {
		o.Meter = noop.NewMeterProvider().Meter("")
	}
	dropped, err := o.Meter.Int64Counter("mnemond.recalls.dropped",
		metric.WithDescription("Recall traces that were not stored: too many waited, or the stream could not be reached."))
	if err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	return &Recalls{source: source{js: js, name: StreamRecalls}, opts: o, queue: make(chan Trace, o.Queue), dropped: dropped}, nil
}

// Publish hands a trace to Run, and returns at once. A trace that finds the queue full, is
// too large or has no valid user is dropped and counted.
func (r *Recalls) Publish(ctx context.Context, t Trace) {
	if memory.UserScope(t.Tenant, t.User).Validate() != nil || len(t.Data) > MaxTraceBytes {
		r.dropped.Add(ctx, 1)
		return
	}
	select {
	case r.queue <- t:
	default:
		r.dropped.Add(ctx, 1)
	}
}

// Put stores a trace, and returns when it is stored.
func (r *Recalls) Put(ctx context.Context, t Trace) error {
	if err := memory.UserScope(t.Tenant, t.User).Validate(); err != nil {
		return err
	}
	if len(t.Data) > MaxTraceBytes {
		return fmt.Errorf("store trace: %d bytes are more than %d", len(t.Data), MaxTraceBytes)
	}
	return persist(ctx, r.opts.Patience, func(ctx context.Context) error {
		_, err := publishAtomically(ctx, r.js, []*nats.Msg{r.message(t)})
		return err
	})
}

func (r *Recalls) message(t Trace) *nats.Msg {
	m := nats.NewMsg(RecallsSubject(t.Tenant, t.User))
	m.Data = t.Data
	return m
}

// Run stores the traces until ctx ends; then it stores what waits still, if that can be
// done at once, and returns nil.
func (r *Recalls) Run(ctx context.Context) error {
	for {
		select {
		case t := <-r.queue:
			r.store(ctx, r.gather(t))
		case <-ctx.Done():
			for len(r.queue) > 0 {
				r.store(ctx, r.gather(<-r.queue))
			}
			return nil
		}
	}
}

// gather adds what waits already, as far as one batch has room.
func (r *Recalls) gather(first Trace) []Trace {
	batch, size := []Trace{first}, len(first.Data)
	for len(r.queue) > 0 && len(batch) < maxBatchMessages && size < maxBatchBytes-MaxTraceBytes {
		t := <-r.queue
		batch, size = append(batch, t), size+len(t.Data)
	}
	return batch
}

// store publishes a batch, or drops it. Stopping does not interrupt an attempt, only its
// repetition.
func (r *Recalls) store(ctx context.Context, batch []Trace) {
	err := persist(ctx, r.opts.Patience, func(attempt context.Context) error {
		unbroken, cancel := context.WithTimeout(context.WithoutCancel(attempt), attemptTimeout)
		defer cancel()
		msgs := make([]*nats.Msg, len(batch))
		for i, t := range batch {
			msgs[i] = r.message(t)
		}
		_, err := publishAtomically(unbroken, r.js, msgs)
		return err
	})
	if err != nil {
		r.opts.Logger.Warn("recall traces dropped", "traces", len(batch), "error", err)
		r.dropped.Add(context.WithoutCancel(ctx), int64(len(batch)))
	}
}

// Consume calls fn with the traces that arrive, in order, up to batch of them at a time, and
// then, unless there were as many, not again for interval; until ctx ends or fn fails. Its
// place is kept by a durable consumer of that name, which processes share. Traces are handed
// out again if fn fails, or takes longer than half a minute.
func (r *Recalls) Consume(ctx context.Context, name string, batch int, interval time.Duration, fn func(context.Context, []Trace) error) error {
	consumer, err := r.js.CreateOrUpdateConsumer(ctx, StreamRecalls, jetstream.ConsumerConfig{
		Durable: name, AckPolicy: jetstream.AckExplicitPolicy, DeliverPolicy: jetstream.DeliverAllPolicy,
		AckWait: durableAckWait, MaxDeliver: -1, MaxAckPending: 4 * batch,
	})
	if err != nil {
		return fmt.Errorf("open consumer %s of %s: %w", name, StreamRecalls, classify(ctx, err))
	}
	for {
		msgs, err := fetch(ctx, consumer, batch, fetchWait)
		if err == nil && len(msgs) > 0 {
			err = fn(ctx, traces(msgs))
		}
		for _, m := range msgs {
			// If it does not get through, the trace comes again after AckWait.
			if err == nil {
				_ = m.Ack()
			} else {
				_ = m.Nak()
			}
		}
		if err != nil {
			return fmt.Errorf("consume recall traces as %s: %w", name, err)
		}
		if len(msgs) > 0 && len(msgs) < batch && !pauseFor(ctx, interval) {
			return ctx.Err()
		}
	}
}

// traces reads delivered traces. What is none is left out: nobody but mnemond writes here.
func traces(msgs []jetstream.Msg) []Trace {
	out := make([]Trace, 0, len(msgs))
	for _, msg := range msgs {
		m, err := delivered(msg)
		if err != nil {
			continue
		}
		if t, err := newTrace(m); err == nil {
			out = append(out, t)
		}
	}
	return out
}

func newTrace(m message) (Trace, error) {
	ids, err := untokens(strings.TrimPrefix(m.subject, recallsPrefix), 2)
	if err != nil {
		return Trace{}, err
	}
	return Trace{Tenant: memory.Tenant(ids[0]), User: memory.User(ids[1]), Data: m.data, Seq: m.seq, StoredAt: m.at}, nil
}

// Since calls fn for every trace that was stored at from or later and is there now, in
// order, and returns fn's first error as it is.
func (r *Recalls) Since(ctx context.Context, from time.Time, fn func(context.Context, Trace) error) error {
	last, err := r.lastSeq(ctx)
	if err != nil {
		return err
	}
	first, err := r.firstSince(ctx, recallsPrefix+">", from)
	if err != nil || first == 0 {
		return err
	}
	return r.readStreaming(ctx, recallsPrefix+">", first-1, last, func(m message) error {
		t, err := newTrace(m)
		if err != nil {
			return nil
		}
		return fn(ctx, t)
	})
}

// Of calls fn for every trace of the user that was stored at from or later and is there, in
// order, and returns fn's first error as it is. A zero time is for all.
func (r *Recalls) Of(ctx context.Context, t memory.Tenant, u memory.User, from time.Time, fn func(context.Context, Trace) error) error {
	if err := memory.UserScope(t, u).Validate(); err != nil {
		return err
	}
	first := uint64(1)
	if !from.IsZero() {
		var err error
		if first, err = r.firstSince(ctx, RecallsSubject(t, u), from); err != nil || first == 0 {
			return err
		}
	}
	return r.read(ctx, RecallsSubject(t, u), first-1, everything, func(m message) error {
		trace, err := newTrace(m)
		if err != nil {
			return err
		}
		return fn(ctx, trace)
	})
}

// Last is when the user's last trace was stored; zero when there is none.
func (r *Recalls) Last(ctx context.Context, t memory.Tenant, u memory.User) (time.Time, error) {
	if err := memory.UserScope(t, u).Validate(); err != nil {
		return time.Time{}, err
	}
	m, err := r.last(ctx, RecallsSubject(t, u))
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	return m.at, err
}

// Delete deletes traces and overwrites their bytes. One that is gone is no error.
func (r *Recalls) Delete(ctx context.Context, seqs ...uint64) error {
	for _, seq := range seqs {
		if err := r.overwrite(ctx, seq); err != nil {
			return fmt.Errorf("delete trace %d: %w", seq, err)
		}
	}
	return nil
}
