package conformance

import (
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

func wantPayload(t *testing.T, what string, got map[string]*qdrant.Value, want map[string]any) {
	t.Helper()
	wanted := &qdrant.Struct{Fields: qdrant.NewValueMap(want)}
	if !proto.Equal(&qdrant.Struct{Fields: got}, wanted) {
		t.Errorf("%s: payload %v, want %v", what, got, want)
	}
}

// upserts: replacement, modes and update_filter.
func upserts(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	s.run("replaces vectors and payload", func(t *testing.T, s *space) {
		s.upsert(withVectors(1, map[string]any{"a": 1}, map[string]*qdrant.Vector{"raw": qdrant.NewVector(1, 2)}))
		s.upsert(point(1, map[string]any{"b": nil}))
		wantPayload(t, "replaced", s.payload(1), map[string]any{"b": nil})
		wantIDs(t, "vectors", s.matching(must(qdrant.NewHasVector("raw"))), []uint64{})
	})
	s.run("an empty payload clears", func(t *testing.T, s *space) {
		s.upsert(point(1, nil))
		wantPayload(t, "cleared", s.payload(1), nil)
	})
	s.run("the last of one id wins", func(t *testing.T, s *space) {
		s.upsert(point(2, map[string]any{"a": 1}), point(2, map[string]any{"a": 2}))
		wantPayload(t, "twice", s.payload(2), map[string]any{"a": 2})
	})
	s.run("modes", func(t *testing.T, s *space) { upsertModes(t, s) })
	s.run("update_filter", func(t *testing.T, s *space) { conditionalUpserts(t, s) })
	s.run("unnamed vector", func(t *testing.T, s *space) { unnamedVector(t, client) })
	s.run("deprecated vector fields", func(t *testing.T, s *space) {
		// Servers still accept the deprecated fields.
		s.upsert(withVectors(6, nil, map[string]*qdrant.Vector{"raw": {Data: []float32{3, 4}}}))
		got := s.get(qdrant.NewIDNum(6))[0].GetVectors().GetVectors().GetVectors()["raw"].GetDenseVector().GetData()
		if len(got) != 2 || got[0] != 3 {
			t.Errorf("got %v", got)
		}
	})
	s.run("no vectors", func(t *testing.T, s *space) {
		_, err := client.Upsert(s.ctx, &qdrant.UpsertPoints{CollectionName: s.name, Points: []*qdrant.PointStruct{
			{Id: qdrant.NewIDNum(1)},
		}})
		wantStatus(t, "no vectors", err, codes.InvalidArgument, "Expected some vectors")
	})
}

func unnamedVector(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client, func(req *qdrant.CreateCollection) {
		req.VectorsConfig = qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 2, Distance: qdrant.Distance_Dot})
		req.SparseVectorsConfig = nil
	})
	s.upsert(&qdrant.PointStruct{Id: qdrant.NewIDNum(1), Vectors: qdrant.NewVectors(1, 2)})
	found := s.query(&qdrant.QueryPoints{Query: qdrant.NewQuery(1, 1), WithVectors: qdrant.NewWithVectors(true)})
	wantIDs(t, "found", scoredIDs(found), []uint64{1})
	if got := found[0].GetVectors().GetVector().GetDenseVector().GetData(); len(got) != 2 || got[1] != 2 {
		t.Errorf("vector = %v", got)
	}
}

func upsertModes(t *testing.T, s *space) {
	mode := func(mode qdrant.UpdateMode, points ...*qdrant.PointStruct) {
		s.upsertWith(&qdrant.UpsertPoints{Points: points, UpdateMode: &mode})
	}
	s.upsert(point(3, map[string]any{"v": "old"}))
	mode(qdrant.UpdateMode_InsertOnly, point(3, map[string]any{"v": "new"}), point(4, map[string]any{"v": "new"}))
	wantPayload(t, "insert only over a point", s.payload(3), map[string]any{"v": "old"})
	wantPayload(t, "insert only, missing", s.payload(4), map[string]any{"v": "new"})
	mode(qdrant.UpdateMode_UpdateOnly, point(3, map[string]any{"v": "new"}), point(5, map[string]any{"v": "new"}))
	wantPayload(t, "update only over a point", s.payload(3), map[string]any{"v": "new"})
	if s.payload(5) != nil {
		t.Error("update only inserted a point")
	}
}

// conditionalUpserts is how a point is written only over a lower ledger_seq.
func conditionalUpserts(t *testing.T, s *space) {
	older := func(seq float64) *qdrant.Filter {
		return must(qdrant.NewRange("seq", &qdrant.Range{Lt: &seq}))
	}
	update := qdrant.UpdateMode_UpdateOnly
	s.upsert(point(10, map[string]any{"seq": 5, "v": "five"}), point(11, map[string]any{"v": "no seq"}))
	for _, c := range []struct {
		name string
		id   uint64
		seq  int
		mode *qdrant.UpdateMode
		want map[string]any
	}{
		{"higher", 10, 6, nil, map[string]any{"seq": 6, "v": "written"}},
		{"lower", 10, 4, nil, map[string]any{"seq": 6, "v": "written"}},
		{"equal", 10, 6, nil, map[string]any{"seq": 6, "v": "written"}},
		{"a point without the field", 11, 9, nil, map[string]any{"v": "no seq"}},
		{"missing is inserted", 12, 1, nil, map[string]any{"seq": 1, "v": "written"}},
		{"update only, missing", 13, 1, &update, nil},
	} {
		s.upsertWith(&qdrant.UpsertPoints{
			Points:       []*qdrant.PointStruct{point(c.id, map[string]any{"seq": c.seq, "v": "written"})},
			UpdateFilter: older(float64(c.seq)), UpdateMode: c.mode,
		})
		wantPayload(t, c.name, s.payload(c.id), c.want)
	}
}

// payloads: the four ways to change a payload.
func payloads(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	start := map[string]any{"a": 1, "o": map[string]any{"x": 1}, "l": []any{map[string]any{"y": 1}, 2}}
	set := func(payload map[string]any, key *string) func(*qdrant.PointsSelector) error {
		return func(to *qdrant.PointsSelector) error {
			_, err := client.SetPayload(s.ctx, &qdrant.SetPayloadPoints{
				CollectionName: s.name, Wait: qdrant.PtrOf(true), Payload: qdrant.NewValueMap(payload), PointsSelector: to, Key: key,
			})
			return err
		}
	}
	remove := func(keys ...string) func(*qdrant.PointsSelector) error {
		return func(to *qdrant.PointsSelector) error {
			_, err := client.DeletePayload(s.ctx, &qdrant.DeletePayloadPoints{
				CollectionName: s.name, Wait: qdrant.PtrOf(true), Keys: keys, PointsSelector: to,
			})
			return err
		}
	}
	list := start["l"]
	for _, c := range []struct {
		name   string
		change func(*qdrant.PointsSelector) error
		want   map[string]any
	}{
		{"set merges the top level", set(map[string]any{"o": map[string]any{"z": 2}, "n": "新"}, nil),
			map[string]any{"a": 1, "o": map[string]any{"z": 2}, "l": list, "n": "新"}},
		{"set null removes", set(map[string]any{"a": nil, "none": nil}, nil),
			map[string]any{"o": map[string]any{"x": 1}, "l": list}},
		{"set at a key", set(map[string]any{"z": 2}, qdrant.PtrOf("o")),
			map[string]any{"a": 1, "o": map[string]any{"x": 1, "z": 2}, "l": list}},
		{"set creates the path", set(map[string]any{"z": 2}, qdrant.PtrOf("new.deep")),
			map[string]any{"a": 1, "o": map[string]any{"x": 1}, "l": list, "new": map[string]any{"deep": map[string]any{"z": 2}}}},
		{"set replaces what is no object", set(map[string]any{"z": 2}, qdrant.PtrOf("a")),
			map[string]any{"a": map[string]any{"z": 2}, "o": map[string]any{"x": 1}, "l": list}},
		{"set in each element", set(map[string]any{"z": 2}, qdrant.PtrOf("l[]")),
			map[string]any{"a": 1, "o": map[string]any{"x": 1},
				"l": []any{map[string]any{"y": 1, "z": 2}, map[string]any{"z": 2}}}},
		{"set beyond an array", set(map[string]any{"z": 2}, qdrant.PtrOf("l[5]")), start},
		{"set in each of no array", set(map[string]any{"z": 2}, qdrant.PtrOf("a[]")),
			map[string]any{"a": []any{}, "o": map[string]any{"x": 1}, "l": list}},
		{"delete keys", remove("a", "o.x", "none"), map[string]any{"o": map[string]any{}, "l": list}},
		{"delete in elements", remove("l[].y"),
			map[string]any{"a": 1, "o": map[string]any{"x": 1}, "l": []any{map[string]any{}, 2}}},
		{"delete one element", remove("l[0]"), start},
		{"delete all elements", remove("l[]"), map[string]any{"a": 1, "o": map[string]any{"x": 1}, "l": []any{}}},
		{"overwrite ignores the key", func(to *qdrant.PointsSelector) error {
			_, err := client.OverwritePayload(s.ctx, &qdrant.SetPayloadPoints{
				CollectionName: s.name, Wait: qdrant.PtrOf(true), Payload: qdrant.NewValueMap(map[string]any{"b": 2}),
				PointsSelector: to, Key: qdrant.PtrOf("o"),
			})
			return err
		}, map[string]any{"b": 2}},
		{"clear", func(to *qdrant.PointsSelector) error {
			_, err := client.ClearPayload(s.ctx, &qdrant.ClearPayloadPoints{CollectionName: s.name, Wait: qdrant.PtrOf(true), Points: to})
			return err
		}, nil},
	} {
		s.run(c.name, func(t *testing.T, s *space) {
			s.upsert(point(1, start), point(2, start))
			s.ok(c.change(qdrant.NewPointsSelector(qdrant.NewIDNum(1))))
			wantPayload(t, "changed", s.payload(1), c.want)
			wantPayload(t, "untouched", s.payload(2), start)
		})
	}
	s.run("missing points", func(t *testing.T, s *space) { missingPoints(t, s, set(map[string]any{"m": 1}, nil)) })
}

func missingPoints(t *testing.T, s *space, set func(*qdrant.PointsSelector) error) {
	s.upsert(point(1, nil))
	err := set(qdrant.NewPointsSelector(numIDs(1, 77)...))
	wantStatus(t, "by ids", err, codes.NotFound, "No point with id 77 found")
	wantPayload(t, "the others are changed", s.payload(1), map[string]any{"m": 1})
	s.ok(set(qdrant.NewPointsSelectorFilter(must(qdrant.NewHasID(numIDs(77)...)))))
}

// writes: deletion, vectors, batches, and what a client that does not wait hears.
func writes(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	wait := qdrant.PtrOf(true)
	s.run("delete", func(t *testing.T, s *space) {
		s.upsert(point(1, map[string]any{"k": "x"}), point(2, map[string]any{"k": "x"}), point(3, map[string]any{"k": "y"}))
		for _, selector := range []*qdrant.PointsSelector{
			qdrant.NewPointsSelector(numIDs(1, 99)...), qdrant.NewPointsSelectorFilter(must(qdrant.NewMatch("k", "y"))),
		} {
			_, err := client.Delete(s.ctx, &qdrant.DeletePoints{CollectionName: s.name, Wait: wait, Points: selector})
			s.ok(err)
		}
		wantIDs(t, "left", s.matching(nil), []uint64{2})
	})
	s.run("update vectors", func(t *testing.T, s *space) { vectorUpdates(t, s) })
	s.run("batch", func(t *testing.T, s *space) { batches(t, s) })
	s.run("without wait", func(t *testing.T, s *space) {
		result, err := client.Upsert(s.ctx, &qdrant.UpsertPoints{CollectionName: s.name, Points: []*qdrant.PointStruct{
			withVectors(50, nil, map[string]*qdrant.Vector{"none": qdrant.NewVector(1)}),
		}})
		s.ok(err)
		if result.GetStatus() != qdrant.UpdateStatus_Acknowledged {
			t.Errorf("status = %v", result.GetStatus())
		}
		_, err = client.SetPayload(s.ctx, &qdrant.SetPayloadPoints{
			CollectionName: s.name, Payload: qdrant.NewValueMap(map[string]any{"a": 1}),
			PointsSelector: qdrant.NewPointsSelector(numIDs(50)...),
		})
		s.ok(err)
	})
}

func vectorUpdates(t *testing.T, s *space) {
	update := func(id uint64, filter *qdrant.Filter) error {
		_, err := s.client.UpdateVectors(s.ctx, &qdrant.UpdatePointVectors{
			CollectionName: s.name, Wait: qdrant.PtrOf(true), UpdateFilter: filter, Points: []*qdrant.PointVectors{{
				Id:      qdrant.NewIDNum(id),
				Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{"raw": qdrant.NewVector(3, 4)}),
			}},
		})
		return err
	}
	s.upsert(point(20, map[string]any{"k": "u"}))
	s.ok(update(20, must(qdrant.NewMatch("k", "other"))))
	wantIDs(t, "filtered out", s.matching(must(qdrant.NewHasVector("raw"))), []uint64{})
	s.ok(update(20, nil))
	wantIDs(t, "new vector", s.matching(must(qdrant.NewHasVector("raw"))), []uint64{20})
	wantIDs(t, "the other vector stays", s.matching(must(qdrant.NewHasVector("dense"), qdrant.NewMatch("k", "u"))), []uint64{20})
	wantStatus(t, "missing", update(78, nil), codes.NotFound, "No point with id 78 found")
}

func batches(t *testing.T, s *space) {
	set := func(id uint64) *qdrant.PointsUpdateOperation {
		return qdrant.NewPointsUpdateSetPayload(&qdrant.PointsUpdateOperation_SetPayload{
			Payload: qdrant.NewValueMap(map[string]any{"set": true}), PointsSelector: qdrant.NewPointsSelector(numIDs(id)...),
		})
	}
	upsert := qdrant.NewPointsUpdateUpsert(&qdrant.PointsUpdateOperation_PointStructList{
		Points: []*qdrant.PointStruct{point(30, map[string]any{"a": 1, "b": 1}), point(31, nil)},
	})
	results, err := s.client.UpdateBatch(s.ctx, &qdrant.UpdateBatchPoints{
		CollectionName: s.name, Wait: qdrant.PtrOf(true), Operations: []*qdrant.PointsUpdateOperation{
			upsert, set(30),
			qdrant.NewPointsUpdateDeletePayload(&qdrant.PointsUpdateOperation_DeletePayload{
				Keys: []string{"a"}, PointsSelector: qdrant.NewPointsSelector(numIDs(30)...),
			}),
			qdrant.NewPointsUpdateDeletePoints(&qdrant.PointsUpdateOperation_DeletePoints{
				Points: qdrant.NewPointsSelector(numIDs(31)...),
			}),
		},
	})
	s.ok(err)
	if len(results) != 4 {
		t.Errorf("%d results, want 4", len(results))
	}
	wantPayload(t, "in order", s.payload(30), map[string]any{"b": 1, "set": true})
	if s.payload(31) != nil {
		t.Error("deleted point is there")
	}
	_, err = s.client.UpdateBatch(s.ctx, &qdrant.UpdateBatchPoints{
		CollectionName: s.name, Wait: qdrant.PtrOf(true),
		Operations: []*qdrant.PointsUpdateOperation{upsert, set(79), set(31)},
	})
	wantStatus(t, "stops at the first error", err, codes.NotFound, "No point with id 79 found")
	wantPayload(t, "before it", s.payload(30), map[string]any{"a": 1, "b": 1})
	wantPayload(t, "after it", s.payload(31), nil)
}
