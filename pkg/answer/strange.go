package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/canon"
)

// strange reads a clause with a word that the lexicon does not hold, and reports whether it
// can stand in an answer: it brings another value, qualifies "both", or is what people add
// to an answer.
func (h *hearing) strange(tokens []token, stray int) bool {
	switch {
	case h.bringsValue(tokens, stray), h.leaves(tokens):
		return true
	case h.says() && aside.MatchString(h.f.text[tokens[0].from:]):
		return true
	case h.both || h.all:
		h.qualified = true
		h.what = h.what.join(h.places(tokens))
		return true
	}
	return h.none
}

// explains takes a sentence that says more than an answer does for what qualifies a "both"
// before it, if it names two sides.
func (h *hearing) explains(tokens []token) {
	var named []int
	for _, t := range tokens {
		if t.kind == value && t.side != nobodys {
			named = union(named, []int{t.side})
		}
	}
	if h.reading = (reading{}); len(named) > 1 {
		h.qualified, h.what = true, h.places(tokens)
	}
}

// aside is what may follow an answer in its sentence.
var aside = regexp.MustCompile(`^(?:because|since|so|can you|could you|would you|please|let's|(?:i|we)(?:'ve| have)? (?:just |only |recently )?(?:moved|switched|changed|started|joined|left|came))\b|^(?:因为|所以|请|帮我|麻烦|你能|能不能|可以帮|(?:是)?我?` + zhWhen + `.{0,9}(?:搬|迁|换工作|入职|跳槽|转行|改行))`)

// zhWhen is when a change was.
const zhWhen = `(?:[0-9一二三四五六七八九十]+月份?|今年|去年|前年|上个?月|上周|最近|前不久|前几年|刚刚?|后来)`

// places is where in the content the tokens stand.
func (h *hearing) places(tokens []token) span {
	return span{h.place(tokens[0].from), h.place(tokens[len(tokens)-1].to)}
}

// bringsValue takes the unknown words of a clause as a value of no side, where a "neither",
// a correction and the words before them leave no doubt that they are one.
func (h *hearing) bringsValue(tokens []token, stray int) bool {
	end := stray
	for end < len(tokens) && tokens[end].kind == unknown {
		end++
	}
	refused := h.none || h.refused
	lead, tail := tokens[:stray], tokens[end:]
	if !refused && !h.settled || h.both || h.all || len(h.chosen) > 0 || slices.ContainsFunc(lead, token.picks) ||
		slices.ContainsFunc(tail, func(t token) bool { return t.kind != filler }) {
		return false
	}
	v := newcomer{where: h.places(tokens[stray:end]), refused: refused, opens: tokens[stray].from == 0}
	v.text = h.content[v.where.from:v.where.to]
	for _, t := range lead {
		v.owned = v.owned || t.kind == mine || t.kind == subject
		v.subject = v.subject || t.kind == subject
		v.before = t.text
	}
	if !v.plausible(h.class) {
		return false
	}
	h.other, h.others = v.where, h.others+1
	h.picks = h.picks.join(v.where)
	for _, t := range lead {
		h.note(t.kind)
		h.about = h.about || t.owned
	}
	return true
}

// leaves takes a clause for one that says of a side that it is over: "I quit Tesco". It
// names no other side and nobody else.
func (h *hearing) leaves(tokens []token) bool {
	at := slices.IndexFunc(tokens, func(t token) bool { return t.kind == value && t.side != nobodys })
	if at < 0 || slices.ContainsFunc(tokens[at+1:], token.picks) || slices.Contains(h.chosen, tokens[at].side) ||
		!leaving.MatchString(h.f.text[tokens[0].from:tokens[at].from]+"*"+h.f.text[tokens[at].to:tokens[len(tokens)-1].to]) {
		return false
	}
	h.denied, h.refutes = union(h.denied, []int{tokens[at].side}), true
	h.picks = h.picks.join(h.places(tokens[at : at+1]))
	return true
}

// leaving is what is said of a value that is over; the value itself is a star.
var leaving = regexp.MustCompile(`^(?:and |but |because |since |so )?(?:i|we)(?:'ve| have)? (?:just |already |recently )?(?:quit|left|gave up|stopped at|moved (?:out of|away from)|resigned from|got fired from)(?: (?:the|my|at|from|job))* \*(?:$| (?:last|this|in|a|two|three|years?|months?|weeks?|ago|already|recently|now|though|for)\b)` +
	`|^我?(?:已经|早就)?(?:从|把)?\*` + zhWhen + `?(?:已经|早就|就|早)?(?:离职|辞职|辞掉|辞|不干|不做|退学|毕业|搬走|搬出来|换掉|离开)了?$`)

// joins are words behind which a value stands.
var joins = regexp.MustCompile(`^(?:it's|that's|is|am|i'm|i am|an?|in|at|as|call me|是|叫)$`)

// newcomer is what may be a value that no side has.
type newcomer struct {
	where span
	text  string
	// before is the word before it.
	before string
	// owned is set when the clause speaks of the user, subject when it names what the
	// question is about, opens when the value is its first word, where a capital letter
	// tells nothing.
	owned, subject, opens bool
	// refused is set when the user has said that no side is right.
	refused bool
}

// How long another value may be, in words and in characters.
const (
	maxWords     = 3
	maxHanValue  = 8
	maxHanName   = 4
	maxHanThing  = 6
	leastHanName = 2
)

func (v *newcomer) plausible(class canon.Class) bool {
	n, most := utf8.RuneCountInString(v.text), maxHanThing
	switch class {
	case canon.ClassDate:
		return false // dates are known for what they are
	case canon.ClassPlace:
		most = maxHanValue
	case canon.ClassName:
		most = maxHanName
	}
	named := class == canon.ClassPlace || class == canon.ClassName
	joined := v.subject || joins.MatchString(v.before)
	switch {
	case han(v.text):
		return n >= leastHanName && n <= most && joined && (v.refused && named || v.owned) && !doing.MatchString(v.text)
	case len(strings.Fields(v.text)) > maxWords:
		return false
	case named:
		known := class == canon.ClassPlace && strings.ContainsFunc(canon.Place(v.text), isHan)
		return capitals(v.text) && (known || joined && v.owned || v.refused && (joined || !v.opens))
	}
	return v.owned && (v.before == "a" || v.before == "an")
}

// doing are characters of Chinese words that tell what is done, and name nothing.
var doing = regexp.MustCompile(`[了过着说笑骗想要去来吗呢吧]`)

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// capitals reports whether each word of s begins with a capital letter.
func capitals(s string) bool {
	for _, w := range strings.Fields(s) {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) {
			return false
		}
	}
	return true
}
