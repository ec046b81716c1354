package eval

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/memory"
)

// covered is the share of a gold memory that must stand in one memory for it to be found.
const covered = 0.5

// about is the share of a question that must stand in a memory from one of its turns for the
// memory to be about what is asked. It is less than covered: a question says more of what it
// asks for than a statement says of itself.
const about = 1.0 / 3

// comparison compares what is remembered of a person with what should be.
type comparison struct {
	*person
	weights weights
	found   []found
	// given are the words of each found memory.
	given []map[string]bool
	turns map[string]*bench.Turn
}

func compare(p *person, all []found) *comparison {
	c := &comparison{person: p, weights: weigh(p.turns), found: all, turns: map[string]*bench.Turn{}}
	for i := range all {
		c.given = append(c.given, setOf(wordsOf(all[i].text)))
	}
	for i := range p.turns {
		c.turns[p.turns[i].ID] = &p.turns[i]
	}
	return c
}

// addTo adds the person to the report.
func (c *comparison) addTo(r *Report) {
	r.Users++
	for i := range c.gold {
		c.addGold(r, &c.gold[i])
	}
	c.addMemories(r)
	for i := range c.queries {
		c.addUpdate(r, &c.queries[i])
	}
}

func (c *comparison) addGold(r *Report, g *Gold) {
	text := fact(g.Text)
	want := said(text, c.name)
	names := slices.DeleteFunc(namesOf(text), func(n string) bool { return len(said(n, c.name)) == 0 })
	numbers := numbersOf(text)
	var isFound, atSource, exactNumbers, exactNames bool
	for i := range c.found {
		if c.weights.share(want, c.given[i]) < covered {
			continue
		}
		isFound = true
		atSource = atSource || c.found[i].restsOn(g.Source)
		exactNumbers = exactNumbers || hasNumbers(c.found[i].text, numbers)
		exactNames = exactNames || hasNames(c.found[i].text, names)
	}
	inSource := slices.ContainsFunc(g.Source, func(id string) bool {
		t, ok := c.turns[id]
		return ok && c.weights.share(want, setOf(wordsOf(t.Text))) >= covered
	})
	for _, group := range c.groups(g) {
		r.coverage(group).add(isFound, atSource, inSource)
	}
	if isFound && len(numbers) > 0 {
		r.Numbers.add(exactNumbers)
	}
	if isFound && len(names) > 0 {
		r.Names.add(exactNames)
	}
}

// The groups of gold memories, by who says them. One that both say is the user's.
const (
	groupAll       = "all"
	groupUser      = "said by the user"
	groupAssistant = "said by the assistant"
	groupNowhere   = "of no turn"
)

// groups are those that a gold memory counts in.
func (c *comparison) groups(g *Gold) []string {
	speaker := groupNowhere
	for _, id := range g.Source {
		t, ok := c.turns[id]
		switch {
		case ok && c.own(t):
			speaker = groupUser
		case ok && speaker == groupNowhere:
			speaker = groupAssistant
		}
	}
	out := []string{groupAll, speaker}
	if g.Kind != "" {
		out = append(out, g.Kind)
	}
	return out
}

// goldTurns are the turns from which a memory is wanted: the sources of the gold memories, or
// in a set that has none, the turns that hold the answers to its questions.
func (c *comparison) goldTurns(hasGold bool) map[string]bool {
	out := map[string]bool{}
	take := func(ids []string) {
		for _, id := range ids {
			if c.turns[id] != nil {
				out[id] = true
			}
		}
	}
	for i := range c.gold {
		take(c.gold[i].Source)
	}
	if !hasGold {
		for i := range c.queries {
			take(c.queries[i].Gold)
		}
	}
	return out
}

func (c *comparison) addMemories(r *Report) {
	hasGold := r.MemoriesSHA256 != ""
	gold := c.goldTurns(hasGold)
	sessions := c.goldSessions(gold)
	used := map[string]bool{}
	for i := range c.found {
		f := &c.found[i]
		r.Memories.All++
		if f.status == memory.StatusCurrent {
			r.Memories.Current++
		}
		var fromGold, nearGold bool
		for _, id := range f.turns {
			used[id] = true
			fromGold = fromGold || gold[id]
			nearGold = nearGold || c.turns[id] != nil && sessions[c.turns[id].Session]
		}
		switch {
		case fromGold:
			r.Memories.FromGold++
		case hasGold && nearGold:
			r.Memories.False++
		case hasGold:
			r.Memories.False++
			r.Memories.FromNoise++
		}
	}
	for id := range gold {
		r.GoldTurns.add(used[id])
	}
}

// goldSessions are those with something gold in them.
func (c *comparison) goldSessions(turns map[string]bool) map[string]bool {
	out := map[string]bool{}
	for i := range c.gold {
		out[c.gold[i].Session] = true
	}
	for id := range turns {
		out[c.turns[id].Session] = true
	}
	return out
}

// addUpdate says what became of a value that is said to have changed: what is remembered, in
// the end, of the turns with the current and with the replaced one.
func (c *comparison) addUpdate(r *Report, q *bench.Query) {
	if !c.knows(q.New) || !c.knows(q.Old) {
		return
	}
	var newer, rival, older bool
	asked := wordsOf(q.Text)
	for i := range c.found {
		f := &c.found[i]
		if c.weights.share(asked, c.given[i]) < about {
			continue
		}
		current := f.status == memory.StatusCurrent
		switch {
		case f.restsOn(q.New):
			newer = newer || current
			rival = rival || f.status == memory.StatusDisputed
		case f.restsOn(q.Old):
			older = older || current
		}
	}
	u := &r.Updates
	u.All++
	switch {
	case newer && older:
		u.BothActive++
	case newer:
		u.Correct++
	case rival:
		u.Asked++
	default:
		u.Omitted++
		if older {
			u.Stale++
		}
	}
}

// knows reports whether one of the ids names a turn.
func (c *comparison) knows(ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return c.turns[id] != nil })
}
