package stream

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestRestartOnTheSameFolderKeepsAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx := testContext(t)
	s, err := StartEmbedded(ctx, EmbeddedOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	nc := connectTo(t, s)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTopology(Options{}).Ensure(ctx, js); err != nil {
		t.Fatal(err)
	}
	e := NewEvents(js, EventsOptions{})
	stop := background(t, e.Run)
	publish(t, e, outgoing(zhang, "1", "你好"), outgoing(zhang, "2", "again"))
	stop()
	if _, err := NewLog(js).Append(ctx, zhangScope, 0, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := NewThreads(js, testNames).Store(ctx, zhang, []byte("summary")); err != nil {
		t.Fatal(err)
	}
	if err := newTimers(js, TimerOptions{}).Retry(ctx, zhang, 1, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := RecordHeads(ctx, js); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	_, js = startServer(t, dir)
	if drift, err := NewTopology(Options{}).Ensure(ctx, js); err != nil || len(drift) > 0 {
		t.Fatalf("ensure after the restart: %v, %v", drift, err)
	}
	if got, _, err := NewEvents(js, EventsOptions{}).ReadThread(ctx, zhang, 0, 10); err != nil || len(got) != 2 {
		t.Errorf("%d events, %v", len(got), err)
	}
	if head, err := NewLog(js).Head(ctx, zhangScope); err != nil || head != firstSeq {
		t.Errorf("ledger head %d, %v", head, err)
	}
	if data, ok, err := NewThreads(js, testNames).Load(ctx, zhang); err != nil || !ok || string(data) != "summary" {
		t.Errorf("thread %q, %v, %v", data, ok, err)
	}
	if p, _, err := newTimers(js, TimerOptions{}).pending(ctx, testNames.thread(zhang)); err != nil || p.Attempt != 1 {
		t.Errorf("timer %+v, %v", p, err)
	}
}

func TestSecondServerOnTheSameFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	startServer(t, dir)
	if s, err := StartEmbedded(testContext(t), EmbeddedOptions{Dir: dir}); !errors.Is(err, ErrInUse) {
		t.Errorf("second start = %v, %v, want ErrInUse", s, err)
	}
}

func TestTemporaryFolderIsRemoved(t *testing.T) {
	t.Parallel()
	s, err := StartEmbedded(testContext(t), EmbeddedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dir := s.temporary
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close: %v", err)
	}
}

func TestListenOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{"0.0.0.0:0", "192.0.2.1:4222", ":0", "127.0.0.1", "127.0.0.1:x"} {
		if s, err := StartEmbedded(testContext(t), EmbeddedOptions{Dir: t.TempDir(), Listen: listen}); err == nil {
			t.Errorf("listens on %q", listen)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	s, err := StartEmbedded(testContext(t), EmbeddedOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := Connect(ConnectOptions{URL: s.ClientURL(), Name: "test"})
	if err != nil {
		t.Fatalf("connect to %s: %v", s.ClientURL(), err)
	}
	nc.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestInProcessServerHasNoURL(t *testing.T) {
	t.Parallel()
	s, _ := startServer(t, t.TempDir())
	if url := s.ClientURL(); url != "" {
		t.Errorf("in-process server listens on %s", url)
	}
}

func TestConnectToNothing(t *testing.T) {
	t.Parallel()
	if nc, err := Connect(ConnectOptions{URL: "nats://127.0.0.1:1"}); err == nil {
		nc.Close()
		t.Error("connected")
	}
}

func TestThreadsCache(t *testing.T) {
	t.Parallel()
	th := NewThreads(newJetStream(t, Options{}), testNames)
	ctx := testContext(t)
	if data, ok, err := th.Load(ctx, zhang); err != nil || ok || data != nil {
		t.Errorf("empty = %q, %v, %v", data, ok, err)
	}
	for _, value := range []string{"one", "二"} {
		if err := th.Store(ctx, zhang, []byte(value)); err != nil {
			t.Fatal(err)
		}
		if data, ok, err := th.Load(ctx, zhang); err != nil || !ok || string(data) != value {
			t.Errorf("loaded %q, %v, %v, want %q", data, ok, err, value)
		}
	}
	if _, ok, err := th.Load(ctx, thread("globex", "张三", "对话 1")); err != nil || ok {
		t.Errorf("another tenant's thread is there: %v", err)
	}
	if err := th.Store(ctx, memory.ThreadRef{}, nil); !errors.Is(err, memory.ErrScope) {
		t.Errorf("zero thread = %v, want ErrScope", err)
	}
}
