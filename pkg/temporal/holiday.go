package temporal

import "time"

// lunarDays are the Gregorian days of Chinese New Year (first day of the first lunar month),
// Dragon Boat (fifth of the fifth) and Mid-Autumn (fifteenth of the eighth), as month*100+day.
// They follow the Hong Kong Observatory's Gregorian-Lunar Calendar Conversion Table
// (https://www.hko.gov.hk/en/gts/time/conversion.htm). Years outside have no lunar holidays.
var lunarDays = map[int]struct{ newYear, dragonBoat, midAutumn int }{
	2020: {125, 625, 1001},
	2021: {212, 614, 921},
	2022: {201, 603, 910},
	2023: {122, 622, 929},
	2024: {210, 610, 917},
	2025: {129, 531, 1006},
	2026: {217, 619, 925},
	2027: {206, 609, 915},
	2028: {126, 528, 1003},
	2029: {213, 616, 922},
	2030: {203, 605, 912},
	2031: {123, 624, 1001},
	2032: {211, 612, 919},
	2033: {131, 601, 908},
	2034: {219, 620, 927},
	2035: {208, 610, 916},
	2036: {128, 530, 1004},
	2037: {215, 618, 924},
	2038: {204, 607, 913},
	2039: {124, 527, 1002},
	2040: {212, 614, 920},
}

// holiday names a day of the year, or a few.
type holiday int

const (
	newYearsDay holiday = iota
	valentines
	womensDay
	labourDay
	childrensDay
	independenceDay
	teachersDay
	nationalDay
	halloween
	singlesDay
	thanksgiving
	mothersDay
	fathersDay
	christmasEve
	christmas
	boxingDay
	newYearsEve
	springFestivalEve
	springFestival
	lanternFestival
	tombSweeping
	dragonBoat
	midAutumn
	nationalDayWeek
	springFestivalWeek
)

// fixedDays are the holidays of a fixed Gregorian date, as month*100+day.
var fixedDays = map[holiday]int{
	newYearsDay: 101, valentines: 214, womensDay: 308, labourDay: 501, childrensDay: 601,
	independenceDay: 704, teachersDay: 910, nationalDay: 1001, halloween: 1031,
	singlesDay: 1111, christmasEve: 1224, christmas: 1225, boxingDay: 1226,
	newYearsEve: 1231, nationalDayWeek: 1001,
}

// in is the holiday in the year of t; ok is false where the lunar table ends.
func (h holiday) in(t time.Time) (Span, bool) {
	day := func(monthDay, offset, length int) (Span, bool) {
		first := date(t.Year(), time.Month(monthDay/100), monthDay%100+offset, t.Location())
		return days(first, length, Day), true
	}
	switch h {
	case thanksgiving:
		return nthWeekday(t.Year(), time.November, time.Thursday, 4, t.Location())
	case mothersDay:
		return nthWeekday(t.Year(), time.May, time.Sunday, 2, t.Location())
	case tombSweeping:
		return tombSweepingDay(t.Year(), t.Location())
	case fathersDay:
		return nthWeekday(t.Year(), time.June, time.Sunday, 3, t.Location())
	}
	if md, fixed := fixedDays[h]; fixed {
		if h == nationalDayWeek {
			return day(md, 0, 7)
		}
		return day(md, 0, 1)
	}
	lunar, ok := lunarDays[t.Year()]
	if !ok {
		return Span{}, false
	}
	switch h {
	case springFestivalEve:
		return day(lunar.newYear, -1, 1)
	case lanternFestival:
		return day(lunar.newYear, 14, 1)
	case dragonBoat:
		return day(lunar.dragonBoat, 0, 1)
	case midAutumn:
		return day(lunar.midAutumn, 0, 1)
	case springFestivalWeek:
		return day(lunar.newYear, 0, 7)
	default:
		return day(lunar.newYear, 0, 1)
	}
}

// tombSweepingDay is the day of 清明, the solar term at which the sun's longitude is 15°, by
// the usual approximation for the years 2000 to 2099; ok is false outside of them.
func tombSweepingDay(y int, loc *time.Location) (Span, bool) {
	if y < 2000 || y > 2099 {
		return Span{}, false
	}
	n := y % 100
	return days(date(y, time.April, int(float64(n)*0.2422+4.81)-n/4, loc), 1, Day), true
}

// nthWeekday is the n-th such weekday of a month, or the last one for n < 1; ok is false where
// the month has no n-th.
func nthWeekday(y int, m time.Month, w time.Weekday, n int, loc *time.Location) (Span, bool) {
	first := date(y, m, 1, loc)
	d := 1 + (int(w)-int(first.Weekday())+7)%7 + 7*(n-1)
	if n < 1 {
		d = 1 + (int(w)-int(first.Weekday())+7)%7 + 28
		if d > daysIn(y, m) {
			d -= 7
		}
	}
	if d > daysIn(y, m) {
		return Span{}, false
	}
	return days(date(y, m, d, loc), 1, Day), true
}
