package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Pending is the payload of a timer: what whoever slides or repeats it must know. To the
// worker a fire is only a trigger, which reads the thread from its checkpoint to its head;
// it takes no more than the counts from here, and which thread it is. It names no one,
// since the server does not overwrite timers that are replaced or done.
type Pending struct {
	// Seq is the sequence in MEM_EVENTS of the last event that is pending. The event's
	// subject says which thread is due; when the event is gone, nothing is.
	Seq uint64 `json:"seq"`
	// FirstPending is when the first event was stored that nobody has looked at yet.
	FirstPending time.Time `json:"first_pending"`
	// Turns and Tokens are the size of what is pending.
	Turns  int `json:"turns"`
	Tokens int `json:"tokens"`
	// Attempt is how many attempts at the thread have failed, Panics how many of those
	// panicked, and Waits how often an outage has postponed it since.
	Attempt int `json:"attempt,omitempty"`
	Panics  int `json:"panics,omitempty"`
	Waits   int `json:"waits,omitempty"`
	// Crashed says that processes died on the thread, and that it is to be parked.
	Crashed bool `json:"crashed,omitempty"`
	// NotBefore is the end of a delay that was asked for.
	NotBefore time.Time `json:"not_before,omitzero"`
}

// TimerOptions say when a thread is due. The zero value is the defaults.
type TimerOptions struct {
	// Quiet is how long nothing must be said; default 30 s.
	Quiet time.Duration
	// MaxWait is how long a thread that never falls quiet waits at most; default 5 min.
	MaxWait time.Duration
	// MaxTurns and MaxTokens are the size at which a thread is due at once; default 20
	// turns, 6,000 tokens.
	MaxTurns, MaxTokens int
}

func (o TimerOptions) withDefaults() TimerOptions {
	defaultTo(&o.Quiet, 30*time.Second)
	defaultTo(&o.MaxWait, 5*time.Minute)
	defaultTo(&o.MaxTurns, 20)
	defaultTo(&o.MaxTokens, 6000)
	return o
}

// arrival is what a thread's new events add to its pending timer.
type arrival struct {
	ref           memory.ThreadRef
	turns, tokens int
	closes        bool
	// first and last are when the first and the last of them were stored, and seq is the
	// last one's sequence.
	first, last time.Time
	seq         uint64
}

// slide folds an arrival into a pending timer (the zero Pending if there is none) and says
// when it is due; at once, if it need not be scheduled. Only the server's times count, so
// no clock is asked.
func (o TimerOptions) slide(p Pending, a arrival) (next Pending, due time.Time, atOnce bool) {
	if p.FirstPending.IsZero() || a.first.Before(p.FirstPending) {
		p.FirstPending = a.first
	}
	p.Seq = max(p.Seq, a.seq)
	p.Turns += a.turns
	p.Tokens += a.tokens
	due = a.last.Add(o.Quiet)
	if limit := p.FirstPending.Add(o.MaxWait); limit.Before(due) {
		due = limit
	}
	full := p.Turns >= o.MaxTurns || p.Tokens >= o.MaxTokens
	if (a.closes || full) && a.last.Before(due) {
		due = a.last
	}
	if due.Before(p.NotBefore) {
		return p, p.NotBefore, false
	}
	return p, due, !due.After(a.last)
}

// Timers sets the threads' timers: one message schedule per thread in MEM_TIMERS, which
// the server fires however often our processes restart.
type Timers struct {
	source
	events source
	names  Names
	opts   TimerOptions
	now    func() time.Time
}

// NewTimers is the timers in MEM_TIMERS. Now is the clock that delays are counted from.
func NewTimers(js jetstream.JetStream, names Names, o TimerOptions, now func() time.Time) *Timers {
	return &Timers{
		source: source{js: js, name: StreamTimers}, events: source{js: js, name: StreamEvents},
		names: names, opts: o.withDefaults(), now: now,
	}
}

// Retry makes the thread due once more after that delay, with that many failed attempts.
// A pending timer is merged: what it knows is kept, and it fires no earlier either. In a
// thread without events nothing is due.
func (t *Timers) Retry(ctx context.Context, r memory.ThreadRef, attempt int, after time.Duration) error {
	head, err := t.threadHead(ctx, r)
	if err != nil || head == 0 {
		return err
	}
	return t.again(ctx, t.names.thread(r), Pending{Seq: head, Attempt: attempt}, after)
}

// Now makes the thread due at once, whatever its timer says. In a thread without events
// nothing is due.
func (t *Timers) Now(ctx context.Context, r memory.ThreadRef) error {
	head, err := t.threadHead(ctx, r)
	if err != nil || head == 0 {
		return err
	}
	name := t.names.thread(r)
	return t.modify(ctx, name, func(p Pending) timer {
		p.Seq = max(p.Seq, head)
		return timer{name: name, pending: p, due: t.now(), atOnce: true}
	})
}

// threadHead is the sequence of the thread's last event; 0 when there is none.
func (t *Timers) threadHead(ctx context.Context, r memory.ThreadRef) (uint64, error) {
	if err := r.Validate(); err != nil {
		return 0, err
	}
	head, err := t.events.head(ctx, EventSubject(r))
	if err != nil {
		return 0, fmt.Errorf("read head of thread: %w", err)
	}
	return head, nil
}

// thread is the thread that a timer is for; ErrNotFound when its event is gone, and with
// it all that came before.
func (t *Timers) thread(ctx context.Context, p Pending) (memory.ThreadRef, error) {
	m, err := t.events.at(ctx, p.Seq)
	if err != nil {
		return memory.ThreadRef{}, fmt.Errorf("read event of timer: %w", err)
	}
	r, err := ParseThreadSubject(m.subject)
	if err != nil {
		return r, fmt.Errorf("%w: event of timer: %w", ErrNotFound, err)
	}
	return r, nil
}

// again is Retry with all the counts, for the thread of that name; of each the higher one
// stays.
func (t *Timers) again(ctx context.Context, name string, counts Pending, after time.Duration) error {
	notBefore := t.now().Add(after).UTC()
	return t.modify(ctx, name, func(p Pending) timer {
		p.Seq = max(p.Seq, counts.Seq)
		p.Attempt = max(p.Attempt, counts.Attempt)
		p.Panics = max(p.Panics, counts.Panics)
		p.Waits = max(p.Waits, counts.Waits)
		p.Crashed = p.Crashed || counts.Crashed
		if p.NotBefore.Before(notBefore) {
			p.NotBefore = notBefore
		}
		return timer{name: name, pending: p, due: p.NotBefore}
	})
}

// modify replaces one thread's timer by what change makes of it, by compare-and-set.
func (t *Timers) modify(ctx context.Context, name string, change func(Pending) timer) error {
	for {
		p, seq, err := t.pending(ctx, name)
		if err != nil {
			return err
		}
		if p.FirstPending.IsZero() {
			p.FirstPending = t.now().UTC()
		}
		next := change(p)
		next.expect = seq
		if err := t.set(ctx, []timer{next}); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

// pending reads the thread's timer and its sequence; both are zero when there is none.
func (t *Timers) pending(ctx context.Context, name string) (Pending, uint64, error) {
	m, err := t.last(ctx, timerSetPrefix+name)
	if errors.Is(err, ErrNotFound) {
		return Pending{}, 0, nil
	}
	if err != nil {
		return Pending{}, 0, fmt.Errorf("read timer: %w", err)
	}
	return decodePending(m.data), m.seq, nil
}

// decodePending reads a timer's payload. One that does not decode counts as empty.
func decodePending(data []byte) Pending {
	var p Pending
	if json.Unmarshal(data, &p) != nil {
		return Pending{}
	}
	return p
}

// timer is one timer to set, or to fire at once.
type timer struct {
	// name is the thread's: see Names.
	name    string
	pending Pending
	due     time.Time
	atOnce  bool
	// expect is the sequence of the timer that it replaces; 0 for none.
	expect uint64
}

// set stores all timers, at most maxBatchMessages, in one atomic batch; ErrConflict if any
// of those that they replace has been set or fired in between.
func (t *Timers) set(ctx context.Context, timers []timer) error {
	err := persist(ctx, Patience, func(ctx context.Context) error {
		msgs := make([]*nats.Msg, len(timers))
		for i, timer := range timers {
			m, err := timer.msg()
			if err != nil {
				return err
			}
			msgs[i] = m
		}
		_, err := publishAtomically(ctx, t.js, msgs)
		return err
	})
	if err != nil {
		return fmt.Errorf("set %d timers: %w", len(timers), err)
	}
	return nil
}

func (t timer) msg() (*nats.Msg, error) {
	data, err := json.Marshal(t.pending)
	if err != nil {
		return nil, fmt.Errorf("encode timer: %w", err)
	}
	set, due := timerSetPrefix+t.name, timerDuePrefix+t.name
	m := nats.NewMsg(set)
	m.Data = data
	m.Header.Set(jetstream.ExpectedStreamHeader, StreamTimers)
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(t.expect, 10))
	if t.atOnce {
		// What the server itself stores when a schedule fires: it takes the schedule away.
		m.Subject = due
		m.Header.Set(jetstream.ExpectedLastSubjSeqSubjHeader, set)
		m.Header.Set(jetstream.SchedulerHeader, set)
		m.Header.Set(jetstream.ScheduleNextHeader, "purge")
		return m, nil
	}
	// The raw header: the client's option for it cuts the time to whole seconds, and so
	// fires early.
	m.Header.Set(jetstream.ScheduleHeader, "@at "+t.due.UTC().Format(time.RFC3339Nano))
	m.Header.Set(jetstream.ScheduleTargetHeader, due)
	return m, nil
}
