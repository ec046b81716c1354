package index

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
	"github.com/mnemond/mnemond/pkg/terms"
)

// The terms of dates: on which day or in which month something begins, and on which or in
// which it was said.
const (
	termOn   = "on:"
	termSaid = "said:"
	dayForm  = "2006-01-02"
	monForm  = "2006-01"
)

// maxDays bounds the days of one memory's evidence, and those of one phrase of a query.
const maxDays = 7

// dates are terms for a day and its month, each once.
type dates []string

func (d *dates) add(kind string, at time.Time) {
	for _, form := range []string{dayForm, monForm} {
		if t := kind + at.Format(form); !slices.Contains(*d, t) {
			*d = append(*d, t)
		}
	}
}

// dateTerms are those of a memory, by the days of whoever said it.
func dateTerms(m *memory.Memory) []string {
	var out dates
	if !m.ValidFrom.IsZero() {
		out.add(termOn, m.ValidFrom.In(zoneOf(m)))
	}
	for _, e := range m.Evidence[max(0, len(m.Evidence)-maxDays):] {
		if !e.At.IsZero() {
			out.add(termSaid, e.At)
		}
	}
	return out
}

func zoneOf(m *memory.Memory) *time.Location {
	if at := m.LastEvidence().At; !at.IsZero() {
		return at.Location()
	}
	return time.UTC
}

// DocumentTerms are the terms of a document beside those of its text: the day and the month
// in which it was said.
func DocumentTerms(d *document.Document) []string {
	var out dates
	if !d.Source.At.IsZero() {
		out.add(termSaid, d.Source.At)
	}
	return out
}

// QueryDates are the terms of the dates that a query names, said at now in the zone of whoever
// asks. Days stand for what begins on them. Only a query that asks for nothing else ("what
// did I say on 5 March?", 3月5号我说了什么) also asks for what was said on a day, and for all of
// a month: else the name of a month would find everything.
func QueryDates(query string, now time.Time) []string {
	mentions := temporal.FindDirected(query, now, temporal.Past)
	if len(mentions) == 0 {
		return nil
	}
	alone := asksForADate(query, mentions)
	today := now.Format(dayForm)
	var out []string
	for _, m := range append(mentions, temporal.Find(query, now)...) {
		for _, date := range datesOf(m, alone) {
			if alone {
				out = append(out, termOn+date, termSaid+date)
			} else if date != today {
				out = append(out, termOn+date)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// datesOf are the days of a phrase, or its month.
func datesOf(m temporal.Mention, months bool) []string {
	var out []string
	switch m.Granularity {
	case temporal.Month:
		if months && !m.Recurring && !m.Duration {
			out = append(out, m.Start.Format(monForm))
		}
	case temporal.Minute, temporal.Hour, temporal.Part, temporal.Day, temporal.Weekend, temporal.Week:
		for day := m.Start; day.Before(m.End) && len(out) < maxDays; day = day.AddDate(0, 0, 1) {
			out = append(out, day.Format(dayForm))
		}
	}
	return out
}

// saying are the terms of words that ask what was said or done.
var saying = termsOf(`
mention discuss talk speak chat happen ask write conversation plan
说 聊 提 提到 讲 讲到 谈 谈到 聊到 说到 聊天 发生 做 事 事情 干 记录
`)

func termsOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		for _, t := range terms.Of(w) {
			set[t] = true
		}
	}
	return set
}

// asksForADate reports whether a query says nothing beside its dates but that something was
// said or done.
func asksForADate(query string, mentions []temporal.Mention) bool {
	rest, at := "", 0
	for _, m := range mentions {
		rest += query[at:m.From] + "\n"
		at = m.To
	}
	return !slices.ContainsFunc(terms.Of(rest+query[at:]), func(t string) bool { return !saying[t] })
}

// dateText is a day in the language of a text.
func dateText(at time.Time, text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return at.Format("2006年1月2日 ") + weekdays[at.Weekday()]
	}
	return at.Format("Monday 2 January 2006")
}

var weekdays = [...]string{"周日", "周一", "周二", "周三", "周四", "周五", "周六"}
