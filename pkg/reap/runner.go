package reap

import (
	"context"
	"log/slog"

	"github.com/robfig/cron/v3"
)

// Runner starts jobs by the clock.
type Runner struct {
	jobs   []timed
	do     func(context.Context, Job) error
	logger *slog.Logger
}

// NewRunner returns a runner that has each job done by do at the times of s; it starts
// nothing. Its errors name the variable that is wrong.
func NewRunner(s Schedule, do func(context.Context, Job) error, logger *slog.Logger) (*Runner, error) {
	jobs, err := s.parse()
	if err != nil {
		return nil, err
	}
	return &Runner{jobs: jobs, do: do, logger: logger}, nil
}

// Run starts jobs until ctx ends, and returns nil when the last of them has ended. A job
// that is still running when its time comes again is left out that once; one that fails or
// panics is logged, and runs again at its next time. Jobs do not wait for one another.
func (r *Runner) Run(ctx context.Context) error {
	logger := cronLogger{r.logger}
	c := cron.New(
		cron.WithLogger(logger),
		cron.WithChain(cron.SkipIfStillRunning(logger), cron.Recover(logger)),
	)
	for _, j := range r.jobs {
		c.Schedule(j.when, cron.FuncJob(func() {
			if err := r.do(ctx, j.job); err != nil && ctx.Err() == nil {
				r.logger.ErrorContext(ctx, "job failed, it runs again at its next time", "job", j.job, "error", err)
			}
		}))
	}
	c.Start()
	<-ctx.Done()
	<-c.Stop().Done()
	return nil
}

// cronLogger writes what cron has to say: its routine at Debug, and what goes wrong at Error.
type cronLogger struct{ *slog.Logger }

// Info serves cron.Logger.
func (l cronLogger) Info(msg string, keysAndValues ...any) {
	l.Debug("cron", append([]any{"event", msg}, keysAndValues...)...)
}

// Error serves cron.Logger.
func (l cronLogger) Error(err error, msg string, keysAndValues ...any) {
	l.Logger.Error("cron", append([]any{"event", msg, "error", err}, keysAndValues...)...)
}
