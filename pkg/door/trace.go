package door

import (
	"context"
	"errors"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Teller tells what recalls have done.
type Teller interface {
	Trace(ctx context.Context, s memory.Scope, id string) (recall.Account, error)
	Latest(ctx context.Context, s memory.Scope, t memory.Thread, limit int) ([]recall.Summary, error)
}

// RecallsRequest asks for a user's last recalls.
type RecallsRequest struct {
	User
	Thread memory.Thread `json:"thread,omitempty" doc:"Only recalls for this thread. Up to 256 bytes."`
	Limit  int           `json:"limit,omitempty" minimum:"1" maximum:"100" doc:"How many to return at most."`
}

// RecallsReply is recalls, the newest first.
type RecallsReply struct {
	Recalls []recall.Summary `json:"recalls" nullable:"false"`
}

// TraceRequest asks for one of a user's recalls.
type TraceRequest struct {
	User
	ID string `json:"id" path:"id" maxLength:"256" doc:"The recall, as its reply named it."`
}

const tagRecall = "recall"

func (t *Table) tell(r Teller) {
	Add(t, Operation{
		ID: "recalls", Summary: "List recalls", Tag: tagRecall, Method: http.MethodGet, Path: "/v1/recalls",
		Description: "The user's last recalls, the newest first, as long as their traces are kept.",
		Role:        access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, q *RecallsRequest) (*RecallsReply, error) {
		if q.Thread != "" {
			if err := valid("thread", string(q.Thread)); err != nil {
				return nil, err
			}
		}
		list, err := r.Latest(ctx, q.Scope(), q.Thread, q.Limit)
		if list == nil {
			list = []recall.Summary{}
		}
		return &RecallsReply{list}, err
	})
	Add(t, Operation{
		ID: "trace", Summary: "Tell of a recall", Tag: tagRecall, Method: http.MethodGet, Path: "/v1/recalls/{id}",
		Description: "What was asked, what was handed out and why, what was not, and what the model answered.",
		Role:        access.RoleUser, Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, _ access.Caller, q *TraceRequest) (*recall.Account, error) {
		account, err := r.Trace(ctx, q.Scope(), q.ID)
		if errors.Is(err, recall.ErrNoTrace) {
			err = &Problem{Status: http.StatusNotFound, Title: "not found", Detail: "the user has no such recall, or none any more"}
		}
		return &account, err
	})
}
