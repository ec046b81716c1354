package chinese

import (
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
)

// since dates a change by the past date in its clause.
func (r *reader) since(c *clause, f found) found {
	if f.Key == "" || f.Relation != memory.RelationUpdates || !c.dated || !f.ValidFrom.IsZero() {
		return f
	}
	if at := r.dates.in(c.from, c.to, temporal.Past); len(at) > 0 && at[0].Start.Before(r.message.At) {
		f.ValidFrom = at[0].Start
	}
	return f
}

// match runs the tables over the clause: the first rule that finds something decides,
// but for the people it names, who are found beside anything else.
func (r *reader) match(c *clause, others bool) []found {
	var out []found
	for _, read := range []func(*clause, *reader) []found{rescheduled, cancelled} {
		if out = read(c, r); len(out) > 0 {
			return out
		}
	}
	for _, table := range [][]rule{endingRules, birthdayRules} {
		if out = r.first(table, c, others); len(out) > 0 {
			return out
		}
	}
	if !others {
		for _, read := range []func(*clause, *reader) []found{plans, happened} {
			if out = read(c, r); len(out) > 0 {
				break
			}
		}
	} else if c.other {
		out = plans(c, r)
	}
	if len(out) == 0 || out[0].rule == "happened" && c.says(movedHome) {
		for _, table := range tables {
			if keyed := r.first(table, c, others); len(keyed) > 0 {
				out = keyed
				break
			}
		}
	}
	return append(out, r.people(c, others, out)...)
}

// movedHome are events that are better known by the key that they change.
var movedHome = compile(`搬|移居|移民|迁|入职|跳槽|升|养|怀孕|得了|确诊|改名|驾照|开(?:了)?.{0,6}(?:店|公司|工作室)|创业|交了|定居`)

// tables are the topics in the order in which they are tried.
var tables = [][]rule{
	allergyRules, nameRules, petRules, homeRules, hometownRules, commuteRules,
	dietRules, healthRules, dislikeRules, likeRules, abilityRules, hobbyRules, workRules, freeRules,
}

// people finds the partner and the relatives that the clause names.
func (r *reader) people(c *clause, others bool, out []found) []found {
	for _, f := range out {
		if f.Key == partner || f.Key == family || (f.About == partner || f.About == family) && f.Relation == memory.RelationEnds {
			return nil
		}
	}
	var named []found
	for i := range peopleRules {
		if f := r.apply(&peopleRules[i], c, others); len(f) > 0 {
			for j := range f {
				if f[j].Key == partner && r.wed {
					f[j].Relation = memory.RelationUpdates
				}
			}
			named = append(named, f...)
			r.others = r.others || i > 0 && c.other
			break
		}
	}
	return named
}

// first is what the first rule of the table finds that finds anything.
func (r *reader) first(table []rule, c *clause, others bool) []found {
	for i := range table {
		if out := r.apply(&table[i], c, others); len(out) > 0 {
			return out
		}
	}
	return nil
}

// apply runs one rule. Rules about the user pass over clauses about others.
func (r *reader) apply(rule *rule, c *clause, others bool) []found {
	base := c.body
	if rule.scope == anyone {
		base = c.start
	} else if others || c.other {
		return nil
	}
	if !rule.pattern.possible(&c.runes) {
		return nil
	}
	loc := rule.pattern.FindStringSubmatchIndex(c.folded[base:c.to])
	if loc == nil {
		return nil
	}
	out := rule.build(match{clause: c, pattern: rule.pattern, base: base, loc: loc, at: r.message.At, dates: r.dates})
	for i := range out {
		out[i].rule = rule.name
	}
	return out
}
