package consolidate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestDuplicatesAreDropped(t *testing.T) {
	w := newWorld(t)
	first := encode(turn(alice, "e1", w.now, "I live in Oslo."))
	w.put(alice, first)
	w.put(alice, first) // within one batch
	w.consolidate(t, alice)
	w.now = w.now.Add(40 * 24 * time.Hour) // long after the broker has forgotten it
	w.put(alice, first)
	w.say(alice, "我对花生过敏。")
	w.consolidate(t, alice)
	// Without the cache as well: it is read from the ledger.
	clear(w.threads.states)
	w.put(alice, first)
	w.consolidate(t, alice)

	records := w.sets(t, alice.Scope())
	consumed := map[ledger.EventHash]int{}
	for _, r := range records {
		for _, h := range r.Checkpoint.Events {
			consumed[h]++
		}
	}
	if n := consumed[ledger.HashEvent("e1", 0)]; n != 1 {
		t.Errorf("e1 was consumed %d times, want once", n)
	}
	if got, want := total(records), (ledger.Counts{Messages: 2, Remembered: 2}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if m := w.store.list(alice.Scope()); len(m) != 2 || len(m[0].Evidence) != 1 || len(m[1].Evidence) != 1 {
		t.Errorf("memories %+v, want two with one source each", m)
	}
	if at, err := w.Checkpoint(t.Context(), alice); err != nil || at != uint64(len(w.events.all)) {
		t.Errorf("Checkpoint = %d, %v, want %d: duplicates are passed too", at, err, len(w.events.all))
	}
}

func TestAnEventThatCannotBeReadIsParkedAlone(t *testing.T) {
	other := turn(in(alice, "t2"), "x", monday, "I live in Bergen.")
	other.User = "mallory"
	for name, c := range map[string]struct {
		data   []byte
		reason string
	}{
		"not JSON":                  {[]byte("I live in Bergen."), "invalid_event"},
		"unknown field":             {[]byte(`{"specversion":"1.0","id":"x","source":"/s","type":"mnemond.turn.v1","user":"alice","thread":"t1","mood":1,"data":{"messages":[{"role":"user","content":"I live in Bergen."}]}}`), "invalid_event"},
		"another user's event":      {encode(other), "subject_mismatch"},
		"another thread's event":    {encode(turn(in(alice, "t2"), "x", monday, "I live in Bergen.")), "subject_mismatch"},
		"the default tenant's":      {encode(turn(memory.ThreadRef{Tenant: memory.DefaultTenant, User: "alice", Thread: "t1"}, "x", monday, "I live in Bergen.")), "subject_mismatch"},
		"a time zone of fairy tale": {[]byte(`{"specversion":"1.0","id":"x","source":"/s","type":"mnemond.turn.v1","tenant":"acme","user":"alice","thread":"t1","timezone":"Middle/Earth","data":{"messages":[{"role":"user","content":"I live in Bergen."}]}}`), "invalid_event"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I'm Robin.")
			bad := w.put(alice, c.data)
			w.say(alice, "I have a cat named Mimi.")
			w.consolidate(t, alice)
			w.consolidate(t, alice)
			if len(w.dead.all) != 1 {
				t.Fatalf("%d dead letters, want 1: %+v", len(w.dead.all), w.dead.all)
			}
			l := w.dead.all[0]
			if l.Stage != "gather" || l.Reason != c.reason || l.Ref != alice || len(l.Events) != 1 || l.Events[0].Seq != bad {
				t.Errorf("dead letter %+v, want event %d for %s", l, bad, c.reason)
			}
			if strings.Contains(l.Detail, "Bergen") {
				t.Errorf("the letter's detail %q holds what was said", l.Detail)
			}
			if got, want := total(w.sets(t, alice.Scope())), (ledger.Counts{Messages: 3, Remembered: 2, Parked: 1}); got != want {
				t.Errorf("counts %+v, want %+v", got, want)
			}
			if got := w.current(alice.Scope(), "user.city"); len(got) != 0 {
				t.Errorf("user.city is %q: learnt from an event that was parked", got)
			}
		})
	}
}

func TestAThreadOfNothingButUnreadableEventsIsPassed(t *testing.T) {
	w := newWorld(t)
	seq := w.put(alice, []byte("{"))
	w.consolidate(t, alice)
	w.consolidate(t, alice)
	if at, err := w.Checkpoint(t.Context(), alice); err != nil || at != seq {
		t.Errorf("Checkpoint = %d, %v, want %d", at, err, seq)
	}
	if got := w.sets(t, alice.Scope()); len(got) != 1 || got[0].Checkpoint.Counts != (ledger.Counts{Messages: 1, Parked: 1}) {
		t.Errorf("change sets %+v, want one that counts the event", got)
	}
	if len(w.listener.shown) != 0 {
		t.Error("the extractor was asked about nothing")
	}
}

func TestADeadLetterThatCannotBeWrittenStopsEverything(t *testing.T) {
	w := newWorld(t)
	w.put(alice, []byte("{"))
	w.failures["dead"] = errDown
	if err := w.Thread(t.Context(), alice); err == nil {
		t.Error("the event is passed without a letter")
	}
	if n := len(w.ledger.sets[alice.Scope()]); n != 0 {
		t.Errorf("%d change sets, want none", n)
	}
}

func TestEventsOfOtherTypesPass(t *testing.T) {
	w := newWorld(t)
	for i, typ := range []event.Type{event.TypeThreadClosed, event.TypeFeedback, event.TypeTask, event.TypeAnswer} {
		e := event.Event{
			SpecVersion: "1.0", ID: fmt.Sprint(i), Source: "/test", Type: typ, Tenant: alice.Tenant, User: alice.User, Thread: alice.Thread,
		}
		switch typ {
		case event.TypeFeedback:
			e.Data = []byte(`{"rating":"up","memory_id":"1"}`)
		case event.TypeTask:
			e.Data = []byte(`{"goal":"I live in Oslo."}`)
		case event.TypeAnswer:
			e.Data = []byte(`{"recall_id":"1","content":"I live in Oslo."}`)
		}
		w.put(alice, encode(e))
	}
	w.consolidate(t, alice)
	records := w.sets(t, alice.Scope())
	if len(w.dead.all) > 0 {
		t.Fatalf("parked: %+v", w.dead.all[0])
	}
	if len(records) != 1 || records[0].Checkpoint.Seq != 4 || len(records[0].Checkpoint.Events) != 4 {
		t.Fatalf("change sets %+v, want one that passes four events", records)
	}
	if got := total(records); got != (ledger.Counts{}) {
		t.Errorf("counts %+v, want none: these events have no messages", got)
	}
	if len(w.listener.shown) != 0 || len(w.store.points) != 0 {
		t.Error("something was made of events that say nothing")
	}
}

// TestACommentIsTheUsersOwn: what is said with a rating counts as said.
func TestACommentIsTheUsersOwn(t *testing.T) {
	w := newWorld(t)
	w.put(alice, encode(event.Event{
		SpecVersion: "1.0", ID: "1", Source: "/test", Type: event.TypeFeedback, Tenant: alice.Tenant, User: alice.User, Thread: alice.Thread,
		Time: monday, Data: []byte(`{"rating":"up","comment":"I live in Oslo."}`),
	}))
	w.consolidate(t, alice)
	if got := total(w.sets(t, alice.Scope())); got != (ledger.Counts{Messages: 1, Remembered: 1}) {
		t.Errorf("counts %+v, want one message that is remembered", got)
	}
}

// TestAThumbsDownSuppresses what it is about: a memory, or what a recall has handed out.
func TestAThumbsDownSuppresses(t *testing.T) {
	for name, data := range map[string]string{
		"a memory": `{"rating":"down","memory_id":%q}`, "a recall": `{"rating":"down","recall_id":"r1"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I live in Oslo.", "", "I have a cat.")
			w.consolidate(t, alice)
			city := w.store.list(alice.Scope())[0]
			for _, m := range w.store.list(alice.Scope()) {
				if m.Key == "user.city" {
					city = m
				}
			}
			w.recalls.handedOut["r1"] = []memory.ID{city.ID}
			if strings.Contains(data, "%") {
				data = fmt.Sprintf(data, city.ID)
			}
			w.put(alice, encode(event.Event{
				SpecVersion: "1.0", ID: "down", Source: "/test", Type: event.TypeFeedback, Tenant: alice.Tenant, User: alice.User,
				Thread: alice.Thread, Time: monday.Add(time.Hour), Data: []byte(data),
			}))
			w.consolidate(t, alice)
			for _, m := range w.store.list(alice.Scope()) {
				if m.Status == memory.StatusCurrent && (m.SuppressedBy != "") != (m.Key == "user.city") {
					t.Errorf("%q is suppressed by %q, want only the city", m.Text, m.SuppressedBy)
				}
			}
		})
	}
}

// TestAThumbsDownAboutNothing: a rating of what is no memory, or of no recall of the user,
// changes nothing, and nothing of its thread is lost.
func TestAThumbsDownAboutNothing(t *testing.T) {
	for name, data := range map[string]string{
		"no id":               `{"rating":"down","memory_id":"the one about Oslo"}`,
		"an unknown memory":   `{"rating":"down","memory_id":"0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90"}`,
		"an unknown recall":   `{"rating":"down","recall_id":"r2"}`,
		"neither":             `{"rating":"down"}`,
		"no id, but a recall": `{"rating":"down","memory_id":"x","recall_id":"r2"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I live in Oslo.")
			w.put(alice, encode(event.Event{
				SpecVersion: "1.0", ID: "down", Source: "/test", Type: event.TypeFeedback, Tenant: alice.Tenant, User: alice.User,
				Thread: alice.Thread, Time: monday.Add(time.Hour), Data: []byte(data),
			}))
			w.consolidate(t, alice)
			all := w.store.list(alice.Scope())
			if len(all) != 1 || all[0].SuppressedBy != "" || len(w.dead.all) > 0 {
				t.Errorf("memories %+v, %d dead letters; want the city as it was", all, len(w.dead.all))
			}
		})
	}
}

func TestALongThreadBecomesSeveralChangeSets(t *testing.T) {
	facts := []string{"I'm allergic to peanuts.", "我喜欢爬山。", "I speak French.", "haha ok", "I have a dog named Rex."}
	long := strings.Repeat("This is a long message about nothing at all. ", 2000) // 90 kB
	cases := map[string]struct {
		fill     func(w *world)
		messages int
		sets     int
	}{
		"more than 64 events": {func(w *world) {
			for i := range 150 {
				w.say(alice, facts[i%len(facts)])
			}
		}, 150, 3},
		"more than 100 messages": {func(w *world) {
			for range 6 {
				w.say(alice, slices.Repeat([]string{"I live in Oslo.", "Nice."}, 30)...)
			}
		}, 360, 3},
		"more than 256 kB": {func(w *world) {
			for range 5 {
				w.say(alice, long, "I see.")
			}
		}, 10, 3},
		"one huge event": {func(w *world) { w.say(alice, long, long, long, "ok", "I live in Oslo.") }, 5, 1},
		"a huge event among small ones": {func(w *world) {
			w.say(alice, "I live in Oslo.")
			w.say(alice, long, long, long, "ok", "I have a dog named Rex.")
			w.say(alice, "I speak French.")
		}, 7, 3},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.listener.find = found(nil) // what is found in a piece has no part in its bounds
			c.fill(w)
			w.consolidate(t, alice)
			records := w.sets(t, alice.Scope())
			if len(records) != c.sets {
				t.Errorf("%d change sets, want %d", len(records), c.sets)
			}
			for i, d := range w.ledger.sets[alice.Scope()] {
				n := records[i].Checkpoint.Counts
				if len(d.data) > ledger.MaxBytes || !n.Balanced() || len(records[i].Checkpoint.Recent) > 4 {
					t.Errorf("change set %d of %d bytes counts %+v", i, len(d.data), n)
				}
			}
			if got := total(records); got.Messages != c.messages || !got.Balanced() {
				t.Errorf("counts %+v, want %d messages", got, c.messages)
			}
			if at, err := w.Checkpoint(t.Context(), alice); err != nil || at != uint64(len(w.events.all)) {
				t.Errorf("Checkpoint = %d, %v, want %d", at, err, len(w.events.all))
			}
		})
	}
}

// TestADecisionFitsIntoItsChangeSet: the largest statements that verification lets pass
// are together more than a change set can hold, and become several.
func TestADecisionFitsIntoItsChangeSet(t *testing.T) {
	w := newWorld(t)
	const n = 40
	var contents []string
	for i := range n {
		long := fmt.Sprintf("%03d ", i) + strings.Repeat(`a "`, 630)
		contents = append(contents, long, long)
	}
	for i := 0; i < len(contents); i += 40 {
		w.say(alice, append([]string{""}, contents[i:i+40]...)...)
	}
	w.listener.find = func(messages []memory.Message) ([]memory.Candidate, []memory.Directive) {
		var out []memory.Candidate
		for _, m := range messages {
			if m.Role != memory.RoleUser || m.Context || m.Content == "" {
				continue
			}
			for k := range 2 {
				out = append(out, memory.Candidate{
					Kind: memory.KindPreference, Key: "user.likes", Value: m.Content[:400+3*k], Text: m.Content[:990], Stability: memory.Stable,
					Confidence: 0.9, Relation: memory.RelationNew,
					Source: memory.Source{Message: m.Number, Quote: m.Content, AskedMessage: m.Number - 1, AskedQuote: messages[m.Number-2].Content},
				})
			}
		}
		return out, nil
	}
	w.consolidate(t, alice)
	records := w.sets(t, alice.Scope())
	if got := total(records); got.Messages != 2*n+2 || !got.Balanced() {
		t.Errorf("counts %+v, want %d messages", got, 2*n+2)
	}
	remembered := 0
	for i, r := range records {
		if size := len(w.ledger.sets[alice.Scope()][i].data); size > ledger.MaxBytes {
			t.Errorf("change set %d has %d bytes", i, size)
		}
		remembered += len(r.Changes)
		if len(r.Rejections) > 0 {
			t.Errorf("change set %d refuses %+v", i, r.Rejections)
		}
		if (r.Checkpoint != nil) != (i == len(records)-1) {
			t.Errorf("change set %d of %d has the checkpoint %+v", i, len(records), r.Checkpoint)
		}
	}
	if len(records) < 2 || remembered != 2*n {
		t.Errorf("%d change sets remember %d statements, want several with %d", len(records), remembered, 2*n)
	}
}

func TestWhatWasBeforeIsContextAndNoSource(t *testing.T) {
	w := newWorld(t)
	for i := range 6 {
		w.say(alice, fmt.Sprintf("Message %d, I live in Oslo.", i), "Noted.")
	}
	w.consolidate(t, alice)
	w.say(alice, "我养了一只猫。", "好的")
	// An extractor that takes everything for the user's own, new words.
	w.listener.find = func(messages []memory.Message) ([]memory.Candidate, []memory.Directive) {
		var out []memory.Candidate
		for _, m := range messages {
			out = append(out, memory.Candidate{
				Kind: memory.KindFact, Text: m.Content, Stability: memory.Stable, Confidence: 0.9,
				Relation: memory.RelationNew, Source: memory.Source{Message: m.Number, Quote: m.Content},
			})
		}
		return out, nil
	}
	before := len(w.store.points)
	w.consolidate(t, alice)
	shown := w.listener.shown[len(w.listener.shown)-1]
	if len(shown) != 4*2+2 {
		t.Fatalf("the extractor saw %d messages, want four turns before and the new one", len(shown))
	}
	for i, m := range shown {
		if want := i != 8; m.Context != want {
			t.Errorf("message %d (%q): Context = %v, want %v", m.Number, m.Content, m.Context, want)
		}
		if m.Number != i+1 {
			t.Errorf("message %d has number %d", i, m.Number)
		}
	}
	if got := len(w.store.points) - before; got != 1 {
		t.Errorf("%d memories were made, want one: the rest is context", got)
	}
	records := w.sets(t, alice.Scope())
	last := records[len(records)-1]
	if want := []ledger.Rejection{{Reason: "source_not_allowed", Count: 9}}; !slices.Equal(last.Rejections, want) {
		t.Errorf("rejections %+v, want %+v", last.Rejections, want)
	}
	if want := (ledger.Counts{Messages: 2, Remembered: 1, Rejected: 1}); last.Checkpoint.Counts != want {
		t.Errorf("counts %+v, want %+v", last.Checkpoint.Counts, want)
	}
}

func TestContextThatIsGoneIsLeftOut(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	w.say(alice, "I speak French.")
	w.consolidate(t, alice)
	w.events.all[0].Ref = in(alice, "erased")
	w.say(alice, "I have a cat.")
	w.consolidate(t, alice)
	if shown := w.listener.shown[1]; len(shown) != 2 || shown[0].Content != "I speak French." {
		t.Errorf("shown %+v, want what is left and the new message", shown)
	}
}

func TestTimesAreTheSpeakersOwn(t *testing.T) {
	arrival := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	tokyo := time.FixedZone("", 9*3600)
	for name, c := range map[string]struct {
		sent     time.Time
		said     time.Time
		timezone string
		want     string
	}{
		"no time at all":                      {want: "2026-03-02T09:00:00Z"},
		"the event's time":                    {sent: arrival.Add(-time.Hour), want: "2026-03-02T08:00:00Z"},
		"the message's time":                  {sent: arrival.Add(-time.Hour), said: arrival.Add(-2 * time.Hour).In(tokyo), want: "2026-03-02T16:00:00+09:00"},
		"the event's zone":                    {sent: arrival, timezone: "Asia/Shanghai", want: "2026-03-02T17:00:00+08:00"},
		"the event's zone before the offset":  {said: arrival.In(tokyo), timezone: "America/New_York", want: "2026-03-02T04:00:00-05:00"},
		"a little ahead":                      {sent: arrival.Add(event.MaxAhead), want: "2026-03-02T09:05:00Z"},
		"too far ahead":                       {sent: arrival.Add(event.MaxAhead + time.Second), want: "2026-03-02T09:00:00Z"},
		"too far ahead, in the sender's zone": {said: arrival.AddDate(1, 0, 0).In(tokyo), want: "2026-03-02T18:00:00+09:00"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.now = arrival
			e := turn(alice, "e1", c.sent)
			e.TimeZone = c.timezone
			if err := e.SetTurn(event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: "我住在杭州。", At: c.said}}}); err != nil {
				t.Fatal(err)
			}
			w.put(alice, encode(e))
			w.consolidate(t, alice)
			got := w.store.list(alice.Scope())
			if len(got) != 1 {
				t.Fatalf("%d memories, want 1", len(got))
			}
			if at := got[0].Evidence[0].At.Format(time.RFC3339); at != c.want {
				t.Errorf("said at %s, want %s", at, c.want)
			}
			if !got[0].SaidAt.Equal(got[0].Evidence[0].At) || got[0].SaidAt.Location() != time.UTC {
				t.Errorf("SaidAt is %s, want the same in UTC", got[0].SaidAt)
			}
		})
	}
}

// TestARelativeDateIsResolvedInTheSpeakersZone: late on Monday in New York it is Tuesday
// already in UTC.
func TestARelativeDateIsResolvedInTheSpeakersZone(t *testing.T) {
	w := newWorld(t)
	e := turn(alice, "e1", time.Date(2026, 3, 3, 3, 0, 0, 0, time.UTC), "I'm flying to Lisbon tomorrow.")
	e.TimeZone = "America/New_York"
	w.now = e.Time
	w.put(alice, encode(e))
	w.consolidate(t, alice)
	got := w.store.list(alice.Scope())
	if len(got) != 1 || got[0].ExpiresAt.Format(time.RFC3339) != "2026-03-04T05:00:00Z" {
		t.Errorf("memories %+v, want one that ends with Tuesday in New York", got)
	}
}
