package purge

import (
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Undo is what a memory was when it was deleted last; ok is false when it is not deleted, or
// its words have left the ledger. The question that it stood in was closed by the deletion
// and stays so.
func Undo(records []ledger.Record, id memory.ID) (m memory.Memory, ok bool) {
	var deleted *memory.Tombstone
	take := func(state memory.Memory) { m, ok, deleted = state, true, nil }
	for _, r := range inEffect(records) {
		for _, c := range r.OfMemories() {
			switch {
			case c.Memory.ID != id:
				if past, is := pastValue(c, id); is {
					past.ArchivedAt = r.At.UTC()
					take(past)
				}
			case c.Memory.Tombstone != nil:
				deleted = c.Memory.Tombstone
				ok = ok && deleted.PurgedAt.IsZero()
			case c.Op != ledger.OpHistory && c.Op != ledger.OpDrop:
				take(c.Memory)
			}
		}
	}
	if !ok || deleted == nil {
		return memory.Memory{}, false
	}
	return unasked(m, deleted.At), true
}

// pastValue is the past value with that id that a change has left, as the archive holds it.
func pastValue(c *ledger.Change, id memory.ID) (memory.Memory, bool) {
	var m memory.Memory
	switch {
	case c.Op == ledger.OpHistory:
		m = c.Memory
	case c.Op == ledger.OpSupersede && c.Previous != nil:
		m = *c.Previous
	default:
		return m, false
	}
	if profile.PastIdentity(m.ID, m.Value) != id {
		return m, false
	}
	m.Origin, m.ID, m.Status = m.ID, id, memory.StatusSuperseded
	return m, true
}

// unasked is m without its question, which the deletion closed.
func unasked(m memory.Memory, at time.Time) memory.Memory {
	m.Question = ""
	if d := m.Dispute; m.Status == memory.StatusDisputed && d != nil && d.Question != "" && d.ClosedAt.IsZero() {
		closed := *d
		closed.ClosedAt, closed.Closing, closed.TimeoutAt = at, memory.ClosedByDeletion, time.Time{}
		m.Status, m.Dispute = memory.StatusSettled, &closed
	}
	return m
}
