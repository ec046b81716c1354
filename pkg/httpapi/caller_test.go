package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/httpapi"
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
	"admin": {Tenant: "acme", Role: access.RoleAdmin, Key: "k1"}, "agent": {Tenant: "acme", Role: access.RoleAgent, Key: "k2"},
	"alice": {Tenant: "acme", User: "alice", Role: access.RoleUser, Key: "k3"}, "bot": {Tenant: "acme", Agent: "bot", Role: access.RoleAgent, Key: "k4"},
}

// guarded is a house that lets in whom the doorman knows.
func guarded() (*house, *clerk) {
	c := &clerk{}
	h := &house{inbox: &inbox{}, trigger: &trigger{}, shelf: &shelf{}, log: &bytes.Buffer{}}
	h.Handler = httpapi.New(httpapi.Config{
		Table:  door.New(door.Services{Ingest: h.inbox, Trigger: h.trigger, Read: h.shelf, Forget: c, Suppress: c, Erase: c}),
		Ingest: h.inbox, Access: callers, Logger: slog.New(slog.NewTextHandler(h.log, nil)),
	})
	return h, c
}

func askAs(t *testing.T, h http.Handler, who, method, path, body string, header ...string) answer {
	t.Helper()
	with := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", who)
		for i := 0; i < len(header); i += 2 {
			r.Header.Add(header[i], header[i+1])
		}
		h.ServeHTTP(w, r)
	})
	return ask(t, with, method, path, "application/json", body)
}

// TestCredentialsBindRequests: over HTTP as everywhere, a request narrows what its credential
// reaches, and never widens it.
func TestCredentialsBindRequests(t *testing.T) {
	for _, c := range []struct {
		who, method, path, body string
		status                  int
		field                   string
		want                    memory.Scope
	}{
		{"", "POST", "/v1/forget", `{"user":"alice","all":true}`, 401, "", memory.Scope{}},
		{"", "POST", "/v1/forget", `not even JSON`, 401, "", memory.Scope{}},
		{"alice", "POST", "/v1/forget", `{"all":true}`, 200, "", memory.UserScope("acme", "alice")},
		{"alice", "POST", "/v1/forget", `{"user":"bob","all":true}`, 403, "user", memory.Scope{}},
		{"alice", "POST", "/v1/forget", `{"tenant":"else","all":true}`, 403, "tenant", memory.Scope{}},
		{"alice", "DELETE", "/v1/memories/m1", "", 200, "", memory.UserScope("acme", "alice")},
		{"alice", "DELETE", "/v1/memories/m1?user=bob", "", 403, "user", memory.Scope{}},
		{"alice", "POST", "/v1/memories/m1/restore", `{"user":"bob"}`, 403, "user", memory.Scope{}},
		{"alice", "POST", "/v1/erase", `{}`, 200, "", memory.UserScope("acme", "alice")},
		{"alice", "POST", "/v1/consolidate", `{"thread":"t1"}`, 403, "", memory.Scope{}},
		{"admin", "POST", "/v1/erase", `{}`, 400, "user", memory.Scope{}},
		{"admin", "POST", "/v1/erase", `{"user":"bob"}`, 200, "", memory.UserScope("acme", "bob")},
		{"admin", "POST", "/v1/erase/owner", `{"whole":"tenant"}`, 200, "", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}}},
		{"admin", "POST", "/v1/erase/owner", `{"whole":"agent","agent":"bot"}`, 200, "", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "bot"}}},
		{"admin", "POST", "/v1/erase/owner", `{}`, 400, "whole", memory.Scope{}},
		{"admin", "POST", "/v1/erase/owner", `{"whole":"agent"}`, 400, "whole", memory.Scope{}},
		{"admin", "POST", "/v1/erase/owner", `{"whole":"tenant","user":"bob"}`, 400, "whole", memory.Scope{}},
		{"admin", "POST", "/v1/erase/owner", `{"whole":"tenant","tenant":"else"}`, 403, "tenant", memory.Scope{}},
		{"agent", "POST", "/v1/erase/owner", `{"whole":"tenant"}`, 403, "", memory.Scope{}},
		{"alice", "POST", "/v1/erase/owner/verify", `{"whole":"user"}`, 403, "", memory.Scope{}},
		{"admin", "POST", "/v1/erase", `{"tenant":"else","user":"bob"}`, 403, "tenant", memory.Scope{}},
	} {
		h, clerk := guarded()
		clerk.outcome.Memories = []memory.ID{"m1"}
		a := askAs(t, h, c.who, c.method, c.path, c.body)
		if c.status >= 400 {
			a.wantProblem(t, c.status, c.field, "")
		}
		if a.Code != c.status || clerk.scope != c.want {
			t.Errorf("%s: %s %s %s answers %d for %+v: %s", c.who, c.method, c.path, c.body, a.Code, clerk.scope, a.Body)
		}
		if whole := strings.HasSuffix(c.path, "/erase/owner") && c.want.Owner.Kind == memory.OwnerTenant; whole != (clerk.asked == "erase tenant") {
			t.Errorf("%s asks to %s", c.body, clerk.asked)
		}
		if (a.Header().Get("WWW-Authenticate") != "") != (c.status == 401) {
			t.Errorf("%s: the headers are %v", c.path, a.Header())
		}
	}
}

// TestEventsAreNarrowed: an event says whose it is within what its sender reaches.
func TestEventsAreNarrowed(t *testing.T) {
	with := func(fields string) string { return strings.Replace(one("a"), `{`, `{`+fields, 1) }
	for _, c := range []struct {
		who, body string
		status    int
		field     string
	}{
		{"agent", one("a"), 202, ""}, {"agent", with(`"tenant":"acme",`), 202, ""}, {"agent", with(`"agent":"any",`), 202, ""},
		{"agent", with(`"tenant":"else",`), 403, "tenant"}, {"agent", `[` + one("a") + `,` + with(`"tenant":"else",`) + `]`, 403, "tenant"},
		{"bot", with(`"agent":"bot",`), 202, ""}, {"bot", one("a"), 202, ""}, {"bot", with(`"agent":"any",`), 403, "agent"},
		{"alice", one("a"), 403, ""}, {"", one("a"), 401, ""},
	} {
		h, _ := guarded()
		a := askAs(t, h, c.who, "POST", "/v1/events", c.body)
		if a.Code != c.status || a.body["field"] != nil && a.body["field"] != c.field || a.body["field"] == nil && c.field != "" {
			t.Errorf("%s: %s answers %d: %s", c.who, c.body, a.Code, a.Body)
		}
		if strings.HasPrefix(c.body, "[") && a.body["index"] != 1.0 {
			t.Errorf("the event at fault is %v", a.body["index"])
		}
		for _, e := range h.inbox.events {
			if e.Tenant != "acme" || c.who == "bot" && e.Agent != "bot" || c.status != 202 {
				t.Errorf("%s sends an event of %s by %q", c.who, e.Tenant, e.Agent)
			}
		}
	}
}

func TestRequestIDs(t *testing.T) {
	long := strings.Repeat("x", 129)
	for sent, taken := range map[string]bool{"": false, "r-1 ~!": true, long[:128]: true, long: false, "ü": false, "a\tb": false} {
		h := open()
		a := askAs(t, h, "", "POST", "/v1/recall", `{"user":"u1","query":"x","nope":1}`, "X-Request-Id", sent)
		got := a.Header().Get("X-Request-Id")
		if (got == sent) != taken || got == "" || a.body["request_id"] != got {
			t.Errorf("%q is answered as %q, in the problem as %v", sent, got, a.body["request_id"])
		}
	}
	h := open()
	h.shelf.err = fmt.Errorf("broken")
	askAs(t, h, "", "POST", "/v1/recall", `{"user":"u1","query":"x"}`, "X-Request-Id", "r-1").wantProblem(t, 500, "", "")
	if !strings.Contains(h.log.String(), "request_id=r-1") {
		t.Errorf("logged is %s", h.log)
	}
}

// TestParametersOfBodies: what reads its body takes no parameters.
func TestParametersOfBodies(t *testing.T) {
	for _, path := range []string{"/v1/events", "/v1/recall", "/v1/consolidate"} {
		ask(t, open(), "POST", path+"?user=u1", "application/json", `{}`).wantProblem(t, 400, "user", "not a known parameter")
	}
}

// TestIdempotencyKeys: a write that is repeated under its key is answered once more, and
// carried out once, by whoever comes.
func TestIdempotencyKeys(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "I live in Oslo.", "I like jazz.")
	// send returns the status, whether the reply is one that was kept, and the reply.
	send := func(method, path, body, key string) (int, bool, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, d.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Header.Get("Idempotency-Replayed") == "true", string(answer)
	}
	ask := func(path, body, key string) (int, bool, string) {
		t.Helper()
		return send(http.MethodPost, path, body, key)
	}
	const oslo, jazz = `{"user":"u1","contains":"Oslo"}`, `{"user":"u1","contains":"jazz"}`
	first, replayed, body := ask("/v1/forget", oslo, "k1")
	before := d.state(t)
	second, repeated, again := ask("/v1/forget", oslo, "k1")
	if first != http.StatusOK || second != http.StatusOK || body != again || !strings.Contains(body, `"memories":["`) {
		t.Errorf("the replies are %d with %s and %d with %s", first, body, second, again)
	}
	if replayed || !repeated || d.state(t) != before {
		t.Errorf("the second request was carried out: the replies are kept ones: %t, %t", replayed, repeated)
	}
	if status, _, body := ask("/v1/forget", jazz, "k1"); status != 422 || !strings.Contains(body, `"field":"Idempotency-Key"`) {
		t.Errorf("another request under the key answers %d with %s", status, body)
	}
	if status, _, body := ask("/v1/suppress", jazz, "k1"); status != 200 {
		t.Errorf("another operation under the key answers %d with %s", status, body)
	}
	if status, _, body := ask("/v1/forget", `{"user":"u1"}`, "k2"); status != 400 || !strings.Contains(body, `"field":"ids"`) {
		t.Errorf("a bad request answers %d with %s", status, body)
	}
	if status, _, body := ask("/v1/forget", oslo, strings.Repeat("k", 256)); status != 400 || !strings.Contains(body, `"field":"Idempotency-Key"`) {
		t.Errorf("a long key answers %d with %s", status, body)
	}
	const tea = `{"user":"u2","patch":[{"op":"add","path":"/user/likes","value":["tea"]}]}`
	if status, _, body := ask("/v1/memories", `{"user":"u2","key":"user.city","value":"Oslo"}`, "k1"); status != 200 || !strings.Contains(body, `"added"`) {
		t.Errorf("to remember under the key answers %d with %s", status, body)
	}
	if status, _, body := send(http.MethodPatch, "/v1/profile", tea, "k1"); status != 200 || !strings.Contains(body, `"added"`) {
		t.Errorf("to edit the profile under the same key answers %d with %s", status, body)
	}
	if status, _, body := ask("/v1/erase", `{"user":"u1"}`, "k1"); status != 200 || !strings.Contains(body, `"replies":2`) {
		t.Errorf("the erasure answers %d with %s", status, body)
	}
}

// TestPages: each list of an installation comes page by page as it comes whole.
func TestPages(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "I live in Oslo.", "I like jazz.", "I work at a bakery.", "My birthday is May 4.", "My birthday is May 14.", "I moved to Bergen.")
	d.say(t, "u1", "I love opera.", "I hate opera.", "What is the time?")
	for path, list := range map[string]string{
		"/v1/memories?user=u1": "memories", "/v1/history?user=u1": "history", "/v1/history?user=u1&key=user.city": "history",
		"/v1/questions?user=u1": "questions", "/v1/rejections?user=u1": "rejections", "/v1/memories?user=u1&archive=true": "memories",
	} {
		read := func(path string) (items []string, next string) {
			t.Helper()
			var page map[string]any
			if status, answer := d.call(t, "GET", path, "", &page); status != 200 {
				t.Fatalf("%s answers %d: %s", path, status, answer)
			}
			all, isList := page[list].([]any)
			if !isList {
				t.Fatalf("%s answers %v", path, slices.Collect(maps.Keys(page)))
			}
			for _, one := range all {
				items = append(items, fmt.Sprint(one))
			}
			next, _ = page["next_cursor"].(string)
			return items, next
		}
		whole, next := read(path)
		if list != "rejections" && len(whole) == 0 || next != "" {
			t.Errorf("%s lists %d, and goes on at %q", path, len(whole), next)
		}
		var paged []string
		for cursor := ""; ; {
			items, next := read(path + "&limit=1&cursor=" + cursor)
			if len(items) > 1 {
				t.Fatalf("%s: a page of %d", path, len(items))
			}
			paged = append(paged, items...)
			if cursor = next; cursor == "" {
				break
			}
		}
		if !slices.Equal(paged, whole) {
			t.Errorf("%s lists %d, page by page %d", path, len(whole), len(paged))
		}
	}
	for query, field := range map[string]string{"limit=0": "limit", "limit=1001": "limit", "limit=x": "limit", "cursor=x": "cursor"} {
		var p struct{ Field string }
		if status, answer := d.call(t, "GET", "/v1/memories?user=u1&"+query, "", &p); status != 400 || p.Field != field {
			t.Errorf("%s answers %d: %s", query, status, answer)
		}
	}
}
