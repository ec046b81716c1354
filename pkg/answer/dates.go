package answer

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
)

var (
	fullDate = regexp.MustCompile(`^(?:(\d{4})|-)-(\d{2})-(\d{2})$`)
	dayOnly  = regexp.MustCompile(`^(?:the )?(\d{1,2})(?:st|nd|rd|th)?$|^(\d{1,2})[号日]$`)
	hanDay   = regexp.MustCompile(`^([一二三四五六七八九十]{1,3})[号日]$`)
)

// sameDate reports whether a date is the same day as a side's, or only its day of the
// month. A year that one of them leaves out does not count.
func sameDate(s, form, of string) bool {
	o := fullDate.FindStringSubmatch(of)
	if o == nil {
		return false
	}
	d := fullDate.FindStringSubmatch(form)
	if d == nil {
		d = fullDate.FindStringSubmatch(canon.Identity(inFigures(s), canon.ClassDate))
	}
	if d != nil {
		return d[2] == o[2] && d[3] == o[3] && (d[1] == "" || o[1] == "" || d[1] == o[1])
	}
	day, ok := dayOf(s)
	return ok && strings.TrimLeft(o[3], "0") == day
}

// dayOf is the day of the month where s names nothing else: "the 14th", 14号, 十四号.
func dayOf(s string) (string, bool) {
	if n, ok := ordinals[strings.TrimPrefix(s, "the ")]; ok {
		return n, true
	}
	if hanDay.MatchString(s) {
		// Behind a month, the canonical form can tell.
		if d := fullDate.FindStringSubmatch(canon.Identity("1月"+s, canon.ClassDate)); d != nil {
			return strings.TrimLeft(d[3], "0"), true
		}
	}
	d := dayOnly.FindStringSubmatch(s)
	if d == nil {
		return "", false
	}
	return strings.TrimLeft(d[1]+d[2], "0"), true
}

// inFigures is s with days of the month in figures: "the fourteenth of may".
func inFigures(s string) string {
	w := strings.Fields(s)
	for i := range w {
		if n, ok := ordinals[w[i]]; ok {
			w[i] = n
		}
	}
	return strings.Join(w, " ")
}

// ordinals are the days of a month in words.
var ordinals = map[string]string{
	"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8",
	"ninth": "9", "tenth": "10", "eleventh": "11", "twelfth": "12", "thirteenth": "13", "fourteenth": "14",
	"fifteenth": "15", "sixteenth": "16", "seventeenth": "17", "eighteenth": "18", "nineteenth": "19",
	"twentieth": "20", "twenty-first": "21", "twenty-second": "22", "twenty-third": "23", "twenty-fourth": "24",
	"twenty-fifth": "25", "twenty-sixth": "26", "twenty-seventh": "27", "twenty-eighth": "28", "twenty-ninth": "29",
	"thirtieth": "30", "thirty-first": "31",
}
