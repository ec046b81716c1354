package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

var (
	// meant corrects the value that was said last.
	meant = regexp.MustCompile(`^(?:(?:no|oh|oops|sorry|wait|rather|i mean|well|ah),? )*(?:i meant(?: to say)?|i mean|make that|or rather|i should have said|it should be|it should read|that should be|should be) (?P<v>.+)$`)
	// tasteOfIt likes or dislikes what was said last.
	tasteOfIt = regexp.MustCompile(`^i (?:(?:now|really|just|absolutely|actually|kind of|still) )*(?:(?P<bad>hate|cannot stand|dislike|do not like|do not enjoy|detest|do not)|(?P<good>love|like|enjoy|adore|do))(?: (?:it|that|them|those|so))?(?: (?:now|any more|these days|at all|so much|again))*$`)
)

// follows reads a clause that only makes sense after the one before it: the name of an
// animal, a corrected value, "I'm allergic" of what was named. ok is false for any other.
func (r *reader) follows(c, before *clause) (found []memory.Candidate, ok bool) {
	if before == nil {
		return nil, false
	}
	body := c.body.text
	if head := denied.FindStringSubmatch(before.whole); head != nil {
		if at := itIs.FindString(c.whole); at != "" {
			return r.correctly(c, head[1], len(at)), true
		}
	}
	switch {
	case itsName.MatchString(body):
		return nil, r.nameAnimal(c)
	case meant.MatchString(c.whole) || meant.MatchString(body):
		return r.correct(c)
	case allergicAlone.MatchString(body):
		return r.allergicTo(c, before), true
	case tasteOfIt.MatchString(body):
		return r.changedTaste(c, before)
	}
	return nil, false
}

var (
	denied = regexp.MustCompile(`^((?:my|our) [\w' -]+ is) not `)
	itIs   = regexp.MustCompile(`^(?:it is|but|rather|it is actually) (?:actually |now )?`)
)

// correctly reads "my name isn't Bob, it's Rob": the rules see the head of the denial
// before the value at whole[at:].
func (r *reader) correctly(c *clause, head string, at int) []memory.Candidate {
	if at >= len(c.all.text) {
		return nil
	}
	right := *c
	right.pairs = nil
	right.body = c.all.cut(at, len(c.all.text)).led(head + " ")
	right.told = right.body
	right.announced = true
	return every(keyed, &right)
}

// nameAnimal gives the animal found last its name.
func (r *reader) nameAnimal(c *clause) bool {
	if len(r.found) == 0 {
		return false
	}
	last := &r.found[len(r.found)-1]
	if last.Key != keyPets || last.Source.Message != c.message.Number || last.clause.asked != nil || strings.Contains(last.Value, " named ") {
		return false
	}
	at := itsName.FindStringSubmatchIndex(c.body.text)
	i := 2 * itsName.SubexpIndex("v")
	name := nameOf(c, at[i], at[i+1])
	if name == "" || c.from < last.clause.from {
		return false
	}
	last.Value = joinName(last.Value, name)
	last.Text = c.message.Content[last.clause.from:c.to]
	last.Source.Quote = last.Text
	return true
}

// correct replaces the value found last in the user's words.
func (r *reader) correct(c *clause) ([]memory.Candidate, bool) {
	if len(r.found) == 0 {
		return nil, false
	}
	last := r.found[len(r.found)-1]
	if last.Key == "" || last.Source.Message != c.message.Number && last.Source.Message != r.userBefore(c.message.Number) {
		return nil, false
	}
	whole := *c
	whole.body = c.all
	at := meant.FindStringSubmatchIndex(whole.body.text)
	if at == nil {
		whole.body = c.body
		at = meant.FindStringSubmatchIndex(c.body.text)
	}
	i := 2 * meant.SubexpIndex("v")
	if opens.MatchString(whole.body.text[at[i]:at[i+1]]) {
		return nil, false
	}
	value := at[i:]
	from := value[0]
	if at := strings.Index(whole.body.text[from:], "in "); at == 0 {
		from += len("in ")
	}
	v, ok := whole.value(from, value[1])
	if !ok || len(strings.Fields(v)) > 5 {
		return nil, false
	}
	found := match{c: c}.candidate(last.Key, v)
	found.Kind = last.Kind
	if updatable(last.Key) {
		found.Relation = memory.RelationUpdates
	}
	if last.Source.Message == c.message.Number {
		r.found = r.found[:len(r.found)-1]
	}
	return []memory.Candidate{found}, true
}

// allergicTo reads "no peanuts please, I'm allergic".
func (r *reader) allergicTo(c, before *clause) []memory.Candidate {
	if before.message != c.message || before.asked != nil {
		return nil
	}
	at := servedWith.FindStringSubmatchIndex(before.whole)
	if at == nil {
		return r.allergicAnyway(c, before)
	}
	i := 2 * servedWith.SubexpIndex("v")
	whole := *before
	whole.body = before.all
	text := c.message.Content[before.from:c.to]
	var out []memory.Candidate
	for _, v := range whole.each(at[i], at[i+1]) {
		if noAllergen.MatchString(strings.ToLower(v)) {
			continue
		}
		found := match{c: c}.candidate(keyAllergies, v)
		found.Text, found.Source.Quote, found.Confidence = text, text, indirect
		out = append(out, found)
	}
	// What was not to be served is an allergy, and no mere avoidance.
	kept := r.found[:0]
	for _, f := range r.found {
		if f.clause != before || len(out) == 0 {
			kept = append(kept, f)
		}
	}
	r.found = kept
	return out
}

// allergicAnyway reads "I love dogs, but I'm allergic to them".
func (r *reader) allergicAnyway(c, before *clause) []memory.Candidate {
	if len(r.found) == 0 || !strings.Contains(c.body.text, " to ") {
		return nil
	}
	last := r.found[len(r.found)-1]
	if last.clause != before || last.Key != keyLikes && last.Key != keyDislikes {
		return nil
	}
	found := match{c: c}.candidate(keyAllergies, last.Value)
	found.Text = c.message.Content[before.from:c.to]
	found.Source.Quote, found.Confidence = found.Text, indirect
	return []memory.Candidate{found}
}

// changedTaste reads "I used to love coffee, but now I hate it".
func (r *reader) changedTaste(c, before *clause) ([]memory.Candidate, bool) {
	if len(r.found) == 0 {
		return nil, false
	}
	last := r.found[len(r.found)-1]
	if last.clause != before || last.clause.asked != nil {
		return nil, false
	}
	value := last.Value
	if last.Relation == memory.RelationEnds && last.Target != nil && (last.Target.Key == keyLikes || last.Target.Key == keyDislikes) {
		value = last.Target.Value
	} else if last.Key != keyLikes && last.Key != keyDislikes {
		return nil, false
	}
	at := tasteOfIt.FindStringSubmatchIndex(c.body.text)
	key := keyLikes
	if at[2*tasteOfIt.SubexpIndex("bad")] >= 0 {
		key = keyDislikes
	}
	r.found = r.found[:len(r.found)-1]
	found := match{c: c}.candidate(key, value)
	found.Text = c.message.Content[before.from:c.to]
	found.Source.Quote = found.Text
	found.Relation = memory.RelationUpdates
	return []memory.Candidate{found}, true
}
