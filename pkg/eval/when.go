package eval

import (
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/bench"
)

// layouts are the ways in which sets write when something was said.
var layouts = []string{
	time.RFC3339,
	"2006-01-02 (Monday)",
	"January-02-2006",
	"3:04 pm on 2 January, 2006",
	"2006年01月02日 15:04",
	time.DateOnly,
}

// when reads the time of a turn, in UTC where it names no zone. It must be written exactly
// so: what is read is written again and compared, weekdays included.
func when(text string) (time.Time, bool) {
	date, weekday := withoutWeekday(text)
	for _, layout := range layouts {
		t, err := time.Parse(layout, date)
		if err != nil || t.Format(layout) != date {
			continue
		}
		return t, weekday == "" || weekday == weekdays[t.Weekday()]
	}
	return time.Time{}, false
}

var weekdays = [...]string{"周日", "周一", "周二", "周三", "周四", "周五", "周六"}

// withoutWeekday takes a Chinese weekday, which no layout can name, out of a time.
func withoutWeekday(text string) (date, weekday string) {
	parts := strings.Split(text, " ")
	if len(parts) == 3 && strings.HasPrefix(parts[1], "周") {
		return parts[0] + " " + parts[2], parts[1]
	}
	return text, ""
}

// undated is when a conversation was said whose turns all have no time that can be read.
var undated = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// times are when the turns were said. A turn whose time cannot be read was said when the one
// before it was, and the first ones when the first that can be read was: the order stays.
func times(turns []bench.Turn) []time.Time {
	out := make([]time.Time, len(turns))
	last := undated
	for i := range turns {
		if t, ok := when(turns[i].Time); ok {
			last = t
			break
		}
	}
	for i := range turns {
		if t, ok := when(turns[i].Time); ok {
			last = t
		}
		out[i] = last
	}
	return out
}
