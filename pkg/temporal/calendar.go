package temporal

import "time"

// date is midnight of a civil date, months and days normalised. Where a change of the clocks
// skips midnight, the day begins at the change.
func date(y int, m time.Month, d int, loc *time.Location) time.Time {
	want := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	t := time.Date(y, m, d, 0, 0, 0, 0, loc)
	if t.Day() == want.Day() {
		return t
	}
	if _, change := t.ZoneBounds(); !change.IsZero() && change.After(t) {
		return change.In(loc)
	}
	return t
}

func startOfDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return date(y, m, d, t.Location())
}

func addDays(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	return date(y, m, d+n, t.Location())
}

// addMonths keeps the day of the month, or takes the last one of a shorter month.
func addMonths(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	first := time.Date(y, m+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return date(first.Year(), first.Month(), min(d, daysIn(first.Year(), first.Month())), t.Location())
}

func daysIn(y int, m time.Month) int {
	return time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// cycleStart is when the day, week, month, quarter or year n after the one of t begins.
func cycleStart(g Granularity, t time.Time, n int) time.Time {
	y, m, d := t.Date()
	loc := t.Location()
	switch g {
	case Week:
		return date(y, m, d-(int(t.Weekday())+6)%7+7*n, loc)
	case Month:
		return date(y, m+time.Month(n), 1, loc)
	case Quarter:
		return date(y, m-(m-1)%3+time.Month(3*n), 1, loc)
	case Year:
		return date(y+n, time.January, 1, loc)
	default:
		return date(y, m, d+n, loc)
	}
}

// whole is the day, week, month, quarter or year n after the one of t.
func whole(g Granularity, t time.Time, n int) Span {
	return Span{cycleStart(g, t, n), cycleStart(g, t, n+1), g}
}

// days is the span of n whole days from the one of t.
func days(t time.Time, n int, g Granularity) Span {
	return Span{startOfDay(t), addDays(t, n), g}
}

// months is the span of n whole months from month m of the year of t.
func months(t time.Time, m, n int, g Granularity) Span {
	y, loc := t.Year(), t.Location()
	return Span{date(y, time.Month(m), 1, loc), date(y, time.Month(m+n), 1, loc), g}
}

// hours is the span between two hours of the day of t, which may pass 24.
func hours(t time.Time, from, to int, g Granularity) Span {
	y, m, d := t.Date()
	at := func(h int) time.Time {
		if h%24 == 0 {
			return date(y, m, d+h/24, t.Location())
		}
		return time.Date(y, m, d, h, 0, 0, 0, t.Location())
	}
	return Span{at(from), at(to), g}
}

// valid reports whether the span is not empty and within the years that have four digits.
func (s Span) valid() bool {
	return s.Start.Before(s.End) && s.Start.Year() >= 1 && s.End.Year() <= 9999
}

// edge is a stretch at one side of a longer period.
type edge int

const (
	beginning edge = iota // 月初, beginning of
	early                 // 上旬, early
	middle                // 中旬, mid
	late                  // 下旬, late
	ending                // 月底, end of
	midYear               // 年中
)

// of is that stretch of a day, week, month or year; other spans have none.
func (e edge) of(s Span) (Span, bool) {
	switch s.Granularity {
	case Day:
		return e.ofDay(s.Start)
	case Week:
		return e.ofWeek(s.Start)
	case Month:
		return e.ofMonth(s)
	case Year:
		return e.ofYear(s.Start)
	}
	return Span{}, false
}

func (e edge) ofDay(t time.Time) (Span, bool) {
	switch e {
	case beginning:
		return hours(t, 6, 9, Part), true
	case middle:
		return hours(t, 12, 13, Part), true
	case ending:
		return hours(t, 17, 24, Part), true
	}
	return Span{}, false
}

func (e edge) ofWeek(t time.Time) (Span, bool) {
	switch e {
	case beginning, early:
		return days(t, 2, Day), true
	case middle:
		return days(addDays(t, 1), 3, Day), true
	default:
		return days(addDays(t, 4), 3, Day), true
	}
}

func (e edge) ofMonth(s Span) (Span, bool) {
	switch e {
	case beginning:
		return days(s.Start, 7, Week), true
	case early:
		return days(s.Start, 10, Week), true
	case middle, midYear:
		return days(addDays(s.Start, 10), 10, Week), true
	case late:
		return Span{addDays(s.Start, 20), s.End, Week}, true
	default:
		return Span{addDays(s.End, -7), s.End, Week}, true
	}
}

func (e edge) ofYear(t time.Time) (Span, bool) {
	switch e {
	case beginning:
		return months(t, 1, 1, Month), true
	case early:
		return months(t, 1, 4, Month), true
	case middle:
		return months(t, 5, 4, Month), true
	case midYear:
		return months(t, 6, 2, Month), true
	case late:
		return months(t, 9, 4, Month), true
	default:
		return months(t, 12, 1, Month), true
	}
}
