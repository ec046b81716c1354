package consolidate

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/verify"
)

// errOvertaken means that another worker has consumed what this one has gathered.
var errOvertaken = errors.New("the thread's checkpoint has moved")

// commit reconciles and appends until no other decision comes between, then projects. What
// was extracted is used again on each try: only the memories are read anew.
func (s *Service) commit(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, g *gathered, found extraction) (*ledger.ChangeSet, error) {
	scope := r.Scope()
	for {
		if state.Seq != g.after {
			return nil, errOvertaken
		}
		head := state.LedgerSeq
		cs, data, err := s.fitting(ctx, r, g, &found)
		if err != nil {
			return nil, err
		}
		held, err := s.Projector.Holds(ctx, scope, head)
		if err != nil {
			return nil, err
		}
		if held {
			s.Reached(StepDecided)
			seq, err := s.Ledger.Append(ctx, scope, head, data)
			if err == nil {
				s.Reached(StepAppended)
				return cs, s.finish(ctx, r, state, head, seq, cs)
			}
			if !errors.Is(err, ledger.ErrConflict) {
				return nil, fmt.Errorf("append change set: %w", err)
			}
		}
		// Another decision came between, or a rebuild has published another collection.
		if err := s.advance(ctx, r, state); err != nil {
			return nil, err
		}
	}
}

// advance brings the collection and the state up to the owner's present head.
func (s *Service) advance(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	head, err := s.Projector.CatchUp(ctx, r.Scope())
	if err != nil {
		return fmt.Errorf("catch up: %w", err)
	}
	return s.fold(ctx, r, state, head)
}

// maxCache bounds the cached fold of a thread, below the broker's payload of 1 MiB: some
// 90,000 events. A longer thread is folded from its checkpoints each time.
const maxCache = 768 << 10

// finish does what whoever comes next would do otherwise: it projects the change set and
// moves the cached checkpoint.
func (s *Service) finish(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, head, seq uint64, cs *ledger.ChangeSet) error {
	if err := s.Projector.Apply(ctx, cs.Scope, head, seq, cs); err != nil {
		return fmt.Errorf("project change set %d: %w", seq, err)
	}
	s.Reached(StepProjected)
	state.Apply(seq, cs.Checkpoint)
	if cache := state.Encode(); len(cache) <= maxCache {
		if err := s.Threads.Store(ctx, r, cache); err != nil {
			return fmt.Errorf("write thread cache: %w", err)
		}
	}
	s.Reached(StepCached)
	return nil
}

// fitting decides, and encodes the change set. What makes it larger than it may be is
// refused, beginning with what was said last: one huge decision must not hold its thread up
// for ever.
func (s *Service) fitting(ctx context.Context, r memory.ThreadRef, g *gathered, found *extraction) (*ledger.ChangeSet, []byte, error) {
	for {
		cs, err := s.decide(ctx, r, g, *found)
		if err != nil {
			return nil, nil, err
		}
		data, err := cs.Encode()
		if err == nil || len(found.statements) == 0 {
			return cs, data, err
		}
		kept := len(found.statements) / 2
		for _, st := range found.statements[kept:] {
			found.refuse(verify.ReasonTooMany, st.Source.Message)
		}
		found.statements = found.statements[:kept]
	}
}

// decide makes the change set of a piece of a thread.
func (s *Service) decide(ctx context.Context, r memory.ThreadRef, g *gathered, found extraction) (*ledger.ChangeSet, error) {
	now, scope := s.Now(), r.Scope()
	cs := &ledger.ChangeSet{
		V: ledger.Version, At: now.UTC(), Author: ledger.AuthorExtractor, Scope: scope,
		Rejections: found.rejections(),
		Checkpoint: &ledger.Checkpoint{
			Thread: r.Thread, Seq: g.upTo, Events: g.hashes, Recent: g.recent(), Parked: g.parked,
		},
	}
	var decision reconcile.Decision
	if len(found.statements) > 0 {
		needs := reconcile.NeedsOf(s.Registry, scope, found.statements)
		existing, err := s.Memories.Needed(ctx, scope, needs)
		if err != nil {
			return nil, fmt.Errorf("read memories: %w", err)
		}
		decision = reconcile.Plan(reconcile.Input{
			Now: now, Scope: scope, Registry: s.Registry,
			Statements: found.statements, Existing: existing,
		})
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
