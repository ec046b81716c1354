package english

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// tails follow a value without belonging to it.
	tails = regexp.MustCompile(`(?:,? (?:for me|for us|now|currently|right now|at the moment|for the moment|these days|nowadays|lately|recently|though|tho|too|as well|also|again|lol|haha|hehe|btw|by the way|actually|any more|any longer|already|so far|please|thanks|thank you|atm|rn|obviously|of course|in general|a lot|very much|so much|so well|more than anything|the most|the best|most|best|for now|full[- ]time|part[- ]time|sorry|instead|yet|still|to be honest|tbh|at all|one bit|in the (?:least|slightest)|myself|here|only|originally|in my (?:free|spare) time|on the side|in particular|sometimes|occasionally|every (?:single )?(?:\w+)|each \w+|on (?:` + weekday + `|weekends)|from now on|all my life|my whole life|since \w.*|for (?:about |over |almost |nearly |around |more than |the (?:last|past) )?(?:` + amount + `|years|ages|months|a while|a long time|decades)\b.*|` + timeLead + `))$`)
	// follows are words after which a value is over: a subordinate clause.
	follows = regexp.MustCompile(`,? (?:because|but|so|since|although|though|unless|if|whenever|when|while|even|except|where|which|after|before|until|just like|like my) .*$`)
	// links also end the name of a place or a firm.
	links = regexp.MustCompile(`,? (?:sorry|thanks|please|bro|dude|mate|raised|then|not|now|with|for|and|as|on|by|to|that|who|from|doing|working|near my|because|in an?|in the|in my|right|where|very|is|was|at|about|around|over|almost|nearly|during|most|half|part|all|using|via|via the|lol|or|specifically|more precisely|namely|but) .*$`)
	heads = regexp.MustCompile(`^(?:(?:a bit of|a little(?: bit of)?|a lot of|lots of|the|a|an|my|our|some|any|all|both|either|mostly|mainly|especially|particularly|really|only|just|also|even|certain|things like|stuff like|such as|to|eating|drinking|well|either|primarily|like|basically|around|near) )+`)
	// vague values name nothing.
	vague = regexp.MustCompile(`^(?:it|that|this|these|those|them|you|him|her|me|us|one|ones|so|anything|something|nothing|everything|any|anyone|someone|everyone|everybody|nobody|people|things?|stuff|much|none|no|not|what|how|who|there|here|both|all|more|same|way|idea|other|others|another|then|the|now|yes|well|lot|bit|yours|mine|ours|theirs|good|fine|ok|okay|nope|most|some|few)$`)
	// listMarks separate the items of an enumeration.
	listMarks = regexp.MustCompile(`(?:,? (?:and|or|as well as|plus)(?: also|,? (?:weirdly|oddly|strangely|surprisingly|annoyingly|sadly|unfortunately|apparently|recently|lately|occasionally|believe it or not|of all things)(?: enough)?,)? |, ?| ?/ )`)
	// pairs are enumerations in form only.
	pairs = regexp.MustCompile(`\b(?:rock and roll|mac and cheese|macaroni and cheese|fish and chips|bread and butter|peanut butter and jelly|salt and pepper|salt and vinegar|gin and tonic|tom and jerry|black and white|arts and crafts|drum and bass|dungeons and dragons|r and b|science and technology|bed and breakfast|milk and honey|rice and beans|bangers and mash|track and field|romeo and juliet|rick and morty|harry potter and the \w+|pride and prejudice|war and peace|research and development|cookies and cream|ham and cheese|food and drink|trial and error|peace and quiet|simon and garfunkel|d and d|ben and jerry)\b`)
)

// tidy narrows body[a:b] to the value itself.
func (c *clause) tidy(a, b int) (int, int) {
	for {
		a0, b0 := a, b
		s := c.body.text[a:b]
		if !strings.Contains(s, " ") {
			return c.trimmed(a, b)
		}
		if at := follows.FindStringIndex(s); at != nil {
			b = a + at[0]
		} else if at := tails.FindStringIndex(s); at != nil {
			b = a + at[0]
		}
		a, b = c.trimmed(a, b)
		if head := heads.FindString(c.body.text[a:b]); head != "" && !c.titled(a, head) {
			a += len(head)
		}
		if a == a0 && b == b0 || a >= b {
			return a, b
		}
	}
}

// trimmed is body[a:b] without what is no part of a value at its edges.
func (c *clause) trimmed(a, b int) (int, int) {
	s := strings.TrimRightFunc(c.body.text[a:b], outside)
	b = a + len(s)
	return b - len(strings.TrimLeftFunc(s, outside)), b
}

// titled reports whether head is the capitalised article of a name ("The Hague").
func (c *clause) titled(a int, head string) bool {
	return head == "the " && c.capital(a) && a > 0
}

// outside reports whether r at the edge of a value is no part of it.
func outside(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#%)”\"", r) || r == utf8.RuneError
}

// value returns body[a:b] tidied, in the user's words; ok is false where nothing is left
// or it names nothing.
func (c *clause) value(a, b int) (string, bool) {
	if at := strings.Index(c.body.text[a:b], " ("); at > 0 {
		b = a + at
	}
	a, b = c.tidy(a, b)
	if a >= b || vague.MatchString(c.body.text[a:b]) || len(c.body.text[a:b]) > 120 {
		return "", false
	}
	return c.words(a, b), true
}

// items returns the bounds of the items of the enumeration body[a:b].
func (c *clause) items(a, b int) [][2]int {
	s := c.body.text[a:b]
	if at := follows.FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	var kept [][]int
	if strings.Contains(s, " and ") {
		kept = pairs.FindAllStringIndex(s, -1)
	}
	var out [][2]int
	start := 0
	for _, sep := range listMarks.FindAllStringIndex(s, -1) {
		if within(kept, sep[0]) || sep[0] < start || thousands.MatchString(s[max(sep[0]-1, 0):min(sep[0]+5, len(s))]) {
			continue
		}
		out = append(out, [2]int{a + start, a + sep[0]})
		start = sep[1]
	}
	return append(out, [2]int{a + start, a + len(s)})
}

// thousands is the comma inside a number ("1,500"), with what stands around it.
var thousands = regexp.MustCompile(`^\d,\d{3}(?:\D|$)`)

func within(spans [][]int, at int) bool {
	for _, s := range spans {
		if at >= s[0] && at < s[1] {
			return true
		}
	}
	return false
}

// one takes group "v" as one value.
func one(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	if v, ok := m.c.value(a, b); ok {
		return []string{v}
	}
	return nil
}

// each takes group "v" as an enumeration.
func each(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	return m.c.each(a, b)
}

func (c *clause) each(a, b int) []string {
	var out []string
	seen := map[string]bool{}
	for _, item := range c.items(a, b) {
		if item[0] >= item[1] {
			continue
		}
		v, ok := c.value(item[0], item[1])
		if ok && !seen[strings.ToLower(v)] {
			seen[strings.ToLower(v)] = true
			out = append(out, v)
		}
	}
	return out
}

// fewer takes what another taker does if the value has at most n words.
func fewer(n int, take func(match) []string) func(match) []string {
	return func(m match) []string {
		var out []string
		for _, v := range take(m) {
			if len(strings.Fields(v)) <= n {
				out = append(out, v)
			}
		}
		return out
	}
}
