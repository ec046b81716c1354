package qdrantmem

import (
	"slices"
	"strings"

	"github.com/qdrant/go-client/qdrant"
)

// requireIndex refuses a condition on a field without an index that serves it. prefix is the
// array that the condition is nested in, if it is.
func (c *collection) requireIndex(condition *qdrant.Condition, prefix path) error {
	wanted := wantedIndexes(condition)
	key, ok := conditionKey(condition, prefix)
	if !ok || len(wanted) == 0 {
		return nil
	}
	if ix := c.indexes[key.String()]; ix != nil {
		for _, w := range wanted {
			if ix.serves(w) {
				return nil
			}
		}
	}
	names := make([]string, len(wanted))
	for i, w := range wanted {
		names[i] = strings.ToLower(w.schema.String())
	}
	slices.Sort(names)
	return strictError("Create an index for this key or use a different filter.",
		"Index required but not found for \"%s\" of one of the following types: [%s]",
		key, strings.Join(slices.Compact(names), ", "))
}

// access is what a condition needs of an index: its type and, for integers, what for.
type access struct {
	schema qdrant.PayloadSchemaType
	ranged bool
}

var anyIndex = []access{
	{schema: qdrant.PayloadSchemaType_Bool}, {schema: qdrant.PayloadSchemaType_Datetime},
	{schema: qdrant.PayloadSchemaType_Float}, {schema: qdrant.PayloadSchemaType_Geo},
	{schema: qdrant.PayloadSchemaType_Integer}, {schema: qdrant.PayloadSchemaType_Integer, ranged: true},
	{schema: qdrant.PayloadSchemaType_Keyword}, {schema: qdrant.PayloadSchemaType_Text},
	{schema: qdrant.PayloadSchemaType_Uuid},
}

func (ix *index) serves(a access) bool {
	if ix.schema != a.schema {
		return false
	}
	p := ix.params.GetIntegerIndexParams()
	if a.ranged {
		return p == nil || p.Range == nil || p.GetRange()
	}
	return p == nil || p.Lookup == nil || p.GetLookup()
}

// wantedIndexes are the indexes of which any one serves c; none where c needs none.
func wantedIndexes(c *qdrant.Condition) []access {
	if c.GetIsEmpty() != nil || c.GetIsNull() != nil {
		return anyIndex
	}
	f := c.GetField()
	if f == nil {
		return nil
	}
	wanted := wantedByMatch(f.GetMatch())
	switch {
	case f.GetRange() != nil:
		wanted = append(wanted, access{schema: qdrant.PayloadSchemaType_Float},
			access{schema: qdrant.PayloadSchemaType_Integer, ranged: true})
	case f.GetDatetimeRange() != nil:
		wanted = append(wanted, access{schema: qdrant.PayloadSchemaType_Datetime})
	}
	if f.GetValuesCount() != nil || f.IsEmpty != nil || f.IsNull != nil {
		wanted = append(wanted, anyIndex...)
	}
	return wanted
}

func wantedByMatch(m *qdrant.Match) []access {
	switch kind := m.GetMatchValue().(type) {
	case *qdrant.Match_Keyword:
		return wantedByKeywords([]string{kind.Keyword})
	case *qdrant.Match_Keywords:
		return wantedByKeywords(kind.Keywords.GetStrings())
	case *qdrant.Match_ExceptKeywords:
		return wantedByKeywords(kind.ExceptKeywords.GetStrings())
	case *qdrant.Match_Integer, *qdrant.Match_Integers, *qdrant.Match_ExceptIntegers:
		return []access{{schema: qdrant.PayloadSchemaType_Integer}}
	case *qdrant.Match_Boolean:
		return []access{{schema: qdrant.PayloadSchemaType_Bool}}
	case *qdrant.Match_Text, *qdrant.Match_TextAny:
		return []access{{schema: qdrant.PayloadSchemaType_Text}}
	}
	return nil
}

func wantedByKeywords(keywords []string) []access {
	wanted := []access{{schema: qdrant.PayloadSchemaType_Keyword}}
	allUUIDs := !slices.ContainsFunc(keywords, func(k string) bool { _, ok := parseUUID(k); return !ok })
	if allUUIDs {
		wanted = append(wanted, access{schema: qdrant.PayloadSchemaType_Uuid})
	}
	return wanted
}
