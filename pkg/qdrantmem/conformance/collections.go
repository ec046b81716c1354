package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// collections: creation, configuration and what is reported of it.
func collections(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client, func(req *qdrant.CreateCollection) {
		req.HnswConfig = &qdrant.HnswConfigDiff{M: qdrant.PtrOf(uint64(0)), PayloadM: qdrant.PtrOf(uint64(16))}
		req.StrictModeConfig = &qdrant.StrictModeConfig{Enabled: qdrant.PtrOf(true), MaxQueryLimit: qdrant.PtrOf(uint32(100))}
		req.Metadata = qdrant.NewValueMap(map[string]any{"model": "lexical", "schema": 1})
	})
	s.index("owner", qdrant.FieldType_FieldTypeKeyword, tenantIndex())
	s.index("seq", qdrant.FieldType_FieldTypeInteger, nil)
	s.upsert(point(1, map[string]any{"owner": "a", "seq": 1}), point(2, map[string]any{"owner": "b"}))

	s.run("info", func(t *testing.T, s *space) { collectionInfo(t, s) })
	s.run("update", func(t *testing.T, s *space) { collectionUpdate(t, s) })
	s.run("delete an index", func(t *testing.T, s *space) {
		_, err := client.DeleteFieldIndex(s.ctx, &qdrant.DeleteFieldIndexCollection{
			CollectionName: s.name, Wait: qdrant.PtrOf(true), FieldName: "seq",
		})
		s.ok(err)
		info, err := client.GetCollectionInfo(s.ctx, s.name)
		s.ok(err)
		if _, there := info.GetPayloadSchema()["seq"]; there || len(info.GetPayloadSchema()) != 1 {
			t.Errorf("payload schema = %v", info.GetPayloadSchema())
		}
	})
	s.run("list and exists", func(t *testing.T, s *space) {
		names, err := client.ListCollections(s.ctx)
		s.ok(err)
		exists, err := client.CollectionExists(s.ctx, s.name)
		s.ok(err)
		if !slices.Contains(names, s.name) || !exists {
			t.Errorf("listed in %v, exists %v", names, exists)
		}
	})
	s.run("delete a missing one", func(t *testing.T, s *space) {
		result, err := client.GetCollectionsClient().Delete(s.ctx, &qdrant.DeleteCollection{CollectionName: uniqueName()})
		s.ok(err)
		if result.GetResult() {
			t.Error("deleting a missing collection made a change")
		}
	})
}

func collectionInfo(t *testing.T, s *space) {
	info, err := s.client.GetCollectionInfo(s.ctx, s.name)
	s.ok(err)
	params, schema := info.GetConfig().GetParams(), info.GetPayloadSchema()
	dense := params.GetVectorsConfig().GetParamsMap().GetMap()["dense"]
	for name, ok := range map[string]bool{
		"points":      info.GetPointsCount() == 2,
		"size":        dense.GetSize() == 4 && dense.GetDistance() == qdrant.Distance_Cosine,
		"idf":         params.GetSparseVectorsConfig().GetMap()["idf"].GetModifier() == qdrant.Modifier_Idf,
		"hnsw":        info.GetConfig().GetHnswConfig().GetM() == 0 && info.GetConfig().GetHnswConfig().GetPayloadM() == 16,
		"strict mode": info.GetConfig().GetStrictModeConfig().GetMaxQueryLimit() == 100,
		"tenant": schema["owner"].GetDataType() == qdrant.PayloadSchemaType_Keyword &&
			schema["owner"].GetParams().GetKeywordIndexParams().GetIsTenant(),
		"indexed points": schema["owner"].GetPoints() == 2 && schema["seq"].GetPoints() == 1,
		"metadata":       info.GetConfig().GetMetadata()["model"].GetStringValue() == "lexical",
	} {
		if !ok {
			t.Errorf("%s is wrong in %v", name, info)
		}
	}
}

// onDisk: an archive, with vectors and payload on disk and without graphs, answers the same.
func onDisk(t *testing.T, client *qdrant.Client) {
	none, yes := qdrant.PtrOf(uint64(0)), qdrant.PtrOf(true)
	s := newSpace(t, client, func(req *qdrant.CreateCollection) {
		req.HnswConfig = &qdrant.HnswConfigDiff{M: none, PayloadM: none}
		req.OnDiskPayload = yes
		req.VectorsConfig = qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
			"dense": {Size: 4, Distance: qdrant.Distance_Cosine, OnDisk: yes},
		})
		req.SparseVectorsConfig = qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{
			"idf": {Modifier: qdrant.PtrOf(qdrant.Modifier_Idf), Index: &qdrant.SparseIndexConfig{OnDisk: yes}},
		})
		req.StrictModeConfig = &qdrant.StrictModeConfig{
			Enabled: yes, UnindexedFilteringRetrieve: qdrant.PtrOf(false), SearchAllowExact: yes,
		}
	})
	s.index("owner", qdrant.FieldType_FieldTypeKeyword, tenantIndex())
	s.upsert(point(1, map[string]any{"owner": "a"}), point(2, map[string]any{"owner": "b"}))
	info, err := client.GetCollectionInfo(s.ctx, s.name)
	s.ok(err)
	params, hnsw := info.GetConfig().GetParams(), info.GetConfig().GetHnswConfig()
	for name, ok := range map[string]bool{
		"payload":        params.GetOnDiskPayload(),
		"dense vectors":  params.GetVectorsConfig().GetParamsMap().GetMap()["dense"].GetOnDisk(),
		"sparse vectors": params.GetSparseVectorsConfig().GetMap()["idf"].GetIndex().GetOnDisk(),
		"no graphs":      hnsw.M != nil && hnsw.GetM() == 0 && hnsw.PayloadM != nil && hnsw.GetPayloadM() == 0,
	} {
		if !ok {
			t.Errorf("%s is wrong in %v", name, info.GetConfig())
		}
	}
	found := s.query(&qdrant.QueryPoints{
		Query: qdrant.NewQuery(1, 0, 0, 0), Using: qdrant.PtrOf("dense"), Filter: must(qdrant.NewMatch("owner", "b")),
	})
	wantIDs(t, "found", scoredIDs(found), []uint64{2})
}

func collectionUpdate(t *testing.T, s *space) {
	s.ok(s.client.UpdateCollection(s.ctx, &qdrant.UpdateCollection{
		CollectionName:   s.name,
		StrictModeConfig: &qdrant.StrictModeConfig{MaxQueryLimit: qdrant.PtrOf(uint32(50))},
		Metadata:         qdrant.NewValueMap(map[string]any{"schema": 2}),
	}))
	info, err := s.client.GetCollectionInfo(s.ctx, s.name)
	s.ok(err)
	strict, metadata := info.GetConfig().GetStrictModeConfig(), info.GetConfig().GetMetadata()
	if strict.GetMaxQueryLimit() != 50 || !strict.GetEnabled() {
		t.Errorf("strict mode = %v", strict)
	}
	if metadata["schema"].GetIntegerValue() != 2 || metadata["model"].GetStringValue() != "lexical" {
		t.Errorf("metadata = %v", metadata)
	}
}

// aliases: resolution, atomic switching and their end.
func aliases(t *testing.T, client *qdrant.Client) {
	one, two := newSpace(t, client), newSpace(t, client)
	alias, other, second := uniqueName(), uniqueName(), uniqueName()
	one.upsert(point(1, map[string]any{"in": "one"}))
	two.upsert(point(1, map[string]any{"in": "two"}))
	through := &space{t: t, ctx: one.ctx, client: client, name: alias}

	one.ok(client.CreateAlias(one.ctx, alias, one.name))
	wantPayload(t, "through the alias", through.payload(1), map[string]any{"in": "one"})
	exists, err := client.CollectionExists(one.ctx, alias)
	one.ok(err)
	if !exists {
		t.Error("an alias does not count as existing")
	}
	one.ok(client.UpdateAliases(one.ctx, []*qdrant.AliasOperations{
		qdrant.NewAliasDelete(alias), qdrant.NewAliasCreate(alias, two.name),
	}))
	wantPayload(t, "switched", through.payload(1), map[string]any{"in": "two"})
	one.ok(client.CreateAlias(one.ctx, alias, one.name))
	wantPayload(t, "overwritten", through.payload(1), map[string]any{"in": "one"})
	one.ok(client.UpdateAliases(one.ctx, []*qdrant.AliasOperations{
		qdrant.NewAliasCreate(alias, two.name), qdrant.NewAliasCreate(second, one.name),
	}))
	beside := &space{t: t, ctx: one.ctx, client: client, name: second}
	wantPayload(t, "two at once, the first", through.payload(1), map[string]any{"in": "two"})
	wantPayload(t, "two at once, the second", beside.payload(1), map[string]any{"in": "one"})
	one.ok(client.UpdateAliases(one.ctx, []*qdrant.AliasOperations{
		qdrant.NewAliasCreate(alias, one.name), qdrant.NewAliasDelete(second),
	}))
	one.ok(client.RenameAlias(one.ctx, alias, other))
	names, err := client.ListCollectionAliases(one.ctx, one.name)
	one.ok(err)
	if !slices.Equal(names, []string{other}) {
		t.Errorf("aliases of the collection = %v", names)
	}
	all, err := client.ListAliases(one.ctx)
	one.ok(err)
	if !slices.ContainsFunc(all, func(a *qdrant.AliasDescription) bool {
		return proto.Equal(a, &qdrant.AliasDescription{AliasName: other, CollectionName: one.name})
	}) {
		t.Errorf("aliases = %v", all)
	}
	aliasErrors(t, one, other)
}

func aliasErrors(t *testing.T, s *space, alias string) {
	err := s.client.CreateAlias(s.ctx, uniqueName(), uniqueName())
	wantStatus(t, "alias of nothing", err, codes.NotFound)
	err = s.client.RenameAlias(s.ctx, uniqueName(), uniqueName())
	wantStatus(t, "rename of nothing", err, codes.NotFound)
	err = s.client.CreateCollection(s.ctx, &qdrant.CreateCollection{
		CollectionName: alias, VectorsConfig: qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 1, Distance: qdrant.Distance_Dot}),
	})
	wantStatus(t, "collection with an alias's name", err, codes.InvalidArgument)
	deleted, err := s.client.GetCollectionsClient().Delete(s.ctx, &qdrant.DeleteCollection{CollectionName: alias})
	s.ok(err)
	if deleted.GetResult() {
		t.Error("a collection was deleted by its alias")
	}
	s.drop(s.name)
	_, err = s.client.Count(s.ctx, &qdrant.CountPoints{CollectionName: alias})
	wantStatus(t, "alias of a deleted collection", err, codes.NotFound)
}

// statuses: codes and messages of requests that fail.
func statuses(t *testing.T, client *qdrant.Client) {
	s := newSpace(t, client)
	missing := uniqueName()
	one := qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 1, Distance: qdrant.Distance_Dot})
	upsert := func(vectors map[string]*qdrant.Vector) error {
		_, err := client.Upsert(s.ctx, &qdrant.UpsertPoints{
			CollectionName: s.name, Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{withVectors(1, nil, vectors)},
		})
		return err
	}
	_, countErr := client.Count(s.ctx, &qdrant.CountPoints{CollectionName: missing})
	_, infoErr := client.GetCollectionInfo(s.ctx, missing)
	for _, c := range []struct {
		name    string
		err     error
		code    codes.Code
		message string
	}{
		{"points of a missing collection", countErr, codes.NotFound, "Not found: Collection `" + missing + "` doesn't exist!"},
		{"info of a missing collection", infoErr, codes.NotFound, "doesn't exist!"},
		{"create again", client.CreateCollection(s.ctx, &qdrant.CreateCollection{CollectionName: s.name, VectorsConfig: one}),
			codes.AlreadyExists, "Wrong input: Collection `" + s.name + "` already exists!"},
		{"bad name", client.CreateCollection(s.ctx, &qdrant.CreateCollection{CollectionName: "a/b", VectorsConfig: one}),
			codes.InvalidArgument, ""},
		{"long name", client.CreateCollection(s.ctx, &qdrant.CreateCollection{
			CollectionName: strings.Repeat("n", 256), VectorsConfig: one,
		}), codes.InvalidArgument, ""},
		{"wrong dimension", upsert(map[string]*qdrant.Vector{"dense": qdrant.NewVector(1, 2, 3)}),
			codes.InvalidArgument, "Wrong input: Vector dimension error: expected dim: 4, got 3"},
		{"unknown vector", upsert(map[string]*qdrant.Vector{"none": qdrant.NewVector(1)}),
			codes.InvalidArgument, "Wrong input: Not existing vector name error: none"},
	} {
		wantStatus(t, c.name, c.err, c.code, c.message)
	}
	wantIDs(t, "nothing was written", s.matching(nil), []uint64{})
}
