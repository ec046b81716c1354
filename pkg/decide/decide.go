// Package decide makes a decision about one owner's memory as all of mnemond does: catch
// up, decide on what is there, append with the owner's head as the precondition, project;
// and again from the start when another decision came between. It owns this order and what
// a crash between any two of its steps means; what is decided is the caller's.
package decide

import (
	"context"
	"errors"
	"fmt"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Ledger is the log of decisions.
type Ledger interface {
	// Append stores data as the owner's next change set if its head is still expect, and
	// returns its sequence; else ledger.ErrConflict.
	Append(ctx context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error)
}

// Projector brings the collections up to the ledger.
type Projector interface {
	CatchUp(ctx context.Context, s memory.Scope) (uint64, error)
	// Holds reports whether the collections that are read hold everything up to head.
	Holds(ctx context.Context, s memory.Scope, head uint64) (bool, error)
	Apply(ctx context.Context, s memory.Scope, head, seq uint64, c *ledger.ChangeSet) error
}

// Step names a point between two steps, for those who watch or interrupt them.
type Step string

// The points, in order.
const (
	StepDecided   Step = "decided"
	StepAppended  Step = "appended"
	StepProjected Step = "projected"
)

// Steps lists every point, in order.
var Steps = []Step{StepDecided, StepAppended, StepProjected}

// Decider appends decisions.
type Decider struct {
	Ledger    Ledger
	Projector Projector
	// Reached is called at each Step. Default: nothing.
	Reached func(Step)
}

// Plan decides on what the collections hold at the owner's head. It returns nil when there
// is nothing to decide. Its change set may be larger than one may be; its checkpoint then
// goes with the last part.
type Plan func(ctx context.Context, head uint64) (*ledger.ChangeSet, error)

// Do catches up with the owner's ledger and decides until a decision is appended, and
// returns the sequence of its last change set; 0 when there was nothing to decide.
func (d *Decider) Do(ctx context.Context, s memory.Scope, plan Plan) (uint64, error) {
	head, err := d.Projector.CatchUp(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("catch up: %w", err)
	}
	return d.DoFrom(ctx, s, head, plan)
}

// DoFrom is Do for who has just caught up to head.
func (d *Decider) DoFrom(ctx context.Context, s memory.Scope, head uint64, plan Plan) (uint64, error) {
	for {
		c, err := plan(ctx, head)
		if err != nil || c == nil {
			return 0, err
		}
		parts, err := c.Split()
		if err != nil {
			return 0, err
		}
		seq, err := d.append(ctx, s, head, parts)
		if !errors.Is(err, ledger.ErrConflict) {
			return seq, err
		}
		// Another decision came between, or a rebuild has published other collections.
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if head, err = d.Projector.CatchUp(ctx, s); err != nil {
			return 0, fmt.Errorf("catch up: %w", err)
		}
	}
}

// append appends and projects the parts of one decision, each behind the one before it. A
// conflict after the first part leaves the parts before it, each of which is valid alone.
func (d *Decider) append(ctx context.Context, s memory.Scope, head uint64, parts []ledger.Part) (uint64, error) {
	for _, p := range parts {
		held, err := d.Projector.Holds(ctx, s, head)
		if err != nil {
			return 0, err
		}
		if !held {
			return 0, ledger.ErrConflict
		}
		d.reached(StepDecided)
		seq, err := d.Ledger.Append(ctx, s, head, p.Data)
		if errors.Is(err, ledger.ErrConflict) {
			return 0, err
		}
		if err != nil {
			return 0, fmt.Errorf("append change set: %w", err)
		}
		d.reached(StepAppended)
		if err := d.Projector.Apply(ctx, s, head, seq, p.ChangeSet); err != nil {
			return 0, fmt.Errorf("project change set %d: %w", seq, err)
		}
		d.reached(StepProjected)
		head = seq
	}
	return head, nil
}

func (d *Decider) reached(s Step) {
	if d.Reached != nil {
		d.Reached(s)
	}
}
