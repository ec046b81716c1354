package purge

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Documents returns what takes the place of each change set that holds text of one of the
// documents which is its no more, in the order in which they count, each with the sequence at
// which the original stands and with InPlaceOf. It leaves out every state of a document, those
// of others included, that another one has followed. The records are all of the owner's.
// Rewriting what was rewritten changes nothing.
func Documents(records []ledger.Record, ids []memory.ID) []ledger.Record {
	records = inEffect(records)
	latest := latestAt(records)
	due := map[memory.ID]bool{}
	for _, id := range ids {
		due[id] = true
	}
	var out []ledger.Record
	for i, r := range records {
		followed := func(j int) bool { return place{i, j}.before(latest[r.Changes[j].ID()]) }
		stale := false
		var kept []ledger.Change
		for j, c := range r.Changes {
			if c.Document == nil || !followed(j) {
				kept = append(kept, c)
			} else {
				stale = stale || c.Op == ledger.OpPut && due[c.Document.ID]
			}
		}
		if stale {
			r.Changes, r.InPlaceOf = slices.Clip(kept), r.Effective(r.Seq)
			out = append(out, r)
		}
	}
	return out
}

// latestAt is where each document got its last state.
func latestAt(records []ledger.Record) map[memory.ID]place {
	out := map[memory.ID]place{}
	for i, r := range records {
		for j := range r.Changes {
			if d := r.Changes[j].Document; d != nil {
				out[d.ID] = place{i, j}
			}
		}
	}
	return out
}
