package chinese

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// The words that requests about a topic are made of.
const (
	// kindly may end a request.
	kindly = `(?:了|吧|哦|啊|喔|哈|呀|好吗|好不好|行吗|可以吗|吗|谢谢)*$`
	// erasing and erased are done to memories and to other things.
	erasing = `删除掉|清除掉|删掉|删除|清除|清空|抹掉|抹除|抹去|移除`
	erased  = `删了|清掉|` + erasing
	// fromMind is where memories are.
	fromMind = `(?:从(?:你的)?(?:记忆|脑子|脑海|数据|记录)(?:库)?(?:里|中|里面)?)?`
	// refused is how one asks not to hear of something, wished how one says not to want to.
	refused = `别|不要|不许|不准|请勿|甭|不用|停止|勿|休想`
	wished  = `我?(?:再也|真的|实在|都)*(?:不想|不愿意?|不希望你)`
	// again says for how long, toMe to whom.
	again = `再也|再|总是|总|老是|老|一直|天天|又`
	toMe  = `跟我|和我|对我|给我|在我面前|向我|听到你`
	// says is how a topic comes up.
	says = `提起|提到|提及|提|说起|聊起|聊到|聊|谈起|谈到|谈论|谈|讨论|说到|说|推荐|念叨|唠叨|听到|问起|问我`
	// told is what the user has told.
	told = `我(?:之前|以前)?(?:跟你|和你)?(?:说|讲|提|告诉你)(?:到|过)*的`
	// later says from when on.
	later = `以后|今后|从今以后|从现在起|从此|往后`
)

var (
	forgets = compile(`^(?P<lead>` + politely + fromMind + `)(?:把(?P<what>[^，]+?)` + fromMind + `(?:给|都|全|全部)*(?P<done>忘了|忘掉|忘记|` + erased + `)` +
		`|(?P<verb>忘掉|忘记|忘了|忘却|遗忘|(?:别|不要|不用|不必|不需要)再?(?:记得|记着|记住|记|保存|存)|我?不(?:希望|想让?|愿意?让?)你再?(?:知道|记得|记着|记住|保存)|` + erasing + `)(?P<topic>[^，]+?))(?P<end>` + kindly + `)`)
	// forgotten names the topic first: 我的住址请忘掉.
	forgotten  = compile(`^(?P<what>我[^，]{1,12}?|(?:关于|有关)[^，]{1,16}?)(?:(?P<lead>请|麻烦)(?:你|您)?|就|你|都|全部?)*(?P<verb>忘掉|忘记|忘了)(?P<end>` + kindly + `)`)
	suppresses = compile(`^(?P<lead>(?:` + politely + `|咱们?|我们|大家|真的|聊天(?:时|的时候)?|再也|今天|现在|暂时|先|` + later + `)*)` +
		`(?P<no>` + refused + `|` + wished + `|不)(?P<again>(?:` + again + `|` + toMe + `)*)(?P<verb>` + says + `)(?:起|到)?(?P<what>[^，]*?)` + kindly)
	// suppressed names the topic first: 雅思的事以后别再提了.
	suppressed = compile(`^(?P<what>[^，]{2,14}?)(?P<lead>(?:` + later + `|就|请|你|都|真的)*)(?P<no>` + refused + `)(?P<again>(?:` + again + `|` + toMe + `)*)(?P<verb>` + says + `)(?:起|到)?` + kindly)
	shunned    = compile(`^` + politely + `(?:避开|回避|绕开|跳过|避谈)(?P<what>[^，]+?)(?:的|这个|那个|这一)话题` + kindly)
	// closed ends a topic: 减肥这个话题到此为止.
	closed = compile(`^(?P<what>[^，]{2,14}?)(?:的?这?个?话题)(?:` + later + `|就|请|都)*(?:到此为止|打住|翻篇|结束|不聊|不谈|不提)` + kindly)
	lifts  = compile(`^(?:` + politely + `|我|我们|咱们?|现在|已经|又|也|没关系|没事|行|` + later + `)*(?:可以|能|愿意|不介意你?)(?P<again>(?:又|再|重新|继续|随便|` + toMe + `)*)(?P<verb>` + says + `)(?:起|到)?(?P<what>[^，]*?)(?P<end>` + kindly + `)`)
	// lifted names the topic first: 雅思可以再提了.
	lifted = compile(`^(?P<what>[^，]{2,14}?)(?:现在|` + later + `|又|你|都)*(?:可以|能)(?P<again>(?:又|再|重新|继续|随便|` + toMe + `)*)(?P<verb>` + says + `)(?:起|到)?(?P<end>` + kindly + `)`)
	// indifferent are those that say that it does not matter any more: 提雅思没关系了.
	indifferent = compile(`^(?:` + politely + `|现在|` + later + `)*(?P<again>(?:又|再|重新|继续|随便|` + toMe + `)*)(?P<verb>` + says + `)(?:起|到)?(?P<what>[^，]*?)(?:(?:也|都)(?:没关系|没事|无所谓|不要紧)了?|(?:没关系|没事|无所谓|不要紧)了)` + kindly)
	unshunned   = compile(`^(?:` + politely + `|现在|` + later + `)*(?:不用|不必|不需要|没必要|别)再?(?:避开|回避|避谈|绕开|避讳)(?P<what>[^，]+?)` + kindly)
)

var (
	// topicHead and topicTail surround a topic.
	topicHead = regexp.MustCompile(`^(?:关于|有关|至于)`)
	topicTail = regexp.MustCompile(`(?:这个话题|那个话题|的话题|话题|这件事情?|那件事情?|的事情?|的消息|这事|这个事|相关的?(?:内容|事情|东西)?|了|的)$`)
	// keptHead and keptTail surround what memories are of.
	keptHead = regexp.MustCompile(`^(?:你(?:对|所)?(?:记得|记住|记|知道|保存|存)?的?|` + told + `)?(?:所有|全部|一切)?(?:的)?(?:关于|有关)|^` + told)
	yours    = regexp.MustCompile(`^你(?:对|关于)`)
	keptTail = regexp.MustCompile(`的?(?:所有|全部|一切)?的?(?:记忆|信息|资料|数据|内容|记录)$|的?(?:一切|所有|全部)(?:事情?)?$`)
	// whole makes everything of 我.
	whole = regexp.MustCompile(`所有|一切|全部|记忆|信息|资料|数据|(?:关于|有关)我的事`)
	// ownOnly is the user, without anything that is theirs; allMemories are everybody's,
	// knownOfMe what is known of the user.
	ownOnly     = regexp.MustCompile(`^(?:我|我的|我自己)$`)
	allMemories = regexp.MustCompile(`^(?:所有|全部|一切)的?记忆$`)
	knownOfMe   = regexp.MustCompile(`^你所?(?:知道|记得|记住|记着)的我(?:的?(?:所有|全部|一切)的?(?:事情?|信息)?|的(?:事情?|信息))$`)
	// wishesOf open with the user, and ask for something.
	wishesOf = regexp.MustCompile(`^我(?:希望|要你|想让|想请|不希望你|不想让?你|不愿意?让?你)`)
	// things are deleted too, and no memories.
	things = regexp.MustCompile(`部分|文中|简历|名单|通讯录|合同|列表|从|文件|照片|图片|视频|邮件|代码|账号|账户|订单|日程|表格|草稿|聊天记录|消息|缓存|评论|帖子|收藏|段|句|行|页`)
	// anything is whatever is on somebody's mind, known what is known of the user, matter
	// how one names what was spoken of.
	anything = regexp.MustCompile(`^(?:所有|一切|全部)的?(?:事情?|东西|内容|烦恼)?$`)
	known    = regexp.MustCompile(`我|记忆|关于|有关|你(?:知道|记得)`)
	matter   = regexp.MustCompile(`(?:的事情?|这件事情?)$`)
	// saidByMe is what the user has said just now, and no topic.
	saidByMe = regexp.MustCompile(`^我(?:的(?:问题|话)|问的?|[说讲]的?)$`)
	// aboutMe is what makes 删除 speak of memories.
	aboutMe = regexp.MustCompile(`我(?:的|住|在|说|叫|是|对|有|家|喜欢|不|跟|之前|以前|刚|公司|养)|关于我|有关我|记忆|你(?:对我|记)`)
	// asks makes a request of what would be a complaint: 你忘了我的生日.
	requested = regexp.MustCompile(`请|想让|麻烦|拜托|求|可以|能|希望|要|帮|劳烦`)
	softened  = regexp.MustCompile(`吧|好吗|好不好|行吗|可以吗`)
	// notTopic is what follows 说 and the like where they are parts of other words, notRaised
	// what follows 提.
	notTopic  = regexp.MustCompile(`^(?:多[^，]{1,6}$|英语|英文|中文|日语|法语|普通话|方言|废话|谎|谢|对不起|抱歉|话$|天$|一(?:遍|次|会|下|个))`)
	notRaised = regexp.MustCompile(`^(?:供|醒|问|交|前(?:[^男女夫妻任东公老端]|$)|高(?:[^考中]|$)|升|出|现$|离职|辞职|要求|意见|建议|需求)`)
	// wordless topics name nothing, pointing ones what was named before.
	wordless = regexp.MustCompile(`^(?:话|什么|一点|一下|了|内容|东西|事)*$`)
	// saidBy is in a topic that names who said it, rather than what about.
	saidBy = regexp.MustCompile(`[说让叫劝]|要求|希望|告诉`)
	// anew is how one says once more.
	anew = regexp.MustCompile(`再|又|重新|继续`)
	// asksLeave makes a request of a denial: 可以不提我妈吗.
	asksLeave = regexp.MustCompile(`能|可以`)
	// durable is how one asks for more than this once, momentary how one does not.
	durable   = regexp.MustCompile(`再|总|老|一直|天天|停止|` + later)
	momentary = regexp.MustCompile(`今天|现在|暂时|先$`)
)

// everything is the topic of a request to forget all that is remembered.
const everything = "我"

// matched returns the match of e with the clause, if there is one.
func (c *clause) matched(e *expr) (match, bool) {
	if !e.possible(&c.runes) {
		return match{}, false
	}
	loc := e.FindStringSubmatchIndex(c.whole())
	return match{clause: c, pattern: e, base: c.from, loc: loc}, loc != nil
}

// group is the folded text of a group, empty where it took no part.
func (m match) group(name string) string {
	s, _ := m.span(name)
	return m.fold(s)
}

func (r *reader) forget(s sentence.Sentence, c *clause) bool {
	m, ok := c.matched(forgets)
	if !ok {
		if m, ok = c.matched(forgotten); !ok || m.group("lead") == "" && !softened.MatchString(m.group("end")) {
			return false
		}
	} else if c.self && !wishesOf.MatchString(c.whole()) {
		return false
	}
	what, named := m.span("what")
	if !named {
		what, _ = m.span("topic")
	}
	if !asksToForget(m, m.fold(what)) {
		return false
	}
	if justSaid.MatchString(m.fold(what)) && r.previous > 0 {
		r.directives = append(r.directives, memory.Directive{
			Action: memory.ActionDoNotSave, Source: memory.Source{Message: r.previous, Quote: s.Text},
		})
		return true
	}
	if strings.HasPrefix(m.fold(what), "你的") {
		what.from += len("你的")
	}
	topic := m.remembered(what)
	switch {
	case allMemories.MatchString(m.fold(what)), knownOfMe.MatchString(m.fold(what)):
		r.direct(memory.ActionForget, m.say(what), s.Text)
	case ownOnly.MatchString(m.fold(topic)) && whole.MatchString(m.fold(what)):
		r.direct(memory.ActionForget, everything, s.Text)
	case pointing.MatchString(m.fold(topic)) && strings.Contains(m.whole(), "记忆"):
		r.direct(memory.ActionForget, "", s.Text)
	case wordless.MatchString(m.fold(topic)), ownOnly.MatchString(m.fold(topic)):
		return false
	default:
		r.direct(memory.ActionForget, m.say(topic), s.Text)
	}
	return true
}

// asksToForget tells a request from what somebody has forgotten, and memories from files.
func asksToForget(m match, what string) bool {
	verb, lead := m.group("verb")+m.group("done"), m.group("lead")
	switch {
	case slip.MatchString(what), anything.MatchString(what), saidByMe.MatchString(what):
		return false
	case strings.HasPrefix(verb, "别"), strings.Contains(verb, "不"):
		return strings.HasPrefix(what, "我")
	case !strings.HasPrefix(verb, "忘"):
		return aboutMe.MatchString(what) && !things.MatchString(what) || strings.Contains(lead, "从") || strings.Contains(m.whole(), "记忆")
	case requested.MatchString(lead) && !strings.HasSuffix(lead, "帮我"):
		return true
	case softened.MatchString(m.group("end")):
		return known.MatchString(what) || matter.MatchString(what)
	case strings.Contains(lead, "你"), strings.Contains(lead, "您"), strings.Contains(lead, "帮我"):
		return m.group("what") != "" && strings.HasSuffix(lead, "帮我")
	case known.MatchString(what):
		return verb != "忘了" || m.group("what") != ""
	}
	// "Forget work" is said to oneself.
	return verb != "忘了" && matter.MatchString(what) && !strings.Contains(lead, "先")
}

// remembered narrows what is to be forgotten to the topic.
func (m match) remembered(what span) span {
	for {
		if loc := keptTail.FindStringIndex(m.fold(what)); loc != nil && loc[0] > 0 {
			what.to = what.from + loc[0]
		} else if loc := topicTail.FindStringIndex(m.fold(what)); loc != nil && loc[0] > 0 {
			what.to = what.from + loc[0]
		} else {
			break
		}
	}
	for _, head := range []*regexp.Regexp{keptHead, yours} {
		what.from += len(head.FindString(m.fold(what)))
	}
	return what
}

// justSaid points at the message before instead of naming what to forget.
var justSaid = regexp.MustCompile(`^我?(?:刚才|刚刚|刚|上面|前面|上一条)(?:我)?(?:说|讲|提|发)?(?:的)?(?:话|那句|那条|那些|内容|消息|事)?$`)

// suppress reads the clause at clauses[i] as a request not to mention something.
func (r *reader) suppress(s sentence.Sentence, clauses []clause, i int) bool {
	c := &clauses[i]
	for _, e := range []*expr{suppresses, suppressed} {
		m, ok := c.matched(e)
		if !ok {
			continue
		}
		what, _ := m.span("what")
		if e == suppressed && saidBy.MatchString(m.fold(what)) {
			continue
		}
		what = m.topic(what)
		lasts := durable.MatchString(m.group("lead") + m.group("no") + m.group("again"))
		if !m.isRequest(m.fold(what), lasts) {
			return false
		}
		if m.fold(what) != "" && !pointing.MatchString(m.fold(what)) {
			for _, topic := range m.topics(what) {
				r.direct(memory.ActionSuppress, m.say(topic), s.Text)
			}
			return true
		}
		return r.pointedAt(s, clauses, i, lasts)
	}
	for _, e := range []*expr{shunned, closed} {
		if m, ok := c.matched(e); ok && !momentary.MatchString(m.group("what")) {
			what, _ := m.span("what")
			return r.about(memory.ActionSuppress, s, m, m.topic(what))
		}
	}
	return false
}

// isTopic reports whether what follows the verb is something to talk about.
func (m match) isTopic(what string) bool {
	return !wordless.MatchString(what) && !notTopic.MatchString(what) &&
		!(strings.HasPrefix(m.group("verb"), "提") && notRaised.MatchString(what))
}

// isRequest tells a request not to mention something from other uses of its words.
func (m match) isRequest(what string, lasts bool) bool {
	verb := m.group("verb")
	switch {
	case what != "" && !m.isTopic(what), momentary.MatchString(m.group("lead")):
		return false
	case m.group("no") == "不":
		return what != "" && asksLeave.MatchString(m.group("lead")) && !strings.HasPrefix(verb, "说")
	case what == "":
		return lasts && !strings.HasPrefix(verb, "说") && !strings.HasPrefix(verb, "问")
	case lasts, strings.HasPrefix(verb, "提"):
		return true
	}
	return strings.Contains(m.group("no"), "不想") && !strings.HasPrefix(verb, "说") && !strings.HasPrefix(verb, "问")
}

// pointedAt records a request about what the clause before names, 雅思的事，别再提了, or else
// about what was said before.
func (r *reader) pointedAt(s sentence.Sentence, clauses []clause, i int, lasts bool) bool {
	if !lasts {
		return false
	}
	if i > 0 {
		if m, ok := clauses[i-1].matched(announced); ok {
			what, _ := m.span("what")
			if what = m.topic(what); !pointing.MatchString(m.fold(what)) {
				r.direct(memory.ActionSuppress, m.say(what), s.Text)
				return true
			}
		}
	}
	r.direct(memory.ActionSuppress, "", s.Text)
	return true
}

// announced is a clause that only names a topic.
var announced = compile(`^(?P<what>(?:关于|至于|有关)[^，]{1,12}|[^，]{1,10}(?:的事情?|这件事|这事|的话题|这个话题))$`)

// topic narrows a span to the topic that it names.
func (m match) topic(what span) span {
	for {
		loc := topicTail.FindStringIndex(m.fold(what))
		if loc == nil || loc[0] == 0 {
			break
		}
		what.to = what.from + loc[0]
	}
	what.from += len(topicHead.FindString(m.fold(what)))
	return what
}

// lift reads a clause as leave to mention something again.
func (r *reader) lift(s sentence.Sentence, c *clause) bool {
	if c.asked {
		return false
	}
	for _, e := range []*expr{lifts, lifted} {
		m, ok := c.matched(e)
		if !ok {
			continue
		}
		what, _ := m.span("what")
		full := m.fold(what)
		what = m.topic(what)
		repeats := anew.MatchString(m.group("again")) || strings.Contains(c.whole(), "又")
		switch {
		case !repeats && !strings.Contains(m.group("end"), "了") && !strings.HasPrefix(c.whole(), "现在"), e == lifted && saidBy.MatchString(full),
			full == "", strings.HasPrefix(m.group("verb"), "问"), m.group("verb") == "说" && !repeats && full == m.fold(what):
			return false
		}
		return r.about(memory.ActionLift, s, m, what)
	}
	for _, e := range []*expr{unshunned, indifferent} {
		if m, ok := c.matched(e); ok {
			what, _ := m.span("what")
			return m.group("verb") != "说" && r.about(memory.ActionLift, s, m, m.topic(what))
		}
	}
	return false
}

// about records a request about a topic, unless it names none.
func (r *reader) about(action memory.Action, s sentence.Sentence, m match, what span) bool {
	topic := m.fold(what)
	switch {
	case !m.isTopic(topic):
		return false
	case pointing.MatchString(topic):
		r.direct(action, "", s.Text)
	default:
		for _, topic := range m.topics(what) {
			r.direct(action, m.say(topic), s.Text)
		}
	}
	return true
}

// topics are those of an enumeration, 工作和过敏, each of which may be lifted by itself; or the
// one that a whole is: 我和前任吵架 is what happened between two.
func (m match) topics(what span) []span {
	parts := items(m.folded, what)
	if len(parts) < 2 || between.MatchString(m.fold(what)) || strings.HasPrefix(m.folded[what.to:], "的事") {
		return []span{what}
	}
	for i, part := range parts {
		if topic := m.fold(part); runes(topic) < 2 || !m.isTopic(topic) || i > 0 && doer.MatchString(topic) {
			return []span{what}
		}
	}
	return parts
}

var (
	// between is what two have with one another.
	between = regexp.MustCompile(`跟|与|吵|打架|分手|离婚|结婚|见面|一起|约会|闹|关系|聊|合作|矛盾|冲突|之间|比|吵架`)
	// doer is who does something.
	doer = regexp.MustCompile(`^(?:我[^的]|他|她|你)`)
)
