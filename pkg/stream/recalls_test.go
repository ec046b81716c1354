package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/mnemond/mnemond/pkg/memory"
)

// dropMeter hands out the counter of the traces that are dropped.
type dropMeter struct {
	noop.Meter
	counter *dropCounter
}

type dropCounter struct {
	noop.Int64Counter
	dropped atomic.Int64
}

func (m dropMeter) Int64Counter(string, ...metric.Int64CounterOption) (metric.Int64Counter, error) {
	return m.counter, nil
}

func (c *dropCounter) Add(_ context.Context, n int64, _ ...metric.AddOption) { c.dropped.Add(n) }

func newRecalls(t *testing.T, js jetstream.JetStream, o RecallsOptions) (*Recalls, *dropCounter) {
	t.Helper()
	m := &dropCounter{}
	o.Meter = dropMeter{counter: m}
	r, err := NewRecalls(js, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, m
}

func recallTrace(u memory.User, data string) Trace {
	return Trace{Tenant: "acme", User: u, Data: []byte(data)}
}

// stored are the traces in the stream, as "user:data".
func stored(t *testing.T, r *Recalls, from time.Time) []string {
	t.Helper()
	var all []string
	err := r.Since(testContext(t), from, func(_ context.Context, got Trace) error {
		if got.Tenant != "acme" || got.Seq == 0 || got.StoredAt.Before(from) {
			t.Errorf("trace %+v", got)
		}
		all = append(all, fmt.Sprintf("%s:%s", got.User, got.Data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTracesAreStoredInOrder(t *testing.T) {
	t.Parallel()
	r, m := newRecalls(t, newJetStream(t, Options{}), RecallsOptions{})
	var want []string
	for i := range 50 {
		u := []memory.User{"alice", "张三"}[i%2]
		r.Publish(testContext(t), recallTrace(u, fmt.Sprint(i)))
		want = append(want, fmt.Sprint(u, ":", i))
	}
	stop := background(t, r.Run)
	stop() // stores what waits
	if got := stored(t, r, time.Time{}); !slices.Equal(got, want) {
		t.Errorf("stored %q, want %q", got, want)
	}
	if n := m.dropped.Load(); n != 0 {
		t.Errorf("%d dropped", n)
	}
	var of []string
	err := r.Of(testContext(t), "acme", "张三", time.Time{}, func(_ context.Context, got Trace) error {
		of = append(of, fmt.Sprintf("%s:%s", got.User, got.Data))
		return nil
	})
	if theirs := slices.DeleteFunc(want, func(s string) bool { return s[0] == 'a' }); err != nil || !slices.Equal(of, theirs) {
		t.Errorf("of one user %q, %v, want %q", of, err, theirs)
	}
}

// TestPublishingATraceNeverWaits has nobody take the traces.
func TestPublishingATraceNeverWaits(t *testing.T) {
	t.Parallel()
	r, m := newRecalls(t, nil, RecallsOptions{Queue: 3})
	for i := range 10 {
		r.Publish(testContext(t), recallTrace("alice", fmt.Sprint(i)))
	}
	r.Publish(testContext(t), recallTrace("", "nobody's"))
	r.Publish(testContext(t), recallTrace("alice", string(make([]byte, MaxTraceBytes+1))))
	if n := m.dropped.Load(); n != 9 {
		t.Errorf("%d of 12 dropped with room for 3, want 9", n)
	}
}

func TestTracesThatCannotBeStoredAreDropped(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	if err := js.DeleteStream(testContext(t), StreamRecalls); err != nil {
		t.Fatal(err)
	}
	r, m := newRecalls(t, js, RecallsOptions{Patience: time.Millisecond})
	r.Publish(testContext(t), recallTrace("alice", "lost"))
	r.Publish(testContext(t), recallTrace("alice", "lost too"))
	background(t, r.Run)
	until(t, "both are dropped", func() bool { return m.dropped.Load() == 2 })
}

func TestSinceBeginsAtATime(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	r, _ := newRecalls(t, js, RecallsOptions{})
	if got := stored(t, r, time.Time{}); len(got) != 0 {
		t.Fatalf("empty = %q", got)
	}
	background(t, r.Run)
	for i := range 3 {
		r.Publish(testContext(t), recallTrace("alice", fmt.Sprint(i)))
		until(t, "it is stored", func() bool { return len(stored(t, r, time.Time{})) > i })
	}
	m, err := r.last(testContext(t), RecallsSubject("acme", "alice"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		from time.Time
		want []string
	}{
		"then": {m.at, []string{"alice:2"}}, "after": {m.at.Add(time.Nanosecond), nil}, "before": {m.at.Add(-time.Hour), []string{"alice:0", "alice:1", "alice:2"}},
	} {
		if got := stored(t, r, c.from); !slices.Equal(got, c.want) {
			t.Errorf("since %s: %q, want %q", name, got, c.want)
		}
	}
	stop := errors.New("stop")
	if err := r.Since(testContext(t), time.Time{}, func(context.Context, Trace) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Since = %v, want fn's error", err)
	}
}

// TestConsumeAcknowledgesWhatIsDone has fn fail once: the traces come again, with what has come
// since.
func TestConsumeAcknowledgesWhatIsDone(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	r, _ := newRecalls(t, js, RecallsOptions{})
	background(t, r.Run)
	r.Publish(testContext(t), recallTrace("alice", "0"))
	r.Publish(testContext(t), recallTrace("alice", "1"))
	stored := func(n uint64) {
		until(t, "the traces are stored", func() bool {
			last, err := r.lastSeq(testContext(t))
			return err == nil && last >= firstSeq+n-1
		})
	}
	stored(2)
	fail := errors.New("the collection is away")
	batches := make(chan []string, 10)
	consume := func(ctx context.Context, n int, err error) error {
		return r.Consume(ctx, "access", n, time.Millisecond, func(_ context.Context, got []Trace) error {
			var data []string
			for _, t := range got {
				data = append(data, string(t.Data))
			}
			batches <- data
			return err
		})
	}
	if err := consume(testContext(t), 2, fail); !errors.Is(err, fail) {
		t.Fatalf("Consume = %v, want fn's error", err)
	}
	r.Publish(testContext(t), recallTrace("alice", "2"))
	stored(3)
	background(t, func(ctx context.Context) error {
		if err := consume(ctx, 3, nil); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
	if got := receive(t, batches, "a batch"); !slices.Equal(got, []string{"0", "1"}) {
		t.Errorf("consumed %q, want what there was", got)
	}
	var again []string
	for len(again) < 3 {
		again = append(again, receive(t, batches, "a batch")...)
	}
	if slices.Sort(again); !slices.Equal(again, []string{"0", "1", "2"}) {
		t.Errorf("consumed %q, want all of it, once", again)
	}
	until(t, "all are acknowledged", func() bool {
		c, err := js.Consumer(testContext(t), StreamRecalls, "access")
		if err != nil {
			t.Fatal(err)
		}
		info := c.CachedInfo()
		return info.NumAckPending == 0 && info.AckFloor.Stream == firstSeq+2
	})
}

func TestConsumeWaitsNoLongerThanItsInterval(t *testing.T) {
	t.Parallel()
	r, _ := newRecalls(t, newJetStream(t, Options{}), RecallsOptions{})
	background(t, r.Run)
	r.Publish(testContext(t), recallTrace("alice", "alone"))
	done := errors.New("done")
	err := r.Consume(testContext(t), "access", 100, 200*time.Millisecond, func(_ context.Context, got []Trace) error {
		if len(got) != 1 || string(got[0].Data) != "alone" {
			t.Errorf("consumed %+v", got)
		}
		return done
	})
	if !errors.Is(err, done) {
		t.Errorf("Consume = %v", err)
	}
}

// TestATraceIsPutFoundAndDeleted: from a time on, and of one user alone; its bytes are gone.
func TestATraceIsPutFoundAndDeleted(t *testing.T) {
	t.Parallel()
	r, _ := newRecalls(t, newJetStream(t, Options{}), RecallsOptions{})
	ctx := testContext(t)
	for _, bad := range []Trace{recallTrace("", "nobody's"), recallTrace("alice", string(make([]byte, MaxTraceBytes+1)))} {
		if err := r.Put(ctx, bad); err == nil {
			t.Errorf("a trace of %q with %d bytes is stored", bad.User, len(bad.Data))
		}
	}
	if last, err := r.Last(ctx, "acme", "alice"); err != nil || !last.IsZero() {
		t.Errorf("Last = %s, %v before there is one", last, err)
	}
	var at []time.Time
	for _, trace := range []Trace{recallTrace("alice", "0"), recallTrace("alice", "1"), recallTrace("张三", "2")} {
		if err := r.Put(ctx, trace); err != nil {
			t.Fatal(err)
		}
		last, err := r.Last(ctx, "acme", trace.User)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, last)
	}
	of := func(from time.Time) (data []string, seqs []uint64) {
		err := r.Of(ctx, "acme", "alice", from, func(_ context.Context, got Trace) error {
			data, seqs = append(data, string(got.Data)), append(seqs, got.Seq)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return data, seqs
	}
	for name, c := range map[string]struct {
		from time.Time
		want []string
	}{
		"all": {time.Time{}, []string{"0", "1"}}, "before": {at[0].Add(-time.Hour), []string{"0", "1"}},
		"from the second": {at[1], []string{"1"}}, "after": {at[2].Add(time.Hour), nil},
	} {
		if got, _ := of(c.from); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	_, seqs := of(time.Time{})
	for range 2 { // one that is gone is no error
		if err := r.Delete(ctx, seqs[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got := stored(t, r, time.Time{}); !slices.Equal(got, []string{"alice:1", "张三:2"}) {
		t.Errorf("left are %q", got)
	}
}
