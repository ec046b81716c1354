package chinese

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// tongues are names of languages.
const tongues = `(?:英语|英文|日语|日文|韩语|韩文|法语|法文|德语|德文|西班牙语|西语|葡萄牙语|葡语|意大利语|意语|俄语|俄文|阿拉伯语|荷兰语|瑞典语|挪威语|芬兰语|丹麦语|波兰语|捷克语|希腊语|土耳其语|泰语|泰文|越南语|越南话|印尼语|马来语|印地语|希伯来语|拉丁语|波斯语|乌克兰语|世界语|汉语|中文|华语|国语|普通话|粤语|广东话|白话|闽南语|闽南话|台语|客家话|客家语|上海话|四川话|东北话|潮汕话|温州话|吴语|english|japanese|french|german|spanish|korean|russian|italian|portuguese|arabic|mandarin|cantonese|藏语|维语|蒙古语|蒙语|手语|\p{Han}{2,3}(?:语|话))`

const tongueList = `(?:(?:一口|一点点?|点|一些|流利的?|地道的?|基础的?|简单的?|少许|几句|不太流利的?|标准的?)*` + tongues + `)(?:(?:、|，|和|跟|与|以及|还有|及|,|也会)\s*(?:会|能|懂)?(?:一口|一点点?|点|一些|流利的?|基础的?|简单的?|少许|几句)*` + tongues + `)*`

// notTongues end in 话 or 语 and are no languages.
var notTongues = regexp.MustCompile(`^(?:电话|笑话|神话|童话|对话|大话|梦话|坏话|好话|实话|假话|真话|废话|谎话|情话|成语|词语|口语|标语|评语|术语|谚语|自言自语|外语|俗语|这话|的话|说话|一句话|很多话|这种话)$|一句|什么|句话`)

func isTongue(folded string) bool { return !notTongues.MatchString(folded) }

var abilityRules = []rule{
	{
		name: "speaks", scope: own,
		pattern: body(`(?:是|平时|主要|一般|可以|也|还|都|在家)*(?:会|能|可以|懂|精通|略懂|通晓|掌握|说|讲)(?:说|讲|用|听|听懂|看懂|得)?(?:的)?(?:是)?\s*(?P<v>` + tongueList + `)(?:了)?(?:和英文)?(?:交流|沟通|对话)?(?:[0-9一二两三四五六七八九十]+(?:种|门)语言)?`),
		build:   each(languages, isTongue),
	},
	{
		name: "mother-tongue", scope: own,
		pattern: body(`(?:的)?(?:母语|第一语言|第二语言|工作语言)(?:就|都)?(?:是|为)(?P<v>` + tongueList + `)`),
		build:   each(languages, isTongue),
	},
	{
		name: "tongue-level", scope: own,
		pattern: body(`(?:的)?(?P<v>` + tongues + `)(?:水平|能力)?(?:说得|讲得)?(?:还|很|挺|非常|也|比较|算)*(?:流利|不错|可以|行|好|熟练|精通|溜|六|n[1-5]|(?:过了|考过了?|拿了)?(?:[一二三四五六七八]|专八|专四|[0-9.]+)级?)`),
		build:   each(languages, isTongue),
	},
	{
		name: "tongue-learnt", scope: ownPast,
		pattern: body(`(?:学)(?:过|了)(?:好几|[0-9一二两三四五六七八九十几多半]+)年(?:的)?(?P<v>` + tongues + `)`),
		build:   each(languages, isTongue),
	},
	{
		name: "skill", scope: own,
		pattern: body(`(?:很|也|还|最|比较|特别|非常|挺|蛮|略)*(?:会|擅长|精通|熟悉|熟练掌握|熟练使用|掌握|拿手的?是|学会)(?:了)?(?:用|使用)?(?P<v>[^，]+?)(?:的)?`),
		build:   skillsEach,
	},
	{
		name: "skill-level", scope: own,
		pattern: body(`(?P<v>弹钢琴|弹吉他|拉小提琴|拉二胡|游泳|滑雪|滑冰|开车|做饭|做菜|画画|跳舞|唱歌|下棋|围棋|编程|写代码)(?:很|挺|还|非常)*(?:厉害|拿手|在行|不错|好)`),
		build:   each(skills, nil),
	},
	{
		name: "skill-used", scope: own,
		pattern: body(`(?:用|写)(?P<v>[a-z][a-z0-9+#.]*)(?:写|做|开发|编程)?了?(?:快|有)?(?:好几|好多|[0-9]+|[一二两三四五六七八九十]+)多?年(?:的)?(?:代码|开发|程序|后端|前端)?`),
		build:   each(skills, nil),
	},
	{
		name: "experienced", scope: own,
		pattern: body(`(?:有|拥有)(?:[0-9]+|[一二两三四五六七八九十]+)多?年(?:的)?(?P<v>[^，]{1,12}?)(?:的)?(?:工作|从业|开发)?经验`),
		build:   each(skills, isObject),
	},
	{
		name: "graded", scope: own,
		pattern: body(`(?P<v>钢琴|小提琴|大提琴|古筝|二胡|吉他|琵琶|萨克斯|架子鼓|围棋|象棋|书法|声乐|舞蹈|跆拳道)(?:考了|过了|考过了?|是|业余)*(?:[0-9]+|[一二三四五六七八九十]+)[级段]`),
		build:   each(skills, nil),
	},
	{
		name: "licence", scope: own,
		pattern: body(`(?:有|持有|考了|考到了?|拿了|拿到了?)(?:一?[个本张])?(?P<v>[\p{Han}a-z0-9]{0,8}(?:驾照|驾驶证|执照|资格证|证书|潜水证|教师证|从业证))`),
		build:   each(skills, nil),
	},
}

// skilled are verbs and nouns of skills behind 会, which else means that something will
// happen.
var skilled = regexp.MustCompile(`^(?:弹|拉|吹|打|敲|唱|跳|画|写|编|做|下|游|滑|骑|开|修|剪|拍|织|缝|烘焙|烹饪|煮|炒|泡|冲|调|设计|摄影|潜水|冲浪|魔术|变魔术|心算|速记|珠算|书法|围棋|象棋|太极|武术|空手道|跆拳道|瑜伽|手语|针灸|推拿|游泳|驾驶)|^[a-z][a-z0-9+#./ ]*$|(?:编程|代码|吉他|钢琴|二胡|古筝|剪辑|后期|建模|翻译|分析|设计)$`)

var notSkill = regexp.MustCompile(`^(?:做(?:的|好|到|一|这|那|个|出|什么)|写(?:的|好|完|一|这)|打(?:电话|扰|算|车|开|针|工|死|断|扫|你|他|给|折)|开(?:始|会|心|除|玩笑|放|学|口)|下(?:次|雨|班|去|来|一|周|个|载|单|楼)|画(?:的|好)|拍(?:的|好)|修(?:的|好|改)|编(?:辑器|的)|游(?:的)|拉(?:黑|肚子)|调整|剪(?:掉)|跳(?:槽|过)|吹(?:牛)|唱(?:的))|给你|帮你|告诉|努力|考虑|注意|尽量|去|来的|的$|你|他|她|我`)

func isSkill(folded string) bool {
	return runes(folded) <= 16 && skilled.MatchString(folded) && !notSkill.MatchString(impersonal(folded))
}

// written is 写 before the name of a programming language.
var written = regexp.MustCompile(`^写\s*[a-z]`)

// impersonal takes out the words in which a pronoun's character is no pronoun.
func impersonal(folded string) string {
	return strings.NewReplacer("吉他", "", "其他", "", "自我", "").Replace(folded)
}

var expert = regexp.MustCompile(`^(?:很|也|还|最|比较|特别|非常|挺|蛮|略)*(?:擅长|精通|熟悉|熟练|掌握|拿手)`)

func skillsEach(m match) []found {
	if m.dated {
		return nil
	}
	check := isSkill
	if expert.MatchString(m.rest()) {
		check = func(folded string) bool {
			return isObject(folded) && runes(folded) <= 14 && !notSkill.MatchString(impersonal(folded))
		}
	}
	out := each(skills, check)(m)
	for i, f := range out {
		if written.MatchString(fold(f.Value)) {
			out[i].Value = strings.TrimSpace(f.Value[len("写"):])
		}
	}
	return out
}

// pastimes are what people do again and again: a verb with its object.
const pastimes = `(?:打|踢|玩)(?:篮球|网球|羽毛球|乒乓球|排球|高尔夫球?|台球|桌球|足球|棒球|垒球|橄榄球|壁球|匹克球|麻将|扑克|太极拳?|拳击?|保龄球|桥牌|德扑|鼓|架子鼓|桌游|滑板|飞盘|剧本杀|乐高|魔方|摄影|音乐|游戏|手游|原神|王者(?:荣耀)?|音游|模型|手办|无人机|乐队)|(?:弹)(?:钢琴|吉他|古筝|琵琶|贝斯|尤克里里|琴)|(?:拉)(?:大提琴|小提琴|二胡|手风琴|中提琴)|(?:吹)(?:笛子|萨克斯|长笛|口琴|小号|葫芦丝|单簧管)|(?:练)(?:瑜伽|瑜珈|书法|拳击?|太极|普拉提|字|舞|武术|跆拳道|柔道|剑道|散打|琴|钢琴|吉他|力量)|(?:写)(?:书法|小说|诗|日记|博客|毛笔字)|(?:画)(?:画|油画|水彩|漫画|插画|国画|素描)|(?:跳)(?:街舞|芭蕾|拉丁舞?|广场舞|民族舞|爵士舞?|舞|绳)|(?:做)(?:瑜伽|瑜珈|手工|木工|烘焙|普拉提|陶艺|手账)|跑(?:步|马拉松|马|山|酷)|夜跑|晨跑|长跑|爬山|登山|徒步|露营|骑行|骑车|游泳|冬泳|滑雪|滑冰|滑板|冲浪|潜水|攀岩|抱石|钓鱼|健身|撸铁|举铁|跳伞|射箭|击剑|摄影|拍照|看书|阅读|追剧|看电影|听音乐|听播客|唱歌|唱k|观鸟|集邮|下(?:围|象|国际象)?棋|养花|种花|种菜|园艺|烘焙|冥想|打坐|剑道|柔道|柔术|巴西柔术|跆拳道|普拉提|瑜伽|街舞`

var hobbyRules = []rule{
	{
		name: "pastime-always", scope: own,
		pattern: body(`(?:是|会|都|也|还|要|喜欢|一般|通常|基本|坚持|去|出去|出门|和朋友|跟朋友|和同事|约朋友|经常|常|爱|就|在家|到公园|去公园|去健身房|早上|晚上|早起)*(?P<v>` + pastimes + `)(?:一个小时|半小时|[0-9一二两三四五六七八九十]+(?:个)?(?:公里|小时|分钟|次|km|k|趟))?`),
		build:   pastimeHabit,
	},
	{
		name: "pastime-years", scope: own,
		pattern: body(`(?P<v>` + pastimes + `)(?:已经|都|有|也|快|坚持)*(?:好几|好多|很多|十几|几|[0-9]+|[一二两三四五六七八九十半]+)多?(?:年|个月)(?:多)?`),
		build:   each(hobbies, nil),
	},
	{
		name: "pastime-since", scope: own,
		pattern: body(`(?:弹|拉|吹|打|踢|练|跳|画|写|玩|下)(?:了)?(?:好几|[0-9一二两三四五六七八九十几多半]+)年(?:的)?(?P<v>[^，]{1,6}?)`),
		build:   each(hobbies, isObject),
	},
	{
		name: "pastime-plays", scope: own,
		pattern: body(`(?:也|还)?(?P<v>(?:弹(?:钢琴|吉他|古筝|琵琶|贝斯|尤克里里)|拉(?:大提琴|小提琴|二胡|手风琴|中提琴)|吹(?:笛子|萨克斯|长笛|口琴|小号|单簧管)|打(?:架子鼓|鼓|网球|羽毛球|篮球|高尔夫|棒球|冰球)|踢足球|跳(?:街舞|芭蕾|拉丁舞|民族舞)|玩(?:滑板|乐队|摄影|音乐|桌游|无人机)|写(?:书法|毛笔字|诗)|画(?:油画|水彩|漫画|插画|国画)|下(?:围棋|象棋|国际象棋)))(?:的)?`),
		build:   pastimePlain,
	},
}

// pastimeHabit needs a word of habit: 平时, 每周三, 经常.
func pastimeHabit(m match) []found {
	again := often.MatchString(m.whole())
	if !m.habit && !again || m.dated && !again {
		return nil
	}
	return each(hobbies, nil)(m)
}

var often = regexp.MustCompile(`经常|每天|每周|每个?月|平时|坚持|天天|常去|常常|周末(?:都|会|一般|经常|喜欢|常)`)

// pastimePlain is 我拉大提琴, with nothing that makes it an event of the day.
func pastimePlain(m match) []found {
	if m.dated || !m.self {
		return nil
	}
	return each(hobbies, nil)(m)
}

var freeRules = []rule{
	{
		name: "anniversary", scope: anyone,
		pattern: within(`(?:我|咱)(?:们)?(?:和|跟|与)?(?:我)?(?:的)?(?:` + relatives + `)?(?:的)?(?:结婚|恋爱|相识|领证|在一起)?纪念日(?:就)?(?:是|在)?` + birthdayDate + particles + `$`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "birthday-of-relative", scope: anyone,
		pattern: within(`我(?:家)?(?:的)?(?:` + relatives + `)(?:的)?(?:农历|阴历)?生日(?:是|在)?` + birthdayDate + particles + `$`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "studying-for", scope: ownPast,
		pattern: head(`(?:也|还|又|都|一直)*(?:正在|在|正|开始|打算|准备|要)?(?P<k>(?:备考|备战|复习考|准备考|准备(?:法考|国考|省考|雅思|托福|gre|gmat|cfa|cpa|四级|六级|专八|一建|二建|软考|教资|保研|考编)|准备(?:参加)?(?:[^，]{0,12}(?:考试|面试|比赛|答辩|联考|高考|中考|考研|马拉松|婚礼))|考研|考公|考编|考博|考(?:雅思|托福|cpa|司法|法考|教资|驾照|证))[^，]*)`),
		build:   studies,
	},
	{
		name: "passed", scope: anyone,
		pattern: within(`^(?:我)?(?:的)?(?:终于|今天|刚刚?)?(?:法考|司考|国考|省考|考研|考公|考编|雅思|托福|gre|cfa|cpa|注会|一建|二建|软考|教资|四级|六级|专[四八]|科目[一二三四]|驾照|论文答辩|答辩|签证|落户|绿卡)(?:终于|也|都|已经)*(?:过|通过|上岸|下来|拿到|考过|办好)了` + particles + `$`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "studies", scope: own,
		pattern: body(`(?:也|还|又|都|一直|现在|目前|自己|业余)*(?:正在|在|正|开始|刚开始|跟老师|自)(?P<k>学习|研究|自学|学|复习|钻研|攻读|主修|辅修|修读|修|写|翻译|做|开发|搭建|创作|训练|练习|练|备赛|筹备|组织|运营|装修|翻修|创业做|减|参与|编写)(?P<v>[^，]+?)`),
		build:   pursues,
	},
	{
		name: "enrolled", scope: own,
		pattern: body(`(?:是)?(?:还)?(?:在读(?:mba|emba|phd|研究生|博士?|硕士?|本科|[大研][一二三四]|[高初][一二三]|[\p{Han}a-z]{2,10}(?:专业|硕士|博士|本科|研究生|学位))|[\p{Han}a-z]{0,10}(?:[大研博][一二三四]|[高初][一二三]|本科生?|研究生|硕士生?|博士生?|mba|phd|大学生|专业)在读)`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "took-up", scope: own,
		pattern: body(`(?P<k>学|练|自学|备考|健身|跑步|减肥|研究|写小说|创业)(?P<v>[^，]*?)`),
		build:   tookUp,
	},
	{
		name: "season", scope: own,
		pattern: body(`(?:正在|在|忙着)(?P<k>健身|备孕|找(?:新)?工作|找房子?|租房|相亲|创业|休产假|坐月子|休学|减脂|增肌|控糖|戒糖|戒烟|戒酒|考驾照|写(?:毕业|博士|硕士)?论文|带娃|办签证|办移民)`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "major", scope: own,
		pattern: body(`(?:的)?(?:大学|本科|研究生|硕士|博士|在大学|以前|现在|大学时|主修|读的|学的|专业)*(?:的)?(?:专业|主修|学的|读的|研究方向|研究课题|研究领域|方向|论文题目|课题|导师)(?:就)?(?:是|叫|为)(?P<v>[^，]+?)`),
		build:   freely(memory.KindFact, "", isObject),
	},
	{
		name: "studies-at", scope: own,
		pattern: body(`(?:是)?(?:人)?(?:在|就读于|考上了?|保送(?:到)?(?:了)?|被)(?P<v>[^，]*(?:大学|学院|高中|中学|小学|学校|大)|[^，]+?)(?:读书|上学|念书|念大学|上大学|读大学|读研|读博|读硕士|读博士|读本科|念博士|留学|交换|进修|求学|读大[一二三四]|读高[一二三]|上高中|上初中|学[^，]{2,8}|读[^，]{2,8}|录取|专业)?`),
		build:   studiesAt,
	},
	{
		name: "reads-for", scope: own,
		pattern: body(`(?:是)?(?:学|读|念|主修)(?P<v>[\p{Han}a-z]{2,12}?)(?:专业)?(?:的)`),
		build:   majorsIn,
	},
	{
		name: "age", scope: own,
		pattern: body(`(?:今年|马上|快|刚|已经|也|都|虚岁|刚满|满|是)*(?:[0-9]{1,3}|[一二三四五六七八九十]{1,3})(?:多)?岁|(?:高[一二三]|大[一二三四]|研[一二三]|初[一二三]|博[一二三四五])|(?:是)?(?:[0-9]{2}|[0-9]{4}|九零|八零|零零|七零)(?:年|后)(?:的|出生的?|生的?|生人)?|(?:出生|生)(?:于|在)[0-9]{4}年?|属(?:鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪)(?:的)?`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "trait", scope: own,
		pattern: body(`(?:是)?(?:一?个)?(?:典型的?)?(?P<v>(?:[\p{Han}]{2}|射手|水瓶|白羊|摩羯|魔羯|天蝎|处女)座(?:的)?|左撇子|夜猫子|早起的人|独生(?:子女?|女)|双胞胎|单亲(?:妈妈|爸爸|家庭)?|基督徒|佛教徒|穆斯林|天主教徒|党员|退伍军人|[ei][ns][tf][jp](?:人|型人格)?|(?:[abo]|ab)型血?|社恐|内向的人|外向的人|i人|e人|少数民族|\p{Han}{1,3}族(?:人)?|丁克)`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "measures", scope: own,
		pattern: body(`(?:的)?(?:身高|体重|血型|鞋码|网名|车牌|座右铭|学历|星座|生肖|民族|国籍|微信号|mbti|尺码|衣服尺码|视力|车型|手机型号)(?:就|大概|大约|差不多)?(?:是|有|为|：|)(?P<v>[^，]{1,16}?)`),
		build:   freely(memory.KindFact, "", isObject),
	},
	{
		name: "owns", scope: own,
		pattern: body(`(?:开的(?:是|车是)|的车是|的电脑是|的手机是|用的(?:是|手机是|电脑是)|家有(?:一?辆|一?台)|有(?:一?辆|一?台|一?套|两套))(?P<v>[^，]{2,16}?)`),
		build:   freely(memory.KindFact, "", isObject),
	},
	{
		name: "address", scope: own,
		pattern: body(`(?:的)?(?:家庭|收货|家里|新|现在的?|现)*(?:住址|地址)(?:改成了?|变成了?|换成了?|是|在|：|为)+(?P<v>[^，]{0,20}(?:路|街|道|巷|弄|号|栋|楼|室|小区|花园|村)[^，]{0,16})`),
		build:   freely(memory.KindFact, city, nil),
	},
	{
		name: "age-bare", scope: anyone,
		pattern: within(`^我今年(?:已经|刚|快|都)?[1-9][0-9]` + particles + `$`),
		build:   freely(memory.KindFact, "", nil),
	},
	{
		name: "household", scope: anyone,
		pattern: within(`^(?:我们?家|家里|家)(?:里)?(?:一共|总共)?(?:有)?[0-9一二两三四五六七八九十]+口人?` + particles + `$`),
		build:   freely(memory.KindFact, family, nil),
	},
	{
		name: "following", scope: own,
		pattern: body(`(?:也|都)?(?:正在|在|开始)(?:追|啃|读|重温|刷|补|看|玩|听)(?P<v>《[^》]{1,20}》)`),
		build:   following,
	},
	{
		name: "consumes", scope: own,
		pattern: body(`(?:都|也|会|要|得|必须|必|只)*(?:喝|吃|抽|冥想|午睡|遛狗)(?P<v>[^，]{0,12}?)`),
		build:   consumes,
	},
	{
		name: "habit", scope: own,
		pattern: body(`(?:一般|通常|都|总|习惯|习惯于|习惯了|会|要|得|就)*(?:习惯|[0-9一二三四五六七八九十]+点(?:半)?(?:就|才|左右|前)?(?:睡|起|上班|下班|起床|睡觉|出门))(?P<v>[^，]*?)`),
		build:   habitual,
	},
	{
		name: "married", scope: own,
		pattern: body(`(?:已婚|已经结婚|结婚|未婚|单身|一直单身|离异|丧偶|丁克|订婚|脱单|领证)(?:了)?(?:.{0,6}年)?(?:了)?`),
		build:   freely(memory.KindFact, partner, nil),
	},
}

// passingTopic are objects of 在学, 在做 and the like that fill an hour, not a season of
// life.
var passingTopic = regexp.MustCompile(`^(?:习|会|校|饭|菜|梦|这|那|你|他|她|它|我|什么|怎么|如何|一下|作业|题|事|家务|早饭|午饭|晚饭|核酸|检查|功课|准备|选择|决定|实验|表格|邮件|代码|一个(?:表|题|东西)|东西|了|着|的|外面|家|法|历|完|报告$|作文$|ppt|周报|日报|总结|工作$|饭吃|笔记|做|不|没)|吗|什么|怎么|这个|那个|问题$|bug|你|如何`)

func pursues(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	n := runes(m.fold(s))
	k, _ := m.span("k")
	if n < 2 && !brief.MatchString(m.fold(k)) || passingTopic.MatchString(m.fold(s)) || m.dated {
		return nil
	}
	f := m.free(memory.KindFact)
	f.Value, f.Relation = m.say(span{k.from, s.to}), memory.RelationNew
	return []found{f}
}

// tookUp is 开始学冲浪; without a beginning, 学 alone says nothing.
func tookUp(m match) []found {
	if !strings.Contains(m.whole(), "开始") || m.dated || strings.Contains(m.whole(), "打算") {
		return nil
	}
	k, _ := m.span("k")
	v, ok := m.span("v")
	if !ok {
		v = k
	}
	if v = trimValue(m.folded, v); passingTopic.MatchString(m.fold(v)) {
		return nil
	}
	f := m.free(memory.KindFact)
	f.Value, f.Relation = m.say(span{k.from, v.to}), memory.RelationNew
	return []found{f}
}

// brief are verbs whose object may be a single character: 学车, 减肥.
var brief = regexp.MustCompile(`^(?:学|减|练|自学)$`)

var examWish = regexp.MustCompile(`^(?:打算|准备|要)考|吗|怎么`)

func studies(m match) []found {
	if examWish.MatchString(m.rest()) && m.dated {
		return nil
	}
	s, _ := m.span("k")
	f := m.free(memory.KindFact)
	f.Value, f.Relation = m.say(trimValue(m.folded, s)), memory.RelationNew
	return []found{f}
}

var learning = regexp.MustCompile(`读书|上学|念书|读研|读博|念|上大学|读大学|读硕士|读博士|读本科|留学|交换|进修|求学|读大|读高|上高中|上初中|学院|大学|考上|保送|录取|读[\p{Han}]{2,6}专业|学[^校生习院会][\p{Han}]{1,5}(?:专业)?$`)

func studiesAt(m match) []found {
	s, _ := m.span("v")
	if !learning.MatchString(m.rest()) || m.dated || runes(m.fold(s)) < 2 || nobody.MatchString(m.fold(s)) || passingTopic.MatchString(m.fold(s)) {
		return nil
	}
	return freely(memory.KindFact, "", nil)(m)
}

var fields = regexp.MustCompile(`(?:学|工程|计算机|软件|金融|会计|法律|医|英语|日语|中文|设计|管理|专业|文科|理科|工科|艺术|美术|音乐|传媒|新闻|数学|物理|化学|生物|历史|哲学|经济|机械|电气|自动化|建筑|土木|护理|师范|教育|心理|统计|通信|电子|材料|ai|cs|编导|表演|体育|农)$`)

func majorsIn(m match) []found {
	s, _ := m.span("v")
	if !fields.MatchString(m.fold(s)) || nobody.MatchString(m.fold(s)) {
		return nil
	}
	return freely(memory.KindFact, "", nil)(m)
}

// following is what one reads or watches for some time, not this evening.
func following(m match) []found {
	if !recently.MatchString(m.whole()) {
		return nil
	}
	return freely(memory.KindFact, "", nil)(m)
}

var recently = regexp.MustCompile(`最近|近来|近期|这段时间|这阵子|这几天`)

// consumes is a habit of every day: 每天喝两杯咖啡.
func consumes(m match) []found {
	s, _ := m.span("v")
	if !m.self || m.dated || !regular.MatchString(m.whole()) || unfinished.MatchString(m.fold(s)) || !s.empty() && !isObject(m.fold(s)) {
		return nil
	}
	return freely(memory.KindFact, "", nil)(m)
}

var (
	regular    = regexp.MustCompile(`每天|每周|每晚|每早|天天|经常|常年|每顿|每餐`)
	unfinished = regexp.MustCompile(`不|了$|过$|完|到|太|亏|惊|这|那|多少|好多`)
)

func habitual(m match) []found {
	if !m.self || m.dated || !m.habit && !accustomed.MatchString(m.rest()) || usedToIt.MatchString(m.rest()) {
		return nil
	}
	return freely(memory.KindFact, "", nil)(m)
}

var (
	accustomed = regexp.MustCompile(`^(?:一般|通常|都|总)*习惯`)
	usedToIt   = regexp.MustCompile(`^(?:都)?习惯(?:了)?$|习惯就好`)
)
