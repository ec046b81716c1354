package english

import (
	"regexp"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// The keys of the default profile schema that the rules fill.
const (
	keyName       memory.Key = "user.name"
	keyCity       memory.Key = "user.city"
	keyHometown   memory.Key = "user.hometown"
	keyCommute    memory.Key = "user.commute"
	keyOccupation memory.Key = "user.occupation"
	keyEmployer   memory.Key = "user.employer"
	keyPartner    memory.Key = "user.partner"
	keyBirthday   memory.Key = "user.birthday"
	keyDiet       memory.Key = "user.diet"
	keyAllergies  memory.Key = "user.allergies"
	keyPets       memory.Key = "user.pets"
	keyLanguages  memory.Key = "user.languages"
	keySkills     memory.Key = "user.skills"
	keyHobbies    memory.Key = "user.hobbies"
	keyLikes      memory.Key = "user.likes"
	keyDislikes   memory.Key = "user.dislikes"
	keyFamily     memory.Key = "user.family"
	keyHealth     memory.Key = "user.health"
)

var kindOf = map[memory.Key]memory.Kind{
	keyName: memory.KindProfile, keyCity: memory.KindProfile, keyHometown: memory.KindProfile,
	keyCommute: memory.KindProfile, keyOccupation: memory.KindProfile, keyEmployer: memory.KindProfile,
	keyBirthday: memory.KindProfile, keyLanguages: memory.KindProfile, keySkills: memory.KindProfile,
	keyHobbies: memory.KindProfile, keyPets: memory.KindProfile,
	keyPartner: memory.KindRelation, keyFamily: memory.KindRelation,
	keyDiet: memory.KindConstraint, keyAllergies: memory.KindConstraint, keyHealth: memory.KindConstraint,
	keyLikes: memory.KindPreference, keyDislikes: memory.KindPreference,
}

var singleValued = map[memory.Key]bool{
	keyName: true, keyCity: true, keyHometown: true, keyCommute: true, keyOccupation: true,
	keyEmployer: true, keyPartner: true, keyBirthday: true, keyDiet: true,
}

// The confidences: said outright, implied, or said in answer to a question.
const (
	plain    = 0.9
	indirect = 0.8
	answered = 0.7
)

// rule recognises one way of saying something.
type rule struct {
	// name says which rule it was where a finding has to be explained; unique.
	name string
	// cues are words of which the clause must contain one; the pattern is tried only then.
	cues []string
	// pattern is matched against a clause's body. Besides RE2 it knows the macro {i}, the
	// user as the subject. The group "v" is where the value stands.
	pattern string
	key     memory.Key
	// kind and about are those of a free memory (no key).
	kind  memory.Kind
	about memory.Key
	// take cuts the values out of group "v"; none rejects the match. Nil takes no value.
	take func(m match) []string
	// fronted makes the pattern read the clause with the time words in front of it.
	fronted bool
	// changes is set where the words themselves say that this is new.
	changes bool
	// weak is set where the statement is implied rather than made.
	weak bool
	// ends makes the clause the end of the values taken, under the rule's key.
	ends bool
	// must is memory.Target's Must of an end.
	must bool
	// build replaces all of the above for what does not fit them.
	build func(m match) []memory.Candidate

	re *regexp.Regexp
}

// topic is a list of rules of which the first that finds something is taken.
type topic struct {
	name  string
	rules []rule
}

// macros are what patterns may be written with; see lean for what bodies look like.
var macros = strings.NewReplacer(
	"{i}", `i(?: do)?`,
)

// compile prepares a table of topics.
func compile(topics []topic) []topic {
	for _, t := range topics {
		for i := range t.rules {
			r := &t.rules[i]
			r.re = regexp.MustCompile(macros.Replace(r.pattern))
		}
	}
	return topics
}

// match is a rule that fits a clause.
type match struct {
	c    *clause
	rule *rule
	at   []int
}

// group returns the bounds of a named group in the clause's body; ok is false where it is
// absent or empty.
func (m match) group(name string) (a, b int, ok bool) {
	i := m.rule.re.SubexpIndex(name)
	if i < 0 || m.at[2*i] < 0 || m.at[2*i] == m.at[2*i+1] {
		return 0, 0, false
	}
	return m.at[2*i], m.at[2*i+1], true
}

// said returns a named group in the user's own words.
func (m match) said(name string) string {
	a, b, ok := m.group(name)
	if !ok {
		return ""
	}
	return m.c.words(a, b)
}

// folded returns a named group as folded.
func (m match) folded(name string) string {
	a, b, _ := m.group(name)
	return m.c.body.text[a:b]
}

// candidate is what the rules say of a clause in general.
func (m match) candidate(key memory.Key, value string) memory.Candidate {
	c := memory.Candidate{
		Kind: kindOf[key], Key: key, Value: value, Text: m.c.text(), Language: "en",
		Stability: memory.Stable, Confidence: plain, Relation: memory.RelationNew,
		Pinned: m.c.pinned, Source: m.c.source(),
	}
	if m.rule != nil && m.rule.weak {
		c.Confidence = indirect
	}
	if m.c.asked != nil {
		c.Confidence = answered
	}
	if key == "" {
		c.Kind = memory.KindFact
	}
	return c
}

func (c *clause) source() memory.Source {
	s := memory.Source{Message: c.message.Number, Quote: c.message.Content[c.from:c.to]}
	if c.asked != nil {
		s.AskedMessage, s.AskedQuote = c.asked.message, c.asked.question
	}
	return s
}

// apply returns the candidates of r in c.
func (r *rule) apply(c *clause) []memory.Candidate {
	if r.fronted {
		c = c.fronted()
	}
	if len(r.cues) > 0 && !c.grams().containsAny(c.body.text, r.cues) {
		return nil
	}
	at := r.re.FindStringSubmatchIndex(c.body.text)
	if at == nil {
		return nil
	}
	m := match{c: c, rule: r, at: at}
	switch {
	case r.build != nil:
		return r.build(m)
	case r.ends:
		return m.endings()
	case r.key == "":
		return m.free()
	}
	var out []memory.Candidate
	for _, v := range r.take(m) {
		found := m.candidate(r.key, v)
		if updatable(r.key) && (r.changes || c.changed(true) || c.moved && r.key == keyCity) {
			found.Relation = memory.RelationUpdates
			if r.key != keyBirthday {
				found.ValidFrom = c.begins()
			}
		} else if singleValued[r.key] && strings.Contains(c.whole, " since ") {
			found.ValidFrom = c.begins()
		}
		out = append(out, found)
	}
	return out
}

// updatable reports whether a new value of key can take an old one's place: values of
// other keys live side by side.
func updatable(key memory.Key) bool {
	return singleValued[key] || key == keyLikes || key == keyDislikes
}

// free is a memory without a key, with the rule's kind and about.
func (m match) free() []memory.Candidate {
	if m.rule.take != nil && len(m.rule.take(m)) == 0 {
		return nil
	}
	c := m.candidate("", "")
	if m.rule.kind != "" {
		c.Kind = m.rule.kind
	}
	c.About = m.rule.about
	c.ValidFrom = m.c.begins()
	return []memory.Candidate{c}
}

// endings are the ends of the values taken, or of whatever is current under the key.
func (m match) endings() []memory.Candidate {
	values := []string{""}
	if m.rule.take != nil {
		values = m.rule.take(m)
	}
	// A bare denial ends something only for who knows of it.
	must := m.rule.must || denial.MatchString(m.c.body.text) && !formerly.MatchString(m.c.body.text)
	var out []memory.Candidate
	for _, v := range values {
		out = append(out, m.end(m.rule.key, v, must))
	}
	return out
}

var (
	denial   = regexp.MustCompile(`\b(?:do not|am not|are not)\b`)
	formerly = regexp.MustCompile(`\b(?:any more|any longer)\b`)
)

// end is the free memory that something under key ended.
func (m match) end(key memory.Key, value string, must bool) memory.Candidate {
	c := m.candidate("", "")
	c.About = key
	c.Relation = memory.RelationEnds
	c.Target = &memory.Target{Key: key, Value: value, Must: must}
	c.ValidFrom = m.c.begins()
	return c
}

// begins is the past date that the clause names, zero without one.
func (c *clause) begins() time.Time {
	if span, ok := c.when(past); ok {
		return span.Start
	}
	return time.Time{}
}
