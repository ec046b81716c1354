package chinese

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// progress says how much of a sentence a directive has used up.
type progress int

const (
	goesOn progress = iota
	endsClause
	endsSentence
)

const politely = `(?:请|麻烦|拜托|求你|求求你|劳烦|帮我|帮忙|你|您|那|那就|就|所以|以后|今后|从现在起|从今以后|千万|一定|务必|能不能|可不可以|可以|能|希望你|顺便|另外|还有|还是|先|都|也|嗯|好|好的|对了|啊|哦|给我|要|我要你|我希望你|我?想(?:让|请)你|\s)*`

var (
	remembers = compile(`^` + politely + `(?P<verb>记住|记好|记一下|记下来?|记着|记得|记录一下|记录|备注一下|备忘一下|别忘了|不要忘了|别忘记|不要忘记|牢记|存一下|保存一下|保存|存下来|记到(?:你的)?记忆里|加到(?:你的)?记忆里)(?:一下|了|哦|啊|哈|吧|喔|下)*(?P<rest>.*)$`)
	keepsAway = compile(`^(?:这个|这些|这件事|这句话|这句|这条|这段话?|刚才(?:那个|那些?[句段条]?话?|说的|的话)?|上面(?:的|说的|那些)?|前面(?:的|说的)?|以上(?:内容)?|我(?:刚|刚才|刚刚)?说的(?:话|这些)?|上一?条(?:消息)?|它|下面(?:的|说的|这些)?|接下来(?:的|说的)?(?:话|内容)?|今天说的|你|内容|事)*` + politely + `(?:就)?(?:别|不要|不用|勿|请勿|无需|不必|不需要|不许|不准|甭|不可以|不能)(?:再|给我|帮我|把)*(?:这个|这些|这件事|这句话|这句|这条|这段话?|它|刚才(?:那个|那句|说的)?|上面(?:的|说的)?|我(?:刚|刚才)?说的(?:话|这些)?|以上内容)?(?:给|也)?(?:记录|记住|记下来?|记|保存|存储|存档|存下来?|存|留底|留存|写进记忆|写入记忆|放进记忆|记忆)(?:下来|住|下|起来)?(?:在|到|进|入)?(?:你的|任何)?(?:记忆|系统|数据库|档案|笔记|心里|地方|小本本)?(?:里|中|里面)?(?:这个|这些|这件事|这句话|这句|这条|这段话?|我(?:刚|刚才)?说的(?:任何|所有|一切)?(?:话|这些|东西|内容)?|下面的|上面的|以上内容)?(?:了|哦|啊|喔|哈|吧|呀|好吗|好不好|行吗|可以吗|谢谢)*$|^(?:这(?:件事|个|事|句话)?|以上|刚才说的)?(?:请)?(?:要)?(?:保密|你知我知|只有你知道|off the record|不要外传|别外传|别说出去|(?:不要|别)(?:告诉|跟|和)(?:任何人|别人|其他人)(?:说|讲|提)?|(?:别|不要|不能|请勿)[^，]{0,4}(?:说|讲|告诉|提|外传)[^，]{0,6}(?:也|更|并且?|以及)(?:别|不要|不用|请勿)(?:给我|帮我|再)?(?:保存|存储|存|记录|记下来?|记住|记))(?:哦|啊|喔|哈|吧|好吗)*$`)
)

var (
	pointing = regexp.MustCompile(`^(?:它|他|她|这|那|这个|那个|这些|那些|这件事|这事|那件事|那事|这个话题|那个话题|这点|这一点|这句话|这句|这条|以上|上面的?|这个人|此事|了|一点|一下|这样|这种话|什么|话)*$`)
	// statement is what may follow 记得 and 别忘了 when they speak to the memory.
	firstly = regexp.MustCompile(`^\s*(?:[，：:,]\s*)?(?:我(?:[^们]|$)|我们(?:家|的)|本人)`)
	// chore is what follows them when they only order something to be done.
	chore = regexp.MustCompile(`^\s*(?:[，：:,]\s*)?(?:帮|提醒|给我|你(?:是|要|的|不|只|必须|应该|叫|以后|得|可以)|带|把|发|告诉|通知|回复|回我|加|写|用|要|在|每天|按时|准时|明天|吃药|多|早点|买|叫|让|去|检查|保存|关|开|附|标|注意|不要|别|使用|以)`)
	// slip is what follows 忘了 when the user has forgotten something.
	slip = regexp.MustCompile(`怎么|多久|什么意思|^(?:密码|说|告诉|提|讲|问|带|介绍|补充|写|发|加|附|吧|它$|过去|烦恼|时间)`)
)

// directive reads the clause at clauses[i] as something asked of the memory itself.
// start is the place in found at which the sentence began.
func (r *reader) directive(s sentence.Sentence, clauses []clause, i, start int, before []sentence.Sentence) progress {
	c := &clauses[i]
	if quoted(c, s) {
		return goesOn
	}
	switch {
	case c.says(keepsAway):
		r.doNotSave(s, clauses, i, before)
		return endsClause
	case r.forget(s, c), r.suppress(s, clauses, i):
		r.found = r.found[:start]
		return endsSentence
	case r.lift(s, c):
		return endsClause
	}
	return r.remember(s, clauses, i, start)
}

func (r *reader) direct(action memory.Action, what, quote string) {
	r.directives = append(r.directives, memory.Directive{
		Action: action, What: what,
		Source: memory.Source{Message: r.message.Number, Quote: quote},
	})
}

// doNotSave names the message to drop: this one if it says anything else, else the
// user's message before.
func (r *reader) doNotSave(s sentence.Sentence, clauses []clause, i int, before []sentence.Sentence) {
	number := r.message.Number
	rest := r.message.Content[:clauses[i].from] + r.message.Content[clauses[i].to:]
	alone := len(strings.Join(strings.FieldsFunc(courtesy.ReplaceAllString(fold(rest), ""), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}), "")) == 0
	backwards := earlier.MatchString(clauses[i].whole()) && i == 0 && len(before) == 0
	if (alone || backwards) && r.previous > 0 {
		number = r.previous
	}
	r.directives = append(r.directives, memory.Directive{
		Action: memory.ActionDoNotSave,
		Source: memory.Source{Message: number, Quote: clauses[i].text()},
	})
}

var (
	courtesy = regexp.MustCompile(`谢谢|拜托|麻烦你?了?|好吗|哈哈|嗯+|哦|对了|不好意思|抱歉|那个|啊`)
	earlier  = regexp.MustCompile(`刚才|刚刚|上一?条|上面|前面|以上|之前`)
)

// bareThing is something of which nothing is said: 别忘了我的生日.
var bareThing = regexp.MustCompile(`^\s*(?:[，：:,]\s*)?我(?:们)?的[^是在有叫对会爱喜不没住养，]{1,5}$`)

// shortest is the least number of characters that state something: 帮我记一下时间 does not.
const shortest = 4

// remember reads 记住 and the like: the statement behind it, or before it in the same
// sentence, is pinned; one that no rule reads becomes a free memory.
func (r *reader) remember(s sentence.Sentence, clauses []clause, i, start int) progress {
	c := &clauses[i]
	if !remembers.possible(&c.runes) {
		return goesOn
	}
	loc := remembers.FindStringSubmatchIndex(c.whole())
	if loc == nil || c.asked && i == len(clauses)-1 {
		return goesOn
	}
	m := match{clause: c, pattern: remembers, base: c.from, loc: loc}
	verb, _ := m.span("verb")
	rest, stated := m.span("rest")
	following := i+1 < len(clauses)
	switch {
	case stated && pointing.MatchString(m.fold(rest)) || !stated && !following:
		r.pinBefore(start, s)
		return endsClause
	case stated && bareThing.MatchString(m.fold(rest)):
		return endsClause
	case strings.HasPrefix(m.fold(verb), "记得") || strings.Contains(m.fold(verb), "忘"):
		ahead := m.folded[verb.to:s.To]
		if !firstly.MatchString(ahead) {
			return goesOn
		}
	case stated && !firstly.MatchString(m.fold(rest)) && (chore.MatchString(m.fold(rest)) || runes(m.fold(rest)) < shortest):
		return goesOn
	}
	from := rest.from
	if !stated {
		from = clauses[i+1].from
	}
	r.keepStatement(s, from)
	return endsSentence
}

// pinBefore pins what was said before 记住这个: in the sentence so far, else in the message.
func (r *reader) pinBefore(start int, s sentence.Sentence) {
	if start == len(r.found) {
		start = 0
	}
	for i := start; i < len(r.found); i++ {
		r.found[i].Pinned = true
	}
	r.direct(memory.ActionRemember, "", s.Text)
}

// keepStatement reads the rest of the sentence from the offset on, pinned.
func (r *reader) keepStatement(s sentence.Sentence, from int) {
	rest := s
	rest.Quoted = nil
	for _, q := range s.Quoted {
		if q[1]+s.From > from {
			rest.Quoted = append(rest.Quoted, [2]int{max(0, q[0]+s.From-from), q[1] + s.From - from})
		}
	}
	rest.From, rest.Text = from, r.message.Content[from:s.To]
	clauses := cut(rest, r.message.Content, r.folded)
	if len(clauses) == 0 {
		return
	}
	r.direct(memory.ActionRemember, "", s.Text)
	n := len(r.found)
	r.pin = true
	r.sentence(rest, clauses, []int{n}, nil)
	r.pin = false
	if len(r.found) > n {
		return
	}
	for i := range clauses {
		if clauses[i].asked {
			return
		}
	}
	first, last := clauses[0], clauses[len(clauses)-1]
	r.add(found{
		rule: "remembered", from: first.from, to: last.to,
		Candidate: memory.Candidate{
			Kind: memory.KindFact, Stability: memory.Stable, Relation: memory.RelationNew,
			Confidence: plain, Pinned: true,
		},
	})
}
