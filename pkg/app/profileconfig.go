package app

import (
	"context"
	"fmt"
	"os"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/schemas"
)

// ProfileConfig says what is known about users, and how.
type ProfileConfig struct {
	// Schema is the path of a JSON Schema file that takes the place of the built-in profile
	// schema: see profile.Parse for what it may be. All parts of an installation need the same.
	// Default: the built-in one.
	Schema string `env:"SCHEMA"`
}

// registry reads the schema. The error names every fault of it.
func (c ProfileConfig) registry() (*profile.Registry, error) {
	raw := schemas.Profile
	if c.Schema != "" {
		var err error
		if raw, err = os.ReadFile(c.Schema); err != nil {
			return nil, fmt.Errorf("MNEMOND_PROFILE_SCHEMA: %w", err)
		}
	}
	r, err := profile.Parse(raw)
	if err != nil && c.Schema != "" {
		return nil, fmt.Errorf("MNEMOND_PROFILE_SCHEMA: %s: %w", c.Schema, err)
	}
	return r, err
}

// Misfits are the memories of one user that the profile schema has no place for.
type Misfits struct {
	Tenant memory.Tenant   `json:"tenant"`
	User   memory.User     `json:"user"`
	Unfit  []profile.Unfit `json:"unfit"`
}

// CheckProfiles calls fn with each of the users that has memories for which the profile schema
// has no place; with no users, each such user of the tenant. Those it finds by going through
// the tenant's change sets. It returns how many users it has looked at.
func (s *Stack) CheckProfiles(ctx context.Context, t memory.Tenant, users []memory.User, fn func(Misfits) error) (int, error) {
	seen := map[memory.Scope]bool{}
	check := func(scope memory.Scope) error {
		if seen[scope] {
			return nil
		}
		seen[scope] = true
		p, err := s.Recall.Profile(ctx, scope)
		if err != nil || len(p.Unfit) == 0 {
			return err
		}
		return fn(Misfits{Tenant: scope.Tenant, User: memory.User(scope.Owner.ID), Unfit: p.Unfit})
	}
	for _, u := range users {
		if err := check(memory.UserScope(t, u)); err != nil {
			return len(seen), err
		}
	}
	if len(users) > 0 {
		return len(seen), nil
	}
	for after := uint64(0); ; {
		scope, seq, ok, err := owners{s.Log}.Next(ctx, t, after)
		if err != nil || !ok {
			return len(seen), err
		}
		after = seq
		if scope.Owner.Kind != memory.OwnerUser {
			continue
		}
		if err := check(scope); err != nil {
			return len(seen), err
		}
	}
}
