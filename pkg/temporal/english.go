package temporal

import "slices"

// The directions of English, the numbers of class REL.
const (
	relThis = iota
	relNext
	relLast
	relComing
	relPast
)

// The parts of the day, by the numbers of class PART.
var englishParts = []part{
	{6, 12, forenoon}, {12, 18, afternoon}, {18, 24, night}, {18, 24, night},
}

// units by the numbers of class UNIT and, in Chinese, ZUNIT.
var units = []Granularity{Minute, Hour, Day, Week, Month, Quarter, Year}

var english = language{
	vocabulary: map[class]words{
		"DAYWORD": {"today": 0, "tomorrow": 1, "tmr": 1, "tmrw": 1, "yesterday": -1},
		"WEEKDAY": {
			"monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
			"tues": 1, "thurs": 3,
		},
		// Short names are words too: they need "on", a direction or a neighbour.
		"WDSHORT": {
			"Mon": 0, "Tue": 1, "tue": 1, "Wed": 2, "Thu": 3, "thu": 3, "thur": 3, "Fri": 4, "fri": 4, "Sat": 5, "Sun": 6,
		},
		"VERBDAY": {"mon": 0, "wed": 2, "sat": 5},
		"WEEKDAYS": {
			"mondays": 0, "tuesdays": 1, "wednesdays": 2, "thursdays": 3, "fridays": 4, "saturdays": 5, "sundays": 6,
			"weekdays": 0, "weekends": 0, "mornings": 0, "afternoons": 0, "evenings": 0, "nights": 0,
			"daily": 0, "weekly": 0, "monthly": 0, "yearly": 0, "annually": 0, "nightly": 0, "quarterly": 0,
		},
		"MONTH": {
			"january": 1, "february": 2, "March": 3, "MARCH": 3, "april": 4, "May": 5, "MAY": 5, "june": 6,
			"july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
			"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9,
			"oct": 10, "nov": 11, "dec": 12,
		},
		"VERBMONTH": {"march": 3, "may": 5},
		"UNIT": {
			"minute": 0, "minutes": 0, "min": 0, "mins": 0, "hour": 1, "hours": 1, "hr": 1, "hrs": 1,
			"day": 2, "days": 2, "week": 3, "weeks": 3, "month": 4, "months": 4, "quarter": 5, "quarters": 5,
			"year": 6, "years": 6, "yr": 6, "yrs": 6,
		},
		"REL": {
			"this": relThis, "current": relThis, "next": relNext, "last": relLast, "previous": relLast,
			"coming": relComing, "upcoming": relComing, "past": relPast,
		},
		"PART":    {"morning": 0, "afternoon": 1, "evening": 2, "night": 3},
		"SEASON":  {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3},
		"QUARTER": {"q1": 1, "q2": 2, "q3": 3, "q4": 4},
		"SIDE":    {"early": int(early), "mid": int(middle), "late": int(late)},
		"EDGE":    {"beginning": int(beginning), "start": int(beginning), "middle": int(middle), "end": int(ending)},
		"WNUM":    englishNumbers(false),
		"ORDW":    englishNumbers(true),
	},
	abbreviations: "jan feb mar apr jun jul aug sep sept oct nov dec Mon Tue Wed Thu thur thurs tues Fri Sat Sun",
	prepositions: map[string]support{
		"in": inWord, "on": onWord, "at": atWord, "over": onWord, "by": none, "since": none, "until": none,
		"till": none, "before": none, "after": none, "from": none, "during": none, "around": none,
		"through": none, "between": none,
	},
	anyWeak:   "by since until till before after from during around through between",
	backwards: "since",
	glue:      ", ( ) at on in the of by around 's from",
	to:        "to - ~ until till through thru",
	from:      "from", between: "between", and: "and",
	plain: "and or but at in on for to of by from is was i we he she they it with until till because so that " +
		"if when then after before since through please this next last",
	amounts: []rule{
		{"DIG|WNUM UNIT", func(_ context, m match) (value, bool) { return amountOf(exactly(m.n(0), units[m.n(1)])) }},
		{"DIG|WNUM or|to|-|~ DIG|WNUM UNIT", func(_ context, m match) (value, bool) {
			return amountOf(amount{low: m.n(0), high: m.n(1), unit: units[m.n(2)]})
		}},
		{"a|an UNIT", func(_ context, m match) (value, bool) {
			return amountOf(amount{low: 1, high: 1, unit: units[m.n(0)], bare: true})
		}},
		{"a? couple of? UNIT", func(_ context, m match) (value, bool) { return amountOf(exactly(2, units[m.n(0)])) }},
		{"a? few UNIT", func(_ context, m match) (value, bool) { return amountOf(few(units[m.n(0)])) }},
		{"several UNIT", func(_ context, m match) (value, bool) { return amountOf(few(units[m.n(0)])) }},
		{"a? fortnight", constant(value{kind: duration, amount: exactly(2, Week)})},
		{"half a|an UNIT", func(_ context, m match) (value, bool) { return amountOf(amount{unit: units[m.n(0)], half: true}) }},
		{"a half UNIT", func(_ context, m match) (value, bool) { return amountOf(amount{unit: units[m.n(0)], half: true}) }},
		{"DIG|WNUM and a half UNIT", func(_ context, m match) (value, bool) {
			return amountOf(amount{low: m.n(0), unit: units[m.n(1)], half: true})
		}},
		{"a|an|one UNIT and a half", func(_ context, m match) (value, bool) {
			return amountOf(amount{low: 1, unit: units[m.n(0)], half: true})
		}},
	},
	atoms: slices.Concat(englishDays, englishClock, englishMonths, englishPeriods, englishLengths, holidayRules(englishHolidays)),
}

// englishNumbers are the numbers from one to ninety-nine, or their ordinals.
func englishNumbers(ordinals bool) words {
	ones := []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
		"twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	tens := []string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	if ordinals {
		ones = []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
			"tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
			"eighteenth", "nineteenth"}
	}
	numbers := words{}
	for n, w := range ones[1:] {
		numbers[w] = n + 1
	}
	for n, w := range tens[2:] {
		ten := 10 * (n + 2)
		if ordinals {
			numbers[w[:len(w)-1]+"ieth"] = ten
		} else {
			numbers[w] = ten
		}
		for one := 1; one <= 9; one++ {
			numbers[w+"-"+ones[one]] = ten + one
		}
	}
	return numbers
}
