package temporal

import (
	"strings"
	"time"
)

// Granularity is how exact a phrase is.
type Granularity string

// The granularities. A span may be longer than its granularity: a clock time lasts an hour,
// and a range or a vague count has the granularity of its ends.
const (
	Minute  Granularity = "minute"
	Hour    Granularity = "hour"
	Part    Granularity = "part" // morning, 下午 and the like
	Day     Granularity = "day"
	Week    Granularity = "week"
	Weekend Granularity = "weekend"
	Month   Granularity = "month"
	Quarter Granularity = "quarter"
	Season  Granularity = "season" // also a half year
	Year    Granularity = "year"
)

// Span is the half-open interval [Start, End) that a phrase means, in the location of the
// reference instant. Start is before End, except in the zero Span.
type Span struct {
	Start, End  time.Time
	Granularity Granularity
}

// Mention is one date phrase in a text.
type Mention struct {
	// Span is zero when Recurring or Duration is set.
	Span
	// From and To are the byte offsets of the phrase, text[From:To], with the preposition
	// that belongs to it ("on Friday", 在周五).
	From, To int
	// Recurring marks "every Friday", 每周三: no single date.
	Recurring bool
	// Duration marks a length, "for three weeks", 三天: no date.
	Duration bool
}

// Direction is where a phrase that could lie on either side of now is looked for.
type Direction int

const (
	// Future is the first such span that is not over when today begins: today counts.
	Future Direction = iota
	// Past is the latest such span that began before today.
	Past
)

// Find returns the date phrases of a text in order, never overlapping, the longest at each
// place. ref is when the text was said, ref.Location() the zone of the speaker. It takes any
// text, valid UTF-8 or not, in time linear in its length. Spans outside the years 1 to 9999
// are left out.
func Find(text string, ref time.Time) []Mention {
	return FindDirected(text, ref, Future)
}

// FindDirected is Find for a caller who knows from the sentence whether bare dates ("on
// Friday", 12月5日) lie ahead or behind. Phrases that say so themselves ignore d.
func FindDirected(text string, ref time.Time, d Direction) []Mention {
	p := newParser(lex(text), ref, d)
	var found []Mention
	for i := 0; i < len(p.tokens); {
		ph, ok := p.phrase(i)
		if !ok {
			i++
			continue
		}
		if m, ok := p.mention(i, ph); ok {
			found = append(found, m)
		}
		i = ph.end
	}
	return found
}

// Parse is Find for a text that is one dated phrase as a whole, surrounding space aside; ok is
// false for anything else, a length or a recurrence included.
func Parse(text string, ref time.Time) (Span, bool) {
	text = strings.TrimSpace(text)
	found := Find(text, ref)
	if len(found) != 1 {
		return Span{}, false
	}
	m := found[0]
	if m.Recurring || m.Duration || m.From != 0 || m.To != len(text) {
		return Span{}, false
	}
	return m.Span, true
}
