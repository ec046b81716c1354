package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"

	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// Bounds of an HTTP connection: a slow client holds nothing up.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	drainTimeout      = 10 * time.Second
)

// serve answers HTTP on l until ctx ends, and then lets running requests finish.
func serve(l net.Listener, h http.Handler) func(context.Context) error {
	return func(ctx context.Context) error {
		srv := &http.Server{
			Handler: h, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout,
			WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		}
		done := make(chan error, 1)
		go func() { done <- srv.Serve(l) }()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
		}
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
		defer cancel()
		err := srv.Shutdown(stop)
		if errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
		return errors.Join(err, ignoreClosed(<-done))
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// RunIngest accepts events on l until ctx ends.
func (s *Stack) RunIngest(ctx context.Context, l net.Listener) error {
	return group{
		{"event log", s.Events.Run},
		{"http", serve(l, s.handler(doors{ingest: true}))},
	}.Run(ctx)
}

// RunExtractor sets timers and consolidates threads until ctx ends; l serves its health.
func (s *Stack) RunExtractor(ctx context.Context, l net.Listener) error {
	parts, err := s.extractor()
	if err != nil {
		return err
	}
	return append(parts, runnable{"http", serve(l, s.handler(doors{}))}).Run(ctx)
}

// RunRecall serves the read side on l until ctx ends.
func (s *Stack) RunRecall(ctx context.Context, l net.Listener) error {
	return group{{"http", serve(l, s.handler(doors{read: true}))}}.Run(ctx)
}

// RunReaper repairs what the others have left out until ctx ends; l serves its health.
func (s *Stack) RunReaper(ctx context.Context, l net.Listener) error {
	return append(s.repairs(), runnable{"http", serve(l, s.handler(doors{}))}).Run(ctx)
}

// RunAll runs every part in this process, with all doors on l, until ctx ends.
func (s *Stack) RunAll(ctx context.Context, l net.Listener) error {
	parts, err := s.extractor()
	if err != nil {
		return err
	}
	g := append(group{{"event log", s.Events.Run}}, parts...)
	g = append(g, s.repairs()...)
	return append(g, runnable{"http", serve(l, s.handler(doors{ingest: true, read: true}))}).Run(ctx)
}

// extractor is everything that consolidation needs to run.
func (s *Stack) extractor() (group, error) {
	scheduler := stream.NewScheduler(s.js, s.Timers, measure, s.reject, stream.SchedulerOptions{Logger: s.options.Logger})
	w := s.Config.Worker
	worker, err := stream.NewWorker(s.js, s.Timers, handler{s.Consolidate}, stream.WorkerOptions{
		Concurrency: w.Concurrency, MaxAttempts: w.MaxAttempts, MaxCrashes: w.MaxCrashes, AckWait: w.AckWait,
		BackoffMin: w.BackoffMin, BackoffMax: w.BackoffMax,
		Logger: s.options.Logger, Meter: otel.Meter("github.com/mnemond/mnemond/pkg/stream"),
	})
	if err != nil {
		return nil, err
	}
	return group{{"worker", worker.Run}, {"scheduler", scheduler.Run}}, nil
}

// doors says which HTTP doors a process opens.
type doors struct{ ingest, read bool }

func (s *Stack) handler(d doors) http.Handler {
	c := httpapi.Config{Ready: s.Ready, Logger: s.options.Logger}
	if d.ingest {
		c.Ingest, c.Trigger = s.Ingest, s.Timers
	}
	if d.read {
		c.Read = s.Recall
	}
	return httpapi.New(c)
}

// Main runs one part of a production installation until ctx ends: it reads the
// environment, connects, prepares and runs.
func Main(ctx context.Context, name string, log *slog.Logger, run func(*Stack, context.Context, net.Listener) error) error {
	c, err := LoadConfig()
	if err != nil {
		return err
	}
	b, err := OpenExternal(c, name, log)
	if err != nil {
		return err
	}
	defer func() {
		if err := b.Close(); err != nil {
			log.Warn("close", "error", err)
		}
	}()
	s, err := NewStack(ctx, b, c, Options{Logger: log})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", c.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", c.HTTP.Listen, err)
	}
	log.Info("started", "part", name, "listen", l.Addr().String(), "extractor", "rules", "embedder", s.embedder.Name())
	return run(s, ctx, l)
}

// DeadLetters returns the dead letters of a tenant; empty means of all.
func (s *Stack) DeadLetters(ctx context.Context, t memory.Tenant) ([]stream.Entry, error) {
	var out []stream.Entry
	for after := uint64(0); ; {
		entries, next, err := s.Dead.List(ctx, stream.DeadFilter{Tenant: t}, after, 100)
		if err != nil {
			return nil, err
		}
		out = append(out, entries...)
		if next == 0 {
			return out, nil
		}
		after = next
	}
}

// ReplayDeadLetters replays every dead letter.
func (s *Stack) ReplayDeadLetters(ctx context.Context) error {
	letters, err := s.DeadLetters(ctx, "")
	if err != nil {
		return err
	}
	for _, l := range letters {
		if err := s.Dead.Replay(ctx, l.Seq, s.options.Now()); err != nil {
			return fmt.Errorf("replay dead letter %d: %w", l.Seq, err)
		}
	}
	return nil
}
