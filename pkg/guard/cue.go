package guard

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// site is where a cue stands in a text: a word such as "password" or 验证码.
type site struct {
	start, end int
	word       string
}

// latin reports whether the cue is written in Latin letters.
func (c site) latin() bool { return c.word[len(c.word)-1] < utf8.RuneSelf }

// sites calls visit for each place of word in t. visit returns where to go on.
func (t *folded) sites(word string, visit func(site) int) {
	if !t.may(word) {
		return
	}
	for i := 0; ; {
		j := strings.Index(t.low[i:], word)
		if j < 0 {
			return
		}
		c := site{i + j, i + j + len(word), word}
		i = c.end
		if t.isWord(c) {
			i = max(i, visit(c))
		}
	}
}

// isWord reports whether the cue is a word of its own, or one of an identifier such as
// DB_PASSWORD, accessToken or token2.
func (t *folded) isWord(c site) bool {
	if isLetter(c.word[0]) && c.start > 0 && isLetter(t.s[c.start-1]) &&
		!(isUpper(t.s[c.start]) && isLower(t.s[c.start-1])) {
		return false
	}
	return !isLetter(c.word[len(c.word)-1]) || c.end == len(t.s) || !isLetter(t.s[c.end])
}

// strength says how a cue and its value are tied.
type strength int

const (
	// bare: the value simply follows ("password hunter2").
	bare strength = iota
	// copula: "is", 是.
	copula
	// assign: a colon, an equals sign, an arrow.
	assign
)

// linkWindow is how far behind a cue its value may begin.
const linkWindow = 160

const (
	linkFiller = `(?:[ \t]*(?:numbers?|num\b\.?|no\b\.?|nr\b\.?|code|id\b|#|号码|号|码|一直|还|应该|好像|大概|现在|目前|我设的|设置的?|统一|给你|发你|告诉你|都|也|就))*`
	linkClose  = "[\"'”’*`)\\]）】」』\\\\]{0,4}"
	linkVerb   = `(?P<assign>:=|=>|->|→|[:=]{1,2}|(?:is|was|are|were|be|是|为|為)[ \t]*:)|(?P<copula>(?:is|was|are|were|will be|should be|would be|equals|remains|changed to|set to|reset to)\b|(?:设|设置|改|修改|换|变)(?:为|成|到)了?|是|为|為|设的|叫做|叫|用的)|(?P<to>to\b)`
	linkAdverb = `(?:[ \t]+(?:still|now|currently|just|simply|always|actually|literally|probably|also)\b)*`
)

var (
	linkDirect = regexp.MustCompile(`^(?:_[a-z0-9]+){0,3}` + linkFiller + `(?:(?P<is>['’]s\b)|` + linkClose + `)` +
		`(?:[ \t]?[(（][^()（）\n]{0,24}[)）])?[ \t]*(?:(?:` + linkVerb + `)` + linkAdverb + `[ \t]*(?:\r?\n[ \t]*)?|-[ \t]+)?`)
	linkScoped = regexp.MustCompile(`^[ \t]+(?:(?:for|to|of|on|at|from|in|with|i use|we use|you need)\b)[ \t]+(?:[^\s:=]+[ \t]+){0,5}?[^\s:=]+(?:[ \t]*(?P<assign>[:=])|[ \t]+(?P<copula>is|was|are)\b)` +
		linkAdverb + `[ \t]*(?:\r?\n[ \t]*)?`)
)

// changed is what stands before "my password to hunter2" but not before "to Netflix".
var changed = regexp.MustCompile(`\b(?:chang|set|reset|updat|switch)\w*[ \t]+(?:[\w'-]+[ \t]+){0,3}$`)

// link finds where the value of a cue begins and how it is tied to the cue. A Latin cue
// that is not tied and not set apart by a blank has no value, which is -1.
func (t *folded) link(c site) (value int, tie strength) {
	window := t.low[c.end:min(len(t.low), c.end+linkWindow)]
	var direct []int
	for _, form := range []*regexp.Regexp{linkDirect, linkScoped} {
		m := form.FindStringSubmatchIndex(window)
		switch {
		case m == nil:
		case m[2*form.SubexpIndex("assign")] >= 0:
			return c.end + m[1], assign
		case m[2*form.SubexpIndex("copula")] >= 0:
			return c.end + m[1], copula
		}
		if direct == nil {
			direct = m // which always matches
		}
	}
	value = c.end + direct[1]
	if direct[2*linkDirect.SubexpIndex("is")] >= 0 {
		return value, copula
	}
	if direct[2*linkDirect.SubexpIndex("to")] >= 0 && changed.MatchString(t.low[max(0, c.start-40):c.start]) {
		return value, copula
	}
	if c.latin() && !strings.ContainsAny(t.low[c.end:value], " \t") {
		return -1, bare
	}
	return value, bare
}

// quotes are the marks in which a value may stand, opener and closers.
var quotes = []struct{ open, closers string }{
	{`\"`, `\"`}, {`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”\""}, {"‘", "’'"}, {"「", "」"}, {"『", "』"},
	{"【", "】"}, {"<", ">"}, {"**", "**"}, {"[", "]"}, {"(", ")"}, {"（", "）"},
}

// quoted returns the place of what stands in quotation marks at i, on one line.
func quoted(s string, i int) (start, end int, ok bool) {
	for _, q := range quotes {
		if !strings.HasPrefix(s[i:], q.open) {
			continue
		}
		start = i + len(q.open)
		line := s[start:min(len(s), start+256)]
		if k := strings.IndexByte(line, '\n'); k >= 0 {
			line = line[:k]
		}
		var k int
		if q.open == `\"` || q.open == "**" {
			k = strings.Index(line, q.closers)
		} else {
			k = strings.IndexAny(line, q.closers)
		}
		return start, start + max(k, 0), k > 0
	}
	return 0, 0, false
}

// skipOpeners goes past quotation marks that nothing closes.
func skipOpeners(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !strings.ContainsRune("\"'`“‘「『【（(<*\\", r) {
			break
		}
		i += n
	}
	return i
}

// judged is how much of a run is looked at before it is known to be a value.
const judged = 512

// run returns the place of the value that begins at i: up to a blank, a quotation mark, a
// character of Chinese text, or the next assignment of a query or connection string.
// Punctuation that belongs to the sentence is left out. At most limit bytes are read.
func run(s string, i, limit int) (end int) {
	stop := min(len(s), i+limit)
	end = i
	for end < stop {
		r, n := utf8.DecodeRuneInString(s[end:])
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '"' || r == '`' || r >= utf8.RuneSelf && isCJK(r) {
			break
		}
		if (r == '&' || r == ';' || r == ',') && end > i && endsValue(s[end+1:]) {
			break
		}
		end += n
	}
	for end > i+1 && strings.IndexByte(".,;:?)]}'\\>", s[end-1]) >= 0 {
		end--
	}
	return end
}

var nextAssignment = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_. -]{0,30}=`)

// endsValue reports whether what follows a separator is something else than more of a value.
func endsValue(rest string) bool {
	return rest == "" || isBlank(rest[0]) || rest[0] == '"' || rest[0] == '\'' ||
		nextAssignment.MatchString(rest[:min(len(rest), 34)])
}

// maxHan is the longest Chinese password, in characters.
const maxHan = 16

// hanRun is the end of the run of Chinese letters, and of ASCII letters and digits, at i.
// It stops soon after maxHan characters.
func hanRun(s string, i int) int {
	for n := 0; i < len(s) && n <= maxHan; n++ {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isCJK(r) && (r >= utf8.RuneSelf || !isAlnum(byte(r))) || strings.ContainsRune("，。！？；、：“”‘’「」『』【】（）《》…·\u3000", r) {
			break
		}
		i += size
	}
	return i
}
