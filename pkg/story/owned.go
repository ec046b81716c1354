package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// owned takes the steps in which a user says which of their memories are meant.
func (r *run) owned(ctx context.Context, s *Step) error {
	r.sim.Clock.Advance(s.At)
	switch {
	case s.Delete != nil:
		scope := s.Delete.scope()
		_, err := r.sim.Post(ctx, "/v1/forget", map[string]any{
			"tenant": scope.Tenant, "user": scope.Owner.ID, "contains": s.Delete.Contains,
		})
		return err
	case s.Forget != nil:
		return r.selected(ctx, "/v1/forget", s.Forget)
	case s.Suppress != nil:
		return r.selected(ctx, "/v1/suppress", s.Suppress)
	case s.Unsuppress != nil:
		return r.selected(ctx, "/v1/unsuppress", s.Unsuppress)
	default:
		return r.restore(ctx, s.Restore)
	}
}

// selected posts a selection of memories, with the step's fields as they are.
func (r *run) selected(ctx context.Context, path string, raw json.RawMessage) error {
	var who Owner
	var body map[string]any
	if err := errors.Join(json.Unmarshal(raw, &who), json.Unmarshal(raw, &body)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if part, ok := body["ids_of"].(string); ok {
		ids, err := r.ids(ctx, who.scope(), part)
		if err != nil {
			return err
		}
		delete(body, "ids_of")
		body["ids"] = ids
	}
	_, err := r.sim.Post(ctx, path, body)
	return err
}

// ids are the memories of an owner, in either collection, that contain something.
func (r *run) ids(ctx context.Context, scope memory.Scope, part string) ([]memory.ID, error) {
	hand, err := r.sim.Stack.Recall.Memories(ctx, scope)
	if err != nil {
		return nil, err
	}
	archive, err := r.sim.Stack.Recall.Archive(ctx, scope)
	if err != nil {
		return nil, err
	}
	match := Match{Contains: part}
	var ids []memory.ID
	for _, m := range slices.Concat(hand, archive) {
		if match.fits(&m) {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("no memory contains %q", part)
	}
	return ids, nil
}

// restore undoes deletions, as the ledger knows them.
func (r *run) restore(ctx context.Context, s *Selection) error {
	scope := s.scope()
	records, err := r.sim.Stack.Recall.Records(ctx, scope)
	if err != nil {
		return err
	}
	match := Match{Contains: s.Contains}
	fits, deleted := map[memory.ID]bool{}, map[memory.ID]bool{}
	for _, rec := range records {
		for _, c := range rec.OfMemories() {
			id := c.Memory.ID
			fits[id] = fits[id] || match.fits(&c.Memory)
			if c.Op != ledger.OpPurge {
				deleted[id] = c.Op == ledger.OpDelete && c.Reason != reconcile.ReasonRequested
			}
		}
	}
	n := 0
	for id, gone := range deleted {
		if !gone || !fits[id] {
			continue
		}
		n++
		body := map[string]any{"tenant": scope.Tenant, "user": scope.Owner.ID}
		if _, err := r.sim.Post(ctx, "/v1/memories/"+url.PathEscape(string(id))+"/restore", body); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("restore: nothing that was deleted contained %q", s.Contains)
	}
	return nil
}

// feedback sends a rating.
func (r *run) feedback(ctx context.Context, s *Step) error {
	var f map[string]any
	if err := json.Unmarshal(s.Feedback, &f); err != nil {
		return fmt.Errorf("feedback: %w", err)
	}
	if f["recall_id"] == "recall" {
		var last struct {
			ID string `json:"recall_id"`
		}
		if err := json.Unmarshal(r.recalled, &last); err != nil {
			return fmt.Errorf("feedback: no recall before it: %w", err)
		}
		f["recall_id"] = last.ID
	}
	if part, ok := f["memory_of"].(string); ok {
		ids, err := r.ids(ctx, Owner{s.Tenant, s.User}.scope(), part)
		if err != nil {
			return err
		}
		delete(f, "memory_of")
		f["memory_id"] = ids[0]
	}
	e, err := r.event(s, s.At, event.Turn{})
	if err != nil {
		return err
	}
	e.Type = event.TypeFeedback
	if e.Data, err = json.Marshal(f); err != nil {
		return fmt.Errorf("feedback: %w", err)
	}
	r.sim.Clock.Advance(s.At)
	seq, err := r.sim.Publish(ctx, e)
	if err != nil {
		return err
	}
	return r.sim.Settle(ctx, e.Ref(), seq)
}
