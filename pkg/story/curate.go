package story

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
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
	q := url.Values{"tenant": {string(scope.Tenant)}, "user": {scope.Owner.ID}}
	raw, err := r.sim.Call(ctx, http.MethodGet, "/v1/questions?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	var open struct{ Questions []memory.Question }
	if err := json.Unmarshal(raw, &open); err != nil {
		return fmt.Errorf("confirm: %w", err)
	}
	if len(open.Questions) != 1 {
		return fmt.Errorf("confirm: %d open questions, want one", len(open.Questions))
	}
	_, err = r.sim.Post(ctx, "/v1/questions/"+string(open.Questions[0].ID)+"/answer", map[string]any{
		"tenant": scope.Tenant, "user": scope.Owner.ID, "decision": c.Decision, "value": c.Value,
	})
	return err
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
