package consolidate_test

import (
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func park(t *testing.T, w *world) {
	t.Helper()
	if err := w.Park(t.Context(), alice, 5, "attempts", "it never worked"); err != nil {
		t.Fatal(err)
	}
}

func TestParkingPutsTheLetterBeforeItPasses(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.", "ok")
	w.say(alice, "我住在杭州。")
	w.failures["dead"] = errDown
	if err := w.Park(t.Context(), alice, 5, "attempts", "it never worked"); err == nil {
		t.Error("passed without a letter")
	}
	if n := len(w.ledger.sets[alice.Scope()]); n != 0 {
		t.Fatalf("%d change sets before there is a letter", n)
	}
	delete(w.failures, "dead")
	w.failures["append"] = errDown
	if err := w.Park(t.Context(), alice, 5, "attempts", "it never worked"); err == nil {
		t.Error("parked without a change set")
	}
	if n := len(w.dead.all); n != 1 {
		t.Fatalf("%d letters, want the one that was put before the append failed", n)
	}
	delete(w.failures, "append")
	park(t, w)
	park(t, w)
	if len(w.dead.all) != 1 {
		t.Fatalf("%d letters, want one", len(w.dead.all))
	}
	l := w.dead.all[0]
	if l.Stage != "consolidate" || l.Reason != "attempts" || l.Detail != "it never worked" || l.Attempts != 5 || l.Ref != alice || len(l.Events) != 2 {
		t.Errorf("letter %+v", l)
	}
	records := w.sets(t, alice.Scope())
	if len(records) != 1 || !records[0].Checkpoint.Parked || records[0].Checkpoint.Seq != 2 {
		t.Fatalf("change sets %+v, want one that passes both events", records)
	}
	if got, want := total(records), (ledger.Counts{Messages: 3, Parked: 3}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	w.consolidate(t, alice)
	if len(w.listener.shown) != 0 || len(w.store.points) != 0 {
		t.Error("something was made of what was parked")
	}
}

func TestParkingALongThread(t *testing.T) {
	w := newWorld(t)
	for range 150 {
		w.say(alice, "I live in Oslo.")
	}
	park(t, w)
	events := 0
	for _, l := range w.dead.all {
		events += len(l.Events)
	}
	if got := total(w.sets(t, alice.Scope())); events != 150 || got.Parked != 150 || !got.Balanced() {
		t.Errorf("%d events in letters, counts %+v, want 150", events, got)
	}
}

// TestParkingWhatIsNoEvent: what cannot be read has a letter of its own, and duplicates
// have been consumed; neither leaves an empty letter.
func TestParkingWhatIsNoEvent(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	w.consolidate(t, alice)
	w.put(alice, w.events.all[0].Data)
	w.put(alice, []byte("{"))
	park(t, w)
	if len(w.dead.all) != 1 || w.dead.all[0].Stage != "gather" || len(w.dead.all[0].Events) != 1 {
		t.Errorf("letters %+v, want one, for the event that cannot be read", w.dead.all)
	}
	if at, err := w.Checkpoint(t.Context(), alice); err != nil || at != 3 {
		t.Errorf("Checkpoint = %d, %v, want 3", at, err)
	}
}

// TestParkingIsOvertaken: while one worker gives up, another succeeds.
func TestParkingIsOvertaken(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	other := w.service(t)
	w.once(decide.StepDecided, func() {
		if err := other.Thread(t.Context(), alice); err != nil {
			t.Error(err)
		}
	})
	park(t, w)
	if got, want := total(w.sets(t, alice.Scope())), (ledger.Counts{Messages: 1, Remembered: 1}); got != want {
		t.Errorf("counts %+v, want %+v: the event counts once", got, want)
	}
}

// replay puts a letter's events back into their thread, as an operator does.
func (w *world) replay(letter uint64, l event.DeadLetter) {
	for _, e := range l.Events {
		seq := w.put(e.Ref, e.Data)
		w.events.all[seq-1].Replay = letter
		w.events.all[seq-1].ReceivedAt = e.ReceivedAt
	}
}

func TestAReplayedLetterIsConsumedOnce(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	park(t, w)
	l := w.dead.all[0]
	w.replay(7, l)
	w.replay(7, l) // the replay broke off and was repeated
	w.consolidate(t, alice)
	w.consolidate(t, alice)
	if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, []string{"Oslo"}) {
		t.Errorf("user.city is %q, want Oslo", got)
	}
	if got, want := total(w.sets(t, alice.Scope())), (ledger.Counts{Messages: 2, Parked: 1, Remembered: 1}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if m := w.store.list(alice.Scope()); len(m) != 1 || len(m[0].Evidence) != 1 || m[0].Evidence[0].Event != "e1" {
		t.Errorf("memories %+v, want one with one source", m)
	}
}

// TestAReplayIsStillOlderThanWhatWasSaidSince: replaying does not make it the last word.
func TestAReplayIsStillOlderThanWhatWasSaidSince(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	park(t, w)
	w.now = w.now.AddDate(0, 1, 0)
	w.say(alice, "I moved to Bergen.")
	w.consolidate(t, alice)
	w.replay(7, w.dead.all[0])
	w.consolidate(t, alice)
	if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, []string{"Bergen"}) {
		t.Errorf("user.city is %q, want Bergen", got)
	}
	if m := w.store.list(alice.Scope()); len(m) != 1 || m[0].Status != memory.StatusCurrent {
		t.Errorf("memories %+v, want one", m)
	}
}
