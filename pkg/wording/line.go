package wording

import (
	"regexp"
	"strings"
	"unicode"
)

// mimicry is a bracket that would begin a citation.
var mimicry = regexp.MustCompile(`(?i)[\[［]([\s\p{Cf}]*memory)`)

var angles = strings.NewReplacer("<", "‹", ">", "›", "＜", "‹", "＞", "›")

// Line is text as it may stand in a line of a prompt: on one line, without control
// characters and marks that turn the direction of writing, and unable to open or close a
// block of a prompt or to look like a citation.
func Line(text string) string {
	text = strings.Join(strings.Fields(strings.Map(visible, text)), " ")
	return mimicry.ReplaceAllString(angles.Replace(text), "($1")
}

// visible folds control characters into white space and drops marks that nobody sees, but
// for the joiners that emoji and some scripts are written with.
func visible(r rune) rune {
	const nonJoiner, joiner = '\u200c', '\u200d'
	switch {
	case unicode.IsControl(r):
		return ' '
	case r == joiner || r == nonJoiner:
		return r
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// maxValue is how much of a value stands in a sentence, in characters: a value is a few
// words, and what is longer is recognised by its beginning.
const maxValue = 60

// shorten cuts text behind its last whole word within n characters. Chinese has no gaps
// between words and is cut anywhere.
func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	end := n
	for end > n/2 && latin(runes[end-1]) && latin(runes[end]) {
		end--
	}
	if end == n/2 {
		end = n // one word: cut within it
	}
	return strings.TrimRightFunc(string(runes[:end]), unicode.IsSpace) + "…"
}

func latin(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

var innerQuotes = strings.NewReplacer("“", "‘", "”", "’", `"`, "'")

// value is a user's value as it stands in a sentence, in quotation marks where it would
// run into the sentence around it.
func value(v string, quoted bool) string {
	v = shorten(Line(v), maxValue)
	if quoted || v == "" || strings.ContainsAny(v, ".。;；!！?？:：…\"“”") {
		return "“" + innerQuotes.Replace(v) + "”"
	}
	return v
}
