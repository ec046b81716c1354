package guard

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const clockTime = `(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ T,，]*)?\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?`

var (
	// spoken is "Alice: text", "[09:30] Alice: text", "**User:** text".
	spoken = regexp.MustCompile(`^[ \t]*(?:[-*•][ \t]+)?(?:[\[(（【]?` + clockTime + `[\])）】]?[ \t,-]*)?\*{0,2}[<\[【]?(\pL[\pL\pN._' -]{0,30}?)[>\]】]?(?:[ \t]*[(（\[]` + clockTime + `[)）\]])?\*{0,2}[ \t]*[:：]\*{0,2}[ \t]*\S`)
	// stamped is the line "张三 2026-03-01 09:30" above what was said.
	stamped = regexp.MustCompile(`^[ \t]*(\pL[\pL\pN._' -]{0,30}?)[ \t]+` + clockTime + `[ \t]*$`)
)

// speakers are labels that always stand for a speaker.
var speakers = words(`user assistant system human ai bot chatgpt claude gpt tool me you him her q a agent customer support
	interviewer interviewee doctor patient speaker host guest
	用户 助手 系统 客服 我 你 他 她 甲 乙 丙 甲方 乙方 问 答 机器人 老师 学生 医生 患者 顾客 店员 主持人 嘉宾 记者`)

// fields are labels of a person's or a thing's particulars; they are nobody who speaks.
var fields = words(`name city country state town address street zip age birthday birthdate born gender sex height weight job work
	occupation profession employer company school university degree major role title position team department email mail phone
	mobile tel website url link note notes ps pps todo todos task tasks goal goals update edit question questions answer answers
	summary context background problem solution issue error warning result results output input example examples step steps
	date time when where what who why how which day deadline due start end location place venue price cost budget total amount
	quantity size color colour model brand version type kind status priority category tags tag topic subject from to cc bcc re
	hobby hobbies interests interest likes dislikes like dislike favorite favourite favorites favourites allergy allergies allergic
	diet food drink pet pets cat dog language languages skill skills experience education family partner wife husband spouse son
	daughter children kids mother father mom dad friend friends nationality hometown timezone zone username user-name login id
	option pros cons pro con plan breakfast lunch dinner snack morning afternoon evening monday tuesday wednesday thursday friday
	saturday sunday january february march april may june july august september october november december important reminder
	remember tip tips hint fact facts info information details description request requirements requirement conclusion
	first second third finally also however overall btw fyi port host server database path file command code medication medications
	姓名 名字 昵称 城市 国家 地址 住址 年龄 生日 出生 性别 身高 体重 工作 职业 职位 公司 单位 学校 专业 学历 邮箱 电话 手机 微信
	网址 链接 备注 注 注意 说明 提示 提醒 待办 任务 目标 更新 问题 答案 总结 背景 结果 例如 比如 步骤 日期 时间 地点 价格 预算
	数量 尺寸 颜色 型号 品牌 版本 类型 状态 主题 发件人 收件人 抄送 爱好 兴趣 喜好 喜欢 讨厌 不喜欢 过敏 过敏史 饮食 忌口 宠物
	语言 技能 经验 教育 家庭 家人 伴侣 妻子 丈夫 老婆 老公 儿子 女儿 孩子 妈妈 爸爸 母亲 父亲 朋友 国籍 家乡 籍贯 计划 安排
	早餐 午餐 晚餐 早上 上午 中午 下午 晚上 周一 周二 周三 周四 周五 周六 周日 星期一 星期二 重要 首先 其次 最后 另外 优点 缺点
	方案 选项 端口 主机 路径 文件 用户名 要求 需求 信息 详情 血型 星座 现住 现居 常用语言`)

// transcripts finds what several people said in turn, line by line with their names: from
// the first labelled line to the blank line after the last. Labels that name particulars
// (City: Oslo) make no transcript, nor does one speaker alone.
func transcripts(s string) []piece {
	all := lines(s)
	first, last := -1, -1
	names := map[string]bool{}
	for i, l := range all {
		name, ok := speaker(l.text)
		if !ok {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		names[name] = true
	}
	if len(names) < 2 {
		return nil
	}
	for last+1 < len(all) && !all[last+1].blank() {
		last++
	}
	return []piece{{all[first].start, all[last].end}}
}

// maxLabel is how much of a line its label, with times and one more character, can take.
const maxLabel = 200

// speaker returns who speaks in a line, in lower case, if it is labelled so. What begins
// with a number (Oslo: 3 days) is an entry of a list and not speech.
func speaker(text string) (name string, ok bool) {
	text = text[:min(len(text), maxLabel)]
	if !strings.ContainsAny(text, ":：") {
		return "", false
	}
	m := stamped.FindStringSubmatchIndex(text)
	stampedLine := m != nil
	if !stampedLine {
		m = spoken.FindStringSubmatchIndex(text)
	}
	if m == nil || strings.HasPrefix(text[m[1]-1:], "//") {
		return "", false // the second is an address
	}
	label := strings.TrimSpace(text[m[2]:m[3]])
	name = strings.ToLower(label)
	said, _ := utf8.DecodeLastRuneInString(text[:m[1]])
	return name, speakers[name] || likeName(label) && (stampedLine || !unicode.IsDigit(said))
}

var (
	personName   = regexp.MustCompile(`^\p{Lu}[\pL\pN.'-]*(?: (?:\p{Lu}[\pL\pN.'-]*|\d{1,2}|van|von|de|da|der|el|bin|al)){0,3}$`)
	personNameZH = regexp.MustCompile(`^\p{Han}{1,4}(?:·\p{Han}{1,6})?$`)
	handle       = regexp.MustCompile(`^[a-z][a-z0-9._-]{1,20}$`)
)

// likeName reports whether a label can be a person's name: capitalised words, a short run
// of Chinese, or one lower-case word as in a chat.
func likeName(label string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(label)) {
		if fields[w] {
			return false
		}
	}
	for _, possessive := range []string{"我的", "my ", "My "} {
		if strings.HasPrefix(label, possessive) {
			return false
		}
	}
	return personName.MatchString(label) || personNameZH.MatchString(label) || handle.MatchString(label)
}
