package ledger_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func note(key, value string) *document.Document {
	namespace := []string{"notes"}
	return &document.Document{
		ID: document.Identity(scope, namespace, key), Scope: scope, Namespace: namespace, Key: key,
		Value: json.RawMessage(value), Index: []string{}, Source: document.Source{Thread: "t1", Place: 3, Speaker: "Ann", At: noon},
		CreatedAt: noon, UpdatedAt: noon, StaleSince: noon,
	}
}

func put(d *document.Document) ledger.Change {
	return ledger.Change{Op: ledger.OpPut, Document: d, Reason: "put"}
}

func TestDocumentsRoundTrip(t *testing.T) {
	left := note("b", `{}`).Removed(noon)
	c := ledger.ChangeSet{V: ledger.Version, At: noon, Author: ledger.AuthorApplication, Scope: scope, Changes: []ledger.Change{
		put(note("a", `{"text":"a <b> 杭州"}`)), {Op: ledger.OpRemove, Document: &left, Reason: "removed"}, {Op: ledger.OpDrop, Document: &left, Reason: "tombstone_ended"},
	}}
	raw := encode(t, c)
	if strings.Contains(string(raw), `"memory"`) || !strings.Contains(string(raw), `a <b> 杭州`) {
		t.Errorf("encoded as %s", raw)
	}
	back, err := ledger.Decode(raw, scope)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, c) {
		t.Errorf("became\n%+v\nfrom\n%+v", back, c)
	}
}

func TestDecodeRefusesDocuments(t *testing.T) {
	another := note("a", `{}`)
	another.Scope = memory.UserScope("acme", "u2")
	both := put(note("a", `{}`))
	both.Memory = city("Oslo", noon)
	behind := put(note("a", `{}`))
	behind.Previous = &both.Memory
	for want, c := range map[string]ledger.Change{
		"its scope":              put(another),
		"put without a document": {Op: ledger.OpPut, Memory: city("Oslo", noon)},
		"put of a document and":  both,
		"add of a document":      {Op: ledger.OpAdd, Document: note("a", `{}`)},
		"purge of a document":    {Op: ledger.OpPurge, Document: note("a", `{}`)},
	} {
		set := full()
		set.Changes = []ledger.Change{c}
		if _, err := ledger.Decode(encode(t, set), scope); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	set := full()
	set.Changes = []ledger.Change{behind}
	if _, err := ledger.Decode(encode(t, set), scope); err == nil {
		t.Error("a document with a memory behind it is taken")
	}
}

// What is told of memories says nothing of documents.
func TestDocumentsAreNoHistory(t *testing.T) {
	denver := city("Denver", day(1))
	all := records([]ledger.Change{put(note("a", `{"user.city":"Oslo"}`))}, one(ledger.OpAdd, denver), []ledger.Change{put(note("b", `{}`))})
	if got := ledger.Changes(all); len(got) != 1 || got[0].ID != denver.ID {
		t.Errorf("changes are %+v", got)
	}
	if got := ledger.History(all, ""); len(got) != 0 {
		t.Errorf("history of no key is %+v", got)
	}
	if got := ledger.History(all, "user.city"); len(got) != 1 || got[0].Value != "Denver" {
		t.Errorf("history is %+v", got)
	}
}

// A hundred of the largest documents become change sets that each fit, in order.
func TestSplitOfLargeDocuments(t *testing.T) {
	c := ledger.ChangeSet{V: ledger.Version, At: noon, Author: ledger.AuthorApplication, Scope: scope}
	value := `{"text":"` + strings.Repeat("长", 21<<10) + `"}`
	for range 100 {
		c.Changes = append(c.Changes, put(note("k", value)))
	}
	parts, err := c.Split()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range parts {
		n += len(p.Changes)
		if len(p.Data) > ledger.MaxBytes {
			t.Errorf("a part of %d bytes", len(p.Data))
		}
	}
	if n != 100 || len(parts) > 20 {
		t.Errorf("%d changes in %d parts", n, len(parts))
	}
}
