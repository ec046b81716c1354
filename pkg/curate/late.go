package curate

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Late takes back what was written for an owner while they were being erased.
type Late interface {
	// TakeBack deletes a change set that an erasure has overtaken, and all that it has made.
	TakeBack(ctx context.Context, s memory.Scope, seq uint64) error
}

// errErased means that a request has come while its owner was being erased.
var errErased = &ConflictError{How: "the user is being erased"}

// write decides on what adds to an owner's memory, until no other decision comes between. What
// an erasure overtakes is not written: nothing of a request that came before it may stay.
func (s *Service) write(ctx context.Context, scope memory.Scope, plan decide.Plan) error {
	_, _, before, err := s.Records.Load(ctx, scope)
	if err != nil {
		return fmt.Errorf("look for an erasure: %w", err)
	}
	overtaken := func() error {
		_, _, now, err := s.Records.Load(ctx, scope)
		switch {
		case err != nil:
			return fmt.Errorf("look for an erasure: %w", err)
		case now != before:
			return errErased
		}
		return nil
	}
	first := false
	seq, err := s.Decider.Do(ctx, scope, func(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
		if err := overtaken(); err != nil {
			return nil, err
		}
		first = head == 0
		return plan(ctx, head)
	})
	if err != nil || seq == 0 || !first {
		return err
	}
	// On an empty ledger the expected head does not tell whether an erasure has come between.
	if late := overtaken(); late != nil {
		if err := s.Late.TakeBack(ctx, scope, seq); err != nil {
			return fmt.Errorf("take change set %d back: %w", seq, err)
		}
		return late
	}
	return nil
}
