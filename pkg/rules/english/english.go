// Package english is the built-in, model-free extractor for English: it finds what people
// plainly say about themselves, and what they ask of the memory.
//
// It is a set of tables. A message is cut into sentences (pkg/rules/sentence) and clauses;
// clauses in which the user states nothing are dropped (filters.go); what is left is matched
// against the rules of each topic (home.go, work.go, …), in one folded spelling (fold.go),
// while values and texts are handed out in the user's own words. A new way of saying
// something is a new line in a table.
//
// It prefers nothing to something wrong, never reads the sentences of another language, and
// never decides what becomes of what it finds: that is for pkg/verify and pkg/reconcile.
package english

import (
	"regexp"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// The topics, in the order in which a clause is tried. A clause that ends something says
// nothing else; one that fills a key is no plan; and only what fits no key is free.
var (
	ends  = compile([]topic{instead, calledOff, endings, former, givenUp})
	keyed = compile([]topic{
		name, birthday, home, origin, occupation, employer, commute, languages, skills,
		allergies, diet, health, pets, partner, family, tastes, hobbies, age, kin,
	})
	ahead    = compile([]topic{plans})
	mentions = compile([]topic{partnerMention, familyMention, petMention})
	others   = compile([]topic{studies, doings})
)

// Extract returns what is plainly stated in the English sentences of the user's messages,
// in the order of speech, and what the user asks of the memory. Messages of other roles and
// those marked Context are only read to understand an answer to them. It never fails:
// messages without anything to remember give nothing.
func Extract(messages []memory.Message) ([]memory.Candidate, []memory.Directive) {
	r := &reader{messages: messages}
	for i := range messages {
		if m := &messages[i]; m.Role == memory.RoleUser && !m.Context {
			r.message(i)
		}
	}
	r.settleDropped()
	r.dropReplaced()
	r.settleNames()
	r.settleOrigins()
	var out []memory.Candidate
	for _, f := range r.found {
		out = append(out, f.Candidate)
	}
	return out, r.requests
}

// reader goes through the messages of one consolidation.
type reader struct {
	messages []memory.Message
	found    []finding
	requests []memory.Directive
	// dropped are the requests not to save, decided when all is read.
	dropped []memory.Directive
	// moved is the number of turns of the user for which a bare "I moved" still counts.
	moved int
}

// finding is a candidate with the clause that stated it.
type finding struct {
	memory.Candidate
	clause *clause
}

var announcement = regexp.MustCompile(`^(?:correction|update|scratch that|strike that|typo|wait|oops|sorry|my mistake|my bad|actually|(?:i|we) (?:have )?(?:just )?(?:changed|switched|quit|got) (?:my name|jobs|my job|cities|a new job|careers)|(?:i|we) (?:made a mistake|was wrong|misspoke|gave you the wrong)|(?:that|this|it) (?:is|was) (?:a typo|a mistake|an error|wrong|not right|no longer true|outdated|not true any more|incorrect)|things (?:have )?changed|big changes?|(?:big |some )?news)\b`)

// objection opens an answer that corrects the assistant.
var objection = regexp.MustCompile(`(?i)^\W*(?:no|nope|nah|actually)\b`)

// bareMove says that the user lives elsewhere by now, and not where.
var bareMove = regexp.MustCompile(`^\W*(?:(?:hey|hi|oh|so|ok|okay|well|also|btw|by the way|guess what|big news|good news|news|update|fyi)\W+)*(?:i|we) (?:have )?(?:(?:just|recently|finally|actually) )*(?:moved|relocated)(?: house| home| out| again| cities| flats| apartments)*(?: (?:` + timeLead + `))?\W*$`)

// message reads the message at index i.
func (r *reader) message(i int) {
	m := &r.messages[i]
	sentences := sentence.Split(ownWords(m.Content))
	if r.answer(i, sentences) {
		sentences = sentences[1:]
	}
	var last *clause
	r.moved--
	announced := i > 0 && r.messages[i-1].Role == memory.RoleAssistant && objection.MatchString(m.Content)
	for n := range sentences {
		s := sentences[n]
		if s.Language != sentence.English {
			announced = false
			continue
		}
		folded := fold(m.Content, s.From, s.To)
		pairs := gramsOf(folded.text)
		joke := pairs.containsAny(folded.text, jokeCues)
		if joke && jokeOnly.MatchString(folded.text) {
			r.takeBack(m, n-1)
			continue
		}
		switch stanceOf(folded.text, pairs) {
		case staging:
			return
		case aside:
			continue
		}
		cut := opensMaterial(folded.text)
		if cut >= 0 {
			_, s.To = folded.span(0, cut+1)
			s.Text = m.Content[s.From:s.To]
		}
		if speaks(folded.text) && !(joke && jokes.MatchString(folded.text)) {
			last = r.sentence(m, s, n, last, announced)
		}
		if cut >= 0 {
			return
		}
		announced = announcement.MatchString(folded.text)
		if bareMove.MatchString(folded.text) {
			r.moved = 2
		}
	}
}

// sentence reads one sentence and returns its last clause; last is that of the sentence
// before it in the message.
func (r *reader) sentence(m *memory.Message, s sentence.Sentence, number int, last *clause, announced bool) *clause {
	clauses := clausesOf(m, s, number)
	if len(clauses) == 0 {
		return last
	}
	left, heard := r.directives(clauses, &s)
	if heard {
		s.Question = false
	}
	for _, c := range stated(left, s) {
		c.announced = announced
		c.restate()
		c.moved = r.moved > 0
		before := c.before
		if before == nil {
			before = last
		}
		found := r.read(c, before)
		if len(found) == 0 && c.pinned {
			found = []memory.Candidate{match{c: c}.candidate("", "")}
		}
		for _, f := range found {
			r.found = append(r.found, finding{f, c})
		}
	}
	return clauses[len(clauses)-1]
}

// read returns what a clause states; before is the clause before it in the message.
func (r *reader) read(c *clause, before *clause) []memory.Candidate {
	if c.verbatim {
		return nil
	}
	if c.quoting {
		return withMentions(nil, c)
	}
	if found, ok := r.follows(c, before); ok {
		return found
	}
	if found := first(ends, c); len(found) > 0 {
		return found
	}
	found := every(keyed, c)
	if len(found) == 0 {
		if plans := first(ahead, c); len(plans) > 0 {
			return withMentions(plans, c)
		}
		found = first(others, c)
	}
	return withMentions(found, c)
}

// first returns what the first topic that finds something finds.
func first(topics []topic, c *clause) []memory.Candidate {
	for i := range topics {
		if found := topics[i].read(c); len(found) > 0 {
			return found
		}
	}
	return nil
}

// every returns what all topics find.
func every(topics []topic, c *clause) []memory.Candidate {
	var out []memory.Candidate
	for i := range topics {
		out = append(out, topics[i].read(c)...)
	}
	return out
}

// withMentions adds whom a clause takes for granted, unless it says more about them.
func withMentions(found []memory.Candidate, c *clause) []memory.Candidate {
	have := map[memory.Key]bool{}
	for _, f := range found {
		have[f.Key], have[f.About] = true, true
	}
	told := *c
	told.body, told.pairs = c.told, nil
	for i := range mentions {
		taken := mentions[i].read(&told)
		if len(taken) == 0 {
			taken = mentions[i].read(c)
		}
		for _, f := range taken {
			if !have[f.Key] {
				found = append(found, f)
			}
		}
	}
	return found
}

func (t *topic) read(c *clause) []memory.Candidate {
	for i := range t.rules {
		if found := t.rules[i].apply(c); len(found) > 0 {
			return found
		}
	}
	return nil
}

// takeBack drops what the sentence of that number stated: it was a joke.
func (r *reader) takeBack(m *memory.Message, number int) {
	kept := r.found[:0]
	for _, f := range r.found {
		if f.Source.Message != m.Number || f.clause.sentence != number {
			kept = append(kept, f)
		}
	}
	r.found = kept
}

// dropReplaced drops the ends of values that the same message replaces ("I don't live in
// Oslo, I live in Bergen"): the new value says it all.
func (r *reader) dropReplaced() {
	type place struct {
		message int
		key     memory.Key
	}
	replaced := map[place]bool{}
	for _, f := range r.found {
		if f.Relation == memory.RelationUpdates && singleValued[f.Key] {
			replaced[place{f.Source.Message, f.Key}] = true
		}
	}
	kept := r.found[:0]
	for _, f := range r.found {
		if f.Relation != memory.RelationEnds || f.Target.Plan || !f.Target.Must || !replaced[place{f.Source.Message, f.Target.Key}] {
			kept = append(kept, f)
		}
	}
	r.found = kept
}
