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
	// LedgerSeq is the sequence of that change set in MEM_LEDGER.
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

// Batch is what is written to a collection together.
type Batch struct {
	// Entries are put each only over a lower LedgerSeq.
	Entries     []Entry
	Checkpoints []Checkpoint
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
