package qdrantstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// rrfK is the constant of reciprocal rank fusion: Cormack, Clarke and Büttcher (2009).
const rrfK = 60

// scoped is the one place where a filter is made: it always names the owner, and points of
// one type.
func scoped(s memory.Scope, kind string, f *qdrant.Filter) (*qdrant.Filter, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f.Must = append(
		f.Must,
		qdrant.NewMatchKeyword(fieldOwner, ownerOf(s)),
		qdrant.NewMatchKeyword(fieldType, kind),
	)
	return f, nil
}

// Needed returns the memories that a decision needs, in any status, ordered by id.
func (s *Store) Needed(ctx context.Context, scope memory.Scope, n reconcile.Needs) ([]memory.Memory, error) {
	var any []*qdrant.Condition
	if len(n.IDs) > 0 {
		ids := make([]*qdrant.PointId, 0, len(n.IDs))
		for _, id := range n.IDs {
			ids = append(ids, qdrant.NewIDUUID(string(id)))
		}
		any = append(any, qdrant.NewHasID(ids...))
	}
	if len(n.Keys) > 0 {
		any = append(
			any,
			qdrant.NewMatchKeywords(fieldAbout, words(n.Keys)...),
			all(
				qdrant.NewMatchKeyword(fieldStatus, string(memory.StatusDisputed)),
				qdrant.NewMatchKeywords(fieldKey, words(n.Keys)...),
			),
		)
	}
	if len(n.Whole) > 0 {
		any = append(any, all(
			qdrant.NewMatchKeyword(fieldStatus, string(memory.StatusCurrent)),
			qdrant.NewMatchKeywords(fieldKey, words(n.Whole)...),
		))
	}
	if !n.PlansSince.IsZero() {
		any = append(any, all(qdrant.NewMatchBool(fieldPlan, true), notExpired(n.PlansSince)))
	}
	if len(any) == 0 {
		return nil, nil
	}
	return s.scroll(ctx, scope, &qdrant.Filter{Should: any})
}

// List returns the owner's memories in any status, ordered by id.
func (s *Store) List(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	return s.scroll(ctx, scope, &qdrant.Filter{})
}

// Search returns the owner's current memories nearest to the query: those that share a term
// with it, and those whose dense vector is near enough, fused by reciprocal rank.
func (s *Store) Search(ctx context.Context, scope memory.Scope, q index.Query) ([]index.Hit, error) {
	filter := &qdrant.Filter{Must: []*qdrant.Condition{
		qdrant.NewMatchKeyword(fieldStatus, string(memory.StatusCurrent)),
		notExpired(q.Now),
	}}
	if len(q.Kinds) > 0 {
		filter.Must = append(filter.Must, qdrant.NewMatchKeywords(fieldKind, words(q.Kinds)...))
	}
	filter, err := scoped(scope, typeMemory, filter)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	limit := qdrant.PtrOf(uint64(q.Limit))
	prefetch := []*qdrant.PrefetchQuery{{
		Query: qdrant.NewQueryDense(q.Dense), Using: qdrant.PtrOf(vectorDense),
		Filter: filter, Limit: limit, ScoreThreshold: qdrant.PtrOf(q.MinDense),
	}}
	if len(q.Sparse.Indices) > 0 {
		prefetch = append(prefetch, &qdrant.PrefetchQuery{
			Query: qdrant.NewQuerySparse(q.Sparse.Indices, q.Sparse.Values), Using: qdrant.PtrOf(vectorSparse),
			Filter: filter, Limit: limit,
		})
	}
	points, err := s.client.Query(ctx, &qdrant.QueryPoints{
		CollectionName: s.collection, Prefetch: prefetch, Filter: filter, Limit: limit,
		Query:       qdrant.NewQueryRRF(&qdrant.Rrf{K: qdrant.PtrOf(uint32(rrfK))}),
		WithPayload: qdrant.NewWithPayloadInclude(fieldMemory),
	})
	if err != nil {
		return nil, fmt.Errorf("search: %w", classify(err))
	}
	hits := make([]index.Hit, 0, len(points))
	for _, p := range points {
		m, err := decode(p.GetPayload())
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		hits = append(hits, index.Hit{Memory: m, Fused: float64(p.GetScore())})
	}
	return hits, nil
}

// pageSize is how many points one scroll request returns.
const pageSize = 256

// scroll returns the owner's memories that a filter holds for, ordered by id.
func (s *Store) scroll(ctx context.Context, scope memory.Scope, f *qdrant.Filter) ([]memory.Memory, error) {
	var out []memory.Memory
	err := s.each(ctx, scope, typeMemory, f, fieldMemory, func(p *qdrant.RetrievedPoint) error {
		m, err := decode(p.GetPayload())
		if err == nil {
			out = append(out, m)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read memories: %w", err)
	}
	return out, nil
}

// Checkpoints returns those of the owner's thread from change sets after the sequence, in
// the order of decision.
func (s *Store) Checkpoints(ctx context.Context, scope memory.Scope, thread memory.Thread, after uint64) ([]index.Checkpoint, error) {
	f := &qdrant.Filter{Must: []*qdrant.Condition{
		qdrant.NewMatchKeyword(fieldThread, string(thread)),
		qdrant.NewRange(fieldSeq, &qdrant.Range{Gt: qdrant.PtrOf(float64(after))}),
	}}
	var out []index.Checkpoint
	err := s.each(ctx, scope, typeCheckpoint, f, fieldCheckpoint, func(p *qdrant.RetrievedPoint) error {
		c := index.Checkpoint{Scope: scope, LedgerSeq: uint64(p.GetPayload()[fieldSeq].GetIntegerValue())}
		if err := json.Unmarshal([]byte(p.GetPayload()[fieldCheckpoint].GetStringValue()), &c.Checkpoint); err != nil {
			return fmt.Errorf("decode checkpoint: %w", err)
		}
		out = append(out, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read checkpoints: %w", err)
	}
	slices.SortFunc(out, func(a, b index.Checkpoint) int { return cmp.Compare(a.LedgerSeq, b.LedgerSeq) })
	return out, nil
}

// each calls fn for the owner's points of a type that a filter holds for, ordered by id,
// with the ledger sequence and one more field.
func (s *Store) each(ctx context.Context, scope memory.Scope, kind string, f *qdrant.Filter, field string, fn func(*qdrant.RetrievedPoint) error) error {
	filter, err := scoped(scope, kind, f)
	if err != nil {
		return err
	}
	var offset *qdrant.PointId
	for {
		points, next, err := s.client.ScrollAndOffset(ctx, &qdrant.ScrollPoints{
			CollectionName: s.collection, Filter: filter, Offset: offset,
			Limit: qdrant.PtrOf(uint32(pageSize)), WithPayload: qdrant.NewWithPayloadInclude(fieldSeq, field),
		})
		if err != nil {
			return classify(err)
		}
		for _, p := range points {
			if err := fn(p); err != nil {
				return err
			}
		}
		if next == nil {
			return nil
		}
		offset = next
	}
}

var errPayload = errors.New("point without a memory")

func decode(payload map[string]*qdrant.Value) (memory.Memory, error) {
	var m memory.Memory
	raw := payload[fieldMemory].GetStringValue()
	if raw == "" {
		return m, errPayload
	}
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		return m, fmt.Errorf("decode memory: %w", err)
	}
	return m, nil
}

func all(c ...*qdrant.Condition) *qdrant.Condition {
	return qdrant.NewFilterAsCondition(&qdrant.Filter{Must: c})
}

// notExpired holds for what never expires and for what expires after now.
func notExpired(now time.Time) *qdrant.Condition {
	return qdrant.NewFilterAsCondition(&qdrant.Filter{Should: []*qdrant.Condition{
		qdrant.NewIsEmpty(fieldExpires),
		qdrant.NewDatetimeRange(fieldExpires, &qdrant.DatetimeRange{Gt: timestamppb.New(now)}),
	}})
}

func words[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}
