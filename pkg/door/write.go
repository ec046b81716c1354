package door

import (
	"context"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Writer takes what users write straight to the memory.
type Writer interface {
	Remember(ctx context.Context, s memory.Scope, request string, n curate.Note) (curate.Written, error)
	Edit(ctx context.Context, s memory.Scope, request string, id memory.ID, change curate.Change) (curate.Written, error)
	PatchProfile(ctx context.Context, s memory.Scope, request string, patch []curate.PatchOperation) (curate.Written, error)
}

// Accountant tells of one memory.
type Accountant interface {
	Memory(ctx context.Context, s memory.Scope, id memory.ID) (curate.Account, error)
}

// RememberRequest asks to remember something.
type RememberRequest struct {
	User
	curate.Note
}

// EditRequest changes a memory by hand.
type EditRequest struct {
	MemoryRequest
	curate.Change
}

// PatchRequest edits the profile.
type PatchRequest struct {
	User
	Patch []curate.PatchOperation `json:"patch" minItems:"1" maxItems:"100" doc:"A JSON Patch (RFC 6902): its operations, in order."`
}

func (t *Table) write(w Writer) {
	Add(t, Operation{
		ID: "remember", Summary: "Remember something", Tag: tagMemories, Method: http.MethodPost, Path: "/v1/memories",
		Description: "Takes a text in the user's own words, or a value under a key. It is read, verified and decided like what is said in a thread; " +
			"what of a text is not understood is kept in these words, as one memory more. " +
			"What contradicts a memory is asked about, and secrets are refused. The reply says what became of it.",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, _ access.Caller, r *RememberRequest) (*curate.Written, error) {
		out, err := w.Remember(ctx, r.Scope(), requestID(ctx), r.Note)
		return &out, err
	})
	Add(t, Operation{
		ID: "edit_memory", Summary: "Edit a memory", Tag: tagMemories, Method: http.MethodPatch, Path: "/v1/memories/{id}",
		Description: "Changes what is given: its text, its value, until when it holds, whether it is pinned. It is the user's own statement and takes " +
			"the place of what was there without a question; under the same identity the old value goes to history. What was said of it meanwhile wins: 409.",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, _ access.Caller, r *EditRequest) (*curate.Written, error) {
		out, err := w.Edit(ctx, r.Scope(), requestID(ctx), r.ID, r.Change)
		return &out, err
	})
}

func (t *Table) patch(w Writer) {
	Add(t, Operation{
		ID: "patch_profile", Summary: "Edit the profile", Tag: tagMemories, Method: http.MethodPatch, Path: "/v1/profile",
		Description: "A JSON Patch (RFC 6902) of the profile document: add and replace are the user's own statements, which take the place of what was there " +
			"without a question, remove forgets, and test is a condition (409). All of it is one decision, or none. The patched document must fit the profile schema. " +
			"Over HTTP the body may also be the bare patch as application/json-patch+json, with tenant and user as parameters.",
		Role: access.RoleUser, Writes: true, JSONPatch: true, Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, _ access.Caller, r *PatchRequest) (*curate.Written, error) {
		out, err := w.PatchProfile(ctx, r.Scope(), requestID(ctx), r.Patch)
		return &out, err
	})
}

func (t *Table) account(a Accountant) {
	Add(t, Operation{
		ID: "memory", Summary: "Get one memory", Tag: tagMemories, Method: http.MethodGet, Path: "/v1/memories/{id}",
		Description: "One memory with its sources and its history, and why it has its status.",
		Role:        access.RoleUser, Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, _ access.Caller, r *MemoryRequest) (*curate.Account, error) {
		out, err := a.Memory(ctx, r.Scope(), r.ID)
		return &out, err
	})
}
