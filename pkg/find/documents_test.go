package find_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// turn is a document that was said at a place in a thread.
func turn(n int, thread memory.Thread, place int64, speaker, text string, change ...func(*document.Document)) document.Document {
	value, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		panic(err)
	}
	d := document.Document{
		ID: id(n), Scope: alice, Namespace: []string{"turns", string(thread)}, Key: fmt.Sprint(n), Value: value,
		CreatedAt: now, UpdatedAt: now.Add(time.Duration(n) * time.Second),
		Source: document.Source{Thread: thread, Place: place, Speaker: speaker, Assistant: speaker == "assistant"},
	}
	for _, f := range change {
		f(&d)
	}
	return d
}

// documentShelf holds documents as the product indexes them.
func documentShelf(t *testing.T, documents ...document.Document) *find.Shelf {
	t.Helper()
	var entries []find.ShelfEntry
	for i := range documents {
		d := &documents[i]
		e := find.ShelfEntry{Hit: index.Hit{Document: d, Terms: index.DocumentSparse(d)}}
		if text := index.DocumentText(d); text != "" {
			dense, err := embed.NewLexical().Embed(context.Background(), []string{text})
			if err != nil {
				t.Fatal(err)
			}
			e.Dense = dense[0]
		}
		entries = append(entries, e)
	}
	return find.NewShelf(entries...)
}

func documentsFound(t *testing.T, s find.Store, r find.Request) []string {
	t.Helper()
	r.Sort = index.SortDocument
	out := []string{}
	for _, f := range foundBy(t, config(t, s), r) {
		if f.Score.Total != f.Match.Similarity || f.Score.Recency != 0 || f.Tier != "" {
			t.Errorf("%s: score %+v", f.Hit.Document.Key, f.Score)
		}
		out = append(out, f.Hit.Document.Key)
	}
	return out
}

func TestDocumentsAreFound(t *testing.T) {
	s := documentShelf(t,
		turn(1, "a", 1, "Ann", "The book fair is in Lyon."), turn(2, "a", 2, "Bob", "Nice."),
		turn(3, "b", 1, "Ann", "The book fair opens on 3 June."), turn(4, "c", 1, "user", "I'm a vegetarian."),
		turn(5, "d", 1, "user", "每天喝咖啡"), turn(6, "d", 2, "assistant", "你喜欢哪种咖啡豆？"),
		turn(7, "e", 1, "Ann", "The rent is 900 euros."), turn(8, "f", 1, "Ann", "The rent was raised to 950 euros for the flat.", func(d *document.Document) {
			d.Source.At = time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
		}),
		turn(9, "g", 1, "Ann", "no meaning", func(d *document.Document) { d.Index = []string{} }),
		turn(10, "g", 2, "Ann", "over in Lyon", func(d *document.Document) { d.ExpiresAt = now }),
	)
	for _, c := range []struct {
		name  string
		r     find.Request
		wants []string
	}{
		{"by a word, and what is about the same", find.Request{Query: "What happens in Lyon?"}, []string{"1", "3"}},
		{"by who said it", find.Request{Query: "What does Bob think?"}, []string{"2"}},
		{"by spelling", find.Request{Query: "vegeterian"}, []string{"4"}},
		{"Chinese, the user before the assistant", find.Request{Query: "咖啡"}, []string{"5", "6"}},
		{"what changed", find.Request{Query: "How much is the rent?"}, []string{"8", "7"}},
		{"by its day, and what is about the same", find.Request{Query: "What did I say on 5 March?"}, []string{"8", "7"}},
		{"not to be found", find.Request{Query: "meaning"}, []string{}},
		{"unrelated", find.Request{Query: "Where is the airport?"}, []string{}},
		{"below a namespace", find.Request{Query: "book fair", Namespace: []string{"turns", "b"}}, []string{"3"}},
		{"with a field", find.Request{Query: "book fair", Pairs: []string{`text="The book fair is in Lyon."`}}, []string{"1"}},
		{"what is kept", find.Request{Query: "book fair", Keep: func(h *index.Hit) bool { return h.Document.Key == "3" }}, []string{"3"}},
		{"of somebody else", find.Request{Query: "book fair", Scopes: []memory.Scope{agent}}, []string{}},
		{"by terms", find.Request{Query: "vegetarian Lyon", Pipeline: find.BM25, Limit: 1}, []string{"4"}},
		{"by meaning", find.Request{Query: "vegeterian", Pipeline: find.Dense, Limit: 1}, []string{"4"}},
		{"by both", find.Request{Query: "vegeterian", Pipeline: find.Hybrid, Limit: 1}, []string{"4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := documentsFound(t, s, c.r); !slices.Equal(got, c.wants) {
				t.Errorf("got %q, want %q", got, c.wants)
			}
		})
	}
}

// What was said beside a hit is lifted: not in another thread, and out of reach by the
// thread's share alone.
func TestWhatWasSaidBeside(t *testing.T) {
	s := documentShelf(t,
		turn(1, "a", 1, "Bob", "We paid for a taxi."), turn(2, "b", 1, "Ann", "My train was late."),
		turn(3, "b", 2, "Bob", "We paid for a coach."), turn(4, "b", 9, "Bob", "We paid for a bus."),
	)
	context := map[string]float64{}
	for _, f := range foundBy(t, config(t, s), find.Request{Query: "What was paid because of the train?", Sort: index.SortDocument}) {
		context[f.Hit.Document.Key] = f.Match.Context
	}
	if len(context) != 4 || context["1"] > 0.05 || context["4"] > 0.06 || context["3"] < 0.15 {
		t.Errorf("context is %v", context)
	}
}

// asked records what a store is asked for.
type asked struct {
	find.Store
	queries []index.Query
	spots   []index.Spot
	reach   int64
}

func (a *asked) Search(ctx context.Context, s memory.Scope, q index.Query) ([]index.Hit, error) {
	a.queries = append(a.queries, q)
	return a.Store.Search(ctx, s, q)
}

func (a *asked) Beside(ctx context.Context, s memory.Scope, q index.Query, spots []index.Spot, reach int64) ([]index.Hit, error) {
	a.spots, a.reach = append(a.spots, spots...), reach
	return a.Store.Beside(ctx, s, q, spots, reach)
}

func TestWhatAStoreIsAskedFor(t *testing.T) {
	a := &asked{Store: documentShelf(t, turn(1, "a", 4, "Ann", "The book fair is in Lyon."), turn(2, "", 0, "Ann", "Lyon"))}
	documentsFound(t, a, find.Request{Query: "What happens in Lyon?", Namespace: []string{"turns"}})
	if len(a.queries) != 2 || a.queries[0].Limit != 100 || a.queries[0].Near != 50 || a.queries[1].Limit != 10 || a.queries[1].Near != 0 ||
		!slices.Equal(a.queries[1].Namespace, []string{"turns"}) || a.reach != 3 || !slices.Equal(a.spots, []index.Spot{{Thread: "a", Place: 4}}) {
		t.Errorf("asked for %+v, beside %+v within %d", a.queries, a.spots, a.reach)
	}
	a = &asked{Store: shelfOf(t, recalled(1, "", "The book fair is in Lyon"))}
	foundBy(t, config(t, a), find.Request{Query: "What happens in Lyon?"})
	if len(a.queries) != 1 || a.spots != nil {
		t.Errorf("for memories: asked for %+v, beside %+v", a.queries, a.spots)
	}
}
