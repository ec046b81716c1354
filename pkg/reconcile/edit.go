package reconcile

import (
	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// ReasonEdited is that of what the owner changes in a memory by hand.
const ReasonEdited = "edited"

// Edit is what the owner makes of a memory by hand: what the statement says holds in its
// place, without a question, since they have pointed at what is wrong.
type Edit struct {
	Memory memory.ID
	// Statement is the memory as it is to be, under the key that it has, with the request as
	// its evidence.
	Statement
}

func (n *Needs) edit(in Input, e Edit) {
	n.IDs = append(n.IDs, e.Memory)
	n.statement(in, e.Statement)
}

// edit changes a memory, unless there is none to change or something was said of it since.
func (p *planner) edit(e Edit) Outcome {
	cur, s := p.state[e.Memory], e.Statement
	switch {
	case cur == nil || cur.Status != memory.StatusCurrent || s.Evidence.Before(cur.LastEvidence()):
		return NoTarget
	case known(cur, s.Evidence):
		return Unchanged
	}
	id := identity(p.Registry, p.Scope, s)
	if id != cur.ID {
		p.close(cur, s, ReasonEdited)
		if s.Key == "" {
			return p.free(s)
		}
		return p.keyed(s)
	}
	if s.Key == "" || canon.Same(cur.Value, s.Value, p.class(s.Key)) {
		p.put(ledger.OpRefresh, p.reworded(cur, s), nil, ReasonEdited)
		return Remembered
	}
	p.replace(ledger.OpSupersede, p.fresh(s, cur.ID, memory.StatusCurrent), cur, ReasonEdited)
	p.settle(s)
	return Remembered
}

// reworded is cur, which states what s states, in the words and with the bounds of s.
func (p *planner) reworded(cur *memory.Memory, s Statement) memory.Memory {
	m, said := confirmed(cur, s.Evidence), p.fresh(s, cur.ID, memory.StatusCurrent)
	m.Value, m.Text, m.Language, m.Stability = said.Value, said.Text, said.Language, said.Stability
	m.ExpiresAt, m.Pinned, m.Lasting = said.ExpiresAt, said.Pinned, said.Lasting
	return m
}
