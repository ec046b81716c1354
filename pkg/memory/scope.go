package memory

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxIDBytes is the longest tenant, user, agent, thread or event id, in bytes of UTF-8.
const MaxIDBytes = 256

// DefaultTenant is the tenant of requests that name none.
const DefaultTenant Tenant = "default"

// Identities as callers name them: any valid UTF-8 text of 1 to MaxIDBytes bytes, without NUL.
type (
	// Tenant is one customer of an installation. Nothing crosses tenants.
	Tenant string
	// User is one end user of a tenant.
	User string
	// Agent is one agent of a tenant.
	Agent string
	// Thread is one conversation of a user.
	Thread string
)

// OwnerKind says what sort of owner a memory has.
type OwnerKind string

// The kinds of owner. A user is the default for everything; an agent or a tenant owns
// memory only by an operator's or an application's explicit act.
const (
	OwnerUser   OwnerKind = "user"
	OwnerAgent  OwnerKind = "agent"
	OwnerTenant OwnerKind = "tenant"
)

// Owner is whose memory it is, within a tenant. For OwnerTenant, ID is empty.
type Owner struct {
	Kind OwnerKind `json:"kind"`
	ID   string    `json:"id,omitempty"`
}

// Scope is the pair that every store call takes: nothing is read or written outside it.
// The zero Scope is invalid everywhere.
type Scope struct {
	Tenant Tenant `json:"tenant"`
	Owner  Owner  `json:"owner"`
}

// ErrScope is wrapped by every error about an unusable scope.
var ErrScope = errors.New("invalid scope")

// UserScope is the scope of a user's own memory.
func UserScope(t Tenant, u User) Scope {
	return Scope{Tenant: t, Owner: Owner{Kind: OwnerUser, ID: string(u)}}
}

// Validate reports why the scope cannot be used, wrapping ErrScope, or nil.
func (s Scope) Validate() error {
	if err := ValidateID(string(s.Tenant)); err != nil {
		return fmt.Errorf("%w: tenant: %w", ErrScope, err)
	}
	switch s.Owner.Kind {
	case OwnerUser, OwnerAgent:
		if err := ValidateID(s.Owner.ID); err != nil {
			return fmt.Errorf("%w: owner: %w", ErrScope, err)
		}
	case OwnerTenant:
		if s.Owner.ID != "" {
			return fmt.Errorf("%w: owner: the tenant owner has no id", ErrScope)
		}
	default:
		return fmt.Errorf("%w: owner kind %q", ErrScope, s.Owner.Kind)
	}
	return nil
}

// ValidateID reports why id cannot name a tenant, user, agent, thread or event, or nil.
func ValidateID(id string) error {
	switch {
	case id == "":
		return errors.New("must not be empty")
	case len(id) > MaxIDBytes:
		return fmt.Errorf("must be at most %d bytes, is %d", MaxIDBytes, len(id))
	case !utf8.ValidString(id):
		return errors.New("must be valid UTF-8")
	}
	for _, r := range id {
		if r == 0 {
			return errors.New("must not contain NUL")
		}
	}
	return nil
}

// ThreadRef names one thread of one user: the unit that is consolidated.
type ThreadRef struct {
	Tenant Tenant `json:"tenant"`
	User   User   `json:"user"`
	Thread Thread `json:"thread"`
}

// Scope is the scope of the user whose thread it is.
func (r ThreadRef) Scope() Scope { return UserScope(r.Tenant, r.User) }

// Validate reports why the reference cannot be used, naming the field, or nil.
func (r ThreadRef) Validate() error {
	for _, f := range []struct{ name, id string }{
		{"tenant", string(r.Tenant)}, {"user", string(r.User)}, {"thread", string(r.Thread)},
	} {
		if err := ValidateID(f.id); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrScope, f.name, err)
		}
	}
	return nil
}
