// Package index says how a memory looks to a collection and what may be asked of one: the
// text and the terms that it is found by, its entry, queries and hits. It is pure; which
// database holds the entries is an adapter's business.
package index

import (
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Entry is a memory with its vectors and the change set that made its state.
type Entry struct {
	Memory memory.Memory
	// Moved says that the memory may stand in the other collection as well: there it is
	// replaced by a marker without content, archive first where it goes to the archive.
	Moved bool
	// LedgerSeq is the sequence of that change set in MEM_LEDGER.
	LedgerSeq uint64
	Dense     []float32
	Sparse    terms.SparseVector
}

// Dropped is a memory that leaves the collections for good, markers included.
type Dropped struct {
	Scope     memory.Scope
	ID        memory.ID
	LedgerSeq uint64
}

// Checkpoint is how far one change set has taken a thread. A collection holds those of every
// change set, so that a thread is found without reading its owner's ledger.
type Checkpoint struct {
	Scope memory.Scope
	// LedgerSeq is the sequence of the change set.
	LedgerSeq  uint64
	Checkpoint ledger.Checkpoint
}

// Access is the last use of a memory, without anything else of its state.
type Access struct {
	Scope memory.Scope
	ID    memory.ID
	At    time.Time
	// Recorded says that the ledger knows of it. One that it does not know of is found by
	// DueAccessed until it does.
	Recorded bool
}

// Batch is what is written to the collections together: the memories at hand and the archive.
type Batch struct {
	// Erased are owners of whom everything is deleted first that a change set below the
	// sequence has made.
	Erased map[memory.Scope]uint64
	// Entries are put each only over a lower LedgerSeq. A memory with an ArchivedAt goes
	// to the archive, and so does a past value, which has an Origin; every other one, and
	// every tombstone, is at hand.
	Entries     []Entry
	Checkpoints []Checkpoint
	// Dropped are memories of which nothing is kept any more.
	Dropped []Dropped
	// Accessed moves the time of last use of memories that are there, never backwards.
	Accessed []Access
	// Cursors are moved last, never backwards.
	Cursors map[memory.Scope]Step
}

// Step moves an owner's cursor, the last change set of theirs that a collection holds, to
// To. It counts only where the cursor has reached From: a collection that lacks what lies
// before keeps its cursor, and whoever comes next reads on from there. From 0 says that
// nothing lies before.
type Step struct{ From, To uint64 }

// Query asks for the current memories of one owner that are nearest to a text.
type Query struct {
	// Now hides what has expired.
	Now    time.Time
	Dense  []float32
	Sparse terms.SparseVector
	// MinDense is the cosine that a memory must exceed to count as near by Dense alone.
	MinDense float32
	// Kinds narrows the search; empty means all.
	Kinds []memory.Kind
	// Limit bounds the hits, and each of the two lists that are fused.
	Limit int
	// Archive searches what is cold as well.
	Archive bool
}

// Due asks for memories of any owner that a job of the reaper has to look at. All its
// times are bounds on indexed dates: what is not due is not read.
type Due struct {
	Job DueJob
	// Before is the instant up to which the date that the job looks at counts as due.
	Before time.Time
	// Tenant narrows the search; Except leaves tenants out that have bounds of their own.
	Tenant memory.Tenant
	Except []memory.Tenant
}

// DueJob names a question of the reaper.
type DueJob string

// The questions.
const (
	// DueExpired are current memories at hand whose expiry lies at or before the bound.
	DueExpired DueJob = "expired"
	// DueUnused are current memories at hand that age and whose last use lies at or before.
	DueUnused DueJob = "unused"
	// DueAccessed are memories with a use that the ledger does not know yet; no bound.
	DueAccessed DueJob = "accessed"
	// DueDeleted are tombstones whose text the ledger still holds, by deletion.
	DueDeleted DueJob = "deleted"
	// DueTombstones are tombstones without text anywhere, by deletion.
	DueTombstones DueJob = "tombstones"
	// DueArchived are memories in the archive, by the time they moved there.
	DueArchived DueJob = "archived"
	// DueQuestions are open rivals, by the question's time-out.
	DueQuestions DueJob = "questions"
)

// Ref names a memory of any owner.
type Ref struct {
	Scope memory.Scope
	ID    memory.ID
}

// Hit is one answer to a Query.
type Hit struct {
	Memory memory.Memory
	// Fused is the reciprocal-rank-fusion score of the dense and the sparse list.
	Fused float64
}

// Text is what a memory is found by: its text, its value where the text lacks it, and the
// question that it answers.
func Text(m *memory.Memory) string {
	parts := []string{m.Text}
	if m.Value != "" && !strings.Contains(m.Text, m.Value) {
		parts = append(parts, m.Value)
	}
	for _, e := range m.Evidence {
		if e.Asked != "" && !strings.Contains(m.Text, e.Asked) {
			parts = append(parts, e.Asked)
		}
	}
	return strings.Join(parts, "\n")
}

// termPlans is the term under which plans are found by who asks for plans.
const termPlans = "asks:plans"

func termKey(k memory.Key) string { return "asks:" + string(k) }

// Terms are the terms of a memory beside those of its text: they stand for the words with
// which people ask for its key, in any language.
func Terms(m *memory.Memory) []string {
	var out []string
	for _, k := range []memory.Key{m.Key, m.About} {
		if k != "" {
			out = append(out, termKey(k))
		}
	}
	if m.Plan {
		out = append(out, termPlans)
	}
	return out
}

// QueryTerms are the terms of a query beside those of its text: one for each key that it
// asks for.
func QueryTerms(r *profile.Registry, query string) []string {
	keys, plans := r.Asked(query)
	out := make([]string, 0, len(keys)+1)
	for _, k := range keys {
		out = append(out, termKey(k))
	}
	if plans {
		out = append(out, termPlans)
	}
	return out
}
