package chinese

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// clause is a stretch of one sentence that states one thing. All offsets are bytes of the
// message's content, and of its folded form alike.
type clause struct {
	content, folded string
	from, to        int
	// mark is the punctuation that follows, 0 at the end of the sentence and where two
	// clauses meet without any.
	mark rune
	// asked is set when the clause is, or belongs to, a question.
	asked bool
	// mine is set when the message has spoken of the user before, and of nobody since.
	mine bool
	// runes are the characters of the folded clause.
	runes runeSet
	opening
}

// text is the clause as the user wrote it.
func (c *clause) text() string { return c.content[c.from:c.to] }

// whole is the folded clause.
func (c *clause) whole() string { return c.folded[c.from:c.to] }

// rest is the folded clause after its opening words: what rules match.
func (c *clause) rest() string { return c.folded[c.body:c.to] }

// says reports whether the folded clause matches e.
func (c *clause) says(e *expr) bool {
	return e.possible(&c.runes) && e.MatchString(c.whole())
}

// cut returns the clauses of a sentence in order, each without surrounding space and
// punctuation; stretches without a letter or digit are left out.
func cut(s sentence.Sentence, content, folded string) []clause {
	var out []clause
	add := func(from, to int, mark rune) {
		for _, part := range runOn(folded, from, to) {
			a, b := trim(content, part[0], part[1])
			if a == b {
				continue
			}
			out = append(out, clause{content: content, folded: folded, from: a, to: b, runes: newRuneSet(folded[a:b])})
		}
		if len(out) > 0 {
			out[len(out)-1].mark = mark
		}
	}
	start := s.From
	for i := s.From; i < s.To; {
		r, size := utf8.DecodeRuneInString(content[i:])
		if separates(content, i, size, r) {
			add(start, i, r)
			start = i + size
		}
		i += size
	}
	add(start, s.To, 0)
	for i := range out {
		last := i == len(out)-1
		out[i].asked = last && s.Question || asks(&out[i])
		if i > 0 && out[i].says(tag) {
			out[i].asked, out[i-1].asked = true, true
		}
	}
	return out
}

// separates reports whether the rune r at content[i:i+size] stands between clauses.
func separates(content string, i, size int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(content[:i])
	after, _ := utf8.DecodeRuneInString(content[i+size:])
	switch r {
	case '，', '：', '。', '！', '？', '；', '（', '）', '(', ')', '~', '～', '—', '\n', '!', '?', ';', '…', '|', '【', '】':
		return true
	case ',', ':':
		return !unicode.IsDigit(before) || !unicode.IsDigit(after)
	case ' ', '\u3000', '\t':
		return spaceSeparates(content[:i], content[i+size:], before, after)
	}
	return unicode.Is(unicode.So, r) || r == '\ufe0f' || r == '\u200d'
}

// leaning are characters that call for what follows, so that a space after them is no
// end of a clause.
const leaning = "我在是叫住到去做的和跟与有了对养只条喜欢讨厌爱会用坐学"

// spaceSeparates reports whether a space between text and rest ends a clause.
func spaceSeparates(text, rest string, before, after rune) bool {
	if !unicode.Is(unicode.Han, before) && !unicode.IsPunct(before) && !unicode.IsDigit(before) {
		// After a Latin word only a new subject or time begins a clause: "做 SRE 我住在杭州".
		return unicode.IsLetter(before) && (startsAnew.MatchString(rest) || introducedLatin.MatchString(text) && strings.HasPrefix(rest, "在"))
	}
	switch before {
	case '了':
		return unicode.Is(unicode.Han, after) && !countsOn.MatchString(rest)
	case '的':
		return startsAnew.MatchString(rest) || strings.HasPrefix(rest, "在")
	}
	return unicode.Is(unicode.Han, before) && unicode.Is(unicode.Han, after) && !strings.ContainsRune(leaning, before)
}

var (
	// startsAnew are words that begin a clause behind a Latin word or 的 and a space.
	startsAnew = regexp.MustCompile(`^(?:我|平时|平常|目前|现在|周末|最近|住在|住[^宿院]|base|坐标|老家)`)
	// introducedLatin is an introduction by a Latin name: 我是Vivian 在Amazon做PM.
	introducedLatin = regexp.MustCompile(`(?:是|叫)\s*[A-Z][a-z]+\s*$`)
	// countsOn is what 了 leans on over a space: 养了 一只猫.
	countsOn = regexp.MustCompile(`^(?:[一二两三四五六七八九十几半好]|[只条个家份套]|[0-9])`)
)

// joints are words that open a new clause in the middle of an unpunctuated one. The
// group is where the new clause begins.
var joints = compile(`(?:^|[^不、])(而且|并且|但是|不过[^敏是分问关]|可是|所以|另外|同时也|然后|请你?帮我|帮我|麻烦你?帮?|求推荐|请推荐|推荐一下|推荐几|能不能|可不可以|可以帮|你能|你可以)` +
	`|[^\s说得道诉让给帮跟和对是的果时候前后想使陪教像为要把被向找问请比叫求替当等除了在记着忘掉知晓]((?:其实|所以|现在|而|但)?我(?:现在|目前|平时)?(?:住在|在|叫|是|对|不?喜欢|养|平时|今年|老家|有[一两只条]|还|也))` +
	`|过敏((?:但是?|而)?我?对[^，]{1,10}过敏)`)

// runOn cuts a stretch at the joints within it.
func runOn(folded string, from, to int) [][2]int {
	var out [][2]int
	has := newRuneSet(folded[from:to])
	if !joints.possible(&has) {
		return [][2]int{{from, to}}
	}
	at := from
	for _, loc := range joints.FindAllStringSubmatchIndex(folded[from:to], -1) {
		cutAt := from + max(loc[2], loc[4], loc[6])
		if cutAt-at < 6 {
			continue
		}
		out = append(out, [2]int{at, cutAt})
		at = cutAt
	}
	return append(out, [2]int{at, to})
}

func trim(content string, from, to int) (int, int) {
	edge := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && !strings.ContainsRune("+#%《》“”「」\"'", r) || unicode.IsSymbol(r) && r != '+'
	}
	text := content[from:to]
	left := strings.TrimLeftFunc(text, edge)
	from += len(text) - len(left)
	right := strings.TrimRightFunc(left, edge)
	return from, from + len(right)
}

// interrogative are words that make a question of a clause, with or without its mark.
var interrogative = compile(`吗|么$|什么|甚么|啥|哪|怎|咋|如何|为何|多少|几点|几号|几岁|几月|谁|是不是|有没有|能不能|可不可以|要不要|会不会|好不好|该不该|对不对|行不行|可否|是否|呢$|多久|多大|多远|还记得|记不记得|知不知道`)

// rhetorical are phrases with an interrogative word that ask nothing.
var rhetorical = regexp.MustCompile(`(?:没|没有|不是|不会)(?:什么|啥|怎么|哪)|(?:什么|啥|哪里|谁|怎么)(?:都|也)|不怎么|没怎么|好多年|什么的$|之类的$|不管(?:怎么|什么)|无论(?:如何|什么)|不知道(?:为什么|怎么|什么)`)

// asks reports whether the clause is worded as a question.
func asks(c *clause) bool {
	return c.says(interrogative) && interrogative.MatchString(rhetorical.ReplaceAllString(c.whole(), ""))
}

// tag is a clause that turns the one before it into a question.
var tag = compile(`^(?:是吗|对吗|对吧|是吧|对不对|是不是|没错吧|是这样吗|好吗|行吗|可以吗|你说是吧|你记得吗)$`)
