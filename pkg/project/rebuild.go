package project

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Replayer reads the whole ledger in order, beside everyone else who reads it.
type Replayer interface {
	// Replay calls fn for every owner's change sets from the sequence on, up to the end as
	// it is at the call, and returns that end.
	Replay(ctx context.Context, from uint64, fn func(ctx context.Context, s memory.Scope, seq uint64, data []byte, pending uint64) error) (uint64, error)
}

// Traces is what recall has handed out of late, which the ledger may not know yet.
type Traces interface {
	// Accessed calls fn for the uses of memories that are on record.
	Accessed(ctx context.Context, fn func([]index.Access) error) error
}

// Target is where a rebuild goes: a new collection, and the alias that readers use.
type Target interface {
	Store
	// Publish points the alias at the new collection. Readers see one or the other.
	Publish(ctx context.Context) error
}

// Report is what a rebuild did.
type Report struct {
	ChangeSets int    `json:"change_sets"`
	UpTo       uint64 `json:"up_to"`
}

// Rebuilding is what a rebuild is made of.
type Rebuilding struct {
	Log    Replayer
	Traces Traces
	Target Target
	Embed  Embedder
	// Progress is called now and then with how many change sets are done and how many are
	// left in this pass; nil for nobody.
	Progress func(done int, left uint64)
}

// Rebuild replays the ledger into the target while writes go on. It publishes the target
// when a further pass finds it up to date to within one batch, and then reads on to what was
// appended meanwhile, so that nothing that was projected into the old collections alone is
// missing from the new ones. Questions wait elsewhere and are left as they are.
func Rebuild(ctx context.Context, r Rebuilding) (Report, error) {
	if r.Progress == nil {
		r.Progress = func(int, uint64) {}
	}
	p := &rebuild{Rebuilding: r, Projector: &Projector{Config{Store: r.Target, Embed: r.Embed}}}
	for {
		n, err := p.pass(ctx)
		if err != nil {
			return p.report, err
		}
		if n < batchSize {
			break
		}
	}
	err := r.Traces.Accessed(ctx, func(a []index.Access) error { return r.Target.Write(ctx, index.Batch{Accessed: a}) })
	if err != nil {
		return p.report, fmt.Errorf("restore times of use: %w", err)
	}
	if err := r.Target.Publish(ctx); err != nil {
		return p.report, fmt.Errorf("publish rebuilt collections: %w", err)
	}
	_, err = p.pass(ctx)
	return p.report, err
}

// rebuild is a rebuild that is going on.
type rebuild struct {
	Rebuilding
	*Projector
	report Report
}

// progressEvery is after how many change sets progress is told.
const progressEvery = 1000

// pass projects everything after report.UpTo and returns how many change sets that were.
func (r *rebuild) pass(ctx context.Context) (int, error) {
	b := newBatch()
	n := 0
	end, err := r.Log.Replay(ctx, r.report.UpTo+1, func(ctx context.Context, s memory.Scope, seq uint64, data []byte, left uint64) error {
		c, err := ledger.Decode(data, s)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		// Each pass goes on where the one before has ended, for all owners: nothing lies before.
		b.add(s, 0, seq, &c)
		n++
		if n%progressEvery == 0 || left == 0 {
			r.Progress(r.report.ChangeSets+n, left)
		}
		return r.flushIfFull(ctx, b)
	})
	if err != nil {
		return n, fmt.Errorf("replay ledger: %w", err)
	}
	r.report.ChangeSets += n
	r.report.UpTo = max(r.report.UpTo, end)
	return n, r.flush(ctx, b)
}
