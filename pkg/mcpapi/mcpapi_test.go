package mcpapi_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/mcpapi"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// mind is what is known of each user: what they asked to remember, word for word.
type mind struct {
	notes map[memory.Scope][]curate.Note
	asked recall.Request
	err   error
}

func (m *mind) Recall(_ context.Context, r recall.Request) (recall.Response, error) {
	m.asked = r
	out := recall.Response{RecallID: "r1", Memories: []recall.Result{}}
	for i, n := range m.notes[memory.UserScope(r.Tenant, r.User)] {
		out.Memories = append(out.Memories, recall.Result{ID: memory.ID(rune('a' + i)), Text: n.Text, Citation: "[memory a, 2026-03-01]", Disputed: true})
		out.Prompt = n.Text + " [memory a, 2026-03-01]"
		out.Questions = []memory.Question{{ID: "q1", Text: "Oslo, or \"Bergen\"?\n", Options: []memory.Decision{"keep", "replace"}}}
	}
	return out, m.err
}

func (m *mind) Memories(context.Context, memory.Scope) ([]memory.Memory, error) { return nil, m.err }

func (m *mind) History(context.Context, memory.Scope, memory.Key) ([]ledger.Entry, error) {
	return nil, m.err
}

// writer remembers, and does nothing else that a door.Writer does.
type writer struct {
	door.Writer
	m *mind
}

func (w writer) Remember(_ context.Context, s memory.Scope, _ string, n curate.Note) (curate.Written, error) {
	w.m.notes[s] = append(w.m.notes[s], n)
	return curate.Written{
		Result: "added", Changed: []curate.Changed{{Memory: "a", Result: "added", Text: n.Text}}, Refused: []ledger.Rejection{{Reason: "secret", Count: 1}},
	}, w.m.err
}

func (m *mind) Forget(_ context.Context, s memory.Scope, _ curate.Selection) (curate.Outcome, error) {
	out := curate.Outcome{Memories: []memory.ID{}}
	for range m.notes[s] {
		out.Memories = append(out.Memories, "a")
	}
	delete(m.notes, s)
	return out, m.err
}

func (m *mind) Restore(context.Context, memory.Scope, memory.ID) error { return m.err }

func (m *mind) Pending(context.Context, memory.Scope) ([]memory.Question, error) {
	return []memory.Question{{ID: "q1", Text: "奥斯陆，还是卑尔根？", Options: memory.Decisions}}, m.err
}

func (m *mind) Answer(_ context.Context, _ memory.Scope, id memory.ID, d memory.Decision, _ string) (memory.Question, error) {
	if id != "q1" {
		return memory.Question{}, curate.ErrNotFound
	}
	q := memory.Question{ID: id, Decision: d}
	if d == memory.DecisionBoth {
		q.FollowUp = "What tells them apart?"
	}
	return q, m.err
}

func (m *mind) Profile(_ context.Context, s memory.Scope) (recall.Profile, error) {
	out := recall.Profile{Profile: map[string]any{}, Sources: map[string]recall.Source{}}
	if len(m.notes[s]) > 0 {
		out.Profile["user"] = map[string]any{"city": "杭州"}
	}
	return out, m.err
}

func newMind() *mind { return &mind{notes: map[memory.Scope][]curate.Note{}} }

func (m *mind) table() *door.Table {
	return door.New(door.Services{Read: m, Archive: (*recall.Service)(nil), Profile: m, Write: writer{m: m}, Forget: m, Ask: m})
}

// local carries operations out as whoever is on loopback.
func local(ctx context.Context, op *door.Operation, raw []byte) (any, error) {
	return op.Call(ctx, access.Local(), raw)
}

// connect is a client's session with a server, in memory.
func connect(t *testing.T, s *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	served, err := s.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session(t, here, func() { _ = served.Wait() })
}

func session(t *testing.T, over mcp.Transport, ended func()) *mcp.ClientSession {
	t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(); ended() })
	return c
}

// call calls a tool, and returns its text and its structured content.
func call(t *testing.T, c *mcp.ClientSession, tool string, arguments any) (text string, structured map[string]any, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s %v: %d contents", tool, arguments, len(r.Content))
	}
	content, ok := r.Content[0].(*mcp.TextContent)
	structured, isObject := r.StructuredContent.(map[string]any)
	if !ok || !isObject {
		t.Fatalf("%s %v: %T, %T", tool, arguments, r.Content[0], r.StructuredContent)
	}
	if err := output(t, c, tool).Validate(r.StructuredContent); err != nil {
		t.Errorf("%s %v: the structured content is not of the tool's output schema: %v", tool, arguments, err)
	}
	return content.Text, structured, r.IsError
}

// output is the schema of what a tool returns, as a client is told it.
func output(t *testing.T, c *mcp.ClientSession, name string) *jsonschema.Schema {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name != name {
			continue
		}
		return compiled(t, name, tool.OutputSchema)
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

// known are schemas that were compiled before, by their text.
var known sync.Map

func compiled(t *testing.T, name string, schema any) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := known.Load(string(raw)); ok {
		return s.(*jsonschema.Schema)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, schema); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile(name)
	if err != nil {
		t.Fatalf("%s returns %s: %v", name, raw, err)
	}
	known.Store(string(raw), s)
	return s
}

// TestOutputSchemas are told to clients, and are of one reply, or of what is wrong; with what
// a reply gains later a client goes on.
func TestOutputSchemas(t *testing.T) {
	t.Parallel()
	c := connect(t, mcpapi.NewTools(newMind().table(), "1").Server(mcpapi.Owner{User: "alice"}, local))
	required := map[string]string{
		"recall": "memories", "remember": "changed", "forget": "memories", "questions": "questions", "answer_question": "options", "profile": "profile",
	}
	for tool, field := range required {
		schema := output(t, c, tool)
		wrong := schema.Validate(map[string]any{"later": true})
		if wrong == nil || !strings.Contains(wrong.Error(), "'"+field+"'") {
			t.Errorf("%s: a reply without its fields is %v, and %s is not missed", tool, wrong, field)
		}
		if err := schema.Validate(map[string]any{"status": 503, "title": "try again later", "later": true}); err != nil {
			t.Errorf("%s: a problem is %v", tool, err)
		}
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if s, _ := tool.OutputSchema.(map[string]any); s["type"] != "object" {
			t.Errorf("%s returns %v, which hosts take for no object", tool.Name, tool.OutputSchema)
		}
	}
}

// TestTheToolsAreThoseOfTheTable, without any argument that says whose memory it is.
func TestTheToolsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	c := connect(t, mcpapi.NewTools(newMind().table(), "1.2.3").Server(mcpapi.Owner{User: "alice"}, local))
	if got := c.InitializeResult(); got.ServerInfo.Name != "mnemond" || got.ServerInfo.Version != "1.2.3" || !strings.Contains(got.Instructions, "never as instructions") {
		t.Errorf("the server is %+v", got)
	}
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	arguments := map[string][]string{
		"recall": {"as_of", "include_archive", "kinds", "limit", "query"}, "remember": {"expires_at", "text"}, "forget": {"ids", "topic"},
		"questions": nil, "answer_question": {"decision", "id", "value"}, "profile": nil,
	}
	required := map[string][]string{"remember": {"text"}, "answer_question": {"decision", "id"}}
	for _, tool := range list.Tools {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Type       string
			Properties map[string]struct{ Type, Description any }
			Required   []string
			Additional bool `json:"additionalProperties"`
		}
		got.Additional = true
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		var names []string
		for name, p := range got.Properties {
			names = append(names, name)
			if p.Type == nil || p.Description == nil {
				t.Errorf("%s: %s is not described: %s", tool.Name, name, raw)
			}
		}
		slices.Sort(names)
		want, known := arguments[tool.Name]
		if !known || !slices.Equal(names, want) || !slices.Equal(got.Required, required[tool.Name]) || got.Type != "object" || got.Additional {
			t.Errorf("%s takes %s, want %v", tool.Name, raw, want)
		}
		a := tool.Annotations
		writes := slices.Contains([]string{"remember", "forget", "answer_question"}, tool.Name)
		if a == nil || a.ReadOnlyHint == writes || *a.DestructiveHint != (tool.Name == "forget") || *a.OpenWorldHint {
			t.Errorf("%s is annotated with %+v", tool.Name, a)
		}
		if !strings.Contains(tool.Description, "all it ") || len(tool.Description) > 700 {
			t.Errorf("%s does not say when to call it, or at too great length: %s", tool.Name, tool.Description)
		}
		delete(arguments, tool.Name)
	}
	if len(arguments) > 0 {
		t.Errorf("there are no tools %v", arguments)
	}
	without := connect(t, mcpapi.NewTools(door.NewTable(), "1").Server(mcpapi.Owner{}, local))
	if list, err := without.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 0 {
		t.Errorf("of an empty table there are %v, %v", list, err)
	}
}

// TestRememberRecallForget in both languages: each user has their own.
func TestRememberRecallForget(t *testing.T) {
	t.Parallel()
	m := newMind()
	tools := mcpapi.NewTools(m.table(), "1")
	for user, note := range map[memory.User]string{"alice": `I live in "Oslo" <now>.`, "张三": "我住在杭州。"} {
		c := connect(t, tools.Server(mcpapi.Owner{Tenant: "acme", User: user}, local))
		if text, _, failed := call(t, c, "recall", nil); failed || text != "Nothing is known about this." {
			t.Errorf("%s: at first %q", user, text)
		}
		text, structured, failed := call(t, c, "remember", map[string]any{"text": note})
		if failed || structured["result"] != "added" || !strings.HasPrefix(text, "Result: added.\nadded a \"") || !strings.HasSuffix(text, "\nNot remembered: secret.") {
			t.Errorf("%s: remembered %q, %v", user, text, structured)
		}
		text, structured, failed = call(t, c, "recall", map[string]any{"query": note, "limit": 3})
		if failed || !strings.HasPrefix(text, note) || !strings.Contains(text, "[memory a, 2026-03-01] a (disputed: see questions)") ||
			!strings.HasSuffix(text, `q1 "Oslo, or \"Bergen\"?\n" (decision: keep, replace)`) || structured["recall_id"] != "r1" {
			t.Errorf("%s: recalled %q, %v", user, text, structured)
		}
		if m.asked.Tenant != "acme" || m.asked.User != user || m.asked.Query != note || m.asked.Limit != 3 {
			t.Errorf("%s: asked %+v", user, m.asked)
		}
		if text, _, _ := call(t, c, "profile", map[string]any{}); text != `{"user":{"city":"杭州"}}` {
			t.Errorf("%s: the profile is %q", user, text)
		}
		if text, _, failed := call(t, c, "forget", map[string]any{"topic": "住在哪里"}); failed || text != "1 memory is forgotten." {
			t.Errorf("%s: forgotten %q", user, text)
		}
		if text, _, failed := call(t, c, "forget", map[string]any{"topic": "住在哪里"}); failed || text != "There was nothing to forget." {
			t.Errorf("%s: forgotten again %q", user, text)
		}
		if text, _, _ := call(t, c, "profile", nil); text != "Nothing is known about the user yet." {
			t.Errorf("%s: the profile is %q", user, text)
		}
	}
}

func TestQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	c := connect(t, mcpapi.NewTools(newMind().table(), "1").Server(mcpapi.Owner{User: "张三"}, local))
	if text, _, failed := call(t, c, "questions", nil); failed || text != `q1 "奥斯陆，还是卑尔根？" (decision: keep, replace, both, neither, other)` {
		t.Errorf("the questions are %q", text)
	}
	for d, want := range map[string]string{"replace": "Answered.", "both": `Answered. Ask the user further: "What tells them apart?"`} {
		if text, _, failed := call(t, c, "answer_question", map[string]any{"id": "q1", "decision": d}); failed || text != want {
			t.Errorf("%s: %q", d, text)
		}
	}
}

// TestWhatIsWrongIsNamed as a result that the model sees, and changes nothing.
func TestWhatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	m := newMind()
	c := connect(t, mcpapi.NewTools(m.table(), "1").Server(mcpapi.Owner{User: "alice"}, local))
	for _, w := range []struct {
		tool      string
		arguments any
		field     string
	}{
		{"recall", map[string]any{"user": "bob"}, "user"},
		{"recall", map[string]any{"tenant": "else", "query": "x"}, "tenant"},
		{"recall", map[string]any{"agent": "bot"}, "agent"},
		{"recall", map[string]any{"explain": true}, "explain"},
		{"recall", map[string]any{"limit": 51}, "limit"},
		{"recall", map[string]any{"limit": "six"}, "limit"},
		{"recall", map[string]any{"as_of": "yesterday"}, "as_of"},
		{"recall", map[string]any{"Query": "x"}, "Query"},
		{"remember", nil, "text"},
		{"remember", map[string]any{"text": 7}, "text"},
		{"remember", map[string]any{"text": strings.Repeat("长", 1001)}, "text"},
		{"forget", map[string]any{"all": true}, "all"},
		{"forget", map[string]any{"ids": "a"}, "ids"},
		{"answer_question", map[string]any{"id": "q1"}, "decision"},
		{"answer_question", map[string]any{"id": "q1", "decision": "perhaps"}, "decision"},
		{"questions", map[string]any{"limit": 1}, "limit"},
		{"profile", map[string]any{"user": "bob"}, "user"},
		{"answer_question", map[string]any{"id": "q2", "decision": "keep"}, ""},
	} {
		text, structured, failed := call(t, c, w.tool, w.arguments)
		field, _ := structured["field"].(string)
		if !failed || field != w.field || !strings.Contains(text, w.field) {
			t.Errorf("%s %v: %q, %v, %v", w.tool, w.arguments, text, structured, failed)
		}
	}
	if m.asked.User != "" || len(m.notes) > 0 {
		t.Errorf("what was refused was carried out: %+v, %v", m.asked, m.notes)
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "erase"}); err == nil {
		t.Error("there is a tool erase")
	}
	m.err = fault.Outage(context.DeadlineExceeded, time.Second)
	if text, structured, failed := call(t, c, "recall", nil); !failed || text != "try again later: a dependency is not available" || structured["status"] != 503.0 {
		t.Errorf("an outage is %q, %v", text, structured)
	}
}
