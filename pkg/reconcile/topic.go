package reconcile

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Matcher knows which memories a topic means. A topic that names a key and nothing else
// ("where I work", 我的住址) means the key whole, and what is about it; one that says more
// ("that I work at a bakery") means what says that, under the key; one that names no key
// means what is about all of its words.
type Matcher struct {
	registry *profile.Registry
	text     string
	ids      []memory.ID
	// whole are the keys that are meant whatever their value, narrow those under which the
	// words are looked for.
	whole, narrow []memory.Key
	// all means everything, plans what is planned, of one sort unless that is empty.
	all, plans bool
	sort       string
	// own says that the topic is one certain thing ("my cat"), definite that it is one
	// without an owner ("the bakery"), former that it is over ("my old job").
	own, definite, former bool
	// words are what the topic is about besides its keys, hint what is left of that when it
	// is only to be mentioned, name what names the keys, and said all of it.
	words, hint, name []string
	said              map[string]bool
	// code is how a tombstone keeps the words; nil means as they are.
	code func(piece string) string
	// more are further topics in the same words.
	more []*Matcher
}

// About is the matcher of a topic under a profile schema. Keys and IDs mean exactly those;
// Words what their user means by them, in English or Chinese.
func About(r *profile.Registry, t memory.Topic) *Matcher {
	x := &Matcher{registry: r, text: t.Words, ids: t.IDs, whole: t.Keys}
	if len(t.Words) > maxTopic {
		return x
	}
	for i, words := range topics(t.Words) {
		if i == 0 {
			x.read(words)
			continue
		}
		other := &Matcher{registry: r}
		other.read(words)
		x.more = append(x.more, other)
	}
	return x
}

// Match reports whether a request to forget the topic means m. Only one that means
// everything means requests too, and none what is deleted.
func (x *Matcher) Match(m *memory.Memory) bool { return x.match(m, &content{m: m}) }

// Mentions reports whether m has anything to do with the topic, as a request not to mention
// it has it: m may do no more than mention it.
func (x *Matcher) Mentions(m *memory.Memory) bool { return x.mentions(m, &content{m: m}) }

func (x *Matcher) match(m *memory.Memory, c *content) bool {
	switch {
	case m.Status == memory.StatusDeleted:
		return false
	case slices.ContainsFunc(x.more, func(o *Matcher) bool { return o.match(m, c) }):
		return true
	case x.all || slices.Contains(x.ids, m.ID) || m.Origin != "" && slices.Contains(x.ids, m.Origin):
		return true
	case isRequest(m), x.former && !isOver(m):
		return false
	case under(x.whole, m), x.plans && len(x.words) == 0 && m.Plan && x.plan(c):
		return true
	case len(x.words) == 0:
		return len(x.name) > 0 && x.own && m.Key == "" && x.speakersOwn(c)
	case x.sameClause(c):
		return true
	case len(x.narrow) > 0 || x.plans:
		return x.narrowly(m, c)
	}
	return x.worded(m, c)
}

func (x *Matcher) mentions(m *memory.Memory, c *content) bool {
	switch {
	case x.match(m, c), slices.ContainsFunc(x.more, func(o *Matcher) bool { return o.mentions(m, c) }):
		return true
	case x.former, isRequest(m), m.Status == memory.StatusDeleted:
		return false
	case len(x.name) == 0:
		return len(x.hint) > 0 && x.finds(x.hint, c.all())
	case len(x.words) == 0:
		return m.Key == "" && x.finds(x.name, c.all())
	}
	return x.finds(x.hint, c.all()) && (x.finds(x.name, c.all()) || under(x.narrow, m) || x.plans && m.Plan)
}

// isRequest reports whether m is a standing request, or was one.
func isRequest(m *memory.Memory) bool {
	return m.Status == memory.StatusStanding || m.Status == memory.StatusLifted
}

// isOver reports whether m states what was once, or that something is over.
func isOver(m *memory.Memory) bool {
	return m.Status != memory.StatusCurrent && m.Status != memory.StatusDisputed || m.Ends != nil
}

// wholly are the keys that the topic means whatever their values are and were.
func (x *Matcher) wholly() []memory.Key {
	if x.former {
		return nil
	}
	return slices.Clone(x.whole)
}

// under reports whether m stands under one of the keys, or is about it.
func under(keys []memory.Key, m *memory.Memory) bool {
	return m.Key != "" && slices.Contains(keys, m.Key) || m.About != "" && slices.Contains(keys, m.About)
}

// narrowly decides about a topic that names keys, or plans, and more.
func (x *Matcher) narrowly(m *memory.Memory, c *content) bool {
	if m.Key == "" {
		return x.finds(x.words, c.all()) &&
			(x.plans && m.Plan || under(x.narrow, m) || len(x.name) > 0 && x.finds(x.name, c.all()))
	}
	if !slices.Contains(x.narrow, m.Key) && !x.kindred(m.Key) {
		return false
	}
	if f, _ := x.registry.Field(m.Key); !f.Multi && x.says(c.value()) {
		return true
	}
	return x.values(c)
}

// kindred reports whether values are looked for under k as well when the topic names
// another key: of what somebody likes to do, some is a hobby.
func (x *Matcher) kindred(k memory.Key) bool {
	f, _ := x.registry.Field(k)
	return f.Kind == memory.KindPreference && slices.ContainsFunc(x.narrow, func(n memory.Key) bool {
		other, _ := x.registry.Field(n)
		return other.Kind == memory.KindPreference && other.Opposite != k
	})
}

// worded decides about a topic that names no key.
func (x *Matcher) worded(m *memory.Memory, c *content) bool {
	if m.Key == "" {
		return x.finds(x.words, c.all()) && !(x.own && x.others(c))
	}
	if x.own {
		// What somebody likes is not theirs: "my cat" is none of "cats".
		f, _ := x.registry.Field(m.Key)
		return f.Opposite == "" && x.heads(m.Value, f)
	}
	return x.values(c)
}

// values reports whether the value is about the topic, or is named in it where the text is
// about the rest.
func (x *Matcher) values(c *content) bool {
	return x.finds(x.words, c.inValue()) || x.says(c.value()) && x.finds(x.words, c.all())
}

// sameClause reports whether the topic says all that a memory says, in more than one word.
func (x *Matcher) sameClause(c *content) bool {
	return len(c.text()) > 1 && x.says(c.text()) && (len(c.value()) == 0 || x.says(c.value()))
}

// says reports whether the topic says all of the pieces, of which there must be any.
func (x *Matcher) says(pieces []string) bool {
	return len(pieces) > 0 && !slices.ContainsFunc(pieces, func(p string) bool { return !x.said[x.coded(p)] })
}

// finds reports whether all of the topic's words are in set.
func (x *Matcher) finds(words []string, set map[string]bool) bool {
	if x.code != nil {
		coded := make(map[string]bool, len(set))
		for p := range set {
			coded[x.code(p)] = true
		}
		set = coded
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !set[w] })
}

func (x *Matcher) coded(piece string) string {
	if x.code == nil {
		return piece
	}
	return x.code(piece)
}

// heads reports whether value is the topic's one thing, or says more about it: "cat named
// Mimi" is a cat, "cat videos" are none.
func (x *Matcher) heads(value string, f profile.Field) bool {
	for _, part := range append(parts(value), value) {
		if x.is(part) && headOf(part, value, f) {
			return true
		}
	}
	return false
}

// is reports whether part is the topic's one thing.
func (x *Matcher) is(part string) bool {
	ps := pieces(part)
	compact(&ps)
	return len(ps) == len(x.words) && !slices.ContainsFunc(ps, func(p string) bool { return !slices.Contains(x.words, x.coded(p)) })
}

// speakersOwn reports whether a text speaks of what the topic names as the speaker's own.
func (x *Matcher) speakersOwn(c *content) bool {
	return x.finds(x.name, c.all()) && slices.Contains(owners(c.m.Text, func(p string) bool { return x.coded(p) == x.name[0] }), speaker)
}

// others reports whether a text speaks of the topic's one thing only as somebody else's.
func (x *Matcher) others(c *content) bool {
	found := owners(c.m.Text, func(p string) bool { return x.coded(p) == x.words[0] })
	return len(found) > 0 && !slices.ContainsFunc(found, func(o possessor) bool { return o != other })
}

// read takes the topic's words apart.
func (x *Matcher) read(topic string) {
	if isEverything(topic) {
		x.all = true
		return
	}
	topic = unwrapped(topic)
	keys, plans := named(x.registry, topic)
	spans := nameSpans(x.registry, topic, keys, plans)
	x.own = ownHead.MatchString(topic) ||
		strings.HasPrefix(topic, speakerHan) && slices.ContainsFunc(spans, func(s nameSpan) bool { return s.from == len(speakerHan) })
	if severalThings(spans) {
		// "my work schedule" is a schedule, and "my company's address" nothing that has a name.
		spans, keys = slices.DeleteFunc(spans, func(s nameSpan) bool { return !s.plans }), nil
	}
	left := outside(topic, append(spans, nameSpan{to: len(ownHead.FindString(topic))}))
	x.former = x.wasOnce(keys, left)
	rest := slices.DeleteFunc(split(left), func(w word) bool {
		return len(w.pieces) == 0 || len(keys) > 0 && (isBeside(w.text) || x.former && former.MatchString(w.text))
	})
	x.own = x.own && len(rest) <= 1
	x.definite = x.own && definiteHead.MatchString(topic)
	x.plans = plans
	x.words = dropping(rest, slices.ContainsFunc(rest, isProper))
	x.hint = dropping(rest, true)
	x.said = holds(topic)
	for _, s := range spans {
		x.name = append(x.name, pieces(topic[s.from:s.to])...)
	}
	if x.plans {
		if len(x.words) > 0 && areSorts(x.words) { // "my travel plans"
			x.name, x.words = slices.Concat(x.name, x.words), nil
		}
		if x.sort = sortNamed(x.name); x.sort == "" && onePlan.MatchString(topic) {
			x.sort = sortOther
		}
	}
	if len(x.words) == 0 {
		x.whole = slices.Concat(x.whole, keys)
	} else {
		x.narrow = keys
	}
}

// wasOnce reports whether words beside the names of keys of one value say that it was so
// before.
func (x *Matcher) wasOnce(keys []memory.Key, words string) bool {
	return len(keys) > 0 && former.MatchString(words) && !slices.ContainsFunc(keys, func(k memory.Key) bool {
		f, _ := x.registry.Field(k)
		return f.Multi
	})
}

// isProper reports whether a word is a name, as far as its letters tell.
func isProper(w word) bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

// dropping are the pieces of words without those that only say what sort of thing it is,
// unless these are all; in Latin script, where such words are common, only if asked to.
func dropping(words []word, latin bool) []string {
	var short, whole []string
	for _, w := range words {
		whole = append(whole, w.pieces...)
		switch {
		case w.han:
			short = append(short, pieces(occasionsHan.ReplaceAllString(w.text, ""))...)
		case !latin || !occasions[strings.ToLower(w.text)]:
			short = append(short, w.pieces...)
		}
	}
	if len(short) == 0 {
		short = whole
	}
	compact(&short)
	return short
}
