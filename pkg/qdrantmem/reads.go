package qdrantmem

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

// pointsService answers the Points service; its methods carry the API's own names.
type pointsService struct {
	qdrant.UnimplementedPointsServer
	catalog *catalog
}

// read runs f on a collection under its read lock.
func (s *pointsService) read(name string, shards *qdrant.ShardKeySelector, timeout *uint64, f func(*collection) error) error {
	if shards != nil {
		return unimplemented("a shard key")
	}
	c, err := s.catalog.find(name)
	if err != nil {
		return err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if err := c.checkTimeout(timeout); err != nil {
		return err
	}
	return f(c)
}

func (s *pointsService) Get(_ context.Context, req *qdrant.GetPoints) (*qdrant.GetResponse, error) {
	ids, err := parseIDs(req.GetIds())
	if err != nil {
		return nil, err
	}
	parts, err := newProjection(req.GetWithPayload(), req.GetWithVectors(), false)
	if err != nil {
		return nil, err
	}
	var hits []hit
	var space vectorSpace
	err = s.read(req.GetCollectionName(), req.GetShardKeySelector(), req.Timeout, func(c *collection) error {
		space = c.vectorSpace()
		seen := make(map[pointID]struct{}, len(ids))
		for _, id := range ids {
			_, again := seen[id]
			seen[id] = struct{}{}
			if p := c.ids[id]; p != nil && !again {
				hits = append(hits, hit{point: p})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &qdrant.GetResponse{Result: parts.retrieved(hits, space)}, nil
}

func (s *pointsService) Scroll(_ context.Context, req *qdrant.ScrollPoints) (*qdrant.ScrollResponse, error) {
	parts, err := newProjection(req.GetWithPayload(), req.GetWithVectors(), true)
	if err != nil {
		return nil, err
	}
	from, err := scrollStart(req)
	if err != nil {
		return nil, err
	}
	limit := defaultLimit
	if req.Limit != nil {
		limit = int(req.GetLimit())
	}
	var hits []hit
	var space vectorSpace
	err = s.read(req.GetCollectionName(), req.GetShardKeySelector(), req.Timeout, func(c *collection) error {
		space = c.vectorSpace()
		hits, err = c.scroll(req, from, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &qdrant.ScrollResponse{}
	if len(hits) > limit {
		out.NextPageOffset = hits[limit].point.id.proto()
		hits = hits[:limit]
	}
	out.Result = parts.retrieved(hits, space)
	return out, nil
}

func scrollStart(req *qdrant.ScrollPoints) (*pointID, error) {
	switch {
	case req.Limit != nil && req.GetLimit() == 0:
		return nil, invalidField("limit", "value 0 invalid, must be 1 or larger")
	case req.GetOffset() == nil:
		return nil, nil
	case req.GetOrderBy() != nil:
		return nil, malformed("Cannot use an `offset` when using `order_by`. The alternative for paging is to use `order_by.start_from` and a filter to exclude the IDs that you've already seen for the `order_by.start_from` value")
	}
	id, err := parseID(req.GetOffset())
	return &id, err
}

// scroll is the first limit points by order_by, or limit+1 by id: the last one is where the
// next page starts.
func (c *collection) scroll(req *qdrant.ScrollPoints, from *pointID, limit int) ([]hit, error) {
	if err := c.checkQueryLimit(uint64(limit)); err != nil {
		return nil, err
	}
	if err := c.checkReadFilter(req.GetFilter()); err != nil {
		return nil, err
	}
	f, err := c.compile(req.GetFilter())
	if err != nil {
		return nil, err
	}
	if req.GetOrderBy() == nil {
		return c.firstMatching(f, from, limit+1), nil
	}
	order, err := c.ordering(req.GetOrderBy())
	if err != nil {
		return nil, err
	}
	return order.first(c.matching(f), limit), nil
}

// firstMatching are the first limit points in the order of their ids, from the given id on,
// that f matches. Where an index names many, it first goes through as many points in their
// order, so that reading all of them page by page does not look at all of them every time.
func (c *collection) firstMatching(f *filter, from *pointID, limit int) []hit {
	checks := len(c.ids)
	if found, ok := c.lookup(f); ok {
		if found.size*found.size <= limit*len(c.ids) {
			return firstByID(c.matching(f), from, limit)
		}
		checks = found.size
	}
	reached := func(slot uint32) bool { return from == nil || compareIDs(c.slots[slot].id, *from) >= 0 }
	var hits []hit
	for slot := range c.byID.from(reached) {
		p := c.slots[slot]
		switch {
		case len(hits) == limit:
			return hits
		case checks == 0:
			return append(hits, firstByID(c.matching(f), &p.id, limit-len(hits))...)
		case f == nil || f.match(p, p.payload):
			hits = append(hits, hit{point: p, score: 1})
		}
		checks--
	}
	return hits
}

func (s *pointsService) Count(_ context.Context, req *qdrant.CountPoints) (*qdrant.CountResponse, error) {
	var n uint64
	err := s.read(req.GetCollectionName(), req.GetShardKeySelector(), req.Timeout, func(c *collection) error {
		if err := c.checkReadFilter(req.GetFilter()); err != nil {
			return err
		}
		if err := c.checkExact(req.Exact == nil || req.GetExact()); err != nil {
			return err
		}
		f, err := c.compile(req.GetFilter())
		if err != nil {
			return err
		}
		if f == nil {
			n = uint64(len(c.ids))
			return nil
		}
		for range c.matching(f) {
			n++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &qdrant.CountResponse{Result: &qdrant.CountResult{Count: n}}, nil
}

func (s *pointsService) Query(_ context.Context, req *qdrant.QueryPoints) (*qdrant.QueryResponse, error) {
	results, err := s.queries(req.GetCollectionName(), []*qdrant.QueryPoints{req}, nil)
	if err != nil {
		return nil, err
	}
	return &qdrant.QueryResponse{Result: results[0]}, nil
}

func (s *pointsService) QueryBatch(_ context.Context, req *qdrant.QueryBatchPoints) (*qdrant.QueryBatchResponse, error) {
	results, err := s.queries(req.GetCollectionName(), req.GetQueryPoints(), req.Timeout)
	if err != nil {
		return nil, err
	}
	out := &qdrant.QueryBatchResponse{Result: make([]*qdrant.BatchResult, len(results))}
	for i, result := range results {
		out.Result[i] = &qdrant.BatchResult{Result: result}
	}
	return out, nil
}

// queries answers all of reqs on one state of the collection.
func (s *pointsService) queries(name string, reqs []*qdrant.QueryPoints, timeout *uint64) ([][]*qdrant.ScoredPoint, error) {
	parts := make([]projection, len(reqs))
	for i, req := range reqs {
		var err error
		if parts[i], err = newProjection(req.GetWithPayload(), req.GetWithVectors(), false); err != nil {
			return nil, err
		}
	}
	found := make([][]hit, len(reqs))
	var space vectorSpace
	err := s.read(name, nil, timeout, func(c *collection) error {
		space = c.vectorSpace()
		if err := checkLimit(uint64(len(reqs)), c.strict().SearchMaxBatchsize, "search batch size"); err != nil {
			return err
		}
		plan := newPlanner(c)
		for i, req := range reqs {
			var err error
			if found[i], err = plan.query(req); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	results := make([][]*qdrant.ScoredPoint, len(reqs))
	for i, hits := range found {
		results[i] = parts[i].scored(hits, space)
	}
	return results, nil
}
