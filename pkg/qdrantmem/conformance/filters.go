package conformance

import (
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// filters: the algebra of clauses.
func filters(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.upsert(
		point(1, map[string]any{"city": "Berlin", "color": "red", "n": 1}),
		point(2, map[string]any{"city": "Berlin", "color": "blue", "n": 2}),
		point(3, map[string]any{"city": "杭州", "color": "red", "n": 3}),
		point(4, map[string]any{"city": "杭州", "color": "green", "n": 4}),
	)
	berlin, hangzhou := qdrant.NewMatch("city", "Berlin"), qdrant.NewMatch("city", "杭州")
	red, blue := qdrant.NewMatch("color", "red"), qdrant.NewMatch("color", "blue")
	three := []*qdrant.Condition{berlin, red, qdrant.NewMatchInt("n", 1)}
	for _, c := range []struct {
		name   string
		filter *qdrant.Filter
		want   []uint64
	}{
		{"no filter", nil, []uint64{1, 2, 3, 4}},
		{"empty filter", &qdrant.Filter{}, []uint64{1, 2, 3, 4}},
		{"must is all", must(berlin, red), []uint64{1}},
		{"should is any", &qdrant.Filter{Should: []*qdrant.Condition{berlin, red}}, []uint64{1, 2, 3}},
		{"must_not is none", &qdrant.Filter{MustNot: []*qdrant.Condition{berlin, red}}, []uint64{4}},
		{"must and should", &qdrant.Filter{
			Must: []*qdrant.Condition{hangzhou}, Should: []*qdrant.Condition{red, blue},
		}, []uint64{3}},
		{"must, should and must_not", &qdrant.Filter{
			Must: []*qdrant.Condition{berlin}, Should: []*qdrant.Condition{red, blue}, MustNot: []*qdrant.Condition{blue},
		}, []uint64{1}},
		{"min_should 2", &qdrant.Filter{MinShould: &qdrant.MinShould{Conditions: three, MinCount: 2}}, []uint64{1}},
		{"min_should 1", &qdrant.Filter{MinShould: &qdrant.MinShould{Conditions: three, MinCount: 1}}, []uint64{1, 2, 3}},
		{"min_should 0", &qdrant.Filter{MinShould: &qdrant.MinShould{Conditions: three}}, []uint64{1, 2, 3, 4}},
		{"min_should above the number", &qdrant.Filter{
			MinShould: &qdrant.MinShould{Conditions: three, MinCount: 4},
		}, []uint64{}},
		{"condition with nothing set", must(&qdrant.Condition{}), []uint64{1, 2, 3, 4}},
		{"filter as condition", &qdrant.Filter{MustNot: []*qdrant.Condition{
			qdrant.NewFilterAsCondition(must(berlin, red)),
		}}, []uint64{2, 3, 4}},
		{"has_id", must(qdrant.NewHasID(qdrant.NewIDNum(3), qdrant.NewIDNum(1), qdrant.NewIDNum(9))), []uint64{1, 3}},
		{"has_id of nothing", must(qdrant.NewHasID()), []uint64{}},
		{"has_id in must_not", &qdrant.Filter{
			MustNot: []*qdrant.Condition{qdrant.NewHasID(qdrant.NewIDNum(1))},
		}, []uint64{2, 3, 4}},
		{"has_vector", must(qdrant.NewHasVector("dense")), []uint64{1, 2, 3, 4}},
		{"has_vector that no point has", must(qdrant.NewHasVector("raw")), []uint64{}},
		{"has_vector of no such name", must(qdrant.NewHasVector("none")), []uint64{}},
	} {
		s.run(c.name, func(t *testing.T, s *space) { wantIDs(t, c.name, s.matching(c.filter), c.want) })
	}
}

// values: conditions on missing, null, arrays and other types, without indexes.
func values(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	upsertShapes(s)
	s.upsert(
		point(11, map[string]any{"n": 1}), point(12, map[string]any{"n": 1.0}), point(13, map[string]any{"n": "1"}),
		point(14, map[string]any{"n": true}), point(15, map[string]any{"n": []any{1, 2}}),
		point(16, map[string]any{"n": []any{[]any{1}}}),
		point(21, map[string]any{"text": "Green tea, 绿茶"}),
	)
	for _, c := range []struct {
		name      string
		condition *qdrant.Condition
		want      []uint64
	}{
		{"match", qdrant.NewMatch("k", "x"), []uint64{5, 6}},
		{"any", qdrant.NewMatchKeywords("k", "z", "y"), []uint64{6}},
		{"any of nothing", qdrant.NewMatchKeywords("k"), []uint64{}},
		{"except", qdrant.NewMatchExcept("k", "x"), []uint64{6, 7}},
		{"range on others", qdrant.NewRange("k", &qdrant.Range{Gte: qdrant.PtrOf(0.0)}), []uint64{}},
		{"values_count below 1", qdrant.NewValuesCount("k", &qdrant.ValuesCount{Lt: qdrant.PtrOf(uint64(1))}), []uint64{2, 3}},
		{"values_count 1", qdrant.NewValuesCount("k", &qdrant.ValuesCount{
			Gte: qdrant.PtrOf(uint64(1)), Lte: qdrant.PtrOf(uint64(1)),
		}), []uint64{4, 5, 7}},
		{"values_count above 1", qdrant.NewValuesCount("k", &qdrant.ValuesCount{Gt: qdrant.PtrOf(uint64(1))}), []uint64{6}},
		{"integer", qdrant.NewMatchInt("n", 1), []uint64{11, 15}},
		{"integers", qdrant.NewMatchInts("n", 2, 3), []uint64{15}},
		{"keyword of a number", qdrant.NewMatch("n", "1"), []uint64{13}},
		{"bool", qdrant.NewMatchBool("n", true), []uint64{14}},
		{"range of int and float", qdrant.NewRange("n", &qdrant.Range{
			Gte: qdrant.PtrOf(1.0), Lte: qdrant.PtrOf(1.0),
		}), []uint64{11, 12, 15}},
		{"range excludes its open bounds", qdrant.NewRange("n", &qdrant.Range{
			Gt: qdrant.PtrOf(1.0), Lt: qdrant.PtrOf(2.0),
		}), []uint64{}},
		{"text is a substring", qdrant.NewMatchText("text", "reen t"), []uint64{21}},
		{"text in Chinese", qdrant.NewMatchText("text", "绿"), []uint64{21}},
		{"text heeds case", qdrant.NewMatchText("text", "green"), []uint64{}},
		{"text_any", qdrant.NewMatchTextAny("text", "coffee tea"), []uint64{21}},
	} {
		s.run(c.name, func(t *testing.T, s *space) { wantIDs(t, c.name, s.matching(must(c.condition)), c.want) })
	}
	nullAndEmpty(t, s, []uint64{2})
	fieldConditionErrors(t, s)
}

// upsertShapes stores every shape that the value of k can have.
func upsertShapes(s *space) {
	s.t.Helper()
	s.upsert(
		point(1, map[string]any{"other": 1}), point(2, map[string]any{"k": nil}), point(3, map[string]any{"k": []any{}}),
		point(4, map[string]any{"k": []any{nil}}), point(5, map[string]any{"k": "x"}),
		point(6, map[string]any{"k": []any{"x", "y"}}), point(7, map[string]any{"k": map[string]any{}}),
	)
}

// nullAndEmpty checks is_null and is_empty on upsertShapes; null is what IsNull matches.
func nullAndEmpty(t *testing.T, s *space, null []uint64) {
	t.Helper()
	field := func(empty, null *bool) *qdrant.Condition {
		return &qdrant.Condition{ConditionOneOf: &qdrant.Condition_Field{
			Field: &qdrant.FieldCondition{Key: "k", IsEmpty: empty, IsNull: null},
		}}
	}
	shapes := qdrant.NewHasID(numIDs(1, 2, 3, 4, 5, 6, 7)...)
	yes, no := qdrant.PtrOf(true), qdrant.PtrOf(false)
	for _, c := range []struct {
		name      string
		condition *qdrant.Condition
		want      []uint64
	}{
		{"IsEmpty", qdrant.NewIsEmpty("k"), []uint64{1, 2, 3}},
		{"IsNull", qdrant.NewIsNull("k"), null},
		{"field is_empty", field(yes, nil), []uint64{1, 2, 3}},
		{"field is_empty false", field(no, nil), []uint64{4, 5, 6, 7}},
		{"field is_null", field(nil, yes), []uint64{2, 4}},
		{"field is_null false", field(nil, no), []uint64{1, 3, 5, 6, 7}},
	} {
		s.run(c.name, func(t *testing.T, s *space) { wantIDs(t, c.name, s.matching(must(shapes, c.condition)), c.want) })
	}
}

func numIDs(nums ...uint64) []*qdrant.PointId {
	ids := make([]*qdrant.PointId, len(nums))
	for i, n := range nums {
		ids[i] = qdrant.NewIDNum(n)
	}
	return ids
}

func fieldConditionErrors(t *testing.T, s *space) {
	t.Helper()
	nothing := &qdrant.Condition{ConditionOneOf: &qdrant.Condition_Field{Field: &qdrant.FieldCondition{Key: "k"}}}
	bare := &qdrant.Condition{ConditionOneOf: &qdrant.Condition_Nested{Nested: &qdrant.NestedCondition{Key: "k"}}}
	badTime := qdrant.NewDatetimeRange("k", &qdrant.DatetimeRange{Gt: &timestamppb.Timestamp{Nanos: 1_000_000_000}})
	for _, c := range []struct {
		name      string
		condition *qdrant.Condition
		message   string
	}{
		{"field condition with nothing set", nothing, ""},
		{"nested without filter", bare, "Nested condition must have a filter"},
		{"bad path", qdrant.NewMatch("a..b", "x"), "Invalid json path: 'a..b'"},
		{"bad uuid", qdrant.NewHasID(qdrant.NewIDUUID("nonsense")), "Unable to parse UUID"},
		{"bad timestamp", badTime, ""},
	} {
		_, err := s.client.Scroll(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, Filter: must(c.condition)})
		wantStatus(t, c.name, err, codes.InvalidArgument, c.message)
	}
}

// indexedValues: where a declared index changes what matches.
func indexedValues(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.index("k", qdrant.FieldType_FieldTypeKeyword, nil)
	s.index("tenant", qdrant.FieldType_FieldTypeKeyword, tenantIndex())
	s.index("id", qdrant.FieldType_FieldTypeUuid, nil)
	s.index("text", qdrant.FieldType_FieldTypeText, nil)
	upsertShapes(s)
	s.upsert(
		point(11, map[string]any{"tenant": "a", "id": "6F9619FF-8B86-D011-B42D-00CF4FC964FF"}),
		point(12, map[string]any{"tenant": []any{"b", "a"}, "id": "no uuid"}),
		point(13, map[string]any{"tenant": "b", "text": "Green tea at noon"}),
		point(14, map[string]any{"tenant": 7}),
	)
	for _, c := range []struct {
		name      string
		condition *qdrant.Condition
		want      []uint64
	}{
		{"match", qdrant.NewMatch("k", "x"), []uint64{5, 6}},
		{"except counts strings only", qdrant.NewMatchExcept("k", "x"), []uint64{6}},
		{"tenant", qdrant.NewMatch("tenant", "a"), []uint64{11, 12}},
		{"tenants, once each", qdrant.NewMatchKeywords("tenant", "a", "b", "c"), []uint64{11, 12, 13}},
		{"unknown tenant", qdrant.NewMatch("tenant", "c"), []uint64{}},
		{"uuid in another spelling", qdrant.NewMatch("id", "6f9619ff-8b86-d011-b42d-00cf4fc964ff"), []uint64{11}},
		{"text is tokens", qdrant.NewMatchText("text", "noon GREEN"), []uint64{13}},
		{"text is whole tokens", qdrant.NewMatchText("text", "gree"), []uint64{}},
	} {
		s.run(c.name, func(t *testing.T, s *space) { wantIDs(t, c.name, s.matching(must(c.condition)), c.want) })
	}
	nullAndEmpty(t, s, []uint64{2, 4})
}

// paths: JSON paths in conditions, nested conditions and selectors of payload.
func paths(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	tea := map[string]any{"name": "tea", "sort": "green"}
	s.upsert(
		point(1, map[string]any{"a": map[string]any{"b": "x"}, "a.b": "quoted"}),
		point(2, map[string]any{"a": []any{map[string]any{"b": "x"}, map[string]any{"b": "y"}}}),
		point(3, map[string]any{"likes": []any{tea, map[string]any{"name": "coffee", "sort": "black"}, "milk"}}),
		point(4, map[string]any{"饮料-1": "茶"}),
	)
	both := must(qdrant.NewMatch("name", "tea"), qdrant.NewMatch("sort", "black"))
	for _, c := range []struct {
		name      string
		condition *qdrant.Condition
		want      []uint64
	}{
		{"member", qdrant.NewMatch("a.b", "x"), []uint64{1}},
		{"quoted key", qdrant.NewMatch(`"a.b"`, "quoted"), []uint64{1}},
		{"each element", qdrant.NewMatch("a[].b", "y"), []uint64{2}},
		{"one element", qdrant.NewMatch("a[1].b", "y"), []uint64{2}},
		{"another element", qdrant.NewMatch("a[0].b", "y"), []uint64{}},
		{"unicode key", qdrant.NewMatch("饮料-1", "茶"), []uint64{4}},
		{"members of any elements", qdrant.NewFilterAsCondition(must(
			qdrant.NewMatch("likes[].name", "tea"), qdrant.NewMatch("likes[].sort", "black"),
		)), []uint64{3}},
		{"nested is one element", qdrant.NewNestedFilter("likes", both), []uint64{}},
		{"nested", qdrant.NewNestedFilter("likes", must(qdrant.NewMatch("name", "tea"))), []uint64{3}},
		{"nested with brackets", qdrant.NewNestedFilter("likes[]", must(qdrant.NewMatch("name", "tea"))), []uint64{3}},
		{"has_id in nested", qdrant.NewNestedFilter("likes", must(qdrant.NewHasID(numIDs(3)...))), []uint64{}},
	} {
		s.run(c.name, func(t *testing.T, s *space) { wantIDs(t, c.name, s.matching(must(c.condition)), c.want) })
	}
}

// datetimes: the spellings of stored datetimes and how they compare.
func datetimes(t *testing.T, client *qdrant.Client) {
	noon := time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)
	equal := qdrant.NewDatetimeRange("at", &qdrant.DatetimeRange{Gte: timestamppb.New(noon), Lte: timestamppb.New(noon)})
	after := qdrant.NewDatetimeRange("at", &qdrant.DatetimeRange{Gt: timestamppb.New(noon)})
	before := qdrant.NewDatetimeRange("at", &qdrant.DatetimeRange{Lt: timestamppb.New(noon)})
	for _, indexed := range []bool{false, true} {
		name := map[bool]string{false: "plain", true: "indexed"}[indexed]
		t.Run(name, func(t *testing.T) {
			s := newSpace(t, client)
			if indexed {
				s.index("at", qdrant.FieldType_FieldTypeDatetime, nil)
			}
			for i, at := range []any{
				"2025-03-01T12:00:00Z", "2025-03-01T20:00:00+08:00", "2025-03-01 12:00:00.000", "2025-03-01 12:00",
				"2025-03-01T12:00:00.000001Z", "2025-03-01", "yesterday", "", 1740830400, nil,
			} {
				s.upsert(point(uint64(i+1), map[string]any{"at": at}))
			}
			wantIDs(t, "equal", s.matching(must(equal)), []uint64{1, 2, 3, 4})
			wantIDs(t, "after", s.matching(must(after)), []uint64{5})
			wantIDs(t, "before", s.matching(must(before)), []uint64{6})
		})
	}
}
