package app

import (
	"context"
	"errors"
	"time"

	"github.com/mnemond/mnemond/pkg/stream"
)

// leaseRebuild is held by who makes a collection: two at once would drop each other's.
const leaseRebuild = "rebuild"

// leaseTTL is after how long without a sign of life a lease's holder counts as dead, and
// leasePoll how often who waits for a lease asks for it.
const (
	leaseTTL  = 10 * time.Second
	leasePoll = 200 * time.Millisecond
)

// alone calls f while no other process of the installation is in alone with that name; it
// waits for its turn. When the lease is lost, the context of f ends.
func (s *Stack) alone(ctx context.Context, name string, f func(context.Context) error) error {
	for waited := false; ; waited = true {
		err := stream.WithLease(ctx, s.js, name, leaseTTL, f)
		if !errors.Is(err, stream.ErrLeaseHeld) {
			return err
		}
		if !waited {
			s.options.Logger.WarnContext(ctx, "another process does this at the moment, or died of it: waiting", "lease", name)
		}
		if err := pause(ctx, leasePoll); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
