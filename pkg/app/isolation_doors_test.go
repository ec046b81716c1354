package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/natsapi"
)

// operation is one of the OpenAPI document.
type operation struct {
	id, method, path, role string
	// fields are all that a request may hold, by where each stands over HTTP: path, query, body.
	fields   map[string]string
	statuses []string
}

// has reports whether a request may hold the field.
func (op *operation) has(field string) bool { return op.fields[field] != "" }

// operations reads what is served at /openapi.json.
func operations(t *testing.T, url string) []*operation {
	t.Helper()
	type schema struct {
		Ref        string                     `json:"$ref"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var doc struct {
		Paths map[string]map[string]struct {
			ID         string                      `json:"operationId"`
			Role       string                      `json:"x-least-role"`
			Parameters []struct{ Name, In string } `json:"parameters"`
			Responses  map[string]json.RawMessage  `json:"responses"`
			Body       struct {
				Content map[string]struct{ Schema schema } `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
		Components struct{ Schemas map[string]schema } `json:"components"`
	}
	resp, err := http.Get(url + "/openapi.json")
	must(t, err)
	must(t, json.NewDecoder(resp.Body).Decode(&doc), resp.Body.Close())
	var out []*operation
	for path, methods := range doc.Paths {
		for method, described := range methods {
			op := &operation{
				id: described.ID, method: strings.ToUpper(method), path: path, role: described.Role, fields: map[string]string{},
				statuses: slices.Collect(maps.Keys(described.Responses)),
			}
			for _, p := range described.Parameters {
				if p.In == "path" || p.In == "query" {
					op.fields[p.Name] = p.In
				}
			}
			body := described.Body.Content["application/json"].Schema
			for name := range doc.Components.Schemas[strings.TrimPrefix(body.Ref, "#/components/schemas/")].Properties {
				op.fields[name] = "body"
			}
			if op.id == door.OpEvents {
				op.fields["events"] = "body"
			}
			out = append(out, op)
		}
	}
	slices.SortFunc(out, func(a, b *operation) int { return strings.Compare(a.id, b.id) })
	return out
}

// call is a request to an operation: its fields as one JSON object, who asks, and under which
// idempotency key.
type call struct {
	fields     map[string]any
	token, key string
}

// answer is what came back on any door.
type answer struct {
	status int
	field  string
	body   string
}

// edge is one of the doors.
type edge interface {
	// opens reports whether the operation is there, with these fields.
	opens(op *operation, fields map[string]any) bool
	ask(t *testing.T, op *operation, c call) answer
}

// problem is the answer to what was refused, as every door words it.
func problem(status int, body []byte) answer {
	var p struct{ Field string }
	_ = json.Unmarshal(body, &p) // what is no problem names no field
	return answer{status, p.Field, string(body)}
}

// overHTTP is the door of the OpenAPI document.
type overHTTP struct{ url string }

func (overHTTP) opens(*operation, map[string]any) bool { return true }

func (e overHTTP) ask(t *testing.T, op *operation, c call) answer {
	t.Helper()
	path, query, body := op.path, url.Values{}, map[string]any{}
	for name, value := range c.fields {
		switch list, isList := value.([]string); {
		case op.fields[name] == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value.(string)))
		case op.fields[name] == "query" && isList:
			query[name] = list
		case op.fields[name] == "query":
			query.Set(name, strings.Trim(encoded(t, value), `"`))
		default:
			body[name] = value
		}
	}
	raw := []byte(encoded(t, body))
	if op.id == door.OpEvents {
		raw = []byte(encoded(t, c.fields["events"]))
	}
	if !slices.Contains(slices.Collect(maps.Values(op.fields)), "body") {
		raw = nil
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return e.send(t, op.method, path, raw, c)
}

// send sends a request and returns the answer.
func (e overHTTP) send(t *testing.T, method, path string, raw []byte, c call) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, e.url+path, bytes.NewReader(raw))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.key != "" {
		r.Header.Set(door.IdempotencyKey, c.key)
	}
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	got, err := io.ReadAll(resp.Body)
	must(t, err, resp.Body.Close())
	return problem(resp.StatusCode, got)
}

// overNATS is the service.
type overNATS struct{ conn *nats.Conn }

func (overNATS) opens(*operation, map[string]any) bool { return true }

func (e overNATS) ask(t *testing.T, op *operation, c call) answer {
	t.Helper()
	m := nats.NewMsg(natsapi.Subject(op.id))
	m.Data = []byte(encoded(t, c.fields))
	if c.token != "" {
		m.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.key != "" {
		m.Header.Set(door.IdempotencyKey, c.key)
	}
	reply, err := e.conn.RequestMsg(m, 20*time.Second)
	must(t, err)
	if code := reply.Header.Get(micro.ErrorCodeHeader); code != "" {
		var p struct{ Status int }
		must(t, json.Unmarshal(reply.Data, &p))
		return problem(p.Status, reply.Data)
	}
	return answer{status: http.StatusOK, body: string(reply.Data)}
}

// overMCP is the tools, where the address says whose memory it is.
type overMCP struct {
	overHTTP
	tools map[string][]string
}

// startMCP lists the tools, as somebody with a credential.
func startMCP(t *testing.T, at overHTTP, token string) overMCP {
	t.Helper()
	var list struct {
		Result struct {
			Tools []struct {
				Name   string
				Schema struct{ Properties map[string]any } `json:"inputSchema"`
			}
		}
	}
	got := at.send(t, http.MethodPost, "/mcp", []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), call{token: token})
	must(t, json.Unmarshal([]byte(got.body), &list))
	e := overMCP{at, map[string][]string{}}
	for _, tool := range list.Result.Tools {
		e.tools[tool.Name] = slices.Collect(maps.Keys(tool.Schema.Properties))
	}
	if len(e.tools) == 0 {
		t.Fatalf("no tools: %d %s", got.status, got.body)
	}
	return e
}

func (e overMCP) opens(op *operation, fields map[string]any) bool {
	arguments, ok := e.tools[op.id]
	for name := range fields {
		ok = ok && (slices.Contains(arguments, name) || name == "tenant" || name == "user")
	}
	return ok
}

func (e overMCP) ask(t *testing.T, op *operation, c call) answer {
	t.Helper()
	query, arguments := url.Values{}, map[string]any{}
	for name, value := range c.fields {
		if name == "tenant" || name == "user" {
			query.Set(name, value.(string))
			continue
		}
		arguments[name] = value
	}
	got := e.send(t, http.MethodPost, "/mcp?"+query.Encode(), []byte(encoded(t, map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": op.id, "arguments": arguments},
	})), c)
	if got.status != http.StatusOK {
		return got
	}
	var reply struct {
		Result *struct {
			IsError    bool
			Structured json.RawMessage `json:"structuredContent"`
		}
	}
	must(t, json.Unmarshal([]byte(got.body), &reply))
	if reply.Result == nil {
		t.Fatalf("%s: %s", op.id, got.body)
	}
	if reply.Result.IsError {
		var p struct{ Status int }
		must(t, json.Unmarshal(reply.Result.Structured, &p))
		said := problem(p.Status, reply.Result.Structured)
		said.body = got.body
		return said
	}
	return got
}
