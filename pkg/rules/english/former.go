package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// former are pastimes, languages, names and ailments that the user has no longer, or never
// had. Most are denials, which count only for who knows of what is denied.
var former = topic{name: "former", rules: []rule{
	{name: "end.pastime", cues: []string{"any more", "no longer"}, build: endPastime,
		pattern: `^{i} (?:do not (?P<v>` + pursued + `)(?: (?:at all|regularly|much|outdoors|competitively|for fun))? any more|no longer (?P<w>` + pursued + `)(?:$| (?:at all|regularly|because|since|so)\b))`},
	{name: "end.not-played", cues: []string{"not played", "done with"}, key: keyHobbies, take: knownPastime, ends: true, must: true,
		pattern: `^{i} (?:(?:have not|had not) (?:played|done|practised) (?:the |any )?(?P<v>.+?) (?:in|for) (?:\w+ )?(?:years|ages|decades|forever)|am done with (?P<w>[\w ]+))$`},
	{name: "end.ensemble", cues: []string{"quit", "left"}, key: keyHobbies, take: one, ends: true, must: true,
		pattern: `^{i} (?:have )?(?:quit|left) (?:my|our|the) (?:[\w-]+ ){0,2}?(?P<v>choir|band|orchestra|ensemble|troupe|quartet|football team|soccer team|book club|chess club|running club)(?:$| (?:last|this|in|because|after|two|three|a)\b.*)`},
	{name: "end.language", cues: []string{"speak", "forgot"}, key: keyLanguages, take: unspoken, ends: true, must: true,
		pattern: `^{i} (?:do not|no longer|cannot|used to|could) (?:speak|know) (?:any )?(?P<v>[\w, ]+?)(?: at all| any more| any longer| after all)*$|^{i} (?:have )?(?:forgotten|forgot) (?:all |most )?(?:of )?my (?P<w>[\w ]+)$`},
	{name: "end.employer-at", cues: []string{"no longer at", "not at"}, key: keyEmployer, take: firmLeft, ends: true, must: true,
		pattern: `^{i} am (?:no longer at (?P<v>.+)|not at (?P<w>.+) any more)$`},
	{name: "end.name", cues: []string{"go by", "use the name", "called"}, key: keyName, take: one, ends: true, must: true,
		pattern: `^{i} (?:(?:do not|no longer) (?:go by|use the name)|am (?:not|no longer) called) (?:the name )?(?P<v>[\w'-]+(?: [\w'-]+)??)(?: any more)?$`},
	{name: "end.commute", cues: []string{"to work", "to the office"}, build: endCommute,
		pattern: `^{i} (?:(?:have )?(?:stopped|quit|gave up|given up) (?P<x>cycling|biking|walking|driving|running|carpooling)|(?:do not|no longer) (?:(?P<v>walk|bike|cycle|drive|run|carpool)|(?:take|ride|catch) (?:the |my )?(?P<w>` + vehicle + `))) to (?:work|the office|my office)(?: any more)?$`},
	{name: "end.health-not", cues: []string{"have", "had", "suffer", "diagnosed", "got over", "outgrew", "outgrown"}, build: endHealth,
		pattern: `^{i} (?:do not (?:have|suffer from)|(?:have )?never (?:had|suffered from)|did not (?:have|suffer from)|was (?:wrongly diagnosed|misdiagnosed) with|was never diagnosed with|got over my|outgrew my|have outgrown my) (?P<v>(?:` + conditions + `)(?:(?:,| or| and|, or) (?:` + conditions + `))*)(?P<rest>$|\W.*$)`},
	{name: "end.health-am-not", cues: []string{" not ", "never"}, build: endHealth,
		pattern: `^{i} (?:(?:am|are|was) (?:not|never)|have never been) (?:a |an )?(?P<v>` + ailing + `)(?P<rest>$|\W.*$)`},
	{name: "end.health-gone", cues: []string{"my "}, build: endHealth,
		pattern: `^my (?P<v>` + conditions + `) (?:(?:is|has|have|was)(?: been)? (?:completely |finally |now |all )*(?:gone|cured|gone away|cleared up|disappeared|in remission|a misdiagnosis|misdiagnosed)|went away|cleared up|disappeared|turned out to be (?:a misdiagnosis|nothing|something else))$`},
	{name: "end.allergy-never", cues: []string{"allerg"}, build: endAllergy,
		pattern: `^(?:{i} (?:do not have|no longer have|never had|have never had) (?:an?|any|the|my) (?P<v>[\w-]+(?: [\w-]+)?) allergy(?: at all| after all| any more)*|{i} (?:was never|have never been|never was|used to be) allergic to (?P<w>[\w ]+)|my (?P<x>[\w-]+(?: [\w-]+)?) allergy (?:(?:is|has|was) (?:completely |finally |now |all )*(?:gone|gone away|cleared up|disappeared|cured|a misdiagnosis)|went away|cleared up|disappeared))$`},
	{name: "end.allergy-eats", cues: []string{" again"}, key: keyAllergies, take: knownFood, ends: true, must: true,
		pattern: `^{i} can (?:finally )?eat (?P<v>[\w ]+?) again$`},
}}

// pursued are pastimes that are verbs, as they are said to be over.
const pursued = `swim|run|jog|cycle|hike|paint|knit|draw|sing|dance|surf|ski|climb|garden|bake|meditate|box|row|sail|skate|fish|crochet|sew`

// gerunds are the names of those pastimes.
var gerunds = map[string]string{
	"swim": "swimming", "run": "running", "jog": "jogging", "cycle": "cycling", "hike": "hiking", "paint": "painting",
	"knit": "knitting", "draw": "drawing", "sing": "singing", "dance": "dancing", "surf": "surfing", "ski": "skiing",
	"climb": "climbing", "garden": "gardening", "bake": "baking", "meditate": "meditating", "box": "boxing",
	"row": "rowing", "sail": "sailing", "skate": "skating", "fish": "fishing", "crochet": "crocheting", "sew": "sewing",
}

// endPastime ends "knit" and "knitting", by whichever it is known.
func endPastime(m match) []memory.Candidate {
	verb := m.folded("v") + m.folded("w")
	return []memory.Candidate{m.end(keyHobbies, verb, true), m.end(keyHobbies, gerunds[verb], true)}
}

var game = regexp.MustCompile(`^(?:(?:table|beach|ice|field|american|water|ultimate) )?(?:tennis|ping[- ]pong|football|soccer|basketball|baseball|softball|volleyball|handball|hockey|rugby|cricket|golf|squash|badminton|padel|pickleball|lacrosse|polo|frisbee|darts|snooker|billiards|bowling|bridge|poker|chess|checkers|backgammon|scrabble|esports|video games|gaming|board games|paintball|piano|guitar|violin|cello|viola|drums|flute|clarinet|saxophone|sax|trumpet|trombone|harp|ukulele|bass|banjo|accordion|oboe|organ)$`)

// isPastime reports whether s is done for pleasure, and no food.
func isPastime(s string) bool {
	return sport.MatchString(s) || game.MatchString(s) || gerund.MatchString(s)
}

// knownPastime takes what is known as one and nothing else.
func knownPastime(m match) []string {
	for _, group := range []string{"v", "w"} {
		if s := m.folded(group); s != "" && (sport.FindString(s) == s || game.MatchString(s)) {
			return []string{m.said(group)}
		}
	}
	return nil
}

// unspoken takes languages alone: who does not speak French well speaks it.
func unspoken(m match) []string {
	var out []string
	for _, group := range []string{"v", "w"} {
		a, b, ok := m.group(group)
		if !ok {
			continue
		}
		for _, item := range m.c.items(a, b) {
			s := m.c.body.text[item[0]:item[1]]
			at := tongue.FindStringSubmatchIndex(s)
			if at == nil || at[3] != len(s) || at[2] != 0 {
				return nil
			}
			out = append(out, m.c.words(item[0], item[1]))
		}
	}
	return out
}

func endCommute(m match) []memory.Candidate {
	return []memory.Candidate{m.end(keyCommute, m.said("v")+m.said("w")+m.said("x"), true)}
}

// endHealth ends an ailment that is denied, for who knows of it, under either of its names.
func endHealth(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if rest := m.folded("rest"); !ok || noAilment.MatchString(rest) || figurative.MatchString(rest) || stillAiling.MatchString(rest) {
		return nil
	}
	var out []memory.Candidate
	for _, item := range m.c.items(a, b) {
		said := m.c.words(item[0], item[1])
		out = append(out, m.end(keyHealth, said, true))
		if other := otherWord[strings.ToLower(said)]; other != "" {
			out = append(out, m.end(keyHealth, other, true))
		}
	}
	return out
}

// stillAiling follows a denial that is about how bad, or how it shows.
var stillAiling = regexp.MustCompile(`^ (?:attacks?|episodes?|that|as|symptoms?|flare|today|right now|every|often|yet|under|all the time|until|before|when|while|as a|bad|badly|meds|medication|pills)\b`)

func endAllergy(m match) []memory.Candidate {
	for _, group := range []string{"v", "w", "x"} {
		if v := m.said(group); v != "" && !noAllergen.MatchString(strings.ToLower(v)) {
			return []memory.Candidate{m.end(keyAllergies, v, true)}
		}
	}
	return nil
}

// knownFood takes one thing that is known to be eaten.
func knownFood(m match) []string {
	if !edible.MatchString(m.folded("v")) {
		return nil
	}
	return fewer(3, one)(m)
}

// firmLeft takes a firm by its name: one is also no longer at the airport.
func firmLeft(m match) []string {
	for _, group := range []string{"v", "w"} {
		if a, b, ok := m.group(group); ok && m.c.capital(a) {
			if v, ok := m.c.value(a, b); ok {
				return []string{v}
			}
		}
	}
	return nil
}
