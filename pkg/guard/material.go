package guard

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// please is what may stand before a request.
	please = `(?:^|[.!?;,\n。！？；，][ \t]*|\b(?:and|then|so|but)[ \t]+)(?:(?:please|pls|plz|kindly|now|also|then|ok|okay|hi|hey|hello|hi there|just|can you|could you|would you|will you|can u|can we|may you|would you mind|are you able to|help me(?: to)?|help|i need you to|i want you to|i'd like you to|i would like you to|i need help|let's|try to|go ahead and|quickly|you)[ \t,]+){0,5}`
	// works are requests that are always about a given text.
	works = `(?:translat(?:e|ion of)|summari[sz]e|proof-?read|re-?write|rephrase|paraphrase|polish|copy-?edit|spell-?check|transcribe|reword|condense|abridge|grammar check|fix the grammar)`
	// looks are requests that are about a given text where they say so.
	looks = `(?:explain|check|correct|fix|edit|review|analy[sz]e|reply|respond|answer|improve|shorten|extract|classify|read|format|reformat|convert|comment|look at|tell me|evaluate|rate|simplify|expand|critique|parse|debug|draft|write|give me|what do you think|what does|what is)`
	// given points to a text.
	given = `(?:this|these|the following|following|below|the (?:text|mail|e-?mail|message|letter|article|post|paragraph|passage|essay|document|page|quote|review|comment|abstract|transcript|conversation|chat)(?: below)?|my (?:text|e-?mail|essay|letter|draft|paragraph|cover letter|cv|resume))`

	worksZH = `(?:翻译|翻譯|译成|译为|总结|總結|概括|归纳|润色|潤色|改写|校对|校對|缩写|扩写|续写|摘要|精简|纠错|改错)`
	looksZH = `(?:修改|改一下|改改|检查|分析|解释|看看|看一下|读一下|回复|回答|提炼|整理|点评|评价|优化|提取|处理)`
	givenZH = `(?:下面|以下|下列|这段|这篇|这封|这条|这个|这句|这几|这份|此段|上面|如下)`
	askZH   = `(?:帮我|帮忙|请|麻烦|把|将|能不能|能否|可以|可否|给我)`
)

// opening is a way in which pasted material is announced.
type opening struct {
	// words and also are lists of which one word each stands in every match, in lower case.
	words, also []string
	form        *regexp.Regexp
}

var (
	workWords     = []string{"translat", "summar", "proof", "writ", "phras", "polish", "edit", "spell", "transcri", "reword", "condense", "abridge", "grammar"}
	lookWords     = append([]string{"explain", "check", "correct", "fix", "review", "analy", "reply", "respond", "answer", "improve", "shorten", "extract", "classify", "read", "format", "convert", "comment", "look at", "tell me", "evaluat", "rate", "simplify", "expand", "critique", "parse", "debug", "draft", "give me", "what do", "what is"}, workWords...)
	givenWords    = []string{"this", "these", "following", "below", "the ", "my "}
	pasteWords    = []string{"here", "this is", "these are", "below", "following is", "i got", "i received", "i found", "i saw", "i copied", "i just"}
	textWords     = []string{"mail", "message", "text", "article", "post", "letter", "review", "page", "doc", "transcript", "paragraph", "passage", "essay", "chat", "conversation", "prompt", "lyrics", "poem", "excerpt", "snippet", "log", "output", "thread", "tweet", "what ", "original"}
	senderWords   = []string{"wrote", "sent", "posted", "texted", "emailed", "messaged", "forwarded", "received"}
	labelWords    = []string{"original", "text", "quote", "passage", "article", "mail", "excerpt", "transcript", "document"}
	workWordsZH   = strings.Split(strings.Trim(worksZH, "(?:)"), "|")
	lookWordsZH   = append(strings.Split(strings.Trim(looksZH, "(?:)"), "|"), workWordsZH...)
	pasteWordsZH  = []string{"以下", "下面", "下列", "这", "這"}
	givenWordsZH  = append(strings.Split(strings.Trim(givenZH, "(?:)"), "|"), strings.Split(strings.Trim(askZH, "(?:)"), "|")...)
	textWordsZH   = []string{"文", "邮件", "消息", "记录", "对话", "日志", "段落", "来信", "短信", "帖子", "评论", "写", "发", "说的", "收到", "看到", "转发"}
	senderWordsZH = []string{"写道", "发来", "发了", "写了", "转发了", "发给我"}
	labelWordsZH  = []string{"原文", "全文", "正文", "文章", "邮件", "聊天记录", "引用", "文本", "段落"}
)

// introductions end in the colon behind which material begins; what follows is not the
// user's own statement.
var introductions = []opening{
	{workWords, nil, regexp.MustCompile(`(?i)` + please + works + `\b[^\n.!?。:：]*[:：]`)},
	{lookWords, givenWords, regexp.MustCompile(`(?i)` + please + looks + `\b[^\n.!?。:：]*?\b` + given + `\b[^\n.!?。:：]*[:：]`)},
	{pasteWords, textWords, regexp.MustCompile(`(?i)\b(?:here(?:'s|’s| is| are)|this is|these are|below (?:is|are)|the following is|following is|i (?:just )?(?:got|received|found|saw|copied))\b[^\n.!?。:：]*\b(?:e-?mail|mail|message|text|article|post|letter|review|page|document|doc|transcript|paragraph|passage|essay|chat|conversation|prompt|lyrics|poem|excerpt|snippet|log|logs|output|thread|tweet|what .{1,40}(?:wrote|sent|said|posted|replied)|original)\b[^\n.!?。:：]*[:：]`)},
	{senderWords, nil, regexp.MustCompile(`(?i)\b(?:my|a|an|the|our|his|her)[ \t]+(?:\w+[ \t]+){0,2}?(?:friend|colleague|coworker|co-worker|boss|manager|wife|husband|partner|girlfriend|boyfriend|sister|brother|mother|father|mom|dad|client|customer|teacher|landlord|neighbou?r|someone|recruiter|email|e-mail|article|website|page|letter|post)[ \t]+(?:just[ \t]+)?(?:wrote|sent|posted|texted|emailed|messaged|forwarded|received)(?:[ \t]+(?:me|us|to me))?(?:[ \t]+(?:this|the following|that|these))?[^\n.!?。:：]*[:：]`)},
	{labelWords, nil, regexp.MustCompile(`(?i)(?:^|\n)[ \t]*(?:original(?: text| message| e-?mail)?|source text|text|quote|quoted text|passage|article|e-?mail|excerpt|transcript|document|input text)[ \t]*[:：]`)},
	{workWordsZH, nil, regexp.MustCompile(`(?:^|[。！？!?；;，,\n ]|` + askZH + `[^\n。！？!?：:]*?)` + worksZH + `[^\n。！？!?：:]*[：:]`)},
	{lookWordsZH, givenWordsZH, regexp.MustCompile(`(?:` + askZH + `|` + givenZH + `)[^\n。！？!?：:]*?(?:` + worksZH + `|` + looksZH + `)[^\n。！？!?：:]*[：:]`)},
	{pasteWordsZH, textWordsZH, regexp.MustCompile(`(?:以下|下面|下列|这|這)(?:里|边|些|段|篇|封)?(?:就?是|为|為)[^\n。！？!?：:]*(?:原文|全文|正文|邮件|文章|消息|聊天记录|对话|文本|文字|记录|日志|段落|来信|短信|帖子|评论|写的|发的|说的|发来的|转发的?|收到的|看到的|写给我的|发给我的)[^\n。！？!?：:]*[：:]`)},
	{senderWordsZH, nil, regexp.MustCompile(`(?:朋友|同事|老板|领导|客户|老师|同学|妈妈|爸爸|老婆|老公|女朋友|男朋友|房东|邻居|对方|有人|网友)[^\n。！？!?：:，,]*(?:写道|发来|发了|写了|转发了|发给我)[^\n。！？!?：:]*[：:]`)},
	{labelWordsZH, nil, regexp.MustCompile(`(?:^|\n)[ \t]*(?:原文|全文|正文|文章|邮件内容|邮件|聊天记录|引用|文本|段落)(?:如下)?[ \t]*[：:]`)},
}

// requests end in a question mark, a full stop or a line break. Material follows when it is
// quoted or begins a new line.
var requests = []opening{
	{lookWords, givenWords, regexp.MustCompile(`(?i)` + please + `(?:` + works + `|` + looks + `)\b[^\n.!?。]*?\b` + given + `\b[^\n.!?。]*(?:[.!?。][ \t]*|\n)`)},
	{workWords, nil, regexp.MustCompile(`(?i)` + please + works + `\b[^\n.!?。]*(?:[.!?。][ \t]*)?\n`)},
	{lookWordsZH, givenWordsZH, regexp.MustCompile(`(?:` + worksZH + `|` + looksZH + `)[^\n。！？!?]*?` + givenZH + `[^\n。！？!?]*(?:[。！？!?][ \t]*|\n)`)},
	{lookWordsZH, givenWordsZH, regexp.MustCompile(givenZH + `[^\n。！？!?]*?(?:` + worksZH + `|` + looksZH + `)[^\n。！？!?]*(?:[。！？!?][ \t]*|\n)`)},
	{workWordsZH, nil, regexp.MustCompile(askZH + `[^\n。！？!?]*?` + worksZH + `[^\n。！？!?]*(?:[。！？!?][ \t]*)?\n`)},
}

// introduced finds what follows a request or an introduction, to the end of the message.
func introduced(s string) []piece {
	low := lowerASCII(s)
	for _, l := range lines(s) {
		first := l.end + 1
		text, plain := s[l.start:l.end], low[l.start:l.end]
		if strings.ContainsAny(text, ":：") {
			for _, o := range introductions {
				for _, end := range o.ends(text, plain) {
					if !withinToken(s, l.start+end) {
						first = min(first, l.start+end)
						break
					}
				}
			}
		}
		if strings.ContainsAny(text, quoteOpeners) {
			for _, o := range requests {
				for _, end := range o.ends(text, plain) {
					if text[end-1] == '\n' || opensMaterial(text[end:]) {
						first = min(first, l.start+end)
						break
					}
				}
			}
		}
		if first <= l.end {
			if strings.TrimSpace(s[first:]) == "" {
				return nil
			}
			return []piece{{first, len(s)}}
		}
	}
	return nil
}

// ends lists where the matches in a line end.
func (o opening) ends(text, low string) []int {
	if !containsAny(low, o.words) || o.also != nil && !containsAny(low, o.also) {
		return nil
	}
	var ends []int
	for _, m := range o.form.FindAllStringIndex(text, -1) {
		ends = append(ends, m[1])
	}
	return ends
}

// containsAny reports whether one of words stands in s.
func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// withinToken reports whether the colon that ends at i is one of a time or an address.
func withinToken(s string, i int) bool {
	if i >= len(s) || i < 2 {
		return false
	}
	return isDigit(s[i]) && isDigit(s[i-2]) || strings.HasPrefix(s[i:], "//")
}

// quoteOpeners are the marks and the line break with which pasted text begins.
const quoteOpeners = "\n\r\"'`“‘「『«„<"

// opensMaterial reports whether a text begins with a quotation mark or a line break.
func opensMaterial(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest != "" && strings.ContainsRune(quoteOpeners, r)
}
