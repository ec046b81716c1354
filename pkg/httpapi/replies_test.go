package httpapi_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mnemond/mnemond/schemas"
)

// pathField is a field in a path of the OpenAPI document.
var pathField = regexp.MustCompile(`\\\{[a-z_]+\\\}`)

// compiler reads the schemas of schemas/openapi.json.
var compiler = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	raw, err := schemas.Files.ReadFile("openapi.json")
	if err != nil {
		return nil, err
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return c, c.AddResource("openapi.json", doc)
})

// wantDescribed fails unless a reply is what the OpenAPI document says of it.
func wantDescribed(t *testing.T, method, path string, status int, reply []byte) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	for _, op := range readDocument(t).operations(t) {
		at := regexp.MustCompile("^" + pathField.ReplaceAllString(regexp.QuoteMeta(op.path), "[^/]+") + "$")
		if op.method != method || !at.MatchString(path) {
			continue
		}
		place := fmt.Sprintf("paths/%s/%s/responses/%d/content/application~1json/schema", strings.ReplaceAll(op.path, "/", "~1"), strings.ToLower(method), status)
		if status >= 400 {
			place = "components/schemas/Problem"
		}
		c, err := compiler()
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("openapi.json#/" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(place))
		if err != nil {
			t.Errorf("%s %s answers %d, which is not described: %v", method, path, status, err)
			return
		}
		var value any
		if err := json.Unmarshal(reply, &value); err != nil {
			t.Fatalf("%s %s answers %d with %s: %v", method, path, status, reply, err)
		}
		if err := s.Validate(value); err != nil {
			t.Errorf("%s %s answers %d with %s, which is not as described: %v", method, path, status, reply, err)
		}
		return
	}
}

// TestRepliesAreAsDescribed: what the doors of users answer is what the schemas say, which
// OpenAPI, the clients made from it and MCP hosts go by. Every other test of an installation
// holds its replies against them as well.
func TestRepliesAreAsDescribed(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "我住在杭州。", "我住在成都。", "I like jazz.")
	q := d.pending(t, "u1")
	if len(q) != 1 {
		t.Fatalf("the questions are %v", q)
	}
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/v1/recall", `{"user":"u1","query":"我住在哪里？","explain":true}`, "杭州"},
		{"POST", "/v1/recall", `{"user":"nobody","query":"where do I live?"}`, `"memories":[]`},
		{"POST", "/v1/memories", `{"user":"u1","text":"I have a cat named Tom."}`, `"added"`},
		{"GET", "/v1/questions?user=u1", "", "杭州"},
		{"GET", "/v1/questions?user=nobody", "", `"questions":[]`},
		{"POST", "/v1/questions/" + string(q[0].ID) + "/answer", `{"user":"u1","decision":"replace"}`, `"replace"`},
		{"GET", "/v1/profile?user=u1", "", "成都"},
		{"GET", "/v1/profile?user=nobody", "", `"profile":{}`},
		{"POST", "/v1/forget", `{"user":"u1","topic":"jazz"}`, `"memories":["`},
		{"POST", "/v1/forget", `{"user":"nobody","topic":"jazz"}`, `"memories":[]`},
		{"POST", "/v1/forget", `{"user":"u1"}`, `"field":"ids"`},
		{"GET", "/v1/memories?user=u1", "", "Tom"},
		{"GET", "/v1/history?user=u1", "", "成都"},
		{"GET", "/v1/export?user=u1", "", "成都"},
	} {
		if _, answer := d.call(t, c.method, c.path, c.body, nil); !strings.Contains(answer, c.want) {
			t.Errorf("%s %s answers %s, want %s", c.method, c.path, answer, c.want)
		}
	}
}
