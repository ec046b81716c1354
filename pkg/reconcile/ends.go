package reconcile

import (
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// end decides a statement that something is over. What it ends leaves its key; the
// statement itself becomes a free memory; one that is transient (a cancelled plan) is kept
// as over from the start.
func (p *planner) end(s Statement) Outcome {
	s.Key = "" // what ends a fact is no value of its key
	if s.Target == nil {
		return p.free(s)
	}
	targets := p.targets(s)
	if len(targets) == 0 && s.Target.Must {
		return NoTarget
	}
	for _, m := range targets {
		p.close(m, s, ReasonEnded)
	}
	target := *s.Target
	id := identity(p.Registry, p.Scope, s)
	if cur := p.state[id]; cur != nil && (cur.Status == memory.StatusCurrent || known(cur, s.Evidence)) {
		return p.refresh(cur, s, ReasonRestated)
	}
	m := p.fresh(s, id, memory.StatusCurrent)
	m.Ends = &target
	m.Plan = m.Plan || target.Plan
	if m.About == "" {
		m.About = target.Key
	}
	op := ledger.OpAdd
	if s.Stability == memory.Transient {
		// A cancellation is nothing to recall, but it must outlive what it cancels: the
		// plan may be processed after it.
		op, m.Status = ledger.OpEnd, memory.StatusEnded
	}
	p.put(op, m, nil, ReasonNew)
	return Remembered
}

// free decides a statement that fits no key.
func (p *planner) free(s Statement) Outcome {
	if s.Target != nil && s.Target.Must && len(p.targets(s)) == 0 {
		return NoTarget
	}
	id := identity(p.Registry, p.Scope, s)
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
	ended := *m
	ended.Status = memory.StatusEnded
	ended.Evidence = withEvidence(m.Evidence, s.Evidence)
	p.put(ledger.OpEnd, ended, &previous, reason)
}

// targets are the current memories that the statement ends or moves, if it was said after
// them. A description that fits several says of none that it is over, unless the key as a
// whole is meant.
func (p *planner) targets(s Statement) []*memory.Memory {
	var out []*memory.Memory
	for _, id := range p.sorted() {
		m := p.state[id]
		if m.Status != memory.StatusCurrent || s.Evidence.Before(m.LastEvidence()) || known(m, s.Evidence) {
			continue
		}
		if hits(*s.Target, m, p.class(m.Key)) {
			out = append(out, m)
		}
	}
	if len(out) > 1 {
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
	for _, id := range p.sorted() {
		m := p.state[id]
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

// hits reports whether a target names m.
func hits(t memory.Target, m *memory.Memory, c canon.Class) bool {
	if m.Key != t.Key || t.Plan && !m.Plan || m.Ends != nil {
		return false
	}
	if t.Value == "" {
		return t.Key != ""
	}
	return canon.Same(m.Value, t.Value, c) || names(m.Value, t.Value) || t.Key == "" && names(m.Text, t.Value)
}

// names reports whether the words of part stand in whole, as words in Latin script and
// anywhere in Chinese, where words have no gaps.
func names(whole, part string) bool {
	w, v := canon.Value(whole), canon.Value(part)
	if v == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(w[from:], v)
		if at < 0 {
			return false
		}
		at += from
		if !joined(w[:at], v, false) && !joined(w[at+len(v):], v, true) {
			return true
		}
		from = at + 1
	}
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
