package app

import (
	"errors"
	"fmt"
	"net"

	"go.opentelemetry.io/otel"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/stream"
)

// AuthConfig says who may ask. Without any of it there is no authentication: whoever reaches
// the HTTP API may read and write every tenant, and it listens on loopback only.
type AuthConfig struct {
	// Keys lets API keys in: see mnemond keys. Default false.
	Keys bool `env:"KEYS"`
	// JWT lets the tokens of an identity provider in.
	JWT JWTConfig `envPrefix:"JWT_"`
}

// JWTConfig says whose tokens are believed. Without an issuer, nobody's.
type JWTConfig struct {
	// Issuer and Audience are what the claims iss and aud have to be. Default: none.
	Issuer   string `env:"ISSUER"`
	Audience string `env:"AUDIENCE"`
	// JWKSURL is where the issuer publishes its keys: https, or http on loopback. Default: none.
	JWKSURL string `env:"JWKS_URL"`
	// TenantClaim, UserClaim and RoleClaim name the claims that give the scope. A token without
	// a role is a user's. Defaults tenant, sub and role.
	TenantClaim string `env:"TENANT_CLAIM" envDefault:"tenant"`
	UserClaim   string `env:"USER_CLAIM" envDefault:"sub"`
	RoleClaim   string `env:"ROLE_CLAIM" envDefault:"role"`
}

// RateConfig bounds how often who asks is answered. It counts by process, not across them.
type RateConfig struct {
	// PerSecond is how many requests a second each key, and each subject of tokens, has.
	// Default 0: no bound.
	PerSecond float64 `env:"PER_SECOND" envDefault:"0"`
	// Burst is how many of them may come at once. Default 0: as many as in a second.
	Burst int `env:"BURST" envDefault:"0"`
	// FailuresPerMinute is how many wrong credentials an address may send before only those
	// that have been good before are looked at. Default 60; 0: no bound.
	FailuresPerMinute float64 `env:"FAILURES_PER_MINUTE" envDefault:"60"`
}

// On reports whether who asks has to authenticate.
func (a AuthConfig) On() bool { return a.Keys || a.JWT.Issuer != "" }

func (a AuthConfig) validate() error {
	j := a.JWT
	if (j.Issuer == "") != (j.Audience == "") || (j.Issuer == "") != (j.JWKSURL == "") {
		return errors.New("MNEMOND_AUTH_JWT_ISSUER, MNEMOND_AUTH_JWT_AUDIENCE and MNEMOND_AUTH_JWT_JWKS_URL: are set together or not at all")
	}
	if j.Issuer == "" {
		return nil
	}
	// What else is wrong with them, the authenticator says.
	if _, err := access.New(access.Options{Tokens: j.options()}); err != nil {
		return fmt.Errorf("MNEMOND_AUTH_JWT_JWKS_URL: %w", err)
	}
	return nil
}

func (j JWTConfig) options() access.TokenOptions {
	return access.TokenOptions{
		Issuer: j.Issuer, Audience: j.Audience, JWKSURL: j.JWKSURL,
		TenantClaim: j.TenantClaim, UserClaim: j.UserClaim, RoleClaim: j.RoleClaim,
	}
}

func (r RateConfig) validate() error {
	switch {
	case r.PerSecond < 0:
		return errors.New("MNEMOND_RATE_PER_SECOND: must not be negative")
	case r.Burst < 0:
		return errors.New("MNEMOND_RATE_BURST: must not be negative")
	case r.FailuresPerMinute < 0:
		return errors.New("MNEMOND_RATE_FAILURES_PER_MINUTE: must not be negative")
	}
	return nil
}

var errPublic = errors.New("is not a loopback address, and nobody has to authenticate: " +
	"set MNEMOND_AUTH_KEYS=true or an issuer of tokens, or, " +
	"only behind something that authenticates, MNEMOND_HTTPAPI_ALLOW_UNAUTHENTICATED=true")

// ValidateHTTP checks how the HTTP API is reached. It refuses an address that others can reach
// without authentication, unless that is asked for.
func (c Config) ValidateHTTP() error {
	local, err := isLoopback(c.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("MNEMOND_HTTPAPI_LISTEN %q: %w", c.HTTP.Listen, err)
	}
	for _, err := range []error{c.Auth.validate(), c.Rate.validate(), c.TLS.validate()} {
		if err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
	}
	if !local && !c.Auth.On() && !c.HTTP.AllowUnauthenticated {
		return fmt.Errorf("MNEMOND_HTTPAPI_LISTEN %q %w", c.HTTP.Listen, errPublic)
	}
	return nil
}

// authenticate is who makes out who asks, and what has to run for it; nil when nobody has to
// authenticate.
func (s *Stack) authenticate() (*access.Authenticator, group, error) {
	if !s.Config.Auth.On() {
		return nil, nil, nil
	}
	o := access.Options{
		Tokens: s.Config.Auth.JWT.options(), Logger: s.options.Logger, Meter: otel.Meter("github.com/mnemond/mnemond/pkg/access"),
		Limits: access.Limits{
			PerSecond: s.Config.Rate.PerSecond, Burst: s.Config.Rate.Burst, FailuresPerMinute: s.Config.Rate.FailuresPerMinute,
		},
	}
	var g group
	if s.Config.Auth.Keys {
		keys := stream.NewKeys(s.js, s.names, stream.KeysOptions{Logger: s.options.Logger})
		o.Keys, g = keys, append(g, runnable{"api keys", keys.Run})
	}
	a, err := access.New(o)
	if err != nil {
		return nil, nil, err
	}
	return a, append(g, runnable{"tokens", a.Run}), nil
}

// http is the HTTP API on l, with what it needs to know who asks.
func (s *Stack) http(d doors, l net.Listener) (group, error) {
	who, g, err := s.authenticate()
	if err != nil {
		return nil, err
	}
	secure, err := s.Config.TLS.load(s.options.Logger)
	if err != nil {
		return nil, err
	}
	tcp, ok := l.Addr().(*net.TCPAddr)
	local := ok && tcp.IP.IsLoopback()
	switch {
	case local || d == doors{}:
	case who == nil:
		s.options.Logger.Warn("whoever reaches the HTTP API may read and write every tenant", "listen", l.Addr().String())
	case secure == nil:
		s.options.Logger.Warn("credentials cross the network as they are, unless something in front has TLS", "listen", l.Addr().String())
	}
	g = append(g, s.overNATS(d, who)...)
	return append(g, runnable{"http", serve(l, s.handler(d, local, who), secure)}), nil
}

// Keys is the API keys, for an operator to make, list and revoke.
func (s *Stack) Keys() *stream.Keys {
	return stream.NewKeys(s.js, s.names, stream.KeysOptions{Logger: s.options.Logger})
}
