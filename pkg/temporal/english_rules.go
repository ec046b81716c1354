package temporal

// englishDays are days near today, weekdays and parts of the day.
var englishDays = []rule{
	{"DAYWORD", dayFrom},
	{"tonight", func(c context, _ match) (value, bool) { return partOf(c, 0, englishParts[3]) }},
	{"last night", func(c context, _ match) (value, bool) { return partOf(c, -1, englishParts[3]) }},
	{"this PART", func(c context, m match) (value, bool) { return partOf(c, 0, englishParts[m.n(0)]) }},
	{"in? the? PART", englishPart},
	{"the? day after tomorrow", func(c context, _ match) (value, bool) { return spanValue(whole(Day, c.today, 2), true) }},
	{"the? day before yesterday", func(c context, _ match) (value, bool) { return spanValue(whole(Day, c.today, -2), true) }},
	{"the? day after <date>", func(c context, m match) (value, bool) {
		s, ok := c.resolve(m.values[0])
		return spanValue(whole(Day, s.End.Add(-1), 1), ok)
	}},
	{"the? day before <date>", func(c context, m match) (value, bool) {
		s, ok := c.resolve(m.values[0])
		return spanValue(whole(Day, s.Start, -1), ok)
	}},
	{"WEEKDAY", weekdayOf},
	{"WDSHORT", func(_ context, m match) (value, bool) { return found(weekdayValue(m.n(0)).needs(onWord)) }},
	{"on VERBDAY", weekdayOf},
	{"next VERBDAY", func(c context, m match) (value, bool) { return englishRelative(c, relNext, weekdayValue(m.n(0))) }},
	{"last VERBDAY", func(c context, m match) (value, bool) { return englishRelative(c, relLast, weekdayValue(m.n(0))) }},
	{"the|this? REL <float>", func(c context, m match) (value, bool) { return englishRelative(c, m.n(0), m.values[0]) }},
	{"the? WEEKDAY after next", func(c context, m match) (value, bool) {
		return spanValue(weekdayValue(m.n(0)).at(cycleStart(Week, c.today, 2)))
	}},
	{"the? weekend after next", func(c context, _ match) (value, bool) {
		return spanValue(weekendValue.at(cycleStart(Week, c.today, 2)))
	}},
	{"the weekend", constant(weekendValue)},
	{"weekend", constant(weekendValue.needs(onWord))},
	{"the? ORDW|ORD WEEKDAY", func(_ context, m match) (value, bool) {
		v, ok := nthWeekdayOf(m.n(0), m.n(1))
		return v.needs(joined), ok
	}},
	{"the? last WEEKDAY of|in <date>", lastWeekdayOf},
}

func englishPart(_ context, m match) (value, bool) { return found(partValue(englishParts[m.n(0)])) }

// lastWeekdayOf is "the last Friday of June".
func lastWeekdayOf(_ context, m match) (value, bool) {
	month := m.values[0]
	last, _ := nthWeekdayOf(0, m.n(0))
	if month.gran != Month {
		return value{}, false
	}
	return fit(month, last)
}

// englishRelative is this, next, last … with a day, month, season or holiday.
func englishRelative(c context, rel int, v value) (value, bool) {
	tomorrow := addDays(c.today, 1)
	switch {
	case v.cycle == Day:
		return value{}, false
	case rel == relThis:
		s, ok := c.current(v, 0)
		if ok && v.cycle == Week && c.direction == Future && !s.End.After(c.today) {
			return spanValue(c.current(v, 1))
		}
		return spanValue(s, ok)
	case rel == relLast || rel == relPast:
		return spanValue(c.last(v, func(s Span) bool { return !s.End.After(c.today) }))
	case rel == relNext && v.cycle != Month:
		return spanValue(c.current(v, 1))
	}
	return spanValue(c.first(v, c.today, func(s Span) bool { return !s.Start.Before(tomorrow) }))
}

// englishClock are times of the day in words; those in digits are in figures.go.
var englishClock = []rule{
	{"noon|midday", constant(clockValue(clock{hour: 12, exact: true}).needs(atWord))},
	{"midnight", constant(clockValue(clock{hour: 24, exact: true}).needs(atWord))},
	{"at DIG|WNUM", func(_ context, m match) (value, bool) {
		v, ok := clockAt(m.n(0), 0, false)
		return v.needs(joined), ok
	}},
	{"at? DIG|WNUM in the PART", hourInPart},
	{"at? DIG|WNUM at PART", hourInPart},
	{"at? DIG|WNUM o'clock", func(_ context, m match) (value, bool) { return clockAt(m.n(0), 0, false) }},
	{"at? half past DIG|WNUM", func(_ context, m match) (value, bool) { return clockAt(m.n(0), 30, true) }},
	{"at? a? quarter past DIG|WNUM", func(_ context, m match) (value, bool) { return clockAt(m.n(0), 15, true) }},
	{"at? a? quarter to DIG|WNUM", func(_ context, m match) (value, bool) { return clockAt((m.n(0)+11)%12, 45, true) }},
	{"DIG|WNUM to TIME", hourRange},
}

// hourInPart is "3 in the afternoon".
func hourInPart(_ context, m match) (value, bool) {
	v, ok := clockAt(m.n(0), 0, false)
	if !ok || m.n(0) > 12 {
		return value{}, false
	}
	return joinClock(partValue(englishParts[m.n(1)]), *v.clock)
}

// englishMonths are months, days of the month, years and seasons.
var englishMonths = []rule{
	{"MONTH", func(_ context, m match) (value, bool) { return found(monthValue(m.n(0)).needs(inWord)) }},
	{"in|since|by|until|till|during|from VERBMONTH", func(_ context, m match) (value, bool) {
		return found(monthValue(m.n(0)))
	}},
	{"MONTH the? DIG|ORD|ORDW", func(_ context, m match) (value, bool) { return monthAndDay(m.n(0), m.n(1)) }},
	{"VERBMONTH ORD", func(_ context, m match) (value, bool) { return monthAndDay(m.n(0), m.n(1)) }},
	{"on|by|since|until|till|from|before|after VERBMONTH DIG", func(_ context, m match) (value, bool) {
		return monthAndDay(m.n(0), m.n(1))
	}},
	{"VERBMONTH DIG|ORD ,? DIG", func(c context, m match) (value, bool) {
		day, okDay := monthAndDay(m.n(0), m.n(1))
		year, okYear := yearValue(c, m.n(2))
		if !okDay || !okYear {
			return value{}, false
		}
		return fit(year, day)
	}},
	{"the? DIG|ORD of? MONTH", func(_ context, m match) (value, bool) { return monthAndDay(m.n(1), m.n(0)) }},
	{"the? ORD of? VERBMONTH", func(_ context, m match) (value, bool) { return monthAndDay(m.n(1), m.n(0)) }},
	{"the? ORDW of MONTH|VERBMONTH", func(_ context, m match) (value, bool) { return monthAndDay(m.n(1), m.n(0)) }},
	{"MONTH DIG|ORD to|-|~|through|until DIG|ORD", func(_ context, m match) (value, bool) {
		return monthDays(m.n(0), m.n(1), m.n(2))
	}},
	{"between MONTH DIG|ORD and DIG|ORD", func(_ context, m match) (value, bool) {
		return monthDays(m.n(0), m.n(1), m.n(2))
	}},
	{"the? DIG|ORD to|-|~|through|until DIG|ORD of? MONTH", func(_ context, m match) (value, bool) {
		return monthDays(m.n(2), m.n(0), m.n(1))
	}},
	{"the ORD", func(_ context, m match) (value, bool) { return dayOfMonth(m.n(0)) }},
	{"ORD", looseDay},
	{"the ORDW", looseDay},
	{"the? year DIG", func(c context, m match) (value, bool) { return yearValue(c, m.n(0)) }},
	{"the? SEASON", func(_ context, m match) (value, bool) { return found(seasonValue(m.n(0)).needs(inWord)) }},
	{"QUARTER", func(_ context, m match) (value, bool) { return found(quarterValue(m.n(0)).needs(inWord)) }},
	{"back in <date>", func(_ context, m match) (value, bool) { return found(m.values[0].needs(none)) }},
}

// looseDay is a day of the month that needs a month beside it.
func looseDay(_ context, m match) (value, bool) {
	v, ok := dayOfMonth(m.n(0))
	return v.needs(joined), ok
}

// englishPeriods are weeks, months and years near now, and their beginnings and ends.
var englishPeriods = []rule{
	{"the|this? REL UNIT", englishPeriod},
	{"the? UNIT after next", func(c context, m match) (value, bool) { return englishWhole(c, units[m.n(0)], 2) }},
	{"the? UNIT before last", func(c context, m match) (value, bool) { return englishWhole(c, units[m.n(0)], -2) }},
	{"the? week of <date>", func(c context, m match) (value, bool) {
		s, ok := c.resolve(m.values[0])
		return spanValue(whole(Week, s.Start, 0), ok)
	}},
	{"SIDE -? <date>", func(_ context, m match) (value, bool) {
		if m.values[0].gran == Day {
			return value{}, false
		}
		return edgeOf(edge(m.n(0)), m.values[0])
	}},
	{"SIDE -? VERBMONTH", func(_ context, m match) (value, bool) { return edgeOf(edge(m.n(0)), monthValue(m.n(1))) }},
	{"the? EDGE of <date>", func(_ context, m match) (value, bool) { return edgeOf(edge(m.n(0)), m.values[0]) }},
	{"the? EDGE of VERBMONTH", func(_ context, m match) (value, bool) { return edgeOf(edge(m.n(0)), monthValue(m.n(1))) }},
	{"the? EDGE of the? UNIT", func(c context, m match) (value, bool) {
		return edgeOf(edge(m.n(0)), datedValue(whole(units[m.n(1)], c.today, 0)))
	}},
	{"the? month - end", func(c context, _ match) (value, bool) { return edgeOf(ending, datedValue(whole(Month, c.today, 0))) }},
	{"the? year - end", func(c context, _ match) (value, bool) { return edgeOf(ending, datedValue(whole(Year, c.today, 0))) }},
}

// englishWhole is a whole week, month, quarter or year near this one.
func englishWhole(c context, g Granularity, n int) (value, bool) {
	if g == Minute || g == Hour || g == Day {
		return value{}, false
	}
	return spanValue(whole(g, c.today, n), true)
}

func englishPeriod(c context, m match) (value, bool) {
	unit := units[m.n(1)]
	switch m.n(0) {
	case relNext:
		return englishWhole(c, unit, 1)
	case relLast:
		return englishWhole(c, unit, -1)
	case relThis:
		return englishWhole(c, unit, 0)
	}
	if unit == Minute || unit == Hour || unit == Day {
		return value{}, false
	}
	return spanValue(c.rolling(exactly(1, unit), englishSign(m.n(0))))
}

// englishSign is where a direction points: back, ahead, or 0 for "this".
func englishSign(rel int) int {
	switch rel {
	case relNext, relComing:
		return 1
	case relLast, relPast:
		return -1
	}
	return 0
}

// englishLengths are lengths, what lies a length away, and what recurs.
var englishLengths = []rule{
	{"in <amount> 's? time?", shiftBy(1)},
	{"<amount> from now", shiftBy(1)},
	{"<amount> ago", shiftBy(-1)},
	{"<amount> ago today", func(c context, m match) (value, bool) {
		a := m.values[0].amount
		return spanValue(c.dayAt(a.unit, -a.high), a.unit != Minute && a.unit != Hour && !a.half)
	}},
	{"<amount> from|after <date>", fromDate(1)},
	{"<amount> before <date>", fromDate(-1)},
	{"within <amount>", rollingBy(1)},
	{"the|this? REL <amount>", func(c context, m match) (value, bool) {
		sign := englishSign(m.n(0))
		s, ok := c.rolling(m.values[0].amount, sign)
		return datedValue(s), ok && sign != 0
	}},
	{"<amount>", lengthOf},
	{"for <amount>", func(_ context, m match) (value, bool) { return found(m.values[0]) }},
	{"<amount> later|earlier|old", noDate},
	{"every|each other? UNIT|PART|WDSHORT|VERBDAY|WEEKDAY|weekday|weekend", recurrence},
	{"every|each other? <float>", recurrence},
	{"every <amount>", recurrence},
	{"WEEKDAYS", recurrence},
	{"once|twice a|per|every UNIT", recurrence},
	{"DIG|WNUM times a|per|every UNIT", recurrence},
	{"at night", func(context, match) (value, bool) { return found(partValue(englishParts[3])) }},
}

var englishHolidays = []struct {
	pattern string
	holiday holiday
}{
	{"christmas", christmas}, {"christmas day", christmas}, {"xmas", christmas}, {"christmas eve", christmasEve},
	{"boxing day", boxingDay}, {"new year 's day?", newYearsDay}, {"new years day", newYearsDay},
	{"new year 's eve", newYearsEve}, {"new years eve", newYearsEve}, {"nye", newYearsEve},
	{"valentine 's day", valentines}, {"valentines day", valentines}, {"halloween", halloween},
	{"thanksgiving day?", thanksgiving}, {"independence day", independenceDay},
	{"mother 's day", mothersDay}, {"father 's day", fathersDay},
	{"chinese|lunar new year 's? day?", springFestival}, {"chinese|lunar new year 's eve", springFestivalEve},
	{"spring festival", springFestival}, {"lantern festival", lanternFestival},
	{"dragon boat festival", dragonBoat}, {"mid - autumn festival", midAutumn}, {"mid autumn festival", midAutumn},
}
