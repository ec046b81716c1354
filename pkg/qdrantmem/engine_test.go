package qdrantmem

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
)

func TestIndexedConditionsTouchTheirOwnPointsOnly(t *testing.T) {
	s := engine(t)
	req := &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true)}
	for i := range uint64(1000) {
		req.Points = append(req.Points, doc{
			id: i, owner: fmt.Sprint("owner ", i%100), raw: []float32{1, 1}, at: []int{int(i/50) + 1}, flag: qdrant.PtrOf(i%200 == 0),
		}.wire())
	}
	if _, err := s.Upsert(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	c, err := s.catalog.find("c")
	if err != nil {
		t.Fatal(err)
	}
	mine := qdrant.NewMatch("owner", "owner 7")
	inner := qdrant.NewFilterAsCondition(&qdrant.Filter{Must: []*qdrant.Condition{mine}})
	two := qdrant.NewMatchKeywords("owner", "owner 7", "owner 8", "owner 7")
	other := qdrant.NewMatchInt("n", 1)
	date := func(r *qdrant.DatetimeRange) *qdrant.Condition { return qdrant.NewDatetimeRange("at", r) }
	third := date(&qdrant.DatetimeRange{Gt: timestamppb.New(march(2)), Lt: timestamppb.New(march(4))})
	for _, tc := range []struct {
		name   string
		filter *qdrant.Filter
		size   int // negative for a scan
	}{
		{"tenant", &qdrant.Filter{Must: []*qdrant.Condition{other, mine}}, 10},
		{"tenant in an inner filter", &qdrant.Filter{Must: []*qdrant.Condition{inner, other}}, 10},
		{"the smallest set", &qdrant.Filter{Must: []*qdrant.Condition{two, mine}}, 10},
		{"ids", &qdrant.Filter{Must: []*qdrant.Condition{mine, qdrant.NewHasID(qdrant.NewIDNum(7))}}, 1},
		{"dates", &qdrant.Filter{Must: []*qdrant.Condition{date(&qdrant.DatetimeRange{Lte: timestamppb.New(march(2))})}}, 100},
		{"dates between open bounds", &qdrant.Filter{Must: []*qdrant.Condition{third}}, 50},
		{"no dates", &qdrant.Filter{Must: []*qdrant.Condition{date(&qdrant.DatetimeRange{Gt: timestamppb.New(march(20))})}}, 0},
		{"dates in the wrong order", &qdrant.Filter{Must: []*qdrant.Condition{
			date(&qdrant.DatetimeRange{Gt: timestamppb.New(march(4)), Lt: timestamppb.New(march(2))}),
		}}, 0},
		{"dates of a tenant", &qdrant.Filter{Must: []*qdrant.Condition{third, mine}}, 10},
		{"flag", &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchBool("flag", true), third}}, 5},
		{"flag not set", &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchBool("flag", false)}}, -1},
		{"dates in should", &qdrant.Filter{Should: []*qdrant.Condition{third}}, -1},
		{"tenant in must_not", &qdrant.Filter{MustNot: []*qdrant.Condition{mine}}, -1},
		{"tenant in should", &qdrant.Filter{Should: []*qdrant.Condition{mine, other}}, -1},
		{"no tenant", &qdrant.Filter{Must: []*qdrant.Condition{other}}, -1},
	} {
		f, err := c.compile(tc.filter)
		if err != nil {
			t.Fatal(err)
		}
		found, ok := f.lookup(c)
		if ok != (tc.size >= 0) || ok && found.size != tc.size {
			t.Errorf("%s: lookup of %d, %v; want %d", tc.name, found.size, ok, tc.size)
		}
	}
	f, err := c.compile(&qdrant.Filter{Must: []*qdrant.Condition{two}})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(slices.Collect(c.matching(f))); got != 20 {
		t.Errorf("two tenants, one named twice: %d points, want 20", got)
	}
}

func TestStrictModeSeesTheTenantInAnyClauseOfTheOuterFilter(t *testing.T) {
	s := engine(t)
	c, err := s.catalog.find("c")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.reconfigure(&qdrant.UpdateCollection{
		HnswConfig:       &qdrant.HnswConfigDiff{M: qdrant.PtrOf(uint64(0)), PayloadM: qdrant.PtrOf(uint64(16))},
		StrictModeConfig: &qdrant.StrictModeConfig{Enabled: qdrant.PtrOf(true), SearchAllowExact: qdrant.PtrOf(false)},
	}); err != nil {
		t.Fatal(err)
	}
	mine := []*qdrant.Condition{qdrant.NewMatch("owner", "ann")}
	for _, tc := range []struct {
		name    string
		filter  *qdrant.Filter
		allowed bool
	}{
		{"must", &qdrant.Filter{Must: mine}, true},
		{"must_not", &qdrant.Filter{MustNot: mine}, true},
		{"should", &qdrant.Filter{Should: mine}, true},
		{"min_should", &qdrant.Filter{MinShould: &qdrant.MinShould{Conditions: mine, MinCount: 1}}, true},
		{"is_empty", &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewIsEmpty("owner")}}, true},
		{"inner filter", &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewFilterAsCondition(&qdrant.Filter{Must: mine})}}, false},
		{"another indexed field", &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchInt("n", 1)}}, false},
		{"no filter", nil, false},
	} {
		_, err := c.query(&qdrant.QueryPoints{Query: qdrant.NewQuery(1, 1), Using: qdrant.PtrOf("raw"), Filter: tc.filter})
		if (err == nil) != tc.allowed {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestIndexDeclaredAfterTheData(t *testing.T) {
	s := engine(t)
	if _, err := s.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Points: []*qdrant.PointStruct{
		doc{id: 1, tags: []string{"x", "y"}, raw: []float32{1, 1}}.wire(),
		doc{id: 2, tags: []string{"y"}, raw: []float32{1, 1}}.wire(),
	}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
		CollectionName: "c", FieldName: "tags", FieldIndexParams: qdrant.NewPayloadIndexParamsKeyword(
			&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)}),
	}); err != nil {
		t.Fatal(err)
	}
	found, err := s.Count(ctx, &qdrant.CountPoints{CollectionName: "c", Filter: &qdrant.Filter{
		Must: []*qdrant.Condition{qdrant.NewMatch("tags", "y")},
	}})
	if err != nil || found.GetResult().GetCount() != 2 {
		t.Errorf("count by the new index = %v, %v", found, err)
	}
}

// TestReadersSeeWholeUpserts reads while batches are written, each of which gives all points
// one common value.
func TestReadersSeeWholeUpserts(t *testing.T) {
	const points, rounds = 64, 50
	s := engine(t)
	write := func(round int64) error {
		req := &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true)}
		for id := range uint64(points) {
			req.Points = append(req.Points, doc{id: id, owner: "ann", n: &round, raw: []float32{1, 1}}.wire())
		}
		_, err := s.Upsert(context.Background(), req)
		return err
	}
	if err := write(0); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				found, err := s.Query(ctx, &qdrant.QueryPoints{
					CollectionName: "c", Query: qdrant.NewQuery(1, 0), Using: qdrant.PtrOf("raw"),
					Limit: qdrant.PtrOf(uint64(points)), WithPayload: qdrant.NewWithPayload(true),
				})
				if err != nil || len(found.GetResult()) != points {
					t.Errorf("%d points, %v", len(found.GetResult()), err)
					return
				}
				first := found.GetResult()[0].GetPayload()["n"].GetIntegerValue()
				for _, p := range found.GetResult() {
					if got := p.GetPayload()["n"].GetIntegerValue(); got != first {
						t.Errorf("one query saw rounds %d and %d", first, got)
						return
					}
				}
			}
		})
	}
	for round := range int64(rounds) {
		if err := write(round + 1); err != nil {
			t.Error(err)
		}
	}
	close(done)
	readers.Wait()
}

func TestFailedUpsertHasNoEffect(t *testing.T) {
	s := engine(t)
	bad := doc{id: 2, raw: []float32{1, 2, 3}}.wire()
	good := doc{id: 1, raw: []float32{1, 2}}.wire()
	for _, wait := range []bool{true, false} {
		_, err := s.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Wait: &wait, Points: []*qdrant.PointStruct{good, bad}})
		if (err != nil) != wait {
			t.Errorf("wait %v: %v", wait, err)
		}
		n, err := s.Count(ctx, &qdrant.CountPoints{CollectionName: "c"})
		if err != nil || n.GetResult().GetCount() != 0 {
			t.Errorf("wait %v: %v points, %v", wait, n, err)
		}
	}
}

func TestReplacedPointReusesItsSlotAndFreedSlotsAreReused(t *testing.T) {
	s := engine(t)
	put := func(id uint64) {
		t.Helper()
		if _, err := s.Upsert(ctx, &qdrant.UpsertPoints{
			CollectionName: "c", Points: []*qdrant.PointStruct{doc{id: id, raw: []float32{1, 2}}.wire()},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for round := range uint64(10) {
		put(round)
		put(round)
		if _, err := s.Delete(ctx, &qdrant.DeletePoints{
			CollectionName: "c", Points: qdrant.NewPointsSelector(qdrant.NewIDNum(round)),
		}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.catalog.find("c")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.slots) != 1 {
		t.Errorf("%d slots after one point at a time, want 1", len(c.slots))
	}
}
