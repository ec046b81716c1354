package english

import (
	"regexp"
	"time"

	"github.com/mnemond/mnemond/pkg/temporal"
)

// The tenses in which a clause's dates are read.
const (
	past   = temporal.Past
	future = temporal.Future
)

// when returns the span that a clause names, read in the direction of its tense; ok is
// false where it names none, or only a length or a recurrence. A date within another one
// ("on Tuesday next week") narrows it, separate ones are taken from first to last.
func (c *clause) when(d temporal.Direction) (temporal.Span, bool) {
	if !timed.match(c.whole, c.wholeGrams()) {
		return temporal.Span{}, false
	}
	var span temporal.Span
	found := false
	text := c.text()
	if d == future {
		text = text[len(formerDate.FindString(text)):]
	}
	for _, m := range temporal.FindDirected(text, c.message.At, d) {
		switch {
		case m.Recurring || m.Duration || notThen.MatchString(text[:m.From]):
			continue
		case d == past && m.Start.After(c.message.At), d == future && !m.End.After(c.message.At):
			continue
		case !found:
			span, found = m.Span, true
		case m.Start.Before(span.End) && span.Start.Before(m.End):
			if m.End.Sub(m.Start) < span.End.Sub(span.Start) {
				span = m.Span
			}
		default:
			span.Start = earlier(span.Start, m.Start)
			span.End = later(span.End, m.End)
		}
	}
	return span, found
}

// movedTo returns the new date of a plan that was moved. A bare month behind "to" ("to
// May") is a date there, though not in general.
func (c *clause) movedTo() (temporal.Span, bool) {
	text := c.text()
	if at := movedDate.FindStringIndex(text); at != nil && dayNamed.MatchString(text[at[1]:]) {
		for _, m := range temporal.FindDirected(text[at[1]:], c.message.At, future) {
			if !m.Recurring && !m.Duration && m.End.After(c.message.At) {
				return m.Span, true
			}
		}
	}
	if span, ok := c.when(future); ok {
		return span, true
	}
	all := newDate.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return temporal.Span{}, false
	}
	for _, m := range temporal.Find("in "+text[all[len(all)-1][1]:], c.message.At) {
		if !m.Recurring && !m.Duration && m.End.After(c.message.At) {
			return m.Span, true
		}
	}
	return temporal.Span{}, false
}

var (
	// movedDate ends where the new date of a plan begins; dayNamed tells it from a mere hour.
	movedDate = regexp.MustCompile(`(?i)\b(?:moved|pushed|postponed|rescheduled|delayed|changed|shifted|brought forward)\b.* (?:to|until|till) `)
	dayNamed  = regexp.MustCompile(`(?i)\b(?:` + weekday + `|` + month + `|tomorrow|today|weekend|week|month|\d{1,2}(?:st|nd|rd|th))\b`)
	newDate   = regexp.MustCompile(`(?i) (?:to|until|till) `)
	// formerDate is what a plan was moved from, up to its new date.
	formerDate = regexp.MustCompile(`(?i)^.*\b(?:moved|pushed|postponed|rescheduled|delayed|changed|shifted)\b.*\bfrom .+ (?:to|until) `)
	// notThen stands before a date that is the wrong one.
	notThen = regexp.MustCompile(`(?i)(?:\binstead of|\brather than|\bnot|\bno longer|\bused to be)(?: on| in| at)? ?$`)
)

// recurs reports whether a clause names a recurrence ("every Tuesday").
func (c *clause) recurs() bool {
	if !timed.match(c.whole, c.wholeGrams()) {
		return false
	}
	for _, m := range temporal.Find(c.text(), c.message.At) {
		if m.Recurring {
			return true
		}
	}
	return false
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
