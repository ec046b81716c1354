package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// matter is a question as sentences are read for it.
type matter struct {
	question *memory.Question
	// sides are the current one and then its rivals; forms are their canonical values,
	// folded those as they were said.
	sides         []memory.Side
	forms, folded []string
	class         canon.Class
	// around are the words that stand beside a value where it was said ("live", 生日), and
	// asks those with which people ask for the key.
	around, asks words
	// rest are the other open questions. A message that answers several put at once, which
	// is what among says, may speak of their values too, and of their subjects: besides.
	rest    []*matter
	among   bool
	besides words
	// units are the most words in which a value is looked for.
	units int
	// likes and hates are the sides of a question about an opinion, whose values are the
	// same; -1 where it is about values.
	likes, hates int
	// prefers is set where the sides are preferences.
	prefers bool
}

// words are folded phrases, by their first character.
type words map[rune][]string

func (w words) add(s string) {
	if r, n := utf8.DecodeRuneInString(s); n > 0 && !slices.Contains(w[r], s) {
		w[r] = append(w[r], s)
	}
}

// prefix is the length of the longest phrase that s begins with.
func (w words) prefix(s string) int {
	longest := 0
	first, _ := utf8.DecodeRuneInString(s)
	for _, p := range w[first] {
		if len(p) > longest && strings.HasPrefix(s, p) && !splitsWord(s, len(p)) {
			longest = len(p)
		}
	}
	return longest
}

func newMatter(r *profile.Registry, q *memory.Question) *matter {
	m := &matter{
		question: q, sides: append([]memory.Side{q.Current}, q.Rivals...), around: words{}, asks: words{}, besides: words{}, likes: -1, hates: -1,
	}
	f, _ := r.Field(q.Key)
	m.class = f.Class
	for i := range m.sides {
		m.add(&m.sides[i])
	}
	m.opinions()
	if m.likes < 0 { // what people ask for an opinion by is the opinion itself
		for _, entries := range f.Asks {
			for _, e := range entries {
				m.ask(e)
			}
		}
	}
	path := string(q.Key)
	m.around.add(strings.ReplaceAll(path[strings.LastIndexByte(path, '.')+1:], "_", " "))
	for i := range m.sides {
		m.surroundings(m.sides[i].Text, m.folded[i])
	}
	return m
}

// maxRest bounds the other questions that a message may speak of.
const maxRest = 8

// passOver lets a message that answers m speak of another question as well.
func (m *matter) passOver(o *matter) {
	if len(m.rest) == maxRest {
		return
	}
	m.rest = append(m.rest, o)
	for _, phrases := range o.around {
		for _, p := range phrases {
			m.besides.add(p)
		}
	}
}

// The words and characters that a value is looked for in: so many more than it has, but not
// fewer than a date has, and no more than any value has.
const (
	moreUnits  = 3
	leastUnits = 6
	mostUnits  = 16
)

func (m *matter) add(s *memory.Side) {
	m.forms = append(m.forms, canon.Identity(s.Value, m.class))
	m.prefers = m.prefers || preference.MatchString(foldText(s.Text))
	m.folded = append(m.folded, foldText(s.Value))
	n := len(wordsIn(s.Value, span{0, len(s.Value)}))
	m.units = min(max(m.units, n+moreUnits, leastUnits), mostUnits)
}

var preference = regexp.MustCompile(`\b(?:love|like|prefer|enjoy|favou?rite)|喜欢|爱|偏好`)

// opinions finds the sides of a question about an opinion.
func (m *matter) opinions() {
	if len(m.sides) != 2 || m.forms[0] != m.forms[1] {
		return
	}
	for i, s := range m.sides {
		if dislikes.MatchString(foldText(s.Text)) {
			m.hates = i
		} else {
			m.likes = i
		}
	}
	if m.likes < 0 || m.hates < 0 {
		m.likes, m.hates = -1, -1
		return
	}
	m.around.add(m.folded[0])
}

var dislikes = regexp.MustCompile(`(?:` + english[disliking] + `)|` + chinese[disliking])

// others are people beside the user whom the asking-words of a key name.
var others = regexp.MustCompile(`boss|colleague|老板|同事`)

// askedBy are words that open an asking-phrase and are no part of what is asked for.
var askedBy = regexp.MustCompile(`^(?:do i|where i|where am i|am i|was i|my|i|who|what|我的?|在哪里?|怎么|什么) ?`)

// ask takes an asking-phrase without the pronoun that it begins with.
func (m *matter) ask(entry string) {
	entry = foldText(entry)
	if strings.HasPrefix(entry, "!") || others.MatchString(entry) {
		return
	}
	if entry = strings.TrimSpace(askedBy.ReplaceAllString(entry, "")); entry != "" {
		m.asks.add(entry)
	}
}

// The bounds of what is taken for the surroundings of a value, in bytes.
const (
	maxBefore = 40
	maxBehind = len("上班了")
)

// surroundings takes the words beside a value from the text that stated it.
func (m *matter) surroundings(text, value string) {
	before, behind, ok := strings.Cut(foldText(text), value)
	if !ok || value == "" || len(before) > maxBefore {
		return
	}
	if len(behind) > maxBehind {
		behind = ""
	}
	for _, t := range (scanner{table: lexicon}).scan(before + "\n" + behind) {
		if t.kind == unknown || t.kind == qualifies {
			m.around.add(t.text)
		}
	}
}
