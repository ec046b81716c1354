package shelve_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/shelve"
)

func TestSearchWithoutAQuery(t *testing.T) {
	w := newWorld(t)
	w.put(t, alice, item("b", `{"n":1}`), item("a", `{"n":2}`), item("c", `{"n":3}`, in("other")))
	w.now = noon.Add(time.Minute)
	w.put(t, alice, item("d", `{"n":4}`, in("notes", "deep")))
	w.put(t, bob, item("x", `{"n":1}`))
	for name, tt := range map[string]struct {
		r    shelve.Request
		want []string
	}{
		"all":           {shelve.Request{}, []string{"d", "a", "b", "c"}},
		"prefix":        {shelve.Request{Prefix: []string{"notes"}}, []string{"d", "a", "b"}},
		"a page":        {shelve.Request{Limit: 2, Offset: 1}, []string{"a", "b"}},
		"beyond":        {shelve.Request{Offset: 9}, []string{}},
		"equality":      {shelve.Request{Filter: json.RawMessage(`{"n":2}`)}, []string{"a"}},
		"comparison":    {shelve.Request{Filter: json.RawMessage(`{"n":{"$gt":1,"$lt":4}}`)}, []string{"a", "c"}},
		"of comparison": {shelve.Request{Filter: json.RawMessage(`{"n":{"$ne":1}}`), Limit: 1, Offset: 1}, []string{"a"}},
	} {
		if got := w.keys(t, alice, tt.r); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestAComparisonMissesNothing, though what the filter does not hold for is nearer than what
// the search looks at.
func TestAComparisonMissesNothing(t *testing.T) {
	w := newWorld(t)
	for n := range 4 {
		var items []shelve.Item
		for i := range 100 {
			items = append(items, item(fmt.Sprintf("%d-%d", n, i), fmt.Sprintf(`{"year":2020,"text":"kite kite kite number %d"}`, i)))
		}
		w.put(t, alice, items...)
	}
	w.put(t, alice, item("old", `{"year":1999,"text":"long ago, on a beach in the far north, somebody had a kite with a long tail"}`))
	older := json.RawMessage(`{"year":{"$lt":2000}}`)
	if got := w.keys(t, alice, shelve.Request{Query: "kite", Filter: older}); !slices.Equal(got, []string{"old"}) {
		t.Errorf("a search with a comparison finds %q", got)
	}
	if got := w.keys(t, alice, shelve.Request{Query: "kite", Filter: json.RawMessage(`{"year":1999}`)}); !slices.Equal(got, []string{"old"}) {
		t.Errorf("a search with equality finds %q", got)
	}
	if got := w.keys(t, alice, shelve.Request{Query: "submarine", Filter: older}); len(got) != 0 {
		t.Errorf("what is not about it is found: %q", got)
	}
	if got := w.keys(t, alice, shelve.Request{Query: "kite", Filter: older, Offset: 1}); len(got) != 0 {
		t.Errorf("beyond the last one are %q", got)
	}
}

// TestMoreThanASearchReads is an error of the filter, and of nothing that needs less.
func TestMoreThanASearchReads(t *testing.T) {
	w := newWorld(t)
	entries := make([]index.DocumentEntry, shelve.MaxRead+1)
	for i := range entries {
		namespace, key := []string{"notes"}, fmt.Sprint(i)
		entries[i] = index.DocumentEntry{LedgerSeq: 1, Document: document.Document{
			ID: document.Identity(alice, namespace, key), Scope: alice, Namespace: namespace, Key: key, Value: json.RawMessage(`{"n":1}`),
			CreatedAt: noon, UpdatedAt: noon.Add(time.Duration(i) * time.Second),
		}}
	}
	if err := w.store.Write(t.Context(), index.Batch{Documents: entries}); err != nil {
		t.Fatal(err)
	}
	w.now = noon.AddDate(0, 0, 1)
	w.put(t, alice, item("few", `{"n":2}`, in("few")))
	var f *fault.FieldError
	_, err := w.Search(t.Context(), alice, shelve.Request{Filter: json.RawMessage(`{"n":{"$gt":5}}`)})
	if !errors.As(err, &f) || f.Field != "filter" || !strings.Contains(f.Reason, "10000") {
		t.Errorf("error is %v", err)
	}
	_, err = w.Search(t.Context(), alice, shelve.Request{Offset: shelve.MaxRead, Limit: 10})
	if !errors.As(err, &f) || f.Field != "offset" {
		t.Errorf("error is %v", err)
	}
	if got := w.keys(t, alice, shelve.Request{Limit: 3}); len(got) != 3 {
		t.Errorf("the newest are %q", got)
	}
	if got := w.keys(t, alice, shelve.Request{Prefix: []string{"few"}, Filter: json.RawMessage(`{"n":{"$gt":1}}`)}); !slices.Equal(got, []string{"few"}) {
		t.Errorf("in a narrow prefix are %q", got)
	}
}

func TestBadSearches(t *testing.T) {
	w := newWorld(t)
	for field, r := range map[string]shelve.Request{
		"namespace_prefix[0]": {Prefix: []string{""}},
		"limit":               {Limit: shelve.MaxLimit + 1},
		"offset":              {Offset: -1},
		"query":               {Query: strings.Repeat("x", shelve.MaxQueryBytes+1)},
		"filter.a":            {Filter: json.RawMessage(`{"a":{"$in":[1]}}`)},
	} {
		var f *fault.FieldError
		if _, err := w.Search(t.Context(), alice, r); !errors.As(err, &f) || f.Field != field {
			t.Errorf("error is %v, want %s", err, field)
		}
	}
}

func TestNamespaces(t *testing.T) {
	w := newWorld(t)
	for i, labels := range [][]string{{"a"}, {"a", "b", "x"}, {"a", "c", "x"}, {"d", "b", "y"}, {"a.b", "x"}} {
		w.put(t, alice, item("k", `{}`, in(labels...)), item(fmt.Sprint(i), `{}`, in(labels...)))
	}
	w.put(t, bob, item("k", `{}`, in("bob's")))
	for name, tt := range map[string]struct {
		l    shelve.Listing
		want [][]string
	}{
		"all":         {shelve.Listing{}, [][]string{{"a"}, {"a", "b", "x"}, {"a", "c", "x"}, {"a.b", "x"}, {"d", "b", "y"}}},
		"prefix":      {shelve.Listing{Prefix: []string{"a"}}, [][]string{{"a"}, {"a", "b", "x"}, {"a", "c", "x"}}},
		"suffix":      {shelve.Listing{Suffix: []string{"x"}}, [][]string{{"a", "b", "x"}, {"a", "c", "x"}, {"a.b", "x"}}},
		"both":        {shelve.Listing{Prefix: []string{"a"}, Suffix: []string{"c", "x"}}, [][]string{{"a", "c", "x"}}},
		"any label":   {shelve.Listing{Prefix: []string{"*", "b"}}, [][]string{{"a", "b", "x"}, {"d", "b", "y"}}},
		"any suffix":  {shelve.Listing{Suffix: []string{"b", "*"}}, [][]string{{"a", "b", "x"}, {"d", "b", "y"}}},
		"depth":       {shelve.Listing{MaxDepth: 2}, [][]string{{"a"}, {"a", "b"}, {"a", "c"}, {"a.b", "x"}, {"d", "b"}}},
		"depth of 1":  {shelve.Listing{MaxDepth: 1, Prefix: []string{"a"}}, [][]string{{"a"}}},
		"a page":      {shelve.Listing{Limit: 2, Offset: 1}, [][]string{{"a", "b", "x"}, {"a", "c", "x"}}},
		"beyond":      {shelve.Listing{Offset: 7}, [][]string{}},
		"none so":     {shelve.Listing{Prefix: []string{"z"}}, [][]string{}},
		"longer":      {shelve.Listing{Prefix: []string{"a", "b", "x", "y"}}, [][]string{}},
		"overlapping": {shelve.Listing{Prefix: []string{"a", "b", "x"}, Suffix: []string{"b", "x"}}, [][]string{{"a", "b", "x"}}},
	} {
		got, err := w.Namespaces(t.Context(), alice, tt.l)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
	for field, l := range map[string]shelve.Listing{"prefix[0]": {Prefix: []string{""}}, "suffix[0]": {Suffix: []string{"a\x00"}}, "max_depth": {MaxDepth: -1}, "limit": {Limit: -1}} {
		var f *fault.FieldError
		if _, err := w.Namespaces(t.Context(), alice, l); !errors.As(err, &f) || f.Field != field {
			t.Errorf("error is %v, want %s", err, field)
		}
	}
}

// TestShelvesAreAMap: whatever is put, put again and deleted, what is got and listed is what
// a map of maps would hold.
func TestShelvesAreAMap(t *testing.T) {
	w := newWorld(t)
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		label := fmt.Sprint("run ", n) // of its own: the world is the same
		model := map[string]int{}
		key := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			k := key.Draw(r, "key")
			w.now = w.now.Add(time.Second)
			if rapid.IntRange(0, 3).Draw(r, "delete") == 0 {
				was, err := w.Delete(t.Context(), alice, []string{label}, k)
				if _, want := model[k]; was != want || err != nil {
					r.Fatalf("deleting %s says %v, %v", k, was, err)
				}
				delete(model, k)
				continue
			}
			v := rapid.IntRange(0, 3).Draw(r, "value")
			w.put(t, alice, item(k, fmt.Sprintf(`{"v":%d}`, v), in(label)))
			model[k] = v
		}
		limit := rapid.IntRange(0, 3).Draw(r, "limit")
		var want []string
		for k, v := range model {
			d, ok, err := w.Get(t.Context(), alice, []string{label}, k)
			if !ok || err != nil || string(d.Value) != fmt.Sprintf(`{"v":%d}`, v) || d.ID != document.Identity(alice, []string{label}, k) {
				r.Fatalf("%s is %+v, %v", k, d, err)
			}
			if v >= limit {
				want = append(want, k)
			}
		}
		got := w.keys(t, alice, shelve.Request{Prefix: []string{label}, Filter: json.RawMessage(fmt.Sprintf(`{"v":{"$gte":%d}}`, limit))})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			r.Fatalf("found %q, want %q", got, want)
		}
	})
}
