package chinese

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
)

// Events: what the user did, will do, and what became of plans. They are read from the
// whole clause, since their dates stand anywhere in it.

// notable are doings in the past that are worth knowing for ever.
var notable = compile(`(?:退学|休学|复学|辍学|肄业|转学|转专业|毕业(?:于|了)?|结[了的]?婚|考了(?:.{0,6})(?:雅思|托福|证|[0-9]分|级|研|公|驾照)|结婚(?:了)?$|订婚|求婚成功|领证|领了证|离婚|生了(?:个|一个|二胎|双胞胎|女儿|儿子|孩子|宝宝|娃)|当(?:了|上)?(?:爸|妈|爷|奶)|怀孕|买了(?:.{0,6})(?:房|车|公寓|别墅|新家)|提了(?:.{0,6})车|摔断|骨裂|第一次(?:去|跳|潜|滑|坐|跑|上|参加|当|吃|看|做|见|开|玩|骑|飞|出国)|从(?:.{1,10})(?:旅游|旅行|出差|度假|骑行|自驾|徒步|留学|支教|交换)回来|(?:在|去)(?:.{1,10})(?:留学|支教|交换|服役)|卖(?:掉)?了(?:.{0,6})(?:房|车)|做(?:了|过)(?:.{0,10})手术|动了(?:.{0,6})手术|骨折|住(?:了)?院|出了(?:.{0,4})车祸|得了(?:.{0,8})(?:奖|冠军|第[一二三]|病|炎)|获得了?|获(?:了|得)?.{0,6}奖|拿(?:了|到了?|下了?)(?:.{0,12})(?:奖|证|驾照|学位|offer|冠军|第一|签证|绿卡|永居|文凭|资格)|考(?:过|上|到|取|下)(?:了)?|通过了|跑(?:了|完了?|过)(?:.{0,8})(?:马拉松|半马|全马|马|公里)|完成了(?:.{0,12})(?:马拉松|铁人|论文|项目|学业|课程|训练营|挑战)|登(?:顶|上)了?|爬(?:了|上了?|过)(?:.{0,8})(?:山|峰|泰|华|黄|富士|长城)|参加了?(?:过)?|出版了|发表了|写完了|学会了|创办了|成立了|创业|开了(?:.{0,6})(?:公司|店|工作室)|搬(?:了|到|进)|移民|入职|跳槽|升职|被裁|辞职|去世|做了爸|做了妈|去(?:了|过)|到过|来过|飞(?:了|到)|去(?:.{1,10})(?:玩了|旅游了|旅行了|出差了|看了|参加了|待了|住了|度假了|骑行了|自驾了|徒步了|爬山了|滑雪了|潜水了|露营了|支教了|写生了|拍照了|玩过|旅游过|旅行过)|在(?:.{1,10})(?:玩了|待了|旅游了|度假了|度了|旅行了|跑了|看了|听了)|看了(?:.{0,14})(?:演唱会|音乐会|展|比赛|话剧|音乐剧)|拔了|做完了?(?:.{0,8})(?:手术|化疗)|戒了|领养了|种了疫苗|打了疫苗)`)

// trifles are places and doings of everyday life.
var trifles = compile(`以为|快(?:要)?被|要被|快(?:要)?(?:毕业|结婚|生了|离婚)|去(?:了|过)(?:一?[趟次下]|[两三]次|好几次)?(?:厨房|厕所|洗手间|卫生间|超市|公司|学校|楼下|食堂|医院|便利店|菜市场|银行|办公室|那里|这里|那|这|外面|一下|了|健身房|公园|商场|图书馆|网吧|朋友家|你|他|她|哪)|去了$|去过了?$|参加(?:了)?(?:.{0,4})(?:会议|例会|早会|晨会|讨论|面试)|通过了(?:你|我的好友|好友|测试|编译|验证)|考(?:上|过)(?:了)?$|获得了?(?:.{0,6})(?:信息|答案|数据|结果|帮助|建议|权限|优惠)|怎么|吗|想|纪念日|破戒|入职场|过去了|上去了|下去了|进去了|回去了|出去了|失去了?|死去|没(?:有)?(?:去|考|通过|参加|买)|还没|买了(?:.{0,6})(?:房卡|车票|车厘子|票)|去(?:了|过)(?:再|就)|开了(?:一?个)?会|搬了(?:一|东西|箱)|登上了?(?:账号|号|网站)|(?:[^试辩审]|^)通过了?$|不`)

var pastMark = compile(`了|过|刚|做完|毕业|结婚|出生|离婚|结的婚|留学|支教|交换|服役|的$`)

var (
	journey = regexp.MustCompile(`(?:去|到|来|飞|回)(?:了|过)(?:一?[趟次下]|[两二三四五六七八九十0-9]+[趟次]|好几[趟次]|很多[趟次])?(?P<to>[^，]{2,10})|(?:去|在)(?P<at>[^，]{2,8})(?:玩|旅游|旅行|出差|度假|待|参加|看|度)`)
)

// happened reads the clause as something notable that the user did.
func happened(c *clause, r *reader) []found {
	if c.unsure || !c.says(notable) || !c.says(pastMark) || c.says(trifles) || futureVerb.MatchString(c.rest()) {
		return nil
	}
	dates := r.dates.in(min(c.from, c.start), c.to, temporal.Past)
	if len(dates) == 0 && !c.self && !c.past {
		return nil
	}
	if len(dates) > 0 && dates[0].Start.After(r.message.At) {
		return nil
	}
	if loc := journey.FindStringSubmatchIndex(c.whole()); loc != nil && len(dates) == 0 {
		// Without a date only a journey to a known place counts.
		if _, _, ok := placeIn(c.whole()); !ok {
			return nil
		}
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	f := m.free(memory.KindFact)
	f.rule, f.Relation = "happened", memory.RelationNew
	if len(dates) > 0 {
		f.ValidFrom = dates[0].Start
	}
	return []found{f}
}

var futureVerb = regexp.MustCompile(`^(?:要|会|将|打算|准备|计划|想|得|希望|应该|可能|需要)`)

// planned are the verbs and nouns of what people plan.
var planned = compile(`去|飞|到|回|来|(?:抢|买|订)(?:到|好)?了.{0,14}票|出差|出发|有(?:一?个|一?场)(?:会$|局|课)|有[约课]|(?:跟|和|请|陪|与).{1,8}吃(?:饭|火锅|烤肉|大餐)|开会|会议|家长会|开庭|面试|笔试|考|看(?:医生|牙|病|房|展|演|电影|话剧|球|房子|中医)|体检|手术|住院|复查|复诊|产检|拔牙|洗牙|打疫苗|搬家|搬到|搬去|结婚|订婚|婚礼|领证|生日|纪念日|约了?|约会|聚会|聚餐|饭局|见(?:客户|面|家长|导师|投资人|朋友|网友|律师)|旅行|旅游|度假|自驾|露营|爬山|徒步|滑雪|潜水|答辩|交(?:稿|.{0,6}(?:报告|论文|作业|方案|标书|材料|作品|终稿|初稿)|房|付)|(?:改|写|做|弄|搞|画|整理|完成|准备)完|完成|搞定|提交|截止|ddl|deadline|参加|报到|入职|离职|毕业|开学|演出|演唱会|音乐会|音乐节|展览|比赛|马拉松|半马|决赛|航班|飞机|高铁|火车|签证|签约|上线|发布|发版|到期|路演|讲座|演讲|分享|培训|上课|预产期|退休|开业|装修|过户|搬|相亲|拍婚纱|团建|年会|值班|加班|采访|直播|评审|汇报|验收|预约|挂了?号|牙医|医生|面签|探亲|接机|接人|送机|休假|请假|放假|拜访|做客|带(?:孩子|娃|爸|妈|猫|狗)|办(?:签证|护照|婚礼|酒席)|泡温泉|吃(?:法餐|西餐|日料|大餐|自助)|比|跑|学|买房|提车|做(?:手术|检查|体检|核磁|胃镜|演讲|分享|汇报)`)

// intends are the words with which own plans are said.
var intends = compile(`要|会|得|打算|准备|计划|deadline|ddl|报名|(?:抢|买)(?:到|好)?了|约|订|预约|安排|有|去|飞|将|回|出差|出发|参加|到期|截止|开始|搬|结婚|考|开会|面试|见|交|答辩|入职|毕业|生日|婚礼|手术|体检|复查|上课|值班|加班|休假|旅行|旅游|来|退休|航班|机票|高铁|火车|飞机|演唱会|演出|比赛`)

// afterLast puts a bare day of the week after the plan named just before in the sentence:
// 周一去天津，周三去济南 tells of one journey.
func (r *reader) afterLast(c *clause, at temporal.Mention) temporal.Mention {
	if !r.planned.IsZero() && at.Start.Before(r.planned) && bareWeekday.MatchString(c.folded[at.From:at.To]) {
		at.Start, at.End = at.Start.AddDate(0, 0, 7), at.End.AddDate(0, 0, 7)
	}
	r.planned = at.Start
	return at
}

var bareWeekday = regexp.MustCompile(`^(?:周|星期|礼拜)`)

// occasions are what people have on a date without a verb that says so: 我周日跟朋友聚餐.
var occasions = compile(`聚餐|聚会|饭局|约会|露营|爬山|徒步|滑雪|潜水|团建|年会|培训|演讲|讲座|路演|体检|复诊|拔牙|洗牙|看牙|产检|上线|发布|开庭|直播|评审|家长会|开学|预产期|吃饭|吃火锅|吃大餐|泡温泉`)

// notPlan are clauses about the future that are no plan of the user.
var notPlan = compile(`周末(?:都|会|一般|经常|常|喜欢)|过[一二三四五六七八九十两几半0-9]+年|超市|健身房|食堂|银行|理发|菜市场|不是|经常|每|平时|一般|通常|总是|常常|常去|都会|早起|睡觉|再说|再聊|再见|再来(?:问|找)|告诉你|问你|找你|联系你|提醒|天气|下雨|下雪|降温|升温|高温|多云|晴|怎么|什么|吗|该|帮我|推荐|请你|想(?:去|要|吃|看|学|养|买)|可能|也许|或许|说不定|考虑|希望|^等|不(?:去|用|要|想|会|打算|参加|开|能|加班|上班|值班|出差|出门|回|来|约|搬)|推迟|延期|延后|取消|没(?:有|空|时间)|如果|要是|记得|有空|有时间|的时候|天气预报|放晴|股市|涨|跌|加油|继续|更冷|更热|好热|好冷|见$|(?:生日|纪念日)(?:是|在|：)?\s*(?:农历|阴历|阳历)?(?:[0-9一二三四五六七八九十]+月|[a-z0-9])`)

// plans reads the clause as something the user is going to do on a date.
func plans(c *clause, r *reader) []found {
	if c.unsure || c.past || c.other && !c.says(occasion) || c.says(notPlan) || strings.HasPrefix(c.rest(), "想") {
		return nil
	}
	dates := r.dates.in(min(c.from, c.start), c.to, temporal.Future)
	if len(dates) == 0 || !c.says(planned) {
		return nil
	}
	// 今天的评审 names an occasion and plans none.
	held := c.says(occasions) && !strings.HasPrefix(c.folded[dates[0].To:c.to], "的")
	if !c.says(intends) && !held {
		return nil
	}
	if (c.says(happenedMark) || c.says(bygone)) && !c.says(soon) {
		return nil
	}
	if !dates[0].Start.After(r.message.At) && c.says(done) && !c.says(soon) {
		return nil
	}
	at := r.afterLast(c, dates[0])
	if len(dates) > 1 && dates[1].Start.After(at.Start) && dates[1].From == at.To && dates[1].Granularity == at.Granularity {
		at.End = dates[1].End
	}
	if !at.End.After(r.message.At) || at.End.Sub(r.message.At) < 2*time.Hour && at.Granularity != temporal.Day {
		return nil
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	f := m.free(memory.KindFact)
	f.rule, f.Relation = "plan", memory.RelationNew
	f.Plan, f.Stability = true, memory.Dated
	f.ValidFrom, f.ExpiresAt = at.Start, at.End
	return []found{f}
}

var (
	// done closes what has happened by now: 今天终于把猫带回家了.
	done = compile(`了$`)
	// happenedMark says that it is over, soon that 了 only closes a plan (要去了).
	happenedMark = compile(`(?:去|飞|考|搬|参加|买|做|见|看|回|到|来|开|交|跑|试|检|聚|辩|约)(?:完|过)?了(?:[^，]|$)|(?:毕业|结婚|退休|离婚|升职|入职|辞职|离职|搬家|怀孕|领证)了$|入职了|过了$|刚`)
	// bygone is 五月搬过来的: the time of something known to have happened.
	bygone = compile(`(?:搬|来|去|回|到|买|领|毕业|结婚|离婚|入职|离职|退休|认识|生)[^，]{0,6}的$`)
	soon   = compile(`(?:订|定|买|抢|约|报)(?:好|到)?了|要|会(?:[^议])|得|打算|准备|计划|就|约了|订了|改到|推迟|提前`)
	// occasion is a date of somebody close, which is a plan of the user as well.
	occasion = compile(`我(?:们)?(?:的)?(?:` + relatives + `).{0,10}(?:生日|婚礼|纪念日|结婚|预产期|手术|毕业典礼|家长会)|是我(?:们)?(?:的)?.{0,6}(?:生日|纪念日|婚礼)|我们|(?:孩子|儿子|女儿|娃).{0,8}(?:开学|家长会|毕业典礼|高考|中考)|我(?:的)?(?:` + relatives + `).{0,6}来(?:看我|找我|我家|我这)`)
)

// calledOff are the ways of taking a plan back, movedTime those of moving it.
var (
	calledOff = compile(`取消(?:了|掉)?|(?:推迟|延期|延后)(?:举行)?了?$|不去(?:[^，]{0,8})了|去不(?:成|了)(?:[^，]{0,8})(?:了)?|不(?:开|办|参加|考|搬|来|飞|出差|面试|结婚|见|约)(?:[^，]{0,6})了|泡汤了?|黄了|作废|没戏了|(?:去|开|参加|办)不成了?|不(?:打算|准备|用|想|需要|会)(?:再)?(?:去|参加|开|考)(?:[^，]{0,8})了`)
	movedTime = compile(`(?:改到|改|改成|改为|改期到?|改在|挪到|挪至|推迟到|推迟至|推到|延期到|延期至|延后到|延到|延至|提前到|提前至|提到|调到|调整到|调整为|换到|顺延到|往后推到|变成|变更为|定在|改签到?|改约到?|重新(?:安排|约)(?:到|在)?)(?:了)?`)
)

// planWord finds what distinguishes a plan: the noun of an occasion.
var planWord = compile(`(?P<v>演唱会|音乐会|音乐节|家长会|同学会|年会|团建|发布会|例会|评审会|面试|笔试|考试|体检|手术|牙医|看牙|拔牙|洗牙|复查|复诊|产检|婚礼|聚会|聚餐|饭局|约会|相亲|答辩|讲座|培训|演讲|路演|比赛|马拉松|半马|航班|机票|高铁|签证|面签|搬家|出差|旅行|旅游|露营|爬山|滑雪|徒步|度假|展览|派对|婚宴|团购|开会|会议|讨论|汇报|直播|采访|入职|毕业典礼|电影|晚饭|午饭|聚|开庭|值班|行程|会)`)

// planNamed is what the clause says to tell the plan from others: a place, else an
// occasion.
func planNamed(c *clause) string {
	if from, to, ok := placeIn(c.whole()); ok {
		return c.content[c.from+from : c.from+to]
	}
	if loc := planWord.FindStringSubmatchIndex(c.whole()); loc != nil {
		return c.content[c.from+loc[2] : c.from+loc[3]]
	}
	return ""
}

// subjectOf is the noun that the clause names before the words that move or cancel a plan,
// where it is none of the usual ones: 温泉改成周日.
func (r *reader) subjectOf(c *clause, how *expr) string {
	loc := how.FindStringIndex(c.whole())
	if loc == nil {
		return ""
	}
	from, to := c.body, c.from+loc[0]
	for _, m := range r.dates.mentions(temporal.Future) {
		if m.From <= from && from < m.To {
			from = m.To
		}
	}
	if from >= to {
		return ""
	}
	s := trimValue(c.folded, span{from, to})
	text := strings.TrimPrefix(strings.TrimSuffix(c.folded[s.from:s.to], "的"), "的")
	if !nounLike.MatchString(text) || notSubject.MatchString(text) {
		return ""
	}
	at := s.from + strings.Index(c.folded[s.from:s.to], text)
	return c.content[at : at+len(text)]
}

var (
	nounLike   = regexp.MustCompile(`^[\p{Han}a-z]{2,18}$`)
	notSubject = regexp.MustCompile(`闹钟|提醒|密码|名字|标题|会员|颜色|字体|格式|语言|默认|代码|参数|变量|接口|版本|我|你|他|她|它|这|那|时间$|把|将|要|想|不`)
)

// cancelled reads the clause as the end of a plan. It leaves no memory of its own: the
// candidate is transient.
func cancelled(c *clause, r *reader) []found {
	if c.unsure || c.other || !c.says(calledOff) || c.says(notCancelled) {
		return nil
	}
	what := planNamed(c)
	if what == "" {
		what = r.subjectOf(c, calledOff)
	}
	if what == "" {
		return nil
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	f := m.ending(memory.Target{Value: what, Plan: true})
	f.rule, f.Stability = "plan-cancelled", memory.Transient
	return []found{f}
}

var notCancelled = compile(`不见了|订阅|会员|订单|关注|闹钟|自动续费|怎么|帮我|不取消|没取消|没有取消|吃不|戒`)

// rescheduled reads the clause as a plan that got another date.
func rescheduled(c *clause, r *reader) []found {
	if c.unsure {
		return nil
	}
	if !c.says(movedTime) {
		return shifted(c, r)
	}
	loc := movedTime.FindStringIndex(c.whole())
	dates := r.dates.in(c.from+loc[0], c.to, temporal.Future)
	if len(dates) == 0 || !dates[0].End.After(r.message.At) {
		return nil
	}
	if dates[0].From > c.from+loc[1]+len("了的是在") {
		return nil
	}
	what, from := planNamed(c), c.start
	if what == "" {
		what = r.subjectOf(c, movedTime)
	}
	if what == "" {
		what, from = r.plan, r.planFrom
		r.found = slices.DeleteFunc(r.found, func(f found) bool { return f.Plan && f.from == from })
	}
	if what == "" {
		return nil
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	f := m.free(memory.KindFact)
	f.from = from
	f.rule, f.Relation = "plan-moved", memory.RelationUpdates
	f.Plan, f.Stability = true, memory.Dated
	f.Target = &memory.Target{Value: what, Plan: true}
	f.ValidFrom, f.ExpiresAt = dates[0].Start, dates[0].End
	return []found{f}
}

// shiftedBy moves a plan by a length of time: 推迟一周, 提前两天.
var shiftedBy = compile(`(?P<how>推迟|延后|延期|顺延|往后推|后推|提前)(?:了)?(?P<n>[0-9]{1,2}|[一二两三四五六七八九十])个?(?P<unit>天|日|周|星期|礼拜|月)`)

// shifted reads a plan that is named by its old date and moved by a length of time. Without
// the old date the clause does not say to when.
func shifted(c *clause, r *reader) []found {
	if !c.says(shiftedBy) {
		return nil
	}
	loc := shiftedBy.FindStringSubmatchIndex(c.whole())
	old := r.dates.in(c.from, c.from+loc[0], temporal.Future)
	what := planNamed(c)
	if len(old) == 0 || what == "" {
		return nil
	}
	m := match{clause: c, pattern: shiftedBy, base: c.from, loc: loc, at: r.message.At, dates: r.dates}
	days, months := m.length()
	f := m.free(memory.KindFact)
	f.rule, f.Relation = "plan-shifted", memory.RelationUpdates
	f.Plan, f.Stability = true, memory.Dated
	f.Target = &memory.Target{Value: what, Plan: true}
	f.ValidFrom, f.ExpiresAt = old[0].Start.AddDate(0, months, days), old[0].End.AddDate(0, months, days)
	if !f.ExpiresAt.After(r.message.At) {
		return nil
	}
	return []found{f}
}

// length is by how many days and months a plan is shifted, less than none if it is earlier.
func (m match) length() (days, months int) {
	how, _ := m.span("how")
	count, _ := m.span("n")
	unit, _ := m.span("unit")
	n, err := strconv.Atoi(m.fold(count))
	if err != nil {
		n = strings.Index("一二三四五六七八九十", m.fold(count))/len("一") + 1
		if m.fold(count) == "两" {
			n = 2
		}
	}
	if m.fold(how) == "提前" {
		n = -n
	}
	switch m.fold(unit) {
	case "月":
		return 0, n
	case "天", "日":
		return n, 0
	}
	return 7 * n, 0
}
