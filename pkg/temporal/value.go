package temporal

import "time"

// kind is what a value is.
type kind int

const (
	dated     kind = iota + 1 // a span: "tomorrow"
	floating                  // a span in each cycle: "Friday", 12月, 3pm
	recurring                 // 每周三
	duration                  // 三天
	nothing                   // looks like a date and is none: 第三天
)

// support is what a value that is too weak to stand alone needs before it. Joining it to
// another value always supports it.
type support int

const (
	none   support = iota
	inWord         // "in June", "since 2019"
	onWord         // "on Sat", "on 12/05"
	atWord         // "at 15:00"
	joined         // 三点, "morning": nothing but a neighbour
)

// clock is a time of day. Hours from 24 belong to the next day.
type clock struct {
	hour, minute int
	exact        bool // am, pm or the 24-hour clock
	fine         bool // minutes were given
}

// part is a part of the day, from one hour to another.
type part struct {
	from, to int
	half     half
}

// half says how a part of the day reads a bare hour.
type half int

const (
	forenoon half = iota
	midday
	afternoon
	night
)

// value is what a phrase means before it is resolved.
type value struct {
	kind kind
	// span is that of a dated value.
	span Span
	// cycle, gran and at are of a floating value: at gives the span of granularity gran
	// within the cycle that begins at its argument.
	cycle Granularity
	gran  Granularity
	at    func(start time.Time) (Span, bool)

	weak    support
	weekday bool   // names a day of the week
	clock   *clock // the value is a time of day
	part    *part  // the value is a part of a day
	amount  amount // of a duration
	depth   int    // of nested floating values
}

// maxDepth bounds how deep floating values nest, and so the cost of resolving one.
const maxDepth = 8

func datedValue(s Span) value { return value{kind: dated, span: s, gran: s.Granularity} }

func float(cycle, gran Granularity, at func(time.Time) (Span, bool)) value {
	return value{kind: floating, cycle: cycle, gran: gran, at: at}
}

func (v value) needs(s support) value {
	v.weak = s
	return v
}

// standsWith reports whether the value is a mention behind a preposition of that support.
func (v value) standsWith(s support, any bool) bool {
	return v.weak == none || v.weak != joined && (any || v.weak == s)
}

func clockValue(c clock) value {
	v := float(Day, Hour, func(day time.Time) (Span, bool) { return c.on(day), true })
	if c.fine {
		v.gran = Minute
	}
	v.clock = &c
	return v
}

// on is the hour that begins at the clock time of a day.
func (c clock) on(day time.Time) Span {
	h := c.hour
	if !c.exact && 1 <= h && h <= 5 {
		h += 12
	}
	y, m, d := day.Date()
	start := time.Date(y, m, d, h, c.minute, 0, 0, day.Location())
	g := Hour
	if c.fine {
		g = Minute
	}
	return Span{start, start.Add(time.Hour), g}
}

// within is the clock time as a part of the day reads it.
func (c clock) within(p part) clock {
	h := c.hour
	switch {
	case h > 12 || c.exact && p.half != night:
	case p.half == forenoon && h == 12 && p.to <= 9:
		h = 0
	case p.half == midday && h <= 4, p.half == afternoon && h < 12:
		h += 12
	case p.half == night && (h < 5 || h == 12 && !c.exact):
		h = (h + 12) % 12
		h += 24
	case p.half == night && h < 12 && !c.exact:
		h += 12
	}
	c.hour, c.exact = h, true
	return c
}

func partValue(p part) value {
	v := float(Day, Part, func(day time.Time) (Span, bool) { return hours(day, p.from, p.to, Part), true })
	v.part = &p
	return v.needs(joined)
}

// then maps the span of a value, dated or floating. A day that does not exist gives a value
// that never resolves.
func (v value) then(gran Granularity, f func(Span) (Span, bool)) (value, bool) {
	switch v.kind {
	case dated:
		mapped := value{kind: dated, gran: gran}
		if v.span.valid() {
			mapped.span, _ = f(v.span)
		}
		return mapped, true
	case floating:
		mapped := float(v.cycle, gran, func(start time.Time) (Span, bool) {
			s, ok := v.at(start)
			if !ok {
				return Span{}, false
			}
			return f(s)
		})
		mapped.depth = v.depth + 1
		return mapped, mapped.depth <= maxDepth
	}
	return value{}, false
}

// join fits two neighbouring values into one, whichever is the longer period.
func join(a, b value) (value, bool) {
	switch {
	case a.kind == recurring && b.kind == floating, a.kind == floating && b.kind == recurring:
		return value{kind: recurring}, true
	case a.clock != nil && b.part != nil:
		return joinClock(b, *a.clock)
	case b.clock != nil && a.part != nil:
		return joinClock(a, *b.clock)
	case a.weekday && b.namesDay():
		return restate(b, a)
	case b.weekday && a.namesDay():
		return restate(a, b)
	}
	if v, ok := fit(a, b); ok {
		return v, true
	}
	return fit(b, a)
}

// fit puts a floating value into the outer one that gives its cycle.
func fit(outer, inner value) (value, bool) {
	if inner.kind != floating || outer.gran != inner.cycle {
		return value{}, false
	}
	v, ok := outer.then(inner.gran, func(s Span) (Span, bool) { return inner.at(s.Start) })
	v.part, v.clock = inner.part, nil
	v.weekday = inner.weekday && outer.cycle == Week
	return v, ok
}

// joinClock puts a clock time into a part of a day.
func joinClock(p value, c clock) (value, bool) {
	c = c.within(*p.part)
	inner := clockValue(c)
	if p.kind == floating && p.cycle == Day {
		return inner, true
	}
	return p.then(inner.gran, func(s Span) (Span, bool) { return c.on(startOfDay(s.Start)), true })
}

// namesDay reports whether the value lies within one day without naming a weekday.
func (v value) namesDay() bool {
	switch v.gran {
	case Day, Part, Hour, Minute:
		return v.kind == dated || v.kind == floating && (v.cycle == Year || v.cycle == Month)
	}
	return false
}

// restate is the day that is also named by its weekday ("Friday, December 5"). A dated day
// must be that weekday.
func restate(day, weekday value) (value, bool) {
	if day.kind == dated && weekday.kind == floating {
		s, ok := weekday.at(cycleStart(Week, day.span.Start, 0))
		if !ok || !s.Start.Equal(startOfDay(day.span.Start)) {
			return value{}, false
		}
	}
	day.weak = none
	return day, true
}

// restated leaves out the weekdays that stand beside the day they fall on.
func restated(values []value) []value {
	rest := append([]value(nil), values...)
	for i := 0; i+1 < len(rest); {
		day, ok := value{}, false
		if a, b := rest[i], rest[i+1]; a.weekday && b.namesDay() {
			day, ok = restate(b, a)
		} else if b.weekday && a.namesDay() {
			day, ok = restate(a, b)
		}
		if !ok {
			i++
			continue
		}
		rest = append(append(rest[:i:i], day), rest[i+2:]...)
	}
	return rest
}

// reduce joins the values of a phrase to one, from the right, so that a clock time meets its
// part of the day first.
func reduce(values []value) (value, bool) {
	rest := restated(values)
	for len(rest) > 1 {
		i := len(rest) - 2
		for ; i >= 0; i-- {
			if v, ok := join(rest[i], rest[i+1]); ok {
				rest = append(append(rest[:i:i], v), rest[i+2:]...)
				break
			}
		}
		if i < 0 {
			return value{}, false
		}
	}
	return rest[0], true
}

// context is what phrases are resolved against.
type context struct {
	ref, today time.Time
	direction  Direction
	// after is the start of the range that the value ends, or zero.
	after time.Time
}

// resolve gives the span of a dated or floating value.
func (c context) resolve(v value) (Span, bool) {
	switch {
	case v.kind == dated:
		return v.span, v.span.valid()
	case v.kind != floating:
		return Span{}, false
	case v.cycle == Day && c.after.IsZero():
		s, ok := v.at(c.today)
		return s, ok && s.valid()
	case !c.after.IsZero():
		return c.first(v, c.after, func(s Span) bool { return !s.Start.Before(c.after) })
	case c.direction == Past:
		return c.last(v, func(s Span) bool { return s.Start.Before(c.today) })
	}
	return c.first(v, c.today, func(s Span) bool { return s.End.After(c.today) })
}

// reach is how many cycles around now are searched: 29 February may be eight years away, the
// 31st two months, and a part of winter began in the year before.
func reach(cycle Granularity) int {
	if cycle == Year {
		return 9
	}
	return 3
}

// first is the first span of a floating value that fits, from a little before an instant on.
func (c context) first(v value, from time.Time, fits func(Span) bool) (Span, bool) {
	for k := -1; k <= reach(v.cycle); k++ {
		if s, ok := v.at(cycleStart(v.cycle, from, k)); ok && s.valid() && fits(s) {
			return s, true
		}
	}
	return Span{}, false
}

// last is the latest span of a floating value that fits, up to the cycle of now.
func (c context) last(v value, fits func(Span) bool) (Span, bool) {
	for k := 1; k >= -reach(v.cycle); k-- {
		if s, ok := v.at(cycleStart(v.cycle, c.today, k)); ok && s.valid() && fits(s) {
			return s, true
		}
	}
	return Span{}, false
}

// current is the span of a floating value in the cycle of now; a winter that began last year
// is current while it lasts.
func (c context) current(v value, shift int) (Span, bool) {
	if s, ok := v.at(cycleStart(v.cycle, c.today, -1)); ok && v.gran == Season && s.End.After(c.today) {
		shift--
	}
	return v.at(cycleStart(v.cycle, c.today, shift))
}
