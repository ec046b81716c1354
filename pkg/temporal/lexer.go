package temporal

import (
	"strings"
	"time"
	"unicode"
)

// class is the sort of a token as patterns name it, in capitals.
type class string

// The classes that the lexer gives to numbers. All others come from the vocabularies.
const (
	digits   class = "DIG"      // 5, 2019
	hanzi    class = "ZNUM"     // 十二, 二〇一九
	hanPair  class = "ZPAIR"    // 两三 as n = 203
	ordinal  class = "ORD"      // 5th, fifth
	ymd      class = "YMD"      // 2026-12-05 as n = 20261205
	monthDay class = "MD"       // 12/05 as n = 1205
	timeTok  class = "TIME"     // 3pm
	clockTok class = "CLOCK"    // 15:00, 3:30
	instant  class = "INSTANT"  // 2026-12-05T15:00:00Z
	localDay class = "DATETIME" // 2026-12-05T15:00: n and clock
)

// token is one unit of a text. A token without id and class is of no interest to any rule,
// but it ends whatever stands before it.
type token struct {
	from, to int // bytes
	id       int // of the word in the lexicon, 0 if it is not there
	class    class
	n        int
	clock    clock
	at       time.Time
	latin    bool // a word in a script with spaces
}

// lexer walks a text as runes with case, width and traditional characters folded. Folding maps
// rune to rune, so that offsets stay those of the text.
type lexer struct {
	text   string
	runes  []rune
	offset []int // of each rune, and of the end
	tokens []token
}

func lex(text string) []token {
	lx := &lexer{
		text:   text,
		runes:  make([]rune, 0, len(text)),
		offset: make([]int, 0, len(text)+1),
		tokens: make([]token, 0, len(text)/3+1),
	}
	for i, r := range text {
		lx.runes = append(lx.runes, fold(r))
		lx.offset = append(lx.offset, i)
	}
	lx.offset = append(lx.offset, len(text))
	for i := 0; i < len(lx.runes); {
		i = lx.next(i)
	}
	return lx.tokens
}

// next reads one token at i, or skips space, and returns where to go on.
func (lx *lexer) next(i int) int {
	r := lx.runes[i]
	switch {
	case unicode.IsSpace(r):
		return lx.space(i)
	case isDigit(r):
		return lx.number(i)
	case isWord(r):
		return lx.word(i)
	}
	if end := lx.chinese(i); end > i {
		return end
	}
	lx.add(i, i+1, token{})
	return i + 1
}

func (lx *lexer) add(i, j int, t token) {
	t.from, t.to = lx.offset[i], lx.offset[j]
	lx.tokens = append(lx.tokens, t)
}

// space skips white space; an empty line separates like a full stop.
func (lx *lexer) space(i int) int {
	j, lines := i, 0
	for j < len(lx.runes) && unicode.IsSpace(lx.runes[j]) {
		if lx.runes[j] == '\n' {
			lines++
		}
		j++
	}
	if lines > 1 {
		lx.add(i, j, token{})
	}
	return j
}

// word reads a word in a script with spaces, "o'clock" and "twenty-first" as one, and the
// possessive "'s" apart.
func (lx *lexer) word(i int) int {
	if lx.is(i, "t") && len(lx.tokens) > 0 && lx.tokens[len(lx.tokens)-1].class == ymd &&
		lx.tokens[len(lx.tokens)-1].to == lx.offset[i] {
		if end := lx.timeOfDay(i); end > i {
			return end
		}
	}
	j := lx.wordEnd(i)
	if k := lx.compound(i, j, '-'); k > j {
		j = k
	} else if k := lx.compound(i, j, '\''); k > j {
		j = k
	}
	entry, ok := lexicon.words[lx.text[lx.offset[i]:lx.offset[j]]]
	if !ok {
		entry = lexicon.words[string(lx.runes[i:j])]
	}
	end := j
	if entry.abbreviated && j+1 < len(lx.runes) && lx.runes[j] == '.' && lx.digitAfter(j+1) {
		end++
	}
	lx.add(i, end, token{id: entry.id, class: entry.class, n: entry.n, latin: true})
	if lx.is(end, "'s") && !(end+2 < len(lx.runes) && isWord(lx.runes[end+2])) {
		lx.add(end, end+2, token{id: lexicon.words["'s"].id})
		return end + 2
	}
	if lx.is(end, "'") {
		return end + 1
	}
	return end
}

func (lx *lexer) wordEnd(i int) int {
	for i < len(lx.runes) && (isWord(lx.runes[i]) || isDigit(lx.runes[i]) || lx.runes[i] == '_') {
		i++
	}
	return i
}

// compound returns the end of the word that goes on after a joint, if the lexicon has the two
// as one, else j.
func (lx *lexer) compound(i, j int, joint rune) int {
	if j+1 >= len(lx.runes) || lx.runes[j] != joint || !isWord(lx.runes[j+1]) {
		return j
	}
	k := lx.wordEnd(j + 1)
	if k-i > 20 {
		return j
	}
	if _, ok := lexicon.words[string(lx.runes[i:k])]; !ok {
		return j
	}
	return k
}

func (lx *lexer) digitAfter(i int) bool {
	for i < len(lx.runes) && lx.runes[i] == ' ' {
		i++
	}
	return i < len(lx.runes) && isDigit(lx.runes[i])
}

// chinese reads the longest entry of the lexicon, or a number, at i; i if there is neither.
func (lx *lexer) chinese(i int) int {
	numberEnd := i
	for numberEnd < len(lx.runes) && numberEnd-i < 12 && hanDigit(lx.runes[numberEnd]) >= 0 {
		numberEnd++
	}
	for _, e := range lexicon.phrases[lx.runes[i]] {
		end := i + len(e.runes)
		if end < numberEnd {
			break
		}
		if lx.is(i, string(e.runes)) && !(end < len(lx.runes) && strings.ContainsRune(e.notBefore, lx.runes[end])) {
			lx.add(i, end, token{id: e.id, class: e.class, n: e.n})
			return end
		}
	}
	if numberEnd == i {
		return i
	}
	t := token{}
	if n, ok := hanNumber(lx.runes[i:numberEnd]); ok {
		t = token{class: hanzi, n: n}
	} else if numberEnd == i+2 {
		low, high := hanDigit(lx.runes[i]), hanDigit(lx.runes[i+1])
		t = token{class: hanPair, n: low*100 + high}
	}
	lx.add(i, numberEnd, t)
	return numberEnd
}

func (lx *lexer) is(i int, s string) bool {
	for _, r := range s {
		if i >= len(lx.runes) || lx.runes[i] != r {
			return false
		}
		i++
	}
	return true
}
