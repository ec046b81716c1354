package client

import (
	"net/url"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// RecallRequest asks for what matters to a query. User is required unless the credential is
// bound to one.
type RecallRequest struct {
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user,omitempty"`
	// Agent adds what belongs to the agent itself, and leaves out what the user agreed with
	// another one.
	Agent memory.Agent `json:"agent,omitempty"`
	// Shared adds what belongs to the tenant itself.
	Shared bool `json:"shared,omitempty"`
	// Namespace narrows to memories of that namespace or of none.
	Namespace string `json:"namespace,omitempty"`
	// Thread is where the answer will be used; it does not narrow the search.
	Thread memory.Thread `json:"thread,omitempty"`
	// Query is what the user says, up to 8192 bytes.
	Query string `json:"query,omitempty"`
	// Limit is how many memories to return at most, up to 50; 0 means 6.
	Limit int `json:"limit,omitempty"`
	// Budget bounds the prompt in tokens, as event.Tokens counts them; 0 means no bound.
	Budget int `json:"budget,omitempty"`
	// Kinds and Keys narrow to memories of one of them; empty means all.
	Kinds []memory.Kind `json:"kinds,omitempty"`
	Keys  []memory.Key  `json:"keys,omitempty"`
	// IncludeArchive searches what has gone cold as well.
	IncludeArchive bool `json:"include_archive,omitempty"`
	// AsOf asks for what was believed at that instant, which is not in the future.
	AsOf time.Time `json:"as_of,omitzero"`
	// IncludeQuestions adds the open questions about what is found. Nil means true.
	IncludeQuestions *bool `json:"include_questions,omitempty"`
	// Explain tells the parts of every score, and what became of the candidates.
	Explain bool `json:"explain,omitempty"`
}

func (RecallRequest) fields() (path map[string]string, query url.Values) { return nil, nil }

// RecallResponse is a recall's answer.
type RecallResponse struct {
	// RecallID names the recall: Thread.Answer and Thread.Feedback refer to it.
	RecallID string     `json:"recall_id"`
	Memories []Recalled `json:"memories"`
	// Prompt is the block to put before the model; empty without memories. No question stands
	// in it.
	Prompt string `json:"prompt"`
	// Tokens is the length of Prompt.
	Tokens int `json:"tokens"`
	// Questions are open ones about what was found, to be put to the user when it fits.
	Questions []memory.Question `json:"questions,omitempty"`
	// Explain is there when it was asked for.
	Explain *Explanation `json:"explain,omitempty"`
}

// Recalled is one memory that is handed out.
type Recalled struct {
	ID memory.ID `json:"id"`
	// Owner says whose it is: the user's, the agent's or the tenant's.
	Owner memory.OwnerKind `json:"owner"`
	Kind  memory.Kind      `json:"kind"`
	Key   memory.Key       `json:"key,omitempty"`
	Value string           `json:"value,omitempty"`
	Text  string           `json:"text"`
	Tier  memory.Tier      `json:"tier"`
	// Agent and Namespace qualify it.
	Agent     memory.Agent `json:"agent,omitempty"`
	Namespace string       `json:"namespace,omitempty"`
	// Disputed says that something the user said contradicts it, and that they were asked.
	Disputed    bool      `json:"disputed,omitempty"`
	Citation    string    `json:"citation"`
	ValidFrom   time.Time `json:"valid_from,omitzero"`
	ExpiresAt   time.Time `json:"expires_at,omitzero"`
	SaidAt      time.Time `json:"said_at"`
	ConfirmedAt time.Time `json:"confirmed_at"`
	Score       float64   `json:"score"`
	// Evidence is where it was said.
	Evidence []memory.Evidence `json:"evidence"`
	// Explain is there when it was asked for.
	Explain *Why `json:"explain,omitempty"`
}

// Why is how a memory came to be handed out.
type Why struct {
	Score Score `json:"score"`
	Match Match `json:"match"`
	// Start is what it counts as at the start of a thread, where nothing is asked.
	Start string `json:"start,omitempty"`
}

// Score is a score and its parts.
type Score struct {
	Total      float64 `json:"total"`
	Similarity float64 `json:"similarity"`
	Recency    float64 `json:"recency"`
	Importance float64 `json:"importance"`
	Tier       float64 `json:"tier"`
}

// Match is how near a memory is to the query, by parts.
type Match struct {
	Similarity float64 `json:"similarity"`
	Words      float64 `json:"words"`
	Echo       float64 `json:"echo"`
	Meaning    float64 `json:"meaning"`
	Context    float64 `json:"context"`
	Own        bool    `json:"own"`
}

// Explanation is what became of the candidates.
type Explanation struct {
	Candidates int     `json:"candidates"`
	Hidden     int     `json:"hidden"`
	BelowFloor int     `json:"below_floor"`
	OverLimit  int     `json:"over_limit"`
	OverBudget int     `json:"over_budget"`
	Weights    Weights `json:"weights"`
}

// Weights are the shares of a score's parts, and the floor of meaning.
type Weights struct {
	Similarity float64 `json:"similarity"`
	Recency    float64 `json:"recency"`
	Importance float64 `json:"importance"`
	Tier       float64 `json:"tier"`
	// HalfLife is after how long recency has halved, such as "720h0m0s".
	HalfLife  string  `json:"half_life"`
	MinCosine float64 `json:"min_cosine"`
}
