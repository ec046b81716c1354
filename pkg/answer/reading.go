package answer

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// The bounds of what can be an answer at all.
const (
	maxSentences = 16
	maxSentence  = 400
)

// span is a stretch of a content.
type span struct{ from, to int }

func (s span) empty() bool { return s.to <= s.from }

// join is the stretch that holds both.
func (s span) join(o span) span {
	switch {
	case s.empty():
		return o
	case o.empty():
		return s
	}
	return span{min(s.from, o.from), max(s.to, o.to)}
}

// reading is what a message says about a question.
type reading struct {
	// chosen and denied are sides; offered those that were only pointed at ("the first").
	chosen, denied, offered []int
	both, all, none         bool
	// refutes is set when one of the denied was named by its value.
	refutes        bool
	yes, no, wrong bool
	or, and        bool
	// agrees is set by "okay", which answers only an offer to do something.
	agrees bool
	// other is a value of no side, two when there are several.
	other  span
	others int
	// settled is set by signs that the user puts something right, or insists.
	settled bool
	// about is set when the words name what the question is about.
	about bool
	// qualified is set when a value is said to hold only somewhere; what spans the clauses
	// that say so.
	qualified bool
	what      span
	// quote spans the sentences that answer, picks the values in them.
	quote, picks span
	// strayed is set when something else was said before.
	strayed bool
}

// says reports whether anything in it could be an answer.
func (r *reading) says() bool {
	return len(r.chosen)+len(r.denied)+r.others > 0 || r.both || r.all || r.none || r.yes || r.no || r.wrong
}

// restart forgets what was answered so far.
func (r *reading) restart() { *r = reading{about: r.about, strayed: r.strayed} }

// verdict is what a sentence is to an answer.
type verdict int

const (
	// foreign sentences are about something else.
	foreign verdict = iota
	// idle ones say nothing: thanks, apologies.
	idle
	// doubtful ones make a guess of what was said before.
	doubtful
	// speaking ones answer, perhaps.
	speaking
)

// read reads a message of the user. It reports false where nothing of it can be an answer.
func (m *matter) read(content string, offers []int) (reading, bool) {
	var r reading
	sentences := sentence.Split(content)
	if len(sentences) > maxSentences {
		return r, false
	}
	doubted := false
	for i := range sentences {
		s := &sentences[i]
		if s.Question || s.To-s.From > maxSentence {
			continue
		}
		one, v := m.sentence(content, s, offers, &r)
		switch v {
		case doubtful:
			r.restart()
			doubted = true
		case foreign:
			r.strayed = r.strayed || !r.says()
			if (r.both || r.all) && !r.qualified {
				r.qualified, r.what, r.quote = one.qualified, one.what, r.quote.join(one.what)
			}
		case idle:
			r.settled, r.about = r.settled || one.settled, r.about || one.about
			r.agrees, r.quote = r.agrees || one.agrees, r.quote.join(one.quote)
		case speaking:
			r.merge(&one)
		}
	}
	return r, (r.says() || r.agrees) && (!doubted || r.settled)
}

// merge adds what a later sentence says; if it corrects, it counts alone.
func (r *reading) merge(o *reading) {
	if o.settled && len(o.chosen) > 0 && len(r.chosen) > 0 {
		r.restart()
	}
	r.chosen, r.denied, r.offered = union(r.chosen, o.chosen), union(r.denied, o.denied), union(r.offered, o.offered)
	r.both, r.all, r.none = r.both || o.both, r.all || o.all, r.none || o.none
	r.yes, r.no, r.wrong, r.or, r.and = r.yes || o.yes, r.no || o.no, r.wrong || o.wrong, r.or || o.or, r.and || o.and
	if o.others > 0 {
		r.other, r.others = o.other, r.others+o.others
	}
	r.agrees, r.refutes = r.agrees || o.agrees, r.refutes || o.refutes
	r.settled, r.about, r.qualified = r.settled || o.settled, r.about || o.about, r.qualified || o.qualified
	r.what, r.quote, r.picks = r.what.join(o.what), r.quote.join(o.quote), r.picks.join(o.picks)
}

func union(a, b []int) []int {
	for _, n := range b {
		if !slices.Contains(a, n) {
			a = append(a, n)
		}
	}
	return a
}

// idles reports whether a message says nothing but thanks, apologies and the like, or that
// the user does not know.
func (m *matter) idles(content string) bool {
	for _, s := range sentence.Split(content) {
		if s.Question || s.To-s.From > maxSentence {
			return false
		}
		if _, v := m.sentence(content, &s, nil, &reading{}); v == foreign || v == speaking {
			return false
		}
	}
	return true
}

// tries reports whether a message says nothing but what could answer the question.
func (m *matter) tries(content string) bool {
	r, ok := m.read(content, m.unput().order)
	return ok && !r.strayed && (len(r.chosen)+len(r.denied)+r.others > 0 || r.both || r.all || r.none)
}

// asksAnything reports whether a message of the assistant wants an answer.
func asksAnything(content string) bool {
	return slices.ContainsFunc(sentence.Split(content), func(s sentence.Sentence) bool { return s.Question || requests.MatchString(s.Text) })
}

// speaksOf reports whether a message names what the question is about.
func (m *matter) speaksOf(content string) bool {
	sentences := sentence.Split(content)
	return len(sentences) <= maxSentences &&
		slices.ContainsFunc(sentences, func(s sentence.Sentence) bool { return m.hear(content, s).about })
}

// meets reports whether the stretches have anything in common.
func (s span) meets(o span) bool { return !s.empty() && !o.empty() && s.from < o.to && o.from < s.to }
