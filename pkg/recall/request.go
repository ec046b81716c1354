package recall

import (
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Bounds of a request.
const (
	DefaultLimit = 6
	MaxLimit     = 50
	// MaxQueryBytes bounds the query, MaxKeys the keys.
	MaxQueryBytes = 8 << 10
	MaxKeys       = 64
)

// Request asks for what matters to a query, or without one for what to know about a user at
// the start of a thread.
//
// Whose memories are asked for: always the user's; with Agent also those of the agent itself;
// with Shared also those of the tenant itself. Nothing of another user, and nothing of another
// agent or tenant, is ever among them.
type Request struct {
	// Tenant is memory.DefaultTenant by default.
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user"`
	// Agent narrows the user's memories to those qualified by that agent or by none, and adds
	// the agent's own. Without it a memory is returned whatever it is qualified by: a
	// qualification says with whom something was agreed, it hides nothing from its user.
	Agent memory.Agent `json:"agent,omitempty"`
	// Shared adds what belongs to the tenant itself.
	Shared bool `json:"shared,omitempty"`
	// Namespace narrows to memories of that namespace or of none. Without it they are
	// returned whatever their namespace.
	Namespace string `json:"namespace,omitempty"`
	// Thread is where the answer will be used; it does not narrow the search.
	Thread memory.Thread `json:"thread,omitempty"`
	// Query is what the user says, up to MaxQueryBytes. White space alone is none.
	Query string `json:"query,omitempty"`
	// Limit is how many memories to return at most: 1 to MaxLimit; 0 means DefaultLimit.
	Limit int `json:"limit,omitempty"`
	// Budget bounds the block to inject, with its frame and notice, in tokens as event.Tokens
	// counts them; 0 means no bound. What does not fit is not returned.
	Budget int `json:"budget,omitempty"`
	// Kinds and Keys narrow to memories of one of them; empty means all.
	Kinds []memory.Kind `json:"kinds,omitempty"`
	Keys  []memory.Key  `json:"keys,omitempty"`
	// IncludeArchive searches what has gone cold as well; what is found there comes back.
	IncludeArchive bool `json:"include_archive,omitempty"`
	// AsOf asks for what was believed at that instant, which is not in the future. What was
	// forgotten, suppressed or redacted since is not returned, nothing counts as used, and no
	// question is offered.
	AsOf time.Time `json:"as_of,omitzero"`
	// IncludeQuestions adds the open questions about what is found for a query. Default true.
	IncludeQuestions *bool `json:"include_questions,omitempty"`
	// Explain tells the parts of every score, and what became of the candidates.
	Explain bool `json:"explain,omitempty"`
}

// validate fills in defaults. Its errors are *fault.FieldError.
func (r *Request) validate(registry *profile.Registry, now time.Time) error {
	if r.Tenant == "" {
		r.Tenant = memory.DefaultTenant
	}
	if strings.TrimSpace(r.Query) == "" {
		r.Query = ""
	}
	if err := r.validateIDs(); err != nil {
		return err
	}
	switch {
	case len(r.Query) > MaxQueryBytes:
		return fault.BadField("query", fmt.Sprintf("must be at most %d bytes, is %d", MaxQueryBytes, len(r.Query)))
	case r.Limit < 0 || r.Limit > MaxLimit:
		return fault.BadField("limit", fmt.Sprintf("must be between 1 and %d", MaxLimit))
	case r.Budget < 0:
		return fault.BadField("budget", "must not be negative")
	case r.AsOf.After(now):
		return fault.BadField("as_of", "must not be in the future")
	case len(r.Keys) > MaxKeys:
		return fault.BadField("keys", fmt.Sprintf("must be at most %d, are %d", MaxKeys, len(r.Keys)))
	}
	for _, k := range r.Kinds {
		if !k.Valid() {
			return fault.BadField("kinds", fmt.Sprintf("unknown kind %q", k))
		}
	}
	for _, k := range r.Keys {
		if _, ok := registry.Field(k); !ok {
			return fault.BadField("keys", fmt.Sprintf("the profile schema has no key %q", k))
		}
	}
	if r.Limit == 0 {
		r.Limit = DefaultLimit
	}
	return nil
}

func (r *Request) validateIDs() error {
	for _, f := range []struct {
		name, id string
		optional bool
	}{
		{"tenant", string(r.Tenant), false}, {"user", string(r.User), false}, {"agent", string(r.Agent), true},
		{"namespace", r.Namespace, true}, {"thread", string(r.Thread), true},
	} {
		if f.optional && f.id == "" {
			continue
		}
		if err := memory.ValidateID(f.id); err != nil {
			return fault.BadField(f.name, err.Error())
		}
	}
	return nil
}

// scopes are whose memories are asked for, the user first.
func (r *Request) scopes() []memory.Scope {
	out := []memory.Scope{memory.UserScope(r.Tenant, r.User)}
	if r.Agent != "" {
		out = append(out, memory.Scope{Tenant: r.Tenant, Owner: memory.Owner{Kind: memory.OwnerAgent, ID: string(r.Agent)}})
	}
	if r.Shared {
		out = append(out, memory.Scope{Tenant: r.Tenant, Owner: memory.Owner{Kind: memory.OwnerTenant}})
	}
	return out
}

// at is the instant of which it is asked what was believed.
func (r *Request) at(now time.Time) time.Time {
	if r.AsOf.IsZero() {
		return now
	}
	return r.AsOf
}
