package consolidate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/verify"
)

// extraction is what was found in a piece of a thread and stood up to verification.
type extraction struct {
	statements []reconcile.Statement
	requests   []reconcile.Request
	answers    []memory.Directive
	// unsaid are messages of earlier decisions that the user does not want saved after all,
	// with the place where they say so.
	unsaid []unsaid
	// refused counts rejections by reason, and refusedIn the messages that they came from.
	refused   map[verify.Reason]int
	refusedIn map[int]bool
	// read are the quotes of all that was found, whatever became of it; a message that is not
	// to be saved is read as a whole.
	read []string
}

// extract finds and verifies candidates. A piece in which the user says nothing is not
// shown to the extractor.
func (s *Service) extract(ctx context.Context, scope memory.Scope, g *gathered) (extraction, error) {
	out := extraction{refused: map[verify.Reason]int{}, refusedIn: map[int]bool{}}
	if !g.heard() {
		return out, nil
	}
	in := memory.Extraction{Scope: scope, Messages: g.messages}
	if s.Known != nil {
		var err error
		if in.Known, err = s.Known.Known(ctx, scope, g.messages); err != nil {
			return out, fmt.Errorf("look up what is known: %w", err)
		}
		in.Questions = reconcile.OpenQuestions(reconcile.Input{Now: s.Now(), Scope: scope, Registry: s.Registry, Existing: in.Known})
	}
	candidates, directives, err := s.Extractor.Extract(ctx, in)
	if err != nil {
		return out, fmt.Errorf("extract: %w", err)
	}
	byNumber := make(map[int]memory.Message, len(g.messages))
	for _, m := range g.messages {
		byNumber[m.Number] = m
	}
	notToSave := out.directives(g, directives, byNumber)
	for i := range candidates {
		c := &candidates[i]
		out.read = append(out.read, c.Source.Quote)
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
		s := g.statement(*c)
		s.Anew = out.followed(s.Evidence, byNumber[c.Source.Message].Content)
		out.statements = append(out.statements, s)
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

// heard reports whether the user says anything in the piece.
func (g *gathered) heard() bool {
	return slices.ContainsFunc(g.messages, func(m memory.Message) bool {
		return m.Role == memory.RoleUser && !m.Context && m.Content != ""
	})
}

// directives sorts out what the user asks of the memory itself, and returns the messages
// that are not to be saved.
func (x *extraction) directives(g *gathered, ds []memory.Directive, messages map[int]memory.Message) map[int]bool {
	notToSave := map[int]bool{}
	for _, d := range ds {
		m := messages[d.Source.Message]
		reason := verify.Directive(&d, messages)
		switch d.Action {
		case memory.ActionRemember:
		case memory.ActionDoNotSave:
			x.read = append(x.read, m.Content)
		default:
			x.read = append(x.read, d.Source.Quote)
		}
		switch {
		case reason != "":
			x.refuse(reason, d.Source.Message)
		case d.Action == memory.ActionRemember:
			// The candidate of that message is marked as pinned.
		case d.Action == memory.ActionDoNotSave && m.Context:
			x.unsaid = append(x.unsaid, unsaid{g.evidence(d.Source), g.lastHeard()})
		case m.Context:
			// It was carried out when it was said.
		case d.Action == memory.ActionDoNotSave:
			notToSave[d.Source.Message] = true
		case d.Action == memory.ActionAnswer:
			x.answers = append(x.answers, d)
		default:
			x.requests = append(x.requests, reconcile.Request{
				Action: d.Action, Topic: memory.Topic{Words: d.What}, Said: g.pointedAt(m, d.Source.Quote), Evidence: g.evidence(d.Source),
			})
		}
	}
	return notToSave
}

// followed reports whether there are requests to forget in a statement's message, and it
// stands behind all of them. Where the message does not hold their words as they are, it counts as before them.
func (x *extraction) followed(said memory.Evidence, content string) bool {
	at, after := strings.Index(content, said.Quote), false
	for _, r := range x.requests {
		if r.Action != memory.ActionForget || r.Evidence.Event != said.Event || r.Evidence.Message != said.Message {
			continue
		}
		asked := strings.Index(content, r.Evidence.Quote)
		if after = 0 <= asked && asked < at; !after {
			return false
		}
	}
	return after
}

// unsaid is a message that is to be taken back, and where the user says so.
type unsaid struct{ what, where memory.Evidence }

// takenBack asks to forget what rests on the message alone.
func (u unsaid) takenBack(known []memory.Memory) reconcile.Request {
	r := reconcile.Request{Action: memory.ActionForget, Topic: memory.Topic{IDs: []memory.ID{}}, Evidence: u.where}
	for i := range known {
		elsewhere := func(e memory.Evidence) bool { return e.Event != u.what.Event || e.Message != u.what.Message }
		if m := &known[i]; len(m.Evidence) > 0 && !slices.ContainsFunc(m.Evidence, elsewhere) {
			r.Topic.IDs = append(r.Topic.IDs, m.ID)
		}
	}
	return r
}

// lastHeard is the place of the user's last new message.
func (g *gathered) lastHeard() memory.Evidence {
	for _, m := range slices.Backward(g.messages) {
		if m.Role == memory.RoleUser && !m.Context {
			return g.evidence(memory.Source{Message: m.Number, Quote: m.Content})
		}
	}
	return memory.Evidence{}
}

// pointedAt is what a request without a topic may mean: what its own message says before it,
// and what the assistant said last.
func (g *gathered) pointedAt(m memory.Message, quote string) string {
	said, _, _ := strings.Cut(m.Content, quote)
	for _, before := range slices.Backward(g.messages[:m.Number-1]) {
		if before.Role == memory.RoleAssistant {
			return before.Content + "\n" + said
		}
	}
	return said
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
	return reconcile.Statement{Candidate: c, Evidence: g.evidence(c.Source)}
}

// evidence is the place of something that was said.
func (g *gathered) evidence(s memory.Source) memory.Evidence {
	src, m := g.sources[s.Message], g.messages[s.Message-1]
	return memory.Evidence{
		Event: m.Event, Seq: src.seq, Message: src.index, Thread: src.event.Thread,
		Role: m.Role, At: m.At, Quote: s.Quote, Asked: s.AskedQuote,
	}
}
