package guard

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closers gives the closing marks of each opening quotation mark. 《》 enclose a title,
// which is no quotation.
var closers = map[rune]string{
	'"': "\"", '＂': "＂", '“': "”", '„': "“”", '‘': "’", '「': "」", '『': "』", '«': "»", '‹': "›",
	'﹁': "﹂", '﹃': "﹄", '〝': "〞〟", '\'': "'",
}

// QuotedSpans returns the byte ranges of text that stand inside of quotation marks, without
// the marks, in order and apart from each other; of nested quotations the outer one.
// Apostrophes and inch marks are no quotation marks. A quotation that is never closed
// within its paragraph ends with its line. An empty quotation has no range.
func QuotedSpans(text string) [][2]int {
	closed := pairQuotes(text)
	var spans [][2]int
	done := 0
	for _, q := range closed {
		if q.start < done {
			continue
		}
		end := q.end
		if end < 0 {
			end = q.start + len(firstLine(text[q.start:]))
		}
		if end > q.start {
			spans = append(spans, [2]int{q.start, end})
		}
		done = end
	}
	return spans
}

// pairQuotes lists the quotations of text in the order of their opening marks. One that is
// not closed within its paragraph has the end -1.
func pairQuotes(text string) []piece {
	var all []piece
	open := map[rune][]int{} // opening mark → places in all
	newline := false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\n' {
			if newline {
				clear(open)
			}
			newline = true
		} else if r != '\r' && r != ' ' && r != '\t' {
			newline = false
		}
		if mark, ok := closedBy(text, i, n, r, open); ok {
			last := len(open[mark]) - 1
			all[open[mark][last]].end = i
			open[mark] = open[mark][:last]
		} else if _, ok := closers[r]; ok && opensQuote(text, i, r) && (r != '\'' || len(open[r]) == 0) {
			open[r] = append(open[r], len(all))
			all = append(all, piece{i + n, -1})
		}
		i += n
	}
	return all
}

// closedBy returns the opening mark of the quotation that the mark at i closes.
func closedBy(text string, i, n int, r rune, open map[rune][]int) (rune, bool) {
	for _, mark := range openers[r] {
		if len(open[mark]) > 0 && (mark != '\'' && mark != '‘' || closesSingle(text, i, n, r)) {
			return mark, true
		}
	}
	return 0, false
}

// openers gives the opening marks of each closing mark.
var openers = func() map[rune][]rune {
	m := map[rune][]rune{}
	for open, close := range closers {
		for _, r := range close {
			m[r] = append(m[r], open)
		}
	}
	for _, marks := range m {
		slices.Sort(marks)
	}
	return m
}()

var elision = regexp.MustCompile(`(?i)^'(?:\d0s|tis|twas|cause|em|til|bout|n'|s\b)`)

// opensQuote tells a quotation mark at i from an apostrophe and from an inch mark.
func opensQuote(text string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	switch r {
	case '"':
		return i == 0 || !unicode.IsDigit(before) || strings.IndexByte(firstLine(text[i+1:min(len(text), i+maxPossessive)]), '"') >= 0 && !inchMark(text, i)
	case '\'':
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return i+1 < len(text) && !unicode.IsSpace(after) && (i == 0 || !wordRune(before)) && !elision.MatchString(text[i:min(len(text), i+8)])
	}
	return true
}

// inchMark reports whether the mark at i follows a measure: 27" and 5'10".
func inchMark(text string, i int) bool {
	rest := text[i+1:]
	return rest == "" || strings.ContainsRune(" ,.;)x", rune(rest[0]))
}

// maxPossessive is how far behind an ambiguous mark another one is looked for, in bytes.
const maxPossessive = 256

// wordRune reports whether an apostrophe may stand beside r within a word.
func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !isCJK(r)
}

// closesSingle tells a closing single quotation mark at i from an apostrophe.
func closesSingle(s string, i, n int, mark rune) bool {
	after, _ := utf8.DecodeRuneInString(s[i+n:])
	if i+n < len(s) && wordRune(after) || i == 0 {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); unicode.IsSpace(before) {
		return false
	}
	if s[i-1] != 's' || !isLower(byteAt(s, i+n+1)) {
		return true
	}
	// "the students' rooms are cold'": a possessive, if the quotation is closed later on.
	rest := firstLine(s[i+n : min(len(s), i+n+maxPossessive)])
	for later, r := range rest {
		if r != mark {
			continue
		}
		if later == 0 || isBlank(rest[later-1]) {
			return true // another quotation opens
		}
		if after, _ := utf8.DecodeRuneInString(rest[later+n:]); later+n == len(rest) || !wordRune(after) {
			return false
		}
	}
	return true
}

func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// firstLine is s up to its first line break.
func firstLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i]
	}
	return s
}
