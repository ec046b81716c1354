package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// The content types of events.
const (
	typeJSON            = "application/json"
	typeCloudEvent      = "application/cloudevents+json"
	typeCloudEventBatch = "application/cloudevents-batch+json"
	typeNDJSON          = "application/x-ndjson"
)

// events takes one event, a JSON array of them, or one a line.
func (c Config) events(r *http.Request) (answered, error) {
	media, err := mediaType(r, typeJSON, typeCloudEvent, typeCloudEventBatch, typeNDJSON)
	if err != nil {
		return answered{}, err
	}
	body, err := read(r, maxEventsBody)
	if err != nil {
		return answered{}, err
	}
	raw, err := split(media, body)
	if err != nil {
		return answered{}, err
	}
	switch n := len(raw); {
	case n == 0:
		return answered{}, badField("", "no event in the request")
	case n > ingest.MaxEvents:
		return answered{}, tooLarge("%d events in one request, at most %d are taken", n, ingest.MaxEvents)
	}
	accepted, err := c.Ingest.Accept(r.Context(), raw)
	if err != nil {
		return answered{}, err
	}
	return answered{http.StatusAccepted, map[string]any{"accepted": len(accepted), "events": accepted}}, nil
}

// split returns the events of a body, as they came.
func split(media string, body []byte) ([][]byte, error) {
	body = bytes.TrimSpace(body)
	switch {
	case media == typeNDJSON:
		var out [][]byte
		for line := range bytes.Lines(body) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				out = append(out, line)
			}
		}
		return out, nil
	case media == typeCloudEventBatch || media == typeJSON && bytes.HasPrefix(body, []byte("[")):
		var parts []json.RawMessage
		if err := json.Unmarshal(body, &parts); err != nil {
			return nil, badField("", "not a JSON array of events: %v", err)
		}
		out := make([][]byte, len(parts))
		for i, p := range parts {
			out[i] = p
		}
		return out, nil
	case len(body) == 0:
		return nil, nil
	default:
		return [][]byte{body}, nil
	}
}

// consolidate asks for a thread to be consolidated now; the answer does not wait for it.
func (c Config) consolidate(r *http.Request) (answered, error) {
	var ref memory.ThreadRef
	if err := decode(r, &ref); err != nil {
		return answered{}, err
	}
	if ref.Tenant == "" {
		ref.Tenant = memory.DefaultTenant
	}
	for _, f := range []struct{ name, id string }{
		{"tenant", string(ref.Tenant)}, {"user", string(ref.User)}, {"thread", string(ref.Thread)},
	} {
		if err := memory.ValidateID(f.id); err != nil {
			return answered{}, badField(f.name, "%v", err)
		}
	}
	if err := c.Trigger.Now(r.Context(), ref); err != nil {
		return answered{}, err
	}
	return answered{http.StatusAccepted, map[string]string{"status": "triggered"}}, nil
}

func (c Config) recall(r *http.Request) (answered, error) {
	var req recall.Request
	if err := decode(r, &req); err != nil {
		return answered{}, err
	}
	resp, err := c.Read.Recall(r.Context(), req)
	return answered{http.StatusOK, resp}, err
}

// statusSuppressed asks for what a standing request keeps from recall, whatever its status.
const statusSuppressed = "suppressed"

// memories lists the owner's memories at hand, or in the archive; status narrows them.
func (c Config) memories(r *http.Request) (answered, error) {
	q, err := query(r, "tenant", "user", "status", "archive")
	if err != nil {
		return answered{}, err
	}
	scope, err := scopeOf(q)
	if err != nil {
		return answered{}, err
	}
	status := q["status"]
	if status != "" && status != statusSuppressed && !memory.Status(status).Valid() {
		return answered{}, badField("status", "unknown status %q", status)
	}
	list := c.Read.Memories
	switch q["archive"] {
	case "", "false":
	case "true":
		list = c.Archive.Archive
	default:
		return answered{}, badField("archive", "must be true or false")
	}
	all, err := list(r.Context(), scope)
	if err != nil {
		return answered{}, err
	}
	out := []memory.Memory{}
	for _, m := range all {
		if status == "" || string(m.Status) == status || status == statusSuppressed && m.SuppressedBy != "" {
			out = append(out, m)
		}
	}
	return answered{http.StatusOK, map[string]any{"memories": out}}, nil
}

// rejections are the candidates that were refused, without their text.
func (c Config) rejections(r *http.Request) (answered, error) {
	scope, err := owner(r)
	if err != nil {
		return answered{}, err
	}
	refused, err := c.Archive.Refusals(r.Context(), scope)
	return answered{http.StatusOK, map[string]any{"rejections": refused}}, err
}

// history is what a key has been, or without a key every change.
func (c Config) history(r *http.Request) (answered, error) {
	q, err := query(r, "tenant", "user", "key")
	if err != nil {
		return answered{}, err
	}
	scope, err := scopeOf(q)
	if err != nil {
		return answered{}, err
	}
	entries, err := c.Read.History(r.Context(), scope, memory.Key(q["key"]))
	if err != nil {
		return answered{}, err
	}
	return answered{http.StatusOK, map[string]any{"history": entries}}, nil
}

// read returns the body, up to limit bytes.
func read(r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge("body is larger than %d bytes", over.Limit)
	case err != nil:
		return nil, badField("", "read body: %v", err)
	}
	return body, nil
}

// decode reads a small JSON body strictly.
func decode(r *http.Request, into any) error {
	if _, err := mediaType(r, typeJSON); err != nil {
		return err
	}
	body, err := read(r, maxBody)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return badField(wireName(wrong.Field), "must be of type %s, not %s", jsonType(wrong.Type), wrong.Value)
		}
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return badField(strings.Trim(name, `"`), "is not a known field")
		}
		return badField("", "not valid JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badField("", "more than one JSON value")
	}
	return nil
}

// wireName is the path of a field as it is sent: without the Go types that are embedded in
// a body, which encoding/json names too.
func wireName(path string) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(p string) bool { return p != strings.ToLower(p) })
	return strings.Join(parts, ".")
}

// jsonType is what a client calls a Go type.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice:
		return "array"
	case reflect.Int:
		return "integer"
	default:
		return t.Kind().String()
	}
}

// query returns the named parameters; any other, or one given twice, is an error.
func query(r *http.Request, names ...string) (map[string]string, error) {
	out := map[string]string{}
	for name, values := range r.URL.Query() {
		known := false
		for _, n := range names {
			known = known || n == name
		}
		switch {
		case !known:
			return nil, badField(name, "is not a known parameter: want one of %q", names)
		case len(values) > 1:
			return nil, badField(name, "is given twice")
		}
		out[name] = values[0]
	}
	return out, nil
}

func scopeOf(q map[string]string) (memory.Scope, error) {
	tenant := q["tenant"]
	if tenant == "" {
		tenant = string(memory.DefaultTenant)
	}
	for _, f := range []struct{ name, id string }{{"tenant", tenant}, {"user", q["user"]}} {
		if err := memory.ValidateID(f.id); err != nil {
			return memory.Scope{}, badField(f.name, "%v", err)
		}
	}
	return memory.UserScope(memory.Tenant(tenant), memory.User(q["user"])), nil
}
