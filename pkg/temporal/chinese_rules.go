package temporal

import "time"

// chineseDays are days near today, weekdays and parts of the day.
var chineseDays = []rule{
	{"ZDAY", dayFrom},
	{"ZDAYPART", func(c context, m match) (value, bool) { return partOf(c, m.n(0)/10-2, chineseParts[m.n(0)%10]) }},
	{"ZPART", func(_ context, m match) (value, bool) { return found(partValue(chineseParts[m.n(0)])) }},
	{"ZWEEKDAY", weekdayOf},
	{"周末", constant(weekendValue)},
	{"ZREL 个? <float>", func(c context, m match) (value, bool) { return chineseRelative(c, m.n(0), m.values[0]) }},
	{"第 DIG|ZNUM 个 ZWEEKDAY", func(_ context, m match) (value, bool) {
		v, ok := nthWeekdayOf(m.n(0), m.n(1))
		return v.needs(joined), ok && m.n(0) > 0
	}},
}

// chineseRelative is 这, 上 and 下 with a day of the week or month: strictly that of the week
// or month. With what comes once a year, 下个 is the first one ahead, 上个 the last one over.
func chineseRelative(c context, rel int, v value) (value, bool) {
	switch {
	case v.cycle == Week || v.cycle == Month || rel == 0 && v.cycle == Year:
		return spanValue(c.current(v, rel))
	case v.cycle == Year && rel == 1:
		return spanValue(c.first(v, c.today, func(s Span) bool { return s.Start.After(c.today) }))
	case v.cycle == Year && rel == -1:
		return spanValue(c.last(v, func(s Span) bool { return !s.End.After(c.today) }))
	}
	return value{}, false
}

// chineseDates are years, months and days of the month.
var chineseDates = []rule{
	{"DIG|ZNUM 年", chineseYear},
	{"ZYEAR", func(c context, m match) (value, bool) { return found(datedValue(whole(Year, c.today, m.n(0)))) }},
	{"DIG|ZNUM 月份|ZMONTH", func(_ context, m match) (value, bool) {
		return monthValue(m.n(0)), m.n(0) >= 1 && m.n(0) <= 12
	}},
	{"DIG|ZNUM 日|号", func(_ context, m match) (value, bool) { return dayOfMonth(m.n(0)) }},
	{"DIG|ZNUM ZMONTH DIG|ZNUM 日|号", func(_ context, m match) (value, bool) {
		_, exists := monthAndDay(m.n(0), m.n(2))
		return float(Year, Day, func(time.Time) (Span, bool) { return Span{}, false }), !exists
	}},
	{"DIG|ZNUM ZMONTH DIG|ZNUM 到|至|-|~ DIG|ZNUM 日|号", func(_ context, m match) (value, bool) {
		return monthDays(m.n(0), m.n(2), m.n(3))
	}},
	{"DIG|ZNUM 到|至|-|~ DIG|ZNUM 日|号", func(_ context, m match) (value, bool) { return dayRange(m.n(0), m.n(1)) }},
	{"DIG|ZNUM ZMEDGE", func(_ context, m match) (value, bool) {
		v, ok := edgeOf(edge(m.n(1)), monthValue(m.n(0)))
		return v, ok && m.n(0) >= 1 && m.n(0) <= 12
	}},
	{"ZMEDGE", func(_ context, m match) (value, bool) { return monthEdge(edge(m.n(0))) }},
	{"ZTHIRD", func(_ context, m match) (value, bool) { return monthEdge(edge(m.n(0))) }},
	{"DIG|ZNUM ZYEDGE", func(c context, m match) (value, bool) {
		year, ok := yearValue(c, m.n(0))
		if !ok {
			return value{}, false
		}
		return edgeOf(edge(m.n(1)), year)
	}},
	{"ZYEDGE", func(_ context, m match) (value, bool) {
		return float(Year, Month, func(year time.Time) (Span, bool) { return edge(m.n(0)).of(whole(Year, year, 0)) }), true
	}},
	{"ZYEAR ZEDGE", func(c context, m match) (value, bool) {
		return edgeOf(edge(m.n(1)), datedValue(whole(Year, c.today, m.n(0))))
	}},
}

// chineseYear is 2019年, 二〇一九年, or 08年 with its zero; 三年 is a length.
func chineseYear(c context, m match) (value, bool) {
	n, t := m.n(0), m.tokens[0]
	if t.class == digits && n < 10 && t.to-t.from == 2 {
		n += 2000
	}
	return yearValue(c, n)
}

// dayRange is from one day of a month to another, 3-7号.
func dayRange(from, to int) (value, bool) {
	return float(Month, Day, func(month time.Time) (Span, bool) {
		return days(addDays(month, from-1), to-from+1, Day), to <= daysIn(month.Year(), month.Month())
	}), 1 <= from && from < to && to <= 31
}

func monthEdge(e edge) (value, bool) {
	return float(Month, Week, func(month time.Time) (Span, bool) { return e.of(whole(Month, month, 0)) }), true
}

// chineseClock are times of the day in words. An hour alone, 三点, may count points instead.
var chineseClock = []rule{
	{"DIG|ZNUM 点|时", func(_ context, m match) (value, bool) {
		v, ok := clockAt(m.n(0), 0, false)
		return v.needs(joined), ok
	}},
	{"DIG|ZNUM 点 钟|整", func(_ context, m match) (value, bool) { return clockAt(m.n(0), 0, false) }},
	{"DIG|ZNUM 点 半", func(_ context, m match) (value, bool) { return clockAt(m.n(0), 30, true) }},
	{"DIG|ZNUM 点 DIG|ZNUM", func(_ context, m match) (value, bool) {
		t := m.tokens[1]
		v, ok := clockAt(m.n(0), t.n, true)
		return v.needs(joined), ok && (t.n >= 10 || t.class == hanzi && t.to-t.from > 3)
	}},
	{"DIG|ZNUM 点|时 DIG|ZNUM 分", func(_ context, m match) (value, bool) { return clockAt(m.n(0), m.n(1), true) }},
	{"DIG|ZNUM 点 DIG|ZNUM 刻", func(_ context, m match) (value, bool) { return clockAt(m.n(0), 15*m.n(1), true) }},
}

// chinesePeriods are weeks, months, seasons and halves of a year.
var chinesePeriods = []rule{
	{"ZREL 个? ZUNIT", func(c context, m match) (value, bool) {
		unit := units[m.n(1)]
		return spanValue(whole(unit, c.today, m.n(0)), unit == Week)
	}},
	{"ZREL 个? ZMONTH|ZQUARTER", func(c context, m match) (value, bool) {
		return spanValue(whole(units[m.n(1)], c.today, m.n(0)), true)
	}},
	{"第? DIG|ZNUM ZQUARTER", func(_ context, m match) (value, bool) {
		return quarterValue(m.n(0)), m.n(0) >= 1 && m.n(0) <= 4
	}},
	{"ZHALF", func(_ context, m match) (value, bool) { return found(halfYearValue(m.n(0))) }},
	{"ZSEASON", func(_ context, m match) (value, bool) { return found(seasonValue(m.n(0)).needs(joined)) }},
	{"暑假", constant(float(Year, Season, func(year time.Time) (Span, bool) { return months(year, 7, 2, Season), true }))},
}

// maxYears tells a length in years from the name of a year.
const maxYears = 999

// chineseAmounts are lengths. 三个月 is one, 三月 is March.
var chineseAmounts = []rule{
	{"DIG|ZNUM 个? ZUNIT", func(_ context, m match) (value, bool) { return chineseCount(m, units[m.n(1)]) }},
	{"DIG|ZNUM 个 ZMONTH", func(_ context, m match) (value, bool) { return chineseCount(m, Month) }},
	{"DIG|ZNUM 个 半 ZUNIT|ZMONTH", func(_ context, m match) (value, bool) {
		return amountOf(amount{low: m.n(0), unit: units[m.n(1)], half: true})
	}},
	{"DIG|ZNUM 年 半", func(_ context, m match) (value, bool) {
		v, ok := amountOf(amount{low: m.n(0), unit: Year, half: true})
		return v, ok && m.n(0) <= maxYears
	}},
	{"半 个? ZUNIT|ZMONTH", func(_ context, m match) (value, bool) {
		return amountOf(amount{unit: units[m.n(0)], half: true})
	}},
	{"几|数 个? ZUNIT", func(_ context, m match) (value, bool) { return amountOf(few(units[m.n(0)])) }},
	{"几|数 个 ZMONTH", func(_ context, m match) (value, bool) { return amountOf(few(Month)) }},
	{"ZPAIR 个? ZUNIT|ZMONTH", func(_ context, m match) (value, bool) {
		return amountOf(amount{low: m.n(0) / 100, high: m.n(0) % 100, unit: units[m.n(1)]})
	}},
	{"DIG|ZNUM 到|至|-|~ DIG|ZNUM 个? ZUNIT", func(_ context, m match) (value, bool) {
		v, ok := amountOf(amount{low: m.n(0), high: m.n(1), unit: units[m.n(2)]})
		return v, ok && m.n(1) <= maxYears
	}},
	{"DIG|ZNUM 到|至|-|~ DIG|ZNUM 个 ZMONTH", func(_ context, m match) (value, bool) {
		return amountOf(amount{low: m.n(0), high: m.n(1), unit: Month})
	}},
}

// chineseCount is a plain count of a unit. 08年 and 2019年 are years, not lengths.
func chineseCount(m match, unit Granularity) (value, bool) {
	t := m.tokens[0]
	if unit == Year && (t.n > maxYears || t.class == digits && t.n < 10 && t.to-t.from > 1) {
		return value{}, false
	}
	return amountOf(exactly(t.n, unit))
}

// chineseLengths are lengths, what lies a length away, and what recurs.
var chineseLengths = []rule{
	{"<amount> 后|之后|以后|过后", shiftBy(1)},
	{"<amount> 前|之前|以前", shiftBy(-1)},
	{"前 <amount>", func(c context, m match) (value, bool) { // 前两天, 前几天; 前三天 are the first three
		a := m.values[0].amount
		if a.low == a.high && a.low != 2 {
			return value{}, false
		}
		return spanValue(c.shifted(a, -1))
	}},
	{"再? 过 <amount>", shiftBy(1)},
	{"<amount> 内|之内|以内", rollingBy(1)},
	{"过去|最近|近 的? <amount>", rollingBy(-1)},
	{"未来|接下来|今后 的? <amount>", rollingBy(1)},
	{"<amount>", lengthOf},
	{"第 DIG|ZNUM 个? ZUNIT|ZMONTH", noDate},
	{"每 隔? <amount>", recurrence},
	{"每 个? ZUNIT|ZMONTH|ZQUARTER|ZPART", recurrence},
	{"每 日|晚|早", recurrence},
	{"每 逢|到|个? <float>", recurrence},
	{"天天|每晚上", recurrence},
	{"<amount> DIG|ZNUM 次", recurrence},
}
