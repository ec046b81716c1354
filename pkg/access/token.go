package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"github.com/mnemond/mnemond/pkg/memory"
)

// TokenOptions say whose tokens (JWT) are believed and what they say. Issuer, Audience and
// JWKSURL are required.
type TokenOptions struct {
	// Issuer and Audience are what the claims iss and aud have to be.
	Issuer, Audience string
	// JWKSURL is where the issuer publishes its keys; https, or http on loopback.
	JWKSURL string
	// TenantClaim, UserClaim and RoleClaim name the claims, all strings, that give the scope.
	// Defaults: tenant, sub and role. A token without a role is a user's; an agent's or an
	// admin's needs no user.
	TenantClaim, UserClaim, RoleClaim string
	// Refresh is how often the keys are read. Default 15m.
	Refresh time.Duration
	// UnknownEvery is how often they are read besides, because a token names one that is not
	// among them. Default 30s.
	UnknownEvery time.Duration
}

const (
	// leeway is by how much the issuer's clock may be off.
	leeway = 30 * time.Second
	// fetchTimeout bounds a read of the issuer's keys.
	fetchTimeout = 5 * time.Second
	// maxKeySet is the largest set of keys, in bytes, that is read.
	maxKeySet = 1 << 20
)

// algorithms are the asymmetric ones. With a symmetric one, whoever knows the issuer's public
// key could sign.
var algorithms = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// tokens tells who sends a token of the issuer.
type tokens struct {
	TokenOptions
	parser *jwt.Parser
	log    *slog.Logger
	keys   atomic.Pointer[keyfunc.Keyfunc]
}

func newTokens(o TokenOptions, now func() time.Time, log *slog.Logger) (*tokens, error) {
	if o.Audience == "" || o.JWKSURL == "" {
		return nil, errors.New("tokens: an issuer needs an audience and the address of its keys")
	}
	if err := checkURL(o.JWKSURL); err != nil {
		return nil, fmt.Errorf("tokens: %q: %w", o.JWKSURL, err)
	}
	o.TenantClaim, o.UserClaim, o.RoleClaim = or(o.TenantClaim, "tenant"), or(o.UserClaim, "sub"), or(o.RoleClaim, "role")
	o.Refresh, o.UnknownEvery = or(o.Refresh, 15*time.Minute), or(o.UnknownEvery, 30*time.Second)
	return &tokens{TokenOptions: o, log: log, parser: jwt.NewParser(
		jwt.WithValidMethods(algorithms), jwt.WithIssuer(o.Issuer), jwt.WithAudience(o.Audience),
		jwt.WithExpirationRequired(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(now),
	)}, nil
}

func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// checkURL refuses an address whose answer others could write.
func checkURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return err
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return errors.New("must begin with https://")
	}
	return nil
}

// run reads the issuer's keys now, and again and again until ctx ends.
func (t *tokens) run(ctx context.Context) error {
	complain := func(ctx context.Context, err error) {
		t.log.WarnContext(ctx, "read the issuer's keys", "url", t.JWKSURL, "error", err)
	}
	keys, err := jwkset.NewStorageFromHTTP(t.JWKSURL, jwkset.HTTPClientStorageOptions{
		Client: boundedClient(), Ctx: ctx, HTTPTimeout: fetchTimeout, NoErrorReturnFirstHTTPReq: true,
		RefreshErrorHandler: complain, RefreshInterval: t.Refresh,
	})
	if err != nil {
		return fmt.Errorf("keys of the issuer: %w", err)
	}
	client, err := jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs: map[string]jwkset.Storage{t.JWKSURL: keys}, RateLimitWaitMax: fetchTimeout,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(t.UnknownEvery), 1),
	})
	if err != nil {
		return fmt.Errorf("keys of the issuer: %w", err)
	}
	// A key for encryption signs nothing.
	k, err := keyfunc.New(keyfunc.Options{Ctx: ctx, Storage: client, UseWhitelist: []jwkset.USE{jwkset.UseSig, ""}})
	if err != nil {
		return fmt.Errorf("keys of the issuer: %w", err)
	}
	t.keys.Store(&k)
	<-ctx.Done()
	return nil
}

// boundedClient follows no redirect and reads no more than a set of keys can be.
func boundedClient() *http.Client {
	return &http.Client{
		Timeout: fetchTimeout, Transport: boundedTransport{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type boundedTransport struct{ http.RoundTripper }

// RoundTrip cuts the answer off at maxKeySet.
func (b boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxKeySet)
	}
	return resp, err
}

// caller is whom the token names.
func (t *tokens) caller(ctx context.Context, token string) (Caller, outcome) {
	if t == nil {
		return Caller{}, malformed
	}
	keys := t.keys.Load()
	if keys == nil {
		return Caller{}, unavailable
	}
	parsed, err := t.parser.ParseWithClaims(token, jwt.MapClaims{}, (*keys).KeyfuncCtx(ctx))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return Caller{}, expired
	case errors.Is(err, jwt.ErrTokenMalformed):
		return Caller{}, malformed
	case err != nil:
		return Caller{}, t.failed(ctx, *keys)
	}
	claims, ok := parsed.Claims.(jwt.MapClaims)
	if !ok {
		return Caller{}, invalid
	}
	return t.claimed(claims)
}

// failed tells a wrong token from one that there is no key to check with: the issuer has not
// been reached yet.
func (t *tokens) failed(ctx context.Context, keys keyfunc.Keyfunc) outcome {
	all, err := keys.Storage().KeyReadAll(ctx)
	if err != nil || len(all) == 0 {
		return unavailable
	}
	return invalid
}

// claimed is the caller that the claims of a valid token give.
func (t *tokens) claimed(claims jwt.MapClaims) (Caller, outcome) {
	tenant, err := t.claim(claims, t.TenantClaim)
	if err != nil {
		return Caller{}, invalid
	}
	c := Caller{Tenant: memory.Tenant(tenant), Role: RoleUser}
	if role, said := claims[t.RoleClaim]; said {
		name, _ := role.(string)
		c.Role = Role(name)
	}
	user, err := t.claim(claims, t.UserClaim)
	switch {
	case c.Role == RoleUser && err == nil:
		c.User = memory.User(user)
	case c.Role == RoleUser:
		return Caller{}, invalid
	}
	subject, _ := claims["sub"].(string)
	c.Key = tokenName(t.Issuer, subject, string(c.Role), tenant, string(c.User))
	if c.validate() != nil {
		return Caller{}, invalid
	}
	return c, accepted
}

// claim is a claim that has to be an id.
func (t *tokens) claim(claims jwt.MapClaims, name string) (string, error) {
	s, _ := claims[name].(string)
	return s, memory.ValidateID(s)
}

// tokenName names whoever a token was issued to, across the tokens that they get in turn.
func tokenName(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(fmt.Appendf(nil, "%d:%s", len(p), p))
	}
	return "token_" + base32Lower.EncodeToString(h.Sum(nil)[:idBytes])
}
