package reap

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// purge takes the text of the owner's deleted memories out of the ledger, and with it the
// traces of recalls from before the deletion, and notes that on their tombstones. It goes by one change set at a time: appended again without the text,
// then deleted where it stood. The note comes last, at a head at which nothing is left to
// take out, so that a purge that is broken off stays due.
func (r *run) purge(ctx context.Context, o owner) error {
	return r.purgeText(ctx, o, r.due, func(records []ledger.Record, noted []ledger.Change) []ledger.Record {
		tombstones := make([]memory.Memory, 0, len(noted))
		for _, c := range noted {
			tombstones = append(tombstones, c.Memory)
		}
		return r.Rewrite(records, tombstones)
	})
}

// rewrite takes out of an owner's change sets the text of what a note is made on.
type rewrite func(records []ledger.Record, noted []ledger.Change) []ledger.Record

// purgeText purges what a look finds page by page. The look's decision is the note.
func (r *run) purgeText(ctx context.Context, o owner, page look, rewrite rewrite) error {
	if r.dry != nil {
		return r.decide(ctx, o, page)
	}
	changed := false
	for f := (found{more: true}); f.more; {
		p := purging{run: r, owner: o, after: f.last, page: page, rewrite: rewrite}
		for done := false; !done; {
			var err error
			if done, err = p.step(ctx); err != nil {
				return err
			}
		}
		f = p.found
		r.add(o.Scope, f)
		changed = changed || f.set != nil
	}
	r.count(changed)
	return nil
}

// purging is a page of tombstones on its way out of the ledger.
type purging struct {
	*run
	owner   owner
	page    look
	rewrite rewrite
	// after is the id before the page.
	after memory.ID
	// head is the owner's head for which the rest was found; 0 before the first look.
	head uint64
	// found is the page, with the note on its tombstones.
	found found
	// left are the change sets that still hold text, as they are to be without it.
	left []ledger.Record
}

// step replaces one change set; when none is left, it notes that and is done.
func (p *purging) step(ctx context.Context) (done bool, err error) {
	seq, err := p.Decider.Do(ctx, p.owner.Scope, p.plan)
	if err != nil || len(p.left) == 0 {
		return true, err
	}
	p.Reached(StepReplaced)
	if err := p.Ledger.Delete(ctx, p.owner.Scope, p.left[0].Seq); err != nil {
		return false, err
	}
	p.Reached(StepDeleted)
	p.rewrote()
	p.head, p.left = seq, p.left[1:]
	return false, nil
}

// plan is the next change set of the purge.
func (p *purging) plan(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
	if head != p.head {
		if err := p.look(ctx, head); err != nil {
			return nil, err
		}
	}
	if len(p.left) == 0 {
		return p.found.set, nil
	}
	instead := p.left[0].ChangeSet
	instead.InPlaceOf = instead.Effective(p.left[0].Seq)
	return &instead, nil
}

// look finds the page and what the ledger holds of it at head.
func (p *purging) look(ctx context.Context, head uint64) error {
	var err error
	if p.found, err = p.page(ctx, p.owner, p.after); err != nil {
		return err
	}
	p.head, p.left = head, nil
	if p.found.set == nil {
		return nil
	}
	records, err := p.records(ctx, head)
	if err != nil {
		return err
	}
	p.left = p.rewrite(records, p.found.set.Changes)
	if until := deletedAt(records, p.found.set.Changes); !until.IsZero() {
		return p.Traces.Forget(ctx, p.owner.Scope, until)
	}
	return nil
}

// records are the owner's change sets up to head. An original beside what has taken its
// place is what a purge that was broken off has left: it is deleted.
func (p *purging) records(ctx context.Context, head uint64) ([]ledger.Record, error) {
	var all []ledger.Record
	err := p.Ledger.Read(ctx, p.owner.Scope, 0, head, func(seq uint64, _ time.Time, data []byte) error {
		c, err := ledger.Decode(data, p.owner.Scope)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		all = append(all, ledger.Record{Seq: seq, ChangeSet: c})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	last := map[uint64]uint64{}
	for _, r := range all {
		last[r.Effective(r.Seq)] = max(last[r.Effective(r.Seq)], r.Seq)
	}
	for _, r := range all {
		if last[r.Effective(r.Seq)] == r.Seq {
			continue
		}
		if err := p.Ledger.Delete(ctx, p.owner.Scope, r.Seq); err != nil {
			return nil, err
		}
	}
	return ledger.InEffect(all), nil
}
