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
	if p.endedLater(s) || deletedSince(cur, s) || cur != nil && cur.Status == memory.StatusEnded && s.Evidence.Before(cur.LastEvidence()) {
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
			p.refine(cur, s)
			p.settle(s)
			return Remembered
		}
	}
	switch {
	case p.compatible(cur, s):
		return p.alongside(cur, s)
	case s.Relation == memory.RelationUpdates:
	case cur.Key == s.Key && together(cur.LastEvidence(), s.Evidence):
		return p.beside(cur, s)
	default:
		return p.dispute(cur, s)
	}
	p.replace(ledger.OpSupersede, p.fresh(s, cur.ID, memory.StatusCurrent), cur, ReasonChanged)
	p.settle(s)
	return Remembered
}

// refine makes cur more specific by what s states.
func (p *planner) refine(cur *memory.Memory, s Statement) {
	m := p.fresh(s, cur.ID, memory.StatusCurrent)
	m.Evidence = withEvidence(cur.Evidence, s.Evidence)
	m.CreatedAt = cur.CreatedAt // it is the same fact
	m.Pinned, m.Lasting = m.Pinned || cur.Pinned, m.Lasting || cur.Pinned
	p.replace(ledger.OpRefine, m, cur, ReasonMoreSpecific)
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
	if m := p.recorded(cur.ID, s); m != nil && m.Dispute.Decision == memory.DecisionBoth {
		return Unchanged // the answer in that message has said so
	}
	s.About = s.Key
	s.Key, s.Value = "", ""
	return p.free(s)
}

// alongside remembers a value that holds at other times than the current one, and settles
// the question about the two, if there is one: both are true.
func (p *planner) alongside(cur *memory.Memory, s Statement) Outcome {
	if m := p.recorded(cur.ID, s); m != nil && m.Status == memory.StatusDisputed && m.LastEvidence().Before(s.Evidence) {
		defer p.settleRival(m, closing{by: memory.ClosedByStatement, decision: memory.DecisionBoth})
	}
	return p.beside(cur, s)
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
	previous.Status, previous.Question = memory.StatusSuperseded, ""
	p.put(op, m, &previous, reason)
}

// refresh adds the evidence of s to cur, which states the same. What was said last decides
// until when it holds, in words of its own.
func (p *planner) refresh(cur *memory.Memory, s Statement, reason string) Outcome {
	if known(cur, s.Evidence) {
		return Unchanged
	}
	m := confirmed(cur, s.Evidence)
	if reason == ReasonRestated && !s.ExpiresAt.IsZero() && cur.LastEvidence().Before(s.Evidence) {
		m.Text, m.Language, m.Stability = s.Text, s.Language, s.Stability
		m.ValidFrom, m.ExpiresAt, m.Lasting = utc(s.ValidFrom), utc(s.ExpiresAt), true
	}
	if !known(&m, s.Evidence) && m.SaidAt.Equal(cur.SaidAt) && m.Pinned == (m.Pinned || s.Pinned) {
		return Refreshed // between what is kept already, it adds nothing
	}
	m.Pinned, m.Lasting = m.Pinned || s.Pinned, m.Lasting || s.Pinned
	p.put(ledger.OpRefresh, m, nil, reason)
	return Refreshed
}

// confirmed is m with one more source.
func confirmed(m *memory.Memory, e memory.Evidence) memory.Memory {
	out := *m
	out.Evidence = withEvidence(m.Evidence, e)
	at := e.At.UTC()
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

// disputed reports whether the statement has been recorded as a rival, open or decided.
func (p *planner) disputed(s Statement) bool {
	for _, m := range p.state {
		rival := m.Status == memory.StatusDisputed || m.Status == memory.StatusSettled
		if rival && m.Key == s.Key && known(m, s.Evidence) && p.says(m, s) {
			return true
		}
	}
	return false
}

// settle closes the disputes about what s has just decided, and reports whether there were any.
func (p *planner) settle(s Statement) bool {
	p.absorb(s)
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

// settleThose decides the rivals of which s speaks and that were said before it.
func (p *planner) settleThose(s Statement, about func(*memory.Memory) bool) bool {
	var found []*memory.Memory
	for _, m := range p.state {
		if m.Status == memory.StatusDisputed && m.LastEvidence().Before(s.Evidence) && about(m) {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, bySpeech)
	for _, m := range found {
		c := closing{by: memory.ClosedByStatement}
		if open(m) {
			c.decision = p.verdict(p.questions[m.Dispute.Question])
		}
		p.settleRival(m, c)
	}
	return len(found) > 0
}

// absorb takes into the value that s has made current what was said for it after s, and was
// decided before as a rival of an earlier value.
func (p *planner) absorb(s Statement) {
	id := identity(p.Registry, p.Scope, s)
	for _, rival := range p.rivals(id, memory.StatusDisputed) {
		if !s.Evidence.Before(rival.LastEvidence()) || !p.covers(p.state[id], rival.Key, rival.Value) {
			continue
		}
		m := *p.state[id]
		for _, e := range rival.Evidence {
			if s.Evidence.Before(e) {
				m = confirmed(&m, e)
			}
		}
		p.amend(m)
		p.settleRival(rival, closing{by: memory.ClosedByStatement, decision: memory.DecisionReplace})
	}
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
