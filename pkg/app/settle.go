package app

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/memory"
)

// settler serves curate.Threads.
type settler struct{ s *Stack }

// Settle consolidates every thread of the user that has events in the log, one after another.
// A worker that is at one of them at the same time does no harm: one of both finds it done.
func (t settler) Settle(ctx context.Context, s memory.Scope) error {
	threads, err := t.s.Events.OwnerThreads(ctx, s)
	if err != nil {
		return err
	}
	for _, r := range threads {
		if err := t.s.Consolidate.Thread(ctx, r); err != nil {
			return fmt.Errorf("settle: %w", err)
		}
	}
	return nil
}
