package find

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
)

// Store is what is searched.
type Store interface {
	// Search returns what an owner has that is nearest to the query: the q.Limit nearest by
	// terms and the q.Near nearest by meaning, best first, each once.
	Search(ctx context.Context, s memory.Scope, q index.Query) ([]index.Hit, error)
	// Beside returns the documents at most reach places away from the spots, in the same
	// threads, within what q narrows to. What q asks for gives their cosines and no more.
	Beside(ctx context.Context, s memory.Scope, q index.Query, spots []index.Spot, reach int64) ([]index.Hit, error)
}

// Embedder makes one dense vector a text of an owner's, in order.
type Embedder interface {
	EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error)
}

// Config is what a Finder is made of. All but Related is required.
type Config struct {
	Store    Store
	Embed    Embedder
	Registry *profile.Registry
	Weights  rank.Weights
	Measure  rank.Measure
	// MinDense is the cosine of the embedder above which two texts count as near; it stands in
	// for Measure.MinCosine.
	MinDense float32
	// Related reports whether a text can be near a query at all, for an embedder whose
	// cosine can be high by chance; nil leaves that to MinDense.
	Related func(query, text string) bool
}

// Finder finds.
type Finder struct{ Config }

// New returns a finder; it starts nothing.
func New(c Config) *Finder {
	c.Measure.MinCosine = float64(c.MinDense)
	return &Finder{c}
}

// Pipeline is a way to rank. The zero value is the whole.
type Pipeline string

// The pipelines.
const (
	Full Pipeline = ""
	// BM25 ranks by the terms alone, Dense by the embedder alone.
	BM25  Pipeline = "bm25"
	Dense Pipeline = "dense"
	// Hybrid fuses the two by reciprocal rank.
	Hybrid Pipeline = "hybrid"
)

// Request says what to find.
type Request struct {
	// Scopes are whose, at least one, all of one tenant. Vectors are made for the first.
	Scopes []memory.Scope
	// Query must not be empty.
	Query string
	// Now hides what has expired, and is what relative dates of the query refer to.
	Now time.Time
	// Sort is what to find: memories by default.
	Sort index.Sort
	// Kinds and Keys narrow to some memories, Archive takes what is cold as well.
	Kinds   []memory.Kind
	Keys    []memory.Key
	Archive bool
	// Agent and Within narrow to the memories of an agent and of a namespace, as index.Query
	// has them.
	Agent  memory.Agent
	Within string
	// Namespace and Pairs narrow to some documents, as index.Query has them.
	Namespace []string
	Pairs     []string
	// Keep reports whether a hit may be handed out; nil keeps all.
	Keep func(*index.Hit) bool
	// Tier is a memory's at Now under its tenant's policy. Nil counts all as cold.
	Tier func(*memory.Memory) memory.Tier
	// Below is told each candidate that does not matter by itself, in no order; nil is not.
	Below func(*Found)
	// Pipeline is Full unless something is measured.
	Pipeline Pipeline
	// Limit is how many to return at most.
	Limit int
}

// Found is one result.
type Found struct {
	Hit index.Hit
	// Tier is a memory's; empty for a document.
	Tier memory.Tier
	// Match is how near it is, by parts.
	Match rank.Match
	// Score is what it was ordered by, but for what rank.Renew moved and for what says the same
	// as a better one. Of a document it is the similarity alone.
	Score rank.Score
}

var (
	errScopes = errors.New("nobody to search for")
	errQuery  = errors.New("nothing to search for")
)

// Find returns what matters to the query, best first, each once. What does not matter by
// itself is not returned, however little there is: a memory must share a word with the query,
// be asked for by its key or its day, or be near in meaning; a document may also be about the
// same as the best that shares a word.
func (f *Finder) Find(ctx context.Context, r Request) ([]Found, error) {
	if len(r.Scopes) == 0 {
		return nil, errScopes
	}
	if r.Query == "" {
		return nil, errQuery
	}
	vectors, err := f.Embed.EmbedFor(ctx, r.Scopes[0], []string{r.Query})
	if err != nil {
		return nil, fmt.Errorf("embed query: %w", err)
	}
	s := f.search(&r, vectors[0])
	switch r.Pipeline {
	case Full:
	case BM25, Dense, Hybrid:
		return s.fused(ctx)
	default:
		return nil, fmt.Errorf("there is no pipeline %q", r.Pipeline)
	}
	if r.Sort == index.SortDocument {
		return s.documents(ctx)
	}
	return s.memories(ctx)
}
