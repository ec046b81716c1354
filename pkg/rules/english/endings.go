package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// endings say that something no longer holds. They come before every other topic: what
// they match states nothing else.
var endings = topic{name: "endings", rules: []rule{
	{name: "end.pet-died", cues: []string{"died", "passed", "dead", "put down", "put to sleep", "euthani", "lost", "ran away", "gave", "give", "rehome", "gone", "sold", "put", "away", "escaped", "disappeared", "missing", "no longer"}, build: endPet,
		pattern: `^(?:(?:sadly |unfortunately )*(?:my|our|the) (?P<animal>` + looks + animal + `)(?:,? (?P<n>[\w'-]+))?,? (?:has |have |had |just |recently |sadly |unexpectedly |suddenly |was |got |is |had to be )*(?:died|passed away|passed|dead|gone|put down|put to sleep|euthani[sz]ed|ran away|flew away|escaped|disappeared|went missing|run over|no longer with us)|{i} (?:have |had to )?(?:lost|gave away|give away|gave|give up|gave up|rehomed|rehome|sold|put down|put|let go of|buried|said goodbye to|had to put down|do not have) (?:my|our|the|a|any) (?P<animal2>` + looks + animal + `)(?:,? (?P<n2>[\w'-]+))??(?: (?:away|up|down|to sleep|any more|anymore|to (?:a|my|some) [\w ]+))*(?P<tail> .*)?)\b.*$`},
	{name: "end.pet-since", cues: []string{"died", "passed", "put down"}, build: endPet,
		pattern: `^.*\b(?:since|after|when|that) (?:my|our) (?P<animal>` + looks + animal + `)(?:,? (?P<n>[\w'-]+),?)? (?:has |just |recently |was |had to be )*(?:died|passed away|passed|put down|put to sleep)\b.*$`},
	{name: "end.relative-died", cues: []string{"died", "passed", "dead", "lost"}, build: endRelative,
		pattern: `^(?:my (?P<role>` + modifiers + `(?:` + familyRole + `|` + partnerRole + `))(?: [\w'-]+)? (?:has |have |had |just |recently |sadly |unexpectedly |suddenly |is )*(?:died|passed away|passed|dead)\b|{i} (?:have )?lost my (?P<role2>` + modifiers + `(?:` + familyRole + `|` + partnerRole + `))(?:$|\b(?: to | in | last | this | when | two | a ).*)).*$`},
	{name: "end.named-died", cues: []string{"died", "passed away", "put down", "put to sleep", "rainbow", "ran away", "missing"}, build: endNamed,
		pattern: `^(?P<v>[\w'-]+) (?:has |just |recently |sadly |unexpectedly |suddenly )*(?:ran away|went missing|died|passed away|had to be put down|was put down|was put to sleep|crossed the rainbow bridge)\b.*$`},
	{name: "end.rip", cues: []string{"rip ", "rest in peace"}, build: endNamed,
		pattern: `^(?:rip|rest in peace),? (?P<v>[\w'-]+)$`},
	{name: "end.no-pets", cues: []string{"do not", "no longer"}, build: endPet,
		pattern: `^{i} (?:do not have|no longer have|do not keep|no longer keep|do not own|no longer own) (?:a |any |my |the |our )*(?P<animal>` + looks + animal + `)(?: any more)?$`},
	{name: "end.job", cues: []string{"job", "quit", "resign", "fired", "laid off", "let go", "work", "retired", "left", "redundant", "company", "notice"}, build: endJob,
		pattern: `^{i} (?:have )?(?:(?:quit|left|lost|resigned from) (?:my|the|that) (?:old |current |previous |teaching |\w+ )?(?:job|position|role|work|company|post|firm)(?:$|[,.]| (?:last|this|in|on|yesterday|today|because|after|two|three|a|to|for|and|at|where|i|so|recently|due|since|as)\b).*|(?:quit|resigned|gave notice|handed in my notice|put in my notice)(?: (?:last|this|yesterday|today|in|on|a|two|from work).*)?|(?:got|was|were|am|have been|just got) (?:fired|laid off|let go|made redundant|sacked)\b.*|do not (?:have a job|work) any more.*|no longer (?:have a job|work)|stopped working|am no longer employed.*)$`},
	{name: "end.employer", cues: []string{"work", "left", "quit", "employed", "resign"}, key: keyEmployer, take: formerFirm, ends: true,
		pattern: `^{i} (?:no longer work|do not work|am no longer (?:working|employed|with)|stopped working|am not working|have left|left|have quit|quit|have resigned from|resigned from|got fired from|got laid off from|was laid off from|was laid off by|was fired from|was let go from|got let go from) ?(?:at |for |with |by )?(?P<v>[^ ].*)$`},
	{name: "end.partner", cues: []string{"broke up", "divorce", "split", "separated", "left me", "dumped", "single", "engagement", "widow", "breakup", "not together"}, key: keyPartner, ends: true,
		pattern: `^(?:{i} (?:have )?(?:(?:broke up|broken up|split up|split|separated)(?:$| (?:with (?:my|him|her|[\w'-]+$|[\w'-]+ (?:last|this|yesterday|in|on|two|a))|after|last|in|on|yesterday|this|a|two|three|recently|because|again|for good)\b)|got divorced|got a divorce|am divorced|are divorced|am separated|are separated|am getting divorced|are getting divorced|divorced|dumped|left my ` + partnerRole + `|called off (?:our|my|the) (?:engagement|wedding)|am single(?:$| (?:again|now|since|and|after|these)\b)|am a widow(?:er)?|am widowed|am no longer (?:with|dating|seeing|married|engaged)|are no longer together|are not together any more|ended (?:things|it) with|went through a (?:breakup|divorce|break-up))\b.*|my (?:` + partnerRole + `)(?: [\w'-]+)? (?:and i (?:have |just |recently |are |got )*(?:broke up|broken up|split up|split|separated|divorced|no longer together|getting divorced|getting a divorce)|left me|dumped me|broke up with me)\b.*)$`},
	{name: "end.diet", cues: []string{"vegan", "vegetarian", "pescatarian", "keto", "halal", "kosher", "eat", "diet", "gluten"}, key: keyDiet, take: formerDiet, ends: true,
		pattern: `^{i} (?:(?:am|are) (?:not|no longer) (?:a |an |really |strictly )*(?P<v>` + diets + `)(?: any more)?|(?:stopped|quit|gave up|have stopped|have quit|am done) (?:being |with )?(?:a |an |the |on )?(?P<v2>` + diets + `)(?: diet)?|(?:eat|started eating|have started eating|am eating) (?:meat|fish|animal products|gluten|dairy|everything)(?: .*)? (?:again|now)|(?:went back|have gone back|am back) to eating (?:meat|fish|animal products|everything))\b.*$`},
	{name: "end.allergy", cues: []string{"allerg"}, key: keyAllergies, take: outgrown, ends: true,
		pattern: `^{i} (?:(?:am|are) (?:no longer|not) (?:really |actually )?allergic to (?P<v>.+)|outgrew my (?P<w>[\w ]+) allergy|have outgrown my (?P<x>[\w ]+) allergy)$`},
	{name: "end.city", cues: []string{"live", "living", "left", "moved out", "moved away", "reside", "based"}, key: keyCity, take: place, ends: true, must: true,
		pattern: `^{i} (?:do not live|no longer live|am no longer (?:living|based)|am not (?:living|based)|do not reside|moved away|moved out|have moved away|have moved out|used to live|used to be based) (?:here |there )?(?:in|from|of) (?P<v>.+)$`},
	{name: "end.job-not", cues: []string{"no longer", "not ", "used to"}, key: keyOccupation, take: job, ends: true, must: true,
		pattern: `^{i} (?:am no longer (?:working as )?|am not (?:working as )?|do not work as |no longer work as |used to (?:be |work as )|stopped (?:being |working as ))(?:an? )?(?P<v>.+)$`},
	{name: "end.employer-used", cues: []string{"used to work"}, key: keyEmployer, take: firm, ends: true, must: true,
		pattern: `^{i} used to work (?:at|for) (?P<v>.+)$`},
	{name: "end.hobby", cues: []string{"stopped", "quit", "gave up", "no longer", "any more", "retired from", "given up", "used to"}, key: keyHobbies, take: formerHobby, ends: true,
		pattern: `^{i} (?:(?:have )?(?:stopped|quit|gave up|given up) (?:playing |doing |practising |going )?|no longer (?:play|do|practise|go|collect) |do not (?:play|do|practise|go) |retired from (?:playing )?)(?:the )?(?P<v>.+?)(?P<any> any ?more)?$`},
	{name: "end.speech", cues: []string{"used to "}, build: usedTo,
		pattern: `^{i} used to (?:really )?(?P<verb>like|love|enjoy|hate|dislike|play|have|be) (?P<v>.+)$`},
	{name: "end.dislike", cues: []string{"hate", "dislike", "mind", "stand"}, build: endDislike,
		pattern: `^{i} (?:no longer (?:hate|dislike|detest|mind) (?P<v>.+)|(?:do not (?:hate|dislike|detest) )(?P<w>.+?) any more)$`},
	{name: "end.health", cues: []string{"no longer", "recovered", "remission", "cured", "not pregnant"}, key: keyHealth, take: one, ends: true,
		pattern: `^{i} (?:no longer have|have recovered from|recovered from|am in remission from|am cured of|am no longer) (?P<v>` + conditions + `|pregnant|diabetic|asthmatic|anemic)\b.*$`},
}}

// namedBehind is the capitalised name that follows a group ("put my cat Luna down"), empty
// where what follows is none.
func (m match) namedBehind(group string) string {
	_, b, ok := m.group(group)
	if !ok || !strings.HasPrefix(m.c.body.text[b:], " ") {
		return ""
	}
	name := firstWord(m.c.body.text[b+1:])
	if name == "" || !m.c.capital(b+1) || name == "i" || timed.match(name, gramsOf(name)) {
		return ""
	}
	return m.c.words(b+1, b+1+len(name))
}

// endPet ends the animal that died, left or was given away: by its name where one is said.
func endPet(m match) []memory.Candidate {
	body := m.c.body.text
	if strings.Contains(body, "gave") && !strings.Contains(body, " away") && !strings.Contains(body, "gave up") && !strings.Contains(body, " to ") {
		return nil
	}
	if strings.Contains(body, " put ") && !strings.Contains(body, "down") && !strings.Contains(body, "to sleep") {
		return nil
	}
	for _, group := range []string{"animal", "animal2"} {
		if _, b, ok := m.group(group); ok && strings.HasPrefix(body[b:], "-") {
			return nil // dog-eared
		}
	}
	must := strings.HasPrefix(body[strings.Index(body, " ")+1:], "do not ") && !strings.Contains(body, "any more")
	value := m.folded("animal")
	if value == "" {
		value = m.folded("animal2")
	}
	for _, n := range []string{"n", "n2"} {
		if a, _, ok := m.group(n); ok && m.c.capital(a) {
			return []memory.Candidate{m.end(keyPets, m.said(n), false)}
		}
	}
	if name := m.namedBehind("animal2"); name != "" {
		return []memory.Candidate{m.end(keyPets, name, false)}
	}
	value = headAnimal(value)
	return []memory.Candidate{m.end(keyPets, value, must || value == "mouse")} // desks have mice
}

// headAnimal drops what describes an animal: "old cat" ends the cat.
func headAnimal(s string) string {
	if at := lookedAt.FindString(s); at != "" && at != s {
		s = s[len(at):]
	}
	return s
}

var lookedAt = regexp.MustCompile(`^` + looks)

func endRelative(m match) []memory.Candidate {
	role := m.said("role")
	if role == "" {
		role = m.said("role2")
	}
	if role == "" {
		return nil
	}
	if partnerOnly.MatchString(strings.ToLower(role)) {
		return []memory.Candidate{m.end(keyPartner, "", false)}
	}
	return []memory.Candidate{m.end(keyFamily, role, false)}
}

var partnerOnly = regexp.MustCompile(`(?:^| )` + partnerRole + `$`)

// endNamed is the death of somebody of whom only the name is said: it counts for who knows
// that it is a pet, or a relative.
func endNamed(m match) []memory.Candidate {
	a, b, _ := m.group("v")
	s := m.c.body.text[a:b]
	if !m.c.capital(a) || vague.MatchString(s) || notNamed.MatchString(s) {
		return nil
	}
	var out []memory.Candidate
	for _, key := range []memory.Key{keyPets, keyPartner, keyFamily} {
		if key != keyPets && animalEnd.MatchString(m.c.body.text) {
			break
		}
		out = append(out, m.end(key, m.c.words(a, b), true))
	}
	return out
}

// animalEnd is how pets are lost, and people are not.
var animalEnd = regexp.MustCompile(`\b(?:ran away|went missing|put down|put to sleep|rainbow bridge)\b`)

var notNamed = regexp.MustCompile(`^(?:i|we|he|she|they|who|people|everyone|somebody|my|our|the)$`)

// endJob ends both the firm and the work, which one job names.
func endJob(m match) []memory.Candidate {
	if m.c.after != nil && strings.HasPrefix(m.c.after.body.text, "i will not") {
		return nil
	}
	return []memory.Candidate{m.end(keyEmployer, "", false), m.end(keyOccupation, "", false)}
}

func formerFirm(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	body := m.c.body.text
	verb := body[:a]
	if !strings.HasSuffix(verb, "at ") && !strings.HasSuffix(verb, "for ") && !strings.HasSuffix(verb, "from ") &&
		!strings.HasSuffix(verb, "by ") && !strings.HasSuffix(verb, "with ") && !m.c.capital(a) || strings.Contains(body[a:b], " for ") && strings.Contains(verb, "left") {
		return nil
	}
	found := firm(m)
	if strings.HasSuffix(verb, "left ") && (!m.c.capital(a) || len(found) > 0 && lowered.MatchString(found[0])) {
		return nil
	}
	return found
}

// lowered finds a word in lower case: "I left Chrome running" is about no employer.
var lowered = regexp.MustCompile(` [a-z]`)

func formerDiet(m match) []string {
	for _, g := range []string{"v", "v2"} {
		if v := m.said(g); v != "" {
			return []string{v}
		}
	}
	return []string{""}
}

func outgrown(m match) []string {
	for _, g := range []string{"v", "w", "x"} {
		if a, b, ok := m.group(g); ok {
			var out []string
			for _, v := range m.c.each(a, b) {
				if !noAllergen.MatchString(strings.ToLower(v)) {
					out = append(out, v)
				}
			}
			return out
		}
	}
	return nil
}

var noHobby = regexp.MustCompile(`^(?:going|doing|my|the|a|an|it|that|this|on|in|at|for|with|to|caring|trying|using|reading the|there|yet|drugs|school|college|university|work|working|taking|buying|eating|drinking|smoking|vaping|me|you|him|her|them|by|so|what|because|after|when|before|talking|being|having|paying|well|my .*|know|anything|much|often|out|hard)\b`)

// formerHobby takes what was given up. Without "stopped playing" it must be one word or a
// known pastime; "I gave up coffee" ends a liking instead.
func formerHobby(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	_, _, anyMore := m.group("any")
	verb := m.c.body.text[:a]
	if strings.Contains(verb, "do not ") && !anyMore {
		return nil
	}
	if at := playEnds.FindStringIndex(m.c.body.text[a:b]); at != nil {
		if toWork.MatchString(m.c.body.text[a+at[0]:]) {
			return nil // the way to work is another one
		}
		b = a + at[0]
	}
	if !doingVerb.MatchString(verb) && !isPastime(m.c.body.text[a:b]) && !gerund.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	if noHobby.MatchString(m.c.body.text[a:b]) || len(strings.Fields(m.c.body.text[a:b])) > 3 || b <= a {
		return nil
	}
	if v, ok := m.c.value(a, b); ok {
		return []string{v}
	}
	return nil
}

var (
	doingVerb = regexp.MustCompile(`\b(?:playing|doing|practising|going|play|do|practise|go|collect) (?:the )?$`)
	gerund    = regexp.MustCompile(`^\w+ing$`)
)

// usedTo ends a former liking, pastime, pet or work, for who knows of it.
func usedTo(m match) []memory.Candidate {
	key := map[string]memory.Key{"like": keyLikes, "love": keyLikes, "enjoy": keyLikes, "hate": keyDislikes,
		"dislike": keyDislikes, "play": keyHobbies}[m.folded("verb")]
	a, b, _ := m.group("v")
	if m.folded("verb") == "have" {
		if !petItem.MatchString(m.c.body.text[a:b]) {
			return nil
		}
		key = keyPets
	}
	if key == "" {
		return nil
	}
	v, ok := m.c.value(a, b)
	if !ok {
		return nil
	}
	return []memory.Candidate{m.end(key, v, true)}
}

// endDislike ends what is disliked no more; that it is liked now is not said.
func endDislike(m match) []memory.Candidate {
	for _, group := range []string{"v", "w"} {
		a, b, ok := m.group(group)
		if !ok || noTaste.MatchString(m.c.body.text[a:b]) {
			continue
		}
		if v, ok := m.c.value(a, b); ok {
			return []memory.Candidate{m.end(keyDislikes, v, true)}
		}
	}
	return nil
}

// changes of plans: called off, or moved to another date.
var calledOff = topic{name: "called off", rules: []rule{
	{name: "plan.cancelled", cues: []string{"cancel", "called off", " off", "postponed", "fell through", "not happening", "no longer happening", "scrapped"}, build: cancelled,
		pattern: `^(?:my|our|the|that|this|tomorrow's|today's|next week's)?(?:^| )(?P<v>[\w' -]+?) (?:is|are|was|were|got|has been|have been|will be|had to be) (?:now |just |actually |all )*(?:cancelled|called off|off|not happening|no longer happening|scrapped|postponed indefinitely|not going ahead)\b.*$`},
	{name: "plan.fell-through", cues: []string{"fell through"}, build: cancelled,
		pattern: `^(?:my|our|the) (?P<v>[\w' -]+?) fell through\b.*$`},
	{name: "plan.cancel", cues: []string{"cancelled", "called off", "cancel"}, build: cancelled,
		pattern: `^(?:{i}|they|he|she|the (?:doctor|dentist|airline|client|company|clinic)|my \w+) (?:have |had to |has )?(?:just )?(?:cancelled|cancel|called off|scrapped|bailed on|backed out of) (?:my|our|the|on my) (?P<v>.+)$`},
	{name: "plan.not-going", cues: []string{"not ", "no longer"}, build: cancelled,
		pattern: `^{i} (?:am not|are not|am no longer|are no longer|will not be|will no longer be) (?:able to (?:go to|come to|make it to|make|attend)|flying|going|travelling|moving|driving|coming|visiting|attending|heading|meeting|seeing|taking|having|running|doing|joining|giving|hosting|playing|performing|presenting|participating|taking part|racing|competing) (?:back )?(?:to |in |at )?(?:(?:the|my|our) )?(?P<v>.+?)(?: (?:any ?more|after all|now|next .+|this .+|on .+|tomorrow|in .+))*$`},
	{name: "plan.not-making-it", cues: []string{"not "}, build: cancelled,
		pattern: `^{i} (?:will not|cannot|could not|am not going to|am not able to) (?:be able to )?(?:go to|come to|make it to|make|attend|be at) (?:(?:the|my|our) )?(?P<v>.+?)(?: (?:any ?more|after all|now|next .+|this .+|on .+|tomorrow|in .+))*$`},
	{name: "plan.moved", cues: []string{"moved", "pushed", "postponed", "rescheduled", "delayed", "changed", "now ", "shifted", "brought forward"}, build: moved,
		pattern: `^(?:my|our|the|that)? ?(?P<v>[\w' -]+?) (?:(?:is|are|was|were|got|has been|have been|has|have|will be|had to be) (?:just |actually )?(?:moved|pushed|pushed back|postponed|rescheduled|delayed|changed|shifted|brought forward|moved up|moved back)\b|(?:moved|rescheduled|postponed|shifted|pushed back) (?:from|to|until)\b|(?:is|are) (?:now|actually|no longer)\b).*$`},
	{name: "plan.move", cues: []string{"moved", "pushed", "postponed", "rescheduled", "changed", "shifted", "delayed"}, build: moved,
		pattern: `^(?:{i}|they|the (?:doctor|dentist|airline|client|company|clinic)) (?:have |had to |has )?(?:just )?(?:moved|pushed|postponed|rescheduled|changed|shifted|delayed|move|push|reschedule|postpone) (?:back )?(?:my|our|the) (?P<v>.+?) (?:to|until|till|by|from)\b.*$`},
}}

// cancelled ends the plan that the clause calls off and leaves no memory of its own.
func cancelled(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if !ok || noPlan.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	if m.rule.name == "plan.not-making-it" && !eventNoun.MatchString(m.c.body.text[a:b]) && !m.c.capital(a) {
		return nil
	}
	if m.rule.name == "plan.not-going" {
		_, dated := m.c.when(future)
		if !m.c.capital(a) && !dated && !strings.Contains(m.c.body.text, "any more") && !strings.Contains(m.c.body.text, "after all") {
			return nil
		}
	}
	if m.rule.name == "plan.cancelled" && !eventNoun.MatchString(m.c.body.text[a:b]) && !strings.Contains(m.c.body.text, "cancelled") && !strings.Contains(m.c.body.text, "called off") {
		return nil
	}
	what := distinguishing(m.c, a, b)
	if what == "" {
		return nil
	}
	c := m.candidate("", "")
	c.Stability = memory.Transient
	c.Relation = memory.RelationEnds
	c.Target = &memory.Target{Value: what, Plan: true}
	return []memory.Candidate{c}
}

// moved is the plan anew, with its new date.
func moved(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if !ok || !eventNoun.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	span, dated := m.c.movedTo()
	if strings.HasPrefix(m.c.body.text, "the ") {
		a = 0
	}
	what := distinguishing(m.c, a, b)
	if !dated || what == "" {
		return nil
	}
	c := m.candidate("", "")
	c.Stability, c.Plan, c.Relation = memory.Dated, true, memory.RelationUpdates
	c.Target = &memory.Target{Value: what, Plan: true}
	c.ValidFrom, c.ExpiresAt = span.Start, span.End
	return []memory.Candidate{c}
}

var (
	noPlan  = regexp.MustCompile(`\b(?:subscription|membership|netflix|order|account|card|insurance|service|contract|something|anything|wifi|internet|light|lights|tv|day|week|alarm|booking reference)\b|^(?:it|that|this|he|she|you|they|i|we)$`)
	generic = regexp.MustCompile(`^(?:my|our|the|a|an|to|in|at|with|for|on|of|and|that|this|next|last|trip|appointment|meeting|flight|visit|exam|interview|party|dinner|lunch|event|plan|plans|date|call|class|session|week|month|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|today|tonight|tomorrow's|today's|am|is|i|we|flying|going|travelling|moving|not|instead|now|back|up|upcoming|business|work|are|was|got|has|been|will|be|moved|pushed|rescheduled|postponed|changed|until|till|there|weekend|year|from|by|meeting|seeing|taking|having|visiting|have|had|leaving|it)$`)
	numeral = regexp.MustCompile(`^(?:\d.*|` + month + `)$`)
)

// nounOf is a word without the marks and the possessive behind it.
func nounOf(word string) string {
	word = strings.TrimRight(word, " .,!?'’")
	return strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
}

// distinguishing returns the words that tell the plan in body[a:b] from others: its proper
// name ("Shenzhen"), else its particular noun ("dentist"), else its kind ("meeting").
func distinguishing(c *clause, a, b int) string {
	s := c.body.text[a:b]
	particular, kind := "", ""
	for i := 0; i < len(s); {
		end := strings.IndexByte(s[i:], ' ')
		if end < 0 {
			end = len(s)
		} else {
			end += i
		}
		word := strings.Trim(s[i:end], ".,!?'")
		from := i
		i = end + 1
		if word == "" || numeral.MatchString(word) {
			continue
		}
		if generic.MatchString(word) {
			if eventNoun.MatchString(word) {
				kind = word
			}
			continue
		}
		if c.capital(a+from) && from+a > 0 {
			return nounOf(c.words(a+from, a+end))
		}
		if particular == "" {
			particular = nounOf(c.words(a+from, a+end))
		}
	}
	if particular != "" {
		return particular
	}
	return kind
}
