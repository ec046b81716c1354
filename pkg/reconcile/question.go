package reconcile

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/wording"
)

// question is an open question as the steps so far have left it, without its sentence.
// Everything in it follows from the memories that stand in it.
type question struct {
	memory.Question
	changed bool
}

// closing says how a question was closed, or a rival decided.
type closing struct {
	by       memory.Closing
	decision memory.Decision
	// answer is set with ClosedByAnswer.
	answer *memory.Evidence
	// unqualified is set when the user said that both are true, and not which when.
	unqualified bool
}

// gather finds the questions that are open before anything is decided.
func (p *planner) gather() {
	p.questions = map[memory.ID]*question{}
	for id, rivals := range p.openRivals() {
		p.questions[id] = &question{Question: p.document(id, rivals)}
	}
}

// tend makes the questions agree with the memories, after whatever a step has done to them:
// a question without a current value or without a rival is closed, by the deletion or the
// statement that took it away.
func (p *planner) tend() {
	standing := p.openRivals()
	ids := slices.AppendSeq(slices.Collect(maps.Keys(p.questions)), maps.Keys(standing))
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		q, rivals := p.questions[id], standing[id]
		switch {
		case q == nil:
			p.questions[id] = &question{Question: p.document(id, rivals), changed: true}
		case p.over(q, rivals):
			p.closeQuestion(q, p.closed(q))
		default:
			p.mark(q.Current.Memory, id, ReasonAsked)
			now := p.document(id, rivals)
			q.changed = q.changed || now.Current != q.Current || !slices.Equal(now.Rivals, q.Rivals)
			q.Question = now
		}
	}
}

func (p *planner) over(q *question, rivals []*memory.Memory) bool {
	cur := p.state[q.Current.Memory]
	return len(rivals) == 0 || cur != nil && cur.Status != memory.StatusCurrent
}

// openRivals are the rivals in each open question, in the order in which they were first
// said.
func (p *planner) openRivals() map[memory.ID][]*memory.Memory {
	out := map[memory.ID][]*memory.Memory{}
	for _, m := range p.state {
		if open(m) {
			out[m.Dispute.Question] = append(out[m.Dispute.Question], m)
		}
	}
	for _, rivals := range out {
		slices.SortFunc(rivals, bySpeech)
	}
	return out
}

func bySpeech(a, b *memory.Memory) int {
	return cmp.Or(a.SaidAt.Compare(b.SaidAt), cmp.Compare(a.ID, b.ID))
}

// document is the open question that those rivals stand in. It is in the language of the
// rival that was said last.
func (p *planner) document(id memory.ID, rivals []*memory.Memory) memory.Question {
	d := rivals[0].Dispute
	q := memory.Question{
		ID: id, Scope: p.Scope, Key: rivals[0].Key, Status: memory.QuestionOpen, Current: memory.Side{Memory: d.Of},
		Options: memory.Decisions, OpenedAt: d.OpenedAt, TimeoutAt: d.TimeoutAt, Default: memory.DecisionKeep,
	}
	if cur := p.state[d.Of]; cur != nil {
		q.Key, q.Current = cur.Key, sideOf(cur)
	}
	if f, _ := p.Registry.Field(q.Key); f.Multi {
		// No other value can stand in the place of this one.
		q.Options = slices.DeleteFunc(slices.Clone(memory.Decisions), func(d memory.Decision) bool { return d == memory.DecisionOther })
	}
	last := rivals[0]
	for _, m := range rivals {
		q.Rivals = append(q.Rivals, sideOf(m))
		if last.LastEvidence().Before(m.LastEvidence()) {
			last = m
		}
	}
	if q.Language = last.Language; q.Language == "" {
		q.Language = string(sentence.LanguageOf(last.Text))
	}
	return q
}

func sideOf(m *memory.Memory) memory.Side {
	return memory.Side{Memory: m.ID, Key: m.Key, Value: m.Value, Text: m.Text, SaidAt: m.SaidAt, Evidence: m.LastEvidence()}
}

// questionAbout is the open question about a memory, or nil.
func (p *planner) questionAbout(cur memory.ID) *question {
	for _, q := range p.questions {
		if q.Current.Memory == cur {
			return q
		}
	}
	return nil
}

// closed says how a question was closed that has lost its current value or its rivals.
func (p *planner) closed(q *question) closing {
	for _, side := range append(q.Rivals[:len(q.Rivals):len(q.Rivals)], q.Current) {
		if m := p.state[side.Memory]; m != nil && m.Status == memory.StatusDeleted {
			return closing{by: memory.ClosedByDeletion}
		}
	}
	return closing{by: memory.ClosedByStatement, decision: p.verdict(q)}
}

// verdict is what has become of a question, by what its key holds now.
func (p *planner) verdict(q *question) memory.Decision {
	cur := p.state[q.Current.Memory]
	holds := func(side memory.Side) bool { return p.agree(cur, side.Key, side.Value) }
	switch {
	case cur == nil || cur.Status != memory.StatusCurrent:
		return memory.DecisionNeither
	case holds(q.Current):
		if slices.ContainsFunc(q.Rivals, p.besides) {
			return memory.DecisionBoth
		}
		return memory.DecisionKeep
	case slices.ContainsFunc(q.Rivals, holds):
		return memory.DecisionReplace
	}
	return memory.DecisionOther
}

// besides reports whether a rival has turned out to be true as well.
func (p *planner) besides(rival memory.Side) bool {
	m := p.state[rival.Memory]
	return m != nil && m.Status == memory.StatusSettled && m.Dispute.Decision == memory.DecisionBoth
}

// agree reports whether m and a value differ at most in how specific they are.
func (p *planner) agree(m *memory.Memory, k memory.Key, value string) bool {
	if m.Key != k {
		return false
	}
	_, refines := canon.Refines(m.Value, value, p.class(k))
	return refines || canon.Same(m.Value, value, p.class(k))
}

// closeQuestion settles the rivals of a question and hands it back closed. An answer also
// settles what contradicted the same memory without being asked about; what was said after
// it stays disputed.
func (p *planner) closeQuestion(q *question, c closing) {
	cur := p.state[q.Current.Memory]
	p.mark(q.Current.Memory, "", string(c.by))
	for _, m := range p.rivals(q.Current.Memory, memory.StatusDisputed) {
		named := open(m) && m.Dispute.Question == q.ID
		since := c.answer != nil && c.answer.Before(m.LastEvidence()) && !(cur != nil && p.agree(cur, m.Key, m.Value))
		switch {
		case named && since:
			left := *m
			left.Dispute = p.decided(m, c)
			p.put(ledger.OpMark, left, nil, string(c.by))
		case named, c.answer != nil && !since:
			p.settleRival(m, c)
		}
	}
	delete(p.questions, q.ID)
	p.out.Closed = append(p.out.Closed, p.closedDocument(q, c))
}

// closedDocument is the question as it stood when it was closed. Of one that a deletion
// closed, no words are left.
func (p *planner) closedDocument(q *question, c closing) memory.Question {
	out := q.Question
	out.Status, out.ClosedAt, out.Closing, out.Decision, out.Answer = memory.QuestionClosed, p.Now.UTC(), c.by, c.decision, c.answer
	if c.by == memory.ClosedByDeletion {
		out.Current = memory.Side{Memory: q.Current.Memory, Key: q.Current.Key}
		out.Rivals = nil
		for _, r := range q.Rivals {
			out.Rivals = append(out.Rivals, memory.Side{Memory: r.Memory, Key: r.Key})
		}
		return out
	}
	field, _ := p.Registry.Field(q.Key)
	out.Text = wording.Question(&out, field)
	if cur := p.state[q.Current.Memory]; cur != nil && cur.Status == memory.StatusCurrent {
		out.Value = cur.Value
	}
	if c.unqualified {
		out.FollowUp = wording.FollowUp(&out, field)
	}
	return out
}

// settleRival marks a rival as decided.
func (p *planner) settleRival(m *memory.Memory, c closing) {
	settled := *m
	settled.Status = memory.StatusSettled
	settled.Dispute = p.decided(m, c)
	p.put(ledger.OpSettle, settled, nil, string(c.by))
}

// decided is what a rival knows about its question from then on. How it was decided first
// is kept, until it is asked about anew.
func (p *planner) decided(m *memory.Memory, c closing) *memory.Dispute {
	var d memory.Dispute
	if m.Dispute != nil {
		d = *m.Dispute
	}
	if d.ClosedAt.IsZero() {
		d.ClosedAt, d.Closing, d.Decision = p.Now.UTC(), c.by, c.decision
	}
	d.TimeoutAt = time.Time{}
	return &d
}

// OpenQuestions are the open questions of which in.Existing holds the rivals and what they
// contradict, oldest first, as they stand before anything else in in is decided.
func OpenQuestions(in Input) []memory.Question {
	p := newPlanner(in)
	return p.sentences(func(*question) bool { return true })
}

// opened are the open questions that this decision has put or changed. One that it has put and closed again is among the closed ones alone.
func (p *planner) opened() []memory.Question {
	return p.sentences(func(q *question) bool { return q.changed })
}

// sentences are some of the open questions, oldest first, ready to be asked.
func (p *planner) sentences(which func(*question) bool) []memory.Question {
	var out []memory.Question
	for _, q := range p.questions {
		if which(q) {
			field, _ := p.Registry.Field(q.Key)
			q.Text = wording.Question(&q.Question, field)
			out = append(out, q.Question)
		}
	}
	slices.SortFunc(out, func(a, b memory.Question) int {
		return cmp.Or(a.OpenedAt.Compare(b.OpenedAt), cmp.Compare(a.ID, b.ID))
	})
	return out
}
