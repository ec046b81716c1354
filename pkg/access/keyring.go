package access

import (
	"errors"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
)

// Keyring is the keys in memory, as the authenticator asks for them: it never waits.
type Keyring interface {
	// Key is the key of that id, revoked and expired ones included; ErrKeyNotFound when there
	// is none, an outage (fault.ErrOutage) until the keys have been read for the first time.
	Key(id string) (Key, error)
	// Used notes that a key was used.
	Used(id string, at time.Time)
}

// byKey lets in who has the secret of a key.
func (a *Authenticator) byKey(token string, now time.Time) (Caller, outcome) {
	id, secret, err := parseKey(token)
	if err != nil {
		return Caller{}, malformed
	}
	if a.keys == nil {
		return Caller{}, unknown
	}
	k, err := a.keys.Key(id)
	// An unknown id is compared as well, so that the time does not tell which ids there are.
	matches := k.matches(secret)
	switch {
	case errors.Is(err, fault.ErrOutage):
		return Caller{}, unavailable
	case err != nil || !matches:
		return Caller{}, unknown
	case !k.RevokedAt.IsZero():
		return Caller{}, revoked
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return Caller{}, expired
	}
	a.keys.Used(id, now)
	return k.caller(), accepted
}
