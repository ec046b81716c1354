package qdrantstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// note is a document of the owner, put n minutes after noon; change alters it.
func note(s memory.Scope, seq uint64, n int, namespace []string, key, value string, change ...func(*document.Document)) index.DocumentEntry {
	d := document.Document{
		ID: document.Identity(s, namespace, key), Scope: s, Namespace: namespace, Key: key, Value: json.RawMessage(value),
		CreatedAt: noon, UpdatedAt: noon.Add(time.Duration(n) * time.Minute),
	}
	for _, f := range change {
		f(&d)
	}
	e := index.DocumentEntry{Document: d, LedgerSeq: seq}
	if document.Text(&d) != "" {
		e.Dense, e.Sparse = []float32{0, 1, 0}, index.DocumentSparse(&d)
	}
	return e
}

func removed(e index.DocumentEntry, seq uint64) index.DocumentEntry {
	return index.DocumentEntry{Document: e.Document.Removed(noon), LedgerSeq: seq}
}

func expiring(n int) func(*document.Document) {
	return func(d *document.Document) { d.ExpiresAt = noon.Add(time.Duration(n) * time.Minute) }
}

func putNotes(t testing.TB, s *Store, notes ...index.DocumentEntry) {
	t.Helper()
	put(t, s, index.Batch{Documents: notes})
}

// newest is the keys of what Newest yields.
func newest(t testing.TB, s *Store, scope memory.Scope, q index.Query) []string {
	t.Helper()
	out := []string{}
	for d, err := range s.Newest(t.Context(), scope, q) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d.Key)
	}
	return out
}

// TestADocumentIsReadAsItWasWritten, over lower sequences only; what is left of a removed one
// is its identity, and a late write does not bring it back.
func TestADocumentIsReadAsItWasWritten(t *testing.T) {
	s := newStore(t)
	e := note(alice, 5, 1, []string{"a", "b.c"}, "k", `{"text":"a <b> 杭州","n":1.50}`, expiring(9), func(d *document.Document) {
		d.Index, d.StaleSince = []string{"text"}, noon
		d.Source = document.Source{Thread: "t", Place: 7, Speaker: "Ann", At: noon.In(time.FixedZone("", 3600)), Assistant: true}
	})
	putNotes(t, s, e, note(bob, 5, 1, []string{"a", "b.c"}, "k", `{"text":"of bob"}`))
	get := func() []document.Document {
		got, err := s.Documents(t.Context(), alice, []memory.ID{e.Document.ID, id(1)})
		if err != nil || len(got) != 1 {
			t.Fatalf("Documents = %+v, %v, want one", got, err)
		}
		return got
	}
	got := get()[0]
	if !got.Source.At.Equal(e.Document.Source.At) || got.Source.At.Format("-0700") != "+0100" {
		t.Errorf("said at %s, want the zone kept", got.Source.At)
	}
	got.Source.At = e.Document.Source.At
	if !reflect.DeepEqual(got, e.Document) {
		t.Errorf("read  %+v\nwrote %+v", got, e.Document)
	}
	older := note(alice, 4, 0, []string{"a", "b.c"}, "k", `{"text":"older"}`)
	putNotes(t, s, older, removed(e, 5))
	if string(get()[0].Value) != `{"text":"a <b> 杭州","n":1.50}` {
		t.Error("an older or equal write has changed the document")
	}
	putNotes(t, s, removed(e, 6))
	putNotes(t, s, e)
	left := get()[0]
	if left.RemovedAt.IsZero() || left.Key != "" || left.Value != nil {
		t.Errorf("what is left is %+v", left)
	}
	point, err := s.client.Get(t.Context(), &qdrant.GetPoints{
		CollectionName: s.hand, Ids: []*qdrant.PointId{qdrant.NewIDUUID(string(e.Document.ID))},
		WithPayload: qdrant.NewWithPayload(true), WithVectors: qdrant.NewWithVectors(true),
	})
	if err != nil || len(point) != 1 {
		t.Fatal(err)
	}
	if p := point[0]; len(p.GetVectors().GetVectors().GetVectors()) != 0 || p.GetPayload()[fieldNamespace] != nil || p.GetPayload()[fieldPairs] != nil {
		t.Errorf("what is left has content: %v", p)
	}
	if hits := newest(t, s, alice, index.Query{Now: noon}); len(hits) != 0 {
		t.Errorf("a removed document is listed: %q", hits)
	}
}

// TestDocumentsAreNarrowed by owner, expiry, namespace and pairs.
func TestDocumentsAreNarrowed(t *testing.T) {
	s := newStore(t)
	many := map[string]int{}
	for i := range document.MaxPairs + 1 {
		many[fmt.Sprint("f", i)] = i
	}
	wide, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	putNotes(t, s,
		note(alice, 1, 1, []string{"a"}, "top", `{"n":1}`), note(alice, 1, 2, []string{"a", "b"}, "below", `{"n":1.0,"x":{"y":"z"}}`),
		note(alice, 1, 3, []string{"ab"}, "beside", `{"n":2}`), note(alice, 1, 4, []string{"a"}, "wide", string(wide)),
		note(alice, 1, 5, []string{"a"}, "brief", `{"n":1}`, expiring(30)), note(bob, 1, 6, []string{"a"}, "bob's", `{"n":1}`),
	)
	put(t, s, index.Batch{Entries: []index.Entry{entry(alice, 1, 1, "a memory")}})
	for name, tt := range map[string]struct {
		q    index.Query
		want []string
	}{
		"all":                {index.Query{Now: noon}, []string{"brief", "wide", "beside", "below", "top"}},
		"after the expiry":   {index.Query{Now: noon.Add(30 * time.Minute)}, []string{"wide", "beside", "below", "top"}},
		"a prefix":           {index.Query{Now: noon, Namespace: []string{"a"}}, []string{"brief", "wide", "below", "top"}},
		"a longer prefix":    {index.Query{Now: noon, Namespace: []string{"a", "b"}}, []string{"below"}},
		"no such prefix":     {index.Query{Now: noon, Namespace: []string{"b"}}, []string{}},
		"a pair":             {index.Query{Now: noon, Pairs: []string{"n=1"}}, []string{"brief", "wide", "below", "top"}},
		"two pairs":          {index.Query{Now: noon, Pairs: []string{"n=1", `x.y="z"`}}, []string{"wide", "below"}},
		"prefix and pair":    {index.Query{Now: noon, Pairs: []string{"n=2"}, Namespace: []string{"ab"}}, []string{"beside"}},
		"what it lacks":      {index.Query{Now: noon, Pairs: []string{"n=3"}, Namespace: []string{"ab"}}, []string{}},
		"more pairs than go": {index.Query{Now: noon, Pairs: append(slices.Repeat([]string{"n=1"}, index.MaxPairs), "n=7")}, []string{"brief", "wide", "below", "top"}},
	} {
		if got := newest(t, s, alice, tt.q); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		within := []string{}
		for e, err := range s.Within(t.Context(), alice, tt.q) {
			if err != nil {
				t.Fatal(err)
			}
			if e.LedgerSeq != 1 || len(e.Dense) != 3 || !slices.Equal(e.Sparse.Indices, index.DocumentSparse(&e.Document).Indices) {
				t.Errorf("%s has the vectors %v and %v", e.Document.Key, e.Dense, e.Sparse)
			}
			within = append(within, e.Document.Key)
		}
		if !slices.Equal(slices.Sorted(slices.Values(within)), slices.Sorted(slices.Values(tt.want))) {
			t.Errorf("%s, with vectors: %q, want %q", name, within, tt.want)
		}
	}
	got, err := s.Namespaces(t.Context(), alice, index.Query{Now: noon})
	if want := [][]string{{"a"}, {"a", "b"}, {"ab"}}; !reflect.DeepEqual(got, want) || err != nil {
		t.Errorf("Namespaces = %q, %v, want %q", got, err, want)
	}
	if got := list(t, s, alice); len(got) != 1 || got[0].Text != "a memory" {
		t.Errorf("memories are %q", texts(got))
	}
}

// TestNewestReadsOnePageAfterAnother, also where more than a page was put at one time.
func TestNewestReadsOnePageAfterAnother(t *testing.T) {
	s := newStore(t)
	var notes []index.DocumentEntry
	for i := range 3*documentPage + largePage {
		minute := 1
		if i < documentPage/2 {
			minute = 2 + i
		}
		notes = append(notes, note(alice, 1, minute, []string{"a"}, fmt.Sprint(i), `{}`))
	}
	for some := range slices.Chunk(notes, 256) {
		putNotes(t, s, some...)
	}
	got := newest(t, s, alice, index.Query{Now: noon})
	seen := map[string]bool{}
	for i, key := range got {
		if seen[key] || i < documentPage/2 && key != fmt.Sprint(documentPage/2-1-i) {
			t.Fatalf("document %d is %s", i, key)
		}
		seen[key] = true
	}
	if len(got) != len(notes) {
		t.Errorf("%d documents, want %d", len(got), len(notes))
	}
	n := 0
	for _, err := range s.Within(t.Context(), alice, index.Query{Now: noon}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != len(notes) {
		t.Errorf("%d documents with vectors, want %d", n, len(notes))
	}
}

// TestDueDocuments: each job finds what it is for, of all owners or of one, and no memories.
func TestDueDocuments(t *testing.T) {
	s := newStore(t)
	stale := func(n int) func(*document.Document) {
		return func(d *document.Document) { d.StaleSince = noon.Add(time.Duration(n) * time.Minute) }
	}
	ns := []string{"a"}
	gone, old := note(alice, 1, 0, ns, "gone", `{}`), note(alice, 1, 0, ns, "old", `{}`)
	purged := removed(old, 2)
	purged.Document.StaleSince = time.Time{}
	putNotes(t, s, note(alice, 1, 0, ns, "over", `{}`, expiring(-1)), note(alice, 1, 0, ns, "later", `{}`, expiring(1)),
		note(bob, 1, 0, ns, "bob's", `{}`, expiring(-2)), note(alice, 1, 0, ns, "replaced", `{}`, stale(-1)), note(alice, 1, 0, ns, "young", `{}`, stale(1)),
		removed(gone, 2), purged)
	put(t, s, index.Batch{Entries: []index.Entry{entry(alice, 1, 1, "expired", func(m *memory.Memory) { m.ExpiresAt = noon.Add(-time.Hour) })}})
	id := func(scope memory.Scope, key string) memory.ID { return document.Identity(scope, ns, key) }
	for job, want := range map[index.DueJob][2][]memory.ID{
		index.DueExpiredDocuments: {{id(alice, "over"), id(bob, "bob's")}, {id(alice, "over")}},
		index.DueStaleDocuments:   {{id(alice, "replaced"), gone.Document.ID}, {id(alice, "replaced"), gone.Document.ID}},
		index.DueRemovedDocuments: {{old.Document.ID}, {old.Document.ID}},
		index.DueExpired:          {ids(1), nil},
	} {
		slices.Sort(want[0])
		slices.Sort(want[1])
		due := index.Due{Job: job, Before: noon}
		if got := sweep(t, s, due, 1); !slices.Equal(got, want[0]) {
			t.Errorf("%s: %q, want %q", job, got, want[0])
		}
		var own []memory.ID
		for more, after := true, memory.ID(""); more; {
			ds, rest, err := s.DueDocuments(t.Context(), alice, due, after, 1)
			if err != nil || len(ds) > 1 {
				t.Fatal(ds, err)
			}
			for _, d := range ds {
				own, after = append(own, d.ID), d.ID
			}
			more = rest
		}
		if !slices.Equal(own, want[1]) {
			t.Errorf("%s of alice: %q, want %q", job, own, want[1])
		}
	}
	if got, err := s.DueOf(t.Context(), alice, index.Due{Job: index.DueExpired, Before: noon}, "", 10); len(got) != 1 || err != nil {
		t.Errorf("expired memories are %q, %v", idsOf(got), err)
	}
}

// TestErasureTakesDocuments, and counts them, but not what is left of removed ones. A dropped
// one leaves nothing.
func TestErasureTakesDocuments(t *testing.T) {
	s := newStore(t)
	ns := []string{"a"}
	gone, dropped := note(alice, 1, 0, ns, "gone", `{}`), note(alice, 1, 0, ns, "dropped", `{}`)
	tenant := memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}}
	putNotes(t, s, note(alice, 1, 0, ns, "k", `{}`), removed(gone, 2), removed(dropped, 2), note(alice, 5, 0, ns, "since", `{}`),
		note(bob, 1, 0, ns, "k", `{}`), note(tenant, 1, 0, ns, "k", `{}`))
	put(t, s, index.Batch{Dropped: []index.Dropped{{Scope: alice, ID: dropped.Document.ID, LedgerSeq: 3}}})
	wantCount(t, s, alice, 3)
	if n, err := s.Erase(t.Context(), alice, 5); n != 1 || err != nil {
		t.Errorf("Erase = %d, %v, want 1", n, err)
	}
	wantCount(t, s, alice, 1)
	wantCount(t, s, bob, 1)
	if n, err := s.EraseTenant(t.Context(), "acme", math.MaxUint64); n != 3 || err != nil {
		t.Errorf("EraseTenant = %d, %v, want 3", n, err)
	}
	wantCount(t, s, tenant, 0)
}

func TestDocumentsRefuseAZeroScope(t *testing.T) {
	s := newStore(t)
	var zero memory.Scope
	for name, f := range map[string]func() error{
		"Documents": func() error { _, err := s.Documents(t.Context(), zero, ids(1)); return err },
		"Newest": func() (err error) {
			for _, e := range s.Newest(t.Context(), zero, index.Query{}) {
				err = e
			}
			return err
		},
		"Within": func() (err error) {
			for _, e := range s.Within(t.Context(), zero, index.Query{}) {
				err = e
			}
			return err
		},
		"Namespaces": func() error { _, err := s.Namespaces(t.Context(), zero, index.Query{}); return err },
		"DueDocuments": func() error {
			_, _, err := s.DueDocuments(t.Context(), zero, index.Due{Job: index.DueStaleDocuments}, "", 1)
			return err
		},
		"Write": func() error {
			return s.Write(t.Context(), index.Batch{Documents: []index.DocumentEntry{note(zero, 1, 0, []string{"a"}, "k", `{}`)}})
		},
	} {
		if err := f(); !errors.Is(err, memory.ErrScope) {
			t.Errorf("%s = %v, want ErrScope", name, err)
		}
	}
}
