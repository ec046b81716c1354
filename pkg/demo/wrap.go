package demo

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is how wide the story is at most; a Chinese character takes two.
const columns = 100

// wrap breaks a text into lines that are no wider than columns, between words and between
// Chinese characters; all but the first are indented. What has no place to break is left.
func wrap(text string, indent int) string {
	var b strings.Builder
	col := 0
	for _, p := range pieces(text) {
		word := strings.TrimLeft(p, " ")
		switch wide := columnsOf(p); {
		case col == 0 || col+wide <= columns:
			b.WriteString(p)
			col += wide
		default:
			b.WriteString("\n" + strings.Repeat(" ", indent) + word)
			col = indent + columnsOf(word)
		}
	}
	return b.String()
}

// pieces are the parts of a text that stay whole, each with the spaces before it: words, and
// Chinese characters with the punctuation around them.
func pieces(text string) []string {
	var out []string
	begin, before := 0, rune(0)
	for i, r := range text {
		if i > 0 && parts(before, r) {
			out, begin = append(out, text[begin:i]), i
		}
		before = r
	}
	return append(out, text[begin:])
}

// parts reports whether a line may end between two neighbours.
func parts(before, r rune) bool {
	switch {
	case r == ' ' || before == ' ':
		return before != ' '
	case unicode.IsPunct(r) || unicode.Is(unicode.Ps, before):
		return false
	default:
		return isWide(before) || isWide(r) && !unicode.IsPunct(before)
	}
}

func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		n++
		if isWide(r) {
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}
