package reconcile

import (
	"maps"
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
)

// TimeOut decides what becomes of the questions that nobody has answered: of those in
// in.Existing, it closes the ones whose time is up at in.Now by their default, which keeps
// the current value. In.Existing is what Needs with Open names; statements, requests and
// answers in in are not looked at.
func TimeOut(in Input) Decision {
	p := newPlanner(in)
	for _, id := range slices.Sorted(maps.Keys(p.questions)) {
		if q := p.questions[id]; !q.TimeoutAt.IsZero() && !in.Now.Before(q.TimeoutAt) {
			p.closeQuestion(q, closing{by: memory.ClosedByTimeout, decision: q.Default})
		}
	}
	return p.decision()
}
