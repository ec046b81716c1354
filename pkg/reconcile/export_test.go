package reconcile

import (
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Delete plans the deletion of memories and nothing else, whoever asks for it.
func Delete(in Input, ids ...memory.ID) Decision {
	p := newPlanner(in)
	for _, id := range ids {
		p.put(ledger.OpDelete, memory.Memory{
			ID: id, Scope: in.Scope, Status: memory.StatusDeleted, Tombstone: &memory.Tombstone{At: in.Now},
		}, nil, "forgotten")
	}
	p.tend()
	return p.decision()
}
