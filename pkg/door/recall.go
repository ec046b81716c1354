package door

import (
	"context"
	"net/http"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// RecallRequest asks for what matters to a query. Its fields are those of recall.Request.
type RecallRequest struct {
	UserAgent
	Shared           bool          `json:"shared,omitempty" doc:"Also what belongs to the tenant itself."`
	Namespace        string        `json:"namespace,omitempty" doc:"Only memories of this namespace, or of none. Up to 256 bytes."`
	Thread           memory.Thread `json:"thread,omitempty" doc:"Where the answer will be used; it does not narrow the search. Up to 256 bytes."`
	Query            string        `json:"query,omitempty" doc:"What the user says, up to 8192 bytes. Without it: what to know about the user at the start of a thread."`
	Limit            int           `json:"limit,omitempty" minimum:"0" maximum:"50" doc:"How many memories to return at most; 0 means 6."`
	Budget           int           `json:"budget,omitempty" minimum:"0" doc:"How long the prompt may be, in tokens (estimated); 0 means no bound."`
	Kinds            []memory.Kind `json:"kinds,omitempty" nullable:"false" maxItems:"64" doc:"Only memories of one of these kinds."`
	Keys             []memory.Key  `json:"keys,omitempty" nullable:"false" maxItems:"64" doc:"Only memories of one of these keys."`
	IncludeArchive   bool          `json:"include_archive,omitempty" doc:"Search what has gone cold as well; what is found there comes back."`
	AsOf             time.Time     `json:"as_of,omitzero" doc:"What was believed at this instant, which is not in the future."`
	IncludeQuestions *bool         `json:"include_questions,omitempty" doc:"Add the open questions about what is found for a query; true by default."`
	Explain          bool          `json:"explain,omitempty" doc:"Tell the parts of every score, and what became of the candidates."`
}

func (t *Table) recall(r Reader) {
	Add(t, Operation{
		ID: "recall", Summary: "Recall what matters", Tag: "recall", Method: http.MethodPost, Path: "/v1/recall",
		Description: "The few memories that matter to what the user says, best first, each with its source, and a block to put before the model. " +
			"None is better than noise. Without a query it is what to know about the user at the start of a thread.",
		Role: access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, q *RecallRequest) (*recall.Response, error) {
		out, err := r.Recall(ctx, recall.Request{
			Tenant: q.Tenant, User: q.User.User, Agent: q.Agent, Shared: q.Shared, Namespace: q.Namespace, Thread: q.Thread,
			Query: q.Query, Limit: q.Limit, Budget: q.Budget, Kinds: q.Kinds, Keys: q.Keys, IncludeArchive: q.IncludeArchive,
			AsOf: q.AsOf, IncludeQuestions: q.IncludeQuestions, Explain: q.Explain,
		})
		return &out, err
	})
}
