package qdrantmem

import (
	"fmt"
	"strings"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// planner plans the queries of one request on a collection whose lock the caller holds.
// Prefetches with equal filters share their candidates, and equal prefetches their answer.
type planner struct {
	c          *collection
	selections map[string]*selection
	prefetches map[string]*stage
}

func newPlanner(c *collection) planner {
	return planner{c: c, selections: make(map[string]*selection), prefetches: make(map[string]*stage)}
}

// prefetch is the stage of a prefetch within queries that have these filters.
func (b planner) prefetch(q *qdrant.PrefetchQuery, inherited []*qdrant.Filter, depth int) (*stage, error) {
	key := fmt.Appendf(nil, "%d:", depth)
	for _, m := range append([]proto.Message{q}, messages(inherited)...) {
		wire, err := proto.Marshal(m)
		if err != nil {
			return nil, malformed("Malformed prefetch: %v", err)
		}
		key = append(fmt.Appendf(key, "%d:", len(wire)), wire...)
	}
	if known := b.prefetches[string(key)]; known != nil {
		return known, nil
	}
	s, err := b.stage(q, inherited, depth)
	if err != nil {
		return nil, err
	}
	s.kept = true
	b.prefetches[string(key)] = s
	return s, nil
}

func messages(filters []*qdrant.Filter) []proto.Message {
	out := make([]proto.Message, len(filters))
	for i, f := range filters {
		out[i] = f
	}
	return out
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
		planned, err := b.prefetch(prefetch, filters, depth+1)
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
