package answer

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/verify"
)

// decision is what a reading makes of the question. It reports false where it fits none of
// the options, or more than one.
func (m *matter) decision(r *reading, content string, p putting) (d memory.Decision, what string, ok bool) {
	d, side, what := m.weigh(r, content, p)
	switch {
	case d == "" || len(m.question.Options) > 0 && !slices.Contains(m.question.Options, d):
		return "", "", false
	case d == memory.DecisionReplace:
		what = m.sides[side].Value
	case len(what) > verify.MaxValue:
		if d == memory.DecisionOther {
			return "", "", false
		}
		what = "" // too long to qualify anything
	}
	return d, what, true
}

// weigh decides between the sides; side is the chosen one.
func (m *matter) weigh(r *reading, content string, p putting) (d memory.Decision, side int, what string) {
	if r.contradicts() {
		return "", 0, ""
	}
	silent := len(r.chosen)+len(r.denied)+r.others == 0
	every := len(r.chosen) == len(m.sides) && (r.qualified || r.and)
	switch {
	case r.none && r.others == 0, len(r.denied) == len(m.sides) && r.others == 0:
		return memory.DecisionNeither, 0, ""
	case r.others == 1:
		return memory.DecisionOther, 0, content[r.other.from:r.other.to]
	case (r.both && len(m.sides) == 2 || r.all || every) && len(r.denied) == 0:
		if r.qualified {
			what = content[r.what.from:r.what.to]
		}
		return memory.DecisionBoth, 0, what
	case r.both || r.all || r.qualified:
		return "", 0, ""
	case len(r.chosen) == 1:
		return m.taking(r.chosen[0])
	case len(r.denied) == 1 && len(m.sides) == 2 && r.others == 0:
		return m.taking(m.remaining(r.denied[0]))
	case silent && (r.yes || r.agrees && p.offers) && !r.no && p.yes >= 0:
		return m.taking(p.yes)
	case silent && (r.no || r.wrong) && !r.yes && p.no >= 0:
		return m.taking(p.no)
	}
	return "", 0, ""
}

// contradicts reports whether the reading takes back what it says.
func (r *reading) contradicts() bool {
	offers := 0
	for _, said := range []bool{len(r.chosen) > 0, r.others > 0, r.none} {
		if said {
			offers++
		}
	}
	return r.or || r.others > 1 || len(r.chosen) > 0 && offers > 1 || r.none && (r.both || r.all) ||
		(r.others > 0 || r.wrong) && (r.both || r.all) ||
		slices.ContainsFunc(r.chosen, func(i int) bool { return slices.Contains(r.denied, i) })
}

// remaining is the side that is left of two when one is ruled out; -1 of more.
func (m *matter) remaining(side int) int {
	if len(m.sides) != 2 {
		return -1
	}
	return 1 - side
}

// taking is the decision for one side.
func (m *matter) taking(side int) (memory.Decision, int, string) {
	if side == 0 {
		return memory.DecisionKeep, 0, ""
	}
	return memory.DecisionReplace, side, ""
}
