package find

import (
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
)

// Distinct are the places of memories that no query orders, in their order: what says the same
// as an earlier one stands behind all that says something else, by the rule for what a query
// finds.
func Distinct(memories []*memory.Memory) []int {
	cs := make([]rank.Candidate, len(memories))
	order := make([]int, len(memories))
	for i, m := range memories {
		cs[i], order[i] = ofMemory(m), i
		cs[i].Terms = index.Sparse(m)
	}
	return rank.Distinct(cs, order, len(order), nil)
}
