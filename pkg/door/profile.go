package door

import (
	"context"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Profiler makes profiles.
type Profiler interface {
	Profile(ctx context.Context, s memory.Scope) (recall.Profile, error)
}

// ProfileRequest asks for a user's profile.
type ProfileRequest struct{ User }

func (t *Table) profile(s Profiler) {
	Add(t, Operation{
		ID: "profile", Summary: "Get the profile", Tag: tagMemories, Method: http.MethodGet, Path: "/v1/profile",
		Description: "What holds of the user now under the keys of the profile schema: one document that validates against it, the memory behind each of " +
			"its values by JSON pointer, and the memories that the schema has no place for.",
		Role: access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, q *ProfileRequest) (*recall.Profile, error) {
		p, err := s.Profile(ctx, q.Scope())
		return &p, err
	})
}
