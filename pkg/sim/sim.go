// Package sim runs the whole embedded stack on a simulated clock: the same streams,
// workers, collection and HTTP edge as ever, with the time of decisions in the caller's
// hand. The demo and the acceptance stories are told on it. It decides nothing.
package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/rules"
	"github.com/mnemond/mnemond/pkg/stream"
)

// epoch is where simulated clocks start by default.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Clock is a time that moves when it is told to, and never back.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the present.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock to t, if that is later.
func (c *Clock) Advance(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

// Duplicates is the broker's dedupe window in a simulation, in real time.
const Duplicates = 400 * time.Millisecond

// breakerMin is the least wait after outages of a model, in real time.
const breakerMin = 200 * time.Millisecond

// Sim is a running stack.
type Sim struct {
	Stack *app.Stack
	Clock *Clock
	// Dir holds the store files.
	Dir string
	// URL is the base address of the HTTP API.
	URL string

	backend *app.Backend
	config  app.Config
	options app.Options
	model   *llmtest.Server
	cancel  context.CancelFunc
	done    chan error
	log     *recorder
	answers *recorder

	mu      sync.Mutex
	threads map[memory.ThreadRef]uint64
}

// Options of a simulation.
type Options struct {
	// Start is where the clock starts. Default 2026-01-01.
	Start time.Time
	// Workers is how many threads are consolidated at once. Default 2.
	Workers int
	// Model has a scripted server of the OpenAI API extract, instead of the rules, and Real
	// the one that a configuration names.
	Model bool
	Real  *app.Config
	// Reached is called between the steps of consolidation. Default: nothing.
	Reached func(decide.Step)
}

// Start brings a stack up in a temporary folder. Close ends it and removes the folder.
func Start(ctx context.Context, o Options) (_ *Sim, err error) {
	dir, err := os.MkdirTemp("", "mnemond-sim-")
	if err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	if o.Start.IsZero() {
		o.Start = epoch
	}
	s := &Sim{
		Clock: &Clock{now: o.Start.UTC()}, Dir: dir, log: &recorder{}, answers: &recorder{},
		threads: map[memory.ThreadRef]uint64{}, done: make(chan error, 1),
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	logger := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if s.backend, err = app.OpenEmbedded(ctx, app.EmbeddedConfig{Dir: dir}, logger); err != nil {
		return nil, err
	}
	c := app.DefaultConfig()
	c.Stream.Duplicates = Duplicates
	c.Recalls.Interval = 20 * time.Millisecond
	c.Timers.Quiet, c.Timers.MaxWait = 500*time.Millisecond, 2*time.Second
	c.Worker.BackoffMin, c.Worker.BackoffMax = 50*time.Millisecond, time.Second
	c.Worker.Concurrency = max(o.Workers, 2)
	if o.Real != nil {
		c.OpenAI, c.LLM = o.Real.OpenAI, o.Real.LLM
	} else if o.Model {
		if s.model, err = llmtest.Start(llmtest.Options{Fallback: rules.Extractor{}}); err != nil {
			return nil, err
		}
		c.OpenAI.BaseURL, c.LLM.Model = s.model.URL(), "scripted"
	}
	s.config = c
	s.options = app.Options{Now: s.Clock.Now, Logger: logger, Reached: o.Reached, BreakerMin: breakerMin}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Close stops everything and removes the folder.
func (s *Sim) Close() error {
	var errs []error
	if s.cancel != nil {
		s.cancel()
		errs = append(errs, <-s.done)
	}
	if s.backend != nil {
		errs = append(errs, s.backend.Close())
	}
	if s.model != nil {
		errs = append(errs, s.model.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(s.Dir))...)
}

// Post sends a JSON body to the HTTP API and returns the answer.
func (s *Sim) Post(ctx context.Context, path string, body any) ([]byte, error) {
	return s.Call(ctx, http.MethodPost, path, body)
}

// Call sends a request to the HTTP API, with a JSON body unless that is nil, and returns the
// answer. A status of 400 or more is an error that holds the answer.
func (s *Sim) Call(ctx context.Context, method, path string, body any) ([]byte, error) {
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
		r = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, r)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	answer, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if _, err := s.answers.Write(answer); err != nil {
		return nil, err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	return answer, nil
}

// usesTimeout bounds the wait for the use of memories to be noted.
const usesTimeout = 10 * time.Second

// Used waits until the use of what a recall has handed out is noted, as the answer and the
// clock say.
func (s *Sim) Used(ctx context.Context, scope memory.Scope, answer []byte) error {
	var got recall.Response
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Errorf("read recall: %w", err)
	}
	ids := make([]memory.ID, len(got.Memories))
	for i, m := range got.Memories {
		ids[i] = m.ID
	}
	ctx, cancel := context.WithTimeout(ctx, usesTimeout)
	defer cancel()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for now := s.Clock.Now(); ; {
		found, err := s.Stack.Store.Get(ctx, scope, ids)
		if err != nil {
			return err
		}
		waits := func(m memory.Memory) bool { return m.UsedAt().Before(now) || !m.ArchivedAt.IsZero() }
		if !slices.ContainsFunc(found, waits) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the use of memories was not noted within %s", usesTimeout)
		}
	}
}

// Names are the ways in which subjects, keys and payloads name an owner.
func (s *Sim) Names(scope memory.Scope) []string {
	tenant, id := stream.Token(string(scope.Tenant)), stream.Token(scope.Owner.ID)
	quotedTenant, quotedID := strconv.Quote(string(scope.Tenant)), strconv.Quote(scope.Owner.ID)
	return []string{
		stream.LedgerSubject(scope), "." + tenant + "." + id + ".",
		`"tenant":` + quotedTenant + `,"owner":{"kind":"user","id":` + quotedID,
		`"tenant":` + quotedTenant + `,"user":` + quotedID,
	}
}

// Publish sends one event through the HTTP edge and returns where it was stored.
func (s *Sim) Publish(ctx context.Context, e event.Event) (uint64, error) {
	raw, err := s.Post(ctx, "/v1/events", e)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Events []struct {
			Seq uint64 `json:"seq"`
		} `json:"events"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Events) != 1 {
		return 0, fmt.Errorf("publish: unexpected answer %q", raw)
	}
	seq := answer.Events[0].Seq
	s.mu.Lock()
	s.threads[e.Ref()] = max(s.threads[e.Ref()], seq)
	s.mu.Unlock()
	return seq, nil
}

// settleTimeout bounds the wait for a consolidation.
const settleTimeout = 20 * time.Second

// Trigger has the thread consolidated now; it does not wait for it.
func (s *Sim) Trigger(ctx context.Context, r memory.ThreadRef) error {
	_, err := s.Post(ctx, "/v1/consolidate", r)
	return err
}

// Settle has the thread consolidated now, and waits until it has been up to seq.
func (s *Sim) Settle(ctx context.Context, r memory.ThreadRef, seq uint64) error {
	if err := s.Trigger(ctx, r); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		at, err := s.Stack.Consolidate.Checkpoint(ctx, r)
		if err != nil {
			return err
		}
		if at >= seq {
			_, err := s.Stack.Projector.CatchUp(ctx, r.Scope())
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("thread was not consolidated within %s", settleTimeout)
		}
	}
}

// Threads are those published to, in order.
func (s *Sim) Threads() []memory.ThreadRef {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]memory.ThreadRef, 0, len(s.threads))
	for r := range s.threads {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b memory.ThreadRef) int {
		return bytes.Compare(fmt.Append(nil, a), fmt.Append(nil, b))
	})
	return out
}

// Pending counts the tenant's events that have neither been consumed nor parked.
func (s *Sim) Pending(ctx context.Context, t memory.Tenant) (int, error) {
	n := 0
	for _, r := range s.Threads() {
		if r.Tenant != t {
			continue
		}
		at, err := s.Stack.Consolidate.Checkpoint(ctx, r)
		if err != nil {
			return 0, err
		}
		for more := true; more; {
			var events []stream.StoredEvent
			events, more, err = s.Stack.Events.ReadThread(ctx, r, at, 256)
			if err != nil {
				return 0, err
			}
			for _, e := range events {
				n, at = n+1, e.Seq
			}
		}
	}
	return n, nil
}

// DeadLetters counts the tenant's dead letters.
func (s *Sim) DeadLetters(ctx context.Context, t memory.Tenant) (int, error) {
	letters, err := s.Stack.DeadLetters(ctx, t)
	return len(letters), err
}

// LogOutput is everything that was logged.
func (s *Sim) LogOutput() []byte { return s.log.bytes() }

// Answers is everything that the HTTP API has answered.
func (s *Sim) Answers() []byte { return s.answers.bytes() }

// recorder keeps what is written to it.
type recorder struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write appends p.
func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

func (r *recorder) bytes() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.buf.Bytes())
}
