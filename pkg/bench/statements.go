package bench

import (
	"strconv"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// statement is what a memory says, and a question that it answers.
type statement struct {
	kind                  memory.Kind
	key                   memory.Key
	value, text, question string
	chinese               bool
}

func (s *statement) language() string {
	if s.chinese {
		return "zh"
	}
	return "en"
}

// form is a statement with places for words: {a}, {b} and {c} for any, {n} for a number.
type form struct {
	kind                  memory.Kind
	key                   memory.Key
	value, text, question string
}

// The first form of each language is of a key with a single value: each owner has one of it.
var englishForms = []form{
	{memory.KindProfile, "user.city", "{a}", "I live in {a} now, close to the {b}.", "Which city do I live in?"},
	{memory.KindPreference, "user.likes", "{a} with {b}", "I like {a} with {b} best of all.", "What would I like to have with {a}, {b} perhaps?"},
	{memory.KindPreference, "user.hobbies", "{a} at the {b} club", "On Fridays I practise {a} at the {b} club.", "What do I practise at the {b} club?"},
	{memory.KindConstraint, "user.health", "{a} after {b}", "My doctor forbids {a} after {b}.", "What did the doctor say about {a}?"},
	{memory.KindFact, "", "", "My neighbour repairs {a} near the {b} station for {c}.", "Who repairs {a} near the {b} station?"},
	{memory.KindFact, "", "", "We moved the {a} meeting to {b} because of the {c}.", "Why was the {a} meeting moved to {b}?"},
	{memory.KindFact, "", "", "The {a} project runs {b} version {n} in production.", "Which version of {b} does the {a} project run?"},
	{memory.KindEpisodic, "", "", "We ended the {a} outage of the {b} team by replacing the {c} after {n} minutes.", "How did we end the {a} outage of the {b} team?"},
	{memory.KindFact, "", "", "The {a} course costs {n} euros and is about {b} and {c}.", "How much is the {a} course on {b}?"},
	{memory.KindPreference, "", "", "For reports on {a} I prefer {b} tables, {n} rows at most.", "How should a report on {a} with {b} look?"},
}

var chineseForms = []form{
	{memory.KindProfile, "user.city", "{a}", "我现在住在{a}，离{b}不远。", "我住在哪个城市？"},
	{memory.KindPreference, "user.likes", "{a}配{b}", "我最喜欢{a}配{b}。", "{a}配什么我喜欢？是{b}吗？"},
	{memory.KindPreference, "user.hobbies", "在{b}社练{a}", "每周五我在{b}社练{a}。", "我在{b}社练什么？"},
	{memory.KindConstraint, "user.health", "{b}之后不能{a}", "医生不让我在{b}之后碰{a}。", "关于{a}医生怎么说的？"},
	{memory.KindFact, "", "", "邻居在{b}站旁边修{a}，收{c}当报酬。", "谁在{b}站旁边修{a}？"},
	{memory.KindFact, "", "", "因为{c}，我们把{a}会议挪到了{b}。", "{a}会议为什么挪到{b}？"},
	{memory.KindFact, "", "", "{a}项目线上用的是{b}的{n}版本。", "{a}项目用{b}的哪个版本？"},
	{memory.KindEpisodic, "", "", "{b}组的{a}故障，我们换掉{c}，{n}分钟后恢复了。", "{b}组的{a}故障是怎么恢复的？"},
	{memory.KindFact, "", "", "{a}课程讲{b}和{c}，学费{n}元。", "讲{b}的{a}课程多少钱？"},
	{memory.KindPreference, "", "", "写{a}报告时我偏好{b}表格，最多{n}行。", "{a}报告里的{b}表格要怎么做？"},
}

// What nobody has said a word about.
var (
	englishStrange = []string{"How tall is a {a} {b}?", "Explain {a} to a {b}", "{a} or {b}, who won?"}
	chineseStrange = []string{"{a}{b}有多高？", "解释一下{a}和{b}", "{a}赢了{b}没有？"}
)

func strangeQuestion(chinese bool, r *speaker) string {
	if chinese {
		return chineseStrange[r.IntN(len(chineseStrange))]
	}
	return englishStrange[r.IntN(len(englishStrange))]
}

// speaksChinese: every other owner speaks mostly Chinese.
func speaksChinese(owner int) bool { return owner%2 == 1 }

// statement is the i-th of an owner; one in ten is in the owner's other language.
func (p *Population) statement(owner, i int) statement {
	r := newSpeaker(p.Seed, uint64(owner), uint64(i), 3)
	s := statement{chinese: speaksChinese(owner) != (i > 0 && r.IntN(10) == 0)}
	forms := englishForms
	if s.chinese {
		forms = chineseForms
	}
	f := forms[0]
	if i > 0 {
		f = forms[1+r.IntN(len(forms)-1)]
	}
	fill := strings.NewReplacer(
		"{a}", r.word(s.chinese), "{b}", r.word(s.chinese), "{c}", r.word(s.chinese), "{n}", strconv.Itoa(2+r.IntN(400)),
	)
	s.kind, s.key = f.kind, f.key
	s.value, s.text, s.question = fill.Replace(f.value), fill.Replace(f.text), fill.Replace(f.question)
	return s
}
