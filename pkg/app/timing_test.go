package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// installation is everything in this process.
type installation struct {
	*app.Stack
	url     string
	decided *nats.Subscription
}

func install(t *testing.T, timers app.TimersConfig) *installation {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: t.TempDir()}, log)
	if err != nil {
		t.Fatal(err)
	}
	c := app.DefaultConfig()
	c.Timers = timers
	return run(t, b, c, log)
}

// run runs everything on a backend, and closes both at the end of the test.
func run(t *testing.T, b *app.Backend, c app.Config, log *slog.Logger) *installation {
	t.Helper()
	s, err := app.NewStack(t.Context(), b, c, app.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", anywhere)
	if err != nil {
		t.Fatal(err)
	}
	in := &installation{Stack: s, url: "http://" + l.Addr().String()}
	if in.decided, err = b.NATS.SubscribeSync("mem.ledger.>"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.RunAll(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, b.Close()); err != nil {
			t.Error(err)
		}
	})
	return in
}

// decision waits for the next change set.
func (in *installation) decision(t *testing.T, scope memory.Scope) ledger.ChangeSet {
	t.Helper()
	msg, err := in.decided.NextMsg(20 * time.Second)
	if err != nil {
		t.Fatalf("no change set: %v", err)
	}
	c, err := ledger.Decode(msg.Data, scope)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var never = app.TimersConfig{Quiet: time.Hour, MaxWait: 2 * time.Hour, MaxTurns: 1000, MaxTokens: 1_000_000}

func TestWhenAThreadIsConsolidated(t *testing.T) {
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
	say := func(t *testing.T, in *installation, n int) {
		t.Helper()
		for i := range n {
			if err := post(in.url, said(ref, day, fmt.Sprintf("I live in Oslo. (%d)", i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		in := install(t, never)
		say(t, in, 1)
		closed := event.Event{
			SpecVersion: "1.0", ID: "closed", Source: "/test", Type: event.TypeThreadClosed, User: ref.User, Thread: ref.Thread,
		}
		if err := post(in.url, closed); err != nil {
			t.Fatal(err)
		}
		if c := in.decision(t, ref.Scope()); len(c.Checkpoint.Events) != 2 || len(c.Changes) != 1 {
			t.Errorf("%d events with %d changes, want 2 with 1", len(c.Checkpoint.Events), len(c.Changes))
		}
	})
	t.Run("at its size", func(t *testing.T) {
		t.Parallel()
		timers := never
		timers.MaxTurns = 5
		in := install(t, timers)
		say(t, in, 5)
		if c := in.decision(t, ref.Scope()); len(c.Checkpoint.Events) != 5 {
			t.Errorf("%d events, want 5", len(c.Checkpoint.Events))
		}
	})
	t.Run("quiet", func(t *testing.T) {
		t.Parallel()
		timers := never
		timers.Quiet = 200 * time.Millisecond
		in := install(t, timers)
		say(t, in, 3)
		if c := in.decision(t, ref.Scope()); len(c.Checkpoint.Events) != 3 {
			t.Errorf("%d events, want 3: one consolidation for what came together", len(c.Checkpoint.Events))
		}
	})
	t.Run("after the maximum wait", func(t *testing.T) {
		t.Parallel()
		timers := never
		timers.MaxWait = 300 * time.Millisecond
		in := install(t, timers)
		say(t, in, 1)
		if c := in.decision(t, ref.Scope()); len(c.Checkpoint.Events) != 1 {
			t.Errorf("%d events, want 1", len(c.Checkpoint.Events))
		}
	})
	t.Run("on demand", func(t *testing.T) {
		t.Parallel()
		in := install(t, never)
		say(t, in, 2)
		if err := in.Timers.Now(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
		if c := in.decision(t, ref.Scope()); len(c.Checkpoint.Events) != 2 {
			t.Errorf("%d events, want 2", len(c.Checkpoint.Events))
		}
	})
}

// TestPublishedStraightToNATS shows that the subject decides whose an event is, and that
// what cannot be read is parked with its reason while the rest is consolidated.
func TestPublishedStraightToNATS(t *testing.T) {
	timers := never
	timers.Quiet = 200 * time.Millisecond
	in := install(t, timers)
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
	other := said(memory.ThreadRef{Tenant: memory.DefaultTenant, User: "somebody else", Thread: "t"}, day, "I live in Lima.")
	mine := said(ref, day, "I live in Oslo.")
	for _, e := range []event.Event{other, mine} {
		raw, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Backend.NATS.Publish(stream.EventSubject(ref), raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Backend.NATS.Publish(stream.EventSubject(ref), []byte(`{"specversion":"1.0"}`)); err != nil {
		t.Fatal(err)
	}
	c := in.decision(t, ref.Scope())
	if n := c.Checkpoint.Counts; n.Parked != 2 || n.Remembered != 1 || !n.Balanced() {
		t.Errorf("counts %+v, want 2 parked and 1 remembered", n)
	}
	letters, err := in.DeadLetters(t.Context(), memory.DefaultTenant)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for _, l := range letters {
		reasons[l.Reason]++
	}
	if len(letters) != 2 || reasons["subject_mismatch"] != 1 || reasons["invalid_event"] != 1 {
		t.Errorf("dead letters %v, want one subject_mismatch and one invalid_event", reasons)
	}
}
