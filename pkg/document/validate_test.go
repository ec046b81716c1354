package document_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func TestValidate(t *testing.T) {
	labels := func(n int) []string { return strings.Split(strings.Repeat("x,", n-1)+"x", ",") }
	tests := []struct {
		name, field string
		change      func(*document.Document)
	}{
		{"as it is", "", func(*document.Document) {}},
		{"most labels", "", func(d *document.Document) { d.Namespace = labels(document.MaxLabels) }},
		{"a label with a dot and Chinese", "", func(d *document.Document) { d.Namespace = []string{"v1.2", "笔记"} }},
		{"longest key", "", func(d *document.Document) { d.Key = strings.Repeat("k", document.MaxKeyBytes) }},
		{"a turn", "", func(d *document.Document) {
			d.Source = document.Source{Thread: "t", Place: 7, Speaker: "Ann", At: noon}
		}},
		{"no namespace", "namespace", func(d *document.Document) { d.Namespace = nil }},
		{"too many labels", "namespace", func(d *document.Document) { d.Namespace = labels(document.MaxLabels + 1) }},
		{"an empty label", "namespace[1]", func(d *document.Document) { d.Namespace = []string{"a", ""} }},
		{"a long label", "namespace[0]", func(d *document.Document) { d.Namespace = []string{strings.Repeat("x", 129)} }},
		{"a label with a control character", "namespace[0]", func(d *document.Document) { d.Namespace = []string{"a\x1fb"} }},
		{"a label of broken UTF-8", "namespace[0]", func(d *document.Document) { d.Namespace = []string{"a\xff"} }},
		{"no key", "key", func(d *document.Document) { d.Key = "" }},
		{"a long key", "key", func(d *document.Document) { d.Key = strings.Repeat("k", document.MaxKeyBytes+1) }},
		{"no value", "value", func(d *document.Document) { d.Value = nil }},
		{"a list", "value", func(d *document.Document) { d.Value = json.RawMessage(`[]`) }},
		{"no JSON", "value", func(d *document.Document) { d.Value = json.RawMessage(`{"a":}`) }},
		{"broken UTF-8", "value", func(d *document.Document) { d.Value = json.RawMessage("{\"a\":\"\xff\"}") }},
		{"a field twice", "value", func(d *document.Document) { d.Value = json.RawMessage(`{"a":{"b":1,"b":2}}`) }},
		{"too large", "value", func(d *document.Document) {
			d.Value = json.RawMessage(`{"a":"` + strings.Repeat("x", document.MaxValueBytes) + `"}`)
		}},
		{"too deep", "value", func(d *document.Document) {
			d.Value = json.RawMessage(strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70))
		}},
		{"a number out of range", "value", func(d *document.Document) { d.Value = json.RawMessage(`{"a":1e99999999999}`) }},
		{"a path with an empty part", "index[1]", func(d *document.Document) { d.Index = []string{"$", "a..b"} }},
		{"an unclosed path", "index[0]", func(d *document.Document) { d.Index = []string{"a[0"} }},
		{"a path into a word", "index[0]", func(d *document.Document) { d.Index = []string{"a[x]"} }},
		{"a path that goes on wrongly", "index[0]", func(d *document.Document) { d.Index = []string{"a[0]b"} }},
		{"too many paths", "index", func(d *document.Document) { d.Index = labels(document.MaxIndexPaths + 1) }},
		{"a thread with NUL", "thread", func(d *document.Document) { d.Source.Thread = "a\x00" }},
		{"a place before the first", "place", func(d *document.Document) { d.Source = document.Source{Thread: "t", Place: -1} }},
		{"a place without a thread", "place", func(d *document.Document) { d.Source.Place = 1 }},
		{"a long speaker", "speaker", func(d *document.Document) { d.Source.Speaker = strings.Repeat("x", 257) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := doc(`{"text":"x"}`)
			tt.change(d)
			err := d.Validate()
			var field *fault.FieldError
			if tt.field == "" && err != nil || tt.field != "" && (!errors.As(err, &field) || field.Field != tt.field) {
				t.Errorf("error is %v, want field %q", err, tt.field)
			}
		})
	}
}

func TestSame(t *testing.T) {
	d := doc(`{"a":1,"b":"<x>"}`)
	tests := []struct {
		name   string
		change func(*document.Document)
		want   bool
	}{
		{"later", func(o *document.Document) { o.UpdatedAt = noon }, true},
		{"written otherwise", func(o *document.Document) { o.Value = json.RawMessage(`{"b":"\u003cx>", "a":1.0}`) }, true},
		{"another value", func(o *document.Document) { o.Value = json.RawMessage(`{"a":1,"b":"y"}`) }, false},
		{"one field more", func(o *document.Document) { o.Value = json.RawMessage(`{"a":1,"b":"<x>","c":null}`) }, false},
		{"expiring", func(o *document.Document) { o.ExpiresAt = noon }, false},
		{"not indexed", func(o *document.Document) { o.Index = []string{} }, false},
		{"said elsewhere", func(o *document.Document) { o.Source.Thread = "t" }, false},
		{"removed", func(o *document.Document) { o.RemovedAt = noon }, false},
	}
	for _, tt := range tests {
		o := *d
		tt.change(&o)
		if got := document.Same(d, &o); got != tt.want {
			t.Errorf("%s: same is %v", tt.name, got)
		}
	}
}

// No two places hold one document, and a place holds one.
func TestIdentity(t *testing.T) {
	label := rapid.StringN(1, 3, 8)
	place := rapid.Custom(func(t *rapid.T) []string { return rapid.SliceOfN(label, 2, 4).Draw(t, "place") })
	scopes := []memory.Scope{
		memory.UserScope("a", "u"), memory.UserScope("a", "v"), memory.UserScope("b", "u"),
		{Tenant: "a", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "u"}}, {Tenant: "a", Owner: memory.Owner{Kind: memory.OwnerTenant}},
	}
	seen := map[memory.ID]string{}
	rapid.Check(t, func(t *rapid.T) {
		s, p := rapid.SampledFrom(scopes).Draw(t, "scope"), place.Draw(t, "place")
		id := document.Identity(s, p[:len(p)-1], p[len(p)-1])
		name, _ := json.Marshal([]any{s, p})
		if before, ok := seen[id]; ok && before != string(name) || !id.Valid() {
			t.Fatalf("%s and %s are %s", before, name, id)
		}
		seen[id] = string(name)
	})
}

func TestPrefixes(t *testing.T) {
	got := document.Prefixes([]string{"a", "b.c", "d"})
	want := []string{"a", "a\x1fb.c", "a\x1fb.c\x1fd"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("prefixes are %q", got)
	}
	for prefix, under := range map[string]bool{"": true, "a": true, "a,b.c,d": true, "a,b": false, "a,b.c,d,e": false} {
		var p []string
		if prefix != "" {
			p = strings.Split(prefix, ",")
		}
		if document.Under([]string{"a", "b.c", "d"}, p) != under {
			t.Errorf("under %q: %v", prefix, !under)
		}
	}
}

// A document that is put over another keeps its age, and says since when the ledger has held
// text that is its no more.
func TestOver(t *testing.T) {
	at := func(hour int) time.Time { return noon.Add(time.Duration(hour) * time.Hour) }
	d := doc(`{}`)
	first := d.Over(nil, at(0))
	second := d.Over(&first, at(1))
	third := d.Over(&second, at(2))
	removed := third.Removed(at(3))
	again := d.Over(&removed, at(4))
	purged := removed
	purged.StaleSince = time.Time{}
	anew := d.Over(&purged, at(5))
	expiring := second
	expiring.StaleSince, expiring.ExpiresAt = time.Time{}, at(2)
	late := d.Over(&expiring, at(3))
	for name, tt := range map[string]struct {
		got                     document.Document
		created, updated, stale time.Time
	}{
		"first":                     {first, at(0), at(0), time.Time{}},
		"second":                    {second, at(0), at(1), at(1)},
		"third":                     {third, at(0), at(2), at(1)},
		"removed":                   {removed, time.Time{}, time.Time{}, at(1)},
		"over what is left":         {again, at(4), at(4), at(1)},
		"over what has been purged": {anew, at(5), at(5), time.Time{}},
		"over an expired one":       {late, at(3), at(3), at(3)},
	} {
		if !tt.got.CreatedAt.Equal(tt.created) || !tt.got.UpdatedAt.Equal(tt.updated) || !tt.got.StaleSince.Equal(tt.stale) {
			t.Errorf("%s: %+v", name, tt.got)
		}
	}
}

func TestLive(t *testing.T) {
	d := document.Document{ExpiresAt: noon}
	if d.Live(noon) || !d.Live(noon.Add(-time.Nanosecond)) {
		t.Error("a document is to be hidden from its expiry on")
	}
	if gone := doc(`{}`).Removed(noon); gone.Live(noon) || gone.Key != "" || gone.Value != nil || gone.Namespace != nil {
		t.Errorf("what is left is %+v", gone)
	}
}
