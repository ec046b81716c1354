package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/memory"
)

// clerk is the owner's own side: it keeps what it was asked last and answers as it is told.
type clerk struct {
	asked string
	scope memory.Scope
	sel   curate.Selection
	id    memory.ID

	outcome curate.Outcome
	receipt curate.Receipt
	err     error
}

func (c *clerk) selected(what string, s memory.Scope, sel curate.Selection) (curate.Outcome, error) {
	c.asked, c.scope, c.sel = what, s, sel
	return c.outcome, c.err
}

func (c *clerk) Forget(_ context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error) {
	return c.selected("forget", s, sel)
}

func (c *clerk) Suppress(_ context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error) {
	return c.selected("suppress", s, sel)
}

func (c *clerk) Unsuppress(_ context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error) {
	return c.selected("unsuppress", s, sel)
}

func (c *clerk) Restore(_ context.Context, s memory.Scope, id memory.ID) error {
	c.asked, c.scope, c.id = "restore", s, id
	return c.err
}

func (c *clerk) Erase(_ context.Context, s memory.Scope) (curate.Receipt, error) {
	c.asked, c.scope = "erase", s
	return c.receipt, c.err
}

func (c *clerk) EraseTenant(_ context.Context, t memory.Tenant) (curate.Receipt, error) {
	c.asked, c.scope = "erase tenant", memory.Scope{Tenant: t, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	return c.receipt, c.err
}

func (c *clerk) Verify(_ context.Context, s memory.Scope) (curate.Receipt, error) {
	c.asked, c.scope = "verify", s
	return c.receipt, c.err
}

func openWith(c *clerk) (h http.Handler, log *bytes.Buffer) {
	log = &bytes.Buffer{}
	return httpapi.New(httpapi.Config{
		Table: door.New(door.Services{Forget: c, Suppress: c, Erase: c}), Logger: slog.New(slog.NewTextHandler(log, nil)),
	}), log
}

// TestSelections hands every field of a selection on, and the outcome back.
func TestSelections(t *testing.T) {
	whole := curate.Selection{
		Topic: "where I work", IDs: []memory.ID{"a", "b"}, Keys: []memory.Key{"user.city"}, Kinds: []memory.Kind{"fact"},
		Contains: "杭州", Thread: "t 1", Event: "e1", All: true,
	}
	const body = `{"tenant":"acme","user":"u1","topic":"where I work","ids":["a","b"],"keys":["user.city"],"kinds":["fact"],` +
		`"contains":"杭州","thread":"t 1","event":"e1","all":true}`
	for _, what := range []string{"forget", "suppress", "unsuppress"} {
		c := &clerk{outcome: curate.Outcome{Memories: []memory.ID{"m1"}, Request: "r1"}}
		h, _ := openWith(c)
		a := ask(t, h, http.MethodPost, "/v1/"+what, "application/json", body)
		if a.Code != http.StatusOK || strings.TrimSpace(a.Body.String()) != `{"memories":["m1"],"request":"r1"}` {
			t.Errorf("%s answers %d with %s", what, a.Code, a.Body)
		}
		if c.asked != what || c.scope != memory.UserScope("acme", "u1") || !reflect.DeepEqual(c.sel, whole) {
			t.Errorf("%s is handed on as %s of %+v by %+v", what, c.asked, c.sel, c.scope)
		}
		c.outcome = curate.Outcome{Memories: []memory.ID{}}
		a = ask(t, h, http.MethodPost, "/v1/"+what, "application/json", `{"user":"u1","all":true}`)
		if a.Code != http.StatusOK || strings.TrimSpace(a.Body.String()) != `{"memories":[]}` || c.scope.Tenant != memory.DefaultTenant {
			t.Errorf("%s of nothing answers %d with %s, of %s", what, a.Code, a.Body, c.scope.Tenant)
		}
	}
}

// TestOneMemory is deleted and restored by its id, as the path has it.
func TestOneMemory(t *testing.T) {
	c := &clerk{outcome: curate.Outcome{Memories: []memory.ID{"a/b"}}}
	h, _ := openWith(c)
	a := ask(t, h, http.MethodDelete, "/v1/memories/"+url.PathEscape("a/b")+"?tenant=acme&user=u%201", "", "")
	if a.Code != http.StatusOK || c.asked != "forget" || c.scope != memory.UserScope("acme", "u 1") || !reflect.DeepEqual(c.sel, curate.Selection{IDs: []memory.ID{"a/b"}}) {
		t.Errorf("DELETE answers %d with %s and asks to %s %+v of %+v", a.Code, a.Body, c.asked, c.sel, c.scope)
	}
	a = ask(t, h, http.MethodPost, "/v1/memories/"+url.PathEscape("a/b")+"/restore", "application/json", `{"tenant":"acme","user":"u 1"}`)
	if a.Code != http.StatusOK || c.asked != "restore" || c.id != "a/b" || c.scope != memory.UserScope("acme", "u 1") || strings.TrimSpace(a.Body.String()) != `{"memories":["a/b"]}` {
		t.Errorf("restore answers %d with %s and asks to %s %q of %+v", a.Code, a.Body, c.asked, c.id, c.scope)
	}
	c.outcome = curate.Outcome{Memories: []memory.ID{}}
	ask(t, h, http.MethodDelete, "/v1/memories/m1?user=u1", "", "").wantProblem(t, http.StatusNotFound, "", "")
	c.err = fmt.Errorf("restore memory m1: %w", curate.ErrNotFound)
	ask(t, h, http.MethodPost, "/v1/memories/m1/restore", "application/json", `{"user":"u1"}`).wantProblem(t, http.StatusNotFound, "", "")
}

// TestErasure answers with the receipt.
func TestErasure(t *testing.T) {
	c := &clerk{receipt: curate.Receipt{Final: true, Memories: 7, Removed: map[string]int{"events": 3}}}
	h, _ := openWith(c)
	for path, what := range map[string]string{"/v1/erase": "erase", "/v1/erase/verify": "verify"} {
		a := ask(t, h, http.MethodPost, path, "application/json", `{"tenant":"acme","user":"u1"}`)
		removed, _ := a.body["removed"].(map[string]any)
		if a.Code != http.StatusOK || a.body["final"] != true || a.body["memories"] != 7.0 || removed["events"] != 3.0 {
			t.Errorf("%s answers %d with %s", path, a.Code, a.Body)
		}
		if c.asked != what || c.scope != memory.UserScope("acme", "u1") {
			t.Errorf("%s asks to %s %+v", path, c.asked, c.scope)
		}
	}
}

// TestForgettingRefused: requests that never reach the service, each with the field at fault.
func TestForgettingRefused(t *testing.T) {
	const media = "application/json"
	for name, tt := range map[string]struct {
		method, path, media, body string
		status                    int
		field, detail             string
	}{
		"an unknown field":        {http.MethodPost, "/v1/forget", media, `{"user":"u1","everything":true}`, 400, "everything", "known"},
		"a wrong type":            {http.MethodPost, "/v1/forget", media, `{"user":"u1","all":"yes"}`, 400, "all", "bool"},
		"no list":                 {http.MethodPost, "/v1/suppress", media, `{"user":"u1","ids":"m1"}`, 400, "ids", "array"},
		"a number in a list":      {http.MethodPost, "/v1/unsuppress", media, `{"user":"u1","keys":[1]}`, 400, "keys", "string"},
		"a user that is a number": {http.MethodPost, "/v1/forget", media, `{"user":7,"all":true}`, 400, "user", "string"},
		"no user":                 {http.MethodPost, "/v1/forget", media, `{"all":true}`, 400, "user", "empty"},
		"an empty user":           {http.MethodPost, "/v1/suppress", media, `{"user":"","all":true}`, 400, "user", "empty"},
		"a tenant too long":       {http.MethodPost, "/v1/forget", media, `{"tenant":"` + strings.Repeat("x", 300) + `","user":"u1"}`, 400, "tenant", ""},
		"no JSON":                 {http.MethodPost, "/v1/forget", media, `forget me`, 400, "", "JSON"},
		"nothing":                 {http.MethodPost, "/v1/forget", media, ``, 400, "", "JSON"},
		"two values":              {http.MethodPost, "/v1/forget", media, `{"user":"u1","all":true}{}`, 400, "", "more than one"},
		"a form":                  {http.MethodPost, "/v1/forget", "text/plain", `{"user":"u1","all":true}`, 415, "Content-Type", ""},
		"a huge body":             {http.MethodPost, "/v1/forget", media, `{"user":"u1","contains":"` + strings.Repeat("x", 65<<10) + `"}`, 413, "", ""},
		"another method":          {http.MethodGet, "/v1/forget?user=u1", "", ``, 405, "", ""},
		"everything at once":      {http.MethodDelete, "/v1/memories?user=u1", "", ``, 404, "", ""},
		"delete, no user":         {http.MethodDelete, "/v1/memories/m1", "", ``, 400, "user", "empty"},
		"delete, unknown":         {http.MethodDelete, "/v1/memories/m1?user=u1&force=true", "", ``, 400, "force", "known"},
		"delete, twice":           {http.MethodDelete, "/v1/memories/m1?user=u1&user=u2", "", ``, 400, "user", "twice"},
		"restore, no user":        {http.MethodPost, "/v1/memories/m1/restore", media, `{}`, 400, "user", "empty"},
		"restore, a selection":    {http.MethodPost, "/v1/memories/m1/restore", media, `{"user":"u1","all":true}`, 400, "all", "known"},
		"restore, a form":         {http.MethodPost, "/v1/memories/m1/restore", "text/plain", `{"user":"u1"}`, 415, "Content-Type", ""},
		"erase, no user":          {http.MethodPost, "/v1/erase", media, `{}`, 400, "user", "empty"},
		"erase, a part":           {http.MethodPost, "/v1/erase", media, `{"user":"u1","thread":"t1"}`, 400, "thread", "known"},
		"erase, a tenant alone":   {http.MethodPost, "/v1/erase", media, `{"tenant":"acme"}`, 400, "user", "empty"},
		"erase, a wrong type":     {http.MethodPost, "/v1/erase", media, `{"user":["u1"]}`, 400, "user", "string"},
		"erase, another method":   {http.MethodDelete, "/v1/erase", media, `{"user":"u1"}`, 405, "", ""},
		"verify, no user":         {http.MethodPost, "/v1/erase/verify", media, `{}`, 400, "user", "empty"},
		"verify, unknown":         {http.MethodPost, "/v1/erase/verify", media, `{"user":"u1","deep":1}`, 400, "deep", "known"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &clerk{}
			h, log := openWith(c)
			ask(t, h, tt.method, tt.path, tt.media, tt.body).wantProblem(t, tt.status, tt.field, tt.detail)
			if c.asked != "" || log.Len() > 0 {
				t.Errorf("the service is asked to %s; logged is %q", c.asked, log)
			}
		})
	}
}

// TestForgettingFails: what the service says becomes one clear problem.
func TestForgettingFails(t *testing.T) {
	requests := map[string][3]string{
		"forget":     {http.MethodPost, "/v1/forget", `{"user":"u1","all":true}`},
		"suppress":   {http.MethodPost, "/v1/suppress", `{"user":"u1","all":true}`},
		"unsuppress": {http.MethodPost, "/v1/unsuppress", `{"user":"u1","all":true}`},
		"delete":     {http.MethodDelete, "/v1/memories/m1?user=u1", ""},
		"restore":    {http.MethodPost, "/v1/memories/m1/restore", `{"user":"u1"}`},
		"erase":      {http.MethodPost, "/v1/erase", `{"user":"u1"}`},
		"verify":     {http.MethodPost, "/v1/erase/verify", `{"user":"u1"}`},
	}
	for name, tt := range map[string]struct {
		err    error
		status int
		field  string
		logged bool
	}{
		"a bad field":  {fault.BadField("keys", "unknown key"), 400, "keys", false},
		"nothing such": {fmt.Errorf("x: %w", curate.ErrNotFound), 404, "", false},
		"too late":     {&curate.ConflictError{How: "it was answered"}, 409, "", false},
		"an outage":    {fault.Outage(errors.New("nats: no servers"), 0), 503, "", true},
		"anything":     {errors.New("secret of the house"), 500, "", true},
	} {
		for request, r := range requests {
			h, log := openWith(&clerk{err: tt.err})
			a := ask(t, h, r[0], r[1], "application/json", r[2])
			a.wantProblem(t, tt.status, tt.field, "")
			if strings.Contains(a.Body.String(), "secret") || (log.Len() > 0) != tt.logged {
				t.Errorf("%s with %s answers %s and logs %q", request, name, a.Body, log)
			}
		}
	}
}

// TestForgettingEndToEnd has a user forget, undo, hush and be erased through the edge alone.
func TestForgettingEndToEnd(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "I work at a bakery.", "I live in Oslo.", "I like jazz.")
	d.say(t, "u2", "I live in Oslo.")
	list := func(user, filter string) map[string]memory.ID {
		t.Helper()
		var got struct{ Memories []memory.Memory }
		if status, body := d.call(t, http.MethodGet, "/v1/memories?user="+user+filter, "", &got); status != http.StatusOK {
			t.Fatalf("memories%s answer %d with %s", filter, status, body)
		}
		out := map[string]memory.ID{}
		for _, m := range got.Memories {
			out[m.Text] = m.ID
		}
		return out
	}
	do := func(method, path, body string, want int) {
		t.Helper()
		if status, answer := d.call(t, method, path, body, nil); status != want {
			t.Errorf("%s %s %s answers %d with %s, want %d", method, path, body, status, answer, want)
		}
	}
	has := func(user, filter string, texts ...string) {
		t.Helper()
		got := list(user, filter)
		for _, text := range texts {
			if got[text] == "" {
				t.Errorf("memories%s of %s lack %q: %v", filter, user, text, got)
			}
		}
		if len(got) != len(texts) {
			t.Errorf("memories%s of %s are %v, want %q", filter, user, got, texts)
		}
	}
	const job, home, music = "I work at a bakery", "I live in Oslo", "I like jazz"
	ids := list("u1", "&status=current")
	one := "/v1/memories/" + string(ids[job])
	do(http.MethodDelete, one+"?user=u2", "", http.StatusNotFound) // somebody else's
	do(http.MethodDelete, one+"?user=u1", "", http.StatusOK)
	do(http.MethodDelete, one+"?user=u1", "", http.StatusNotFound)
	has("u1", "&status=current", home, music)
	do(http.MethodPost, one+"/restore", `{"user":"u2"}`, http.StatusNotFound)
	do(http.MethodPost, one+"/restore", `{"user":"u1"}`, http.StatusOK)
	do(http.MethodPost, one+"/restore", `{"user":"u1"}`, http.StatusNotFound)
	do(http.MethodPost, "/v1/memories/x/restore", `{"user":"u1"}`, http.StatusNotFound)
	has("u1", "&status=current", job, home, music)

	do(http.MethodPost, "/v1/suppress", `{"user":"u1","contains":"JAZZ"}`, http.StatusOK)
	has("u1", "&status=suppressed", music)
	has("u1", "&archive=true&status=suppressed")
	do(http.MethodPost, "/v1/unsuppress", `{"user":"u1","keys":["user.likes"]}`, http.StatusOK)
	has("u1", "&status=suppressed")

	d.say(t, "u1", "I moved to Bergen.")
	has("u1", "&archive=true", home)
	do(http.MethodPost, "/v1/forget", `{"user":"u1","topic":"where I live"}`, http.StatusOK)
	has("u1", "&archive=true")
	has("u1", "&status=current", job, music)
	do(http.MethodPost, "/v1/forget", `{"user":"u1","contains":" "}`, http.StatusBadRequest)

	do(http.MethodPost, "/v1/erase", `{"user":"u1"}`, http.StatusOK)
	has("u1", "")
	has("u2", "", home)
	var left curate.Receipt
	if status, body := d.call(t, http.MethodPost, "/v1/erase/verify", `{"user":"u1"}`, &left); status != http.StatusOK || !left.Final {
		t.Errorf("verify answers %d with %s", status, body)
	}
	for place, n := range left.Removed {
		if n != 0 {
			t.Errorf("%d pieces are left in %s", n, place)
		}
	}
}
