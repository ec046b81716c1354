package chinese

import (
	"regexp"

	"github.com/mnemond/mnemond/pkg/memory"
)

// lately are the dates that stand between an animal and what became of it.
const lately = `上上?(?:个)?(?:周|星期|礼拜|月)|前几天|前两天|昨天|昨晚|前天|今天|今早|去年|前年|今年|最近|[0-9一二三四五六七八九十]+月(?:份)?|(?:[0-9一二两三四五六七八九十几半]+)(?:天|周|个月|年)前`

// gone are the ways of saying that an animal is with the user no more.
const gone = `(?:已经|也|都|全|刚刚?|突然|因病|不幸|还是|老|病|` + lately + `)*(?:去世|走了|没了|死了|死掉|病死|老死|离世|过世|离开(?:了)?我们|离开(?:了)?我|不在了|送人|送走|送给(?:[^，]{1,8})|给了(?:[^，]{1,6})|丢了|跑丢|走丢|弄丢|去(?:了)?(?:喵|汪)星|回(?:了)?(?:喵|汪)星|安乐死|挂了|断气|寄养(?:给|到|在)[^，]{1,8}|找了新主人|没(?:能)?(?:抢?救|挺|熬|扛|撑)(?:回来|过来|过去|活|住)|被[^，]{0,3}(?:撞|毒|咬|压|轧|打|药)死(?:了|$)|在[^，]{0,4}(?:医院|怀里|睡梦中|家里?)(?:安详地?)?(?:走|去世|离开|离世)的$)`

var endingRules = []rule{
	{
		name: "left-for", scope: own,
		pattern: body(`(?:已经|刚刚?|正式|前几天|终于|决定|主动)*(?:从(?P<old>[^，]{2,16}?)(?:那边)?(?:辞职|辞了职|离职|裸辞|离开|出来)?(?:了)?|(?:辞(?:了|掉(?:了)?)|离开(?:了)?|告别(?:了)?)(?P<gone>[^，]{2,12}?)(?:的)?(?:工作|职位|岗位)?)(?:之后|以后|后)?(?P<verb>(?:就|又|直接|转头|马上)*` + joinsVerb + `(?:了)?)(?P<v>[^，]+?)(?:上班|工作)?`),
		build:   leftFor,
	},
	{
		name: "pet-gone", scope: anyone,
		pattern: within(`(?:^(?:养了[^，]{1,5}年的|老家|家里|爷爷家|奶奶家|外婆家)?(?:的)?(?:那[只条])?|我(?:们)?(?:家|的|家的|养的|家那只|那只|那条)?(?:那只|的|那条)?)(?P<v>` + animals + `)(?:[\p{Han}a-z]{1,6}?)??` + gone),
		build:   petGone,
	},
	{
		name: "pet-given-away", scope: own,
		pattern: head(`(?:家)?(?:把|将)(?:家里的?|我的?|我家的?|那只|那条)*(?P<v>` + animals + `|\p{Han}{2,3}|[a-z]+)(?:送人|送走|送给|送去|送回|给了|丢|弄丢|寄养)`),
		build:   petGivenAway,
	},
	{
		name: "keeps-no-more", scope: own,
		pattern: body(`(?:已经|现在|也|都|早就)*(?:不|没|没有|没在)(?:再)?养(?P<v>` + animals + `)了`),
		build:   ends(pets),
	},
	{
		name: "named-gone", scope: anyone,
		pattern: within(`^(?P<home>我(?:们)?家(?:的)?)?(?P<v>[\p{Han}]{2,3}|[a-z]{2,12})` + `(?:已经|也|刚刚?|突然|因病|不幸|` + lately + `)*(?:去世|离世|过世|(?P<lost>走了|飞走了|没了|死了|丢了)|送人|不在了|去(?:了)?(?:喵|汪)星|回(?:了)?(?:喵|汪)星)` + particles + `$`),
		build:   namedGone,
	},
	{
		name: "relative-gone", scope: anyone,
		pattern: within(`^(?:[^，]{0,8}?)我(?:的)?(?P<v>` + familyWords + `)(?:[^，]{0,8}?)(?:去世|过世|离世|病逝|不在了)`),
		build:   relativeGone,
	},
	{
		name: "left-job", scope: own,
		pattern: body(`(?:已经|刚刚?|正式|前几天|终于|决定|主动|被迫|从(?P<v>[^，]{2,16}?))*(?:辞职|离职|裸辞|辞了工作|辞掉(?:了)?(?:[^，]{0,8})工作|把(?:(?P<w>[^，]{1,10}?)(?:的|那边的)?)?(?:那?份)?工作(?:给)?(?:辞|丢|弄丢)(?:掉)?|被裁|被裁员|被优化|被辞退|被开除|被炒|失业|下岗|待业|不干)(?:在家)?(?:了)?(?:.{0,8}了)?`),
		build:   leftJob,
	},
	{
		name: "laid-off", scope: own,
		pattern: body(`(?:已经|刚刚?|前几天)*被(?P<v>[^，]{2,12}?)(?:裁|裁员|裁掉|优化|优化掉|开除|辞退|炒|炒鱿鱼)了`),
		build:   leftEmployer,
	},
	{
		name: "works-there-no-more", scope: own,
		pattern: body(`(?:已经|早就|现在|也)*(?:不(?:再)?在|不(?:再)?(?:给|为)|没在)(?P<v>[^，]{2,16}?)(?:工作|上班|干|做|任职|打工|待|混)(?:了)`),
		build:   ends(employer),
	},
	{
		name: "at-firm-no-more", scope: own,
		pattern: body(`(?:已经|早就|早已|现在|也)*(?:不(?:再)?在|没在)(?P<v>[^，]{2,16}?)了`),
		build:   atFirmNoMore,
	},
	{
		name: "left-employer", scope: own,
		pattern: body(`(?:已经|刚刚?|正式)*(?:离开|告别)(?:了)?(?P<v>[^，]{2,16}?)`),
		build:   leftEmployer,
	},
	{
		name: "does-no-more", scope: own,
		pattern: body(`(?:已经|早就|现在|也)*(?:不(?:再)?(?:做|当|干|是|担任))(?P<v>[^，]{2,12}?)了`),
		build:   leftOccupation,
	},
	{
		name: "parted", scope: anyone,
		pattern: within(`^(?:[^，]{0,16}?)(?:(?:分手|分开|离婚|掰)(?:了|啦)|(?:分手|离婚)(?:都|已经|快)*(?:[0-9一二两三四五六七八九十几半]+)(?:多)?(?:年|个月|个多月|周|天)(?:多)?了$|恢复单身|刚(?:分手|离婚)$|(?:和|跟|与).{1,8}分了$|^我们(?:俩|已经|最后|还是|上个月|昨天)*(?:分|离)了$)`),
		build:   parts,
	},
	{
		name: "no-longer-diet", scope: own,
		pattern: body(`(?:已经|现在|也|早就|突然)*(?:不(?:再)?(?:是|吃|走|搞)?|放弃)(?P<v>全?素(?:食)?(?:主义)?(?:者)?|吃素|素食主义|纯素|清真|生酮|低碳|断食|斋)(?:饮食)?(?:了)?`),
		build:   dietEnded,
	},
	{
		name: "eats-everything", scope: own,
		pattern: body(`(?:已经|现在|又|终于|都)*(?:破戒|开荤|开始吃肉|恢复吃肉|吃肉)`),
		build:   eatsMeat,
	},
	{
		name: "allergic-no-more", scope: own,
		pattern: body(`(?:已经|现在|也|早就|其实|并|根本|从来|查出来|查了)*(?:不(?:再|是)?对(?P<w>[^，]{1,14}?)过敏|没有?(?:对)?(?P<u>[^，]{1,14}?)过敏(?:史|症|反应)?|(?:对|的)?(?P<v>[^，]{1,14}?)我?(?:已经|现在|也|早就|都|全|并|其实|根本)*(?:不(?:再|会)?过敏|没有?过敏(?:反应)?|的?过敏(?:已经)?(?:好|治好|消失|痊愈|没|脱敏(?:成功)?)))(?:的)?了?`),
		build:   allergyEnded,
	},
	{
		name: "allergy-mistaken", scope: own,
		pattern: body(`(?:对|的)?(?P<v>[^，]{1,14}?)(?:的)?过敏(?:其实|原来|应该|后来发现)?是(?:被)?(?:误诊|误判|假的|搞错|弄错|误会|(?:小时候|以前|过去|之前)的事)(?:的)?`),
		build:   allergyEnded,
	},
	{
		name: "tongue-lost", scope: own,
		pattern: body(`(?:的)?(?:已经|现在|早就|其实|并|根本|也)*(?:(?P<v>` + tongues + `)(?:已经|早就|都|全|快|差不多)*(?:忘光|忘完|忘干净|忘得差不多|不会说|不会|还给老师|丢光)了?|不(?:再)?(?:会说|会讲|会|懂)(?P<w>(?:英|日|法|德|韩|俄|泰|西班牙|粤|意大利|葡萄牙)(?:语|文)|` + tongues + `))`),
		build:   tongueLost,
	},
	{
		name: "pet-passed-on", scope: anyone,
		pattern: within(`^(?P<v>\p{Han}{2,3}?|[a-z]{2,12})被(?:我|我们|我妈|我爸|家里)*(?:送人|送走|送去|送回|送给)`),
		build:   namedGone,
	},
	{
		name: "recovered", scope: own,
		pattern: body(`(?:的)?(?P<v>` + illnesses + `)(?:已经|终于|现在|也|都|完全|差不多)*(?:好了|痊愈|治好|康复|没了)(?:了)?`),
		build:   endsKnown(health, isIllness),
	},
	{
		name: "not-ill", scope: own,
		pattern: body(`(?:已经|现在|也|早就|其实|并|根本|从来)*(?:没有?(?:得|患)?过?|不是|排除了?)(?P<v>` + illnesses + `)(?:患者|病史)?`),
		build:   endsKnown(health, isIllness),
	},
	{
		name: "lives-there-no-more", scope: own,
		pattern: body(`(?:已经|现在|早就|也)*(?:不(?:再)?(?:住在?|在)|没住在?|搬离|搬出|离开)(?:了)?(?P<v>[^，]{2,10}?)(?:住|生活)?(?:了)`),
		build:   leftCity,
	},
	{
		name: "gave-up", scope: own,
		pattern: body(`(?:已经|现在|早就|打算|正在|成功|终于|也|在)*(?:戒(?:掉)?(?:了)?)(?P<v>[^，了第]{1,8}?)(?:第[0-9一二两三四五六七八九十百]+[天周年]|第[0-9一二两三四五六七八九十]+个月)?`),
		build:   gaveUp,
	},
	{
		name: "drinks-no-more", scope: own,
		pattern: body(`(?:已经|现在|早就|也|以后|再也)*不(?:再)?(?P<verb>喝|吃|抽|玩|看|听|碰)(?P<v>[^，]{1,10}?)了`),
		build:   drinksNoMore,
	},
	{
		name: "pastime-no-more", scope: own,
		pattern: body(`(?:已经|现在|早就|也|再也|好久|很久)*(?:不(?:再)?|放弃(?:了)?|停(?:止|掉)?(?:了)?|没再)(?P<v>` + pastimes + `|学[^，]{1,8}|练[^，]{1,8}|考[^，]{1,8}|备考[^，]{1,8}|准备[^，]{1,8}考试?)了?`),
		build:   pursuitEnded,
	},
	{
		name: "pastime-fronted", scope: own,
		pattern: body(`(?P<v>[\p{Han}a-z]{1,10}?)(?P<me>我)?(?:已经|现在|早就|也|都|再也|好久|很久)*(?:不(?:再)?|没再)(?P<verb>打|踢|玩|弹|拉|吹|练|写|画|跳|做|跑|下|养|学)了`),
		build:   frontedEnded,
	},
	{
		name: "gave-up-fronted", scope: own,
		pattern: body(`(?P<v>[\p{Han}a-z]{1,6}?)我(?:已经|现在|早就|也|都|成功|终于)*戒(?:掉)?了`),
		build:   gaveUp,
	},
}

// ends returns a build function for the end of what the group v names under key.
func ends(key memory.Key) func(match) []found {
	return func(m match) []found {
		s, ok := m.span("v")
		if !ok {
			return nil
		}
		s = trimValue(m.folded, s)
		return []found{dated(m, m.ending(memory.Target{Key: key, Value: m.say(s)}))}
	}
}

// dated sets when an end came from the date in its clause.
func dated(m match, f found) found {
	if at := m.dates.in(m.from, m.to, 1); len(at) > 0 && at[0].Start.Before(m.at) {
		f.ValidFrom = at[0].Start
	}
	return f
}

// strangers are animals of others, or none at all.
var strangers = regexp.MustCompile(`邻居|同事|同学|他家|她家|别人|电影里|小说里|室友|老板|客户|(?:我)?(?:朋友|闺蜜|前任)(?:家|的|养的)|怎么|怕|担心|万一|差点|快(?:要)?(?:死|不行)|梦|没死|不会`)

func petGone(m match) []found {
	if strangers.MatchString(m.whole()) || m.unsure {
		return nil
	}
	s, _ := m.span("v")
	if supplies.MatchString(m.folded[s.to:m.to]) {
		return nil
	}
	target := memory.Target{Key: pets, Value: m.say(s)}
	target.Must = !mine.MatchString(m.whole())
	return []found{dated(m, m.ending(target))}
}

// supplies are what behind an animal's name makes a thing of it: 猫粮没了.
var supplies = regexp.MustCompile(`^(?:粮|砂|罐|玩具|窝|笼|缸|毛|屎|尿|条|绳|牌|薄荷|爬架|抓板|厕所|肉|蛋|汤|翅|腿|饲料|食|零食|包|衣服|药|瘟|路|车|桶|虎|年|票|的(?:粮|玩具|零食|窝|药|照片))`)

// relativeGone ends what is known of a relative; their death stays.
func relativeGone(m match) []found {
	if strangers.MatchString(m.whole()) || m.unsure {
		return nil
	}
	s, _ := m.span("v")
	return []found{dated(m, m.ending(memory.Target{Key: family, Value: m.say(s)}))}
}

var mine = regexp.MustCompile(`我`)

func petGivenAway(m match) []found {
	s, _ := m.span("v")
	isAnimal := animalOnly.MatchString(m.fold(s))
	return []found{dated(m, m.ending(memory.Target{Key: pets, Value: m.say(s), Must: !isAnimal}))}
}

var animalOnly = regexp.MustCompile(`^` + animals + `$`)

// namedGone says something about a pet only to who knows the name.
func namedGone(m match) []found {
	s, _ := m.span("v")
	if relativeOnly.MatchString(m.fold(s)) || animalHead.MatchString(m.fold(s)) || m.self && !m.has("home") || exaggerated(m.fold(s), m.folded[s.to:m.to]) {
		return nil
	}
	if m.has("home") && m.has("lost") && !fond(m.fold(s)) {
		return nil // 我家钥匙丢了, 我们家客人走了
	}
	return []found{dated(m, m.ending(memory.Target{Key: pets, Value: m.say(s), Must: true}))}
}

// fond reports whether a name is such as pets have and nobody and nothing else of the
// household: 豆豆, 小黑, 阿福.
func fond(folded string) bool {
	name := []rune(folded)
	return len(name) == 2 && name[0] == name[1] || fondHead.MatchString(folded)
}

var fondHead = regexp.MustCompile(`^小[^弟妹姑舅叔姨孩婶朋区店院时型车狗猫]$|^阿[^姨婆公爷伯]$`)

// felt are the states, with the time they are of, that 死了 only strengthens: 今天累死了.
var (
	felt     = regexp.MustCompile(`^(?:(?:真|好|快|要|都|又|可|把我)*|` + lately + `|刚才|现在)(?:[累饿困冷热烦气笑渴忙痛疼吓羡急吵臭丑帅酸辣苦咸难闷烫痒怕胀撑堵慢卡晒潮哭愁穷冻窘尬美爽乐嗨馋羞悔恨爱想]|无聊|尴尬|紧张|开心|高兴|郁闷|难受|难过|痛苦|后悔|羡慕|激动|担心|讨厌|喜欢|可爱|漂亮|好吃|难吃|难看|好笑|搞笑|丢人|丢脸|恶心|麻烦|着急|害怕|幸福|感动|崩溃|憋屈|委屈|操心|恐怖|可怕)$`)
	stronger = regexp.MustCompile(`^死(?:了|我|人|掉)`)
)

func exaggerated(name, after string) bool {
	return felt.MatchString(name) && stronger.MatchString(after)
}

var animalHead = regexp.MustCompile(`^` + animals)

var relativeOnly = regexp.MustCompile(`^(?:我|他|她|你|它|大家|有人|谁|` + relatives + `)`)

func leftJob(m match) []found {
	target := memory.Target{Key: employer}
	s, ok := m.span("v")
	if !ok {
		s, ok = m.span("w")
	}
	if ok {
		if s = employerName(m.folded, s); !anyEmployer.MatchString(m.fold(s)) {
			target.Value = m.say(s)
		}
	}
	if wishes.MatchString(m.rest()) {
		return nil
	}
	return []found{dated(m, m.ending(target))}
}

// anyEmployer names no employer in particular.
var anyEmployer = regexp.MustCompile(`^(?:原|前|上|那|这|老)?(?:家)?(?:公司|单位|东家|工作)$|^公司$`)

var wishes = regexp.MustCompile(`^(?:想|要不要|决定要|打算)`)

func leftEmployer(m match) []found {
	s, _ := m.span("v")
	s = employerName(m.folded, s)
	if s.empty() || !isWorkplace(m.fold(s)) {
		return nil
	}
	return []found{dated(m, m.ending(memory.Target{Key: employer, Value: m.say(s)}))}
}

// atFirmNoMore is 不在美团了: without a verb only a firm that is known as one.
func atFirmNoMore(m match) []found {
	s, _ := m.span("v")
	if s = employerName(m.folded, s); s.empty() || !companies.MatchString(m.fold(s)) {
		return nil
	}
	return ends(employer)(m)
}

func leftOccupation(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	if !isTrade(m.fold(s)) {
		return nil
	}
	return []found{dated(m, m.ending(memory.Target{Key: occupation, Value: m.say(s)}))}
}

var notParted = regexp.MustCompile(`他们|她们|(?:^|[^男女])朋友|同事|爸妈|父母|怎么|没(?:有)?(?:分手|离婚)|不(?:会|想|要|可能)?(?:分手|离婚)|想(?:和|跟|要)?.{0,6}(?:分手|离婚)|闹|差点|快要|要(?:分手|离婚)|邻居|我(?:哥|姐|弟|妹|爸|妈|舅|叔|姨|闺蜜|儿子|女儿)`)

// parts ends whatever partner there is: people say 分手了 without saying with whom.
func parts(m match) []found {
	if notParted.MatchString(m.whole()) || m.unsure {
		return nil
	}
	return []found{dated(m, m.ending(memory.Target{Key: partner}))}
}

// meatAgain is eating meat as the habit that it becomes, not at this meal.
var meatAgain = regexp.MustCompile(`破戒|开荤|(?:开始|恢复)吃肉`)

func eatsMeat(m match) []found {
	if !meatAgain.MatchString(m.whole()) {
		return nil
	}
	return dietEnded(m)
}

func dietEnded(m match) []found {
	return []found{dated(m, m.ending(memory.Target{Key: diet}))}
}

func leftCity(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	if !isPlace(m.fold(s)) || !isKnownPlace(m.fold(s)) {
		return nil
	}
	return []found{dated(m, m.ending(memory.Target{Key: city, Value: m.say(s), Must: true}))}
}

var wantsTo = regexp.MustCompile(`^(?:打算|正在|在)`)

// gaveUp ends a liking: 我戒咖啡了. Tobacco and drink are worth knowing in themselves.
func gaveUp(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	if s.empty() || wantsTo.MatchString(m.rest()) {
		return nil
	}
	return []found{dated(m, m.ending(memory.Target{Key: likes, Value: m.say(s)}))}
}

// drinksNoMore needs a word of lasting change: 不吃了 is said at every meal.
func drinksNoMore(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	lasts := lastingChange.MatchString(m.whole()) || m.changed
	if s.empty() || vague.MatchString(m.fold(s)) || mealtimes.MatchString(m.fold(s)) || m.dated || !lasts && !m.self {
		return nil
	}
	return []found{dated(m, m.ending(memory.Target{Key: likes, Value: m.say(s)}))}
}

var lastingChange = regexp.MustCompile(`不再|再也|已经|早就|现在|以后`)
