package stream

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/fault"
)

// outcomeMeter hands every counted outcome to the test.
type outcomeMeter struct {
	noop.Meter
	outcomes chan string
}

type outcomeCounter struct {
	noop.Int64Counter
	outcomes chan string
}

func (m outcomeMeter) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return outcomeCounter{outcomes: m.outcomes}, nil
}

func (m outcomeCounter) Add(_ context.Context, _ int64, o ...metric.AddOption) {
	set := metric.NewAddConfig(o).Attributes()
	outcome, _ := set.Value("outcome")
	m.outcomes <- outcome.AsString()
}

// parked is one call of Park.
type parked struct {
	job    Job
	reason string
	cause  error
}

// working is a worker whose handler the test scripts.
type working struct {
	js     jetstream.JetStream
	timers *Timers
	meter  outcomeMeter
	// handle is called with the number of the call, from 1.
	handle func(ctx context.Context, call int, j Job) error
	park   func(ctx context.Context, call int) error

	mu           sync.Mutex
	calls, parks int
	jobs         chan Job
	parked       chan parked
}

func (x *working) Handle(ctx context.Context, j Job) error {
	x.mu.Lock()
	x.calls++
	call := x.calls
	x.mu.Unlock()
	x.jobs <- j
	return x.handle(ctx, call, j)
}

func (x *working) Park(ctx context.Context, j Job, reason string, cause error) error {
	x.mu.Lock()
	x.parks++
	call := x.parks
	x.mu.Unlock()
	if x.park != nil {
		if err := x.park(ctx, call); err != nil {
			return err
		}
	}
	x.parked <- parked{j, reason, cause}
	return nil
}

func newWorking(t *testing.T, o Options, handle func(context.Context, int, Job) error) *working {
	t.Helper()
	js := newJetStream(t, o)
	return &working{
		js: js, timers: newTimers(js, TimerOptions{}), handle: handle,
		meter: outcomeMeter{outcomes: make(chan string, 100)},
		jobs:  make(chan Job, 100), parked: make(chan parked, 100),
	}
}

func (x *working) start(t *testing.T, o WorkerOptions) (stop func()) {
	t.Helper()
	o.Meter = x.meter
	defaultTo(&o.BackoffMin, time.Millisecond)
	defaultTo(&o.BackoffMax, 2*time.Millisecond)
	w, err := NewWorker(x.js, x.timers, x, o)
	if err != nil {
		t.Fatal(err)
	}
	return background(t, w.Run)
}

func (x *working) due(t *testing.T) {
	t.Helper()
	event(t, x.js, alice)
	if err := x.timers.Now(testContext(t), alice); err != nil {
		t.Fatal(err)
	}
}

func (x *working) expect(t *testing.T, outcomes ...string) {
	t.Helper()
	for i, want := range outcomes {
		if got := receive(t, x.meter.outcomes, want); got != want {
			t.Fatalf("outcome %d is %s, want %s", i, got, want)
		}
	}
}

// settled fails the test if anything is left to be delivered.
func (x *working) settled(t *testing.T) {
	t.Helper()
	s, err := x.js.Stream(testContext(t), StreamTimers)
	if err != nil {
		t.Fatal(err)
	}
	ctx := testContext(t)
	for {
		info, err := s.Info(ctx)
		if err != nil {
			t.Fatalf("timers are left: %v", err)
		}
		if info.State.Msgs == 0 {
			return
		}
	}
}

func TestWorkerOK(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, func(context.Context, int, Job) error { return nil })
	x.start(t, WorkerOptions{})
	x.due(t)
	x.expect(t, OutcomeOK)
	if j := receive(t, x.jobs, "the job"); j != (Job{Ref: alice, Deliveries: 1}) {
		t.Errorf("job %+v", j)
	}
	x.settled(t)
}

func TestWorkerRetriesWithTheCount(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, func(_ context.Context, call int, _ Job) error {
		switch call {
		case 1:
			return errors.New("odd")
		case 2:
			return fault.RetryAfter(errors.New("later"), 300*time.Millisecond)
		}
		return nil
	})
	x.start(t, WorkerOptions{})
	x.due(t)
	x.expect(t, OutcomeRetry, OutcomeRetry)
	asked := time.Now()
	x.expect(t, OutcomeOK)
	if waited := time.Since(asked); waited < 200*time.Millisecond {
		t.Errorf("tried again after %s", waited)
	}
	for attempt := range 3 {
		if j := receive(t, x.jobs, "a job"); j != (Job{Ref: alice, Attempt: attempt, Deliveries: 1}) {
			t.Errorf("job %+v, want attempt %d delivered once", j, attempt)
		}
	}
	x.settled(t)
}

func TestWorkerOutageIsNoAttempt(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, func(_ context.Context, call int, _ Job) error {
		if call <= 4 {
			return fault.Outage(errors.New("model down"), time.Millisecond)
		}
		return nil
	})
	x.start(t, WorkerOptions{MaxAttempts: 2})
	x.due(t)
	x.expect(t, OutcomeWaiting, OutcomeWaiting, OutcomeWaiting, OutcomeWaiting, OutcomeOK)
	for range 5 {
		if j := receive(t, x.jobs, "a job"); j.Attempt != 0 || j.Deliveries != 1 {
			t.Errorf("job %+v, want no attempt", j)
		}
	}
	x.settled(t)
}

func TestWorkerParks(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	for name, c := range map[string]struct {
		err      error
		panics   bool
		outcomes []string
		reason   string
		attempt  int
	}{
		"permanent":    {fault.Permanent(odd), false, []string{OutcomeParked}, ReasonPermanent, 0},
		"last attempt": {odd, false, []string{OutcomeRetry, OutcomeRetry, OutcomeParked}, ReasonAttempts, 2},
		"second panic": {nil, true, []string{OutcomeRetry, OutcomeParked}, ReasonPanicked, 1},
	} {
		t.Run(name, func(t *testing.T) {
			x := newWorking(t, Options{}, func(context.Context, int, Job) error {
				if c.panics {
					panic("secret")
				}
				return c.err
			})
			x.start(t, WorkerOptions{MaxAttempts: 3})
			x.due(t)
			x.expect(t, c.outcomes...)
			p := receive(t, x.parked, "the park")
			if p.reason != c.reason || p.job.Attempt != c.attempt || p.job.Ref != alice || p.cause == nil {
				t.Errorf("parked %+v", p)
			}
			if c.err != nil && !errors.Is(p.cause, odd) {
				t.Errorf("cause %v", p.cause)
			}
			if c.panics && p.cause.Error() != "handler panicked (string)" {
				t.Errorf("the cause tells what the handler panicked with: %v", p.cause)
			}
			x.settled(t)
		})
	}
}

func TestWorkerPassesNothingOverThatIsNotParked(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, func(context.Context, int, Job) error { return errors.New("odd") })
	x.park = func(_ context.Context, call int) error {
		switch call {
		case 1:
			return errors.New("dead letters cannot be reached")
		case 2:
			panic("again")
		}
		return nil
	}
	x.start(t, WorkerOptions{MaxAttempts: 2})
	x.due(t)
	x.expect(t, OutcomeRetry, OutcomeWaiting, OutcomeWaiting, OutcomeParked)
	if p := receive(t, x.parked, "the park"); p.reason != ReasonAttempts || p.job.Attempt != 1 {
		t.Errorf("parked %+v", p)
	}
	x.settled(t)
}

// TestWorkerParksAfterCrashes takes the job as processes do that die on it: without an
// answer.
func TestWorkerParksAfterCrashes(t *testing.T) {
	const ackWait = 200 * time.Millisecond
	x := newWorking(t, Options{AckWait: ackWait}, func(context.Context, int, Job) error { return nil })
	x.park = func(_ context.Context, call int) error {
		if call == 1 {
			return errors.New("dead letters cannot be reached")
		}
		return nil
	}
	x.due(t)
	c, err := x.js.Consumer(testContext(t), StreamTimers, ConsumerExtractor)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if msg, err := fetchOne(testContext(t), c); err != nil || msg == nil {
			t.Fatalf("delivery: %v", err)
		}
	}
	x.start(t, WorkerOptions{AckWait: ackWait, MaxCrashes: 3})
	x.expect(t, OutcomeWaiting, OutcomeParked)
	if p := receive(t, x.parked, "the park"); p.reason != ReasonCrashed {
		t.Errorf("parked %+v", p)
	}
	if len(x.jobs) != 0 {
		t.Error("handled what processes died on")
	}
	x.settled(t)
}

// TestWorkerHasNothingToDoForWhatIsErased has the pending event go before its timer fires.
func TestWorkerHasNothingToDoForWhatIsErased(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, func(context.Context, int, Job) error { return nil })
	seq := event(t, x.js, alice)
	if err := x.timers.Now(testContext(t), alice); err != nil {
		t.Fatal(err)
	}
	if err := x.timers.events.overwrite(testContext(t), seq); err != nil {
		t.Fatal(err)
	}
	x.start(t, WorkerOptions{})
	x.expect(t, OutcomeGone)
	if len(x.jobs) != 0 {
		t.Error("handled a thread whose events are gone")
	}
	x.settled(t)
}

// leaderless is a connection to servers that do not know their streams at first.
type leaderless struct {
	jetstream.JetStream
	fail int
}

func (l *leaderless) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	if l.fail--; l.fail >= 0 {
		return nil, nats.ErrNoResponders
	}
	return l.JetStream.Stream(ctx, name)
}

// TestWorkerWaitsForTheEventLog: while nobody can say which thread is due, the job waits, and
// that is neither an attempt nor a crash.
func TestWorkerWaitsForTheEventLog(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, func(context.Context, int, Job) error { return nil })
	x.due(t)
	x.timers.events.js, x.timers.events.cached = &leaderless{JetStream: x.js, fail: 2}, nil
	x.start(t, WorkerOptions{})
	x.expect(t, OutcomeWaiting, OutcomeWaiting, OutcomeOK)
	if j := receive(t, x.jobs, "the job"); j != (Job{Ref: alice, Deliveries: 1}) {
		t.Errorf("job %+v, want no attempt", j)
	}
	x.settled(t)
}

func TestWorkerKeepsALongJob(t *testing.T) {
	const ackWait = 500 * time.Millisecond
	x := newWorking(t, Options{AckWait: ackWait}, func(ctx context.Context, _ int, _ Job) error {
		pauseFor(ctx, 3*ackWait)
		return nil
	})
	x.start(t, WorkerOptions{AckWait: ackWait})
	x.due(t)
	x.expect(t, OutcomeOK)
	if len(x.jobs) != 1 {
		t.Errorf("handled %d times", len(x.jobs))
	}
	x.settled(t)
}

func TestWorkerFetchesOnlyForFreeSlots(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	x := newWorking(t, Options{}, func(context.Context, int, Job) error { <-release; return nil })
	x.start(t, WorkerOptions{Concurrency: 2})
	for _, id := range []string{"1", "2", "3"} {
		event(t, x.js, thread("acme", "alice", id))
		if err := x.timers.Now(testContext(t), thread("acme", "alice", id)); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, x.jobs, "the first job")
	receive(t, x.jobs, "the second job")
	until(t, "two are delivered and one waits", func() bool {
		c, err := x.js.Consumer(testContext(t), StreamTimers, ConsumerExtractor)
		if err != nil {
			t.Fatal(err)
		}
		info := c.CachedInfo()
		if info.NumAckPending > 2 {
			t.Fatalf("%d are delivered with 2 slots", info.NumAckPending)
		}
		return info.NumAckPending == 2 && info.NumPending == 1
	})
	close(release)
	x.expect(t, OutcomeOK, OutcomeOK, OutcomeOK)
}

func TestWorkerStopsInTwoStages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		timeout time.Duration
		outcome string
	}{"in time": {testWait, OutcomeOK}, "cut off": {10 * time.Millisecond, OutcomeInterrupted}} {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{})
			x := newWorking(t, Options{}, func(ctx context.Context, _ int, _ Job) error {
				select {
				case <-release:
					return ctx.Err()
				case <-ctx.Done():
					return ctx.Err()
				}
			})
			stop := x.start(t, WorkerOptions{StopTimeout: c.timeout})
			x.due(t)
			receive(t, x.jobs, "the job")
			stopped := make(chan struct{})
			go func() { defer close(stopped); stop() }()
			if c.outcome == OutcomeOK {
				close(release)
			}
			x.expect(t, c.outcome)
			receive(t, stopped, "the worker to stop")
			if c.outcome == OutcomeOK {
				x.settled(t)
				return
			}
			again := newWorkingOn(x)
			again.start(t, WorkerOptions{})
			again.expect(t, OutcomeOK)
			if j := receive(t, again.jobs, "the job again"); j.Attempt != 0 || j.Deliveries != 2 {
				t.Errorf("job %+v, want no attempt, delivered again at once", j)
			}
		})
	}
}

// newWorkingOn is another process's worker on the same streams, whose jobs succeed.
func newWorkingOn(x *working) *working {
	return &working{
		js: x.js, timers: x.timers, meter: outcomeMeter{outcomes: make(chan string, 100)},
		jobs: make(chan Job, 100), parked: make(chan parked, 100),
		handle: func(context.Context, int, Job) error { return nil },
	}
}

func TestWorkerNeedsItsConsumer(t *testing.T) {
	t.Parallel()
	x := newWorking(t, Options{}, nil)
	if err := x.js.DeleteConsumer(testContext(t), StreamTimers, ConsumerExtractor); err != nil {
		t.Fatal(err)
	}
	w, err := NewWorker(x.js, x.timers, x, WorkerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(testContext(t)); !errors.Is(err, jetstream.ErrConsumerNotFound) {
		t.Errorf("Run = %v, want ErrConsumerNotFound", err)
	}
}

func TestBackoff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		f := rapid.Float64Range(0, 0.999).Draw(t, "fraction")
		d := backoff(n, time.Second, time.Minute, f)
		if d < time.Second/2 || d > time.Minute {
			t.Fatalf("backoff %d = %s", n, d)
		}
		if next := backoff(n+1, time.Second, time.Minute, f); next < d {
			t.Fatalf("backoff %d = %s, then %s", n, d, next)
		}
	})
	if a, b := backoff(3, time.Second, time.Minute, 0), backoff(9, time.Second, time.Minute, 0); a != 2*time.Second || b != 30*time.Second {
		t.Errorf("backoff 3 and 9 = %s, %s", a, b)
	}
}
