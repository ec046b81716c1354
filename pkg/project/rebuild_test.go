package project_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
)

// publishing is a target in whose moment of publication something happens.
type publishing struct {
	*qdrantstore.Rebuild
	before, after func()
}

func (p publishing) Publish(ctx context.Context) error {
	p.before()
	err := p.Rebuild.Publish(ctx)
	p.after()
	return err
}

// traces are the uses on record.
type traces []index.Access

func (tr traces) Accessed(_ context.Context, fn func([]index.Access) error) error { return fn(tr) }

func rebuild(ctx context.Context, l *log, target project.Target, e project.Embedder) (project.Report, error) {
	return project.Rebuild(ctx, project.Rebuilding{Log: l, Traces: traces{}, Target: target, Embed: e})
}

// TestARebuildGoesOnWhileOthersWrite: what is appended at any moment of it, up to the
// publication and just after, is in the new collection.
func TestARebuildGoesOnWhileOthersWrite(t *testing.T) {
	l, target := &log{}, newTarget(t)
	n := 0
	write := func(count int) {
		for range count {
			n++
			s := alice
			if n%3 == 0 {
				s = bob
			}
			l.append(ledger.OpAdd, fact(s, n, fmt.Sprint(n)), fact(s, 5000+len(s.Owner.ID), fmt.Sprint(n)))
		}
	}
	write(900)
	l.during = func(pass int) {
		if pass == 1 {
			write(300) // more than a batch: one more pass before it is published
		}
		write(2)
	}
	report, err := rebuild(t.Context(), l, publishing{target, func() { write(3) }, func() { write(4) }}, &lengths{})
	if err != nil {
		t.Fatal(err)
	}
	end := len(l.all)
	write(0)
	if l.passes != 4 {
		t.Errorf("%d passes, want one for the bulk, two to come near, and one after it is published", l.passes)
	}
	// What was written during the last pass is its writer's to project: the alias has moved.
	missing := 2
	if want := (project.Report{ChangeSets: end - missing, UpTo: uint64(end - missing)}); report != want {
		t.Errorf("report %+v, want %+v", report, want)
	}
	store := target.Published()
	p := newProjector(l, store, &lengths{})
	for _, s := range []memory.Scope{alice, bob} {
		if _, err := p.CatchUp(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	check(t, l, store, alice, bob)
}

// TestALateReplayGoesBackOnNothing: writers are ahead of the rebuild once it is published.
func TestALateReplayGoesBackOnNothing(t *testing.T) {
	l, target := &log{}, newTarget(t)
	l.append(ledger.OpAdd, fact(alice, 1, "first"))
	ahead := func() {
		s, seq, c := l.append(ledger.OpSupersede, fact(alice, 1, "second"))
		if err := newProjector(l, target.Store, &lengths{}).Apply(t.Context(), s, seq-1, seq, c); err != nil {
			t.Error(err)
		}
		l.append(ledger.OpAdd, fact(bob, 2, "bob's"))
	}
	if _, err := rebuild(t.Context(), l, publishing{target, ahead, func() {}}, &lengths{}); err != nil {
		t.Fatal(err)
	}
	check(t, l, target.Published(), alice, bob)
}

func TestAnEmptyLedgerIsRebuiltIntoAnEmptyCollection(t *testing.T) {
	target := newTarget(t)
	report, err := rebuild(t.Context(), &log{}, target, &lengths{})
	if err != nil || report != (project.Report{}) {
		t.Errorf("Rebuild = %+v, %v, want an empty report", report, err)
	}
	check(t, &log{}, target.Published(), alice)
}

// TestARebuildThatFailsIsNotPublished: readers keep what they have.
func TestARebuildThatFailsIsNotPublished(t *testing.T) {
	for name, spoil := range map[string]func(l *log, e *lengths){
		"no vectors":                   func(_ *log, e *lengths) { e.err = errors.New("no vectors") },
		"a change set of another time": func(l *log, _ *lengths) { l.all[1].data = []byte(`{"v":9}`) },
		"a change set of another owner": func(l *log, _ *lengths) {
			l.all[1].scope = bob
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, e, target := &log{}, &lengths{}, newTarget(t)
			l.append(ledger.OpAdd, fact(alice, 1, "first"))
			l.append(ledger.OpAdd, fact(alice, 2, "second"))
			spoil(l, e)
			unreached := func() { t.Error("it was published") }
			if _, err := rebuild(t.Context(), l, publishing{target, unreached, func() {}}, e); err == nil {
				t.Error("Rebuild says that all went well")
			}
		})
	}
}
