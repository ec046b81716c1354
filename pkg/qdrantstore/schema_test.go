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

func TestOpenWithoutACollection(t *testing.T) {
	if _, err := Open(t.Context(), newClient(t), small); !errors.Is(err, ErrNoCollection) {
		t.Errorf("Open = %v, want ErrNoCollection", err)
	}
}

func TestACollectionAsItIsMadeFits(t *testing.T) {
	c := newClient(t)
	if err := startRebuild(t, c, small).Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, small); err != nil {
		t.Errorf("Open = %v", err)
	}
}

// foreign is a collection that somebody else has made; change alters its set-up.
func foreign(t *testing.T, c *qdrant.Client, change func(*qdrant.CreateCollection)) {
	t.Helper()
	req := &qdrant.CreateCollection{
		CollectionName:      Alias,
		VectorsConfig:       qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{vectorDense: {Size: 3, Distance: qdrant.Distance_Cosine}}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{vectorSparse: {Modifier: qdrant.Modifier_Idf.Enum()}}),
		StrictModeConfig:    strictMode(),
		Metadata:            qdrant.NewValueMap(map[string]any{"embedding_model": small.Name}),
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
			r.Metadata = qdrant.NewValueMap(map[string]any{"embedding_model": "four numbers"})
		}, want: `embedding model "four numbers", configured is "three numbers"`},
		"no model": {change: func(r *qdrant.CreateCollection) { r.Metadata = nil }, want: `embedding model "", configured is "three numbers"`},
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
			if _, err := Open(t.Context(), client, small); err == nil || errors.Is(err, ErrNoCollection) {
				t.Errorf("Open = %v, want the same refusal", err)
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
			err := Check(t.Context(), c, r.collection, small)
			if (err == nil) != ok {
				t.Fatalf("Check = %v, want ok = %v", err, ok)
			}
			if err != nil && (!fault.IsPermanent(err) || !strings.Contains(err.Error(), "need 1.17 or later")) {
				t.Errorf("Check = %v, want a permanent error that says what is needed", err)
			}
		})
	}
}

func TestARebuildFillsANewCollectionBesideTheOld(t *testing.T) {
	c := newClient(t)
	first := startRebuild(t, c, small)
	if err := first.DropOld(t.Context()); err != nil {
		t.Errorf("DropOld without an old one = %v", err)
	}
	if err := first.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := first.Published()
	write(t, store, entry(alice, 1, 1, "old"))

	second := startRebuild(t, c, small)
	write(t, second.Store, entry(alice, 2, 2, "new"))
	if got := texts(list(t, store, alice)); len(got) != 1 || got[0] != "old" {
		t.Errorf("readers see %q before the new one is published, want the old", got)
	}
	if err := second.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := texts(list(t, store, alice)); len(got) != 1 || got[0] != "new" {
		t.Errorf("readers see %q, want the new", got)
	}
	if err := second.DropOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ok, err := c.CollectionExists(t.Context(), first.collection); ok || err != nil {
		t.Errorf("the old collection is still there: %v, %v", ok, err)
	}
	if got := list(t, store, alice); len(got) != 1 {
		t.Errorf("%d memories after the old collection was dropped, want 1", len(got))
	}
}

// TestARebuildThatWasCutOffIsDropped: what it had written is not in the next one.
func TestARebuildThatWasCutOffIsDropped(t *testing.T) {
	c := newClient(t)
	cut := startRebuild(t, c, small)
	write(t, cut.Store, entry(alice, 1, 1, "left behind"))
	again := startRebuild(t, c, small)
	if again.collection != cut.collection {
		t.Errorf("the new collection is %s, want the place of the unfinished %s", again.collection, cut.collection)
	}
	if err := again.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := list(t, again.Published(), alice); len(got) != 0 {
		t.Errorf("memories %q, want none", texts(got))
	}
}

// TestAnotherModelGetsAnotherCollection: a rebuild into a new model goes on beside the old.
func TestAnotherModelGetsAnotherCollection(t *testing.T) {
	c := newClient(t)
	old := startRebuild(t, c, small)
	if err := old.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	large := Model{Name: "five numbers", Dim: 5}
	next := startRebuild(t, c, large)
	if next.collection == old.collection {
		t.Fatalf("both collections are named %s", old.collection)
	}
	if err := next.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c, large); err != nil {
		t.Errorf("Open with the new model = %v", err)
	}
	if _, err := Open(t.Context(), c, small); !fault.IsPermanent(err) {
		t.Errorf("Open with the old model = %v, want a refusal", err)
	}
}

func TestWhatDoesNotFitIsNotPublished(t *testing.T) {
	c := newClient(t)
	r := startRebuild(t, c, small)
	_, err := c.DeleteFieldIndex(t.Context(), &qdrant.DeleteFieldIndexCollection{
		CollectionName: r.collection, FieldName: fieldOwner, Wait: qdrant.PtrOf(true),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Publish(t.Context()); err == nil {
		t.Error("a collection without an index on the owner was published")
	}
	if _, err := Open(t.Context(), c, small); !errors.Is(err, ErrNoCollection) {
		t.Errorf("Open = %v, want ErrNoCollection", err)
	}
}

func TestGeneration(t *testing.T) {
	for name, want := range map[string]int{"": 0, Alias: 0, small.collectionName(1): 1, small.collectionName(42): 42, "x_y": 0} {
		if got := generation(name); got != want {
			t.Errorf("generation(%q) = %d, want %d", name, got, want)
		}
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
