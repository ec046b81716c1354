package qdrantmem

import (
	"strings"
	"unicode"

	"github.com/qdrant/go-client/qdrant"
)

// index is a declared payload index. A tenant index, a bool index and a datetime index know
// their points: a request for one tenant, for what is flagged or for what is due by then
// touches those points alone. The others decide, as on the real server, which stored values
// a condition can match, and satisfy strict mode.
type index struct {
	path     path
	schema   qdrant.PayloadSchemaType
	params   *qdrant.PayloadIndexParams
	tenant   bool
	points   int                            // with at least one indexed value
	repeated int                            // with several of them
	postings map[string]map[uint32]struct{} // term to slots; of a bool index postedTrue alone
	dates    *ordered[dated]                // of a datetime index
}

// postedTrue is the term of points whose flag is set; those whose flag is not are many.
const postedTrue = "true"

// fieldSchemas gives the schema of each field type that can be declared.
var fieldSchemas = map[qdrant.FieldType]qdrant.PayloadSchemaType{
	qdrant.FieldType_FieldTypeKeyword:  qdrant.PayloadSchemaType_Keyword,
	qdrant.FieldType_FieldTypeInteger:  qdrant.PayloadSchemaType_Integer,
	qdrant.FieldType_FieldTypeFloat:    qdrant.PayloadSchemaType_Float,
	qdrant.FieldType_FieldTypeText:     qdrant.PayloadSchemaType_Text,
	qdrant.FieldType_FieldTypeBool:     qdrant.PayloadSchemaType_Bool,
	qdrant.FieldType_FieldTypeDatetime: qdrant.PayloadSchemaType_Datetime,
	qdrant.FieldType_FieldTypeUuid:     qdrant.PayloadSchemaType_Uuid,
}

func newIndex(req *qdrant.CreateFieldIndexCollection) (*index, error) {
	at, err := parsePath(req.GetFieldName())
	if err != nil {
		return nil, err
	}
	schema, err := indexSchema(req)
	if err != nil {
		return nil, err
	}
	params := req.GetFieldIndexParams()
	if err := checkTextParams(params.GetTextIndexParams()); err != nil {
		return nil, err
	}
	ix := &index{path: at, schema: schema, params: params}
	switch schema {
	case qdrant.PayloadSchemaType_Keyword:
		ix.tenant = params.GetKeywordIndexParams().GetIsTenant()
	case qdrant.PayloadSchemaType_Uuid:
		ix.tenant = params.GetUuidIndexParams().GetIsTenant()
	}
	if ix.tenant || schema == qdrant.PayloadSchemaType_Bool {
		ix.postings = make(map[string]map[uint32]struct{})
	}
	if schema == qdrant.PayloadSchemaType_Datetime {
		ix.dates = &ordered[dated]{compare: compareDated}
	}
	return ix, nil
}

func indexSchema(req *qdrant.CreateFieldIndexCollection) (qdrant.PayloadSchemaType, error) {
	if req.FieldType != nil {
		schema, ok := fieldSchemas[req.GetFieldType()]
		if !ok {
			return 0, unimplemented("a payload index of type " + req.GetFieldType().String())
		}
		return schema, nil
	}
	switch req.GetFieldIndexParams().GetIndexParams().(type) {
	case *qdrant.PayloadIndexParams_KeywordIndexParams:
		return qdrant.PayloadSchemaType_Keyword, nil
	case *qdrant.PayloadIndexParams_IntegerIndexParams:
		return qdrant.PayloadSchemaType_Integer, nil
	case *qdrant.PayloadIndexParams_FloatIndexParams:
		return qdrant.PayloadSchemaType_Float, nil
	case *qdrant.PayloadIndexParams_TextIndexParams:
		return qdrant.PayloadSchemaType_Text, nil
	case *qdrant.PayloadIndexParams_BoolIndexParams:
		return qdrant.PayloadSchemaType_Bool, nil
	case *qdrant.PayloadIndexParams_DatetimeIndexParams:
		return qdrant.PayloadSchemaType_Datetime, nil
	case *qdrant.PayloadIndexParams_UuidIndexParams:
		return qdrant.PayloadSchemaType_Uuid, nil
	case nil:
		return 0, malformed("field type or field index params are required")
	default:
		return 0, unimplemented("a payload index of this type")
	}
}

func checkTextParams(p *qdrant.TextIndexParams) error {
	switch {
	case p == nil:
		return nil
	case p.GetTokenizer() == qdrant.TokenizerType_Prefix, p.GetTokenizer() == qdrant.TokenizerType_Multilingual:
		return unimplemented("the text tokenizer " + p.GetTokenizer().String())
	case p.GetStopwords() != nil, p.GetStemmer() != nil, p.GetAsciiFolding(), p.GetPhraseMatching():
		return unimplemented("a text index with stop words, stemming, folding or phrases")
	}
	return nil
}

// term is the form in which v is indexed, if this index takes values such as v.
func (ix *index) term(v any) (string, bool) {
	s, ok := v.(string)
	if !ok || ix.schema != qdrant.PayloadSchemaType_Uuid {
		return s, ok
	}
	u, ok := parseUUID(s)
	return u.String(), ok
}

func (ix *index) takes(v any) bool {
	switch ix.schema {
	case qdrant.PayloadSchemaType_Integer:
		_, ok := v.(int64)
		return ok
	case qdrant.PayloadSchemaType_Float:
		_, ok := number(v)
		return ok
	case qdrant.PayloadSchemaType_Bool:
		_, ok := v.(bool)
		return ok
	case qdrant.PayloadSchemaType_Datetime:
		_, ok := parseDatetime(v)
		return ok
	default:
		_, ok := ix.term(v)
		return ok
	}
}

// values calls f with each value that the index takes from doc.
func (ix *index) values(doc object, f func(any)) {
	ix.path.visit(doc, func(v any) bool {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, element := range list {
			if ix.takes(element) {
				f(element)
			}
		}
		return true
	})
}

func (ix *index) add(p *point) {
	ix.count(p, 1, func(v any) {
		if term, ok := ix.postedUnder(v); ok {
			if ix.postings[term] == nil {
				ix.postings[term] = make(map[uint32]struct{})
			}
			ix.postings[term][p.slot] = struct{}{}
		}
		if ix.dates != nil {
			ix.dates.add(dated{microseconds(v), p.slot})
		}
	})
}

func (ix *index) drop(p *point) {
	ix.count(p, -1, func(v any) {
		if term, ok := ix.postedUnder(v); ok {
			if delete(ix.postings[term], p.slot); len(ix.postings[term]) == 0 {
				delete(ix.postings, term)
			}
		}
		if ix.dates != nil {
			ix.dates.drop(dated{microseconds(v), p.slot})
		}
	})
}

// count calls f with each value that the index takes from p, and keeps the numbers of points.
func (ix *index) count(p *point, delta int, f func(any)) {
	values := 0
	ix.values(p.payload, func(v any) {
		values++
		f(v)
	})
	if values > 0 {
		ix.points += delta
	}
	if values > 1 {
		ix.repeated += delta
	}
}

// postedUnder is the term under which the index posts a point with the value v, if it does.
func (ix *index) postedUnder(v any) (string, bool) {
	if ix.schema == qdrant.PayloadSchemaType_Bool {
		return postedTrue, v == any(true)
	}
	term, _ := ix.term(v)
	return term, ix.tenant
}

// tokens cuts s into the terms of a text index.
func (ix *index) tokens(s string) []string {
	p := ix.params.GetTextIndexParams()
	if p == nil || p.Lowercase == nil || p.GetLowercase() {
		s = strings.ToLower(s)
	}
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	if p.GetTokenizer() == qdrant.TokenizerType_Whitespace {
		split = unicode.IsSpace
	}
	var kept []string
	for _, token := range strings.FieldsFunc(s, split) {
		n := uint64(len([]rune(token)))
		if n >= p.GetMinTokenLen() && (p.GetMaxTokenLen() == 0 || n <= p.GetMaxTokenLen()) {
			kept = append(kept, token)
		}
	}
	return kept
}

func (ix *index) info() *qdrant.PayloadSchemaInfo {
	points := uint64(ix.points)
	return &qdrant.PayloadSchemaInfo{DataType: ix.schema, Params: ix.params, Points: &points}
}
