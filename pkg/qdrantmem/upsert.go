package qdrantmem

import (
	"github.com/qdrant/go-client/qdrant"
)

// incoming is a point of a request, read but not yet checked against a collection.
type incoming struct {
	id      pointID
	payload object
	vectors map[string]anyVector
}

func newIncoming(p *qdrant.PointStruct) (incoming, error) {
	id, err := parseID(p.GetId())
	if err != nil {
		return incoming{}, err
	}
	payload, err := objectFrom(p.GetPayload())
	if err != nil {
		return incoming{}, err
	}
	vectors, err := parseVectors(p.GetVectors())
	return incoming{id: id, payload: payload, vectors: vectors}, err
}

func newUpsert(req *qdrant.UpsertPoints) (write, error) {
	points := make([]incoming, len(req.GetPoints()))
	for i, p := range req.GetPoints() {
		var err error
		if points[i], err = newIncoming(p); err != nil {
			return nil, err
		}
	}
	return func(c *collection) error {
		if err := checkLimit(uint64(len(points)), c.strict().UpsertMaxBatchsize, "upsert limit"); err != nil {
			return err
		}
		f, err := c.compile(req.GetUpdateFilter())
		if err != nil {
			return err
		}
		return whileApplying(c.upsert(lastOfEach(points), req.GetUpdateMode(), f))
	}, nil
}

// lastOfEach keeps the last of the points that have one id.
func lastOfEach(points []incoming) []incoming {
	position := make(map[pointID]int, len(points))
	kept := points[:0:0]
	for _, p := range points {
		if i, again := position[p.id]; again {
			kept[i] = p
			continue
		}
		position[p.id] = len(kept)
		kept = append(kept, p)
	}
	return kept
}

// upsert replaces or adds all of points that mode and f let through, or fails without effect.
func (c *collection) upsert(points []incoming, mode qdrant.UpdateMode, f *filter) error {
	accepted := make([]*point, 0, len(points))
	for _, in := range points {
		p := c.newPoint(in.id)
		p.payload = in.payload
		if err := c.attach(p, in.vectors); err != nil {
			return err
		}
		if lets(mode, f, c.ids[in.id]) {
			accepted = append(accepted, p)
		}
	}
	for _, p := range accepted {
		c.put(p)
	}
	return nil
}

// lets says whether a point may be written over stored, which is nil if there is none. The
// filter guards updates only: a missing point is inserted whatever the filter is.
func lets(mode qdrant.UpdateMode, f *filter, stored *point) bool {
	switch mode {
	case qdrant.UpdateMode_InsertOnly:
		return stored == nil
	case qdrant.UpdateMode_UpdateOnly:
		if stored == nil {
			return false
		}
	}
	return stored == nil || f == nil || f.match(stored, stored.payload)
}

func newVectorUpdate(req *qdrant.UpdatePointVectors) (write, error) {
	points := make([]incoming, len(req.GetPoints()))
	for i, p := range req.GetPoints() {
		id, err := parseID(p.GetId())
		if err != nil {
			return nil, err
		}
		vectors, err := parseVectors(p.GetVectors())
		if err != nil {
			return nil, err
		}
		points[i] = incoming{id: id, vectors: vectors}
	}
	return func(c *collection) error {
		if err := checkLimit(uint64(len(points)), c.strict().UpsertMaxBatchsize, "update limit"); err != nil {
			return err
		}
		f, err := c.compile(req.GetUpdateFilter())
		if err != nil {
			return err
		}
		return whileApplying(c.updateVectors(points, f))
	}, nil
}

// updateVectors sets the named vectors of the points that f matches, or fails without effect.
func (c *collection) updateVectors(points []incoming, f *filter) error {
	changed := make(map[pointID]*point, len(points))
	for _, in := range points {
		stored := c.ids[in.id]
		if stored == nil {
			return noPoint(in.id)
		}
		if f != nil && !f.match(stored, stored.payload) {
			continue
		}
		p := changed[in.id]
		if p == nil {
			p = stored.clone()
		}
		if err := c.attach(p, in.vectors); err != nil {
			return err
		}
		changed[in.id] = p
	}
	for _, p := range changed {
		c.put(p)
	}
	return nil
}
