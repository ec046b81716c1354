package decide

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Reader is the log of one owner's change sets, read back.
type Reader interface {
	// Head is the owner's last sequence, 0 when there is none.
	Head(ctx context.Context, s memory.Scope) (uint64, error)
	// Read calls fn for the owner's change sets in (after, upTo], in order.
	Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(seq uint64, at time.Time, data []byte) error) error
}

// Records reads the owner's change sets, each at the place where it counts, oldest first.
func Records(ctx context.Context, log Reader, scope memory.Scope) ([]ledger.Record, error) {
	return RecordsFrom(ctx, log, scope, 0)
}

// RecordsFrom is Records without what was appended before the sequence.
func RecordsFrom(ctx context.Context, log Reader, scope memory.Scope, from uint64) ([]ledger.Record, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	head, err := log.Head(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("read ledger head: %w", err)
	}
	var out []ledger.Record
	err = log.Read(ctx, scope, max(from, 1)-1, head, func(seq uint64, _ time.Time, data []byte) error {
		c, err := ledger.Decode(data, scope)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		out = append(out, ledger.Record{Seq: seq, ChangeSet: c})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	return ledger.InEffect(out), nil
}
