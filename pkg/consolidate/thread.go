package consolidate

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// state is the thread's fold at the owner's present head: the cache where it has one, and
// the checkpoints that the collection holds after it. On the way it projects what whoever
// was here before has left out.
func (s *Service) state(ctx context.Context, r memory.ThreadRef) (ledger.ThreadState, error) {
	head, err := s.Projector.CatchUp(ctx, r.Scope())
	if err != nil {
		return ledger.ThreadState{}, fmt.Errorf("catch up: %w", err)
	}
	var state ledger.ThreadState
	data, ok, err := s.Threads.Load(ctx, r)
	if err != nil {
		return state, fmt.Errorf("read thread cache: %w", err)
	}
	if ok {
		cached, err := ledger.DecodeThreadState(data)
		// A cache ahead of the ledger belongs to a ledger that is no more.
		if err == nil && cached.LedgerSeq <= head {
			state = cached
		}
	}
	if state.LedgerSeq < head {
		held, err := s.decided(ctx, r, state.Checkpoint)
		if err != nil {
			return state, err
		}
		if !held { // written late, by a worker that an erasure had overtaken
			state = ledger.ThreadState{}
		}
	}
	return state, s.fold(ctx, r, &state, head)
}

// decided reports whether the thread was consolidated by the change set at seq, or by none if
// that is 0.
func (s *Service) decided(ctx context.Context, r memory.ThreadRef, seq uint64) (bool, error) {
	if seq == 0 {
		return true, nil
	}
	tail, err := s.Memories.Checkpoints(ctx, r.Scope(), r.Thread, seq-1)
	if err != nil {
		return false, fmt.Errorf("read checkpoints: %w", err)
	}
	return len(tail) > 0 && tail[0].LedgerSeq == seq, nil
}

// fold brings the state up to head, which the collection has reached.
func (s *Service) fold(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, head uint64) error {
	for state.LedgerSeq < head {
		tail, err := s.Memories.Checkpoints(ctx, r.Scope(), r.Thread, state.LedgerSeq)
		if err != nil {
			return fmt.Errorf("read checkpoints: %w", err)
		}
		held, err := s.Projector.Holds(ctx, r.Scope(), head)
		if err != nil {
			return err
		}
		if !held { // a rebuild has published another collection between
			if _, err := s.Projector.CatchUp(ctx, r.Scope()); err != nil {
				return fmt.Errorf("catch up: %w", err)
			}
			continue
		}
		for i := range tail {
			if tail[i].LedgerSeq <= head {
				state.Apply(tail[i].LedgerSeq, &tail[i].Checkpoint)
			}
		}
		state.LedgerSeq = head
	}
	return nil
}

// Checkpoint is the sequence of the last event of the thread that has been consumed.
func (s *Service) Checkpoint(ctx context.Context, r memory.ThreadRef) (uint64, error) {
	state, err := s.state(ctx, r)
	return state.Seq, err
}
