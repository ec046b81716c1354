package temporal

import "time"

// The meanings that the tables of the languages share.

type meaning = func(c context, m match) (value, bool)

// found is a value that always has a meaning.
func found(v value) (value, bool) { return v, true }

func spanValue(s Span, ok bool) (value, bool) { return datedValue(s), ok }

// constant is a rule that means the same whatever it matched.
func constant(v value) meaning { return func(context, match) (value, bool) { return v, true } }

// dayFrom is the day n from today, n being the first token's.
func dayFrom(c context, m match) (value, bool) { return found(datedValue(whole(Day, c.today, m.n(0)))) }

// partOf is a part of the day n from today.
func partOf(c context, day int, p part) (value, bool) {
	v := datedValue(hours(addDays(c.today, day), p.from, p.to, Part))
	v.part = &p
	return v, true
}

// weekdayValue is a day of the week counted from Monday, 0.
func weekdayValue(n int) value {
	v := float(Week, Day, func(week time.Time) (Span, bool) { return days(addDays(week, n), 1, Day), true })
	v.weekday = true
	return v
}

func weekdayOf(_ context, m match) (value, bool) { return found(weekdayValue(m.n(0))) }

var weekendValue = float(Week, Weekend, func(week time.Time) (Span, bool) {
	return days(addDays(week, 5), 2, Weekend), true
})

func monthValue(n int) value {
	return float(Year, Month, func(year time.Time) (Span, bool) { return months(year, n, 1, Month), n >= 1 && n <= 12 })
}

func seasonValue(n int) value {
	return float(Year, Season, func(year time.Time) (Span, bool) { return months(year, 3+3*n, 3, Season), true })
}

func quarterValue(n int) value {
	return float(Year, Quarter, func(year time.Time) (Span, bool) { return months(year, 3*n-2, 3, Quarter), true })
}

func halfYearValue(n int) value {
	return float(Year, Season, func(year time.Time) (Span, bool) { return months(year, 6*n-5, 6, Season), true })
}

func holidayValue(h holiday) value { return float(Year, Day, h.in) }

// dayOfMonth is the n-th; ok is false for a number that is no day.
func dayOfMonth(n int) (value, bool) {
	return float(Month, Day, func(month time.Time) (Span, bool) {
		return days(addDays(month, n-1), 1, Day), n <= daysIn(month.Year(), month.Month())
	}), n >= 1 && n <= 31
}

// monthDays is from one day of a month to another of the same month.
func monthDays(month, from, to int) (value, bool) {
	if month < 1 || month > 12 || from < 1 || to < from || to > daysIn(2000, time.Month(month)) {
		return value{}, false
	}
	return float(Year, Day, func(year time.Time) (Span, bool) {
		first := date(year.Year(), time.Month(month), from, year.Location())
		return days(first, to-from+1, Day), to <= daysIn(year.Year(), time.Month(month))
	}), true
}

func monthAndDay(month, day int) (value, bool) { return monthDays(month, day, day) }

// yearValue is a year that people write in four digits.
func yearValue(c context, n int) (value, bool) {
	first := date(n, time.January, 1, c.today.Location())
	return datedValue(whole(Year, first, 0)), n >= 1900 && n <= 2199
}

// nthWeekdayOf is the n-th such day of the week (from Monday, 0) in a month.
func nthWeekdayOf(n, weekday int) (value, bool) {
	w := time.Weekday((weekday + 1) % 7)
	return float(Month, Day, func(month time.Time) (Span, bool) {
		return nthWeekday(month.Year(), month.Month(), w, n, month.Location())
	}), n <= 5
}

// edgeOf is a stretch of the first value.
func edgeOf(e edge, v value) (value, bool) {
	gran, ok := map[Granularity]Granularity{Day: Part, Week: Day, Month: Week, Year: Month}[v.gran]
	if !ok {
		return value{}, false
	}
	return v.then(gran, e.of)
}

// clockAt is a clock time by its hour and minute as written.
func clockAt(hour, minute int, fine bool) (value, bool) {
	c := clock{hour: hour, minute: minute, exact: hour > 12 || hour == 0, fine: fine}
	return clockValue(c), hour <= 24 && minute < 60
}

// shiftBy is what lies the first value, a length, before or after now.
func shiftBy(sign int) meaning {
	return func(c context, m match) (value, bool) { return spanValue(c.shifted(m.values[0].amount, sign)) }
}

// rollingBy is from today to as far as the length reaches.
func rollingBy(sign int) meaning {
	return func(c context, m match) (value, bool) { return spanValue(c.rolling(m.values[0].amount, sign)) }
}

// fromDate is the day that lies the length after or before the second value.
func fromDate(sign int) meaning {
	return func(c context, m match) (value, bool) {
		s, ok := c.resolve(m.values[1])
		a, fine := m.values[0].amount.finer()
		if !ok || !fine || a.low != a.high || a.unit == Minute || a.unit == Hour {
			return value{}, false
		}
		c.today = startOfDay(s.Start)
		return spanValue(c.dayAt(a.unit, sign*a.low), true)
	}
}

// amountOf makes a length the value of an amount rule.
func amountOf(a amount) (value, bool) {
	_, ok := a.finer()
	return value{kind: duration, amount: a}, ok
}

// lengthOf is a length as a mention; "a week" is none by itself.
func lengthOf(_ context, m match) (value, bool) {
	v := m.values[0]
	return v, !v.amount.bare
}

var (
	recurrence = constant(value{kind: recurring})
	noDate     = constant(value{kind: nothing})
)

// holidayRules turns a table of patterns into rules.
func holidayRules(table []struct {
	pattern string
	holiday holiday
}) []rule {
	var rules []rule
	for _, e := range table {
		rules = append(rules, rule{e.pattern, constant(holidayValue(e.holiday))})
	}
	return rules
}
