package chinese

import (
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// scope says of which clauses a rule may speak.
type scope int

const (
	// own rules read the body of clauses about the user that hold now.
	own scope = iota
	// ownPast rules read the body of clauses about the user, whenever they hold.
	ownPast
	// anyone's rules read whole clauses, whoever is their subject.
	anyone
)

// rule turns one way of saying something into candidates. A rule is added by adding a
// line to a topic's table.
type rule struct {
	// name says which rule found a candidate, in tests and reports.
	name  string
	scope scope
	// pattern is matched against the body of the folded clause, or against all of it for
	// anyone's rules.
	pattern *expr
	// build returns what the match states, or nothing when the words turn out not to.
	build func(m match) []found
}

// found is a candidate with the range of the content that states it.
type found struct {
	memory.Candidate
	rule     string
	from, to int
	// named is set for a pet that was given a name.
	named bool
}

// match is one rule's match in one clause. Offsets are bytes of the content.
type match struct {
	*clause
	pattern *expr
	base    int
	loc     []int
	at      time.Time
	dates   *calendar
}

// span is the byte range of a named group, ok false when it took no part.
func (m match) span(group string) (span, bool) {
	i := m.pattern.SubexpIndex(group)
	if i < 0 || m.loc[2*i] < 0 || m.loc[2*i] == m.loc[2*i+1] {
		return span{}, false
	}
	return span{m.base + m.loc[2*i], m.base + m.loc[2*i+1]}, true
}

// has reports whether a named group took part.
func (m match) has(group string) bool {
	_, ok := m.span(group)
	return ok
}

// fold is the folded text of a span, and say its text as written.
func (m match) fold(s span) string { return m.folded[s.from:s.to] }
func (m match) say(s span) string  { return m.content[s.from:s.to] }

// relation is what the clause's words say about what was known before.
func (m match) relation() memory.Relation {
	if m.changed || m.says(changing) {
		return memory.RelationUpdates
	}
	return memory.RelationNew
}

// changing are words anywhere in a clause that announce a change or a correction.
var changing = compile(`现在|其实|目前已|已经|搬到|搬来|搬去|搬家|迁到|换了|换成|换到|改成|改为|改用|改名|改叫|改吃|改喝|改坐|改开|改骑|改走|不再|说错|应该是|更正|纠正|新工作|新公司|新家|新的?(?:女朋友|男朋友|女友|男友)|刚刚|刚(?:搬|换|入职|跳槽|到|转|开始|升|当)|转行|改行|跳槽|入职了|升职|升为|升任|晋升|以后(?:请)?(?:就)?叫|从今|从现在|后来|如今|开始(?:吃|喝|骑|坐|开|做|学|喜欢|用)`)

// kinds are the kinds of the keys.
var kinds = map[memory.Key]memory.Kind{
	name: memory.KindProfile, city: memory.KindProfile, hometown: memory.KindProfile,
	commute: memory.KindProfile, occupation: memory.KindProfile, employer: memory.KindProfile,
	birthday: memory.KindProfile, languages: memory.KindProfile, skills: memory.KindProfile,
	hobbies: memory.KindProfile, pets: memory.KindProfile,
	partner: memory.KindRelation, family: memory.KindRelation,
	allergies: memory.KindConstraint, diet: memory.KindConstraint, health: memory.KindConstraint,
	likes: memory.KindPreference, dislikes: memory.KindPreference,
}

// The keys of the default profile schema that the rules know.
const (
	name       memory.Key = "user.name"
	city       memory.Key = "user.city"
	hometown   memory.Key = "user.hometown"
	commute    memory.Key = "user.commute"
	occupation memory.Key = "user.occupation"
	employer   memory.Key = "user.employer"
	partner    memory.Key = "user.partner"
	birthday   memory.Key = "user.birthday"
	diet       memory.Key = "user.diet"
	allergies  memory.Key = "user.allergies"
	pets       memory.Key = "user.pets"
	languages  memory.Key = "user.languages"
	skills     memory.Key = "user.skills"
	hobbies    memory.Key = "user.hobbies"
	likes      memory.Key = "user.likes"
	dislikes   memory.Key = "user.dislikes"
	family     memory.Key = "user.family"
	health     memory.Key = "user.health"
)

// single are the keys with one value at a time.
var single = []memory.Key{name, city, hometown, commute, occupation, employer, partner, birthday, diet}

// How sure a candidate is.
const (
	plain    = 0.9
	indirect = 0.8
	answered = 0.7
)

// fact is a keyed candidate with the value at s, stated by the clause.
func (m match) fact(key memory.Key, s span) found {
	return m.stated(memory.Candidate{Kind: kinds[key], Key: key, Value: strings.TrimSpace(m.say(s))})
}

// free is a free memory of the clause.
func (m match) free(kind memory.Kind) found {
	return m.stated(memory.Candidate{Kind: kind})
}

// ending is the free memory of an end, with what it ends.
func (m match) ending(target memory.Target) found {
	return m.stated(memory.Candidate{
		Kind: memory.KindFact, About: target.Key, Relation: memory.RelationEnds, Target: &target,
	})
}

func (m match) stated(c memory.Candidate) found {
	if c.Relation == "" {
		c.Relation = m.relation()
	}
	c.Stability = memory.Stable
	c.Confidence = plain
	return found{Candidate: c, from: m.start, to: m.to}
}

// one returns a build function for a single value under key: the group v, trimmed and
// checked.
func one(key memory.Key, check func(folded string) bool) func(match) []found {
	return func(m match) []found {
		s, ok := m.span("v")
		if !ok {
			return nil
		}
		s = trimValue(m.folded, s)
		if s.empty() || check != nil && !check(m.fold(s)) {
			return nil
		}
		return []found{m.fact(key, s)}
	}
}

// each returns a build function for one candidate per item of the enumeration in group v.
func each(key memory.Key, check func(folded string) bool) func(match) []found {
	return func(m match) []found {
		s, ok := m.span("v")
		if !ok {
			return nil
		}
		var out []found
		for _, item := range items(m.folded, s) {
			item = nominal(m.folded, item, m.to)
			if check == nil || check(m.fold(item)) {
				out = append(out, m.fact(key, item))
			}
		}
		return out
	}
}

// nominal keeps the 的 that makes a noun of a single character: 甜的, 生的.
func nominal(folded string, s span, end int) span {
	if runes(folded[s.from:s.to]) == 1 && strings.HasPrefix(folded[s.to:end], "的") {
		s.to += len("的")
	}
	return s
}

// freely returns a build function for a free memory of the whole clause, without a value:
// a value is the identity of a free memory, and the clause is not told by a part of it.
func freely(kind memory.Kind, about memory.Key, check func(folded string) bool) func(match) []found {
	return func(m match) []found {
		f := m.free(kind)
		f.About = about
		f.Relation = memory.RelationNew
		s, ok := m.span("v")
		if ok {
			s = trimValue(m.folded, s)
		}
		if check != nil && !check(m.fold(s)) {
			return nil
		}
		return []found{f}
	}
}

// body compiles a pattern for the body of a clause: it must match from its first
// character to its last, final particles aside.
func body(pattern string) *expr { return compile(`^(?:` + pattern + `)` + particles + `$`) }

// head compiles a pattern for the beginning of the body.
func head(pattern string) *expr { return compile(`^(?:` + pattern + `)`) }

// within compiles a pattern that is found anywhere in the clause.
func within(pattern string) *expr { return compile(pattern) }

// particles may close a clause without adding to what it states.
const particles = `(?:了|啦|咯|喽|呢|吧|啊|哦|噢|呀|哈+|嘛|唷|哟|耶|喔|欸|诶|捏|滴|的说|来着|嘿嘿|嘻嘻|[~～!！。.])*`
