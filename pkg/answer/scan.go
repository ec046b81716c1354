package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/canon"
)

// token is a word or phrase of a folded sentence.
type token struct {
	kind kind
	// side is the side that a value names.
	side int
	// from and to are its place in the folded sentence, text its words there.
	from, to int
	text     string
	// owned is set when it names the subject as the speaker's own, or the other's.
	owned bool
}

// nobodys is the side of a value that is no side's, and too short to be another one.
const nobodys = -1

// scanner takes sentences apart.
type scanner struct {
	table table
	// matter may be nil: then only the table counts.
	*matter
	// thorough makes it look for values in clauses that are no answer, brief end with the
	// first word that can be none, if nothing before it makes a difference.
	thorough, brief bool
}

// scan takes a folded sentence apart: at each place the longest of the phrases and of what
// the question adds.
func (sc scanner) scan(s string) []token {
	var out []token
	spoken := false // whose the value is has just been said
	stray := false  // the clause says something else
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !wordly(r) {
			if separates(r) || r == '-' && i > 0 && s[i-1] == ' ' {
				out = append(out, token{kind: mark, from: i, to: i + size})
				spoken, stray = false, false
			}
			i += size
			continue
		}
		t := sc.next(s, i, spoken, !stray || sc.thorough)
		t.from, t.text = i, s[i:t.to]
		if sc.matter != nil {
			t.owned = spoken && (t.kind == subject || t.kind == value && sc.asks.prefix(t.text) == len(t.text))
		}
		spoken = spoken && t.kind != unknown && t.kind != value || t.kind == mine || t.kind == thine
		stray = stray || t.kind == unknown
		if n := len(out); t.kind == unknown && n > 0 && out[n-1].kind == unknown && han(t.text) && out[n-1].to == i {
			out[n-1].to, out[n-1].text = t.to, out[n-1].text+t.text
		} else {
			out = append(out, t)
		}
		i = t.to
		if sc.brief && stray && !slices.ContainsFunc(out, token.matters) {
			break
		}
	}
	return out
}

// matters reports whether t makes a difference to what follows it in a sentence.
func (t token) matters() bool {
	return t.picks() || t.kind >= both && t.kind <= none || t.kind == corrects || t.kind == wrong
}

// next is the longest token at s[i:]; of equal ones a value is preferred to a phrase.
func (sc scanner) next(s string, i int, spoken, values bool) token {
	start, _ := utf8.DecodeRuneInString(s[i:])
	b := best{token: token{kind: unknown, to: i + wordLen(s[i:])}, at: i}
	for _, p := range sc.table[start] {
		if sc.matter != nil && !sc.reads(p.kind) {
			continue
		}
		if at := p.re.FindStringIndex(s[i:]); at != nil && !splitsWord(s[i:], at[1]) {
			b.take(p.kind, at[1], 0)
		}
	}
	if sc.matter == nil {
		return b.token
	}
	if sc.among {
		b.take(filler, sc.besides.prefix(s[i:]), 0)
	}
	b.take(subject, sc.around.prefix(s[i:]), 0)
	if spoken {
		b.take(subject, sc.asks.prefix(s[i:]), 0)
	}
	if !values {
		return b.token
	}
	t := sc.value(s, b)
	if t.kind == unknown && sc.among {
		return sc.another(s, b)
	}
	return t
}

// another is the value of another question at the place of b, which says nothing of this one.
func (m *matter) another(s string, b best) token {
	for _, o := range m.rest {
		if t := o.value(s, b); t.kind == value && t.side != nobodys {
			t.kind = filler
			return t
		}
	}
	return b.token
}

// best is the longest token found so far at a place.
type best struct {
	token
	at, length int
}

func (b *best) take(k kind, n, side int) {
	if n > b.length || n == b.length && n > 0 && k >= subject {
		b.token, b.length = token{kind: k, side: side, to: b.at + n}, n
	}
}

// reads reports whether phrases of kind k mean anything for the question.
func (m *matter) reads(k kind) bool {
	switch k {
	case liking, disliking:
		return m.likes >= 0
	case likesBoth:
		return m.prefers
	}
	return true
}

// value is the value at the place of b, if it is longer than b, or else b. Of "the first",
// an offer or a day of the month, neither is sure unless no side has that day.
func (m *matter) value(s string, b best) token {
	offer := b.token
	for i, v := range m.folded {
		if m.likes < 0 && strings.HasPrefix(s[b.at:], v) && !splitsWord(s[b.at:], len(v)) {
			b.take(value, len(v), i)
		}
	}
	if b.kind == unknown || b.kind == value || m.class == canon.ClassDate && dated(s[b.at:]) {
		m.longest(s, &b)
	}
	if offer.kind >= first && offer.kind <= fifth && b.kind == value && b.to == offer.to {
		if b.side == nobodys {
			return offer
		}
		b.kind = unknown
	}
	return b.token
}

// longest takes the longest run of words that is a value in whatever form.
func (m *matter) longest(s string, b *best) {
	for n, end := 0, b.at; n < m.units && end < len(s); {
		r, size := utf8.DecodeRuneInString(s[end:])
		if r == '\n' {
			return
		}
		if !wordly(r) {
			end += size
			continue
		}
		n++
		end += wordLen(s[end:])
		words := s[b.at:end]
		form := canon.Identity(words, m.class)
		if m.likes >= 0 {
			if form == m.forms[0] {
				b.take(subject, len(words), 0)
			}
			continue
		}
		side := m.named(words, form)
		switch {
		case side >= 0:
			b.take(value, len(words), side)
		case m.class != canon.ClassDate:
		case fullDate.MatchString(form):
			b.take(elsewhere, len(words), 0)
		default:
			if _, day := dayOf(words); day {
				b.take(value, len(words), nobodys)
			}
		}
	}
}

// opensDate is a word of the lexicon with which a date may begin.
var opensDate = regexp.MustCompile(`^(?:the|may|i was born)\b`)

// dated reports whether a date may begin s.
func dated(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r) || strings.ContainsRune("一二三四五六七八九十", r) || opensDate.MatchString(s)
}

// wordly reports whether r is part of a word or a number.
func wordly(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\''
}

// separates reports whether r stands between clauses.
func separates(r rune) bool {
	return strings.ContainsRune(",，、;；:：.。!！?？…()（）\n—–/", r)
}

// wordLen is the length of the word at the start of s: one Chinese character, a number, or
// letters with what belongs to them.
func wordLen(s string) int {
	first, size := utf8.DecodeRuneInString(s)
	if unicode.Is(unicode.Han, first) {
		return size
	}
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if unicode.Is(unicode.Han, r) || !wordly(r) && r != '-' {
			break
		}
		size += n
	}
	return size
}

// wordsIn are the words of a stretch of content.
func wordsIn(content string, where span) []span {
	var out []span
	for i := where.from; i < where.to; {
		r, size := utf8.DecodeRuneInString(content[i:])
		if wordly(r) {
			size = wordLen(content[i:where.to])
			out = append(out, span{i, i + size})
		}
		i += size
	}
	return out
}

// splitsWord reports whether s[:n] ends within a word.
func splitsWord(s string, n int) bool {
	if n == 0 || n >= len(s) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:n])
	after, _ := utf8.DecodeRuneInString(s[n:])
	return latin(before) && latin(after)
}

func latin(r rune) bool { return wordly(r) && !unicode.Is(unicode.Han, r) }

// han reports whether s begins with a Chinese character.
func han(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Han, r)
}
