package qdrantmem

import "github.com/qdrant/go-client/qdrant"

// matcher is one condition. doc is the payload, or within a nested condition the array
// element, in which case p is nil.
type matcher interface {
	match(p *point, doc object) bool
}

// filter is should AND min_should AND must AND must_not; an absent clause is true.
type filter struct {
	must, mustNot, should, atLeast []matcher

	hasMinimum bool
	minimum    uint64
}

func (f *filter) match(p *point, doc object) bool {
	for _, m := range f.must {
		if !m.match(p, doc) {
			return false
		}
	}
	for _, m := range f.mustNot {
		if m.match(p, doc) {
			return false
		}
	}
	if len(f.should) > 0 && !reaches(f.should, 1, p, doc) {
		return false
	}
	return !f.hasMinimum || reaches(f.atLeast, f.minimum, p, doc)
}

func reaches(conditions []matcher, minimum uint64, p *point, doc object) bool {
	var matched uint64
	for _, m := range conditions {
		if matched == minimum {
			return true
		}
		if m.match(p, doc) {
			matched++
		}
	}
	return matched == minimum
}

// lookup is the smallest set of candidates that a must condition names.
func (f *filter) lookup(c *collection) (best candidates, ok bool) {
	for _, m := range f.must {
		s, isSeeker := m.(seeker)
		if !isSeeker {
			continue
		}
		if found, can := s.lookup(c); can && (!ok || found.size < best.size) {
			best, ok = found, true
		}
	}
	return best, ok
}

// compiler turns a request's filter into matchers, with the behaviour that the declared
// indexes give; nil indexes within nested conditions, which are checked on the payload.
type compiler struct {
	c       *collection
	indexes map[string]*index
}

// compile reads f for one request on c, whose lock the caller holds; nil stays nil.
func (c *collection) compile(f *qdrant.Filter) (*filter, error) {
	if f == nil {
		return nil, nil
	}
	return compiler{c: c, indexes: c.indexes}.filter(f)
}

func (b compiler) filter(f *qdrant.Filter) (*filter, error) {
	out := &filter{}
	for _, clause := range []struct {
		dst *[]matcher
		src []*qdrant.Condition
	}{
		{&out.must, f.GetMust()},
		{&out.mustNot, f.GetMustNot()},
		{&out.should, f.GetShould()},
		{&out.atLeast, f.GetMinShould().GetConditions()},
	} {
		for _, condition := range clause.src {
			m, err := b.condition(condition)
			if err != nil {
				return nil, err
			}
			if m != nil {
				*clause.dst = append(*clause.dst, m)
			}
		}
	}
	out.hasMinimum = f.GetMinShould() != nil
	out.minimum = f.GetMinShould().GetMinCount()
	return out, nil
}

// condition is nil for a condition in which nothing is set: the real server drops it.
func (b compiler) condition(c *qdrant.Condition) (matcher, error) {
	switch kind := c.GetConditionOneOf().(type) {
	case nil:
		return nil, nil
	case *qdrant.Condition_Field:
		return b.field(kind.Field)
	case *qdrant.Condition_IsEmpty:
		at, err := parsePath(kind.IsEmpty.GetKey())
		return isEmpty{at}, err
	case *qdrant.Condition_IsNull:
		at, err := parsePath(kind.IsNull.GetKey())
		return isNull{path: at, indexed: b.indexes[at.String()] != nil}, err
	case *qdrant.Condition_HasId:
		ids, err := parseIDs(kind.HasId.GetHasId())
		return newHasID(ids), err
	case *qdrant.Condition_HasVector:
		return b.hasVector(kind.HasVector.GetHasVector()), nil
	case *qdrant.Condition_Filter:
		return b.filter(kind.Filter)
	case *qdrant.Condition_Nested:
		return b.nested(kind.Nested)
	default:
		return nil, unimplemented("this kind of condition")
	}
}

func (b compiler) nested(n *qdrant.NestedCondition) (matcher, error) {
	at, err := parsePath(n.GetKey())
	if err != nil {
		return nil, err
	}
	if n.GetFilter() == nil {
		return nil, malformed("Nested condition must have a filter")
	}
	f, err := compiler{c: b.c}.filter(n.GetFilter())
	return nested{path: at.elements(), filter: f}, err
}

func (b compiler) hasVector(name string) matcher {
	if i, ok := b.c.denseIndex(name); ok {
		return hasVector{dense: i, sparse: -1}
	}
	if i, ok := b.c.sparseIndex(name); ok {
		return hasVector{dense: -1, sparse: i}
	}
	return hasVector{dense: -1, sparse: -1}
}

// hasID matches points by id; nothing within nested conditions.
type hasID map[pointID]struct{}

func newHasID(ids []pointID) hasID {
	set := make(hasID, len(ids))
	for _, id := range ids {
		set[id] = struct{}{}
	}
	return set
}

func (h hasID) match(p *point, _ object) bool {
	if p == nil {
		return false
	}
	_, ok := h[p.id]
	return ok
}

func (h hasID) lookup(c *collection) (candidates, bool) {
	return candidates{size: len(h), each: func(yield func(*point) bool) {
		for id := range h {
			if p := c.ids[id]; p != nil && !yield(p) {
				return
			}
		}
	}}, true
}

// hasVector matches points that have the vector; a negative position stands for none.
type hasVector struct{ dense, sparse int }

func (h hasVector) match(p *point, _ object) bool {
	switch {
	case p == nil:
		return false
	case h.dense >= 0:
		return p.dense[h.dense] != nil
	case h.sparse >= 0:
		return p.sparse[h.sparse].indices != nil
	}
	return false
}

// nested matches if one array element that is an object satisfies the whole filter.
type nested struct {
	path   path
	filter *filter
}

func (n nested) match(_ *point, doc object) bool {
	matched := false
	n.path.visit(doc, func(v any) bool {
		element, ok := v.(object)
		matched = ok && n.filter.match(nil, element)
		return !matched
	})
	return matched
}

// isEmpty matches where the field is missing, null or an empty array.
type isEmpty struct{ path path }

func (e isEmpty) match(_ *point, doc object) bool {
	empty := true
	e.path.visit(doc, func(v any) bool {
		empty = holdsNothing(v)
		return empty
	})
	return empty
}

// isNull matches null itself and, if any index is declared on the field, an array with null.
type isNull struct {
	path    path
	indexed bool
}

func (n isNull) match(_ *point, doc object) bool {
	found := false
	n.path.visit(doc, func(v any) bool {
		found = v == nil || n.indexed && holdsNull(v)
		return !found
	})
	return found
}

func holdsNothing(v any) bool {
	list, ok := v.([]any)
	return v == nil || ok && len(list) == 0
}

func holdsNull(v any) bool {
	list, _ := v.([]any)
	for _, element := range list {
		if element == nil {
			return true
		}
	}
	return v == nil
}
