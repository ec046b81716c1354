package chinese

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// verdict is what a clause means for what may be learnt from it and from what follows.
type verdict int

const (
	// reads: the clause may state something.
	reads verdict = iota
	// skips: the clause states nothing.
	skips
	// skipsSentence: neither it nor the rest of its sentence does.
	skipsSentence
	// skipsMessage: neither it nor the rest of its message does.
	skipsMessage
	// retractsMessage: neither it nor anything of its message does.
	retractsMessage
	// retracts: it takes back what was said just before.
	retracts
)

// filter is one reason not to learn from a clause.
type filter struct {
	name    string
	pattern *expr
	// unless, where set, is what makes the pattern mean something else.
	unless  *expr
	verdict verdict
}

// filters are tried in order on the whole folded clause.
var filters = []filter{
	{
		name:    "jest",
		pattern: within(`开(?:个|的)?玩笑|逗你(?:玩|的|呢)|骗你的|瞎说的|瞎编的|乱说的|乱讲的|胡说的|我编的|随便说说|随口说说|别当真|才怪|说着玩|不是认真的|不是真的|愚人节|^骗你|假的啦`),
		unless:  within(`(?:不|没|没有|不是|别)(?:在|跟你)?开(?:个)?玩笑|喜欢开玩笑|爱开玩笑`),
		verdict: retracts,
	},
	{
		name:    "play",
		pattern: within(`扮演|角色扮演|(?:假设|假如|假定|想象|想像)(?:一下)?你是|假装|假扮|装作|你(?:现在|就)?(?:是|来当|当|作为)(?:一个|一名|一位)|你来(?:演|当)|我(?:来)?(?:演|饰演)|模拟一?(?:场|次|段|个)|cosplay成`),
		verdict: skipsMessage,
	},
	{
		name:    "material-above",
		pattern: within(`(?:上面|以上|上述|前面|上文|上边)(?:的|这|那|几|一)*(?:句|段|篇|封|首|话|文|内容|文字|文本|介绍|邮件|信息|句子).{0,6}(?:翻译|译成|润色|改写|总结|概括|缩写|扩写|改成|校对|修改|优化)|(?:翻译|润色|改写|总结|概括|校对|优化)(?:一下)?(?:上面|以上|上述|前面|上文)`),
		verdict: retractsMessage,
	},
	{
		name:    "edit",
		pattern: within(`(?:第[一二三四五六七八九十0-9]+(?:段|句|行|页|条|章|节)|标题|正文|开头|结尾|最后一句|文案)(?:.{0,6})(?:改成|改为|换成)`),
		verdict: skipsMessage,
	},
	{
		name:    "letter",
		pattern: within(`^(?:我)?(?:刚|刚刚|今天|昨天)?收到(?:了)?(?:一?[封条个份])?.{0,8}(?:邮件|来信|信|短信|消息|私信|微信|通知|留言|投诉|评论|简历)$|(?:发来|发给我|转发|转来|写来)的(?:一?[条封个段])?(?:消息|短信|微信|邮件|私信|信|语音|留言|评论|内容)$|^(?:尊敬的|敬爱的|dear )[^，]{1,16}$`),
		verdict: skipsMessage,
	},
	{
		name:    "opinion",
		pattern: within(`^(?:要我说|依我看|在我看来|照我说|我觉得|我认为|我看|个人认为|个人觉得)$`),
		verdict: skipsSentence,
	},
	{
		name:    "material",
		pattern: within(`翻译(?:成|一下|为|下|这|以下|：|:|$)|译(?:成|为)|润色|改写|仿写|扩写|缩写成|校对|造(?:个|一个)?句|续写|(?:这|下面|以下|如下|下述)(?:的|几|一)?(?:句|段|篇|封|首|则|话|文|邮件|内容|句子|文字|文本|代码|对话)|例句|(?:以下|下面|如下)是.{0,6}(?:邮件|内容|文本|对话|文章|简历|记录|消息|原文|段落)|(?:英语|英文|日语|日文|法语|韩语)(?:应该)?怎么说|语法(?:对|有|错)|总结(?:一下)?(?:这|以下|下面)|以“|写(?:一)?(?:首|段|个|篇)(?:[^，]{0,6})(?:歌|诗|故事|小说|剧本|台词|文案|作文|小作文|段子)`),
		unless:  within(`^(?:我)?(?:是|在|做|当|从事).{0,6}(?:翻译)$|翻译公司|在写(?:一)?`),
		verdict: skipsMessage,
	},
	{
		name:    "for-another",
		pattern: within(`(?:帮|替|给|为)(?:我)?(?:的)?(?:一?[个位])?(?:` + relatives + `|客户|领导|老板|上司|学生|学员|邻居|室友|网友|别人|人家|他|她)们?.{0,4}(?:写|拟|编|起草|润色|改|做).{0,6}(?:自我介绍|简历|简介|履历|求职信|征婚|相亲|个签|bio|cover letter)`),
		verdict: skipsMessage,
	},
	{
		name:    "fiction",
		pattern: within(`(?:小说|剧本|故事|电影|电视剧|剧|歌|歌词|游戏|书|梦|漫画|动漫|动画)(?:里|中)(?:的)?|(?:主角|男主|女主|主人公|角色|我笔下的?.{0,4}|人设|设定|台词)(?:说|是|叫|住|的|在|：|$)|歌词|台词|梦到|梦见|做了?个?梦|网名叫|笔名`),
		verdict: skipsSentence,
	},
	{
		name:    "code",
		pattern: within(`(?:^|[\s;])(?:const|let|var|def|func|function|import|public|class|return|print)[\s(].*[=({]|(?:^|\s)//|console\.|=>|==|^(?:select|insert|update|delete)\s.*(?:from|into|set)\s`),
		verdict: skipsSentence,
	},
	{
		name:    "supposition",
		pattern: within(`如果|早知道|要是|假如|假使|假设|假若|倘若|倘使|万一|若是|若我|要不是|哪怕|即使|即便|就算|除非|想象|设想|幻想|等我(?:有|退休|老|以后|长|毕业)|有朝一日|下辈子|上辈子|来世|当我(?:老|有钱)|的话$|换作|换成我|如能|如我|比如|例如|譬如|假定`),
		verdict: skipsSentence,
	},
	{
		name:    "wish",
		pattern: within(`就好了|该多好|多好(?:啊|呀)?$|真希望|多希望|多想|恨不得|好想(?:住|养|去|有|当)|好希望|但愿`),
		verdict: skips,
	},
	{
		name:    "reported",
		pattern: within(`(?:^|[^，])(?:(?:` + othersNames + `)(?:刚|刚才|昨天|今天|总|老|经常|常|也|就|又|跟我|对我|和我|在群里|之前)*(?:说|问我|告诉我|表示|写道|写的是|回复|回答|认为|觉得|以为|声称|自称|介绍自己)|[^我]{1,6}(?:说道|写道|问道|表示))`),
		unless:  within(`(?:医生|大夫|医院|检查|化验|体检|检测|报告|结果)(?:跟我|和我)?(?:说|告诉|诊断|查出|确诊)(?:了)?我|^(?:你|您)(?:说|觉得|认为)|问我`),
		verdict: skipsSentence,
	},
	{
		name:    "told-of-another",
		pattern: within(`^(?:还|又|也|就)?(?:说|讲|称|声称|自称|吹|吹牛说)(?:自己|他|她|人家)`),
		verdict: skipsSentence,
	},
	{
		name:    "unsaid",
		pattern: within(`^我?(?:可|又|就)?(?:从没|从来没有?|没有?|哪里|哪有)(?:跟你|和你|对你)?(?:说|讲|提|承认)过?`),
		verdict: skipsSentence,
	},
	{
		name:    "saying",
		pattern: within(`^[^我]{1,8}(?:说|问|回|讲|念道|唱道)$|^我(?:对|跟|和|回)(?:[^你，]{1,6})(?:说|讲)$|^(?:你)?就说|^说我|^有句话(?:叫|说)`),
		unless:  within(`忘[了记]*(?:说|讲)$`),
		verdict: skipsSentence,
	},
	{
		name:    "generic",
		pattern: within(`^(?:大家|人们|很多人|有些人|有人|一般人|每个人|谁|任何人|现在的(?:年轻人|人|孩子)|养[^了，][^，]{0,3}(?:的|需要|要|应该|有)|做[^，]{1,8}的(?:人|好处|第))`),
		unless:  within(`叫我|喊我|称呼我`),
		verdict: skips,
	},
	{
		name:    "request",
		pattern: within(`^(?:请)?(?:帮我|帮忙|给我|替我|麻烦|请(?:问|帮|给|你|告诉|推荐|介绍|列|写|用|把|教)|推荐|告诉我|教我|求|我(?:想|要)(?:问|知道|了解|咨询|请教|请你|找你)|想(?:问|知道|了解|咨询|请教)|你(?:能|可以|会|帮|给|要|觉得|认为|知道))`),
		unless:  within(`叫我|喊我|称呼我`),
		verdict: skips,
	},
}

// othersNames are the people whose words are not the user's: pronouns, relatives with or
// without 我.
var othersNames = `他们?|她们?|它|人家|有人|别人|大家|老师|医生|朋友|同事|同学|(?:我(?:的)?)?(?:` + relatives + `)(?:小\p{Han}|阿\p{Han})?`

// judge says what may be learnt from the clause, and by which filter.
func judge(c *clause, s sentence.Sentence) (verdict, string) {
	if quoted(c, s) {
		return skips, "quoted"
	}
	if strings.HasSuffix(strings.TrimRight(c.folded[:c.from], " "), "//") && !strings.HasSuffix(strings.TrimRight(c.folded[:c.from], " "), "://") {
		return skips, "comment"
	}
	if (c.mark == '：' || c.mark == ':') && speaker.MatchString(c.whole()) {
		return skipsMessage, "dialogue"
	}
	for i := range filters {
		f := &filters[i]
		if c.says(f.pattern) && (f.unless == nil || !c.says(f.unless)) {
			return f.verdict, f.name
		}
	}
	return reads, ""
}

// speaker is the label of a line in a dialogue that was pasted.
var speaker = regexp.MustCompile(`^(?:[a-z]|甲|乙|丙|问|答|客服|用户|顾客|客户|面试官|面试者|主持人|记者|嘉宾|旁白|老师|学生|医生|患者|他|她|男|女|user|assistant|human|ai|q|a)$`)

// quoted reports whether the clause is a quotation: it begins within one, or holds one
// that speaks in the first person.
func quoted(c *clause, s sentence.Sentence) bool {
	start := c.from
	if r, size := utf8.DecodeRuneInString(c.text()); strings.ContainsRune("“‘「『\"'", r) {
		start += size
	}
	for _, q := range s.Quoted {
		from, to := q[0]+s.From, q[1]+s.From
		if from >= c.to || to <= c.from {
			continue
		}
		if from <= start || firstPerson.MatchString(c.folded[from:min(to, c.to)]) {
			return true
		}
	}
	return false
}

var firstPerson = regexp.MustCompile(`我|本人`)
