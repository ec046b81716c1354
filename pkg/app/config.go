// Package app composes mnemond: it is the only place that knows every adapter, and the
// only one where the embedded default and production differ, in wiring alone.
package app

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/stream"
)

// Config is what an installation may choose, by environment variables of the form
// MNEMOND_<PACKAGE>_<FIELD>.
type Config struct {
	Stream      StreamConfig      `envPrefix:"MNEMOND_STREAM_"`
	QdrantStore QdrantStoreConfig `envPrefix:"MNEMOND_QDRANTSTORE_"`
	HTTP        HTTPConfig        `envPrefix:"MNEMOND_HTTPAPI_"`
	NATS        NATSConfig        `envPrefix:"MNEMOND_NATS_"`
	TLS         TLSConfig         `envPrefix:"MNEMOND_TLS_"`
	Auth        AuthConfig        `envPrefix:"MNEMOND_AUTH_"`
	Rate        RateConfig        `envPrefix:"MNEMOND_RATE_"`
	Timers      TimersConfig      `envPrefix:"MNEMOND_TIMERS_"`
	Worker      WorkerConfig      `envPrefix:"MNEMOND_WORKER_"`
	OpenAI      OpenAIConfig      `envPrefix:"OPENAI_"`
	LLM         LLMConfig         `envPrefix:"MNEMOND_LLM_"`
	Embed       EmbedConfig       `envPrefix:"MNEMOND_EMBED_"`
	Recall      RecallConfig      `envPrefix:"MNEMOND_RECALL_"`
	Recalls     RecallsConfig     `envPrefix:"MNEMOND_RECALLS_"`
	Profile     ProfileConfig     `envPrefix:"MNEMOND_PROFILE_"`
	Retention   RetentionConfig   `envPrefix:"MNEMOND_RETENTION_"`
	Reap        reap.Schedule     `envPrefix:"MNEMOND_REAP_"`
}

// RecallsConfig says what becomes of what recall hands out.
type RecallsConfig struct {
	// Interval is how often the times of use are written to the memories. Default 10s.
	Interval time.Duration `env:"INTERVAL" envDefault:"10s"`
}

// RetentionConfig says what time does to memories.
type RetentionConfig struct {
	// Policies is JSON, by tenant where tenants differ: see retention.Policies. Default: the
	// defaults of retention.Policy for everybody.
	Policies retention.Policies `env:"POLICIES"`
}

// StreamConfig says where NATS is and how its streams are kept.
type StreamConfig struct {
	// URL of the NATS servers, separated by commas. Default nats://127.0.0.1:4222.
	URL string `env:"URL" envDefault:"nats://127.0.0.1:4222"`
	// CredsFile is a NATS credentials file. Default: none.
	CredsFile string `env:"CREDS_FILE"`
	// Replicas of every stream and bucket: 1 (default), 3 or 5.
	Replicas int `env:"REPLICAS" envDefault:"1"`
	// EventsMaxAge is how long events can be replayed. Default 720h (30 days).
	EventsMaxAge time.Duration `env:"EVENTS_MAX_AGE" envDefault:"720h"`
	// Duplicates is the broker's own dedupe window. Default 2m. Later duplicates are
	// dropped by the extractor.
	Duplicates time.Duration `env:"DUPLICATES" envDefault:"2m"`
	// AcceptResetStreams starts on streams that somebody has re-created. Default false.
	AcceptResetStreams bool `env:"ACCEPT_RESET_STREAMS"`
}

// QdrantStoreConfig says where Qdrant is.
type QdrantStoreConfig struct {
	// Address is http://host:port or https://host:port of the gRPC API. Default
	// http://127.0.0.1:6334.
	Address string `env:"ADDRESS" envDefault:"http://127.0.0.1:6334"`
	// APIKey authenticates. Default: none. It is never printed.
	APIKey string `env:"API_KEY"`
}

// HTTPConfig says where the HTTP API listens.
type HTTPConfig struct {
	// Listen is host:port. Default 127.0.0.1:7460.
	Listen string `env:"LISTEN" envDefault:"127.0.0.1:7460"`
	// AllowUnauthenticated permits an address that is not loopback without authentication
	// (see AuthConfig): whoever reaches it may read and write every tenant. Default false.
	AllowUnauthenticated bool `env:"ALLOW_UNAUTHENTICATED"`
}

// TimersConfig says when a thread is consolidated.
type TimersConfig struct {
	// Quiet is for how long a thread must be quiet. Default 30s.
	Quiet time.Duration `env:"QUIET" envDefault:"30s"`
	// MaxWait is after how long it is consolidated at the latest. Default 5m.
	MaxWait time.Duration `env:"MAX_WAIT" envDefault:"5m"`
	// MaxTurns and MaxTokens are the size at which it is consolidated at once. Defaults
	// 20 and 6000.
	MaxTurns  int `env:"MAX_TURNS" envDefault:"20"`
	MaxTokens int `env:"MAX_TOKENS" envDefault:"6000"`
}

// WorkerConfig says how threads are worked on.
type WorkerConfig struct {
	// Concurrency is how many threads a process consolidates at once. Default 4.
	Concurrency int `env:"CONCURRENCY" envDefault:"4"`
	// MaxAttempts is after how many failures a thread's events are parked; outages do not
	// count. Default 5.
	MaxAttempts int `env:"MAX_ATTEMPTS" envDefault:"5"`
	// MaxCrashes is after how many deliveries without an outcome they are parked untried:
	// the process died each time. Default 3.
	MaxCrashes int `env:"MAX_CRASHES" envDefault:"3"`
	// AckWait is after how long without a sign of life another worker takes a thread over.
	// Default 30s.
	AckWait time.Duration `env:"ACK_WAIT" envDefault:"30s"`
	// BackoffMin and BackoffMax bound the delay between attempts. Defaults 1s and 1m.
	BackoffMin time.Duration `env:"BACKOFF_MIN" envDefault:"1s"`
	BackoffMax time.Duration `env:"BACKOFF_MAX" envDefault:"1m"`
}

// DefaultConfig is Config without any environment.
func DefaultConfig() Config {
	c, err := env.ParseAsWithOptions[Config](env.Options{Environment: map[string]string{}})
	if err != nil {
		panic(err) // the defaults above are constants
	}
	return c
}

// LoadConfig reads the environment. An unusable value is an error that names its variable.
func LoadConfig() (Config, error) {
	c, err := env.ParseAs[Config]()
	if err != nil {
		return c, fmt.Errorf("configuration: %w", errors.Join(unusable(err)...))
	}
	return c, c.validate()
}

// unusable are the variables that cannot be parsed: the parser's own error names fields.
func unusable(err error) []error {
	params, paramsErr := env.GetFieldParams(&Config{})
	if paramsErr != nil {
		return []error{err, paramsErr}
	}
	var out []error
	for _, p := range params {
		value, ok := os.LookupEnv(p.Key)
		if !ok {
			continue
		}
		_, err := env.ParseAsWithOptions[Config](env.Options{Environment: map[string]string{p.Key: value}})
		var parse env.ParseError
		if errors.As(err, &parse) {
			out = append(out, fmt.Errorf("%s: %s%w", p.Key, wanted(parse.Type), parse.Err))
		}
	}
	if len(out) == 0 {
		return []error{err}
	}
	return out
}

// wanted says what a value of a type looks like, where the parser's error does not.
func wanted(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return `must be a duration such as "30s" or "720h": `
	case t.Kind() == reflect.Bool:
		return "must be true or false: "
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "must be a whole number: "
	case t.Kind() == reflect.Float64, t.Kind() == reflect.Float32:
		return "must be a number: "
	default:
		return ""
	}
}

// validate checks what the types of the fields do not say.
func (c Config) validate() error {
	positive := map[string]int64{
		"MNEMOND_STREAM_EVENTS_MAX_AGE": int64(c.Stream.EventsMaxAge), "MNEMOND_STREAM_DUPLICATES": int64(c.Stream.Duplicates),
		"MNEMOND_TIMERS_QUIET": int64(c.Timers.Quiet), "MNEMOND_TIMERS_MAX_WAIT": int64(c.Timers.MaxWait),
		"MNEMOND_TIMERS_MAX_TURNS": int64(c.Timers.MaxTurns), "MNEMOND_TIMERS_MAX_TOKENS": int64(c.Timers.MaxTokens),
		"MNEMOND_WORKER_CONCURRENCY": int64(c.Worker.Concurrency), "MNEMOND_WORKER_MAX_ATTEMPTS": int64(c.Worker.MaxAttempts),
		"MNEMOND_WORKER_MAX_CRASHES": int64(c.Worker.MaxCrashes), "MNEMOND_WORKER_ACK_WAIT": int64(c.Worker.AckWait),
		"MNEMOND_WORKER_BACKOFF_MIN": int64(c.Worker.BackoffMin), "MNEMOND_WORKER_BACKOFF_MAX": int64(c.Worker.BackoffMax),
	}
	for _, name := range slices.Sorted(maps.Keys(positive)) {
		if positive[name] <= 0 {
			return fmt.Errorf("configuration: %s: must be more than 0", name)
		}
	}
	if !slices.Contains([]int{1, 3, 5}, c.Stream.Replicas) {
		return fmt.Errorf("configuration: MNEMOND_STREAM_REPLICAS: must be 1, 3 or 5, is %d", c.Stream.Replicas)
	}
	if c.Worker.BackoffMax < c.Worker.BackoffMin {
		return errors.New("configuration: MNEMOND_WORKER_BACKOFF_MAX: must not be less than MNEMOND_WORKER_BACKOFF_MIN")
	}
	if c.Recalls.Interval <= 0 {
		return errors.New("configuration: MNEMOND_RECALLS_INTERVAL: must be more than 0")
	}
	if err := c.Recall.validate(); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if err := c.LLM.validate(); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if err := c.validateModels(); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if err := c.NATS.validate(); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if err := c.Retention.Policies.Validate(c.Stream.EventsMaxAge); err != nil {
		return fmt.Errorf("configuration: MNEMOND_RETENTION_POLICIES: %w", err)
	}
	if err := c.Reap.Validate(); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	return c.ValidateHTTP()
}

// isLoopback reports whether only this machine reaches what listens on host:port.
func isLoopback(listen string) (bool, error) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false, err
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback(), nil
}

func (c Config) topology() stream.Topology {
	return stream.NewTopology(stream.Options{
		Replicas: c.Stream.Replicas, EventsMaxAge: c.Stream.EventsMaxAge, Duplicates: c.Stream.Duplicates,
		AcceptResetStreams: c.Stream.AcceptResetStreams, AckWait: c.Worker.AckWait,
	})
}
