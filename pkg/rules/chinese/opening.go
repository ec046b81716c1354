package chinese

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/temporal"
)

// opening is what the first words of a clause say about it: whose it is, when it holds,
// and how sure it is. They stand in any order and number before the body.
type opening struct {
	// start is where the clause's text begins: after fillers such as 对了 or 哈哈.
	start int
	// body is where the opening words end.
	body int
	// self and other tell whom the clause names as its subject; neither is set when it
	// names nobody.
	self, other bool
	// changed is set by words that announce a change or a correction: 现在, 其实.
	changed bool
	// past is set by words that say that it holds no more: 以前, 小时候.
	past bool
	// habit is set by 平时, 每天 and the like.
	habit bool
	// unsure is set by 可能, 也许 and the like.
	unsure bool
	// told is set when the clause repeats what was said earlier: 我之前说.
	told bool
	// heard is set when it repeats what others say: 听说.
	heard bool
	// dated is set when the opening names a date.
	dated bool
}

// openKind is what an opening word does.
type openKind int

const (
	openNothing openKind = iota
	openFiller
	openHeard
	openUnsure
	openChanged
	openPast
	openHabit
	openAdverb
	openTold
	openOther
	openSelf
	openCompany
)

// opener is the words of one kind.
type opener struct {
	kind  openKind
	words *lexicon
}

var openers = func() []opener {
	lists := wordKinds(openingsData)
	var out []opener
	for _, o := range []struct {
		kind openKind
		list string
	}{
		{openFiller, "filler"}, {openHeard, "heard"}, {openUnsure, "unsure"}, {openChanged, "changed"},
		{openPast, "past"}, {openHabit, "habit"}, {openAdverb, "adverb"},
	} {
		out = append(out, opener{o.kind, newLexicon(lists[o.list])})
	}
	return out
}()

// Openings that are more than a word.
var (
	toldBefore = compile(`^我(?:(?:之前|以前|上次|刚才|刚刚|刚|昨天|早些时候|一开始|前面|原来|曾经)(?:跟你|和你|给你|对你|同你)?|(?:跟|和|给|对)你)(?:说|讲|提|告诉|写|填)(?:到|你)?(?:过|了)?(?:的是|的)?`)
	diagnosed  = compile(`^(?:医生|大夫|医院|(?:检查|化验|体检|检测|皮试|诊断)(?:结果|报告)?|报告)(?:跟我|和我)?(?:说|告诉|诊断|查出|确诊|显示|发现|表明|证明)了?我`)
	myself     = compile(`^(?:我(?:们家|们俩|俩|们|自己|本人|个人|这个?人|这边|这人|的话|呢|嘛)?|本人|咱们?家?|在下|偶|小弟|小女子|笔者)`)
	mineHead   = regexp.MustCompile(`^我(?:们家|们俩|俩|们|家)?(?:的|那个?|这个?|有一?(?:个|位)|一个|最好的|们的|前)?`)
	myAnimal   = compile(`^我(?:们)?(?:家|的|家的|养的|家那只|家这只|那只|这只)` + animals)
	together   = regexp.MustCompile(`^(?:一起|一块儿?|一同|一道|俩|两个人?|都)`)
	nickname   = regexp.MustCompile(`^(?:小\p{Han}|阿\p{Han})`)
)

// opensWith finds the opening word that s begins with: its kind and length, the longest
// of all kinds.
func opensWith(s string, has *runeSet) (openKind, int) {
	for _, e := range []struct {
		kind openKind
		expr *expr
	}{{openTold, toldBefore}, {openFiller, diagnosed}} {
		if e.expr.possible(has) {
			if loc := e.expr.FindStringIndex(s); loc != nil {
				return e.kind, loc[1]
			}
		}
	}
	kind, length := openNothing, 0
	for _, o := range openers {
		if n := o.words.prefix(s); n > length {
			kind, length = o.kind, n
		}
	}
	if n := othersPrefix(s, has); n > length {
		return openOther, n
	}
	if length > 0 {
		return kind, length
	}
	if n := companyPrefix(s); n > 0 {
		return openCompany, n
	}
	if loc := myself.FindStringIndex(s); loc != nil {
		return openSelf, loc[1]
	}
	return openNothing, 0
}

// othersPrefix is the length of the words at the beginning of s that name somebody other
// than the user: 我女朋友, 他们, 我家猫.
func othersPrefix(s string, has *runeSet) int {
	if n := theyWords.prefix(s); n > 0 {
		return n
	}
	if loc := mineHead.FindStringIndex(s); loc != nil {
		if n := relativeWords.prefix(s[loc[1]:]); n > 0 {
			return loc[1] + n
		}
		if n := relativeWords.prefix(s[len("我"):]); n > 0 {
			return len("我") + n
		}
		if myAnimal.possible(has) {
			if loc := myAnimal.FindStringIndex(s); loc != nil {
				return loc[1]
			}
		}
	}
	return bareWords.prefix(s)
}

// companyPrefix is the length of 和女朋友一起 at the beginning of s.
func companyPrefix(s string) int {
	at := 0
	for {
		n := companion(s[at:])
		if n == 0 {
			break
		}
		at += n
	}
	if at > 0 {
		if loc := together.FindStringIndex(s[at:]); loc != nil {
			at += loc[1]
		}
	}
	return at
}

func companion(s string) int {
	rest := s
	for _, with := range []string{"和", "跟", "与", "同"} {
		rest = strings.TrimPrefix(rest, with)
	}
	if len(rest) == len(s) {
		return 0
	}
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "我"), "的")
	n := max(relativeWords.prefix(rest), theyWords.prefix(rest))
	if n == 0 {
		return 0
	}
	rest = rest[n:]
	if loc := nickname.FindStringIndex(rest); loc != nil {
		rest = rest[loc[1]:]
	}
	return len(s) - len(rest)
}

// mistaken maps an opening word to what may not follow it, because it then is part of
// another word.
var mistaken = map[string]*regexp.Regexp{
	"早":  regexp.MustCompile(`^[^搬换不离分辞戒结毕没住改]`),
	"就":  regexp.MustCompile(`^(?:职|业|读|诊|算|像|好|行)`),
	"还":  regexp.MustCompile(`^(?:是|款|给|好|钱|有点|行|可以)`),
	"只":  regexp.MustCompile(`^(?:要|是|好|吃|喝|能)`),
	"都":  regexp.MustCompile(`^(?:市|灵|江)`),
	"再":  regexp.MustCompile(`^(?:见|说|也|不)`),
	"老":  regexp.MustCompile(`^(?:家|婆|公|师|板|爸|妈|弟|妹|哥|姐|大|二|三|人|了|年|虎|鼠|北京|上海|外|朋友|同|乡)`),
	"又":  regexp.MustCompile(`^(?:不|没)`),
	"但":  regexp.MustCompile(`^(?:凡|愿)`),
	"因为": regexp.MustCompile(`^你`),
	"过去": regexp.MustCompile(`^(?:了|吧)`),
	"开始": regexp.MustCompile(`^(?:吧|了)`),
	"后来": regexp.MustCompile(`^的`),
	"自己": regexp.MustCompile(`^(?:开|创|做|当|人)`),
	"刚":  regexp.MustCompile(`^(?:好|才|果)`),
	"本来": regexp.MustCompile(`^就`),
	"恩":  regexp.MustCompile(`^(?:施|爱|师)`),
	"从小": regexp.MustCompile(`^(?:米|鹏|红书|学(?:就|起|时|的?时候|毕业|开始|[一二三四五六]年级))`),
	"不过": regexp.MustCompile(`^(?:敏|分|关|问)`),
	"额":  regexp.MustCompile(`^(?:头|外)`),
	"另":  regexp.MustCompile(`^(?:一|外)`),
	"个人": regexp.MustCompile(`^(?:资|信|主|所)`),
	"主要": regexp.MustCompile(`^(?:是因为)`),
	"一家": regexp.MustCompile(`^[^住在养有都]`),
	"周末": regexp.MustCompile(`^(?:愉快|快乐|是)`),
	"春天": seasonSays,
	"夏天": seasonSays,
	"秋天": seasonSays,
	"冬天": seasonSays,
	"偶":  regexp.MustCompile(`^(?:尔|像|遇)`),
	"同时": regexp.MustCompile(`^期`),
}

// seasonSays follows a season of which something is said itself.
var seasonSays = regexp.MustCompile(`^(?:的|来|到|快|是|过|太|真|好|很|比|和|里)`)

// open reads the opening words of the clause. mentions are the dates of the message.
func (c *clause) open(mentions []temporal.Mention) {
	c.start, c.body = c.from, c.from
	for c.body < c.to {
		if m := mentionAt(mentions, c.body); m != nil && m.To <= c.to && !c.other {
			c.dated = c.dated || !m.Recurring && !m.Duration
			c.habit = c.habit || m.Recurring
			c.body = m.To
			continue
		}
		for c.body < c.to && (c.folded[c.body] == ' ' || c.folded[c.body] == '\t') {
			c.body++
		}
		kind, n := opensWith(c.folded[c.body:c.to], &c.runes)
		if n == 0 || !c.take(kind, n) {
			return
		}
	}
}

// take applies the opening word of n bytes at the body and moves past it. It reports
// false when the word turns out to belong to the body.
func (c *clause) take(kind openKind, n int) bool {
	word := c.folded[c.body : c.body+n]
	next := c.body + n
	if not := mistaken[word]; not != nil && not.MatchString(c.folded[next:c.to]) {
		return false
	}
	switch kind {
	case openTold:
		c.told, c.self = true, true
	case openHeard:
		c.heard = true
	case openFiller:
		if c.body == c.start {
			c.start = next
		}
		if strings.HasSuffix(word, "我") {
			c.self, c.start = true, next-len("我")
		}
	case openUnsure:
		c.unsure = true
	case openChanged:
		c.changed = true
	case openPast:
		c.past = true
	case openHabit:
		c.habit = true
	case openOther:
		if c.self {
			return false
		}
		if notOther.MatchString(c.folded[next:c.to]) {
			return c.takeSelf(word)
		}
		c.other = true
	case openSelf:
		if c.other || notSelf.MatchString(c.folded[next:c.to]) {
			return false
		}
		c.self = true
	}
	c.body = next
	return !c.other
}

// takeSelf reads only 我 of a word that looked like somebody else (我对象 of 我对象棋…).
func (c *clause) takeSelf(word string) bool {
	if !strings.HasPrefix(word, "我") {
		return false
	}
	c.self = true
	c.body += len("我")
	return true
}

// notSelf is what after 我 makes the clause about something else.
var notSelf = regexp.MustCompile(`^(?:国|校|司|方|省|市)`)

// mentionAt is the date phrase that begins at the offset, or nil.
func mentionAt(mentions []temporal.Mention, at int) *temporal.Mention {
	for i := range mentions {
		if mentions[i].From == at {
			return &mentions[i]
		}
	}
	return nil
}
