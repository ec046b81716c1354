package english

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// clause is one statement of a sentence: the unit that rules read and memories quote.
type clause struct {
	message *memory.Message
	// from and to bound its text in the message's content: without conjunctions and
	// fillers before it and without marks behind it.
	from, to int
	// body is what the rules match: the clause without adverbs and time words in front,
	// led by what it shares with the clause before ("i ").
	body folded
	// told is the body before adverbs and company were taken out of it.
	told folded
	// pairs are the letter pairs of body, nil until asked for.
	pairs *grams
	// wholePairs are those of whole.
	wholePairs *grams
	// all is the folded clause with the adverbs and time words in front; whole its text.
	all   folded
	whole string
	// sentence counts the sentences of the message; before is the clause before it in the
	// same sentence, nil for the first, after the one after it.
	sentence      int
	before, after *clause
	// announced is whether the sentence before announced a change or a correction.
	announced bool
	// moved is whether the user has just said no more than that they moved house.
	moved bool
	// pinned is whether the user asked for it to be remembered; verbatim, that it is to be
	// remembered as it stands, since it states no plain fact.
	pinned, verbatim bool
	// quoting is set where what is said is somebody else's: only that there is such a
	// somebody is the user's.
	quoting bool
	// asked is the question of which the clause is the affirmed statement; from and to
	// then bound the answer.
	asked *asked
}

// text is the clause in the user's own words.
func (c *clause) text() string {
	if c.asked != nil {
		return c.asked.statement
	}
	return c.message.Content[c.from:c.to]
}

// fronted is the clause with the adverbs and time words in front in its body.
func (c *clause) fronted() *clause {
	out := *c
	out.body, out.pairs = c.all, c.wholeGrams()
	return &out
}

// words returns the user's own words for body.text[a:b].
func (c *clause) words(a, b int) string {
	if a >= b {
		return ""
	}
	from, to := c.body.span(a, b)
	if c.asked != nil {
		return c.asked.statement[from:to]
	}
	return c.message.Content[from:to]
}

// capital reports whether body.text[at:] begins with a capital letter in the user's words.
func (c *clause) capital(at int) bool {
	if at >= len(c.body.text) {
		return false
	}
	source := c.message.Content
	if c.asked != nil {
		source = c.asked.statement
	}
	r, _ := utf8.DecodeRuneInString(source[c.body.from[at]:])
	return unicode.IsUpper(r)
}

var (
	conjunction = regexp.MustCompile(`^(?:,|\.\.+|…|:|-+|\(|\)|;| )*(?:(?:and|but|so|because|although|though|while|plus|yet|however|whereas|then|or) (?:[-,:] ?)*)?`)

	// adverbs open clauses and say when or with which stance: rules look past them.
	adverbs = regexp.MustCompile(`^(?:(?:actually|now|nowadays|currently|right now|at the moment|these days|lately|recently|in fact|correction|sorry|wait|scratch that|still|again|finally|just|already|since|though|although|` + habitual + `|` + timeLead + `)[,:]? ?)+ `)
)

// timeLead is a time phrase in front of a subject. It only has to be recognised; what it
// means is for pkg/temporal.
const timeLead = `(?:(?:back )?(?:(?:on|in|at|by|from|since|until|as of|this|next|last|early|late|every|the) )+(?:` + month + `|` + weekday + `|weekend|week|month|year|spring|summer|autumn|fall|winter|morning|afternoon|evening|night|other day|day after tomorrow|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?::\d\d)? ?(?:am|pm)|` + amount + `)|tomorrow|today|tonight|yesterday|` + weekday + `|` + amount + ` (?:ago|from now)|\d{1,2}(?::\d\d)? ?(?:am|pm))(?: (?:morning|afternoon|evening|night|at (?:\d{1,2}(?::\d\d)?(?: ?(?:am|pm))?|noon)|of (?:this|next|last) \w+|\d{1,2}(?:st|nd|rd|th)?|\d{4}|` + month + `))*`

// habitual is when something is done again and again.
const habitual = `(?:on|during|in) (?:the )?(?:weekdays|weekends|workdays|work days|week)`

const (
	month   = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	weekday = `(?:mon|tues|wednes|thurs|fri|satur|sun)days?`
	amount  = `(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|a couple of|\d+) (?:minute|hour|day|week|month|year)s?`
)

// timed recognises that a clause names a time at all, so that pkg/temporal is asked only then.
var timed = gated{[]string{"day", "tomorrow", "night", "week", "month", "year", "hour", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "spring", "summer", "autumn", "winter", "morning", "noon", "evening", "christmas", "easter", "thanksgiving", "halloween", "ago", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, regexp.MustCompile(`\b(?:tomorrow|tonight|today|yesterday|` + weekday + `|weekend|weeks?|months?|years?|days?|hours?|` + month + `|spring|summer|autumn|winter|morning|afternoon|evening|noon|midnight|christmas|easter|thanksgiving|halloween|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)|\d{1,2} ?(?:am|pm)|\d{1,2}:\d\d|at \d{1,2}|\d{1,2}/\d{1,2}|ago)\b`)}

const finite = `(?:live|lives|reside|work|works|speak|have|own|keep|play|love|like|hate|enjoy|adore|dislike|prefer|study|moved|started|am|are|is|was|were|got|went|bought|sold|quit|left|teach|run|drive|take|commute|bike|cycle|walk|eat|drink|do|did|does|cannot|can|will|would|used|grew|graduated|finished|became|joined|collect|need|want|adopted|suffer|know|code|program|practise|switched|changed|visited|travelled|flew|volunteer|mostly|stopped|gave|broke|paint|write|cook|bake|swim|hike|climb|sing|dance|just|also|now|never|really|currently|recently)`

var (
	// opens is what a new clause begins with.
	opens = regexp.MustCompile(`^(?:(?:also|now|currently|actually|these days|nowadays|right now|lately|recently|still|sometimes|honestly|unfortunately|personally|please|just|then|` + habitual + `|` + timeLead + `),? )*(?:(?:i|we|he|she|it|they|you|there|my|our|his|her|their|this|that|these|those|who|what|where|when|why|how|which|can|could|would|will|should|shall|do|does|did|is|are|was|am|have|has|if|unless|please|remember|forget|call|help|tell|give|show|keep|note|let|make|don't|never|stop|imagine|suppose|maybe|perhaps|any|allergic|thanks|thank|not|no|jk|just kidding|me and my|(?:my |most |all |all my )?(?:friends|people|everyone|everybody|family) (?:just |usually |always )?calls? me)\b|the (?:\w+ ){1,3}(?:is|was|are|got|has|have|will)\b|[\w']+ (?:is|are|was|has|gives|makes) (?:my|me|a|an|the|not|in|on|now|fine|ok|okay|good|great)\b)`)
	// opensElided is what a clause begins with whose subject stands in the one before.
	opensElided = regexp.MustCompile(`^(?:(?:also|now|currently|recently|just|really|actually|still|never|then) )*` + finite + `\b`)
	// subjectFirst is a clause with a subject of its own that is the user.
	subjectFirst = regexp.MustCompile(`^(?:i|we|my [\w-]+(?: [\w-]+)? and i|me and my [\w-]+)\b`)
	// unreal is a clause whose verb governs what follows: nothing after it is stated.
	unreal = regexp.MustCompile(`^(?:i|we|my \w+ and i) (?:\w+ )?(?:want|would|will|wish|hope|plan|used|might|may|could|should|can|need|try|tried|do not|did not|never|cannot|dream|dreamed|am going|are going|am trying|am planning|am hoping|am thinking|have to|had to|like to|love to|hate to|prefer to|decided to|forgot to|asked|told|said|think|thought|believe|guess|feel|know how)\b`)
	// runOn is a clause that follows without any mark, as people type in chats.
	runOn    = regexp.MustCompile(`^i (?:also |just |really )?(?:am|live|work|have|speak|love|like|hate|play|moved|study|cannot) (?:\w+ )*\w+`)
	relative = regexp.MustCompile(`\b(?:where|what|who|that|which|when|how|if|than|as|why|whether|until|before|after|since|think|know|say|said|says|hope|wish|guess|sure|and|place|one|thing|things|everything|all|the \w+|people) i $`)
)

// toOthers is a report of what the user says to others, which need not be so.
var toOthers = regexp.MustCompile(`^i (?:\w+ )?(?:(?:told|tell|lied to|convinced) (?:him|her|them|my \w+|the \w+|everyone|everybody|people)|pretended|pretend|claimed|joked|lied|dreamed|dreamt)\b`)

// clausesOf cuts a sentence into clauses.
func clausesOf(m *memory.Message, s sentence.Sentence, number int) []*clause {
	f := fold(m.Content, s.From, s.To)
	var out []*clause
	start := 0
	emit := func(end int, lead string) {
		var before *clause
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		if c := newClause(m, f.cut(start, end), lead); c != nil {
			c.sentence, c.before = number, before
			if before != nil {
				before.after = c
			}
			out = append(out, c)
		}
	}
	lead := ""
	for _, sep := range separators(f.text) {
		if sep[0] <= start {
			continue
		}
		at, next, ok := boundary(f.text, start, sep)
		if !ok {
			continue
		}
		emit(at, lead)
		start, lead = at, next
	}
	emit(len(f.text), lead)
	if len(out) > 0 {
		out[0].subject()
	}
	return out
}

// boundary reports whether a clause ends at the separator sep, where the next one begins,
// and what of its subject and verb stands in the one before.
func boundary(text string, start int, sep [2]int) (at int, lead string, ok bool) {
	left := strings.TrimLeft(text[start:sep[0]], " ,")
	left = strings.TrimLeftFunc(left, openingMark)
	left = left[len(conjunction.FindString(left)):]
	left = left[openingLen(left):]
	mark := text[sep[0]:sep[1]]
	if mark == " i " {
		at = sep[0] + 1
		return at, "", subjectFirst.MatchString(left) && len(left) > 6 &&
			!toOthers.MatchString(left) && runOn.MatchString(text[at:]) && !relative.MatchString(text[start:sep[1]])
	}
	if strings.TrimSpace(mark) == "" || leadOnly(left) || mark == " and " && companion.MatchString(left) && strings.HasPrefix(text[sep[1]:], "i ") {
		return 0, "", false
	}
	rest := text[sep[0]:]
	rest = rest[len(conjunction.FindString(rest)):]
	if strings.Contains(mark, ":") || opens.MatchString(rest) {
		return sep[0], "", true
	}
	lead, ok = leadOf(skipAdverbs(left), rest)
	return sep[0], lead, ok
}

// leadOf returns the subject, with the auxiliary verb where there is one, that rest shares
// with the clause before it; ok is false where rest is no clause.
func leadOf(left, rest string) (lead string, ok bool) {
	switch {
	case !subjectFirst.MatchString(left) && !opensElided.MatchString(left):
		return "", false
	case progressive.MatchString(left) && participle.MatchString(rest) && timed.match(rest, gramsOf(rest)):
		return "i am ", true
	case having.MatchString(left) && timed.match(left, gramsOf(left)) && article.MatchString(rest) && timed.match(rest, gramsOf(rest)):
		return "i have ", true
	case being.MatchString(left) && beingToo.MatchString(rest), being.MatchString(left) && article.MatchString(rest) && isJob(rest[strings.Index(rest, " ")+1:]):
		return "i am ", true
	case futureVerb.MatchString(left) && timed.match(left, gramsOf(left)) && timed.match(rest, gramsOf(rest)) && bareVerb.MatchString(rest) && !article.MatchString(rest):
		return "i will ", true
	case beenToo.MatchString(rest) && !unreal.MatchString(left):
		return "i have ", true
	case !opensElided.MatchString(rest):
		return "", false
	case futureVerb.MatchString(left):
		return "i will ", true
	case unreal.MatchString(left):
		return unrealLead, true
	}
	return "i ", true
}

// unrealLead is the lead of a clause that is governed by a wish, an attempt or a negation:
// no rule reads it.
const unrealLead = "~ "

// companion is who does something together with the user ("my husband and I").
var companion = regexp.MustCompile(`^(?:my (?:[\w-]+ )?[\w-]+|[\w-]+)$`)

var (
	progressive = regexp.MustCompile(`^(?:i|we) (?:am|are) (?:\w+ )?\w+ing\b`)
	beenToo     = regexp.MustCompile(`^been (?:\w+ing|here|there|in|at|with|on) `)
	participle  = regexp.MustCompile(`^(?:then |also )?\w+ing\b`)
	being       = regexp.MustCompile(`^(?:i|we) (?:am|are)\b`)
	beingToo    = regexp.MustCompile(`^(?:(?:now|currently|also) )*(?:based in|living in|working (?:as|at|for)|originally from|allergic to|married to|vegan|vegetarian|retired)\b`)
	bareVerb    = regexp.MustCompile(`^(?:then |also )?(?:attend|be|bring|buy|call|catch|collect|come|do|drive|fetch|finish|fly|get|give|go|have|head|help|leave|meet|move|pay|pick|present|return|run|see|send|start|submit|take|travel|visit|write)\b`)
	having      = regexp.MustCompile(`^(?:i|we) (?:also )?(?:have|have got)\b`)
	article     = regexp.MustCompile(`^(?:an?|my|the|another|two|three)\b`)
	futureVerb  = regexp.MustCompile(`^(?:i|we) (?:will|am going to|are going to|have to|need to|must)\b`)
)

// leadOnly reports whether left is only an opening of the clause that follows ("Next
// month, I'm moving"), so that cutting there would part it from its time.
func leadOnly(left string) bool {
	left = strings.TrimSpace(left)
	return left == "" || openingLen(left+", x") >= len(left) || adverbsLen(left+" x") >= len(left)
}

func skipAdverbs(s string) string { return s[adverbsLen(s):] }

// newClause returns the clause that f holds, nil for one without words.
func newClause(m *memory.Message, f folded, lead string) *clause {
	a := len(f.text) - len(strings.TrimLeftFunc(f.text, openingMark))
	a += len(conjunction.FindString(f.text[a:]))
	a += openingLen(f.text[a:])
	b := len(strings.TrimRightFunc(f.text, closingMark))
	if a >= b {
		return nil
	}
	if at := courtesy.FindStringIndex(f.text[a:b]); at != nil && at[0] > 0 {
		b = a + at[0]
	}
	f = f.cut(a, b)
	c := &clause{message: m, all: f, whole: f.text}
	c.from, c.to = f.span(0, len(f.text))
	f = f.cut(adverbsLen(f.text), len(f.text))
	if lead != "" {
		f = f.led(lead)
	}
	c.told, c.body = f, lean(f)
	return c
}

// courtesy closes clauses without adding to what they say.
var courtesy = regexp.MustCompile(`,? (?:(?:it is |so )?(?:nice|pleased|good|great|lovely|glad|happy) to (?:meet|e-meet|see|be here|talk)\b.*|(?:nice|pleased) meeting you.*)$`)

var (
	dropped = regexp.MustCompile(`^(?:had to (?:put|rehome|give away|sell) (?:my|our) |started as an? |got (?:an?|my|back|engaged|promoted|fired|laid off)|had (?:an?|my) |bought an? |finished my |graduated |quit my |broke (?:my|up) |lost my |ran (?:my|a) |adopted an? |moved |(?:passed|aced|failed) (?:my|the) |visited |live in|work as an?|work at|work for|moved to|just moved to|recently moved to|grew up in|love \w+ing|do not eat|cannot eat|do not like|cannot stand|hate \w+ing|never (?:liked|loved|enjoyed|cared for)|went to|got married|got a new job|have an? |have two|got into|speak \w+ and|started a new job|started working)\b`)
	// droppedHave, droppedWas and droppedBe leave out the auxiliary as well.
	droppedHave = regexp.MustCompile(`^been (?:\w+ing|vegan|vegetarian|an?) `)
	droppedWas  = regexp.MustCompile(`^born (?:on|in|and) `)
	droppedTrip = regexp.MustCompile(`^(?:going|flying|moving|visiting|travelling|leaving|heading|meeting (?:up |with |my |a |the )|having|starting|getting) `)
	droppedBe   = regexp.MustCompile(`^(?:not (?:a (?:big |huge |great |real )?fan of|into|keen on|fond of|vegan|vegetarian|allergic to|pregnant)|no longer (?:vegan|vegetarian|allergic to|working|living|pregnant)|living in|allergic to|based in|originally from|working as an?|working at|working for|married to|currently studying)\b`)
)

// subject supplies the first person that people leave out at the start of a sentence
// ("Live in Oslo, work as a nurse").
func (c *clause) subject() {
	switch {
	case dropped.MatchString(c.body.text):
		c.body = lean(c.body.led("i "))
	case droppedHave.MatchString(c.body.text):
		c.body = lean(c.body.led("i have "))
	case droppedWas.MatchString(c.body.text):
		c.body = lean(c.body.led("i was "))
	case droppedBe.MatchString(c.body.text), droppedTrip.MatchString(c.body.text) && timed.match(c.body.text, gramsOf(c.body.text)):
		c.body = lean(c.body.led("i am "))
	}
}

// openingMark reports whether r in front of a clause is no part of it.
func openingMark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("\"“‘'(", r)
}

// closingMark reports whether r behind a clause is no part of it: marks, emojis, spaces.
func closingMark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#%$€£\"”’'", r)
}
