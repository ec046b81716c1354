package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

const (
	shoutedUUID = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
	plainUUID   = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
	laterUUID   = "7f9619ff-8b86-d011-b42d-00cf4fc964ff"
)

// idText is an id as a string of either kind.
func idText(id *qdrant.PointId) string {
	if u := id.GetUuid(); u != "" {
		return u
	}
	return fmt.Sprint(id.GetNum())
}

// reads: ids, Get, Count and what is returned of a point.
func reads(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.upsert(
		point(7, map[string]any{"name": "茶", "n": map[string]any{"a": 1, "b": 2}, "l": []any{map[string]any{"a": 1, "b": 2}}}),
		point(3, nil),
		&qdrant.PointStruct{Id: qdrant.NewIDUUID(shoutedUUID), Vectors: qdrant.NewVectorsMap(nil)},
	)
	s.run("Get keeps the order, once each", func(t *testing.T, s *space) {
		var got []string
		for _, p := range s.get(
			qdrant.NewIDUUID("urn:uuid:"+plainUUID), qdrant.NewIDNum(7), qdrant.NewIDNum(99), qdrant.NewIDNum(3), qdrant.NewIDNum(7),
		) {
			got = append(got, idText(p.GetId()))
		}
		if want := []string{plainUUID, "7", "3"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	s.run("uuid spellings", func(t *testing.T, s *space) {
		for _, spelling := range []string{plainUUID, shoutedUUID, strings.ReplaceAll(plainUUID, "-", ""), "{" + plainUUID + "}"} {
			if len(s.get(qdrant.NewIDUUID(spelling))) != 1 {
				t.Errorf("%s is not found", spelling)
			}
		}
	})
	s.run("defaults", func(t *testing.T, s *space) { readDefaults(t, s) })
	s.run("payload selectors", func(t *testing.T, s *space) { payloadSelectors(t, s) })
	s.run("count", func(t *testing.T, s *space) {
		for _, c := range []struct {
			filter *qdrant.Filter
			want   uint64
		}{{nil, 3}, {must(qdrant.NewMatch("name", "茶")), 1}, {must(qdrant.NewMatch("name", "tea")), 0}} {
			got, err := client.Count(s.ctx, &qdrant.CountPoints{CollectionName: s.name, Filter: c.filter})
			s.ok(err)
			if got != c.want {
				t.Errorf("count of %v = %d, want %d", c.filter, got, c.want)
			}
		}
	})
	s.run("bad ids", func(t *testing.T, s *space) {
		_, err := client.Get(s.ctx, &qdrant.GetPoints{CollectionName: s.name, Ids: []*qdrant.PointId{qdrant.NewIDUUID("x")}})
		wantStatus(t, "bad uuid", err, codes.InvalidArgument, "Unable to parse UUID")
		_, err = client.Get(s.ctx, &qdrant.GetPoints{CollectionName: s.name, Ids: []*qdrant.PointId{{}}})
		wantStatus(t, "unset id", err, codes.InvalidArgument)
	})
}

func readDefaults(t *testing.T, s *space) {
	got, err := s.client.Get(s.ctx, &qdrant.GetPoints{CollectionName: s.name, Ids: numIDs(7)})
	s.ok(err)
	scrolled, err := s.client.Scroll(s.ctx, &qdrant.ScrollPoints{
		CollectionName: s.name, Filter: must(qdrant.NewHasID(numIDs(7)...)),
	})
	s.ok(err)
	queried := s.query(&qdrant.QueryPoints{Filter: must(qdrant.NewHasID(numIDs(7)...))})
	if len(got) != 1 || len(scrolled) != 1 || len(queried) != 1 {
		t.Fatalf("got %d, %d and %d points, want one each", len(got), len(scrolled), len(queried))
	}
	if len(got[0].GetPayload()) != 0 || len(scrolled[0].GetPayload()) != 3 || len(queried[0].GetPayload()) != 0 {
		t.Errorf("payload sizes of Get, Scroll, Query = %d, %d, %d; want 0, 3, 0",
			len(got[0].GetPayload()), len(scrolled[0].GetPayload()), len(queried[0].GetPayload()))
	}
	for _, vectors := range []*qdrant.VectorsOutput{got[0].GetVectors(), scrolled[0].GetVectors(), queried[0].GetVectors()} {
		if len(vectors.GetVectors().GetVectors()) != 0 {
			t.Errorf("vectors by default: %v", vectors)
		}
	}
}

func payloadSelectors(t *testing.T, s *space) {
	for _, c := range []struct {
		name     string
		selector *qdrant.WithPayloadSelector
		want     map[string]any
	}{
		{"none", qdrant.NewWithPayload(false), nil},
		{"include", qdrant.NewWithPayloadInclude("name"), map[string]any{"name": "茶"}},
		{"include a member", qdrant.NewWithPayloadInclude("n.a"), map[string]any{"n": map[string]any{"a": 1}}},
		{"include in an array", qdrant.NewWithPayloadInclude("l[].b"),
			map[string]any{"l": []any{map[string]any{"b": 2}}}},
		{"exclude", qdrant.NewWithPayloadExclude("name", "l"), map[string]any{"n": map[string]any{"a": 1, "b": 2}}},
		{"exclude a member", qdrant.NewWithPayloadExclude("name", "n.a", "l[].a"),
			map[string]any{"n": map[string]any{"b": 2}, "l": []any{map[string]any{"b": 2}}}},
	} {
		got, err := s.client.Get(s.ctx, &qdrant.GetPoints{CollectionName: s.name, Ids: numIDs(7), WithPayload: c.selector})
		s.ok(err)
		wantPayload(t, c.name, got[0].GetPayload(), c.want)
	}
}

// scrolls: pages by id and by order_by.
func scrolls(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.index("n", qdrant.FieldType_FieldTypeInteger, nil)
	s.index("at", qdrant.FieldType_FieldTypeDatetime, nil)
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range uint64(5) {
		s.upsert(point(5-i, map[string]any{"n": int64(i * 10), "at": at.Add(time.Duration(i) * time.Hour).Format(time.RFC3339)}))
	}
	s.upsert(
		&qdrant.PointStruct{Id: qdrant.NewIDUUID(laterUUID), Vectors: qdrant.NewVectorsMap(nil)},
		&qdrant.PointStruct{Id: qdrant.NewIDUUID(plainUUID), Vectors: qdrant.NewVectorsMap(nil)},
	)
	s.run("pages", func(t *testing.T, s *space) {
		want := [][]string{{"1", "2", "3"}, {"4", "5", plainUUID}, {laterUUID}}
		var next *qdrant.PointId
		for i, page := range want {
			var got []string
			points, after, err := client.ScrollAndOffset(s.ctx, &qdrant.ScrollPoints{
				CollectionName: s.name, Limit: qdrant.PtrOf(uint32(3)), Offset: next,
			})
			s.ok(err)
			for _, p := range points {
				got = append(got, idText(p.GetId()))
			}
			if !slices.Equal(got, page) || (after == nil) != (i == len(want)-1) {
				t.Fatalf("page %d = %v, next %v; want %v", i, got, after, page)
			}
			next = after
		}
	})
	s.run("a page begins at an id that is not there", func(t *testing.T, s *space) {
		points, _, err := client.ScrollAndOffset(s.ctx, &qdrant.ScrollPoints{
			CollectionName: s.name, Limit: qdrant.PtrOf(uint32(1)), Offset: qdrant.NewIDNum(6),
		})
		s.ok(err)
		if len(points) != 1 || idText(points[0].GetId()) != plainUUID {
			t.Errorf("page = %v, want %s", points, plainUUID)
		}
	})
	s.run("a full last page has no next", func(t *testing.T, s *space) {
		_, after, err := client.ScrollAndOffset(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, Limit: qdrant.PtrOf(uint32(7))})
		s.ok(err)
		if after != nil {
			t.Errorf("next = %v", after)
		}
	})
	s.run("limit 0", func(t *testing.T, s *space) {
		_, err := client.Scroll(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, Limit: qdrant.PtrOf(uint32(0))})
		wantStatus(t, "limit 0", err, codes.InvalidArgument)
	})
	s.run("order_by", func(t *testing.T, s *space) { orderedScrolls(t, s, at) })
}

func orderedScrolls(t *testing.T, s *space, at time.Time) {
	desc := qdrant.Direction_Desc
	for _, c := range []struct {
		name  string
		order *qdrant.OrderBy
		limit uint32
		want  []uint64
		first int64
	}{
		{"ascending", &qdrant.OrderBy{Key: "n"}, 9, []uint64{5, 4, 3, 2, 1}, 0},
		{"descending", &qdrant.OrderBy{Key: "n", Direction: &desc}, 2, []uint64{1, 2}, 40},
		{"from", &qdrant.OrderBy{Key: "n", StartFrom: qdrant.NewStartFromInt(20)}, 9, []uint64{3, 2, 1}, 20},
		{"from, descending", &qdrant.OrderBy{Key: "n", Direction: &desc, StartFrom: qdrant.NewStartFromInt(20)}, 9,
			[]uint64{3, 4, 5}, 20},
		{"datetime in microseconds", &qdrant.OrderBy{
			Key: "at", StartFrom: qdrant.NewStartFromTimestamp(at.Add(3*time.Hour).Unix(), 0),
		}, 9, []uint64{2, 1}, at.Add(3 * time.Hour).UnixMicro()},
	} {
		found, next, err := s.client.ScrollAndOffset(s.ctx, &qdrant.ScrollPoints{
			CollectionName: s.name, OrderBy: c.order, Limit: &c.limit,
		})
		s.ok(err)
		wantIDs(t, c.name, retrievedIDs(found), c.want)
		if next != nil {
			t.Errorf("%s: next page offset %v", c.name, next)
		}
		if got := found[0].GetOrderValue().GetInt(); got != c.first {
			t.Errorf("%s: order value %d, want %d", c.name, got, c.first)
		}
	}
	_, err := s.client.Scroll(s.ctx, &qdrant.ScrollPoints{CollectionName: s.name, OrderBy: &qdrant.OrderBy{Key: "other"}})
	wantStatus(t, "order by an unindexed key", err, codes.InvalidArgument, "No range index for `order_by` key")
	_, err = s.client.Scroll(s.ctx, &qdrant.ScrollPoints{
		CollectionName: s.name, OrderBy: &qdrant.OrderBy{Key: "n"}, Offset: qdrant.NewIDNum(1),
	})
	wantStatus(t, "order_by with offset", err, codes.InvalidArgument)
}
