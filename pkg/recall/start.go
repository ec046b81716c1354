package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

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

// start is what to know about the user where nothing is asked: by standing; within one, plans
// by what comes first, all else by what was said last; then the user's before the agent's
// before the tenant's, and by id.
func (l *look) start(ctx context.Context) ([]Result, error) {
	var out []Result
	for _, scope := range l.r.scopes() {
		all, err := l.believed(ctx, scope)
		if err != nil {
			return nil, err
		}
		for i := range all {
			m := &all[i]
			if l.asked(m) && l.keep(m) {
				out = append(out, result(m, l.tier(m), Why{Start: standingOf(m, l.at)}))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Result) int {
		return cmp.Or(
			cmp.Compare(slices.Index(standings, a.Explain.Start), slices.Index(standings, b.Explain.Start)),
			soonest(&a, &b),
			b.ConfirmedAt.Compare(a.ConfirmedAt),
		)
	})
	return out, nil
}

// soonest orders plans; all else is alike to it.
func soonest(a, b *Result) int {
	if a.Explain.Start != StandingPlan {
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
