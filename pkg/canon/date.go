package canon

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// date is a day as people give birthdays: a part that was not said is zero.
type date struct{ year, month, day int }

// String is the ISO 8601 form, with "-" for each part that was not said: "1990-05-04",
// "--05-04", "--05", "1990".
func (d date) String() string {
	switch {
	case d.day != 0 && d.year != 0:
		return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day)
	case d.day != 0:
		return fmt.Sprintf("--%02d-%02d", d.month, d.day)
	case d.month != 0 && d.year != 0:
		return fmt.Sprintf("%04d-%02d", d.year, d.month)
	case d.month != 0:
		return fmt.Sprintf("--%02d", d.month)
	default:
		return fmt.Sprintf("%04d", d.year)
	}
}

// refines reports whether d says all that o says, and more.
func (d date) refines(o date) bool {
	agrees := func(more, less int) bool { return less == 0 || more == less }
	return d != o && agrees(d.year, o.year) && agrees(d.month, o.month) && agrees(d.day, o.day)
}

const (
	monthName = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|` +
		`sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
	dayNumber = `(?:the )?(\d{1,2})(?:st|nd|rd|th)?`
	yearPart  = `(?:,? ?(?:of )?(\d{4}))?`
)

// datePattern is one way to write a date; the fields are the groups that hold its parts,
// 0 where the pattern has none.
type datePattern struct {
	re               *regexp.Regexp
	year, month, day int
}

// Only what is read in one way everywhere: 5/4 is April to some and May to others.
var datePatterns = []datePattern{
	{regexp.MustCompile(`^` + monthName + ` ?` + dayNumber + yearPart + `$`), 3, 1, 2},
	{regexp.MustCompile(`^` + dayNumber + `(?: of)? ?` + monthName + yearPart + `$`), 3, 2, 1},
	{regexp.MustCompile(`^` + monthName + yearPart + `$`), 2, 1, 0},
	{regexp.MustCompile(`^(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})[日号]?)?$`), 1, 2, 3},
	{regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`), 1, 2, 3},
	{regexp.MustCompile(`^--(\d{2})(?:-(\d{2}))?$`), 0, 1, 2},
	{regexp.MustCompile(`^(\d{4})-(\d{2})$`), 1, 2, 0},
	{regexp.MustCompile(`^(\d{4})年?$`), 1, 0, 0},
}

var (
	dateLead  = regexp.MustCompile(`^(?:i was born |born )?(?:on |in )?|^(?:生日是|生于|出生于|公历|阳历)`)
	dateTail  = regexp.MustCompile(`(?:出生的?|生的?|生日)$`)
	hanNumber = regexp.MustCompile(`[零〇一二三四五六七八九十]+`)
)

var months = map[string]int{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
	"jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// maxDateBytes bounds what is tried as a date at all.
const maxDateBytes = 64

// parseDate reads a Gregorian date. Dates of the lunar calendar, and those that are read
// differently in different countries, are not dates to it.
func parseDate(s string) (date, bool) {
	if s = plainValue(s); len(s) > maxDateBytes {
		return date{}, false
	}
	if strings.HasPrefix(s, "农历") || strings.HasPrefix(s, "阴历") {
		return date{}, false
	}
	s = dateTail.ReplaceAllString(dateLead.ReplaceAllString(s, ""), "")
	if strings.Contains(s, "月") || strings.Contains(s, "年") {
		s = hanNumber.ReplaceAllStringFunc(s, arabic)
	}
	for _, p := range datePatterns {
		if m := p.re.FindStringSubmatch(s); m != nil {
			d := date{year: datePart(m, p.year), month: datePart(m, p.month), day: datePart(m, p.day)}
			return d, d.plausible()
		}
	}
	return date{}, false
}

func datePart(m []string, group int) int {
	if group == 0 || m[group] == "" {
		return 0
	}
	text := m[group]
	if n, ok := months[text[:min(3, len(text))]]; ok {
		return n
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return n
	}
	return -1
}

// plausible reports whether such a day exists.
func (d date) plausible() bool {
	if d.year < 0 || d.month < 0 || d.month > 12 || d.day < 0 {
		return false
	}
	return d.day <= 31 && (d.day == 0 || d.day <= daysIn(d.month))
}

// daysIn is the number of days of a month, in a leap year for February.
func daysIn(month int) int {
	switch month {
	case 2:
		return 29
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// arabic converts Chinese numerals below one hundred, and years written digit by digit.
func arabic(han string) string {
	digit := map[rune]int{'零': 0, '〇': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	tens, units, found := strings.Cut(han, "十")
	if found {
		n := 10
		if tens != "" {
			n = digit[[]rune(tens)[0]] * 10
		}
		if units != "" {
			n += digit[[]rune(units)[0]]
		}
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, r := range han {
		b.WriteString(strconv.Itoa(digit[r]))
	}
	return b.String()
}
