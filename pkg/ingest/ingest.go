// Package ingest accepts events at the edge: it validates them, cuts out secrets, stamps
// what the sender left out and publishes them. An event is accepted when the log has it on
// disk, and not before; of a request with one bad event, nothing is accepted.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"

	"github.com/mnemond/mnemond/pkg/event"
)

// MaxEvents bounds the events of one request.
const MaxEvents = 1000

// Publisher stores events, all of a call or none, and returns one receipt an event.
type Publisher interface {
	Publish(ctx context.Context, events []event.Outgoing) ([]event.Receipt, error)
}

// EventError is what is wrong with one event of a request.
type EventError struct {
	// Index is the event's place in the request, from 0.
	Index int
	Err   *event.Error
}

func (e *EventError) Error() string { return fmt.Sprintf("event %d: %v", e.Index, e.Err) }
func (e *EventError) Unwrap() error { return e.Err }

// Service accepts events.
type Service struct {
	publish  Publisher
	now      func() time.Time
	accepted metric.Int64Counter
	redacted metric.Int64Counter
}

// New returns a service that publishes by p; now is its clock.
func New(p Publisher, now func() time.Time) (*Service, error) {
	meter := otel.Meter("github.com/mnemond/mnemond/pkg/ingest")
	s := &Service{publish: p, now: now}
	var err error
	if s.accepted, err = meter.Int64Counter("mnemond.events.accepted",
		metric.WithDescription("Events accepted, with duplicates.")); err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	if s.redacted, err = meter.Int64Counter("mnemond.secrets.redacted",
		metric.WithDescription("Secrets cut out of events.")); err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	return s, nil
}

// Accepted says where an event stands.
type Accepted struct {
	ID string `json:"id"`
	// Seq is its sequence in MEM_EVENTS; of a duplicate, that of the first.
	Seq uint64 `json:"seq"`
	// Duplicate is set when the same event was stored within the last minutes.
	Duplicate bool `json:"duplicate,omitempty"`
}

// Accept stores raw events in order. A bad one is an *EventError, and nothing is stored.
// Narrow, unless nil, is called with each event once it is decoded, and with its place: it may
// complete whose it is, or refuse it, and with it all of them.
func (s *Service) Accept(ctx context.Context, raw [][]byte, narrow func(index int, e *event.Event) error) ([]Accepted, error) {
	arrival := s.now().UTC()
	out := make([]event.Outgoing, len(raw))
	secrets := 0
	for i, r := range raw {
		e, n, err := s.prepare(r, arrival, func(e *event.Event) error {
			if narrow == nil {
				return nil
			}
			return narrow(i, e)
		})
		if err != nil {
			return nil, at(i, err)
		}
		data, err := e.Encode()
		if err != nil {
			return nil, at(i, err)
		}
		if len(data) > event.MaxBytes {
			return nil, at(i, &event.Error{Reason: fmt.Sprintf("event is larger than %d bytes", event.MaxBytes)})
		}
		secrets += n
		out[i] = event.Outgoing{
			Ref: e.Ref(), ID: e.ID, Data: data, ReceivedAt: arrival,
			TraceParent: e.TraceParent, TraceState: e.TraceState,
		}
	}
	receipts, err := s.publish.Publish(ctx, out)
	if err != nil {
		return nil, fmt.Errorf("publish %d events: %w", len(out), err)
	}
	accepted := make([]Accepted, len(receipts))
	for i, r := range receipts {
		accepted[i] = Accepted{ID: out[i].ID, Seq: r.Seq, Duplicate: r.Duplicate}
	}
	s.accepted.Add(ctx, int64(len(accepted)))
	s.redacted.Add(ctx, int64(secrets))
	return accepted, nil
}

func at(i int, err error) error {
	var e *event.Error
	if errors.As(err, &e) {
		return &EventError{Index: i, Err: e}
	}
	return err
}

// prepare decodes, narrows, redacts and stamps one event.
func (s *Service) prepare(raw []byte, arrival time.Time, narrow func(*event.Event) error) (event.Event, int, error) {
	e, err := event.Decode(raw)
	if err != nil {
		return e, 0, err
	}
	if err := narrow(&e); err != nil {
		return e, 0, err
	}
	secrets, err := e.Clean(func(t *event.Turn) bool { return t.Clamp(arrival) })
	if err != nil {
		return e, 0, err
	}
	e.Stamp(arrival)
	return e, secrets, nil
}
