// Package sentence cuts a message into sentences and says in which language each is to be
// read. It is shared by the rules of both languages; it decides nothing about meaning.
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/guard"
)

// Language is the language whose rules read a sentence.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Sentence is one sentence of a content: content[From:To], without surrounding white
// space, with its closing mark.
type Sentence struct {
	Text     string
	From, To int
	Language Language
	// Question is whether it ends with a question mark.
	Question bool
	// Quoted holds the byte ranges of Text that stand in quotation marks.
	Quoted [][2]int
}

// InQuotes reports whether any byte of Text[from:to] stands in quotation marks.
func (s Sentence) InQuotes(from, to int) bool {
	for _, q := range s.Quoted {
		if from < q[1] && q[0] < to {
			return true
		}
	}
	return false
}

// Split returns the sentences of content in order. A quotation is never cut in two. It
// takes time linear in the length of content.
func Split(content string) []Sentence {
	c := cutter{content: content, quoted: guard.QuotedSpans(content)}
	c.ahead = c.quoted
	start := 0
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRuneInString(content[i:])
		next := i + size
		if ends(content, i, next, r) && !c.inside(i, next) {
			next = closing(content, next)
			c.add(start, next)
			start = next
		} else if end, ok := c.closedSentence(i); ok {
			c.add(start, end)
			start, next = end, end
		}
		i = next
	}
	c.add(start, len(content))
	return c.out
}

// cutter is the state of one Split.
type cutter struct {
	content string
	// quoted are the spans in quotation marks, the marks outside, that may lie in the
	// sentence at hand; ahead are those that may lie at the rune at hand. Both are
	// ordered and only ever get shorter.
	quoted, ahead [][2]int
	out           []Sentence
}

// ends reports whether the rune at content[i:next] closes a sentence.
func ends(content string, i, next int, r rune) bool {
	switch r {
	case '。', '！', '？', '；', '!', '?', ';', '\n', '…':
		return true
	case '.':
		rest, size := utf8.DecodeRuneInString(content[next:])
		if size > 0 && !unicode.IsSpace(rest) && !unicode.Is(unicode.Han, rest) {
			return false
		}
		return !abbreviation(content[:i])
	}
	return false
}

var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "prof": true, "st": true, "jr": true,
	"sr": true, "vs": true, "e.g": true, "i.e": true, "approx": true,
	"jan": true, "feb": true, "aug": true, "sept": true, "oct": true, "nov": true, "dec": true,
}

// abbreviation reports whether the text before a full stop ends in one, or in an initial
// ("J. Smith").
func abbreviation(before string) bool {
	at := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' })
	word := before[at+1:]
	if abbreviations[strings.ToLower(word)] {
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && size > 0 && unicode.IsUpper(r) && r != 'I'
}

// closing moves past further closing marks and quotation marks ("?!", "。”").
func closing(content string, at int) int {
	for at < len(content) {
		r, size := utf8.DecodeRuneInString(content[at:])
		if !strings.ContainsRune("。！？!?…”’」』\")）", r) {
			break
		}
		at += size
	}
	return at
}

// inside reports whether content[from:to] stands in a quotation. Calls go forward.
func (c *cutter) inside(from, to int) bool {
	c.skip(from)
	return len(c.ahead) > 0 && from >= c.ahead[0][0] && to <= c.ahead[0][1]
}

// skip moves past the quotations that end before at.
func (c *cutter) skip(at int) {
	for len(c.ahead) > 0 && c.ahead[0][1] < at {
		c.ahead = c.ahead[1:]
	}
}

// closedSentence reports whether a quotation that itself ends a sentence closes at the mark
// at i and a new sentence follows, and where it does.
func (c *cutter) closedSentence(i int) (int, bool) {
	c.skip(i)
	if len(c.ahead) == 0 || c.ahead[0][1] != i {
		return 0, false
	}
	last, _ := utf8.DecodeLastRuneInString(c.content[c.ahead[0][0]:i])
	if !strings.ContainsRune(".。！？!?…", last) {
		return 0, false
	}
	_, size := utf8.DecodeRuneInString(c.content[i:])
	end := closing(c.content, i+size)
	follow, size := utf8.DecodeRuneInString(strings.TrimLeft(c.content[end:], " \t"))
	return end, size > 0 && (unicode.IsUpper(follow) || unicode.Is(unicode.Han, follow))
}

// add appends the sentence in content[from:to] unless it has no words.
func (c *cutter) add(from, to int) {
	text := c.content[from:to]
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	from += len(text) - len(trimmed)
	trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace)
	if !strings.ContainsFunc(trimmed, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return
	}
	s := Sentence{Text: trimmed, From: from, To: from + len(trimmed), Language: LanguageOf(trimmed)}
	end := strings.TrimRight(trimmed, "”’」』\"')） !！….")
	s.Question = strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？")
	for len(c.quoted) > 0 && c.quoted[0][0] < s.To {
		q := c.quoted[0]
		if a, b := max(q[0], s.From), min(q[1], s.To); a < b {
			s.Quoted = append(s.Quoted, [2]int{a - s.From, b - s.From})
		}
		if q[1] > s.To {
			break
		}
		c.quoted = c.quoted[1:]
	}
	c.out = append(c.out, s)
}

// LanguageOf decides by which language's words carry the text: a Latin word counts as
// much as a Han character, so that "I live in 上海" is English and 我在Google工作 Chinese.
// A tie goes to the script that comes first.
func LanguageOf(text string) Language {
	han, latin := 0, 0
	first := Language("")
	inWord := false
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
			inWord = false
			if first == "" {
				first = Chinese
			}
		case unicode.IsLetter(r):
			if !inWord {
				latin++
			}
			inWord = true
			if first == "" {
				first = English
			}
		case r != '\'' && r != '’' && r != '-':
			inWord = false
		}
	}
	switch {
	case han > latin:
		return Chinese
	case latin > han:
		return English
	case first == Chinese:
		return Chinese
	default:
		return English
	}
}
