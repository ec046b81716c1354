package temporal

import "time"

// figures are the dates and times that are written in digits in any language.
var figures = language{
	atoms: []rule{
		{"YMD", func(c context, m match) (value, bool) { return spanValue(ymdDay(c, m.n(0)), true) }},
		{"MD", func(_ context, m match) (value, bool) {
			v, ok := monthAndDay(m.n(0)/100, m.n(0)%100)
			return v.needs(onWord), ok
		}},
		{"DATETIME", func(c context, m match) (value, bool) {
			return spanValue(m.tokens[0].clock.on(ymdDay(c, m.n(0)).Start), true)
		}},
		{"INSTANT", func(c context, m match) (value, bool) {
			at := m.tokens[0].at.In(c.today.Location())
			return spanValue(Span{at, at.Add(time.Hour), Minute}, true)
		}},
		{"TIME", clockToken(none)},
		{"CLOCK", clockToken(atWord)},
		{"DIG -|~ TIME", hourRange},
		{"DIG", func(c context, m match) (value, bool) {
			v, ok := yearValue(c, m.n(0))
			return v.needs(inWord), ok
		}},
	},
}

func ymdDay(c context, n int) Span {
	return days(date(n/10000, time.Month(n/100%100), n%100, c.today.Location()), 1, Day)
}

func clockToken(s support) meaning {
	return func(_ context, m match) (value, bool) { return found(clockValue(m.tokens[0].clock).needs(s)) }
}

// hourRange is "3-5pm": the first hour is the latest such one before the second.
func hourRange(_ context, m match) (value, bool) {
	from, to := m.n(0), m.tokens[1].clock
	if from < 1 || from > 12 {
		return value{}, false
	}
	if to.hour >= 12 && from%12+12 < to.hour {
		from = from%12 + 12
	}
	return float(Day, Hour, func(day time.Time) (Span, bool) {
		s := clock{hour: from, exact: true}.on(day)
		s.End = to.on(day).Start
		return s, s.valid()
	}), true
}
