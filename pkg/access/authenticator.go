package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/mnemond/mnemond/pkg/fault"
)

// maxCredential is the longest credential that is looked at, in bytes.
const maxCredential = 8 << 10

// Options say who is let in.
type Options struct {
	// Keys are the API keys; nil lets no key in.
	Keys Keyring
	// Tokens say whose tokens are believed; without an issuer, nobody's.
	Tokens TokenOptions
	Limits Limits
	// Now is the clock. Default time.Now.
	Now func() time.Time
	// Logger takes what goes wrong with the identity provider. Default: nothing.
	Logger *slog.Logger
	// Meter counts authentications. Default: none.
	Meter metric.Meter
}

// Authenticator tells who sends a request by its credential.
type Authenticator struct {
	keys     Keyring
	tokens   *tokens
	requests *limiters
	failures *limiters
	// good are hashes of credentials that were right: they go on where an address, perhaps a
	// proxy's, has sent too many wrong ones.
	good  *recent[struct{}]
	now   func() time.Time
	count metric.Int64Counter
}

// New returns an authenticator; it starts nothing. With neither keys nor an issuer it lets
// nobody in.
func New(o Options) (*Authenticator, error) {
	a := &Authenticator{
		keys: o.Keys, requests: o.Limits.requests(), failures: o.Limits.failures(),
		good: newRecent[struct{}](maxTracked), now: o.Now,
	}
	if a.now == nil {
		a.now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Meter == nil {
		o.Meter = noop.Meter{}
	}
	var err error
	if o.Tokens.Issuer != "" {
		if a.tokens, err = newTokens(o.Tokens, a.now, o.Logger); err != nil {
			return nil, err
		}
	}
	a.count, err = o.Meter.Int64Counter("mnemond.access.authentications",
		metric.WithDescription("Credentials that were looked at, by kind and outcome."))
	if err != nil {
		return nil, fmt.Errorf("make counter: %w", err)
	}
	return a, nil
}

// Run keeps the identity provider's keys until ctx ends. Until it has begun, tokens are
// refused as an outage.
func (a *Authenticator) Run(ctx context.Context) error {
	if a.tokens != nil {
		return a.tokens.run(ctx)
	}
	<-ctx.Done()
	return nil
}

// outcome is how an authentication ended. The outcomes are few, as a metric's attribute has to
// be, and none of them says who it was.
type outcome string

const (
	accepted outcome = "accepted"
	// missing: no credential was sent.
	missing outcome = "missing"
	// malformed: it is neither a key nor a token.
	malformed outcome = "malformed"
	// unknown: there is no such key, or the secret is another.
	unknown outcome = "unknown"
	// invalid: the token is not from the issuer, or not for us, or lacks a claim.
	invalid outcome = "invalid"
	revoked outcome = "revoked"
	expired outcome = "expired"
	// limited: it asks too often, or its address has sent too many wrong ones.
	limited outcome = "limited"
	// unavailable: what it would be checked against is not there yet.
	unavailable outcome = "unavailable"
)

// errMissing is the ErrUnauthenticated of who sent nothing.
var errMissing = fmt.Errorf("%w: none was sent", ErrUnauthenticated)

// Caller tells who sends a request with these headers (HTTP's or a NATS message's; their
// names in any case): the bearer of the API key or of the token in Authorization. Without a
// valid one it is ErrUnauthenticated; ErrTooMany, with a delay, for who asks too often; an
// outage (fault.ErrOutage) when it cannot be told. No error holds anything of the credential.
func (a *Authenticator) Caller(ctx context.Context, h http.Header) (Caller, error) {
	now, remote := a.now(), remoteOf(ctx)
	token, got := bearer(h)
	if got != accepted {
		return a.refuse(ctx, "none", got, remote, now)
	}
	kind, verify := "key", a.byKey
	if !strings.HasPrefix(token, keyPrefix) {
		kind, verify = "token", func(token string, _ time.Time) (Caller, outcome) { return a.tokens.caller(ctx, token) }
	}
	sum := sha256.Sum256([]byte(token))
	name := string(sum[:])
	if wait := a.spent(remote, now); wait > 0 && !a.good.has(name) {
		a.note(ctx, kind, limited)
		return Caller{}, fault.RetryAfter(ErrTooMany, wait)
	}
	c, got := verify(token, now)
	if got != accepted {
		return a.refuse(ctx, kind, got, remote, now)
	}
	a.good.get(name, func() struct{} { return struct{}{} })
	if wait := a.requests.take(c.Key, now); wait > 0 {
		a.note(ctx, kind, limited)
		return Caller{}, fault.RetryAfter(ErrTooMany, wait)
	}
	a.note(ctx, kind, accepted)
	return c, nil
}

// errNotYet is the outage of what there is nothing to check against for.
var errNotYet = errors.New("credentials cannot be checked yet")

// refuse is the error for an outcome, and counts a wrong credential against its address.
func (a *Authenticator) refuse(ctx context.Context, kind string, got outcome, remote string, now time.Time) (Caller, error) {
	a.note(ctx, kind, got)
	switch got {
	case missing:
		return Caller{}, errMissing
	case unavailable:
		return Caller{}, fault.Outage(errNotYet, time.Second)
	}
	if remote != "" {
		a.failures.take(remote, now)
	}
	return Caller{}, ErrUnauthenticated
}

// spent is how long an address that has sent too many wrong credentials has to wait.
func (a *Authenticator) spent(remote string, now time.Time) time.Duration {
	if remote == "" {
		return 0
	}
	return a.failures.spent(remote, now)
}

func (a *Authenticator) note(ctx context.Context, kind string, got outcome) {
	a.count.Add(ctx, 1, metric.WithAttributes(attribute.String("kind", kind), attribute.String("outcome", string(got))))
}

// bearer is the credential in the headers. Two of them are none: which is meant?
func bearer(h http.Header) (string, outcome) {
	var all []string
	for name, values := range h {
		if strings.EqualFold(name, "Authorization") {
			all = append(all, values...)
		}
	}
	if len(all) == 0 {
		return "", missing
	}
	scheme, token, _ := strings.Cut(all[0], " ")
	token = strings.TrimSpace(token)
	if len(all) > 1 || len(token) > maxCredential || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", malformed
	}
	return token, accepted
}
