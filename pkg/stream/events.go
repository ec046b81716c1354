package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/semaphore"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/subject"
)

// Headers of mnemond's own.
const (
	// HeaderReceivedAt is when ingest took the event, in RFC 3339 with nanoseconds.
	HeaderReceivedAt = "Mnemond-Received-At"
	// HeaderReplay is the sequence of the dead letter that an event was replayed from.
	HeaderReplay = "Mnemond-Replay"
	// HeaderReplayedAt is when an event was replayed, in RFC 3339 with nanoseconds.
	HeaderReplayedAt = "Mnemond-Replayed-At"
)

// EventsOptions are the limits of Events. The zero value is the defaults.
type EventsOptions struct {
	// QueueBytes bounds the events that wait for their batch; default 64 MiB. At the
	// bound, Publish waits.
	QueueBytes int64
	// Patience is for how long a batch is repeated, with the same ids, while the stream
	// has no leader; default Patience.
	Patience time.Duration
}

// Events writes and reads MEM_EVENTS. Writing is a group commit: what arrives while a
// batch is on its way becomes the next batch, so that a sync to disk is shared. Run must
// be running for Publish to return.
type Events struct {
	source
	opts    EventsOptions
	room    *semaphore.Weighted
	queue   chan *publication
	stopped chan struct{}
}

// NewEvents is the event log in MEM_EVENTS.
func NewEvents(js jetstream.JetStream, o EventsOptions) *Events {
	defaultTo(&o.QueueBytes, 64<<20)
	defaultTo(&o.Patience, Patience)
	return &Events{
		source: source{js: js, name: StreamEvents}, opts: o,
		room:    semaphore.NewWeighted(o.QueueBytes),
		queue:   make(chan *publication, maxBatchMessages),
		stopped: make(chan struct{}),
	}
}

// OutgoingEvent is one event to publish.
type OutgoingEvent struct {
	Ref memory.ThreadRef
	// EventID identifies the event within its tenant and user: it is stored once.
	EventID string
	// Data is the event as it is stored. With the header at most MaxEventBytes.
	Data []byte
	// ReceivedAt is when it arrived.
	ReceivedAt time.Time
	// Header is stored with it, without what begins with "Nats-": those are orders to the
	// server. May be nil.
	Header nats.Header
}

// Receipt says where an event is stored.
type Receipt struct {
	// Seq is its sequence in MEM_EVENTS.
	Seq uint64
	// Duplicate says that it had been stored before, at Seq.
	Duplicate bool
}

// Publish stores the events and returns their receipts, in the same order, when the
// stream has acknowledged all of them. On an error some may have been stored: publishing
// the same again stores the rest. An invalid or too large event is a permanent error, and
// then none of this call is stored. Events of one thread keep the order of the calls.
func (e *Events) Publish(ctx context.Context, events []OutgoingEvent) ([]Receipt, error) {
	if len(events) == 0 {
		return nil, nil
	}
	p, err := newPublication(events, min(MaxEventBytes, int(e.js.Conn().MaxPayload())))
	if err != nil {
		return nil, fault.Permanent(err)
	}
	size := min(p.size, e.opts.QueueBytes)
	if err := e.room.Acquire(ctx, size); err != nil {
		return nil, fmt.Errorf("queue %d events: %w", len(events), err)
	}
	defer e.room.Release(size)
	select {
	case e.queue <- p:
	case <-e.stopped:
		return nil, fault.Outage(ErrStopped, 0)
	case <-ctx.Done():
		return nil, fmt.Errorf("queue %d events: %w", len(events), ctx.Err())
	}
	select {
	case <-p.done:
	case <-e.stopped:
		// Run settles what it took before it says that it has stopped.
		select {
		case <-p.done:
		default:
			return nil, fault.Outage(ErrStopped, 0)
		}
	case <-ctx.Done():
		return nil, fmt.Errorf("publish %d events: %w", len(events), ctx.Err())
	}
	if p.err != nil {
		return nil, fmt.Errorf("publish %d events: %w", len(events), p.err)
	}
	return p.receipts(), nil
}

// StoredEvent is one event of MEM_EVENTS.
type StoredEvent struct {
	// Ref is who the subject says it is from; the zero value when it does not parse.
	Ref     memory.ThreadRef
	Subject string
	Seq     uint64
	// ReceivedAt is when ingest took it; for an event published straight to NATS, when it
	// was stored.
	ReceivedAt time.Time
	// StoredAt is the stream's own time.
	StoredAt time.Time
	Data     []byte
	Header   nats.Header
}

func storedEvent(m message, ref memory.ThreadRef) StoredEvent {
	received, err := time.Parse(time.RFC3339Nano, m.header.Get(HeaderReceivedAt))
	if err != nil {
		received = m.at
	}
	return StoredEvent{
		Ref: ref, Subject: m.subject, Seq: m.seq, ReceivedAt: received.UTC(), StoredAt: m.at,
		Data: m.data, Header: m.header,
	}
}

// errEnough stops a read that has what it came for.
var errEnough = errors.New("enough")

// ReadThread returns the thread's events after sequence after, in order, at most limit of
// them, and whether there are more.
func (e *Events) ReadThread(ctx context.Context, r memory.ThreadRef, after uint64, limit int) (events []StoredEvent, more bool, err error) {
	if err := r.Validate(); err != nil {
		return nil, false, err
	}
	err = e.read(ctx, EventSubject(r), after, everything, func(m message) error {
		if len(events) == limit {
			more = true
			return errEnough
		}
		events = append(events, storedEvent(m, r))
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, false, fmt.Errorf("read thread: %w", err)
	}
	return events, more, nil
}

// Get returns the thread's event with that sequence; ErrNotFound if it is gone, or is an
// event of another thread.
func (e *Events) Get(ctx context.Context, r memory.ThreadRef, seq uint64) (StoredEvent, error) {
	if err := r.Validate(); err != nil {
		return StoredEvent{}, err
	}
	m, err := e.at(ctx, seq)
	if err == nil && m.subject != EventSubject(r) {
		err = ErrNotFound
	}
	if err != nil {
		return StoredEvent{}, fmt.Errorf("get event %d: %w", seq, err)
	}
	return storedEvent(m, r), nil
}

// Head is the sequence of the thread's last event; 0 when there is none.
func (e *Events) Head(ctx context.Context, r memory.ThreadRef) (uint64, error) {
	if err := r.Validate(); err != nil {
		return 0, err
	}
	head, err := e.head(ctx, EventSubject(r))
	if err != nil {
		return 0, fmt.Errorf("read head of thread: %w", err)
	}
	return head, nil
}

// Trail calls fn for every event at least lag old, in order, until ctx ends or fn fails.
// Its place is kept by a durable consumer of that name, which processes share by taking
// turns. An event with a subject that does not parse has a zero Ref.
func (e *Events) Trail(ctx context.Context, name string, lag time.Duration, fn func(context.Context, StoredEvent) error) error {
	return e.follow(ctx, name, 1, lag, func(m message) error {
		ref, err := ParseThreadSubject(m.subject)
		if err != nil {
			ref = memory.ThreadRef{}
		}
		return fn(ctx, storedEvent(m, ref))
	})
}

// UserHead is the sequence of the last event in any of the user's threads; 0 when there
// is none.
func (e *Events) UserHead(ctx context.Context, t memory.Tenant, u memory.User) (uint64, error) {
	return e.OwnerHead(ctx, memory.UserScope(t, u))
}

// OwnerHead is the sequence of the last event in any thread of the scope: of the user, or
// of all users of the tenant. It is 0 when there is none, as for an agent.
func (e *Events) OwnerHead(ctx context.Context, s memory.Scope) (uint64, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	subject := ofUser(eventPrefix, ".>")(s)
	if subject == "" {
		return 0, nil
	}
	head, err := e.head(ctx, subject)
	if err != nil {
		return 0, fmt.Errorf("read head of owner: %w", err)
	}
	return head, nil
}

// messageID is a Nats-Msg-Id that no other parts give: the server compares ids over the
// whole stream, so it must not be left to callers, and its length is bounded.
func messageID(parts ...string) string { return subject.MessageID(parts...) }

// ownHeader is a copy of h without orders to the server.
func ownHeader(h nats.Header) nats.Header {
	own := make(nats.Header, len(h)+4)
	for k, v := range h {
		if len(k) < 5 || !strings.EqualFold(k[:5], "Nats-") {
			own[k] = v
		}
	}
	return own
}
