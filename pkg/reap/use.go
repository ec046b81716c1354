package reap

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Uses is the collections, as the time of a use is noted in them.
type Uses interface {
	// Get returns those of the owner's memories that are there, wherever they stand.
	Get(ctx context.Context, s memory.Scope, ids []memory.ID) ([]memory.Memory, error)
	// Write puts a batch, and returns when it can be read.
	Write(ctx context.Context, b index.Batch) error
}

// Use notes that memories were handed out, and brings back at once what was found in the
// archive. The ledger hears of the rest once a day: see JobTier. It may be repeated.
func (s *Service) Use(ctx context.Context, uses []index.Access) error {
	if len(uses) == 0 {
		return nil
	}
	if err := s.Uses.Write(ctx, index.Batch{Accessed: uses}); err != nil {
		return fmt.Errorf("note uses: %w", err)
	}
	byOwner := map[memory.Scope][]index.Access{}
	for _, u := range uses {
		byOwner[u.Scope] = append(byOwner[u.Scope], u)
	}
	var errs []error
	for scope, own := range byOwner {
		if err := s.bringBack(ctx, scope, own); err != nil {
			errs = append(errs, fmt.Errorf("bring back what was used: %w", err))
		}
	}
	return errors.Join(errs...)
}

// bringBack returns the owner's memories from the archive that have been used there.
func (s *Service) bringBack(ctx context.Context, scope memory.Scope, uses []index.Access) error {
	policy, ids := s.Policies.For(scope.Tenant), make([]memory.ID, len(uses))
	last := time.Time{}
	for i, u := range uses {
		ids[i] = u.ID
		if u.At.After(last) {
			last = u.At
		}
	}
	returned := func(ctx context.Context) ([]ledger.Change, error) {
		found, err := s.Uses.Get(ctx, scope, ids)
		if err != nil {
			return nil, fmt.Errorf("read what was used: %w", err)
		}
		var out []ledger.Change
		for _, m := range found {
			if policy.Returns(&m, last) {
				m.ArchivedAt = time.Time{}
				out = append(out, ledger.Change{Op: ledger.OpReturn, Memory: m, Reason: ReasonUsedAgain})
			}
		}
		return out, nil
	}
	// Most uses are of what is at hand: then there is nothing to decide.
	if some, err := returned(ctx); err != nil || len(some) == 0 {
		return err
	}
	_, err := s.Decider.Do(ctx, scope, func(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
		if head == 0 {
			return nil, nil // erased meanwhile: see run.decide
		}
		changes, err := returned(ctx)
		if err != nil || len(changes) == 0 {
			return nil, err
		}
		return &ledger.ChangeSet{V: ledger.Version, At: last.UTC(), Author: ledger.AuthorReaper, Scope: scope, Changes: changes}, nil
	})
	return err
}
