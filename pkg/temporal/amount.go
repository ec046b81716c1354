package temporal

import "time"

// amount is a length of time: low to high of a unit, the two being equal unless it is vague.
type amount struct {
	low, high int
	unit      Granularity
	half      bool // and a half, or a half alone
	// bare marks "a week": a length only behind a preposition.
	bare bool
}

// few and several, 几: three to seven.
const (
	fewLow  = 3
	fewHigh = 7
)

// maxCount bounds counts, so that no sum of them leaves the calendar's range.
const maxCount = 9999

func exactly(n int, unit Granularity) amount { return amount{low: n, high: n, unit: unit} }

func few(unit Granularity) amount { return amount{low: fewLow, high: fewHigh, unit: unit} }

// finer writes a half in a smaller unit: half a month is 15 days. ok is false where there is
// no such use.
func (a amount) finer() (amount, bool) {
	if !a.half {
		return a, a.high > 0 && a.high <= maxCount && a.low <= a.high
	}
	per, extra := 0, 0
	var unit Granularity
	switch a.unit {
	case Hour:
		per, extra, unit = 60, 30, Minute
	case Day:
		per, extra, unit = 24, 12, Hour
	case Month:
		if a.low > 0 { // a month and a half is counted in days of thirty
			per = 30
		}
		extra, unit = 15, Day
	case Year:
		per, extra, unit = 12, 6, Month
	default:
		return amount{}, false
	}
	n := a.low*per + extra
	return exactly(n, unit), n <= maxCount
}

// shifted is the span that lies the amount before (sign -1) or after (sign 1) now.
func (c context) shifted(a amount, sign int) (Span, bool) {
	a, ok := a.finer()
	if !ok {
		return Span{}, false
	}
	near, far := a.low*sign, a.high*sign
	if sign < 0 {
		near, far = far, near
	}
	first, last := c.step(a.unit, near), c.step(a.unit, far)
	s := Span{first.Start, last.End, first.Granularity}
	if a.low != a.high {
		s.Granularity = a.unit
	}
	return s, s.valid()
}

// step is one whole count of units from now: elapsed time for hours and minutes, the day for
// days, weeks and months, the calendar year for years.
func (c context) step(unit Granularity, n int) Span {
	switch unit {
	case Minute, Hour:
		return c.elapsed(unit, n)
	case Year:
		return whole(Year, c.today, n)
	}
	return c.dayAt(unit, n)
}

// dayAt is the day that is n units from today.
func (c context) dayAt(unit Granularity, n int) Span {
	day := c.today
	switch unit {
	case Week:
		day = addDays(day, 7*n)
	case Month:
		day = addMonths(day, n)
	case Quarter:
		day = addMonths(day, 3*n)
	case Year:
		day = addMonths(day, 12*n)
	default:
		day = addDays(day, n)
	}
	return days(day, 1, Day)
}

// rolling is the days from today to the one that the amount reaches back or forth, both
// included; for hours and minutes, the time itself.
func (c context) rolling(a amount, sign int) (Span, bool) {
	a, ok := a.finer()
	if !ok {
		return Span{}, false
	}
	n := a.high * sign
	today := whole(Day, c.today, 0)
	var s Span
	switch {
	case a.unit == Minute || a.unit == Hour:
		s = Span{c.ref, c.elapsed(a.unit, n).Start, a.unit}
		if sign < 0 {
			s.Start, s.End = s.End, s.Start
		}
	case sign < 0:
		s = Span{c.dayAt(a.unit, n).Start, today.End, a.unit}
	default:
		s = Span{today.Start, c.dayAt(a.unit, n).End, a.unit}
	}
	return s, s.valid()
}

// elapsed is the hour that begins n hours or minutes from now, in whole minutes.
func (c context) elapsed(unit Granularity, n int) Span {
	length := time.Minute
	if unit == Hour {
		length = time.Hour
	}
	at := c.ref.Add(time.Duration(n) * length)
	at = at.Add(-time.Duration(at.Second())*time.Second - time.Duration(at.Nanosecond()))
	return Span{at, at.Add(time.Hour), unit}
}
