package qdrantstore

import (
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/mnemond/mnemond/pkg/memory"
)

// scoped is the one place where a filter for an owner is made: it always names the owner,
// and the types of points that it is for, or none for all. Only a sweep, and the erasure of
// a tenant, go beyond one owner.
func scoped(s memory.Scope, f *qdrant.Filter, types ...string) (*qdrant.Filter, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	own := []*qdrant.Condition{qdrant.NewMatchKeyword(fieldOwner, ownerOf(s))}
	if len(types) > 0 {
		own = append(own, qdrant.NewMatchKeywords(fieldType, types...))
	}
	return &qdrant.Filter{Must: append(own, f.GetMust()...), Should: f.GetShould(), MustNot: f.GetMustNot()}, nil
}

// hasIDs holds for at most maxList points.
func hasIDs(ids []memory.ID) *qdrant.Condition {
	out := make([]*qdrant.PointId, len(ids))
	for i, id := range ids {
		out[i] = qdrant.NewIDUUID(string(id))
	}
	return qdrant.NewHasID(out...)
}

// anyOf holds where the field has one of the values, in as many conditions as they need.
func anyOf[T ~string](field string, values []T) []*qdrant.Condition {
	var out []*qdrant.Condition
	for some := range slices.Chunk(values, maxList) {
		out = append(out, qdrant.NewMatchKeywords(field, words(some)...))
	}
	return out
}

func all(c ...*qdrant.Condition) *qdrant.Condition {
	return qdrant.NewFilterAsCondition(&qdrant.Filter{Must: c})
}

func inStatus(s ...memory.Status) *qdrant.Condition {
	return qdrant.NewMatchKeywords(fieldStatus, words(s)...)
}

// laterThan holds for what has no such date, and where it lies after the instant.
func laterThan(field string, at time.Time) *qdrant.Condition {
	return within(field, &qdrant.DatetimeRange{Gt: timestamppb.New(at)})
}

// notBefore holds for what has no such date, and where it lies at the instant or after it, as
// far as the index can tell.
func notBefore(field string, at time.Time) *qdrant.Condition {
	return within(field, &qdrant.DatetimeRange{Gte: timestamppb.New(at.Truncate(time.Microsecond))})
}

// within holds for what has no such date, and where it lies in the range.
func within(field string, r *qdrant.DatetimeRange) *qdrant.Condition {
	return qdrant.NewFilterAsCondition(&qdrant.Filter{Should: []*qdrant.Condition{
		qdrant.NewIsEmpty(field), qdrant.NewDatetimeRange(field, r),
	}})
}
