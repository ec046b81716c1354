package client_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/client"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
)

// TestPublishOverNATS: an event is in the log where ingest puts it, once, however often it is
// published, and without secrets.
func TestPublishOverNATS(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: t.TempDir()}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	s, err := app.NewEdge(t.Context(), b, app.DefaultConfig(), app.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Events.Run(ctx) }()
	c := start(t, client.Options{NATS: b.NATS})
	thread := c.Thread("张三", "对话 1")
	id := thread.Publish(client.User("我的密码是 Xk9#mQ2vL"))
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	again := event.Event{ID: id, Type: event.TypeThreadClosed, User: "张三", Thread: "对话 1"}
	c.Publish(again)
	closed(t, c)
	again.SpecVersion, again.Source = "1.0", "/x"
	raw, _ := again.Encode()
	accepted, err := s.Ingest.Accept(testContext(t), [][]byte{raw}, nil)
	if err != nil || !accepted[0].Duplicate {
		t.Errorf("ingest does not know the event again: %+v, %v", accepted, err)
	}
	stored, _, err := s.Events.ReadThread(testContext(t), memory.ThreadRef{Tenant: memory.DefaultTenant, User: "张三", Thread: "对话 1"}, 0, 10)
	if err != nil || len(stored) != 1 {
		t.Fatalf("the log holds %d events, want 1 (%v)", len(stored), err)
	}
	e, err := event.Decode(stored[0].Data)
	turn, _ := e.Turn()
	if err != nil || e.ID != id || turn.Messages[0].Content != "我的密码是 "+guard.KindPassword.Marker() {
		t.Errorf("the log holds %s (%v)", stored[0].Data, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
