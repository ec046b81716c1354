package qdrantmem

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
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
}

type denseSearch struct {
	position int
	vector   []float32
}

type sparseSearch struct {
	position int
	vector   *sparseQuery // weighted
}

// planner plans one query on a collection whose lock the caller holds. Prefetches with
// equal filters share their candidates.
type planner struct {
	c          *collection
	selections map[string]*selection
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
func (c *collection) query(q *qdrant.QueryPoints) ([]hit, error) {
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
	plan := planner{c: c, selections: make(map[string]*selection)}
	s, err := plan.stage(root, nil, 0)
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

// stage plans q; inherited are the filters of the queries around it.
func (b planner) stage(q *qdrant.PrefetchQuery, inherited []*qdrant.Filter, depth int) (*stage, error) {
	if depth > maxPrefetchDepth {
		return nil, malformed("Validation error: prefetches are nested deeper than %d", maxPrefetchDepth)
	}
	if q.Limit != nil && q.GetLimit() == 0 {
		return nil, invalidField("limit", "value 0 invalid, must be 1 or larger")
	}
	if q.GetLookupFrom() != nil {
		return nil, unimplemented("lookup_from")
	}
	s := &stage{threshold: q.ScoreThreshold, limit: clampInt(limitOf(q.Limit))}
	filters := inherited
	if q.GetFilter() != nil {
		filters = append(filters[:len(filters):len(filters)], q.GetFilter())
	}
	for _, prefetch := range q.GetPrefetch() {
		planned, err := b.stage(prefetch, filters, depth+1)
		if err != nil {
			return nil, err
		}
		s.prefetch = append(s.prefetch, planned)
	}
	if err := b.variant(s, q); err != nil {
		return nil, err
	}
	if len(s.prefetch) > 0 {
		return s, nil
	}
	var err error
	s.points, err = b.selection(filters)
	return s, err
}

// selection is what all of filters match; equal filters give the same selection, and one
// that is repeated, as the root's in its prefetches often is, is checked once.
func (b planner) selection(filters []*qdrant.Filter) (*selection, error) {
	all := &qdrant.Filter{}
	var key strings.Builder
	seen := make(map[string]bool, len(filters))
	for _, f := range filters {
		wire, err := proto.Marshal(f)
		if err != nil {
			return nil, malformed("Malformed filter: %v", err)
		}
		if seen[string(wire)] {
			continue
		}
		seen[string(wire)] = true
		fmt.Fprintf(&key, "%d:%s", len(wire), wire)
		all.Must = append(all.Must, qdrant.NewFilterAsCondition(f))
	}
	if known := b.selections[key.String()]; known != nil {
		known.users++
		return known, nil
	}
	if len(filters) == 0 {
		all = nil
	}
	f, err := b.c.compile(all)
	if err != nil {
		return nil, err
	}
	s := &selection{filter: f, users: 1}
	b.selections[key.String()] = s
	return s, nil
}

func (b planner) variant(s *stage, q *qdrant.PrefetchQuery) error {
	scored := true
	var err error
	switch kind := q.GetQuery().GetVariant().(type) {
	case nil:
		scored = false
		if len(s.prefetch) > 0 {
			return malformed("A query is needed to merge the prefetches. Can't have prefetches without defining a query.")
		}
	case *qdrant.Query_OrderBy:
		scored = false
		s.order, err = b.c.ordering(kind.OrderBy)
	case *qdrant.Query_Nearest:
		err = b.nearest(s, q.GetUsing(), kind.Nearest)
	case *qdrant.Query_Fusion:
		s.fuser = rrf{k: defaultRRFConstant}
		if kind.Fusion == qdrant.Fusion_DBSF {
			s.fuser = dbsf{}
		}
	case *qdrant.Query_Rrf:
		s.fuser, err = newRRF(kind.Rrf, len(s.prefetch))
	default:
		return unimplemented("this kind of query")
	}
	switch {
	case err != nil:
		return err
	case s.fuser != nil && len(s.prefetch) == 0:
		return malformed("cannot apply Fusion without prefetches")
	case s.fuser != nil && q.Using != nil:
		return malformed("Fusion queries cannot be combined with the 'using' field.")
	case !scored && s.threshold != nil:
		return malformed("Can't use score_threshold with an order_by query or without a query")
	}
	return nil
}

func newRRF(r *qdrant.Rrf, lists int) (fuser, error) {
	k := uint32(defaultRRFConstant)
	if r.K != nil {
		k = r.GetK()
	}
	if k == 0 {
		return nil, invalidField("k", "value 0 invalid, must be 1 or larger")
	}
	if n := len(r.GetWeights()); n > 0 && n != lists {
		return nil, malformed("Number of weights (%d) must match the number of prefetches (%d)", n, lists)
	}
	return rrf{k: k, weights: r.GetWeights()}, nil
}

func (b planner) nearest(s *stage, using string, input *qdrant.VectorInput) error {
	v, err := b.queryVector(s, using, input)
	if err != nil {
		return err
	}
	if i, ok := b.c.denseIndex(using); ok {
		vector, err := b.c.dense[i].accept(v)
		s.dense = &denseSearch{position: i, vector: vector}
		return err
	}
	i, ok := b.c.sparseIndex(using)
	if !ok {
		return noVectorName(using)
	}
	if !v.isSparse {
		return errWrongVectorKind
	}
	weighted := v.sparse
	if stats := b.c.sparse[i].stats; stats != nil {
		weighted = stats.weighted(v.sparse)
	}
	s.sparse = &sparseSearch{position: i, vector: newSparseQuery(weighted)}
	return nil
}

func (b planner) queryVector(s *stage, using string, input *qdrant.VectorInput) (anyVector, error) {
	switch kind := input.GetVariant().(type) {
	case *qdrant.VectorInput_Dense:
		return anyVector{dense: kind.Dense.GetData()}, nil
	case *qdrant.VectorInput_Sparse:
		return parseSparse(kind.Sparse.GetIndices(), kind.Sparse.GetValues())
	case *qdrant.VectorInput_Id:
		id, err := parseID(kind.Id)
		if err != nil {
			return anyVector{}, err
		}
		s.exclude = &id
		return b.storedVector(id, using)
	case nil:
		return anyVector{}, malformed("Expected some vectors")
	default:
		return anyVector{}, unimplemented("this kind of query vector")
	}
}

func (b planner) storedVector(id pointID, using string) (anyVector, error) {
	p := b.c.ids[id]
	if p == nil {
		return anyVector{}, noPoint(id)
	}
	if i, ok := b.c.denseIndex(using); ok && p.dense[i] != nil {
		return anyVector{dense: p.dense[i]}, nil
	}
	if i, ok := b.c.sparseIndex(using); ok && p.sparse[i].indices != nil {
		return anyVector{sparse: p.sparse[i], isSparse: true}, nil
	}
	return anyVector{}, noVectorName(using)
}

// run answers a planned stage, best hit first.
func (c *collection) run(s *stage) []hit {
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
