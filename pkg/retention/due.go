package retention

import (
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Action is something that becomes due for a memory by time alone.
type Action string

// The actions.
const (
	// Expire moves to the archive what has expired, after its grace.
	Expire Action = "expire"
	// Archive moves there what has not been used for long.
	Archive Action = "archive"
	// Delete leaves a tombstone of what has been in the archive for long, past values
	// included. What stands in an open question stays until that is closed.
	Delete Action = "delete"
	// Purge takes the text of a deleted memory out of the ledger.
	Purge Action = "purge"
	// Drop takes a tombstone away whose text is gone.
	Drop Action = "drop"
	// TimeOut closes a question that nobody has answered.
	TimeOut Action = "time_out"
)

// Bound is the date up to which the date that the action looks at counts as due at now, and
// false when none does. It is what a search for what is due goes by.
func (p Policy) Bound(a Action, now time.Time) (time.Time, bool) {
	after, ok := p.after(a)
	return now.Add(-after), ok
}

// after is how long after its date the action is due.
func (p Policy) after(a Action) (time.Duration, bool) {
	switch a {
	case Expire:
		return p.Grace()
	case Archive:
		return p.Cold()
	case Delete:
		return p.Archive()
	case Purge:
		return p.Undo()
	case Drop:
		return p.Tombstone()
	case TimeOut:
		return 0, true // the question knows its own time
	default:
		return 0, false
	}
}

// Due reports whether the action is due for m at now. Actions are independent: what has
// expired may also have gone unused for long. What is about to come back from the archive is
// not deleted there.
func (p Policy) Due(a Action, m *memory.Memory, now time.Time) bool {
	if a == Delete && p.Returns(m, now) {
		return false
	}
	date, ok := date(a, m)
	bound, applies := p.Bound(a, now)
	return ok && applies && !date.After(bound)
}

// DocumentDue reports whether the action is due for d at now: Expire removes what has
// expired, Purge takes text out of the ledger that is d's no more, and Drop takes away what is
// left of a removed one. There are no others.
func (p Policy) DocumentDue(a Action, d *document.Document, now time.Time) bool {
	var date time.Time
	switch {
	case a == Expire && d.RemovedAt.IsZero():
		date = d.ExpiresAt
	case a == Purge:
		date = d.StaleSince
	case a == Drop && d.StaleSince.IsZero():
		date = d.RemovedAt
	}
	bound, applies := p.Bound(a, now)
	return !date.IsZero() && applies && !date.After(bound)
}

// date is the date that the action looks at, and whether m is what the action is for.
func date(a Action, m *memory.Memory) (time.Time, bool) {
	atHand := m.ArchivedAt.IsZero()
	switch a {
	case Expire:
		return m.ExpiresAt, atHand && m.Status == memory.StatusCurrent && !m.ExpiresAt.IsZero()
	case Archive:
		return m.UsedAt(), atHand && ages(m)
	case Delete:
		return m.ArchivedAt, !atHand && m.Tombstone == nil && m.Question == ""
	case Purge:
		t := tombstone(m)
		return t.At, m.Tombstone != nil && t.PurgedAt.IsZero()
	case Drop:
		t := tombstone(m)
		return t.At, m.Tombstone != nil && !t.PurgedAt.IsZero()
	case TimeOut:
		d := dispute(m)
		open := m.Status == memory.StatusDisputed && d.Question != "" && d.ClosedAt.IsZero()
		return d.TimeoutAt, open && !d.TimeoutAt.IsZero()
	default:
		return time.Time{}, false
	}
}

// tombstone and dispute are the zero value when m has none.
func tombstone(m *memory.Memory) (t memory.Tombstone) {
	if m.Tombstone != nil {
		t = *m.Tombstone
	}
	return t
}

func dispute(m *memory.Memory) (d memory.Dispute) {
	if m.Dispute != nil {
		d = *m.Dispute
	}
	return d
}
