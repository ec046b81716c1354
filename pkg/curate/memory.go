package curate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Account is one memory with how it came to be what it is.
type Account struct {
	// Memory holds its evidence. Of a deleted one nothing is left but its identity.
	Memory memory.Memory `json:"memory" doc:"The memory, with its sources. Of a forgotten one only the identity is left."`
	Why    Why           `json:"why" doc:"Why it has its status."`
	// Recallable says whether recall may hand it out now.
	Recallable bool `json:"recallable" doc:"Whether recall may hand it out now."`
	// History is every change of it, the earliest decision first; without words of what was deleted.
	History []ledger.Entry `json:"history" nullable:"false" doc:"Every change of it, the earliest decision first; without words of a forgotten one."`
}

// Why says what a memory's status comes from: the last decision that touched it.
type Why struct {
	Op     ledger.Op     `json:"op,omitempty" doc:"What the last decision about it did."`
	Reason string        `json:"reason,omitempty" doc:"Why, in one word."`
	Author ledger.Author `json:"author,omitempty" doc:"Who decided: extractor, reaper, user, application or operator."`
	At     time.Time     `json:"at,omitzero" doc:"When it was decided."`
	// Question is the one in which it stands, SuppressedBy the request that keeps it from recall.
	Question     memory.ID `json:"question_id,omitempty" doc:"The question in which it stands."`
	SuppressedBy memory.ID `json:"suppressed_by,omitempty" doc:"The request that keeps it from recall."`
}

// Memory is the account of one of the owner's memories, at hand or in the archive; ErrNotFound
// when there is none.
func (s *Service) Memory(ctx context.Context, scope memory.Scope, id memory.ID) (Account, error) {
	if err := scope.Validate(); err != nil {
		return Account{}, err
	}
	if !id.Valid() {
		return Account{}, fmt.Errorf("memory %.40q: %w", id, ErrNotFound)
	}
	if _, err := s.Decider.Projector.CatchUp(ctx, scope); err != nil {
		return Account{}, fmt.Errorf("catch up: %w", err)
	}
	now, err := s.Memories.Get(ctx, scope, []memory.ID{id})
	switch {
	case err != nil:
		return Account{}, fmt.Errorf("read memory %s: %w", id, err)
	case len(now) == 0:
		return Account{}, fmt.Errorf("memory %s: %w", id, ErrNotFound)
	}
	records, err := decide.Records(ctx, s.Ledger, scope)
	if err != nil {
		return Account{}, err
	}
	m := now[0]
	a := Account{Memory: m, Recallable: s.Policies.For(scope.Tenant).Recallable(&m, s.Now()), Why: why(records, &m)}
	a.History = slices.DeleteFunc(ledger.Changes(records), func(e ledger.Entry) bool { return e.ID != id && (m.Origin == "" || e.ID != m.Origin) })
	a.Memory.Tombstone = nil // what it knows is for decisions alone
	hush(a.History)
	return a, nil
}

// hush takes the words out of what was before a deletion that has not been undone.
func hush(history []ledger.Entry) {
	upTo, before := 0, 0
	for i, e := range history {
		switch e.Op {
		case ledger.OpDelete:
			upTo, before = i+1, upTo
		case ledger.OpRestore:
			upTo = before
		}
	}
	for i := range history[:upTo] {
		e := &history[i]
		e.Value, e.Text, e.Evidence = "", "", nil
	}
}

// why is the last decision about m.
func why(records []ledger.Record, m *memory.Memory) Why {
	out := Why{Question: m.Question, SuppressedBy: m.SuppressedBy}
	if m.Dispute != nil {
		out.Question = m.Dispute.Question
	}
	for _, r := range slices.Backward(records) {
		for _, c := range slices.Backward(r.Changes) {
			switch {
			case c.Document != nil || c.Op == ledger.OpHistory:
			case c.Memory.ID == m.ID, c.Previous != nil && m.Origin == c.Memory.ID && c.Previous.Value == m.Value:
				out.Op, out.Reason, out.Author, out.At = c.Op, c.Reason, r.Author, r.At
				return out
			}
		}
	}
	return out
}
