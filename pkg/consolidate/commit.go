package consolidate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/mnemond/mnemond/pkg/answer"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// errOvertaken means that another worker has consumed what this one has gathered.
var errOvertaken = errors.New("the thread's checkpoint has moved")

// commit decides about a piece of a thread, and moves the cached checkpoint.
func (s *Service) commit(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, g *gathered, found extraction) (*ledger.ChangeSet, error) {
	cs, seq, err := s.append(ctx, r, state, g, found)
	if err != nil {
		return nil, err
	}
	return cs, s.cache(ctx, r, state, seq, cs)
}

// append reconciles and appends until no other decision comes between, and projects. What was
// extracted is used again on each try: only the memories are read anew. It says errOvertaken
// when what was gathered has been consumed or erased since.
func (s *Service) append(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, g *gathered, found extraction) (cs *ledger.ChangeSet, seq uint64, err error) {
	first := state.LedgerSeq == 0
	tries := 0
	seq, err = s.decider.DoFrom(ctx, r.Scope(), state.LedgerSeq, func(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
		if tries++; tries > 1 {
			if err := s.again(ctx, r, state, g, head); err != nil {
				return nil, err
			}
			first = head == 0
		}
		var err error
		cs, err = s.decide(ctx, r, g, found)
		return cs, err
	})
	if err == nil && first {
		err = s.takeBack(ctx, r.Scope(), g, seq)
	}
	return cs, seq, err
}

// again brings the thread's state up to the owner's present head, and says errOvertaken when
// what was gathered has been consumed since, or erased: then what consumed the thread before
// is not there any more, or the fence has moved.
func (s *Service) again(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, g *gathered, head uint64) error {
	if err := s.fold(ctx, r, state, head); err != nil {
		return err
	}
	if state.Seq != g.after {
		return errOvertaken
	}
	held, err := s.decided(ctx, r, g.last)
	if err != nil {
		return err
	}
	fence, err := s.fence(ctx, r.Scope(), state)
	if err != nil {
		return err
	}
	if !held || fence > g.fence {
		return errOvertaken
	}
	return nil
}

// takeBack deletes the owner's first change set when an erasure has come before it: on an
// empty ledger the expected head does not tell.
func (s *Service) takeBack(ctx context.Context, scope memory.Scope, g *gathered, seq uint64) error {
	fence, err := s.Erasures.Fence(ctx, scope)
	if err != nil {
		return fmt.Errorf("look for an erasure: %w", err)
	}
	if fence <= g.fence {
		return nil
	}
	if err := s.Erasures.TakeBack(ctx, scope, seq); err != nil {
		return fmt.Errorf("take change set %d back: %w", seq, err)
	}
	return errOvertaken
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
		Checkpoint: &ledger.Checkpoint{
			Thread: r.Thread, Seq: g.upTo, Events: g.hashes, Recent: g.recent(), Parked: g.parked,
		},
	}
	in, d, err := s.reconcile(ctx, now, scope, g, &found)
	if err != nil {
		return nil, err
	}
	cs.Changes, cs.QuestionOpened, cs.QuestionClosed = d.Changes, d.Opened, d.Closed
	cs.Rejections = found.rejections()
	cs.Checkpoint.Counts = g.account(found, in, d)
	return cs, nil
}

// reconcile loads what the decision needs, and decides. Open questions are looked for
// whenever the user has said something: it may be the answer.
func (s *Service) reconcile(ctx context.Context, now time.Time, scope memory.Scope, g *gathered, found *extraction) (in reconcile.Input, d reconcile.Decision, err error) {
	in = reconcile.Input{
		Now: now, Scope: scope, Registry: s.Registry, Policy: s.Policies.For(scope.Tenant), Secret: s.Secret,
		Statements: found.statements, Requests: slices.Concat(found.requests, g.feedback),
	}
	if g.parked || !g.heard() && len(in.Requests) == 0 {
		return in, d, nil
	}
	needs := reconcile.NeedsOf(in)
	needs.Open = true
	needs.All = needs.All || len(found.unsaid) > 0
	if in.Existing, err = s.Memories.Needed(ctx, scope, needs); err != nil {
		return in, d, fmt.Errorf("read memories: %w", err)
	}
	for _, u := range found.unsaid {
		in.Requests = append(in.Requests, u.takenBack(in.Existing))
	}
	if open := reconcile.OpenQuestions(in); len(open) > 0 {
		g.answer(&in, open, found.answers)
	}
	if len(in.Answers)+len(found.unsaid) > 0 {
		if in.Existing, err = s.Memories.Needed(ctx, scope, reconcile.NeedsOf(in)); err != nil {
			return in, d, fmt.Errorf("read memories: %w", err)
		}
	}
	return in, reconcile.Plan(in), nil
}

// answer adds what the user's words make of the open questions, as they say themselves or
// the extractor does, and takes out of the statements what is an answer and nothing else.
func (g *gathered) answer(in *reconcile.Input, open []memory.Question, extracted []memory.Directive) {
	heard := answer.Recognise(answer.Input{Registry: in.Registry, Questions: open, Messages: g.messages, Named: g.asked})
	taken := map[memory.ID]bool{}
	for _, d := range slices.Concat(heard, extracted) {
		at := slices.IndexFunc(open, func(q memory.Question) bool { return q.ID == d.Question })
		if at < 0 || taken[d.Question] {
			continue
		}
		q := &open[at]
		taken[q.ID] = true
		in.Answers = append(in.Answers, reconcile.Answer{
			Question: q.ID, Key: q.Key, Decision: d.Decision, Value: d.What, Evidence: g.evidence(d.Source),
		})
		in.Statements = slices.DeleteFunc(slices.Clone(in.Statements), func(s reconcile.Statement) bool {
			return answer.Absorbs(in.Registry, q, d, &s.Candidate)
		})
	}
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
func (g *gathered) account(found extraction, in reconcile.Input, d reconcile.Decision) ledger.Counts {
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
	note := func(e memory.Evidence, o reconcile.Outcome) {
		at := place{e.Seq, e.Message}
		best[at] = better(best[at], o)
	}
	for i, o := range d.Outcomes {
		note(in.Statements[i].Evidence, o)
	}
	for i, o := range d.Requested {
		note(in.Requests[i].Evidence, o)
	}
	for i, o := range d.Answered {
		note(in.Answers[i].Evidence, o)
	}
	for _, m := range fresh {
		switch best[place{m.Seq, m.Index}] {
		case reconcile.Remembered, reconcile.Done:
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
	for _, o := range []reconcile.Outcome{reconcile.Remembered, reconcile.Done, reconcile.Refreshed} {
		if a == o || b == o {
			return o
		}
	}
	return b
}

func attr(key, value string) attribute.KeyValue { return attribute.String(key, value) }
