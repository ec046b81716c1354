package qdrantstore

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/terms"
)

var (
	drawText = rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"tea", "coffee", "Oslo", "flat", "book", "book", "猫", "狗粮", "2026"}), 1, 5)
		return fmt.Sprint(words.Draw(t, "words"))
	})
	// drawDense makes vectors whose cosines are either equal or well apart.
	drawDense = rapid.SampledFrom([][]float32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.6, 0.8}, {0, 0, 0}, {-1, 0, 0}})
	drawOwner = rapid.SampledFrom([]memory.Scope{alice, alice, bob})
	drawEnd   = rapid.SampledFrom([]time.Time{{}, {}, noon, noon.Add(time.Second)})
)

func drawMemory(t *rapid.T, n int) index.Entry {
	return entry(drawOwner.Draw(t, "owner"), n, 1, drawText.Draw(t, "text"), func(m *memory.Memory) {
		m.Kind = rapid.SampledFrom([]memory.Kind{memory.KindFact, memory.KindPreference}).Draw(t, "kind")
		m.Key = rapid.SampledFrom([]memory.Key{"", "user.likes", "user.diet"}).Draw(t, "key")
		m.Agent = rapid.SampledFrom([]memory.Agent{"", "coach", "cook"}).Draw(t, "agent")
		m.Namespace = rapid.SampledFrom([]string{"", "work"}).Draw(t, "within")
		m.ExpiresAt = drawEnd.Draw(t, "end")
		switch rapid.IntRange(0, 9).Draw(t, "state") {
		case 0:
			m.Status = memory.StatusSuperseded
		case 1:
			suppressed(m)
		case 2, 3:
			cold(m)
		case 4:
			past(1)(m)
		}
	})
}

func drawDocument(t *rapid.T, n int) index.DocumentEntry {
	text := drawText.Draw(t, "text")
	value, err := json.Marshal(map[string]string{"text": text, "sort": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "sort")})
	if err != nil {
		t.Fatal(err)
	}
	d := document.Document{
		ID: id(n), Scope: drawOwner.Draw(t, "owner"), Key: fmt.Sprint(n), Value: value, CreatedAt: noon, UpdatedAt: noon,
		Namespace: rapid.SampledFrom([][]string{{"a"}, {"a", "b"}, {"ab"}}).Draw(t, "namespace"),
		ExpiresAt: drawEnd.Draw(t, "end"),
		Source: document.Source{
			Thread: rapid.SampledFrom([]memory.Thread{"", "s", "t"}).Draw(t, "thread"), Place: rapid.Int64Range(0, 9).Draw(t, "place"),
		},
	}
	return index.DocumentEntry{Document: d, LedgerSeq: 1, Sparse: terms.Document(text)}
}

// TestTheShelfIsTheCollection: what is found in memory is what the collection finds, with the
// same scores.
func TestTheShelfIsTheCollection(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newStore(t)
		var entries []find.ShelfEntry
		batch := index.Batch{Cursors: map[memory.Scope]index.Step{alice: {To: 1}, bob: {To: 1}}}
		for n := range rapid.IntRange(0, 12).Draw(rt, "memories") {
			e := drawMemory(rt, 1+n)
			e.Dense, e.Moved = drawDense.Draw(rt, "dense"), inArchive(&e.Memory)
			batch.Entries = append(batch.Entries, e)
			entries = append(entries, find.ShelfEntry{Hit: index.Hit{Memory: e.Memory, Terms: e.Sparse}, Dense: e.Dense})
		}
		for n := range rapid.IntRange(0, 12).Draw(rt, "documents") {
			e := drawDocument(rt, 101+n)
			e.Dense = drawDense.Draw(rt, "dense")
			batch.Documents = append(batch.Documents, e)
			entries = append(entries, find.ShelfEntry{Hit: index.Hit{Document: &e.Document, Terms: e.Sparse}, Dense: e.Dense})
		}
		put(t, s, batch)
		shelf := find.NewShelf(entries...)
		q := index.Query{
			Now: noon, Dense: drawDense.Draw(rt, "asked"), MinDense: 0.5, Sparse: terms.Query(drawText.Draw(rt, "query")),
			Limit: rapid.IntRange(0, 4).Draw(rt, "limit"), Near: rapid.IntRange(0, 4).Draw(rt, "near"),
			Sort:    rapid.SampledFrom([]index.Sort{index.SortMemory, index.SortDocument}).Draw(rt, "sort"),
			Kinds:   rapid.SampledFrom([][]memory.Kind{nil, {memory.KindFact}}).Draw(rt, "kinds"),
			Keys:    rapid.SampledFrom([][]memory.Key{nil, {"user.likes"}}).Draw(rt, "keys"),
			Archive: rapid.Bool().Draw(rt, "archive"),
			Agent:   rapid.SampledFrom([]memory.Agent{"", "coach"}).Draw(rt, "asker"),
			Within:  rapid.SampledFrom([]string{"", "work"}).Draw(rt, "asked within"),
		}
		if q.Sort == index.SortDocument {
			q.Namespace = rapid.SampledFrom([][]string{nil, {"a"}, {"a", "b"}}).Draw(rt, "prefix")
			q.Pairs = rapid.SampledFrom([][]string{nil, {`sort="a"`}}).Draw(rt, "pairs")
		}
		same(rt, "Search", s, shelf, func(s find.Store) ([]index.Hit, error) { return s.Search(t.Context(), alice, q) })
		spots := []index.Spot{{Thread: "s", Place: 3}, {Thread: "t", Place: 6}}
		same(rt, "Beside", s, shelf, func(s find.Store) ([]index.Hit, error) { return s.Beside(t.Context(), alice, q, spots, 2) })
	})
}

func same(t *rapid.T, name string, collection, shelf find.Store, search func(find.Store) ([]index.Hit, error)) {
	want, err := search(collection)
	if err != nil {
		t.Fatal(err)
	}
	got, err := search(shelf)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := describe(got), describe(want); !slices.Equal(a, b) {
		t.Fatalf("%s: the shelf gives %q, the collection %q", name, a, b)
	}
}

// describe tells hits by what matters of them, ordered.
func describe(hits []index.Hit) []string {
	var out []string
	for _, h := range hits {
		id, text := h.Memory.ID, h.Memory.Text
		if h.Document != nil {
			id, text = h.Document.ID, string(h.Document.Value)
		}
		out = append(out, fmt.Sprintf("%s %s fused %.4f cosine %.2f terms %v", id, text, h.Fused, math.Abs(h.Cosine), h.Terms))
	}
	slices.Sort(out)
	return out
}
