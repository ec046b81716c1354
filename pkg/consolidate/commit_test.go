package consolidate_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

var errDown = fault.Outage(errors.New("it is down"), 0)

// TestAConflictRepeatsTheDecisionAlone: another thread of the owner is decided between
// reading the memories and appending.
func TestAConflictRepeatsTheDecisionAlone(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	w.now = w.now.Add(time.Hour)
	second := in(alice, "t2")
	w.say(second, "I moved to Bergen.")
	other := w.service(t)
	w.once(decide.StepDecided, func() {
		if err := other.Thread(t.Context(), second); err != nil {
			t.Error(err)
		}
	})
	w.consolidate(t, alice)
	if got := len(w.listener.shown); got != 2 {
		t.Errorf("the extractor was called %d times, want once a thread", got)
	}
	records := w.sets(t, alice.Scope())
	if len(records) != 2 || records[0].Checkpoint.Thread != "t2" || records[1].Checkpoint.Thread != "t1" {
		t.Fatalf("change sets %+v, want that of t2 before that of t1", records)
	}
	if c := records[1].Changes; len(c) != 1 || c[0].Op != ledger.OpHistory {
		t.Errorf("changes %+v, want what was said earlier in history: it was decided anew", c)
	}
	if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, []string{"Bergen"}) {
		t.Errorf("user.city is %q, want what was said last", got)
	}
}

func TestWhoIsOvertakenDoublesNothing(t *testing.T) {
	for _, step := range []decide.Step{consolidate.StepGathered, consolidate.StepExtracted, decide.StepDecided} {
		t.Run(string(step), func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I live in Oslo.", "ok", "haha")
			other := w.service(t)
			w.once(step, func() {
				if err := other.Thread(t.Context(), alice); err != nil {
					t.Error(err)
				}
			})
			w.consolidate(t, alice)
			records := w.sets(t, alice.Scope())
			if want := (ledger.Counts{Messages: 3, Remembered: 1, Nothing: 2}); len(records) != 1 || total(records) != want {
				t.Errorf("%d change sets that count %+v, want one of %+v", len(records), total(records), want)
			}
		})
	}
}

// TestWhoIsOvertakenTakesTheRest: the other worker has consumed only what there was.
func TestWhoIsOvertakenTakesTheRest(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	other := w.service(t)
	w.once(decide.StepDecided, func() {
		if err := other.Thread(t.Context(), alice); err != nil {
			t.Error(err)
		}
		w.say(alice, "我养了一只猫，叫咪咪。")
	})
	w.consolidate(t, alice)
	if got, want := total(w.sets(t, alice.Scope())), (ledger.Counts{Messages: 2, Remembered: 2}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

func TestAConflictEndsWithItsContext(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	ctx, cancel := context.WithCancel(t.Context())
	other := w.service(t)
	w.at[decide.StepDecided] = func() {
		w.at[decide.StepDecided] = nil
		second := in(alice, "t2")
		w.say(second, "ok")
		if err := other.Thread(context.WithoutCancel(ctx), second); err != nil {
			t.Error(err)
		}
		cancel()
	}
	if err := w.Thread(ctx, alice); !errors.Is(err, context.Canceled) {
		t.Errorf("Thread = %v, want that it was cancelled", err)
	}
}

// TestAFailureBeforeTheAppendLeavesNothing: nothing is appended, the error keeps its
// class, and the next call does the work.
func TestAFailureBeforeTheAppendLeavesNothing(t *testing.T) {
	for _, port := range []string{"events", "extract", "cursor", "memories", "append"} {
		t.Run(port, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I live in Oslo.")
			w.failures[port] = errDown
			if err := w.Thread(t.Context(), alice); !errors.Is(err, fault.ErrOutage) {
				t.Fatalf("Thread = %v, want the outage", err)
			}
			if n := len(w.ledger.sets[alice.Scope()]); n != 0 {
				t.Fatalf("%d change sets, want none", n)
			}
			delete(w.failures, port)
			w.consolidate(t, alice)
			if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, []string{"Oslo"}) {
				t.Errorf("user.city is %q, want Oslo", got)
			}
		})
	}
}

// TestTheNextCallHealsWhatWasAppendedAndNotProjected: the store is down just after the
// append, or the process dies there. Whoever is called next for the thread, with nothing
// new in it, makes the memory recallable.
func TestTheNextCallHealsWhatWasAppendedAndNotProjected(t *testing.T) {
	for name, fail := range map[string]func(w *world){
		"the store":        func(w *world) { w.failures["write"] = errDown },
		"the thread cache": func(w *world) { w.failures["cache"] = errDown },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I live in Oslo.")
			w.once(decide.StepAppended, func() { fail(w) })
			if err := w.Thread(t.Context(), alice); !errors.Is(err, fault.ErrOutage) {
				t.Fatalf("Thread = %v, want the outage", err)
			}
			clear(w.failures)
			w.consolidate(t, alice)
			if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, []string{"Oslo"}) {
				t.Errorf("user.city is %q, want Oslo", got)
			}
			if n := len(w.ledger.sets[alice.Scope()]); n != 1 || len(w.listener.shown) != 1 {
				t.Errorf("%d change sets after %d extractions, want one of each", n, len(w.listener.shown))
			}
		})
	}
}

// TestHealingWaitsForTheStore: as long as the store is down, the work is not done.
func TestHealingWaitsForTheStore(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	w.once(decide.StepAppended, func() { w.failures["write"] = errDown })
	for range 2 {
		if err := w.Thread(t.Context(), alice); !errors.Is(err, fault.ErrOutage) {
			t.Errorf("Thread = %v, want the outage", err)
		}
	}
}

// TestTheThreadCacheIsOnlyACache: whatever it holds, the ledger decides.
func TestTheThreadCacheIsOnlyACache(t *testing.T) {
	stale := func(w *world) []byte {
		return slices.Clone(w.threads.states[alice])
	}
	for name, spoil := range map[string]func(w *world, stale []byte){
		"lost":    func(w *world, _ []byte) { delete(w.threads.states, alice) },
		"empty":   func(w *world, _ []byte) { w.threads.states[alice] = nil },
		"corrupt": func(w *world, _ []byte) { w.threads.states[alice] = []byte("\x01garbage") },
		"of another version": func(w *world, _ []byte) {
			w.threads.states[alice][0]++
		},
		"stale": func(w *world, old []byte) { w.threads.states[alice] = old },
		"ahead of the ledger": func(w *world, _ []byte) {
			s := ledger.ThreadState{LedgerSeq: 1 << 40, Seq: 1 << 40}
			w.threads.states[alice] = s.Encode()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, "I live in Oslo.")
			w.consolidate(t, alice)
			old := stale(w)
			w.say(alice, "I have a cat named Mimi.")
			w.consolidate(t, alice)
			spoil(w, old)
			w.say(alice, "I'm allergic to peanuts.")
			w.put(alice, w.events.all[0].Data)
			w.consolidate(t, alice)
			if got, want := total(w.sets(t, alice.Scope())), (ledger.Counts{Messages: 3, Remembered: 3}); got != want {
				t.Errorf("counts %+v, want %+v", got, want)
			}
			if at, err := w.Checkpoint(t.Context(), alice); err != nil || at != 4 {
				t.Errorf("Checkpoint = %d, %v, want 4", at, err)
			}
			if shown := w.listener.shown[2]; len(shown) != 3 {
				t.Errorf("%d messages shown the third time, want two of context and the new one", len(shown))
			}
		})
	}
}

func TestABadThreadIsRefused(t *testing.T) {
	w := newWorld(t)
	for _, r := range []memory.ThreadRef{{}, {Tenant: "a", User: "b"}, {Tenant: "a", Thread: "t"}, {User: "b", Thread: "t"}} {
		if err := w.Thread(t.Context(), r); !errors.Is(err, memory.ErrScope) {
			t.Errorf("Thread(%+v) = %v, want ErrScope", r, err)
		}
	}
}

// TestALedgerThatCannotBeReadIsNotGuessedAt: a change set of a later version stops the
// owner's consolidation rather than being passed over.
func TestALedgerThatCannotBeReadIsNotGuessedAt(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	if _, err := w.ledger.Append(t.Context(), alice.Scope(), 0, []byte(`{"v":9}`)); err != nil {
		t.Fatal(err)
	}
	if err := w.Thread(t.Context(), alice); err == nil {
		t.Error("a change set that cannot be read was passed over")
	}
}
