package qdrantstore

import (
	"fmt"
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// plan is what to write after what is erased, with as few requests as the order allows: one
// for a batch that has to do with nothing but what is at hand.
func plan(p pair, b index.Batch) (updates, error) {
	var u updates
	if err := u.points(p, b); err != nil {
		return nil, err
	}
	drops, err := dropped(b.Dropped)
	if err != nil {
		return nil, err
	}
	uses, err := accessed(b.Accessed)
	if err != nil {
		return nil, err
	}
	for _, collection := range []string{p.archive, p.hand} {
		u.add(collection, drops...)
		u.add(collection, uses...)
	}
	for scope, step := range b.Cursors {
		if err := scope.Validate(); err != nil {
			return nil, fmt.Errorf("write cursor: %w", err)
		}
		u.add(p.hand, upsert(step, []*qdrant.PointStruct{cursorPoint(scope, step.To)}))
	}
	return u, nil
}

// points adds memories, their markers, checkpoints and documents: into the archive, at hand,
// and then what has left the archive.
func (u *updates) points(p pair, b index.Batch) error {
	archive, hand, left := bySeq{}, bySeq{}, bySeq{}
	for i := range b.Entries {
		e := &b.Entries[i]
		if err := e.Memory.Scope.Validate(); err != nil {
			return fmt.Errorf("write memory %s: %w", e.Memory.ID, err)
		}
		point, err := memoryPoint(e)
		if err != nil {
			return err
		}
		to, from := hand, left
		if inArchive(&e.Memory) {
			to, from = archive, hand
		}
		to[e.LedgerSeq] = append(to[e.LedgerSeq], point)
		if e.Moved {
			from[e.LedgerSeq] = append(from[e.LedgerSeq], markerPoint(e))
		}
	}
	for i := range b.Checkpoints {
		c := &b.Checkpoints[i]
		if err := c.Scope.Validate(); err != nil {
			return fmt.Errorf("write checkpoint: %w", err)
		}
		point, err := checkpointPoint(c)
		if err != nil {
			return err
		}
		hand[c.LedgerSeq] = append(hand[c.LedgerSeq], point)
	}
	if err := hand.documents(b.Documents); err != nil {
		return err
	}
	u.add(p.archive, archive.upserts()...)
	u.add(p.hand, hand.upserts()...)
	u.add(p.archive, left.upserts()...)
	return nil
}

// dropped deletes memories and markers below a sequence, wherever they are. The sequence is
// checked by the deletion itself: between a look and a deletion by id alone, another worker
// may have put the memory there anew. Since a point's sequence only grows, a server that
// replays its log decides the same again.
func dropped(drops []index.Dropped) ([]*qdrant.PointsUpdateOperation, error) {
	type key struct {
		scope memory.Scope
		seq   uint64
	}
	ids := map[key][]memory.ID{}
	for _, d := range drops {
		k := key{d.Scope, d.LedgerSeq}
		ids[k] = append(ids[k], d.ID)
	}
	var ops []*qdrant.PointsUpdateOperation
	for k, all := range ids {
		for some := range slices.Chunk(all, maxList) {
			f, err := scoped(k.scope, &qdrant.Filter{Must: []*qdrant.Condition{hasIDs(some), below(k.seq)}})
			if err != nil {
				return nil, fmt.Errorf("drop %d memories: %w", len(some), err)
			}
			ops = append(ops, qdrant.NewPointsUpdateDeletePoints(&qdrant.PointsUpdateOperation_DeletePoints{
				Points: qdrant.NewPointsSelectorFilter(f),
			}))
		}
	}
	return ops, nil
}

// below holds for points of change sets before the sequence.
func below(seq uint64) *qdrant.Condition {
	return qdrant.NewRange(fieldSeq, &qdrant.Range{Lt: qdrant.PtrOf(float64(seq))})
}

// accessed notes uses of memories, wherever they are. Those that age and those that do not
// have their date in different fields.
func accessed(accesses []index.Access) ([]*qdrant.PointsUpdateOperation, error) {
	type key struct {
		scope    memory.Scope
		at       time.Time
		recorded bool
	}
	ids := map[key][]memory.ID{}
	for _, a := range accesses {
		k := key{a.Scope, a.At.UTC().Truncate(time.Microsecond), a.Recorded}
		ids[k] = append(ids[k], a.ID)
	}
	var ops []*qdrant.PointsUpdateOperation
	for k, all := range ids {
		for some := range slices.Chunk(all, maxList) {
			for _, field := range []string{fieldUsed, fieldLastingUsed} {
				f, err := scoped(k.scope, &qdrant.Filter{Must: []*qdrant.Condition{
					hasIDs(some), usedBefore(field, k.at, k.recorded),
				}})
				if err != nil {
					return nil, fmt.Errorf("write access to %d memories: %w", len(some), err)
				}
				ops = append(ops, setUsed(f, field, k.at, k.recorded))
			}
		}
	}
	return ops, nil
}

// usedBefore holds where the use is the later one. A use that the ledger knows of counts
// where it is the last that is known, too: then nothing is left that the ledger lacks.
func usedBefore(field string, at time.Time, recorded bool) *qdrant.Condition {
	if recorded {
		return qdrant.NewDatetimeRange(field, &qdrant.DatetimeRange{Lte: timestamppb.New(at)})
	}
	return qdrant.NewDatetimeRange(field, &qdrant.DatetimeRange{Lt: timestamppb.New(at)})
}

func setUsed(f *qdrant.Filter, field string, at time.Time, recorded bool) *qdrant.PointsUpdateOperation {
	p := payload{fieldAccessed: qdrant.NewValueBool(true)}
	if recorded {
		p[fieldAccessed] = qdrant.NewValueNull() // takes the field away
	}
	p.date(field, at)
	return qdrant.NewPointsUpdateSetPayload(&qdrant.PointsUpdateOperation_SetPayload{
		Payload: p, PointsSelector: qdrant.NewPointsSelectorFilter(f),
	})
}
