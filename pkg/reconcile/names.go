package reconcile

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// namesSchema says what users call the keys of the default schema.
//
//go:embed data/names.schema.json
var namesSchema []byte

var keyNames = sync.OnceValue(func() *profile.Registry {
	r, err := profile.Parse(namesSchema)
	if err != nil {
		panic(err) // it is part of the program
	}
	return r
})

// named are the keys of r that words name, sorted, and whether they name plans.
func named(r *profile.Registry, words string) (keys []memory.Key, plans bool) {
	keys, plans = keyNames().Asked(words)
	keys = slices.DeleteFunc(keys, func(k memory.Key) bool {
		_, has := r.Field(k)
		return !has
	})
	asked, _ := r.Asked(words)
	for _, k := range asked {
		if _, has := keyNames().Field(k); !has {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys, plans
}

// maxTopic bounds the words of a topic, in bytes. What is longer names nothing.
const maxTopic = 1024

var (
	everything = regexp.MustCompile(`(?i)^(?:(?:absolutely |simply )?(?:everything|all|anything|whatever)(?: (?:that )?(?:you|u) (?:know|have|remember|learnt|learned|saved|stored|kept|noted)(?: saved| stored)?)?(?: (?:about|on|of) (?:me|myself|us))?|(?:about )?(?:me|myself)|(?:all (?:of )?)?my (?:whole |entire |personal )*(?:profile|memory|memories|data|information|info|details|history)(?: with you)?|(?:all (?:of )?)?your memories|all (?:of )?(?:the )?memories)$` +
		`|^(?:你(?:知道|记得|记住|记录|保存|存)的?)?(?:所有|一切|全部)?的?(?:关于|有关)?(?:我的?)?(?:个人)?(?:一切|所有|全部|全部的?|所有的?)?的?(?:事情?|信息|资料|数据|记忆|内容|东西|档案|隐私)?$`)
	// hasWhole keeps everything from matching what it could match in parts.
	hasWhole = regexp.MustCompile(`(?i)[a-z]|一切|所有|全部|我的?个人|^我$|^你(?:知道|记得|记住|记录|保存|存)的?我|^(?:关于|有关)我的?(?:事情?|信息|资料|数据|记忆|内容|东西|档案|隐私)?$|^我的?(?:信息|资料|数据|记忆|档案|隐私)$`)
	// wrapped is what stands around a topic.
	wrapped    = regexp.MustCompile(`(?i)^(?:(?:the fact )?that|(?:absolutely )?(?:everything|all|anything|whatever|what) (?:that )?(?:(?:you|i|we)(?:'ve| have)? (?:ever )?(?:know|knew|have|remember|said|told you|mentioned|learnt|learned|saved|stored|noted)(?: saved| stored)? )?(?:about|of|on|regarding|concerning)|about|regarding|concerning|the (?:topic|subject|matter) of) `)
	wrappedHan = regexp.MustCompile(`^(?:你(?:知道|记得|记住)的|我(?:[跟和对]你)?(?:说|讲|提|聊)过?的)?(?:所有|一切|全部)?(?:关于|有关)|(?:的一切|的(?:所有|全部)?(?:事情?|信息|资料|内容|记忆|话题?|东西)|这(?:件事情?|个?话题|个?事情?|事)|那(?:件事情?|个?话题|个?事情?|事)|的所有|的全部|的情况|的经历|话题|事情)$`)
	// partOfName is what users call parts of the one name that they have.
	partOfName = regexp.MustCompile(`(?i)\b(?:first|last|middle|given|nick) ?name\b`)
	// allOfHan is what says all of it, in Chinese.
	allOfHan = regexp.MustCompile(`^(我的?|我们的?)(?:所有|一切|全部)的?`)
)

// isEverything reports whether a topic is whatever is known of the user.
func isEverything(words string) bool {
	return words != "" && everything.MatchString(words) && hasWhole.MatchString(words)
}

// unwrapped is a topic without the words that say only that it is one.
func unwrapped(words string) string {
	words = partOfName.ReplaceAllString(words, "name")
	for {
		short := wrappedHan.ReplaceAllString(wrapped.ReplaceAllString(words, ""), "")
		short = strings.TrimSpace(allOfHan.ReplaceAllString(short, "$1"))
		if short == "" || short == words {
			return words
		}
		words = short
	}
}

// speakerHan begins what is the speaker's, in Chinese.
const speakerHan = "我"

var (
	ownHead = regexp.MustCompile(`(?i)^(?:my|our|the) |^(?:我|我家|我们|我们家|咱家)的|^我们?家`)
	// definiteHead begins what need not be the speaker's.
	definiteHead = regexp.MustCompile(`(?i)^the `)
	// former marks what was so once.
	former = regexp.MustCompile(`(?i)\b(?:old|former|previous|ex)\b|以前|之前|过去|从前|原来|旧`)
	// joint stands between two topics, the second of which begins as a topic does, or shares
	// the possessive of the first.
	joint     = regexp.MustCompile(`(?i)(?:,? and |, ?|，|、|和|以及|还有)(?:also )?((?:my|our|where|what|how|who|when|that i) |我)`)
	jointOwn  = regexp.MustCompile(`(?i),? and |, ?|，|、|和|与|以及|还有`)
	outerOnly = " \t\r\n.,;:!?。，、；：！？\"'“”‘’「」《》"
	besides   = wordSet("place city town date day kind sort type way person people 地方 城市 日期 人 家庭 真实 具体 详细")
	// occasions may be left out of what is meant: who prepares for IELTS takes an exam.
	occasions    = wordSet("exam exams test tests preparation preparations prep class classes course courses")
	occasionsHan = regexp.MustCompile(`(?:考试|备考|复习|准备|课程|考级)+$`)
)

// isBeside reports whether a word beside the name of a key does not narrow it.
func isBeside(w string) bool { return besides[strings.ToLower(strings.Trim(w, "我的在是"))] }

// topics are the topics that words join: "my cat and my dog" are two, and so is 我的猫和狗.
func topics(words string) []string {
	words = strings.Trim(strings.ReplaceAll(words, "-", " "), outerOnly)
	if isEverything(words) {
		return []string{words}
	}
	var out []string
	for _, part := range splitAt(joint, unwrapped(words)) {
		head := ownHead.FindString(part)
		if head == "" {
			out = append(out, part)
			continue
		}
		for i, piece := range jointOwn.Split(part, -1) {
			if piece = strings.Trim(piece, outerOnly); i > 0 && piece != "" {
				piece = head + piece
			}
			out = append(out, piece)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// splitAt cuts s where re matches, and leaves the first group to what comes after.
func splitAt(re *regexp.Regexp, s string) []string {
	var out []string
	from := 0
	for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
		if at[0] > from {
			out = append(out, s[from:at[0]])
			from = at[2]
		}
	}
	return append(out, s[from:])
}
