package reconcile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// end decides a statement that something is over. What it ends leaves its key; the
// statement itself becomes a free memory, which keeps what was said before it, but is
// processed after it, from becoming current.
func (p *planner) end(s Statement) Outcome {
	s = aimed(s)
	if s.Target == nil {
		return p.free(s)
	}
	if cur := p.state[noteID(p.Registry, p.Scope, s.Text)]; cur != nil && known(cur, s.Evidence) {
		return Unchanged
	}
	targets := p.targets(s)
	if len(targets) == 0 && s.Target.Must {
		return NoTarget
	}
	for _, m := range targets {
		left := p.left(m, *s.Target)
		p.close(m, s, ReasonEnded)
		if left != nil && p.state[m.ID].Status == memory.StatusEnded {
			p.rise(left, m.ID)
		}
		p.settleThose(s, func(rival *memory.Memory) bool { return rival.Dispute.Of == m.ID })
	}
	p.settleEnded(s)
	if outcome := p.note(s); len(targets) == 0 {
		return outcome
	}
	return Remembered
}

// note keeps the statement that something is over. A cancelled plan, and what s says under
// a key of its own, leaves nothing to recall: such a note is kept as over from the start.
func (p *planner) note(s Statement) Outcome {
	target := *s.Target
	silent := s.Stability == memory.Transient || target.Plan || s.Relation != memory.RelationEnds
	if target.Key != "" {
		s.About = target.Key // by which the note is found when it matters
	}
	id := noteID(p.Registry, p.Scope, s.Text)
	if s.Key != "" {
		s.Key, s.Value = "", "" // the value is not what is over
	}
	s.Plan = s.Plan || target.Plan
	cur := p.state[id]
	if cur != nil && (cur.Live(p.Now) || cur.Ends != nil) {
		confirmed := *cur
		if confirmed.Ends == nil {
			confirmed.Ends = &target
		}
		return p.refresh(&confirmed, s, ReasonRestated)
	}
	op, status := ledger.OpAdd, memory.StatusCurrent
	if silent {
		op, status = ledger.OpEnd, memory.StatusEnded
	}
	m := p.fresh(s, id, status)
	m.Ends = &target
	p.put(op, m, nil, ReasonNew)
	return Remembered
}

// aimed is s with its target spelt out: an ending under a key, without one, ends that key's
// value. What ends a fact is no value of its key.
func aimed(s Statement) Statement {
	if s.Relation != memory.RelationEnds {
		return s
	}
	if s.Target == nil && s.Key != "" {
		s.Target = &memory.Target{Key: s.Key, Value: s.Value}
	}
	s.Key = ""
	return s
}

// noteID is the identity of the note that a statement of that text leaves.
func noteID(r *profile.Registry, scope memory.Scope, text string) memory.ID {
	return r.Identity(scope, "", "", text)
}

// displace closes what a statement says that it takes the place of, where that is another
// memory than the statement's own ("I gave up tennis for squash").
func (p *planner) displace(s Statement, own memory.ID) {
	if s.Relation != memory.RelationUpdates || s.Target == nil {
		return
	}
	for _, id := range []memory.ID{own, noteID(p.Registry, p.Scope, s.Text)} {
		if cur := p.state[id]; cur != nil && known(cur, s.Evidence) {
			return
		}
	}
	for _, m := range p.targets(s) {
		if m.ID != own {
			p.close(m, s, ReasonChanged)
		}
	}
	if s.Key == "" || p.Registry.Identity(p.Scope, s.Target.Key, s.Target.Value, s.Target.Value) == own {
		return // it keeps its target itself, or its own place says enough
	}
	if more, ok := canon.Refines(s.Target.Value, s.Value, p.class(s.Key)); ok && s.Key == s.Target.Key && more == s.Value {
		return // a fuller value ends nothing
	}
	p.note(s)
}

// free decides a statement that fits no key.
func (p *planner) free(s Statement) Outcome {
	if s.Target != nil && s.Target.Must && len(p.targets(s)) == 0 {
		return NoTarget
	}
	id := identity(p.Registry, p.Scope, s)
	p.displace(s, id)
	cur := p.state[id]
	if cur != nil && cur.Live(p.Now) {
		return p.refresh(cur, s, ReasonRestated)
	}
	if cur != nil && (known(cur, s.Evidence) || s.Evidence.Before(cur.LastEvidence())) {
		return Unchanged
	}
	if s.Plan && p.endedLater(s) {
		return p.history(s, id)
	}
	p.add(s, id, cur)
	return Remembered
}

// close marks m as over. The evidence of the ending joins its own, so that what was said
// before the ending does not bring it back.
func (p *planner) close(m *memory.Memory, s Statement, reason string) {
	previous := *m
	previous.Question = ""
	ended := previous
	ended.Status = memory.StatusEnded
	ended.Evidence = withEvidence(m.Evidence, s.Evidence)
	p.put(ledger.OpEnd, ended, &previous, reason)
	p.promote(&ended)
}

// promote makes current what was said after m had ended, but decided before, as a rival of it.
func (p *planner) promote(m *memory.Memory) {
	for _, rival := range p.rivals(m.ID, memory.StatusDisputed) {
		if m.LastEvidence().Before(rival.LastEvidence()) {
			p.rise(rival, m.ID)
			return
		}
	}
}

// rise makes a rival the current value of the memory that it contradicted.
func (p *planner) rise(rival *memory.Memory, id memory.ID) {
	p.put(ledger.OpAdd, p.risen(rival, id), nil, ReasonNew)
	p.settleRival(rival, closing{by: memory.ClosedByStatement, decision: memory.DecisionReplace})
}

// left is what the user has said beside the current value, when they say of that, by its
// name, that it is over: its only rival, if that is not over as well.
func (p *planner) left(m *memory.Memory, over memory.Target) *memory.Memory {
	rivals := p.rivals(m.ID, memory.StatusDisputed)
	if over.Value == "" || len(rivals) != 1 || hits(over, rivals[0], p.class(rivals[0].Key)) {
		return nil
	}
	return rivals[0]
}

// targets are the current memories that the statement ends or moves: those that were said
// before it, and had not expired by then. A description that fits several says of none of
// them that it is over; and one value of a key takes the place of another one of that key
// only if that is named in whole, since "cat" also describes other cats.
func (p *planner) targets(s Statement) []*memory.Memory {
	var out []*memory.Memory
	for _, id := range p.sorted() {
		m := p.state[id]
		if !m.Live(s.Evidence.At) || s.Evidence.Before(m.LastEvidence()) || known(m, s.Evidence) {
			continue
		}
		if hits(*s.Target, m, p.class(m.Key)) {
			out = append(out, m)
		}
	}
	if len(out) > 1 || s.Relation == memory.RelationUpdates && s.Key != "" && s.Key == s.Target.Key {
		return exact(out, s.Target.Value, p.class(s.Target.Key))
	}
	return out
}

// exact keeps, of several, the one whose value is just the one named.
func exact(ms []*memory.Memory, value string, c canon.Class) []*memory.Memory {
	for _, m := range ms {
		if canon.Same(m.Value, value, c) {
			return []*memory.Memory{m}
		}
	}
	return nil
}

// endedLater reports whether something said after s ended what s states.
func (p *planner) endedLater(s Statement) bool {
	for _, m := range p.state {
		if m.Ends == nil || m.Ends.Key != s.Key || !s.Evidence.Before(m.LastEvidence()) {
			continue
		}
		stated := memory.Memory{Key: s.Key, Value: s.Value, Text: s.Text, Plan: s.Plan}
		if hits(*m.Ends, &stated, p.class(s.Key)) {
			return true
		}
	}
	return false
}

// hits reports whether a target names m. An ending has nothing to end, but a plan that was
// moved can be moved again.
func hits(t memory.Target, m *memory.Memory, c canon.Class) bool {
	if m.Key != t.Key || t.Plan && !m.Plan || m.Ends != nil && !m.Plan {
		return false
	}
	if t.Value == "" {
		return t.Key != ""
	}
	return canon.Same(m.Value, t.Value, c) || names(m.Value, t.Value) || t.Key == "" && names(m.Text, t.Value)
}

// names reports whether part stands in whole: as it was said, or as another word for the
// same thing (cats, 猫).
func names(whole, part string) bool {
	said, thing := canon.Statement(whole), canon.Value(part)
	if thing == "" {
		return false
	}
	return contains(said, canon.Statement(part)) || contains(said, thing) ||
		slices.ContainsFunc(strings.Fields(said), func(word string) bool { return canon.Value(word) == thing })
}

// contains reports whether the words of v stand in w in whole, as words in Latin script and
// anywhere in Chinese, where words have no gaps.
func contains(w, v string) bool {
	for from := 0; v != ""; {
		at := strings.Index(w[from:], v)
		if at < 0 {
			break
		}
		at += from
		if !joined(w[:at], v, false) && !joined(w[at+len(v):], v, true) {
			return true
		}
		from = at + 1
	}
	return false
}

// joined reports whether the text beside v goes on with the same Latin word.
func joined(beside, v string, after bool) bool {
	b, w := []rune(beside), []rune(v)
	if len(b) == 0 {
		return false
	}
	edge, own := b[len(b)-1], w[0]
	if after {
		edge, own = b[0], w[len(w)-1]
	}
	return latin(edge) && latin(own)
}

func latin(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}
