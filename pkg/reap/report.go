package reap

import (
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Report is what one run did; of a dry run, what it would have done.
type Report struct {
	Job    Job       `json:"job"`
	At     time.Time `json:"at"`
	DryRun bool      `json:"dry_run,omitempty"`
	// Owners is for how many owners something was changed: each counts once for each thing
	// that the job looks for.
	Owners int `json:"owners"`
	// Memories is how many memories and documents were changed, ByOp by the operation of the
	// ledger; a recorded use counts as OpAccess.
	Memories int            `json:"memories"`
	ByOp     map[string]int `json:"by_op"`
	// Rewritten is how many change sets were replaced in the ledger, without purged text.
	Rewritten int `json:"rewritten"`
	// Skipped is how many memories were found and, looked at again, were not due.
	Skipped int `json:"skipped"`
	// Failed is for how many owners the run failed, counted like Owners.
	Failed int   `json:"failed"`
	TookMS int64 `json:"took_ms"`
}

// OpAccess stands in a report for a use that was recorded. It is no operation of the ledger,
// where uses have a place of their own.
const OpAccess = "access"

// Planned is a change that a dry run would make.
type Planned struct {
	Scope memory.Scope `json:"scope"`
	ID    memory.ID    `json:"id"`
	Op    string       `json:"op"`
}

// DryRun is called with what would be changed, by one goroutine at a time.
type DryRun func(Planned)

// maxErrors bounds the owners' errors that a run returns. Report.Failed counts all.
const maxErrors = 10

// add counts what was done for an owner, and remembers one who comes again.
func (r *run) add(s memory.Scope, f found) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dry != nil || f.skipped > 0 {
		r.again[s] = true
	}
	r.report.Skipped += f.skipped
	if f.set == nil {
		return
	}
	ids := map[memory.ID]bool{}
	for _, p := range planned(f.set) {
		ids[p.ID] = true
		r.report.ByOp[p.Op]++
		if r.dry != nil {
			r.dry(p)
		}
	}
	r.report.Memories += len(ids)
}

// count counts an owner of whom something was changed.
func (r *run) count(changed bool) {
	if changed {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.report.Owners++
	}
}

// rewrote counts a change set that was replaced in the ledger.
func (r *run) rewrote() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Rewritten++
}

// planned are the changes of a change set, without anything of their text.
func planned(c *ledger.ChangeSet) []Planned {
	out := make([]Planned, 0, len(c.Changes)+len(c.Accessed))
	for _, a := range c.Accessed {
		out = append(out, Planned{c.Scope, a.ID, OpAccess})
	}
	for i := range c.Changes {
		out = append(out, Planned{c.Scope, c.Changes[i].ID(), string(c.Changes[i].Op)})
	}
	return out
}

// failed is what the run returns: why it was broken off, and the owners that failed.
func (r *run) failed(broken error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	errs := append([]error{broken}, r.errs...)
	if more := r.report.Failed - len(r.errs); more > 0 {
		errs = append(errs, fmt.Errorf("%d more owners failed", more))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("reap %s: %w", r.report.Job, err)
	}
	return nil
}
