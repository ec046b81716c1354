package reap

import (
	"context"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Traces is what recall has handed out of late.
type Traces interface {
	// Forget deletes what the owner's recalls up to a time have left behind, and what was told
	// about them. What is gone already is no error.
	Forget(ctx context.Context, s memory.Scope, until time.Time) error
}

// deletedAt is when the last of the memories that a purge makes its note on was deleted; zero
// when there are none among what it is made on.
func deletedAt(records []ledger.Record, noted []ledger.Change) time.Time {
	due := map[memory.ID]bool{}
	for i := range noted {
		due[noted[i].Memory.ID] = noted[i].Memory.Tombstone != nil
	}
	var last time.Time
	for i := range records {
		for j := range records[i].Changes {
			c := &records[i].Changes[j]
			if c.Op == ledger.OpDelete && due[c.Memory.ID] && records[i].At.After(last) {
				last = records[i].At
			}
		}
	}
	return last
}
