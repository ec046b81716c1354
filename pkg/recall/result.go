package recall

import (
	"time"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
)

// Response is a recall's answer. Memories is never nil; Prompt is empty when it is.
type Response struct {
	RecallID string   `json:"recall_id"`
	Memories []Result `json:"memories"`
	// Prompt is the block to inject, one line a memory. No question stands in it.
	Prompt string `json:"prompt"`
	// Tokens is the length of Prompt, as event.Tokens counts it.
	Tokens int `json:"tokens"`
	// Questions are open ones about what was found: to be put to the user when it fits.
	Questions []memory.Question `json:"questions,omitempty"`
	// Explain is there when it was asked for.
	Explain *Explanation `json:"explain,omitempty"`
}

// Result is one memory that is handed out.
type Result struct {
	ID memory.ID `json:"id"`
	// Owned says whose it is: the user's, or that of the agent or the tenant that were asked
	// for beside. Owner is the same with the id, which the caller knows.
	Owned memory.OwnerKind `json:"owner"`
	Owner memory.Owner     `json:"-"`
	Kind  memory.Kind      `json:"kind"`
	Key   memory.Key       `json:"key,omitempty"`
	Value string           `json:"value,omitempty"`
	Text  string           `json:"text"`
	Tier  memory.Tier      `json:"tier"`
	// Agent and Namespace qualify it.
	Agent     memory.Agent `json:"agent,omitempty"`
	Namespace string       `json:"namespace,omitempty"`
	// Disputed says that something the user said contradicts it, and that they were asked.
	Disputed    bool              `json:"disputed,omitempty"`
	Citation    string            `json:"citation"`
	ValidFrom   time.Time         `json:"valid_from,omitzero"`
	ExpiresAt   time.Time         `json:"expires_at,omitzero"`
	SaidAt      time.Time         `json:"said_at"`
	ConfirmedAt time.Time         `json:"confirmed_at"`
	Score       float64           `json:"score"`
	Evidence    []memory.Evidence `json:"evidence"`
	// Explain is there when it was asked for.
	Explain *Why `json:"explain,omitempty"`

	question memory.ID
}

// Why is how a memory came to be handed out.
type Why struct {
	Score rank.Score `json:"score"`
	Match rank.Match `json:"match"`
	// Start is what it counts as at the start of a thread, where nothing is asked and the
	// scores are zero.
	Start Standing `json:"start,omitempty"`
}

// Explanation is what became of the candidates: Candidates is the sum of Hidden, BelowFloor,
// OverLimit, OverBudget and the memories that are returned.
type Explanation struct {
	Candidates int `json:"candidates"`
	// Hidden are not to be recalled any more, since they wait for the archive, or at the start of a
	// thread are for another agent or of another namespace.
	Hidden int `json:"hidden"`
	// BelowFloor share neither words nor asking-words nor meaning with the query.
	BelowFloor int `json:"below_floor"`
	// OverLimit and OverBudget matter, but there is no room for them.
	OverLimit  int `json:"over_limit"`
	OverBudget int `json:"over_budget"`
	// Weights are the shares of a score's parts.
	Weights Weights `json:"weights"`
}

// Weights are those of rank.Weights, and the floor of meaning.
type Weights struct {
	Similarity float64 `json:"similarity"`
	Recency    float64 `json:"recency"`
	Importance float64 `json:"importance"`
	Tier       float64 `json:"tier"`
	// HalfLife is after how long recency has halved, such as "720h0m0s".
	HalfLife string `json:"half_life"`
	// MinCosine is from where on meaning alone makes a memory matter.
	MinCosine float64 `json:"min_cosine"`
}

func weightsOf(c *find.Config) Weights {
	w := c.Weights
	return Weights{w.Similarity, w.Recency, w.Importance, w.Tier, w.HalfLife.String(), float64(c.MinDense)}
}

func result(m *memory.Memory, tier memory.Tier, why Why) Result {
	return Result{
		ID: m.ID, Owned: m.Scope.Owner.Kind, Owner: m.Scope.Owner, Kind: m.Kind, Key: m.Key, Value: m.Value, Text: m.Text, Tier: tier,
		Agent: m.Agent, Namespace: m.Namespace, Disputed: m.Question != "", Citation: Citation(m),
		ValidFrom: m.ValidFrom, ExpiresAt: m.ExpiresAt, SaidAt: m.SaidAt, ConfirmedAt: m.ConfirmedAt,
		Score: why.Score.Total, Evidence: m.Evidence, Explain: &why, question: m.Question,
	}
}
