package project_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
)

// book is a store that keeps every batch.
type book struct {
	batches []index.Batch
	cursor  uint64
	erased  map[memory.Scope]uint64
	err     error
}

func (b *book) Cursor(context.Context, memory.Scope) (uint64, error) { return b.cursor, nil }

func (b *book) Write(_ context.Context, batch index.Batch) error {
	b.batches = append(b.batches, batch)
	return b.err
}

func (b *book) Erase(_ context.Context, s memory.Scope, below uint64) (int, error) {
	b.erased[s] = below
	return 1, nil
}

// one is the batch of a catch-up that needed only one.
func (b *book) one(t *testing.T) index.Batch {
	t.Helper()
	if len(b.batches) != 1 {
		t.Fatalf("%d batches, want one", len(b.batches))
	}
	return b.batches[0]
}

func newBook() *book { return &book{erased: map[memory.Scope]uint64{}} }

// set appends a change set as it is.
func (l *log) set(t *testing.T, c ledger.ChangeSet) {
	t.Helper()
	c.V, c.Author, c.At = ledger.Version, ledger.AuthorReaper, noon
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	l.all = append(l.all, appended{c.Scope, uint64(len(l.all) + 1), data})
}

func change(op ledger.Op, m memory.Memory) ledger.Change {
	return ledger.Change{Op: op, Memory: m, Reason: "test"}
}

func catchUp(t *testing.T, l *log, b *book, s memory.Scope) index.Batch {
	t.Helper()
	if _, err := newProjector(l, b, &lengths{}).CatchUp(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return b.one(t)
}

// TestAMoveIsNotForgotten: a memory that went to the archive and back within a batch leaves
// a marker there, whatever came after.
func TestAMoveIsNotForgotten(t *testing.T) {
	l := &log{}
	m := fact(alice, 1, "first")
	cold := m
	cold.ArchivedAt = noon
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpAdd, m), change(ledger.OpAdd, fact(alice, 2, "second"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpArchive, cold)}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpReturn, m)}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpRefresh, m)}})
	b := catchUp(t, l, newBook(), alice)
	if len(b.Entries) != 2 || !b.Entries[0].Moved || b.Entries[0].LedgerSeq != 4 || b.Entries[1].Moved {
		t.Errorf("entries %+v, want the first moved, as change set 4 left it, and the second not", b.Entries)
	}
}

// TestAReplacedValueGoesToTheArchive under an id of its own, and so does what was said too
// late to be current.
func TestAReplacedValueGoesToTheArchive(t *testing.T) {
	l := &log{}
	home := fact(alice, 1, "I live in Oslo")
	home.Key, home.Value = "user.city", "Oslo"
	old := home
	old.Value, old.Text, old.Status, old.Question = "Boston", "I live in Boston", memory.StatusSuperseded, "q"
	late := home
	late.Value, late.Text, late.Status = "Lima", "I lived in Lima", memory.StatusSuperseded
	supersede := change(ledger.OpSupersede, home)
	supersede.Previous = &old
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{supersede, change(ledger.OpHistory, late)}})
	b := catchUp(t, l, newBook(), alice)
	if len(b.Entries) != 3 || b.Entries[0].Memory.ID != home.ID || b.Entries[0].Memory.Value != "Oslo" {
		t.Fatalf("entries %+v, want the current value and two past ones", b.Entries)
	}
	for i, want := range []string{"Boston", "Lima"} {
		past := b.Entries[i+1].Memory
		if past.ID != profile.PastIdentity(home.ID, want) || past.Origin != home.ID || past.Value != want ||
			past.Status != memory.StatusSuperseded || past.ArchivedAt.IsZero() || past.Question != "" {
			t.Errorf("past value is %+v, want %s of %s in the archive", past, want, home.ID)
		}
		if len(b.Entries[i+1].Dense) == 0 {
			t.Errorf("past value %s has no vector", want)
		}
	}
}

// TestAPurgedChangeSetCountsWhereItStood: it changes nothing that has been decided since.
func TestAPurgedChangeSetCountsWhereItStood(t *testing.T) {
	l := &log{}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpAdd, fact(alice, 9, "gone"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpRefresh, fact(alice, 1, "newer"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, InPlaceOf: 1, Changes: []ledger.Change{change(ledger.OpAdd, fact(alice, 1, "older"))},
		Checkpoint: &ledger.Checkpoint{Thread: "t", Seq: 7}})
	l.all = l.all[1:]
	b := catchUp(t, l, newBook(), alice)
	if len(b.Entries) != 1 || b.Entries[0].Memory.Text != "newer" || b.Entries[0].LedgerSeq != 2 {
		t.Errorf("entries %+v, want what change set 2 left", b.Entries)
	}
	if len(b.Checkpoints) != 1 || b.Checkpoints[0].LedgerSeq != 1 {
		t.Errorf("checkpoints %+v, want that of change set 1", b.Checkpoints)
	}
	if step := b.Cursors[alice]; step.To != 3 {
		t.Errorf("cursor goes to %d, want 3", step.To)
	}
}

// TestATombstoneHasNoVectors, and what is dropped is not written.
func TestATombstoneHasNoVectors(t *testing.T) {
	l := &log{}
	dead := memory.Memory{ID: fact(alice, 1, "").ID, Scope: alice, Status: memory.StatusDeleted, Tombstone: &memory.Tombstone{At: noon}}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpAdd, fact(alice, 1, "secret")), change(ledger.OpDelete, dead)}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpDrop, fact(alice, 2, ""))}})
	e := &lengths{}
	b := newBook()
	if _, err := newProjector(l, b, e).CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	batch := b.one(t)
	if len(e.calls) != 0 || len(batch.Entries) != 1 || batch.Entries[0].Dense != nil || len(batch.Entries[0].Sparse.Indices) != 0 || !batch.Entries[0].Moved {
		t.Errorf("entries %+v after %d embeddings, want a bare tombstone", batch.Entries, len(e.calls))
	}
	if len(batch.Dropped) != 1 || batch.Dropped[0] != (index.Dropped{Scope: alice, ID: fact(alice, 2, "").ID, LedgerSeq: 2}) {
		t.Errorf("dropped %+v", batch.Dropped)
	}
}

// TestUsesAreFoldedIn: into the memory where it is written, else on their own.
func TestUsesAreFoldedIn(t *testing.T) {
	l := &log{}
	later := noon.Add(48 * time.Hour)
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpAdd, fact(alice, 1, "first"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Accessed: []ledger.Access{
		{ID: fact(alice, 1, "").ID, At: later}, {ID: fact(alice, 2, "").ID, At: noon},
	}})
	l.set(t, ledger.ChangeSet{Scope: alice, Accessed: []ledger.Access{
		{ID: fact(alice, 1, "").ID, At: noon}, {ID: fact(alice, 2, "").ID, At: later},
	}})
	b := catchUp(t, l, newBook(), alice)
	if got := b.Entries[0].Memory.AccessedAt; !got.Equal(later) {
		t.Errorf("the first was used at %s, want %s", got, later)
	}
	want := index.Access{Scope: alice, ID: fact(alice, 2, "").ID, At: later, Recorded: true}
	if len(b.Accessed) != 1 || b.Accessed[0] != want {
		t.Errorf("accessed %+v, want %+v", b.Accessed, want)
	}
}

// TestAnErasureLeavesNothingOfWhatCameBefore in the batch, has the collections delete it,
// and touches nobody else.
func TestAnErasureLeavesNothingOfWhatCameBefore(t *testing.T) {
	l, target := &log{}, newBook()
	q := memory.Question{ID: "q1", Scope: alice, Status: memory.QuestionOpen}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpAdd, fact(alice, 1, "before")), change(ledger.OpDrop, fact(alice, 3, ""))},
		Checkpoint: &ledger.Checkpoint{Thread: "t", Seq: 7}, Accessed: []ledger.Access{{ID: "other", At: noon}}, QuestionOpened: []memory.Question{q}})
	l.set(t, ledger.ChangeSet{Scope: bob, Changes: []ledger.Change{change(ledger.OpAdd, fact(bob, 4, "bob's"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Erased: &ledger.Erased{EventHead: 7}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{change(ledger.OpAdd, fact(alice, 5, "after"))}})
	_, err := project.Rebuild(t.Context(), project.Rebuilding{Log: l, Traces: traces{}, Target: unpublished{target}, Embed: &lengths{}})
	if err != nil {
		t.Fatal(err)
	}
	b := target.batches[0]
	var texts []string
	for _, e := range b.Entries {
		texts = append(texts, e.Memory.Text)
	}
	if len(texts) != 2 || texts[0] != "bob's" || texts[1] != "after" || len(b.Checkpoints)+len(b.Accessed)+len(b.Dropped) != 0 {
		t.Errorf("entries %q, checkpoints %v, uses %v, dropped %v: want what is bob's and what came after", texts, b.Checkpoints, b.Accessed, b.Dropped)
	}
	if b.Erased[alice] != 3 || len(b.Erased) != 1 || b.Cursors[alice] != (index.Step{To: 4}) {
		t.Errorf("erased %v, cursor %v: want alice below 3, and a cursor from nothing to 4", b.Erased, b.Cursors[alice])
	}
}

// unpublished is a book as the target of a rebuild.
type unpublished struct{ *book }

func (unpublished) Publish(context.Context) error { return nil }

// TestWhatWasErasedMeanwhileIsTakenBack: a projector that was late finds its change set gone.
func TestWhatWasErasedMeanwhileIsTakenBack(t *testing.T) {
	tests := []struct {
		name   string
		gone   bool
		erased uint64
		want   uint64
	}{
		{"nothing happened", false, 0, 0},
		{"purged", true, 0, 0},
		{"erased before it", true, 1, 0},
		{"the erasure's own", true, 2, 3},
		{"erased after it", true, 3, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, b := &log{}, newBook()
			_, before, _ := l.append(ledger.OpAdd, fact(alice, 1, "early"))
			s, seq, c := l.append(ledger.OpAdd, fact(alice, 2, "late"))
			p := project.New(project.Config{Log: l, Store: b, Embed: &lengths{}, Questions: questions{}, Erasures: erasures{alice: tt.erased}})
			if tt.gone {
				l.all = nil
			}
			if err := p.Apply(t.Context(), s, before, seq, c); err != nil {
				t.Fatal(err)
			}
			if b.erased[alice] != tt.want {
				t.Errorf("erased below %d, want %d", b.erased[alice], tt.want)
			}
		})
	}
}

// TestQuestionsAreWrittenBeforeTheCursorMoves, each as the last change set left it.
func TestQuestionsAreWrittenBeforeTheCursorMoves(t *testing.T) {
	l, b, asked := &log{}, newBook(), questions{}
	open := memory.Question{ID: "q1", Scope: alice, Status: memory.QuestionOpen, OpenedAt: noon}
	closed := open
	closed.Status, closed.Closing = memory.QuestionClosed, memory.ClosedByAnswer
	other := memory.Question{ID: "q2", Scope: alice, Status: memory.QuestionOpen}
	l.set(t, ledger.ChangeSet{Scope: alice, QuestionOpened: []memory.Question{open, other}})
	l.set(t, ledger.ChangeSet{Scope: alice, QuestionClosed: []memory.Question{closed}})
	b.err = errors.New("down")
	p := project.New(project.Config{Log: l, Store: b, Embed: &lengths{}, Questions: asked, Erasures: erasures{}})
	if _, err := p.CatchUp(t.Context(), alice); err == nil {
		t.Fatal("a failing write is passed over")
	}
	if asked["q1"].Status != memory.QuestionClosed || asked["q1"].seq != 2 || asked["q2"].Status != memory.QuestionOpen || asked["q2"].seq != 1 {
		t.Errorf("questions %+v", asked)
	}
}

// TestARebuildRestoresTimesOfUse that only the traces know of, before readers see it.
func TestARebuildRestoresTimesOfUse(t *testing.T) {
	l, b := &log{}, newBook()
	l.append(ledger.OpAdd, fact(alice, 1, "first"))
	used := index.Access{Scope: alice, ID: fact(alice, 1, "").ID, At: noon.Add(time.Hour)}
	progress := 0
	_, err := project.Rebuild(t.Context(), project.Rebuilding{
		Log: l, Traces: traces{used}, Target: unpublished{b}, Embed: &lengths{},
		Progress: func(done int, left uint64) { progress = done + int(left) },
	})
	if err != nil {
		t.Fatal(err)
	}
	last := b.batches[len(b.batches)-1]
	if len(last.Accessed) != 1 || last.Accessed[0] != used {
		t.Errorf("the last batch is %+v, want the use", last)
	}
	if progress != 1 {
		t.Errorf("progress came to %d change sets, want 1", progress)
	}
}
