package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/rules"
	"github.com/mnemond/mnemond/pkg/stream"
)

// OpenAIConfig says where an OpenAI-compatible server is, by the variables that such
// programs share. With either of them set, a model extracts instead of the rules.
type OpenAIConfig struct {
	// APIKey authenticates. It is never printed. Default: none.
	APIKey string `env:"API_KEY"`
	// BaseURL is the address up to and including /v1. Default: OpenAI's own, with a key.
	BaseURL string `env:"BASE_URL"`
}

func (c OpenAIConfig) set() bool { return c.APIKey != "" || c.BaseURL != "" }

// LLMConfig says which chat model extracts, and what it may cost.
type LLMConfig struct {
	// Model is its name as the server knows it. Default: llm.DefaultModel at OpenAI's own
	// server; elsewhere it is required.
	Model string `env:"MODEL"`
	// ContextTokens is how much it can read and write at once; 0, the default, is found out.
	ContextTokens int `env:"CONTEXT_TOKENS"`
	// MaxReplyTokens bounds a reply. Default 4096.
	MaxReplyTokens int `env:"MAX_REPLY_TOKENS" envDefault:"4096"`
	// ReasoningEffort is passed on to models that reason. Default: not.
	ReasoningEffort string `env:"REASONING_EFFORT"`
	// DailyTokens is what a tenant may spend on a day (UTC); beyond it work waits for the
	// next. 0 is no cap. Default 2000000.
	DailyTokens int64 `env:"DAILY_TOKENS" envDefault:"2000000"`
	// Timeout is how long a call may take. Default 2m.
	Timeout time.Duration `env:"TIMEOUT" envDefault:"2m"`
}

// EmbedConfig says which embedding model serves recall.
type EmbedConfig struct {
	// Model is its name as the server knows it. Default: llm.DefaultEmbeddingModel at
	// OpenAI's own server; elsewhere none, and the lexical embedder serves.
	Model string `env:"MODEL"`
	// BaseURL and APIKey are of its server. Default: those of the chat model.
	BaseURL string `env:"BASE_URL"`
	APIKey  string `env:"API_KEY"`
	// Dimensions is how long vectors are to be; 0, the default, is the model's own length.
	Dimensions int `env:"DIMENSIONS"`
	// PassagePrefix and QueryPrefix are put before what is stored and what is asked. Default:
	// none.
	PassagePrefix string `env:"PASSAGE_PREFIX"`
	QueryPrefix   string `env:"QUERY_PREFIX"`
}

// embedder is what the stack needs of an embedder: of what is stored, and of queries.
type embedder interface {
	Name() string
	Dim() int
	EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error)
}

// models are what extracts and embeds.
type models struct {
	extractor     consolidate.Extractor
	extractorName string
	// reads says that the extractor wants to know what is known.
	reads   bool
	passage embedder
	query   recall.Embedder
	// minDense and related say what is near by the embedder: see recall.Config.
	minDense float32
	related  func(query, text string) bool
	close    []func()
}

// openModels makes the extractor and the embedder of the configuration. It asks the
// embedding model once, for the length of its vectors.
func (s *Stack) openModels(ctx context.Context) error {
	m := &models{extractor: rules.Extractor{}, extractorName: "rules"}
	if err := s.openExtractor(m); err != nil {
		return fmt.Errorf("extractor: %w", err)
	}
	if err := s.openEmbedder(ctx, m); err != nil {
		return fmt.Errorf("embedder: %w", err)
	}
	s.models = m
	s.Backend.onClose(m.close...)
	return nil
}

func (s *Stack) openExtractor(m *models) error {
	c := s.Config.OpenAI
	if !c.set() {
		return nil
	}
	x, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{
			BaseURL: c.BaseURL, APIKey: c.APIKey, Model: s.Config.LLM.Model, Timeout: s.Config.LLM.Timeout, Logger: s.options.Logger,
			BreakerMin: s.options.BreakerMin,
		},
		Registry: s.Registry, Budget: spending{s.Budgets, s.options.Spent}, MaxReplyTokens: s.Config.LLM.MaxReplyTokens,
		ContextTokens: s.Config.LLM.ContextTokens, ReasoningEffort: s.Config.LLM.ReasoningEffort,
	})
	if err != nil {
		return fmt.Errorf("%w (OPENAI_BASE_URL, MNEMOND_LLM_MODEL)", err)
	}
	m.extractor, m.extractorName, m.reads = x, x.Name(), true
	m.close = append(m.close, x.Close)
	return nil
}

// spending tells who measures what is spent.
type spending struct {
	*stream.Budgets
	spent func(int)
}

// Settle serves llm.Budget.
func (b spending) Settle(ctx context.Context, t memory.Tenant, reserved, used int) error {
	if b.spent != nil {
		b.spent(used)
	}
	return b.Budgets.Settle(ctx, t, reserved, used)
}

// minCosine is the cosine above which two texts count as near by an embedding model. Models
// differ; BM25 and the ranking decide beside it.
const minCosine = 0.3

func (s *Stack) openEmbedder(ctx context.Context, m *models) error {
	c := s.Config.Embed
	if c.BaseURL == "" && c.APIKey == "" {
		c.BaseURL, c.APIKey = s.Config.OpenAI.BaseURL, s.Config.OpenAI.APIKey
	}
	if c.BaseURL == "" && c.APIKey == "" || c.Model == "" && c.BaseURL != "" && c.BaseURL != llm.DefaultBaseURL {
		l := embed.NewLexical()
		m.passage, m.query, m.minDense, m.related = l, l, minDense, l.Related
		return nil
	}
	e, err := llm.NewEmbedder(llm.EmbedOptions{
		Endpoint:   llm.Endpoint{BaseURL: c.BaseURL, APIKey: c.APIKey, Model: c.Model, Timeout: s.Config.LLM.Timeout, Logger: s.options.Logger},
		Dimensions: c.Dimensions, PassagePrefix: c.PassagePrefix, QueryPrefix: c.QueryPrefix,
		Cache: stream.NewEmbeddings(s.js, s.names),
	})
	if err != nil {
		return fmt.Errorf("%w (MNEMOND_EMBED_BASE_URL or OPENAI_BASE_URL, MNEMOND_EMBED_MODEL)", err)
	}
	if err := e.Probe(ctx); err != nil {
		e.Close()
		return fmt.Errorf("%w (MNEMOND_EMBED_BASE_URL or OPENAI_BASE_URL, MNEMOND_EMBED_MODEL)", err)
	}
	m.passage, m.query, m.minDense = e, e.Queries(), minCosine
	m.close = append(m.close, e.Close)
	return nil
}

// validate checks what the types of the fields do not say.
func (c LLMConfig) validate() error {
	switch {
	case c.DailyTokens < 0:
		return errors.New("MNEMOND_LLM_DAILY_TOKENS: must not be negative")
	case c.MaxReplyTokens <= 0:
		return errors.New("MNEMOND_LLM_MAX_REPLY_TOKENS: must be more than 0")
	case c.ContextTokens < 0:
		return errors.New("MNEMOND_LLM_CONTEXT_TOKENS: must not be negative")
	case c.Timeout <= 0:
		return errors.New("MNEMOND_LLM_TIMEOUT: must be more than 0")
	}
	return nil
}

// validateModels checks that a model that is named has a server: the rules would take its
// place without a word.
func (c Config) validateModels() error {
	switch {
	case c.Embed.Dimensions < 0:
		return errors.New("MNEMOND_EMBED_DIMENSIONS: must not be negative")
	case c.LLM.Model != "" && !c.OpenAI.set():
		return errors.New("MNEMOND_LLM_MODEL: names a model and no server: set OPENAI_BASE_URL or OPENAI_API_KEY as well")
	case c.Embed.Model != "" && !c.OpenAI.set() && c.Embed.BaseURL == "" && c.Embed.APIKey == "":
		return errors.New("MNEMOND_EMBED_MODEL: names a model and no server: set MNEMOND_EMBED_BASE_URL, OPENAI_BASE_URL or a key as well")
	}
	return nil
}

// Models says what extracts and what embeds, for whoever looks at the start of the log.
func (s *Stack) Models() string {
	if s.models == nil {
		return "none"
	}
	return "extractor " + s.models.extractorName + ", embedder " + s.models.passage.Name()
}

// WithModel reports whether a model extracts or embeds.
func (s *Stack) WithModel() bool {
	return s.models != nil && (s.models.reads || s.models.related == nil)
}
