package curate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// MaxPatch bounds the operations of one patch.
const MaxPatch = 100

// PatchOperation is one operation of a JSON Patch (RFC 6902) on the profile document.
type PatchOperation struct {
	Op    string `json:"op" enum:"add,replace,remove,test" doc:"add, replace, remove or test; move and copy are not taken: say what is removed and what is added."`
	Path  string `json:"path" maxLength:"1024" doc:"A JSON pointer into the profile, such as \"/user/city\" or \"/user/likes/-\"."`
	Value any    `json:"value,omitempty" doc:"The value; not with remove."`
}

// PatchProfile edits the owner's profile document: what is put under a key is the owner's own
// statement, without a question, and what is taken away is forgotten. All of it is one decision;
// when an operation fails, or the patched document does not fit the schema, nothing is changed:
// a *fault.FieldError names the path, and a failed test is a *ConflictError. Request is the
// request's id; empty means one of its own.
func (s *Service) PatchProfile(ctx context.Context, scope memory.Scope, request string, patch []PatchOperation) (Written, error) {
	if err := scope.Validate(); err != nil {
		return Written{}, err
	}
	ops, err := s.patch(patch)
	if err != nil {
		return Written{}, err
	}
	said, err := s.place(ctx, scope, "")
	if err != nil {
		return Written{}, err
	}
	said.Event = cmp.Or(request, said.Event)
	var out Written
	err = s.write(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		in := s.input(scope)
		all, err := s.Memories.Needed(ctx, scope, reconcile.Needs{All: true})
		if err != nil {
			return nil, fmt.Errorf("read memories: %w", err)
		}
		if request != "" && slices.ContainsFunc(all, func(m memory.Memory) bool { return rests(&m, request) }) {
			out = written(reconcile.Decision{}) // the request itself, once more
			return nil, nil
		}
		e := patching{Service: s, in: &in, said: said}
		if err := e.apply(all, ops); err != nil {
			return nil, err
		}
		if err := s.load(ctx, &in); err != nil {
			return nil, err
		}
		d := reconcile.Plan(in)
		if slices.Contains(d.Edited, reconcile.NoTarget) {
			return nil, &ConflictError{How: "something was said about it since"}
		}
		out = written(d)
		out.refused(d, nil)
		return s.changeSet(scope, d), nil
	})
	return out, err
}

// patch checks the operations, one by one, and returns them as they are applied.
func (s *Service) patch(patch []PatchOperation) ([]jsonpatch.Patch, error) {
	if len(patch) == 0 || len(patch) > MaxPatch {
		return nil, fault.BadField("patch", fmt.Sprintf("must hold 1 to %d operations", MaxPatch))
	}
	out := make([]jsonpatch.Patch, len(patch))
	for i, op := range patch {
		raw, err := json.Marshal(op)
		if err != nil {
			return nil, fault.BadField(at(i, "value"), err.Error())
		}
		switch _, secret, err := guard.RedactJSON(raw); {
		case err != nil:
			return nil, fault.BadField(at(i, "value"), err.Error())
		case len(secret) > 0:
			return nil, fault.BadField(at(i, "value"), "holds a secret, which is never stored")
		case !slices.Contains([]string{"add", "replace", "remove", "test"}, op.Op):
			return nil, fault.BadField(at(i, "op"), fmt.Sprintf("%q is not taken: use add, replace, remove or test", op.Op))
		case !strings.HasPrefix(op.Path, "/"):
			return nil, fault.BadField(at(i, "path"), "must be a JSON pointer below the document, such as \"/user/city\"")
		case !s.has(op.Path):
			return nil, fault.BadField(at(i, "path"), fmt.Sprintf("the profile schema has no %q", op.Path))
		case op.Op != "remove" && op.Value == nil:
			return nil, fault.BadField(at(i, "value"), "is required")
		}
		if out[i], err = jsonpatch.DecodePatch(slices.Concat([]byte("["), raw, []byte("]"))); err != nil {
			return nil, fault.BadField(at(i, "op"), err.Error())
		}
	}
	return out, nil
}

func at(i int, field string) string { return fmt.Sprintf("patch.%d.%s", i, field) }

// has reports whether a pointer leads to a key of the schema, into its list, or to what keys
// lie below.
func (s *Service) has(pointer string) bool {
	path := strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
	if at := strings.LastIndexByte(path, '.'); at > 0 {
		_, err := strconv.Atoi(path[at+1:])
		if f, ok := s.Registry.Field(memory.Key(path[:at])); ok && f.Multi && (err == nil || path[at+1:] == "-") {
			return true
		}
	}
	return slices.ContainsFunc(s.Registry.Keys(), func(k memory.Key) bool {
		return string(k) == path || strings.HasPrefix(string(k), path+".")
	})
}
