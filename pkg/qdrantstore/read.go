package qdrantstore

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// Needed returns the memories that a decision needs, in any status, ordered by id. Those in
// the archive are found by their markers, which cost a second request where there are any.
func (s *Store) Needed(ctx context.Context, scope memory.Scope, n reconcile.Needs) ([]memory.Memory, error) {
	r := newReading(s, scope)
	if n.All {
		r.read(ctx, s.hand, &qdrant.Filter{})
		r.read(ctx, s.archive, &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewIsEmpty(fieldOrigin)}})
	} else if alternatives := wanted(n); len(alternatives) > 0 {
		r.read(ctx, s.hand, &qdrant.Filter{Should: alternatives}, typeMarker)
		r.readIDs(ctx, s.archive, r.markers)
	}
	if n.Past {
		r.read(ctx, s.archive, &qdrant.Filter{MustNot: []*qdrant.Condition{qdrant.NewIsEmpty(fieldOrigin)}})
	}
	return r.memories()
}

// wanted are alternatives: what is needed is any of them. Where something is, standing
// requests are, and what they keep from recall.
func wanted(n reconcile.Needs) []*qdrant.Condition {
	var out []*qdrant.Condition
	for some := range slices.Chunk(n.IDs, maxList) {
		out = append(out, hasIDs(some))
	}
	for _, k := range anyOf(fieldKey, n.Keys) {
		out = append(out, all(k, inStatus(memory.StatusDisputed, memory.StatusSettled)))
	}
	out = append(out, anyOf(fieldAbout, n.Keys)...)
	out = append(out, anyOf(fieldTombKey, n.Keys)...)
	for _, k := range anyOf(fieldKey, n.Whole) {
		out = append(out, all(k, inStatus(memory.StatusCurrent)))
	}
	out = append(out, anyOf(fieldHash, n.Hashes)...)
	if !n.PlansSince.IsZero() {
		out = append(out, all(qdrant.NewMatchBool(fieldPlan, true), notBefore(fieldPlanUntil, n.PlansSince)))
	}
	if n.Free {
		out = append(out, all(qdrant.NewIsEmpty(fieldKey), inStatus(memory.StatusCurrent)))
	}
	if n.Open {
		out = append(out, inStatus(memory.StatusDisputed), qdrant.NewMatchBool(fieldAsked, true))
	}
	if len(out) > 0 {
		out = append(out, inStatus(memory.StatusStanding), qdrant.NewMatchBool(fieldSuppressed, true))
	}
	return out
}

// Get returns those of the owner's memories that are there, at hand or in the archive, past
// values and tombstones included, ordered by id.
func (s *Store) Get(ctx context.Context, scope memory.Scope, ids []memory.ID) ([]memory.Memory, error) {
	r := newReading(s, scope)
	r.readIDs(ctx, s.hand, ids)
	r.readIDs(ctx, s.archive, slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool {
		_, found := r.found[id]
		return found
	}))
	return r.memories()
}

// List returns what the owner has at hand, in any status but deleted, ordered by id.
func (s *Store) List(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	r := newReading(s, scope)
	r.read(ctx, s.hand, &qdrant.Filter{MustNot: []*qdrant.Condition{inStatus(memory.StatusDeleted)}})
	return r.memories()
}

// ListArchive returns what the owner has in the archive, past values included, ordered by id.
func (s *Store) ListArchive(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	r := newReading(s, scope)
	r.read(ctx, s.archive, &qdrant.Filter{})
	return r.memories()
}

// Tombstones returns what is left of the owner's deleted memories, ordered by id.
func (s *Store) Tombstones(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	r := newReading(s, scope)
	r.read(ctx, s.hand, &qdrant.Filter{Must: []*qdrant.Condition{inStatus(memory.StatusDeleted)}})
	return r.memories()
}

// Checkpoints returns those of the owner's thread from change sets after the sequence, in
// the order of decision.
func (s *Store) Checkpoints(ctx context.Context, scope memory.Scope, thread memory.Thread, after uint64) ([]index.Checkpoint, error) {
	f, err := scoped(scope, &qdrant.Filter{Must: []*qdrant.Condition{
		qdrant.NewMatchKeyword(fieldThread, string(thread)),
		qdrant.NewRange(fieldSeq, &qdrant.Range{Gt: qdrant.PtrOf(float64(after))}),
	}}, typeCheckpoint)
	if err != nil {
		return nil, fmt.Errorf("read checkpoints: %w", err)
	}
	var out []index.Checkpoint
	for points, err := range s.pages(ctx, s.hand, f, pageSize, fieldSeq, fieldCheckpoint) {
		if err != nil {
			return nil, fmt.Errorf("read checkpoints: %w", err)
		}
		for _, p := range points {
			c := index.Checkpoint{Scope: scope, LedgerSeq: sequence(p.GetPayload())}
			if err := json.Unmarshal([]byte(p.GetPayload()[fieldCheckpoint].GetStringValue()), &c.Checkpoint); err != nil {
				return nil, fmt.Errorf("decode checkpoint: %w", err)
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b index.Checkpoint) int { return cmp.Compare(a.LedgerSeq, b.LedgerSeq) })
	return out, nil
}
