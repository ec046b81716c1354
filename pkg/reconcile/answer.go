package reconcile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/wording"
)

// answer adds what has to be loaded for an answer.
func (n *Needs) answer(in Input, a Answer) {
	n.Open = true
	n.Keys = append(n.Keys, a.Key)
	if f, ok := in.Registry.Field(a.Key); ok && f.Opposite != "" {
		n.Keys = append(n.Keys, f.Opposite)
	}
}

// answer closes the question that a is about, unless it is closed already or the current
// value was said again after the answer: what was said later wins.
func (p *planner) answer(a Answer) Outcome {
	q := p.questions[a.Question]
	if q == nil {
		return NoTarget
	}
	cur := p.state[q.Current.Memory]
	if cur == nil || cur.Status != memory.StatusCurrent || a.Evidence.Before(cur.LastEvidence()) {
		return NoTarget
	}
	a.Value = strings.TrimSpace(a.Value)
	a.Decision = p.meaning(q, cur, a)
	c := closing{by: memory.ClosedByAnswer, decision: a.Decision, answer: &a.Evidence}
	switch a.Decision {
	case memory.DecisionKeep:
		p.keep(cur, a)
	case memory.DecisionReplace:
		p.succeed(q, cur, p.meant(q, a.Value), a)
	case memory.DecisionOther:
		p.instead(q, cur, a)
	case memory.DecisionBoth:
		p.keep(cur, a)
		p.allTrue(q, a)
		c.unqualified = a.Value == ""
	case memory.DecisionNeither:
		p.close(cur, Statement{Evidence: a.Evidence}, ReasonAnswered)
	default:
		return NoOption
	}
	p.closeQuestion(q, c)
	return Done
}

// meaning is the option that an answer takes, or "" when it fits none. Another value that is
// one of the sides after all means that side.
func (p *planner) meaning(q *question, cur *memory.Memory, a Answer) memory.Decision {
	other := a.Decision == memory.DecisionOther
	switch {
	case !slices.Contains(q.Options, a.Decision),
		other && a.Value == "",
		a.Decision == memory.DecisionReplace && p.meant(q, a.Value) == nil:
		return ""
	case other && p.covers(cur, cur.Key, a.Value):
		return memory.DecisionKeep
	case other && p.meant(q, a.Value) != nil:
		return memory.DecisionReplace
	}
	return a.Decision
}

// meant is the rival with that value, or one that only says more; without a value it is the
// last one. It is nil when there is none.
func (p *planner) meant(q *question, value string) *memory.Memory {
	rivals := p.openRivals()[q.ID]
	if value == "" && len(rivals) > 0 {
		return rivals[len(rivals)-1]
	}
	var fuller *memory.Memory
	for _, m := range rivals {
		if canon.Same(m.Value, value, p.class(m.Key)) {
			return m
		}
		if p.covers(m, m.Key, value) {
			fuller = m
		}
	}
	return fuller
}

// covers reports whether m says that value of the key, or more.
func (p *planner) covers(m *memory.Memory, k memory.Key, value string) bool {
	if m.Key != k {
		return false
	}
	more, ok := canon.Refines(m.Value, value, p.class(k))
	return ok && more == m.Value || canon.Same(m.Value, value, p.class(k))
}

// keep confirms the current value by the answer.
func (p *planner) keep(cur *memory.Memory, a Answer) {
	m := confirmed(cur, a.Evidence)
	m.Question = ""
	p.put(ledger.OpRefresh, m, nil, ReasonAnswered)
}

// succeed puts a rival in the place of the current value, by the answer.
func (p *planner) succeed(q *question, cur, rival *memory.Memory, a Answer) {
	m := p.risen(rival, cur.ID)
	m = confirmed(&m, a.Evidence)
	p.replace(ledger.OpSupersede, m, cur, ReasonAnswered)
	p.overrule(q, cur, memory.DecisionReplace)
}

// risen is a rival as the current value that it has become.
func (p *planner) risen(rival *memory.Memory, id memory.ID) memory.Memory {
	m := *rival
	m.ID, m.Status, m.Dispute, m.CreatedAt = id, memory.StatusCurrent, nil, p.Now.UTC()
	return m
}

// instead puts a value that the answer brings in the place of the current one.
func (p *planner) instead(q *question, cur *memory.Memory, a Answer) {
	text := cmp.Or(a.Evidence.Quote, a.Value)
	s := Statement{
		Candidate: memory.Candidate{
			Kind: cur.Kind, Key: cur.Key, Value: a.Value, Text: text, Language: string(sentence.LanguageOf(text)),
			Stability: memory.Stable, Confidence: 1, Relation: memory.RelationUpdates,
		},
		Evidence: a.Evidence, Agent: cur.Agent,
	}
	if more, ok := canon.Refines(cur.Value, s.Value, p.class(s.Key)); ok && more == s.Value {
		p.refine(cur, s)
		return
	}
	p.replace(ledger.OpSupersede, p.fresh(s, cur.ID, memory.StatusCurrent), cur, ReasonAnswered)
	p.overrule(q, cur, memory.DecisionOther)
}

// overrule records the value that an answer has replaced as a decided rival of what took its
// place, so that the user is not asked about the same two values the other way round.
func (p *planner) overrule(q *question, old *memory.Memory, d memory.Decision) {
	m := *old
	m.ID = p.Registry.DisputeIdentity(p.Scope, old.Key, old.Value)
	m.Status, m.Question = memory.StatusSettled, ""
	m.Dispute = &memory.Dispute{
		Of: old.ID, Question: q.ID, OpenedAt: q.OpenedAt, ClosedAt: p.Now.UTC(), Closing: memory.ClosedByAnswer, Decision: d,
	}
	p.put(ledger.OpSettle, m, nil, ReasonAnswered)
}

// allTrue makes every rival a free memory about its key, which keeps its one value. The
// circumstances that the user gave go with the last one, about which they were asked last.
func (p *planner) allTrue(q *question, a Answer) {
	rivals := p.openRivals()[q.ID]
	for i, rival := range rivals {
		m := p.risen(rival, "")
		m.Kind, m.About, m.Key, m.Value = memory.KindFact, rival.Key, "", ""
		if i == len(rivals)-1 {
			m.Text = wording.Qualified(m.Text, a.Value, m.Language)
		}
		m.ID = p.Registry.Identity(p.Scope, "", "", m.Text)
		m = confirmed(&m, a.Evidence)
		op := ledger.OpAdd
		if before := p.state[m.ID]; before != nil && before.Live(p.Now) {
			for _, e := range before.Evidence {
				m = confirmed(&m, e)
			}
			op = ledger.OpRefresh
		}
		p.put(op, m, nil, ReasonAnswered)
	}
}
