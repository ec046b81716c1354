package qdrantmem

import (
	"slices"
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// field is a condition on the values at a path. whole is asked about each value as it is
// stored; element, if whole is nil, about each value or each element of an array.
type field struct {
	path      path
	whole     func(any) bool
	element   func(any) bool
	ifMissing bool
	// points names those that may match, by an index that knows them; nil if none does.
	points seeker
}

func (f *field) match(_ *point, doc object) bool {
	if len(f.path) == 1 {
		if v, ok := doc.get(f.path[0].key); ok {
			return f.test(v)
		}
		return f.ifMissing
	}
	found, matched := false, false
	f.path.visit(doc, func(v any) bool {
		found = true
		matched = f.test(v)
		return !matched
	})
	if !found {
		return f.ifMissing
	}
	return matched
}

// test is the condition on one value at the path.
func (f *field) test(v any) bool {
	if f.whole != nil {
		return f.whole(v)
	}
	if list, ok := v.([]any); ok {
		return slices.ContainsFunc(list, f.element)
	}
	return f.element(v)
}

func (f *field) lookup(c *collection) (candidates, bool) {
	if f.points == nil {
		return candidates{}, false
	}
	return f.points.lookup(c)
}

func (b compiler) field(c *qdrant.FieldCondition) (matcher, error) {
	at, err := parsePath(c.GetKey())
	if err != nil {
		return nil, err
	}
	if c.GetGeoBoundingBox() != nil || c.GetGeoRadius() != nil || c.GetGeoPolygon() != nil {
		return nil, unimplemented("a geo condition")
	}
	f := &field{path: at}
	ix := b.indexes[at.String()]
	switch {
	case c.GetValuesCount() != nil:
		f.whole = valuesCount(c.GetValuesCount())
	case c.IsEmpty != nil:
		f.whole = func(v any) bool { return holdsNothing(v) == c.GetIsEmpty() }
		f.ifMissing = c.GetIsEmpty()
	case c.IsNull != nil:
		f.whole = func(v any) bool { return holdsNull(v) == c.GetIsNull() }
		f.ifMissing = !c.GetIsNull()
	default:
		return f, f.compareElements(c, ix)
	}
	return f, nil
}

// compareElements sets element to any of match and range; several at once are alternatives.
func (f *field) compareElements(c *qdrant.FieldCondition, ix *index) error {
	var tests []func(any) bool
	if c.GetMatch() != nil {
		test, err := f.matchTest(c.GetMatch(), ix)
		if err != nil {
			return err
		}
		tests = append(tests, test)
	}
	switch {
	case c.GetRange() != nil:
		tests = append(tests, rangeTest(c.GetRange(), ix))
	case c.GetDatetimeRange() != nil:
		test, err := f.datetimeTest(c.GetDatetimeRange(), ix)
		if err != nil {
			return err
		}
		tests = append(tests, test)
	}
	switch len(tests) {
	case 0:
		return invalidField("filter", "At least one field condition must be specified")
	case 1:
		f.element = tests[0]
	default:
		f.points = nil
		f.element = func(v any) bool {
			return slices.ContainsFunc(tests, func(test func(any) bool) bool { return test(v) })
		}
	}
	return nil
}

func (f *field) matchTest(m *qdrant.Match, ix *index) (func(any) bool, error) {
	switch kind := m.GetMatchValue().(type) {
	case *qdrant.Match_Keyword:
		return f.keywordTest([]string{kind.Keyword}, ix), nil
	case *qdrant.Match_Keywords:
		return f.keywordTest(kind.Keywords.GetStrings(), ix), nil
	case *qdrant.Match_Integer:
		return func(v any) bool { return v == any(kind.Integer) }, nil
	case *qdrant.Match_Integers:
		wanted := kind.Integers.GetIntegers()
		return func(v any) bool { n, ok := v.(int64); return ok && slices.Contains(wanted, n) }, nil
	case *qdrant.Match_Boolean:
		return f.boolTest(kind.Boolean, ix), nil
	case *qdrant.Match_ExceptKeywords:
		return exceptKeywords(kind.ExceptKeywords.GetStrings(), ix), nil
	case *qdrant.Match_ExceptIntegers:
		return exceptIntegers(kind.ExceptIntegers.GetIntegers(), ix), nil
	case *qdrant.Match_Text:
		return textTest(kind.Text, ix, true), nil
	case *qdrant.Match_TextAny:
		return textTest(kind.TextAny, ix, false), nil
	case nil:
		return nil, malformed("Malformed Match condition")
	default:
		return nil, unimplemented("this kind of match")
	}
}

func hasSchema(ix *index, schema qdrant.PayloadSchemaType) bool {
	return ix != nil && ix.schema == schema
}

// keywordIndexed reports whether ix answers matches of keywords.
func keywordIndexed(ix *index) bool {
	return hasSchema(ix, qdrant.PayloadSchemaType_Keyword) || hasSchema(ix, qdrant.PayloadSchemaType_Uuid)
}

// terms brings keywords into the form in which ix holds values; what it cannot hold is left out.
func terms(keywords []string, ix *index) []string {
	if !keywordIndexed(ix) {
		return keywords
	}
	held := make([]string, 0, len(keywords))
	for _, keyword := range keywords {
		if term, ok := ix.term(keyword); ok {
			held = append(held, term)
		}
	}
	return held
}

func (f *field) keywordTest(keywords []string, ix *index) func(any) bool {
	wanted := terms(keywords, ix)
	if keywordIndexed(ix) && ix.tenant {
		f.points = posted{ix, wanted}
	}
	if hasSchema(ix, qdrant.PayloadSchemaType_Uuid) {
		return func(v any) bool { term, ok := ix.term(v); return ok && slices.Contains(wanted, term) }
	}
	if len(wanted) == 1 {
		only := wanted[0]
		return func(v any) bool { s, ok := v.(string); return ok && s == only }
	}
	return func(v any) bool { s, ok := v.(string); return ok && slices.Contains(wanted, s) }
}

func (f *field) boolTest(wanted bool, ix *index) func(any) bool {
	if wanted && hasSchema(ix, qdrant.PayloadSchemaType_Bool) {
		f.points = posted{ix, []string{postedTrue}}
	}
	return func(v any) bool { return v == any(wanted) }
}

// exceptKeywords matches other strings and, without an index, whatever is neither a string nor null.
func exceptKeywords(keywords []string, ix *index) func(any) bool {
	unwanted := terms(keywords, ix)
	if keywordIndexed(ix) {
		return func(v any) bool { term, ok := ix.term(v); return ok && !slices.Contains(unwanted, term) }
	}
	return func(v any) bool {
		s, ok := v.(string)
		return v != nil && (!ok || !slices.Contains(unwanted, s))
	}
}

func exceptIntegers(unwanted []int64, ix *index) func(any) bool {
	onlyIntegers := hasSchema(ix, qdrant.PayloadSchemaType_Integer)
	return func(v any) bool {
		n, ok := v.(int64)
		if !ok {
			return v != nil && !onlyIntegers
		}
		return !slices.Contains(unwanted, n)
	}
}

// textTest matches case-sensitive substrings, or tokens where a text index is declared: all
// of them or any.
func textTest(text string, ix *index, all bool) func(any) bool {
	if hasSchema(ix, qdrant.PayloadSchemaType_Text) {
		return tokenTest(ix.tokens(text), ix, all)
	}
	if all {
		return func(v any) bool { s, ok := v.(string); return ok && strings.Contains(s, text) }
	}
	words := strings.Fields(text)
	return func(v any) bool {
		s, ok := v.(string)
		return ok && slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
	}
}

func tokenTest(wanted []string, ix *index, all bool) func(any) bool {
	return func(v any) bool {
		s, ok := v.(string)
		if !ok || len(wanted) == 0 {
			return false
		}
		tokens := ix.tokens(s)
		has := func(token string) bool { return slices.Contains(tokens, token) }
		if all {
			return !slices.ContainsFunc(wanted, func(token string) bool { return !has(token) })
		}
		return slices.ContainsFunc(wanted, has)
	}
}

func valuesCount(c *qdrant.ValuesCount) func(any) bool {
	return func(v any) bool {
		n := uint64(1)
		if list, ok := v.([]any); ok {
			n = uint64(len(list))
		} else if v == nil {
			n = 0
		}
		return (c.Lt == nil || n < *c.Lt) && (c.Gt == nil || n > *c.Gt) &&
			(c.Gte == nil || n >= *c.Gte) && (c.Lte == nil || n <= *c.Lte)
	}
}

// number is v as a float64 if it is a number.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

func rangeTest(r *qdrant.Range, ix *index) func(any) bool {
	onlyIntegers := hasSchema(ix, qdrant.PayloadSchemaType_Integer)
	return func(v any) bool {
		n, ok := number(v)
		if _, isInteger := v.(int64); !ok || onlyIntegers && !isInteger {
			return false
		}
		return (r.Lt == nil || n < *r.Lt) && (r.Gt == nil || n > *r.Gt) &&
			(r.Gte == nil || n >= *r.Gte) && (r.Lte == nil || n <= *r.Lte)
	}
}

// datetimeTest compares to the nanosecond, or where a datetime index is declared to the microsecond.
func (f *field) datetimeTest(r *qdrant.DatetimeRange, ix *index) (func(any) bool, error) {
	precision := time.Nanosecond
	if hasSchema(ix, qdrant.PayloadSchemaType_Datetime) {
		precision = time.Microsecond
	}
	var bounds [4]*time.Time
	for i, ts := range []*timestamppb.Timestamp{r.GetLt(), r.GetGt(), r.GetGte(), r.GetLte()} {
		if ts == nil {
			continue
		}
		if err := ts.CheckValid(); err != nil {
			return nil, invalidField("datetime_range", "timestamp is out of range")
		}
		t := ts.AsTime().Truncate(precision)
		bounds[i] = &t
	}
	lt, gt, gte, lte := bounds[0], bounds[1], bounds[2], bounds[3]
	if precision == time.Microsecond {
		f.points = spanWithin(ix, lt, gt, gte, lte)
	}
	return func(v any) bool {
		t, ok := parseDatetime(v)
		if !ok {
			return false
		}
		t = t.Truncate(precision)
		return (lt == nil || t.Before(*lt)) && (gt == nil || t.After(*gt)) &&
			(gte == nil || !t.Before(*gte)) && (lte == nil || !t.After(*lte))
	}, nil
}
