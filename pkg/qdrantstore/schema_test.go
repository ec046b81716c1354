package qdrantstore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
)

// TestOpenWithoutACollection: either may be missing, such as the archive of a program that
// had none.
func TestOpenWithoutACollection(t *testing.T) {
	c := newClient(t)
	missing := func(when string) {
		t.Helper()
		if _, err := Open(t.Context(), c, small); !errors.Is(err, ErrNoCollection) {
			t.Errorf("Open %s = %v, want ErrNoCollection", when, err)
		}
	}
	missing("of nothing")
	for _, alias := range aliases.both() {
		if err := startRebuild(t, c, small).Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), c, small); err != nil {
			t.Errorf("Open of a pair as it is made = %v", err)
		}
		if err := c.DeleteAlias(t.Context(), alias); err != nil {
			t.Fatal(err)
		}
		missing("without " + alias)
	}
}

// TestThePairAsItIsMade: the archive differs in where its content is and in what finds it.
func TestThePairAsItIsMade(t *testing.T) {
	c := newClient(t)
	r := startRebuild(t, c, small)
	for name, want := range map[string]struct {
		payloadM       uint64
		onDisk, anyway bool
	}{r.hand: {16, false, false}, r.archive: {0, true, true}} {
		info, err := c.GetCollectionInfo(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		params, hnsw := info.GetConfig().GetParams(), info.GetConfig().GetHnswConfig()
		for what, ok := range map[string]bool{
			"graph":          hnsw.M != nil && hnsw.GetM() == 0 && hnsw.PayloadM != nil && hnsw.GetPayloadM() == want.payloadM,
			"dense vectors":  params.GetVectorsConfig().GetParamsMap().GetMap()[vectorDense].GetOnDisk() == want.onDisk,
			"sparse vectors": params.GetSparseVectorsConfig().GetMap()[vectorSparse].GetIndex().GetOnDisk() == want.onDisk,
			"payload":        params.GetOnDiskPayload() || !want.onDisk,
			"exact search":   info.GetConfig().GetStrictModeConfig().GetSearchAllowExact() == want.anyway,
			"owner":          info.GetPayloadSchema()[fieldOwner].GetParams().GetKeywordIndexParams().GetIsTenant(),
			"all indexes":    len(info.GetPayloadSchema()) == len(indexes()),
		} {
			if !ok {
				t.Errorf("%s: the set-up of %s is wrong: %v", name, what, info)
			}
		}
	}
}

func TestBothCollectionsAreChecked(t *testing.T) {
	for _, broken := range aliases.both() {
		c := newClient(t)
		r := startRebuild(t, c, small)
		if err := r.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		dropIndex(t, c, broken)
		for name, err := range map[string]error{
			"Open": func() error { _, err := Open(t.Context(), c, small); return err }(), "Check": r.Published().Check(t.Context()),
		} {
			if !fault.IsPermanent(err) || !strings.Contains(err.Error(), broken) {
				t.Errorf("%s = %v, want that %s does not fit", name, err, broken)
			}
		}
	}
}

func dropIndex(t *testing.T, c *qdrant.Client, collection string) {
	t.Helper()
	_, err := c.DeleteFieldIndex(t.Context(), &qdrant.DeleteFieldIndexCollection{
		CollectionName: collection, FieldName: fieldOwner, Wait: qdrant.PtrOf(true),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// foreign is a collection that somebody else has made; change alters its set-up.
func foreign(t *testing.T, c *qdrant.Client, change func(*qdrant.CreateCollection)) {
	t.Helper()
	req := &qdrant.CreateCollection{
		CollectionName:      Alias,
		VectorsConfig:       qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{vectorDense: {Size: 3, Distance: qdrant.Distance_Cosine}}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{vectorSparse: {Modifier: qdrant.Modifier_Idf.Enum()}}),
		StrictModeConfig:    strictMode(false),
		Metadata:            qdrant.NewValueMap(map[string]any{"embedding_model": small.Name, "schema": schemaVersion}),
	}
	change(req)
	if err := c.CreateCollection(t.Context(), req); err != nil {
		t.Fatal(err)
	}
}

func addIndexes(t *testing.T, c *qdrant.Client, but string) {
	t.Helper()
	for _, ix := range indexes() {
		if ix.field == but {
			continue
		}
		_, err := c.CreateFieldIndex(t.Context(), &qdrant.CreateFieldIndexCollection{
			CollectionName: Alias, FieldName: ix.field, FieldType: ix.kind.Enum(), FieldIndexParams: ix.params, Wait: qdrant.PtrOf(true),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestEachDifferenceOfTheSetUpIsNamed(t *testing.T) {
	dense := func(p *qdrant.VectorParams) func(*qdrant.CreateCollection) {
		return func(r *qdrant.CreateCollection) {
			r.VectorsConfig = qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{vectorDense: p})
		}
	}
	type difference struct {
		change func(*qdrant.CreateCollection)
		but    string
		want   string
	}
	cases := map[string]difference{
		"dimension": {change: dense(&qdrant.VectorParams{Size: 4, Distance: qdrant.Distance_Cosine}), want: "dimension 4, the embedding model three numbers makes 3"},
		"distance":  {change: dense(&qdrant.VectorParams{Size: 3, Distance: qdrant.Distance_Dot}), want: "distance Dot, need Cosine"},
		"no named vector": {change: func(r *qdrant.CreateCollection) {
			r.VectorsConfig = qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 3, Distance: qdrant.Distance_Cosine})
		}, want: "no vector named dense"},
		"model": {change: func(r *qdrant.CreateCollection) {
			r.Metadata["embedding_model"] = qdrant.NewValueString("four numbers")
		}, want: `embedding model "four numbers", configured is "three numbers"`},
		"no model": {change: func(r *qdrant.CreateCollection) { delete(r.Metadata, "embedding_model") }, want: `embedding model "", configured is "three numbers"`},
		"layout":   {change: func(r *qdrant.CreateCollection) { r.Metadata["schema"] = qdrant.NewValueInt(2) }, want: "points of layout 2, this program writes 5"},
		"sparse vector": {change: func(r *qdrant.CreateCollection) {
			r.SparseVectorsConfig = qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{vectorSparse: {}})
		}, want: "sparse vector bm25 without the idf modifier"},
		"strict mode": {change: func(r *qdrant.CreateCollection) { r.StrictModeConfig.Enabled = qdrant.PtrOf(false) }, want: "strict mode is off"},
	}
	for _, ix := range indexes() {
		cases["index on "+ix.field] = difference{but: ix.field, want: "no payload index on " + ix.field}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			client := newClient(t)
			if c.change == nil {
				c.change = func(*qdrant.CreateCollection) {}
			}
			foreign(t, client, c.change)
			addIndexes(t, client, c.but)
			err := Check(t.Context(), client, Alias, small)
			if err == nil || !fault.IsPermanent(err) {
				t.Fatalf("Check = %v, want a permanent error", err)
			}
			if !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), ";") != 1 {
				t.Errorf("Check = %v, want %q and nothing else but what to do", err, c.want)
			}
		})
	}
	t.Run("all at once", func(t *testing.T) {
		client := newClient(t)
		foreign(t, client, func(r *qdrant.CreateCollection) {
			cases["dimension"].change(r)
			cases["model"].change(r)
			cases["strict mode"].change(r)
		})
		err := Check(t.Context(), client, Alias, small)
		for _, want := range []string{cases["dimension"].want, cases["model"].want, cases["strict mode"].want, "no payload index on owner", "mnemond rebuild"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Check = %v, want %q in it", err, want)
			}
		}
	})
}

func TestServerVersions(t *testing.T) {
	for version, ok := range map[string]bool{
		"1.15.4": false, "0.99.0": false, "1.16.3": false, "1.17.0": true, "1.17.1-dev": true, "1.20.0": true, "2.0.0": true, "": false, "unknown": false,
	} {
		t.Run(version, func(t *testing.T) {
			c := newClient(t, qdrantmem.WithVersion(version))
			r := startRebuild(t, c, small)
			err := r.Check(t.Context())
			if (err == nil) != ok {
				t.Fatalf("Check = %v, want ok = %v", err, ok)
			}
			if err != nil && (!fault.IsPermanent(err) || !strings.Contains(err.Error(), "need 1.17 or later")) {
				t.Errorf("Check = %v, want a permanent error that says what is needed", err)
			}
		})
	}
}

func TestSetUpWithoutAServer(t *testing.T) {
	c := newClient(t)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(context.Context) error{
		"Open":         func(ctx context.Context) error { _, err := Open(ctx, c, small); return err },
		"Check":        func(ctx context.Context) error { return Check(ctx, c, Alias, small) },
		"StartRebuild": func(ctx context.Context) error { _, err := StartRebuild(ctx, c, small); return err },
	} {
		if err := f(t.Context()); err == nil || errors.Is(err, ErrNoCollection) || fault.IsPermanent(err) {
			t.Errorf("%s = %v, want an error that is worth trying again", name, err)
		}
	}
}
