package door

import (
	"context"
	"fmt"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// MemoriesRequest asks for a user's memories.
type MemoriesRequest struct {
	User
	Filter
	Archive bool `json:"archive,omitempty" doc:"What is in the archive (cold, past and expired) instead of what is at hand."`
	Page
}

// MemoriesReply is memories, ordered by id.
type MemoriesReply struct {
	Memories []memory.Memory `json:"memories" nullable:"false"`
	Next
}

// HistoryRequest asks what a user's key has been.
type HistoryRequest struct {
	User
	Key memory.Key `json:"key,omitempty" doc:"The key, such as \"user.city\"; without it every change of every memory."`
	Page
}

// HistoryReply is what a key has been, the oldest statement first; or every change, by
// decision.
type HistoryReply struct {
	History []ledger.Entry `json:"history" nullable:"false"`
	Next
}

// RejectionsRequest asks what was said and not remembered.
type RejectionsRequest struct {
	User
	Page
}

// RejectionsReply is refused candidates without their text, the latest decision first.
type RejectionsReply struct {
	Rejections []ledger.Refused `json:"rejections" nullable:"false"`
	Next
}

func (t *Table) read(r Reader, a Archive) {
	Add(t, Operation{
		ID: "memories", Summary: "List memories", Tag: tagMemories, Method: http.MethodGet, Path: "/v1/memories",
		Description: "Everything that is remembered about the user, with its sources, ordered by id.",
		Role:        access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, q *MemoriesRequest) (*MemoriesReply, error) {
		if err := q.validate(); err != nil {
			return nil, err
		}
		list := r.Memories
		if q.Archive {
			list = a.Archive
		}
		all, err := list(ctx, q.Scope())
		if err != nil {
			return nil, err
		}
		var kept []memory.Memory
		for _, m := range all {
			if q.fits(&m) {
				kept = append(kept, m)
			}
		}
		part, next, err := cut(kept, q.Page, false, func(i int) string { return string(kept[i].ID) })
		return &MemoriesReply{part, next}, err
	})
	Add(t, Operation{
		ID: "history", Summary: "List the history of a key", Tag: tagMemories, Method: http.MethodGet, Path: "/v1/history",
		Role: access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, q *HistoryRequest) (*HistoryReply, error) {
		all, err := r.History(ctx, q.Scope(), q.Key)
		if err != nil {
			return nil, err
		}
		keys := places(all, false, func(e *ledger.Entry) string {
			if q.Key != "" {
				return e.SaidAt.UTC().Format(fixed)
			}
			return fmt.Sprintf("%020d", e.LedgerSeq)
		})
		part, next, err := cut(all, q.Page, false, func(i int) string { return keys[i] })
		return &HistoryReply{part, next}, err
	})
}

func (t *Table) rejections(a Archive) {
	Add(t, Operation{
		ID: "rejections", Summary: "List what was not remembered", Tag: tagMemories, Method: http.MethodGet, Path: "/v1/rejections",
		Description: "Why statements were refused, counted by decision, without their text.",
		Role:        access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, q *RejectionsRequest) (*RejectionsReply, error) {
		all, err := a.Refusals(ctx, q.Scope())
		if err != nil {
			return nil, err
		}
		keys := places(all, true, func(x *ledger.Refused) string { return fmt.Sprintf("%020d", x.LedgerSeq) })
		part, next, err := cut(all, q.Page, true, func(i int) string { return keys[i] })
		return &RejectionsReply{part, next}, err
	})
}
