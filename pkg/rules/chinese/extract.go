package chinese

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/temporal"
)

// Extract returns what is plainly stated in the messages' Chinese sentences, in the order
// of speech, and what the user asks of the memory itself. Only messages of the user that
// are no context are read; an assistant's question directly before one helps to
// understand a bare answer to it.
func Extract(messages []memory.Message) ([]memory.Candidate, []memory.Directive) {
	var candidates []memory.Candidate
	var directives []memory.Directive
	var earlier []found
	for i, m := range messages {
		if m.Role != memory.RoleUser {
			continue
		}
		r := newReader(m)
		r.earlier = earlier
		if m.Context {
			r.read()
			earlier = r.found
			continue
		}
		r.previous = previousSaid(messages[:i])
		r.answer(messages[:i])
		r.read()
		earlier = r.found
		candidates = append(candidates, r.candidates()...)
		directives = append(directives, r.directives...)
	}
	return withhold(candidates, directives), directives
}

// previousSaid is the number of the last message before that the user said, or 0.
func previousSaid(before []memory.Message) int {
	for _, m := range slices.Backward(before) {
		if m.Role == memory.RoleUser {
			return m.Number
		}
	}
	return 0
}

// withhold drops the candidates of messages that are not to be saved.
func withhold(candidates []memory.Candidate, directives []memory.Directive) []memory.Candidate {
	for _, d := range directives {
		if d.Action == memory.ActionDoNotSave {
			candidates = slices.DeleteFunc(candidates, func(c memory.Candidate) bool {
				return c.Source.Message == d.Source.Message
			})
		}
	}
	return candidates
}

// reader reads one message of the user, sentence by sentence.
type reader struct {
	message memory.Message
	folded  string
	dates   *calendar
	// previous is the number of the user's message before, or 0.
	previous   int
	found      []found
	directives []memory.Directive

	// others is set while sentences without a subject are about somebody else.
	others bool
	// topic is the key that was spoken of last; a correction gives its new value.
	topic memory.Key
	// correcting is set from words such as 说错了 to the end of the next sentence.
	correcting int
	// denied is the value of the topic that was denied just before, or empty.
	denied string
	// past are the facts of the clause before, which holds no more.
	past []found
	// told are the places in found of what merely repeats earlier words.
	told []int
	// begin is the place in found at which the sentence began.
	begin int
	// home is where the user is said to be, waiting for a sign that it is their home.
	home *found
	// mine is set when the user was the subject last named in the message.
	mine bool
	// earlier are the facts of the user's message before, which a correction may put right.
	earlier []found
	// retold is the key of what was only repeated before the clause that corrects it.
	retold memory.Key
	// animal is the animal with which the clause before began, animalFrom and animalEnd
	// where that clause lies.
	animal                span
	animalFrom, animalEnd int
	// planned is when the last plan of the sentence begins.
	planned time.Time
	// wed is set once the message has told of a wedding or an engagement of the user.
	wed bool
	// plan tells the plan last spoken of from others, planFrom is where its clause begins.
	plan     string
	planFrom int
	// pin is set while what follows is to be remembered.
	pin bool
}

func newReader(m memory.Message) *reader {
	folded := fold(m.Content)
	return &reader{message: m, folded: folded, dates: &calendar{folded: folded, at: m.At}}
}

// read goes through the message.
func (r *reader) read() {
	sentences := sentence.Split(r.message.Content)
	var starts []int
	for i, s := range sentences {
		if s.Language != sentence.Chinese {
			continue
		}
		starts = append(starts, len(r.found))
		clauses := cut(s, r.message.Content, r.folded)
		if !r.sentence(s, clauses, starts, sentences[:i]) {
			return
		}
		r.correcting = max(0, r.correcting-1)
	}
}

// sentence reads one sentence; it reports false when nothing more of the message is to
// be learnt from. starts are the places in found at which each sentence so far began.
func (r *reader) sentence(s sentence.Sentence, clauses []clause, starts []int, before []sentence.Sentence) bool {
	r.home, r.past, r.begin, r.retold = nil, nil, len(r.found), ""
	r.planned = time.Time{}
	var carried opening
	var last *clause
	for i := range clauses {
		c := &clauses[i]
		c.open(r.dates.mentions(temporal.Future))
		switch done := r.directive(s, clauses, i, starts[len(starts)-1], before); done {
		case endsSentence:
			return true
		case endsClause:
			continue
		}
		v, _ := judge(c, s)
		switch v {
		case skips:
			r.others = r.others && !c.self
			last = c
			continue
		case skipsSentence:
			return true
		case skipsMessage:
			return false
		case retractsMessage:
			r.found = nil
			return false
		case retracts:
			r.retract(starts, i)
			continue
		}
		if c.heard {
			return true
		}
		carried = r.statement(c, last, carried)
		last = c
	}
	return true
}

// retract takes back the sentence so far, or, if the jest has a sentence to itself, the
// sentence before.
func (r *reader) retract(starts []int, place int) {
	start := starts[len(starts)-1]
	if place == 0 && len(starts) > 1 {
		start = starts[len(starts)-2]
	}
	r.found = r.found[:min(start, len(r.found))]
}

// statement reads one clause that may state something, and returns the opening that it
// leaves to the next when it is nothing but opening words.
func (r *reader) statement(c, last *clause, carried opening) opening {
	c.inherit(carried)
	if c.says(mistake) {
		r.correcting = 2
		r.resume(c)
		r.forgetTold()
		return carried
	}
	if c.body >= c.to && !c.other {
		return c.opening
	}
	r.subject(c)
	if c.changed || r.correcting > 0 {
		r.forgetTold()
	}
	if r.nameCompanion(c) || c.asked || r.deniedAfter(c) {
		return opening{}
	}
	r.joinAllergy(last, c)
	known := len(r.found)
	c.mine = r.mine || known > 0 && !slices.Contains(companions, r.found[known-1].Key)
	r.mine = c.self || r.mine && !c.other
	r.facts(c)
	r.others = r.others || c.says(meets)
	r.wed = r.wed || !c.other && !r.others && c.says(wedding)
	r.noteAnimal(c)
	r.notePlan(c)
	if len(r.found) == known && c.says(turning) {
		if c.says(elsewhere) {
			r.topic = city
		}
		return opening{changed: true}
	}
	return opening{}
}

// notePlan remembers the plan of which the clause speaks, for a new date after it.
func (r *reader) notePlan(c *clause) {
	if len(r.dates.in(c.from, c.to, temporal.Future)) == 0 {
		return
	}
	if what := planNamed(c); what != "" {
		r.plan, r.planFrom = what, c.start
	}
}

// companions are the keys of those of whom what follows may speak.
var companions = []memory.Key{pets, family, partner}

// mistake is a clause that says no more than that something was wrong.
var mistake = compile(`^(?:(?:啊|哦|等等|等下|抱歉|不好意思|呃|额|嗯|噢|哎呀?|sorry|其实|我|刚才|刚刚|上面|前面|之前|你)*(?:不对|说错|写错|打错|口误|错|记错|搞错|弄错|讲错|发错|输错|更正|纠正|说反|手误)(?:字|名字)?(?:了|啦|一下|哈|下)*)+$`)

// turning is a clause that tells of a change and leaves it to the next to say to what.
var turning = compile(`换(?:了)?(?:一?[份个家])?(?:新)?(?:工作|公司|东家|城市|地方|岗位)|跳槽|转行|搬家|改名|有变化|变了|换人`)

// elsewhere turns to another place.
var elsewhere = compile(`城市|搬家|地方`)

// wedding makes a partner of another name or role of the one there was.
var wedding = compile(`(?:结婚|领证|订婚|求婚成功|领了证|脱单)(?:了|啦)`)

// meets brings in somebody else, of whom the clauses after it speak.
var meets = compile(`(?:遇到|碰到|碰见|遇见|认识|看到|来了|有)(?:了)?(?:一?个|一位)(?:[^，]{0,4})(?:人|男生|女生|男的|女的|奇葩|朋友|网友|大哥|大姐|大叔|阿姨|大妈|大爷|同事|同学|老头|老太太|小哥|帅哥|美女|姑娘|小伙子?|客户|老板|邻居)$`)

// inherit takes over what the clause before left open.
func (c *clause) inherit(o opening) {
	c.changed = c.changed || o.changed
	c.past = c.past || o.past
	c.habit = c.habit || o.habit
	c.unsure = c.unsure || o.unsure
	c.told = c.told || o.told
	if o.dated || o.habit {
		c.dated = c.dated || o.dated
		c.start = o.start
	}
	c.self = c.self || o.self && !c.other
}

// subject settles whom a clause without a subject is about: the one before it.
func (r *reader) subject(c *clause) {
	switch {
	case c.self:
		r.others = false
	case c.other:
		r.others = true
	}
}

// facts applies the rules to the clause.
func (r *reader) facts(c *clause) {
	out := r.match(c, r.others)
	switch {
	case c.unsure:
		return
	case c.past:
		r.remains(c)
		if len(out) == 0 || out[0].rule != "happened" && (out[0].Target == nil || !out[0].Target.Plan) {
			return
		}
	case len(out) == 0:
		out = r.elliptic(c)
		r.negated(c)
	}
	for _, f := range out {
		f = r.since(c, f)
		if c.told {
			r.told = append(r.told, len(r.found))
		}
		if r.correcting > 0 && f.Key != "" && f.Relation != memory.RelationEnds {
			f = r.corrected(f)
		}
		r.add(f)
	}
	r.settle()
}

// add keeps a candidate, pinned if the user asked for it.
func (r *reader) add(f found) {
	f.Pinned = f.Pinned || r.pin
	if f.Key != "" {
		r.topic = f.Key
	}
	if f.Key == name && f.Relation == memory.RelationNew {
		f = r.oneName(f)
	}
	if f.Key == hometown && f.Relation == memory.RelationNew && slices.ContainsFunc(r.found, func(old found) bool { return old.Key == hometown && old.Value != f.Value }) {
		f.freed() // where somebody grew up is beside where they are from
	}
	if f.Relation == memory.RelationUpdates && slices.Contains(single, f.Key) {
		r.found = slices.DeleteFunc(r.found, func(old found) bool {
			return old.Relation == memory.RelationEnds && old.Target.Key == f.Key
		})
	}
	for i := range r.found {
		if old := &r.found[i]; old.Key == f.Key && old.Value == f.Value && f.Key != "" && old.Relation == f.Relation {
			return
		}
	}
	r.found = append(r.found, f)
}

// oneName keeps one name of the several that a message gives: what the user wants to be
// called before the name they bear, and that before an alias. The other is no
// contradiction; it becomes a free memory.
func (r *reader) oneName(f found) found {
	for i := range r.found {
		old := &r.found[i]
		if old.Key != name || old.Value == f.Value {
			continue
		}
		if f.rule == "name-called" || alias.MatchString(fold(r.message.Content[old.from:old.to])) {
			old.freed()
		} else {
			f.freed()
		}
		break
	}
	return f
}

// freed turns a fact of a key into a free memory about it.
func (f *found) freed() {
	f.About, f.Key, f.Value = f.Key, "", ""
}

// supersede takes back what this message said under the key before.
func (r *reader) supersede(key memory.Key) {
	r.found = slices.DeleteFunc(r.found, func(f found) bool { return f.Key == key })
	r.told = nil
}

// forgetTold takes back what only repeated earlier words, now that a correction follows.
func (r *reader) forgetTold() {
	for _, i := range slices.Backward(r.told) {
		if i < len(r.found) {
			r.topic = r.found[i].Key
			r.retold = r.topic
			r.found = slices.Delete(r.found, i, i+1)
		}
	}
	r.told = nil
}

// gap reports whether anything but space and punctuation lies between two offsets.
func (r *reader) gap(from, to int) bool {
	return from > to || strings.ContainsFunc(r.message.Content[from:to], func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsDigit(c)
	})
}

// candidates are what was found, with its words and their place.
func (r *reader) candidates() []memory.Candidate {
	slices.SortStableFunc(r.found, func(a, b found) int { return a.from - b.from })
	out := make([]memory.Candidate, 0, len(r.found))
	for _, f := range r.found {
		c := f.Candidate
		c.Language = string(sentence.Chinese)
		if c.Text == "" {
			c.Text = r.message.Content[f.from:f.to]
		}
		if c.Source.Message == 0 {
			c.Source = memory.Source{Message: r.message.Number, Quote: c.Text}
		}
		out = append(out, c)
	}
	return out
}
