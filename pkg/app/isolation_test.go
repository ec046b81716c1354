package app_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// recipe makes valid requests for an operation.
type recipe struct {
	// fields are a valid request about p, but for whose it is. N differs from door to door, for
	// what can be done once.
	fields func(p *dweller, n int) map[string]any
	// shows says that the reply to it holds what p has said or put.
	shows bool
	// once says that a second such request is another one.
	once bool
	// visitor says that it is about the visitor, who may be spent, and of whom nothing is shown.
	visitor bool
}

type fields = map[string]any

func none(*dweller, int) fields { return fields{} }

// note is the i-th of the notes that a door may spend.
func note(i int) func(p *dweller, n int) fields {
	return func(p *dweller, n int) fields { return fields{"id": p.notes[3*n+i]} }
}

func visitor(n int) memory.User { return memory.User(fmt.Sprint("visitor ", n)) }

func guide(n int) string { return fmt.Sprint("guide ", n) }

// recipes are how each operation is asked for. One that is not here fails the test.
var recipes = map[string]recipe{
	"answer_question": {fields: func(p *dweller, n int) fields { return fields{"id": p.questions[n], "decision": "keep"} }, once: true},
	"consolidate":     {fields: func(*dweller, int) fields { return fields{"thread": "an empty one"} }},
	"delete_document": {fields: func(p *dweller, n int) fields {
		return fields{"namespace": p.namespace, "key": p.document + strings.Repeat("+", n+1)}
	}, once: true},
	"delete_memory":   {fields: note(0), once: true},
	"edit_memory":     {fields: func(p *dweller, _ int) fields { return fields{"id": p.notes[9], "pinned": true} }},
	"erase":           {fields: none, once: true, visitor: true},
	"erase_owner":     {fields: func(_ *dweller, n int) fields { return fields{"whole": "agent", "agent": guide(n)} }},
	"events":          {fields: func(p *dweller, n int) fields { return fields{"events": []fields{turn(p, n)}} }},
	"export":          {fields: none, shows: true},
	"forget":          {fields: func(p *dweller, n int) fields { return fields{"ids": []string{p.notes[3*n+1]}} }, once: true},
	"get_document":    {fields: func(p *dweller, _ int) fields { return fields{"namespace": p.namespace, "key": p.document} }, shows: true},
	"history":         {fields: none, shows: true},
	"import":          {fields: func(p *dweller, _ int) fields { return fields{"version": 1, "records": []json.RawMessage{p.record}} }, visitor: true},
	"list_namespaces": {fields: none},
	"memories":        {fields: none, shows: true},
	"memory":          {fields: func(p *dweller, _ int) fields { return fields{"id": p.notes[9]} }, shows: true},
	"merge":           {fields: func(_ *dweller, n int) fields { return fields{"from": visitor(n + 10), "then": "keep"} }},
	"patch_profile": {fields: func(p *dweller, n int) fields {
		return fields{"patch": []fields{{"op": "add", "path": "/user/skills/-", "value": fmt.Sprintf("%s skill %d", p.word, n)}}}
	}, once: true},
	"profile": {fields: none, shows: true},
	"put_documents": {fields: func(p *dweller, _ int) fields {
		return fields{"namespace": p.namespace, "key": "put", "value": fields{"text": p.word}}
	}},
	"questions":  {fields: none, shows: true},
	"recall":     {fields: func(p *dweller, _ int) fields { return fields{"query": "Do I like " + p.word + "?"} }, shows: true},
	"recalls":    {fields: none},
	"rejections": {fields: none},
	"remember": {fields: func(p *dweller, n int) fields {
		return fields{"text": fmt.Sprintf("I like %s jam number %d.", p.word, n)}
	}, shows: true},
	"restore_memory":       {fields: func(p *dweller, n int) fields { return fields{"id": p.gone[n]} }, once: true},
	"search_documents":     {fields: none, shows: true},
	"suppress":             {fields: func(p *dweller, _ int) fields { return fields{"ids": []string{p.notes[10]}} }},
	"trace":                {fields: func(p *dweller, _ int) fields { return fields{"id": p.recalls[0]} }, shows: true},
	"unsuppress":           {fields: func(p *dweller, _ int) fields { return fields{"ids": []string{p.notes[10]}} }},
	"verify_erasure":       {fields: none},
	"verify_owner_erasure": {fields: func(_ *dweller, n int) fields { return fields{"whole": "agent", "agent": guide(n)} }},
}

// turn is an event without an owner.
func turn(p *dweller, n int) fields {
	e := said(p.ThreadRef, day, fmt.Sprintf("I like %s pie number %d.", p.word, n))
	return fields{
		"specversion": "1.0", "id": p.opaque(e.ID), "source": "/test", "type": event.TypeTurn, "thread": "another", "data": e.Data,
	}
}

// foreign are the fields that may name something of somebody's, by what of somebody else's to
// put there.
var foreign = map[string]func(op *operation, other *dweller) any{
	"id": func(op *operation, other *dweller) any {
		switch {
		case strings.HasPrefix(op.path, "/v1/questions"):
			return other.questions[0]
		case strings.HasPrefix(op.path, "/v1/recalls"):
			return other.recalls[0]
		case op.id == "restore_memory":
			return other.gone[0]
		}
		return other.notes[0]
	},
	"ids":    func(_ *operation, other *dweller) any { return other.notes },
	"thread": func(_ *operation, other *dweller) any { return string(other.Thread) },
	"event":  func(_ *operation, other *dweller) any { return other.events[0] },
	"cursor": func(_ *operation, other *dweller) any { return other.cursor },
	"namespace": func(op *operation, other *dweller) any {
		if op.id == "recall" {
			return other.namespace[0]
		}
		return other.namespace
	},
	"key": func(op *operation, other *dweller) any {
		if strings.HasPrefix(op.path, "/v1/store") {
			return other.document
		}
		return "user.likes"
	},
	"namespace_prefix": func(_ *operation, other *dweller) any { return other.namespace },
	"prefix":           func(_ *operation, other *dweller) any { return other.namespace },
	"suffix":           func(_ *operation, other *dweller) any { return other.namespace },
	"contains":         func(_ *operation, other *dweller) any { return other.word },
	"topic":            func(_ *operation, other *dweller) any { return other.word },
	"query":            func(_ *operation, other *dweller) any { return "Do I like " + other.word + "?" },
	"filter": func(_ *operation, other *dweller) any {
		return fields{"text": fmt.Sprintf("about %s and %s", other.word, other.han)}
	},
	"shared":          func(*operation, *dweller) any { return true },
	"include_archive": func(*operation, *dweller) any { return true },
	"archive":         func(*operation, *dweller) any { return true },
	"records":         func(_ *operation, other *dweller) any { return []json.RawMessage{other.record} },
	"events": func(_ *operation, other *dweller) any {
		e := turn(other, 0)
		e["id"], e["thread"] = other.events[len(other.events)-1], string(other.Thread)
		return []fields{e}
	},
}

// harmless are the fields that name nothing of anybody's. Whose a request is, tenant, user and
// agent say; merge takes from a user of the tenant, whom its role reaches.
var harmless = []string{
	"tenant", "user", "agent", "from", "then", "all", "as_of", "budget", "decision", "expires_at", "explain", "include_questions", "index", "items",
	"keys", "kind", "kinds", "limit", "max_depth", "no_expiry", "offset", "patch", "pinned", "since", "status", "text", "ttl", "until", "value", "version",
	"whole", "at", "assistant", "place", "speaker",
}

// own are the values that a request about somebody has for what belongs together.
func (op *operation) with(request fields, name string, other *dweller) fields {
	out := maps.Clone(request)
	out[name] = foreign[name](op, other)
	switch {
	case strings.HasPrefix(op.path, "/v1/store") && name == "key":
		out["namespace"] = other.namespace
	case name != "ids" && slices.Contains([]string{"forget", "suppress", "unsuppress"}, op.id):
		delete(out, "ids")
	case op.id == "remember" && name == "key":
		out["value"] = "walking"
	}
	return out
}

// about is the request with its owner in it.
func (op *operation) about(request fields, tenant memory.Tenant, user memory.User) fields {
	out := maps.Clone(request)
	if op.id == door.OpEvents {
		e := maps.Clone(out["events"].([]fields)[0])
		e["tenant"], e["user"] = tenant, user
		out["events"] = []fields{e}
		return out
	}
	out["tenant"], out["user"] = string(tenant), string(user)
	if strings.HasPrefix(op.path, "/v1/erase") || strings.HasPrefix(op.path, "/v1/store") {
		delete(out, "agent")
	}
	return out
}

// holder is a credential, and what it reaches.
type holder struct {
	name, token string
	tenant      memory.Tenant
	user        memory.User
	role        access.Role
}

// reaches reports whether the holder may ask about p.
func (h holder) reaches(p *dweller) bool {
	return h.tenant == p.Tenant && (h.user == "" || h.user == p.User)
}

// trial is a world in which every operation is tried on one door.
type trial struct {
	*world
	edge
	n int
	// alice is who asks, others are whose things are tried.
	alice  *dweller
	others []*dweller
	// mine are alice's credentials and those that reach her, theirs further ones.
	mine, theirs []holder
	wrong        map[string]string
	// kept is what alice has said of others and holds since.
	kept string
	// was is what everybody else has.
	was map[string]string
}

// TestIsolationOfEveryDoor is invariant 4 at the doors: every operation of the OpenAPI document
// is asked for with every wrong credential, for every other owner, and with the ids of others.
// Nothing of anybody else's comes back, and nothing of theirs changes. The right request
// succeeds each time.
func TestIsolationOfEveryDoor(t *testing.T) {
	w := startWorld(t)
	ops := operations(t, w.url)
	for _, op := range ops {
		if _, ok := recipes[op.id]; !ok {
			t.Errorf("there is no way to make a valid request for %s: add it to recipes", op.id)
		}
		for name := range op.fields {
			if foreign[name] == nil && !slices.Contains(harmless, name) {
				t.Errorf("%s has a field %s, of which it is not known whether it names anything of anybody's", op.id, name)
			}
		}
	}
	if t.Failed() || len(ops) == 0 {
		t.Fatalf("%d operations", len(ops))
	}
	http := overHTTP{w.url}
	tr := w.trial(t, http)
	tr.was = tr.states(t)
	tr.published(t)
	places := tr.places(t)
	for n, d := range []struct {
		name string
		edge
	}{{"HTTP", http}, {"NATS", overNATS{w.backend.NATS}}, {"MCP", startMCP(t, http, w.people[0].userKey)}} {
		tr.edge, tr.n = d.edge, n
		for _, op := range ops {
			t.Run(d.name+" "+op.id, func(t *testing.T) { tr.try(t, op) })
		}
		now := tr.states(t)
		for who, was := range tr.was {
			if now[who] != was {
				t.Errorf("after all that came over %s, %s is not what it was:\nbefore %s\nafter  %s", d.name, who, was, now[who])
			}
		}
	}
	if now := tr.places(t); !maps.Equal(now, places) {
		t.Errorf("of others there is something else than before: %v, before %v", now, places)
	}
	for n, d := range []edge{http, overNATS{w.backend.NATS}} { // tools take no idempotency key
		tr.edge, tr.n = d, n
		t.Run(fmt.Sprintf("idempotency keys %T", d), func(t *testing.T) { tr.keysAreApart(t, ops) })
	}
}

// places are how many pieces there are of everybody but alice, by place.
func (tr *trial) places(t *testing.T) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, p := range tr.people[1:] {
		for place, n := range tr.left(t, p.Scope()) {
			if place == stream.PlaceKeys {
				continue // that a key is used is noted with it, some time later
			}
			out[fmt.Sprint(p.Scope(), " ", place)] = n
		}
	}
	return out
}

// agentKey is that of all agents of the tenant, boundAgent of one that owns nothing.
const (
	agentKey   = "an agent's key"
	boundAgent = "a bound agent's key"
)

// trial makes the credentials.
func (w *world) trial(t *testing.T, at overHTTP) *trial {
	t.Helper()
	alice, bob := w.people[0], w.people[1]
	tr := &trial{world: w, alice: alice, others: []*dweller{w.people[2], w.people[3]}}
	agent := w.key(t, access.Key{Tenant: "acme", Role: access.RoleAgent})
	tr.mine = []holder{
		{"her key", alice.userKey, "acme", "alice", access.RoleUser}, {"her token", alice.user, "acme", "alice", access.RoleUser},
		{agentKey, agent, "acme", "", access.RoleAgent},
		{boundAgent, w.key(t, access.Key{Tenant: "acme", Role: access.RoleAgent, Agent: "clerk"}), "acme", "", access.RoleAgent},
		{"an admin's key", w.key(t, access.Key{Tenant: "acme", Role: access.RoleAdmin}), "acme", "", access.RoleAdmin},
		{"an admin's token", w.token(t, w.signer, jwt.MapClaims{"tenant": "acme", "sub": "root", "role": "admin"}), "acme", "", access.RoleAdmin},
	}
	tr.theirs = []holder{
		{"another user's key", bob.userKey, "acme", "bob", access.RoleUser}, {"another user's token", bob.user, "acme", "bob", access.RoleUser},
		{"a namesake's key", w.people[4].userKey, "globex", "bob", access.RoleUser},
	}
	victim := tr.others[0]
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	claims := jwt.MapClaims{"tenant": victim.Tenant, "sub": victim.User}
	changed := func(name string, value any) string {
		c := maps.Clone(claims)
		c[name] = value
		return w.token(t, w.signer, c)
	}
	unsigned := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{
		"iss": w.issuer, "aud": audience, "exp": time.Now().Add(time.Hour).Unix(), "tenant": victim.Tenant, "sub": victim.User,
	})
	plain, err := unsigned.SignedString(jwt.UnsafeAllowNoneSignatureType)
	must(t, err)
	late, expired, err := access.NewKey(access.Key{
		Tenant: victim.Tenant, User: victim.User, Role: access.RoleUser, ExpiresAt: time.Now().Add(-time.Hour),
	}, time.Now().Add(-2*time.Hour))
	must(t, err, w.Keys().Create(t.Context(), late))
	gone, revoked, err := access.NewKey(access.Key{Tenant: victim.Tenant, User: victim.User, Role: access.RoleUser}, time.Now())
	must(t, err, w.Keys().Create(t.Context(), gone), w.Keys().Revoke(t.Context(), victim.Tenant, gone.ID, time.Now()))
	tr.wrong = map[string]string{
		"no credential": "", "no key at all": "let me in", "another secret": victim.userKey[:len(victim.userKey)-4] + "aaaa",
		"a revoked key": revoked, "an expired key": expired,
		"an expired token": changed("exp", time.Now().Add(-time.Hour).Unix()), "another issuer's token": changed("iss", "https://other.example.com"),
		"a token for others": changed("aud", "others"), "a token signed by another": w.token(t, stranger, claims), "an unsigned token": plain,
		"a token of no role": changed("role", "operator"), "a token of no tenant": changed("tenant", ""),
	}
	for n := range 3 {
		w.seed(t, memory.UserScope("acme", visitor(n)), 1, "a visit")
		w.seed(t, memory.UserScope("acme", visitor(n+10)), 1, "a visit")
		w.seed(t, memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: guide(n)}}, 1, "a way")
	}
	until(t, "the keys and the issuer's keys are known", func() bool {
		known := true
		for _, h := range append(slices.Clone(tr.mine), tr.theirs...) {
			got := at.ask(t, &operation{method: "GET", path: "/v1/questions", fields: map[string]string{"user": "query"}}, call{token: h.token, fields: fields{"user": string(h.user)}})
			known = known && got.status != http.StatusUnauthorized && got.status != http.StatusServiceUnavailable
		}
		return known
	})
	return tr
}

// try tries an operation in every way, and then as it is meant.
func (tr *trial) try(t *testing.T, op *operation) {
	r := recipes[op.id]
	if !tr.opens(op, r.fields(tr.alice, tr.n)) {
		return
	}
	for name, token := range tr.wrong {
		c := call{fields: op.about(r.fields(tr.others[0], tr.n), tr.others[0].Tenant, tr.others[0].User), token: token}
		tr.refused(t, op, name, c, http.StatusUnauthorized)
	}
	for _, h := range append(slices.Clone(tr.mine), tr.theirs...) {
		for _, p := range append(slices.Clone(tr.others), tr.alice) {
			if h.reaches(p) && h.role.May(access.Role(op.role)) {
				continue
			}
			c := call{fields: op.about(r.fields(p, tr.n), p.Tenant, p.User), token: h.token}
			tr.refused(t, op, fmt.Sprintf("%s for %s/%s", h.name, p.Tenant, p.User), c, http.StatusForbidden)
		}
		tr.sharedIsApart(t, op, h, r)
	}
	tried := 0
	for _, h := range tr.mine {
		// A user's key, and a key of all users.
		if h.role.May(access.Role(op.role)) && (tried == 0 || tr.n == 0 && h.name == agentKey) {
			tr.withIDsOfOthers(t, op, h, r)
			tried++
		}
	}
	tr.right(t, op, r)
	if op.id == door.OpEvents { // else it happens when it is asked for at the next door
		for _, p := range tr.others {
			tr.consolidate(t, memory.ThreadRef{Tenant: tr.alice.Tenant, User: tr.alice.User, Thread: p.Thread})
		}
		tr.published(t)
	}
}

// sharedIsApart asks for what an agent or a tenant owns with a credential that does not reach
// it.
func (tr *trial) sharedIsApart(t *testing.T, op *operation, h holder, r recipe) {
	t.Helper()
	if !op.has("agent") {
		return
	}
	for word, s := range tr.shared {
		within := s.Tenant == h.tenant
		if within && (h.user == "" && h.name != boundAgent || h.user != "" && s.Owner.ID == "" || op.id == "recall" && h.name != boundAgent) {
			continue // it reaches that, or means itself, or only narrows what it recalls
		}
		request := r.fields(tr.alice, tr.n)
		request["tenant"] = string(s.Tenant)
		if delete(request, "agent"); s.Owner.ID != "" {
			request["agent"] = s.Owner.ID
		}
		if tr.opens(op, request) {
			tr.refused(t, op, fmt.Sprintf("%s for what is of %s", h.name, word), call{fields: request, token: h.token}, http.StatusForbidden)
		}
	}
}

// withIDsOfOthers asks about alice, with one field after the other out of somebody else's life.
func (tr *trial) withIDsOfOthers(t *testing.T, op *operation, h holder, r recipe) {
	t.Helper()
	for name := range op.fields {
		if foreign[name] == nil {
			continue
		}
		for i, p := range tr.others {
			second := h.name == agentKey && op.role == string(access.RoleUser) && !r.visitor
			if tr.n > 0 && i != tr.n-1 || second && i == 0 {
				continue // the same functions are behind every door and every credential
			}
			scope := tr.alice.Scope()
			if r.visitor {
				scope = memory.UserScope("acme", visitor(tr.n))
			}
			request := op.about(op.with(r.fields(tr.alice, tr.n), name, p), scope.Tenant, memory.User(scope.Owner.ID))
			if !tr.opens(op, request) || r.visitor && h.user != "" {
				continue
			}
			label := fmt.Sprintf("%s, with the %s of %s/%s", h.name, name, p.Tenant, p.User)
			got := tr.asked(t, op, label, call{fields: request, token: h.token}, scope)
			if slices.Contains(keeping, op.id) {
				tr.kept += encoded(t, request)
			}
			if got.status == http.StatusUnauthorized || got.status == http.StatusForbidden || got.status >= http.StatusInternalServerError {
				t.Errorf("%s: %d %s", label, got.status, got.body)
			}
			if op.id == door.OpEvents && h.name == agentKey && tr.n == 0 && (got.status >= 300 || strings.Contains(got.body, `"duplicate":true`)) {
				t.Errorf("%s: what another published is in the way: %d %s", label, got.status, got.body)
			}
		}
	}
}

// right asks as it is meant.
func (tr *trial) right(t *testing.T, op *operation, r recipe) {
	t.Helper()
	done := 0
	for _, h := range tr.mine {
		if !h.role.May(access.Role(op.role)) || (r.once || tr.n > 0) && done > 0 || r.visitor && h.user != "" {
			continue
		}
		request, scope := r.fields(tr.alice, tr.n), tr.alice.Scope()
		switch {
		case r.visitor:
			scope = memory.UserScope("acme", visitor(tr.n))
			request = op.about(request, "acme", visitor(tr.n))
		case request["whole"] != nil:
			scope = memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: guide(tr.n)}}
		case h.user == "":
			request = op.about(request, tr.alice.Tenant, tr.alice.User)
		}
		got := tr.asked(t, op, h.name, call{fields: request, token: h.token}, scope)
		if got.status < 200 || got.status > 299 {
			t.Errorf("the right request with %s is answered with %d %s", h.name, got.status, got.body)
		}
		if r.shows && !strings.Contains(strings.ToLower(got.body), tr.alice.word) {
			t.Errorf("the right request with %s does not show what is there: %s", h.name, got.body)
		}
		done++
	}
	if done == 0 {
		t.Error("there was no right request: the test would show nothing")
	}
}

// keeping are the operations that keep something of the request, so that it is alice's own
// from then on.
var keeping = []string{"recall", "remember", "put_documents", door.OpEvents}

// keysAreApart repeats a write of alice's, under the same idempotency key, with the credentials
// of others for themselves: each is carried out for them, and none gets her reply.
func (tr *trial) keysAreApart(t *testing.T, ops []*operation) {
	t.Helper()
	op := ops[slices.IndexFunc(ops, func(op *operation) bool { return op.id == "remember" })]
	request := fields{"text": fmt.Sprintf("I like tea from door %d.", tr.n)}
	ids := map[string]string{}
	for _, p := range tr.people {
		c := call{fields: request, token: p.userKey, key: fmt.Sprint("once ", tr.n)}
		first, again := tr.asked(t, op, string(p.User), c, p.Scope()), tr.asked(t, op, string(p.User), c, p.Scope())
		if first.status != http.StatusOK || !strings.Contains(first.body, `"result":"added"`) {
			t.Errorf("%s/%s: %d %s, want that it was added", p.Tenant, p.User, first.status, first.body)
		}
		if encoded(t, first) != encoded(t, again) {
			t.Errorf("%s/%s: repeated, it is %+v, was %+v", p.Tenant, p.User, again, first)
		}
		if other := ids[first.body]; other != "" {
			t.Errorf("%s/%s has got the reply of %s", p.Tenant, p.User, other)
		}
		ids[first.body] = fmt.Sprint(p.Scope())
	}
}

// refused asks and expects to be refused.
func (tr *trial) refused(t *testing.T, op *operation, name string, c call, status int) {
	t.Helper()
	got := tr.asked(t, op, name, c, memory.Scope{})
	if got.status != status {
		t.Errorf("%s: %d %s, want %d", name, got.status, got.body, status)
	}
}

// asked asks, and checks that the reply holds nothing and the streams have got nothing of
// anybody but the owner in scope; the zero scope is nobody.
func (tr *trial) asked(t *testing.T, op *operation, name string, c call, scope memory.Scope) answer {
	t.Helper()
	got := tr.ask(t, op, c)
	if !slices.Contains(op.statuses, strconv.Itoa(got.status)) && got.status != http.StatusOK {
		t.Errorf("%s: the status %d is not in the document: %s", name, got.status, got.body)
	}
	sent := encoded(t, c.fields)
	for _, p := range tr.people {
		if p.Scope() == scope {
			continue
		}
		for _, mark := range p.marks() {
			if strings.Contains(got.body, mark) && !strings.Contains(sent, mark) && !strings.Contains(tr.kept, mark) {
				t.Errorf("%s: the reply holds %q of %s/%s: %d %s", name, mark, p.Tenant, p.User, got.status, got.body)
			}
		}
	}
	for word, s := range tr.shared {
		if strings.Contains(got.body, word) && s != scope {
			t.Errorf("%s: the reply holds %q: %s", name, word, got.body)
		}
	}
	for _, subject := range tr.published(t) {
		if !of(subject, scope) {
			t.Errorf("%s: there is something on %s: %d %s", name, subject, got.status, got.body)
		}
	}
	return got
}

// of reports whether a message on the subject is of the owner.
func of(subject string, scope memory.Scope) bool {
	if scope == (memory.Scope{}) {
		return false
	}
	thread := memory.ThreadRef{Tenant: scope.Tenant, User: memory.User(scope.Owner.ID), Thread: "x"}
	return subject == stream.LedgerSubject(scope) || strings.HasPrefix(subject, strings.TrimSuffix(stream.EventSubject(thread), "x"))
}

// states are what everybody has but alice and those who are there to be spent.
func (tr *trial) states(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	add := func(name string, s memory.Scope) {
		records, err := tr.Recall.Records(t.Context(), s)
		must(t, err)
		open, err := tr.Curate.Pending(t.Context(), s)
		must(t, err)
		out[name] = encoded(t, []any{tr.holdings(t, s), records, open})
	}
	for _, p := range tr.people {
		if p != tr.alice {
			add(fmt.Sprint(p.Scope()), p.Scope())
		}
	}
	for word, s := range tr.shared {
		add(word, s)
	}
	return out
}
