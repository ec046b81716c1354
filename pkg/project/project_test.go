package project_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
)

// appended is one change set of the ledger.
type appended struct {
	scope memory.Scope
	seq   uint64
	data  []byte
}

// log is MEM_LEDGER in memory.
type log struct {
	all []appended
	// passes counts replays; during is called in the middle of each.
	passes int
	during func(pass int)
}

func (l *log) Head(_ context.Context, s memory.Scope) (uint64, error) {
	head := uint64(0)
	for _, a := range l.all {
		if a.scope == s {
			head = a.seq
		}
	}
	return head, nil
}

func (l *log) Read(_ context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	for _, a := range l.all {
		if a.scope == s && a.seq > after && a.seq <= upTo {
			if err := fn(a.seq, time.Time{}, a.data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *log) Holds(_ context.Context, s memory.Scope, seq uint64) (bool, error) {
	return slices.ContainsFunc(l.all, func(a appended) bool { return a.scope == s && a.seq == seq }), nil
}

func (l *log) Replay(ctx context.Context, from uint64, fn func(ctx context.Context, s memory.Scope, seq uint64, data []byte, pending uint64) error) (uint64, error) {
	l.passes++
	end := uint64(len(l.all))
	if l.during != nil {
		l.during(l.passes)
	}
	for _, a := range l.all {
		if a.seq >= from && a.seq <= end {
			if err := fn(ctx, a.scope, a.seq, a.data, end-a.seq); err != nil {
				return 0, err
			}
		}
	}
	return end, nil
}

// append adds a change set with one change for each memory, and returns it.
func (l *log) append(op ledger.Op, memories ...memory.Memory) (memory.Scope, uint64, *ledger.ChangeSet) {
	s := memories[0].Scope
	c := &ledger.ChangeSet{V: ledger.Version, At: noon, Author: ledger.AuthorExtractor, Scope: s}
	for _, m := range memories {
		c.Changes = append(c.Changes, ledger.Change{Op: op, Memory: m, Reason: "new"})
	}
	data, err := c.Encode()
	if err != nil {
		panic(err)
	}
	seq := uint64(len(l.all) + 1)
	l.all = append(l.all, appended{s, seq, data})
	return s, seq, c
}

// fold is what the collection must hold of an owner.
func (l *log) fold(t *testing.T, s memory.Scope) []memory.Memory {
	t.Helper()
	state := map[memory.ID]memory.Memory{}
	for _, a := range l.all {
		c, err := ledger.Decode(a.data, a.scope)
		if err != nil {
			t.Fatal(err)
		}
		for _, ch := range c.Changes {
			if a.scope == s && ch.Op != ledger.OpHistory {
				state[ch.Memory.ID] = ch.Memory
			}
		}
	}
	var out []memory.Memory
	for _, m := range state {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

var (
	noon  = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	alice = memory.UserScope("acme", "alice")
	bob   = memory.UserScope("acme", "bob")
)

func fact(s memory.Scope, n int, text string) memory.Memory {
	return memory.Memory{
		ID: memory.ID(fmt.Sprintf("00000000-0000-5000-8000-%012d", n)), Scope: s, Kind: memory.KindFact, Text: text,
		Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: noon, CreatedAt: noon, ConfirmedAt: noon, Confidence: 0.9,
		Evidence: []memory.Evidence{{Event: "e", Role: memory.RoleUser, At: noon, Quote: text}},
	}
}

// lengths embeds a text as its length, and keeps how many texts came at once.
type lengths struct {
	calls []int
	err   error
}

func (l *lengths) EmbedFor(_ context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	l.calls = append(l.calls, len(texts))
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{float32(len(t)), 1}
	}
	return out, l.err
}

// questions keeps what is put, by the rule of the port.
type questions map[memory.ID]put

type put struct {
	memory.Question
	seq uint64
}

func (q questions) Put(_ context.Context, doc memory.Question, seq uint64) error {
	if q[doc.ID].seq <= seq {
		q[doc.ID] = put{doc, seq}
	}
	return nil
}

func (q questions) EraseOwner(_ context.Context, s memory.Scope, _ uint64) (int, error) {
	n := len(q)
	maps.DeleteFunc(q, func(_ memory.ID, doc put) bool { return doc.Scope == s })
	return n - len(q), nil
}

// erasures are the sequences below which owners were erased.
type erasures map[memory.Scope]uint64

func (e erasures) Erased(_ context.Context, s memory.Scope) (uint64, error) { return e[s], nil }

func newProjector(l project.Log, store project.Store, e project.Embedder) *project.Projector {
	return project.New(project.Config{Log: l, Store: store, Embed: e, Questions: questions{}, Erasures: erasures{}})
}

var model = qdrantstore.Model{Name: "lengths", Dim: 2}

// newTarget is an empty, unpublished collection of an engine of the test's own.
func newTarget(t *testing.T) *qdrantstore.Rebuild {
	t.Helper()
	engine := qdrantmem.New()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	c, err := qdrantstore.ConnectWith(engine.DialOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := c.Close()
		stop()
		if err := errors.Join(err, <-done); err != nil {
			t.Error(err)
		}
	})
	r, err := qdrantstore.StartRebuild(t.Context(), c, model)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func published(t *testing.T) *qdrantstore.Store {
	t.Helper()
	r := newTarget(t)
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.Published()
}

// check compares the collection with the fold of the ledger, and the cursors with its head.
func check(t *testing.T, l *log, store *qdrantstore.Store, scopes ...memory.Scope) {
	t.Helper()
	for _, s := range scopes {
		got, err := store.List(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if want := l.fold(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the collection has %d memories that are not the ledger's %d", s.Owner.ID, len(got), len(want))
		}
		head, _ := l.Head(t.Context(), s)
		if cursor, err := store.Cursor(t.Context(), s); cursor != head || err != nil {
			t.Errorf("%s: cursor %d, %v, want %d", s.Owner.ID, cursor, err, head)
		}
	}
}

func TestCatchUpProjectsWhatIsMissing(t *testing.T) {
	l, e, store := &log{}, &lengths{}, published(t)
	p := newProjector(l, store, e)
	if head, err := p.CatchUp(t.Context(), alice); head != 0 || err != nil {
		t.Errorf("CatchUp of an empty ledger = %d, %v, want 0", head, err)
	}
	l.append(ledger.OpAdd, fact(alice, 1, "first"), fact(alice, 2, "second"))
	l.append(ledger.OpAdd, fact(bob, 3, "bob's"))
	l.append(ledger.OpSupersede, fact(alice, 1, "first, changed"))
	l.append(ledger.OpHistory, fact(alice, 1, "first, as it was before"))
	if head, err := p.CatchUp(t.Context(), alice); head != 4 || err != nil {
		t.Errorf("CatchUp = %d, %v, want 4", head, err)
	}
	check(t, l, store, alice)
	if got, err := store.List(t.Context(), bob); len(got) != 0 || err != nil {
		t.Errorf("bob's memories are %+v, %v: it is not his turn", got, err)
	}
	if want := []int{3}; !slices.Equal(e.calls, want) {
		t.Errorf("embedded %d texts, want only the last state of each memory, and the past value: %d", e.calls, want)
	}
	if head, err := p.CatchUp(t.Context(), alice); head != 4 || err != nil || len(e.calls) != 1 {
		t.Errorf("CatchUp again = %d, %v after %d embeddings, want 4 and nothing done", head, err, len(e.calls))
	}
}

func TestApplyProjectsOneChangeSet(t *testing.T) {
	l, store := &log{}, published(t)
	p := newProjector(l, store, &lengths{})
	s, seq, c := l.append(ledger.OpAdd, fact(alice, 1, "first"))
	if err := p.Apply(t.Context(), s, seq-1, seq, c); err != nil {
		t.Fatal(err)
	}
	s, seq, c = l.append(ledger.OpHistory, fact(alice, 1, "as it was before"))
	if err := p.Apply(t.Context(), s, seq-1, seq, c); err != nil {
		t.Fatal(err)
	}
	check(t, l, store, alice)
}

// TestALateProjectionChangesNothing: a worker that stood still projects what others have
// gone beyond.
func TestALateProjectionChangesNothing(t *testing.T) {
	l, store := &log{}, published(t)
	p := newProjector(l, store, &lengths{})
	s, late, c := l.append(ledger.OpAdd, fact(alice, 1, "first"))
	l.append(ledger.OpSupersede, fact(alice, 1, "second"))
	l.append(ledger.OpEnd, fact(alice, 1, "third"))
	if _, err := p.CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(t.Context(), s, late-1, late, c); err != nil {
		t.Fatal(err)
	}
	check(t, l, store, alice)
}

// TestACollectionThatLacksSomethingKeepsItsCursor: a rebuild may publish a collection under
// an author's feet, which does not hold yet what the author knows of.
func TestACollectionThatLacksSomethingKeepsItsCursor(t *testing.T) {
	for name, held := range map[string]int{"empty": 0, "behind": 1} {
		t.Run(name, func(t *testing.T) {
			l, store := &log{}, published(t)
			p := newProjector(l, store, &lengths{})
			l.append(ledger.OpAdd, fact(alice, 1, "first"))
			if held > 0 {
				if _, err := p.CatchUp(t.Context(), alice); err != nil {
					t.Fatal(err)
				}
			}
			_, head, _ := l.append(ledger.OpAdd, fact(alice, 2, "second"))
			if ok, err := p.Holds(t.Context(), alice, head); ok || err != nil {
				t.Errorf("Holds = %v, %v, want false", ok, err)
			}
			s, seq, c := l.append(ledger.OpAdd, fact(alice, 3, "third"))
			if err := p.Apply(t.Context(), s, head, seq, c); err != nil {
				t.Fatal(err)
			}
			if cursor, err := store.Cursor(t.Context(), alice); cursor != uint64(held) || err != nil {
				t.Errorf("the cursor is at %d, %v, want %d", cursor, err, held)
			}
			if got, err := store.List(t.Context(), alice); len(got) != held+1 || err != nil {
				t.Errorf("%d memories, %v, want the new one to be there too", len(got), err)
			}
			if _, err := p.CatchUp(t.Context(), alice); err != nil {
				t.Fatal(err)
			}
			check(t, l, store, alice)
			if ok, err := p.Holds(t.Context(), alice, seq); !ok || err != nil {
				t.Errorf("Holds = %v, %v, want true", ok, err)
			}
		})
	}
}

// goneAtTheHead is a ledger whose last change set was deleted after its head had been read.
type goneAtTheHead struct{ *log }

func (l goneAtTheHead) Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	return l.log.Read(ctx, s, after, upTo-1, fn)
}

// TestAHeadThatIsGoneIsPassed: what has been deleted is not waited for.
func TestAHeadThatIsGoneIsPassed(t *testing.T) {
	for name, before := range map[string]int{"alone": 0, "after others": 2} {
		t.Run(name, func(t *testing.T) {
			l, store := &log{}, published(t)
			for i := range before {
				l.append(ledger.OpAdd, fact(alice, i, fmt.Sprint(i)))
			}
			_, head, _ := l.append(ledger.OpAdd, fact(alice, 99, "deleted"))
			p := newProjector(goneAtTheHead{l}, store, &lengths{})
			if got, err := p.CatchUp(t.Context(), alice); got != head || err != nil {
				t.Fatalf("CatchUp = %d, %v, want %d", got, err, head)
			}
			if held, err := p.Holds(t.Context(), alice, head); !held || err != nil {
				t.Errorf("Holds = %v, %v, want true", held, err)
			}
			if got, err := store.List(t.Context(), alice); len(got) != before || err != nil {
				t.Errorf("%d memories, %v, want %d", len(got), err, before)
			}
		})
	}
}

func TestMoreThanABatchIsProjectedInPieces(t *testing.T) {
	l, e, store := &log{}, &lengths{}, published(t)
	for i := range 700 {
		l.append(ledger.OpAdd, fact(alice, i, fmt.Sprint(i)), fact(alice, 10_000+i%7, fmt.Sprint(i)))
	}
	if _, err := newProjector(l, store, e).CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	check(t, l, store, alice)
	if len(e.calls) < 3 || slices.Max(e.calls) > 256 {
		t.Errorf("embedded %d texts at a time, want pieces of at most 256", e.calls)
	}
}

// TestAFailureKeepsTheCursor: what was not written is projected the next time.
func TestAFailureKeepsTheCursor(t *testing.T) {
	l, e, store := &log{}, &lengths{err: errors.New("no vectors")}, published(t)
	p := newProjector(l, store, e)
	s, seq, c := l.append(ledger.OpAdd, fact(alice, 1, "first"))
	if err := p.Apply(t.Context(), s, seq-1, seq, c); !errors.Is(err, e.err) {
		t.Errorf("Apply = %v, want the embedder's error", err)
	}
	if _, err := p.CatchUp(t.Context(), alice); !errors.Is(err, e.err) {
		t.Errorf("CatchUp = %v, want the embedder's error", err)
	}
	if cursor, err := store.Cursor(t.Context(), alice); cursor != 0 || err != nil {
		t.Errorf("Cursor = %d, %v, want 0", cursor, err)
	}
	e.err = nil
	if _, err := p.CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	check(t, l, store, alice)
}

func TestAChangeSetOfAnotherOwnerIsRefused(t *testing.T) {
	l, store := &log{}, published(t)
	l.append(ledger.OpAdd, fact(bob, 1, "bob's"))
	l.all[0].scope = alice // it lies on alice's subject
	if _, err := newProjector(l, store, &lengths{}).CatchUp(t.Context(), alice); err == nil {
		t.Error("bob's change set was projected for alice")
	}
	for _, s := range []memory.Scope{alice, bob} {
		if got, err := store.List(t.Context(), s); len(got) != 0 || err != nil {
			t.Errorf("%s has %+v, %v", s.Owner.ID, got, err)
		}
	}
}
