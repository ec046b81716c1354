package conformance

import (
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// day is noon of a day of March 2025, as it is stored.
func day(n int) string { return noonOf(n).Format(time.RFC3339) }

func noonOf(n int) time.Time { return time.Date(2025, 3, n, 12, 0, 0, 0, time.UTC) }

func upTo(n int) *qdrant.Condition {
	return qdrant.NewDatetimeRange("used_at", &qdrant.DatetimeRange{Lte: timestamppb.New(noonOf(n))})
}

// due: what a reaper asks of all tenants together, and how what it asks for changes.
func due(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.index("tenant", qdrant.FieldType_FieldTypeKeyword, nil)
	s.index("used_at", qdrant.FieldType_FieldTypeDatetime, nil)
	s.index("accessed", qdrant.FieldType_FieldTypeBool, nil)
	s.index("hash", qdrant.FieldType_FieldTypeKeyword, nil)
	s.index("seq", qdrant.FieldType_FieldTypeInteger, nil)
	start := []*qdrant.PointStruct{
		point(1, map[string]any{"tenant": "a", "used_at": day(1), "seq": 1}),
		point(2, map[string]any{"tenant": "b", "used_at": day(2), "seq": 2, "hash": []any{"x", "y"}}),
		point(3, map[string]any{"tenant": "c", "used_at": day(3), "seq": 3, "accessed": true, "hash": []any{"z"}}),
		point(4, map[string]any{"tenant": "a", "used_at": day(4), "seq": 4, "accessed": true}),
		point(5, map[string]any{"tenant": "a", "seq": 5}),
	}
	s.upsert(start...)
	accessed := qdrant.NewMatchBool("accessed", true)
	for _, c := range []struct {
		name   string
		filter *qdrant.Filter
		want   []uint64
	}{
		{"by date", must(upTo(3)), []uint64{1, 2, 3}},
		{"by date and tenant", must(upTo(9), qdrant.NewMatch("tenant", "a")), []uint64{1, 4}},
		{"but for tenants", &qdrant.Filter{
			Must: []*qdrant.Condition{upTo(9)}, MustNot: []*qdrant.Condition{qdrant.NewMatchKeywords("tenant", "b", "c")},
		}, []uint64{1, 4}},
		{"by flag", must(accessed), []uint64{3, 4}},
		{"without flag", &qdrant.Filter{MustNot: []*qdrant.Condition{accessed}}, []uint64{1, 2, 5}},
		{"one of several keywords", must(qdrant.NewMatchKeywords("hash", "y", "z", "none")), []uint64{2, 3}},
	} {
		s.run(c.name, func(t *testing.T, s *space) { wantIDs(t, c.name, s.matching(c.filter), c.want) })
	}
	s.run("pages", func(t *testing.T, s *space) { duePages(t, s) })
	s.run("a date moves forward only", func(t *testing.T, s *space) {
		s.upsert(start...)
		moveDates(t, s)
	})
	s.run("delete below", func(t *testing.T, s *space) {
		s.upsert(start...)
		deleteBelow(t, s)
	})
}

// duePages changes each page so that it is not due any more before it asks for the next.
func duePages(t *testing.T, s *space) {
	var got []uint64
	var next *qdrant.PointId
	for range 4 {
		page, after, err := s.client.ScrollAndOffset(s.ctx, &qdrant.ScrollPoints{
			CollectionName: s.name, Filter: must(upTo(4)), Limit: qdrant.PtrOf(uint32(1)), Offset: next,
			WithPayload: qdrant.NewWithPayloadInclude("tenant"),
		})
		s.ok(err)
		for _, p := range page {
			got = append(got, p.GetId().GetNum())
			if len(p.GetPayload()) != 1 {
				t.Errorf("payload %v, want the tenant alone", p.GetPayload())
			}
			s.upsert(point(p.GetId().GetNum(), map[string]any{"tenant": "a", "used_at": day(20)}))
		}
		if next = after; next == nil {
			break
		}
	}
	wantIDs(t, "all pages", got, []uint64{1, 2, 3, 4})
	wantIDs(t, "afterwards", s.matching(must(upTo(4))), []uint64{})
}

// moveDates sets a date and a flag together where the date is earlier, and takes the flag
// away with null.
func moveDates(t *testing.T, s *space) {
	set := func(at int, accessed *qdrant.Value, where *qdrant.DatetimeRange, ids ...uint64) *qdrant.PointsUpdateOperation {
		return qdrant.NewPointsUpdateSetPayload(&qdrant.PointsUpdateOperation_SetPayload{
			Payload: map[string]*qdrant.Value{"used_at": qdrant.NewValueString(day(at)), "accessed": accessed},
			PointsSelector: qdrant.NewPointsSelectorFilter(must(
				qdrant.NewHasID(numIDs(ids...)...), qdrant.NewDatetimeRange("used_at", where),
			)),
		})
	}
	apply := func(ops ...*qdrant.PointsUpdateOperation) {
		t.Helper()
		_, err := s.client.UpdateBatch(s.ctx, &qdrant.UpdateBatchPoints{
			CollectionName: s.name, Wait: qdrant.PtrOf(true), Operations: ops,
		})
		s.ok(err)
	}
	before := func(n int) *qdrant.DatetimeRange { return &qdrant.DatetimeRange{Lt: timestamppb.New(noonOf(n))} }
	yes := qdrant.NewValueBool(true)
	apply(set(3, yes, before(3), 1, 2, 3, 4, 5, 99))
	wantIDs(t, "dates", s.matching(must(upTo(3))), []uint64{1, 2, 3})
	wantIDs(t, "no date moved back or began", s.matching(must(upTo(9))), []uint64{1, 2, 3, 4})
	wantIDs(t, "flags", s.matching(must(qdrant.NewMatchBool("accessed", true))), []uint64{1, 2, 3, 4})
	wantPayload(t, "the rest of it", s.payload(1), map[string]any{"tenant": "a", "used_at": day(3), "seq": 1, "accessed": true})
	apply(
		set(8, yes, before(8), 2),
		set(3, qdrant.NewValueNull(), &qdrant.DatetimeRange{Lte: timestamppb.New(noonOf(3))}, 1, 2, 3),
	)
	wantIDs(t, "flags taken away", s.matching(must(qdrant.NewMatchBool("accessed", true))), []uint64{2, 4})
	wantPayload(t, "without its flag", s.payload(1), map[string]any{"tenant": "a", "used_at": day(3), "seq": 1})
}

// deleteBelow deletes by id what a lower sequence has made, in a batch.
func deleteBelow(t *testing.T, s *space) {
	_, err := s.client.UpdateBatch(s.ctx, &qdrant.UpdateBatchPoints{
		CollectionName: s.name, Wait: qdrant.PtrOf(true), Operations: []*qdrant.PointsUpdateOperation{
			qdrant.NewPointsUpdateDeletePoints(&qdrant.PointsUpdateOperation_DeletePoints{
				Points: qdrant.NewPointsSelectorFilter(must(
					qdrant.NewHasID(numIDs(1, 2, 4, 99)...), qdrant.NewRange("seq", &qdrant.Range{Lt: qdrant.PtrOf(4.0)}),
				)),
			}),
		},
	})
	s.ok(err)
	wantIDs(t, "left", s.matching(nil), []uint64{3, 4, 5})
	wantIDs(t, "left by date", s.matching(must(upTo(9))), []uint64{3, 4})
}
