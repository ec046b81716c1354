package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/memory"
)

type keysCmd struct {
	Create keysCreateCmd `cmd:"" help:"Make an API key. It is printed once, and cannot be shown again."`
	List   keysListCmd   `cmd:"" help:"List a tenant's API keys."`
	Revoke keysRevokeCmd `cmd:"" help:"Have an API key refused from now on."`
}

type keysCreateCmd struct {
	Tenant  string        `help:"Tenant." default:"default"`
	Role    string        `help:"user: one user's own side. agent: a backend, for all users of the tenant. admin: everything of the tenant." enum:"user,agent,admin" required:""`
	User    string        `help:"The user that a key with the role user is bound to."`
	Agent   string        `help:"The agent that a key with the role agent is bound to; without it, any."`
	Name    string        `help:"What the key is for, to know it by in the list."`
	Expires time.Duration `help:"After how long it is refused, such as 720h; without it, never."`
	JSON    bool          `help:"Print one object."`
}

// Run makes a key and prints it.
func (c *keysCreateCmd) Run(e *env) error {
	now := time.Now()
	want := access.Key{
		Tenant: memory.Tenant(c.Tenant), Role: access.Role(c.Role), User: memory.User(c.User), Agent: memory.Agent(c.Agent), Name: c.Name,
	}
	if c.Expires != 0 {
		want.ExpiresAt = now.Add(c.Expires)
	}
	key, token, err := access.NewKey(want, now)
	if err != nil {
		return err
	}
	return with(e, func(ctx context.Context, s *app.Stack) error {
		if err := s.Keys().Create(ctx, key); err != nil {
			return err
		}
		if c.JSON {
			return printJSON(e.out, struct {
				shownKey
				Key string `json:"key"`
			}{shown(&key), token})
		}
		_, err := fmt.Fprintf(e.out, "%s\n\nThis is the only time that it is shown. Send it as Authorization: Bearer.\n%s", token, line(&key, now))
		return err
	})
}

type keysListCmd struct {
	Tenant string `help:"Tenant." default:"default"`
	JSON   bool   `help:"Print one object a key."`
}

// Run lists keys.
func (c *keysListCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		keys, err := s.Keys().List(ctx, memory.Tenant(c.Tenant))
		if err != nil {
			return err
		}
		for i := range keys {
			if c.JSON {
				err = printJSON(e.out, shown(&keys[i]))
			} else {
				_, err = fmt.Fprint(e.out, line(&keys[i], time.Now()))
			}
			if err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		return nil
	})
}

type keysRevokeCmd struct {
	Tenant string `help:"Tenant." default:"default"`
	ID     string `arg:"" help:"The key's id, as list shows it."`
}

// Run revokes a key.
func (c *keysRevokeCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		return s.Keys().Revoke(ctx, memory.Tenant(c.Tenant), c.ID, time.Now())
	})
}

// shownKey is a key without the hash of its secret.
type shownKey struct {
	access.Key
	Hash *struct{} `json:"hash,omitempty"` // hides that of the key
}

func shown(k *access.Key) shownKey { return shownKey{Key: *k} }

// line is a key in one line.
func line(k *access.Key, now time.Time) string {
	of := "tenant " + string(k.Tenant)
	switch {
	case k.User != "":
		of += ", user " + string(k.User)
	case k.Agent != "":
		of += ", agent " + string(k.Agent)
	}
	parts := []string{k.ID, fmt.Sprintf("%-5s", k.Role), of}
	if k.Name != "" {
		parts = append(parts, fmt.Sprintf("%q", k.Name))
	}
	parts = append(parts, "made "+k.CreatedAt.Format(time.DateOnly), state(k, now))
	return strings.Join(parts, "  ") + "\n"
}

// state says whether a key is good, and when it was used.
func state(k *access.Key, now time.Time) string {
	used := "never used"
	if !k.LastUsedAt.IsZero() {
		used = "last used " + k.LastUsedAt.Format("2006-01-02 15h")
	}
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked " + k.RevokedAt.Format(time.RFC3339) + ", " + used
	case k.ExpiresAt.IsZero():
		return used
	case now.Before(k.ExpiresAt):
		return "until " + k.ExpiresAt.Format(time.RFC3339) + ", " + used
	default:
		return "expired " + k.ExpiresAt.Format(time.RFC3339) + ", " + used
	}
}
