package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Measure reads out of an event how many turns and tokens it adds to its thread and
// whether it closes it. An error says that the event is invalid; its text becomes the
// reason of a dead letter.
type Measure func(data []byte) (turns, tokens int, closes bool, err error)

// Reject parks an event that is invalid, or whose subject does not parse (its Ref is then
// zero). The event is acknowledged only once it has returned nil.
type Reject func(ctx context.Context, e StoredEvent, reason string) error

// SchedulerOptions are what a Scheduler needs besides its functions.
type SchedulerOptions struct {
	// Batch is how many events are taken at once; default 256, at most 1000.
	Batch int
	// Logger takes outages; nil drops them.
	Logger *slog.Logger
}

// Scheduler is the durable consumer "timers" of MEM_EVENTS. It sets and slides each
// thread's timer when its events have been stored, and acknowledges them when the timer
// has been. Any number of processes may run one.
type Scheduler struct {
	js      jetstream.JetStream
	timers  *Timers
	measure Measure
	reject  Reject
	opts    SchedulerOptions
}

// NewScheduler is a scheduler that sets those timers.
func NewScheduler(js jetstream.JetStream, timers *Timers, measure Measure, reject Reject, o SchedulerOptions) *Scheduler {
	defaultTo(&o.Batch, 256)
	o.Batch = min(o.Batch, maxBatchMessages)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Scheduler{js: js, timers: timers, measure: measure, reject: reject, opts: o}
}

// failurePause is how long a loop waits after something failed, before it goes on.
const failurePause = time.Second

// Run works until ctx ends, and then returns nil. What fails is tried again. It returns an
// error only if its consumer does not exist: run Topology.Ensure first.
func (s *Scheduler) Run(ctx context.Context) error {
	consumer, err := openConsumer(ctx, s.js, StreamEvents, ConsumerTimers)
	for err == nil {
		var msgs []jetstream.Msg
		msgs, err = fetch(ctx, consumer, s.opts.Batch, fetchWait)
		if err == nil && len(msgs) > 0 {
			err = s.round(ctx, msgs)
		}
		if err != nil && ctx.Err() == nil {
			s.opts.Logger.Warn("setting timers failed, trying again", "events", len(msgs), "error", err)
			pauseFor(ctx, failurePause)
			// If this is lost as well, the events come again after AckWait.
			for _, m := range msgs {
				_ = m.Nak()
			}
			err = nil
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func openConsumer(ctx context.Context, js jetstream.JetStream, stream, name string) (jetstream.Consumer, error) {
	var c jetstream.Consumer
	err := persist(ctx, Patience, func(ctx context.Context) (err error) {
		c, err = js.Consumer(ctx, stream, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open consumer %s of %s: %w", name, stream, err)
	}
	return c, nil
}

// round sets the timers for a batch of events and acknowledges them.
func (s *Scheduler) round(ctx context.Context, msgs []jetstream.Msg) error {
	arrivals := map[memory.ThreadRef]*arrival{}
	for _, msg := range msgs {
		m, err := delivered(msg)
		if err != nil {
			return err
		}
		if err := s.take(ctx, arrivals, m); err != nil {
			return err
		}
	}
	for {
		timers, err := s.slide(ctx, arrivals)
		if err != nil {
			return err
		}
		if len(timers) == 0 {
			break
		}
		// A conflict means that another process has set, or the server fired, one of them.
		if err = s.timers.set(ctx, timers); err == nil {
			break
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	for _, msg := range msgs {
		// An event whose ack is lost comes again and slides its timer once more.
		_ = msg.Ack()
	}
	return nil
}

// take adds one event to its thread's arrival, or has it parked.
func (s *Scheduler) take(ctx context.Context, arrivals map[memory.ThreadRef]*arrival, m message) error {
	ref, err := ParseThreadSubject(m.subject)
	var turns, tokens int
	var closes bool
	if err == nil {
		turns, tokens, closes, err = s.measured(m.data)
	}
	if err != nil {
		if err := s.reject(ctx, storedEvent(m, ref), err.Error()); err != nil {
			return fmt.Errorf("park event %d: %w", m.seq, err)
		}
		return nil
	}
	a, ok := arrivals[ref]
	if !ok {
		a = &arrival{ref: ref, first: m.at, last: m.at}
		arrivals[ref] = a
	}
	a.turns += turns
	a.tokens += tokens
	a.closes = a.closes || closes
	if m.at.Before(a.first) {
		a.first = m.at
	}
	if m.at.After(a.last) {
		a.last = m.at
	}
	a.seq = max(a.seq, m.seq)
	return nil
}

// measured asks the injected function, and takes a panic for "invalid": the event would be
// delivered again for ever.
func (s *Scheduler) measured(data []byte) (turns, tokens int, closes bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("measuring the event panicked (%T)", v)
		}
	}()
	return s.measure(data)
}

// slideReads is how many timers are read at a time.
const slideReads = 8

// slide reads the pending timer of each thread and makes the new one.
func (s *Scheduler) slide(ctx context.Context, arrivals map[memory.ThreadRef]*arrival) ([]timer, error) {
	timers := make([]timer, len(arrivals))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(slideReads)
	i := 0
	for _, a := range arrivals {
		slot := &timers[i]
		i++
		g.Go(func() error {
			name := s.timers.names.thread(a.ref)
			p, seq, err := s.timers.pending(ctx, name)
			if err != nil {
				return err
			}
			slot.name, slot.expect = name, seq
			slot.pending, slot.due, slot.atOnce = s.timers.opts.slide(p, *a)
			return nil
		})
	}
	return timers, g.Wait()
}
