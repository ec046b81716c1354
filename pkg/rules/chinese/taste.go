package chinese

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

const (
	degree  = `(?:最|很|挺|蛮|超级?|好|太|非常|特别|尤其|格外|十分|极其|极|相当|比较|更加?|真的?|可|一直|确实|越来越|也|还|还是|都|就|总|其实|老|贼|巨|爆|一直很|从小就|疯狂|疯狂地|无比|深深|狂|有点|有些|稍微|个人|一点儿?(?:也|都)|丝毫|完全|根本|压根儿?)*`
	liking  = `(?:喜欢(?:上了)?|into\s+|(?:prefer|love|like|enjoy)\s*|喜爱|热爱|酷爱|钟爱|偏爱|偏好|偏向于?|倾向于?|习惯用|爱上|爱好|爱|中意|钟意|迷上|迷恋上?|沉迷于?|沉迷|痴迷于?|热衷于?|热衷|入坑|欣赏|享受|粉上|粉)(?:了)?`
	notLike = `(?:不太喜欢|不怎么喜欢|不是很喜欢|不是太喜欢|不是特别喜欢|不大喜欢|不那么喜欢|没那么喜欢|不是?很爱|不喜欢|不喜|不太爱|不怎么爱|不大爱|不爱|不再喜欢|不再爱|讨厌|hate\s*|厌恶|反感|痛恨|最恨|最烦|很烦|嫌弃|受不了|不能忍受|忍受不了|接受不了|(?:不太|不怎么|不大|不是很)(?:能)?(?:吃|喝|听|看|穿|用)得(?:惯|来)|吃不惯|喝不惯|看不惯|听不惯|吃不来|喝不来|不感冒|不敢吃|不敢喝|恨|害怕|最怕|怕)(?:了)?`
)

// vague are objects of liking and disliking that say nothing about a person, or are no
// objects at all.
var vague = regexp.MustCompile(`^[了啦吧呢啊过的]+$|^不是|^(?:广泛|很多|不多|很广|丰富)$|^的|^爱了?$|^(?:你|您|他|她|它|我|咱|人家|这|那|上|谁|什么|啥|怎|如何|自己|一下|一个人$|一起|的|得|不|没|过|着|和你|跟你|被|把|大家|别人|有人|某|的话|的是|是|就|听你|看你|看到你|问|说|来|去了|极了|死了|很|死|迟到|麻烦你|打扰|问题|答案|回答|建议|推荐|主意|想法|方案|就好|就行|惯|意思|要|事|东西|吃|喝|看|玩)$|^(?:你|您|他|她|它|这|那|和你|跟你|看你|听你|被你|你们|自己的?|死|过|的话|极了|问你|跟我|我)|这个|那个|你的|您的|你家|你(?:推荐|给|发|写|说|做|讲)|^(?:今天|昨天|刚才|前者|后者|第[一二三四五六]|上一|下一|原来那|之前那)|吗|什么|怎么|主意$|建议$|回答$|方案$|答案$|的时候$|想法$|的样子$|错过|打扰|忘记?$|忘了|迟到|来不及|记错|弄错|搞错|出错|麻烦|被|万一|^人$|^孩子$|^不\p{Han}$`)

func isObject(folded string) bool {
	n := runes(folded)
	return n >= 1 && n <= 24 && !vague.MatchString(folded)
}

// enjoying are verbs that say only how a thing is enjoyed: the value is the thing. Before
// a single character most of them are a word with it: 看书, 听歌.
var enjoying = regexp.MustCompile(`^(?:吃|喝)(?:点|些|一些|各种)?\s*|^(?:看|听|读|玩|用|穿)(?:点|些|一些|各种)?\s*`)

// tastes returns a build function for each thing of an enumeration that is liked or not.
func tastes(key memory.Key) func(match) []found {
	return func(m match) []found {
		v, ok := m.span("v")
		if !ok {
			return nil
		}
		var out []found
		for _, s := range sameOpinion(m.folded, v, key) {
			s = preferred(m.folded, s)
			text := m.fold(s)
			if loc := enjoying.FindStringIndex(text); loc != nil && loc[1] < len(text) {
				if eaten.MatchString(text) || runes(text[loc[1]:]) > 1 {
					s.from += loc[1]
				}
			}
			s = nominal(m.folded, s, m.to)
			if isObject(m.fold(s)) {
				out = append(out, m.fact(key, s))
			}
		}
		return out
	}
}

// opinion is where the object of one opinion ends and the next opinion begins.
var opinion = regexp.MustCompile(`(?:，)?(?:但|但是|而|却)?(?:也|却|更)(?:很|特别|非常|不太|不怎么)?(?P<verb>不喜欢|不爱吃?|不讨厌|讨厌|喜欢|爱吃?|不吃|不喝)`)

// sameOpinion are the items of the object of which the opinion of the key is held: both
// things of 不喜欢猫也不喜欢狗, and the first of 喜欢猫也讨厌狗.
func sameOpinion(folded string, s span, key memory.Key) []span {
	var out []span
	at, same := s.from, true
	for _, loc := range opinion.FindAllStringSubmatchIndex(folded[s.from:s.to], -1) {
		if same {
			out = append(out, items(folded, span{at, s.from + loc[0]})...)
		}
		verb := folded[s.from+loc[2] : s.from+loc[3]]
		disliked := verb != "不讨厌" && (strings.HasPrefix(verb, "不") || verb == "讨厌")
		at, same = s.from+loc[1], verb != "不讨厌" && disliked == (key == dislikes)
	}
	if same {
		out = append(out, items(folded, span{at, s.to})...)
	}
	return out
}

// preferred takes from the object what it is preferred to (狗而不是猫), and from its head
// the 上 of 喜欢上 and the 去 of 爱去钓鱼.
func preferred(folded string, s span) span {
	if whole := s.from - len("上"); whole > 0 && folded[whole:s.from] == "上" && isKnownPlace(folded[whole:s.to]) {
		s.from = whole // 爱上海
	}
	if loc := ratherThan.FindStringIndex(folded[s.from:s.to]); loc != nil && loc[0] > 0 {
		s.to = s.from + loc[0]
	}
	if loc := lead.FindStringSubmatchIndex(folded[s.from:s.to]); loc != nil {
		s.from += max(loc[2], loc[4])
	}
	return s
}

var (
	ratherThan = regexp.MustCompile(`(?:，)?(?:而不是|胜过|多过|甚于|超过|远胜|不是).*$`)
	lead       = regexp.MustCompile(`^(?:上([^周个次午面班课学网山街海台夜早晚床厕])|去(` + pastimes + `)$)`)
)

var eaten = regexp.MustCompile(`^(?:吃|喝)`)

var dislikeRules = []rule{
	{
		name: "no-longer-likes", scope: own,
		pattern: body(`(?:已经|现在|也|早就|早已|突然|真的|都)*(?P<verb>不再喜欢|不再爱|不喜欢|不爱|讨厌|没那么喜欢|不怎么喜欢|不太喜欢|不怎么爱|不太爱|不那么喜欢)(?P<v>[^，]+?)了`),
		build:   noLongerLikes,
	},
	{
		name: "dislikes", scope: own,
		pattern: body(degree + notLike + `(?P<v>[^，]+?)(?:的)?`),
		build:   dislikesEach,
	},
	{
		name: "does-not-eat", scope: own,
		pattern: body(`(?:是|从来|一直|都|现在|也|平时|基本|从小|一向|真的|一般|绝对|完全|一点儿?)*(?:都|也)?(?:不吃|不喝|不碰|吃不下|喝不了|忌口|忌吃|忌)(?P<v>[^，]+?)(?:的)?`),
		build:   doesNotEat,
	},
	{
		name: "not-interested", scope: own,
		pattern: body(`(?:对|对于)(?P<v>[^，]+?)(?:都|一点|完全|真的|实在|也|不是很|不太)*(?:不感兴趣|没兴趣|没有兴趣|没什么兴趣|无感|没感觉|不感冒|感兴趣不起来|提不起兴趣|不太感兴趣)`),
		build:   tastes(dislikes),
	},
	{
		name: "dislike-fronted", scope: anyone,
		pattern: within(`^(?P<v>[\p{Han}a-z0-9]{1,10}?)我(?:是|真的|也|都|一直|从来|很|最|一点也?|一点都|实在|完全|就)*(?:不吃|不喝|不太喜欢|不喜欢|不爱吃?|讨厌|受不了|不太行|不行)(?:的)?` + particles + `$`),
		build:   tastes(dislikes),
	},
}

// noLongerLikes replaces an opinion: 我不喜欢咖啡了.
func noLongerLikes(m match) []found {
	out := tastes(dislikes)(m)
	for i := range out {
		out[i].Relation = memory.RelationUpdates
	}
	return out
}

// suffering are objects of 怕 and 恨 that are worries of the moment and no taste.
var suffering = regexp.MustCompile(`^(?:怕|害怕|最怕|恨|受不了)(?:自己|赶不|来不|忘|出错|失败|会|不|考|被|说|打|麻烦|迟|晚|耽误|影响|以后|万一|得|死|了)`)

// awed is fear of somebody, which is no dislike: 我怕老婆.
var awed = regexp.MustCompile(`^` + degree + `(?:害怕|最怕|怕|恨)(?:我)?(?:的)?(?:` + relatives + `|老师|老板|领导)`)

func dislikesEach(m match) []found {
	if suffering.MatchString(m.rest()) || awed.MatchString(m.rest()) {
		return nil
	}
	return tastes(dislikes)(m)
}

// mealtimes are what 不吃 is about when it is about today: 我不吃了, 不吃早饭.
var mealtimes = regexp.MustCompile(`^(?:了|饭|早|晚饭|晚餐|午饭|午餐|夜宵|东西|这|那|你|惯|药|亏|醋|眼前亏|老本|他|她)`)

// thenWell is what comes of not eating a thing: 我不吃花生就不过敏.
var thenWell = regexp.MustCompile(`就(?:不|没|好|行)`)

func doesNotEat(m match) []found {
	s, _ := m.span("v")
	if mealtimes.MatchString(m.fold(s)) || thenWell.MatchString(m.fold(s)) || m.dated && !m.changed || stopped.MatchString(m.rest()) {
		return nil
	}
	return tastes(dislikes)(m)
}

// stopped is 不吃…了: an end, which endings read.
var stopped = regexp.MustCompile(`^[^，]*了$`)

var likeRules = []rule{
	{
		name: "favourite", scope: own,
		pattern: body(`(?:的)?(?:最|特别|很|平时|一直)(?:喜欢|爱|喜爱|钟爱|中意|拿手|欣赏|难忘|想去)(?:吃|喝|看|听|玩|读|去|用|穿)?的(?P<what>[^，是]{0,8})(?:就|一直|还|当然|肯定|永远|现在|其实)?(?:是|就是|有|莫过于|还是)(?P<v>[^，]+?)`),
		build:   freely(memory.KindPreference, likes, isObject),
	},
	{
		name: "favourite-noun", scope: own,
		pattern: body(`(?:的)?(?:最爱|心头好|本命|偶像|幸运数字|座右铭|人生信条|口头禅|白月光|梦中情.)(?:一直|就|还)?(?:是|就是)(?P<v>[^，]+?)`),
		build:   freely(memory.KindPreference, likes, isObject),
	},
	{
		name: "hobbies-are", scope: own,
		pattern: body(`(?:的)?(?:平时|业余|最大|主要|个人)?(?:的)?(?:爱好|兴趣爱好|兴趣|业余爱好)(?:就|主要|一直|比较广泛|很多|还)?(?:是|有|包括|就是|：|)(?P<v>[^，]+?)`),
		build:   each(hobbies, isObject),
	},
	{
		name: "likes", scope: own,
		pattern: body(`(?:是)?` + degree + liking + `(?P<v>[^，]+?)(?:的)?`),
		build:   likesEach,
	},
	{
		name: "only", scope: own,
		pattern: body(`(?:平时|一向|从来|一直)*只(?:喝|吃|听|穿|用)(?P<v>[^，]{1,10}?)`),
		build:   likesOnly,
	},
	{
		name: "rather", scope: anyone,
		pattern: within(`^(?:比起|相比于?|相较于?|比较起来|和|跟|与)(?P<than>[^，我]{1,10}?)(?:相?比(?:起来)?)?我(?:还是|更|更加|比较|会|其实|一直|现在|最近|如今)+(?:喜欢|爱|偏爱|倾向于?|想要|愿意)(?P<v>[^，]+?)` + particles + `$`),
		build:   tastes(likes),
	},
	{
		name: "interested", scope: own,
		pattern: body(`(?:对|对于)(?P<v>[^，]+?)` + degree + `(?:感兴趣|有兴趣|着迷|上头|情有独钟|上瘾|没有抵抗力|没抵抗力)(?:的)?`),
		build:   tastes(likes),
	},
	{
		name: "fan", scope: own,
		pattern: body(`(?:是|算是?|属于)(?:一?个|一?名|一?位)?(?:资深|骨灰级?|忠实|铁杆|超级|重度|狂热|死忠|十级|老|的)*(?P<v>[^，]+?)(?:的)?(?:铁杆|忠实|死忠|资深|十年老|老|重度|狂热|骨灰级?)?(?:粉丝?|迷|控|爱好者|发烧友|死忠|脑残粉|铁粉)`),
		build:   fanOf,
	},
	{
		name: "favourite-fronted", scope: anyone,
		pattern: within(`^(?P<v>[^，我是]{1,12}?)(?:一直|永远|绝对|才|就|真的)*是我(?:的)?(?:最爱|心头好|本命|最喜欢的(?:食物|水果|运动|歌手|电影|书|颜色|季节)?)` + particles + `$`),
		build:   tastes(likes),
	},
	{
		name: "like-fronted", scope: anyone,
		pattern: within(`^(?P<v>[\p{Han}a-z0-9]{1,10}?)我(?:是|真的|也|都|一直|很|最|超|超级|特别|非常|挺|蛮|就)*(?:喜欢|爱吃?|爱喝|爱看|爱听)(?:的)?` + particles + `$`),
		build:   tastes(likes),
	},
	{
		name: "inseparable", scope: own,
		pattern: body(`(?:离不开|无(?P<v>[\p{Han}]{1,2})不欢|戒不掉)(?P<w>[^，]*?)`),
		build:   inseparable,
	},
}

// notLiking are clauses with 爱 and 喜欢 that state no taste.
var notLiking = regexp.MustCompile(`喜欢(?:过|的话|就|得|不)|^爱(?:人|迟到|咋|谁|理不理|信不信|莫能助)|喜欢(?:上)?(?:了)?(?:一个|一位|某个|他|她|你|这|那)|爱(?:好者|情|心|国|你|我|他|她|豆|奇艺|马仕|丽丝|尔兰|迪生|因斯坦|彼迎|沙尼亚|琴海|护|惜|称)|的$|没(?:有)?喜欢|吃(?:瓜|软饭|醋|土|苦|瘪|老本)|享受(?:优惠|折扣|服务|不|到|过|的)|欣赏(?:你|您)|爱好`)

func likesEach(m match) []found {
	if notLiking.MatchString(m.rest()) && !lovesEating.MatchString(m.rest()) {
		return nil
	}
	out := tastes(likes)(m)
	if len(out) > 0 && m.unsure {
		return nil
	}
	return out
}

// lovesEating are bodies that notLiking refuses although they are plain.
var lovesEating = regexp.MustCompile(`^` + degree + `(?:喜欢|爱)(?:吃|喝|看|听|玩)?\p{Han}{1,8}的$`)

// fanOf needs more than a character: 果粉 and 米粉 are words of their own.
func fanOf(m match) []found {
	s, ok := m.span("v")
	if !ok || runes(m.fold(s)) < 2 {
		return nil
	}
	if club := strings.TrimSuffix(m.fold(s), "球"); runes(club) > 1 && club != m.fold(s) && !ballGame.MatchString(club) {
		return []found{m.fact(likes, span{s.from, s.from + len(club)})}
	}
	return tastes(likes)(m)
}

// ballGame is a game whose name ends in 球; before 球迷 anything else is a club.
var ballGame = regexp.MustCompile(`^(?:羽毛|乒乓|高尔夫|橄榄|保龄|匹克)$`)

// likesOnly is 我只喝美式; 只吃了一口 tells of one time.
func likesOnly(m match) []found {
	s, _ := m.span("v")
	if m.dated || once.MatchString(m.fold(s)) {
		return nil
	}
	return tastes(likes)(m)
}

var once = regexp.MustCompile(`[了过到完半点这那素斋]|一|来|于|有|作`)

func inseparable(m match) []found {
	for _, group := range []string{"v", "w"} {
		if s, ok := m.span(group); ok {
			s = trimValue(m.folded, s)
			if !s.empty() && isObject(m.fold(s)) {
				return []found{m.fact(likes, s)}
			}
		}
	}
	return nil
}
