package door

import (
	"context"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
)

// SelectionRequest is about a selection of the user's memories.
type SelectionRequest struct {
	User
	curate.Selection
}

// MemoryRequest is about one of the user's memories.
type MemoryRequest struct {
	User
	ID memory.ID `json:"id" path:"id" maxLength:"256" doc:"The memory."`
}

// selected is an operation on a selection.
type selected func(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)

func (do selected) call(ctx context.Context, _ access.Caller, r *SelectionRequest) (*curate.Outcome, error) {
	out, err := do(ctx, r.Scope(), r.Selection)
	return &out, err
}

const tagMemories = "memories"

func (t *Table) forget(f Forgetter) {
	Add(t, Operation{
		ID: "forget", Summary: "Forget memories", Tag: tagMemories, Method: http.MethodPost, Path: "/v1/forget",
		Description: "Deletes the selected memories and does not learn the same statements again unless they are said anew. " +
			"It can be undone one by one with restore_memory, until the purge.",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusConflict},
	}, selected(f.Forget).call)
	Add(t, Operation{
		ID: "delete_memory", Summary: "Forget one memory", Tag: tagMemories, Method: http.MethodDelete, Path: "/v1/memories/{id}",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, _ access.Caller, r *MemoryRequest) (*curate.Outcome, error) {
		out, err := f.Forget(ctx, r.Scope(), curate.Selection{IDs: []memory.ID{r.ID}})
		if err == nil && len(out.Memories) == 0 {
			err = curate.ErrNotFound
		}
		return &out, err
	})
	Add(t, Operation{
		ID: "restore_memory", Summary: "Undo forgetting a memory", Tag: tagMemories, Method: http.MethodPost, Path: "/v1/memories/{id}/restore",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, _ access.Caller, r *MemoryRequest) (*curate.Outcome, error) {
		return &curate.Outcome{Memories: []memory.ID{r.ID}}, f.Restore(ctx, r.Scope(), r.ID)
	})
}

func (t *Table) suppress(s Suppressor) {
	Add(t, Operation{
		ID: "suppress", Summary: "Keep memories from recall", Tag: tagMemories, Method: http.MethodPost, Path: "/v1/suppress",
		Description: "The selected memories stay visible to their user and are never recalled.",
		Role:        access.RoleUser, Writes: true, Errors: []int{http.StatusConflict},
	}, selected(s.Suppress).call)
	Add(t, Operation{
		ID: "unsuppress", Summary: "Let memories be recalled again", Tag: tagMemories, Method: http.MethodPost, Path: "/v1/unsuppress",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusConflict},
	}, selected(s.Unsuppress).call)
}

// EraseRequest names the user to be erased. It has no default: nothing is erased by leaving a
// field out.
type EraseRequest struct{ User }

func (t *Table) erase(e Eraser) {
	Add(t, Operation{
		ID: "erase", Summary: "Erase a user", Tag: "erasure", Method: http.MethodPost, Path: "/v1/erase",
		Description: "Deletes everything of the user securely: events, memories, history, questions, traces, documents, keys. There is no undo. " +
			"The receipt counts what was removed by place; it is final when a further pass has found nothing.",
		Role: access.RoleUser, Writes: true, Idempotent: true, Slow: true,
	}, func(ctx context.Context, _ access.Caller, r *EraseRequest) (*curate.Receipt, error) {
		out, err := e.Erase(ctx, r.Scope())
		return &out, err
	})
	Add(t, Operation{
		ID: "verify_erasure", Summary: "Count what is left of an erased user", Tag: "erasure", Method: http.MethodPost, Path: "/v1/erase/verify",
		Role: access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, r *EraseRequest) (*curate.Receipt, error) {
		out, err := e.Verify(ctx, r.Scope())
		return &out, err
	})
	whole := Operation{
		ID: "erase_owner", Summary: "Erase an agent or a whole tenant", Tag: "erasure", Method: http.MethodPost, Path: "/v1/erase/owner",
		Description: "Deletes what belongs to an agent itself, or everything of a tenant, with all its users and agents. There is no undo.",
		Role:        access.RoleAdmin, Writes: true, Idempotent: true, Slow: true,
	}
	Add(t, whole, erased(func(ctx context.Context, s memory.Scope) (curate.Receipt, error) {
		if s.Owner.Kind == memory.OwnerTenant {
			return e.EraseTenant(ctx, s.Tenant)
		}
		return e.Erase(ctx, s)
	}).call)
	whole.ID, whole.Path, whole.Writes = "verify_owner_erasure", "/v1/erase/owner/verify", false
	whole.Summary, whole.Description = "Count what is left of an erased agent or tenant", ""
	Add(t, whole, erased(e.Verify).call)
}

// EraseOwnerRequest says what is to be erased, and names it: nothing is erased by leaving a
// field out.
type EraseOwnerRequest struct {
	Owner
	Whole memory.OwnerKind `json:"whole" enum:"user,agent,tenant" doc:"What is meant: \"tenant\" without a user and an agent, \"agent\" with an agent, \"user\" with a user."`
}

// erased is an operation on an owner as a whole.
type erased func(ctx context.Context, s memory.Scope) (curate.Receipt, error)

func (do erased) call(ctx context.Context, _ access.Caller, r *EraseOwnerRequest) (*curate.Receipt, error) {
	if kind := r.Scope().Owner.Kind; kind != r.Whole {
		return nil, BadField("whole", "must be %q, as what is named is one's", kind)
	}
	out, err := do(ctx, r.Scope())
	return &out, err
}
