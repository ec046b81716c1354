package consolidate

import (
	"context"
	"slices"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// Hear reads what a user writes straight to the memory as it reads one message of a thread:
// by the same guard, extractor and verification. Said is its place, and its words. Decide
// loads what the decision needs and decides on what found then holds; it may be repeated.
func (s *Service) Hear(ctx context.Context, scope memory.Scope, said memory.Evidence) (
	found *reconcile.Heard, decide func(context.Context) (reconcile.Input, reconcile.Decision, error), err error,
) {
	clean, _ := guard.Redact(said.Quote)
	g := &gathered{
		messages: guard.Sanitise([]memory.Message{{
			Number: 1, Event: said.Event, Seq: said.Seq, Index: said.Message, Role: memory.RoleUser, At: said.At, Content: clean,
		}}),
		sources: map[int]source{1: {event: event.Event{Thread: said.Thread}, seq: said.Seq, index: said.Message}},
		asked:   map[int]memory.ID{},
	}
	x, err := s.extract(ctx, scope, g)
	if err != nil {
		return nil, nil, err
	}
	found = &reconcile.Heard{
		Message: g.messages[0], Statements: x.statements, Requests: x.requests, Answered: len(x.answers) > 0, Refused: x.rejections(), Read: x.read,
	}
	return found, func(ctx context.Context) (reconcile.Input, reconcile.Decision, error) {
		now := x
		now.statements, now.requests = slices.Clone(found.Statements), slices.Clone(found.Requests)
		return s.reconcile(ctx, s.Now(), scope, g, &now)
	}, nil
}
