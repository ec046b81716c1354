package qdrantmem

import (
	"cmp"
	"iter"

	"github.com/qdrant/go-client/qdrant"
)

const (
	defaultLimit     = 10
	maxPrefetchDepth = 64
	// maxShared bounds the candidates that one query remembers for its other prefetches.
	maxShared = 1 << 16
)

// hit is a point that a stage of a query found; order is set by an order_by only.
type hit struct {
	point *point
	score float32
	order *orderValue
}

// byScore is the order of results: the higher score first, ties by the higher id.
func byScore(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), compareIDs(b.point.id, a.point.id))
}

// stage is one query or prefetch, ready to run. Exactly one of dense, sparse, fuser and
// order is set; none means all points in the order of their ids.
type stage struct {
	prefetch  []*stage
	points    *selection // of a stage without prefetches
	dense     *denseSearch
	sparse    *sparseSearch
	fuser     fuser
	order     *ordering
	exclude   *pointID
	threshold *float32
	limit     int // offset included
	// kept says that the stage may stand in several places: its answer is used again.
	kept   bool
	done   bool
	answer []hit
}

type denseSearch struct {
	position int
	vector   []float32
}

type sparseSearch struct {
	position int
	vector   *sparseQuery // weighted
}

// selection is the points that a filter matches, remembered after the first pass if another
// stage needs them and an index kept them few.
type selection struct {
	filter *filter
	users  int
	known  bool
	points []*point
}

func limitOf(limit *uint64) uint64 {
	if limit == nil {
		return defaultLimit
	}
	return *limit
}

// query answers q with the hits after offset. The caller holds the lock.
func (c *collection) query(q *qdrant.QueryPoints) ([]hit, error) { return newPlanner(c).query(q) }

// query answers one of the queries that are planned together.
func (b planner) query(q *qdrant.QueryPoints) ([]hit, error) {
	c := b.c
	if err := refuseQueryFields(q); err != nil {
		return nil, err
	}
	root := &qdrant.PrefetchQuery{
		Prefetch: q.GetPrefetch(), Query: q.GetQuery(), Using: q.Using, Filter: q.GetFilter(), Params: q.GetParams(),
		ScoreThreshold: q.ScoreThreshold, Limit: q.Limit, LookupFrom: q.GetLookupFrom(),
	}
	if err := c.checkTimeout(q.Timeout); err != nil {
		return nil, err
	}
	if err := c.checkQuery(root, true); err != nil {
		return nil, err
	}
	s, err := b.stage(root, nil, 0)
	if err != nil {
		return nil, err
	}
	offset := clampInt(q.GetOffset())
	s.limit = clampInt(uint64(s.limit) + uint64(offset))
	hits := c.run(s)
	return hits[min(offset, len(hits)):], nil
}

func refuseQueryFields(q *qdrant.QueryPoints) error {
	if q.GetShardKeySelector() != nil {
		return unimplemented("a shard key")
	}
	return nil
}

func clampInt(n uint64) int {
	return int(min(n, 1<<31))
}

// run answers a planned stage, best hit first. The hits must not be changed.
func (c *collection) run(s *stage) []hit {
	if s.done {
		return s.answer
	}
	hits := c.answer(s)
	if s.kept {
		s.answer, s.done = hits, true
	}
	return hits
}

func (c *collection) answer(s *stage) []hit {
	lists := make([][]hit, len(s.prefetch))
	for i, prefetch := range s.prefetch {
		lists[i] = c.run(prefetch)
	}
	if s.fuser != nil {
		return fuse(s.fuser, lists, s.threshold, s.limit)
	}
	var points iter.Seq[*point]
	if len(lists) > 0 {
		points = union(lists)
	} else {
		points = s.points.each(c)
	}
	if s.order != nil {
		return s.order.first(points, s.limit)
	}
	if s.dense == nil && s.sparse == nil {
		return firstByID(points, nil, s.limit)
	}
	return s.search(points)
}

// firstByID are the first limit points in the order of their ids, from the given id on.
func firstByID(points iter.Seq[*point], from *pointID, limit int) []hit {
	found := best[hit]{k: limit, compare: func(a, b hit) int { return compareIDs(a.point.id, b.point.id) }}
	for p := range points {
		if from == nil || compareIDs(p.id, *from) >= 0 {
			found.add(hit{point: p, score: 1})
		}
	}
	return found.ordered()
}

func (s *stage) search(points iter.Seq[*point]) []hit {
	found := best[hit]{k: s.limit, compare: byScore}
	for p := range points {
		score, ok := s.score(p)
		if !ok || s.threshold != nil && score <= *s.threshold || s.exclude != nil && p.id == *s.exclude {
			continue
		}
		found.add(hit{point: p, score: score})
	}
	return found.ordered()
}

// score is false for a point without the vector, or one that shares no index with a sparse query.
func (s *stage) score(p *point) (float32, bool) {
	if s.sparse != nil {
		return s.sparse.vector.dot(p.sparse[s.sparse.position])
	}
	v := p.dense[s.dense.position]
	if v == nil {
		return 0, false
	}
	return dot(s.dense.vector, v), true
}

func union(lists [][]hit) iter.Seq[*point] {
	return func(yield func(*point) bool) {
		seen := make(map[pointID]struct{})
		for _, hits := range lists {
			for _, h := range hits {
				if _, ok := seen[h.point.id]; ok {
					continue
				}
				seen[h.point.id] = struct{}{}
				if !yield(h.point) {
					return
				}
			}
		}
	}
}

// each yields the selected points; every caller iterates to the end.
func (s *selection) each(c *collection) iter.Seq[*point] {
	if s.known {
		return func(yield func(*point) bool) {
			for _, p := range s.points {
				if !yield(p) {
					return
				}
			}
		}
	}
	if s.users == 1 || s.filter == nil {
		return c.matching(s.filter)
	}
	if found, ok := s.filter.lookup(c); !ok || found.size > maxShared {
		return c.matching(s.filter)
	}
	for p := range c.matching(s.filter) {
		s.points = append(s.points, p)
	}
	s.known = true
	return s.each(c)
}
