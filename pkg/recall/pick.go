package recall

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/event"
)

// picked is what there is room for, best first, and how much there is no room for.
type picked struct {
	results               []Result
	overLimit, overBudget int
}

// pick takes the best up to the limit. One that does not fit into what is left of the budget
// is passed over, and a shorter one after it may fit: none is ever cut.
func pick(r *Request, all []Result) picked {
	p := picked{results: []Result{}}
	for i := range all {
		if len(p.results) == r.Limit {
			p.overLimit = len(all) - i
			break
		}
		more := slices.Concat(p.results, all[i:i+1])
		if r.Budget > 0 && event.Tokens(Prompt(r.Query, more)) > r.Budget {
			p.overBudget++
			continue
		}
		p.results = more
	}
	return p
}
