package consolidate_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

var lines = []string{
	"I live in Oslo.", "I moved to Bergen.", "I live in Paris.", "haha ok thanks", "我住在杭州。", "其实我现在搬到上海了。", "我养了一只猫，叫咪咪。",
	"My cat died.", "咪咪走了。", "I'm allergic to peanuts.", "I love Thai food.", "I don't like Thai food any more.", "I'm flying to Rome next Friday.",
	"off the record: I work at a bakery", "Forget where I work.", "别记这个", "我的密码是hunter2!Xy", "where do I live?", "", "> I live in Rome",
	"My birthday is May 4.", "My birthday is May 14.", "remember that the gate is on the left",
}

// TestEveryMessageIsAccountedFor is the identity of the design, with exactly-once effect
// and one current value: whatever is said, in whatever thread, in whatever order it
// arrives, how often, with failures between any steps.
func TestEveryMessageIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		threads := []memory.ThreadRef{alice, in(alice, "t2"), {Tenant: "acme", User: "bob", Thread: "t1"}}
		messages, unreadable := map[memory.ThreadRef]map[string]int{}, map[memory.ThreadRef]int{}
		for i := range rapid.IntRange(1, 40).Draw(t, "actions") {
			r := rapid.SampledFrom(threads).Draw(t, "thread")
			switch rapid.SampledFrom([]string{"say", "say", "say", "again", "garbage", "consolidate", "fail", "forget the cache"}).Draw(t, "action") {
			case "say":
				said := rapid.SliceOfN(rapid.SampledFrom(lines), 1, 4).Draw(t, "said")
				at := monday.Add(time.Duration(rapid.IntRange(-100, 100).Draw(t, "hour")) * time.Hour)
				id := fmt.Sprintf("e%d", i)
				w.now = monday.Add(200 * time.Hour)
				w.put(r, encode(turn(r, id, at, said...)))
				if messages[r] == nil {
					messages[r] = map[string]int{}
				}
				messages[r][id] = len(said)
			case "again":
				if n := len(w.events.all); n > 0 {
					e := w.events.all[rapid.IntRange(0, n-1).Draw(t, "which")]
					w.put(e.Ref, e.Data)
					if string(e.Data) == "{" {
						unreadable[e.Ref]++
					}
				}
			case "garbage":
				w.put(r, []byte("{"))
				unreadable[r]++
			case "consolidate":
				if err := w.Thread(context.Background(), r); err != nil {
					t.Fatal(err)
				}
			case "fail":
				port := rapid.SampledFrom([]string{"extract", "memories", "append", "write", "cache", "dead"}).Draw(t, "port")
				w.once(rapid.SampledFrom(consolidate.Steps[:4]).Draw(t, "step"), func() { w.failures[port] = errDown })
				_ = w.Thread(context.Background(), r) // it may have nothing to do, or fail
				clear(w.failures)
				clear(w.at)
			case "forget the cache":
				delete(w.threads.states, r)
			}
		}
		for _, r := range threads {
			if err := w.Thread(context.Background(), r); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range threads {
			checkThread(t, w, r, messages[r], unreadable[r])
			checkOwner(t, w, r.Scope())
		}
	})
}

// checkThread checks that each event of the thread was consumed once and each message
// accounted for.
func checkThread(t *rapid.T, w *world, r memory.ThreadRef, messages map[string]int, unreadable int) {
	var n ledger.Counts
	consumed := map[ledger.EventHash]int{}
	for _, rec := range w.sets(t, r.Scope()) {
		if rec.Checkpoint.Thread != r.Thread {
			continue
		}
		if !rec.Checkpoint.Counts.Balanced() {
			t.Errorf("change set %d counts %+v", rec.Seq, rec.Checkpoint.Counts)
		}
		n = n.Add(rec.Checkpoint.Counts)
		for _, h := range rec.Checkpoint.Events {
			consumed[h]++
		}
	}
	want := unreadable
	for id, count := range messages {
		want += count
		if got := consumed[ledger.HashEvent(id, 0)]; got != 1 {
			t.Errorf("%v: event %s was consumed %d times", r, id, got)
		}
	}
	if len(consumed) != len(messages) || n.Messages != want || n.Parked != unreadable {
		t.Errorf("%v: %d events and %+v, want %d events and %d messages, %d of them parked", r, len(consumed), n, len(messages), want, unreadable)
	}
}

// checkOwner checks that the collection is the fold of the ledger, and that each
// single-valued key has one current value.
func checkOwner(t *rapid.T, w *world, s memory.Scope) {
	fold := map[memory.ID]memory.Memory{}
	for _, rec := range w.sets(t, s) {
		for _, c := range rec.Changes {
			if c.Op != ledger.OpHistory {
				fold[c.Memory.ID] = c.Memory
			}
		}
	}
	live := map[memory.ID]memory.Memory{}
	for _, m := range w.store.list(s) {
		live[m.ID] = m
	}
	if !reflect.DeepEqual(fold, live) {
		t.Errorf("%v: the collection is not what the ledger says\nledger:     %+v\ncollection: %+v", s, fold, live)
	}
	for _, key := range []memory.Key{"user.city", "user.birthday"} {
		if got := w.current(s, key); len(got) > 1 {
			t.Errorf("%v: %s has the values %q", s, key, got)
		}
	}
}
