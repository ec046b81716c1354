package reap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
)

// shelf is a world whose documents are on an engine of the test's own.
type shelf struct {
	*world
	store *qdrantstore.Store
}

func newShelf(t *testing.T) shelf {
	w := newWorld(t)
	s := shelf{w, newStore(t)}
	w.decider.Projector = w.projector(s.store)
	return s
}

func (s shelf) service() *reap.Service {
	service := s.world.service()
	service.Memories, service.Documents, service.Uses = s.store, s.store, s.store
	return service
}

func (s shelf) reap(t *testing.T, job reap.Job) reap.Report {
	t.Helper()
	r, err := s.service().RunOnce(t.Context(), job, now, nil)
	if err != nil {
		t.Fatalf("%s: %v", job, err)
	}
	return r
}

func noteID(s memory.Scope, key string) memory.ID {
	return document.Identity(s, []string{"notes"}, key)
}

// put puts a document that long ago.
func (s shelf) put(t *testing.T, scope memory.Scope, key, text string, at time.Duration, change ...func(*document.Document)) {
	t.Helper()
	d := document.Document{
		ID: noteID(scope, key), Scope: scope, Namespace: []string{"notes"}, Key: key, Value: json.RawMessage(fmt.Sprintf(`{"text":%q}`, text)),
	}
	for _, f := range change {
		f(&d)
	}
	d = d.Over(s.there(t, scope, key), ago(at))
	s.decides(t, scope, ledger.Change{Op: ledger.OpPut, Document: &d, Reason: "put"})
}

func (s shelf) remove(t *testing.T, scope memory.Scope, key string, at time.Duration) {
	t.Helper()
	left := s.there(t, scope, key).Removed(ago(at))
	s.decides(t, scope, ledger.Change{Op: ledger.OpRemove, Document: &left, Reason: "removed"})
}

// there is what the collection has of a document, nil for nothing.
func (s shelf) there(t *testing.T, scope memory.Scope, key string) *document.Document {
	t.Helper()
	got, err := s.store.Documents(t.Context(), scope, []memory.ID{noteID(scope, key)})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 {
		return nil
	}
	return &got[0]
}

// text is everything that the owner's ledger says.
func (s shelf) text(scope memory.Scope) string {
	var b strings.Builder
	for _, d := range s.ledger.sets[scope] {
		b.Write(d.data)
	}
	return b.String()
}

func untilOf(at time.Duration) func(*document.Document) {
	return func(d *document.Document) { d.ExpiresAt = ago(at) }
}

func TestExpiredDocumentsAreRemoved(t *testing.T) {
	s := newShelf(t)
	s.policies = retention.Policies{Tenants: map[memory.Tenant]retention.Policy{"globex": {ExpiryGrace: 3 * day}}}
	graced := memory.UserScope("globex", "u")
	s.put(t, alice, "over", "x", 9*day, untilOf(0))
	s.put(t, alice, "later", "x", 9*day, untilOf(-time.Second))
	s.put(t, alice, "ever", "x", 9*day)
	s.put(t, graced, "over", "x", 9*day, untilOf(2*day))
	planned := 0
	if _, err := s.service().RunOnce(t.Context(), reap.JobExpire, now, func(reap.Planned) { planned++ }); err != nil || planned != 1 {
		t.Errorf("a dry run plans %d changes, %v", planned, err)
	}
	report := s.reap(t, reap.JobExpire)
	if report.Memories != 1 || report.Owners != 1 || report.ByOp["remove"] != 1 {
		t.Errorf("report is %+v", report)
	}
	if d := s.there(t, alice, "over"); d.RemovedAt.IsZero() || d.Value != nil || !d.StaleSince.Equal(now) {
		t.Errorf("the expired one is %+v", d)
	}
	for _, d := range []*document.Document{s.there(t, alice, "later"), s.there(t, alice, "ever"), s.there(t, graced, "over")} {
		if !d.RemovedAt.IsZero() {
			t.Errorf("removed is %+v", d)
		}
	}
	if again := s.reap(t, reap.JobExpire); again.Memories != 0 {
		t.Errorf("a second run is %+v", again)
	}
}

func TestTextOfDocumentsIsPurged(t *testing.T) {
	s := newShelf(t)
	s.policies = retention.Policies{Tenants: map[memory.Tenant]retention.Policy{"globex": {UndoFor: retention.Never}}}
	never := memory.UserScope("globex", "u")
	for _, scope := range []memory.Scope{alice, never} {
		s.put(t, scope, "replaced", "first words", 20*day)
		s.put(t, scope, "replaced", "second words", 10*day)
		s.put(t, scope, "removed", "third words", 20*day)
		s.remove(t, scope, "removed", 9*day)
	}
	s.put(t, alice, "young", "fourth words", 20*day)
	s.put(t, alice, "young", "fifth words", 2*day)
	report := s.reap(t, reap.JobPurge)
	if report.Memories != 2 || report.Rewritten != 2 || report.ByOp["put"] != 1 || report.ByOp["remove"] != 1 {
		t.Errorf("report is %+v", report)
	}
	text := s.text(alice)
	for words, want := range map[string]bool{"first words": false, "second words": true, "third words": false, "fourth words": true, "fifth words": true} {
		if strings.Contains(text, words) != want {
			t.Errorf("that the ledger has %q is %v", words, !want)
		}
	}
	if !strings.Contains(s.text(never), "first words") {
		t.Error("text of a tenant that keeps it has been purged")
	}
	if d := s.there(t, alice, "replaced"); string(d.Value) != `{"text":"second words"}` || !d.StaleSince.IsZero() || !d.UpdatedAt.Equal(ago(10*day)) {
		t.Errorf("the replaced one is %+v", d)
	}
	if d := s.there(t, alice, "removed"); !d.StaleSince.IsZero() || !d.RemovedAt.Equal(ago(9*day)) {
		t.Errorf("what is left of the removed one is %+v", d)
	}
	if again := s.reap(t, reap.JobPurge); again.Memories != 0 || again.Rewritten != 0 {
		t.Errorf("a second run is %+v", again)
	}
	s.put(t, alice, "replaced", "sixth words", 8*day)
	s.reap(t, reap.JobPurge)
	if strings.Contains(s.text(alice), "second words") {
		t.Error("the text of the state that a purge has put down again is left")
	}
}

func TestOldRemainsOfDocumentsAreDropped(t *testing.T) {
	s := newShelf(t)
	s.put(t, alice, "old", "x", 500*day)
	s.remove(t, alice, "old", 401*day)
	s.put(t, alice, "younger", "x", 500*day)
	s.remove(t, alice, "younger", 399*day)
	report := s.reap(t, reap.JobPurge) // the text, and then the rest
	if report.ByOp["remove"] != 2 || report.ByOp["drop"] != 1 {
		t.Errorf("report is %+v", report)
	}
	if s.there(t, alice, "old") != nil || s.there(t, alice, "younger") == nil {
		t.Error("want the older one gone, and no other")
	}
	rebuilt := newStore(t)
	if _, err := s.projector(rebuilt).CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	if n, err := rebuilt.CountOwner(t.Context(), alice, 1<<40); n != 2 || err != nil {
		t.Errorf("a rebuild has %d points, %v, want one of a document and the cursor", n, err)
	}
}

// A purge that is broken off at any step is finished by the next run.
func TestAPurgeOfDocumentsIsTakenUpAgain(t *testing.T) {
	for _, at := range []decide.Step{decide.StepDecided, decide.StepAppended, decide.StepProjected, reap.StepReplaced, reap.StepDeleted} {
		for skip := range 3 {
			t.Run(fmt.Sprint(at, skip), func(t *testing.T) {
				s := newShelf(t)
				for i := range 3 {
					s.put(t, alice, fmt.Sprint("k", i), "old words", 20*day)
					s.put(t, alice, fmt.Sprint("k", i), "new words", 10*day)
				}
				ctx, stop := context.WithCancel(t.Context())
				left := skip
				s.reached = func(step decide.Step) {
					if step == at {
						if left--; left < 0 {
							stop()
						}
					}
				}
				if _, err := s.service().RunOnce(ctx, reap.JobPurge, now, nil); !errors.Is(err, context.Canceled) {
					t.Fatalf("broken off with %v", err)
				}
				s.reached = func(decide.Step) {}
				s.reap(t, reap.JobPurge)
				if strings.Contains(s.text(alice), "old words") || strings.Count(s.text(alice), "new words") < 3 {
					t.Errorf("the ledger is %s", s.text(alice))
				}
				for i := range 3 {
					if d := s.there(t, alice, fmt.Sprint("k", i)); string(d.Value) != `{"text":"new words"}` || !d.StaleSince.IsZero() {
						t.Errorf("document %d is %+v", i, d)
					}
				}
			})
		}
	}
}
