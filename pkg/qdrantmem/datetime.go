package qdrantmem

import "time"

// datetimeLayouts are the spellings that Qdrant reads, the commonest first; without an
// offset they are UTC. A fraction of a second is accepted after the seconds of each.
var datetimeLayouts = []string{
	time.RFC3339,
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02 15:04:05Z07",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04",
	"2006-01-02T15:04",
	"2006-01-02",
}

// parseDatetime reads a stored value; what cannot be read matches no range and is no error.
func parseDatetime(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok || len(s) < len("2006-01-02") {
		return time.Time{}, false
	}
	for _, layout := range datetimeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// microseconds is a stored value that parseDatetime reads, as a datetime index keeps it.
func microseconds(v any) int64 {
	t, _ := parseDatetime(v)
	return t.UnixMicro()
}
