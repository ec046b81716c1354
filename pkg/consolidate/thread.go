package consolidate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// state is the thread's fold at the owner's present head: the cache where it has one, and
// the tail of the ledger after it.
func (s *Service) state(ctx context.Context, r memory.ThreadRef) (ledger.ThreadState, error) {
	head, err := s.Ledger.Head(ctx, r.Scope())
	if err != nil {
		return ledger.ThreadState{}, fmt.Errorf("read ledger head: %w", err)
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
	return state, s.fold(ctx, r, &state, head)
}

// fold applies the owner's change sets after the state, up to head.
func (s *Service) fold(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, head uint64) error {
	if state.LedgerSeq >= head {
		return nil
	}
	scope := r.Scope()
	err := s.Ledger.Read(ctx, scope, state.LedgerSeq, head, func(seq uint64, _ time.Time, data []byte) error {
		c, err := progress(data, scope)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		state.Apply(seq, &c, r.Thread)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read ledger: %w", err)
	}
	return nil
}

// progress decodes a change set without its memories, which are most of it, and which the
// projector has checked.
func progress(data []byte, scope memory.Scope) (ledger.ChangeSet, error) {
	var p struct {
		V          int
		Scope      memory.Scope
		Checkpoint *ledger.Checkpoint
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return ledger.ChangeSet{}, fmt.Errorf("decode checkpoint: %w", err)
	}
	if p.V != ledger.Version || p.Scope != scope {
		_, err := ledger.Decode(data, scope) // it says what is wrong
		return ledger.ChangeSet{}, err
	}
	return ledger.ChangeSet{V: p.V, Scope: p.Scope, Checkpoint: p.Checkpoint}, nil
}

// Checkpoint is the sequence of the last event of the thread that has been consumed.
func (s *Service) Checkpoint(ctx context.Context, r memory.ThreadRef) (uint64, error) {
	state, err := s.state(ctx, r)
	return state.Seq, err
}
