package chinese

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/memory"
)

var homeRules = []rule{
	{
		name: "moved-to", scope: own,
		pattern: head(`(?P<ever>自从|自打)?(?:我)?(?:(?:从|由)(?P<old>.{1,10}?))?(?P<verb>(?:把家安(?:在|到)|落户(?:在|于)?|安家(?:在|于)?|move\s*(?:到|去|to\s)\s*|(?:把家)?(?:搬家|搬|迁居|迁|移居|移民|定居|回流)(?:了)?(?:到|来|去|回|至|到了|去了|来了|回了|进)?(?:了)?))(?P<v>[^，]+)$`),
		build:   movedTo,
	},
	{
		name: "changed-city", scope: own,
		pattern: body(`(?:换到|换成|改到|调到|来到|回到)(?:了)?(?P<v>.+?)(?:住|生活|定居|居住)`),
		build:   dwells(isPlace),
	},
	{
		name: "lives-for", scope: own,
		pattern: body(`(?:人)?(?:是)?(?:在|于)(?P<v>[^，]+?)(?:这边|那边|这里)?(?:租房子?|买房|安家|扎根)?(?:住着?|居住|定居|生活|安家|租房|安顿(?:好|下来)?|落脚|落户|扎根)(?P<past>过)?(?:了)?(?:(?:快|已经|有|都)*(?:好几|好多|很多|十几|几|[0-9]+|[一二两三四五六七八九十半]+)多?(?:年|个月|天|周)(?:多|左右|半)?(?P<since>了)?)?`),
		build:   livesFor,
	},
	{
		name: "lives-in", scope: own,
		pattern: body(`(?:人)?(?:的)?(?:家)?(?:是)?(?:一个人|独自)?(?:住址|地址|居住地|所在地|常住地|坐标|live\s*(?:in)?|租住|合租|租|住|定居|常驻|常住|居住|蹲)(?:的(?:地方|城市)?是)?(?:是)?(?:在|于)?(?:了)?(?::)?\s*(?P<v>[^，]+?)`),
		build:   dwells(isPlace),
	},
	{
		name: "home-in", scope: own,
		pattern: body(`(?:的)?家(?:就|是|现在|也)*(?:在|住)(?P<v>[^，]+?)`),
		build:   dwells(isPlace),
	},
	{
		name: "base", scope: own,
		pattern: body(`(?:人)?(?:长期)?base(?:\s*在|d in)?\s*(?P<v>[^，]+?)`),
		build:   dwells(isPlace),
	},
	{
		name: "lives-outside", scope: own,
		pattern: body(`(?:人)?在(?P<v>\p{Han}{2,8})(?:这边|这里|这儿)`),
		build:   dwells(isKnownPlace),
	},
}

// dwells returns a build function for a home: not where somebody stays for some days.
func dwells(check func(folded string) bool) func(match) []found {
	return func(m match) []found {
		if m.says(passingStay) || m.dated && !m.changed && !m.says(sinceThen) {
			return nil
		}
		s, ok := m.span("v")
		if !ok {
			return nil
		}
		if loc := ratherThan.FindStringIndex(m.fold(s)); loc != nil && isKnownPlace(m.folded[s.from:s.from+loc[0]]) {
			return []found{m.fact(city, span{s.from, s.from + loc[0]})}
		}
		if n := placePrefix(m.fold(s)); n > 0 && someone.MatchString(m.folded[s.from+n:s.to]) {
			return []found{m.fact(city, span{s.from, s.from + n})}
		}
		return one(city, check)(m)
	}
}

var (
	// someone is who lives in the place: 住在台北的小芳.
	someone     = regexp.MustCompile(`^的(?:[小阿]\p{Han}{1,2}|\p{Han}{0,4}(?:人|妹子|姑娘|小伙|妈妈|爸爸|大叔|学生|老师))$`)
	passingStay = compile(`这几天|这两天|暂时|临时|暂住|借住|今晚|明晚|这段时间|短住|出差|旅游|度假`)
	sinceThen   = compile(`起|开始|以来|之后|就`)
)

// movedTo keeps the old place out of what is quoted: 从北京搬到上海 is quoted from 搬 on.
func movedTo(m match) []found {
	s, _ := m.span("v")
	verb, _ := m.span("verb")
	s = trimValue(m.folded, s)
	if loc := eversince.FindStringIndex(m.fold(s)); loc != nil && m.has("ever") {
		s.to = s.from + loc[0]
	}
	if loc := afterMove.FindStringIndex(m.fold(s)); loc != nil {
		s.to = s.from + loc[0]
	}
	if s.empty() || !isPlace(m.fold(s)) || !isKnownPlace(m.fold(s)) && !directed.MatchString(m.fold(verb)) {
		return nil
	}
	f := m.fact(city, s)
	f.Relation = memory.RelationUpdates
	if m.has("old") {
		f.from = verb.from
	}
	if at := m.dates.in(m.from, m.to, 1); len(at) > 0 {
		if at[0].Start.After(m.at) {
			return nil
		}
		f.ValidFrom = at[0].Start
	}
	return []found{f}
}

var (
	afterMove = regexp.MustCompile(`(?:来|去)?(?:住|生活|定居|工作|居住|发展)?(?:了|的)?$|来[了的]$|的(?:新|老|旧|小)?(?:房子?|家|公寓|小区|出租屋|别墅)里?$`)
	eversince = regexp.MustCompile(`(?:以后|之后|后)$`)
	directed  = regexp.MustCompile(`到|在|来|去|回|至|居|民`)
)

// livesFor reads 在…住 with or without a length of time: 住过 and 住了三年 are over, 住了
// 三年了 is not.
func livesFor(m match) []found {
	if m.has("past") || !m.has("since") && over.MatchString(m.whole()) {
		return nil
	}
	return dwells(isPlace)(m)
}

var over = regexp.MustCompile(`(?:住|生活|居住|租房)了(?:[^了]*)$`)

var hometownRules = []rule{
	{
		name: "hometown", scope: own,
		pattern: body(`(?:的)?(?:老家|家乡|故乡|籍贯|祖籍|老家那边)(?:是|在|就是|就在|于|：)*(?P<v>[^，]+?)(?:的|人|那边)?`),
		build:   one(hometown, isPlace),
	},
	{
		name: "comes-from", scope: own,
		pattern: body(`(?:是)?(?:(?:来自|出生在|出生于|生在|生于|从小?长在)(?P<v>[^，]+?)(?:的)?|从(?P<w>[^，]+?)(?:过?来的|出来的))`),
		build:   comesFrom,
	},
	{
		name: "born-in", scope: own,
		pattern: body(`(?:是)?在(?P<v>[^，]+?)(?:出生|长大|土生土长)(?:和?长大)?(?:的)?`),
		build:   one(hometown, isPlace),
	},
	{
		name: "native", scope: own,
		pattern: body(`(?:是|算是?)(?:一?个)?(?:土生土长的?|地道的?|地地道道的?|正宗的?|老|本地的?)?(?P<v>\p{Han}{2,8}?)(?:人|妹子|姑娘|小伙|土著|本地人|崽儿|伢子|妹陀|娃儿?|仔|的)`),
		build:   one(hometown, isKnownPlace),
	},
	{
		name: "native-of", scope: own,
		pattern: body(`(?:土生土长的?|地道的?)?(?P<v>\p{Han}{2,8}?)(?:人|本地人|土著)`),
		build:   one(hometown, isKnownPlace),
	},
}

func comesFrom(m match) []found {
	s, ok := m.span("v")
	if !ok {
		s, _ = m.span("w")
	}
	s = trimValue(m.folded, s)
	if s.empty() || !isKnownPlace(m.fold(s)) {
		return nil
	}
	return []found{m.fact(hometown, s)}
}

var commuteRules = []rule{
	{
		name: "commute-by", scope: own,
		pattern: body(`(?:的)?(?:日常)?(?:通勤|上下班|上班|上学|放学|去公司|去上班|去学校|往返公司)(?:路上)?(?:的?(?:方式|工具|交通工具|交通))?(?:就|都|一般|通常|主要|基本上?|现在|大多|是|全|平时|目前|每天|多半|经常|改|改成|换成|变成)*(?P<verb>靠|用|坐|搭|搭乘|乘|乘坐|挤|选|选择|走|)(?P<v>[^，]+?)(?:去|来|过去|通勤|上班|上下班)*`),
		build:   commutesBy,
	},
	{
		name: "commute-to", scope: own,
		pattern: body(`(?:都|改|就|是|一般|主要|会|得|要|天天)*(?:改|改成|换成)?(?P<verb>坐|搭|搭乘|乘|乘坐|挤|靠|用|)(?P<v>(?:骑|开|走|步行|打|拼|跑)?[^，坐搭乘挤靠用]*?)(?:去|来|到)?(?:通勤|上下班|上班|去公司|公司|单位|上学|去学校)(?:的)?(?:大概|大约|差不多|要|需要|单程|只要|就)*(?:[0-9一二两三四五六七八九十半]+个?(?:多)?(?:分钟|小时|钟头|公里|站)(?:左右)?)?`),
		build:   commutesBy,
	},
	{
		name: "commute-legs", scope: own,
		pattern: body(`(?:早上|早晨|一早)*先(?P<v>(?:坐|骑|开|搭|挤)[^，]{1,8}?(?:再|然后|后)*(?:转|换|换乘|坐|骑|走)[^，]{1,8}?)(?:去|到)(?:单位|公司|学校|上班|上学)`),
		build:   commutesBy,
	},
	{
		name: "commute-length", scope: own,
		pattern: body(`(?:的)?(?:通勤|上班|上下班|单程通勤|每天通勤|上班路上)(?:时间|路程|单程|来回|大概|大约|差不多|就|需要|需|要|得|要花|花|是)*(?:[0-9]+|[一二两三四五六七八九十半]+)(?:多|来)?个?(?:多|半)?(?:小时|钟头|分钟|公里|钟)(?:半|左右)?`),
		build:   freely(memory.KindFact, commute, nil),
	},
}

// vehicles are the ways of getting about.
var vehicles = regexp.MustCompile(`地铁|捷运|公交|公车|巴士|班车|轻轨|城轨|火车|高铁|动车|轮渡|自行车|脚踏车|单车|共享单车|电动车|电瓶车|电驴|小电驴|摩托|机车|骑车|汽车|私家车|开车|自驾|驾车|打车|打的|计程车|出租车|网约车|滴滴|拼车|顺风车|步行|走路|走着|徒步|跑步|滑板车|有轨电车|电车|渡轮|校车|区间车|骑行|特斯拉|u-?bike`)

var notCommute = regexp.MustCompile(`迟到|堵|累|晚了|太|好挤|很挤|没|不|忘|丢|要带|注意`)

func commutesBy(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	said := s.from
	turned := commuteLead.FindStringSubmatchIndex(m.fold(s))
	if turned != nil {
		s.from += turned[1]
	}
	s.from += len(fromHome.FindString(m.fold(s)))
	value := m.fold(s)
	if s.empty() || !vehicles.MatchString(value) || runes(value) > 14 || notCommute.MatchString(value) {
		return nil
	}
	if m.dated && !m.habit && !m.changed {
		return nil
	}
	if loc := commuteTail.FindStringIndex(value); loc != nil && loc[0] > 0 {
		s.to = s.from + loc[0]
	}
	f := m.fact(commute, s)
	if turned != nil && turned[2] >= 0 {
		f.from, f.Relation = said+turned[2], memory.RelationUpdates
	}
	return []found{f}
}

// commuteLead is what stands before the way to work without naming it: 从公交变成地铁,
// 买了车以后我就开车. Its group is where the way before has been named.
var commuteLead = regexp.MustCompile(`^(?:从.{2,6}?(变成?|换成?|改成?|改为)|.{0,8}(?:以后|之后)|换|变|改)(?:成|为)?(?:了)?(?:我)?(?:就|都)*`)

// fromHome is where the way begins.
var fromHome = regexp.MustCompile(`^从(?:我)?家(?:里|出发|出门)?`)

var commuteTail = regexp.MustCompile(`(?:[0-9一二两三四五六七八九十半几]+个?(?:多)?(?:分钟|小时|钟头|站)(?:左右)?(?:就)?|比较方便|最方便|比较快|最快|去|来|过去|为主|居多|就行|的)$`)

// commuteTurn is a clause that says only to what the way to work changed: 改骑车了.
var commuteTurn = regexp.MustCompile(`^(?:就|只好|干脆|都|还是)*(?P<turn>(?:改|换)(?:成|为|用|到)?(?:了)?)?(?:坐|搭|乘坐|乘|靠|用)?(?P<v>(?:骑|开|拼)?(?:共享)?(?:` + vehicles.String() + `))(?:上班|上下班|通勤|去上班|去公司|出行)?` + particles + `$`)

// wayTrouble is what makes people change the way they go to work.
var wayTrouble = regexp.MustCompile(`(?:` + vehicles.String() + `|停车费?|油价|油费|早高峰|路上)(?:实在|真的|真|上|里|越来越)*(?:太|很|好|又)?(?:挤|慢|贵|堵|远|累|麻烦|不方便|停运|改线|涨价|涨)`)

// wayLeft is a way of getting about that the user has given up.
var wayLeft = regexp.MustCompile(`不(?:再)?(?:坐|骑|开|挤|搭|打)(?:` + vehicles.String() + `|车)了`)

// commuteChanged reads 改骑车了 after the commute, or trouble with it, was spoken of.
func (r *reader) commuteChanged(m match) []found {
	loc := commuteTurn.FindStringSubmatchIndex(m.rest())
	if loc == nil {
		return nil
	}
	begin := sentenceBegin(r.folded[:m.from])
	gaveUp := m.changed && wayLeft.MatchString(r.folded[begin:m.from])
	if loc[2] < 0 && !gaveUp {
		return nil
	}
	spoken := gaveUp || wayLeft.MatchString(r.folded[begin:m.from]) || r.topic == commute || wayTrouble.MatchString(r.folded[begin:m.from]) ||
		slices.ContainsFunc(r.earlier, func(f found) bool { return f.Key == commute })
	if !spoken || len(r.dates.in(begin, m.to, 1)) > 0 {
		return nil
	}
	s := trimValue(m.folded, span{m.body + loc[4], m.body + loc[5]})
	f := m.fact(commute, s)
	f.rule, f.Relation = "commute-changed", memory.RelationUpdates
	return []found{f}
}

// sentenceBegin is where the last sentence of the folded text begins.
func sentenceBegin(folded string) int {
	at := strings.LastIndexAny(folded, "。！？!?\n")
	if at < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(folded[at:])
	return at + size
}
