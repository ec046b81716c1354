package qdrantmem

import (
	"cmp"
	"context"

	"github.com/qdrant/go-client/qdrant"
)

// write is one change to a collection; it is called under the write lock.
type write func(*collection) error

// target is what every request to write carries.
type target interface {
	GetCollectionName() string
	GetWait() bool
}

// options is what every request to write points carries.
type options interface {
	target
	GetShardKeySelector() *qdrant.ShardKeySelector
}

// apply applies w, which was read from a request with opts; readErr is what reading gave.
func (s *pointsService) apply(opts options, timeout *uint64, w write, readErr error) (*qdrant.PointsOperationResponse, error) {
	if readErr != nil {
		return nil, readErr
	}
	if opts.GetShardKeySelector() != nil {
		return nil, unimplemented("a shard key")
	}
	result, err := s.applyTo(opts.GetCollectionName(), opts.GetWait(), timeout, w)
	if err != nil {
		return nil, err
	}
	return &qdrant.PointsOperationResponse{Result: result}, nil
}

func (s *pointsService) applyTo(name string, wait bool, timeout *uint64, w write) (*qdrant.UpdateResult, error) {
	c, err := s.catalog.find(name)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkTimeout(timeout); err != nil {
		return nil, err
	}
	c.version++
	operation := c.version
	if err := reported(w(c), wait); err != nil {
		return nil, err
	}
	status := qdrant.UpdateStatus_Acknowledged
	if wait {
		status = qdrant.UpdateStatus_Completed
	}
	return &qdrant.UpdateResult{OperationId: &operation, Status: status}, nil
}

func (s *pointsService) Upsert(_ context.Context, req *qdrant.UpsertPoints) (*qdrant.PointsOperationResponse, error) {
	w, err := newUpsert(req)
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) UpdateVectors(_ context.Context, req *qdrant.UpdatePointVectors) (*qdrant.PointsOperationResponse, error) {
	w, err := newVectorUpdate(req)
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) Delete(_ context.Context, req *qdrant.DeletePoints) (*qdrant.PointsOperationResponse, error) {
	w, err := newDelete(req.GetPoints())
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) SetPayload(_ context.Context, req *qdrant.SetPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	w, err := newSetPayload(req)
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) OverwritePayload(_ context.Context, req *qdrant.SetPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	w, err := newOverwritePayload(req)
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) DeletePayload(_ context.Context, req *qdrant.DeletePayloadPoints) (*qdrant.PointsOperationResponse, error) {
	w, err := newDeletePayload(req)
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) ClearPayload(_ context.Context, req *qdrant.ClearPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	w, err := newClearPayload(req.GetPoints())
	return s.apply(req, req.Timeout, w, err)
}

func (s *pointsService) CreateFieldIndex(_ context.Context, req *qdrant.CreateFieldIndexCollection) (*qdrant.PointsOperationResponse, error) {
	ix, err := newIndex(req)
	return s.apply(unsharded{req}, req.Timeout, func(c *collection) error {
		for p := range c.all() {
			ix.add(p)
		}
		c.indexes[ix.path.String()] = ix
		return nil
	}, err)
}

func (s *pointsService) DeleteFieldIndex(_ context.Context, req *qdrant.DeleteFieldIndexCollection) (*qdrant.PointsOperationResponse, error) {
	at, err := parsePath(req.GetFieldName())
	return s.apply(unsharded{req}, req.Timeout, func(c *collection) error {
		delete(c.indexes, at.String())
		return nil
	}, err)
}

// unsharded is a request that has no shard key.
type unsharded struct{ target }

func (unsharded) GetShardKeySelector() *qdrant.ShardKeySelector { return nil }

// UpdateBatch applies the operations one by one and stops at the first that fails.
func (s *pointsService) UpdateBatch(_ context.Context, req *qdrant.UpdateBatchPoints) (*qdrant.UpdateBatchResponse, error) {
	out := &qdrant.UpdateBatchResponse{}
	for _, op := range req.GetOperations() {
		w, err := newBatched(op)
		if err != nil {
			return nil, err
		}
		result, err := s.applyTo(req.GetCollectionName(), req.GetWait(), req.Timeout, w)
		if err != nil {
			return nil, err
		}
		out.Result = append(out.Result, result)
	}
	return out, nil
}

// newBatched reads an operation of a batch as the single request that would do the same.
func newBatched(op *qdrant.PointsUpdateOperation) (write, error) {
	if cmp.Or(
		op.GetUpsert().GetShardKeySelector(), op.GetDeletePoints().GetShardKeySelector(),
		op.GetSetPayload().GetShardKeySelector(), op.GetOverwritePayload().GetShardKeySelector(),
		op.GetDeletePayload().GetShardKeySelector(), op.GetClearPayload().GetShardKeySelector(),
		op.GetUpdateVectors().GetShardKeySelector(),
	) != nil {
		return nil, unimplemented("a shard key")
	}
	switch kind := op.GetOperation().(type) {
	case *qdrant.PointsUpdateOperation_Upsert:
		return newUpsert(&qdrant.UpsertPoints{
			Points: kind.Upsert.GetPoints(), UpdateFilter: kind.Upsert.GetUpdateFilter(), UpdateMode: kind.Upsert.UpdateMode,
		})
	case *qdrant.PointsUpdateOperation_DeletePoints_:
		return newDelete(kind.DeletePoints.GetPoints())
	case *qdrant.PointsUpdateOperation_SetPayload_:
		return newSetPayload(&qdrant.SetPayloadPoints{
			Payload: kind.SetPayload.GetPayload(), PointsSelector: kind.SetPayload.GetPointsSelector(), Key: kind.SetPayload.Key,
		})
	case *qdrant.PointsUpdateOperation_OverwritePayload_:
		return newOverwritePayload(&qdrant.SetPayloadPoints{
			Payload: kind.OverwritePayload.GetPayload(), PointsSelector: kind.OverwritePayload.GetPointsSelector(),
		})
	case *qdrant.PointsUpdateOperation_DeletePayload_:
		return newDeletePayload(&qdrant.DeletePayloadPoints{
			Keys: kind.DeletePayload.GetKeys(), PointsSelector: kind.DeletePayload.GetPointsSelector(),
		})
	case *qdrant.PointsUpdateOperation_ClearPayload_:
		return newClearPayload(kind.ClearPayload.GetPoints())
	case *qdrant.PointsUpdateOperation_UpdateVectors_:
		return newVectorUpdate(&qdrant.UpdatePointVectors{
			Points: kind.UpdateVectors.GetPoints(), UpdateFilter: kind.UpdateVectors.GetUpdateFilter(),
		})
	default:
		return nil, unimplemented("this operation of a batch")
	}
}
