package temporal

// maxValues bounds how many neighbouring values one phrase joins: year, month, day, weekday,
// part, clock and one to spare.
const maxValues = 7

// phrase is a value with the span it resolves to; span is zero for recurrences and lengths.
type phrase struct {
	reading
	span Span
}

// phrase reads the longest phrase at token i.
func (p *parser) phrase(i int) (phrase, bool) {
	best, found := p.body(i, i, none, false)
	t := p.tokens[i]
	if s, ok := connects.prepositions[t.id]; ok && t.id != 0 {
		ph, ok := p.body(i, i+1, s, connects.anyWeak[t.id])
		if ok && ph.value.kind != duration && (!found || ph.end > best.end) {
			best, found = ph, true
		}
	}
	if !found || best.value.kind == duration {
		return best, found
	}
	back := p.word(connects.backwards, i) || p.word(connects.backwards, best.end)
	if p.word(connects.postpositions, best.end) {
		best.end++
	}
	if back && best.value.kind == floating {
		c := p.context
		c.direction = Past
		best.span, found = c.resolve(best.value)
	}
	return best, found
}

// body reads a phrase from token i whose preposition, if any, stands at start.
func (p *parser) body(start, i int, s support, any bool) (phrase, bool) {
	values, ends := p.row(i)
	for n := len(values); n > 0; n-- {
		v, ok := reduce(values[:n])
		if !ok {
			continue
		}
		r := reading{v, ends[n-1]}
		if v.kind == recurring || v.kind == duration || v.kind == nothing {
			return phrase{reading: p.recurringRange(r)}, true
		}
		if ph, ok := p.rangeFrom(start, r, v.weak == s || any); ok {
			return ph, true
		}
		if !v.standsWith(s, any) {
			continue
		}
		span, ok := p.context.resolve(v)
		if !ok { // a date that does not exist: its pieces are no dates either
			r.value.kind = nothing
		}
		return phrase{r, span}, true
	}
	return phrase{}, false
}

// row collects the values that follow one another from token i, glue between them skipped.
func (p *parser) row(i int) (values []value, ends []int) {
	for len(values) < maxValues {
		r, ok := p.value(i)
		for skip := 1; !ok && len(values) > 0 && skip <= 3 && p.glue(i+skip-1); skip++ {
			r, ok = p.value(i + skip)
		}
		if !ok {
			break
		}
		if k := r.value.kind; len(values) > 0 && (k == duration || k == nothing || rivals(values, r.value)) {
			break
		}
		values, ends = append(values, r.value), append(ends, r.end)
		if k := r.value.kind; k == duration || k == nothing {
			break
		}
		i = r.end
	}
	return values, ends
}

// rivals reports whether a value can only begin another phrase: it is of the same sort as one
// that is there already.
func rivals(values []value, v value) bool {
	for _, w := range values {
		if v.kind == w.kind && v.cycle == w.cycle && (v.kind == dated || v.gran == w.gran) {
			return true
		}
	}
	return false
}

// value is the longest reading of any rule at i.
func (p *parser) value(i int) (reading, bool) {
	for _, r := range p.at(atomRules, p.atoms, i) {
		if !p.counts(r) {
			return r, true
		}
	}
	return reading{}, false
}

// counts reports whether a reading that ends in an ordinal ("the 15th") numbers the noun
// behind it instead of a day ("the 15th floor").
func (p *parser) counts(r reading) bool {
	last := p.tokens[r.end-1]
	if last.class != ordinal || r.value.cycle != Month || r.end >= len(p.tokens) {
		return false
	}
	next := p.tokens[r.end]
	return next.latin && !connects.plain[next.id]
}

func (p *parser) glue(i int) bool { return i < len(p.tokens) && connects.glue[p.tokens[i].id] }

func (p *parser) word(set map[int]bool, i int) bool {
	return i >= 0 && i < len(p.tokens) && p.tokens[i].id != 0 && set[p.tokens[i].id]
}

// rangeFrom reads the second end of a range behind its first one: "to June 7", 到周五. Two
// values too weak to stand alone make one only after "from" or "between", as two months, or
// where the preposition supports the first.
func (p *parser) rangeFrom(start int, first reading, supported bool) (phrase, bool) {
	between := p.word(connects.between, start)
	if !p.word(connects.to, first.end) && !(between && p.word(connects.and, first.end)) {
		return phrase{}, false
	}
	open := between || p.word(connects.from, start)
	values, ends := p.row(first.end + 1)
	for n := len(values); n > 0; n-- {
		v, ok := reduce(values[:n])
		same := supported && first.value.gran == v.gran && v.weak == first.value.weak
		if !ok || !open && !same && !alike(first.value, v) {
			continue
		}
		if span, ok := p.span(first.value, v); ok {
			return phrase{reading{datedValue(span), ends[n-1]}, span}, true
		}
	}
	return phrase{}, false
}

// alike reports whether two values are ends of a range without a word that says so.
func alike(a, b value) bool {
	weak := func(v value) bool { return v.weak != none && v.gran != Month }
	fine := func(g Granularity) bool { return g == Minute || g == Hour }
	if a.clock != nil && fine(b.gran) {
		return true
	}
	if weak(a) || weak(b) && b.clock == nil {
		return false
	}
	return a.gran == b.gran || fine(a.gran) && fine(b.gran)
}

// span is the range from one value to another. A floating end is the first one after the
// start; a floating start before a dated end is the latest before it.
func (p *parser) span(a, b value) (Span, bool) {
	c := p.context
	switch {
	case b.kind == dated && a.kind == floating && a.cycle == Year:
		c.today, c.direction = b.span.Start, Past
	case a.kind == floating && a.cycle == Day && (b.kind == dated || b.cycle != Day):
		if to, ok := c.resolve(b); ok {
			c.today = startOfDay(to.Start)
		}
	}
	from, ok := c.resolve(a)
	if !ok {
		return Span{}, false
	}
	if b.clock != nil {
		b = clockValue(b.clock.following(from))
	}
	c = p.context
	c.after = from.Start
	to, ok := c.resolve(b)
	s := Span{from.Start, to.End, from.Granularity}
	if b.gran == Hour || b.gran == Minute {
		s.End = to.Start
	}
	return s, ok && s.valid()
}

// following is the clock time as one after the start of a span: "from 3pm to 5".
func (c clock) following(s Span) clock {
	if c.exact || c.hour > 12 {
		return c
	}
	start := 60*s.Start.Hour() + s.Start.Minute()
	if at := 60*c.hour + c.minute; at <= start && at+12*60 > start {
		c.hour += 12
	}
	c.exact = true
	return c
}

// recurringRange takes in the second end of "every Monday to Friday".
func (p *parser) recurringRange(r reading) reading {
	if r.value.kind != recurring || !p.word(connects.to, r.end) {
		return r
	}
	if next, ok := p.value(r.end + 1); ok && next.value.kind == floating {
		r.end = next.end
	}
	return r
}

// mention is the phrase from token i as the caller sees it; ok is false for what is only to be
// passed over.
func (p *parser) mention(i int, ph phrase) (Mention, bool) {
	m := Mention{From: p.tokens[i].from, To: p.tokens[ph.end-1].to}
	switch ph.value.kind {
	case nothing:
		return Mention{}, false
	case recurring:
		m.Recurring = true
	case duration:
		m.Duration = true
	default:
		m.Span = ph.span
	}
	return m, true
}
