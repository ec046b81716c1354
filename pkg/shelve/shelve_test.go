package shelve_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/shelve"
)

func TestPutGetDelete(t *testing.T) {
	w := newWorld(t)
	put, err := w.Put(t.Context(), alice, []shelve.Item{item("k", ` {"text": "first", "n": 1.50} `)})
	if err != nil || len(put) != 1 || !put[0].CreatedAt.Equal(noon) || string(put[0].Value) != `{"text":"first","n":1.50}` {
		t.Fatalf("put is %+v, %v", put, err)
	}
	w.now = noon.Add(time.Hour)
	w.put(t, alice, item("k", `{"text":"second"}`))
	d, ok, err := w.Get(t.Context(), alice, []string{"notes"}, "k")
	if err != nil || !ok || string(d.Value) != `{"text":"second"}` || !d.CreatedAt.Equal(noon) || !d.UpdatedAt.Equal(w.now) || !d.StaleSince.Equal(w.now) {
		t.Errorf("got %+v, %v, %v", d, ok, err)
	}
	for _, s := range []memory.Scope{bob, shared, memory.UserScope("other", "alice")} {
		if _, ok, err := w.Get(t.Context(), s, []string{"notes"}, "k"); ok || err != nil {
			t.Errorf("%v gets alice's: %v", s, err)
		}
		if was, err := w.Delete(t.Context(), s, []string{"notes"}, "k"); was || err != nil {
			t.Errorf("%v deletes alice's: %v", s, err)
		}
	}
	for _, want := range []bool{true, false} {
		if was, err := w.Delete(t.Context(), alice, []string{"notes"}, "k"); was != want || err != nil {
			t.Errorf("deleted: %v, %v, want %v", was, err, want)
		}
	}
	if _, ok, err := w.Get(t.Context(), alice, []string{"notes"}, "k"); ok || err != nil {
		t.Errorf("there after its deletion: %v, %v", ok, err)
	}
	if len(w.log.all) != 3 {
		t.Errorf("%d change sets, want 3: what changes nothing is none", len(w.log.all))
	}
	w.now = noon.Add(2 * time.Hour)
	put, err = w.Put(t.Context(), alice, []shelve.Item{item("k", `{}`)})
	if err != nil || !put[0].CreatedAt.Equal(w.now) || !put[0].StaleSince.Equal(noon.Add(time.Hour)) {
		t.Errorf("put anew is %+v, %v", put, err)
	}
}

func TestTheSamePutChangesNothing(t *testing.T) {
	w := newWorld(t)
	once := []shelve.Item{item("a", `{"x":1,"y":"<b>"}`), item("b", `{"x":2}`, func(i *shelve.Item) { i.TTL = time.Hour })}
	w.put(t, alice, once...)
	first := string(w.log.all[0].data)
	w.put(t, alice, item("a", `{"y":"\u003cb>","x":1.0}`))
	if len(w.log.all) != 1 {
		t.Errorf("%d change sets, want one", len(w.log.all))
	}
	w.now = noon.Add(time.Minute)
	put, err := w.Put(t.Context(), alice, once)
	if err != nil || len(w.log.all) != 2 {
		t.Fatalf("%d change sets, %v, want two", len(w.log.all), err)
	}
	// A time to live begins anew with each put.
	if !put[0].UpdatedAt.Equal(noon) || !put[1].ExpiresAt.Equal(noon.Add(61*time.Minute)) || !put[1].CreatedAt.Equal(noon) {
		t.Errorf("put are %+v", put)
	}
	if strings.Contains(string(w.log.all[1].data), `"x":1`) || !strings.Contains(first, `"x":1`) {
		t.Errorf("the second change set is %s", w.log.all[1].data)
	}
}

func TestExpiry(t *testing.T) {
	w := newWorld(t)
	w.put(t, alice, item("k", `{"text":"the red kite"}`, func(i *shelve.Item) { i.TTL = 90 * time.Second }))
	for _, after := range []time.Duration{89 * time.Second, 90 * time.Second} {
		want := after < 90*time.Second
		w.now = noon.Add(after)
		if _, ok, err := w.Get(t.Context(), alice, []string{"notes"}, "k"); ok != want || err != nil {
			t.Errorf("after %s it is there: %v, %v", after, ok, err)
		}
		for _, query := range []string{"", "a red kite"} {
			if got := w.keys(t, alice, shelve.Request{Query: query}); (len(got) == 1) != want {
				t.Errorf("after %s a search for %q finds %q", after, query, got)
			}
		}
	}
	if was, err := w.Delete(t.Context(), alice, []string{"notes"}, "k"); was || err != nil {
		t.Errorf("an expired document is deleted as if it was there: %v", err)
	}
	w.now = noon.Add(time.Hour)
	put, err := w.Put(t.Context(), alice, []shelve.Item{item("k", `{"text":"the red kite"}`)})
	if err != nil || !put[0].CreatedAt.Equal(w.now) || !put[0].ExpiresAt.IsZero() {
		t.Errorf("put after the expiry is %+v, %v", put, err)
	}
}

// TestManyLargeDocuments become few change sets, embedded together.
func TestManyLargeDocuments(t *testing.T) {
	w := newWorld(t)
	var items []shelve.Item
	for i := range shelve.MaxItems {
		items = append(items, item(fmt.Sprint(i), fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("word ", 2000))))
	}
	w.put(t, alice, items...)
	if n := len(w.log.all); n < 2 || n > 4 {
		t.Errorf("%d change sets", n)
	}
	texts := 0
	for _, n := range w.embed.calls {
		texts += n
	}
	if texts != shelve.MaxItems || len(w.embed.calls) != len(w.log.all) {
		t.Errorf("embedded in calls of %v", w.embed.calls)
	}
	if got := w.keys(t, alice, shelve.Request{Limit: 1000}); len(got) != shelve.MaxItems {
		t.Errorf("%d documents, want %d", len(got), shelve.MaxItems)
	}
}

// TestAPutBesideAnother is decided again on what that one has left.
func TestAPutBesideAnother(t *testing.T) {
	w := newWorld(t)
	w.put(t, alice, item("k", `{"v":0}`))
	once := true
	w.log.before = func() {
		if once {
			once = false
			w.log.before = nil
			w.now = noon.Add(time.Minute)
			w.put(t, alice, item("k", `{"v":1}`))
			w.now = noon.Add(2 * time.Minute)
		}
	}
	w.put(t, alice, item("k", `{"v":2}`))
	d, _, err := w.Get(t.Context(), alice, []string{"notes"}, "k")
	if err != nil || string(d.Value) != `{"v":2}` || len(w.log.all) != 3 || !d.CreatedAt.Equal(noon) {
		t.Errorf("it is %+v after %d change sets, %v", d, len(w.log.all), err)
	}
	c, err := ledger.Decode(w.log.all[2].data, alice)
	if err != nil || c.Author != ledger.AuthorApplication || c.Changes[0].Op != ledger.OpPut || c.Changes[0].Reason != shelve.ReasonPut {
		t.Errorf("change set is %+v, %v", c, err)
	}
}

func TestBadPuts(t *testing.T) {
	w := newWorld(t)
	good := item("k", `{}`)
	for field, items := range map[string][]shelve.Item{
		"items":                 nil,
		"items[0].value":        {item("k", `[]`)},
		"items[1].key":          {good, good},
		"items[1].namespace":    {good, item("l", `{}`, in())},
		"items[0].namespace[1]": {item("k", `{}`, in("a", ""))},
		"items[0].ttl":          {item("k", `{}`, func(i *shelve.Item) { i.TTL = -time.Second })},
		"items[0].index[0]":     {item("k", `{}`, func(i *shelve.Item) { i.Index = []string{"a..b"} })},
		"items[0].place":        {item("k", `{}`, func(i *shelve.Item) { i.Source = document.Source{Place: 3} })},
	} {
		var f *fault.FieldError
		if _, err := w.Put(t.Context(), alice, items); !errors.As(err, &f) || f.Field != field {
			t.Errorf("error is %v, want %s", err, field)
		}
	}
	if _, err := w.Put(t.Context(), alice, slices.Repeat([]shelve.Item{good}, shelve.MaxItems+1)); err == nil {
		t.Error("more than may be put at once are taken")
	}
	if _, err := w.Put(t.Context(), memory.Scope{}, []shelve.Item{good}); !errors.Is(err, memory.ErrScope) {
		t.Errorf("error is %v, want ErrScope", err)
	}
	if _, _, err := w.Get(t.Context(), alice, nil, "k"); err == nil {
		t.Error("a document is got without a namespace")
	}
	if _, err := w.Delete(t.Context(), alice, []string{"a"}, ""); err == nil {
		t.Error("a document is deleted without a key")
	}
	if len(w.log.all) != 0 {
		t.Errorf("%d change sets", len(w.log.all))
	}
}

func TestNotIndexedIsNotFoundByMeaning(t *testing.T) {
	w := newWorld(t)
	w.put(t, alice,
		item("none", `{"text":"a red kite"}`, func(i *shelve.Item) { i.Index = []string{} }),
		item("title", `{"title":"a blue kite","text":"over the sea"}`, func(i *shelve.Item) { i.Index = []string{"title"} }))
	for query, want := range map[string][]string{"red": {}, "blue kite": {"title"}, "over the sea": {}} {
		if got := w.keys(t, alice, shelve.Request{Query: query}); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	if got := w.keys(t, alice, shelve.Request{Filter: json.RawMessage(`{"text":"a red kite"}`)}); !slices.Equal(got, []string{"none"}) {
		t.Errorf("the filter finds %q", got)
	}
}
