package temporal

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The forms of numbers, tried on a run of digits and the marks between them.
var (
	ymdForm   = regexp.MustCompile(`^(\d{4})([-/.])(\d{1,2})([-/.])(\d{1,2})$`)
	dmyForm   = regexp.MustCompile(`^(\d{1,2})([-/])(\d{1,2})([-/])(\d{4}|\d{2})$`)
	mdForm    = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})$`)
	clockForm = regexp.MustCompile(`^(\d{1,2})[:.](\d{2})(?::\d{2})?$`)
	halfForm  = regexp.MustCompile(`^ ?([ap])(?:m|\.m\.?)`)
	ordForm   = regexp.MustCompile(`^(?:st|nd|rd|th)`)
	timeForm  = regexp.MustCompile(`^t(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(z|[+-]\d{2}:?\d{2})?`)
)

// number reads a run of digits that may be a number, a date or a time of day.
func (lx *lexer) number(i int) int {
	j := lx.runEnd(i)
	run := string(lx.runes[i:j])
	rest := string(lx.runes[j:min(j+6, len(lx.runes))])
	if i > 0 && strings.ContainsRune("$€£¥#/.+@=&_", lx.runes[i-1]) || strings.HasPrefix(rest, "%") {
		lx.add(i, j, token{})
		return j
	}
	if left, _, ok := strings.Cut(run, "-"); ok && strings.Count(run, "-") == 1 {
		return lx.split(i, j, left)
	}
	if suffix := lx.suffix(i, j, run, rest); suffix > j {
		return suffix
	}
	if j < len(lx.runes) && isWord(lx.runes[j]) && !lx.is(j, "t") {
		end := lx.wordEnd(j)
		lx.add(i, end, token{})
		return end
	}
	t, _ := readNumber(run)
	lx.add(i, j, t)
	return j
}

// runEnd is where the digits from i end, marks between digits included.
func (lx *lexer) runEnd(i int) int {
	for i < len(lx.runes) {
		inner := i+1 < len(lx.runes) && isDigit(lx.runes[i+1]) &&
			(strings.ContainsRune("-/.:", lx.runes[i]) || lx.runes[i] == ',' && lx.thousands(i+1))
		if !isDigit(lx.runes[i]) && !inner {
			break
		}
		i++
	}
	return i
}

// thousands reports whether exactly three digits stand at i, as after the comma of 1,000.
func (lx *lexer) thousands(i int) bool {
	n := 0
	for i+n < len(lx.runes) && n < 4 && isDigit(lx.runes[i+n]) {
		n++
	}
	return n == 3
}

// suffix reads "3pm", "3:30 p.m." and "5th" and returns the end, or j if it is none of them.
func (lx *lexer) suffix(i, j int, run, rest string) int {
	if m := halfForm.FindStringSubmatch(rest); m != nil {
		end := j + len(m[0])
		c, ok := readClock(run)
		if ok && c.hour >= 1 && c.hour <= 12 && !(end < len(lx.runes) && isWord(lx.runes[end])) {
			c.hour %= 12
			if m[1] == "p" {
				c.hour += 12
			}
			c.exact = true
			lx.add(i, end, token{class: timeTok, clock: c})
			return end
		}
	}
	if ordForm.MatchString(rest) && !(j+2 < len(lx.runes) && isWord(lx.runes[j+2])) {
		if n, err := strconv.Atoi(run); err == nil {
			lx.add(i, j+2, token{class: ordinal, n: n, latin: true})
			return j + 2
		}
	}
	return j
}

// split reads the first of two numbers with a dash between ("3-7", "9:00-10:30pm") and the
// dash, and returns where the second begins.
func (lx *lexer) split(i, j int, left string) int {
	t, ok := readNumber(left)
	if !ok {
		lx.add(i, j, token{})
		return j
	}
	dash := i + len(left)
	lx.add(i, dash, t)
	lx.add(dash, dash+1, token{id: lexicon.words["-"].id})
	return dash + 1
}

// timeOfDay turns the date before i into an instant or a local time by the "T15:00Z" at i.
func (lx *lexer) timeOfDay(i int) int {
	last := &lx.tokens[len(lx.tokens)-1]
	m := timeForm.FindStringSubmatch(string(lx.runes[i:min(i+32, len(lx.runes))]))
	if m == nil {
		return i
	}
	end := i + len([]rune(m[0]))
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	if hour > 23 || minute > 59 {
		return i
	}
	last.class, last.clock, last.to = localDay, clock{hour: hour, minute: minute, exact: true, fine: true}, lx.offset[end]
	if m[4] == "" {
		return end
	}
	zone := time.UTC
	if m[4] != "z" {
		at, err := time.Parse("-0700", strings.Replace(m[4], ":", "", 1))
		if err != nil {
			return i
		}
		zone = at.Location()
	}
	last.class = instant
	last.at = time.Date(last.n/10000, time.Month(last.n/100%100), last.n%100, hour, minute, 0, 0, zone)
	return end
}

// readNumber reads a plain number of up to four digits, a date or a time of day.
func readNumber(run string) (token, bool) {
	if n, err := strconv.Atoi(run); err == nil && len(run) <= 4 {
		return token{class: digits, n: n}, true
	}
	if m := ymdForm.FindStringSubmatch(run); m != nil && m[2] == m[4] {
		return readDate(m[1], m[3], m[5])
	}
	if m := dmyForm.FindStringSubmatch(run); m != nil && m[2] == m[4] && (m[2] == "/" || len(m[5]) == 4) {
		month, day := monthFirst(m[1], m[3])
		if len(m[5]) == 2 {
			m[5] = "20" + m[5]
		}
		return readDate(m[5], month, day)
	}
	if m := mdForm.FindStringSubmatch(run); m != nil && run != "24/7" {
		month, day := monthFirst(m[1], m[2])
		t, ok := readDate("2000", month, day)
		t.class, t.n = monthDay, t.n%10000
		return t, ok
	}
	if c, ok := readClock(run); ok && strings.Contains(run, ":") {
		return token{class: clockTok, clock: c}, true
	}
	return token{}, false
}

// monthFirst orders the two as month and day: as in the United States, unless the first
// cannot be a month.
func monthFirst(a, b string) (month, day string) {
	if n, _ := strconv.Atoi(a); n > 12 {
		return b, a
	}
	return a, b
}

func readDate(year, month, day string) (token, bool) {
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if y < 1 || m < 1 || m > 12 || d < 1 || d > daysIn(y, time.Month(m)) {
		return token{}, false
	}
	return token{class: ymd, n: y*10000 + m*100 + d}, true
}

// readClock reads "3", "3:30" or "15:00". A leading zero or an hour from 13 is the 24-hour
// clock.
func readClock(run string) (clock, bool) {
	hour, minute := run, "0"
	if m := clockForm.FindStringSubmatch(run); m != nil {
		hour, minute = m[1], m[2]
	}
	h, errH := strconv.Atoi(hour)
	m, errM := strconv.Atoi(minute)
	if errH != nil || errM != nil || h > 24 || m > 59 || h == 24 && m > 0 {
		return clock{}, false
	}
	return clock{hour: h, minute: m, exact: h > 12 || h == 0 || hour[0] == '0', fine: hour != run && m != 0}, true
}
