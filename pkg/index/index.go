// Package index says how a memory looks to a collection and what may be asked of one: the
// text and the terms that it is found by, its entry, queries and hits. It is pure; which
// database holds the entries is an adapter's business.
package index

import (
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
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

// DocumentEntry is a document with its vectors and the change set that made its state.
type DocumentEntry struct {
	Document  document.Document
	LedgerSeq uint64
	Dense     []float32
	Sparse    terms.SparseVector
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
	// Documents are put each only over a lower LedgerSeq; a removed one leaves its identity.
	Documents []DocumentEntry
	// Cursors are moved last, never backwards.
	Cursors map[memory.Scope]Step
}

// Step moves an owner's cursor, the last change set of theirs that a collection holds, to
// To. It counts only where the cursor has reached From: a collection that lacks what lies
// before keeps its cursor, and whoever comes next reads on from there. From 0 says that
// nothing lies before.
type Step struct{ From, To uint64 }

// Sort is what a query asks for.
type Sort string

// The sorts. SortMemory is the default.
const (
	SortMemory   Sort = ""
	SortDocument Sort = "document"
)

// Query asks for what one owner has that is nearest to a text.
type Query struct {
	// Now hides what has expired.
	Now    time.Time
	Sort   Sort
	Dense  []float32
	Sparse terms.SparseVector
	// MinDense is the cosine that a hit must exceed to count as near by Dense alone.
	MinDense float32
	// Kinds and Keys narrow a search for memories; empty means all.
	Kinds []memory.Kind
	Keys  []memory.Key
	// Agent and Within narrow a search for memories to those that hold for the agent, and those
	// of the namespace; what is qualified by none is always found. Empty means all.
	Agent  memory.Agent
	Within string
	// Limit bounds the hits by terms, and Near those by meaning; with 0 there are none. What
	// both find is one hit.
	Limit int
	Near  int
	// Archive searches what is cold as well.
	Archive bool
	// Namespace narrows a search for documents to those in a namespace or below it, and Pairs
	// to those that have the fields with the values that these keywords name (document.Pairs):
	// the first MaxPairs of them, and documents with too many fields to tell.
	Namespace []string
	Pairs     []string
}

// MaxPairs is how many pairs of a query narrow it.
const MaxPairs = 16

// Spot is a place in a thread.
type Spot struct {
	Thread memory.Thread
	Place  int64
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

	// DueExpiredDocuments are documents, by their expiry.
	DueExpiredDocuments DueJob = "expired documents"
	// DueStaleDocuments are documents, removed or not, of which the ledger holds text that is
	// theirs no more, by since when.
	DueStaleDocuments DueJob = "stale documents"
	// DueRemovedDocuments are removed documents without text anywhere, by their removal.
	DueRemovedDocuments DueJob = "removed documents"
)

// Ref names a memory, or a document, of any owner.
type Ref struct {
	Scope memory.Scope
	ID    memory.ID
}

// Hit is one answer to a Query: a memory, or a document.
type Hit struct {
	Memory   memory.Memory
	Document *document.Document
	// Fused is the reciprocal-rank-fusion score of the dense and the sparse list; 0 for what
	// was found beside a hit.
	Fused float64
	// Terms is its sparse vector, and Cosine that of its dense vector and the query's; 0 if
	// it, or the query, has none.
	Terms  terms.SparseVector
	Cosine float64
}

// RRFConstant is that of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the
// place in a list, counted from 0, is worth 1/(RRFConstant+place).
const RRFConstant = 60
