// Package retention says what time does to a memory: whether it may be recalled, how near
// at hand it is, and what is due. It is pure, and the only place that knows: recall and
// reaper ask the same functions.
package retention

import (
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Recallable reports whether recall may hand m out at now: it is believed, has not expired,
// nobody asked not to hear of it, and it is not cold. A question about it changes nothing.
func (p Policy) Recallable(m *memory.Memory, now time.Time) bool {
	return recallable(m, now) && p.Tier(m, now) != memory.TierCold
}

// RecallableFromArchive is Recallable for who asks for the archive as well: being cold is
// no obstacle, everything else is as it was.
func (p Policy) RecallableFromArchive(m *memory.Memory, now time.Time) bool {
	return recallable(m, now)
}

func recallable(m *memory.Memory, now time.Time) bool {
	return m.Live(now) && m.SuppressedBy == "" && m.Origin == "" && m.Tombstone == nil
}

// Tier says how near at hand m is at now. What has moved to the archive is cold until it
// comes back, and so is what is due to move there, whether or not the reaper has run. What
// does not age is hot.
func (p Policy) Tier(m *memory.Memory, now time.Time) memory.Tier {
	cold, goesCold := p.Cold()
	warm, goesWarm := p.Warm()
	switch {
	case !m.ArchivedAt.IsZero(), goesCold && unused(m, now, cold):
		return memory.TierCold
	case goesWarm && unused(m, now, warm):
		return memory.TierWarm
	default:
		return memory.TierHot
	}
}

// unused reports whether m ages and was last used that long ago.
func unused(m *memory.Memory, now time.Time, d time.Duration) bool {
	return ages(m) && !m.UsedAt().After(now.Add(-d))
}

// ages reports whether m goes cold for want of use. What the user asked for in words, and
// what the schema calls lasting, does not. Of the rest only what is current does: a note
// that something is over ages like any other, since decisions find it in the archive too;
// a standing request holds until it is lifted.
func ages(m *memory.Memory) bool {
	return m.Status == memory.StatusCurrent && !m.Lasting && !m.Pinned
}

// Returns reports whether m was archived for being cold and has been used since, and not so
// long ago that it would be cold again, so that it comes back.
func (p Policy) Returns(m *memory.Memory, now time.Time) bool {
	cold, goesCold := p.Cold()
	return m.Live(now) && m.Origin == "" && !m.ArchivedAt.IsZero() && m.UsedAt().After(m.ArchivedAt) &&
		!(goesCold && unused(m, now, cold))
}
