package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// reply reads answers that say only together with their question what they mean, each in
// its own way: the statement that both make is read like any other.
func (r *reader) reply(c *clause, before *memory.Message, q folded, i int) bool {
	text := strings.TrimRightFunc(q.text, outside)
	text = text[len(finalAsk.FindString(text)):]
	return r.taste(c, before, q) || r.work(c, before, c.all) || r.preferred(c, text) || r.counted(c, text) ||
		r.rather(c, before, q) || r.toWork(c, text) || r.prefixed(c, text) || r.nameOfPet(c, text, i)
}

// refusal is a "no" with more behind it, which does not say what is right.
var refusal = regexp.MustCompile(`^(?:haha,? |lol,? )?(?:no|nope|nah)(?:$|[,.!] | (?:i|we|he|she|it|they|not|sorry|haha|lol)\b)`)

var (
	preferAsked = regexp.MustCompile(`^(?:do|would) you (?:prefer|rather have|like) (?P<a>[\w' -]+?)(?: more| better)?,? (?:or|over|to) (?P<b>[\w' -]+?)(?: more| better)?$`)
	courtesies  = regexp.MustCompile(`^(?:definitely|always|probably|i prefer|i like|usually|mostly) |,? (?:please|definitely|always|of course|any day|usually|mostly)$`)
	countAsked  = regexp.MustCompile(`^how many (?P<n>[\w ]+?) do you have$`)
	countGiven  = regexp.MustCompile(`^(?:just |only )?(?P<v>\d{1,2}|one|two|three|four|five|six|seven)$`)
	ageAsked    = regexp.MustCompile(`^(?:how old are you|what is your age)$`)
	ageGiven    = regexp.MustCompile(`^(?:i am )?(?P<v>\d{1,2})$`)
	aNoun       = regexp.MustCompile(`^(?:no|nope|nah|not quite|not really)[,.!]* (?:(?:actually|now)[, ]+)*(?P<v>an? .+)$`)
	ways        = regexp.MustCompile(`^(?:(?:no|nope|nah|not really)[,.!]* )?(?P<v>i (?:usually |mostly |normally )?(?:take|ride|catch|walk|bike|cycle|drive|run)\b.*)$`)
	petNamed    = regexp.MustCompile(`^what (?:is|are) (?:her|his|its|their|the (?:dog|cat|puppy|kitten|pet)'s) names?$|^what do you call (?:it|him|her)$`)
	lone        = regexp.MustCompile(`^(?:(?:he|she|it) is called |(?:his|her|its) name is )?(?P<v>[\w'-]+)$`)
)

// prefixes are questions whose answer completes a statement that they only ask for.
var prefixes = []struct {
	question  *regexp.Regexp
	statement string
}{
	{regexp.MustCompile(`\binstruments?\b`), "I play "},
	{regexp.MustCompile(`\b(?:which|what|any) sports?\b`), "I play "},
	{regexp.MustCompile(`^(?:what|which subject) (?:do you study|are you studying)$|^what is your major$`), "I study "},
}

// preferred reads one of the two things that the question offers.
func (r *reader) preferred(c *clause, question string) bool {
	at := preferAsked.FindStringSubmatch(question)
	if at == nil {
		return false
	}
	from, to := 0, len(c.all.text)
	for cut := courtesies.FindStringIndex(c.all.text[from:to]); cut != nil; cut = courtesies.FindStringIndex(c.all.text[from:to]) {
		if cut[0] == 0 {
			from += cut[1]
		} else {
			to = from + cut[0]
		}
	}
	answer := c.all.text[from:to]
	if answer != at[1] && answer != at[2] {
		return false
	}
	a, b := c.all.span(from, to)
	return r.restated(c, "I prefer "+c.message.Content[a:b])
}

// counted reads "two" after "How many kids do you have?", and an age.
func (r *reader) counted(c *clause, question string) bool {
	if at := countAsked.FindStringSubmatch(question); at != nil {
		if given := countGiven.FindStringSubmatch(c.all.text); given != nil {
			return r.restated(c, "I have "+given[1]+" "+at[1])
		}
	}
	if given := ageGiven.FindStringSubmatch(c.all.text); given != nil && ageAsked.MatchString(question) {
		return r.restated(c, "I am "+given[1])
	}
	return false
}

// rather reads "no, a doctor" after "Are you a nurse?".
func (r *reader) rather(c *clause, before *memory.Message, q folded) bool {
	at := aNoun.FindStringSubmatchIndex(c.all.text)
	statement, ok := stateOf(before.Content, q)
	if at == nil || !ok || !strings.HasPrefix(statement, "I am a") {
		return false
	}
	from, to := c.all.span(at[2], at[3])
	n := len(r.found)
	found := r.restated(c, "I am "+c.message.Content[from:to])
	for i := n; i < len(r.found); i++ {
		if updatable(r.found[i].Key) {
			r.found[i].Relation = memory.RelationUpdates
		}
	}
	return found
}

// toWork reads "I take the bus" after a question about the way to work.
func (r *reader) toWork(c *clause, question string) bool {
	at := ways.FindStringSubmatchIndex(c.all.text)
	if at == nil || !strings.Contains(question, " to work") || strings.Contains(c.all.text, " to work") {
		return false
	}
	from, to := c.all.span(at[2], at[3])
	n := len(r.found)
	found := r.restated(c, c.message.Content[from:to]+" to work")
	for i := n; i < len(r.found) && c.all.text[0] == 'n'; i++ {
		r.found[i].Relation = memory.RelationUpdates
	}
	return found
}

// prefixed reads "the oboe" after "Do you play any instruments?".
func (r *reader) prefixed(c *clause, question string) bool {
	if len(strings.Fields(c.all.text)) > 6 || evasive.MatchString(c.all.text) || opens.MatchString(c.all.text) {
		return false
	}
	for _, p := range prefixes {
		if p.question.MatchString(question) {
			from, to := c.all.span(0, len(c.all.text))
			return r.restated(c, p.statement+c.message.Content[from:to])
		}
	}
	return false
}

// nameOfPet reads "Mimi" after "What's her name?" about the animal of the message before.
func (r *reader) nameOfPet(c *clause, question string, i int) bool {
	at := lone.FindStringSubmatchIndex(c.all.text)
	if at == nil || !petNamed.MatchString(question) || evasive.MatchString(c.all.text) {
		return false
	}
	pet, ok := r.antecedent(keyPets, i)
	if !ok || strings.Contains(pet, " named ") {
		return false
	}
	from, to := c.all.span(at[2], at[3])
	return r.restated(c, "My "+pet+"'s name is "+c.message.Content[from:to])
}

// antecedent is the value of key of which the user spoke last before message i, in this
// consolidation or before it.
func (r *reader) antecedent(key memory.Key, i int) (value string, ok bool) {
	f, ok := r.before(i, func(f *finding) bool { return f.Key == key })
	return f.Value, ok
}

// before is the last finding that fits, in the two messages of the user before message i;
// those that were consolidated before are read again.
func (r *reader) before(i int, fits func(*finding) bool) (f finding, ok bool) {
	for n, seen := i-1, 0; n >= 0 && seen < 2; n-- {
		if r.messages[n].Role != memory.RoleUser {
			continue
		}
		seen++
		again := r
		if r.messages[n].Context {
			m := r.messages[n]
			m.Context = false
			again = &reader{messages: []memory.Message{m}}
			again.message(0)
		}
		for k := len(again.found) - 1; k >= 0; k-- {
			if found := &again.found[k]; found.Source.Message == r.messages[n].Number && fits(found) {
				return *found, true
			}
		}
	}
	return finding{}, false
}

// index is the place of the message with that number.
func (r *reader) index(number int) int {
	for i := range r.messages {
		if r.messages[i].Number == number {
			return i
		}
	}
	return -1
}

var (
	// tasteAsked is a question whether the user likes something; tasteOfIt may answer it.
	tasteAsked = regexp.MustCompile(`^(?:do|do not) you (?:still |really )?(?:like|love|enjoy|hate|dislike) (?P<v>[^?]+?)$`)
	// doing is an answer that tells an occupation as a doing ("I drive a taxi").
	doing = regexp.MustCompile(`^i (?:mostly |mainly |usually )?(?:drive|teach|sell|build|design|fix|make|write|paint|clean|run|manage|own|repair|install|train|coach|cook|bake|grow|raise|farm|deliver|translate|edit|trade|develop|program|code|research|care for|look after|take care of|produce|operate|fly|breed|groom|cut|style|tutor|direct|film|publish|import|export|restore|weld|organi[sz]e|plan|lead|supervise|analy[sz]e|test|advise|recruit|represent|treat|serve) (?:[\w'-]+ ?){1,6}$`)
	// further goes on after a yes ("yes, to Julia").
	further = regexp.MustCompile(`^(?:yes|yeah|yep|yup|i am|i do|sure)(?:,|\.|!)? (?:i am |i do )?(?P<v>(?:to|at|in|with|for|as) .+)$`)
)

// taste reads "I love it!" as the answer to "Do you like jazz?".
func (r *reader) taste(c *clause, before *memory.Message, q folded) bool {
	text := strings.TrimRightFunc(q.text, outside)
	start := len(finalAsk.FindString(text))
	answer := c.all.text
	if !strings.HasPrefix(answer, "i ") {
		answer = "i " + answer // "love it!"
	}
	at, said := tasteAsked.FindStringSubmatchIndex(text[start:]), tasteOfIt.FindStringSubmatchIndex(answer)
	if at == nil || said == nil || strings.HasSuffix(c.all.text, " do") || strings.HasSuffix(c.all.text, " do not") {
		return false
	}
	from, to := q.span(start+at[2], start+at[3])
	verb := "love "
	if said[2*tasteOfIt.SubexpIndex("bad")] >= 0 {
		verb = "do not like "
	}
	return r.restated(c, "I "+verb+before.Content[from:to])
}

// work reads a doing as the answer to what the user does for a living.
func (r *reader) work(c *clause, before *memory.Message, said folded) bool {
	q := unstill(fold(before.Content, strings.LastIndex(before.Content, c.asked.question), len(before.Content)).text)
	if !doing.MatchString(said.text) || !livingAsked.MatchString(strings.TrimRightFunc(q, outside)) {
		return false
	}
	from, to := said.span(len("i "), len(said.text))
	own := *c
	own.asked = nil
	found := match{c: &own}.candidate(keyOccupation, c.message.Content[from:to])
	found.Confidence = answered
	found.Source.AskedMessage, found.Source.AskedQuote = c.asked.message, c.asked.question
	r.found = append(r.found, finding{found, c})
	return true
}

var livingAsked = regexp.MustCompile(`\bwhat do you do(?: for (?:a living|work))?$|\bwhat is your (?:job|occupation|profession)$`)

// continued reads "Yes, to Julia." after "Are you married?": only together they say enough.
func (r *reader) continued(c *clause, before *memory.Message, q folded) bool {
	at := further.FindStringSubmatchIndex(c.all.text)
	statement, ok := stateOf(before.Content, q)
	if at == nil || !ok || len(r.rephrased(c, statement)) > 0 {
		return false
	}
	from, to := c.all.span(at[2], at[3])
	return r.restated(c, statement+" "+c.message.Content[from:to])
}

// restated records what the rules find in the statement that the answer amounts to, and
// reports whether there is anything.
func (r *reader) restated(c *clause, statement string) bool {
	found := r.rephrased(c, statement)
	for _, f := range found {
		r.found = append(r.found, finding{f, c})
	}
	return len(found) > 0
}
