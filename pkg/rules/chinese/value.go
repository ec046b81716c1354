package chinese

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a byte range of the content.
type span struct{ from, to int }

func (s span) empty() bool { return s.from >= s.to }

var (
	valueTail = regexp.MustCompile(`(?:` +
		`[\s"“”「」『』'’‘]+|(?:了|啦|咯|喽|呢|吧|啊|哦|噢|呀|哈+|嘛|唷|哟|耶|喔|欸|诶|捏|滴|的说|来着|嘿嘿|嘻嘻)` +
		`|(?:已经|都|也)?(?:有)?(?:快)?(?:好几|好多|很多|十几|几|[0-9]+|[一二两三四五六七八九十半]+)多?(?:年|个多?月|天|周|个?星期)(?:多|左右|半)?` +
		`|现在|目前|这边|那边|左右|这种(?:东西|食物)|什么的|之类的?|等等|等|一般|为主|的时候|一起|就行|就好|就可以|即可|就是)$`)
	valueHead = regexp.MustCompile(`^(?:[\s"“”「」『』'‘’]+|(?:[一1](?:个|名|位|家|只|条|匹|种|款|部|本|首|台|间|所|份|支|把|门|些|点点|点儿|点|口|手)|点点|点儿?|些|少许|一丢丢|流利的?|地道的?|标准的?|那?家|名|位|个)|(?:我)?(?:自己|我)(?:的))`)
)

// trimValue takes away from the value at s what only surrounds it: quotation marks,
// measure words before it; particles, lengths of time and the like after it.
func trimValue(folded string, s span) span {
	for {
		text := folded[s.from:s.to]
		if loc := valueTail.FindStringIndex(text); loc != nil && loc[0] > 0 {
			s.to = s.from + loc[0]
			continue
		}
		if loc := valueHead.FindStringIndex(text); loc != nil && loc[1] < len(text) {
			s.from += loc[1]
			continue
		}
		return s
	}
}

// conjunctions stand between the items of an enumeration. 和 and 跟 do so only where they
// are no part of a word.
var conjunctions = regexp.MustCompile(`\s*(?:、|以及|还有|外加|或者|或|和|跟|与|及|/|&|\+|，|,| and )\s*也?`)

var withinWord = regexp.MustCompile(`^和(?:平|服|牛|解|气|尚|睦|式|菓|果|田|谐|声|风|弦|歌山)|^跟(?:团|踪|风|鞋)|^与(?:会|众)|^及(?:格|时)|^或许`)

// items are the parts of an enumeration, each trimmed, in order.
func items(folded string, s span) []span {
	var out []span
	at := s.from
	add := func(to int) {
		item := trimValue(folded, span{at, to})
		if !item.empty() {
			out = append(out, item)
		}
	}
	for _, loc := range conjunctions.FindAllStringIndex(folded[s.from:s.to], -1) {
		from, to := s.from+loc[0], s.from+loc[1]
		if from == at || inWord(folded, from, to, s.to) {
			continue
		}
		add(from)
		at = to
	}
	add(s.to)
	return out
}

// inWord reports whether the conjunction at folded[from:to] is part of a word.
func inWord(folded string, from, to, end int) bool {
	mark := strings.TrimSpace(folded[from:to])
	if withinWord.MatchString(folded[from:end]) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(folded[:from])
	after, _ := utf8.DecodeRuneInString(folded[to:])
	switch mark {
	case "和":
		return strings.ContainsRune("暖柔温平缓调饱共随祥谦亲总融混", before)
	case "及":
		return strings.ContainsRune("普涉波来埃", before)
	case "与":
		return strings.ContainsRune("参给", before)
	case "/", "&":
		return isLatin(before) && isLatin(after)
	case "+":
		return !unicode.Is(unicode.Han, before) || !unicode.Is(unicode.Han, after)
	}
	return false
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) || unicode.IsDigit(r) }

// runes is the length in characters.
func runes(s string) int { return utf8.RuneCountInString(s) }
