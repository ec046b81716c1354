package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// runnable is something that blocks until its context ends.
type runnable struct {
	name string
	run  func(ctx context.Context) error
}

// group runs several runnables in one process.
type group []runnable

// Run starts them in order and blocks. When ctx ends, or the first of them stops, it stops
// the others in reverse order, each once the one after it has ended.
func (g group) Run(ctx context.Context) error {
	type running struct {
		runnable
		cancel context.CancelFunc
		done   chan error
	}
	stopped := make(chan error, len(g))
	var started []running
	for _, r := range g {
		rctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		done := make(chan error, 1)
		go func() {
			err := r.run(rctx)
			switch {
			case rctx.Err() != nil:
				err = nil
			case err != nil:
				err = fmt.Errorf("%s: %w", r.name, err)
			default:
				err = fmt.Errorf("%s stopped", r.name)
			}
			stopped <- err
			done <- err
		}()
		started = append(started, running{r, cancel, done})
	}
	var first error
	select {
	case <-ctx.Done():
	case first = <-stopped:
	}
	errs := []error{first}
	for _, r := range slices.Backward(started) {
		r.cancel()
		if err := <-r.done; err != nil && !errors.Is(err, first) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
