package qdrantmem

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

func strictError(help, format string, args ...any) error {
	return badRequest("%s. Help: %s", fmt.Sprintf(format, args...), help)
}

// strict is the collection's strict mode, empty while it is off.
func (c *collection) strict() *qdrant.StrictModeConfig {
	if s := c.config.GetStrictModeConfig(); s.GetEnabled() {
		return s
	}
	return &qdrant.StrictModeConfig{}
}

// unsupportedStrictMode refuses limits that would silently not be enforced.
func unsupportedStrictMode(s *qdrant.StrictModeConfig) error {
	switch {
	case s.GetReadRateLimit() > 0, s.GetWriteRateLimit() > 0:
		return unimplemented("a rate limit")
	case s.GetMaxCollectionVectorSizeBytes() > 0, s.GetMaxCollectionPayloadSizeBytes() > 0,
		s.GetMaxPointsCount() > 0, s.GetMaxPayloadIndexCount() > 0, s.GetMaxResidentMemoryPercent() > 0:
		return unimplemented("a size limit")
	case s.GetSparseConfig() != nil, s.GetMultivectorConfig() != nil:
		return unimplemented("strict mode of single vectors")
	}
	return nil
}

func checkLimit[T cmp.Ordered](value T, limit *T, name string) error {
	if limit == nil || value <= *limit {
		return nil
	}
	return strictError(fmt.Sprintf("Reduce the %q parameter to or below %v.", name, *limit),
		"Limit exceeded %v > %v for %q", value, *limit, name)
}

func (c *collection) checkQueryLimit(limit uint64) error {
	return checkLimit(limit, widen(c.strict().MaxQueryLimit), "limit")
}

func (c *collection) checkTimeout(timeout *uint64) error {
	if timeout == nil {
		return nil
	}
	return checkLimit(*timeout, widen(c.strict().MaxTimeout), "timeout")
}

func (c *collection) checkExact(exact bool) error {
	if s := c.strict(); exact && s.SearchAllowExact != nil && !s.GetSearchAllowExact() {
		return strictError("Set exact=false.", "Exact search disabled!")
	}
	return nil
}

func widen(n *uint32) *uint64 {
	if n == nil {
		return nil
	}
	wide := uint64(*n)
	return &wide
}

func (c *collection) checkReadFilter(f *qdrant.Filter) error {
	s := c.strict()
	return c.checkFilter(f, s, s.UnindexedFilteringRetrieve)
}

func (c *collection) checkUpdateFilter(f *qdrant.Filter) error {
	s := c.strict()
	return c.checkFilter(f, s, s.UnindexedFilteringUpdate)
}

func (c *collection) checkFilter(f *qdrant.Filter, s *qdrant.StrictModeConfig, unindexed *bool) error {
	if f == nil || !s.GetEnabled() {
		return nil
	}
	count, largest := filterSize(f)
	if limit := s.FilterMaxConditions; limit != nil && count > *limit {
		return strictError("Reduce the amount of conditions of your filter.",
			"Filter condition limit reached (%d > %d)", count, *limit)
	}
	if limit := s.ConditionMaxSize; limit != nil && largest > *limit {
		return strictError("Reduce the size of your condition.",
			"Condition size limit reached (%d > %d)", largest, *limit)
	}
	if unindexed == nil || *unindexed {
		return nil
	}
	var missing error
	walkConditions(f, nil, func(condition *qdrant.Condition, prefix path) bool {
		missing = c.requireIndex(condition, prefix)
		return missing == nil
	})
	return missing
}

// conditions are all conditions of one level of f.
func conditions(f *qdrant.Filter) []*qdrant.Condition {
	return slices.Concat(f.GetMust(), f.GetMustNot(), f.GetShould(), f.GetMinShould().GetConditions())
}

// walkConditions calls visit with every innermost condition and the path of the array it is
// nested in, until visit returns false.
func walkConditions(f *qdrant.Filter, prefix path, visit func(*qdrant.Condition, path) bool) bool {
	for _, c := range conditions(f) {
		more := true
		switch kind := c.GetConditionOneOf().(type) {
		case nil:
		case *qdrant.Condition_Filter:
			more = walkConditions(kind.Filter, prefix, visit)
		case *qdrant.Condition_Nested:
			if at, err := parsePath(kind.Nested.GetKey()); err == nil {
				more = walkConditions(kind.Nested.GetFilter(), slices.Concat(prefix, at.elements()), visit)
			}
		default:
			more = visit(c, prefix)
		}
		if !more {
			return false
		}
	}
	return true
}

// filterSize is the number of conditions in f and the length of the longest list in one.
func filterSize(f *qdrant.Filter) (count, largest uint64) {
	walkConditions(f, nil, func(c *qdrant.Condition, _ path) bool {
		count++
		m := c.GetField().GetMatch()
		for _, n := range []int{
			len(c.GetHasId().GetHasId()),
			len(m.GetKeywords().GetStrings()), len(m.GetExceptKeywords().GetStrings()),
			len(m.GetIntegers().GetIntegers()), len(m.GetExceptIntegers().GetIntegers()),
		} {
			largest = max(largest, uint64(n))
		}
		return true
	})
	return count, largest
}

// conditionKey is the payload key that c is about, if it is about one.
func conditionKey(c *qdrant.Condition, prefix path) (path, bool) {
	key := cmp.Or(c.GetField().GetKey(), c.GetIsEmpty().GetKey(), c.GetIsNull().GetKey())
	at, err := parsePath(key)
	return slices.Concat(prefix, at), err == nil
}

// checkQuery applies strict mode to a query and, before it, to its prefetches, each by its
// own filter. isRoot exempts a query that only rescores its prefetches from the full-scan
// check.
func (c *collection) checkQuery(q *qdrant.PrefetchQuery, isRoot bool) error {
	for _, prefetch := range q.GetPrefetch() {
		if err := c.checkQuery(prefetch, false); err != nil {
			return err
		}
	}
	if !isRoot || len(q.GetPrefetch()) == 0 {
		if err := c.checkFullScan(q); err != nil {
			return err
		}
	}
	if err := c.checkQueryLimit(limitOf(q.Limit)); err != nil {
		return err
	}
	if err := c.checkReadFilter(q.GetFilter()); err != nil {
		return err
	}
	if err := c.checkExact(q.GetParams().GetExact()); err != nil {
		return err
	}
	return checkLimit(q.GetParams().GetHnswEf(), widen(c.strict().SearchMaxHnswEf), "hnsw_ef")
}

// checkFullScan refuses a dense search without a tenant condition where neither a global
// graph (m = 0) nor exact search is allowed.
func (c *collection) checkFullScan(q *qdrant.PrefetchQuery) error {
	s := c.strict()
	if q.GetQuery().GetNearest() == nil || s.SearchAllowExact == nil || s.GetSearchAllowExact() {
		return nil
	}
	if _, isSparse := c.sparseIndex(q.GetUsing()); isSparse {
		return nil
	}
	m, payloadM := c.graphDegrees(q.GetUsing())
	if m > 0 {
		return nil
	}
	label := ""
	if q.GetUsing() != "" {
		label = fmt.Sprintf(" on '%s'", q.GetUsing())
	}
	if !c.mentionsTenant(q.GetFilter()) {
		return strictError("Use tenant-specific filter, enable global vector indexing or enable strict mode `search_allow_exact` option",
			"Request is forbidden%s because global vector indexing is disabled (hnsw_config.m = 0)", label)
	}
	if payloadM == 0 {
		return strictError("Enable vector indexing, use a prefetch query with indexed vectors or enable strict mode `search_allow_exact` option",
			"Request is forbidden%s because vector indexing is disabled (hnsw_config.m = 0 and hnsw_config.payload_m = 0)", label)
	}
	return nil
}

// graphDegrees are m and payload_m of a dense vector: its own or the collection's.
func (c *collection) graphDegrees(name string) (m, payloadM uint64) {
	own := vectorParams(c.config.GetParams().GetVectorsConfig())[name].GetHnswConfig()
	global := c.config.GetHnswConfig()
	m = global.GetM()
	if own != nil && own.M != nil {
		m = own.GetM()
	}
	switch {
	case own != nil && own.PayloadM != nil:
		return m, own.GetPayloadM()
	case global.PayloadM != nil:
		return m, global.GetPayloadM()
	}
	return m, m
}

// mentionsTenant reports whether f has a condition on a tenant field. As on the real server
// any clause will do, but a condition within an inner filter does not count.
func (c *collection) mentionsTenant(f *qdrant.Filter) bool {
	return slices.ContainsFunc(conditions(f), func(condition *qdrant.Condition) bool {
		key, ok := conditionKey(condition, nil)
		ix := c.indexes[key.String()]
		return ok && ix != nil && ix.tenant
	})
}
