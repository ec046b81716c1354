package consolidate

import (
	"context"
	"fmt"
	"slices"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/verify"
)

// extraction is what was found in a piece of a thread and stood up to verification.
type extraction struct {
	statements []reconcile.Statement
	// refused counts rejections by reason, and refusedIn the messages that they came from.
	refused   map[verify.Reason]int
	refusedIn map[int]bool
}

// extract finds and verifies candidates. A piece in which the user says nothing is not
// shown to the extractor.
func (s *Service) extract(ctx context.Context, scope memory.Scope, g *gathered) (extraction, error) {
	out := extraction{refused: map[verify.Reason]int{}, refusedIn: map[int]bool{}}
	isSource := func(m memory.Message) bool { return m.Role == memory.RoleUser && !m.Context && m.Content != "" }
	if !slices.ContainsFunc(g.messages, isSource) {
		return out, nil
	}
	candidates, directives, err := s.Extractor.Extract(ctx, memory.Extraction{Scope: scope, Messages: g.messages})
	if err != nil {
		return out, fmt.Errorf("extract: %w", err)
	}
	byNumber := make(map[int]memory.Message, len(g.messages))
	for _, m := range g.messages {
		byNumber[m.Number] = m
	}
	notToSave := out.directives(directives, byNumber)
	for i := range candidates {
		c := &candidates[i]
		reason := verify.Candidate(c, byNumber, s.Registry)
		switch {
		case reason != "":
		case notToSave[c.Source.Message]:
			reason = verify.ReasonNotToBeSaved
		case len(out.statements) >= maxCandidates:
			reason = verify.ReasonTooMany
		}
		if reason != "" {
			out.refuse(reason, c.Source.Message)
			continue
		}
		out.statements = append(out.statements, g.statement(*c))
	}
	slices.SortStableFunc(out.statements, func(a, b reconcile.Statement) int {
		switch {
		case a.Evidence.Before(b.Evidence):
			return -1
		case b.Evidence.Before(a.Evidence):
			return 1
		}
		return 0
	})
	return out, nil
}

// directives returns the messages that the user asked not to save. What else users may ask
// of the memory is refused with its reason until there is something that does it; so is not
// saving what an earlier decision has saved.
func (x *extraction) directives(ds []memory.Directive, messages map[int]memory.Message) map[int]bool {
	notToSave := map[int]bool{}
	for _, d := range ds {
		m, ok := messages[d.Source.Message]
		if !ok || m.Role != memory.RoleUser {
			x.refuse(verify.ReasonRole, d.Source.Message)
			continue
		}
		switch {
		case d.Action == memory.ActionDoNotSave && !m.Context:
			notToSave[d.Source.Message] = true
		case d.Action == memory.ActionRemember:
			// The candidate of that message is marked as pinned.
		default:
			x.refuse(verify.ReasonUnsupportedDo, d.Source.Message)
		}
	}
	return notToSave
}

func (x *extraction) refuse(r verify.Reason, message int) {
	x.refused[r]++
	x.refusedIn[message] = true
}

// rejections are the counts by reason, in order.
func (x *extraction) rejections() []ledger.Rejection {
	var out []ledger.Rejection
	for r, n := range x.refused {
		out = append(out, ledger.Rejection{Reason: string(r), Count: n})
	}
	slices.SortFunc(out, func(a, b ledger.Rejection) int {
		if a.Reason < b.Reason {
			return -1
		}
		return 1
	})
	return out
}

// statement joins a candidate with the place where it was said.
func (g *gathered) statement(c memory.Candidate) reconcile.Statement {
	src := g.sources[c.Source.Message]
	m := g.messages[c.Source.Message-1]
	return reconcile.Statement{
		Candidate: c,
		Evidence: memory.Evidence{
			Event: m.Event, Seq: src.seq, Message: src.index, Thread: src.event.Thread,
			Role: m.Role, At: m.At, Quote: c.Source.Quote, Asked: c.Source.AskedQuote,
		},
	}
}
