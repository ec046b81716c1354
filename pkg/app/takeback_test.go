package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/stream"
)

// noted is a decision to remember texts that were said in the event at seq.
func noted(s *Stack, scope memory.Scope, author ledger.Author, seq uint64, texts ...string) *ledger.ChangeSet {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	c := &ledger.ChangeSet{V: ledger.Version, At: now, Author: author, Scope: scope}
	for _, text := range texts {
		c.Changes = append(c.Changes, ledger.Change{Op: ledger.OpAdd, Reason: "new", Memory: memory.Memory{
			ID: s.Registry.Identity(scope, "", "", text), Scope: scope, Kind: memory.KindFact, Text: text,
			Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: now, CreatedAt: now, ConfirmedAt: now, Confidence: 0.9,
			Evidence: []memory.Evidence{{Event: "e", Seq: seq, Role: memory.RoleUser, At: now, Quote: text[:10]}},
		}})
	}
	return c
}

// TestADecisionInPartsIsTakenBackWhole: one that is too large for a change set becomes
// several, and an erasure that came before it overtakes all of them.
func TestADecisionInPartsIsTakenBackWhole(t *testing.T) {
	s := newStack(t, Options{})
	scope := robin.Scope()
	large := noted(s, scope, ledger.AuthorExtractor, 1, strings.Repeat("first ", 60_000), strings.Repeat("second ", 60_000))
	seq, err := s.Decider.Do(t.Context(), scope, func(context.Context, uint64) (*ledger.ChangeSet, error) { return large, nil })
	if err != nil {
		t.Fatal(err)
	}
	if records, err := s.Recall.Records(t.Context(), scope); err != nil || len(records) != 2 {
		t.Fatalf("%d change sets, %v, want two: the test would show nothing", len(records), err)
	}
	if err := s.erasures.TakeBack(t.Context(), scope, seq); err != nil {
		t.Fatal(err)
	}
	if head, err := s.Projector.CatchUp(t.Context(), scope); err != nil || head != 0 {
		t.Errorf("the head is %d, %v, want none", head, err)
	}
	if n, err := s.Store.CountOwner(t.Context(), scope, ^uint64(0)); err != nil || n > 0 {
		t.Errorf("%d points are left, %v", n, err)
	}
}

// holding stops a projector before it writes.
type holding struct {
	project.Store
	reached, goOn chan struct{}
}

func (h holding) Write(ctx context.Context, b index.Batch) error {
	close(h.reached)
	<-h.goOn
	return h.Store.Write(ctx, b)
}

// TestWhatIsTakenBackStaysAway: with its questions, and from whoever has read it before and
// projects it when all is over, or dies before it can take anything back.
func TestWhatIsTakenBackStaysAway(t *testing.T) {
	s := newStack(t, Options{})
	scope := robin.Scope()
	said := noted(s, scope, ledger.AuthorExtractor, 1, "some words of theirs")
	said.QuestionOpened = []memory.Question{{
		ID: "5b2c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90", Scope: scope, Status: memory.QuestionOpen, Text: "some words of theirs?", OpenedAt: said.At,
	}}
	left := func(name string) {
		t.Helper()
		open, err := s.Questions.List(t.Context(), scope)
		if err != nil || len(open) > 0 {
			t.Errorf("%s: open are %+v, %v", name, open, err)
		}
		if n, err := s.Store.CountOwner(t.Context(), scope, ^uint64(0)); err != nil || n > 0 {
			t.Errorf("%s: %d points are left, %v", name, n, err)
		}
	}
	seq, err := s.Decider.Do(t.Context(), scope, func(context.Context, uint64) (*ledger.ChangeSet, error) { return said, nil })
	if err != nil {
		t.Fatal(err)
	}
	if open, err := s.Questions.List(t.Context(), scope); err != nil || len(open) != 1 {
		t.Fatalf("open are %+v, %v, want one: the test would show nothing", open, err)
	}
	if _, err := s.Store.Erase(t.Context(), scope, ^uint64(0)); err != nil { // one who comes late has everything before it
		t.Fatal(err)
	}
	late := holding{s.Store, make(chan struct{}), make(chan struct{})}
	c := s.Projector.Config
	c.Store = late
	done := make(chan error, 1)
	go func() {
		_, err := project.New(c).CatchUp(context.WithoutCancel(t.Context()), scope)
		done <- err
	}()
	<-late.reached
	if err := s.erasures.TakeBack(t.Context(), scope, seq); err != nil {
		t.Fatal(err)
	}
	left("taken back")
	close(late.goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	left("projected late")
	if err := s.Store.Write(t.Context(), index.Batch{Cursors: map[memory.Scope]index.Step{scope: {To: seq}}}); err != nil {
		t.Fatal(err)
	}
	if head, err := s.Projector.CatchUp(t.Context(), scope); err != nil || head != 0 {
		t.Errorf("the head is %d, %v, want none", head, err)
	}
	left("after who has died")
}

// TestTheTrailTakesBackPartsOfErasedOwners: their worker died between two of them, and only
// the last part says which events they rest on.
func TestTheTrailTakesBackPartsOfErasedOwners(t *testing.T) {
	for name, c := range map[string]struct {
		author ledger.Author
		event  uint64
		stays  bool
	}{
		"a part of what was erased":        {ledger.AuthorExtractor, 3, false},
		"a part of what came after":        {ledger.AuthorExtractor, 6, true},
		"a request of who has come anew":   {ledger.AuthorUser, 3, true},
		"the last event that was erased":   {ledger.AuthorExtractor, 5, false},
		"the reaper's, of who is not gone": {ledger.AuthorReaper, 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t, Options{})
			scope := robin.Scope()
			_, err := s.erasures.Store(t.Context(), scope, stream.Erasure{Fence: stream.Fence{EventHead: 5}}, 0)
			if err != nil {
				t.Fatal(err)
			}
			part := noted(s, scope, c.author, c.event, "some words of theirs")
			data, err := part.Encode()
			if err != nil {
				t.Fatal(err)
			}
			seq, err := s.Log.Append(t.Context(), scope, 0, data)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.heal(t.Context(), scope, seq, data); err != nil {
				t.Fatal(err)
			}
			if held, err := s.Log.Holds(t.Context(), scope, seq); err != nil || held != c.stays {
				t.Errorf("it is there: %v, %v, want %v", held, err, c.stays)
			}
		})
	}
}
