package answer

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/mnemond/mnemond/pkg/canon"
)

// folded is a piece of a content in small letters, simplified characters and half width,
// each character at a place that leads back to the content.
type folded struct {
	text string
	// at[i] is where in the content the character that holds text[i] begins; the last
	// element is the end of the piece.
	at []int
}

// fold returns content[from:to] folded.
func fold(content string, from, to int) folded {
	var f folded
	b := make([]byte, 0, to-from)
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(content[i:to])
		n := len(b)
		b = utf8.AppendRune(b, foldRune(r))
		for range len(b) - n {
			f.at = append(f.at, i)
		}
		i += size
	}
	f.at = append(f.at, to)
	f.text = canon.Simplify(string(b))
	if len(f.text) != len(b) {
		f.text = string(b) // a character changed its size: better unsimplified than misplaced
	}
	return f
}

func foldRune(r rune) rune {
	if n := width.LookupRune(r).Folded(); n != 0 {
		r = n
	}
	if r == '’' || r == '‘' {
		return '\''
	}
	return unicode.ToLower(r)
}

// foldText is s folded, without places.
func foldText(s string) string { return fold(s, 0, len(s)).text }
