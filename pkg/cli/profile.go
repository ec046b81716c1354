package cli

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/recall"
)

type profileCmd struct {
	Show  profileShowCmd  `cmd:"" default:"withargs" help:"Show the profile of a user, with the memory behind each value."`
	Check profileCheckCmd `cmd:"" help:"Show the memories that the profile schema has no place for, and fail if there are any."`
}

type profileShowCmd struct {
	api   `embed:""`
	owner `embed:""`
	JSON  bool `help:"Print the whole answer."`
}

// Run shows a profile.
func (c *profileShowCmd) Run(e *env) error {
	var p recall.Profile
	if err := c.call(e, http.MethodGet, "/v1/profile?"+c.query().Encode(), nil, &p); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, p)
	}
	if err := printJSON(e.out, p.Profile); err != nil {
		return err
	}
	for _, pointer := range slices.Sorted(maps.Keys(p.Sources)) {
		s := p.Sources[pointer]
		disputed := ""
		if s.Disputed {
			disputed = "  disputed"
		}
		if _, err := fmt.Fprintf(e.out, "%-24s %s%s\n", pointer, s.Citation, disputed); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return printUnfit(e, "", p.Unfit)
}

func printUnfit(e *env, who string, list []profile.Unfit) error {
	for _, u := range list {
		if _, err := fmt.Fprintf(e.out, "%sno place for %s %q [memory %s]: %s\n", who, u.Key, u.Value, u.Memory.Short(), u.Reason); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type profileCheckCmd struct {
	Tenant string        `help:"Tenant." default:"default"`
	User   []memory.User `help:"These users; without any, all of the tenant."`
	JSON   bool          `help:"Print one object a user."`
}

// Run looks for what the schema of the environment has no place for.
func (c *profileCheckCmd) Run(e *env) error {
	return withAll(e, func(ctx context.Context, s *app.Stack) error {
		found := 0
		looked, err := s.CheckProfiles(ctx, memory.Tenant(c.Tenant), c.User, func(m app.Misfits) error {
			found++
			if c.JSON {
				return printJSON(e.out, m)
			}
			return printUnfit(e, string(m.User)+": ", m.Unfit)
		})
		if err != nil {
			return err
		}
		if !c.JSON {
			if _, err := fmt.Fprintf(e.out, "%d of %d users have memories that the profile schema has no place for\n", found, looked); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		if found > 0 {
			return ErrFailed
		}
		return nil
	})
}
