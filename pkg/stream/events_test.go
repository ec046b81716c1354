package stream

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestPublishAndReadBack(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	at := time.Date(2026, 3, 1, 8, 0, 0, 123456789, time.FixedZone("CST", 8*3600))
	receipts := publish(t, e, OutgoingEvent{
		Ref: zhang, EventID: "e-1", Data: []byte("我搬到杭州了"), ReceivedAt: at,
		Header: nats.Header{"traceparent": {"00-x"}, "Nats-Rollup": {"all"}, "nats-ttl": {"1s"}},
	})
	got, err := e.Get(testContext(t), zhang, receipts[0].Seq)
	if err != nil {
		t.Fatal(err)
	}
	if got.Ref != zhang || string(got.Data) != "我搬到杭州了" || !got.ReceivedAt.Equal(at) || got.ReceivedAt.Location() != time.UTC {
		t.Errorf("came back as %+v", got)
	}
	if got.Header.Get("traceparent") != "00-x" || got.Header.Get("Nats-Rollup") != "" || got.Header.Get("nats-ttl") != "" {
		t.Errorf("header came back as %v", got.Header)
	}
}

func TestPublishedStraightToNATSTakesTheStreamsTime(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	e := NewEvents(js, EventsOptions{})
	ack, err := js.Publish(testContext(t), EventSubject(alice), []byte("hi"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Get(testContext(t), alice, ack.Sequence)
	if err != nil || got.ReceivedAt.IsZero() || !got.ReceivedAt.Equal(got.StoredAt) {
		t.Errorf("received at %v, stored at %v, %v", got.ReceivedAt, got.StoredAt, err)
	}
}

// TestConcurrentPublishersShareBatches has 64 publishers wait for a loop that is not yet
// running, so that what they send must come out as few batches.
func TestConcurrentPublishersShareBatches(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	e := NewEvents(js, EventsOptions{})
	const publishers, each = 64, 5
	receipts := make(chan []Receipt, publishers)
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			var events []OutgoingEvent
			for i := range each {
				events = append(events, outgoing(thread("acme", fmt.Sprint("u", p), "t"), fmt.Sprint(i), fmt.Sprint(p, "/", i)))
			}
			got, err := e.Publish(testContext(t), events)
			if err != nil {
				t.Errorf("publisher %d: %v", p, err)
			}
			receipts <- got
		})
	}
	background(t, e.Run)
	wg.Wait()
	close(receipts)
	seen := map[uint64]bool{}
	for got := range receipts {
		for _, r := range got {
			if r.Seq == 0 || r.Duplicate || seen[r.Seq] {
				t.Errorf("receipt %+v", r)
			}
			seen[r.Seq] = true
		}
	}
	if len(seen) != publishers*each {
		t.Fatalf("%d receipts, want %d", len(seen), publishers*each)
	}
	batches := map[string]bool{}
	for p := range publishers {
		events, _, err := e.ReadThread(testContext(t), thread("acme", fmt.Sprint("u", p), "t"), 0, 100)
		if err != nil || len(events) != each {
			t.Fatalf("publisher %d: %d events, %v", p, len(events), err)
		}
		for i, ev := range events {
			if string(ev.Data) != fmt.Sprint(p, "/", i) {
				t.Errorf("publisher %d, place %d: %q", p, i, ev.Data)
			}
			batches[ev.Header.Get("Nats-Batch-Id")] = true
		}
	}
	if len(batches) >= publishers {
		t.Errorf("%d batches for %d publishers", len(batches), publishers)
	}
}

func TestPublishAgainIsADuplicate(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	first := publish(t, e, outgoing(alice, "e1", "one"), outgoing(alice, "e2", "two"))
	again := publish(t, e, outgoing(alice, "e0", "zero"), outgoing(alice, "e1", "one"), outgoing(alice, "e2", "two"), outgoing(alice, "e3", "three"))
	want := []Receipt{{Seq: firstSeq + 2}, {first[0].Seq, true}, {first[1].Seq, true}, {Seq: firstSeq + 3}}
	if !slices.Equal(again, want) {
		t.Errorf("receipts %+v, want %+v", again, want)
	}
	twice := publish(t, e, outgoing(alice, "e9", "nine"), outgoing(alice, "e9", "nine"))
	if twice[0].Duplicate || !twice[1].Duplicate || twice[0].Seq != twice[1].Seq {
		t.Errorf("one id twice in a call: %+v", twice)
	}
}

func TestOneEventIDInTwoTenantsIsTwoEvents(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	var events []OutgoingEvent
	for _, r := range []memory.ThreadRef{
		alice, thread("globex", "alice", "t1"), thread("acme", "bob", "t1"),
		thread("ac", "mealice", "t1"), thread("acmea", "lice", "t1"),
	} {
		events = append(events, outgoing(r, "e1", "one"))
	}
	for i, r := range publish(t, e, events...) {
		if r.Duplicate {
			t.Errorf("event of %+v was swallowed", events[i].Ref)
		}
	}
}

func TestPublishMoreThanABatch(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	var events []OutgoingEvent
	for i := range 2*maxBatchMessages + 10 {
		events = append(events, outgoing(alice, fmt.Sprint(i), fmt.Sprint(i)))
	}
	for i, r := range publish(t, e, events...) {
		if r.Seq != uint64(firstSeq+i) || r.Duplicate {
			t.Fatalf("receipt %d = %+v", i, r)
		}
	}
	got, more, err := e.ReadThread(testContext(t), alice, 0, len(events))
	if err != nil || more || len(got) != len(events) {
		t.Errorf("read %d events, more %v, %v", len(got), more, err)
	}
}

func TestTakeBatchBoundsBytes(t *testing.T) {
	p, err := newPublication([]OutgoingEvent{
		outgoing(alice, "1", strings.Repeat("x", maxBatchBytes-1000)), outgoing(alice, "2", strings.Repeat("x", 2000)),
	}, maxBatchBytes)
	if err != nil {
		t.Fatal(err)
	}
	if batch := takeBatch(p.appendTo(nil)); len(batch) != 1 {
		t.Errorf("batch of %d events, want 1", len(batch))
	}
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	good := outgoing(alice, "good", "good")
	for name, c := range map[string]struct {
		bad  OutgoingEvent
		want error
	}{
		"no user":   {outgoing(thread("acme", "", "t"), "e", "x"), memory.ErrScope},
		"no id":     {outgoing(alice, "", "x"), nil},
		"too large": {outgoing(alice, "e", strings.Repeat("x", MaxEventBytes)), ErrTooLarge},
	} {
		_, err := e.Publish(testContext(t), []OutgoingEvent{good, c.bad})
		if !fault.IsPermanent(err) || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want a permanent %v", name, err, c.want)
		}
	}
	if head, err := e.Head(testContext(t), alice); err != nil || head != 0 {
		t.Errorf("part of a refused call is stored: head %d, %v", head, err)
	}
}

func TestTheLargestEventIsStoredAndRead(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	ev := outgoing(alice, "e", "")
	p, err := newPublication([]OutgoingEvent{ev}, MaxEventBytes)
	if err != nil {
		t.Fatal(err)
	}
	ev.Data = []byte(strings.Repeat("\x00", MaxEventBytes-int(p.size)))
	r := publish(t, e, ev)
	if got, err := e.Get(testContext(t), alice, r[0].Seq); err != nil || len(got.Data) != len(ev.Data) {
		t.Errorf("%d bytes came back, %v", len(got.Data), err)
	}
}

func TestPublishWaitsForALostStream(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	ctx := testContext(t)
	if err := js.DeleteStream(ctx, StreamEvents); err != nil {
		t.Fatal(err)
	}
	e := runEvents(t, js)
	done := make(chan error, 1)
	go func() {
		_, err := e.Publish(ctx, []OutgoingEvent{outgoing(alice, "1", "one"), outgoing(alice, "2", "two")})
		done <- err
	}()
	if _, err := js.CreateStream(ctx, eventsStream(Options{}.withDefaults())); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, done, "the publish"); err != nil {
		t.Error(err)
	}
}

func TestPublishGivesUpWithAnOutage(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	if err := js.DeleteStream(testContext(t), StreamEvents); err != nil {
		t.Fatal(err)
	}
	e := NewEvents(js, EventsOptions{Patience: time.Millisecond})
	background(t, e.Run)
	if _, err := e.Publish(testContext(t), []OutgoingEvent{outgoing(alice, "1", "one")}); !errors.Is(err, fault.ErrOutage) {
		t.Errorf("Publish = %v, want an outage", err)
	}
}

func TestPublishAfterRunHasEnded(t *testing.T) {
	t.Parallel()
	e := NewEvents(newJetStream(t, Options{}), EventsOptions{})
	background(t, e.Run)()
	_, err := e.Publish(testContext(t), []OutgoingEvent{outgoing(alice, "1", "one")})
	if !errors.Is(err, ErrStopped) || !errors.Is(err, fault.ErrOutage) {
		t.Errorf("Publish = %v, want ErrStopped", err)
	}
}

func TestPublishRespectsItsContext(t *testing.T) {
	t.Parallel()
	e := NewEvents(newJetStream(t, Options{}), EventsOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Publish(ctx, []OutgoingEvent{outgoing(alice, "1", "one")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Publish = %v, want context.Canceled", err)
	}
}

func TestReadThreadAcrossInterleavedThreads(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	threads := []memory.ThreadRef{alice, zhang, thread("acme", "alice", "t2"), thread("globex", "alice", "t1")}
	const each = singleReads + 40
	var events []OutgoingEvent
	for i := range each {
		for _, r := range threads {
			events = append(events, outgoing(r, fmt.Sprint(r.Thread, i), fmt.Sprint(i)))
		}
	}
	publish(t, e, events...)
	for _, r := range threads {
		var after uint64
		var got []string
		for more := true; more; {
			var page []StoredEvent
			var err error
			if page, more, err = e.ReadThread(testContext(t), r, after, 70); err != nil {
				t.Fatal(err)
			}
			for _, ev := range page {
				if ev.Ref != r || ev.Seq <= after {
					t.Fatalf("event %d of %+v after %d", ev.Seq, ev.Ref, after)
				}
				after = ev.Seq
				got = append(got, string(ev.Data))
			}
		}
		if len(got) != each || got[0] != "0" || got[each-1] != fmt.Sprint(each-1) {
			t.Errorf("%+v: %d events", r, len(got))
		}
		if head, err := e.Head(testContext(t), r); err != nil || head != after {
			t.Errorf("head of %+v = %d, %v, want %d", r, head, err, after)
		}
	}
}

func TestReadThreadAtItsEdges(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	r := publish(t, e, outgoing(alice, "1", "one"), outgoing(alice, "2", "two"))
	for _, c := range []struct {
		after uint64
		limit int
		want  int
		more  bool
	}{{0, 2, 2, false}, {0, 1, 1, true}, {r[0].Seq, 5, 1, false}, {r[1].Seq, 5, 0, false}, {99, 5, 0, false}} {
		got, more, err := e.ReadThread(testContext(t), alice, c.after, c.limit)
		if err != nil || len(got) != c.want || more != c.more {
			t.Errorf("after %d, limit %d: %d events, more %v, %v", c.after, c.limit, len(got), more, err)
		}
	}
}

func TestGetOfAnotherThreadIsNotFound(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	seq := publish(t, e, outgoing(alice, "1", "one"))[0].Seq
	for _, c := range []struct {
		r   memory.ThreadRef
		seq uint64
	}{{zhang, seq}, {thread("globex", "alice", "t1"), seq}, {alice, seq + 1}, {alice, 0}} {
		if ev, err := e.Get(testContext(t), c.r, c.seq); !errors.Is(err, ErrNotFound) {
			t.Errorf("Get(%+v, %d) = %+v, %v, want ErrNotFound", c.r, c.seq, ev, err)
		}
	}
}

func TestOwnerHead(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	e := NewEvents(js, EventsOptions{})
	ctx := testContext(t)
	first := event(t, js, alice)
	second := event(t, js, thread("acme", "alice", "t2"))
	third := event(t, js, zhang)
	event(t, js, thread("globex", "alice", "t1"))
	for _, c := range []struct {
		scope memory.Scope
		want  uint64
	}{{aliceScope, second}, {zhangScope, third}, {tenantScope("acme"), third}, {memory.UserScope("acme", "bob"), 0}, {agentScope("acme", "alice"), 0}} {
		if head, err := e.OwnerHead(ctx, c.scope); err != nil || head != c.want {
			t.Errorf("head of %+v = %d, %v, want %d", c.scope, head, err, c.want)
		}
	}
	if head, err := e.UserHead(ctx, "acme", "alice"); err != nil || head != second || head == first {
		t.Errorf("head of the user = %d, %v, want %d", head, err, second)
	}
}

func BenchmarkPublishSingles(b *testing.B) { benchmarkPublish(b, 1) }

func BenchmarkPublishBatch100(b *testing.B) { benchmarkPublish(b, 100) }

// BenchmarkPublish64Clients has 64 publishers of single events share batches.
func BenchmarkPublish64Clients(b *testing.B) {
	js := newJetStream(b, Options{})
	e := runEvents(b, js)
	data := strings.Repeat("x", 1000)
	var n atomic.Int64
	answers := js.Conn().Stats().InMsgs
	b.SetParallelism(max(1, 64/runtime.GOMAXPROCS(0)))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := e.Publish(context.Background(), []OutgoingEvent{outgoing(alice, fmt.Sprint(n.Add(1)), data)}); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(n.Load())/b.Elapsed().Seconds(), "events/s")
	// A batch has two answers, a single event one.
	b.ReportMetric(float64(js.Conn().Stats().InMsgs-answers)/float64(n.Load()), "answers/event")
}

// benchmarkPublish reports events per second of one publisher of groups, synced to disk.
func benchmarkPublish(b *testing.B, group int) {
	e := runEvents(b, newJetStream(b, Options{}))
	data := strings.Repeat("x", 1000)
	n := 0
	for b.Loop() {
		events := make([]OutgoingEvent, group)
		for i := range events {
			events[i] = outgoing(alice, fmt.Sprint(n), data)
			n++
		}
		if _, err := e.Publish(context.Background(), events); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkRawBatch100 is the same without Events: what the stream itself can do.
func BenchmarkRawBatch100(b *testing.B) {
	js := newJetStream(b, Options{})
	data := []byte(strings.Repeat("x", 1000))
	n := 0
	for b.Loop() {
		msgs := make([]*nats.Msg, 100)
		for i := range msgs {
			msgs[i] = nats.NewMsg(EventSubject(alice))
			msgs[i].Data = data
			msgs[i].Header.Set(jetstream.MsgIDHeader, fmt.Sprint(n))
			n++
		}
		if _, err := publishAtomically(context.Background(), js, msgs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}
