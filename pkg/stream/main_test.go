package stream

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testWait bounds what a test waits for; reaching it is a failure.
const testWait = 20 * time.Second

func testContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testWait)
	t.Cleanup(cancel)
	return ctx
}

// startServer is an embedded server on dir, stopped with the test.
func startServer(t testing.TB, dir string) (*Embedded, jetstream.JetStream) {
	t.Helper()
	s, err := StartEmbedded(testContext(t), EmbeddedOptions{Dir: dir})
	if err != nil {
		t.Fatalf("start server: %v", err)
	}
	nc := connectTo(t, s)
	t.Cleanup(func() {
		nc.Close()
		if err := s.Close(); err != nil {
			t.Errorf("close server: %v", err)
		}
	})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return s, js
}

func connectTo(t testing.TB, s *Embedded) *nats.Conn {
	t.Helper()
	nc, err := s.Connect()
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	return nc
}

// newJetStream is a server of the test's own with the topology in place.
func newJetStream(t testing.TB, o Options) jetstream.JetStream {
	t.Helper()
	_, js := startServer(t, t.TempDir())
	if _, err := NewTopology(o).Ensure(testContext(t), js); err != nil {
		t.Fatalf("ensure: %v", err)
	}
	return js
}

// background runs a loop until the test ends, and fails the test if the loop does.
func background(t testing.TB, run func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("loop ended: %v", err)
			}
		case <-time.After(testWait):
			t.Error("loop did not stop")
		}
	}
	t.Cleanup(stop)
	return stop
}

func receive[T any](t testing.TB, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(testWait):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// until waits until what is so.
func until(t testing.TB, what string, so func() bool) {
	t.Helper()
	for ctx := testContext(t); !so(); {
		if !pauseFor(ctx, time.Millisecond) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func thread(tenant, user, id string) memory.ThreadRef {
	return memory.ThreadRef{Tenant: memory.Tenant(tenant), User: memory.User(user), Thread: memory.Thread(id)}
}

var (
	alice = thread("acme", "alice", "t1")
	zhang = thread("acme", "张三", "对话 1")
)

// testNames are the names of the tests' installations.
var testNames = NewNames([]byte("a secret of 32 bytes for the tests"))

func newTimers(js jetstream.JetStream, o TimerOptions) *Timers {
	return NewTimers(js, testNames, o, time.Now)
}

// event stores an event in each thread, without a publisher.
func event(t testing.TB, js jetstream.JetStream, threads ...memory.ThreadRef) (last uint64) {
	t.Helper()
	for _, r := range threads {
		ack, err := js.Publish(testContext(t), EventSubject(r), []byte("hello"))
		if err != nil {
			t.Fatalf("store event: %v", err)
		}
		last = ack.Sequence
	}
	return last
}

func outgoing(r memory.ThreadRef, id, data string) OutgoingEvent {
	return OutgoingEvent{Ref: r, EventID: id, Data: []byte(data), ReceivedAt: time.Now()}
}

func runEvents(t testing.TB, js jetstream.JetStream) *Events {
	t.Helper()
	e := NewEvents(js, EventsOptions{})
	background(t, e.Run)
	return e
}

func publish(t testing.TB, e *Events, events ...OutgoingEvent) []Receipt {
	t.Helper()
	receipts, err := e.Publish(testContext(t), events)
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	return receipts
}
