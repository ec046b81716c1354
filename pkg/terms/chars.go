package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mnemond/mnemond/pkg/canon"
)

// charClass groups characters by how they are cut into terms.
type charClass uint8

const (
	separator charClass = iota
	word                // letters, digits and marks of scripts that separate words
	han
	hiragana
	katakana
	hangul
	unspaced // scripts of South-East Asia that do not separate words
)

// prolongedSound lengthens the Kana before it; Unicode gives it no script of its own.
const prolongedSound = 'ー'

var unspacedScripts = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// classOf gives the class of a normalised character.
func classOf(r rune) charClass {
	if r < utf8.RuneSelf {
		if isAlnum(byte(r)) {
			return word
		}
		return separator
	}
	switch {
	case unicode.Is(unicode.Han, r):
		return han
	case r == prolongedSound, unicode.Is(unicode.Katakana, r):
		return katakana
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
		return separator
	case unicode.In(r, unspacedScripts...):
		return unspaced
	}
	return word
}

// runEnd is the end of the run of characters of one class that begins at i.
func runEnd(text string, i int, class charClass) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if classOf(r) != class {
			return i
		}
		i += size
	}
	return i
}

func isAlnum(b byte) bool { return isDigit(b) || isLetter(b) }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isLetter is about lower-case ASCII: text is normalised first.
func isLetter(b byte) bool { return 'a' <= b && b <= 'z' }

// normalise brings the ways of writing the same text together: compatibility forms
// (NFKC), letter case, accents of Latin letters, traditional characters, typographic
// apostrophes and hyphens, invisible format characters. Bytes that are not UTF-8 and all
// white space become blanks.
func normalise(text string) string {
	if isASCII(text) {
		return strings.ToLower(strings.Map(foldSpace, text))
	}
	text = norm.NFKC.String(strings.ToValidUTF8(text, " "))
	text = strings.Map(foldRune, canon.Simplify(text))
	return foldAccents(text)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func foldSpace(r rune) rune {
	switch r {
	case '\t', '\n', '\v', '\f', '\r':
		return ' '
	}
	return r
}

// foldRune folds one character; a negative result drops it.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return unicode.ToLower(foldSpace(r))
	case r == '’', r == '‘', r == 'ʼ':
		return '\''
	case r == '\u2010':
		return '-'
	case r == '\u200b', unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	// By way of upper case, so that letters with two lower-case forms (σ and ς) meet.
	return unicode.ToLower(unicode.ToUpper(r))
}

// foldAccents removes the combining marks of Latin letters: Zürich is also written Zurich.
// In other scripts a mark can make another letter, and stays.
func foldAccents(text string) string {
	if !strings.ContainsFunc(text, isAccentedLatin) {
		return text
	}
	var b strings.Builder
	latin := false
	for _, r := range norm.NFD.String(text) {
		if latin && unicode.Is(unicode.Mn, r) {
			continue
		}
		latin = unicode.Is(unicode.Latin, r)
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

func isAccentedLatin(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.Is(unicode.Latin, r) || unicode.Is(unicode.Mn, r))
}
