package qdrantmem

import (
	"iter"
	"sync"

	"github.com/qdrant/go-client/qdrant"
)

// point is one stored point. It is never modified once a collection holds it: a write
// stores a changed copy, so that a reader may go on using it without a lock.
type point struct {
	id      pointID
	slot    uint32
	version uint64
	payload object
	dense   [][]float32    // by collection.dense; nil where the point has none
	sparse  []sparseVector // by collection.sparse
}

// denseSpec is a named dense vector of a collection.
type denseSpec struct {
	name     string
	size     int
	distance qdrant.Distance
}

// sparseSpec is a named sparse vector of a collection; stats is nil without the IDF modifier.
type sparseSpec struct {
	name  string
	stats *termStats
}

// collection holds the points of one collection. Reads share its lock, writes exclude all.
type collection struct {
	mu      sync.RWMutex
	config  *qdrant.CollectionConfig
	dense   []denseSpec
	sparse  []sparseSpec
	indexes map[string]*index // by canonical path

	ids     map[pointID]*point
	slots   []*point // nil where free
	free    []uint32
	byID    ordered[uint32] // the slots in use
	version uint64          // of the last write
}

// emptyCollection has no vectors and no indexes yet.
func emptyCollection(config *qdrant.CollectionConfig) *collection {
	c := &collection{config: config, indexes: make(map[string]*index), ids: make(map[pointID]*point)}
	c.byID.compare = func(a, b uint32) int { return compareIDs(c.slots[a].id, c.slots[b].id) }
	return c
}

func (c *collection) denseIndex(name string) (int, bool) {
	for i, spec := range c.dense {
		if spec.name == name {
			return i, true
		}
	}
	return 0, false
}

func (c *collection) sparseIndex(name string) (int, bool) {
	for i, spec := range c.sparse {
		if spec.name == name {
			return i, true
		}
	}
	return 0, false
}

// put stores p in the place of the point with its id, if there is one.
func (c *collection) put(p *point) {
	p.version = c.version
	old := c.ids[p.id]
	if old != nil {
		p.slot = old.slot
		c.forget(old)
	} else if n := len(c.free); n > 0 {
		p.slot = c.free[n-1]
		c.free = c.free[:n-1]
	} else {
		p.slot = uint32(len(c.slots))
		c.slots = append(c.slots, nil)
	}
	c.slots[p.slot] = p
	c.ids[p.id] = p
	if old == nil {
		c.byID.add(p.slot)
	}
	for _, ix := range c.indexes {
		ix.add(p)
	}
	c.count(p, 1)
}

func (c *collection) remove(p *point) {
	c.forget(p)
	delete(c.ids, p.id)
	c.byID.drop(p.slot)
	c.slots[p.slot] = nil
	c.free = append(c.free, p.slot)
}

func (c *collection) forget(p *point) {
	for _, ix := range c.indexes {
		ix.drop(p)
	}
	c.count(p, -1)
}

func (c *collection) count(p *point, delta int) {
	for i, v := range p.sparse {
		if stats := c.sparse[i].stats; stats != nil && v.indices != nil {
			stats.add(v, delta)
		}
	}
}

// all yields every point, in no meaningful order.
func (c *collection) all() iter.Seq[*point] {
	return func(yield func(*point) bool) {
		for _, p := range c.slots {
			if p != nil && !yield(p) {
				return
			}
		}
	}
}

// lookup is the points outside of which f, which may be nil, matches none, if an index names them.
func (c *collection) lookup(f *filter) (candidates, bool) {
	if f == nil {
		return candidates{}, false
	}
	return f.lookup(c)
}

// matching yields the points that f matches; nil matches all.
func (c *collection) matching(f *filter) iter.Seq[*point] {
	if f == nil {
		return c.all()
	}
	candidates := c.all()
	if found, ok := c.lookup(f); ok {
		candidates = found.each
	}
	return func(yield func(*point) bool) {
		for p := range candidates {
			if f.match(p, p.payload) && !yield(p) {
				return
			}
		}
	}
}

// attach sets the vectors of p that are named, each checked against the collection; the
// others stay. p must not yet be stored.
func (c *collection) attach(p *point, named map[string]anyVector) error {
	for name, v := range named {
		if i, ok := c.denseIndex(name); ok {
			dense, err := c.dense[i].accept(v)
			if err != nil {
				return err
			}
			p.dense[i] = dense
			continue
		}
		i, ok := c.sparseIndex(name)
		if !ok {
			return noVectorName(name)
		}
		if !v.isSparse {
			return errWrongVectorKind
		}
		p.sparse[i] = v.sparse
	}
	return nil
}

func noVectorName(name string) error {
	return wrongInput("Not existing vector name error: %s", name)
}

var errWrongVectorKind = wrongInput("Conversion between sparse and regular vectors failed")

// accept checks a vector against the collection and brings it into the form that is scored.
func (d denseSpec) accept(v anyVector) ([]float32, error) {
	if v.isSparse {
		return nil, errWrongVectorKind
	}
	if len(v.dense) != d.size {
		return nil, wrongInput("Vector dimension error: expected dim: %d, got %d", d.size, len(v.dense))
	}
	if d.distance == qdrant.Distance_Cosine {
		return normalized(v.dense), nil
	}
	return v.dense, nil
}

func (c *collection) newPoint(id pointID) *point {
	return &point{id: id, dense: make([][]float32, len(c.dense)), sparse: make([]sparseVector, len(c.sparse))}
}

// clone is a copy of p whose vectors may be set without changing p.
func (p *point) clone() *point {
	changed := *p
	changed.dense = append([][]float32(nil), p.dense...)
	changed.sparse = append([]sparseVector(nil), p.sparse...)
	return &changed
}
