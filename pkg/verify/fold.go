package verify

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Quoted reports whether quote stands in content: white space, punctuation, letter case
// and character width are folded, and nothing fuzzier.
func Quoted(content, quote string) bool {
	q := Fold(quote)
	return q != "" && strings.Contains(Fold(content), q)
}

// Fold is text without what quoting changes: white space, punctuation, case and width.
func Fold(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range narrow(s) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			out = append(out, byte(r))
		case 'A' <= r && r <= 'Z':
			out = append(out, byte(r-'A'+'a'))
		case r < utf8.RuneSelf:
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r) || unicode.IsMark(r):
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

// wideLead is the first byte of every wide or half-width form that stands for a letter or a
// digit of another width.
const wideLead = 0xEF

// narrow is s with characters in their usual width.
func narrow(s string) string {
	if strings.IndexByte(s, wideLead) < 0 {
		return s
	}
	return width.Fold.String(s)
}
