package project

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Replayer reads the whole ledger in order, beside everyone else who reads it.
type Replayer interface {
	// Replay calls fn for every owner's change sets from the sequence on, up to the end as
	// it is at the call, and returns that end.
	Replay(ctx context.Context, from uint64, fn func(ctx context.Context, s memory.Scope, seq uint64, data []byte, pending uint64) error) (uint64, error)
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

// Rebuild replays the ledger into target while writes go on. It publishes target when a
// further pass finds it up to date to within one batch, and then reads on to what was
// appended meanwhile, so that nothing that was projected into the old collection alone is
// missing from the new one.
func Rebuild(ctx context.Context, log Replayer, target Target, embed Embedder) (Report, error) {
	p := &Projector{store: target, embed: embed}
	var report Report
	for {
		n, err := p.pass(ctx, log, &report)
		if err != nil {
			return report, err
		}
		if n < batchSize {
			break
		}
	}
	if err := target.Publish(ctx); err != nil {
		return report, fmt.Errorf("publish rebuilt collection: %w", err)
	}
	_, err := p.pass(ctx, log, &report)
	return report, err
}

// pass projects everything after report.UpTo and returns how many change sets that were.
func (p *Projector) pass(ctx context.Context, log Replayer, report *Report) (int, error) {
	b := newBatch()
	n := 0
	end, err := log.Replay(ctx, report.UpTo+1, func(ctx context.Context, s memory.Scope, seq uint64, data []byte, _ uint64) error {
		c, err := ledger.Decode(data, s)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		// Each pass goes on where the one before has ended, for all owners: nothing lies before.
		b.add(s, 0, seq, &c)
		n++
		return p.flushIfFull(ctx, b)
	})
	if err != nil {
		return n, fmt.Errorf("replay ledger: %w", err)
	}
	report.ChangeSets += n
	report.UpTo = max(report.UpTo, end)
	return n, p.flush(ctx, b)
}
