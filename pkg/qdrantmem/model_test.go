package qdrantmem

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"
)

// ctx is for calls that bypass the wire, and with it cancellation.
var ctx = context.Background()

// doc is a point of the naive model: no index, no inverted list, no statistics.
type doc struct {
	id    uint64
	owner string   // "" for none
	n     *int64   // nil for none
	at    []int    // days of March 2025
	flag  *bool    // nil for none
	tags  []string // nil for none
	raw   []float32
	terms map[uint32]float32 // nil for none
}

type condition struct {
	wire  *qdrant.Condition
	holds func(doc) bool
}

type clauses struct{ must, should, mustNot []condition }

func (c clauses) wire() *qdrant.Filter {
	wires := func(conditions []condition) (out []*qdrant.Condition) {
		for _, c := range conditions {
			out = append(out, c.wire)
		}
		return out
	}
	return &qdrant.Filter{Must: wires(c.must), Should: wires(c.should), MustNot: wires(c.mustNot)}
}

func (c clauses) holds(d doc) bool {
	holds := func(c condition) bool { return c.holds(d) }
	return !slices.ContainsFunc(c.must, func(c condition) bool { return !c.holds(d) }) &&
		(len(c.should) == 0 || slices.ContainsFunc(c.should, holds)) && !slices.ContainsFunc(c.mustNot, holds)
}

var (
	owners = rapid.SampledFrom([]string{"ann", "bob", "王"})
	tags   = rapid.SampledFrom([]string{"x", "y", "z"})
	ids    = rapid.Uint64Range(1, 12)
)

// march is noon of a day of March 2025.
func march(day int) time.Time { return time.Date(2025, 3, day, 12, 0, 0, 0, time.UTC) }

// dateCondition has one or two bounds, open or closed.
func dateCondition(t *rapid.T) condition {
	low, high := rapid.IntRange(0, 5).Draw(t, "low"), rapid.IntRange(0, 5).Draw(t, "high")
	r := &qdrant.DatetimeRange{}
	kind := rapid.IntRange(0, 3).Draw(t, "bounds")
	within := func(day int) bool { return day >= low && day <= high }
	switch kind {
	case 0:
		r.Gte, r.Lte = timestamppb.New(march(low)), timestamppb.New(march(high))
	case 1:
		r.Gt, r.Lt = timestamppb.New(march(low)), timestamppb.New(march(high))
		within = func(day int) bool { return day > low && day < high }
	case 2:
		r.Lte = timestamppb.New(march(high))
		within = func(day int) bool { return day <= high }
	default:
		r.Gt = timestamppb.New(march(low))
		within = func(day int) bool { return day > low }
	}
	return condition{qdrant.NewDatetimeRange("at", r), func(d doc) bool { return slices.ContainsFunc(d.at, within) }}
}

var conditionsOfModel = rapid.Custom(func(t *rapid.T) condition {
	switch rapid.IntRange(0, 8).Draw(t, "kind") {
	case 0:
		owner := owners.Draw(t, "owner")
		return condition{qdrant.NewMatch("owner", owner), func(d doc) bool { return d.owner == owner }}
	case 1:
		some := rapid.SliceOfN(owners, 0, 3).Draw(t, "owners")
		return condition{qdrant.NewMatchKeywords("owner", some...), func(d doc) bool { return slices.Contains(some, d.owner) }}
	case 2:
		low := rapid.Float64Range(-3, 3).Draw(t, "low")
		return condition{qdrant.NewRange("n", &qdrant.Range{Gte: &low}), func(d doc) bool {
			return d.n != nil && float64(*d.n) >= low
		}}
	case 3:
		tag := tags.Draw(t, "tag")
		return condition{qdrant.NewMatch("tags", tag), func(d doc) bool { return slices.Contains(d.tags, tag) }}
	case 4:
		tag := tags.Draw(t, "tag")
		return condition{qdrant.NewMatchExcept("tags", tag), func(d doc) bool {
			return slices.ContainsFunc(d.tags, func(s string) bool { return s != tag })
		}}
	case 5:
		id := ids.Draw(t, "id")
		return condition{qdrant.NewHasID(qdrant.NewIDNum(id)), func(d doc) bool { return d.id == id }}
	case 6:
		return dateCondition(t)
	case 7:
		set := rapid.Bool().Draw(t, "flag")
		return condition{qdrant.NewMatchBool("flag", set), func(d doc) bool { return d.flag != nil && *d.flag == set }}
	default:
		return condition{qdrant.NewIsEmpty("tags"), func(d doc) bool { return len(d.tags) == 0 }}
	}
})

var filtersOfModel = rapid.Custom(func(t *rapid.T) clauses {
	some := rapid.SliceOfN(conditionsOfModel, 0, 2)
	return clauses{some.Draw(t, "must"), some.Draw(t, "should"), some.Draw(t, "must_not")}
})

var docs = rapid.Custom(func(t *rapid.T) doc {
	d := doc{id: ids.Draw(t, "id"), raw: rapid.SliceOfN(rapid.Float32Range(-2, 2), 2, 2).Draw(t, "raw")}
	d.owner = rapid.OneOf(owners, rapid.Just("")).Draw(t, "owner")
	d.n = rapid.Ptr(rapid.Int64Range(-3, 3), true).Draw(t, "n")
	d.tags = rapid.SliceOfN(tags, 0, 3).Draw(t, "tags")
	// Several dates a point are rare: where there is one such point, no date is looked up.
	d.at = rapid.SliceOfN(rapid.IntRange(1, 4), 0, rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "dates")).Draw(t, "at")
	d.flag = rapid.Ptr(rapid.Bool(), true).Draw(t, "flag")
	if rapid.Bool().Draw(t, "sparse") {
		d.terms = rapid.MapOfN(rapid.Uint32Range(0, 5), rapid.Float32Range(0.5, 2), 1, 4).Draw(t, "terms")
	}
	return d
})

func (d doc) wire() *qdrant.PointStruct {
	payload := map[string]any{}
	if d.owner != "" {
		payload["owner"] = d.owner
	}
	if d.n != nil {
		payload["n"] = *d.n
	}
	if d.flag != nil {
		payload["flag"] = *d.flag
	}
	if d.at != nil {
		list := make([]any, len(d.at))
		for i, day := range d.at {
			list[i] = march(day).Format(time.RFC3339)
		}
		payload["at"] = list
	}
	if d.tags != nil {
		list := make([]any, len(d.tags))
		for i, tag := range d.tags {
			list[i] = tag
		}
		payload["tags"] = list
	}
	vectors := map[string]*qdrant.Vector{"raw": qdrant.NewVectorDense(d.raw)}
	if d.terms != nil {
		indices := slices.Collect(maps.Keys(d.terms))
		values := make([]float32, len(indices))
		for i, index := range indices {
			values[i] = d.terms[index]
		}
		vectors["idf"] = qdrant.NewVectorSparse(indices, values)
	}
	return &qdrant.PointStruct{
		Id: qdrant.NewIDNum(d.id), Payload: qdrant.NewValueMap(payload), Vectors: qdrant.NewVectorsMap(vectors),
	}
}

// engine is the Points service with the collection c, without the wire.
func engine(t interface{ Fatal(...any) }) *pointsService {
	k := newCatalog()
	c, err := newCollection(&qdrant.CreateCollection{
		VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{"raw": {Size: 2, Distance: qdrant.Distance_Dot}}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{
			"idf": {Modifier: qdrant.PtrOf(qdrant.Modifier_Idf)},
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.create("c", c); err != nil {
		t.Fatal(err)
	}
	s := &pointsService{catalog: k}
	for name, params := range map[string]*qdrant.PayloadIndexParams{
		"owner": qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)}),
		"n":     qdrant.NewPayloadIndexParamsInt(&qdrant.IntegerIndexParams{}),
		"at":    qdrant.NewPayloadIndexParamsDatetime(&qdrant.DatetimeIndexParams{}),
		"flag":  qdrant.NewPayloadIndexParamsBool(&qdrant.BoolIndexParams{}),
	} {
		if _, err := s.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
			CollectionName: "c", FieldName: name, FieldIndexParams: params,
		}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestEngineAgreesWithNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := engine(t)
		model := map[uint64]doc{}
		t.Repeat(map[string]func(*rapid.T){
			"upsert": func(t *rapid.T) { modelUpsert(t, s, model) },
			"delete": func(t *rapid.T) {
				f := filtersOfModel.Draw(t, "filter")
				check(t, second(s.Delete(ctx, &qdrant.DeletePoints{
					CollectionName: "c", Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelectorFilter(f.wire()),
				})))
				maps.DeleteFunc(model, func(_ uint64, d doc) bool { return f.holds(d) })
			},
			"set owner": func(t *rapid.T) {
				f, owner := filtersOfModel.Draw(t, "filter"), owners.Draw(t, "owner")
				check(t, second(s.SetPayload(ctx, &qdrant.SetPayloadPoints{
					CollectionName: "c", Wait: qdrant.PtrOf(true), Payload: qdrant.NewValueMap(map[string]any{"owner": owner}),
					PointsSelector: qdrant.NewPointsSelectorFilter(f.wire()),
				})))
				for id, d := range model {
					if f.holds(d) {
						d.owner = owner
						model[id] = d
					}
				}
			},
			"query": func(t *rapid.T) { modelQuery(t, s, model) },
			"": func(t *rapid.T) {
				checkStatistics(t, s, model)
				modelScroll(t, s, model)
			},
		})
	})
}

func second[T any](_ T, err error) error { return err }

func check(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func matches(model map[uint64]doc, f clauses) []uint64 {
	var out []uint64
	for _, id := range slices.Sorted(maps.Keys(model)) {
		if f.holds(model[id]) {
			out = append(out, id)
		}
	}
	return out
}

func modelUpsert(t *rapid.T, s *pointsService, model map[uint64]doc) {
	batch := rapid.SliceOfN(docs, 1, 4).Draw(t, "docs")
	mode := rapid.SampledFrom([]qdrant.UpdateMode{
		qdrant.UpdateMode_Upsert, qdrant.UpdateMode_InsertOnly, qdrant.UpdateMode_UpdateOnly,
	}).Draw(t, "mode")
	f := filtersOfModel.Draw(t, "update filter")
	req := &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), UpdateMode: &mode, UpdateFilter: f.wire()}
	last := map[uint64]doc{}
	for _, d := range batch {
		req.Points = append(req.Points, d.wire())
		last[d.id] = d
	}
	check(t, second(s.Upsert(context.Background(), req)))
	for id, d := range last {
		stored, there := model[id]
		insert := !there && mode != qdrant.UpdateMode_UpdateOnly
		update := there && mode != qdrant.UpdateMode_InsertOnly && f.holds(stored)
		if insert || update {
			model[id] = d
		}
	}
}

// modelScroll reads all that a filter matches in pages, some of one point.
func modelScroll(t *rapid.T, s *pointsService, model map[uint64]doc) {
	f, limit := filtersOfModel.Draw(t, "filter"), rapid.Uint32Range(1, 14).Draw(t, "limit")
	var got []uint64
	var next *qdrant.PointId
	for range len(model) + 1 {
		found, err := s.Scroll(ctx, &qdrant.ScrollPoints{CollectionName: "c", Filter: f.wire(), Limit: &limit, Offset: next})
		check(t, err)
		for _, p := range found.GetResult() {
			got = append(got, p.GetId().GetNum())
		}
		if next = found.GetNextPageOffset(); next == nil {
			break
		}
	}
	if want := matches(model, f); !slices.Equal(got, want) {
		t.Fatalf("%v matches %v, want %v", f.wire(), got, want)
	}
}

func modelQuery(t *rapid.T, s *pointsService, model map[uint64]doc) {
	f, limit := filtersOfModel.Draw(t, "filter"), rapid.Uint64Range(1, 6).Draw(t, "limit")
	vector := rapid.SliceOfN(rapid.Float32Range(-2, 2), 2, 2).Draw(t, "vector")
	found, err := s.Query(ctx, &qdrant.QueryPoints{
		CollectionName: "c", Query: qdrant.NewQueryDense(vector), Using: qdrant.PtrOf("raw"), Filter: f.wire(), Limit: &limit,
	})
	check(t, err)
	want := matches(model, f)
	score := func(id uint64) float32 { return dot(model[id].raw, vector) }
	slices.SortFunc(want, func(a, b uint64) int { return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(b, a)) })
	want = want[:min(int(limit), len(want))]
	var got []uint64
	for _, p := range found.GetResult() {
		got = append(got, p.GetId().GetNum())
	}
	if !slices.Equal(got, want) {
		t.Fatalf("query %v with %v = %v, want %v", vector, f.wire(), got, want)
	}
}

// checkStatistics compares what is maintained per write with what a recount gives.
func checkStatistics(t *rapid.T, s *pointsService, model map[uint64]doc) {
	c, err := s.catalog.find("c")
	check(t, err)
	points, df, perOwner, flagged := 0, map[uint32]int{}, map[string]int{}, 0
	var dates []dated
	for id, d := range model {
		slot := c.ids[pointID{lo: id}].slot
		for _, day := range d.at {
			if date := (dated{march(day).UnixMicro(), slot}); !slices.Contains(dates, date) {
				dates = append(dates, date)
			}
		}
		if d.flag != nil && *d.flag {
			flagged++
		}
		if d.terms != nil {
			points++
		}
		for index := range d.terms {
			df[index]++
		}
		if d.owner != "" {
			perOwner[d.owner]++
		}
	}
	stats := c.sparse[0].stats
	if stats.points != points || !maps.Equal(stats.df, df) {
		t.Fatalf("term statistics %+v, want %d points and %v", stats, points, df)
	}
	slices.SortFunc(dates, compareDated)
	held := slices.Collect(c.indexes["at"].dates.from(func(dated) bool { return true }))
	if !slices.Equal(held, dates) {
		t.Fatalf("dates %v, want %v", held, dates)
	}
	if n := len(c.indexes["flag"].postings[postedTrue]); n != flagged {
		t.Fatalf("%d flagged points, want %d", n, flagged)
	}
	postings := c.indexes["owner"].postings
	if len(postings) != len(perOwner) {
		t.Fatalf("postings of %d owners, want %v", len(postings), perOwner)
	}
	for owner, n := range perOwner {
		if len(postings[owner]) != n {
			t.Fatalf("%d postings of %s, want %d", len(postings[owner]), owner, n)
		}
	}
}
