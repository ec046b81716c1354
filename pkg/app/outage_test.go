package app_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// outcomes is a log that passes on each job that has to wait.
type outcomes chan struct{}

func (o outcomes) Enabled(context.Context, slog.Level) bool { return true }
func (o outcomes) WithAttrs([]slog.Attr) slog.Handler       { return o }
func (o outcomes) WithGroup(string) slog.Handler            { return o }

func (o outcomes) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "outcome" && a.Value.String() == stream.OutcomeWaiting {
			o <- struct{}{}
		}
		return true
	})
	return nil
}

// TestQdrantAway shows that with Qdrant gone events are still accepted and wait, however
// many attempts are made, and that all is consolidated when it is back: even empty, once the
// collection has been rebuilt.
func TestQdrantAway(t *testing.T) {
	natsAt, _ := startNATS(t)
	qdrantAt, stopEngine := startQdrant(t, anywhere)
	c := crashConfig()
	c.Worker.MaxAttempts = 1 // an outage must not count even once
	c.Stream.URL, c.QdrantStore.Address = natsAt, qdrantAt
	tries := make(outcomes, 100)
	log := slog.New(tries)
	b, err := app.OpenExternal(c, "test", log)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, b, c, log)

	stopEngine()
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
	if err := post(s.url, said(ref, day, "I live in Oslo.")); err != nil {
		t.Fatalf("an event is refused while Qdrant is away: %v", err)
	}
	for range 4 { // more tries than there are attempts
		select {
		case <-tries:
		case <-time.After(20 * time.Second):
			t.Fatal("no further try")
		}
	}
	startQdrant(t, strings.TrimPrefix(qdrantAt, "http://"))
	for { // the client takes a moment to dial again
		if _, err = s.Rebuild(t.Context(), nil); !errors.Is(err, fault.ErrOutage) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	s.decision(t, ref.Scope())
	letters, err := s.DeadLetters(t.Context(), "")
	if err != nil || len(letters) > 0 {
		t.Errorf("%d dead letters, want none (%v)", len(letters), err)
	}
	if _, err := s.Projector.CatchUp(t.Context(), ref.Scope()); err != nil {
		t.Fatal(err)
	}
	got, err := s.Recall.Memories(t.Context(), ref.Scope())
	if err != nil || len(got) != 1 || got[0].Value != "Oslo" {
		t.Errorf("memories %+v, want Oslo (%v)", got, err)
	}
}
