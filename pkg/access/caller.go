package access

import (
	"errors"
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Role says what a caller may do at all.
type Role string

// The roles.
const (
	// RoleAgent is a backend that acts for all users of its tenant: it publishes, recalls, asks
	// questions and passes answers and feedback on.
	RoleAgent Role = "agent"
	// RoleUser is one user, on their own side only.
	RoleUser Role = "user"
	// RoleAdmin does everything within its tenant, its erasure included.
	RoleAdmin Role = "admin"
)

// order are the roles, each of which may do all that those before it may.
var order = []Role{RoleUser, RoleAgent, RoleAdmin}

// Valid reports whether it is one of the roles.
func (r Role) Valid() bool { return slices.Contains(order, r) }

// May reports whether the role may do what is open to least: a user what is open to users, an
// agent that and what is open to agents, an admin everything. What is none of the roles may
// nothing, and nothing is open to it.
func (r Role) May(least Role) bool {
	return r.Valid() && least.Valid() && slices.Index(order, r) >= slices.Index(order, least)
}

// Caller is who asks, as the credential has it. What is empty is not bound: a Caller without
// a Tenant may name any, which only the door on loopback without authentication makes; one
// without a User may name any user of its tenant, one without an Agent any agent.
type Caller struct {
	Tenant memory.Tenant
	User   memory.User
	Agent  memory.Agent
	Role   Role
	// Key names the credential, for limits, logs and idempotency: never the secret itself.
	Key string
}

// localKey names the caller without authentication. No credential has this name.
const localKey = "local"

// Local is the caller without authentication: admin of every tenant.
func Local() Caller { return Caller{Role: RoleAdmin, Key: localKey} }

// validate refuses what no credential gives: a caller who is bound to less than their role is.
func (c Caller) validate() error {
	switch {
	case c == Local():
		return nil
	case !c.Role.Valid(), memory.ValidateID(string(c.Tenant)) != nil, c.Key == "", c.Key == localKey:
		return ErrUnauthenticated
	case (c.Role == RoleUser) != (c.User != ""), c.User != "" && memory.ValidateID(string(c.User)) != nil:
		return ErrUnauthenticated
	case c.Agent != "" && (c.Role != RoleAgent || memory.ValidateID(string(c.Agent)) != nil):
		return ErrUnauthenticated
	}
	return nil
}

// Errors of credentials.
var (
	// ErrUnauthenticated means that there is no credential, or that it is not (any more) valid.
	ErrUnauthenticated = errors.New("no valid credential")
	// ErrForbidden means that the credential does not reach what is asked for.
	ErrForbidden = errors.New("the credential does not allow this")
)
