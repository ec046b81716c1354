package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Policy says what gives way when the buffer is full.
type Policy string

// The policies. Each is bounded, and none blocks.
const (
	// DropOldest drops what has waited longest; what is being sent stays. It is the default.
	DropOldest Policy = "drop_oldest"
	// DropNewest drops what is being published.
	DropNewest Policy = "drop_newest"
	// Spill moves what waits to a file once the buffer is half full, and sends it from there,
	// in order, before what came later; also after a restart. When the file is full as well,
	// what is being published is dropped. A process that dies without Close loses what was in
	// the buffer, not what was in the file.
	Spill Policy = "spill"
)

// Options say where the server is and how much may wait for it. URL or NATS is required.
type Options struct {
	// URL is the base URL of the HTTP API, or nats://host:port (several, separated by commas)
	// for events straight into the stream and requests to the NATS service. Only fully trusted
	// backends publish straight to NATS.
	URL string
	// NATS is a connection to use in place of URL. The caller closes it, after the client.
	NATS *nats.Conn
	// APIKey authenticates requests, and over HTTP events as well. Empty: none.
	APIKey string
	// HTTP is the client for requests over HTTP. Default: one of its own.
	HTTP *http.Client
	// Source is the CloudEvents source of what is published without one, such as "/my-agent".
	// Default "/backend".
	Source string
	// Tenant is put into events and requests without one. Default: none; the server takes that
	// of the credential.
	Tenant memory.Tenant
	// Timeout bounds each request, and each try to send a batch. Default 10s.
	Timeout time.Duration

	// Full says what gives way when the buffer is full. Default DropOldest.
	Full Policy
	// MaxEvents and MaxBytes bound the buffer, besides the batch that is being sent. Defaults
	// 10,000 and 32 MiB.
	MaxEvents int
	MaxBytes  int64
	// SpillFile is the path of the file for Spill, which one client at a time has open; it is
	// made if missing. SpillBytes bounds it; default 256 MiB.
	SpillFile  string
	SpillBytes int64

	// Batch is how many events are sent at once at most: 1 to 100. Default 100.
	Batch int
	// Interval is how long an event waits for others to be sent with. Default 50ms.
	Interval time.Duration
	// BackoffMin and BackoffMax bound the pause between tries to send, which doubles and is
	// spread by chance. What the server asks for by Retry-After is kept, up to 5 minutes.
	// Defaults 200ms and 30s.
	BackoffMin, BackoffMax time.Duration

	// OnDrop is told of every event that is given up. It must not block: what the buffer has no
	// room for is told within Publish. Default: nobody is told.
	OnDrop func(Dropped)
	// Meter makes the counters. Default: that of the global OpenTelemetry provider.
	Meter metric.Meter
}

// complete fills in the defaults and checks.
func (o *Options) complete() error {
	or(&o.Source, "/backend")
	or(&o.Full, DropOldest)
	or(&o.MaxEvents, 10_000)
	or(&o.MaxBytes, 32<<20)
	or(&o.SpillBytes, 256<<20)
	or(&o.Batch, maxBatch)
	or(&o.Interval, 50*time.Millisecond)
	or(&o.BackoffMin, 200*time.Millisecond)
	or(&o.BackoffMax, max(30*time.Second, o.BackoffMin))
	or(&o.Timeout, 10*time.Second)
	if o.Meter == nil {
		o.Meter = otel.Meter("github.com/mnemond/mnemond/pkg/client")
	}
	switch {
	case o.Full != DropOldest && o.Full != DropNewest && o.Full != Spill:
		return fmt.Errorf("option Full: unknown policy %q", o.Full)
	case o.Full == Spill && o.SpillFile == "":
		return errors.New("option SpillFile: is required to spill")
	case o.Batch < 1 || o.Batch > maxBatch:
		return fmt.Errorf("option Batch: must be between 1 and %d", maxBatch)
	case o.MaxEvents < 0 || o.MaxBytes < 0 || o.SpillBytes < 0 || o.Interval < 0 || o.Timeout < 0:
		return errors.New("options: a bound must not be negative")
	case o.BackoffMin < 0 || o.BackoffMax < o.BackoffMin:
		return errors.New("option BackoffMax: must not be below BackoffMin")
	case o.NATS != nil && o.URL != "":
		return errors.New("options URL and NATS: give one of them")
	}
	return nil
}

// or replaces a zero value.
func or[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

// connect is the way to the server. It does not wait for it.
func (o *Options) connect() (wire, error) {
	if o.NATS != nil {
		return newNATS(o, o.NATS, func() {})
	}
	first, _, _ := strings.Cut(o.URL, ",")
	u, err := url.Parse(first)
	if err != nil {
		return nil, fmt.Errorf("option URL: %w", err)
	}
	switch {
	case u.Host == "":
		return nil, fmt.Errorf("option URL: %q is no URL with a host", o.URL)
	case u.Scheme == "http" || u.Scheme == "https":
		return newHTTP(o), nil
	case u.Scheme == "nats" || u.Scheme == "tls":
		return dialNATS(o)
	default:
		return nil, fmt.Errorf("option URL: scheme %q is none of http, https, nats and tls", u.Scheme)
	}
}
