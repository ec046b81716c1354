package llm

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/mnemond/mnemond/pkg/profile"
)

// DefaultBaseURL is OpenAI's own API; only there are models known to exist.
const DefaultBaseURL = "https://api.openai.com/v1"

// The models at DefaultBaseURL where none is named. Anywhere else a name is required.
const (
	DefaultModel          = "gpt-4.1-mini"
	DefaultEmbeddingModel = "text-embedding-3-small"
)

// Endpoint is a server that speaks the OpenAI API, and when it is left alone.
type Endpoint struct {
	// BaseURL is the address up to and including /v1; default DefaultBaseURL.
	BaseURL string
	// APIKey authenticates; default: none, as local servers want it. It is never printed.
	APIKey string
	// Model is the model's name as the server knows it. Required, but for DefaultBaseURL.
	Model string
	// Timeout is how long a call may take; default 2 minutes. Beyond it, the server counts
	// as out of reach.
	Timeout time.Duration
	// BreakerFailures is after how many outages in a row a tenant's calls are not made any
	// more until a wait is over; default 5.
	BreakerFailures int
	// BreakerMin and BreakerMax bound that wait, which doubles from outage to outage;
	// defaults 5 s and 1 min. A wait that the server names counts even if it is longer.
	BreakerMin, BreakerMax time.Duration
	// Meter counts calls and tokens; nil is the global one.
	Meter metric.Meter
	// Logger takes what an operator may want to know of the server; nil drops it.
	Logger *slog.Logger
}

// Options are what an Extractor is made of. Registry is required, and Model mostly.
type Options struct {
	Endpoint
	// Registry holds the profile's keys, which the model is told.
	Registry *profile.Registry
	// Budget bounds the tokens of a tenant and day; nil is no bound.
	Budget Budget
	// MaxReplyTokens bounds a reply, and with it what one call may cost; default 4096. A
	// reasoning model thinks within it, and needs more.
	MaxReplyTokens int
	// ContextTokens is how much the model can read and write at once; 0, the default, is
	// unknown: then it is learnt from the server's refusals. Set it for servers that cut
	// prompts off without a word, as Ollama does.
	ContextTokens int
	// MaxKnown bounds the known memories that are shown, of those that are given; default 40.
	MaxKnown int
	// ReasoningEffort is passed on to models that reason ("minimal", "low"); default: not.
	ReasoningEffort string
}

func (e Endpoint) withDefaults(model string) (Endpoint, error) {
	if e.BaseURL == "" {
		e.BaseURL = DefaultBaseURL
	}
	if u, err := url.Parse(e.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return e, errors.New("the base URL must be http://host/… or https://host/…")
	}
	if e.Model == "" && e.BaseURL == DefaultBaseURL {
		e.Model = model
	}
	if e.Model == "" {
		return e, fmt.Errorf("a model must be named for %s", e.BaseURL)
	}
	defaultTo(&e.Timeout, 2*time.Minute)
	defaultTo(&e.BreakerFailures, 5)
	defaultTo(&e.BreakerMin, 5*time.Second)
	defaultTo(&e.BreakerMax, time.Minute)
	if e.Logger == nil {
		e.Logger = slog.New(slog.DiscardHandler)
	}
	return e, nil
}

func (o Options) withDefaults() (Options, error) {
	if o.Registry == nil {
		return o, errors.New("a registry of keys is required")
	}
	var err error
	if o.Endpoint, err = o.Endpoint.withDefaults(DefaultModel); err != nil {
		return o, err
	}
	defaultTo(&o.MaxReplyTokens, 4096)
	defaultTo(&o.MaxKnown, 40)
	if o.Budget == nil {
		o.Budget = unbounded{}
	}
	return o, nil
}

func defaultTo[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}
