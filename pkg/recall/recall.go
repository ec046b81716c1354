// Package recall is the read side: the few memories that matter to a query, each with its
// source, ready to be injected; and what its owner may look at: the memories and their
// history. It changes nothing.
package recall

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
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
	// List returns the owner's memories in any status, ordered by id.
	List(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
}

// Log is the ledger as recall reads it.
type Log interface {
	Head(ctx context.Context, s memory.Scope) (uint64, error)
	Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(seq uint64, at time.Time, data []byte) error) error
}

// Embedder makes one dense vector a text, in order.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Config is what a Service is made of. All of it is required.
type Config struct {
	Search   Searcher
	Ledger   Log
	Embed    Embedder
	Registry *profile.Registry
	Weights  rank.Weights
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

// FieldError is what is wrong with a request.
type FieldError struct{ Field, Reason string }

func (e *FieldError) Error() string { return e.Field + ": " + e.Reason }

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
}

// Response is a recall's answer. Memories is never nil; Prompt is empty when it is.
type Response struct {
	RecallID string   `json:"recall_id"`
	Memories []Result `json:"memories"`
	// Prompt is the block to inject.
	Prompt string `json:"prompt"`
}

// Result is one memory that is handed out.
type Result struct {
	ID          memory.ID         `json:"id"`
	Kind        memory.Kind       `json:"kind"`
	Key         memory.Key        `json:"key,omitempty"`
	Value       string            `json:"value,omitempty"`
	Text        string            `json:"text"`
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
			return &FieldError{f.name, err.Error()}
		}
	}
	switch {
	case r.Query == "":
		return &FieldError{"query", "is required"}
	case len(r.Query) > MaxQueryBytes:
		return &FieldError{"query", fmt.Sprintf("must be at most %d bytes, is %d", MaxQueryBytes, len(r.Query))}
	case r.Limit < 0 || r.Limit > MaxLimit:
		return &FieldError{"limit", fmt.Sprintf("must be between 1 and %d", MaxLimit)}
	}
	for _, k := range r.Kinds {
		if !k.Valid() {
			return &FieldError{"kinds", fmt.Sprintf("unknown kind %q", k)}
		}
	}
	if r.Limit == 0 {
		r.Limit = DefaultLimit
	}
	return nil
}

// Recall returns the memories that matter to the query, best first. A memory that shares
// neither words, nor asking-words, nor spelling with it is not returned, however few there
// are. A bad request is a *FieldError.
func (s *Service) Recall(ctx context.Context, r Request) (Response, error) {
	if err := r.validate(); err != nil {
		return Response{}, err
	}
	vectors, err := s.Embed.Embed(ctx, []string{r.Query})
	if err != nil {
		return Response{}, fmt.Errorf("embed query: %w", err)
	}
	now := s.Now()
	asked := index.QueryTerms(s.Registry, r.Query)
	hits, err := s.Search.Search(ctx, memory.UserScope(r.Tenant, r.User), index.Query{
		Now: now, Dense: vectors[0], MinDense: s.MinDense, Kinds: r.Kinds, Limit: candidates,
		Sparse: terms.Query(r.Query, asked...),
	})
	if err != nil {
		return Response{}, fmt.Errorf("recall: %w", err)
	}
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return !h.Memory.Live(now) })
	out := Response{RecallID: uuid.NewString(), Memories: []Result{}}
	for _, m := range rank.Order(now, hits, s.Weights, len(hits)) {
		if len(out.Memories) == r.Limit {
			break
		}
		if s.related(r.Query, asked, &m.Memory) {
			out.Memories = append(out.Memories, result(&m))
		}
	}
	out.Prompt = Prompt(r.Query, out.Memories)
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
		ID: m.ID, Kind: m.Kind, Key: m.Key, Value: m.Value, Text: m.Text, Citation: Citation(m),
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

// Records are the owner's change sets, oldest first.
func (s *Service) Records(ctx context.Context, scope memory.Scope) ([]ledger.Record, error) {
	return Records(ctx, s.Ledger, scope)
}

// Records reads the owner's change sets from a ledger, oldest first.
func Records(ctx context.Context, log Log, scope memory.Scope) ([]ledger.Record, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	head, err := log.Head(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("read ledger head: %w", err)
	}
	var out []ledger.Record
	err = log.Read(ctx, scope, 0, head, func(seq uint64, _ time.Time, data []byte) error {
		c, err := ledger.Decode(data, scope)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		out = append(out, ledger.Record{Seq: seq, ChangeSet: c})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	return out, nil
}
