package access

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ring is the keys of a test; unread makes it an outage.
type ring struct {
	mu     sync.Mutex
	keys   map[string]Key
	used   map[string]time.Time
	unread bool
}

func (r *ring) Key(id string) (Key, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unread {
		return Key{}, fault.Outage(errors.New("unread"), time.Second)
	}
	k, ok := r.keys[id]
	if !ok {
		return Key{}, ErrKeyNotFound
	}
	return k, nil
}

func (r *ring) Used(id string, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used[id] = at
}

// add puts a new key into the ring.
func (r *ring) add(t testing.TB, want Key, change func(*Key)) (Key, string) {
	t.Helper()
	k, token, err := NewKey(want, noon)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&k)
	}
	r.keys[k.ID] = k
	return k, token
}

func newRing() *ring { return &ring{keys: map[string]Key{}, used: map[string]time.Time{}} }

func newAuthenticator(t testing.TB, o Options) *Authenticator {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return noon }
	}
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func bearing(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

func TestKeysLetIn(t *testing.T) {
	t.Parallel()
	r := newRing()
	user, userToken := r.add(t, Key{Tenant: "顶点", User: "张三", Role: RoleUser}, nil)
	agent, agentToken := r.add(t, Key{Tenant: "acme", Agent: "shop", Role: RoleAgent, ExpiresAt: noon.Add(time.Nanosecond)}, nil)
	admin, adminToken := r.add(t, Key{Tenant: "acme", Role: RoleAdmin}, nil)
	a := newAuthenticator(t, Options{Keys: r})
	for token, want := range map[string]Caller{
		userToken:  {Tenant: "顶点", User: "张三", Role: RoleUser, Key: user.ID},
		agentToken: {Tenant: "acme", Agent: "shop", Role: RoleAgent, Key: agent.ID},
		adminToken: {Tenant: "acme", Role: RoleAdmin, Key: admin.ID},
	} {
		for _, h := range []http.Header{
			bearing(token), {"authorization": {"bearer " + token}}, {"AUTHORIZATION": {"BEARER  " + token + " "}},
		} {
			if got, err := a.Caller(t.Context(), h); err != nil || got != want {
				t.Errorf("Caller = %+v, %v, want %+v", got, err, want)
			}
		}
		if !r.used[want.Key].Equal(noon) {
			t.Errorf("the use of %s is not noted", want.Key)
		}
	}
}

func TestOthersAreKeptOut(t *testing.T) {
	t.Parallel()
	r := newRing()
	k, token := r.add(t, Key{Tenant: "acme", Role: RoleAdmin}, nil)
	other, otherToken := r.add(t, Key{Tenant: "globex", Role: RoleAdmin}, nil)
	_, revokedToken := r.add(t, Key{Tenant: "acme", Role: RoleAdmin}, func(k *Key) { k.RevokedAt = noon.Add(time.Hour) })
	_, expiredToken := r.add(t, Key{Tenant: "acme", Role: RoleAdmin, ExpiresAt: noon.Add(time.Hour)}, func(k *Key) { k.ExpiresAt = noon })
	_, gone := r.add(t, Key{Tenant: "acme", Role: RoleAdmin}, func(k *Key) { k.ID = "elsewhere" })
	last := "a"
	if strings.HasSuffix(token, last) {
		last = "b"
	}
	a := newAuthenticator(t, Options{Keys: r})
	for name, h := range map[string]http.Header{
		"an unknown id":        bearing(gone),
		"another secret":       bearing(token[:len(token)-1] + last),
		"another key's secret": bearing("mnk_" + k.ID + strings.TrimPrefix(otherToken, "mnk_"+other.ID)),
		"revoked":              bearing(revokedToken),
		"expired":              bearing(expiredToken),
		"no form of a key":     bearing("mnk_x"),
		"no key at all":        bearing("x"),
		"a token, unasked for": bearing("eyJhbGciOiJub25lIn0.e30."),
		"empty":                bearing(""),
		"the scheme alone":     {"Authorization": {"Bearer"}},
		"nothing":              {"Authorization": {""}},
		"another scheme":       {"Authorization": {"Basic " + token}},
		"without a scheme":     {"Authorization": {token}},
		"two credentials":      {"Authorization": {"Bearer " + token, "Bearer " + otherToken}},
		"two spellings":        {"Authorization": {"Bearer " + token}, "authorization": {"Bearer " + otherToken}},
		"the hash as secret":   bearing("mnk_" + k.ID + "_" + base32Lower.EncodeToString(k.Hash)[:40]),
		"as long as it gets":   bearing(token + strings.Repeat("a", maxCredential)),
	} {
		got, err := a.Caller(t.Context(), h)
		if !errors.Is(err, ErrUnauthenticated) || errors.Is(err, errMissing) || got != (Caller{}) {
			t.Errorf("%s: Caller = %+v, %v, want ErrUnauthenticated", name, got, err)
		}
	}
	for name, h := range map[string]http.Header{"no header": {}, "another header": {"X-Api-Key": {token}}, "none": nil} {
		if got, err := a.Caller(t.Context(), h); !errors.Is(err, errMissing) || got != (Caller{}) {
			t.Errorf("%s: Caller = %+v, %v, want that there is none", name, got, err)
		}
	}
	if len(r.used) > 0 {
		t.Errorf("uses are noted: %v", r.used)
	}
}

func TestKeysThatHaveNotBeenReadAreAnOutage(t *testing.T) {
	t.Parallel()
	r := newRing()
	_, token := r.add(t, Key{Tenant: "acme", Role: RoleAdmin}, nil)
	r.unread = true
	a := newAuthenticator(t, Options{Keys: r})
	if _, err := a.Caller(t.Context(), bearing(token)); !errors.Is(err, fault.ErrOutage) || errors.Is(err, ErrUnauthenticated) {
		t.Errorf("Caller = %v, want an outage", err)
	}
	if _, err := newAuthenticator(t, Options{}).Caller(t.Context(), bearing(token)); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("where no key is let in: %v, want ErrUnauthenticated", err)
	}
}

// TestEachCallerHasItsRate, and it comes again.
func TestEachCallerHasItsRate(t *testing.T) {
	t.Parallel()
	r := newRing()
	_, one := r.add(t, Key{Tenant: "acme", Role: RoleAgent}, nil)
	_, two := r.add(t, Key{Tenant: "acme", Role: RoleAgent}, nil)
	now := noon
	a := newAuthenticator(t, Options{Keys: r, Limits: Limits{PerSecond: 2, Burst: 3}, Now: func() time.Time { return now }})
	ask := func(token string) error {
		_, err := a.Caller(t.Context(), bearing(token))
		return err
	}
	for i := range 3 {
		if err := ask(one); err != nil {
			t.Fatalf("request %d = %v", i, err)
		}
	}
	for range 5 { // what is refused costs nothing
		err := ask(one)
		if wait, _ := fault.Delay(err); !errors.Is(err, ErrTooMany) || wait != 500*time.Millisecond {
			t.Fatalf("request 4 = %v, want too many, for half a second", err)
		}
	}
	if err := ask(two); err != nil {
		t.Errorf("another key = %v", err)
	}
	now = now.Add(500 * time.Millisecond)
	if err := ask(one); err != nil {
		t.Errorf("half a second later = %v", err)
	}
	if err := ask(one); !errors.Is(err, ErrTooMany) {
		t.Errorf("and one more = %v, want too many", err)
	}
}

// TestGuessingIsSlowed by address, and whoever is known goes on.
func TestGuessingIsSlowed(t *testing.T) {
	t.Parallel()
	r := newRing()
	_, known := r.add(t, Key{Tenant: "acme", Role: RoleAgent}, nil)
	_, fresh := r.add(t, Key{Tenant: "acme", Role: RoleAgent}, nil)
	now := noon
	a := newAuthenticator(t, Options{Keys: r, Limits: Limits{FailuresPerMinute: 5}, Now: func() time.Time { return now }})
	ask := func(address, token string) error {
		_, err := a.Caller(WithRemote(t.Context(), address), bearing(token))
		return err
	}
	if err := ask("192.0.2.1:1000", known); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := ask("192.0.2.1:2000", good); !errors.Is(err, ErrUnauthenticated) {
			t.Fatalf("guess %d = %v, want ErrUnauthenticated", i, err)
		}
	}
	for _, token := range []string{good, fresh, "mnk_x", "x"} {
		err := ask("192.0.2.1:3000", token)
		if wait, _ := fault.Delay(err); !errors.Is(err, ErrTooMany) || wait != 12*time.Second {
			t.Errorf("a further guess = %v, want too many, for 12 s", err)
		}
	}
	if err := ask("192.0.2.1:4000", known); err != nil {
		t.Errorf("who is known, from the same address = %v", err)
	}
	if err := ask("192.0.2.2:1000", fresh); err != nil {
		t.Errorf("from another address = %v", err)
	}
	now = now.Add(12 * time.Second)
	if err := ask("192.0.2.1:5000", fresh); err != nil {
		t.Errorf("12 s later = %v", err)
	}
	for range 20 { // without an address, as over NATS, there is nobody to slow
		if err := ask("", good); !errors.Is(err, ErrUnauthenticated) {
			t.Fatalf("without an address = %v", err)
		}
	}
	for range 20 { // to send nothing is no guess
		if _, err := a.Caller(WithRemote(t.Context(), "192.0.2.3:1"), nil); !errors.Is(err, errMissing) {
			t.Fatalf("without a credential = %v", err)
		}
	}
}

// TestAKnownCredentialThatIsRevokedIsRefused, at once.
func TestAKnownCredentialThatIsRevokedIsRefused(t *testing.T) {
	t.Parallel()
	r := newRing()
	k, token := r.add(t, Key{Tenant: "acme", Role: RoleAgent}, nil)
	a := newAuthenticator(t, Options{Keys: r})
	if _, err := a.Caller(t.Context(), bearing(token)); err != nil {
		t.Fatal(err)
	}
	k.RevokedAt = noon
	r.keys[k.ID] = k
	if _, err := a.Caller(t.Context(), bearing(token)); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("Caller = %v, want ErrUnauthenticated", err)
	}
}

// TestAuthenticationsAreCounted by kind and outcome, and nothing else is in the counts, nor
// anything of a credential in a log or an error.
func TestAuthenticationsAreCounted(t *testing.T) {
	t.Parallel()
	reader := metric.NewManualReader()
	var log bytes.Buffer
	r := newRing()
	_, token := r.add(t, Key{Tenant: "acme", User: "alice", Role: RoleUser}, nil)
	_, revokedToken := r.add(t, Key{Tenant: "acme", Role: RoleAdmin}, func(k *Key) { k.RevokedAt = noon })
	a := newAuthenticator(t, Options{
		Keys: r, Meter: metric.NewMeterProvider(metric.WithReader(reader)).Meter("test"), Limits: Limits{PerSecond: 1},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	for _, h := range []http.Header{bearing(token), bearing(token), bearing(revokedToken), bearing(good), bearing("x.y.z"), nil} {
		if _, err := a.Caller(t.Context(), h); err != nil && strings.Contains(err.Error(), "mnk_") {
			t.Errorf("the error %q tells a credential", err)
		}
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}
	got := map[string]int64{}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		for _, p := range m.Data.(metricdata.Sum[int64]).DataPoints {
			kind, _ := p.Attributes.Value("kind")
			outcome, _ := p.Attributes.Value("outcome")
			if p.Attributes.Len() != 2 {
				t.Errorf("counted by %v", p.Attributes)
			}
			got[kind.AsString()+" "+outcome.AsString()] += p.Value
		}
	}
	want := map[string]int64{"key accepted": 1, "key limited": 1, "key revoked": 1, "key unknown": 1, "token malformed": 1, "none missing": 1}
	if text(t, got) != text(t, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
		field  string
		header string
		value  string
	}{
		{errMissing, 401, "", "WWW-Authenticate", `Bearer realm="mnemond"`},
		{ErrUnauthenticated, 401, "", "WWW-Authenticate", `Bearer realm="mnemond", error="invalid_token"`},
		{&ForbiddenError{Field: "user", Reason: "no"}, 403, "user", "", ""},
		{&ForbiddenError{Reason: "no"}, 403, "", "", ""},
		{ErrForbidden, 403, "", "", ""},
		{fault.RetryAfter(ErrTooMany, 1200*time.Millisecond), 429, "", "Retry-After", "2"},
		{fault.RetryAfter(ErrTooMany, time.Nanosecond), 429, "", "Retry-After", "1"},
		{ErrTooMany, 429, "", "Retry-After", "1"},
	} {
		got, ok := Refused(errors.Join(errors.New("around"), c.err))
		if !ok || got.Status != c.status || got.Field != c.field || got.Title == "" || got.Detail == "" {
			t.Errorf("Refused(%v) = %+v, %v", c.err, got, ok)
		}
		if c.header != "" && got.Header.Get(c.header) != c.value || c.header == "" && len(got.Header) > 0 {
			t.Errorf("Refused(%v) has the headers %v, want %s: %s", c.err, got.Header, c.header, c.value)
		}
	}
	for _, err := range []error{nil, errors.New("other"), fault.Outage(errNotYet, time.Second), ErrKeyNotFound} {
		if got, ok := Refused(err); ok {
			t.Errorf("Refused(%v) = %+v", err, got)
		}
	}
}

// TestWhatIsKeptHasNoSecret, of the ways in which a key may be written out.
func TestWhatIsKeptHasNoSecret(t *testing.T) {
	t.Parallel()
	k, token, err := NewKey(Key{Tenant: "acme", Role: RoleAdmin}, noon)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, _ := parseKey(token)
	raw, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("key", "key", k, "caller", k.caller())
	if strings.Contains(string(raw)+log.String(), secret) {
		t.Errorf("%s%s tell the secret", raw, &log)
	}
}
