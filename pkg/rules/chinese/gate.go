package chinese

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// expr is a regular expression that is tried only on text that holds the characters
// which every match of it needs. Long alternations of words are slow to try, and hardly
// any clause holds any of them.
type expr struct {
	*regexp.Regexp
	needs []runeSet
}

// compile compiles a pattern with its needs.
func compile(pattern string) *expr {
	re := regexp.MustCompile(pattern)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	e := &expr{Regexp: re}
	for _, set := range needs(tree) {
		e.needs = append(e.needs, newRuneSet(set))
	}
	return e
}

// possible reports whether text with these characters can hold a match.
func (e *expr) possible(has *runeSet) bool {
	for i := range e.needs {
		if !e.needs[i].meets(has) {
			return false
		}
	}
	return true
}

// runeSet is a set of characters by a hash of ten bits: it may hold more than was put in.
type runeSet [16]uint64

func newRuneSet(s string) runeSet {
	var set runeSet
	for _, r := range s {
		h := uint32(r) * 2654435769 >> 22
		set[h>>6] |= 1 << (h & 63)
	}
	return set
}

func (s *runeSet) meets(o *runeSet) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// needs returns sets of characters such that every match holds at least one of each.
func needs(n *syntax.Regexp) []string {
	switch n.Op {
	case syntax.OpLiteral:
		return []string{rarest(n.Rune)}
	case syntax.OpCharClass:
		return classNeeds(n.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needs(n.Sub[0])
	case syntax.OpRepeat:
		if n.Min > 0 {
			return needs(n.Sub[0])
		}
	case syntax.OpConcat:
		var out []string
		for _, sub := range n.Sub {
			out = append(out, needs(sub)...)
		}
		return out
	case syntax.OpAlternate:
		return eitherNeeds(n.Sub)
	}
	return nil
}

// eitherNeeds joins what the alternatives need: from each the smallest set.
func eitherNeeds(subs []*syntax.Regexp) []string {
	var all strings.Builder
	for _, sub := range subs {
		best := ""
		for _, set := range needs(sub) {
			if best == "" || len(set) < len(best) {
				best = set
			}
		}
		if best == "" {
			return nil
		}
		all.WriteString(best)
	}
	return []string{all.String()}
}

// classNeeds lists the characters of a small class.
func classNeeds(ranges []rune) []string {
	var b strings.Builder
	n := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if n++; n > 64 {
				return nil
			}
			b.WriteRune(r)
		}
	}
	return []string{b.String()}
}

// frequent are characters found in most clauses, which tell nothing.
const frequent = "我的了是不在有一个人这那你他她上来到要会好能可去说大小家想以多"

// rarest is the character of a word that tells most: the first that is not frequent.
func rarest(word []rune) string {
	for _, r := range word {
		if !strings.ContainsRune(frequent, r) {
			return string(r)
		}
	}
	return string(word[0])
}
