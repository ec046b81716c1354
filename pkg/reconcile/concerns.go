package reconcile

import (
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// PlanUntil says until when m concerns what is said of plans, in whatever status: a plan
// until it is over, and what says that something under no key is over for all that was said
// before that. A zero time is for ever; ok is false where m concerns none.
func PlanUntil(m *memory.Memory) (until time.Time, ok bool) {
	ends := m.Ends != nil && m.Ends.Key == ""
	switch {
	case m.Plan && (m.ExpiresAt.IsZero() || m.Ends == nil):
		return m.ExpiresAt, true
	case !m.Plan && !ends:
		return time.Time{}, false
	}
	// What is over may have been said again since the date by which it was over anyway.
	until = m.LastEvidence().At.UTC()
	if m.ExpiresAt.After(until) {
		until = m.ExpiresAt
	}
	return until, true
}

// AboutOf are the keys that a memory is about, besides its own: what it says so of, and what
// it says to be over.
func AboutOf(m *memory.Memory) []memory.Key {
	var out []memory.Key
	if m.About != "" {
		out = append(out, m.About)
	}
	if m.Ends != nil && m.Ends.Key != "" && m.Ends.Key != m.About {
		out = append(out, m.Ends.Key)
	}
	return out
}
