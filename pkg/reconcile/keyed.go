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
	if cur != nil && known(cur, s.Evidence) && p.says(cur, s) || p.disputed(s) {
		return Unchanged
	}
	p.displace(s, id)
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
		return p.confirm(cur, s, ReasonRestated)
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
				return p.confirm(cur, s, ReasonLessSpecific)
			}
			m := p.fresh(s, cur.ID, memory.StatusCurrent)
			m.Evidence = withEvidence(cur.Evidence, s.Evidence)
			m.Pinned, m.Lasting = m.Pinned || cur.Pinned, m.Lasting || cur.Lasting
			p.replace(ledger.OpRefine, m, cur, ReasonMoreSpecific)
			p.settle(s)
			return Remembered
		}
	}
	if s.Relation != memory.RelationUpdates {
		if cur.Key == s.Key && together(cur.LastEvidence(), s.Evidence) {
			return p.beside(cur, s)
		}
		return p.dispute(s)
	}
	p.replace(ledger.OpSupersede, p.fresh(s, cur.ID, memory.StatusCurrent), cur, ReasonChanged)
	p.settle(s)
	return Remembered
}

// together reports whether two statements stand in one message.
func together(a, b memory.Evidence) bool {
	return a.Thread == b.Thread && a.Event == b.Event && a.Message == b.Message
}

// beside remembers another value of a single-valued key that was said in the same message as
// the current one ("born in Cork, grew up in Dublin"): nobody contradicts themselves in one
// breath. It becomes a free memory about the key.
func (p *planner) beside(cur *memory.Memory, s Statement) Outcome {
	if s.Text == cur.Text {
		return Unchanged
	}
	s.About = s.Key
	s.Key, s.Value = "", ""
	return p.free(s)
}

// confirm refreshes the current value of a key. Said last, it also answers what disputed it.
func (p *planner) confirm(cur *memory.Memory, s Statement, reason string) Outcome {
	said := cur.LastEvidence()
	outcome := p.refresh(cur, s, reason)
	if outcome == Refreshed && !s.Evidence.Before(said) && p.settle(s) {
		return Remembered
	}
	return outcome
}

// add makes the statement current where nothing is.
func (p *planner) add(s Statement, id memory.ID, before *memory.Memory) {
	reason := ReasonNew
	if before != nil && p.same(before, s) {
		reason = ReasonSaidAgain
	}
	m := p.fresh(s, id, memory.StatusCurrent)
	if s.Key == "" && s.Relation == memory.RelationUpdates && s.Target != nil {
		target := *s.Target
		m.Ends = &target
	}
	p.put(ledger.OpAdd, m, nil, reason)
	p.settle(s)
}

// replace puts m in the place of old, which goes to history.
func (p *planner) replace(op ledger.Op, m memory.Memory, old *memory.Memory, reason string) {
	previous := *old
	previous.Status = memory.StatusSuperseded
	p.put(op, m, &previous, reason)
}

// refresh adds the evidence of s to cur, which states the same. What was said last decides
// until when it holds, in words of its own.
func (p *planner) refresh(cur *memory.Memory, s Statement, reason string) Outcome {
	if known(cur, s.Evidence) {
		return Unchanged
	}
	m := withStatement(cur, s)
	if reason == ReasonRestated && !s.ExpiresAt.IsZero() && cur.LastEvidence().Before(s.Evidence) {
		m.Text, m.Language, m.Stability = s.Text, s.Language, s.Stability
		m.ValidFrom, m.ExpiresAt = utc(s.ValidFrom), utc(s.ExpiresAt)
	}
	if !known(&m, s.Evidence) && m.SaidAt.Equal(cur.SaidAt) && m.Pinned == (m.Pinned || s.Pinned) {
		return Refreshed // between what is kept already, it adds nothing
	}
	m.Pinned, m.Lasting = m.Pinned || s.Pinned, m.Lasting || s.Pinned
	p.put(ledger.OpRefresh, m, nil, reason)
	return Refreshed
}

// withStatement is m with the evidence of s.
func withStatement(m *memory.Memory, s Statement) memory.Memory {
	out := *m
	out.Evidence = withEvidence(m.Evidence, s.Evidence)
	at := s.Evidence.At.UTC()
	if at.After(out.ConfirmedAt) {
		out.ConfirmedAt = at
	}
	if at.Before(out.SaidAt) {
		out.SaidAt = at
	}
	return out
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
		m = withStatement(before, s)
	}
	p.put(ledger.OpDispute, m, nil, ReasonUnmarked)
	return Remembered
}

// disputed reports whether the statement has been recorded as a rival, open or settled.
func (p *planner) disputed(s Statement) bool {
	m := p.state[p.Registry.DisputeIdentity(p.Scope, s.Key, s.Value)]
	return m != nil && known(m, s.Evidence)
}

// settle closes the disputes about what s has just decided, and reports whether there were any.
func (p *planner) settle(s Statement) bool {
	field, _ := p.Registry.Field(s.Key)
	return p.settleThose(s, func(m *memory.Memory) bool {
		return m.Key == s.Key && !field.Multi ||
			(m.Key == s.Key || m.Key == field.Opposite) && canon.Same(m.Value, s.Value, field.Class)
	})
}

// settleEnded closes the disputes about what s says is over.
func (p *planner) settleEnded(s Statement) {
	p.settleThose(s, func(m *memory.Memory) bool { return hits(*s.Target, m, p.class(m.Key)) })
}

func (p *planner) settleThose(s Statement, about func(*memory.Memory) bool) bool {
	found := false
	for _, id := range p.sorted() {
		m := p.state[id]
		if m.Status != memory.StatusDisputed || !m.LastEvidence().Before(s.Evidence) || !about(m) {
			continue
		}
		settled := *m
		settled.Status = memory.StatusSettled
		p.put(ledger.OpSettle, settled, nil, ReasonDecided)
		found = true
	}
	return found
}

// says reports whether m states what s states, or more.
func (p *planner) says(m *memory.Memory, s Statement) bool {
	if p.same(m, s) {
		return true
	}
	more, ok := canon.Refines(m.Value, s.Value, p.class(s.Key))
	return ok && m.Key == s.Key && more == m.Value
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
