package reap

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// timeOut closes the owner's questions whose time is up.
func (r *run) timeOut(ctx context.Context, o owner) error {
	return r.decide(ctx, o, func(ctx context.Context, o owner, _ memory.ID) (found, error) {
		in := reconcile.Input{Now: r.now, Scope: o.Scope, Registry: r.Registry, Policy: r.Policies.For(o.Tenant)}
		var err error
		if in.Existing, err = r.Memories.Needed(ctx, o.Scope, reconcile.Needs{Open: true}); err != nil {
			return found{}, fmt.Errorf("read questions: %w", err)
		}
		d := reconcile.TimeOut(in)
		if len(d.Closed) == 0 {
			return found{skipped: 1}, nil
		}
		set := r.set(o.Scope)
		set.Changes, set.QuestionOpened, set.QuestionClosed = d.Changes, d.Opened, d.Closed
		return found{set: set}, nil
	})
}
