package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// The form of a key: mnk_<id>_<secret>, both in base32 (a to z, 2 to 7). The id, 80 bits, is
// its name and no secret; the secret has 200.
const (
	keyPrefix   = "mnk_"
	idBytes     = 10
	secretBytes = 25
)

// MaxNameBytes is the longest name of a key.
const MaxNameBytes = 128

var (
	// ErrKeyNotFound says that there is no such key.
	ErrKeyNotFound = errors.New("no such key")
	// errNoKey says that a text has not the form of a key.
	errNoKey = errors.New("not a key")
)

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Key is an API key as it is kept: without the secret.
type Key struct {
	ID     string        `json:"id"`
	Name   string        `json:"name,omitempty"`
	Tenant memory.Tenant `json:"tenant"`
	Role   Role          `json:"role"`
	// User is whom a key with the role user is bound to; empty for the other roles.
	User memory.User `json:"user,omitempty"`
	// Agent is what a key with the role agent may be bound to.
	Agent memory.Agent `json:"agent,omitempty"`
	// Hash is the SHA-256 of the secret. A slow hash would protect words that can be guessed;
	// 200 random bits cannot, and a slow one would let anybody keep the processors busy.
	Hash      []byte    `json:"hash"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is from when on it is refused; zero is never.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// RevokedAt is since when it is refused; zero if it was not revoked.
	RevokedAt time.Time `json:"revoked_at,omitzero"`
	// LastUsedAt is when it was last used, within an hour; zero if it never was.
	LastUsedAt time.Time `json:"last_used_at,omitzero"`
}

// NewKey makes a key for k's tenant, role, user, agent, name and expiry. The token is what the
// caller sends; it is not kept and cannot be told again. An unusable field is a
// fault.FieldError.
func NewKey(k Key, now time.Time) (made Key, token string, err error) {
	if err := k.validate(now); err != nil {
		return Key{}, "", err
	}
	var raw [idBytes + secretBytes]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return Key{}, "", fmt.Errorf("make key: %w", err)
	}
	secret := base32Lower.EncodeToString(raw[idBytes:])
	k.ID, k.Hash = base32Lower.EncodeToString(raw[:idBytes]), hashSecret(secret)
	k.CreatedAt, k.ExpiresAt, k.RevokedAt, k.LastUsedAt = now.UTC(), k.ExpiresAt.UTC(), time.Time{}, time.Time{}
	return k, keyPrefix + k.ID + "_" + secret, nil
}

func (k *Key) validate(now time.Time) error {
	if err := memory.ValidateID(string(k.Tenant)); err != nil {
		return fault.BadField("tenant", err.Error())
	}
	if !k.Role.Valid() {
		return fault.BadField("role", "must be user, agent or admin")
	}
	switch {
	case k.Role == RoleUser:
		if err := memory.ValidateID(string(k.User)); err != nil {
			return fault.BadField("user", err.Error())
		}
	case k.User != "":
		return fault.BadField("user", "only a key with the role user is bound to one")
	}
	if k.Agent != "" {
		if k.Role != RoleAgent {
			return fault.BadField("agent", "only a key with the role agent is bound to one")
		}
		if err := memory.ValidateID(string(k.Agent)); err != nil {
			return fault.BadField("agent", err.Error())
		}
	}
	if len(k.Name) > MaxNameBytes || !utf8.ValidString(k.Name) || strings.ContainsFunc(k.Name, unicode.IsControl) {
		return fault.BadField("name", fmt.Sprintf("must be at most %d bytes of printable UTF-8", MaxNameBytes))
	}
	if !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(now) {
		return fault.BadField("expires_at", "must be in the future")
	}
	return nil
}

// Scope is whose data it is that the key exists: the user's whom it is bound to, the agent's, or
// the tenant's. With them it is erased.
func (k *Key) Scope() memory.Scope {
	switch {
	case k.User != "":
		return memory.UserScope(k.Tenant, k.User)
	case k.Agent != "":
		return memory.Scope{Tenant: k.Tenant, Owner: memory.Owner{Kind: memory.OwnerAgent, ID: string(k.Agent)}}
	default:
		return memory.Scope{Tenant: k.Tenant, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	}
}

// caller is whom the key lets in.
func (k *Key) caller() Caller {
	return Caller{Tenant: k.Tenant, User: k.User, Agent: k.Agent, Role: k.Role, Key: k.ID}
}

// matches compares in constant time.
func (k *Key) matches(secret string) bool {
	return subtle.ConstantTimeCompare(k.Hash, hashSecret(secret)) == 1
}

func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// parseKey takes a token apart.
func parseKey(token string) (id, secret string, err error) {
	rest, ok := strings.CutPrefix(token, keyPrefix)
	if !ok {
		return "", "", errNoKey
	}
	id, secret, _ = strings.Cut(rest, "_")
	if !isBase32(id, idBytes) || !isBase32(secret, secretBytes) {
		return "", "", errNoKey
	}
	return id, secret, nil
}

// ValidKeyID reports whether id has the form of a key's id.
func ValidKeyID(id string) bool { return isBase32(id, idBytes) }

// isBase32 reports whether s stands for n bytes. Both lengths are multiples of five, so that
// no two texts stand for the same bytes; the decoder alone would pass over line breaks.
func isBase32(s string, n int) bool {
	if len(s) != base32Lower.EncodedLen(n) {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
