package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go"
)

// doorsPage is the page of the doors.
func doorsPage(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../docs/doors.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestTheDoorOverNATSIsAsDocumented runs the requests of docs/doors.md, and has the same of HTTP.
func TestTheDoorOverNATSIsAsDocumented(t *testing.T) {
	d := startDev(t, t.TempDir())
	nc, err := nats.Connect(os.Getenv("MNEMOND_STREAM_URL"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	ask := func(subject, body string) (*nats.Msg, error) {
		for deadline := time.Now().Add(devWait); ; { // dev says its address before it serves
			reply, err := nc.Request(subject, []byte(body), devWait)
			if !errors.Is(err, nats.ErrNoResponders) || time.Now().After(deadline) {
				return reply, err
			}
		}
	}
	lines := regexp.MustCompile(`(?m)^\$ nats request (mnemond\.api\.\S+) '(.*)'$`).FindAllStringSubmatch(doorsPage(t), -1)
	want := []string{`"result":"added"`, "Oslo", `"result":"added"`, "杭州", `"memories":["`, `"field":"user"`}
	if len(lines) != len(want) {
		t.Fatalf("docs/doors.md has %d requests, want %d", len(lines), len(want))
	}
	for i, l := range lines {
		reply, err := ask(l[1], l[2])
		if err != nil || !strings.Contains(string(reply.Data), want[i]) {
			t.Fatalf("%s %s: %v, %v, want %s", l[1], l[2], reply, err, want[i])
		}
		if code := reply.Header.Get("Nats-Service-Error-Code"); (code == "400") != (i == len(lines)-1) {
			t.Errorf("%s %s: the error is %q", l[1], l[2], code)
		}
	}
	once := nats.NewMsg("mnemond.api.remember")
	once.Data = []byte(`{"user": "bob", "text": "I have a cat named Tom."}`)
	once.Header["idempotency-key"] = []string{"k1"}
	var first []byte
	for i := range 2 {
		reply, err := nc.RequestMsg(once, devWait)
		if err != nil || (reply.Header.Get("Idempotency-Replayed") == "true") != (i == 1) || i == 1 && !bytes.Equal(reply.Data, first) {
			t.Fatalf("time %d under one key: %v, %v", i+1, reply, err)
		}
		first = reply.Data
	}
	reply, err := ask("mnemond.api.profile", `{"user":"张三"}`)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(d.url + "/v1/profile?user=%E5%BC%A0%E4%B8%89")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || !bytes.Equal(body, reply.Data) || !strings.Contains(string(body), "杭州") {
		t.Errorf("over HTTP %s, %v\nover NATS %s", body, err, reply.Data)
	}
}

// host is the configuration of an MCP host.
type host struct {
	Servers map[string]struct {
		Command string
		Args    []string
		URL     string
	} `json:"mcpServers"`
}

// TestAnMCPHostIsServedAsDocumented: by the program itself over its standard input and output,
// and over HTTP, as docs/doors.md configures a host.
func TestAnMCPHostIsServedAsDocumented(t *testing.T) {
	d := startDev(t, t.TempDir())
	var hosts []host
	for _, m := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(doorsPage(t), -1) {
		var h host
		if json.Unmarshal([]byte(m[1]), &h) == nil && h.Servers != nil {
			hosts = append(hosts, h)
		}
	}
	if len(hosts) != 2 {
		t.Fatalf("docs/doors.md has %d configurations of a host, want 2", len(hosts))
	}
	program := filepath.Join(t.TempDir(), "mnemond")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/mnemond").CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	local := func(s string) string { return strings.ReplaceAll(s, "http://127.0.0.1:7460", d.url) }
	first, second := hosts[0].Servers["memory"], hosts[1].Servers["memory"]
	if first.Command != "mnemond" {
		t.Fatalf("the command is %q", first.Command)
	}
	for i, a := range first.Args {
		first.Args[i] = local(a)
	}
	stdio := converse(t, &mcp.CommandTransport{Command: exec.CommandContext(t.Context(), program, first.Args...)})
	web := converse(t, &mcp.StreamableClientTransport{Endpoint: local(second.URL), MaxRetries: -1})
	for name, s := range map[string]*mcp.ClientSession{"stdio": stdio, "http": web} {
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		slices.Sort(names)
		if want := []string{"answer_question", "forget", "profile", "questions", "recall", "remember"}; !slices.Equal(names, want) {
			t.Errorf("%s: the tools are %v, want %v", name, names, want)
		}
		for _, c := range []struct{ text, query, topic, word string }{
			{"I live in Oslo.", "where do I live?", "where I live", "Oslo"}, {"我住在杭州。", "我住在哪里？", "我住在哪里", "杭州"},
		} {
			use(t, s, false, "remember", map[string]any{"text": c.text}, "Result: added.")
			use(t, s, false, "recall", map[string]any{"query": c.query}, c.word)
			use(t, s, false, "forget", map[string]any{"topic": c.topic}, "1 memory is forgotten.")
			use(t, s, false, "recall", map[string]any{"query": c.query}, "Nothing is known about this.")
		}
		use(t, s, false, "profile", nil, "Nothing is known about the user yet.")
		use(t, s, false, "questions", nil, "There is no open question.")
		use(t, s, true, "recall", map[string]any{"user": "bob"}, "user: is not a known argument")
		use(t, s, true, "recall", map[string]any{"limit": 51}, "limit: must be at most 50")
		use(t, s, true, "answer_question", map[string]any{"id": "../x", "decision": "keep"}, "not found")
		use(t, s, true, "answer_question", map[string]any{"id": "", "decision": "keep"}, "")
	}
	d.stop(t)
	use(t, stdio, true, "recall", nil, "memory is not available: nothing answers at "+d.url)
}

func converse(t *testing.T, over mcp.Transport) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// use calls a tool, whose text has to hold want.
func use(t *testing.T, s *mcp.ClientSession, fails bool, tool string, arguments any, want string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	text, _ := r.Content[0].(*mcp.TextContent)
	if r.IsError != fails || text == nil || !strings.Contains(text.Text, want) || r.StructuredContent == nil {
		t.Errorf("%s %v: %t, %+v, want %q", tool, arguments, r.IsError, text, want)
	}
}
