package access

import (
	"fmt"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Owner is whose memory a request is about, as it says so itself. What is empty is not said.
// A request about a user may name an agent besides: that narrows, and owns nothing.
type Owner struct {
	Tenant memory.Tenant
	User   memory.User
	Agent  memory.Agent
}

// ForbiddenError is what a credential does not reach. It wraps ErrForbidden.
type ForbiddenError struct {
	// Field is the field of the request that reaches too far: tenant, user or agent; empty
	// when the request as a whole is not open to the role.
	Field  string
	Reason string
}

func (e *ForbiddenError) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// Unwrap is ErrForbidden.
func (e *ForbiddenError) Unwrap() error { return ErrForbidden }

// Permit refuses, with a ForbiddenError, what is open to least only; ErrUnauthenticated when
// no credential gives such a caller.
func Permit(c Caller, least Role) error {
	if err := c.validate(); err != nil {
		return err
	}
	if !c.Role.May(least) {
		return &ForbiddenError{Reason: fmt.Sprintf("is not open to the role %s", c.Role)}
	}
	return nil
}

// Narrow is the owner whom the caller means and may reach. What the request does not say is
// filled from the credential, and what differs from it is a ForbiddenError that names the
// field: a request can narrow what its credential reaches, never widen it. The tenant is never
// empty afterwards; it is memory.DefaultTenant where neither says one. For a user's credential
// the user is not empty either, so that nothing of an agent's or the tenant's own is meant.
func Narrow(c Caller, o Owner) (Owner, error) {
	if err := c.validate(); err != nil {
		return Owner{}, err
	}
	if c.Tenant == "" && o.Tenant == "" {
		o.Tenant = memory.DefaultTenant
	}
	if err := narrow("tenant", &o.Tenant, c.Tenant); err != nil {
		return Owner{}, err
	}
	if err := narrow("user", &o.User, c.User); err != nil {
		return Owner{}, err
	}
	if err := narrow("agent", &o.Agent, c.Agent); err != nil {
		return Owner{}, err
	}
	return o, nil
}

// narrow makes *said what the credential is bound to, if it is.
func narrow[T ~string](field string, said *T, bound T) error {
	switch {
	case bound == "" || *said == bound:
		return nil
	case *said == "":
		*said = bound
		return nil
	default:
		return &ForbiddenError{Field: field, Reason: "is another than the credential's"}
	}
}
