package qdrantstore

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Erase deletes everything of the owner that change sets below the sequence have made (all,
// with math.MaxUint64), from every collection of ours: also from one that a rebuild fills,
// and from what a rebuild has left. It returns how many memories and documents that were, past
// values included, tombstones, markers and records of progress not. Where several pairs hold
// them, they count once.
func (s *Store) Erase(ctx context.Context, scope memory.Scope, below uint64) (int, error) {
	f, err := madeBelow(scope, below)
	if err != nil {
		return 0, fmt.Errorf("erase owner: %w", err)
	}
	return s.eraseEverywhere(ctx, f)
}

// EraseTenant deletes what change sets below the sequence have made of all owners of the
// tenant, as Erase does.
func (s *Store) EraseTenant(ctx context.Context, tenant memory.Tenant, below uint64) (int, error) {
	f, err := ofTenant(tenant, below)
	if err != nil {
		return 0, fmt.Errorf("erase tenant: %w", err)
	}
	return s.eraseEverywhere(ctx, f)
}

// CountOwner is how many points of the owner, of any sort, that change sets below the
// sequence have made (all, with math.MaxUint64) are in the collections of ours. After an
// erasure it is 0.
func (s *Store) CountOwner(ctx context.Context, scope memory.Scope, below uint64) (int, error) {
	f, err := madeBelow(scope, below)
	if err != nil {
		return 0, fmt.Errorf("count points of owner: %w", err)
	}
	return s.countEverywhere(ctx, f)
}

// CountTenant is how many points of all owners of the tenant there are, as CountOwner counts.
func (s *Store) CountTenant(ctx context.Context, tenant memory.Tenant, below uint64) (int, error) {
	f, err := ofTenant(tenant, below)
	if err != nil {
		return 0, fmt.Errorf("count points of tenant: %w", err)
	}
	return s.countEverywhere(ctx, f)
}

func madeBelow(scope memory.Scope, seq uint64) (*qdrant.Filter, error) {
	return scoped(scope, &qdrant.Filter{Must: anyBelow(seq)})
}

// ofTenant crosses owners, which only the erasure of their tenant may.
func ofTenant(tenant memory.Tenant, seq uint64) (*qdrant.Filter, error) {
	if err := memory.ValidateID(string(tenant)); err != nil {
		return nil, fmt.Errorf("%w: tenant: %w", memory.ErrScope, err)
	}
	return &qdrant.Filter{Must: append(anyBelow(seq), qdrant.NewMatchKeyword(fieldTenant, string(tenant)))}, nil
}

// anyBelow is below, or nothing where all are meant.
func anyBelow(seq uint64) []*qdrant.Condition {
	if seq == math.MaxUint64 {
		return nil
	}
	return []*qdrant.Condition{below(seq)}
}

// eraseBelow is Erase in the two collections of the store alone.
func (s *Store) eraseBelow(ctx context.Context, scope memory.Scope, seq uint64) error {
	f, err := madeBelow(scope, seq)
	if err != nil {
		return fmt.Errorf("erase owner: %w", err)
	}
	for _, name := range s.both() {
		if _, err := s.erase(ctx, name, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) eraseEverywhere(ctx context.Context, f *qdrant.Filter) (int, error) {
	kept := map[string]int{} // by pair
	err := s.everywhere(ctx, func(collection string) error {
		n, err := s.erase(ctx, collection, f)
		kept[pairOf(collection)] += n
		return err
	})
	most := 0
	for _, n := range kept {
		most = max(most, n)
	}
	return most, err
}

func (s *Store) countEverywhere(ctx context.Context, f *qdrant.Filter) (int, error) {
	n := 0
	err := s.everywhere(ctx, func(collection string) error {
		// An exact count is a scan of vectors to strict mode, and refused.
		for points, err := range s.pages(ctx, collection, f, maxPage, fieldType) {
			if err != nil {
				return fmt.Errorf("count points in %s: %w", collection, err)
			}
			n += len(points)
		}
		return nil
	})
	return n, err
}

// everywhere calls fn for each collection of ours. One that is dropped meanwhile, at the end
// of a rebuild, holds nothing any more.
func (s *Store) everywhere(ctx context.Context, fn func(collection string) error) error {
	names, err := ours(ctx, s.client)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := fn(name); err != nil && status.Code(err) != codes.NotFound {
			return err
		}
	}
	return nil
}

// maxPasses bounds how often an erasure looks again. More than two passes find something
// only while somebody goes on writing.
const maxPasses = 10

var errRefilled = errors.New("points appear again as they are deleted")

// erase deletes the points of a collection that f holds for, in passes, until one of them
// finds nothing. It returns how many of them were memories or documents.
func (s *Store) erase(ctx context.Context, collection string, f *qdrant.Filter) (kept int, err error) {
	for range maxPasses {
		found := 0
		for points, err := range s.pages(ctx, collection, f, maxList, fieldType, fieldStatus, fieldUpdated) {
			if err == nil {
				err = s.deletePoints(ctx, collection, f, points)
			}
			if err != nil {
				return kept, fmt.Errorf("erase points in %s: %w", collection, err)
			}
			found += len(points)
			kept += countKept(points)
		}
		if found == 0 {
			return kept, nil
		}
	}
	return kept, fmt.Errorf("erase points in %s: %w", collection, errRefilled)
}

func countKept(points []*qdrant.RetrievedPoint) int {
	n := 0
	for _, p := range points {
		fields := p.GetPayload()
		switch fields[fieldType].GetStringValue() {
		case typeMemory:
			if fields[fieldStatus].GetStringValue() != string(memory.StatusDeleted) {
				n++
			}
		case typeDocument:
			if fields[fieldUpdated] != nil {
				n++
			}
		}
	}
	return n
}

// deletePoints deletes points by their ids, and by what they were found by: between the two, a
// later change set may have put something else there.
func (s *Store) deletePoints(ctx context.Context, collection string, f *qdrant.Filter, points []*qdrant.RetrievedPoint) error {
	ids := make([]*qdrant.PointId, len(points))
	for i, p := range points {
		ids[i] = p.GetId()
	}
	still := &qdrant.Filter{Must: append([]*qdrant.Condition{qdrant.NewHasID(ids...)}, f.GetMust()...)}
	return s.apply(ctx, update{collection, []*qdrant.PointsUpdateOperation{
		qdrant.NewPointsUpdateDeletePoints(&qdrant.PointsUpdateOperation_DeletePoints{
			Points: qdrant.NewPointsSelectorFilter(still),
		}),
	}})
}
