package project_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func note(s memory.Scope, key, text string) document.Document {
	namespace := []string{"notes"}
	return document.Document{
		ID: document.Identity(s, namespace, key), Scope: s, Namespace: namespace, Key: key,
		Value: json.RawMessage(fmt.Sprintf(`{"text":%q}`, text)), CreatedAt: noon, UpdatedAt: noon,
	}
}

func putting(d document.Document) ledger.Change {
	return ledger.Change{Op: ledger.OpPut, Document: &d, Reason: "put"}
}

func removing(d document.Document) ledger.Change {
	left := d.Removed(noon)
	return ledger.Change{Op: ledger.OpRemove, Document: &left, Reason: "removed"}
}

func byKey(b index.Batch) map[string]index.DocumentEntry {
	out := map[string]index.DocumentEntry{}
	for _, e := range b.Documents {
		out[e.Document.Key] = e
	}
	return out
}

// TestDocumentsAreProjected with both vectors, each in its last state; one that is not to be
// found by meaning, and what is left of a removed one, have none.
func TestDocumentsAreProjected(t *testing.T) {
	l := &log{}
	quiet := note(alice, "quiet", "not indexed")
	quiet.Index = []string{}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{
		putting(note(alice, "a", "first")), putting(quiet), putting(note(alice, "gone", "removed text")), change(ledger.OpAdd, fact(alice, 1, "a memory")),
	}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{putting(note(alice, "a", "second text")), removing(note(alice, "gone", ""))}})
	b := catchUp(t, l, newBook(), alice)
	got := byKey(b)
	if len(b.Documents) != 3 || len(b.Entries) != 1 {
		t.Fatalf("%d documents and %d memories, want 3 and 1", len(b.Documents), len(b.Entries))
	}
	a := got["a"]
	if a.LedgerSeq != 2 || string(a.Document.Value) != `{"text":"second text"}` || a.Dense[0] != float32(len("second text")) {
		t.Errorf("the replaced one is %+v", a)
	}
	if want := index.DocumentSparse(&a.Document); len(want.Indices) == 0 || !slices.Equal(a.Sparse.Indices, want.Indices) {
		t.Errorf("its terms are %v, want %v", a.Sparse.Indices, want.Indices)
	}
	if q := got["quiet"]; len(q.Dense) != 0 || len(q.Sparse.Indices) != 0 || q.LedgerSeq != 1 {
		t.Errorf("the one without an index is %+v", q)
	}
	if left := got[""]; left.Document.RemovedAt.IsZero() || len(left.Dense) != 0 || left.LedgerSeq != 2 || left.Document.Value != nil {
		t.Errorf("what is left of the removed one is %+v", left)
	}
}

// TestARewrittenPutIsNotTheLast: it comes late and counts where the original stood.
func TestARewrittenPutIsNotTheLast(t *testing.T) {
	l := &log{}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{putting(note(alice, "a", "old"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{putting(note(alice, "a", "new"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{putting(note(alice, "a", "old")), putting(note(alice, "b", "beside"))}, InPlaceOf: 1})
	got := byKey(catchUp(t, l, newBook(), alice))
	if string(got["a"].Document.Value) != `{"text":"new"}` || got["a"].LedgerSeq != 2 || got["b"].LedgerSeq != 1 {
		t.Errorf("documents are %+v", got)
	}
}

// TestErasureTakesDocuments of a batch, and leaves those of others and later ones.
func TestErasureTakesDocuments(t *testing.T) {
	l := &log{}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{putting(note(alice, "a", "old"))}})
	l.set(t, ledger.ChangeSet{Scope: alice, Erased: &ledger.Erased{}})
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{putting(note(alice, "b", "anew"))}})
	b := catchUp(t, l, newBook(), alice)
	if got := byKey(b); len(got) != 1 || got["b"].LedgerSeq != 3 || b.Erased[alice] != 2 {
		t.Errorf("documents %+v, erased %v", got, b.Erased)
	}
}

// TestADroppedDocument leaves the collections for good.
func TestADroppedDocument(t *testing.T) {
	l := &log{}
	d := note(alice, "a", "")
	left := d.Removed(noon)
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{{Op: ledger.OpDrop, Document: &left}}})
	b := catchUp(t, l, newBook(), alice)
	want := index.Dropped{Scope: alice, ID: left.ID, LedgerSeq: 1}
	if len(b.Dropped) != 1 || b.Dropped[0] != want || len(b.Documents) != 0 || len(b.Entries) != 0 {
		t.Errorf("batch is %+v", b)
	}
}

// TestLargeDocumentsMakeSmallBatches, and many small ones are embedded together.
func TestLargeDocumentsMakeSmallBatches(t *testing.T) {
	l, book, embed := &log{}, newBook(), &lengths{}
	large := strings.Repeat("word ", 12<<10)
	for i := range 20 {
		l.set(t, ledger.ChangeSet{Scope: alice, Changes: []ledger.Change{
			putting(note(alice, fmt.Sprint("a", i), large)), putting(note(alice, fmt.Sprint("b", i), large)), putting(note(alice, fmt.Sprint("c", i), large)),
		}})
	}
	if _, err := newProjector(l, book, embed).CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	if len(book.batches) < 4 {
		t.Errorf("%d large documents in %d batches", 60, len(book.batches))
	}
	l, embed = &log{}, &lengths{}
	var many []ledger.Change
	for i := range 300 {
		many = append(many, putting(note(alice, fmt.Sprint(i), "short")))
	}
	l.set(t, ledger.ChangeSet{Scope: alice, Changes: many})
	if _, err := newProjector(l, newBook(), embed).CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(embed.calls, []int{256, 44}) {
		t.Errorf("300 documents were embedded in calls of %v", embed.calls)
	}
}
