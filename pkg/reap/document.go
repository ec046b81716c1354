package reap

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/purge"
	"github.com/mnemond/mnemond/pkg/retention"
)

// Documents is the documents in the collections, read by what is due.
type Documents interface {
	// DueDocuments returns up to limit documents of one owner that are due and have an id
	// after the given one, ordered by id, and whether there may be more.
	DueDocuments(ctx context.Context, s memory.Scope, q index.Due, after memory.ID, limit int) ([]document.Document, bool, error)
}

// documents makes the owner's changes that need nothing but the document itself.
func (r *run) documents(ctx context.Context, o owner) error { return r.decide(ctx, o, r.dueDocuments) }

// purgeDocuments takes the text that documents had once out of the ledger. The note is their
// state, put down again.
func (r *run) purgeDocuments(ctx context.Context, o owner) error {
	return r.purgeText(ctx, o, r.dueDocuments, func(records []ledger.Record, noted []ledger.Change) []ledger.Record {
		ids := make([]memory.ID, 0, len(noted))
		for i := range noted {
			ids = append(ids, noted[i].ID())
		}
		return purge.Documents(records, ids)
	})
}

// dueDocuments is what is due of the owner's documents after an id, as a decision.
func (r *run) dueDocuments(ctx context.Context, o owner, after memory.ID) (found, error) {
	ds, more, err := r.Documents.DueDocuments(ctx, o.Scope, o.query, after, r.PageSize)
	if err != nil {
		return found{}, fmt.Errorf("read what is due: %w", err)
	}
	f := found{more: more}
	policy, set := r.Policies.For(o.Tenant), r.set(o.Scope)
	for _, d := range ds {
		f.last = d.ID
		if policy.DocumentDue(o.task.action, &d, r.now) {
			set.Changes = append(set.Changes, r.changedDocument(o.task.action, d))
		}
	}
	f.skipped = len(ds) - len(set.Changes)
	if len(set.Changes) > 0 {
		f.set = set
	}
	return f, nil
}

// changedDocument is what an action that is due makes of a document.
func (r *run) changedDocument(a retention.Action, d document.Document) ledger.Change {
	switch a {
	case retention.Expire:
		left := d.Removed(r.now)
		return ledger.Change{Op: ledger.OpRemove, Document: &left, Reason: ReasonExpired}
	case retention.Drop:
		return ledger.Change{Op: ledger.OpDrop, Document: &d, Reason: ReasonTombstoneEnded}
	}
	op := ledger.OpPut
	if !d.RemovedAt.IsZero() {
		op = ledger.OpRemove
	}
	d.StaleSince = time.Time{}
	return ledger.Change{Op: op, Document: &d, Reason: ReasonUndoEnded}
}
