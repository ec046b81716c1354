package temporal

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rule gives the meaning of one pattern. A pattern is a row of elements between spaces: CLASS
// is a token of that class, any other word a token of that text, <amount>, <float> and <date>
// (dated or floating) a value of that sort; | separates alternatives, ? ends an element that
// may be missing.
type rule struct {
	pattern string
	mean    func(c context, m match) (value, bool)
}

// match is what a pattern matched: its class tokens and its values, in order.
type match struct {
	tokens []token
	values []value
}

// n is the number of the i-th class token.
func (m match) n(i int) int { return m.tokens[i].n }

// words is the vocabulary of one class: text to number.
type words map[string]int

// language is everything that is particular to one language.
type language struct {
	vocabulary map[class]words
	// abbreviations may be followed by a full stop before a digit.
	abbreviations string
	// notBefore gives the characters that turn an entry into a part of another word.
	notBefore map[string]string
	// amounts, atoms: the rules of lengths, and of everything else.
	amounts, atoms []rule
	// prepositions may stand before a phrase and belong to it.
	prepositions map[string]support
	// anyWeak are the prepositions that support every weak value.
	anyWeak string
	// backwards are the words before or behind a phrase that say that it lies in the past.
	backwards string
	// postpositions may stand behind a phrase and belong to it: 之前, 以来.
	postpositions string
	// glue may stand between the values of a phrase.
	glue string
	// to joins the ends of a range; from may open one; between opens one that needs and.
	to, from, between, and string
	// plain are the words that may follow "the 15th"; before others it counts something else.
	plain string
}

// entry is a word of the lexicon.
type entry struct {
	id          int
	class       class
	n           int
	runes       []rune
	notBefore   string
	abbreviated bool
}

// lexiconTable holds the words of all languages.
type lexiconTable struct {
	words map[string]entry
	// phrases are the entries in scripts without spaces, by first rune, longest first.
	phrases map[rune][]entry
}

type element struct {
	alternatives []symbol
	optional     bool
}

// symbol is a word (id), a class or a sort of value.
type symbol struct {
	id    int
	class class
	value string
}

type compiled struct {
	elements []element
	mean     func(c context, m match) (value, bool)
}

// ruleIndex finds the rules whose first token a token can be.
type ruleIndex struct {
	byID    map[int][]int
	byClass map[class][]int
	rules   []compiled
}

// connectives are the small words of all languages, as sets of word ids.
type connectives struct {
	prepositions        map[int]support
	anyWeak, backwards  map[int]bool
	postpositions, glue map[int]bool
	to, from            map[int]bool
	between, and, plain map[int]bool
}

var languages = []language{figures, english, chinese}

var lexicon = buildLexicon(languages)

var (
	amountRules = compile(languages, func(l language) []rule { return l.amounts }, nil)
	atomRules   = compile(languages, func(l language) []rule { return l.atoms }, amountRules)
	connects    = buildConnectives(languages)
)

func buildLexicon(all []language) lexiconTable {
	t := lexiconTable{words: map[string]entry{}, phrases: map[rune][]entry{}}
	for _, l := range all {
		for c, ws := range l.vocabulary {
			for w, n := range ws {
				t.change(w, func(e *entry) { e.class, e.n = c, n })
			}
		}
		for _, w := range l.literals() {
			t.change(w, func(*entry) {})
		}
		for w, after := range l.notBefore {
			t.change(w, func(e *entry) { e.notBefore = after })
		}
		for _, w := range strings.Fields(l.abbreviations) {
			t.change(w, func(e *entry) { e.abbreviated = true })
		}
	}
	for w, e := range t.words {
		if r, _ := utf8.DecodeRuneInString(w); !isWord(fold(r)) {
			t.phrases[r] = append(t.phrases[r], e)
		}
	}
	for _, entries := range t.phrases {
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(len(b.runes), len(a.runes)), slices.Compare(a.runes, b.runes))
		})
	}
	return t
}

// change changes the entry of a word, a new one if there is none.
func (t lexiconTable) change(word string, f func(*entry)) {
	e, ok := t.words[word]
	if !ok {
		e = entry{id: len(t.words) + 1, runes: []rune(word)}
	}
	f(&e)
	t.words[word] = e
}

// literals are the words that the patterns and lists of a language name.
func (l language) literals() []string {
	var all []string
	for _, r := range slices.Concat(l.amounts, l.atoms) {
		for _, e := range strings.Fields(r.pattern) {
			for _, s := range strings.Split(strings.TrimSuffix(e, "?"), "|") {
				if !isClass(s) && !isValue(s) {
					all = append(all, s)
				}
			}
		}
	}
	for w := range l.prepositions {
		all = append(all, w)
	}
	for _, list := range []string{l.anyWeak, l.backwards, l.postpositions, l.glue, l.to, l.from, l.between, l.and, l.plain} {
		all = append(all, strings.Fields(list)...)
	}
	return all
}

func isClass(s string) bool { return unicode.IsUpper([]rune(s)[0]) }

func isValue(s string) bool { return len(s) > 2 && s[0] == '<' }

// compile prepares the rules of all languages; amounts is the index of <amount>, if they use
// any. A pattern never begins with <float> or <date>.
func compile(all []language, of func(language) []rule, amounts *ruleIndex) *ruleIndex {
	x := &ruleIndex{byID: map[int][]int{}, byClass: map[class][]int{}}
	for _, l := range all {
		for _, r := range of(l) {
			x.rules = append(x.rules, compiled{compilePattern(r.pattern), r.mean})
			x.index(len(x.rules)-1, amounts)
		}
	}
	return x
}

func compilePattern(pattern string) []element {
	var elements []element
	for _, f := range strings.Fields(pattern) {
		e := element{optional: strings.HasSuffix(f, "?")}
		for _, s := range strings.Split(strings.TrimSuffix(f, "?"), "|") {
			switch {
			case isValue(s):
				e.alternatives = append(e.alternatives, symbol{value: s})
			case isClass(s):
				e.alternatives = append(e.alternatives, symbol{class: class(s)})
			default:
				e.alternatives = append(e.alternatives, symbol{id: lexicon.words[s].id})
			}
		}
		elements = append(elements, e)
	}
	return elements
}

// index enters rule i under every token that it can begin with.
func (x *ruleIndex) index(i int, amounts *ruleIndex) {
	for _, e := range x.rules[i].elements {
		for _, s := range e.alternatives {
			switch {
			case s.id != 0:
				x.byID[s.id] = appendOnce(x.byID[s.id], i)
			case s.class != "":
				x.byClass[s.class] = appendOnce(x.byClass[s.class], i)
			default:
				for id := range amounts.byID {
					x.byID[id] = appendOnce(x.byID[id], i)
				}
				for c := range amounts.byClass {
					x.byClass[c] = appendOnce(x.byClass[c], i)
				}
			}
		}
		if !e.optional {
			return
		}
	}
}

func appendOnce(list []int, i int) []int {
	if len(list) > 0 && list[len(list)-1] == i {
		return list
	}
	return append(list, i)
}

func buildConnectives(all []language) connectives {
	c := connectives{prepositions: map[int]support{}}
	set := func(dst *map[int]bool, list string) {
		if *dst == nil {
			*dst = map[int]bool{}
		}
		for _, w := range strings.Fields(list) {
			(*dst)[lexicon.words[w].id] = true
		}
	}
	for _, l := range all {
		for w, s := range l.prepositions {
			c.prepositions[lexicon.words[w].id] = s
		}
		set(&c.anyWeak, l.anyWeak)
		set(&c.backwards, l.backwards)
		set(&c.postpositions, l.postpositions)
		set(&c.glue, l.glue)
		set(&c.to, l.to)
		set(&c.from, l.from)
		set(&c.between, l.between)
		set(&c.and, l.and)
		set(&c.plain, l.plain)
	}
	return c
}
