package temporal

import "time"

// reading is one value at a place in the text, up to the token before end.
type reading struct {
	value value
	end   int
}

// parser reads phrases out of the tokens of one text. Readings are kept per token, so that
// nested patterns stay linear.
type parser struct {
	tokens  []token
	context context
	atoms   map[int][]reading
	amounts map[int][]reading
	nesting int
}

// maxNesting bounds values within values ("the day after the day before …").
const maxNesting = 8

func newParser(tokens []token, ref time.Time, d Direction) *parser {
	return &parser{
		tokens:  tokens,
		context: context{ref: ref, today: startOfDay(ref), direction: d},
		atoms:   map[int][]reading{},
		amounts: map[int][]reading{},
	}
}

// at returns the readings of an index at token i, longest first.
func (p *parser) at(x *ruleIndex, memo map[int][]reading, i int) []reading {
	if i >= len(p.tokens) {
		return nil
	}
	if known, ok := memo[i]; ok {
		return known
	}
	t := p.tokens[i]
	byID, byClass := x.byID[t.id], x.byClass[t.class]
	if t.id == 0 {
		byID = nil
	}
	if t.class == "" {
		byClass = nil
	}
	if len(byID)+len(byClass) == 0 {
		return nil
	}
	var found []reading
	for _, list := range [2][]int{byID, byClass} {
		for _, r := range list {
			found = p.try(x.rules[r], i, found)
		}
	}
	memo[i] = found
	return found
}

// try adds the reading of a rule at i, keeping the longest first and, among equals, the
// earlier rule.
func (p *parser) try(r compiled, i int, found []reading) []reading {
	var m match
	end, ok := p.match(r.elements, i, &m)
	if !ok || end == i {
		return found
	}
	v, ok := r.mean(p.context, m)
	if !ok {
		return found
	}
	at := len(found)
	for at > 0 && found[at-1].end < end {
		at--
	}
	found = append(found, reading{})
	copy(found[at+1:], found[at:])
	found[at] = reading{v, end}
	return found
}

// match matches the elements from token i and collects classes and values.
func (p *parser) match(elements []element, i int, m *match) (int, bool) {
	if len(elements) == 0 {
		return i, true
	}
	e := elements[0]
	saved := *m
	if next, ok := p.matchOne(e, i, m); ok {
		if end, ok := p.match(elements[1:], next, m); ok {
			return end, true
		}
	}
	*m = saved
	if e.optional {
		return p.match(elements[1:], i, m)
	}
	return 0, false
}

func (p *parser) matchOne(e element, i int, m *match) (int, bool) {
	if i >= len(p.tokens) {
		return 0, false
	}
	t := p.tokens[i]
	for _, s := range e.alternatives {
		switch {
		case s.id != 0 && s.id == t.id:
			return i + 1, true
		case s.class != "" && s.class == t.class:
			m.tokens = append(m.tokens, t)
			return i + 1, true
		case s.value != "":
			if r, ok := p.nested(s.value, i); ok {
				m.values = append(m.values, r.value)
				return r.end, true
			}
		}
	}
	return 0, false
}

// nested is the longest reading of a sort of value at i.
func (p *parser) nested(sort string, i int) (reading, bool) {
	if sort == "<amount>" {
		if all := p.at(amountRules, p.amounts, i); len(all) > 0 {
			return all[0], true
		}
		return reading{}, false
	}
	if p.nesting == maxNesting {
		return reading{}, false
	}
	p.nesting++
	defer func() { p.nesting-- }()
	for _, r := range p.at(atomRules, p.atoms, i) {
		if r.value.kind == floating || sort == "<date>" && r.value.kind == dated {
			return r, true
		}
	}
	return reading{}, false
}
