package reconcile

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// maxEvidence is how many sources a memory keeps: the first, and the latest of the rest.
const maxEvidence = 8

// keyed decides a statement under a profile key, by the rows of the design's table.
func (p *planner) keyed(s Statement) Outcome {
	if s.Target != nil && s.Target.Must && len(p.targets(s)) == 0 {
		return NoTarget
	}
	id := identity(p.Registry, p.Scope, s)
	cur := p.state[id]
	if cur != nil && known(cur, s.Evidence) && p.same(cur, s) {
		return Unchanged
	}
	if p.endedLater(s) || cur != nil && cur.Status == memory.StatusEnded && s.Evidence.Before(cur.LastEvidence()) {
		return p.history(s, id)
	}
	if cur == nil || cur.Status != memory.StatusCurrent {
		p.add(s, id, cur)
		return Remembered
	}
	if !cur.Live(p.Now) && !s.Evidence.Before(cur.LastEvidence()) {
		p.add(s, id, cur)
		return Remembered
	}
	if p.same(cur, s) {
		return p.refresh(cur, s, ReasonRestated)
	}
	if s.Evidence.Before(cur.LastEvidence()) {
		return p.history(s, id)
	}
	return p.rival(cur, s)
}

// rival decides a later statement of another value for the same identity.
func (p *planner) rival(cur *memory.Memory, s Statement) Outcome {
	if cur.Key == s.Key {
		if more, ok := canon.Refines(cur.Value, s.Value, p.class(s.Key)); ok {
			if more != s.Value {
				return p.refresh(cur, s, ReasonLessSpecific)
			}
			m := p.fresh(s, cur.ID, memory.StatusCurrent)
			m.Evidence = withEvidence(cur.Evidence, s.Evidence)
			p.replace(ledger.OpRefine, m, cur, ReasonMoreSpecific)
			return Remembered
		}
	}
	if s.Relation != memory.RelationUpdates {
		return p.dispute(s)
	}
	p.replace(ledger.OpSupersede, p.fresh(s, cur.ID, memory.StatusCurrent), cur, ReasonChanged)
	p.settle(s)
	return Remembered
}

// add makes the statement current where nothing is, and closes what it says it replaces
// under another identity ("I gave up tennis for squash").
func (p *planner) add(s Statement, id memory.ID, before *memory.Memory) {
	reason := ReasonNew
	if before != nil {
		reason = ReasonSaidAgain
	}
	if s.Relation == memory.RelationUpdates && s.Target != nil {
		for _, m := range p.targets(s) {
			if m.ID != id {
				p.close(m, s, ReasonChanged)
			}
		}
	}
	p.put(ledger.OpAdd, p.fresh(s, id, memory.StatusCurrent), nil, reason)
	p.settle(s)
}

// replace puts m in the place of old, which goes to history.
func (p *planner) replace(op ledger.Op, m memory.Memory, old *memory.Memory, reason string) {
	previous := *old
	previous.Status = memory.StatusSuperseded
	p.put(op, m, &previous, reason)
}

func (p *planner) refresh(cur *memory.Memory, s Statement, reason string) Outcome {
	m := *cur
	if known(cur, s.Evidence) {
		return Unchanged
	}
	m.Evidence = withEvidence(cur.Evidence, s.Evidence)
	if at := s.Evidence.At.UTC(); at.After(m.ConfirmedAt) {
		m.ConfirmedAt = at
	}
	m.Pinned = m.Pinned || s.Pinned
	p.put(ledger.OpRefresh, m, nil, reason)
	return Refreshed
}

// history records what was said before the evidence of the present state, at its own date.
func (p *planner) history(s Statement, id memory.ID) Outcome {
	m := p.fresh(s, id, memory.StatusSuperseded)
	p.put(ledger.OpHistory, m, nil, ReasonSaidEarlier)
	return Remembered
}

// dispute keeps the rival beside the current value, which goes on being served.
func (p *planner) dispute(s Statement) Outcome {
	id := p.Registry.DisputeIdentity(p.Scope, s.Key, s.Value)
	m := p.fresh(s, id, memory.StatusDisputed)
	if before := p.state[id]; before != nil && before.Status == memory.StatusDisputed {
		if known(before, s.Evidence) {
			return Unchanged
		}
		m.SaidAt, m.CreatedAt = before.SaidAt, before.CreatedAt
		m.Evidence = withEvidence(before.Evidence, s.Evidence)
	}
	p.put(ledger.OpDispute, m, nil, ReasonUnmarked)
	return Remembered
}

// settle closes the disputes about what s has just decided.
func (p *planner) settle(s Statement) {
	field, _ := p.Registry.Field(s.Key)
	for _, id := range p.sorted() {
		m := p.state[id]
		if m.Status != memory.StatusDisputed || !m.LastEvidence().Before(s.Evidence) {
			continue
		}
		about := m.Key == s.Key && !field.Multi ||
			(m.Key == s.Key || m.Key == field.Opposite) && canon.Same(m.Value, s.Value, field.Class)
		if !about {
			continue
		}
		settled := *m
		settled.Status = memory.StatusSettled
		p.put(ledger.OpSettle, settled, nil, ReasonDecided)
	}
}

// same reports whether m states what s states.
func (p *planner) same(m *memory.Memory, s Statement) bool {
	if m.Key != s.Key {
		return false
	}
	if s.Key == "" {
		return true // free memories with one identity have one text
	}
	return canon.Same(m.Value, s.Value, p.class(s.Key))
}

func (p *planner) class(k memory.Key) canon.Class {
	f, _ := p.Registry.Field(k)
	return f.Class
}

// sorted is the ids of the state in order, so that decisions do not depend on a map's.
func (p *planner) sorted() []memory.ID {
	ids := make([]memory.ID, 0, len(p.state))
	for id := range p.state {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// known reports whether the memory rests on this evidence already.
func known(m *memory.Memory, e memory.Evidence) bool {
	return slices.ContainsFunc(m.Evidence, func(o memory.Evidence) bool {
		return o.Event == e.Event && o.Message == e.Message && o.Thread == e.Thread && o.Quote == e.Quote
	})
}

// withEvidence appends e, in the order of speech, and drops the oldest but the first.
func withEvidence(have []memory.Evidence, e memory.Evidence) []memory.Evidence {
	out := append(slices.Clone(have), e)
	slices.SortStableFunc(out, func(a, b memory.Evidence) int {
		switch {
		case a.Before(b):
			return -1
		case b.Before(a):
			return 1
		}
		return 0
	})
	if n := len(out); n > maxEvidence {
		out = append(out[:1], out[n-maxEvidence+1:]...)
	}
	return out
}
