package access

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mnemond/mnemond/pkg/fault"
)

const (
	testIssuer   = "https://id.example.com/"
	testAudience = "mnemond"
)

// provider is an identity provider: it signs tokens and publishes its keys.
type provider struct {
	url string

	mu    sync.Mutex
	keys  []map[string]string
	reads int
	down  bool
}

func newProvider(t testing.TB) *provider {
	t.Helper()
	p := &provider{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reads++
		if p.down {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": p.keys})
	}))
	t.Cleanup(s.Close)
	p.url = s.URL + "/jwks.json"
	return p
}

// publish replaces the published keys.
func (p *provider) publish(keys ...map[string]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = keys
}

func (p *provider) set(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

func (p *provider) readings() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reads
}

func b64(n *big.Int, size int) string {
	return base64.RawURLEncoding.EncodeToString(n.FillBytes(make([]byte, size)))
}

// published is the public key as a set of keys has it.
func published(t testing.TB, kid string, private crypto.Signer) map[string]string {
	t.Helper()
	switch key := private.(type) {
	case *ecdsa.PrivateKey:
		raw, err := key.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		half := (len(raw) - 1) / 2
		enc := base64.RawURLEncoding.EncodeToString
		return map[string]string{"kty": "EC", "crv": "P-256", "kid": kid, "use": "sig", "x": enc(raw[1 : 1+half]), "y": enc(raw[1+half:])}
	case *rsa.PrivateKey:
		return map[string]string{"kty": "RSA", "kid": kid, "n": b64(key.N, key.Size()), "e": b64(big.NewInt(int64(key.E)), 3)}
	case ed25519.PrivateKey:
		x := base64.RawURLEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
		return map[string]string{"kty": "OKP", "crv": "Ed25519", "kid": kid, "alg": "EdDSA", "x": x}
	}
	t.Fatalf("no key: %T", private)
	return nil
}

func newEC(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// claims are those of a user's token, with changes; a nil one is left out.
func claims(changes jwt.MapClaims) jwt.MapClaims {
	c := jwt.MapClaims{
		"iss": testIssuer, "aud": testAudience, "sub": "alice", "tenant": "acme",
		"iat": noon.Unix(), "nbf": noon.Unix(), "exp": noon.Add(time.Hour).Unix(),
	}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

func signed(t testing.TB, method jwt.SigningMethod, kid string, key any, c jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(method, c)
	if kid != "" {
		token.Header["kid"] = kid
	}
	s, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trusting is an authenticator that believes the provider, at work.
func trusting(t testing.TB, p *provider, change func(*TokenOptions)) *Authenticator {
	t.Helper()
	o := TokenOptions{Issuer: testIssuer, Audience: testAudience, JWKSURL: p.url, UnknownEvery: 24 * time.Hour}
	if change != nil {
		change(&o)
	}
	a := newAuthenticator(t, Options{Tokens: o})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	waitFor(t, "the keys are read", func() bool { return a.tokens.keys.Load() != nil })
	return a
}

func waitFor(t testing.TB, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func TestTokensLetIn(t *testing.T) {
	t.Parallel()
	ec, p := newEC(t), newProvider(t)
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p.publish(published(t, "ec", ec), published(t, "ed", ed), published(t, "rsa", private))
	a := trusting(t, p, nil)
	alice := Caller{Tenant: "acme", User: "alice", Role: RoleUser}
	for name, c := range map[string]struct {
		token string
		want  Caller
	}{
		"by ECDSA":                  {signed(t, jwt.SigningMethodES256, "ec", ec, claims(nil)), alice},
		"by Ed25519":                {signed(t, jwt.SigningMethodEdDSA, "ed", ed, claims(nil)), alice},
		"by RSA":                    {signed(t, jwt.SigningMethodRS256, "rsa", private, claims(nil)), alice},
		"by RSA-PSS":                {signed(t, jwt.SigningMethodPS384, "rsa", private, claims(nil)), alice},
		"without the key's id":      {signed(t, jwt.SigningMethodES256, "", ec, claims(nil)), alice},
		"for several audiences":     {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"aud": []string{"x", testAudience}})), alice},
		"a user by role":            {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"role": "user"})), alice},
		"within the leeway":         {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"exp": noon.Add(-20 * time.Second).Unix()})), alice},
		"early, within the leeway":  {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"nbf": noon.Add(20 * time.Second).Unix()})), alice},
		"a user in Chinese":         {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"sub": "张三", "tenant": "顶点"})), Caller{Tenant: "顶点", User: "张三", Role: RoleUser}},
		"a backend":                 {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"role": "agent"})), Caller{Tenant: "acme", Role: RoleAgent}},
		"an admin without a name":   {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"role": "admin", "sub": nil})), Caller{Tenant: "acme", Role: RoleAdmin}},
		"with claims of no concern": {signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{"user": "bob", "agent": "x", "scope": "all"})), alice},
	} {
		got, err := a.Caller(t.Context(), bearing(c.token))
		if err != nil || !strings.HasPrefix(got.Key, "token_") {
			t.Errorf("%s: Caller = %+v, %v", name, got, err)
		}
		if got.Key = ""; got != c.want {
			t.Errorf("%s: Caller = %+v, want %+v", name, got, c.want)
		}
	}
}

// TestTheKeyOfATokenNamesItsSubject, across tokens, and tells nobody who it is.
func TestTheKeyOfATokenNamesItsSubject(t *testing.T) {
	t.Parallel()
	ec, p := newEC(t), newProvider(t)
	p.publish(published(t, "ec", ec))
	a := trusting(t, p, nil)
	seen := map[string]string{}
	for name, change := range map[string]jwt.MapClaims{
		"alice": {}, "alice again": {"jti": "2", "exp": noon.Add(2 * time.Hour).Unix()}, "bob": {"sub": "bob"}, "alice elsewhere": {"tenant": "globex"},
		"alice's backend": {"role": "agent"}, "a backend": {"role": "agent", "sub": "svc"},
	} {
		c, err := a.Caller(t.Context(), bearing(signed(t, jwt.SigningMethodES256, "ec", ec, claims(change))))
		if err != nil || strings.Contains(c.Key, "alice") {
			t.Fatalf("%s: %+v, %v", name, c, err)
		}
		seen[name] = c.Key
	}
	if seen["alice"] != seen["alice again"] {
		t.Error("the next token of a user is another's")
	}
	delete(seen, "alice again")
	different := map[string]bool{}
	for _, key := range seen {
		different[key] = true
	}
	if len(different) != len(seen) {
		t.Errorf("some are the same: %v", seen)
	}
}

// spki is the public key as everybody can have it, which is no secret to sign with.
func spki(t testing.TB, key crypto.Signer) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func TestWrongTokensAreKeptOut(t *testing.T) {
	t.Parallel()
	ec, stranger, p := newEC(t), newEC(t), newProvider(t)
	forEncryption := newEC(t)
	enc := published(t, "enc", forEncryption)
	enc["use"] = "enc"
	shared := []byte("a secret that some server has published as a key")
	oct := map[string]string{"kty": "oct", "kid": "oct", "k": base64.RawURLEncoding.EncodeToString(shared)}
	p.publish(published(t, "ec", ec), enc, oct)
	a := trusting(t, p, nil)
	es := func(changes jwt.MapClaims) string {
		return signed(t, jwt.SigningMethodES256, "ec", ec, claims(changes))
	}
	whole := es(nil)
	parts := strings.Split(whole, ".")
	for name, token := range map[string]string{
		"another issuer":              es(jwt.MapClaims{"iss": "https://evil.example.com/"}),
		"the issuer without a slash":  es(jwt.MapClaims{"iss": strings.TrimSuffix(testIssuer, "/")}),
		"no issuer":                   es(jwt.MapClaims{"iss": nil}),
		"another audience":            es(jwt.MapClaims{"aud": "other"}),
		"no audience":                 es(jwt.MapClaims{"aud": nil}),
		"expired":                     es(jwt.MapClaims{"exp": noon.Add(-31 * time.Second).Unix()}),
		"without an expiry":           es(jwt.MapClaims{"exp": nil}),
		"an expiry that is no number": es(jwt.MapClaims{"exp": "never"}),
		"not yet":                     es(jwt.MapClaims{"nbf": noon.Add(31 * time.Second).Unix()}),
		"without a tenant":            es(jwt.MapClaims{"tenant": nil}),
		"an empty tenant":             es(jwt.MapClaims{"tenant": ""}),
		"a tenant that is no string":  es(jwt.MapClaims{"tenant": []string{"acme"}}),
		"a tenant that is no id":      es(jwt.MapClaims{"tenant": "a\x00"}),
		"without a user":              es(jwt.MapClaims{"sub": nil}),
		"an empty user":               es(jwt.MapClaims{"sub": ""}),
		"an unknown role":             es(jwt.MapClaims{"role": "operator"}),
		"an empty role":               es(jwt.MapClaims{"role": ""}),
		"a role that is a list":       es(jwt.MapClaims{"role": []string{"admin"}}),
		"no signature":                signed(t, jwt.SigningMethodNone, "ec", jwt.UnsafeAllowNoneSignatureType, claims(nil)),
		"no signature, nor key":       signed(t, jwt.SigningMethodNone, "", jwt.UnsafeAllowNoneSignatureType, claims(nil)),
		"the public key as a secret":  signed(t, jwt.SigningMethodHS256, "ec", spki(t, ec), claims(nil)),
		"a published secret":          signed(t, jwt.SigningMethodHS256, "oct", shared, claims(nil)),
		"a key for encryption":        signed(t, jwt.SigningMethodES256, "enc", forEncryption, claims(nil)),
		"a stranger's key":            signed(t, jwt.SigningMethodES256, "ec", stranger, claims(nil)),
		"a stranger's key, unnamed":   signed(t, jwt.SigningMethodES256, "", stranger, claims(nil)),
		"an unknown key":              signed(t, jwt.SigningMethodES256, "unknown", stranger, claims(nil)),
		"other claims":                parts[0] + "." + strings.Split(es(jwt.MapClaims{"sub": "bob"}), ".")[1] + "." + parts[2],
		"a signature cut off":         parts[0] + "." + parts[1] + ".",
		"two parts":                   parts[0] + "." + parts[1],
		"something behind":            whole + ".x",
	} {
		got, err := a.Caller(t.Context(), bearing(token))
		if !errors.Is(err, ErrUnauthenticated) || got != (Caller{}) {
			t.Errorf("%s: Caller = %+v, %v, want ErrUnauthenticated", name, got, err)
		}
		if err != nil && strings.Contains(err.Error(), parts[2]) {
			t.Errorf("%s: the error %q tells the token", name, err)
		}
	}
	if _, err := a.Caller(t.Context(), bearing(whole)); err != nil {
		t.Errorf("the right one = %v", err)
	}
}

func TestClaimsMayHaveOtherNames(t *testing.T) {
	t.Parallel()
	ec, p := newEC(t), newProvider(t)
	p.publish(published(t, "ec", ec))
	a := trusting(t, p, func(o *TokenOptions) {
		o.TenantClaim, o.UserClaim, o.RoleClaim = "https://example.com/org", "uid", "https://example.com/role"
	})
	token := signed(t, jwt.SigningMethodES256, "ec", ec, claims(jwt.MapClaims{
		"tenant": "other", "role": "admin", "https://example.com/org": "acme", "uid": "u7", "https://example.com/role": "user",
	}))
	got, err := a.Caller(t.Context(), bearing(token))
	if got.Key = ""; err != nil || got != (Caller{Tenant: "acme", User: "u7", Role: RoleUser}) {
		t.Errorf("Caller = %+v, %v", got, err)
	}
}

// TestANewKeyIsReadWhenATokenNamesIt, and unknown ones cannot make us read again and again.
func TestANewKeyIsReadWhenATokenNamesIt(t *testing.T) {
	t.Parallel()
	old, next, p := newEC(t), newEC(t), newProvider(t)
	p.publish(published(t, "old", old))
	a := trusting(t, p, nil)
	before := signed(t, jwt.SigningMethodES256, "old", old, claims(nil))
	if _, err := a.Caller(t.Context(), bearing(before)); err != nil {
		t.Fatal(err)
	}
	p.publish(published(t, "next", next))
	if _, err := a.Caller(t.Context(), bearing(signed(t, jwt.SigningMethodES256, "next", next, claims(nil)))); err != nil {
		t.Errorf("with the new key = %v", err)
	}
	if _, err := a.Caller(t.Context(), bearing(before)); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("with the old key, which is published no more = %v", err)
	}
	for range 50 {
		if _, err := a.Caller(t.Context(), bearing(signed(t, jwt.SigningMethodES256, "guess", old, claims(nil)))); !errors.Is(err, ErrUnauthenticated) {
			t.Fatalf("with an unknown key = %v", err)
		}
	}
	if n := p.readings(); n != 2 {
		t.Errorf("the keys were read %d times, want at the start and once for the new one", n)
	}
}

// TestKeysAreReadAgain without being asked for, so that one that is published no more ends;
// and while the provider is down the last ones count.
func TestKeysAreReadAgain(t *testing.T) {
	t.Parallel()
	ec, p := newEC(t), newProvider(t)
	p.publish(published(t, "ec", ec))
	a := trusting(t, p, func(o *TokenOptions) { o.Refresh = time.Millisecond })
	token := signed(t, jwt.SigningMethodES256, "ec", ec, claims(nil))
	p.set(true)
	n := p.readings()
	waitFor(t, "reading has failed", func() bool { return p.readings() > n+2 })
	if _, err := a.Caller(t.Context(), bearing(token)); err != nil {
		t.Errorf("while the provider is down = %v", err)
	}
	p.set(false)
	p.publish(published(t, "other", newEC(t)))
	waitFor(t, "the key has ended", func() bool {
		_, err := a.Caller(t.Context(), bearing(token))
		return errors.Is(err, ErrUnauthenticated)
	})
}

// TestAProviderThatWasNeverReachedIsAnOutage, and not the caller's fault.
func TestAProviderThatWasNeverReachedIsAnOutage(t *testing.T) {
	t.Parallel()
	ec, p := newEC(t), newProvider(t)
	p.set(true)
	a := trusting(t, p, func(o *TokenOptions) { o.UnknownEvery = time.Nanosecond })
	token := signed(t, jwt.SigningMethodES256, "ec", ec, claims(nil))
	if _, err := a.Caller(t.Context(), bearing(token)); !errors.Is(err, fault.ErrOutage) {
		t.Errorf("Caller = %v, want an outage", err)
	}
	p.publish(published(t, "ec", ec))
	p.set(false)
	if _, err := a.Caller(t.Context(), bearing(token)); err != nil {
		t.Errorf("when it is back = %v", err)
	}
	idle := newAuthenticator(t, Options{Tokens: TokenOptions{Issuer: testIssuer, Audience: testAudience, JWKSURL: p.url}})
	if _, err := idle.Caller(t.Context(), bearing(token)); !errors.Is(err, fault.ErrOutage) {
		t.Errorf("before Run = %v, want an outage", err)
	}
}

func TestTokenOptionsAreChecked(t *testing.T) {
	t.Parallel()
	for url, ok := range map[string]bool{
		"https://id.example.com/keys": true, "http://127.0.0.1:1/k": true, "http://localhost/k": true, "http://[::1]:8/k": true,
		"http://id.example.com/keys": false, "http://localhost.example.com/k": false, "ftp://127.0.0.1/k": false, "": false, "keys": false,
		"https://": false, "file:///etc/keys": false,
	} {
		_, err := New(Options{Tokens: TokenOptions{Issuer: testIssuer, Audience: testAudience, JWKSURL: url}})
		if (err == nil) != ok {
			t.Errorf("New with the keys at %q = %v, want ok: %v", url, err, ok)
		}
	}
	if _, err := New(Options{Tokens: TokenOptions{Issuer: testIssuer, JWKSURL: "https://id.example.com"}}); err == nil {
		t.Error("an issuer without an audience is taken")
	}
}

// TestASetOfKeysIsBounded, and no redirect is followed.
func TestASetOfKeysIsBounded(t *testing.T) {
	t.Parallel()
	ec, p := newEC(t), newProvider(t)
	padding := func(n int) map[string]string {
		return map[string]string{"kty": "other", "kid": "other", "x": strings.Repeat("x", n)}
	}
	token := signed(t, jwt.SigningMethodES256, "ec", ec, claims(nil))
	p.publish(padding(1000), published(t, "ec", ec))
	if _, err := trusting(t, p, nil).Caller(t.Context(), bearing(token)); err != nil {
		t.Errorf("with a key that nobody knows among them = %v", err)
	}
	p.publish(padding(maxKeySet), published(t, "ec", ec))
	if _, err := trusting(t, p, nil).Caller(t.Context(), bearing(token)); !errors.Is(err, fault.ErrOutage) {
		t.Errorf("with too large a set = %v, want that there is none", err)
	}
	p.publish(published(t, "ec", ec))
	away := httptest.NewServer(http.RedirectHandler(p.url, http.StatusFound))
	t.Cleanup(away.Close)
	if _, err := trusting(t, &provider{url: away.URL}, nil).Caller(t.Context(), bearing(token)); !errors.Is(err, fault.ErrOutage) {
		t.Errorf("by a redirect = %v, want that there is none", err)
	}
}
