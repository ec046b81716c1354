package reap

import (
	"context"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

// Reasons of changes, as they stand in the ledger.
const (
	ReasonExpired   = "expired"
	ReasonUnused    = "unused"
	ReasonUsedAgain = "used_again"
	// ReasonArchiveEnded, ReasonUndoEnded and ReasonTombstoneEnded say which limit of the
	// policy has passed.
	ReasonArchiveEnded   = "archive_ended"
	ReasonUndoEnded      = "undo_ended"
	ReasonTombstoneEnded = "tombstone_ended"
)

// change makes the owner's changes that need nothing but the memory itself.
func (r *run) change(ctx context.Context, o owner) error { return r.decide(ctx, o, r.due) }

// due is what is due of the owner's memories after an id, as a decision.
func (r *run) due(ctx context.Context, o owner, after memory.ID) (found, error) {
	ms, f, err := r.read(ctx, o, after)
	if err != nil {
		return f, err
	}
	policy, set := r.Policies.For(o.Tenant), r.set(o.Scope)
	for i := range ms {
		if policy.Due(o.task.action, &ms[i], r.now) {
			set.Changes = append(set.Changes, r.changed(o.task.action, ms[i]))
		}
	}
	f.skipped = len(ms) - len(set.Changes)
	if len(set.Changes) > 0 {
		f.set = set
	}
	return f, nil
}

// changed is what an action that is due makes of a memory.
func (r *run) changed(a retention.Action, m memory.Memory) ledger.Change {
	switch a {
	case retention.Expire:
		m.ArchivedAt = r.now
		return ledger.Change{Op: ledger.OpExpire, Memory: m, Reason: ReasonExpired}
	case retention.Archive:
		m.ArchivedAt = r.now
		return ledger.Change{Op: ledger.OpArchive, Memory: m, Reason: ReasonUnused}
	case retention.Delete:
		return ledger.Change{Op: ledger.OpDelete, Memory: r.tombstone(m), Reason: ReasonArchiveEnded}
	case retention.Purge:
		t := *m.Tombstone
		t.PurgedAt = r.now
		m.Tombstone = &t
		return ledger.Change{Op: ledger.OpPurge, Memory: m, Reason: ReasonUndoEnded}
	default:
		return ledger.Change{Op: ledger.OpDrop, Memory: m, Reason: ReasonTombstoneEnded}
	}
}

// maxAccesses is how many uses one change set records: an owner's whole day, and well within
// ledger.MaxBytes.
const maxAccesses = 4000

// access records the uses that the owner's ledger does not know of, in one change set. What
// was used in the archive comes back from there.
func (r *run) access(ctx context.Context, o owner) error {
	return r.decide(ctx, o, func(ctx context.Context, o owner, after memory.ID) (found, error) {
		set, f := r.set(o.Scope), found{last: after, more: true}
		for f.more && len(set.Accessed) < maxAccesses {
			var ms []memory.Memory
			var err error
			if ms, f, err = r.read(ctx, o, f.last); err != nil {
				return f, err
			}
			for _, m := range ms {
				r.used(set, m)
			}
		}
		if len(set.Accessed) > 0 {
			f.set = set
		}
		return f, nil
	})
}

// used records the last use of m.
func (r *run) used(set *ledger.ChangeSet, m memory.Memory) {
	// No earlier time than the collection holds: it would go on asking for the record.
	set.Accessed = append(set.Accessed, ledger.Access{ID: m.ID, At: m.UsedAt()})
	if r.Policies.For(m.Scope.Tenant).Returns(&m, r.now) {
		m.ArchivedAt = time.Time{}
		set.Changes = append(set.Changes, ledger.Change{Op: ledger.OpReturn, Memory: m, Reason: ReasonUsedAgain})
	}
}

// tombstone is what is left of m when it is deleted for its age: its identity and its value,
// which are not learnt again from what was said so far. The user has not asked to forget
// anything: the words that stand with others stay there.
func (r *run) tombstone(m memory.Memory) memory.Memory {
	known := memory.Memory{ID: m.ID, Scope: m.Scope, Kind: m.Kind, Key: m.Key, Value: m.Value}
	return reconcile.Tombstone(r.Registry, r.Secret, &known, memory.Evidence{At: r.now}, nil)
}
