package terms

import (
	"strings"
	"unicode/utf8"
)

// Of returns the terms of text in the order in which they stand there, repeats kept. Each
// is non-empty, valid UTF-8, in lower case and in simplified characters, and Latin letters
// are without accents. It is nil if the text holds nothing but function words and
// punctuation. Time and memory are linear in the length of text.
//
//   - English words: stemmed (Porter2), without stop words and contractions. Irregular forms
//     count as the word that they are a form of (went as go), and everyday names of the
//     closest kin and commonest things as one (mum as mother, 父亲 as 爸). Will and May are
//     terms where they are written as names.
//   - What is joined by punctuation (v1.18.3, PDX-42, /v2/orders/export, ann@example.com):
//     whole, without outer punctuation, and then each part of more than one character; so
//     are letters with digits after or before them (iphone13, 164cm).
//   - Chinese: cut at function words (我, 的, 什么, 一只); between two cuts, the pairs of
//     neighbouring characters, or the one character that stands there. Some nouns of one
//     character are terms inside longer words too, so that 我的猫 finds 橘猫. A number and a
//     Chinese unit after it are one term (3月), without leading zeros; 号 counts as 日.
//   - Kana, Hangul, Thai, Lao, Khmer and Burmese: pairs of neighbouring characters.
//   - Words of other scripts: as they are.
func Of(text string) []string {
	s := scanner{text: normalise(markNames(text))}
	for s.pos < len(s.text) {
		s.next()
	}
	return s.out
}

// scanner walks over normalised text once.
type scanner struct {
	text string
	pos  int
	out  []string
	// number is the number just emitted, as long as only blanks followed it: a Chinese
	// unit or measure word may come next.
	number string
}

// next consumes one run of characters of a class and emits its terms.
func (s *scanner) next() {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	start, class := s.pos, classOf(r)
	switch class {
	case separator:
		s.pos += size
		if r != ' ' {
			s.number = ""
		}
	case word:
		s.pos = chunkEnd(s.text, start)
		s.chunk(s.text[start:s.pos])
	case han:
		s.pos = runEnd(s.text, start, class)
		s.han(s.text[start:s.pos])
	default:
		s.pos = runEnd(s.text, start, class)
		s.number = ""
		s.pairs(s.text[start:s.pos], class)
	}
}

// pairs emits neighbouring characters of a script that is written without blanks or that
// glues particles to its words. A lone Hiragana is a particle and no term.
func (s *scanner) pairs(run string, class charClass) {
	runes := []rune(run)
	if len(runes) == 1 {
		if class != hiragana {
			s.out = append(s.out, run)
		}
		return
	}
	s.out = appendPairs(s.out, run, len(runes))
}

// appendPairs appends the overlapping pairs of the n characters of run.
func appendPairs(out []string, run string, n int) []string {
	for range n - 1 {
		_, first := utf8.DecodeRuneInString(run)
		_, second := utf8.DecodeRuneInString(run[first:])
		out = append(out, run[:first+second])
		run = run[first:]
	}
	return out
}

// hasDigitsOnly reports whether s is a plain number.
func hasDigitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
