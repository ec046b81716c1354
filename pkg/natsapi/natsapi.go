// Package natsapi is the NATS edge: a service of nats.go/micro with one endpoint an operation
// of pkg/door, which answers a request with the JSON that HTTP answers with, or with one clear
// problem. It bounds what runs at once and lets it finish at the end. It knows request and
// reply, and nothing of streams, storage or how anything is decided.
//
// A request is one JSON object with all fields of the operation on mnemond.api.<operation>,
// those that HTTP takes from the path and the query included. Events are taken in this form
// alone, {"events":[…]}: where raw ones are published is the stream MEM_EVENTS. Headers, in
// any case: Authorization, Idempotency-Key, X-Request-Id, traceparent and tracestate.
package natsapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
)

// Name is the service's name, and that of its queue group: instances share the load.
const Name = "mnemond"

// Subject is where an operation is asked for.
func Subject(operation string) string { return "mnemond.api." + operation }

// Access makes out who asks.
type Access interface {
	// Caller is whom the request's headers name. Without a valid credential it is an
	// access.ErrUnauthenticated.
	Caller(ctx context.Context, h http.Header) (access.Caller, error)
}

// Config says what is served, to whom, and how much of it at once.
type Config struct {
	Conn *nats.Conn
	// Table is the operations that are open; nil means none.
	Table *door.Table
	// Access makes out who asks. Nil takes whoever may publish the request for access.Local:
	// NATS is trusted then, as it is with the streams.
	Access Access
	// Replies keeps the replies to writes with an Idempotency-Key; nil refuses the header.
	Replies door.Replies
	// Version is a semantic version; default Version().
	Version string
	Logger  *slog.Logger
	// Concurrency is how many requests run at once. Default 32. Slow operations have a quarter
	// of that, beside it.
	Concurrency int
	// Waiting is how many requests may wait for their turn; what comes beyond is refused with
	// 503. Default 256.
	Waiting int
	// Drain is how long running requests have at the end. Default 10 s.
	Drain time.Duration
}

// Service answers requests while it runs.
type Service struct {
	Config
	running, slow chan struct{}
	work          work
	counts        map[string]*counts
}

// New returns a service; it starts nothing.
func New(c Config) *Service {
	c.Version = cmp.Or(c.Version, Version())
	c.Concurrency = cmp.Or(c.Concurrency, 32)
	c.Waiting = cmp.Or(c.Waiting, 256)
	c.Drain = cmp.Or(c.Drain, 10*time.Second)
	if c.Table == nil {
		c.Table = door.NewTable()
	}
	s := &Service{
		Config: c, running: make(chan struct{}, c.Concurrency), slow: make(chan struct{}, max(c.Concurrency/4, 1)),
		counts: map[string]*counts{},
	}
	for _, op := range c.Table.Operations() {
		s.counts[op.ID] = &counts{}
	}
	return s
}

// Run answers until ctx ends; then it takes no more, and lets what it has taken finish.
func (s *Service) Run(ctx context.Context) error {
	s.work.open(s.Concurrency + cap(s.slow) + s.Waiting)
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	served, err := s.serve(requests)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return s.drain(served, cancel)
}

// serve starts the endpoints. Requests end with ctx.
func (s *Service) serve(ctx context.Context) (micro.Service, error) {
	served, err := micro.AddService(s.Conn, micro.Config{
		Name: Name, Version: s.Version, QueueGroup: Name, Description: "Long-term memory for AI agents.",
		StatsHandler: func(e *micro.Endpoint) any { return s.counts[e.Name].stats() },
		ErrorHandler: func(_ micro.Service, err *micro.NATSError) {
			s.Logger.WarnContext(ctx, "service fell behind", "subject", err.Subject, "error", err.Description)
		},
	})
	if err != nil {
		return nil, fmt.Errorf("add service %s: %w", Name, err)
	}
	for _, op := range s.Table.Operations() {
		h := micro.HandlerFunc(func(r micro.Request) { s.take(ctx, op, r) })
		err := served.AddEndpoint(op.ID, h, micro.WithEndpointSubject(Subject(op.ID)), micro.WithEndpointMetadata(metadata(op)))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("add endpoint %s: %w", op.ID, err), served.Stop())
		}
	}
	// Else who asks right after the start is told that nobody is there.
	if err := s.Conn.FlushTimeout(s.Drain); err != nil {
		return nil, errors.Join(fmt.Errorf("flush: %w", err), served.Stop())
	}
	return served, nil
}

// metadata is what who discovers an endpoint is told of it.
func metadata(op *door.Operation) map[string]string {
	out := map[string]string{"summary": op.Summary, "least_role": string(op.Role), "request_schema": string(op.Schema())}
	if op.Writes {
		out["writes"] = "true"
	}
	return out
}

// drain takes no more requests, and waits for those that were taken, as long as they have.
func (s *Service) drain(served micro.Service, cancel context.CancelFunc) error {
	if s.Conn.IsClosed() {
		cancel()
		s.work.wait(nil)
		return nil
	}
	err := served.Stop()
	// What the server has sent before it knew of the end is here after this.
	err = errors.Join(err, s.Conn.FlushTimeout(s.Drain))
	late := time.NewTimer(s.Drain)
	defer late.Stop()
	if !s.work.wait(late.C) {
		cancel()
		s.work.wait(nil)
	}
	return errors.Join(err, s.Conn.FlushTimeout(s.Drain))
}

// work counts what was taken and is not answered yet.
type work struct {
	mu     sync.Mutex
	n, max int
	closed bool
	idle   chan struct{}
}

func (w *work) open(most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.max, w.closed, w.idle = most, false, nil
}

// add takes one; false means that there are too many, or that it is the end.
func (w *work) add() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.n == w.max {
		return false
	}
	w.n++
	return true
}

func (w *work) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n--; w.n == 0 && w.idle != nil {
		w.closed = true
		close(w.idle)
		w.idle = nil
	}
}

// wait waits until there is none, from when on none is taken; false when late comes first.
func (w *work) wait(late <-chan time.Time) bool {
	w.mu.Lock()
	if w.n == 0 {
		w.closed = true
		w.mu.Unlock()
		return true
	}
	idle := make(chan struct{})
	w.idle = idle
	w.mu.Unlock()
	select {
	case <-idle:
		return true
	case <-late:
		return false
	}
}

// counts are an endpoint's: requests run beside one another, which micro's own statistics do
// not know of.
type counts struct {
	mu   sync.Mutex
	last Stats
}

// Stats stand in the field data of an endpoint's statistics.
type Stats struct {
	// Answered is how many requests were answered, Errors how many of them with a problem.
	Answered int `json:"answered"`
	Errors   int `json:"errors"`
	// LastError is the last problem's status and title.
	LastError string `json:"last_error,omitempty"`
	// ProcessingTime is that of all of them, in nanoseconds, with the time they waited.
	ProcessingTime time.Duration `json:"processing_time"`
}

func (c *counts) add(took time.Duration, p *door.Problem) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last.Answered++
	c.last.ProcessingTime += took
	if p != nil {
		c.last.Errors++
		c.last.LastError = fmt.Sprintf("%d %s", p.Status, p.Title)
	}
}

func (c *counts) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}
