package profile

import (
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/canon"
	"golang.org/x/text/unicode/norm"
)

// unit is what asking-words are compared by: one Chinese character, or one word in the
// forms that it may have in a dictionary, as written first. The zero unit is punctuation.
type unit [4]string

// stop reports whether u is punctuation, which no phrase crosses.
func (u unit) stop() bool { return u[0] == "" }

func (u unit) is(word string) bool {
	return u[0] == word || u[1] == word || u[2] == word || u[3] == word
}

// units takes text apart.
func units(text string) []unit {
	text = canon.Simplify(strings.ToLower(norm.NFKC.String(text)))
	found := make([]unit, 0, len(text)/3+1)
	start := -1
	flush := func(end int) {
		if start >= 0 {
			found = append(found, wordUnit(strings.Trim(strings.ReplaceAll(text[start:end], "’", "'"), "'")))
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			flush(i)
			found = append(found, unit{string(r)})
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		case (r == '\'' || r == '’') && start >= 0:
		case unicode.IsSpace(r):
			flush(i)
		default:
			flush(i)
			if n := len(found); n > 0 && !found[n-1].stop() {
				found = append(found, unit{})
			}
		}
	}
	flush(len(text))
	return found
}

// wordUnit finds the dictionary forms of an English word. It undoes no more than -s, -ing
// and -ed, since a full stemmer makes "animation" an animal and "likely" a liking.
func wordUnit(w string) unit {
	w = strings.TrimSuffix(w, "'s")
	u := unit{w}
	if stem, ok := strings.CutSuffix(w, "ies"); ok && len(stem) > 1 {
		u[1], u[2] = stem+"y", stem+"ie"
		return u
	}
	if stem, ok := strings.CutSuffix(w, "s"); ok && len(stem) > 2 && !strings.HasSuffix(stem, "s") {
		u[1] = stem
		if short, ok := strings.CutSuffix(stem, "e"); ok {
			u[2] = short
		}
		return u
	}
	for _, ending := range []string{"ing", "ed"} {
		stem, ok := strings.CutSuffix(w, ending)
		if n := len(stem); ok && n > 2 {
			u[1], u[2] = stem, stem+"e"
			if stem[n-1] == stem[n-2] {
				u[3] = stem[:n-1]
			}
			return u
		}
	}
	return u
}
