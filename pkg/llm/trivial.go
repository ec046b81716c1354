package llm

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/memory"
)

// The words of messages that say nothing of their own: courtesies whatever they follow,
// acknowledgements unless they follow a question, and yes and no unless they follow an
// assistant at all, who may have asked without a question mark.
var (
	courtesies = wordsOf(
		`hi, hello, hey, hiya, yo, hi there, hello there, hey there, good morning, morning, good afternoon, good evening,
		good night, night, how are you, how are you doing, how is it going, hows it going, whats up, thanks, thank you, thank u, thx, ty, tysm,
		thanks a lot, thanks so much, thanks again, thank you so much, thank you very much, thank you again, many thanks,
		much appreciated, appreciate it, i appreciate it, cheers, bye, bye bye, goodbye, see you, see ya, see you later,
		see you soon, talk to you later, ttyl, take care, have a nice day, have a good day, have a good one, you too,
		youre welcome, lol, haha, hahaha, hehe, everyone, all, there, so much`,
		`你好, 您好, 你们好, 大家好, 嗨, 哈喽, 哈啰, 喂, 在吗, 在不在, 早, 早上好, 早安, 上午好, 中午好, 下午好, 晚上好, 晚安, 谢谢, 谢谢你, 谢谢您,
		谢谢啦, 谢啦, 谢了, 多谢, 感谢, 非常感谢, 太感谢了, 辛苦了, 辛苦啦, 麻烦你了, 麻烦了, 再见, 拜拜, 拜, 回见, 回头见, 下次聊, 先这样, 不客气, 没事,
		哈, 哈哈, 哈哈哈, 嘿嘿, 呵呵, 嘻嘻, 笑死, 你真好, 你真棒, 你好呀, 你好啊`)
	acknowledgements = wordsOf(
		`ok, okay, k, kk, okey, got it, gotcha, i see, i understand, understood, noted, alright, all right, sure, sure thing, fine,
		great, good, good job, well done, very good, cool, nice, perfect, awesome, amazing, wonderful, excellent, brilliant, lovely, fantastic, sweet,
		sounds good, sounds great, makes sense, that makes sense, that works, works for me, will do, of course, no problem, np, no worries,
		fair enough, interesting, hm, hmm, mm, mhm, uh huh, oh, oh ok, ah, aha, wow, whoa, please, go ahead, go on, continue, please continue, next, done,
		that helps, very helpful, thats great, thats good, thats perfect, that is great, that is perfect, thats all, that is all`,
		`好, 好的, 好吧, 好呀, 好啊, 好嘞, 好滴, 好哒, 行, 行吧, 可以, 可以的, 没问题, 嗯, 嗯嗯, 恩, 哦, 哦哦, 噢, 喔, 额, 呃, 收到, 明白, 明白了, 知道了, 我知道了, 了解, 了解了,
		懂了, 我懂了, 原来如此, 原来是这样, 这样啊, 是这样啊, 不错, 很好, 太好了, 太棒了, 真棒, 棒, 厉害, 完美, 有道理, 有用, 很有帮助, 继续, 请继续, 继续吧, 然后呢, 就这样, 就这样吧,
		辛苦, 赞, 牛, 哇, 啊, 呀, 啦, 哈, 先这样吧`)
	decisions = wordsOf(
		`yes, yeah, yep, yup, ya, yes please, no, nope, nah, no thanks, no thank you, right, thats right, that is right, correct, thats correct, that is correct,
		exactly, true, indeed, absolutely, definitely, totally, not really, not yet`,
		`对, 对的, 对对, 对对对, 对啊, 对呀, 是, 是的, 是啊, 是呀, 没错, 正是, 确实, 的确, 不, 不是, 不是的, 不对, 不用, 不用了, 不要, 没有, 没, 还没, 当然, 有, 有的, 会, 要`)
)

// wordsOf are phrases, separated by commas, as an alternation; those in Latin script end
// with their word.
func wordsOf(latin, han string) string {
	var alternatives []string
	for _, p := range strings.Split(latin, ",") {
		alternatives = append(alternatives, strings.TrimSpace(p)+`(?: |$)`)
	}
	for _, p := range strings.Split(han, ",") {
		alternatives = append(alternatives, strings.TrimSpace(p)+` ?`)
	}
	return strings.Join(alternatives, "|")
}

var (
	courteous = regexp.MustCompile(`^(?:` + courtesies + `)*$`)
	agreeing  = regexp.MustCompile(`^(?:` + courtesies + `|` + acknowledgements + `)*$`)
	deciding  = regexp.MustCompile(`^(?:` + courtesies + `|` + acknowledgements + `|` + decisions + `)*$`)
)

// maxTrivial is the longest trivial message, in bytes.
const maxTrivial = 120

// Trivial reports whether nothing can be learnt from what is new in messages, in English or
// Chinese: thanks, greetings and acknowledgements only, or nothing of the user's at all. An
// acknowledgement or a "yes" that may answer an assistant is not trivial.
func Trivial(messages []memory.Message) bool {
	var before string // what the assistant said last
	for _, m := range messages {
		switch {
		case m.Role == memory.RoleAssistant:
			before = m.Content
		case source(m) && !trivial(m.Content, before):
			return false
		}
	}
	return true
}

func trivial(said, before string) bool {
	if len(said) > maxTrivial {
		return false
	}
	words := plain(said)
	switch {
	case words != "" && courteous.MatchString(words):
		return true
	case agreeing.MatchString(words): // a lone 👍 as well
		return !asks(before)
	case deciding.MatchString(words):
		return before == ""
	}
	return false
}

var asking = regexp.MustCompile(`[?？]|[吗呢吧么嘛](?:[。.!！~～\s]|$)`)

// asks reports whether an assistant's words hold a question.
func asks(said string) bool { return asking.MatchString(said) }

// plain is text in lower case with single spaces in place of everything but letters and
// digits; apostrophes leave none.
func plain(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		case r == '\'' || r == '’' || unicode.IsMark(r):
		default:
			gap = true
		}
	}
	return b.String()
}
