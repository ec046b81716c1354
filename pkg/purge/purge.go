// Package purge takes the text of deleted memories, and of removed and replaced documents, out
// of an owner's change sets, and reads back what a memory was before it was deleted. It is pure: it says what takes the place of
// a change set; who appends and deletes is a service. It never changes what the change sets
// add up to.
package purge

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// Purger rewrites change sets.
type Purger struct {
	Registry *profile.Registry
	// Secret is the one that keys the hashes of tombstones.
	Secret []byte
}

// Rewrite returns what takes the place of each change set that holds words of a deleted
// memory, in the order in which they count, each with the sequence at which the original
// stands and with InPlaceOf. The records are all of the owner's; the tombstones are due,
// those of requests included. It leaves out
//
//   - every state that a memory had before its deletion, as a change or as what a change
//     left behind, but for its past values, which are memories of their own: for the deletion
//     of one of those, every state with that value;
//   - the questions that one of them stood in;
//   - their words, in what else was said in the same messages;
//   - in what it rewrites, tombstones that have been dropped since, or had their value come
//     back, and states of documents that others have followed: what takes the place of a
//     change set comes late, when nothing is left that would be newer.
//
// A deletion that was undone counts as none, and what was learnt anew stays. Rewriting what
// was rewritten changes nothing.
func (p Purger) Rewrite(records []ledger.Record, tombstones []memory.Memory) []ledger.Record {
	if len(records) == 0 || len(tombstones) == 0 {
		return nil
	}
	records = inEffect(records)
	due := deletions(records, tombstones)
	w := rewriter{deleted: due.last, redactor: reconcile.NewRedactor(p.Registry, p.Secret, records[0].Scope, due.tombstones)}
	w.replaced = replacedAt(records, due.last)
	bygone, latest := bygoneAt(records), latestAt(records)
	var out []ledger.Record
	for i, r := range records {
		now := w.record(i, r)
		if reflect.DeepEqual(now, r) {
			continue
		}
		now.Changes = slices.DeleteFunc(now.Changes, func(c ledger.Change) bool {
			return c.Memory.Tombstone != nil && bygone[c.Memory.ID] > i || c.Document != nil && latest[c.Document.ID].record > i
		})
		now.InPlaceOf = r.Effective(r.Seq)
		out = append(out, now)
	}
	return out
}

// inEffect orders records by where they count, without touching the caller's.
func inEffect(records []ledger.Record) []ledger.Record { return ledger.InEffect(slices.Clone(records)) }

// place is that of a change: the record, and the change in it.
type place struct{ record, change int }

func (p place) before(o place) bool {
	return cmp.Or(cmp.Compare(p.record, o.record), cmp.Compare(p.change, o.change)) < 0
}

// due is what is to be purged: where each memory was deleted last, and the tombstones that
// still stand.
type due struct {
	last       map[memory.ID]place
	tombstones []memory.Memory
}

// deletions are those of the tombstones, and of whatever was deleted at the same place in
// the conversation: a memory that has been learnt anew has no tombstone any more.
func deletions(records []ledger.Record, tombstones []memory.Memory) due {
	wanted := func(m *memory.Memory) bool {
		return slices.ContainsFunc(tombstones, func(t memory.Memory) bool {
			return t.ID == m.ID || t.Tombstone != nil && samePlace(t.Tombstone, m.Tombstone)
		})
	}
	out := due{last: map[memory.ID]place{}}
	made := map[memory.ID][]deletion{}
	standing := map[memory.ID]memory.Memory{}
	for i, r := range records {
		for j, c := range r.OfMemories() {
			id := c.Memory.ID
			if all := made[id]; c.Op == ledger.OpRestore && len(all) > 0 {
				made[id] = all[:len(all)-1]
			}
			switch {
			case c.Op == ledger.OpHistory:
			case c.Memory.Tombstone == nil:
				delete(standing, id)
			case c.Op == ledger.OpDelete:
				made[id], standing[id] = append(made[id], deletion{place{i, j}, wanted(&c.Memory)}), c.Memory
			}
		}
	}
	for id, all := range made {
		for _, d := range all {
			if d.due {
				out.last[id] = d.place
			}
		}
		if m, ok := standing[id]; ok && wanted(&m) {
			out.tombstones = append(out.tombstones, m)
		}
	}
	return out
}

// deletion is one that has not been undone.
type deletion struct {
	place
	due bool
}

func samePlace(a, b *memory.Tombstone) bool {
	return a.At.Equal(b.At) && a.Seq == b.Seq && a.Message == b.Message
}

// replacedAt is where each memory of which a past value was deleted got another value, for
// each of those values.
func replacedAt(records []ledger.Record, deleted map[memory.ID]place) map[memory.ID]place {
	out := map[memory.ID]place{}
	last := map[memory.ID]memory.ID{} // the past identity of the value that a memory has
	for i, r := range records {
		for j, c := range r.OfMemories() {
			if c.Op == ledger.OpHistory || c.Memory.Status == memory.StatusDeleted {
				continue
			}
			now := profile.PastIdentity(c.Memory.ID, c.Memory.Value)
			before, had := last[c.Memory.ID]
			if _, gone := deleted[before]; had && before != now && gone {
				out[before] = place{i, j}
			}
			last[c.Memory.ID] = now
		}
	}
	return out
}

// bygoneAt is the last record in which a memory was dropped, or was a past value.
func bygoneAt(records []ledger.Record) map[memory.ID]int {
	out := map[memory.ID]int{}
	for i, r := range records {
		for _, c := range r.OfMemories() {
			switch {
			case c.Op == ledger.OpDrop:
				out[c.Memory.ID] = i
			case c.Op == ledger.OpHistory:
				out[profile.PastIdentity(c.Memory.ID, c.Memory.Value)] = i
			case c.Op == ledger.OpSupersede && c.Previous != nil:
				out[profile.PastIdentity(c.Previous.ID, c.Previous.Value)] = i
			}
		}
	}
	return out
}

// rewriter rewrites one record after the other.
type rewriter struct {
	deleted, replaced map[memory.ID]place
	redactor          *reconcile.Redactor
}

func (w *rewriter) record(i int, r ledger.Record) ledger.Record {
	changes := r.Changes[:0:0]
	for j, c := range r.Changes {
		at := place{i, j}
		if c.Document != nil {
			changes = append(changes, c)
			continue
		}
		if c.Previous != nil {
			previous := *c.Previous
			w.redact(&previous, c.Op == ledger.OpSupersede)
			if c.Previous = &previous; w.goneBehind(&c, at) {
				c.Previous = nil
			}
		}
		if w.gone(&c, at) {
			if c.Op != ledger.OpSupersede || c.Previous == nil {
				continue
			}
			// What the deleted value took the place of is in the archive still.
			c = ledger.Change{Op: ledger.OpHistory, Memory: *c.Previous, Reason: c.Reason}
		}
		w.redact(&c.Memory, c.Op == ledger.OpHistory)
		changes = append(changes, c)
	}
	r.Changes = changes
	r.QuestionOpened = w.questions(i, r.QuestionOpened)
	r.QuestionClosed = w.questions(i, r.QuestionClosed)
	return r
}

// redact takes out of m what is deleted. A past value is a memory of its own, and what replaced
// it no part of it.
func (w *rewriter) redact(m *memory.Memory, past bool) {
	id := m.ID
	if past {
		m.ID = profile.PastIdentity(id, m.Value)
	}
	w.redactor.Redact(m)
	m.ID = id
}

// gone reports whether a change is a state of a memory from before its deletion.
func (w *rewriter) gone(c *ledger.Change, at place) bool {
	m := &c.Memory
	if m.Status == memory.StatusDeleted {
		return false // it has no words
	}
	past := profile.PastIdentity(m.ID, m.Value)
	if c.Op == ledger.OpHistory {
		return w.before(past, at)
	}
	replaced, ok := w.replaced[past]
	return w.before(m.ID, at) || w.before(past, at) && ok && at.before(replaced)
}

// goneBehind reports whether what a change left behind was deleted later. A value that was
// superseded is in the archive as a memory of its own.
func (w *rewriter) goneBehind(c *ledger.Change, at place) bool {
	past := w.before(profile.PastIdentity(c.Previous.ID, c.Previous.Value), at)
	return past || c.Op != ledger.OpSupersede && w.before(c.Previous.ID, at)
}

func (w *rewriter) before(id memory.ID, at place) bool {
	last, ok := w.deleted[id]
	return ok && at.before(last)
}

// questions are those of a record without the ones that hold words of a deleted memory.
func (w *rewriter) questions(record int, all []memory.Question) []memory.Question {
	out := all[:0:0]
	for _, q := range all {
		sides := append([]memory.Side{q.Current}, q.Rivals...)
		if slices.ContainsFunc(sides, func(s memory.Side) bool { return s.Text != "" && w.goneSide(s, record) }) {
			continue
		}
		if w.goneSide(memory.Side{Memory: q.Current.Memory, Value: q.Value}, record) {
			q.Value = "" // another value had settled it
		}
		q.Rivals = slices.Clone(q.Rivals)
		w.redactSide(&q.Current)
		for i := range q.Rivals {
			w.redactSide(&q.Rivals[i])
		}
		if q.Answer != nil {
			q.Answer = w.evidence(*q.Answer)
		}
		out = append(out, q)
	}
	return out
}

// goneSide reports whether a side is of a memory that was deleted in the record or later.
func (w *rewriter) goneSide(s memory.Side, record int) bool {
	for _, id := range []memory.ID{s.Memory, profile.PastIdentity(s.Memory, s.Value)} {
		if last, ok := w.deleted[id]; ok && record <= last.record {
			return true
		}
	}
	return false
}

func (w *rewriter) redactSide(s *memory.Side) {
	m := memory.Memory{ID: s.Memory, Key: s.Key, Value: s.Value, Text: s.Text, Evidence: []memory.Evidence{s.Evidence}}
	if w.redactor.Redact(&m) {
		s.Text, s.Evidence = m.Text, m.Evidence[0]
	}
}

func (w *rewriter) evidence(e memory.Evidence) *memory.Evidence {
	m := memory.Memory{Evidence: []memory.Evidence{e}}
	w.redactor.Redact(&m)
	return &m.Evidence[0]
}
