package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// name is how the user wants to be called.
var name = topic{name: "name", rules: []rule{
	{name: "name.not-but", cues: []string{"name is no"}, key: keyName, take: properName, changes: true,
		pattern: `^my (?:full |first |real |last )?name is (?:not|no longer) .+?, ?(?:it is|but) (?:now )?(?P<v>.+)$`},
	{name: "name.is", cues: []string{"name"}, key: keyName, take: properName,
		pattern: `^(?:my (?:full |first |real |given |new |actual |legal |preferred |nick|user)?(?:name is|names)|the name is|name is|name:|my name ?:) (?:now |actually )?(?P<v>.+)$`},
	{name: "name.changed", cues: []string{"name to"}, key: keyName, take: properName, changes: true,
		pattern: `^{i} (?:have )?(?:legally |officially )?changed my (?:first |last |full )?name (?:from .+ )?to (?P<v>.+)$`},
	{name: "name.do-call-me", cues: []string{"call me"}, key: keyName, take: calledName, changes: true,
		pattern: `^(?:(?:you|u) (?:can |may |should |could |just )*call me|(?:please |just |simply )*call me) (?:the name |by )?(?P<v>.+)$`},
	{name: "name.call-me", cues: []string{"call me", "calls me", "go by", "called", "known as"}, key: keyName, take: calledName,
		pattern: `^(?:(?:you|u|everyone|everybody|people|friends|my friends|most people|they|my family) (?:can |may |should |could |all |usually |just )*call(?:s)? me|(?:please |just |simply )*call me|{i} (?:go by|prefer to be called|like to be called|want to be called|am called|am known as)) (?:the name |by )?(?P<v>.+)$`},
	{name: "name.here", cues: []string{" here"}, key: keyName, take: introducedName,
		pattern: `^(?P<v>[^ ,.!]+) here$`},
	{name: "name.this-is", cues: []string{"this is "}, key: keyName, take: greetedName,
		pattern: `^this is (?P<v>[^ ,.!]+)(?: speaking| here)?$`},
	{name: "name.i-am-from", cues: []string{" from "}, key: keyName, take: nameWithTown,
		pattern: `^i am (?P<v>[^ ,.!]+) from (?P<p>[^ ,.!]+(?: [^ ,.!]+){0,2})$`},
	{name: "name.i-am", cues: []string{"i am "}, key: keyName, take: introducedName,
		pattern: `^i am (?P<v>[^ ,.!]+(?: [^ ,.!]+){0,2})(?:, .*)?$`},
}}

var (
	noName    = regexp.MustCompile(`^(?:no longer|no more|away|off|home|dad|mom|mum|missing|listed|registered|wrong|bus|train|car|bike|foot|plane|tram|metro|taxi|ferry|boat|mud|not|a|an|the|tomorrow|today|tonight|later|are|back|when|if|at|on|in|after|before|now|asap|anytime|any|crazy|old|mad|maybe|again|whatever|what|stupid|weird|biased|names|by|to|for|something|this|that|it|and|or|so|only|just|paranoid|cynical|lazy|dumb|silly|naive|pretty|very|important|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|out|up|over|here|there|a cab|sir|boss|every|hard|long|short|common|unique|difficult|taken|spelled|spelt|pronounced|on|irrelevant|from|written|misspelled|hopeless|selfish)\b`)
	nameEnds  = regexp.MustCompile(`,? (?:and|but|from|by|now|instead|please|for short|not|because|if|when|actually|btw|though|in|on|with|without|spelled|spelt|as|or|to|is|so|at|too|here|of|lol|haha|since|going|these)\b.*$`)
	givenName = regexp.MustCompile(`^(?:` + givenNames + `)$`)
	// greeted are the openings after which "I'm X" introduces a name.
	greeted = regexp.MustCompile(`(?i)^\W*(?:hi|hey|hello|hiya|greetings|good (?:morning|evening|afternoon)|yo)\b`)
	noIntro = regexp.MustCompile(`^(?:` + notIntroduced + `)$`)
)

// givenNames are frequent enough to be known in lower case ("hi im tom").
const givenNames = `alex|alice|amy|andrea|andrew|anna|anne|ann|ben|bob|carl|carlos|cathy|charlie|chris|claire|clara|daniel|dan|dave|david|diana|diego|ed|elena|ella|emily|emma|eric|eva|fatima|felix|frank|fred|george|hannah|harry|helen|henry|ian|ivan|jack|jake|james|jane|jason|jenny|jess|jessica|jim|joe|john|jon|jose|josh|julia|karen|kate|katie|ken|kevin|kim|laura|lena|leo|linda|lisa|lucas|lucy|luis|luke|maria|marie|mark|martin|mary|matt|max|mei|mia|mike|mohammed|muhammad|nancy|natalie|nick|nina|noah|olga|oliver|olivia|omar|oscar|paul|pedro|peter|phil|priya|rachel|raj|robin|rob|robert|rosa|ryan|sally|sam|samantha|sandra|sara|sarah|simon|sofia|sophie|steve|steven|sue|susan|tara|ted|thomas|tim|tom|tony|victor|wendy|will|yuki|zoe`

// notIntroduced are capitalised words behind "I'm" that are no names.
const notIntroduced = `(?:german|french|british|english|american|canadian|australian|irish|scottish|welsh|italian|spanish|portuguese|dutch|belgian|swiss|austrian|polish|czech|russian|ukrainian|greek|turkish|indian|pakistani|chinese|japanese|korean|thai|vietnamese|indonesian|filipino|mexican|brazilian|argentinian|chilean|colombian|peruvian|nigerian|kenyan|egyptian|moroccan|israeli|jewish|muslim|catholic|christian|hindu|buddhist|atheist|norwegian|swedish|danish|finnish|icelandic|european|african|asian|latino|latina|hispanic|arab|persian|iranian|ok|okay|adhd|lgbt|gay|bi|trans|vegan|vegetarian|pescatarian|sorry|fine|good|great|back|here|done|ready|new|sure|lost|stuck|so|not|just|in|at|on|a|an|the|type|team|gen|pro|anti|gluten|lactose|java|python|windows|mac|linux|monday|friday|ceo|cto|hr|it|il|us|uk|eu|aries|taurus|gemini|leo rising|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces|curious|bored|tired|hungry|confused|interested|happy|sad|sick|single|married|pregnant)(?: .*)?`

// properName takes group "v" as a person's name.
func properName(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	s := m.c.body.text[a:b]
	if at := nameEnds.FindStringIndex(" " + s); at != nil {
		b = a + max(at[0]-1, 0)
	}
	if at := strings.IndexAny(m.c.body.text[a:b], ",.!?("); at > 0 && !title.MatchString(m.c.body.text[a:b]) {
		b = a + at
	}
	if strings.HasPrefix(m.c.body.text[b:], " is ") {
		return nil // the name of something else
	}
	b = a + len(strings.TrimRightFunc(m.c.body.text[a:b], outside))
	if a >= b || noName.MatchString(m.c.body.text[a:b]) || len(strings.Fields(m.c.body.text[a:b])) > 4 {
		return nil
	}
	return []string{m.c.words(a, b)}
}

var title = regexp.MustCompile(`^(?:dr|mr|mrs|ms|prof|st|[a-z])\. `)

// calledName is a name behind "call me", which also asks for a call.
func calledName(m match) []string {
	found := properName(m)
	a, _, _ := m.group("v")
	if len(found) == 0 || pronouns.MatchString(m.folded("v")) {
		return nil
	}
	words := strings.Fields(found[0])
	if !m.c.capital(a) && (len(words) > 1 || len(words[0]) < 2) {
		return nil
	}
	return found
}

// pronouns are what one also goes by: they/them.
var pronouns = regexp.MustCompile(`^(?:they|them|she|her|he|him|ze|zir|xe|xem|it|its|any(?: pronouns)?)(?:$|\W)`)

// introducedName is the name of "Hi, I'm Alice": a lone capitalised name, or a frequent one
// after a greeting.
func introducedName(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	s := m.c.body.text[a:b]
	if noIntro.MatchString(s) || isJob(s) || noName.MatchString(s) {
		return nil
	}
	if givenName.MatchString(strings.Fields(s)[0]) && greeted.MatchString(m.c.message.Content) {
		return properName(m)
	}
	for i := a; i < b; i++ {
		if (i == a || m.c.body.text[i-1] == ' ') && !m.c.capital(i) {
			return nil
		}
	}
	first := m.c.words(a, b)
	if first == strings.ToUpper(first) && len(first) > 1 {
		return nil
	}
	if !greeted.MatchString(m.c.message.Content) && !givenName.MatchString(strings.Fields(s)[0]) && !introduces(m.c) {
		return nil
	}
	return properName(m)
}

// nameWithTown is the name of "I'm Ravi from Pune".
func nameWithTown(m match) []string {
	if a, _, ok := m.group("p"); !ok || !m.c.capital(a) {
		return nil
	}
	return introducedName(m)
}

// greetedName is the name of "Hi, this is Katya".
func greetedName(m match) []string {
	if a, _, _ := m.group("v"); m.c.sentence > 1 || !m.c.capital(a) || !greeted.MatchString(m.c.message.Content) {
		return nil
	}
	return introducedName(m)
}

// introduces reports whether more about the user follows "I'm X" ("I'm Tomasz, a nurse").
func introduces(c *clause) bool {
	if c.sentence != 0 || c.before != nil {
		return false
	}
	return strings.Contains(c.body.text, " from ") || c.after != nil && subjectFirst.MatchString(c.after.body.text)
}

// settleNames makes a free memory of the name on paper ("my name is Robert, but everybody
// calls me Bob"): the key holds what the user is called.
func (r *reader) settleNames() {
	called := map[int]bool{}
	for _, f := range r.found {
		if f.Key == keyName && calling.MatchString(f.clause.body.text) {
			called[f.Source.Message] = true
		}
	}
	for i := range r.found {
		f := &r.found[i]
		if f.Key != keyName || !called[f.Source.Message] || f.clause.asked != nil || calling.MatchString(f.clause.body.text) {
			continue
		}
		f.Kind, f.Key, f.Value, f.About, f.Relation = memory.KindFact, "", "", keyName, memory.RelationNew
	}
}

// settleOrigins makes a free memory of where somebody grew up beside where they are from
// ("I'm from Nairobi but grew up in Toronto"): the key holds one place.
func (r *reader) settleOrigins() {
	from := map[int]bool{}
	for i := range r.found {
		f := &r.found[i]
		if f.Key != keyHometown || f.Relation != memory.RelationNew {
			continue
		}
		if from[f.Source.Message] && grown.MatchString(f.clause.body.text) {
			f.Key, f.Value, f.About = "", "", keyHometown
		}
		from[f.Source.Message] = true
	}
}

var grown = regexp.MustCompile(`\bgrew up\b|\braised\b|\bbrought up\b`)

var calling = regexp.MustCompile(`\bcalls? me\b|\bgo by\b|\b(?:prefer|like|want) to be called\b|\bknown as\b`)

const dayName = `(?:(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)?,? ` + month + `|` + month + ` (?:the )?\d{1,2}(?:st|nd|rd|th)?|\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?)(?:,? (?:of )?\d{4}|,? '\d\d)?`

// birthday is the day of birth, as said.
var birthday = topic{name: "birthday", rules: []rule{
	{name: "birthday.is", cues: []string{"birthday", "date of birth", "dob"}, key: keyBirthday, take: one,
		pattern: `^(?:my (?:birthday|birth date|date of birth|dob) is|my birthday falls|birthday:|my birthday:) (?:actually |really |always |on |in |now )*(?P<v>` + dayName + `)`},
	{name: "birthday.date-is", cues: []string{"my birthday"}, key: keyBirthday, take: one,
		pattern: `^(?P<v>` + dayName + `) is my birthday\b`},
	{name: "birthday.born", cues: []string{"born"}, key: keyBirthday, take: one,
		pattern: `^i was born (?:in [\w ]+ )?on (?P<v>` + dayName + `)`},
	{name: "birthday.it-is", cues: []string{"my birthday"}, key: keyBirthday, take: one,
		pattern: `^it is my birthday on (?P<v>` + dayName + `)`},
	{name: "birthday.have", cues: []string{"birthday"}, key: keyBirthday, take: one,
		pattern: `^{i} (?:have|celebrate) my birthday on (?P<v>` + dayName + `)`},
}}

// tongues are languages that people speak.
const tongues = `english|french|german|spanish|italian|portuguese|dutch|norwegian|swedish|danish|finnish|icelandic|polish|czech|slovak|hungarian|romanian|bulgarian|serbian|croatian|bosnian|slovene|slovenian|albanian|greek|turkish|russian|ukrainian|belarusian|estonian|latvian|lithuanian|arabic|hebrew|yiddish|persian|farsi|dari|pashto|urdu|hindi|bengali|punjabi|gujarati|marathi|tamil|telugu|kannada|malayalam|sinhala|nepali|thai|lao|khmer|burmese|vietnamese|indonesian|malay|tagalog|filipino|chinese|mandarin|cantonese|hokkien|shanghainese|japanese|korean|mongolian|kazakh|uzbek|georgian|armenian|azerbaijani|kurdish|swahili|amharic|somali|hausa|yoruba|igbo|zulu|xhosa|afrikaans|irish|gaelic|welsh|scots|breton|basque|catalan|galician|latin|esperanto|sign language|asl|bsl|中文|普通话|粤语`

var tongue = regexp.MustCompile(`^(?:(?:fluent|basic|some|native|conversational|broken|decent|good|perfect|mandarin|brazilian|american|british|swiss|a bit of|a little|a little bit of|intermediate|advanced|beginner|passable|rusty|ok|okay|both|also|very|only|of|almost|pretty|fluently|bad|poor|enough|mostly) )*(?P<v>(?:(?:mandarin|brazilian|swiss|british|american|egyptian|levantine|old|ancient) )?(?:` + tongues + `))(?:$|\b)`)

var languages = topic{name: "languages", rules: []rule{
	{name: "languages.speak", cues: []string{"speak", "fluent", "bilingual", "trilingual", "native"}, key: keyLanguages, take: spoken,
		pattern: `^{i} (?:can |could |know how to )?(?:speak|am fluent in|am native in|am bilingual in|am a native speaker of|am a native|am conversational in|am trilingual in|grew up speaking|was raised speaking|am bilingual|am trilingual)(?:,|:)? (?:fluently |in )?(?P<v>.+)$`},
	{name: "languages.native-is", cues: []string{"native", "mother tongue", "first language", "second language"}, key: keyLanguages, take: spoken,
		pattern: `^my (?:native (?:language|tongue)|mother tongue|first language|second language|native languages|main language) (?:is|are) (?P<v>.+)$`},
	{name: "languages.is-my", cues: []string{"native", "mother tongue", "first language", "second language"}, key: keyLanguages, take: spoken,
		pattern: `^(?P<v>[\w ]+?) is (?:not )?my (?:native (?:language|tongue)|mother tongue|first language|second language)\b`, build: isMyLanguage},
	{name: "languages.know", cues: []string{"know", "understand", "read"}, key: keyLanguages, take: spoken,
		pattern: `^{i} (?:know|understand) (?P<v>.+)$`},
}}

// isMyLanguage reads "Dutch is my first language", and nothing from the negation.
func isMyLanguage(m match) []memory.Candidate {
	if strings.Contains(m.c.body.text, " is not my ") {
		return nil
	}
	var out []memory.Candidate
	for _, v := range spoken(m) {
		out = append(out, m.candidate(keyLanguages, v))
	}
	return out
}

// spoken takes an enumeration of languages, as long as the first item is one.
func spoken(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	var out []string
	for _, item := range m.c.items(a, b) {
		at := tongue.FindStringSubmatchIndex(m.c.body.text[item[0]:item[1]])
		if at == nil {
			break
		}
		if aboutTongue.MatchString(m.c.body.text[item[0]+at[3] : item[1]]) {
			return nil
		}
		out = append(out, m.c.words(item[0]+at[2], item[0]+at[3]))
	}
	return out
}

// aboutTongue follows a language of which something is said ("I know English is hard").
var aboutTongue = regexp.MustCompile(`^ (?:is|are|was|has|can|will|grammar|speakers?|people|teachers?)\b`)

const craft = `python|java|javascript|typescript|golang|go|rust|ruby|perl|php|scala|kotlin|swift|haskell|elixir|erlang|clojure|c|c\+\+|c#|r|matlab|sql|html|css|react|vue|angular|django|docker|kubernetes|terraform|linux|bash|excel|photoshop|figma|blender|autocad|tensorflow|pytorch|latex|cobol|fortran|lua|dart|flutter|julia|ocaml|zig`

var crafts = regexp.MustCompile(`^(?:(?:a bit of|a little|some|basic|mostly|mainly|both) )*(?P<v>` + craft + `)$`)

var skills = topic{name: "skills", rules: []rule{
	{name: "skills.code-in", cues: []string{"code", "program", "develop", "know", "use", "write"}, key: keySkills, take: practised,
		pattern: `^{i} (?:can )?(?:(?:code|program|develop) in|know|write|code|work with|am fluent in|am proficient in|am experienced in|am experienced with|mostly use|use mostly) (?:how to (?:code|program) in )?(?P<v>.+)$`},
	{name: "skills.good-at", cues: []string{"good at", "skilled", "proficient", "expert"}, key: keySkills, take: each,
		pattern: `^{i} am (?:good at|great at|skilled at|skilled in|proficient (?:in|with|at)|an expert (?:in|on|at)|experienced (?:in|with)|excellent at) (?P<v>.+)$`},
	{name: "skills.can", cues: []string{"can ", "know how to", "able to"}, key: keySkills, take: one,
		pattern: `^{i} (?:can|know how to|am able to) (?P<v>(?:play (?:the )?(?:piano|guitar|violin|cello|flute|drums|bass|saxophone|trumpet|ukulele|harp|accordion|chess|go|poker|harmonica|clarinet|viola|banjo)|sew|knit|weld|juggle|touch[- ]type|read music|do a handstand|ride a motorbike|ride a motorcycle|ride a horse|drive a truck|fly a plane|cook|bake|swim|surf|ski|skate|drive|dive))(?:$| (?:and|but|pretty|really|quite|well|very)\b.*)`},
}}

func practised(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	var out []string
	for _, item := range m.c.items(a, b) {
		from, to := m.c.tidy(item[0], item[1])
		if from >= to {
			return nil
		}
		at := crafts.FindStringSubmatchIndex(m.c.body.text[from:to])
		if at == nil {
			return out
		}
		out = append(out, m.c.words(from+at[2], from+at[3]))
	}
	return out
}

// age is free: it stands under no key.
var age = topic{name: "age", rules: []rule{
	{name: "age.born", cues: []string{"born in"}, build: undated(keyBirthday),
		pattern: `^i was born in (?:19|20)\d\d$`},
	{name: "age.years", cues: []string{"old", " yo", "y/o", "turned", "am "},
		pattern: `^{i} (?:am|turned|just turned|am turning) (?:\d{1,3}|twenty|thirty|forty|fifty|sixty|seventy|eighteen|nineteen)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?(?: ?(?:years? old|yrs? old|yo|y/o|years of age)\b.*|$| (?:last|this|yesterday|today|in|on) .*$)`},
}}
