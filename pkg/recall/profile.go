package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Profile is what is known of an owner under the keys of the profile schema.
type Profile struct {
	// Profile validates against the schema. It holds what may be recalled now, and nothing
	// else.
	Profile map[string]any `json:"profile"`
	// Sources are by JSON pointer into Profile, such as "/user/likes/0": one for each value.
	Sources map[string]Source `json:"sources"`
	// Unfit are the memories that the schema has no place for: their key is not in it, or it
	// refuses their value, or another one stands in their place. They are memories still, and
	// recalled like any other.
	Unfit []profile.Unfit `json:"unfit"`
}

// Source is the memory behind a value of a profile.
type Source struct {
	Memory      memory.ID `json:"memory_id"`
	Citation    string    `json:"citation"`
	ConfirmedAt time.Time `json:"confirmed_at"`
	ExpiresAt   time.Time `json:"expires_at,omitzero"`
	// Disputed says that something the user said contradicts it, and that they were asked.
	Disputed bool `json:"disputed,omitempty"`
}

// Profile makes the owner's profile of the memories at hand that may be recalled now.
func (s *Service) Profile(ctx context.Context, scope memory.Scope) (Profile, error) {
	all, err := s.Memories(ctx, scope)
	if err != nil {
		return Profile{}, fmt.Errorf("read profile: %w", err)
	}
	now, policy := s.Now(), s.Policies.For(scope.Tenant)
	all = slices.DeleteFunc(all, func(m memory.Memory) bool { return !policy.Recallable(&m, now) })
	doc := s.Find.Registry.Document(all)
	out := Profile{Profile: doc.Profile, Sources: map[string]Source{}, Unfit: append([]profile.Unfit{}, doc.Unfit...)}
	for pointer, m := range doc.Sources {
		out.Sources[pointer] = Source{
			Memory: m.ID, Citation: Citation(m), ConfirmedAt: m.ConfirmedAt, ExpiresAt: m.ExpiresAt, Disputed: m.Question != "",
		}
	}
	return out, nil
}
