package reap

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// run is one run of a job.
type run struct {
	*Service
	now time.Time
	dry DryRun
	// again are the owners that have been dealt with and come again in later pages all the
	// same: those that failed, those whose memories were skipped and, in a dry run, all.
	again map[memory.Scope]bool

	mu     sync.Mutex
	report Report
	errs   []error
}

// owner is one owner of whom something is due: the task, and the search narrowed to the
// owner's tenant.
type owner struct {
	memory.Scope
	task  task
	query index.Due
}

// do does a task for all tenants.
func (r *run) do(ctx context.Context, t task) error {
	clear(r.again)
	for _, q := range r.queries(t) {
		err := r.Memories.Sweep(ctx, q, r.PageSize, func(refs []index.Ref) error { return r.page(ctx, t, q, refs) })
		if err != nil {
			return fmt.Errorf("sweep %s: %w", t.due, err)
		}
	}
	return nil
}

// queries are the searches of a task: one for all tenants with the default's bound, and one
// for each that has another. Where the limit does not apply, nothing is searched.
func (r *run) queries(t task) []index.Due {
	if t.action == "" {
		return []index.Due{{Job: t.due}}
	}
	var out []index.Due
	common, applies := r.Policies.Default.Bound(t.action, r.now)
	var others []memory.Tenant
	for _, tenant := range slices.Sorted(maps.Keys(r.Policies.Tenants)) {
		own, ok := r.Policies.For(tenant).Bound(t.action, r.now)
		if ok == applies && own.Equal(common) {
			continue
		}
		others = append(others, tenant)
		if ok {
			out = append(out, index.Due{Job: t.due, Before: own, Tenant: tenant})
		}
	}
	if applies {
		out = append(out, index.Due{Job: t.due, Before: common, Except: others})
	}
	return out
}

// page deals with the owners of a page, several at once. It fails when going on makes no
// sense: the run has been stopped, or a dependency is down.
func (r *run) page(ctx context.Context, t task, q index.Due, refs []index.Ref) error {
	r.Reached(StepSwept)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.Concurrency)
	for _, scope := range r.owners(refs) {
		g.Go(func() error {
			err := t.deal(r, ctx, owner{scope, t, q})
			if err == nil || ctx.Err() != nil || errors.Is(err, fault.ErrOutage) {
				return err
			}
			r.fail(ctx, scope, err)
			return nil
		})
	}
	return g.Wait()
}

// owners are those of a page that have not been dealt with.
func (r *run) owners(refs []index.Ref) []memory.Scope {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []memory.Scope
	seen := map[memory.Scope]bool{}
	for _, ref := range refs {
		if !seen[ref.Scope] && !r.again[ref.Scope] {
			seen[ref.Scope] = true
			out = append(out, ref.Scope)
		}
	}
	return out
}

func (r *run) fail(ctx context.Context, s memory.Scope, err error) {
	r.Logger.WarnContext(ctx, "owner not reaped", "job", r.report.Job, "tenant", s.Tenant, "owner", s.Owner.Kind, "id", s.Owner.ID, "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.again[s] = true
	r.report.Failed++
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, fmt.Errorf("%s %s %q: %w", s.Tenant, s.Owner.Kind, s.Owner.ID, err))
	}
}

// found is what one look at an owner's memories came to.
type found struct {
	// set is what to append; nil is nothing.
	set *ledger.ChangeSet
	// skipped is how many memories are not due after all.
	skipped int
	// last is the id of the last memory, and more says that there may be others after it.
	last memory.ID
	more bool
}

// look decides on the owner's memories after an id.
type look func(ctx context.Context, o owner, after memory.ID) (found, error)

// decide looks at all of the owner's memories that are due, page by page, each a decision of
// its own: they are read again at the owner's head, and once more when another decision
// came between.
func (r *run) decide(ctx context.Context, o owner, look look) error {
	changed := false
	for f := (found{more: true}); f.more; {
		after := f.last
		err := r.append(ctx, o.Scope, func(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
			if head == 0 && r.dry == nil {
				// Without change sets the owner has been erased: what the collections still
				// hold is on its way out, and must not be written down again.
				f = found{skipped: 1}
				return nil, nil
			}
			var err error
			f, err = look(ctx, o, after)
			return f.set, err
		})
		if err != nil {
			return err
		}
		r.add(o.Scope, f)
		changed = changed || f.set != nil
	}
	r.count(changed)
	return nil
}

// append makes a decision; a dry run only plans it, on what the collections hold.
func (r *run) append(ctx context.Context, s memory.Scope, plan decide.Plan) error {
	if r.dry != nil {
		_, err := plan(ctx, 0)
		return err
	}
	_, err := r.Decider.Do(ctx, s, plan)
	return err
}

// set is an empty change set of the owner's.
func (r *run) set(s memory.Scope) *ledger.ChangeSet {
	return &ledger.ChangeSet{V: ledger.Version, At: r.now, Author: ledger.AuthorReaper, Scope: s}
}

// read is the owner's memories after an id that the search finds.
func (r *run) read(ctx context.Context, o owner, after memory.ID) ([]memory.Memory, found, error) {
	ms, err := r.Memories.DueOf(ctx, o.Scope, o.query, after, r.PageSize)
	if err != nil {
		return nil, found{}, fmt.Errorf("read what is due: %w", err)
	}
	f := found{more: len(ms) == r.PageSize}
	if len(ms) > 0 {
		f.last = ms[len(ms)-1].ID
	}
	return ms, f, nil
}
