package consolidate_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// tell is an event about a recall.
func tell(id string, typ event.Type, data string) []byte {
	return encode(event.Event{
		SpecVersion: "1.0", ID: id, Source: "/test", Type: typ, Tenant: alice.Tenant, User: alice.User, Thread: alice.Thread,
		Time: monday, Data: []byte(data),
	})
}

func TestWhatIsToldAboutARecallIsKeptBesideIt(t *testing.T) {
	w := newWorld(t)
	const secret = "sk-proj-4f9Qm2Lx8Rt6Vb1Nz3Kc7Ye5Wd0Hs"
	about := memory.ID("0a1b2c3d-0000-5000-8000-000000000000")
	w.put(alice, tell("1", event.TypeAnswer, `{"recall_id":"r1","content":"You live in Oslo. Your key is `+secret+`."}`))
	w.put(alice, tell("2", event.TypeFeedback, fmt.Sprintf(`{"rating":"up","recall_id":"r2","memory_id":%q}`, about)))
	w.put(alice, tell("3", event.TypeFeedback, `{"rating":"up","memory_id":"x"}`))
	w.put(alice, tell("4", event.TypeFeedback, `{"rating":"down","recall_id":"r3","memory_id":"x"}`))
	w.consolidate(t, alice)
	got := w.recalls.told
	if len(got) != 3 || !strings.HasPrefix(got[0].Answer, "You live in Oslo.") || strings.Contains(got[0].Answer, secret) {
		t.Fatalf("told %+v, want an answer without its secret, and two ratings", got)
	}
	got[0].Answer = ""
	want := []consolidate.Told{
		{Recall: "r1", Event: "1", At: monday}, {Recall: "r2", Event: "2", At: monday, Rating: event.RatingUp, Memory: about},
		{Recall: "r3", Event: "4", At: monday, Rating: event.RatingDown},
	}
	if !slices.EqualFunc(got, want, func(a, b consolidate.Told) bool {
		same := a.At.Equal(b.At)
		a.At, b.At = time.Time{}, time.Time{}
		return same && a == b
	}) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	if len(w.store.points) != 0 {
		t.Error("something was learnt from it")
	}
}

// TestWhatCannotBeKeptHoldsNothingUp: the thread is consolidated all the same.
func TestWhatCannotBeKeptHoldsNothingUp(t *testing.T) {
	w := newWorld(t)
	w.recalls.err = errors.New("no stream")
	w.put(alice, tell("1", event.TypeAnswer, `{"recall_id":"r1","content":"Hello."}`))
	w.consolidate(t, alice)
	if sets := w.sets(t, alice.Scope()); len(sets) != 1 || sets[0].Checkpoint.Seq != 1 {
		t.Errorf("change sets %+v, want one that passes the event", sets)
	}
}
