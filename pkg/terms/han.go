package terms

import (
	"strings"
	"unicode/utf8"
)

// han emits the terms of a run of Han characters. The run is cut where a function word
// stands (我, 的, 什么) or a numeral with its measure word (一只); what is left between two
// cuts is a segment, and every pair of neighbours in it is a term. A segment of one
// character is a term itself. Nouns of one character are terms wherever they stand, or
// where a segment ends (see nounsAnywhere, nounsAtEnd), so that 我的猫 finds 橘猫.
//
// A function word is not seen inside a longer word that is listed for it: 会 cuts, 会议 does
// not. Where the list lacks a word, its remains are still the same terms in a query as in a
// document.
func (s *scanner) han(run string) {
	if s.number != "" {
		run = s.unit(run)
	}
	s.number = ""
	segment := 0
	for i := 0; i < len(run); {
		size, cuts := cutAt(run[i:])
		if cuts {
			s.segment(run[segment:i])
			segment = i + size
		}
		i += size
	}
	s.segment(run[segment:])
}

// unit joins the number before run with a unit that run begins with, or drops a measure
// word there, and returns the rest of run. A number of one or two digits says little alone
// and is replaced by the joined term.
func (s *scanner) unit(run string) string {
	r, size := utf8.DecodeRuneInString(run)
	switch {
	case strings.ContainsRune(units, r):
		if len(s.number) <= 2 {
			s.out = s.out[:len(s.out)-1]
		}
		s.out = append(s.out, counted(s.number, r))
		return run[size:]
	case strings.ContainsRune(measures, r):
		return run[size:]
	}
	return run
}

// counted is the term of a number and its unit. 05号 and 5日 are the same day.
func counted(number string, unit rune) string {
	if unit == '号' {
		unit = '日'
	}
	if digits := strings.TrimLeft(number, "0"); digits != "" {
		number = digits
	}
	return number + string(unit)
}

// cutAt looks at the beginning of run: how many bytes belong together there, and whether
// they cut.
func cutAt(run string) (size int, cuts bool) {
	first, firstSize := utf8.DecodeRuneInString(run)
	for _, e := range hanWords[first] {
		if !strings.HasPrefix(run, e.word) {
			continue
		}
		if len(e.word) > firstSize {
			return len(e.word), e.stop
		}
		size, cuts = firstSize, e.stop
	}
	if n := countedSize(run); n > 0 {
		return n, true
	}
	return max(size, firstSize), cuts
}

// maxNumeral is the longest numeral that is looked at, in characters. The bound keeps a
// long row of numerals from being read again from each of them.
const maxNumeral = 8

// countedSize is the length of a numeral or demonstrative with its measure word (一只, 这条,
// 三十五个) at the beginning of run, or 0.
func countedSize(run string) int {
	n := 0
	for i, r := range run {
		switch {
		case n > 0 && strings.ContainsRune(measures, r):
			return i + utf8.RuneLen(r)
		case n == maxNumeral || !strings.ContainsRune(numerals, r):
			return 0
		}
		n++
	}
	return 0
}

// segment emits the terms of what stands between two cuts.
func (s *scanner) segment(seg string) {
	n := utf8.RuneCountInString(seg)
	switch n {
	case 0:
		return
	case 1:
		s.out = append(s.out, seg)
		return
	}
	at := len(s.out)
	s.out = appendPairs(s.out, seg, n)
	for i, pair := range s.out[at:] {
		if same, ok := hanEveryday[pair]; ok {
			s.out[at+i] = same
		}
	}
	for i, r := range seg {
		size := utf8.RuneLen(r)
		if strings.ContainsRune(nounsAnywhere, r) || i+size == len(seg) && strings.ContainsRune(nounsAtEnd, r) {
			s.out = append(s.out, seg[i:i+size])
		}
	}
}
