package app_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
)

// BenchmarkStart opens an embedded installation whose ledger holds 10,000 change sets of
// three memories each, until everything is projected.
func BenchmarkStart(b *testing.B) {
	const sets = 10_000
	dir, log := b.TempDir(), slog.New(slog.DiscardHandler)
	backend, err := app.OpenEmbedded(b.Context(), app.EmbeddedConfig{Dir: dir}, log)
	if err != nil {
		b.Fatal(err)
	}
	s, err := app.NewStack(b.Context(), backend, app.DefaultConfig(), app.Options{Logger: log})
	if err != nil {
		b.Fatal(err)
	}
	(&stand{Stack: s}).seedOthers(b, 0, sets, 3)
	if err := backend.Close(); err != nil {
		b.Fatal(err)
	}
	var servers, replay, cpu time.Duration
	starts := 0
	for b.Loop() {
		starts++
		start, before := time.Now(), cpuTime()
		backend, err := app.OpenEmbedded(b.Context(), app.EmbeddedConfig{Dir: dir}, log)
		if err != nil {
			b.Fatal(err)
		}
		opened := time.Now()
		if _, err := app.NewStack(b.Context(), backend, app.DefaultConfig(), app.Options{Logger: log}); err != nil {
			b.Fatal(err)
		}
		servers, replay, cpu = servers+opened.Sub(start), replay+time.Since(opened), cpu+cpuTime()-before
		b.StopTimer()
		if err := backend.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(milliseconds(servers)/float64(starts), "servers-ms")
	b.ReportMetric(milliseconds(replay)/float64(starts), "replay-ms")
	b.ReportMetric(milliseconds(cpu)/float64(starts), "cpu-ms")
}
