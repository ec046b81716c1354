package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Standing is what a memory counts as where nothing is asked.
type Standing string

// The standings, the most important first.
const (
	// StandingCritical was asked for in words ("remember that"), or may do harm when it is
	// forgotten: constraints, such as allergies.
	StandingCritical Standing = "critical"
	// StandingProfile stands under a key, other than a preference.
	StandingProfile    Standing = "profile"
	StandingPreference Standing = "preference"
	// StandingPlan is ahead within nearPlan.
	StandingPlan   Standing = "plan"
	StandingRecent Standing = "recent"
)

var standings = []Standing{StandingCritical, StandingProfile, StandingPreference, StandingPlan, StandingRecent}

// nearPlan is how far ahead a plan may end to be worth knowing before anybody asks.
const nearPlan = 14 * 24 * time.Hour

func standingOf(m *memory.Memory, at time.Time) Standing {
	switch {
	case m.Pinned, m.Kind == memory.KindConstraint:
		return StandingCritical
	case m.Kind == memory.KindPreference:
		return StandingPreference
	case m.Key != "":
		return StandingProfile
	case m.Plan && !m.ExpiresAt.IsZero() && m.ExpiresAt.Before(at.Add(nearPlan)):
		return StandingPlan
	default:
		return StandingRecent
	}
}

// distinctStart is how many of the first are compared with each other, in limits of the
// request: to read the words of all takes longer than all else.
const distinctStart = 2

// candidate is a memory that may be known at the start of a thread.
type candidate struct {
	*memory.Memory
	standing Standing
}

// start is what to know about the user where nothing is asked: by standing; within one, plans
// by what comes first, all else by what was said last; then the user's before the agent's
// before the tenant's, and by id. Of the first, what says the same as a better one stands
// behind the others.
func (l *look) start(ctx context.Context) ([]Result, error) {
	var known []candidate
	for _, scope := range l.r.scopes() {
		all, err := l.believed(ctx, scope)
		if err != nil {
			return nil, err
		}
		for i := range all {
			m := &all[i]
			if l.asked(m) && l.keep(m) {
				known = append(known, candidate{m, standingOf(m, l.at)})
			}
		}
	}
	slices.SortStableFunc(known, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(slices.Index(standings, a.standing), slices.Index(standings, b.standing)),
			soonest(a, b),
			b.ConfirmedAt.Compare(a.ConfirmedAt),
		)
	})
	known = distinct(known, distinctStart*l.r.Limit)
	out := make([]Result, len(known))
	for i, c := range known {
		out[i] = result(c.Memory, l.tier(c.Memory), Why{Start: c.standing})
	}
	return out, nil
}

// distinct puts what says the same as a better one behind the rest of the first n.
func distinct(known []candidate, n int) []candidate {
	first := known[:min(len(known), n)]
	memories := make([]*memory.Memory, len(first))
	for i := range first {
		memories[i] = first[i].Memory
	}
	out := make([]candidate, 0, len(known))
	for _, i := range find.Distinct(memories) {
		out = append(out, first[i])
	}
	return append(out, known[len(first):]...)
}

// soonest orders plans; all else is alike to it.
func soonest(a, b candidate) int {
	if a.standing != StandingPlan {
		return 0
	}
	return a.ExpiresAt.Compare(b.ExpiresAt)
}

// asked reports whether a memory is of a kind and under a key that is asked for.
func (l *look) asked(m *memory.Memory) bool {
	return (len(l.r.Kinds) == 0 || slices.Contains(l.r.Kinds, m.Kind)) && (len(l.r.Keys) == 0 || slices.Contains(l.r.Keys, m.Key))
}

// believed are an owner's memories at the instant that is asked about, ordered by id.
func (l *look) believed(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	if !l.r.AsOf.IsZero() {
		return l.believedThen(ctx, scope)
	}
	all, err := l.Lists.List(ctx, scope)
	if err == nil && l.r.IncludeArchive {
		var archived []memory.Memory
		archived, err = l.Lists.ListArchive(ctx, scope)
		all = append(all, archived...)
	}
	if err != nil {
		return nil, fmt.Errorf("list memories: %w", err)
	}
	return all, nil
}
