package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	openai "github.com/sashabaranov/go-openai"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// maxEmbeddingBytes bounds an embeddings response: it holds a batch of vectors as text.
const maxEmbeddingBytes = 64 << 20

// EmbedOptions are what an Embedder is made of. Model is required, but for DefaultBaseURL.
type EmbedOptions struct {
	Endpoint
	// Dimensions is how long vectors are to be: it is asked of the server, and what has
	// another length is refused. 0, the default, is the model's own length, which Probe
	// finds out.
	Dimensions int
	// BatchSize is how many texts a request holds at most; default 32. What a server refuses
	// is asked for in halves.
	BatchSize int
	// PassagePrefix and QueryPrefix are put before what is stored and what is asked, as some
	// models want it ("passage: ", "query: "). Default: none.
	PassagePrefix, QueryPrefix string
	// Cache keeps vectors; nil keeps none.
	Cache Cache
}

// Cache keeps vectors under the owner whose text they are of, so that erasing the owner
// reaches them. Losing entries only costs calls.
type Cache interface {
	// Load returns what Store kept under the same names; ok is false if there is nothing.
	Load(ctx context.Context, s memory.Scope, model, hash string) (vector []float32, ok bool, err error)
	Store(ctx context.Context, s memory.Scope, model, hash string, vector []float32) error
}

// Embedder embeds with an embedding model. Call Probe before anything else. It may be used by
// any number of goroutines at once.
type Embedder struct {
	*embeddings
	prefix string
}

// embeddings is what the two sides of an Embedder share.
type embeddings struct {
	*endpoint
	opts EmbedOptions
	dim  atomic.Int64
}

// NewEmbedder returns an embedder of passages, what is stored; Queries is its other side. It
// starts nothing, and calls nobody.
func NewEmbedder(o EmbedOptions) (*Embedder, error) {
	var err error
	if o.Endpoint, err = o.withDefaults(DefaultEmbeddingModel); err != nil {
		return nil, fmt.Errorf("embedding model: %w", err)
	}
	defaultTo(&o.BatchSize, 32)
	e, err := newEndpoint(o.Endpoint, "embeddings", maxEmbeddingBytes)
	if err != nil {
		return nil, fmt.Errorf("embedding model: %w", err)
	}
	shared := &embeddings{endpoint: e, opts: o}
	shared.dim.Store(int64(o.Dimensions))
	return &Embedder{shared, o.PassagePrefix}, nil
}

// Queries embeds what is asked, with its own prefix, into the same space.
func (e *Embedder) Queries() *Embedder { return &Embedder{e.embeddings, e.opts.QueryPrefix} }

// Close closes the connections that no call is using.
func (e *Embedder) Close() { e.idle() }

// Dim is the length of every vector; 0 before Probe, unless Dimensions was set.
func (e *embeddings) Dim() int { return int(e.dim.Load()) }

// Name identifies what stored vectors depend on: the model, their length and the passages'
// prefix. Vectors of different names cannot be compared; a collection records the name, and
// is rebuilt when it changes. It is complete once Dim is known.
func (e *Embedder) Name() string {
	name := fmt.Sprintf("%s-%d", e.Model, e.Dim())
	if e.opts.PassagePrefix != "" {
		name += "-" + digest(e.opts.PassagePrefix)[:8]
	}
	return name
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Probe embeds a word to see that the endpoint works, and learns or checks the length of its
// vectors. A length other than Dimensions is a permanent error, an endpoint that cannot be
// used a fault.Outage.
func (e *Embedder) Probe(ctx context.Context) error {
	vectors, err := e.request(ctx, "", []string{"mnemond"})
	if err != nil {
		return fmt.Errorf("probe embedding model %s: %w", e.Model, err)
	}
	e.dim.Store(int64(len(vectors[0])))
	return nil
}

// Embed returns one vector for each text, in their order: the zero vector for one that is
// blank. Its errors are those of EmbedFor; nothing is cached, since the texts are nobody's.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, "", texts)
}

// EmbedFor is Embed for texts of one owner: what the cache holds is not asked for again, and
// tokens are counted for the tenant. An error is a fault.Outage while the endpoint cannot be
// used, permanent when it refuses a text, and else counts as an attempt.
func (e *Embedder) EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("embed: %w", err)
	}
	if e.opts.Cache == nil {
		return e.embed(ctx, s.Tenant, texts)
	}
	vectors := make([][]float32, len(texts))
	var missing []string
	var places []int
	for i, text := range texts {
		if v, ok := e.cached(ctx, s, text); ok {
			vectors[i] = v
			continue
		}
		missing, places = append(missing, text), append(places, i)
	}
	found, err := e.embed(ctx, s.Tenant, missing)
	if err != nil {
		return nil, err
	}
	for i, v := range found {
		vectors[places[i]] = v
		e.keep(ctx, s, missing[i], v)
	}
	return vectors, nil
}

// cached is a text's vector from the cache. One that cannot be read is missing: the cache
// only saves calls.
func (e *Embedder) cached(ctx context.Context, s memory.Scope, text string) ([]float32, bool) {
	v, ok, err := e.opts.Cache.Load(ctx, s, e.Name(), digest(e.prefix+text))
	if err != nil {
		e.Logger.WarnContext(ctx, "embedding cache not read", "error", err)
		return nil, false
	}
	return v, ok && len(v) == e.Dim()
}

func (e *Embedder) keep(ctx context.Context, s memory.Scope, text string, vector []float32) {
	if err := e.opts.Cache.Store(ctx, s, e.Name(), digest(e.prefix+text), vector); err != nil {
		e.Logger.WarnContext(ctx, "embedding cache not written", "error", err)
	}
}

// embed embeds texts that are not blank, and puts zero vectors in the places of the others,
// which servers refuse.
func (e *Embedder) embed(ctx context.Context, t memory.Tenant, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var asked []string
	var places []int
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, e.Dim())
			continue
		}
		asked, places = append(asked, e.prefix+text), append(places, i)
	}
	size := e.opts.BatchSize
	for done := 0; done < len(asked); {
		n := min(len(asked)-done, size)
		found, err := e.request(ctx, t, asked[done:done+n])
		if gaveWay(err, asked[done:done+n]) {
			size = max(n/2, 1)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("embed %d texts: %w", n, err)
		}
		for i, v := range found {
			vectors[places[done+i]] = v
		}
		done += n
	}
	return vectors, nil
}

// gaveWay reports whether a refused batch is worth asking for again: with half the texts, or
// a single text by its first half, as models that cut texts off do it.
func gaveWay(err error, batch []string) bool {
	var f *failure
	switch {
	case !errors.As(err, &f) || f.class != classTooLong && f.class != classRejected:
		return false
	case len(batch) > 1:
		return true
	case f.class != classTooLong || len(batch[0]) < 2*minEmbedded:
		return false
	}
	r := []rune(batch[0])
	batch[0] = string(r[:(len(r)+1)/2])
	return true
}

// minEmbedded is a length in bytes that every model must be able to take.
const minEmbedded = 128

// request makes one call. Its errors are classified, and hold the *failure.
func (e *embeddings) request(ctx context.Context, t memory.Tenant, texts []string) ([][]float32, error) {
	if err := e.admit(t); err != nil {
		return nil, err
	}
	var resp openai.EmbeddingResponse
	err := e.call(ctx, t, func(ctx context.Context) (err error) {
		resp, err = e.client.CreateEmbeddings(ctx, openai.EmbeddingRequest{
			Input: texts, Model: openai.EmbeddingModel(e.Model), Dimensions: e.opts.Dimensions,
		})
		return err
	})
	var f *failure
	switch {
	case errors.As(err, &f) && (f.class == classOutage || f.class == classSetup):
		return nil, e.outage(f)
	case errors.As(err, &f) && f.class == classReply:
		return nil, fmt.Errorf("%s endpoint: %w", e.name, f)
	case f != nil:
		return nil, fault.Permanent(fmt.Errorf("%s endpoint: %w", e.name, f))
	case err != nil: // of ctx
		return nil, err
	}
	tokens := resp.Usage.PromptTokens
	if tokens <= 0 {
		for _, text := range texts {
			tokens += event.Tokens(text)
		}
	}
	e.usage.spent(ctx, t, tokens, 0)
	return vectorsOf(resp.Data, len(texts), e.Dim())
}

var errVectors = errors.New("the embeddings are not what was asked for")

// vectorsOf puts n embeddings in order. Each must be there, of the length dim (0: of one
// length), and of finite numbers.
func vectorsOf(data []openai.Embedding, n, dim int) ([][]float32, error) {
	if len(data) != n {
		return nil, fmt.Errorf("%w: %d for %d texts", errVectors, len(data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range data {
		at := d.Index
		if n == 1 {
			at = 0
		}
		if at < 0 || at >= n || vectors[at] != nil {
			return nil, fmt.Errorf("%w: number %d of %d has the index %d", errVectors, i, n, d.Index)
		}
		if dim == 0 {
			dim = len(d.Embedding)
		}
		if len(d.Embedding) != dim || dim == 0 {
			return nil, fault.Permanent(fmt.Errorf("%w: %d dimensions, want %d", errVectors, len(d.Embedding), dim))
		}
		for _, x := range d.Embedding {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return nil, fmt.Errorf("%w: a vector is not finite", errVectors)
			}
		}
		vectors[at] = d.Embedding
	}
	return vectors, nil
}
