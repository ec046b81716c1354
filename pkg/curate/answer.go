package curate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// maxAnswer bounds the value of an answer, in bytes.
const maxAnswer = 500

// Pending are the owner's open questions, oldest first.
func (s *Service) Pending(ctx context.Context, scope memory.Scope) ([]memory.Question, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	return s.Questions.List(ctx, scope)
}

// Answer closes a question. Value is needed for DecisionOther; for DecisionReplace it names
// the rival where there are several, by default the last; for DecisionBoth it is the
// qualification ("on weekdays"), which the closed question asks for when it is missing.
// ErrNotFound when there is no such question, a *fault.FieldError when the answer fits no
// option, a *ConflictError when it has been closed already.
func (s *Service) Answer(ctx context.Context, scope memory.Scope, id memory.ID, decision memory.Decision, value string) (memory.Question, error) {
	q, err := s.open(ctx, scope, id)
	if err != nil {
		return q, err
	}
	a, err := s.answerTo(ctx, &q, decision, strings.TrimSpace(value))
	if err != nil {
		return q, err
	}
	seq, err := s.Decider.Do(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		in := s.input(scope)
		in.Answers = []reconcile.Answer{a}
		if err := s.load(ctx, &in); err != nil {
			return nil, err
		}
		d := reconcile.Plan(in)
		switch d.Answered[0] {
		case reconcile.Done:
			q = d.Closed[0]
			return s.changeSet(scope, d), nil
		case reconcile.NoOption:
			return nil, fault.BadField("value", "fits no option of the question")
		default:
			return nil, nil
		}
	})
	if err == nil && seq == 0 { // who came first is in the question
		if q, err = s.open(ctx, scope, id); err == nil {
			err = &ConflictError{How: "something was said about it since"}
		}
	}
	return q, err
}

// answerTo is the answer that a request gives to q, with its place.
func (s *Service) answerTo(ctx context.Context, q *memory.Question, decision memory.Decision, value string) (reconcile.Answer, error) {
	a := reconcile.Answer{Question: q.ID, Key: q.Key, Decision: decision, Value: value}
	switch {
	case !slices.Contains(q.Options, decision):
		return a, fault.BadField("decision", fmt.Sprintf("must be one of %v", q.Options))
	case decision == memory.DecisionOther && value == "":
		return a, fault.BadField("value", "is required with the decision other")
	case len(value) > maxAnswer:
		return a, fault.BadField("value", fmt.Sprintf("must be at most %d bytes", maxAnswer))
	case decision == memory.DecisionReplace && value == "":
		a.Value = q.Rivals[len(q.Rivals)-1].Value // not that of one that joins meanwhile
	}
	var err error
	if a.Evidence, err = s.place(ctx, q.Scope, cmp.Or(value, string(decision))); err != nil {
		return a, err
	}
	for _, side := range append(q.Rivals, q.Current) {
		if at := side.Evidence.At.UTC(); at.After(a.Evidence.At) {
			a.Evidence.At = at // by a clock ahead of ours: an answer comes after what it answers
		}
	}
	return a, nil
}

// open is the question if it is open.
func (s *Service) open(ctx context.Context, scope memory.Scope, id memory.ID) (memory.Question, error) {
	if err := scope.Validate(); err != nil {
		return memory.Question{}, err
	}
	q, ok, err := s.Questions.Get(ctx, scope, id)
	switch {
	case err != nil:
		return q, fmt.Errorf("read question %s: %w", id, err)
	case !ok:
		return q, fmt.Errorf("question %s: %w", id, ErrNotFound)
	case q.Status == memory.QuestionOpen:
		return q, nil
	}
	how := fmt.Sprintf("the question was closed at %s: %s", q.ClosedAt.Format(time.RFC3339), q.Closing)
	if q.Decision != "" {
		how += ", " + string(q.Decision)
	}
	return q, &ConflictError{How: how}
}
