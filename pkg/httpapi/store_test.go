package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/shelve"
)

// stored answers with what it is given, and keeps what it was asked for.
type stored struct {
	scope memory.Scope
	asked any
	there bool
	err   error
}

var told = document.Document{
	Namespace: []string{"a", "b/c"}, Key: "k", Value: json.RawMessage(`{"text":"a <b>"}`), Index: []string{},
	CreatedAt: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 5, 2, 12, 0, 0, 0, time.UTC),
	ExpiresAt: time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC), Source: document.Source{Thread: "t", Place: 7, Speaker: "Ann", Assistant: true},
}

func (s *stored) Put(_ context.Context, scope memory.Scope, items []shelve.Item) ([]document.Document, error) {
	s.scope, s.asked = scope, items
	return []document.Document{told}, s.err
}

func (s *stored) Get(_ context.Context, scope memory.Scope, namespace []string, key string) (document.Document, bool, error) {
	s.scope, s.asked = scope, slices.Concat(namespace, []string{key})
	return told, s.there, s.err
}

func (s *stored) Delete(_ context.Context, scope memory.Scope, namespace []string, key string) (bool, error) {
	s.scope, s.asked = scope, slices.Concat(namespace, []string{key})
	return s.there, s.err
}

func (s *stored) Search(_ context.Context, scope memory.Scope, r shelve.Request) ([]shelve.Found, error) {
	s.scope, s.asked = scope, r
	return []shelve.Found{{Document: told, Score: 0.5}}, s.err
}

func (s *stored) Namespaces(_ context.Context, scope memory.Scope, l shelve.Listing) ([][]string, error) {
	s.scope, s.asked = scope, l
	return [][]string{{"a", "b/c"}}, s.err
}

// ask sends a request to the documents' doors.
func (s *stored) ask(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	h := httpapi.New(httpapi.Config{Table: door.New(door.Services{Keep: s, Search: s}), Logger: slog.New(slog.DiscardHandler)})
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req := httptest.NewRequestWithContext(t.Context(), method, path, r)
	req.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w.Code, strings.TrimSpace(w.Body.String())
}

const toldItem = `{"namespace":["a","b/c"],"key":"k","value":{"text":"a <b>"},"created_at":"2026-05-01T12:00:00Z","updated_at":"2026-05-02T12:00:00Z",` +
	`"expires_at":"2026-05-03T12:00:00Z","index":[],"thread":"t","place":7,"speaker":"Ann","assistant":true`

var (
	tenants = memory.Scope{Tenant: "default", Owner: memory.Owner{Kind: memory.OwnerTenant}}
	agents  = memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "helper"}}
	users   = memory.UserScope("acme", "u1")
)

func TestStoreDoors(t *testing.T) {
	at := time.Date(2026, 5, 1, 9, 0, 0, 0, time.FixedZone("", 8*3600))
	for name, tt := range map[string]struct {
		method, path, body string
		scope              memory.Scope
		asked              any
		want               string
	}{
		"put one": {
			"PUT", "/v1/store/items", `{"tenant":"acme","user":"u1","namespace":["a"],"key":"k","value":{"b":1.50,"a":"x"},"index":["a"],"ttl":1.5,
				"thread":"t","place":3,"speaker":"Ann","at":"2026-05-01T09:00:00+08:00","assistant":true}`,
			users, []shelve.Item{{
				Namespace: []string{"a"}, Key: "k", Value: json.RawMessage(`{"b":1.50,"a":"x"}`), Index: []string{"a"}, TTL: 90 * time.Second,
				Source: document.Source{Thread: "t", Place: 3, Speaker: "Ann", At: at, Assistant: true},
			}},
			`{"items":[` + strings.Replace(toldItem, `"value":{"text":"a <b>"},`, "", 1) + `}]}`,
		},
		"put several": {
			"PUT", "/v1/store/items", `{"items":[{"namespace":["a"],"key":"k","value":{},"index":false},{"namespace":["b"],"key":"l","value":{},"index":null}]}`,
			tenants, []shelve.Item{
				{Namespace: []string{"a"}, Key: "k", Value: json.RawMessage(`{}`), Index: []string{}}, {Namespace: []string{"b"}, Key: "l", Value: json.RawMessage(`{}`)},
			}, `{"items":[` + strings.Replace(toldItem, `"value":{"text":"a <b>"},`, "", 1) + `}]}`,
		},
		"get":    {"GET", "/v1/store/items?tenant=acme&agent=helper&namespace=a&namespace=b%2Fc&key=k", "", agents, []string{"a", "b/c", "k"}, toldItem + `}`},
		"delete": {"DELETE", "/v1/store/items", `{"namespace":["a"],"key":"k"}`, tenants, []string{"a", "k"}, `{"deleted":true}`},
		"search": {
			"POST", "/v1/store/items/search", `{"tenant":"acme","user":"u1","namespace_prefix":["a"],"filter":{"n":{"$gt":1}},"query":"what?","limit":3,"offset":2}`,
			users, shelve.Request{Prefix: []string{"a"}, Filter: json.RawMessage(`{"n":{"$gt":1}}`), Query: "what?", Limit: 3, Offset: 2},
			`{"items":[` + toldItem + `,"score":0.5}]}`,
		},
		"search for all": {"POST", "/v1/store/items/search", `{}`, tenants, shelve.Request{}, `{"items":[` + toldItem + `,"score":0.5}]}`},
		"namespaces": {
			"POST", "/v1/store/namespaces", `{"prefix":["a","*"],"suffix":["c"],"max_depth":2,"limit":3,"offset":1}`,
			tenants, shelve.Listing{Prefix: []string{"a", "*"}, Suffix: []string{"c"}, MaxDepth: 2, Limit: 3, Offset: 1}, `{"namespaces":[["a","b/c"]]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stored{there: true}
			status, answer := s.ask(t, tt.method, tt.path, tt.body)
			if status != http.StatusOK || answer != tt.want {
				t.Errorf("answered %d\n%s\nwant\n%s", status, answer, tt.want)
			}
			if items, ok := s.asked.([]shelve.Item); ok && !items[0].Source.At.IsZero() {
				if !items[0].Source.At.Equal(at) || items[0].Source.At.Format("-0700") != "+0800" {
					t.Errorf("said at %s", items[0].Source.At)
				}
				items[0].Source.At = at
			}
			if s.scope != tt.scope || !reflect.DeepEqual(s.asked, tt.asked) {
				t.Errorf("asked for %+v\n%+v\nwant %+v\n%+v", s.scope, s.asked, tt.scope, tt.asked)
			}
		})
	}
}

func TestStoreProblems(t *testing.T) {
	const items = "/v1/store/items"
	for name, tt := range map[string]struct {
		method, path, body string
		err                error
		status             int
		field              string
	}{
		"a document that is not there": {"GET", items + "?namespace=a&key=k", "", nil, 404, ""},
		"an unknown parameter":         {"GET", items + "?namespace=a&key=k&x=1", "", nil, 400, "x"},
		"a key given twice":            {"GET", items + "?namespace=a&key=k&key=l", "", nil, 400, "key"},
		"an unknown field":             {"PUT", items, `{"namespace":["a"],"key":"k","value":{},"colour":"red"}`, nil, 400, "colour"},
		"a namespace that is text":     {"PUT", items, `{"namespace":"a","key":"k","value":{}}`, nil, 400, "namespace"},
		"a user and an agent":          {"PUT", items, `{"user":"u","agent":"a","namespace":["a"],"key":"k","value":{}}`, nil, 400, "agent"},
		"one and a list":               {"PUT", items, `{"key":"k","items":[]}`, nil, 400, "items"},
		"no time to live":              {"PUT", items, `{"namespace":["a"],"key":"k","value":{},"ttl":0}`, nil, 400, "ttl"},
		"an index that is true":        {"PUT", items, `{"items":[{"index":true}]}`, nil, 400, "items[0].index"},
		"what the service refuses":     {"PUT", items, `{"namespace":["a"],"key":"","value":{}}`, fault.BadField("items[0].key", "must not be empty"), 400, "key"},
		"in a list":                    {"PUT", items, `{"items":[{}]}`, fault.BadField("items[0].key", "must not be empty"), 400, "items[0].key"},
		"too large":                    {"POST", items + "/search", `{"query":"` + strings.Repeat("x", 70<<10) + `"}`, nil, 413, ""},
		"a filter":                     {"POST", items + "/search", `{"filter":{"a":{"$in":[]}}}`, fault.BadField("filter.a", "unknown operator"), 400, "filter.a"},
		"an outage":                    {"POST", "/v1/store/namespaces", `{}`, fault.Outage(io.EOF, 0), 503, ""},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := (&stored{err: tt.err}).ask(t, tt.method, tt.path, tt.body)
			var p struct{ Field string }
			if err := json.Unmarshal([]byte(answer), &p); err != nil || status != tt.status || p.Field != tt.field {
				t.Errorf("answered %d %s, want %d and the field %q", status, answer, tt.status, tt.field)
			}
		})
	}
}

// A hundred of the largest documents are taken in one request.
func TestStoreTakesLargeRequests(t *testing.T) {
	one := `{"namespace":["a"],"key":"k","value":{"text":"` + strings.Repeat("x", document.MaxValueBytes-20) + `"}}`
	s := &stored{}
	status, answer := s.ask(t, "PUT", "/v1/store/items", `{"items":[`+strings.Repeat(one+",", shelve.MaxItems-1)+one+`]}`)
	if items, ok := s.asked.([]shelve.Item); status != http.StatusOK || !ok || len(items) != shelve.MaxItems {
		t.Errorf("answered %d %.200s", status, answer)
	}
}
