package door_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// The callers.
var (
	local    = access.Local()
	admin    = access.Caller{Tenant: "acme", Role: access.RoleAdmin, Key: "k-admin"}
	backend  = access.Caller{Tenant: "acme", Role: access.RoleAgent, Key: "k-agent"}
	helper   = access.Caller{Tenant: "acme", Agent: "helper", Role: access.RoleAgent, Key: "k-helper"}
	alice    = access.Caller{Tenant: "acme", User: "alice", Role: access.RoleUser, Key: "k-alice"}
	nobody   = access.Caller{}
	userless = access.Caller{Tenant: "acme", Role: access.RoleUser, Key: "k-userless"}
)

type ofUser struct {
	door.User
	Note  string   `json:"note,omitempty" maxLength:"5"`
	Count int      `json:"count,omitempty" minimum:"1" maximum:"3"`
	Kind  string   `json:"kind" enum:"a,b"`
	Tags  []string `json:"tags,omitempty" maxItems:"2"`
	Inner *inner   `json:"inner,omitempty"`
}

type inner struct {
	Name string `json:"name"`
}

type ofAgent struct{ door.UserAgent }

type ofOwner struct{ door.Owner }

// reply says whose the request was.
type reply struct {
	Scope memory.Scope `json:"scope"`
	Agent memory.Agent `json:"agent"`
}

// table has an operation for each way to say whose it is. Calls counts what got through.
func table(calls *int, err *error) *door.Table {
	t := door.NewTable()
	one := func(id string, least access.Role, writes bool) door.Operation {
		return door.Operation{ID: id, Summary: id, Tag: "test", Method: http.MethodPost, Path: "/" + id, Role: least, Writes: writes}
	}
	done := func(s memory.Scope, a memory.Agent) (*reply, error) {
		*calls++
		return &reply{s, a}, *err
	}
	door.Add(t, one("user", access.RoleUser, true), func(_ context.Context, _ access.Caller, in *ofUser) (*reply, error) {
		return done(in.Scope(), "")
	})
	door.Add(t, one("agent", access.RoleAgent, false), func(_ context.Context, _ access.Caller, in *ofAgent) (*reply, error) {
		return done(in.Scope(), in.Agent)
	})
	door.Add(t, one("owner", access.RoleUser, true), func(_ context.Context, _ access.Caller, in *ofOwner) (*reply, error) {
		return done(in.Scope(), in.Agent)
	})
	door.Add(t, one("owned", access.RoleUser, false), func(_ context.Context, _ access.Caller, in *ofOwner) (*reply, error) {
		return done(in.Scope(), in.Agent)
	})
	door.Add(t, one("admin", access.RoleAdmin, true), func(_ context.Context, _ access.Caller, in *ofAgent) (*reply, error) {
		return done(in.Scope(), in.Agent)
	})
	return t
}

func of(kind memory.OwnerKind, tenant memory.Tenant, id string) memory.Scope {
	return memory.Scope{Tenant: tenant, Owner: memory.Owner{Kind: kind, ID: id}}
}

// TestRequestsAreNarrowed: what a request leaves out comes from the credential, and what it
// names beyond it is refused, before anything is done.
func TestRequestsAreNarrowed(t *testing.T) {
	long := strings.Repeat("x", 257)
	for _, c := range []struct {
		name   string
		op     string
		caller access.Caller
		body   string
		status int
		field  string
		want   reply
	}{
		{"local, no tenant", "user", local, `{"kind":"a","user":"bob"}`, 0, "", reply{of("user", "default", "bob"), ""}},
		{"local, any tenant", "user", local, `{"kind":"a","tenant":"else","user":"bob"}`, 0, "", reply{of("user", "else", "bob"), ""}},
		{"local, no user", "user", local, `{"kind":"a"}`, 400, "user", reply{}},
		{"a long user", "user", local, `{"kind":"a","user":"` + long + `"}`, 400, "user", reply{}},
		{"a long tenant", "user", local, `{"kind":"a","user":"bob","tenant":"` + long + `"}`, 400, "tenant", reply{}},
		{"half a character", "user", local, `{"kind":"a","user":"\ud800"}`, 400, "user", reply{}},
		{"admin", "user", admin, `{"kind":"a","user":"bob"}`, 0, "", reply{of("user", "acme", "bob"), ""}},
		{"admin, their own tenant", "user", admin, `{"kind":"a","tenant":"acme","user":"bob"}`, 0, "", reply{of("user", "acme", "bob"), ""}},
		{"admin, another tenant", "user", admin, `{"kind":"a","tenant":"else","user":"bob"}`, 403, "tenant", reply{}},
		{"admin, another tenant, nothing else", "user", admin, `{"tenant":"else"}`, 403, "tenant", reply{}},
		{"a user", "user", alice, `{"kind":"a"}`, 0, "", reply{of("user", "acme", "alice"), ""}},
		{"a user by name", "user", alice, `{"kind":"a","user":"alice"}`, 0, "", reply{of("user", "acme", "alice"), ""}},
		{"another user", "user", alice, `{"kind":"a","user":"bob"}`, 403, "user", reply{}},
		{"another user, out of bounds", "user", alice, `{"user":"bob","count":9}`, 403, "user", reply{}},
		{"another tenant's user", "user", alice, `{"kind":"a","tenant":"else"}`, 403, "tenant", reply{}},
		{"a backend", "agent", backend, `{"user":"bob","agent":"any"}`, 0, "", reply{of("user", "acme", "bob"), "any"}},
		{"a bound backend", "agent", helper, `{"user":"bob"}`, 0, "", reply{of("user", "acme", "bob"), "helper"}},
		{"a bound backend for another agent", "agent", helper, `{"user":"bob","agent":"any"}`, 403, "agent", reply{}},
		{"a user at a backend's", "agent", alice, `{}`, 403, "", reply{}},
		{"a backend at an admin's", "admin", backend, `{"user":"bob"}`, 403, "", reply{}},
		{"admin at their own", "admin", admin, `{"user":"bob"}`, 0, "", reply{of("user", "acme", "bob"), ""}},
		{"no credential", "user", nobody, `{"kind":"a","user":"bob"}`, 401, "", reply{}},
		{"a user's credential without a user", "user", userless, `{"kind":"a","user":"bob"}`, 401, "", reply{}},
		{"a user's own", "owner", alice, `{}`, 0, "", reply{of("user", "acme", "alice"), ""}},
		{"a user at an agent's", "owner", alice, `{"agent":"helper"}`, 403, "agent", reply{}},
		{"a user and an agent", "owner", backend, `{"user":"bob","agent":"helper"}`, 400, "agent", reply{}},
		{"an agent's", "owner", backend, `{"agent":"helper"}`, 0, "", reply{of("agent", "acme", "helper"), "helper"}},
		{"its own agent's", "owner", helper, `{}`, 0, "", reply{of("agent", "acme", "helper"), "helper"}},
		{"another agent's", "owner", helper, `{"agent":"any"}`, 403, "agent", reply{}},
		{"a user's, by a bound backend", "owner", helper, `{"user":"bob"}`, 0, "", reply{of("user", "acme", "bob"), ""}},
		{"the tenant's, written by a backend", "owner", backend, `{}`, 403, "", reply{}},
		{"the tenant's, read by a backend", "owned", backend, `{}`, 0, "", reply{of("tenant", "acme", ""), ""}},
		{"the tenant's, written by its admin", "owner", admin, `{}`, 0, "", reply{of("tenant", "acme", ""), ""}},
		{"another tenant's", "owner", admin, `{"tenant":"else"}`, 403, "tenant", reply{}},
		{"a long agent", "owner", backend, `{"agent":"` + long + `"}`, 400, "agent", reply{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls int
			var failure error
			op, ok := table(&calls, &failure).Operation(c.op)
			if !ok {
				t.Fatal("there is no such operation")
			}
			out, err := op.Call(t.Context(), c.caller, []byte(c.body))
			if c.status == 0 {
				if got, is := out.(*reply); err != nil || !is || *got != c.want {
					t.Errorf("Call = %+v, %v, want %+v", out, err, c.want)
				}
				return
			}
			p := door.ProblemOf(err)
			if out != nil || p.Status != c.status || p.Field != c.field || calls != 0 {
				t.Errorf("Call = %+v, %+v after %d calls, want %d for %q", out, p, calls, c.status, c.field)
			}
		})
	}
}

// TestRequestsAreReadStrictly: whatever is not as it is described is refused with its name.
func TestRequestsAreReadStrictly(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"user":"u","kind":"a","nope":1}`:                                {"nope", "is not a known field"},
		`{"user":"u","kind":"a","z":1,"nope":1}`:                          {"nope", "is not a known field"},
		`{"User":"u","kind":"a"}`:                                         {"User", "is not a known field"},
		`{"user":"u","user":"v","kind":"a"}`:                              {"user", "appears twice"},
		`{"user":"u","kind":"a","note":7}`:                                {"note", "must be of type string, not number"},
		`{"user":"u","kind":null}`:                                        {"kind", "must be of type string, not null"},
		`{"user":"u","kind":"a","count":"1"}`:                             {"count", "must be of type integer, not string"},
		`{"user":"u","kind":"a","count":1.5}`:                             {"count", "must be of type integer, not number"},
		`{"user":"u","kind":"a","tags":"x"}`:                              {"tags", "must be of type array, not string"},
		`{"user":"u","kind":"a","tags":[1]}`:                              {"tags", "must be of type string, not number"},
		`{"user":"u","kind":"a","inner":[]}`:                              {"inner", "must be of type object, not array"},
		`{"user":"u","kind":"a","inner":{"x":1,"name":""}}`:               {"inner.x", "is not a known field"},
		`{"user":"u","kind":"a","inner":{}}`:                              {"inner.name", "is required"},
		`{"user":"u","kind":"a","note":"longer"}`:                         {"note", "must be at most 5 characters"},
		`{"user":"u","kind":"a","count":4}`:                               {"count", "must be at most 3"},
		`{"user":"u","kind":"a","count":0}`:                               {"count", "must be at least 1"},
		`{"user":"u","kind":"a","tags":["x","y","z"]}`:                    {"tags", "must be at most 2 items"},
		`{"user":"u","kind":"c"}`:                                         {"kind", "must be one of a b"},
		`{"user":"u"}`:                                                    {"kind", "must be one of a b"},
		`[]`:                                                              {"", "must be of type object, not array"},
		`null`:                                                            {"", "must be of type object, not null"},
		`{"user":"u"`:                                                     {"", "not valid JSON"},
		`{"user":"u","kind":"a"} x`:                                       {"", "more than one JSON value"},
		"{\"user\":\"\xff\"}":                                             {"", "not valid UTF-8"},
		`{"kind":"a","user":"` + strings.Repeat("x", door.MaxBody) + `"}`: {"", "larger than 65536 bytes"},
	} {
		var calls int
		var failure error
		op, _ := table(&calls, &failure).Operation("user")
		_, err := op.Call(t.Context(), local, []byte(body))
		if p := door.ProblemOf(err); p.Status < 400 || p.Status > 499 || p.Field != want[0] || !strings.Contains(p.Detail, want[1]) || calls != 0 {
			t.Errorf("%.60s: %+v, want %q", body, p, want)
		}
	}
}

func TestARequestMayBeEmpty(t *testing.T) {
	var calls int
	var failure error
	op, _ := table(&calls, &failure).Operation("owner")
	out, err := op.Call(t.Context(), alice, nil)
	if got, _ := out.(*reply); err != nil || got == nil || got.Scope != of("user", "acme", "alice") {
		t.Errorf("Call = %+v, %v", out, err)
	}
}

// TestErrorsAreMadeOut: a caller hears what was meant for them, and nothing else.
func TestErrorsAreMadeOut(t *testing.T) {
	for want, err := range map[int]error{
		400: fault.BadField("note", "is odd"), 503: fault.Outage(errors.New("host secret is down"), 0), 500: errors.New("secret"),
		401: access.ErrUnauthenticated, 403: &access.ForbiddenError{Field: "user"}, 429: fault.RetryAfter(access.ErrTooMany, 0),
	} {
		var calls int
		op, _ := table(&calls, &err).Operation("user")
		_, got := op.Call(t.Context(), alice, []byte(`{"kind":"a"}`))
		p := door.ProblemOf(got)
		raw, encoded := json.Marshal(p)
		if p.Status != want || p.Title == "" || encoded != nil || strings.Contains(string(raw), "secret") {
			t.Errorf("%v becomes %s, want %d", err, raw, want)
		}
		if after := p.Header.Get("Retry-After"); (after != "") != (want == 503 || want == 429) {
			t.Errorf("%v: Retry-After is %q", err, after)
		}
	}
}

// TestSchemasStandAlone: an edge without HTTP describes a request by its schema.
func TestSchemasStandAlone(t *testing.T) {
	var calls int
	var failure error
	op, _ := table(&calls, &failure).Operation("user")
	var s struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Defs       map[string]json.RawMessage `json:"$defs"`
		Additional any                        `json:"additionalProperties"`
	}
	if err := json.Unmarshal(op.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if s.Type != "object" || len(s.Properties) != 7 || len(s.Required) != 1 || s.Required[0] != "kind" || s.Additional != false || len(s.Defs) != 1 {
		t.Errorf("the schema is %s", op.Schema())
	}
	if inner := string(s.Properties["inner"]); !strings.Contains(inner, `"#/$defs/`) {
		t.Errorf("inner is %s", inner)
	}
}
