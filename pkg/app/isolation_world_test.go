package app_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/nats-io/nats.go"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/shelve"
	"github.com/mnemond/mnemond/pkg/sim"
)

// notes is how many free memories everybody has, beside what they have said.
const notes = 24

// dweller is a user who has something in every place, and words that nobody else has.
type dweller struct {
	memory.ThreadRef
	word, han string

	notes, questions, recalls, events []string
	// gone are notes that were forgotten.
	gone          []string
	namespace     []string
	document      string
	cursor        string
	record        json.RawMessage
	userKey, user string // an API key and a token
}

// opaque is an id that shows nothing of what it stands for.
func (p *dweller) opaque(of string) string {
	sum := sha256.Sum256([]byte(string(p.Tenant) + "/" + string(p.User) + "/" + of))
	return fmt.Sprintf("%s-%x", of, sum[:8])
}

// marks are what would show that something is this person's.
func (p *dweller) marks() []string {
	out := []string{p.word, strings.ToUpper(p.word[:1]) + p.word[1:], p.han, string(p.Thread), p.namespace[0], p.document}
	return slices.Concat(out, p.notes, p.questions, p.recalls, p.events, p.gone)
}

// world is an installation that lets keys and tokens in, with two tenants and their users.
type world struct {
	*still
	url    string
	people []*dweller
	// shared are the scopes of what is an agent's or a tenant's own, by the word in it.
	shared map[string]memory.Scope
	signer *ecdsa.PrivateKey
	issuer string
	// said and decided get every event and every change set.
	said, decided *nats.Subscription
}

const audience = "mnemond"

// startWorld has everybody say, ask, answer, forget, put and recall something.
func startWorld(t *testing.T) *world {
	t.Helper()
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	w := &world{still: &still{clock: &sim.Clock{}, dir: t.TempDir()}, signer: signer, shared: map[string]memory.Scope{}}
	w.clock.Advance(day)
	w.issuer = publishKey(t, signer)
	log := slog.New(slog.DiscardHandler)
	w.backend, err = app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: w.dir}, log)
	must(t, err)
	w.said, err = w.backend.NATS.SubscribeSync("mem.events.>")
	must(t, err)
	w.decided, err = w.backend.NATS.SubscribeSync("mem.ledger.>")
	must(t, err)
	c := app.DefaultConfig()
	c.Timers, c.Recalls.Interval = never, time.Hour // nothing happens but by a request
	c.Auth.Keys, c.Rate.FailuresPerMinute = true, 0
	c.Auth.JWT.Issuer, c.Auth.JWT.Audience, c.Auth.JWT.JWKSURL = w.issuer, audience, w.issuer
	w.Stack, err = app.NewStack(t.Context(), w.backend, c, app.Options{Now: w.clock.Now, Logger: log})
	must(t, err)
	l, err := net.Listen("tcp", anywhere)
	must(t, err)
	w.url = "http://" + l.Addr().String()
	w.run(t, []func(context.Context) error{func(ctx context.Context) error { return w.RunAll(ctx, l) }})
	w.populate(t)
	return w
}

func (w *world) populate(t *testing.T) {
	t.Helper()
	for _, p := range []*dweller{
		{ThreadRef: memory.ThreadRef{Tenant: "acme", User: "alice"}, word: "marblewort", han: "蓝铃石风车"},
		{ThreadRef: memory.ThreadRef{Tenant: "acme", User: "bob"}, word: "sourdough", han: "紫藤摇椅"},
		{ThreadRef: memory.ThreadRef{Tenant: "acme", User: "张三"}, word: "kayaking", han: "青花瓷瓶"},
		{ThreadRef: memory.ThreadRef{Tenant: "globex", User: "alice"}, word: "pottery", han: "竹编灯笼"},
		{ThreadRef: memory.ThreadRef{Tenant: "globex", User: "bob"}, word: "falconry", han: "琉璃屋檐"},
		{ThreadRef: memory.ThreadRef{Tenant: "globex", User: "张三"}, word: "origami", han: "檀木折扇"},
	} {
		p.Thread = memory.Thread(p.opaque("thread"))
		w.people = append(w.people, p)
		w.lives(t, p)
	}
	w.pass(60 * 24 * time.Hour)
	w.reap(t, reap.Jobs...)
	for word, s := range map[string]memory.Scope{
		"lighthouse": {Tenant: "globex", Owner: memory.Owner{Kind: memory.OwnerTenant}},
		"windmill":   {Tenant: "globex", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "guide"}},
		"aqueduct":   {Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "guide"}},
	} {
		w.shared[word] = s
		w.seed(t, s, 2, word)
	}
	for _, p := range w.people {
		w.asks(t, p)
	}
}

// lives is what a person says and decides.
func (w *world) lives(t *testing.T, p *dweller) {
	t.Helper()
	w.tells(t, p, "I like {word}.", "我喜欢{han}。", "I moved to {Word}ville.", "I have a {word} appointment on 2026-03-20.", "I work at {Word}works.",
		"I'm allergic to {word} seeds.", "I like {word} tea.", "Don't mention {word} tea again.", "If I lived in {Word}port I'd be happy.", "I grew up in {Word}ford.")
	scope := p.Scope()
	w.seed(t, scope, notes, p.word)
	all, err := w.Store.List(t.Context(), scope)
	must(t, err)
	for _, m := range all {
		if m.Key == "" && strings.HasPrefix(m.Text, "Note ") {
			p.notes = append(p.notes, string(m.ID))
		}
	}
	p.gone, p.notes = p.notes[:6], p.notes[6:]
	p.namespace, p.document = []string{p.opaque("space")}, p.opaque("document")
	for i := range 4 {
		_, err := w.Shelve.Put(t.Context(), scope, []shelve.Item{{
			Namespace: p.namespace, Key: p.document + strings.Repeat("+", i), Value: json.RawMessage(fmt.Sprintf(`{"text":"about %s and %s"}`, p.word, p.han)),
		}})
		must(t, err)
	}
}

// tells has a person say something, now.
func (w *world) tells(t *testing.T, p *dweller, sayings ...string) {
	t.Helper()
	for _, says := range sayings {
		e := said(p.ThreadRef, w.clock.Now(), strings.NewReplacer("{word}", p.word, "{Word}", strings.ToUpper(p.word[:1])+p.word[1:], "{han}", p.han).Replace(says))
		e.ID = p.opaque(fmt.Sprint("event", len(p.events)))
		p.events = append(p.events, e.ID)
		w.publish(t, e)
		w.consolidate(t, p.ThreadRef)
		w.pass(time.Minute)
	}
}

// asks leaves questions with the model's answer, and takes the ids that others may try.
func (w *world) asks(t *testing.T, p *dweller) {
	t.Helper()
	w.tells(t, p, "I live in {Word}stead.", "I work at {Word}soft.", "I grew up in {Word}mouth.")
	scope := p.Scope()
	for _, school := range []string{" School", " College"} {
		_, err := w.Curate.Remember(t.Context(), scope, "", curate.Note{Key: "user.school", Value: p.word + school})
		must(t, err)
	}
	for _, id := range p.gone {
		_, err := w.Curate.Forget(t.Context(), scope, curate.Selection{IDs: []memory.ID{memory.ID(id)}})
		must(t, err)
	}
	id := w.recalled(t, p.ThreadRef, "Do I like "+p.word+" or "+p.han+"?")
	p.recalls = append(p.recalls, id)
	e := said(p.ThreadRef, w.clock.Now(), "")
	e.ID, e.Type = p.opaque("answer"), event.TypeAnswer
	var err error
	e.Data, err = json.Marshal(event.Answer{RecallID: id, Content: "You like " + p.word + " and " + p.han + "."})
	must(t, err)
	w.publish(t, e)
	w.consolidate(t, p.ThreadRef)
	open, err := w.Curate.Pending(t.Context(), scope)
	must(t, err)
	for _, q := range open {
		p.questions = append(p.questions, string(q.ID))
	}
	exported, err := w.Curate.Export(t.Context(), scope, "", math.MaxInt)
	must(t, err)
	for _, one := range exported {
		if one.Memory != nil && one.Memory.Key == "user.likes" && p.record == nil {
			p.record = json.RawMessage(encoded(t, one))
		}
	}
	if archived, err := w.Recall.Archive(t.Context(), scope); err != nil || len(archived) == 0 || len(p.questions) != 4 || len(p.gone) < 3 || p.record == nil {
		t.Fatalf("there is not something everywhere: %d archived (%v), %d questions, %d forgotten", len(archived), err, len(p.questions), len(p.gone))
	}
	p.cursor = base64.RawURLEncoding.EncodeToString([]byte("1:" + p.notes[0]))
	// It waits to be consolidated: whoever can have that done changes something.
	e = said(p.ThreadRef, w.clock.Now(), "I like "+p.word+" cake.")
	e.ID = p.opaque("waiting")
	p.events = append(p.events, e.ID)
	w.publish(t, e)
	p.userKey = w.key(t, access.Key{Tenant: p.Tenant, User: p.User, Role: access.RoleUser})
	p.user = w.token(t, w.signer, jwt.MapClaims{"tenant": p.Tenant, "sub": p.User})
}

// key makes an API key.
func (w *world) key(t *testing.T, k access.Key) string {
	t.Helper()
	made, token, err := access.NewKey(k, time.Now())
	must(t, err, w.Keys().Create(t.Context(), made))
	return token
}

// token is one of the provider's, with changes.
func (w *world) token(t *testing.T, signer *ecdsa.PrivateKey, changes jwt.MapClaims) string {
	t.Helper()
	c := jwt.MapClaims{"iss": w.issuer, "aud": audience, "exp": time.Now().Add(time.Hour).Unix()}
	for name, value := range changes {
		c[name] = value
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, c)
	token.Header["kid"] = "k"
	out, err := token.SignedString(signer)
	must(t, err)
	return out
}

// publishKey serves the public key as an identity provider does.
func publishKey(t *testing.T, key *ecdsa.PrivateKey) (url string) {
	t.Helper()
	raw, err := key.PublicKey.Bytes()
	must(t, err)
	half := (len(raw) - 1) / 2
	enc := base64.RawURLEncoding.EncodeToString
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(rw).Encode(map[string]any{"keys": []map[string]string{
			{"kty": "EC", "crv": "P-256", "kid": "k", "use": "sig", "x": enc(raw[1 : 1+half]), "y": enc(raw[1+half:])},
		}})
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// published are the subjects on which something was said or decided since it was last asked.
func (w *world) published(t *testing.T) []string {
	t.Helper()
	must(t, w.backend.NATS.Flush()) // what came before this is here
	var out []string
	for n, _, _ := w.said.Pending(); n > 0; n-- {
		m, err := w.said.NextMsg(time.Second)
		must(t, err)
		out = append(out, m.Subject)
	}
	for n, _, _ := w.decided.Pending(); n > 0; n-- {
		m, err := w.decided.NextMsg(time.Second)
		must(t, err)
		out = append(out, m.Subject)
	}
	return out
}
