package consolidate

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// errOvertaken means that another worker has consumed what this one has gathered.
var errOvertaken = errors.New("the thread's checkpoint has moved")

// commit reconciles and appends until no other decision comes between, then projects and
// moves the cached checkpoint. What was extracted is used again on each try: only the
// memories are read anew.
func (s *Service) commit(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, g *gathered, found extraction) (*ledger.ChangeSet, error) {
	var cs *ledger.ChangeSet
	seq, err := s.decider.DoFrom(ctx, r.Scope(), state.LedgerSeq, func(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
		if err := s.fold(ctx, r, state, head); err != nil {
			return nil, err
		}
		if state.Seq != g.after {
			return nil, errOvertaken
		}
		var err error
		cs, err = s.decide(ctx, r, g, found)
		return cs, err
	})
	if err != nil {
		return nil, err
	}
	return cs, s.cache(ctx, r, state, seq, cs)
}

// maxCache bounds the cached fold of a thread, below the broker's payload of 1 MiB: some
// 90,000 events. A longer thread is folded from its checkpoints each time.
const maxCache = 768 << 10

// cache moves the cached checkpoint, which whoever comes next would do otherwise.
func (s *Service) cache(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, seq uint64, cs *ledger.ChangeSet) error {
	state.Apply(seq, cs.Checkpoint)
	if cache := state.Encode(); len(cache) <= maxCache {
		if err := s.Threads.Store(ctx, r, cache); err != nil {
			return fmt.Errorf("write thread cache: %w", err)
		}
	}
	s.Reached(StepCached)
	return nil
}

// decide makes the change set of a piece of a thread.
func (s *Service) decide(ctx context.Context, r memory.ThreadRef, g *gathered, found extraction) (*ledger.ChangeSet, error) {
	scope := r.Scope()
	now := s.Now()
	cs := &ledger.ChangeSet{
		V: ledger.Version, At: now.UTC(), Author: ledger.AuthorExtractor, Scope: scope,
		Rejections: found.rejections(),
		Checkpoint: &ledger.Checkpoint{
			Thread: r.Thread, Seq: g.upTo, Events: g.hashes, Recent: g.recent(), Parked: g.parked,
		},
	}
	in := reconcile.Input{Now: now, Scope: scope, Registry: s.Registry, Statements: found.statements}
	var decision reconcile.Decision
	if len(found.statements) > 0 {
		var err error
		if in.Existing, err = s.Memories.Needed(ctx, scope, reconcile.NeedsOf(in)); err != nil {
			return nil, fmt.Errorf("read memories: %w", err)
		}
		decision = reconcile.Plan(in)
	}
	cs.Changes = decision.Changes
	cs.Checkpoint.Counts = g.account(found, decision.Outcomes)
	return cs, nil
}

// recent are the last events of the piece, the context of the next.
func (g *gathered) recent() []uint64 {
	var out []uint64
	for _, st := range g.fresh[max(0, len(g.fresh)-4):] {
		out = append(out, st.Seq)
	}
	return out
}

// account says what became of every new message. An event that cannot be read counts as
// one message.
func (g *gathered) account(found extraction, outcomes []reconcile.Outcome) ledger.Counts {
	fresh := g.messages[g.fromNew:]
	n := ledger.Counts{Messages: len(fresh) + g.invalid, Parked: g.invalid}
	if g.parked {
		n.Parked += len(fresh)
		return n
	}
	type place struct {
		seq   uint64
		index int
	}
	best := map[place]reconcile.Outcome{}
	for i, st := range found.statements {
		at := place{st.Evidence.Seq, st.Evidence.Message}
		best[at] = better(best[at], outcomes[i])
	}
	for _, m := range fresh {
		switch best[place{m.Seq, m.Index}] {
		case reconcile.Remembered:
			n.Remembered++
		case reconcile.Refreshed:
			n.Refreshed++
		default:
			if found.refusedIn[m.Number] {
				n.Rejected++
			} else {
				n.Nothing++
			}
		}
	}
	return n
}

// better is the outcome that a message counts under when it has both.
func better(a, b reconcile.Outcome) reconcile.Outcome {
	for _, o := range []reconcile.Outcome{reconcile.Remembered, reconcile.Refreshed} {
		if a == o || b == o {
			return o
		}
	}
	return b
}

func attr(key, value string) attribute.KeyValue { return attribute.String(key, value) }
