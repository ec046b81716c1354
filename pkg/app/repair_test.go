package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// repairWait bounds what a test waits for; reaching it is a failure.
const repairWait = 20 * time.Second

// newStack is a stack of which nothing runs.
func newStack(t *testing.T, o Options) *Stack {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	b, err := OpenEmbedded(t.Context(), EmbeddedConfig{}, o.Logger)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := NewStack(t.Context(), b, DefaultConfig(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// background runs f until the test ends.
func background(t *testing.T, f func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- f(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
}

var robin = memory.ThreadRef{Tenant: "acme", User: "robin", Thread: "t"}

func publish(t *testing.T, s *Stack, id, content string) uint64 {
	t.Helper()
	e := event.Event{
		SpecVersion: "1.0", ID: id, Source: "/test", Type: event.TypeTurn, Tenant: robin.Tenant, User: robin.User, Thread: robin.Thread,
	}
	if err := e.SetTurn(event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: content}}}); err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	receipts, err := s.Events.Publish(t.Context(), []stream.OutgoingEvent{{Ref: robin, EventID: id, Data: data, ReceivedAt: time.Now()}})
	if err != nil {
		t.Fatal(err)
	}
	return receipts[0].Seq
}

// TestTheTrailSetsATimerThatIsMissing: no scheduler runs, so nothing but the trail makes
// the worker look at the thread.
func TestTheTrailSetsATimerThatIsMissing(t *testing.T) {
	consolidated := make(chan struct{}, 8)
	s := newStack(t, Options{Reached: func(step decide.Step) {
		if step == consolidate.StepCached {
			consolidated <- struct{}{}
		}
	}})
	s.lag = 0
	background(t, s.Events.Run)
	seq := publish(t, s, "e1", "I live in Oslo.")
	parts, err := s.extractor()
	if err != nil {
		t.Fatal(err)
	}
	worker := parts[0]
	if worker.name != "worker" {
		t.Fatalf("the extractor's first part is the %s", worker.name)
	}
	background(t, worker.run)
	background(t, s.again("events trail", s.trailEvents))
	select {
	case <-consolidated:
	case <-time.After(repairWait):
		t.Fatal("the thread was not consolidated")
	}
	if at, err := s.Consolidate.Checkpoint(t.Context(), robin); err != nil || at != seq {
		t.Errorf("Checkpoint = %d, %v, want %d", at, err, seq)
	}
}

// TestTheTrailProjectsWhatNobodyHas: a change set whose author died after the append.
func TestTheTrailProjectsWhatNobodyHas(t *testing.T) {
	s := newStack(t, Options{})
	s.lag = 0
	scope := robin.Scope()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	c := ledger.ChangeSet{V: ledger.Version, At: now, Author: ledger.AuthorExtractor, Scope: scope, Changes: []ledger.Change{{
		Op: ledger.OpAdd, Reason: "new", Memory: memory.Memory{
			ID: s.Registry.Identity(scope, "", "", "I drink tea"), Scope: scope, Kind: memory.KindFact, Text: "I drink tea",
			Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: now, CreatedAt: now, ConfirmedAt: now, Confidence: 0.9,
			Evidence: []memory.Evidence{{Event: "e", Role: memory.RoleUser, At: now, Quote: "I drink tea"}},
		},
	}}}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	seq, err := s.Log.Append(t.Context(), scope, 0, data)
	if err != nil {
		t.Fatal(err)
	}
	background(t, s.again("ledger trail", s.trailLedger))
	ctx, cancel := context.WithTimeout(t.Context(), repairWait)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if cursor, err := s.Store.Cursor(ctx, scope); err != nil {
			t.Fatal(err)
		} else if cursor == seq {
			break
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("it was not projected")
		}
	}
	if got, err := s.Store.List(ctx, scope); err != nil || len(got) != 1 {
		t.Errorf("memories %+v, %v, want one", got, err)
	}
}

// TestMeasureTakesWhatItGets: what cannot be read counts as a turn, so that its thread is
// consolidated and it is parked.
func TestMeasureTakesWhatItGets(t *testing.T) {
	said := func(typ event.Type, data string) []byte {
		return fmt.Appendf(nil, `{"specversion":"1.0","id":"1","source":"/s","type":%q,"user":"u","thread":"t","data":%s}`, typ, data)
	}
	for name, c := range map[string]struct {
		data          []byte
		turns, tokens int
		closes        bool
	}{
		"two messages":  {said(event.TypeTurn, `{"messages":[{"role":"user","content":"12345678"},{"role":"assistant","content":"你好"}]}`), 2, 4, false},
		"a closing":     {said(event.TypeThreadClosed, `{}`), 1, 0, true},
		"another type":  {said(event.TypeFeedback, `{"rating":"up"}`), 1, 0, false},
		"not an event":  {[]byte("{"), 1, 0, false},
		"nothing":       {nil, 1, 0, false},
		"wrong content": {said(event.TypeTurn, `{"messages":[]}`), 1, 0, false},
	} {
		turns, tokens, closes, err := measure(c.data)
		if turns != c.turns || tokens != c.tokens || closes != c.closes || err != nil {
			t.Errorf("%s: measure = %d, %d, %v, %v, want %d, %d, %v", name, turns, tokens, closes, err, c.turns, c.tokens, c.closes)
		}
	}
}

// TestALeaseIsHeldByOneAtATime: and by the next once the one before has let it go, or has
// failed.
func TestALeaseIsHeldByOneAtATime(t *testing.T) {
	s := newStack(t, Options{})
	const n = 6
	inside := make(chan int, 1)
	errs := make(chan error, n)
	failed := errors.New("of the work itself")
	for i := range n {
		go func() {
			errs <- s.alone(t.Context(), "test", func(context.Context) error {
				select {
				case inside <- i:
				default:
					return errors.New("two at once")
				}
				<-inside
				if i == 0 {
					return failed
				}
				return nil
			})
		}()
	}
	for range n {
		if err := <-errs; err != nil && !errors.Is(err, failed) {
			t.Error(err)
		}
	}
}

// TestWhoWaitsForALeaseMayStop: a lease that somebody holds does not hold up a shutdown.
func TestWhoWaitsForALeaseMayStop(t *testing.T) {
	s := newStack(t, Options{})
	err := s.alone(t.Context(), "test", func(context.Context) error {
		ctx, cancel := context.WithTimeout(t.Context(), 3*leasePoll)
		defer cancel()
		return s.alone(ctx, "test", func(context.Context) error { return errors.New("two at once") })
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("alone = %v, want that it gave up", err)
	}
}
