package httpapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/schemas"
)

var update = flag.Bool("update", false, "write schemas/openapi.json")

// operation is one of the OpenAPI document, as far as the tests read it.
type operation struct {
	method, path string

	OperationID string   `json:"operationId"`
	Summary     string   `json:"summary"`
	Tags        []string `json:"tags"`
	LeastRole   string   `json:"x-least-role"`
	MaxBytes    int      `json:"x-max-bytes"`
	Parameters  []struct {
		Ref      string `json:"$ref"`
		Name     string `json:"name"`
		In       string `json:"in"`
		Required bool   `json:"required"`
		Schema   schema `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]json.RawMessage `json:"responses"`
}

// schema is a JSON Schema, as far as the tests read it. Type is a string or a list of them.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       any               `json:"type"`
	MaxLength  int               `json:"maxLength"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Additional any               `json:"additionalProperties"`
}

// kind is the schema's type without null; empty when anything may stand there.
func (s schema) kind() string {
	switch t := s.Type.(type) {
	case string:
		return t
	case []any:
		for _, one := range t {
			if one != "null" {
				return fmt.Sprint(one)
			}
		}
	}
	return ""
}

// documented is the OpenAPI document.
type documented struct {
	OpenAPI    string                                `json:"openapi"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas   map[string]schema          `json:"schemas"`
		Responses map[string]json.RawMessage `json:"responses"`
	} `json:"components"`
}

func readDocument(t *testing.T) documented {
	t.Helper()
	raw, err := schemas.Files.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d documented
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// operations are those of the document, ordered by path.
func (d documented) operations(t *testing.T) []operation {
	t.Helper()
	var out []operation
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			op := operation{method: strings.ToUpper(method), path: path}
			if err := json.Unmarshal(d.Paths[path][method], &op); err != nil {
				t.Fatalf("%s %s: %v", method, path, err)
			}
			out = append(out, op)
		}
	}
	if len(out) < 20 {
		t.Fatalf("the document has %d operations only", len(out))
	}
	return out
}

// body is the schema of the operation's JSON body; ok is false when it has none.
func (d documented) body(op operation) (s schema, ok bool) {
	if op.RequestBody == nil {
		return schema{}, false
	}
	s = op.RequestBody.Content["application/json"].Schema
	if name, isRef := strings.CutPrefix(s.Ref, "#/components/schemas/"); isRef {
		s = d.Components.Schemas[name]
	}
	return s, s.kind() == "object"
}

// TestOpenAPIDocument: what a whole installation serves is what is kept in schemas/.
func TestOpenAPIDocument(t *testing.T) {
	d := startDesk(t)
	status, served := d.call(t, http.MethodGet, "/openapi.json", "", nil)
	if status != http.StatusOK {
		t.Fatalf("answered %d: %s", status, served)
	}
	if *update {
		if err := os.WriteFile("../../schemas/openapi.json", []byte(served), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := schemas.Files.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, []byte(served)) {
		t.Errorf("schemas/openapi.json is not what is served: run go test ./pkg/httpapi -run TestOpenAPIDocument -update")
	}
}

// TestOperationsAreDescribed: an operation says what it does, who may call it and how it fails.
func TestOperationsAreDescribed(t *testing.T) {
	d := readDocument(t)
	if d.OpenAPI != "3.1.0" {
		t.Errorf("the document is of OpenAPI %s", d.OpenAPI)
	}
	for _, op := range d.operations(t) {
		if op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 || !slices.Contains([]string{"user", "agent", "admin"}, op.LeastRole) {
			t.Errorf("%s %s is described as %+v", op.method, op.path, op)
		}
		want := []string{"400", "401", "403", "429", "500", "503"}
		if op.RequestBody != nil {
			want = append(want, "413", "415")
		}
		success := 0
		for status := range op.Responses {
			if status[0] == '2' {
				success++
			}
		}
		for _, status := range want {
			if op.Responses[status] == nil {
				t.Errorf("%s does not say how it answers with %s", op.OperationID, status)
			}
		}
		if success != 1 {
			t.Errorf("%s has %d successes", op.OperationID, success)
		}
		if s, ok := d.body(op); ok && op.OperationID != "events" && s.Additional != false {
			t.Errorf("the body of %s takes unknown fields", op.OperationID)
		}
	}
}
