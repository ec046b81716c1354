package httpapi_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

// wrongFor is a JSON value that no field of the type takes.
func wrongFor(kind string) any {
	if kind == "string" {
		return 7
	}
	return "wrong"
}

// bad is a request that has to be refused.
type bad struct {
	name, method, path, media, body string
	status                          int
	// field is what the problem has to name; "*" is anything.
	field string
}

// place fills in the path of an operation.
func place(op operation, id string) string {
	parts := strings.Split(op.path, "/")
	for i, p := range parts {
		if strings.HasPrefix(p, "{") {
			parts[i] = url.PathEscape(id)
		}
	}
	return strings.Join(parts, "/")
}

// long is an id that is too long.
var long = strings.Repeat("x", memory.MaxIDBytes+1)

// badBodies are requests with something wrong in their body.
func badBodies(t *testing.T, op operation, s schema) []bad {
	t.Helper()
	path := place(op, "x")
	object := func(field string, value any) string {
		raw, err := json.Marshal(map[string]any{"user": "u1", field: value})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	const media = "application/json"
	one := func(name, body string, status int, field string) bad {
		return bad{op.OperationID + ": " + name, op.method, path, media, body, status, field}
	}
	out := []bad{
		one("half", `{"user":`, 400, ""), one("no JSON", "forget me", 400, ""), one("nothing", "", 400, ""), one("a list", `[]`, 400, ""),
		one("null", `null`, 400, ""), one("a field twice", `{"user":"u1","user":"u2"}`, 400, "user"), one("a number", `7`, 400, ""), one("two", `{"user":"u1"}{}`, 400, ""), one("no text", "{\"user\":\"\xff\"}", 400, ""),
		one("too large", `{"user":"`+strings.Repeat("x", op.MaxBytes)+`"}`, 413, ""),
		one("an unknown field", object("no_such_field", 1), 400, "no_such_field"),
		one("another case", `{"User":"u1"}`, 400, "User"),
		{op.OperationID + ": a form", op.method, path, "text/plain", `{"user":"u1"}`, 415, "Content-Type"},
		{op.OperationID + ": a parameter", op.method, path + "?user=u1", media, `{"user":"u1"}`, 400, "user"},
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		field := s.Properties[name]
		if kind := field.kind(); kind != "" {
			out = append(out, one(name+" of a wrong type", object(name, wrongFor(kind)), 400, name))
		}
		if field.kind() == "string" && (field.MaxLength > 0 || slices.Contains([]string{"tenant", "user", "agent", "thread"}, name)) {
			out = append(out, one(name+" too long", object(name, strings.Repeat("x", max(field.MaxLength, memory.MaxIDBytes)+1)), 400, "*"))
		}
	}
	return out
}

// badParameters are requests with something wrong in their path or query.
func badParameters(op operation) []bad {
	one := func(name, path string, field string) bad {
		return bad{op.OperationID + ": " + name, op.method, path, "", "", 400, field}
	}
	base := place(op, "x")
	out := []bad{one("an unknown parameter", base+"?user=u1&no_such=1", "no_such"), one("another case", base+"?User=u1", "User"), one("no text", base+"?user=%ff", "user")}
	for _, p := range op.Parameters {
		switch {
		case p.In == "path":
			out = append(out, one(p.Name+" too long", place(op, long)+"?user=u1", p.Name))
		case p.In != "query":
		case p.Schema.kind() == "array":
		default:
			out = append(out, one(p.Name+" twice", base+"?user=u1&"+p.Name+"=1&"+p.Name+"=1", p.Name))
			if kind := p.Schema.kind(); kind != "string" {
				out = append(out, one(p.Name+" of a wrong type", base+"?user=u1&"+p.Name+"=wrong", p.Name))
			}
			if slices.Contains([]string{"tenant", "user", "agent", "thread"}, p.Name) {
				q := url.Values{"user": {"u1"}}
				q.Set(p.Name, long)
				out = append(out, one(p.Name+" too long", base+"?"+q.Encode(), "*"))
			}
		}
	}
	return out
}

// badEvents are requests with something wrong in their events.
func badEvents(t *testing.T, op operation) []bad {
	t.Helper()
	const media = "application/json"
	event := func(field, value string) string {
		fields := map[string]json.RawMessage{
			"specversion": []byte(`"1.0"`), "id": []byte(`"e1"`), "source": []byte(`"/test"`), "type": []byte(`"mnemond.turn.v1"`),
			"user": []byte(`"u1"`), "thread": []byte(`"t1"`), "data": []byte(`{"messages":[{"role":"user","content":"I live in Oslo."}]}`),
		}
		fields[field] = json.RawMessage(value)
		raw, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	one := func(name, body string, status int, field string) bad {
		return bad{"events: " + name, op.method, op.path, media, body, status, field}
	}
	out := []bad{
		one("half", `{"user":`, 400, ""), one("nothing", "", 400, ""), one("no event", "[]", 400, ""), one("a number", "7", 400, ""),
		one("too large", `{"user":"`+strings.Repeat("x", op.MaxBytes)+`"}`, 413, ""),
		one("a parameter", event("agent", `"a"`), 400, "user"),
		{"events: a form", op.method, op.path, "text/plain", event("agent", `"a"`), 415, "Content-Type"},
		one("an unknown field", event("data", `{"messages":[{"role":"user","content":"x"}],"no_such":1}`), 400, "data.no_such"),
	}
	out[5].path += "?user=u1"
	for _, field := range []string{"id", "source", "type", "tenant", "user", "agent", "thread"} {
		out = append(out, one(field+" of a wrong type", event(field, "7"), 400, field))
	}
	for _, field := range []string{"id", "tenant", "user", "agent", "thread"} {
		out = append(out, one(field+" too long", event(field, `"`+long+`"`), 400, field))
	}
	return out
}

// TestOperationsRefuse goes through the OpenAPI document: whatever is malformed, oversized,
// unknown or of a wrong type is refused with the field's name, and changes nothing.
func TestOperationsRefuse(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "I live in Oslo.", "My birthday is May 4.", "My birthday is May 14.")
	before := d.state(t)
	document := readDocument(t)
	sent := 0
	for _, op := range document.operations(t) {
		var all []bad
		s, ok := document.body(op)
		switch {
		case op.OperationID == "events":
			all = badEvents(t, op)
		case ok:
			all = badBodies(t, op, s)
		default:
			all = badParameters(op)
		}
		for _, b := range all {
			d.refuses(t, b)
		}
		sent += len(all)
	}
	if sent < 300 {
		t.Errorf("only %d requests were made of the document", sent)
	}
	if after := d.state(t); after != before {
		t.Errorf("refused requests have changed something: the state was %+v and is %+v", before, after)
	}
}

func (d *desk) refuses(t *testing.T, b bad) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), b.method, d.URL+b.path, strings.NewReader(b.body))
	if err != nil {
		t.Fatal(err)
	}
	if b.media != "" {
		req.Header.Set("Content-Type", b.media)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	defer func() { _ = resp.Body.Close() }()
	var p struct {
		Status               int
		Title, Detail, Field string
		RequestID            string `json:"request_id"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		t.Errorf("%s answers %d without a problem: %v", b.name, resp.StatusCode, err)
		return
	}
	if resp.StatusCode != b.status || p.Status != b.status || p.Title == "" || p.Detail == "" || b.field != "*" && p.Field != b.field || b.field == "*" && p.Field == "" {
		t.Errorf("%s answers %d: %+v, want %d for %q", b.name, resp.StatusCode, p, b.status, b.field)
	}
	if resp.Header.Get("Content-Type") != "application/problem+json" || p.RequestID == "" || resp.Header.Get("X-Request-Id") != p.RequestID {
		t.Errorf("%s answers with %q for the request %q", b.name, resp.Header, p.RequestID)
	}
}

// state is how far the logs are.
type state struct{ events, ledger uint64 }

func (d *desk) state(t *testing.T) state {
	t.Helper()
	var s state
	var err error
	if s.events, err = d.Stack.Events.OwnerHead(t.Context(), memory.UserScope(memory.DefaultTenant, "u1")); err != nil {
		t.Fatal(err)
	}
	if s.ledger, err = d.Stack.Log.LastSeq(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
