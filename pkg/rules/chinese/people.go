package chinese

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// parentWords are the relatives that everybody has.
const parentWords = `^(?:爸爸|妈妈|老爸|老妈|爸妈|父母|父亲|母亲|爸|妈)$`

// notOther is what turns a word for somebody into the beginning of another word.
var notOther = regexp.MustCompile(`^(?:棋|牙|征|山|类|民|圈|饼|毛|粮|砂|是什么|这个词)`)

// A name that stands right behind a word for a person, or after 叫.
const personName = `(?:(?:的?(?:英文|中文)?名字)?(?:就?叫做?|名叫|是叫)(?P<named>[小阿][a-z]+|[\p{Han}]{1,4}|[a-z][a-z .]*)|(?:就是)?(?P<name>小(?:[^\s学时心孩区朋气名便\x00-\x7f])|阿(?:[^\s姨\x00-\x7f])|[a-z]+))`

var peopleRules = []rule{
	{
		name: "partner-new", scope: own,
		pattern: body(`(?:交|找|谈|有|处)(?:到)?(?:了)?(?:一?个)?(?:新的?)?(?P<v>女朋友|男朋友|女友|男友|对象|老婆|老公|未婚妻|未婚夫)(?:` + personName + `)?`),
		build:   partnerNamed,
	},
	{
		name: "partner-wed", scope: own,
		pattern: body(`(?:和|跟|与)(?P<v>[^，]{1,10}?)(?:已经|终于|刚刚?|就要|马上|正式)*(?:订婚|结婚|领证|领结婚证)(?:了|啦)`),
		build:   partnerWed,
	},
	{
		name: "partner-became", scope: anyone,
		pattern: within(`我(?:的)?(?:` + partnerWords + `)(?:已经|终于)?(?:变成|变|成了|成为|升级成为?|转正成)(?:了)?(?:我)?(?:的)?(?P<v>` + partnerWords + `)`),
		build:   partnerBecame,
	},
	{
		name: "partner-is", scope: anyone,
		pattern: within(`^(?:[^，]{0,12}?)(?:我(?:现在|现任)?(?:的|有一?个)?(?:新)?|我和我?(?:的)?|我跟我?(?:的)?|^(?:跟|和|与)|^)(?P<v>` + partnerWords + `)(?:` + personName + `)?`),
		build:   partnerMentioned,
	},
	{
		name: "family-has", scope: own,
		pattern: body(`(?:家里?)?(?:还|也|只)?(?:有|生了|收养了|领养了)(?:[一二两三四五六七八]|[0-9])?(?:个|位|对|名)?(?:[0-9一二三四五六七八九十]+岁多?的)?(?:亲)?(?P<v>(?:` + familyWords + `)(?:[和、](?:[一二两三四])?个?(?:` + familyWords + `))*)(?:` + personName + `)?`),
		build:   familyOwned,
	},
	{
		name: "family-pair", scope: own,
		pattern: body(`(?:家里?)?(?:还|也)?(?:有|育有|生了)(?P<v>一儿一女|一双儿女|[一两三]儿[一两三]女|[一两三]女[一两三]儿|儿女双全|妻儿|老婆孩子)`),
		build:   one(family, nil),
	},
	{
		name: "family-is", scope: anyone,
		pattern: within(`(?:我(?:们家|家)?(?:的|有(?:一)?个)?)(?P<v>` + familyWords + `)(?:` + personName + `)?(?P<rest>.*)$`),
		build:   familyMentioned,
	},
}

// bareAllowed are the words that name the user's own partner without 我.
var bareAllowed = regexp.MustCompile(`^(?:` + alternatives(peopleWords["bare"]) + `)$`)

// noPartner are the ways of having none, or of speaking of no real one.
var noPartner = regexp.MustCompile(`(?:没有?|缺|想找|想要|想交|找不到|找个|找一个|未来的?|以后的?|将来的?|理想的?|前|假的?|别人的?|朋友的?|同事的?|他的?|她的?|你的?|谁的?|纸片人)(?:一?个)?(?:` + partnerWords + `)|单身|(?:` + partnerWords + `)(?:饼|棋|牙|征|山|类|民|们|说得对|的话题|这个词)`)

func partnerMentioned(m match) []found {
	s, _ := m.span("v")
	before, after := m.folded[m.from:s.from], m.folded[s.to:m.to]
	mine := strings.Contains(before, "我")
	bare := bareAllowed.MatchString(m.fold(s)) && after != "" && (before == "" || living.MatchString(after))
	if noPartner.MatchString(m.whole()) || !mine && !bare {
		return nil
	}
	if m.past || parted.MatchString(m.whole()) {
		return nil
	}
	return partnerNamed(m)
}

// living is what one does only with a partner of one's own: 跟女朋友异地三年了.
var living = regexp.MustCompile(`^(?:已经|刚|一直)*(?:异地|异国|同居|在一起|恋爱|谈恋爱|谈了|结婚)(?:了|快|已经|都|[0-9一二两三四五六七八九十半几])`)

// partnerWed is 我跟小雨订婚了, by a name.
func partnerWed(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	if name := m.fold(s); !wholeName.MatchString(name) || !isPersonal(name) || bareRelative.MatchString(name) || m.unsure {
		return nil
	}
	f := m.fact(partner, s)
	f.Relation = memory.RelationUpdates
	return []found{dated(m, f)}
}

var wholeName = regexp.MustCompile(`^` + fullName + `$`)

// partnerBecame is 我女朋友变成老婆啦.
func partnerBecame(m match) []found {
	s, _ := m.span("v")
	f := m.fact(partner, s)
	f.Relation = memory.RelationUpdates
	return []found{f}
}

// parted are words for the end of a relationship; endings read them.
var parted = regexp.MustCompile(`分手|分了$|分开了|离婚|掰了|吹了|甩了`)

func partnerNamed(m match) []found {
	s, _ := m.span("v")
	f := m.fact(partner, s)
	f.Value += personNamed(m)
	if f.Value == m.say(s) {
		f.Value += nameBehind(m, s.to)
	}
	return []found{f}
}

// isNamed is what follows a person where it may say who they are.
var isNamed = regexp.MustCompile(`^(?:就)?是(?P<v>` + fullName + `)` + particles + `$`)

// nameBehind is the name in 我老公是王磊, or empty where 是 says what somebody is.
func nameBehind(m match, at int) string {
	loc := isNamed.FindStringSubmatchIndex(m.folded[at:m.to])
	if loc == nil {
		return ""
	}
	s := span{at + loc[2], at + loc[3]}
	if latinName.MatchString(m.fold(s)) && !capital.MatchString(m.say(s)) || !isPersonal(m.fold(s)) {
		return ""
	}
	return m.say(s)
}

// isPersonal reports whether what has the shape of a full name says who somebody is.
func isPersonal(folded string) bool {
	return !roleTail.MatchString(folded) && !isKnownPlace(folded) && !isJob(folded) && !greetings.MatchString(folded) && !notName.MatchString(folded)
}

// personNamed is the name that the match gives a person, or empty.
func personNamed(m match) string {
	for _, group := range []string{"named", "name"} {
		if s, ok := m.span(group); ok {
			s = trimValue(m.folded, s)
			if loc := saidOfThem.FindStringSubmatchIndex(m.folded[s.from:m.to]); loc != nil && group == "named" {
				s.to = s.from + loc[3]
			}
			if notName.MatchString(m.fold(s)) || group == "name" && commonLatin.MatchString(m.fold(s)) {
				continue
			}
			return m.say(s)
		}
	}
	return ""
}

// saidOfThem is a name with what the same clause goes on to say of who bears it: 叫乐乐今年三岁.
var saidOfThem = regexp.MustCompile(`^(\p{Han}{1,3}?)(?:今年|现在|已经|目前|快|刚|才|在[^，]|上(?:小学|初中|高中|大学|幼儿园)|读|[0-9一二两三四五六七八九十]+个?(?:岁|月))`)

// commonLatin are Latin words that stand behind a person without naming them.
var commonLatin = regexp.MustCompile(`^(?:ok|cpa|it|hr|pm|ceo|app|vip|ps|emo|pua)$`)

func familyOwned(m match) []found {
	s, _ := m.span("v")
	var out []found
	for _, item := range items(m.folded, s) {
		f := m.fact(family, item)
		f.Relation = memory.RelationNew
		f.Value += personNamed(m)
		out = append(out, f)
	}
	return out
}

var (
	parents = regexp.MustCompile(parentWords)
	// lasting are predicates that say something of a relative beyond the moment.
	lasting = regexp.MustCompile(`^(?:他|她|也|都|今年|现在|目前|已经|一直|很|最|特别|非常|平时|还)*(?:是|叫|名叫|住|在.+(?:工作|上班|住|读书|上学|教书|生活|当|做)|喜欢|爱|讨厌|不喜欢|不吃|不能|怕|对.+过敏|有|患|得了|今年|[0-9一二三四五六七八九十]+岁|属|退休|怀孕|去世|出生|刚出生|结婚|生日|上(?:小学|初中|高中|大学|幼儿园)|读|学|会|比我|大我|小我|教|开)`)
	// passing are predicates about the moment or about the speaker.
	passing = regexp.MustCompile(`^(?:让|叫我|说|问|催|骂|来|去|给|刚(?:刚)?(?:[^生结毕考升出怀满当])|又|在(?:家|睡|做饭|忙|叫|喊)|喊|打电话|要我|想让|会不会)`)
)

func familyMentioned(m match) []found {
	s, _ := m.span("v")
	after := m.folded[s.to:m.to]
	if notOther.MatchString(after) || noFamily.MatchString(m.whole()) {
		return nil
	}
	predicate := after
	if n, ok := m.span("named"); ok {
		predicate = "叫" + m.fold(n)
	}
	if parents.MatchString(m.fold(s)) && !lasting.MatchString(predicate) || passing.MatchString(predicate) {
		return nil
	}
	if after == "" && !strings.Contains(m.whole(), "有") {
		return nil
	}
	f := m.fact(family, s)
	f.Value += personNamed(m)
	f.Relation = memory.RelationNew
	return []found{f}
}

// noFamily are the ways of having none, and of speaking of those of others.
var noFamily = regexp.MustCompile(`没有?(?:[一个]*)(?:` + familyWords + `)|(?:像|当|跟|和|陪|带|送|给|帮|叫|让|等|问|替|为)我?(?:的)?(?:` + familyWords + `)|我(?:妈|爸)(?:呀|啊|的妈|的天|耶)|我(?:哥们|姐妹|妹子|弟兄)`)

var birthdayDate = `(?:(?:公历|农历|阴历|阳历|旧历|西历)?(?:[0-9]{2,4}年)?(?:闰)?(?:[0-9]{1,2}|正|腊|[一二三四五六七八九十]{1,3})月(?:初)?(?:[0-9]{1,2}|[一二三四五六七八九十廿]{1,3})(?:日|号|号)?|[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s?[0-9]{1,2}(?:st|nd|rd|th)?)`

var birthdayRules = []rule{
	{
		name: "birthday", scope: own,
		pattern: head(`(?:的)?(?:农历|阴历|阳历)?(?:生日|生辰|出生日期|出生年月日?)(?:其?实|应该|还|就|一直|明明)*(?:是在|是|在|为|：)?(?P<v>` + birthdayDate + `)`),
		build:   one(birthday, nil),
	},
	{
		name: "birthday-dated", scope: anyone,
		pattern: within(`^我?(?:是)?(?P<v>` + birthdayDate + `)(?:的)?(?:过?生日|出生|生的|生人)(?:的|人)?$`),
		build:   one(birthday, nil),
	},
	{
		name: "birthday-born", scope: anyone,
		pattern: within(`^我?(?:出生|生)(?:于|在)(?P<v>` + birthdayDate + `)`),
		build:   one(birthday, nil),
	},
	{
		name: "birthday-today", scope: anyone,
		pattern: within(`^(?P<v>` + birthdayDate + `)是我(?:的)?(?:农历|阴历)?生日`),
		build:   one(birthday, nil),
	},
}

// notName are words that no name begins with or holds.
var notName = regexp.MustCompile(`^(?:车|外卖|滴滴|快递|人|醒|停|不|了|过|苦|好|得|起|什么|啥|你|我|他|她|它|做|去|来|回|吃|一|这|那|大家|名字|网|代|救|床|座|板|卖|价)|[了吗呢吧的]|怎么|什么|起床|吃饭|加班|帮忙|上班|出去|过去|回家|睡觉|开会|一声|一下|去做|别|过来`)

// isName reports whether the folded text can be a person's name.
func isName(folded string) bool {
	if notName.MatchString(folded) {
		return false
	}
	return nameShape.MatchString(folded)
}

var nameShape = regexp.MustCompile(`^(?:\p{Han}{2,5}|\p{Han}{1,6}[·•]\p{Han}{1,8}|[a-z][a-z'’.-]*(?: [a-z][a-z'’.-]*){0,3}|[a-z]+\p{Han}{1,3}|\p{Han}{1,3}[a-z]+)$`)

// fullName is a surname and a given name, or a short or Latin name that stands alone.
const fullName = `(?:[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜戚谢邹喻苏潘葛范彭郎鲁韦马方俞任袁柳史唐费廉薛雷贺倪汤罗郝安常于傅康伍余顾孟黄穆萧尹姚邵汪祁毛戴宋庞熊纪舒屈项祝董梁杜阮蓝闵季贾江童郭梅林钟徐邱骆高夏蔡田樊胡凌霍虞万柯卢莫房解应丁邓洪包崔龚程裴陆荣翁段侯宁仇甘武刘景龙叶黎白蒲卓温庄晏柴翟阎连艾容向易廖耿匡文欧聂曾关游岳阳肖]\p{Han}{1,2}|(?:欧阳|司马|上官|诸葛|夏侯|慕容|令狐|皇甫|公孙|司徒|东方|南宫|端木)\p{Han}{1,2}|[小阿]\p{Han}{1,2}|老\p{Han}|[a-z]{2,12})`

var nameRules = []rule{
	{
		name: "name", scope: own,
		pattern: body(`(?:的)?(?:中文|英文|真|本|大|全|网|微信)?(?:名字?|姓名)?(?:改名)?(?:改)?(?:就)?(?:叫做?|是叫|名叫)(?P<v>.+?)`),
		build:   introduced,
	},
	{
		name: "name-is", scope: own,
		pattern: body(`(?:的)?(?:中文|英文|真|本|全)?(?:名字?|姓名|大名)(?:改)?(?:就)?(?:是|为|叫|成)\s*(?P<v>.+?)`),
		build:   one(name, isName),
	},
	{
		name: "name-changed", scope: own,
		pattern: body(`(?:把名字)?(?:改名|改名字|更名)(?:了)?(?:叫|成|为|了)(?P<v>.+?)`),
		build:   one(name, isName),
	},
	{
		name: "name-called", scope: anyone,
		pattern: within(`^(?:(?:其实|但|以后|今后|那|就|请|直接|你们?|您|可以|就|都|大家|朋友们?|同事们?|同学们?|家人|身边人|一般|平时|从今天起|从现在起|还是|麻烦|管|喊)*)(?:叫|喊|称呼|管)我(?:的)?(?:叫|为|做)?(?P<v>.+?)(?:就行|就好|就可以|就可|即可|就成|好|吧|了|啦|哦|呀|哈)*$`),
		build:   called,
	},
	{
		name: "surname", scope: own,
		pattern: body(`(?:免贵)?姓(?P<v>\p{Han}{1,2})`),
		build:   freely(memory.KindProfile, name, nil),
	},
	{
		name: "name-greeting", scope: own,
		pattern: body(`是(?P<v>` + fullName + `)`),
		build:   greeted,
	},
}

// bareCalled is 叫 and a name with nothing before it.
var bareCalled = regexp.MustCompile(`^就?叫`)

// alias names a name beside the one that the user goes by.
var alias = compile(`英文名|网名|小名|昵称|外号|绰号|笔名|花名`)

// newcomer is a clause about an animal or a person that joined the user, whom a bare 叫 names.
var newcomer = regexp.MustCompile(`(?:[一二两三四几][只条匹头窝个]|添了|买了|生了|来了|领养|收养)[^，,。！？\n]*[，,。\s]*$`)

// introduced refuses a bare 叫汤圆 where nothing has been said of the user: it names
// whatever was spoken of.
func introduced(m match) []found {
	if !m.self && (!m.mine || newcomer.MatchString(m.folded[:m.from])) && bareCalled.MatchString(m.rest()) || strings.HasPrefix(m.rest(), "的叫") {
		return nil
	}
	return one(name, isName)(m)
}

// called is a name that others are to use: 以后叫我小林.
func called(m match) []found {
	out := one(name, isName)(m)
	if len(out) > 0 && strings.Contains(m.whole(), "大家都") {
		out[0].Confidence = indirect
	}
	return out
}

// roleTail are the last characters of words that say what somebody is, not who.
var roleTail = regexp.MustCompile(`(?:员|生|师|人|座|族|者|手|工|民|领|身|男|女|控|党|粉|迷|派|星|型|家|医|护|官|长|总|哥|姐|爷|婆|头|狗|猫|的|老师|同学|经理|警|兵|农|商)$`)

// greeted takes 我是 and a full name for an introduction only in the words of one.
func greeted(m match) []found {
	s, _ := m.span("v")
	if !isPersonal(m.fold(s)) || latinName.MatchString(m.fold(s)) && !capital.MatchString(m.say(s)) {
		return nil
	}
	if !introduction.MatchString(m.folded[:m.from]) && (m.from > 0 || !carriesOn.MatchString(m.folded[m.to:])) {
		return nil
	}
	return []found{m.fact(name, s)}
}

// greetings are what people call themselves in greeting without it being a name.
var greetings = regexp.MustCompile(`^(?:小白|小编|小的|小孩|小弟|小妹|小号|小偷|小[学初中高]|小组|小[气仙可公市县镇城红个伙]|程序|金融|高[管富个知校级中材学考冷度]|白[富血领骑羊]|金牛|[巨天双水]\p{Han}$|黄[牛种]|安[利静]|老实|江[南湖]|马大|易[胖瘦]|.*(?:脸|皮肤|头发|个子|胖子|瘦子)$|老外|老大|老[师板婆公爸妈乡铁手人]|阿姨|(?:vip|admin|root|guest|robot|bot|ai|gpt|chatgpt)$)`)

// capital is a name as a Latin name is written: PM and sre are none.
var capital = regexp.MustCompile(`^[A-Z][a-z]+$`)

// carriesOn is an introduction that opens a message and goes on about the user.
var carriesOn = regexp.MustCompile(`^[，,。.\s]+(?:我|i |i'|i’|在|住|来自|今年)`)

var introduction = regexp.MustCompile(`(?:你好|您好|大家好|哈喽|hello|hi|嗨|自我介绍|介绍一下|早上好|晚上好)[^。！？\n]{0,12}$|(?:你好|您好|大家好|哈喽|hello|hi|嗨|早上好|晚上好)[呀啊]?[！。!～~\s]*$`)
