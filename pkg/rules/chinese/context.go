package chinese

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/temporal"
)

// What a clause means by the clauses before it: corrections, ellipses, and places that
// turn out to be a home.

// remains notes what the clause says to hold no more, for the clause after it.
func (r *reader) remains(c *clause) {
	r.past = nil
	if r.others {
		return
	}
	for _, table := range tables {
		if out := r.first(table, c, false); len(out) > 0 {
			r.past = out
			r.topic = out[0].Key
			return
		}
	}
	if bareIn.MatchString(c.rest()) {
		r.topic = city
	}
}

var (
	bareIn  = regexp.MustCompile(`^(?:人)?在(?P<v>\p{Han}{2,8}?)(?:漂着?|打拼|发展|奋斗|混|闯荡)?` + particles + `$`)
	notDone = regexp.MustCompile(`^(?:已经|也|都|早就|早|现在|可|就)*(?:不|没)(?:再|怎么|太)?(?:喜欢|爱|吃|喝|看|听|玩|打|练|跳|弹|写|画|学|做|养|跑|用|去)?了`)
	cured   = regexp.MustCompile(`^(?:已经|也|都|早就|早|现在|可|就)*(?:好了|痊愈了|治好了|康复了|不(?:再)?过敏|没有)`)
	newOne  = regexp.MustCompile(`^(?:应该|其实|实际|准确来说|已经|而|就|改|换)*(?:是|叫|住|在|去|做|改成|换成|改为|改|换)`)
	negator = regexp.MustCompile(`^[^不，]{0,8}不(?:是|叫|住|在|对)`)
)

// elliptic reads a clause that leaves out what the clauses before it have named.
func (r *reader) elliptic(c *clause) []found {
	if out := r.animalGone(c); len(out) > 0 {
		return out
	}
	if r.others || c.other {
		return nil
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	for _, read := range []func(match) []found{r.employedNext, r.commuteChanged, r.notAllergic} {
		if out := read(m); len(out) > 0 {
			return out
		}
	}
	if len(r.past) > 0 && notDone.MatchString(c.rest()) {
		return r.ceased(m)
	}
	if len(r.past) > 0 && cured.MatchString(c.rest()) && (r.past[0].Key == allergies || r.past[0].Key == health) {
		return r.ceased(m)
	}
	if home := r.homeIn(m); home != nil {
		r.home = home
	}
	if r.topic != "" && (r.correcting > 0 || c.changed && (len(r.past) > 0 || r.retold == r.topic)) && newOne.MatchString(c.rest()) {
		return r.replaced(m)
	}
	if r.topic != "" && r.correcting > 0 {
		return r.replaced(m)
	}
	if r.home != nil && r.topic == city && c.changed {
		return []found{*r.home}
	}
	return nil
}

// goneBare is what became of an animal, said of one named in the clause before.
var goneBare = regexp.MustCompile(`^(?:我|我们|所以|就|只好|后来|最后|结果)*(?:把它|被我|它|让我)?` + gone + `(?:养)?` + particles + `$`)

// animalGone reads 哈士奇太闹腾，送给我表哥养了.
func (r *reader) animalGone(c *clause) []found {
	if r.animal.empty() || r.gap(r.animalEnd, c.from) || !goneBare.MatchString(c.whole()) || strangers.MatchString(r.folded[r.animalFrom:c.to]) {
		return nil
	}
	m := match{clause: c, at: r.message.At, dates: r.dates}
	value := r.message.Content[r.animal.from:r.animal.to]
	f := dated(m, m.ending(memory.Target{Key: pets, Value: value, Must: !strings.Contains(r.folded[r.animalFrom:r.animal.from], "我")}))
	f.rule, f.from = "animal-gone", r.animalFrom
	return []found{f}
}

// animalFirst is a clause that begins with an animal: 我家猫…, 哈士奇….
var animalFirst = compile(`^(?:我(?:们)?(?:家|的|家的|养的)?(?:那只|这只)?)?(?P<v>` + animals + `)(?P<rest>[^，]*)$`)

// noteAnimal remembers the animal with which the clause begins, for the clause after it.
func (r *reader) noteAnimal(c *clause) {
	r.animal = span{}
	if !animalFirst.possible(&c.runes) {
		return
	}
	loc := animalFirst.FindStringSubmatchIndex(c.whole())
	if loc == nil || supplies.MatchString(c.whole()[loc[3]:]) {
		return
	}
	r.animal, r.animalFrom, r.animalEnd = span{c.from + loc[2], c.from + loc[3]}, c.from, c.to
}

// ceased is 以前喜欢咖啡，现在不喜欢了: the opposite opinion, or the end of the fact.
func (r *reader) ceased(m match) []found {
	var out []found
	for _, old := range r.past {
		f := m.ending(memory.Target{Key: old.Key, Value: old.Value})
		if old.Key == likes {
			f = m.stated(memory.Candidate{Kind: kinds[dislikes], Key: dislikes, Value: old.Value, Relation: memory.RelationUpdates})
		}
		if old.Key == "" {
			continue
		}
		f.rule, f.from = "ceased", old.from
		out = append(out, f)
	}
	r.past = nil
	return out
}

// abrupt are the beginnings of what is no value although it has the shape of one.
var abrupt = regexp.MustCompile(`^(?:是)?(?:用|把|让|给|[0-9一二两三四五六七八九十几]|第|这|那|加|减|要|没)`)

// replaced gives the topic the value that the clause names.
func (r *reader) replaced(m match) []found {
	var out []found
	resumed := len(r.found) == 0 && len(r.earlier) > 0
	for _, s := range fragment(r.topic, m.folded, span{m.body, m.to}) {
		if resumed && !r.fits(m, s) {
			continue
		}
		f := m.fact(r.topic, s)
		f.rule, f.Relation = "replaced", memory.RelationUpdates
		out = append(out, f)
	}
	return out
}

var hanName = regexp.MustCompile(`^\p{Han}+$`)

// fits reports whether a value that stands alone can put right what the message before
// said: a place must be a known one.
func (r *reader) fits(m match, s span) bool {
	switch r.topic {
	case city, hometown:
		return isKnownPlace(m.fold(s))
	case name:
		return !abrupt.MatchString(m.rest()) && hanName.MatchString(m.fold(s)) == hanName.MatchString(fold(r.earlier[0].Value))
	}
	return true
}

// negated notes a denial, whose right value may follow: 我不叫小林，叫小琳.
func (r *reader) negated(c *clause) {
	if r.others || c.other || r.deniesEarlier(c) || !negator.MatchString(c.rest()) {
		return
	}
	claim := strings.Replace(c.rest(), "不", "", 1)
	denied := clause{content: claim, folded: claim, to: len(claim), runes: newRuneSet(claim)}
	denied.self = true
	for _, table := range append([][]rule{birthdayRules}, tables...) {
		if out := r.first(table, &denied, false); len(out) > 0 {
			r.topic, r.correcting, r.denied = out[0].Key, 1, out[0].Value
			return
		}
	}
	if loc := bareIn.FindStringSubmatch(strings.TrimPrefix(claim, "是")); loc != nil {
		r.topic, r.correcting = city, 1
		if companies.MatchString(loc[1]) {
			r.topic = employer
		}
	}
}

// slipped are mistakes of the user's own, not of the assistant: only these reach back to
// the message before.
var slipped = compile(`(?:说|写|打|发|输)错|口误|手误|说反|更正|纠正`)

// plainAlone are the keys whose values are known for what they are without a word beside
// them.
var plainAlone = []memory.Key{name, city, hometown, occupation, birthday, commute}

// resume makes the one fact of the message before the topic of a correction that opens a
// message: 说错了，是苏州.
func (r *reader) resume(c *clause) {
	if r.topic != "" || len(r.earlier) != 1 || len(r.found) > 0 || !c.says(slipped) {
		return
	}
	if key := r.earlier[0].Key; slices.Contains(plainAlone, key) {
		r.topic = key
	}
}

// denial is 不是 and a value, whose right one follows.
var denial = regexp.MustCompile(`^(?:不是|不叫|不在|不住在?)(?P<v>[^，]{1,12})$`)

// deniesEarlier notes the denial of what the message before said: 不是李明，是黎明.
func (r *reader) deniesEarlier(c *clause) bool {
	if len(r.earlier) == 0 {
		return false
	}
	loc := denial.FindStringSubmatch(c.rest())
	if loc == nil {
		return false
	}
	for _, f := range r.earlier {
		if f.Key != "" && fold(f.Value) == loc[1] {
			r.topic, r.correcting, r.denied = f.Key, 1, f.Value
			return true
		}
	}
	return false
}

// corrected is the right value after a wrong one: what this message said under the key
// before is taken back, and of several values the one that was denied is replaced.
func (r *reader) corrected(f found) found {
	f.Relation = memory.RelationUpdates
	r.supersede(f.Key)
	if r.denied != "" && f.Key == r.topic && !slices.Contains(single, f.Key) && r.denied != f.Value {
		f.Target = &memory.Target{Key: f.Key, Value: r.denied}
	}
	r.denied = ""
	return f
}

// notThis is the value denied after the right one: 我对核桃过敏，不是花生.
var notThis = regexp.MustCompile(`^(?:而)?(?:不是|并不是|不再是)(?P<v>[^，]{1,12})$`)

// deniedAfter gives the fact just found the value that it replaces.
func (r *reader) deniedAfter(c *clause) bool {
	if len(r.found) == 0 || c.self {
		return false
	}
	last := &r.found[len(r.found)-1]
	loc := notThis.FindStringSubmatchIndex(c.rest())
	if loc == nil || last.Key == "" || last.to > c.from || r.gap(last.to, c.from) {
		return false
	}
	parts := fragment(last.Key, c.folded, span{c.body + loc[2], c.body + loc[3]})
	if len(parts) == 0 {
		return false
	}
	last.Relation = memory.RelationUpdates
	if !slices.Contains(single, last.Key) {
		last.Target = &memory.Target{Key: last.Key, Value: c.content[parts[0].from:parts[0].to]}
	}
	return true
}

// homeIn reads 我在深圳 with a known place, which is a home only by what is said with it.
func (r *reader) homeIn(m match) *found {
	loc := bareIn.FindStringSubmatchIndex(m.rest())
	if loc == nil || len(r.dates.in(m.from, m.to, temporal.Future)) > 0 {
		return nil
	}
	s := trimValue(m.folded, span{m.body + loc[2], m.body + loc[3]})
	if !isKnownPlace(m.fold(s)) {
		return nil
	}
	f := m.fact(city, s)
	f.rule, f.Confidence = "home-by-context", indirect
	return &f
}

// settled are the keys whose facts make the place beside them a home.
var settled = []memory.Key{occupation, employer, commute, hometown, name}

// settle takes the place where the user is for their home once the same sentence tells of
// a settled life there.
func (r *reader) settle() {
	if r.home == nil {
		return
	}
	for _, f := range r.found[min(r.begin, len(r.found)):] {
		if slices.Contains(settled, f.Key) {
			r.add(*r.home)
			r.home = nil
			return
		}
	}
}
