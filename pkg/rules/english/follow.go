package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

var (
	// meant corrects the value that was said last.
	meant = regexp.MustCompile(`^(?:(?:no|oh|oops|sorry|wait|rather|i mean|well|ah),? )*(?:i meant(?: to say)?|i mean|make that|make it|or rather|i should have said|it should be|it should read|that should be|should be|scratch that,?|correction,?|strike that,?) (?P<v>.+)$`)
	// slip stands before a value alone, which then replaces the one said just before.
	slip = regexp.MustCompile(`^(?:(?:oh|sorry|ah|er|um)[,.!]* )*(?:(?:no|oops|wait|actually|no wait|wait no|hang on|i mean)[,.!]* )+(?P<v>[^ ].*)$`)
	// restating opens a clause that says anew what was said wrongly.
	restating = regexp.MustCompile(`^(?:(?:no|oh|oops|sorry|wait|well|actually),? )*(?:i meant(?: to say)?|i mean|i should have said|i should say|what i meant (?:to say )?(?:is|was)|let me correct that|i misspoke|to correct myself)[,:]?(?: that)? `)
	// tasteOfIt likes or dislikes what was said last.
	tasteOfIt = regexp.MustCompile(`^i (?:(?:now|really|just|absolutely|actually|kind of|still) )*(?:(?P<bad>hate|cannot stand|dislike|do not like|do not enjoy|detest|do not)|(?P<good>love|like|enjoy|adore|do))(?: (?:it|that|them|those|so))?(?: (?:now|any more|these days|at all|so much|again))*$`)
)

// follows reads a clause that only makes sense after the one before it: the name of an
// animal, a corrected value, "I'm allergic" of what was named. ok is false for any other.
func (r *reader) follows(c, before *clause) (found []memory.Candidate, ok bool) {
	if found, ok := r.pronounDied(c); ok {
		return found, true
	}
	if before == nil {
		if meant.MatchString(c.whole) || meant.MatchString(c.body.text) {
			return r.correct(c, meant)
		}
		return nil, false
	}
	body := c.body.text
	if found, ok := r.contrary(c, before); ok {
		return found, true
	}
	if head := denied.FindStringSubmatch(before.whole); head != nil {
		if at := itIs.FindString(c.whole); at != "" {
			return r.correctly(c, head[1], len(at)), true
		}
	}
	switch {
	case itsName.MatchString(body):
		return nil, r.nameAnimal(c)
	case meant.MatchString(c.whole) || meant.MatchString(body):
		return r.correct(c, meant)
	case slip.MatchString(c.whole) && before.sentence >= c.sentence-1, c.announced && before.sentence >= c.sentence-2 && len(r.found) > 0 && bareDay.MatchString(c.whole):
		return r.slipped(c)
	case allergicAlone.MatchString(body):
		return r.allergicTo(c, before), true
	case tasteOfIt.MatchString(body):
		return r.changedTaste(c, before)
	}
	return nil, false
}

// restate drops "I meant" before a whole statement, which then is a correction.
func (c *clause) restate() {
	at := restating.FindString(c.whole)
	if at == "" || len(at) >= len(c.whole) || !opens.MatchString(c.whole[len(at):]) {
		return
	}
	rest := newClause(c.message, c.all.cut(len(at), len(c.whole)), "")
	if rest == nil {
		return
	}
	rest.sentence, rest.before, rest.after, rest.pinned, rest.verbatim, rest.quoting = c.sentence, c.before, c.after, c.pinned, c.verbatim, c.quoting
	*c = *rest
	c.announced = true
}

var notValue = regexp.MustCompile(`^not (?:to |in |at |a |an |the |on )?(?P<v>[\w' -]+)$`)

// contrary reads "not walnuts" after "I'm allergic to hazelnuts": what was known is over.
func (r *reader) contrary(c, before *clause) ([]memory.Candidate, bool) {
	at := notValue.FindStringSubmatchIndex(c.whole)
	if at == nil || len(r.found) == 0 || before != c.before {
		return nil, false
	}
	last := r.found[len(r.found)-1]
	if last.clause != before || last.Key == "" || singleValued[last.Key] || last.Relation == memory.RelationEnds {
		return nil, false
	}
	from, to := c.all.span(at[2], at[3])
	value := c.message.Content[from:to]
	if len(strings.Fields(value)) > 3 || vague.MatchString(strings.ToLower(value)) {
		return nil, false
	}
	end := match{c: c}.end(last.Key, value, true)
	end.Stability = memory.Transient
	return []memory.Candidate{end}, true
}

var (
	denied = regexp.MustCompile(`^((?:my|our) [\w' -]+ is) (?:not|no longer) `)
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
	if last.Key != keyPets && last.Key != keyFamily || last.Source.Message != c.message.Number || last.clause.asked != nil || strings.Contains(last.Value, " named ") {
		return false
	}
	at := itsName.FindStringSubmatchIndex(c.body.text)
	i := 2 * itsName.SubexpIndex("v")
	name := nameOf(c, at[i], at[i+1])
	if name == "" || c.from < last.clause.from {
		return false
	}
	if last.Key == keyPets {
		last.Value = joinName(last.Value, name)
	} else {
		last.Value += " " + name
	}
	last.Text = c.message.Content[last.clause.from:c.to]
	last.Source.Quote = last.Text
	return true
}

var bareDay = regexp.MustCompile(`^` + dayName + `$`)

// slipped reads a value alone behind "oops": it must be one of the kind of the value before.
func (r *reader) slipped(c *clause) ([]memory.Candidate, bool) {
	if len(r.found) == 0 {
		return nil, false
	}
	last := r.found[len(r.found)-1]
	if last.Source.Message != c.message.Number || last.clause.sentence < c.sentence-2 {
		return nil, false
	}
	a := 0
	if at := slip.FindStringSubmatchIndex(c.whole); at != nil {
		a = at[2]
	}
	switch {
	case last.Plan:
		return r.newDate(c, last)
	case last.Key == keyBirthday:
		if !bareDay.MatchString(c.whole[a:]) {
			return nil, false
		}
	case last.Key != keyCity && last.Key != keyName && last.Key != keyEmployer && last.Key != keyHometown:
		return nil, false
	default:
		whole := *c
		whole.body = c.all
		if !whole.capital(a) || len(strings.Fields(c.whole[a:])) > 3 || opens.MatchString(c.whole[a:]) {
			return nil, false
		}
	}
	return r.correct(c, anySlip)
}

// newDate gives the plan told just before the date that corrects its own.
func (r *reader) newDate(c *clause, last finding) ([]memory.Candidate, bool) {
	span, ok := c.when(future)
	if !ok || len(strings.Fields(c.whole)) > 6 || c.from < last.clause.from || r.found[len(r.found)-1].clause != last.clause {
		return nil, false
	}
	found := last.Candidate
	found.ValidFrom, found.ExpiresAt = span.Start, span.End
	found.Text = c.message.Content[last.clause.from:c.to]
	found.Source.Quote = found.Text
	r.found = r.found[:len(r.found)-1]
	return []memory.Candidate{found}, true
}

var anySlip = regexp.MustCompile(`^(?:(?:no|oh|oops|sorry|wait|actually|no wait|wait no|hang on|ah|er|um|i mean)[,.!]* )*(?P<v>[^ ].*)$`)

// saidLast is the finding before the clause: in its message, or in the user's one before.
func (r *reader) saidLast(c *clause) (finding, bool) {
	if n := len(r.found); n > 0 && r.found[n-1].Source.Message == c.message.Number {
		return r.found[n-1], true
	}
	return r.before(r.index(c.message.Number), func(*finding) bool { return true })
}

var iSaid = regexp.MustCompile(`^i (?:said|told you|wrote|mentioned)(?: that)? `)

// toldWrongly is what "I said I live in Turku" states, before "but I meant Naantali".
func toldWrongly(c *clause) (finding, bool) {
	if c == nil {
		return finding{}, false
	}
	at := iSaid.FindString(c.body.text)
	if at == "" || len(at) >= len(c.body.text) {
		return finding{}, false
	}
	told := *c
	told.pairs = nil
	told.body = lean(c.body.cut(len(at), len(c.body.text)))
	found := every(keyed, &told)
	if len(found) == 0 {
		return finding{}, false
	}
	return finding{found[len(found)-1], c}, true
}

var itDied = regexp.MustCompile(`^(?:he|she|it) (?:has |just |sadly |recently |unfortunately |had to be |was )*(?:died|passed away|put down|put to sleep|ran away|passed)(?:$| (?:yesterday|last|this|on|in|two|three|a|today|peacefully|suddenly|away)\b)`)

// pronounDied reads "He died yesterday" of the animal of which the user spoke just before.
func (r *reader) pronounDied(c *clause) ([]memory.Candidate, bool) {
	if !itDied.MatchString(c.body.text) {
		return nil, false
	}
	last, ok := r.saidLast(c)
	if !ok || last.Key != keyPets {
		return nil, false
	}
	value := last.Value
	if at := strings.Index(value, " named "); at >= 0 {
		value = value[at+len(" named "):]
	}
	return []memory.Candidate{match{c: c}.end(keyPets, value, true)}, true
}

// correct replaces the value found last in the user's words by that of pattern meant.
func (r *reader) correct(c *clause, meant *regexp.Regexp) ([]memory.Candidate, bool) {
	last, ok := r.saidLast(c)
	if told, wrong := toldWrongly(c.before); wrong {
		last, ok = told, true
	}
	if !ok || last.Key == "" {
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
	if n := len(r.found); n > 0 && r.found[n-1].clause == last.clause && last.Source.Message == c.message.Number {
		r.found = r.found[:n-1]
	}
	return []memory.Candidate{found}, true
}

// allergicTo reads "no peanuts please, I'm allergic".
func (r *reader) allergicTo(c, before *clause) []memory.Candidate {
	if before.message != c.message || before.asked != nil {
		return nil
	}
	at, i := servedWith.FindStringSubmatchIndex(before.whole), 2*servedWith.SubexpIndex("v")
	if at == nil {
		at, i = makesIll.FindStringSubmatchIndex(before.whole), 2*makesIll.SubexpIndex("v")
	}
	if at == nil {
		return r.allergicAnyway(c, before)
	}
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
