package story

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
)

// curate takes the steps of the owner's own side, of the reaper and of operators.
func (r *run) curate(ctx context.Context, s *Step) (faults, error) {
	r.sim.Clock.Advance(s.At)
	switch {
	case s.Confirm != nil:
		return nil, r.confirm(ctx, s.Confirm)
	case s.Erase != nil:
		scope := s.Erase.scope()
		raw, err := r.sim.Post(ctx, "/v1/erase", map[string]any{"tenant": scope.Tenant, "user": scope.Owner.ID})
		if err != nil || s.Expect == nil {
			return nil, err
		}
		return s.Expect.erased(raw), nil
	case s.Seed != nil:
		return nil, r.seed(ctx, s.Seed)
	case s.Reap != nil:
		r.sim.Clock.Advance(s.Reap.At)
		_, err := r.sim.Stack.Reap.RunOnce(ctx, reap.Job(s.Reap.Job), r.sim.Clock.Now(), nil)
		return nil, err
	default:
		scope := s.Reconsolidate.scope()
		return nil, r.sim.Stack.Consolidate.Again(ctx, memory.ThreadRef{
			Tenant: scope.Tenant, User: memory.User(scope.Owner.ID), Thread: s.Reconsolidate.Thread,
		})
	}
}

// confirm answers the user's only open question.
func (r *run) confirm(ctx context.Context, c *Confirm) error {
	scope := c.scope()
	open, err := r.questions(ctx, scope)
	if err != nil {
		return err
	}
	if len(open) != 1 {
		return fmt.Errorf("confirm: %d open questions, want one", len(open))
	}
	_, err = r.sim.Post(ctx, "/v1/questions/"+string(open[0].ID)+"/answer", map[string]any{
		"tenant": scope.Tenant, "user": scope.Owner.ID, "decision": c.Decision, "value": c.Value,
	})
	return err
}

// questions are the open ones of a user, as the HTTP edge lists them.
func (r *run) questions(ctx context.Context, scope memory.Scope) ([]memory.Question, error) {
	q := url.Values{"tenant": {string(scope.Tenant)}, "user": {scope.Owner.ID}}
	raw, err := r.sim.Call(ctx, http.MethodGet, "/v1/questions?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	var open struct{ Questions []memory.Question }
	if err := json.Unmarshal(raw, &open); err != nil {
		return nil, fmt.Errorf("questions: %w", err)
	}
	return open.Questions, nil
}

// about is the only open question of a user about a key.
func (r *run) about(ctx context.Context, scope memory.Scope, key memory.Key) (memory.ID, error) {
	open, err := r.questions(ctx, scope)
	if err != nil {
		return "", err
	}
	open = slices.DeleteFunc(open, func(q memory.Question) bool { return q.Key != key })
	if len(open) != 1 {
		return "", fmt.Errorf("question: %d are open about %s, want one", len(open), key)
	}
	return open[0].ID, nil
}

// seed adds memories through the ledger, as a decision like any other.
func (r *run) seed(ctx context.Context, s *Seed) error {
	scope, now := s.scope(), r.sim.Clock.Now()
	c := &ledger.ChangeSet{V: ledger.Version, At: now, Author: ledger.AuthorOperator, Scope: scope}
	for i := range s.Memories {
		text := fmt.Sprintf("Seed %d of %s in %s.", i+1, scope.Owner.ID, scope.Tenant)
		r.seeded[scope] = append(r.seeded[scope], text)
		c.Changes = append(c.Changes, ledger.Change{Op: ledger.OpAdd, Reason: "seeded", Memory: memory.Memory{
			ID: r.sim.Stack.Registry.Identity(scope, "", "", text), Scope: scope, Kind: memory.KindFact, Text: text, Language: "en",
			Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: now, CreatedAt: now, ConfirmedAt: now, Confidence: 1,
			Evidence: []memory.Evidence{{Event: fmt.Sprint("seed-", i+1), Role: memory.RoleUser, At: now, Quote: text}},
		}})
	}
	_, err := r.sim.Stack.Decider.Do(ctx, scope, func(context.Context, uint64) (*ledger.ChangeSet, error) { return c, nil })
	return err
}

// erased checks a receipt.
func (e *Expect) erased(raw []byte) faults {
	var f faults
	var got struct {
		Final    bool
		Memories int
		Finished time.Time `json:"finished_at"`
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		f.addf("receipt: %v", err)
		return f
	}
	if !got.Final || got.Finished.IsZero() {
		f.addf("receipt: it is not final: %s", raw)
	}
	if e.Receipt != nil && got.Memories != e.Receipt.Memories {
		f.addf("receipt: %d memories, want %d", got.Memories, e.Receipt.Memories)
	}
	return f
}

// replay puts every dead letter back, and waits until what it held is consolidated.
func (r *run) replay(ctx context.Context) error {
	if err := r.sim.Stack.ReplayDeadLetters(ctx); err != nil {
		return err
	}
	for _, ref := range r.sim.Threads() {
		head, err := r.sim.Stack.Events.Head(ctx, ref)
		if err != nil {
			return err
		}
		if err := r.sim.Settle(ctx, ref, head); err != nil {
			return err
		}
	}
	return nil
}
