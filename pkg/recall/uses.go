package recall

import (
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Uses are the memories that a recall has handed out, each with its own owner. There are none
// of what was believed once: to look at the past uses nothing.
func (t *Trace) Uses() []index.Access {
	if !t.Asked.AsOf.IsZero() {
		return nil
	}
	out := make([]index.Access, len(t.Hits))
	for i, h := range t.Hits {
		out[i] = index.Access{Scope: t.Scope, ID: h.ID, At: t.At}
		if h.Owner != (memory.Owner{}) {
			out[i].Scope.Owner = h.Owner
		}
	}
	return out
}
