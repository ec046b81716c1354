package chinese

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
)

// notJobs end like an occupation and name none.
var notJobs = regexp.MustCompile(`^(?:大家|人家|好|女|男|单身|新人|高手|新手|老手|会员|成员|党员|团员|独生子女|吃货|学生党|好学生|好老师|人$|人类|人群|打工人|打工仔|牛马|社畜|自己|第一|同学|一个人|谁|这|那|他|她|你|不|没|真的|怎么|素食|家长|消费者|患者|过敏|左撇子|处女座|球迷|你的|我|客户|甲方|乙方|用户)|爱好者$|初学者$|粉丝|素食|的人$|病人|患者|座$`)

// isJob reports whether the folded text names an occupation.
func isJob(folded string) bool {
	n := runes(folded)
	return n >= 1 && n <= 18 && (jobWords.suffix(folded) > 0 || craft.MatchString(folded) && !notCraft.MatchString(folded)) && !notJobs.MatchString(folded) && !nobody.MatchString(impersonal(folded))
}

// craft is the shape of a word for who does a work; notCraft has the shape and is none.
var (
	craft    = regexp.MustCompile(`^\p{Han}{1,10}(?:员|师|匠)$`)
	notCraft = regexp.MustCompile(`[会成党团队动复裁满超随要一全社组委学人官兵病伤]员$|(?:大|法|祖|军|恩|天|出|班|誓|术|魔|召唤|骑)师$`)
)

// labours are kinds of work that go by what is done: 跑外卖的, 送快递的.
const labours = `(?:跑|送|点)外卖|送(?:快递|货|水|奶)|(?:跑|开)(?:滴滴|网约车|出租车?|货车|大车|公交车?|地铁|校车|长途)|跑(?:业务|销售|龙套|船)|卖(?:房子?|保险|车|菜|水果|衣服|手机|烧烤|煎饼)|修(?:车|电脑|手机|空调)|教书|写(?:代码|程序)|敲代码|拍(?:视频|短视频)|种(?:地|田|菜)|打渔|养(?:猪|鸡|鱼)|带货|剪头发|理发|看大门|搞(?:装修|it|科研|金融|工程)|拉货|摆摊|扫大街`

// nobody are words that no occupation and no employer holds.
var nobody = regexp.MustCompile(`^过|我|你|他|她|它|不|没|吗|呢|什么|怎|哪|谁|这|那|想|要|觉得|如果|因为|所以|的时候|时候|喜欢`)

// trades are lines of work as they follow 做: 做设计, 做外贸.
var trades = regexp.MustCompile(`(?:设计|行销|企划|软体|运营|前端|后端|开发|测试|产品|销售|市场|财务|会计|行政|人事|运维|算法|数据|研发|科研|研究|教育|培训|外贸|贸易|电商|自媒体|直播|媒体|采购|物流|客服|法务|审计|投资|金融|风控|咨询|策划|编辑|翻译|文案|摄影|剪辑|动画|美术|保险|导购|微商|代购|建筑|土木|装修|护理|生意|餐饮|程序|编程|软件|硬件|芯片|安全|架构|云计算|人工智能|ai|机器学习|游戏|公益|基金|证券|银行|房地产|地产|中介|民宿|烘焙|美容|美发|美甲|婚庆|旅游|酒店|农业|养殖|种植|医疗|医药|制药|生物|化工|机械|电气|电力|能源|汽车|新能源|供应链|品牌|公关|广告|影视|音乐|出版|漫画|插画|ui|ux|hr|sre|sde|qa|bd|pm|支持|管理|行业|工作|实习|兼职|博后|学术|家教)(?:相关)?(?:的)?(?:工作|行业|方面|这行|这块|岗位|岗)?$`)

// chores are what people do without it being their work.
var chores = regexp.MustCompile(`饭|菜|作业|运动|瑜伽|瑜珈|梦|手术|检查|核酸|客|题|实验|活动|演讲|报告|家务|美甲|按摩|spa|攻略|计划|功课|表格|ppt|蛋糕|饼干|手工|选择|决定|调查|笔记|什么|志愿者|卫生|爱|事|准备|项目|一个|个|这个|体检|心理|家的|值日|早餐|晚餐|好`)

var orgTail = regexp.MustCompile(`(?:公司|集团|银行|医院|大学|学院|中学|小学|高中|初中|学校|幼儿园|研究所|研究院|设计院|事务所|工作室|工厂|厂|局|部门|部委|委员会|机构|企业|外企|国企|央企|私企|大厂|创业公司|初创|超市|餐厅|饭店|酒店|咖啡馆|咖啡店|咖啡厅|书店|面包店|奶茶店|花店|药店|诊所|门诊|法院|检察院|派出所|公安局|政府|机关|单位|电网|电视台|报社|杂志社|出版社|律所|科技|网络|游戏|证券|基金|保险|协会|基金会|中心|馆|店|社|所|台|航空|铁路|地铁|集团|总部|分公司|平台|团队|剧团|乐团|部队)$`)

// notEmployer are words after 在 that are no employer.
var notEmployer = regexp.MustCompile(`^(?:做|搞|从事)|^(?:职场|江湖|社会|互联网|生活|备考|备战|准备.*|家|家里|这|那|哪|外面|外地|国外|国内|海外|网上|线上|异地|一起|一线|晚上|白天|周末|北|学习|公司|单位|办公室|工位|路上|厨房|床上|图书馆|咖啡[店馆厅]里|宿舍|楼下|楼上|附近|里面|里|[0-9一二三四五六七八九十]+(?:号)?[楼层栋座]|[a-z][座栋]|市中心|市区|郊区|开发区|机房|工地|现场|前台|车间)$|我|你|他|她|它|不|没|吗|什么|怎|谁|觉得|工作|以前|之前|时候|这个|那个|为了|努力|认真|等|忙|找|了|的$`)

// isEmployer reports whether the folded text can name whom somebody works for.
func isEmployer(folded string) bool {
	if companies.MatchString(folded) {
		return true
	}
	n := runes(folded)
	if n < 2 || n > 24 || notEmployer.MatchString(folded) || chores.MatchString(folded) && !orgTail.MatchString(folded) {
		return false
	}
	return !isKnownPlace(folded) || orgTail.MatchString(folded)
}

// calledFirm is a firm that is said to be called something: 一家叫青芽的公司.
var calledFirm = regexp.MustCompile(`^(?:叫做?|名叫|名为)(.+?)的[^，的]*(?:公司|企业|工厂|工作室|团队|机构|学校|医院|诊所|餐厅|店|银行|厂)$`)

// employerName takes from the text after 在 a place and what merely describes the
// employer: 在杭州的阿里巴巴.
func employerName(folded string, s span) span {
	s = trimValue(folded, s)
	if loc := calledFirm.FindStringSubmatchIndex(folded[s.from:s.to]); loc != nil {
		return trimValue(folded, span{s.from + loc[2], s.from + loc[3]})
	}
	if n := placePrefix(folded[s.from:s.to]); n > 0 && strings.HasPrefix(folded[s.from+n:s.to], "的") {
		s.from += n + len("的")
	}
	if text := folded[s.from:s.to]; strings.HasSuffix(text, "里") && orgTail.MatchString(strings.TrimSuffix(text, "里")) {
		s.to -= len("里")
	}
	return trimValue(folded, s)
}

var workRules = []rule{
	{
		name: "retired", scope: own,
		pattern: body(`(?:早就|提前)?(?P<v>退休)(?:好几|[0-9一二两三四五六七八九十几]*)?(?:年|个月)?(?:多)?[了啦](?:.{0,6}年了?)?|是(?:一?[个名位])?(?P<w>退休[\p{Han}]{0,6})`),
		build:   retired,
	},
	{
		name: "joined", scope: own,
		pattern: body(`(?:刚|刚刚)?(?:从(?P<old>[^，]{1,12}?))?(?:换(?:了)?(?:新?工作|公司|东家)?(?:了)?[，\s]*)?(?:跳槽|入职|加入|加盟|调|转)(?:到|去|进|至|了)*(?P<v>[^，]+?)(?:上班|工作)?(?:(?:做|当|担任)(?P<job>[^，]+?))?`),
		build:   joined,
	},
	{
		name: "turned", scope: own,
		pattern: body(`(?:已经|刚|刚刚)?(?:从(?P<old>[^，]{1,12}?))?(?:转行|改行|转岗|转职|升职|升任|升|晋升|提拔|当上|当选|转正)(?:了|去|来|到|为|成|做|当|成为|干)*(?P<v>[^，]+?)(?:的)?(?:工作)?`),
		build:   turned,
	},
	{
		name: "works-at-as", scope: own,
		pattern: body(`(?:是)?(?:在|于|供职于|就职于|任职于)(?P<at>[^，]+?)(?:上班|工作|那边)?(?:是)?(?:，)?(?:做|当|担任|任|从事|搞|干|负责)(?:的是|一?名|一?个|一?位)?(?P<v>[^，]+?)(?:的)?(?:工作)?`),
		build:   worksAtAs,
	},
	{
		name: "teaches-at", scope: own,
		pattern: body(`在(?P<at>[^，]+?)(?P<v>教书|任教|执教|教(?:书法|语文|数学|物理|化学|生物|历史|地理|政治|体育|美术|音乐|舞蹈|钢琴|吉他|编程|计算机|瑜伽|游泳|小学|初中|高中|英[语文]|中文|[\p{Han}]{1,2}[语课]))`),
		build:   worksAtAs,
	},
	{
		name: "works-at", scope: own,
		pattern: body(`(?:是)?(?:(?:在)(?P<v>[^，]+?)(?:这边|那边)?(?:上班|工作|任职|就职|供职|打工|实习|搬砖|干活|混)|(?:(?:就职|任职|供职|受雇)(?:于|在)|work\s*(?:at|for|在)\s*)(?P<w>[^，]+?))(?:了)?(?:已经|快|有)*(?:(?:好几|好多|很多|十几|几|[0-9]+|[一二两三四五六七八九十半]+)多?(?:年|个月)(?:多|左右|半)?)?`),
		build:   worksAt,
	},
	{
		name: "at-company", scope: own,
		pattern: body(`(?:人)?在(?P<v>[^，]+?)`),
		build:   one(employer, companies.MatchString),
	},
	{
		name: "company-is", scope: anyone,
		pattern: within(`^(?:[^，我]{0,4})我(?:们)?(?:的|现在的)?(?:公司|单位|东家|雇主)(?:就)?(?:是|叫|名叫)(?P<v>[^，]+?)` + particles + `$`),
		build:   one(employer, isCompany),
	},
	{
		name: "new-company", scope: own,
		pattern: body(`(?:的)?(?:新公司|新东家|新单位|下家)(?:就)?(?:是|叫)(?P<v>[^，]+?)`),
		build:   newCompany,
	},
	{
		name: "found-job", scope: own,
		pattern: body(`(?:在[^，]*?)?找(?:了|到)(?:了)?(?:一?份)?(?P<v>[^，]+?)(?:的)?(?:工作|岗位)`),
		build:   one(occupation, isTrade),
	},
	{
		name: "as-a", scope: anyone,
		pattern: within(`^(?:作为|身为)(?:一?[个名位])?(?P<v>[^，]+?)$`),
		build:   asA,
	},
	{
		name: "works-as", scope: own,
		pattern: body(`(?:的)?(?:本职|主业|正职)?(?:工作|职业|岗位|职位|职务|job)(?:就|其实)?(?:是|为|：|)(?:一?名|一?个|一?位|做)?(?P<v>[^，]+?)(?:的)?`),
		build:   one(occupation, isTrade),
	},
	{
		name: "does", scope: own,
		pattern: body(`(?:是)?(?:全职|兼职|专门|专职|主要)?(?:改)?(?:是)?(?:做|从事|搞|干|当|担任|负责)(?:着|过来)?(?:了)?(?:[0-9一二两三四五六七八九十几好多]+年(?:的)?)?(?:一?名|一?个|一?位)?(?P<v>[^，]+?)(?:的|这行|这一行)?(?:工作|行业)?(?:的)?(?:(?:已经|快|有)*(?:[0-9]+|[一二两三四五六七八九十几好多]+)年多?了?)?`),
		build:   one(occupation, isTrade),
	},
	{
		name: "is-a", scope: own,
		pattern: body(`(?:也)?(?:是|算是?|变成了?|成为了?|成了)(?:一?名|一?个|一?位|做|搞|干|当)?(?P<v>[^，]+?)(?:在(?P<at>[^，]+?)(?:工作|上班))?`),
		build:   isA,
	},
	{
		name: "is-bare", scope: own,
		pattern: body(`(?:一枚|一名|一个|一只|苦逼|资深|普通)*(?P<v>[^，]{2,12}?)(?:一枚|一名|一个|一只|一位)`),
		build:   one(occupation, isJob),
	},
	{
		name: "labours", scope: own,
		pattern: body(`(?:是)(?:一?个|一?名|一?位)?(?P<v>` + labours + `)的(?:师傅|小哥|大哥)?`),
		build:   one(occupation, nil),
	},
	{
		name: "keeps-house", scope: own,
		pattern: body(`(?:是|当|在当|在家当|做)?(?:一?[个名位])?(?P<v>(?:全职(?:妈妈|宝妈|爸爸|奶爸|太太|主妇|主夫|带娃)|家庭主[妇夫]))(?:一枚)?`),
		build:   keepsHouse,
	},
	{
		name: "own-business", scope: own,
		pattern: body(`(?:在\p{Han}{2,8}?)?(?:自己)?(?P<v>(?:开|经营|运营)(?:着|了)?(?:一?[家间个])?[\p{Han}a-z]{0,8}(?:店|馆|公司|工作室|民宿|餐厅|诊所|网店|淘宝店|厂|农场|铺|铺子)|创业|自己创业|自己当老板)`),
		build:   one(occupation, nil),
	},
	{
		name: "works-in-place", scope: own,
		pattern: body(`(?:是)?在(?P<v>\p{Han}{2,8}?)(?:上班|工作|打工|实习|发展)(?:了)?(?:.{0,6}年了?)?`),
		build:   freely(memory.KindFact, "", nil),
	},
}

// keepsHouse needs somebody whose work it is: 全职妈妈 may be whom a request is about.
func keepsHouse(m match) []found {
	if !m.self && !m.mine && !m.habit {
		return nil
	}
	return one(occupation, nil)(m)
}

// asA reads 作为程序员，我…: only what the user goes on to say in the first person makes it
// theirs.
func asA(m match) []found {
	if !iGoOn.MatchString(m.folded[m.to:]) {
		return nil
	}
	s, _ := m.span("v")
	if loc := sufferer.FindStringSubmatchIndex(m.fold(s)); loc != nil {
		if loc[2] >= 0 {
			return []found{m.fact(allergies, span{s.from + loc[2], s.from + loc[3]})}
		}
		return []found{m.fact(health, span{s.from + loc[4], s.from + loc[5]})}
	}
	if vegetarian.MatchString(m.fold(s)) {
		return []found{m.fact(diet, trimValue(m.folded, s))}
	}
	return one(occupation, isJob)(m)
}

var (
	// sufferer is who cannot bear something: 作为一个乳糖不耐的人.
	sufferer   = regexp.MustCompile(`^(?:对?(\p{Han}{1,6}?)过敏|(乳糖不耐受?|麸质不耐受?|恐高|晕车|色盲|色弱|` + illnesses + `))(?:的人|患者|星人|人士)$`)
	iGoOn      = regexp.MustCompile(`^[，,\s]*我`)
	vegetarian = regexp.MustCompile(`^(?:纯|严格)?素食(?:主义)?者$`)
)

// isTrade reports whether the folded text is an occupation or a line of work.
func isTrade(folded string) bool {
	if isJob(folded) {
		return true
	}
	n := runes(folded)
	return n >= 2 && n <= 14 && trades.MatchString(folded) && !nobody.MatchString(impersonal(folded))
}

// isWork reports whether the folded text is an occupation, a line of work, or what is done
// for a living: 卖保险.
func isWork(folded string) bool {
	return isTrade(folded) || labour.MatchString(folded)
}

var labour = regexp.MustCompile(`^(?:` + labours + `)$`)

func isCompany(folded string) bool {
	return runes(folded) <= 16 && runes(folded) >= 2 && !nobody.MatchString(folded)
}

func retired(m match) []found {
	s, ok := m.span("v")
	if !ok {
		s, _ = m.span("w")
		return []found{m.fact(occupation, s)}
	}
	if ahead := m.dates.in(m.from, m.to, temporal.Future); len(ahead) > 0 && ahead[0].Start.After(m.at) {
		return nil
	}
	f := m.fact(occupation, s)
	f.Relation = memory.RelationUpdates
	return []found{f}
}

func joined(m match) []found {
	s, _ := m.span("v")
	s = employerName(m.folded, s)
	if s.empty() || !isEmployer(m.fold(s)) || !joinable(m.fold(s)) {
		return nil
	}
	if moves := m.fold(s); isTrade(moves) && !isWorkplace(moves) {
		return []found{withoutOld(m, m.fact(occupation, s))}
	}
	f := withoutOld(m, m.fact(employer, s))
	out := []found{f}
	if j, ok := m.span("job"); ok && isTrade(m.fold(trimValue(m.folded, j))) {
		job := m.fact(occupation, trimValue(m.folded, j))
		out = append(out, withoutOld(m, job))
	}
	return out
}

// turned is a change of occupation.
func turned(m match) []found {
	out := one(occupation, isWork)(m)
	for i := range out {
		out[i] = withoutOld(m, out[i])
	}
	return out
}

// withoutOld marks a change and keeps what it replaces out of what is quoted: 从字节跳槽到
// 阿里 is quoted from 跳槽 on.
func withoutOld(m match, f found) found {
	f.Relation = memory.RelationUpdates
	if old, ok := m.span("old"); ok {
		f.from = old.to
	}
	return f
}

// joinable refuses what one joins or moves to without working for it.
func joinable(folded string) bool {
	return !joins.MatchString(folded)
}

var joins = regexp.MustCompile(`^(?:行|岗|职|正|业|型|让|账)|群|会员|俱乐部|社团|战队|购物车|讨论|计划|活动|学校$|专业|院校|到|闹钟|静音`)

func worksAtAs(m match) []found {
	at, _ := m.span("at")
	job, _ := m.span("v")
	at, job = employerName(m.folded, at), trimValue(m.folded, job)
	trade := m.fold(job)
	known := isTrade(trade) || strings.HasPrefix(trade, "教")
	named := !at.empty() && isEmployer(m.fold(at))
	// Behind a named employer any short word is the work: 在国家电网做继电保护.
	if unreal.MatchString(trade) {
		if !named || !isWorkplace(m.fold(at)) {
			return nil
		}
		return []found{m.fact(employer, at)}
	}
	if !known && (!named || !isWorkplace(m.fold(at)) || chores.MatchString(trade) || nobody.MatchString(trade) || runes(trade) > 14) {
		return nil
	}
	if m.dated && !m.changed {
		return nil
	}
	var out []found
	if named {
		out = append(out, m.fact(employer, at))
	}
	return append(out, m.fact(occupation, job))
}

// unreal are words in the place of the work that name none: 在华为干了八年.
var unreal = regexp.MustCompile(`^[了着过的得]`)

// isWorkplace reports whether the text is surely an organisation: by its last word, or a
// name in Latin letters.
func isWorkplace(folded string) bool {
	return orgTail.MatchString(folded) || latinName.MatchString(folded) || companies.MatchString(folded)
}

var (
	latinName = regexp.MustCompile(`^[a-z][a-z0-9 .&-]*$`)
	companies = regexp.MustCompile(`^(?:阿里|阿里巴巴|阿里云|蚂蚁|淘宝|天猫|腾讯|鹅厂|百度|字节|字节跳动|抖音|快手|美团|京东|拼多多|滴滴|网易|小米|华为|荣耀|中兴|联想|携程|哔哩哔哩|b站|小红书|知乎|微博|蔚来|理想|小鹏|比亚迪|宁德时代|大疆|商汤|旷视|讯飞|科大讯飞|海康|海尔|美的|格力|台积电|联发科|鸿海|富士康|谷歌|微软|苹果|亚马逊|特斯拉|英伟达|英特尔|高通|三星|索尼|丰田|西门子|宝洁|联合利华|麦肯锡|普华永道|德勤|安永|毕马威|高盛|国家电网|南方电网|中石油|中石化|中国移动|中国电信|中国联通|工行|建行|农行|中行|招行|顺丰|菜鸟|饿了么|米哈游|完美世界|新东方|好未来|星巴克|麦当劳|肯德基|海底捞|沃尔玛|家乐福|爱立信|诺基亚|戴尔|惠普|思科|甲骨文|辉瑞|强生|博世|大众|宝马|奔驰|本田|松下|佳能|飞利浦|空客|波音|摩根士丹利|波士顿咨询|埃森哲|虾皮|得物|唯品会|爱奇艺|优酷|搜狐|新浪|金山|猎豹|猿辅导|作业帮|贝壳|链家|万科|恒大|碧桂园|平安|中金|中信)(?:云|科技|集团|金服|跳动)?$`)
)

func worksAt(m match) []found {
	s, ok := m.span("v")
	if !ok {
		s, ok = m.span("w")
	}
	if !ok || m.dated && !m.changed {
		return nil
	}
	s = employerName(m.folded, s)
	if s.empty() || !isEmployer(m.fold(s)) {
		return nil
	}
	return []found{m.fact(employer, s)}
}

// isA reads 我是…: an occupation, alone or behind whose it is (我是阿里的程序员).
func isA(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	text := m.fold(s)
	if cutAt := strings.LastIndex(text, "的"); cutAt > 0 {
		whose, job := span{s.from, s.from + cutAt}, span{s.from + cutAt + len("的"), s.to}
		if !isJob(m.fold(job)) {
			return nil
		}
		whose = employerName(m.folded, whose)
		if !whose.empty() && isWorkplace(m.fold(whose)) && isEmployer(m.fold(whose)) {
			return []found{m.fact(employer, whose), m.fact(occupation, job)}
		}
		return []found{m.fact(occupation, job)}
	}
	if isJob(text) {
		out := []found{m.fact(occupation, s)}
		if at, ok := m.span("at"); ok {
			if at = employerName(m.folded, at); !at.empty() && isEmployer(m.fold(at)) {
				out = append(out, m.fact(employer, at))
			}
		}
		return out
	}
	if doing.MatchString(m.rest()) && isTrade(text) {
		return []found{m.fact(occupation, s)}
	}
	return nil
}

// doing is 是 with a verb of working behind it: 我是做设计的.
var doing = regexp.MustCompile(`^是(?:做|搞|干|当|教)`)
