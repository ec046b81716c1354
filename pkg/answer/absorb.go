package answer

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/verify"
)

// Absorbs reports whether a candidate says no more than the answer d to q does, or less, so
// that it must not be taken for a statement beside it: "May 4 by the lunar calendar, May 14
// on my passport" would contradict what it settles, and so would what the answer takes back,
// as in "May 14... no wait, May 4", be it in a message before. A value that makes the chosen
// one more specific says more, and so does another one beside a "neither".
func Absorbs(r *profile.Registry, q *memory.Question, d memory.Directive, c *memory.Candidate) bool {
	sides := append([]memory.Side{q.Current}, q.Rivals...)
	f, _ := r.Field(c.Key)
	about := func(s memory.Side) bool { return s.Key == c.Key }
	offered := func(s memory.Side) bool { return about(s) && canon.Same(s.Value, c.Value, f.Class) }
	switch {
	case c.Source.Message > d.Source.Message:
		return false
	case slices.ContainsFunc(sides, offered):
		return true
	case c.Source.Message < d.Source.Message, d.Decision == memory.DecisionNeither,
		!verify.Quoted(d.Source.Quote, c.Source.Quote), !slices.ContainsFunc(sides, about):
		return false
	}
	chosen := d.What
	if d.Decision == memory.DecisionKeep {
		chosen = q.Current.Value
	}
	more, ok := canon.Refines(c.Value, chosen, f.Class)
	return d.Decision == memory.DecisionBoth || !ok || more != c.Value
}
