package stream

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/mnemond/mnemond/pkg/fault"
)

// verdict is what becomes of a job.
type verdict struct {
	outcome string
	// cause is the error that led to it; nil when there was none.
	cause error
	// reason is why the job was parked.
	reason string
	// counts and after are those of the new timer of a retry or a wait.
	counts Pending
	after  time.Duration
}

// work finds out which thread the job is about, handles or parks it, and decides what
// becomes of it.
func (w *Worker) work(ctx context.Context, job *Job, p Pending) verdict {
	p.Crashed = p.Crashed || job.Deliveries > uint64(w.opts.MaxCrashes)
	var err error
	job.Ref, err = w.timers.thread(ctx, p)
	switch {
	case errors.Is(err, ErrNotFound):
		return verdict{outcome: OutcomeGone}
	case err != nil && ctx.Err() != nil:
		return verdict{outcome: OutcomeInterrupted, cause: err}
	case err != nil:
		return w.wait(p, err)
	case p.Crashed:
		return w.park(ctx, *job, p, ReasonCrashed, nil)
	}
	return w.handle(ctx, *job, p)
}

func (w *Worker) handle(ctx context.Context, j Job, p Pending) verdict {
	err := w.safely(func() error { return w.handler.Handle(ctx, j) })
	switch {
	case err == nil:
		return verdict{outcome: OutcomeOK}
	case errors.Is(err, errPanic):
		p.Panics++
		if p.Panics > 1 {
			return w.park(ctx, j, p, ReasonPanicked, err)
		}
		return w.attempted(ctx, j, p, err)
	case ctx.Err() != nil:
		return verdict{outcome: OutcomeInterrupted, cause: err}
	case fault.IsPermanent(err):
		return w.park(ctx, j, p, ReasonPermanent, err)
	case errors.Is(err, fault.ErrOutage):
		return w.wait(p, err)
	}
	return w.attempted(ctx, j, p, err)
}

// attempted counts a failed attempt and tries again, or parks after the last.
func (w *Worker) attempted(ctx context.Context, j Job, p Pending, err error) verdict {
	p.Attempt++
	if p.Attempt >= w.opts.MaxAttempts {
		return w.park(ctx, j, p, ReasonAttempts, err)
	}
	return verdict{
		outcome: OutcomeRetry, cause: err,
		counts: Pending{Seq: p.Seq, Attempt: p.Attempt, Panics: p.Panics}, after: w.delay(err, p.Attempt),
	}
}

// wait is a delay that is not an attempt.
func (w *Worker) wait(p Pending, err error) verdict {
	return verdict{
		outcome: OutcomeWaiting, cause: err,
		counts: Pending{Seq: p.Seq, Attempt: p.Attempt, Panics: p.Panics, Waits: p.Waits + 1, Crashed: p.Crashed},
		after:  w.delay(err, p.Waits+1),
	}
}

// park has the handler give up. If that fails, nothing is passed over: the job waits, and
// the same failure comes to the same decision again.
func (w *Worker) park(ctx context.Context, j Job, p Pending, reason string, cause error) verdict {
	err := w.safely(func() error { return w.handler.Park(ctx, j, reason, cause) })
	switch {
	case err == nil:
		return verdict{outcome: OutcomeParked, reason: reason, cause: cause}
	case ctx.Err() != nil:
		return verdict{outcome: OutcomeInterrupted, cause: err}
	}
	p.Attempt = j.Attempt
	return w.wait(p, errors.Join(err, cause))
}

// delay is what err asks for, else it doubles with the number n of tries so far.
func (w *Worker) delay(err error, n int) time.Duration {
	if d, ok := fault.Delay(err); ok {
		return d
	}
	return backoff(n, w.opts.BackoffMin, w.opts.BackoffMax, rand.Float64())
}

// backoff is shortest before the first repetition (n = 1) and doubles up to longest; of
// that, between a half and all is taken, as fraction in [0, 1) says, so that threads which
// failed together do not come back together.
func backoff(n int, shortest, longest time.Duration, fraction float64) time.Duration {
	d := shortest
	for range n - 1 {
		if d *= 2; d >= longest {
			break
		}
	}
	d = min(d, longest)
	return d/2 + time.Duration(float64(d/2)*fraction)
}

func (w *Worker) count(ctx context.Context, outcome string) {
	w.outcomes.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", outcome)))
}
