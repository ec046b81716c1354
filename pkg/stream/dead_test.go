package stream

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func letter(r memory.ThreadRef, events ...DeadEvent) DeadLetter {
	return DeadLetter{Stage: "extractor", Reason: ReasonAttempts, Detail: "odd", Attempts: 5, At: noon, Ref: r, Scope: r.Scope(), Events: events}
}

func deadEvent(r memory.ThreadRef, seq uint64, data string) DeadEvent {
	return DeadEvent{Seq: seq, ReceivedAt: noon.Add(-time.Hour), Subject: EventSubject(r), Data: []byte(data)}
}

func put(t *testing.T, d *Dead, letters ...DeadLetter) {
	t.Helper()
	for _, l := range letters {
		if err := d.Put(testContext(t), l); err != nil {
			t.Fatal(err)
		}
	}
}

func list(t *testing.T, d *Dead, f DeadFilter) []Entry {
	t.Helper()
	entries, next, err := d.List(testContext(t), f, 0, 100)
	if err != nil || next != 0 {
		t.Fatalf("list: next %d, %v", next, err)
	}
	return entries
}

func TestDeadLetterComesBack(t *testing.T) {
	t.Parallel()
	d := NewDead(newJetStream(t, Options{}))
	e := deadEvent(zhang, 7, "我叫张三")
	e.Header = nats.Header{"traceparent": {"00-x"}}
	l := letter(zhang, e)
	put(t, d, l)
	l.Part, l.Parts = 1, 1
	entries := list(t, d, DeadFilter{})
	if len(entries) != 1 || !reflect.DeepEqual(entries[0].DeadLetter, l) {
		t.Fatalf("came back as %+v, want %+v", entries, l)
	}
	if got, err := d.Get(testContext(t), entries[0].Seq); err != nil || !reflect.DeepEqual(got, entries[0]) {
		t.Errorf("Get = %+v, %v", got, err)
	}
}

func TestPutAgainIsStoredOnce(t *testing.T) {
	t.Parallel()
	d := NewDead(newJetStream(t, Options{}))
	l := letter(alice, deadEvent(alice, 1, "a"), deadEvent(alice, 2, "b"))
	again := l
	again.At, again.Attempts = noon.Add(time.Minute), 6
	other := letter(alice, deadEvent(alice, 3, "c"))
	put(t, d, l, again, other)
	entries := list(t, d, DeadFilter{})
	if len(entries) != 2 {
		t.Fatalf("%d letters, want 2", len(entries))
	}
	if err := d.Drop(testContext(t), entries[0].Seq); err != nil {
		t.Fatal(err)
	}
	put(t, d, l, l)
	if entries = list(t, d, DeadFilter{}); len(entries) != 2 {
		t.Errorf("%d letters after one was dropped and put again, want 2", len(entries))
	}
}

func TestLargeLetterBecomesSeveral(t *testing.T) {
	t.Parallel()
	d := NewDead(newJetStream(t, Options{}))
	var events []DeadEvent
	for i := range 5 {
		events = append(events, deadEvent(alice, uint64(i+1), strings.Repeat("\xff", MaxEventBytes/2)))
	}
	l := letter(alice, events...)
	put(t, d, l, l)
	var got []DeadEvent
	entries := list(t, d, DeadFilter{})
	for i, e := range entries {
		if e.Part != i+1 || e.Parts != len(entries) || len(e.Events) == 0 {
			t.Errorf("part %d of %d with %d events", e.Part, e.Parts, len(e.Events))
		}
		got = append(got, e.Events...)
	}
	if len(entries) < 2 || !reflect.DeepEqual(got, events) {
		t.Errorf("%d parts, %d events", len(entries), len(got))
	}
}

func TestSplitEvents(t *testing.T) {
	t.Parallel()
	if groups, err := splitEvents(nil, 100); err != nil || len(groups) != 1 || len(groups[0]) != 0 {
		t.Errorf("nothing split into %v, %v", groups, err)
	}
	if _, err := splitEvents([]DeadEvent{deadEvent(alice, 1, strings.Repeat("x", 1000))}, 1000); !errors.Is(err, ErrTooLarge) || !fault.IsPermanent(err) {
		t.Errorf("too large = %v", err)
	}
	e := deadEvent(alice, 1, "small")
	e.Header = nats.Header{"X": {strings.Repeat("<", 1000)}}
	groups, err := splitEvents([]DeadEvent{e}, 1000)
	if err != nil || groups[0][0].Header != nil || !bytes.Equal(groups[0][0].Data, e.Data) {
		t.Errorf("large header: %+v, %v", groups, err)
	}
}

func TestListFiltersAndPages(t *testing.T) {
	t.Parallel()
	d := NewDead(newJetStream(t, Options{}))
	globex := thread("globex", "alice", "t1")
	nobody := DeadLetter{Stage: "timers", Reason: "subject", At: noon}
	put(t, d, letter(alice, deadEvent(alice, 1, "a")), letter(zhang, deadEvent(zhang, 2, "张")),
		letter(globex, deadEvent(globex, 3, "g")), nobody, letter(alice, deadEvent(alice, 4, "d")))
	for name, c := range map[string]struct {
		filter DeadFilter
		want   int
	}{
		"all":    {DeadFilter{}, 5},
		"tenant": {DeadFilter{Tenant: "acme"}, 3},
		"owner":  {DeadFilter{Tenant: "acme", Owner: alice.Scope().Owner}, 2},
		"stage":  {DeadFilter{Stage: "timers"}, 1},
		"none":   {DeadFilter{Stage: "timers", Tenant: "acme"}, 0},
	} {
		if got := list(t, d, c.filter); len(got) != c.want {
			t.Errorf("%s: %d letters, want %d", name, len(got), c.want)
		}
	}
	var seqs []uint64
	for after := uint64(0); ; {
		page, next, err := d.List(testContext(t), DeadFilter{Tenant: "acme"}, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page {
			seqs = append(seqs, e.Seq)
		}
		if after = next; next == 0 {
			break
		}
	}
	if want := []uint64{firstSeq, firstSeq + 1, firstSeq + 4}; !slices.Equal(seqs, want) {
		t.Errorf("paged through %v, want %v", seqs, want)
	}
	if _, _, err := d.List(testContext(t), DeadFilter{Owner: alice.Scope().Owner}, 0, 1); !errors.Is(err, memory.ErrScope) {
		t.Errorf("an owner without a tenant = %v", err)
	}
}

func TestReplayPublishesAnewAndDrops(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	d, e := NewDead(js), runEvents(t, js)
	ctx := testContext(t)
	publish(t, e, outgoing(alice, "1", "one"), outgoing(alice, "2", "two"))
	stored, _, err := e.ReadThread(ctx, alice, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, letter(alice, NewDeadEvent(stored[0]), NewDeadEvent(stored[1])))
	seq := list(t, d, DeadFilter{})[0].Seq
	if err := d.Replay(ctx, seq, noon); err != nil {
		t.Fatal(err)
	}
	replayed, _, err := e.ReadThread(ctx, alice, stored[1].Seq, 10)
	if err != nil || len(replayed) != 2 {
		t.Fatalf("%d events replayed, %v", len(replayed), err)
	}
	for i, r := range replayed {
		if !bytes.Equal(r.Data, stored[i].Data) || !r.ReceivedAt.Equal(stored[i].ReceivedAt) ||
			r.Header.Get(HeaderReplay) != fmt.Sprint(seq) || r.Header.Get(HeaderReplayedAt) != noon.Format(time.RFC3339Nano) {
			t.Errorf("event %d replayed as %q with %v", i, r.Data, r.Header)
		}
	}
	if _, err := d.Get(ctx, seq); !errors.Is(err, ErrNotFound) {
		t.Errorf("the letter after its replay: %v", err)
	}
	if err := d.Replay(ctx, seq, noon); !errors.Is(err, ErrNotFound) {
		t.Errorf("replay of a dropped letter = %v", err)
	}
}

// TestReplayThatBrokeOffDoublesNothing publishes the first event as the broken replay did.
func TestReplayThatBrokeOffDoublesNothing(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	d, e := NewDead(js), NewEvents(js, EventsOptions{})
	ctx := testContext(t)
	put(t, d, letter(alice, deadEvent(alice, 1, "one"), deadEvent(alice, 2, "two")))
	entry := list(t, d, DeadFilter{})[0]
	if _, err := js.PublishMsg(ctx, replayed(entry.Seq, entry.Events[0], noon)); err != nil {
		t.Fatal(err)
	}
	if err := d.Replay(ctx, entry.Seq, noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got, _, err := e.ReadThread(ctx, alice, 0, 10); err != nil || len(got) != 2 {
		t.Errorf("%d events, %v, want 2", len(got), err)
	}
}

func TestReplayRefusesAStrangeSubject(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	d, e := NewDead(js), NewEvents(js, EventsOptions{})
	for i, subject := range []string{"mem.events.a.b.=zz", testNames.TimerDueSubject(alice), LedgerSubject(alice.Scope())} {
		put(t, d, letter(alice, deadEvent(alice, 1, "one"), DeadEvent{Seq: uint64(10 + i), Subject: subject}))
		entries := list(t, d, DeadFilter{})
		if err := d.Replay(testContext(t), entries[i].Seq, noon); !fault.IsPermanent(err) {
			t.Errorf("replay onto %s = %v, want a permanent error", subject, err)
		}
	}
	if head, err := e.Head(testContext(t), alice); err != nil || head != 0 {
		t.Errorf("half of a letter is replayed: head %d, %v", head, err)
	}
}

func TestDropOfNothing(t *testing.T) {
	t.Parallel()
	d := NewDead(newJetStream(t, Options{}))
	for _, seq := range []uint64{0, 9} {
		if err := d.Drop(testContext(t), seq); !errors.Is(err, ErrNotFound) || errors.Is(err, jetstream.ErrMsgNotFound) {
			t.Errorf("Drop(%d) = %v, want ErrNotFound", seq, err)
		}
	}
}
