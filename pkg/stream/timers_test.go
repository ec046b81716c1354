package stream

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestSlide(t *testing.T) {
	o := TimerOptions{}.withDefaults()
	t0 := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	at := func(d time.Duration) arrival {
		return arrival{ref: alice, turns: 1, tokens: 10, first: t0.Add(d), last: t0.Add(d)}
	}
	with := func(a arrival, change func(*arrival)) arrival { change(&a); return a }
	for name, c := range map[string]struct {
		pending Pending
		arrival arrival
		due     time.Duration
		atOnce  bool
	}{
		"first":            {Pending{}, at(0), 30 * time.Second, false},
		"slides":           {Pending{FirstPending: t0}, at(time.Minute), 90 * time.Second, false},
		"maximum wait":     {Pending{FirstPending: t0}, at(290 * time.Second), 300 * time.Second, false},
		"past the maximum": {Pending{FirstPending: t0}, at(400 * time.Second), 300 * time.Second, true},
		"turns":            {Pending{FirstPending: t0, Turns: 19}, at(time.Second), time.Second, true},
		"tokens":           {Pending{FirstPending: t0, Tokens: 5990}, at(time.Second), time.Second, true},
		"closed":           {Pending{FirstPending: t0}, with(at(time.Second), func(a *arrival) { a.closes = true }), time.Second, true},
		"not before":       {Pending{FirstPending: t0, NotBefore: t0.Add(time.Hour)}, at(time.Second), time.Hour, false},
		"closed, not before": {Pending{FirstPending: t0, NotBefore: t0.Add(time.Hour)},
			with(at(time.Second), func(a *arrival) { a.closes = true }), time.Hour, false},
		"earlier event delivered later": {Pending{FirstPending: t0.Add(time.Minute)}, at(0), 30 * time.Second, false},
	} {
		next, due, atOnce := o.slide(c.pending, c.arrival)
		if !due.Equal(t0.Add(c.due)) || atOnce != c.atOnce {
			t.Errorf("%s: due after %s, at once %v; want %s, %v", name, due.Sub(t0), atOnce, c.due, c.atOnce)
		}
		if next.Turns != c.pending.Turns+1 || next.Tokens != c.pending.Tokens+10 || next.FirstPending.After(c.arrival.first) {
			t.Errorf("%s: became %+v", name, next)
		}
	}
}

func TestSlideNeverPassesItsBounds(t *testing.T) {
	o := TimerOptions{}.withDefaults()
	t0 := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		var p Pending
		now := t0
		if rapid.Bool().Draw(t, "delayed") {
			p.NotBefore = t0.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "delay")) * time.Second)
		}
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "pause")) * time.Second)
			var due time.Time
			p, due, _ = o.slide(p, arrival{turns: 1, tokens: rapid.IntRange(0, 500).Draw(t, "tokens"), first: now, last: now})
			if latest := p.FirstPending.Add(o.MaxWait); due.After(latest) && due.After(p.NotBefore) {
				t.Fatalf("due %s, latest %s, not before %s", due, latest, p.NotBefore)
			}
			if due.Before(p.NotBefore) {
				t.Fatalf("due %s, not before %s", due, p.NotBefore)
			}
			if !p.FirstPending.Equal(t0) && p.FirstPending.After(now) {
				t.Fatalf("first pending moved to %s", p.FirstPending)
			}
		}
	})
}

// timing is a scheduler at work with events of the form "<turns> <word>".
type timing struct {
	js     jetstream.JetStream
	events *Events
	timers *Timers
	// fires delivers every fire, rejected every event that was parked.
	fires    chan fire
	rejected chan StoredEvent
}

type fire struct {
	ref     memory.ThreadRef
	pending Pending
	at      time.Time
}

func measure(data []byte) (turns, tokens int, closes bool, err error) {
	switch text := string(data); text {
	case "invalid":
		return 0, 0, false, errors.New("no event")
	case "panic":
		panic("a poison event")
	case "close":
		return 0, 0, true, nil
	default:
		return 1, len(text), false, nil
	}
}

func startTiming(t *testing.T, o TimerOptions) *timing {
	t.Helper()
	js := newJetStream(t, Options{})
	x := &timing{
		js: js, events: runEvents(t, js), timers: newTimers(js, o),
		fires: make(chan fire, 100), rejected: make(chan StoredEvent, 100),
	}
	reject := func(_ context.Context, e StoredEvent, reason string) error {
		if reason == "" {
			t.Error("rejected without a reason")
		}
		x.rejected <- e
		return nil
	}
	background(t, NewScheduler(js, x.timers, measure, reject, SchedulerOptions{}).Run)
	background(t, x.watch)
	return x
}

// watch takes the fires as a worker would.
func (x *timing) watch(ctx context.Context) error {
	c, err := x.js.Consumer(ctx, StreamTimers, ConsumerExtractor)
	for err == nil {
		var msg jetstream.Msg
		msg, err = fetchOne(ctx, c)
		if err != nil || msg == nil {
			continue
		}
		var ref memory.ThreadRef
		if ref, err = x.timers.thread(ctx, decodePending(msg.Data())); err == nil {
			x.fires <- fire{ref, decodePending(msg.Data()), time.Now()}
			err = msg.DoubleAck(ctx)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (x *timing) pendingTurns(t *testing.T, r memory.ThreadRef, turns int) Pending {
	t.Helper()
	ctx := testContext(t)
	for {
		p, _, err := x.timers.pending(ctx, testNames.thread(r))
		if err != nil {
			t.Fatalf("waiting for %d turns: %v", turns, err)
		}
		if p.Turns == turns {
			return p
		}
	}
}

func TestTimerFiresWhenTheThreadIsQuiet(t *testing.T) {
	t.Parallel()
	const quiet = 400 * time.Millisecond
	x := startTiming(t, TimerOptions{Quiet: quiet})
	publish(t, x.events, outgoing(alice, "1", "hello"), outgoing(zhang, "1", "你好"))
	x.pendingTurns(t, alice, 1)
	publish(t, x.events, outgoing(alice, "2", "again"))
	last := time.Now()
	fires := map[memory.ThreadRef]fire{}
	for range 2 {
		f := receive(t, x.fires, "a fire")
		fires[f.ref] = f
	}
	if f := fires[alice]; f.pending.Turns != 2 || f.pending.Tokens != 10 {
		t.Errorf("fired %+v, want 2 turns and 10 tokens in one", f.pending)
	}
	if early := quiet - fires[alice].at.Sub(last); early > 50*time.Millisecond {
		t.Errorf("fired %s early", early)
	}
	if f := fires[zhang]; f.pending.Turns != 1 {
		t.Errorf("fired %+v for %+v", f.pending, zhang)
	}
	if len(x.fires) != 0 {
		t.Error("a thread fired twice")
	}
}

func TestTimerFiresAtTheMaximumWait(t *testing.T) {
	t.Parallel()
	x := startTiming(t, TimerOptions{Quiet: time.Hour, MaxWait: 200 * time.Millisecond})
	publish(t, x.events, outgoing(alice, "1", "hello"))
	if f := receive(t, x.fires, "the fire"); f.pending.Turns != 1 {
		t.Errorf("fired %+v", f.pending)
	}
}

func TestTimerFiresAtOnceBySizeAndClose(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options TimerOptions
		texts   []string
	}{
		"turns":  {TimerOptions{Quiet: time.Hour, MaxWait: time.Hour, MaxTurns: 3}, []string{"a", "b", "c"}},
		"tokens": {TimerOptions{Quiet: time.Hour, MaxWait: time.Hour, MaxTokens: 10}, []string{"hello", "world"}},
		"closed": {TimerOptions{Quiet: time.Hour, MaxWait: time.Hour}, []string{"a", "close"}},
	} {
		t.Run(name, func(t *testing.T) {
			x := startTiming(t, c.options)
			for i, text := range c.texts[:len(c.texts)-1] {
				publish(t, x.events, outgoing(alice, fmt.Sprint(i), text))
				x.pendingTurns(t, alice, i+1)
			}
			publish(t, x.events, outgoing(alice, "last", c.texts[len(c.texts)-1]))
			receive(t, x.fires, "the fire")
			if p, seq, err := x.timers.pending(testContext(t), testNames.thread(alice)); err != nil || seq != 0 {
				t.Errorf("still pending after the fire: %+v, %v", p, err)
			}
		})
	}
}

func TestTimerOnDemand(t *testing.T) {
	t.Parallel()
	x := startTiming(t, TimerOptions{Quiet: time.Hour, MaxWait: time.Hour})
	publish(t, x.events, outgoing(alice, "1", "hello"))
	x.pendingTurns(t, alice, 1)
	publish(t, x.events, outgoing(zhang, "1", "你好"))
	for _, r := range []memory.ThreadRef{alice, zhang} {
		if err := x.timers.Now(testContext(t), r); err != nil {
			t.Fatal(err)
		}
		if f := receive(t, x.fires, "the fire"); f.ref != r {
			t.Errorf("fired %+v, want %+v", f.ref, r)
		}
	}
	if _, seq, err := x.timers.pending(testContext(t), testNames.thread(alice)); err != nil || seq != 0 {
		t.Errorf("still pending: %d, %v", seq, err)
	}
}

func TestRetryKeepsTheCountAndHoldsBackNewEvents(t *testing.T) {
	t.Parallel()
	x := startTiming(t, TimerOptions{Quiet: time.Hour, MaxWait: time.Hour})
	publish(t, x.events, outgoing(alice, "1", "hello"))
	x.pendingTurns(t, alice, 1)
	if err := x.timers.Retry(testContext(t), alice, 2, 600*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	set := time.Now()
	publish(t, x.events, outgoing(alice, "2", "close"))
	f := receive(t, x.fires, "the retry")
	if f.pending.Attempt != 2 || f.pending.Turns != 1 {
		t.Errorf("fired %+v, want attempt 2 and 1 turn", f.pending)
	}
	if early := 600*time.Millisecond - f.at.Sub(set); early > 50*time.Millisecond {
		t.Errorf("fired %s early", early)
	}
}

func TestRetryMergesAPendingTimer(t *testing.T) {
	t.Parallel()
	x := startTiming(t, TimerOptions{Quiet: time.Hour, MaxWait: time.Hour})
	publish(t, x.events, outgoing(alice, "1", "hello"))
	before := x.pendingTurns(t, alice, 1)
	if err := x.timers.Retry(testContext(t), alice, 3, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	f := receive(t, x.fires, "the retry")
	if f.pending.Attempt != 3 || f.pending.Turns != 1 || !f.pending.FirstPending.Equal(before.FirstPending) {
		t.Errorf("fired %+v, merged with %+v", f.pending, before)
	}
}

func TestSetTimerIsComparedAndSet(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	timers := newTimers(js, TimerOptions{})
	ctx := testContext(t)
	due := time.Now().Add(time.Hour)
	first := timer{name: testNames.thread(alice), pending: Pending{Turns: 1}, due: due}
	if err := timers.set(ctx, []timer{first, {name: testNames.thread(zhang), due: due}}); err != nil {
		t.Fatal(err)
	}
	for name, stale := range map[string][]timer{
		"slide":   {first},
		"at once": {{name: testNames.thread(alice), due: due, atOnce: true}},
		"batch":   {{name: testNames.thread(thread("acme", "bob", "t")), due: due}, first},
	} {
		if err := timers.set(ctx, stale); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: set = %v, want ErrConflict", name, err)
		}
	}
	if _, seq, err := timers.pending(ctx, testNames.thread(thread("acme", "bob", "t"))); err != nil || seq != 0 {
		t.Errorf("half of a rejected batch is set: %d, %v", seq, err)
	}
	p, seq, err := timers.pending(ctx, testNames.thread(alice))
	if err != nil || p.Turns != 1 {
		t.Fatalf("pending %+v, %v", p, err)
	}
	if err := timers.set(ctx, []timer{{name: testNames.thread(alice), pending: Pending{Turns: 2}, due: due, expect: seq}}); err != nil {
		t.Errorf("slide: %v", err)
	}
}

func TestSchedulerParksWhatItCannotRead(t *testing.T) {
	t.Parallel()
	x := startTiming(t, TimerOptions{Quiet: time.Millisecond})
	const bad = "mem.events.acme.alice.=zz"
	if _, err := x.js.Publish(testContext(t), bad, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	publish(t, x.events, outgoing(alice, "1", "invalid"), outgoing(zhang, "1", "你好"), outgoing(thread("acme", "bob", "t"), "1", "panic"))
	want := map[string]memory.ThreadRef{bad: {}, EventSubject(alice): alice, EventSubject(thread("acme", "bob", "t")): thread("acme", "bob", "t")}
	for range 3 {
		e := receive(t, x.rejected, "a rejected event")
		if ref, ok := want[e.Subject]; !ok || e.Ref != ref || len(e.Data) == 0 || e.Seq == 0 {
			t.Errorf("rejected %+v", e)
		}
		delete(want, e.Subject)
	}
	if f := receive(t, x.fires, "the valid event's fire"); f.ref != zhang {
		t.Errorf("fired %+v", f.ref)
	}
}

func TestSchedulerAcknowledgesOnlyWhatIsParked(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	events := runEvents(t, js)
	calls := make(chan uint64, 10)
	fail := true
	reject := func(_ context.Context, e StoredEvent, _ string) error {
		calls <- e.Seq
		if fail {
			fail = false
			return errors.New("dead letters cannot be reached")
		}
		return nil
	}
	background(t, NewScheduler(js, newTimers(js, TimerOptions{}), measure, reject, SchedulerOptions{}).Run)
	seq := publish(t, events, outgoing(alice, "1", "invalid"))[0].Seq
	for range 2 {
		if got := receive(t, calls, "the event to be parked"); got != seq {
			t.Errorf("parked %d, want %d", got, seq)
		}
	}
}

func TestNothingIsDueInAThreadWithoutEvents(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	timers := newTimers(js, TimerOptions{})
	ctx := testContext(t)
	if err := errors.Join(timers.Now(ctx, alice), timers.Retry(ctx, alice, 1, time.Hour)); err != nil {
		t.Fatal(err)
	}
	st, err := js.Stream(ctx, StreamTimers)
	if err != nil {
		t.Fatal(err)
	}
	if n := st.CachedInfo().State.Msgs; n != 0 {
		t.Errorf("%d timers, want none", n)
	}
	if err := timers.Now(ctx, memory.ThreadRef{}); !errors.Is(err, memory.ErrScope) {
		t.Errorf("zero thread = %v, want ErrScope", err)
	}
}

func TestTimerPayloadIsSmallAndStable(t *testing.T) {
	p := Pending{Seq: 9, FirstPending: time.Date(2026, 3, 1, 8, 0, 0, 5, time.UTC), Turns: 3, Tokens: 40, Attempt: 1, NotBefore: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}
	m, err := timer{name: testNames.thread(zhang), pending: p, due: p.NotBefore, expect: 7}.msg()
	if err != nil {
		t.Fatal(err)
	}
	if got := decodePending(m.Data); !reflect.DeepEqual(got, p) {
		t.Errorf("came back as %+v", got)
	}
	if at := m.Header.Get(jetstream.ScheduleHeader); at != "@at 2026-03-02T00:00:00Z" || !strings.HasPrefix(m.Subject, timerSetPrefix) {
		t.Errorf("schedule %q on %s", at, m.Subject)
	}
	if got := decodePending([]byte("{")); got != (Pending{}) {
		t.Errorf("broken payload read as %+v", got)
	}
}
