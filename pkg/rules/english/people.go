package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
)

const (
	partnerRole = `(?:wife|husband|girlfriend|boyfriend|fiancee?|partner|spouse|hubby|wifey|significant other|better half)`
	familyRole  = `(?:mother-in-law|father-in-law|sister-in-law|brother-in-law|son-in-law|daughter-in-law|mother|mom|mum|mama|father|dad|papa|parents|brother|sister|brothers|sisters|siblings?|twin(?: sister| brother)?|son|sons|daughter|daughters|kids?|child|children|baby (?:girl|boy)|baby|toddler|grandmother|grandma|nana|grandfather|grandpa|grandparents|grandson|granddaughter|grandchild|grandchildren|grandkids|aunt|auntie|uncle|cousins?|nephews?|nieces?|in-laws|stepmother|stepmom|stepdad|stepfather|stepson|stepdaughter|stepbrother|stepsister|half-brother|half-sister|foster (?:son|daughter|child)|godson|goddaughter)`
	modifiers   = `(?:(?:older|younger|elder|little|big|baby|twin|eldest|oldest|youngest|middle|only|late|dear|lovely|beloved|new|current|long-distance|\d{1,2}[- ]year[- ]old|\d{1,2}yo|teenage|adult|newborn|first|second|pregnant|poor|kid) )*`
	count       = `(?:a|an|one|two|three|four|five|six|seven|\d{1,2}|twins|triplets|twin|triplet)`
)

// partner is whom the user is with.
var partner = topic{name: "partner", rules: []rule{
	{name: "partner.name-is", cues: []string{"name", "called"}, key: keyPartner, build: named(keyPartner),
		pattern: `^my ` + modifiers + `(?P<role>` + partnerRole + `)(?:'s name is| is called| is named|'s called|s name is) (?P<name>.+)$`},
	{name: "partner.is", cues: []string{"my "}, key: keyPartner, build: isRole(keyPartner),
		pattern: `^(?P<name>[\w'-]+(?: [\w'-]+)?) is (?:now |actually )?my (?:new )?(?P<role>` + partnerRole + `)\b`},
	{name: "partner.named", cues: []string{"my "}, key: keyPartner, build: namedOutright(keyPartner),
		pattern: `^my ` + modifiers + `(?P<role>` + partnerRole + `) is (?:now |actually )?(?P<name>[\w'-]+(?: [\w'-]+){0,2}?)(?: now)?(?:,.*)?$`},
	{name: "partner.have", cues: []string{"have", "got", "with"}, key: keyPartner, build: named(keyPartner),
		pattern: `^{i} (?:have|have got|got|am with|am dating|am living with|live with) (?:a|an|my) ` + modifiers + `(?P<role>` + partnerRole + `)(?:,? (?:named|called|whose name is) (?P<name>.+)|$|,| (?:who|and|for|of|now|in|from)\b)`},
	{name: "partner.married-to", cues: []string{"married", "engaged"}, key: keyPartner, take: spouse,
		pattern: `^{i} (?:am|are|have been|got) (?P<v>(?:married|engaged) to (?:an? (?:[\w-]+ )+(?:named|called) )?(?P<name>[\w'-]+))`},
	{name: "partner.dating", cues: []string{"dating", "married"}, key: keyPartner, take: spouse,
		pattern: `^{i} (?:(?:am|started|have started|have been|began) (?P<v>dating (?P<name>[\w'-]+))|(?P<w>married (?P<name2>[\w'-]+)))(?:$|,| (?:last|this|in|on|two|three|a|for|since|and|now|again|at)\b.*)`},
	{name: "partner.she-is", cues: []string{"my "}, build: becameRole,
		pattern: `^(?:she|he) is now my (?P<v>` + partnerRole + `)$|^(?:she|he) is my (?P<w>` + partnerRole + `) now$`},
}}

// spouse is a partner who is named: one is also married to one's job.
func spouse(m match) []string {
	for _, group := range [][2]string{{"name", "v"}, {"name2", "w"}} {
		a, b, ok := m.group(group[0])
		if ok && m.c.capital(a) && !vague.MatchString(m.c.body.text[a:b]) && !numeral.MatchString(m.c.body.text[a:b]) {
			return []string{m.said(group[1])}
		}
	}
	return nil
}

// becameRole builds the new role of the partner of whom the clause before spoke.
func becameRole(m match) []memory.Candidate {
	for _, group := range []string{"v", "w"} {
		if role := m.said(group); role != "" {
			found := m.candidate(keyPartner, role)
			found.Relation = memory.RelationUpdates
			return []memory.Candidate{found}
		}
	}
	return nil
}

// family is the user's other relatives.
var family = topic{name: "family", rules: []rule{
	{name: "family.name-is", cues: []string{"name", "called"}, key: keyFamily, build: named(keyFamily),
		pattern: `^(?:my|our) (?P<role>` + modifiers + familyRole + `)(?:'s name is| is called| is named|s name is) (?P<name>.+)$`},
	{name: "family.is", cues: []string{"my "}, key: keyFamily, build: isRole(keyFamily),
		pattern: `^(?P<name>[\w'-]+) is my (?P<role>` + modifiers + familyRole + `)\b`},
	{name: "family.named", cues: []string{"my ", "our "}, key: keyFamily, build: namedOutright(keyFamily),
		pattern: `^(?:my|our) (?P<role>` + modifiers + familyRole + `) is (?P<name>[\w'-]+(?: [\w'-]+){0,2}?)(?:,.*)?$`},
	{name: "family.have", cues: []string{"have", "got"}, key: keyFamily, build: relatives,
		pattern: `^{i} (?:have|have got|have also got|got) (?P<v>` + count + ` .+)$`},
	{name: "family.had-baby", cues: []string{"baby", "son", "daughter", "twins", "child"}, key: keyFamily, build: relatives,
		pattern: `^{i} (?:just )?(?:have )?(?:had|welcomed|adopted) (?P<v>(?:a|our|my|an|twins|triplets)(?: .+)?)$`},
	{name: "family.parent-of", cues: []string{" of "}, key: keyFamily, take: one,
		pattern: `^{i} am a (?:proud |single |busy )*(?P<v>(?:parent|mother|father|mom|mum|dad) of ` + count + `(?: (?:kids|children|boys|girls|toddlers|teenagers|teens|sons|daughters|grown-ups))?)`},
	{name: "family.only", cues: []string{"only child"}, key: keyFamily, take: asWorded,
		pattern: `^i am an (?P<v>only child)\b`},
}}

// The mentions are rules for whom and what a clause about something else takes for granted.
var (
	partnerMention = topic{name: "partner mentioned", rules: []rule{
		{name: "partner.subject", cues: []string{"my "}, key: keyPartner, build: subject(keyPartner),
			pattern: `^(?:me and )?my ` + modifiers + `(?P<role>` + partnerRole + `)\b(?P<rest>.*)$`},
		{name: "partner.with", cues: []string{"with my ", "and my "}, key: keyPartner, build: subject(keyPartner),
			pattern: `^{i} (?:.*\b(?:with|and)|(?:)(?:love|adore|miss|met|married)) my ` + modifiers + `(?P<role>` + partnerRole + `)\b(?P<rest>.*)$`},
	}}
	familyMention = topic{name: "family mentioned", rules: []rule{
		{name: "family.subject", cues: []string{"my ", "our "}, key: keyFamily, build: subject(keyFamily),
			pattern: `^(?:my|our) (?P<role>` + modifiers + familyRole + `)\b(?P<rest>.*)$`},
		{name: "family.live-with", cues: []string{"with my ", "with our "}, key: keyFamily, build: subject(keyFamily),
			pattern: `^{i} (?:live|am living|moved) .*\bwith (?:my|our) (?:` + partnerRole + ` and (?:my )?)?(?P<role>(?:two |three |four )?` + modifiers + familyRole + `)\b(?P<rest>.*)$`},
		{name: "family.by-name", cues: []string{" my ", " our "}, key: keyFamily, build: namedRelative,
			pattern: `^.*\b(?:for|with|to|of|and|visit|visiting|visited|see|seeing|saw|call|love|miss|met|help|helping|from) (?:my|our) (?P<role>` + modifiers + familyRole + `)(?P<rest> .*)$`},
	}}
)

// namedRelative builds the relative that a statement only mentions, if by name.
func namedRelative(m match) []memory.Candidate {
	a, _, ok := m.group("rest")
	if !ok || !m.c.capital(a+1) {
		return nil
	}
	return subject(keyFamily)(m)
}

// asWorded takes group "v" as it stands.
func asWorded(m match) []string { return []string{m.said("v")} }

// named builds role and name of "my wife's name is Anna".
func named(key memory.Key) func(match) []memory.Candidate {
	return func(m match) []memory.Candidate {
		value := m.said("role")
		if a, b, ok := m.group("name"); ok {
			n := nameOf(m.c, a, b)
			if n == "" {
				return nil
			}
			value += " " + n
		}
		found := m.related(key, value, m.rule.weak)
		if !singleValued[key] {
			fuller(&found[0], m.said("role"))
		}
		return found
	}
}

// isRole builds role and name of "Anna is my wife".
func isRole(key memory.Key) func(match) []memory.Candidate {
	return func(m match) []memory.Candidate {
		a, b, _ := m.group("name")
		if !m.c.capital(a) || vague.MatchString(m.folded("name")) || strings.HasPrefix(m.folded("name"), "my ") {
			return nil
		}
		return m.related(key, m.said("role")+" "+m.c.words(a, b), false)
	}
}

// namedOutright builds role and name of "my wife is Anna", which else says what she is.
func namedOutright(key memory.Key) func(match) []memory.Candidate {
	return func(m match) []memory.Candidate {
		a, b, _ := m.group("name")
		if !m.c.personName(a, b) {
			return nil
		}
		bare := m.said("role")
		found := m.related(key, bare+" "+m.c.words(a, b), false)
		if !singleValued[key] {
			fuller(&found[0], bare)
		}
		return found
	}
}

// personName reports whether body[a:b] can only be a name: every word has a capital and none
// is what people are called besides, or it is a frequent name alone.
func (c *clause) personName(a, b int) bool {
	s := c.body.text[a:b]
	if noIntro.MatchString(s) || isJob(s) || noName.MatchString(s) || vague.MatchString(s) || strings.HasSuffix(s, "'s") {
		return false
	}
	if !c.capital(a) {
		return givenName.MatchString(s) && !adjectiveName.MatchString(s)
	}
	for i := a; i < b; i++ {
		if i != a && c.body.text[i-1] != ' ' {
			continue
		}
		word := firstWord(c.body.text[i:b])
		said := c.words(i, i+max(len(word), 1))
		shouted := len(word) > 1 && said == strings.ToUpper(said)
		if !c.capital(i) || shouted || described.MatchString(word) && !likePeople.MatchString(word) {
			return false
		}
	}
	// Where every word has a capital, a capital says nothing.
	role := strings.Index(c.body.text, " ") + 1
	return !c.capital(role) || givenName.MatchString(firstWord(s))
}

var (
	adjectiveName = regexp.MustCompile(`^(?:frank|will|max|ed|jack|mark|rob|sue|may|dan)$`)
	// described are words with a capital for what somebody is: where from, of which faith or
	// party, or in which post.
	described = regexp.MustCompile(`^(?:\w+(?:ese|ish|ian|ean|ican|ccan|uban|nyan|moan|elan|ankan|andan|ayan|istani?|shi|ic|ful|ous|less|able|ing)|` + tongues + `|german|afghan|texan|libyan|tibetan|iraqi|kuwaiti|saudi|qatari|omani|yemeni|nepali|cypriot|croat|serb|turk|dane|swede|finn|pole|scot|brit|kiwi|aussie|spaniard|filipina|punjabi|bengali|gujarati|tamil|mormon|protestant|orthodox|lutheran|baptist|methodist|quaker|sikh|amish|bahai|democrat|libertarian|black|white|brown|mixed|deaf|army|navy|military|head|chief|director|manager|vice|senior|junior|captain|professor|president|employee|deputy|lead|principal|level|type|grade|year|class|god|santa|awesome|perfect|late|early|cute|sweet|dead|alive|asleep|trouble|rich|retired|married|engaged|divorced|microsoft|google|amazon|apple|meta|oracle|deloitte|accenture|salesforce|openai|nvidia|stripe|superman|batman|spiderman|king|queen)$`)
	// likePeople are names that end like a people's.
	likePeople = regexp.MustCompile(`^(?:eric|erik|dominic|frederic|cedric|ludovic|vic|nic|ming|jing|ling|ting|ying|ning|ian|brian|bryan|ryan|adrian|julian|sebastian|fabian|vivian|damian|damien|dorian|gillian|jillian|lillian|lilian|marian|kristian|bastian|florian|maximilian|cillian|killian|sean|jean|dean|joan|hamish|trish|aish|ayan|kian|darian|tristian|cassian|octavian|alan|elan|yoshi|duncan)$`)
)

func (m match) related(key memory.Key, value string, weak bool) []memory.Candidate {
	found := m.candidate(key, value)
	if weak {
		found.Confidence = min(found.Confidence, indirect)
	}
	if updatable(key) && m.c.changed(true) {
		found.Relation = memory.RelationUpdates
	}
	return []memory.Candidate{found}
}

var (
	// lost are ends of a relation; they are read by the endings.
	lost = regexp.MustCompile(`\b(?:put to sleep|put down|euthani[sz]ed|ran away|died|passed away|passed|is dead|left me|broke up|dumped me|is gone|would|if|might)\b`)
	// compound makes another thing of a role ("partner program", "sister company").
	compound = regexp.MustCompile(`^(?:-| (?:tongue|language|lode|nature|hood|figure|programs?|programmes?|company|companies|pillow|sites?|organi[sz]ations?|ship|projects?|accounts?|portal|network|app|integrations?|firms?|city|cities|school|board|node|process|class|component|element|directory|repo|branch|page)\b)`)
	// verbFirst is what follows a role in place of a name, in a text all of capitals.
	verbFirst  = regexp.MustCompile(`^ (?:is|are|was|were|has|have|had|does|do|did|will|can|and|or|loves?|likes?|hates?|works?|lives?|just|also)\b`)
	calledRole = regexp.MustCompile(`^ (?P<name>[^ ,.!]+)`)
)

// subject builds the relative that a statement is about: that there is one is a fact about
// the user, what they do is theirs.
func subject(key memory.Key) func(match) []memory.Candidate {
	return func(m match) []memory.Candidate {
		rest := m.folded("rest")
		bare := m.said("role")
		if lost.MatchString(rest) || compound.MatchString(rest) || strings.Contains(m.c.body.text, "my late ") {
			return nil
		}
		role := m.said("role")
		if at := calledRole.FindStringSubmatchIndex(rest); at != nil && !verbFirst.MatchString(rest) {
			a, _, _ := m.group("rest")
			if m.c.capital(a + at[2]) {
				role += " " + strings.TrimSuffix(strings.TrimSuffix(m.c.words(a+at[2], a+at[3]), "'s"), "’s")
			}
		}
		found := m.related(key, role, true)
		if !singleValued[key] {
			fuller(&found[0], bare)
		}
		return found
	}
}

var relativeItem = regexp.MustCompile(`^(?:(?:` + count + `|my|our) )?(?:` + modifiers + `)` + familyRole + `s?(?:$| (?:named|called|and|who|in|aged|at|from)\b|,| \()`)

// relatives takes the items of "two kids and a sister named Eva" that are relatives.
func relatives(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	var out []memory.Candidate
	for _, item := range m.c.items(a, b) {
		if !relativeItem.MatchString(m.c.body.text[item[0]:item[1]]) {
			continue
		}
		if v, ok := m.c.value(item[0], item[1]); ok {
			out = append(out, m.related(keyFamily, v, false)...)
		}
	}
	return out
}

// nameOf returns the name that body[a:b] begins with, empty where it is none.
func nameOf(c *clause, a, b int) string {
	if at := nameEnds.FindStringIndex(c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	if at := strings.IndexAny(c.body.text[a:b], ",.!?("); at > 0 {
		b = a + at
	}
	if when := temporal.Find(c.body.text[a:b], c.message.At); len(when) > 0 && when[0].From > 0 {
		b = a + when[0].From // "Biscuit last weekend"
	}
	s := strings.TrimRightFunc(c.body.text[a:b], outside)
	if s == "" || noName.MatchString(s) || vague.MatchString(s) || len(strings.Fields(s)) > 3 {
		return ""
	}
	return c.words(a, a+len(s))
}
