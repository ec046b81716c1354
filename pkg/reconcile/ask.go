package reconcile

import (
	"encoding/binary"
	"slices"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// maxRivals bounds the values that one question names beside the current one. What comes
// after them is recorded as disputed, and waits for the next question.
const maxRivals = 8

// open reports whether m is a rival in a question that has no answer yet.
func open(m *memory.Memory) bool {
	return m.Status == memory.StatusDisputed && m.Dispute != nil && m.Dispute.Question != "" && m.Dispute.ClosedAt.IsZero()
}

// dispute keeps the rival beside the current value, which goes on being served, and asks
// about it where that is worth a question.
func (p *planner) dispute(cur *memory.Memory, s Statement) Outcome {
	before := p.recorded(cur.ID, s)
	m := p.rivalOf(s, before)
	if before == nil || !open(before) {
		m.Dispute = p.disputeOf(cur, &m, before)
	} else {
		m.Dispute = before.Dispute
	}
	if before != nil && before.ID != m.ID && before.Status == memory.StatusDisputed {
		p.settleRival(before, closing{by: memory.ClosedByStatement}) // m says more
	}
	if open(&m) {
		p.mark(cur.ID, m.Dispute.Question, ReasonAsked)
	}
	p.put(ledger.OpDispute, m, nil, ReasonUnmarked)
	return Remembered
}

// recorded is what is known of the rival that s states: the same value, else one that says
// more, else one that says less; disputed before decided. It is nil when nothing is.
func (p *planner) recorded(cur memory.ID, s Statement) *memory.Memory {
	var best *memory.Memory
	most := 0
	for _, m := range p.rivals(cur, memory.StatusDisputed, memory.StatusSettled) {
		near := 0
		more, refines := canon.Refines(m.Value, s.Value, p.class(s.Key))
		switch {
		case m.Key != s.Key:
			continue
		case canon.Same(m.Value, s.Value, p.class(s.Key)):
			near = 3
		case refines && more == m.Value:
			near = 2
		case refines:
			near = 1
		default:
			continue
		}
		if m.Status == memory.StatusDisputed {
			near += 3
		}
		if near > most {
			best, most = m, near
		}
	}
	return best
}

// rivalOf is the rival that s states, with what was said for it before. A vaguer statement
// leaves it the words that say more.
func (p *planner) rivalOf(s Statement, before *memory.Memory) memory.Memory {
	m := p.fresh(s, p.Registry.DisputeIdentity(p.Scope, s.Key, s.Value), memory.StatusDisputed)
	switch {
	case before == nil:
		return m
	case p.says(before, s) && (before.ID != m.ID || before.Status == memory.StatusDisputed):
		m = confirmed(before, s.Evidence)
		m.Status = memory.StatusDisputed
		return m
	}
	for _, e := range before.Evidence {
		m = confirmed(&m, e)
	}
	return m
}

// disputeOf decides whether a rival of cur is asked about: in the question that is open, or
// in one of its own; but never twice about the same two values, and not so soon after an
// answer. Before is what is known of the rival.
func (p *planner) disputeOf(cur, m, before *memory.Memory) *memory.Dispute {
	quiet := &memory.Dispute{Of: cur.ID}
	if before != nil {
		if asked(cur, before) {
			return before.Dispute
		}
		// That there was an answer counts in the cooldown.
		quiet.ClosedAt, quiet.Closing, quiet.Decision = before.Dispute.ClosedAt, before.Dispute.Closing, before.Dispute.Decision
	}
	q := p.questionAbout(cur.ID)
	switch {
	case !m.Kind.Durable():
		return quiet
	case q != nil && len(q.Rivals) < maxRivals:
		return &memory.Dispute{Of: cur.ID, Question: q.ID, OpenedAt: q.OpenedAt, TimeoutAt: q.TimeoutAt}
	case q != nil || p.cooling(cur.ID):
		return quiet
	}
	asks := &memory.Dispute{Of: cur.ID, Question: questionID(cur.ID, m.LastEvidence()), OpenedAt: p.Now.UTC()}
	if wait, ends := p.Policy.QuestionTimeout(); ends {
		asks.TimeoutAt = asks.OpenedAt.Add(wait)
	}
	p.include(cur, m, *asks)
	return asks
}

// include puts into a new question what else contradicts cur and has not been asked about,
// since an answer had come just before it was said.
func (p *planner) include(cur, m *memory.Memory, asks memory.Dispute) {
	room := maxRivals - 1
	for _, other := range p.rivals(cur.ID, memory.StatusDisputed) {
		if room == 0 || other.ID == m.ID || !other.Kind.Durable() || asked(cur, other) {
			continue
		}
		room--
		included := *other
		included.Dispute = &asks
		p.put(ledger.OpMark, included, nil, ReasonAsked)
	}
}

// asked reports whether the user has been asked about the rival since the memory says what
// it says, or by the answer that made it say so. Many days' words may be decided at one
// instant: then the order of speech counts.
func asked(cur, rival *memory.Memory) bool {
	d := rival.Dispute
	switch {
	case d.Question == "":
		return false
	case !d.ClosedAt.Equal(cur.CreatedAt):
		return d.ClosedAt.After(cur.CreatedAt)
	case d.Closing == memory.ClosedByAnswer:
		return true
	case !d.OpenedAt.Equal(cur.CreatedAt):
		return false // what cur says has closed it
	}
	return len(cur.Evidence) > 0 && !rival.LastEvidence().Before(cur.Evidence[0])
}

// cooling reports whether an answer about the memory is too recent for another question.
func (p *planner) cooling(cur memory.ID) bool {
	return slices.ContainsFunc(p.rivals(cur, memory.StatusDisputed, memory.StatusSettled), func(m *memory.Memory) bool {
		d := m.Dispute
		return d.Closing == memory.ClosedByAnswer && p.Now.Before(d.ClosedAt.Add(p.Policy.AskCooldown()))
	})
}

// rivals are those of a memory in one of the statuses, in the order in which they were first
// said.
func (p *planner) rivals(of memory.ID, statuses ...memory.Status) []*memory.Memory {
	var out []*memory.Memory
	for _, m := range p.state {
		if m.Dispute != nil && m.Dispute.Of == of && slices.Contains(statuses, m.Status) {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, bySpeech)
	return out
}

// mark sets the question in which a memory stands, with the change that this decision makes
// of it anyway, or with one of its own. What was deleted bears no mark.
func (p *planner) mark(id, question memory.ID, reason string) {
	m := p.state[id]
	if m == nil || m.Question == question || m.Status == memory.StatusDeleted {
		return
	}
	marked := *m
	marked.Question = question
	if !p.amend(marked) {
		p.put(ledger.OpMark, marked, nil, reason)
	}
}

// amend changes the state that this decision has given a memory already, and reports
// whether it has.
func (p *planner) amend(m memory.Memory) bool {
	for i := len(p.out.Changes) - 1; i >= 0; i-- {
		if c := &p.out.Changes[i]; c.Memory.ID == m.ID && c.Op != ledger.OpHistory {
			c.Memory = m
			p.state[m.ID] = &m
			return true
		}
	}
	return false
}

// questionSpace is the UUID under which the ids of questions are made.
var questionSpace = uuid.MustParse("0f0a4a4e-0d0c-5d5b-9a53-2b7a3c8d1e61")

// questionID is the id of the question about a memory that a statement opens: the same
// however often it is decided.
func questionID(about memory.ID, opener memory.Evidence) memory.ID {
	b := make([]byte, 0, 256)
	for _, part := range []string{string(about), string(opener.Thread), opener.Event} {
		b = binary.AppendUvarint(b, uint64(len(part)))
		b = append(b, part...)
	}
	b = binary.AppendUvarint(b, uint64(opener.Message))
	return memory.ID(uuid.NewSHA1(questionSpace, b).String())
}
