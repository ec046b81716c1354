package llm

import (
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
)

// dateForms are how a date or a time may be written; how long what it names lasts is Go's
// notion of years, months and days, or else an hour, as everywhere in mnemond.
var dateForms = []struct {
	layout              string
	years, months, days int
}{
	{layout: "2006-01-02T15:04:05Z07:00"}, {layout: "2006-01-02T15:04Z07:00"},
	{layout: "2006-01-02T15:04:05"}, {layout: "2006-01-02T15:04"},
	{layout: "2006-01-02 15:04:05"}, {layout: "2006-01-02 15:04"},
	{layout: "2006-01-02", days: 1}, {layout: "2006-01", months: 1}, {layout: "2006", years: 1},
}

// interval is what a written date names in a zone.
func interval(s string, zone *time.Location) (start, end time.Time, ok bool) {
	for _, f := range dateForms {
		start, err := time.ParseInLocation(f.layout, s, zone)
		if err != nil {
			continue
		}
		end := start.AddDate(f.years, f.months, f.days)
		if end.Equal(start) {
			end = start.Add(time.Hour)
		}
		return start, end, true
	}
	return start, end, false
}

// setDates sets from when and until when a candidate holds. Models are poor at calendars:
// where the quote names one date and no other, that one counts, as pkg/temporal reads it.
func setDates(c *memory.Candidate, w wire.Candidate, at time.Time) {
	readable := true
	if from := strings.TrimSpace(w.ValidFrom); from != "" {
		c.ValidFrom, _, readable = interval(from, at.Location())
	}
	if until := strings.TrimSpace(w.ExpiresAt); until != "" {
		var ok bool
		_, c.ExpiresAt, ok = interval(until, at.Location())
		readable = readable && ok
	}
	correctDates(c, at)
	switch {
	case !readable:
		// A dated statement without a date is refused by verification, and counted.
		c.Stability, c.ExpiresAt = memory.Dated, time.Time{}
	case c.Stability == "" && c.ExpiresAt.IsZero():
		c.Stability = memory.Stable
	case c.Stability == "" || c.Plan && !c.ExpiresAt.IsZero():
		c.Stability = memory.Dated
	}
}

// correctDates takes the date from the quote where there is just one.
func correctDates(c *memory.Candidate, at time.Time) {
	ahead := c.Plan || c.ExpiresAt.After(at) || c.ValidFrom.After(at)
	direction := temporal.Past
	if ahead {
		direction = temporal.Future
	}
	found := temporal.FindDirected(c.Source.Quote, at, direction)
	if len(found) != 1 || found[0].Recurring || found[0].Duration || ahead && !found[0].End.After(at) {
		return
	}
	said := found[0].Span
	if c.Plan || !c.ExpiresAt.IsZero() {
		c.ExpiresAt = said.End
	}
	if c.Plan || !c.ValidFrom.IsZero() {
		c.ValidFrom = said.Start
	}
}
