package telemetry

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel"
)

// TestTelemetryReachesTheCollector: what the process records arrives, by name, when it ends
// at the latest.
func TestTelemetryReachesTheCollector(t *testing.T) {
	var mu sync.Mutex
	got := map[string]string{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got[r.URL.Path] += string(body)
	}))
	defer collector.Close()
	t.Setenv(envOTLP, collector.URL)
	flush, err := Start(t.Context(), "extractor", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	_, span := otel.Tracer("test").Start(t.Context(), "a span of the test")
	span.End()
	counter, err := otel.Meter("test").Int64Counter("a.counter.of.the.test")
	if err != nil {
		t.Fatal(err)
	}
	counter.Add(t.Context(), 1)
	if err := flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for path, want := range map[string]string{"/v1/traces": "a span of the test", "/v1/metrics": "a.counter.of.the.test"} {
		if !strings.Contains(got[path], want) || !strings.Contains(got[path], "extractor") {
			t.Errorf("%s received %q, want %q of the extractor", path, got[path], want)
		}
	}
}

func TestTelemetryIsOffByDefault(t *testing.T) {
	t.Setenv(envOTLP, "")
	before := otel.GetMeterProvider()
	flush, err := Start(t.Context(), "extractor", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if otel.GetMeterProvider() != before {
		t.Error("metrics are collected though nobody takes them")
	}
	if err := flush(t.Context()); err != nil {
		t.Error(err)
	}
}
