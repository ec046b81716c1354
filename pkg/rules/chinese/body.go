package chinese

import (
	"regexp"

	"github.com/mnemond/mnemond/pkg/memory"
)

// notAllergen are what people are "allergic to" in jest, and what names nothing.
var notAllergen = regexp.MustCompile(`^(?:太|最|学习|工作|上班|考试|数字|数学|英语|早起|运动|加班|开会|老板|作业|恋爱|爱情|男人|女人|异性|情侣|周一|星期一|什么|任何|他|她|你|它|这|那|人|话|我|自己|没|不|啥|所有|很多|容易|有点|会)|的人$|(?:店|馆|厅|餐厅|饭店|民宿|景点|地方|路线|电影|歌|书|课|游戏)$|这种人|我|来说|吗|什么|过敏|(?:不|没|没有|并不|不太|不会|无|未)$`)

func isAllergen(folded string) bool {
	return runes(folded) <= 12 && !notAllergen.MatchString(folded)
}

var allergyRules = []rule{
	{
		name: "allergic-to", scope: own,
		pattern: body(`(?:是|很|特别|天生|严重|有点|轻微|被查出|被查出来|查出|检查出|确诊)*(?:对|对于)(?P<v>[^，]+?)(?:是|会|很|也|都|有|有点|严重|轻度|重度|轻微|中度|特别|非常|极度|超级|容易|产生|引起|已经)*(?:过敏|敏感体质)(?:的|的人|反应|体质|史|原)?(?:很?严重)?`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "intolerant", scope: own,
		pattern: body(`(?:是|有点|天生|严重)*(?:对|对于)\s*(?P<v>[^，]+?)\s*(?:严重|完全|有点|有些)*不耐受`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "eats-allergic", scope: own,
		pattern: body(`(?:一)?(?:吃|喝|碰|闻到?|接触|用|沾)(?:了|到|点)?(?P<v>[^，]+?)(?:就|会|都|容易|马上|立刻|严重)+(?:会)?(?:过敏|起疹子|起红疹|喉咙肿)`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "eats-ill", scope: own,
		pattern: body(`(?:一|只要一?|一旦)(?:吃|喝|碰)(?:了|到|点)?(?P<v>[^，]{1,8}?)(?:就|会|都|容易|马上|立刻)+(?:会)?(?:拉肚子|腹泻|闹肚子|肚子疼|肚子痛|胃疼|胃痛|胃不舒服|吐|呕吐|浑身痒|头晕|心慌)`),
		build:   freely(memory.KindConstraint, allergies, isAllergen),
	},
	{
		name: "has-allergy", scope: own,
		pattern: body(`(?:有|患有)(?:严重的?|轻微的?|点)?(?P<v>[^，]+?)过敏(?:症|史|的毛病|体质)?`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "allergens", scope: own,
		pattern: body(`(?:的)?(?:过敏源|过敏原|过敏的(?:东西|食物))(?:检?查出来|测出来|检?查出|测出)?(?:的)?(?:是|有|包括|：)*(?P<v>[^，]+?)`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "allergic-short", scope: own,
		pattern: body(`(?P<v>花生|坚果|海鲜|虾|蟹|虾蟹|贝类|鱼|牛奶|乳制品|鸡蛋|蛋|大豆|小麦|麸质|芒果|桃子|菠萝|草莓|花粉|尘螨|猫毛|狗毛|青霉素|阿莫西林|头孢|乳胶|酒精|柳絮|螨虫|粉尘|\p{Han}{1,5}(?:素|毛|粉|类|坚果|仁|螨|酸))(?:严重|重度)?过敏(?:的|体质)?(?:得)?(?:很|特别|非常|比较|挺|超级?)?(?:严重|厉害)?(?:(?:这个|这点|这事)?(?:请|麻烦)?你?(?:记一下|记住|记着|注意一下|注意))?`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "allergen-fronted", scope: anyone,
		pattern: within(`^(?P<v>[\p{Han}、和]{1,10}?)我(?:是|会|都|严重|很)*过敏(?:的)?` + particles + `$`),
		build:   each(allergies, isAllergen),
	},
	{
		name: "allergic-by-nature", scope: own,
		pattern: body(`(?:是|属于)(?:一?个)?(?P<v>过敏体质|敏感肌|易过敏体质)(?:的人|的)?`),
		build:   one(health, nil),
	},
}

// avoided joins 别放花生 with the 我过敏 behind it.
var (
	avoided  = regexp.MustCompile(`(?:别|不要|不能|请勿|千万别|千万不要)(?:再)?(?:给我|跟我)?(?:放|加|用|有|推荐|买|点)(?:带|含|有|含有|加)?(?P<v>[^，]{1,12}?)(?:的)?$`)
	allergic = regexp.MustCompile(`^我?(?:会|是|对(?:它|这个|那个))?(?:严重|很)?过敏(?:的)?` + particles + `$`)
)

// joinAllergy reads a clause 我过敏 as about what the clause before it says to leave out.
func (r *reader) joinAllergy(before, c *clause) {
	if before == nil || !allergic.MatchString(c.folded[c.start:c.to]) {
		return
	}
	loc := avoided.FindStringSubmatchIndex(before.whole())
	if loc == nil {
		return
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	for _, item := range items(c.folded, span{before.from + loc[2], before.from + loc[3]}) {
		if !isAllergen(c.folded[item.from:item.to]) {
			continue
		}
		f := m.fact(allergies, item)
		f.rule, f.from = "allergy-joined", before.start
		r.add(f)
	}
}

var healthRules = []rule{
	{
		name: "illness", scope: own,
		pattern: body(`(?:是|一直|先天|天生|遗传)?(?:有|患有|患|得了|得|确诊了?|被确诊(?:为|了|得了)?|被诊断(?:为|出|出了|有|患有)?|查出(?:来)?(?:有|了|得了)?|检查出(?:有)?|患上了?)(?:点|严重的?|轻度的?|轻微的?|慢性的?|先天性)?(?P<v>` + illnesses + `)(?:好几年|[0-9一二三四五六七八九十多几]+年)?`),
		build:   each(health, nil),
	},
	{
		name: "constitution", scope: own,
		pattern: body(`(?:有点|有些|天生|一直|是|比较|严重|长期|对)*(?P<v>乳糖不耐(?:受|症)?|麸质不耐受?|恐高|晕车|晕船|色盲|色弱|高度近视|高血压|低血糖|血压(?:偏)?高|血糖(?:偏)?高|血脂(?:偏)?高|尿酸(?:偏)?高|长期失眠|贫血|近视[0-9一二三四五六七八九]+百?度?|(?:胃|腰|膝盖|颈椎|心脏|肠胃|肝|肾|视力|听力|睡眠)(?:一直|都)?(?:不太好|不好|有问题|有毛病))(?:患者|的人|体质)?`),
		build:   one(health, nil),
	},
	{
		name: "pregnant", scope: own,
		pattern: body(`(?P<v>怀孕|怀了?(?:二胎|双胞胎)|怀了?宝宝)(?:了)?(?:.{1,6}(?:周|个月|月)了?)?`),
		build:   one(health, nil),
	},
	{
		name: "medicine", scope: own,
		pattern: body(`(?:一直|长期|都|也|还|正)*(?:在|要|得|需要|必须)?(?:吃|服用|服|打|注射)(?P<v>[\p{Han}a-z]{0,8}?(?:药|胰岛素|降压片|激素|胶囊))`),
		build:   medicine,
	},
	{
		name: "must-not-eat", scope: own,
		pattern: body(`(?:是|医生说|现在|一点都?|完全|都|也|根本)*(?:不能|不可以|吃不了|不能够|无法|不得|没法)(?:再)?(?:吃|喝|碰|沾|摄入)?(?P<v>[^，]{1,14}?)`),
		build:   mustNotEat,
	},
}

// medicine is one taken for long: with 在, 长期 or a word of habit.
func medicine(m match) []found {
	if m.dated || !m.habit && !regularly.MatchString(m.whole()) {
		return nil
	}
	return freely(memory.KindConstraint, health, nil)(m)
}

var regularly = regexp.MustCompile(`在(?:吃|服|打|注射)|长期|一直`)

var edible = regexp.MustCompile(`^(?:吃|喝|碰|沾)?(?:太)?(?:辣|甜|油腻|生冷|冰|酒|酒精|咖啡因?|麸质|面筋|乳制品|牛奶|奶制品|糖|盐|海鲜|坚果|花生|鸡蛋|猪肉|牛肉|羊肉|肉|荤|小麦|蒜|葱|香菜|[\p{Han}]{1,4}(?:的|肉|类|制品|果|酒|菜|奶|豆|蛋|鱼|虾|蟹|食物|东西))`)

var mustNotBody = regexp.MustCompile(`吃不了|不能(?:再|够)?(?:吃|喝|碰|沾|摄入)|不可以(?:吃|喝)|没法(?:吃|喝)|无法(?:吃|喝)`)

// mustNotEat is free, since 不能吃辣 goes beside any diet; who asks for the diet finds it.
func mustNotEat(m match) []found {
	s, _ := m.span("v")
	s = trimValue(m.folded, s)
	if s.empty() || !mustNotBody.MatchString(m.rest()) || !edible.MatchString(m.fold(s)) || m.dated {
		return nil
	}
	f := m.free(memory.KindConstraint)
	f.About = diet
	return []found{f}
}

var dietRules = []rule{
	{
		name: "diet", scope: own,
		pattern: body(`(?:是|算是?|属于|开始|改|改成|改为|变成|成为|成了|一直|坚持|长期|只|现在|奉行|执行|走|在)*(?:一?个|一?名|一?位)?(?P<v>吃全?素|吃纯素|吃蛋奶素|吃奶素|吃锅边素|吃清真|全素|蛋奶素|纯素(?:食)?(?:主义)?(?:者)?|素食(?:主义)?(?:者)?|严格素食(?:者)?|鱼素(?:者)?|奶蛋素|生酮(?:饮食)?|低碳(?:水)?(?:饮食)?|地中海饮食|轻断食|无麸质饮食|清真饮食|间歇性?断食|vegan|vegetarian|只吃清真|吃斋|断碳|原始人饮食|低盐饮食|低糖饮食)(?:的人|的)?(?:.{0,4}年了)?`),
		build:   one(diet, nil),
	},
	{
		name: "abstains", scope: own,
		pattern: body(`(?:是|从来|一直|都|也|平时|从)*(?:不抽烟|不吸烟|不喝酒|滴酒不沾|烟酒不沾|不沾烟酒|不抽烟(?:也)?不喝酒)(?:的)?`),
		build:   freely(memory.KindConstraint, health, nil),
	},
	{
		name: "diet-without", scope: own,
		pattern: body(`(?:是|从来|一直|都|现在|也|平时|基本|早就|已经|从小)*(?P<v>不(?:再)?(?:吃|沾|碰)(?:肉|荤|荤腥|红肉|猪肉|牛肉|羊肉|麸质|任何肉|动物制品|乳制品))(?:的)?`),
		build:   one(diet, nil),
	},
}
