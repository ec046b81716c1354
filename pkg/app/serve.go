package app

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
	_ "time/tzdata" // time zones of events, wherever the program runs

	"go.opentelemetry.io/otel"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/stream"
)

// Bounds of an HTTP connection: a slow client holds nothing up.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	drainTimeout      = 10 * time.Second
	maxHeaderBytes    = 64 << 10
)

// serve answers HTTP on l, with TLS where secure is given, until ctx ends, and then lets
// running requests finish.
func serve(l net.Listener, h http.Handler, secure *tls.Config) func(context.Context) error {
	return func(ctx context.Context) error {
		srv := &http.Server{
			Handler: h, TLSConfig: secure, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout,
			WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
			ConnContext: func(ctx context.Context, c net.Conn) context.Context {
				return access.WithRemote(ctx, c.RemoteAddr().String())
			},
		}
		done := make(chan error, 1)
		go func() {
			if secure != nil {
				done <- srv.ServeTLS(l, "", "")
				return
			}
			done <- srv.Serve(l)
		}()
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

// Part is one binary of a production installation.
type Part struct {
	// about says in a few words what it does.
	name, about string
	// edge parts need no collection.
	edge bool
	run  func(*Stack) (group, doors, error)
	// once is set where the part does one thing and ends.
	once func(context.Context, *Stack) error
}

// The parts.
var (
	// Ingest accepts events over HTTP. It goes on while Qdrant is away.
	Ingest = Part{name: "ingest", about: "accepts events over HTTP and publishes them", edge: true, run: func(s *Stack) (group, doors, error) {
		return group{{"event log", s.Events.Run}}, doors{ingest: true}, nil
	}}
	// Extractor sets the threads' timers and consolidates them.
	Extractor = Part{name: "extractor", about: "sets the threads' timers and consolidates them", run: func(s *Stack) (group, doors, error) {
		g, err := s.extractor()
		return g, doors{}, err
	}}
	// Recall answers recalls over HTTP.
	Recall = Part{name: "recall", about: "answers recalls over HTTP", run: func(s *Stack) (group, doors, error) {
		return group{{"recall traces", s.Recalls.Run}}, doors{read: true}, nil
	}}
	// Reaper does what time makes due, and repairs what the others have left out.
	Reaper = Part{name: "reaper", run: func(s *Stack) (group, doors, error) {
		g, err := s.reaper()
		return g, doors{}, err
	}}
)

// IsJob reports whether the reaper has a job of this name.
func IsJob(name string) bool {
	return slices.Contains(reap.Jobs, reap.Job(name))
}

// ReaperOnce does one of the reaper's jobs and ends. It writes the report to w, and before
// it what a dry run would change.
func ReaperOnce(job string, dryRun bool, w io.Writer) Part {
	return Part{name: "reaper", once: func(ctx context.Context, s *Stack) error {
		return s.ReapOnce(ctx, reap.Job(job), dryRun, w)
	}}
}

// RunAll runs every part in this process, with all doors on l, until ctx ends.
func (s *Stack) RunAll(ctx context.Context, l net.Listener) error {
	parts, err := s.extractor()
	if err != nil {
		return err
	}
	reaper, err := s.reaper()
	if err != nil {
		return err
	}
	g := append(group{{"event log", s.Events.Run}, {"recall traces", s.Recalls.Run}}, parts...)
	g = append(g, reaper...)
	web, err := s.http(doors{ingest: true, read: true}, l)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	return append(g, web...).Run(ctx)
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
	return group{{"worker", worker.Run}, {"scheduler", scheduler.Run}, {"uses", s.again("uses", s.noteUses)}}, nil
}

// leaseReaper is held by the one process that does the reaper's jobs.
const leaseReaper = "reaper"

// reaper is the reaper's jobs by the clock, and the repairs.
func (s *Stack) reaper() (group, error) {
	runner, err := reap.NewRunner(s.Config.Reap, func(ctx context.Context, job reap.Job) error {
		err := stream.WithLease(ctx, s.js, leaseReaper, leaseTTL, func(ctx context.Context) error {
			report, err := s.Reap.RunOnce(ctx, job, s.options.Now(), nil)
			s.options.Logger.InfoContext(ctx, "reaped", "report", report)
			return errors.Join(err, s.overwriteExpired(ctx, job))
		})
		if errors.Is(err, stream.ErrLeaseHeld) {
			return nil // another process does this
		}
		return err
	}, s.options.Logger)
	if err != nil {
		return nil, err
	}
	return append(group{{"reaper", runner.Run}}, s.repairs()...), nil
}

// ReapOnce does a job of the reaper while no other process does one, and writes the report,
// and before it each change of a dry run, as JSON lines.
func (s *Stack) ReapOnce(ctx context.Context, job reap.Job, dryRun bool, w io.Writer) error {
	out := json.NewEncoder(w)
	var failed error
	var dry reap.DryRun
	if dryRun {
		dry = func(p reap.Planned) { failed = errors.Join(failed, out.Encode(p)) }
	}
	return s.alone(ctx, leaseReaper, func(ctx context.Context) error {
		report, err := s.Reap.RunOnce(ctx, job, s.options.Now(), dry)
		if err == nil && !dryRun {
			err = s.overwriteExpired(ctx, job)
		}
		return errors.Join(err, failed, out.Encode(report))
	})
}

// maxOverwritten bounds the messages of a stream that one run overwrites: some 40 seconds.
const maxOverwritten = 5000

// overwriteExpired takes the bytes of what has expired out of the streams' files: the server
// only forgets them.
func (s *Stack) overwriteExpired(ctx context.Context, job reap.Job) error {
	switch job {
	case reap.JobQuestions:
		_, err := s.Questions.Expire(ctx, s.options.Now())
		return err
	case reap.JobPurge:
		_, err := s.Events.Expire(ctx, maxOverwritten)
		if err != nil {
			return err
		}
		_, err = s.Recalls.Expire(ctx, maxOverwritten)
		return err
	default:
		return nil
	}
}

// doors says which operations a process opens.
type doors struct{ ingest, read bool }

// handler is the HTTP API. Local says that it is reached on loopback only; who is nil where
// nobody has to authenticate. Who has to may come by any name, as through a proxy: a browser
// that was misled has no credential.
func (s *Stack) handler(d doors, local bool, who *access.Authenticator) http.Handler {
	c := httpapi.Config{Table: s.table(d), Ready: s.Ready, Logger: s.options.Logger, LocalOnly: local && who == nil}
	if who != nil {
		c.Access = who
	}
	c.Replies = stream.NewReplies(s.js, s.names, s.options.Now)
	if d.ingest {
		c.Ingest = s.Ingest
	}
	if d.read {
		c.MCP = s.overMCP(c.Table, who)
	}
	return httpapi.New(c)
}

// table is the operations that a process opens.
func (s *Stack) table(d doors) *door.Table {
	services := door.Services{Now: s.options.Now}
	if d.ingest {
		services.Ingest, services.Trigger = s.Ingest, s.Timers
	}
	if d.read {
		services.Read, services.Archive, services.Tell, services.Profile = s.Recall, s.Recall, s.Teller, s.Recall
		services.Keep, services.Search = s.Shelve, s.Shelve
		services.Forget, services.Suppress, services.Ask, services.Erase = s.Curate, s.Curate, s.Curate, s.Curate
		services.Write, services.Account, services.Carry = s.Curate, s.Curate, s.Curate
	}
	return door.New(services)
}

// Instrument starts to send the process's telemetry; what it returns sends the rest.
type Instrument func(ctx context.Context, part string, log *slog.Logger) (flush func(context.Context) error, err error)

// Execute runs one part of a production installation until the process is told to stop,
// and returns its exit code. It logs to standard error.
func Execute(p Part, instrument Instrument) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	if err := p.connect(ctx, log, instrument); err != nil {
		log.Error("stopped", "error", err)
		return 1
	}
	return 0
}

// connect reads the environment, connects, prepares and runs.
func (p Part) connect(ctx context.Context, log *slog.Logger, instrument Instrument) error {
	c, err := LoadConfig()
	if err == nil {
		err = WarnOfUnknown(ctx, log)
	}
	if err != nil {
		return err
	}
	flush, err := instrument(ctx, p.name, log)
	if err != nil {
		return err
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
		defer cancel()
		if err := flush(stop); err != nil {
			log.Warn("send the last telemetry", "error", err)
		}
	}()
	b, err := OpenExternal(c, p.name, log)
	if err != nil {
		return err
	}
	return errors.Join(p.main(ctx, b, c, log), b.Close())
}

func (p Part) main(ctx context.Context, b *Backend, c Config, log *slog.Logger) error {
	open := NewStack
	if p.edge {
		open = NewEdge
	}
	s, err := open(ctx, b, c, Options{Logger: log})
	if err != nil {
		return err
	}
	if p.once != nil {
		return p.once(ctx, s)
	}
	l, err := net.Listen("tcp", c.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("MNEMOND_HTTPAPI_LISTEN: listen on %s: %w", c.HTTP.Listen, err)
	}
	log.Info("started", "part", p.name, "listen", l.Addr().String(), "models", s.Models())
	return p.Run(ctx, s, l)
}

// Run runs the part on a stack until ctx ends, with its HTTP doors on l.
func (p Part) Run(ctx context.Context, s *Stack, l net.Listener) error {
	g, d, err := p.run(s)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	web, err := s.http(d, l)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	return append(g, web...).Run(ctx)
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
