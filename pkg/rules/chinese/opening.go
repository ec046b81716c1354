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

// openers finds one opening word; the groups stand for what it does, in the order of
// openingKinds. Longer words come before their own beginnings.
var openers = regexp.MustCompile(`^\s*(?:` +
	`(我(?:(?:之前|以前|上次|刚才|刚刚|刚|昨天|早些时候|一开始|前面|原来|曾经)(?:跟你|和你|给你|对你|同你)?|(?:跟|和|给|对)你)(?:说|讲|提|告诉|写|填)(?:到|你)?(?:过|了)?(?:的是|的)?)` +
	`|(听说|据说|传说|网上说|书上说|新闻说|新闻上|有人说|人家说|别人说|大家都说|俗话说|常言道)` +
	`|((?:医生|大夫|医院)(?:跟我|和我)?(?:说|告诉|诊断|查出|确诊)(?:了)?我|(?:想说的是|我想说|跟你说一下|我跟你说|跟你讲|我告诉你|告诉你|说一下|介绍一下|自我介绍一下|提醒一下|提醒你|补充一下|补充一点|顺便说一下|顺便说|顺便提一下|顺便提一句|顺带一提|顺便|话说回来|话说|说起来|说实话|老实说|说真的|讲真的?|坦白说|对了|另外|而且|并且|然后呢?|所以|因为|由于|但是|但|不过|可是|只是|毕竟|反正|总之|首先|其次|是这样的?|你知道的?|你好|您好|大家好|哈喽|哈啰|hello|hi|hey|嗨|早上好|早安|晚上好|晚安|不好意思|抱歉|谢谢|哈哈+|嘻嘻+|呵呵+|嗯+|恩|哦+|噢|啊+|哎呀?|唉|诶|欸|呃+|额|嘿+|呀|喔|那个|这个嘛|就是说|btw|ps|备注|提示|背景|另|还有就是|同时|首先)[\s，、]*)` +
	`|(可能|也许|或许|说不定|没准儿?|好像|似乎|估计|恐怕|应该会|大概会|大概是|兴许|搞不好|差点儿?|险些|本来想|本来要|恨不得|要不|不如|万一)` +
	`|(其实吧?|事实上|实际上|准确(?:地|来)?说|确切(?:地)?说|更正(?:一下)?|纠正(?:一下)?|现在|如今|目前|眼下|已经|刚刚|刚|后来|终于|总算|从今天起|从今天开始|从现在起|从现在开始|从这周开始|今后|以后|最近(?:才|刚)|这阵子|开始)` +
	`|(以前|之前|曾经?|过去|原来|原先|原本|本来|当年|当初|那时候?|当时|小时候|年轻时候?|年轻的时候|上学的?时候|读书时候?|大学时候?|早年|从前|前几年)` +
	`|(平时|平常|平日里?|通常|一般来说|一般|日常|周末(?:一般|经常|常|都)?|工作日|每天|每周末?|每个月|每晚|每早|经常|常常|时常|常年|时不时|有时候?|偶尔|闲暇时?|业余时间?|空闲时间?|下班后|饭后|没事就|有空就|休息日|天天)` +
	`|(最近|近来|近期|这几天|这段时间|一直以来|一直都?|从来都?|从小就?|向来|长期|常驻地?|基本上?|主要|大多|多半|也都?|都|还在|还|仍然|仍|依然|真的|确实|的确|当然|就|又|再|只|是的|自己|本身|个人|正式|成功|顺利|正在|总是|老是|老|终生|其中|差不多|大概|大约|今年以来|全家|全家人|一家人|一家)` +
	`|(` + othersPattern + `)` +
	`|(我(?:们家|们|自己|本人|个人|这个?人|这边|这人|的话)?|本人|咱们?家?|在下|偶|小弟|小女子|笔者)` +
	`|((?:和|跟|与|同)(?:` + companionPattern + `)(?:一起|一块儿?|一同|一道|俩|两个人?|都)?)` +
	`)`)

// The groups of openers.
const (
	openTold = 1 + iota
	openHeard
	openFiller
	openUnsure
	openChanged
	openPast
	openHabit
	openAdverb
	openOther
	openSelf
	openCompany
)

// mistaken maps an opening word to what may not follow it, because it then is part of
// another word.
var mistaken = map[string]*regexp.Regexp{
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
	"额":  regexp.MustCompile(`^(?:头|外)`),
	"另":  regexp.MustCompile(`^(?:一|外)`),
	"个人": regexp.MustCompile(`^(?:资|信|主|所)`),
	"主要": regexp.MustCompile(`^(?:是因为)`),
	"一家": regexp.MustCompile(`^[^住在养有都]`),
	"周末": regexp.MustCompile(`^(?:愉快|快乐|是)`),
	"偶":  regexp.MustCompile(`^(?:尔|像|遇)`),
	"同时": regexp.MustCompile(`^期`),
}

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
		loc := openers.FindStringSubmatchIndex(c.folded[c.body:c.to])
		if loc == nil || !c.take(loc) {
			return
		}
	}
}

// take applies one opening word, found by openers at the body, and moves past it. It
// reports false when the word turns out to belong to the body.
func (c *clause) take(loc []int) bool {
	group := openTold
	for loc[2*group] < 0 {
		group++
	}
	word := c.folded[c.body+loc[2*group] : c.body+loc[2*group+1]]
	next := c.body + loc[1]
	if not := mistaken[word]; not != nil && not.MatchString(c.folded[next:c.to]) {
		return false
	}
	switch group {
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
