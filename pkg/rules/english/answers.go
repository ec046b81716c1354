package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// asked is the assistant's question behind a clause that the user did not say in full, but
// affirmed or completed.
type asked struct {
	// message is the number of the question's message, question its words.
	message  int
	question string
	// statement is what the answer makes of the question, in the first person.
	statement string
}

var (
	yes = regexp.MustCompile(`^(?:yes|yeah|yep|yup|yea|ya|correct|exactly|right|sure|indeed|true|of course|absolutely|definitely|that is right|that is correct|that is true|you got it|i do|i am|i have|i did|i can|i was|affirmative|uh huh|mhm|sure do|certainly|still do|it is|a little|a little bit|a bit|fluently|natively)(?:(?:,|\.|!)* ?(?:yes|that is right|that is correct|correct|right|i do|i am|i have|i did|i can|i was|it is|indeed|exactly|still do|thanks|thank you|please|sir|of course|since .+|for .+|in .+|last .+|.+ ago|twice|once|recently|why|always have|always|very much|very much so|a lot|absolutely|definitely|it does|he does|she does|they do|we do|we are|we have|love it|and .*|but .*|actually|unfortunately|sadly))*$`)
	no  = regexp.MustCompile(`^(?:no|nope|nah|not any more|not really|never|wrong|incorrect|actually no|no longer)(?:(?:,|\.|!)* ?(?:i do not|i am not|i have not|i did not|it is not|not any more|sorry|not really|thanks|thank you|that is wrong|actually))*$`)
	// noBut opens an answer that gives the right value.
	noBut = regexp.MustCompile(`^(?:no|nope|nah|not any more|not quite|not really|wrong|actually)(?:,|\.|!|-)* (?:(?:actually|sorry|it is|rather|now|i meant|in fact|anymore|but)(?:,|\.)* )*(?P<v>.+)$`)
	// openers stand before the value of an answer.
	openers  = regexp.MustCompile(`^(?:(?:it is|it's|that is|that would be|that'd be|it would be|they are|mine is|i am|i was|in|at|from|on|by|to|for|as|well|uh|um|oh|so|mostly|mainly|currently|now|actually|just|yes|yeah|sure|ok|still|probably|hi|hey|sorry|my name is|you can call me|call me|a|an|the|only|both|only to|i think|and|around|near|about|usually|i take|i use|born|born on|born in|called|named|she is|he is|her name is|his name is|its name is)(?:,|\.|:)? )+`)
	evasive  = regexp.MustCompile(`^(?:no|not|none|nope|nothing|nah|not really|never|why|what|who|where|how|when|i |you |we |my |can |could |do |does |is |are |will |would |should |please|thanks|thank you|ok|okay|skip|pass|whatever|anything|nowhere|no one|nobody|idk|dunno|good|fine|great|maybe|perhaps|depends|it depends|not sure|both|either|neither|none of|rather not|prefer not|guess|secret|a secret|private|later|never mind|nevermind|forget|don't|do not|stop|help|let|tell|show|give|hm|hmm|haha|lol|yes|yeah|sure|right|correct|all|many|some|lots|different|various|here|there|home|somewhere|unemployed\?|that's|cool|nice|hello|hi)\b`)
	finalAsk = regexp.MustCompile(`^(?:(?:and|so|but|ok|okay|great|nice|cool|thanks|just to (?:confirm|check|be sure)|to confirm|by the way|btw|also|one more thing|quick question|first|nice to meet you|hello|hi|sure|got it|i see|out of curiosity|may i ask|can i ask|could you tell me|can you tell me|tell me|do you mind telling me|if i may ask|am i right that|is it (?:true|right|correct) that|did you say(?: that)?|didn't you say(?: that)?|you said(?: that)?|you mentioned(?: that)?|i remember(?: that)?|if i remember correctly|as i recall|you told me(?: that)?)(?:,|:|-|!|\.)? )+`)
)

// turned are questions whose affirmation is a statement: the opening of the question, and
// of the statement.
var turned = []struct {
	question  *regexp.Regexp
	statement string
}{
	{regexp.MustCompile(`^(?:do not|do) you (?:still |currently )?`), "I "},
	{regexp.MustCompile(`^(?:are not|are) you (?:still |currently )?`), "I am "},
	{regexp.MustCompile(`^were you `), "I was "},
	{regexp.MustCompile(`^have you (?:got |ever )?`), "I have "},
	{regexp.MustCompile(`^can you `), "I can "},
	{regexp.MustCompile(`^(?:is not|is) your `), ""},
	{regexp.MustCompile(`^does your `), ""},
	{regexp.MustCompile(`^you are (?:still |currently )?`), "I am "},
	{regexp.MustCompile(`^you have `), "I have "},
	{regexp.MustCompile(`^you (?:still |currently )?`), "I "},
	{regexp.MustCompile(`^your `), "My "},
}

var (
	possessive  = regexp.MustCompile(`^(?:is not|is|does) your (?P<noun>[\w' -]*?(?:name|birthday|birth date|job|hometown|city|employer|commute|mother tongue|native language|first language|diet|favourite \w+)) (?P<v>.+)$`)
	isYours     = regexp.MustCompile(`^is (?P<v>[^ ].*) your (?P<noun>(?:full |first |last )?(?:name|birthday|job|hometown|city|employer|native language|mother tongue))$`)
	didYou      = regexp.MustCompile(`^did you (?P<verb>move|start|quit|change|get|become|join|go|visit|buy|graduate|finish|grow up|switch) (?P<v>.+)$`)
	pastOf      = map[string]string{"move": "moved", "start": "started", "quit": "quit", "change": "changed", "get": "got", "become": "became", "join": "joined", "go": "went", "visit": "visited", "buy": "bought", "graduate": "graduated", "finish": "finished", "grow up": "grew up", "switch": "switched"}
	questionTag = regexp.MustCompile(`,? (?:right|correct|yes|is not it|is it not|do not you|are not you|have not you|did not you|is that right|is that correct|is that true|am i right|then|or not|or no|now|or)$`)
	choice      = regexp.MustCompile(` or `)
	together    = regexp.MustCompile(`^\w+ you and `)
)

// topicsAsked are the questions for a value: what they ask for, and how the answer reads as
// a statement ("%" is the value).
var topicsAsked = []struct {
	question  *regexp.Regexp
	key       memory.Key
	statement string
	many      bool
	take      *regexp.Regexp
}{
	{regexp.MustCompile(`\b(?:where (?:do|are) you (?:currently |now )*(?:live|living|based|located|reside)|(?:what|which) (?:city|town|place|part of the world) (?:do|are) you (?:live|living|in|based|from)|(?:what|which) city|where you (?:live|are based)|do you live in|you live in|are you based in)\b`), keyCity, "I live in %", false, nil},
	{regexp.MustCompile(`\b(?:where (?:are you (?:originally )?from|did you grow up|were you born|do you come from)|hometown)\b`), keyHometown, "I am from %", false, nil},
	{regexp.MustCompile(`\b(?:your (?:dog|cat|pet)'s name|(?:dog|cat|pet|he|she) (?:called|named)|name of your (?:dog|cat|pet))\b`), "", "", false, nil},
	{regexp.MustCompile(`\b(?:(?:wife|husband|partner|girlfriend|boyfriend|brother|sister|son|daughter|mother|father|mom|dad|friend|boss|company|employer|manager|team|project|app|product)'s name)\b`), "", "", false, nil},
	{regexp.MustCompile(`\b(?:(?:what|who) (?:is|was) your (?:full |first |last )?name|your name|what (?:should|can|may|shall|do) (?:i|we|people) call you|what would you like to be called|who am i (?:talking|speaking) (?:to|with))\b`), keyName, "My name is %", false, nil},
	{regexp.MustCompile(`\b(?:where do you work|who do you work for|(?:which|what) company|who is your employer|your employer|do you work (?:at|for))\b`), keyEmployer, "I work at %", false, nil},
	{regexp.MustCompile(`\b(?:what do you do for fun|(?:what are|any|your|some) (?:of )?(?:your )?hobbies|what do you (?:like to )?do in your (?:free|spare) time|free time)\b`), keyHobbies, "My hobbies are %", true, nil},
	{regexp.MustCompile(`\b(?:what do you do(?: for a living| for work)?$|what do you do for (?:a living|work)|what is your (?:job|occupation|profession)|your (?:job|occupation|profession)|what kind of work|what line of work)\b`), keyOccupation, "I work as %", false, nil},
	{regexp.MustCompile(`\b(?:allerg(?:y|ies|ic))\b`), keyAllergies, "I am allergic to %", true, nil},
	{regexp.MustCompile(`\b(?:birthday|when were you born|date of birth|birth date)\b`), keyBirthday, "My birthday is %", false, regexp.MustCompile(`^` + dayName)},
	{regexp.MustCompile(`\b(?:do you speak \w+|languages? (?:do|can) you speak|which languages|what languages|native language|mother tongue)\b`), keyLanguages, "I speak %", true, regexp.MustCompile(tongue.String())},
	{regexp.MustCompile(`\b(?:(?:what|which|any|have) pets?|kind of pet|what pets|have any pets)\b`), keyPets, "I have %", true, regexp.MustCompile(petItem.String())},
	{regexp.MustCompile(`\b(?:how do you (?:usually |normally )?(?:get|commute|go|travel) to (?:work|the office)|your commute)\b`), keyCommute, "I commute by %", false, nil},
	{regexp.MustCompile(`\b(?:dietary (?:restrictions?|preferences?|requirements?|needs)|your diet|special diet)\b`), keyDiet, "My diet is %", false, regexp.MustCompile(`^(?:` + diets + `)$`)},
}

// answer reads the first sentence of message i as an answer to the question with which the
// assistant's message just before it ends. It reports whether the sentence is only that.
func (r *reader) answer(i int, sentences []sentence.Sentence) bool {
	if i == 0 || len(sentences) == 0 || r.messages[i-1].Role != memory.RoleAssistant {
		return false
	}
	m, before := &r.messages[i], &r.messages[i-1]
	questions := sentence.Split(before.Content)
	if len(questions) == 0 {
		return false
	}
	q := questions[len(questions)-1]
	first := sentences[0]
	if !q.Question || q.Language != sentence.English || first.Question || first.Language != sentence.English {
		return false
	}
	said := fold(m.Content, first.From, first.To)
	said = said.cut(0, len(strings.TrimRightFunc(said.text, outside)))
	if said.text == "" {
		return false
	}
	c := &clause{message: m, all: said, body: said, whole: said.text}
	c.from, c.to = said.span(0, len(said.text))
	c.asked = &asked{message: before.Number, question: q.Text}
	text := fold(before.Content, q.From, q.To)
	switch {
	case yes.MatchString(said.text):
		if !r.affirm(c, before, text) && !r.continued(c, before, text) {
			r.complete(c, before, said)
		}
		return len(strings.Fields(said.text)) <= 3
	case no.MatchString(said.text):
		r.deny(c, before, text)
		return true
	}
	if r.reply(c, before, text, i) || r.complete(c, before, said) || r.continued(c, before, text) {
		return true
	}
	if refusal.MatchString(said.text) {
		r.deny(c, before, text)
	}
	return false
}

// stateOf turns a folded question into the user's statement, in the question's own words;
// ok is false where it is none.
func stateOf(content string, q folded) (string, bool) {
	text := strings.TrimRightFunc(q.text, outside)
	start := len(finalAsk.FindString(text))
	for at := questionTag.FindStringIndex(text); at != nil; at = questionTag.FindStringIndex(text) {
		text = text[:at[0]]
	}
	if start >= len(text) || choice.MatchString(text) || together.MatchString(text[start:]) {
		return "", false
	}
	rest := func(at int) string {
		if at >= len(text) {
			return ""
		}
		from, to := q.span(at, len(text))
		return content[from:to]
	}
	body := text[start:]
	if at := possessive.FindStringSubmatchIndex(body); at != nil {
		nf, nt := q.span(start+at[2], start+at[3])
		return "My " + content[nf:nt] + " is " + rest(start+at[4]), true
	}
	if at := didYou.FindStringSubmatchIndex(body); at != nil {
		return "I " + pastOf[body[at[2]:at[3]]] + " " + rest(start+at[4]), true
	}
	if at := isYours.FindStringSubmatchIndex(body); at != nil {
		vf, vt := q.span(start+at[2], start+at[3])
		return "My " + rest(start+at[4]) + " is " + content[vf:vt], true
	}
	for _, t := range turned {
		if at := t.question.FindString(body); at != "" && t.statement != "" {
			return t.statement + yourToMy.Replace(rest(start+len(at))), true
		}
	}
	return "", false
}

var yourToMy = strings.NewReplacer(" your ", " my ", "your ", "my ")

// affirm states what the question supposed, and reports whether that is anything.
func (r *reader) affirm(c *clause, before *memory.Message, q folded) bool {
	found := r.supposed(c, before, q)
	for _, f := range found {
		r.found = append(r.found, finding{f, c})
	}
	return len(found) > 0
}

// deny ends what the question supposed, if it is known at all.
func (r *reader) deny(c *clause, before *memory.Message, q folded) {
	for _, f := range r.supposed(c, before, q) {
		if f.Key == "" || f.Relation == memory.RelationEnds || vague.MatchString(strings.ToLower(f.Value)) {
			continue
		}
		end := match{c: c}.candidate("", "")
		end.Text, end.About, end.Relation = c.message.Content[c.from:c.to], f.Key, memory.RelationEnds
		end.Stability = memory.Transient // "no" is nothing to recall
		end.Target = &memory.Target{Key: f.Key, Value: f.Value, Must: true}
		r.found = append(r.found, finding{end, c})
	}
}

// supposed is what the rules find in the statement that the question would be.
func (r *reader) supposed(c *clause, before *memory.Message, q folded) []memory.Candidate {
	statement, ok := stateOf(before.Content, q)
	if !ok {
		return nil
	}
	return r.rephrased(c, statement)
}

// rephrased is what the rules find in a statement that the answer amounts to.
func (r *reader) rephrased(c *clause, statement string) []memory.Candidate {
	said := *c
	told := fold(statement, 0, len(statement))
	answer := *c.asked
	answer.statement = statement
	said.pairs, said.wholePairs = nil, nil
	said.asked, said.all, said.told, said.body, said.whole = &answer, told, told, lean(told), told.text
	if hedged.re.MatchString(told.text) || conditional.MatchString(told.text) {
		return nil
	}
	stated := every(keyed, &said)
	if len(stated) == 0 {
		stated = first(ahead, &said)
	}
	if len(stated) == 0 {
		stated = first(others, &said)
	}
	var out []memory.Candidate
	for _, f := range withMentions(stated, &said) {
		if !indefinite.MatchString(strings.ToLower(f.Value)) {
			out = append(out, f)
		}
	}
	return out
}

// noWorries opens with "no" and denies nothing.
var noWorries = regexp.MustCompile(`^(?:no|not) (?:problem|worries|idea|thanks|thank you|way|need|clue|comment|rush|hurry|matter|big deal|biggie|doubt|kidding|sure|important)\b`)

var indefinite = regexp.MustCompile(`^(?:any|some|anything|something|anyone|pets?|siblings?|allerg(?:y|ies)|kids?|children)\b`)

// complete reads a fragment as the value that the question asks for. A denial before it, or
// a question that offers a choice, makes it a correction.
func (r *reader) complete(c *clause, before *memory.Message, said folded) bool {
	if len(strings.Fields(said.text)) > 12 || noWorries.MatchString(said.text) {
		return false
	}
	if r.completeNoun(c, before, said) {
		return true
	}
	topic := -1
	asking := unstill(fold(before.Content, 0, len(before.Content)).text)
	q := unstill(fold(before.Content, strings.LastIndex(before.Content, c.asked.question), len(before.Content)).text)
	for _, text := range []string{q, asking} {
		for n, t := range topicsAsked {
			if t.question.MatchString(strings.TrimRightFunc(text, outside)) {
				topic = n
				break
			}
		}
		if topic >= 0 {
			break
		}
	}
	if topic < 0 || topicsAsked[topic].key == "" {
		return false
	}
	t := topicsAsked[topic]
	if pointsAt.MatchString(said.text) || t.key != keyBirthday && startsDate.MatchString(said.text) {
		return false
	}
	a, corrected := 0, strings.Contains(q, " or ")
	if at := noBut.FindStringSubmatchIndex(said.text); at != nil {
		a, corrected = at[2*noBut.SubexpIndex("v")], true
	}
	a += len(openers.FindString(said.text[a:]))
	if a >= len(said.text) || evasive.MatchString(said.text[a:]) || corrected && choice.MatchString(q) && choice.MatchString(said.text[a:]) {
		return false
	}
	if !t.many && opens.MatchString(said.text[a:]) {
		return false
	}
	return r.fill(c, t.key, t.statement, t.many, t.take, a, corrected || signs.re.MatchString(said.text) || strings.Contains(said.text, "sorry"))
}

var (
	// pointsAt is an answer that names an offer by its place, or all of them, and no value.
	pointsAt = regexp.MustCompile(`^(?:(?:it is|oh|well|um|uh|so|hmm?|in|at|sorry|actually),? )*(?:the )?(?:(?:first|second|third|fourth|last|former|latter|other|same)(?: (?:one|two|option|value|answer|version|name|place|city))?|` +
		`(?:old|new|older|newer|oldest|newest|latest|previous|original|earlier|later|current|most recent) (?:one|option|value|answer|version|name|place|city)|both(?: of (?:them|those|these|the two))?|neither(?: of (?:them|those|these|the two))?|either)(?:$| ?[,.!;]| please| thanks| i (?:said|gave|told|mentioned))`)
	startsDate = regexp.MustCompile(`^(?:(?:it is|on) )?` + dayName)
)

// unstill drops the adverbs of a folded question that its patterns do not care about.
func unstill(s string) string {
	return strings.NewReplacer("you still ", "you ", "you currently ", "you ", "you now ", "you ").Replace(s)
}

var askedNoun = regexp.MustCompile(`^(?:what|who|when|which|how) (?:is|are|was) your (?P<noun>[\w' -]+)$`)

// completeNoun reads the answer to "What is your X?" as the statement "My X is …".
func (r *reader) completeNoun(c *clause, before *memory.Message, said folded) bool {
	q := fold(before.Content, strings.LastIndex(before.Content, c.asked.question), len(before.Content))
	text := strings.TrimRightFunc(q.text, outside)
	start := len(finalAsk.FindString(text))
	at := askedNoun.FindStringSubmatchIndex(text[start:])
	if at == nil {
		return false
	}
	a := len(openers.FindString(said.text))
	if a >= len(said.text) || evasive.MatchString(said.text[a:]) || opens.MatchString(said.text[a:]) {
		return false
	}
	nf, nt := q.span(start+at[2], start+at[3])
	from, to := said.span(a, len(said.text))
	statement := "My " + before.Content[nf:nt] + " is " + c.message.Content[from:to]
	return r.restated(c, statement)
}

// fill makes candidates of the values in the answer from a on.
func (r *reader) fill(c *clause, key memory.Key, statement string, many bool, take *regexp.Regexp, a int, corrected bool) bool {
	local := *c
	local.asked = nil
	items := [][2]int{{a, len(c.body.text)}}
	if many {
		items = local.items(a, len(c.body.text))
	}
	any := false
	for _, item := range items {
		from, to := local.tidy(item[0], item[1])
		if from >= to || hedged.re.MatchString(c.body.text[item[0]:item[1]]) {
			continue
		}
		if key == keyOccupation {
			if at := jobEnds.FindStringIndex(c.body.text[from:to]); at != nil {
				to = from + at[0]
			}
		}
		if take != nil {
			at := take.FindStringIndex(c.body.text[from:to])
			if at == nil {
				continue
			}
			to = from + at[1]
		} else if comma := strings.Index(c.body.text[from:to], ","); comma > 0 && key != keyCity {
			to = from + comma
		}
		v, ok := local.value(from, to)
		if !ok || len(strings.Fields(v)) > 5 || indefinite.MatchString(strings.ToLower(v)) {
			continue
		}
		found := match{c: c}.candidate(key, v)
		found.Text = strings.Replace(statement, "%", articleBefore(c.body.text, from)+v, 1)
		if corrected && updatable(key) {
			found.Relation = memory.RelationUpdates
		}
		r.found = append(r.found, finding{found, c})
		any = true
	}
	return any
}

// articleBefore is the indefinite article in front of text[at:], for the statement; the
// value itself goes without.
func articleBefore(text string, at int) string {
	for _, article := range []string{"a ", "an "} {
		if strings.HasSuffix(" "+text[:at], " "+article) {
			return article
		}
	}
	return ""
}
