package profile

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Period is a length of time in the units of the calendar, since a month is no number of
// hours. The zero Period is none.
type Period struct {
	Years, Months, Days int
	Time                time.Duration
}

// periodPattern is an ISO 8601 duration in whole units.
var periodPattern = regexp.MustCompile(`^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,4})S)?)?$`)

// ParsePeriod reads an ISO 8601 duration such as "P1Y6M", "P2W" or "PT12H": whole units of
// at most four digits, at least one of them, and more than nothing in all.
func ParsePeriod(s string) (Period, error) {
	m := periodPattern.FindStringSubmatch(s)
	if m == nil || s[len(s)-1] == 'T' {
		return Period{}, fmt.Errorf("%q is no ISO 8601 duration in whole units", s)
	}
	var n [7]int
	for i, digits := range m[1:] {
		n[i], _ = strconv.Atoi(digits) // at most four digits, or empty, which is zero
	}
	p := Period{
		Years: n[0], Months: n[1], Days: 7*n[2] + n[3],
		Time: time.Duration(n[4])*time.Hour + time.Duration(n[5])*time.Minute + time.Duration(n[6])*time.Second,
	}
	if p.IsZero() {
		return Period{}, fmt.Errorf("%q is no time at all", s)
	}
	return p, nil
}

// IsZero reports whether p is no time at all.
func (p Period) IsZero() bool { return p == Period{} }

// After is the instant at which p has passed since t, by the calendar of t's location.
func (p Period) After(t time.Time) time.Time {
	return t.AddDate(p.Years, p.Months, p.Days).Add(p.Time)
}
