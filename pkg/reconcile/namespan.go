package reconcile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// nameSpan is a place in a topic that names keys, or plans.
type nameSpan struct {
	from, to int
	keys     []memory.Key
	plans    bool
}

const (
	// maxName is the longest name of a key, in words or Chinese characters.
	maxName = 8
	// maxAtoms bounds the words and characters of a topic among which names are looked for.
	maxAtoms = 64
)

// nameSpans are the shortest places in topic that name one of the keys, or plans.
func nameSpans(r *profile.Registry, topic string, keys []memory.Key, plans bool) []nameSpan {
	if len(keys) == 0 && !plans {
		return nil
	}
	at := atoms(topic)
	var out []nameSpan
	var shorter []nameSpan // those that end one atom before, by their first
	for to := range at {
		row := make([]nameSpan, to+1)
		for from := to; from >= 0 && from > to-maxName; from-- {
			row[from] = naming(r, topic, at[from].from, at[to].to, keys, plans)
			s := row[from]
			if from < to {
				s = s.without(row[from+1]).without(shorter[from])
			}
			if len(s.keys) > 0 || s.plans {
				out = append(out, s)
			}
		}
		shorter = row
	}
	return out
}

// naming is what topic[from:to] names, of the keys and the plans.
func naming(r *profile.Registry, topic string, from, to int, keys []memory.Key, plans bool) nameSpan {
	s := nameSpan{from: from, to: to}
	s.keys, s.plans = named(r, topic[from:to])
	s.keys = slices.DeleteFunc(s.keys, func(k memory.Key) bool { return !slices.Contains(keys, k) })
	s.plans = s.plans && plans
	return s
}

// without is s for what o does not name.
func (s nameSpan) without(o nameSpan) nameSpan {
	s.keys = slices.DeleteFunc(slices.Clone(s.keys), func(k memory.Key) bool { return slices.Contains(o.keys, k) })
	s.plans = s.plans && !o.plans
	return s
}

// atoms are the words of a text, and its Chinese characters one by one.
func atoms(text string) []word {
	var out []word
	for _, w := range split(text) {
		if !w.han {
			out = append(out, w)
			continue
		}
		for i, r := range w.text {
			out = append(out, word{from: w.from + i, to: w.from + i + utf8.RuneLen(r), han: true})
		}
	}
	return out[:min(len(out), maxAtoms)]
}

// severalThings reports whether two of the spans name different things.
func severalThings(spans []nameSpan) bool {
	for i, s := range spans {
		for _, o := range spans[:i] {
			shared := slices.ContainsFunc(s.keys, func(k memory.Key) bool { return slices.Contains(o.keys, k) })
			if !shared && !(s.plans && o.plans) {
				return true
			}
		}
	}
	return false
}

// outside is topic with blanks in the place of the spans.
func outside(topic string, spans []nameSpan) string {
	rest := []byte(topic)
	for _, s := range spans {
		copy(rest[s.from:s.to], strings.Repeat(" ", s.to-s.from))
	}
	return string(rest)
}
