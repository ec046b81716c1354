package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// takeBackWithin bounds a look at what has become of what was projected. It goes on when the
// work is cancelled: nobody else knows that there is something to be taken back.
const takeBackWithin = 30 * time.Second

// takeBack deletes what was projected from change sets that an erasure took away meanwhile.
// First is the first of them: an erasure takes them in order, and then goes over all places
// again, so that while that one is there, whatever has been written is found. A projection
// that failed may have written as well.
func (p *Projector) takeBack(ctx context.Context, s memory.Scope, first uint64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackWithin)
	defer cancel()
	held, err := p.holds(ctx, s, first)
	if err != nil || held {
		return err
	}
	_, err = p.emptyErased(ctx, s, first)
	return err
}

func (p *Projector) holds(ctx context.Context, s memory.Scope, seq uint64) (bool, error) {
	held, err := p.Log.Holds(ctx, s, seq)
	if err != nil {
		return false, fmt.Errorf("look for change set %d: %w", seq, err)
	}
	return held, nil
}

// emptyErased deletes what an erasure has left of the owner, if one took the change set at
// first away, and reports whether it did. A purge takes change sets away as well.
func (p *Projector) emptyErased(ctx context.Context, s memory.Scope, first uint64) (bool, error) {
	below, err := p.Erasures.Erased(ctx, s)
	if err != nil {
		return false, fmt.Errorf("look for an erasure: %w", err)
	}
	if below < first {
		return false, nil
	}
	if err := p.empty(ctx, s, below); err != nil {
		return false, fmt.Errorf("take back what was erased: %w", err)
	}
	return true, nil
}

// empty deletes what change sets up to the sequence have left. The one at it may be a fence,
// which leaves a cursor.
func (p *Projector) empty(ctx context.Context, s memory.Scope, upTo uint64) error {
	if p.Vectors != nil {
		if _, err := p.Vectors.EraseOwner(ctx, s, upTo); err != nil {
			return err
		}
	}
	if _, err := p.Questions.EraseOwner(ctx, s, upTo); err != nil {
		return err
	}
	_, err := p.Store.Erase(ctx, s, upTo+1) // the cursor among it is what says that there is more
	return err
}

// cursor is where the owner's collection stands, whose ledger stands at head. A projector
// that an erasure overtook, and that died before it took anything back, may have left a cursor
// at a change set that is not there any more, or memories of nobody's: who comes next takes
// them back.
func (p *Projector) cursor(ctx context.Context, s memory.Scope, head uint64) (uint64, error) {
	cursor, err := p.Store.Cursor(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("read cursor: %w", err)
	}
	switch {
	case head > 0 && (cursor == head || cursor == 0):
		return cursor, nil
	case cursor > 0:
		if held, err := p.holds(ctx, s, cursor); err != nil || held {
			return cursor, err
		}
	}
	emptied, err := p.emptyErased(ctx, s, max(cursor, 1))
	if err != nil || emptied {
		return 0, err
	}
	return cursor, nil
}

// after is what both errors say; nil where neither is one.
func after(err, next error) error {
	if err == nil || next == nil {
		return cmp.Or(err, next)
	}
	return errors.Join(err, next)
}
