package door

import (
	"strings"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
)

// User is whose memory a request is about, where that is always a user's.
type User struct {
	Tenant memory.Tenant `json:"tenant,omitempty" doc:"The tenant, up to 256 bytes; by default the credential's, without one \"default\"."`
	User   memory.User   `json:"user,omitempty" doc:"The user, up to 256 bytes; by default the credential's. Required where the credential is bound to no user."`
}

// Scope is the user's.
func (u *User) Scope() memory.Scope { return memory.UserScope(u.Tenant, u.User) }

func (u *User) narrow(c access.Caller, _ bool) error {
	_, err := u.narrowAgent(c, "")
	return err
}

// narrowAgent narrows the request, with the agent that it names.
func (u *User) narrowAgent(c access.Caller, agent memory.Agent) (memory.Agent, error) {
	o, err := access.Narrow(c, access.Owner{Tenant: u.Tenant, User: u.User, Agent: agent})
	if err != nil {
		return "", err
	}
	u.Tenant, u.User = o.Tenant, o.User
	if err := valid("tenant", string(u.Tenant)); err != nil {
		return "", err
	}
	return o.Agent, valid("user", string(u.User))
}

// UserAgent is whose memory a request is about, and the agent that asks for it.
type UserAgent struct {
	User
	Agent memory.Agent `json:"agent,omitempty" doc:"The agent, up to 256 bytes; by default the credential's, if it is bound to one."`
}

func (u *UserAgent) narrow(c access.Caller, _ bool) error {
	agent, err := u.narrowAgent(c, u.Agent)
	if u.Agent = agent; err != nil || agent == "" {
		return err
	}
	return valid("agent", string(agent))
}

// Owner is whose something is, where it may be a user's, an agent's or, without either, the
// tenant's own. What is the tenant's own only its admin changes.
type Owner struct {
	Tenant memory.Tenant `json:"tenant,omitempty" doc:"The tenant, up to 256 bytes; by default the credential's, without one \"default\"."`
	User   memory.User   `json:"user,omitempty" doc:"The user whose it is, up to 256 bytes; by default the credential's."`
	Agent  memory.Agent  `json:"agent,omitempty" doc:"The agent whose it is, up to 256 bytes, where it is no user's."`
}

// Scope is the owner's: the user's, or else the agent's, or else the tenant's.
func (o *Owner) Scope() memory.Scope {
	switch {
	case o.User != "":
		return memory.UserScope(o.Tenant, o.User)
	case o.Agent != "":
		return memory.Scope{Tenant: o.Tenant, Owner: memory.Owner{Kind: memory.OwnerAgent, ID: string(o.Agent)}}
	default:
		return memory.Scope{Tenant: o.Tenant, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	}
}

func (o *Owner) narrow(c access.Caller, writes bool) error {
	switch {
	case o.User != "" && o.Agent != "":
		return BadField("agent", "give a user or an agent, not both")
	case c.User != "" && o.Agent != "":
		return &access.ForbiddenError{Field: "agent", Reason: "is out of reach of a user's credential"}
	}
	n, err := access.Narrow(c, access.Owner(*o))
	if err != nil {
		return err
	}
	if n.User != "" {
		n.Agent = "" // the credential's, which owns nothing here
	}
	*o = Owner(n)
	if err := valid("tenant", string(o.Tenant)); err != nil {
		return err
	}
	switch scope := o.Scope(); scope.Owner.Kind {
	case memory.OwnerTenant:
		if writes {
			return access.Permit(c, access.RoleAdmin)
		}
		return nil
	default:
		return valid(string(scope.Owner.Kind), scope.Owner.ID)
	}
}

// valid reports that an id is missing or is none.
func valid(field, id string) error {
	if err := memory.ValidateID(id); err != nil {
		return BadField(field, "%v", err)
	}
	// U+FFFD is what a broken escape decodes to: two different ids would become one.
	if strings.ContainsRune(id, utf8.RuneError) {
		return BadField(field, "must not contain U+FFFD or an unpaired surrogate")
	}
	return nil
}
