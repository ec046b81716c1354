package mcpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/mcpapi"
	"github.com/mnemond/mnemond/pkg/memory"
)

// doorman knows callers by the word that they send.
type doorman map[string]access.Caller

func (d doorman) Caller(_ context.Context, h http.Header) (access.Caller, error) {
	c, ok := d[h.Get("Authorization")]
	if !ok {
		return access.Caller{}, access.ErrUnauthenticated
	}
	return c, nil
}

var callers = doorman{
	"Bearer alice": {Tenant: "acme", User: "alice", Role: access.RoleUser, Key: "k1"},
	"Bearer agent": {Tenant: "顶点", Role: access.RoleAgent, Key: "k2"},
}

// bearer sends a credential with each request.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", b.token)
	return b.RoundTripper.RoundTrip(r)
}

func serve(t *testing.T, m *mind, who mcpapi.Access) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(mcpapi.Handler(mcpapi.Config{Table: m.table(), Access: who, Version: "1", Logger: slog.New(slog.DiscardHandler)}))
	t.Cleanup(srv.Close)
	return srv
}

// TestOverHTTP: whose memory it is comes from the credential, or from the address within it.
func TestOverHTTP(t *testing.T) {
	t.Parallel()
	m := newMind()
	for _, c := range []struct {
		who    mcpapi.Access
		token  string
		query  string
		tenant memory.Tenant
		user   memory.User
	}{
		{callers, "Bearer alice", "", "acme", "alice"},
		{callers, "Bearer alice", "?user=alice&tenant=acme", "acme", "alice"},
		{callers, "Bearer agent", "?user=%E5%BC%A0%E4%B8%89", "顶点", "张三"},
		{nil, "", "?user=me", "default", "me"},
		{nil, "", "?user=me&tenant=home", "home", "me"},
	} {
		srv := serve(t, m, c.who)
		s := session(t, &mcp.StreamableClientTransport{
			Endpoint: srv.URL + "/mcp" + c.query, HTTPClient: &http.Client{Transport: bearer{srv.Client().Transport, c.token}}, MaxRetries: -1,
		}, func() {})
		if list, err := s.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 6 {
			t.Fatalf("%s%s: the tools are %v, %v", c.token, c.query, list, err)
		}
		if text, _, failed := call(t, s, "remember", map[string]any{"text": "我有一只猫。"}); failed {
			t.Errorf("%s%s: %s", c.token, c.query, text)
		}
		if text, _, failed := call(t, s, "recall", map[string]any{"query": "猫"}); failed || !strings.HasPrefix(text, "我有一只猫。") {
			t.Errorf("%s%s: recalled %q", c.token, c.query, text)
		}
		if m.asked.Tenant != c.tenant || m.asked.User != c.user {
			t.Errorf("%s%s: asked for %+v", c.token, c.query, m.asked)
		}
		if text, structured, failed := call(t, s, "recall", map[string]any{"user": "bob"}); !failed || structured["field"] != "user" {
			t.Errorf("a model names a user: %q", text)
		}
		call(t, s, "forget", map[string]any{"topic": "猫"})
	}
	if len(m.notes) > 0 {
		t.Errorf("left are %v", m.notes)
	}
}

// TestWhoMayNotAskIsRefused before anything of the protocol is read.
func TestWhoMayNotAskIsRefused(t *testing.T) {
	t.Parallel()
	m := newMind()
	guarded, open := serve(t, m, callers), serve(t, m, nil)
	const ask = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{}}}`
	for _, c := range []struct {
		srv          *httptest.Server
		token, query string
		body         string
		status       int
		field        string
	}{
		{guarded, "", "", ask, 401, ""},
		{guarded, "Bearer nobody", "?user=alice", ask, 401, ""},
		{guarded, "Bearer alice", "?user=bob", ask, 403, "user"},
		{guarded, "Bearer alice", "?tenant=else", ask, 403, "tenant"},
		{guarded, "Bearer agent", "", ask, 400, "user"},
		{guarded, "Bearer agent", "?user=a&user=b", ask, 400, "user"},
		{guarded, "Bearer agent", "?user=a&agent=x", ask, 400, "agent"},
		{open, "", "", ask, 400, "user"},
		{open, "", "?user=%00", ask, 400, "user"},
		{open, "", "?user=a", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3*door.MaxBody) + `"}`, 413, ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.srv.URL+"/mcp"+c.query, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.token != "" {
			r.Header.Set("Authorization", c.token)
		}
		resp, err := c.srv.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != c.status {
			t.Errorf("%s%s: %d %s, %v", c.token, c.query, resp.StatusCode, body, err)
		}
		var p door.Problem
		if c.status != 413 && (json.Unmarshal(body, &p) != nil || p.Status != c.status || p.Field != c.field) {
			t.Errorf("%s%s: %s", c.token, c.query, body)
		}
		if (resp.Header.Get("WWW-Authenticate") != "") != (c.status == 401) {
			t.Errorf("%s%s: the headers are %v", c.token, c.query, resp.Header)
		}
	}
	if m.asked.User != "" {
		t.Errorf("asked for %+v", m.asked)
	}
}
