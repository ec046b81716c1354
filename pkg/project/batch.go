package project

import (
	"maps"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// batchSize is how many points are embedded and written together.
const batchSize = 256

// pointBytes is how much of a document counts as a point: a batch of large ones is small.
const pointBytes = 4 << 10

// batch gathers the last state of each memory, of each document and of each question.
type batch struct {
	erased      map[memory.Scope]uint64
	documents   map[memory.ID]index.DocumentEntry
	weight      int // of the documents, in points
	entries     map[memory.ID]index.Entry
	order       []memory.ID
	dropped     []index.Dropped
	accessed    map[memory.ID]index.Access
	checkpoints []index.Checkpoint
	questions   map[memory.ID]question
	cursors     map[memory.Scope]index.Step
}

// question is a question as the change set at seq left it.
type question struct {
	memory.Question
	seq uint64
}

func newBatch() *batch {
	return &batch{
		erased: map[memory.Scope]uint64{}, entries: map[memory.ID]index.Entry{}, accessed: map[memory.ID]index.Access{},
		questions: map[memory.ID]question{}, cursors: map[memory.Scope]index.Step{}, documents: map[memory.ID]index.DocumentEntry{},
	}
}

func (b *batch) size() int {
	return len(b.order) + b.weight + len(b.dropped) + len(b.accessed) + len(b.checkpoints) + len(b.cursors)
}

// add takes the owner's change set at seq; before is the one that lies before it.
func (b *batch) add(s memory.Scope, before, seq uint64, c *ledger.ChangeSet) {
	at := c.Effective(seq)
	if c.Erased != nil {
		b.erase(s, seq)
	}
	for i := range c.Changes {
		b.change(&c.Changes[i], c.At, at)
	}
	for _, a := range c.Accessed {
		b.access(index.Access{Scope: s, ID: a.ID, At: a.At, Recorded: true})
	}
	for _, list := range [][]memory.Question{c.QuestionOpened, c.QuestionClosed} {
		for _, q := range list {
			if b.questions[q.ID].seq <= at {
				b.questions[q.ID] = question{q, at}
			}
		}
	}
	if c.Checkpoint != nil {
		b.checkpoints = append(b.checkpoints, index.Checkpoint{Scope: s, LedgerSeq: at, Checkpoint: *c.Checkpoint})
	}
	b.move(s, before, seq)
}

// change takes one change of a change set that counts at seq and was made then.
func (b *batch) change(c *ledger.Change, made time.Time, seq uint64) {
	switch {
	case c.Op == ledger.OpDrop && c.Document != nil:
		b.dropped = append(b.dropped, index.Dropped{Scope: c.Document.Scope, ID: c.Document.ID, LedgerSeq: seq})
	case c.Document != nil:
		if b.documents[c.Document.ID].LedgerSeq <= seq {
			b.documents[c.Document.ID] = index.DocumentEntry{Document: *c.Document, LedgerSeq: seq}
			b.weight += 1 + len(c.Document.Value)/pointBytes
		}
	case c.Op == ledger.OpHistory:
		b.past(c.Memory, made, seq)
	case c.Op == ledger.OpDrop:
		b.dropped = append(b.dropped, index.Dropped{Scope: c.Memory.Scope, ID: c.Memory.ID, LedgerSeq: seq})
	default:
		m := &c.Memory
		// A marker says what has become of its memory in the archive, too.
		b.put(index.Entry{Memory: *m, LedgerSeq: seq, Moved: c.Moves() || !m.ArchivedAt.IsZero() && m.Origin == ""})
		if c.Op == ledger.OpSupersede && c.Previous != nil {
			b.past(*c.Previous, made, seq)
		}
	}
}

// past puts a value that a memory has had into the archive. It may have been one before and
// deleted then: that tombstone goes.
func (b *batch) past(m memory.Memory, made time.Time, seq uint64) {
	m.Origin = m.ID
	m.ID = profile.PastIdentity(m.Origin, m.Value)
	m.Status, m.ArchivedAt, m.Question = memory.StatusSuperseded, made.UTC(), ""
	b.put(index.Entry{Memory: m, LedgerSeq: seq})
	if e := b.entries[m.ID]; e.LedgerSeq == seq {
		e.Moved = false
		b.entries[m.ID] = e
	}
	b.dropped = append(b.dropped, index.Dropped{Scope: m.Scope, ID: m.ID, LedgerSeq: seq})
}

// put keeps the entry unless a later state of the memory is there. That it has moved is
// never forgotten.
func (b *batch) put(e index.Entry) {
	before, ok := b.entries[e.Memory.ID]
	if !ok {
		b.order = append(b.order, e.Memory.ID)
	}
	if ok && before.LedgerSeq > e.LedgerSeq {
		before.Moved = before.Moved || e.Moved
		e = before
	} else {
		e.Moved = e.Moved || before.Moved
	}
	b.entries[e.Memory.ID] = e
}

func (b *batch) access(a index.Access) {
	if e, ok := b.entries[a.ID]; ok && e.Memory.Scope == a.Scope {
		if a.At.After(e.Memory.AccessedAt) {
			e.Memory.AccessedAt = a.At.UTC()
			b.entries[a.ID] = e
		}
		return
	}
	if before, ok := b.accessed[a.ID]; !ok || before.At.Before(a.At) {
		b.accessed[a.ID] = a
	}
}

// erase forgets what the batch holds of the owner, and has what the collections hold
// deleted.
func (b *batch) erase(s memory.Scope, seq uint64) {
	b.erased[s] = seq
	b.order = slices.DeleteFunc(b.order, func(id memory.ID) bool { return b.entries[id].Memory.Scope == s })
	maps.DeleteFunc(b.entries, func(_ memory.ID, e index.Entry) bool { return e.Memory.Scope == s })
	maps.DeleteFunc(b.documents, func(_ memory.ID, e index.DocumentEntry) bool { return e.Document.Scope == s })
	maps.DeleteFunc(b.accessed, func(_ memory.ID, a index.Access) bool { return a.Scope == s })
	maps.DeleteFunc(b.questions, func(_ memory.ID, q question) bool { return q.Scope == s })
	b.dropped = slices.DeleteFunc(b.dropped, func(d index.Dropped) bool { return d.Scope == s })
	b.checkpoints = slices.DeleteFunc(b.checkpoints, func(c index.Checkpoint) bool { return c.Scope == s })
	b.cursors[s] = index.Step{To: seq} // the collections hold no cursor any more
}

// move takes the owner's cursor on to seq; before is where it stands if this is its first
// move in the batch.
func (b *batch) move(s memory.Scope, before, seq uint64) {
	step, ok := b.cursors[s]
	if !ok {
		step.From = before
	}
	step.To = seq
	b.cursors[s] = step
}
