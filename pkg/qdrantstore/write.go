package qdrantstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
)

// Write puts a batch, in an order that leaves no memory unseen if it is cut off: what is
// erased is deleted first; a memory is put where it goes before a marker takes its place
// where it was; the cursors come last. Memories, markers and checkpoints are put each only
// over a lower ledger sequence, and cursors never backwards, so that it may be repeated, and
// come late. A use of a memory counts where it is later than what is known; one that the
// ledger does not know of stays marked until a state or a record of the ledger is as late.
// Write returns when all of it is applied.
func (s *Store) Write(ctx context.Context, b index.Batch) error {
	planned, err := plan(s.pair, b)
	if err != nil {
		return err
	}
	for scope, below := range b.Erased {
		if err := s.eraseBelow(ctx, scope, below); err != nil {
			return err
		}
	}
	for _, u := range planned {
		if err := s.apply(ctx, u); err != nil {
			return err
		}
	}
	return nil
}

// maxOperations bounds the operations of one request.
const maxOperations = 1000

func (s *Store) apply(ctx context.Context, u update) error {
	for ops := range slices.Chunk(u.ops, maxOperations) {
		results, err := s.client.UpdateBatch(ctx, &qdrant.UpdateBatchPoints{
			CollectionName: u.collection, Operations: ops, Wait: qdrant.PtrOf(true),
			Ordering: &qdrant.WriteOrdering{Type: qdrant.WriteOrderingType_Strong},
		})
		if err != nil {
			return fmt.Errorf("write points: %w", classify(err))
		}
		for _, r := range results {
			if r.GetStatus() != qdrant.UpdateStatus_Completed {
				return fmt.Errorf("write points: status %s", r.GetStatus())
			}
		}
	}
	return nil
}

// update is what goes to one collection without anything in between.
type update struct {
	collection string
	ops        []*qdrant.PointsUpdateOperation
}

// updates are carried out in order.
type updates []update

func (u *updates) add(collection string, ops ...*qdrant.PointsUpdateOperation) {
	if len(ops) == 0 {
		return
	}
	if n := len(*u); n > 0 && (*u)[n-1].collection == collection {
		(*u)[n-1].ops = append((*u)[n-1].ops, ops...)
		return
	}
	*u = append(*u, update{collection, slices.Clone(ops)})
}

// bySeq are points by the change set that made them.
type bySeq map[uint64][]*qdrant.PointStruct

func (b bySeq) upserts() []*qdrant.PointsUpdateOperation {
	var ops []*qdrant.PointsUpdateOperation
	for _, seq := range slices.Sorted(maps.Keys(b)) {
		for points := range slices.Chunk(b[seq], maxPoints) {
			ops = append(ops, upsert(index.Step{To: seq}, points))
		}
	}
	return ops
}

// upsert writes points over lower sequences only, and from step.From on. A point that is
// not there is inserted only if nothing has to lie before it.
func upsert(step index.Step, points []*qdrant.PointStruct) *qdrant.PointsUpdateOperation {
	list := &qdrant.PointsUpdateOperation_PointStructList{Points: points}
	within := &qdrant.Range{Lt: qdrant.PtrOf(float64(step.To))}
	if step.From > 0 {
		within.Gte = qdrant.PtrOf(float64(step.From))
		list.UpdateMode = qdrant.UpdateMode_UpdateOnly.Enum()
	}
	list.UpdateFilter = &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewRange(fieldSeq, within)}}
	return qdrant.NewPointsUpdateUpsert(list)
}
