package curate

import (
	"context"
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
	// Erased is the receipt where the user that was merged was erased.
	Erased *Receipt `json:"erased,omitempty" doc:"The receipt of the erasure, if that was asked for."`
}

// Merge takes the memories of one user, who was anonymous until now, into another one's of the
// same tenant: as what they said then, so that what contradicts is asked about, and what the
// other has forgotten stays forgotten. With erase the first is erased then: the decision and
// the fence of the erasure go out as one, so that nothing is decided for that user in between.
// It may be repeated, also after a crash: what was taken already stays as it is. A bad request
// is a *fault.FieldError.
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
	if erase {
		return s.mergeErasing(ctx, from, into, place)
	}
	out := Merged{}
	if _, err := s.Decider.Projector.CatchUp(ctx, from); err != nil {
		return out, fmt.Errorf("catch up: %w", err)
	}
	err = s.write(ctx, into, func(ctx context.Context, _ uint64) (cs *ledger.ChangeSet, err error) {
		cs, out.Results, err = s.merging(ctx, from, into, place)
		return cs, err
	})
	return out, err
}

// mergeErasing merges and puts the fence up in one decision, and then erases behind it.
func (s *Service) mergeErasing(ctx context.Context, from, into memory.Scope, place memory.Evidence) (out Merged, err error) {
	err = s.Alone(ctx, func(ctx context.Context) error {
		e, err := s.begin(ctx, from)
		if err == nil {
			err = e.count(ctx)
		}
		if err != nil {
			return err
		}
		err = s.Decider.DoBoth(ctx, s.Batch, into, from, func(ctx context.Context) (cs, fence *ledger.ChangeSet, err error) {
			if err := e.reach(ctx); err != nil {
				return nil, nil, err
			}
			cs, out.Results, err = s.merging(ctx, from, into, place)
			return cs, &ledger.ChangeSet{
				V: ledger.Version, At: s.Now().UTC(), Author: ledger.AuthorUser, Scope: from, Erased: &ledger.Erased{EventHead: e.EventHead},
			}, err
		})
		if err != nil {
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

// reach extends the erasure to what has been said since it began, which is taken over as well.
func (e *erasure) reach(ctx context.Context) error {
	head, err := e.s.Events.OwnerHead(ctx, e.scope)
	if err != nil {
		return fmt.Errorf("read the owner's last event: %w", err)
	}
	if head <= e.EventHead {
		return nil
	}
	e.EventHead = head
	return e.store(ctx)
}

// merging is the decision for who takes over, as both owners' memories are now.
func (s *Service) merging(ctx context.Context, from, into memory.Scope, place memory.Evidence) (*ledger.ChangeSet, []Imported, error) {
	all, err := s.Memories.Needed(ctx, from, reconcile.Needs{All: true})
	if err != nil {
		return nil, nil, fmt.Errorf("read memories: %w", err)
	}
	var theirs []memory.Memory
	for _, m := range all {
		if m.Status != memory.StatusDeleted {
			theirs = append(theirs, m)
		}
	}
	if len(theirs) > MaxMerge {
		return nil, nil, fault.BadField("from", fmt.Sprintf("has %d memories: at most %d are merged; export and import them", len(theirs), MaxMerge))
	}
	d, results, err := s.adopt(ctx, into, theirs, place)
	if err != nil {
		return nil, nil, err
	}
	return s.changeSet(into, d), results, nil
}
