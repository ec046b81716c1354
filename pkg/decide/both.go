package decide

import (
	"context"
	"errors"
	"fmt"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Entry is one owner's part of a decision that concerns several.
type Entry struct {
	Scope memory.Scope
	// Expect is the owner's head.
	Expect uint64
	Data   []byte
}

// Batch is the log of decisions, for those that concern several owners.
type Batch interface {
	// AppendAll stores each entry as its owner's next change set if the heads of all of them
	// are as expected, and returns their sequences; else none, and ledger.ErrConflict.
	AppendAll(ctx context.Context, entries []Entry) ([]uint64, error)
}

// Both decides for two owners, on what the collections hold at their heads.
type Both func(ctx context.Context) (first, second *ledger.ChangeSet, err error)

// DoBoth decides until a decision about two owners is appended as one: both change sets or
// none. Where the first is larger than a change set may be, its parts come before, each valid
// alone, and the last goes with the second; a first that is nil leaves the second alone. The
// second must fit one change set, and must not be nil.
func (d *Decider) DoBoth(ctx context.Context, log Batch, first, second memory.Scope, plan Both) error {
	for {
		a, err := d.Projector.CatchUp(ctx, first)
		if err != nil {
			return fmt.Errorf("catch up: %w", err)
		}
		b, err := d.Projector.CatchUp(ctx, second)
		if err != nil {
			return fmt.Errorf("catch up: %w", err)
		}
		c, o, err := plan(ctx)
		if err != nil {
			return err
		}
		err = d.both(ctx, log, Entry{Scope: first, Expect: a}, Entry{Scope: second, Expect: b}, c, o)
		if !errors.Is(err, ledger.ErrConflict) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

func (d *Decider) both(ctx context.Context, log Batch, first, second Entry, c, o *ledger.ChangeSet) error {
	others, err := o.Split()
	if err == nil && len(others) != 1 {
		err = fmt.Errorf("change set of %d parts: want one", len(others))
	}
	if err != nil {
		return err
	}
	second.Data = others[0].Data
	entries, sets := []Entry{second}, []*ledger.ChangeSet{o}
	if c != nil {
		parts, err := c.Split()
		if err != nil {
			return err
		}
		last := len(parts) - 1
		if last > 0 {
			if first.Expect, err = d.append(ctx, first.Scope, first.Expect, parts[:last]); err != nil {
				return err
			}
		}
		first.Data = parts[last].Data
		entries, sets = []Entry{first, second}, []*ledger.ChangeSet{parts[last].ChangeSet, o}
	}
	for _, e := range entries {
		held, err := d.Projector.Holds(ctx, e.Scope, e.Expect)
		if err != nil {
			return err
		}
		if !held {
			return ledger.ErrConflict
		}
	}
	d.reached(StepDecided)
	seqs, err := log.AppendAll(ctx, entries)
	if errors.Is(err, ledger.ErrConflict) {
		return err
	}
	if err != nil {
		return fmt.Errorf("append change sets: %w", err)
	}
	d.reached(StepAppended)
	for i, e := range entries {
		if err := d.Projector.Apply(ctx, e.Scope, e.Expect, seqs[i], sets[i]); err != nil {
			return fmt.Errorf("project change set %d: %w", seqs[i], err)
		}
	}
	d.reached(StepProjected)
	return nil
}
