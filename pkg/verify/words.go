package verify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/terms"
)

// Shares of the words of a candidate that must stand in its evidence. A text may turn the
// user's words into a sentence, but may not say something else; of the answer to a question,
// which is put into words that nobody said, only the value must stand there.
const (
	minTextShare  = 0.6
	minValueShare = 0.5
)

// grounded reports whether the numbers of text, and its Latin words with a capital letter,
// stand in the evidence: they are what a model is most apt to invent. A number must stand
// there in whole. "I" is no name, and neither is the "My" of an answer put into a sentence.
func grounded(text, evidence string) bool {
	text, evidence = narrow(text), narrow(evidence)
	folded := ""
	for rest := text; rest != ""; {
		var run string
		run, rest = cutRun(rest)
		first, size := utf8.DecodeRuneInString(run)
		switch {
		case digit(first):
			if !numbered(evidence, run) {
				return false
			}
		case size < len(run) && unicode.IsUpper(first) && run != "My" && !strings.Contains(evidence, run):
			if folded == "" {
				folded = Fold(evidence)
			}
			if !strings.Contains(folded, Fold(run)) {
				return false
			}
		}
	}
	return true
}

// numbered reports whether number stands in text in whole.
func numbered(text, number string) bool {
	for rest := text; rest != ""; {
		var run string
		if run, rest = cutRun(rest); run == number {
			return true
		}
	}
	return false
}

// cutRun returns the first number or word of s, or nothing, and what stands behind it. A
// word begins with a letter; marks, apostrophes and hyphens are part of it.
func cutRun(s string) (run, rest string) {
	from := strings.IndexFunc(s, func(r rune) bool { return digit(r) || unicode.IsLetter(r) })
	if from < 0 {
		return "", ""
	}
	s = s[from:]
	within := inWord
	if digit(rune(s[0])) {
		within = digit
	}
	to := strings.IndexFunc(s, func(r rune) bool { return !within(r) })
	if to < 0 {
		return s, ""
	}
	return s[:to], s[to:]
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == '-'
}

// worded reports whether at least that share of the different words of text stands in the
// evidence. Words are the stems of what is written in an alphabet, and characters of Chinese;
// function words are none.
func worded(text, evidence string, least float64) bool {
	if verbatim(evidence, text) {
		return true
	}
	given, said, found := wordsOf(evidence), wordsOf(text), 0
	for w := range said {
		if given[w] {
			found++
		}
	}
	return float64(found) >= least*float64(len(said))
}

// verbatim reports whether s stands in text as it is, from one end of a word to another.
func verbatim(text, s string) bool {
	before, after, ok := strings.Cut(text, s)
	if !ok || s == "" {
		return ok
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	left, _ := utf8.DecodeLastRuneInString(before)
	right, _ := utf8.DecodeRuneInString(after)
	return !(joins(left) && joins(first)) && !(joins(last) && joins(right))
}

// joins reports whether r forms a word with another such character beside it.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unicode.Is(unicode.Han, r)
}

func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, term := range terms.Of(s) {
		whole := true
		for _, r := range term {
			if unicode.Is(unicode.Han, r) {
				out[string(r)], whole = true, false
			}
		}
		if whole {
			out[term] = true
		}
	}
	return out
}
