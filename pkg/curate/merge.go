package curate

import (
	"context"
	"errors"
	"fmt"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// MaxMerge bounds the memories that a merge takes over at once.
const MaxMerge = 2000

// Merged is what a merge has done.
type Merged struct {
	Results []Imported `json:"results" nullable:"false" doc:"What became of each memory of the user that was merged."`
	// Documents are in the order of their namespaces and keys.
	Documents []Carried `json:"documents" nullable:"false" doc:"What became of each document of the user that was merged."`
	// Erased is the receipt where the user that was merged was erased.
	Erased *Receipt `json:"erased,omitempty" doc:"The receipt of the erasure, if that was asked for."`
}

// ErrPending means that what a user has said is not consolidated yet, and cannot be at the
// moment: to go on would lose it.
var ErrPending = errors.New("what the user has said is not consolidated yet")

// Threads consolidates what was said.
type Threads interface {
	// Settle consolidates all that the user has said when it is called. After an error some of
	// it may be, and it may be repeated.
	Settle(ctx context.Context, s memory.Scope) error
}

// Merge takes the memories of one user, who was anonymous until now, into another one's of the
// same tenant: as what they said then, so that what contradicts is asked about, and what the
// other has forgotten stays forgotten. Documents go along where the other has none under the
// same namespace and key. What the first has said is consolidated before; where that fails it is
// ErrPending. With erase the first is erased then: the decision and the fence of the erasure go
// out as one, so that nothing is decided for that user in between. It may be repeated, also
// after a crash: what was taken already stays as it is. A bad request is a *fault.FieldError.
func (s *Service) Merge(ctx context.Context, from, into memory.Scope, erase bool) (Merged, error) {
	switch {
	case from.Validate() != nil:
		return Merged{}, from.Validate()
	case into.Validate() != nil:
		return Merged{}, into.Validate()
	case from == into:
		return Merged{}, fault.BadField("from", "must be another user")
	case from.Tenant != into.Tenant || from.Owner.Kind != memory.OwnerUser || into.Owner.Kind != memory.OwnerUser:
		return Merged{}, fault.BadField("from", "must be a user of the same tenant")
	}
	place, err := s.place(ctx, into, "merge")
	if err != nil {
		return Merged{}, err
	}
	place.Event = "request:merge" // the same each time, so that a repetition changes nothing
	if err := s.resume(ctx, from); err != nil {
		return Merged{}, fmt.Errorf("merge: %w", err)
	}
	settled, err := s.settleFrom(ctx, from, 0)
	if err != nil {
		return Merged{}, fmt.Errorf("merge: %w", err)
	}
	if erase {
		return s.mergeErasing(ctx, from, into, place, settled)
	}
	out := Merged{}
	if _, err := s.Decider.Projector.CatchUp(ctx, from); err != nil {
		return out, fmt.Errorf("catch up: %w", err)
	}
	err = s.write(ctx, into, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		return s.merging(ctx, from, into, place, &out)
	})
	return out, err
}

// mergeErasing merges and puts the fence up in one decision, and then erases behind it. The
// fence is on record after the decision, never before it: what it keeps from being learnt again
// has been taken over then.
func (s *Service) mergeErasing(ctx context.Context, from, into memory.Scope, place memory.Evidence, settled uint64) (out Merged, err error) {
	err = s.Alone(ctx, func(ctx context.Context) error {
		e, err := s.takeUp(ctx, from, 0)
		if err == nil {
			err = e.count(ctx)
		}
		if err != nil {
			return err
		}
		e.settled = true
		err = s.Decider.DoBoth(ctx, s.Batch, into, from, func(ctx context.Context) (cs, fence *ledger.ChangeSet, err error) {
			if settled, err = s.settleFrom(ctx, from, settled); err != nil {
				return nil, nil, err
			}
			cs, err = s.merging(ctx, from, into, place, &out)
			return cs, &ledger.ChangeSet{
				V: ledger.Version, At: s.Now().UTC(), Author: ledger.AuthorUser, Scope: from, Erased: &ledger.Erased{EventHead: max(e.EventHead, settled)},
			}, err
		})
		if err != nil {
			return err
		}
		e.EventHead = max(e.EventHead, settled)
		if err := e.store(ctx); err != nil {
			return err
		}
		if err := e.run(ctx); err != nil {
			return err
		}
		out.Erased = &e.Receipt
		return nil
	})
	if err != nil {
		return Merged{}, fmt.Errorf("merge: %w", err)
	}
	return out, nil
}

// resume puts on record a fence that a merge had decided on when it was broken off: what lies
// behind it has been taken over, and is not to be learnt again.
func (s *Service) resume(ctx context.Context, from memory.Scope) error {
	head, err := s.Ledger.Head(ctx, from)
	if err != nil {
		return fmt.Errorf("read ledger head: %w", err)
	}
	last, err := s.last(ctx, from, head)
	if err != nil || last.Erased == nil {
		return err
	}
	r, _, err := s.recorded(ctx, from)
	if err != nil || r.EventHead >= last.Erased.EventHead {
		return err
	}
	_, err = s.takeUp(ctx, from, last.Erased.EventHead)
	return err
}

// settleFrom consolidates what a user has said, and returns the last event up to which that is
// done. Nothing is done where the last one is known to be.
func (s *Service) settleFrom(ctx context.Context, from memory.Scope, settled uint64) (uint64, error) {
	head, err := s.lastEvent(ctx, from)
	if err != nil || head <= settled {
		return settled, err
	}
	if err := s.Threads.Settle(ctx, from); err != nil {
		return settled, fmt.Errorf("%w: %w", ErrPending, err)
	}
	return head, nil
}

// merging is the decision for who takes over, as both owners' memories and documents are now,
// with what becomes of each.
func (s *Service) merging(ctx context.Context, from, into memory.Scope, place memory.Evidence, out *Merged) (*ledger.ChangeSet, error) {
	all, err := s.Memories.Needed(ctx, from, reconcile.Needs{All: true})
	if err != nil {
		return nil, fmt.Errorf("read memories: %w", err)
	}
	var theirs []memory.Memory
	for _, m := range all {
		if m.Status != memory.StatusDeleted {
			theirs = append(theirs, m)
		}
	}
	if len(theirs) > MaxMerge {
		return nil, fault.BadField("from", fmt.Sprintf("has %d memories: at most %d are merged; export and import them", len(theirs), MaxMerge))
	}
	d, results, err := s.adopt(ctx, into, theirs, place)
	if err != nil {
		return nil, err
	}
	puts, documents, err := s.carry(ctx, from, into)
	if err != nil {
		return nil, err
	}
	out.Results, out.Documents = results, documents
	d.Changes = append(d.Changes, puts...)
	return s.changeSet(into, d), nil
}
