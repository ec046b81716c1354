// Package recall is the read side: the few memories that matter to a query, each with its
// source, ready to be injected; and what its owner may look at: the memories and their
// history. It changes nothing; that a memory was used is told to Traces.
package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Bounds of a request.
const (
	DefaultLimit = 6
	MaxLimit     = 8
	// MaxQueryBytes bounds the query.
	MaxQueryBytes = 8 << 10
	// candidates is how many hits are ranked.
	candidates = 50
)

// Searcher is the collection as recall reads it.
type Searcher interface {
	Search(ctx context.Context, s memory.Scope, q index.Query) ([]index.Hit, error)
	// List returns the owner's memories at hand in any status, ordered by id; tombstones are
	// none.
	List(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
	// ListArchive returns what is in the archive, past values included, ordered by id.
	ListArchive(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
}

// Questions is where questions wait for their answers.
type Questions interface {
	Get(ctx context.Context, s memory.Scope, id memory.ID) (q memory.Question, ok bool, err error)
}

// Traces keeps what was handed out.
type Traces interface {
	// Record takes a trace without waiting: under pressure it is lost, and counted.
	Record(t Trace)
}

// Embedder makes one dense vector a text of an owner's, in order.
type Embedder interface {
	EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error)
}

// Config is what a Service is made of. All of it is required.
type Config struct {
	Search    Searcher
	Ledger    decide.Reader
	Embed     Embedder
	Questions Questions
	Traces    Traces
	Registry  *profile.Registry
	Policies  retention.Policies
	Weights   rank.Weights
	// MinDense is the cosine of the embedder above which two texts count as near.
	MinDense float32
	// Related reports whether a text can be near a query at all, for an embedder whose
	// cosine can be high by chance; nil leaves that to MinDense.
	Related func(query, text string) bool
	// Now is the clock of decisions.
	Now func() time.Time
}

// Service answers recalls.
type Service struct{ Config }

// New returns a service; it starts nothing.
func New(c Config) *Service { return &Service{c} }

// Request asks for what matters to a query.
type Request struct {
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user"`
	// Thread is where the answer will be used; it does not narrow the search.
	Thread memory.Thread `json:"thread,omitempty"`
	Query  string        `json:"query"`
	// Limit is how many memories to return at most: 1 to MaxLimit; 0 means DefaultLimit.
	Limit int           `json:"limit,omitempty"`
	Kinds []memory.Kind `json:"kinds,omitempty"`
	// IncludeArchive searches what has gone cold as well; what is found there comes back.
	IncludeArchive bool `json:"include_archive,omitempty"`
	// IncludeQuestions adds the open questions about what is found. Default true.
	IncludeQuestions *bool `json:"include_questions,omitempty"`
}

// Response is a recall's answer. Memories is never nil; Prompt is empty when it is.
type Response struct {
	RecallID string   `json:"recall_id"`
	Memories []Result `json:"memories"`
	// Prompt is the block to inject. No question stands in it.
	Prompt string `json:"prompt"`
	// Questions are open ones about what was found: to be put to the user when it fits.
	Questions []memory.Question `json:"questions,omitempty"`
}

// Result is one memory that is handed out.
type Result struct {
	ID    memory.ID   `json:"id"`
	Kind  memory.Kind `json:"kind"`
	Key   memory.Key  `json:"key,omitempty"`
	Value string      `json:"value,omitempty"`
	Text  string      `json:"text"`
	Tier  memory.Tier `json:"tier"`
	// Disputed says that something the user said contradicts it, and that they were asked.
	Disputed    bool              `json:"disputed,omitempty"`
	Citation    string            `json:"citation"`
	ValidFrom   time.Time         `json:"valid_from,omitzero"`
	ExpiresAt   time.Time         `json:"expires_at,omitzero"`
	SaidAt      time.Time         `json:"said_at"`
	ConfirmedAt time.Time         `json:"confirmed_at"`
	Score       rank.Score        `json:"score"`
	Evidence    []memory.Evidence `json:"evidence"`
}

func (r *Request) validate() error {
	if r.Tenant == "" {
		r.Tenant = memory.DefaultTenant
	}
	for _, f := range []struct {
		name, id string
		optional bool
	}{{"tenant", string(r.Tenant), false}, {"user", string(r.User), false}, {"thread", string(r.Thread), true}} {
		if f.optional && f.id == "" {
			continue
		}
		if err := memory.ValidateID(f.id); err != nil {
			return fault.BadField(f.name, err.Error())
		}
	}
	switch {
	case r.Query == "":
		return fault.BadField("query", "is required")
	case len(r.Query) > MaxQueryBytes:
		return fault.BadField("query", fmt.Sprintf("must be at most %d bytes, is %d", MaxQueryBytes, len(r.Query)))
	case r.Limit < 0 || r.Limit > MaxLimit:
		return fault.BadField("limit", fmt.Sprintf("must be between 1 and %d", MaxLimit))
	}
	for _, k := range r.Kinds {
		if !k.Valid() {
			return fault.BadField("kinds", fmt.Sprintf("unknown kind %q", k))
		}
	}
	if r.Limit == 0 {
		r.Limit = DefaultLimit
	}
	return nil
}

// Recall returns the memories that matter to the query, best first. A memory that shares
// neither words, nor asking-words, nor spelling with it is not returned, however few there
// are. A bad request is a *fault.FieldError.
func (s *Service) Recall(ctx context.Context, r Request) (Response, error) {
	if err := r.validate(); err != nil {
		return Response{}, err
	}
	vectors, err := s.Embed.EmbedFor(ctx, memory.UserScope(r.Tenant, r.User), []string{r.Query})
	if err != nil {
		return Response{}, fmt.Errorf("embed query: %w", err)
	}
	now, scope := s.Now(), memory.UserScope(r.Tenant, r.User)
	policy := s.Policies.For(r.Tenant)
	asked := index.QueryTerms(s.Registry, r.Query)
	hits, err := s.Search.Search(ctx, scope, index.Query{
		Now: now, Dense: vectors[0], MinDense: s.MinDense, Kinds: r.Kinds, Limit: candidates,
		Sparse: terms.Query(r.Query, asked...), Archive: r.IncludeArchive,
	})
	if err != nil {
		return Response{}, fmt.Errorf("recall: %w", err)
	}
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool {
		return !policy.Recallable(&h.Memory, now) && !(r.IncludeArchive && policy.RecallableFromArchive(&h.Memory, now))
	})
	out := Response{RecallID: uuid.NewString(), Memories: []Result{}}
	var doubts []memory.ID
	for _, m := range rank.Order(now, hits, s.Weights, policy, len(hits)) {
		if len(out.Memories) == r.Limit {
			break
		}
		if !s.related(r.Query, asked, &m.Memory) {
			continue
		}
		out.Memories = append(out.Memories, result(&m))
		if m.Memory.Question != "" {
			doubts = append(doubts, m.Memory.Question)
		}
	}
	out.Prompt = Prompt(r.Query, out.Memories)
	if r.IncludeQuestions == nil || *r.IncludeQuestions {
		if out.Questions, err = s.questions(ctx, scope, doubts); err != nil {
			return Response{}, err
		}
	}
	s.Traces.Record(trace(now, scope, &r, &out))
	return out, nil
}

// maxQuestions bounds the questions of a recall: nobody is asked more at a time.
const maxQuestions = 2

// questions are the open ones with these ids.
func (s *Service) questions(ctx context.Context, scope memory.Scope, ids []memory.ID) ([]memory.Question, error) {
	var out []memory.Question
	for _, id := range ids[:min(len(ids), maxQuestions)] {
		q, ok, err := s.Questions.Get(ctx, scope, id)
		if err != nil {
			return nil, fmt.Errorf("read question %s: %w", id, err)
		}
		if ok && q.Status == memory.QuestionOpen {
			out = append(out, q)
		}
	}
	return out, nil
}

// related reports whether a memory has been found for a reason: it is asked for by key, or
// its text can be near the query.
func (s *Service) related(query string, asked []string, m *memory.Memory) bool {
	return s.Related == nil || s.Related(query, index.Text(m)) ||
		slices.ContainsFunc(index.Terms(m), func(term string) bool { return slices.Contains(asked, term) })
}

func result(r *rank.Ranked) Result {
	m := &r.Memory
	return Result{
		ID: m.ID, Kind: m.Kind, Key: m.Key, Value: m.Value, Text: m.Text, Tier: r.Tier,
		Disputed: m.Question != "", Citation: Citation(m),
		ValidFrom: m.ValidFrom, ExpiresAt: m.ExpiresAt, SaidAt: m.SaidAt, ConfirmedAt: m.ConfirmedAt,
		Score: r.Score, Evidence: m.Evidence,
	}
}

// Memories are the owner's memories in any status, ordered by id.
func (s *Service) Memories(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	return s.Search.List(ctx, scope)
}

// Archive is what the owner has in the archive, past values included, ordered by id.
func (s *Service) Archive(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	return s.Search.ListArchive(ctx, scope)
}

// History is what a key of the owner has been, oldest statement first; without a key it is
// every change in the order of decision.
func (s *Service) History(ctx context.Context, scope memory.Scope, key memory.Key) ([]ledger.Entry, error) {
	records, err := s.Records(ctx, scope)
	if err != nil {
		return nil, err
	}
	if key == "" {
		return ledger.Changes(records), nil
	}
	return ledger.History(records, key), nil
}

// Refusals are the candidates about the owner that were refused, by decision, latest first.
func (s *Service) Refusals(ctx context.Context, scope memory.Scope) ([]ledger.Refused, error) {
	records, err := s.Records(ctx, scope)
	return ledger.Refusals(records), err
}

// Records are the owner's change sets, oldest first.
func (s *Service) Records(ctx context.Context, scope memory.Scope) ([]ledger.Record, error) {
	return decide.Records(ctx, s.Ledger, scope)
}
