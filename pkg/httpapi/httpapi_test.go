package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// inbox accepts whatever is an event, as the service behind the door does.
type inbox struct {
	raw    [][]byte
	events []event.Event
	err    error
}

func (i *inbox) Accept(_ context.Context, raw [][]byte, narrow func(int, *event.Event) error) ([]ingest.Accepted, error) {
	if i.err != nil {
		return nil, i.err
	}
	out := make([]ingest.Accepted, len(raw))
	var kept [][]byte
	var events []event.Event
	for n, r := range raw {
		e, err := event.Decode(r)
		if err != nil {
			var bad *event.Error
			errors.As(err, &bad)
			return nil, &ingest.EventError{Index: n, Err: bad}
		}
		if narrow != nil {
			if err := narrow(n, &e); err != nil {
				return nil, err
			}
		}
		kept, events = append(kept, bytes.Clone(r)), append(events, e)
		out[n] = ingest.Accepted{ID: e.ID, Seq: uint64(len(i.raw) + len(kept))}
	}
	i.raw, i.events = append(i.raw, kept...), append(i.events, events...)
	return out, nil
}

type trigger struct {
	threads []memory.ThreadRef
	err     error
}

func (t *trigger) Now(_ context.Context, r memory.ThreadRef) error {
	t.threads = append(t.threads, r)
	return t.err
}

// shelf is a read side with two memories of one user; asked is the last recall.
type shelf struct {
	err   error
	asked recall.Request
}

var owner = memory.UserScope(memory.DefaultTenant, "u1")

func (s *shelf) Recall(_ context.Context, r recall.Request) (recall.Response, error) {
	s.asked = r
	if len(r.Keys) > 0 {
		return recall.Response{}, &fault.FieldError{Field: "keys", Reason: "the profile schema has no such key"}
	}
	return recall.Response{RecallID: "r1", Memories: []recall.Result{}, Prompt: "for " + string(r.User)}, s.err
}

func (s *shelf) Memories(_ context.Context, scope memory.Scope) ([]memory.Memory, error) {
	if scope != owner {
		return nil, s.err
	}
	return []memory.Memory{
		{ID: "m1", Scope: scope, Text: "I like <b> & 杭州", Status: memory.StatusCurrent},
		{ID: "m2", Scope: scope, Text: "my cat died", Status: memory.StatusEnded},
	}, s.err
}

func (s *shelf) History(_ context.Context, scope memory.Scope, key memory.Key) ([]ledger.Entry, error) {
	return []ledger.Entry{{Key: key, Value: string(scope.Tenant) + "/" + scope.Owner.ID}}, s.err
}

// house is a handler with every door open, and what it logs.
type house struct {
	http.Handler
	inbox   *inbox
	trigger *trigger
	shelf   *shelf
	log     *bytes.Buffer
}

func open() *house {
	h := &house{inbox: &inbox{}, trigger: &trigger{}, shelf: &shelf{}, log: &bytes.Buffer{}}
	h.Handler = httpapi.New(httpapi.Config{
		Table:  door.New(door.Services{Ingest: h.inbox, Trigger: h.trigger, Read: h.shelf}),
		Ingest: h.inbox, Logger: slog.New(slog.NewTextHandler(h.log, nil)),
	})
	return h
}

type answer struct {
	*httptest.ResponseRecorder
	body map[string]any
}

func ask(t *testing.T, h http.Handler, method, path, contentType, body string) answer {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	a := answer{ResponseRecorder: httptest.NewRecorder()}
	h.ServeHTTP(a, r)
	if err := json.Unmarshal(a.Body.Bytes(), &a.body); err != nil {
		t.Fatalf("%s %s answered %d with %q: %v", method, path, a.Code, a.Body, err)
	}
	return a
}

// wantProblem fails unless the answer is one problem with that status and field.
func (a answer) wantProblem(t *testing.T, status int, field, detail string) {
	t.Helper()
	if a.Code != status || a.body["status"] != float64(status) {
		t.Fatalf("status is %d, want %d: %s", a.Code, status, a.Body)
	}
	if got := a.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("content type is %q", got)
	}
	if got, _ := a.body["field"].(string); got != field {
		t.Errorf("field is %q, want %q: %s", got, field, a.Body)
	}
	if got, _ := a.body["detail"].(string); !strings.Contains(got, detail) {
		t.Errorf("detail is %q, want %q", got, detail)
	}
	if title, _ := a.body["title"].(string); title == "" {
		t.Errorf("there is no title: %s", a.Body)
	}
}

func one(id string) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/app","type":"mnemond.turn.v1","user":"u1","thread":"t1","data":{"messages":[{"role":"user","content":"我住在杭州"}]}}`, id)
}

func TestEvents(t *testing.T) {
	tests := []struct {
		name, contentType, body string
		want                    int
	}{
		{"one", "application/json", one("a"), 1},
		{"one, as a CloudEvent", "application/cloudevents+json; charset=utf-8", one("a"), 1},
		{"an array", "application/json", " [" + one("a") + "," + one("b") + "]\n", 2},
		{"a batch of CloudEvents", "application/cloudevents-batch+json", "[" + one("a") + "]", 1},
		{"one a line", "application/x-ndjson", one("a") + "\n" + one("b") + "\n", 2},
		{"one a line, without a line break at the end", "application/x-ndjson", one("a") + "\n" + one("b"), 2},
		{"one a line, with empty lines", "application/x-ndjson", "\n" + one("a") + "\r\n\r\n" + one("b") + "\r\n \n", 2},
		{"as many as may be", "application/x-ndjson", strings.Repeat(one("a")+"\n", ingest.MaxEvents), ingest.MaxEvents},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := open()
			a := ask(t, h, "POST", "/v1/events", tt.contentType, tt.body)
			events, _ := a.body["events"].([]any)
			if a.Code != http.StatusAccepted || a.body["accepted"] != float64(tt.want) || len(events) != tt.want || len(h.inbox.raw) != tt.want {
				t.Fatalf("answered %d: %s", a.Code, a.Body)
			}
			if string(h.inbox.raw[0]) != one("a") {
				t.Errorf("the first event became %s", h.inbox.raw[0])
			}
			first, _ := events[0].(map[string]any)
			if first["id"] != "a" || first["seq"] != float64(1) {
				t.Errorf("the first answer is %v", first)
			}
			if got := a.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("content type is %q", got)
			}
		})
	}
}

func TestEventsRefused(t *testing.T) {
	const j = "application/json"
	tests := []struct {
		name, contentType, body string
		status                  int
		field, detail           string
		index                   any
	}{
		{"no content type", "", one("a"), 415, "Content-Type", "application/x-ndjson", nil},
		{"a form", "application/x-www-form-urlencoded", one("a"), 415, "Content-Type", "application/json", nil},
		{"text", "text/plain", one("a"), 415, "Content-Type", "", nil},
		{"nothing", j, " ", 400, "", "no event", nil},
		{"an empty array", j, "[]", 400, "", "no event", nil},
		{"no lines", "application/x-ndjson", "\n\n", 400, "", "no event", nil},
		{"half an array", j, "[" + one("a"), 400, "", "not a JSON array", nil},
		{"an object as a batch", "application/cloudevents-batch+json", one("a"), 400, "", "not a JSON array", nil},
		{"too many", "application/x-ndjson", strings.Repeat("{}\n", ingest.MaxEvents+1), 413, "", "1001 events", nil},
		{"too many in an array", j, "[" + strings.Repeat("{},", ingest.MaxEvents) + "{}]", 413, "", "1001 events", nil},
		{"too large", j, strings.Repeat(" ", 8<<20) + one("a"), 413, "", "larger than 8388608 bytes", nil},
		{"not an event", j, `{"specversion":"1.0"}`, 400, "id", "id: is required", float64(0)},
		{"the second of two", j, "[" + one("a") + "," + strings.Replace(one("b"), `"user":"u1"`, `"user":7`, 1) + "]", 400, "user", "must be of type string", float64(1)},
		{"the second line", "application/x-ndjson", one("a") + "\n" + strings.Replace(one("b"), `"role":"user"`, `"role":"human"`, 1), 400, "data.messages.0.role", "must be one of", float64(1)},
		{"two on one line", "application/x-ndjson", one("a") + one("b"), 400, "", "more than one JSON value", float64(0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(t, open(), "POST", "/v1/events", tt.contentType, tt.body)
			a.wantProblem(t, tt.status, tt.field, tt.detail)
			if a.body["index"] != tt.index {
				t.Errorf("index is %v, want %v", a.body["index"], tt.index)
			}
		})
	}
}

func TestConsolidate(t *testing.T) {
	h := open()
	a := ask(t, h, "POST", "/v1/consolidate", "application/json", `{"user":"u1","thread":"线程"}`)
	if a.Code != http.StatusAccepted || len(h.trigger.threads) != 1 ||
		h.trigger.threads[0] != (memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u1", Thread: "线程"}) {
		t.Errorf("answered %d, triggered %v", a.Code, h.trigger.threads)
	}
}

func TestBodiesRefused(t *testing.T) {
	tests := []struct {
		name, path, body string
		status           int
		field, detail    string
	}{
		{"no thread", "/v1/consolidate", `{"user":"u1"}`, 400, "thread", "must not be empty"},
		{"no user", "/v1/consolidate", `{"thread":"t1"}`, 400, "user", "must not be empty"},
		{"a long tenant", "/v1/consolidate", `{"user":"u1","thread":"t","tenant":"` + strings.Repeat("x", 257) + `"}`, 400, "tenant", "at most 256 bytes"},
		{"NUL", "/v1/consolidate", `{"user":"u\u0000","thread":"t"}`, 400, "user", "NUL"},
		{"an unknown field", "/v1/consolidate", `{"user":"u1","thread":"t","agent":"a"}`, 400, "agent", "is not a known field"},
		{"an unknown field of a recall", "/v1/recall", `{"user":"u1","query":"x","top_k":3}`, 400, "top_k", "is not a known field"},
		{"a number for a string", "/v1/recall", `{"user":7,"query":"x"}`, 400, "user", "must be of type string, not number"},
		{"a string for a number", "/v1/recall", `{"user":"u1","query":"x","limit":"3"}`, 400, "limit", "must be of type integer, not string"},
		{"a string for an array", "/v1/recall", `{"user":"u1","query":"x","kinds":"fact"}`, 400, "kinds", "must be of type array, not string"},
		{"an array", "/v1/recall", `[]`, 400, "", "must be of type object, not array"},
		{"what the service refuses", "/v1/recall", `{"user":"u1","keys":["user.shoe_size"]}`, 400, "keys", "has no such key"},
		{"a limit out of bounds", "/v1/recall", `{"user":"u1","limit":51}`, 400, "limit", "must be at most 50"},
		{"a budget out of bounds", "/v1/recall", `{"user":"u1","budget":-1}`, 400, "budget", "must be at least 0"},
		{"no time", "/v1/recall", `{"user":"u1","as_of":"yesterday"}`, 400, "as_of", "must be a time"},
		{"a time without a zone", "/v1/recall", `{"user":"u1","as_of":"2026-03-01T09:00:00"}`, 400, "as_of", "must be a time"},
		{"a number for a time", "/v1/recall", `{"user":"u1","as_of":7}`, 400, "as_of", "must be of type string, not number"},
		{"a string for a flag", "/v1/recall", `{"user":"u1","shared":"yes"}`, 400, "shared", "must be of type boolean, not string"},
		{"what only a memory has", "/v1/recall", `{"user":"u1","owner":"u2"}`, 400, "owner", "is not a known field"},
		{"nothing", "/v1/recall", ``, 400, "", "not valid JSON"},
		{"half", "/v1/recall", `{"user":`, 400, "", "not valid JSON"},
		{"two values", "/v1/recall", `{"user":"u1","query":"x"}{}`, 400, "", "more than one JSON value"},
		{"a bracket behind", "/v1/recall", `{"user":"u1","query":"x"}]`, 400, "", "more than one JSON value"},
		{"too large", "/v1/recall", `{"user":"u1","query":"` + strings.Repeat("x", 64<<10) + `"}`, 413, "", "larger than 65536 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ask(t, open(), "POST", tt.path, "application/json", tt.body).wantProblem(t, tt.status, tt.field, tt.detail)
		})
	}
	ask(t, open(), "POST", "/v1/recall", "text/plain", `{}`).wantProblem(t, 415, "Content-Type", "application/json")
}

func TestRecall(t *testing.T) {
	a := ask(t, open(), "POST", "/v1/recall", "application/json", `{"user":"u1","query":"我住在哪？"}`)
	if a.Code != 200 || a.body["recall_id"] != "r1" || a.body["prompt"] != "for u1" {
		t.Errorf("answered %d: %s", a.Code, a.Body)
	}
}

// TestEveryFieldOfARecallIsPassedOn: none is accepted and then forgotten.
func TestEveryFieldOfARecallIsPassedOn(t *testing.T) {
	no := false
	want := recall.Request{
		Tenant: "acme", User: "u1", Agent: "coach", Shared: true, Namespace: "project", Thread: "t1", Query: "我住在哪？", Limit: 50, Budget: 300,
		Kinds: []memory.Kind{memory.KindFact}, IncludeArchive: true, AsOf: time.Date(2026, 3, 1, 1, 0, 0, 0, time.UTC), IncludeQuestions: &no, Explain: true,
	}
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	h := open()
	if a := ask(t, h, "POST", "/v1/recall", "application/json", string(body)); a.Code != 200 || !reflect.DeepEqual(h.shelf.asked, want) {
		t.Errorf("answered %d, asked for\n%+v, want\n%+v", a.Code, h.shelf.asked, want)
	}
	for i := range reflect.TypeFor[recall.Request]().NumField() {
		if f := reflect.TypeFor[recall.Request]().Field(i); f.Name != "Keys" && reflect.ValueOf(want).Field(i).IsZero() {
			t.Errorf("%s is not tried", f.Name)
		}
	}
	ask(t, h, "POST", "/v1/recall", "application/json", `{"user":"u1","as_of":"2026-03-01T09:00:00+08:00"}`)
	if !h.shelf.asked.AsOf.Equal(want.AsOf) || h.shelf.asked.Query != "" || h.shelf.asked.User != "u1" {
		t.Errorf("asked for %+v", h.shelf.asked)
	}
}

func TestMemories(t *testing.T) {
	for query, want := range map[string]int{
		"user=u1": 2, "user=u1&status=current": 1, "user=u1&status=ended": 1, "user=u1&status=disputed": 0,
		"user=u2": 0, "user=u1&tenant=acme": 0, "user=u1&tenant=": 2,
	} {
		a := ask(t, open(), "GET", "/v1/memories?"+query, "", "")
		got, isList := a.body["memories"].([]any)
		if a.Code != 200 || !isList || len(got) != want {
			t.Errorf("%s: answered %d: %s", query, a.Code, a.Body)
		}
	}
	if a := ask(t, open(), "GET", "/v1/memories?user=u1", "", ""); !strings.Contains(a.Body.String(), "I like <b> & 杭州") {
		t.Errorf("text was escaped: %s", a.Body)
	}
}

func TestHistory(t *testing.T) {
	a := ask(t, open(), "GET", "/v1/history?tenant=acme&user=u1&key=user.city", "", "")
	entries, _ := a.body["history"].([]any)
	if a.Code != 200 || len(entries) != 1 || !strings.Contains(a.Body.String(), "acme/u1") || !strings.Contains(a.Body.String(), "user.city") {
		t.Errorf("answered %d: %s", a.Code, a.Body)
	}
}

func TestParametersRefused(t *testing.T) {
	tests := []struct{ path, field, detail string }{
		{"/v1/memories", "user", "must not be empty"},
		{"/v1/memories?user=u1&top=3", "top", "is not a known parameter"},
		{"/v1/memories?user=u1&User=u2", "User", "is not a known parameter"},
		{"/v1/memories?user=u1&user=u2", "user", "is given twice"},
		{"/v1/memories?user=u1&status=lost", "status", "unknown status"},
		{"/v1/memories?user=" + strings.Repeat("x", 257), "user", "at most 256 bytes"},
		{"/v1/memories?user=u1&tenant=%ff", "tenant", "valid UTF-8"},
		{"/v1/history?key=user.city", "user", "must not be empty"},
		{"/v1/history?user=u1&status=current", "status", "is not a known parameter"},
	}
	for _, tt := range tests {
		t.Run(tt.path[:min(len(tt.path), 40)], func(t *testing.T) {
			ask(t, open(), "GET", tt.path, "", "").wantProblem(t, 400, tt.field, tt.detail)
		})
	}
}

func TestNoSuchDoor(t *testing.T) {
	ask(t, open(), "GET", "/v1/nothing", "", "").wantProblem(t, 404, "", "/openapi.json lists")
	for path, allow := range map[string]string{"/v1/events": "POST", "/v1/recall": "POST", "/v1/memories": "GET, HEAD", "/healthz": "GET, HEAD"} {
		a := ask(t, open(), "DELETE", path, "", "")
		a.wantProblem(t, 405, "", "takes "+allow)
		if got := a.Header().Get("Allow"); got != allow {
			t.Errorf("%s allows %q, want %q", path, got, allow)
		}
	}
	closed := httpapi.New(httpapi.Config{Logger: slog.New(slog.DiscardHandler)})
	for _, path := range []string{"/v1/events", "/v1/consolidate", "/v1/recall"} {
		ask(t, closed, "POST", path, "application/json", "{}").wantProblem(t, 404, "", "")
	}
}

func TestFailures(t *testing.T) {
	const said = "我住在杭州"
	tests := []struct {
		name   string
		err    error
		status int
	}{
		{"outage", fault.Outage(errors.New("no leader for "+said), time.Second), 503},
		{"too slow", fmt.Errorf("search: %w", context.DeadlineExceeded), 503},
		{"anything else", errors.New("point of " + said + " is broken"), 500},
		{"a scope that a service refuses", fmt.Errorf("list: %w", memory.ErrScope), 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := open()
			h.inbox.err, h.trigger.err, h.shelf.err = tt.err, tt.err, tt.err
			for _, a := range []answer{
				ask(t, h, "POST", "/v1/events", "application/json", one("a")),
				ask(t, h, "POST", "/v1/consolidate", "application/json", `{"user":"u1","thread":"t"}`),
				ask(t, h, "POST", "/v1/recall", "application/json", `{"user":"u1","query":"x"}`),
				ask(t, h, "GET", "/v1/memories?user=u1", "", ""),
				ask(t, h, "GET", "/v1/history?user=u1", "", ""),
			} {
				a.wantProblem(t, tt.status, "", "")
				if strings.Contains(a.Body.String(), said) || a.body["memories"] != nil {
					t.Errorf("answered %s", a.Body)
				}
				if got := a.Header().Get("Retry-After"); (got != "") != (tt.status == 503) {
					t.Errorf("Retry-After is %q", got)
				}
			}
			if logged := h.log.Len() > 0; logged != (tt.status >= 500) {
				t.Errorf("logged %q", h.log)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	var reason error
	h := httpapi.New(httpapi.Config{
		Logger: slog.New(slog.DiscardHandler),
		Ready: func(ctx context.Context) error {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("the check has no deadline")
			}
			return reason
		},
	})
	if a := ask(t, h, "GET", "/readyz", "", ""); a.Code != 200 || a.body["status"] != "ready" {
		t.Errorf("answered %d: %s", a.Code, a.Body)
	}
	reason = errors.New("nats: no servers available")
	a := ask(t, h, "GET", "/readyz", "", "")
	a.wantProblem(t, 503, "", "no servers available")
	if a.Header().Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	if a := ask(t, h, "GET", "/healthz", "", ""); a.Code != 200 || a.body["status"] != "ok" {
		t.Errorf("answered %d: %s", a.Code, a.Body)
	}
	always := httpapi.New(httpapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if a := ask(t, always, "GET", "/readyz", "", ""); a.Code != 200 {
		t.Errorf("without a check it answered %d", a.Code)
	}
}

func TestAnswersAreNotSniffed(t *testing.T) {
	for _, path := range []string{"/healthz", "/v1/memories?user=u1", "/v1/memories", "/nowhere"} {
		if got := ask(t, open(), "GET", path, "", "").Header().Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options is %q", path, got)
		}
	}
}

func FuzzBodies(f *testing.F) {
	f.Add("application/json", "/v1/events", []byte(one("a")))
	f.Add("application/x-ndjson", "/v1/events", []byte(one("a")+"\n\n"+one("b")))
	f.Add("application/cloudevents-batch+json", "/v1/events", []byte("["+one("a")+",null,1]"))
	f.Add("application/json", "/v1/recall", []byte(`{"user":"u1","query":"x","limit":1e9}`))
	f.Add("application/json", "/v1/consolidate", []byte(`{"user":"\ud800","thread":"t"}`))
	f.Fuzz(func(t *testing.T, contentType, path string, body []byte) {
		switch path {
		case "/v1/events", "/v1/recall", "/v1/consolidate":
		default:
			path = "/v1/events"
		}
		r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		open().ServeHTTP(w, r)
		answer, err := io.ReadAll(w.Body)
		if err != nil || !json.Valid(answer) || w.Code >= 500 {
			t.Fatalf("answered %d: %s, %v", w.Code, answer, err)
		}
	})
}
