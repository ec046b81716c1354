package chinese

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// expr is a regular expression that is tried only on text that holds the characters
// which every match of it needs. Long alternations of words are slow to try, and hardly
// any clause holds any of them.
type expr struct {
	*regexp.Regexp
	// ways are the ways in which it can match: each needs all of its needs. An expression
	// without ways can match anything.
	ways [][]need
}

// need is a single character, by its bit, or one of a set.
type need struct {
	bit uint32
	set *runeSet
}

func (n need) met(has *runeSet) bool {
	if n.set != nil {
		return n.set.meets(has)
	}
	return has[n.bit>>6]&(1<<(n.bit&63)) != 0
}

// compile compiles a pattern with its needs.
func compile(pattern string) *expr {
	re := regexp.MustCompile(pattern)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	e := &expr{Regexp: re}
	for _, way := range ways(tree) {
		// The smaller a set, the sooner it settles the matter.
		slices.SortStableFunc(way, func(a, b string) int { return len(a) - len(b) })
		var all []need
		for _, set := range way {
			all = append(all, newNeed(set))
		}
		e.ways = append(e.ways, all)
	}
	return e
}

func newNeed(set string) need {
	if utf8.RuneCountInString(set) == 1 {
		r, _ := utf8.DecodeRuneInString(set)
		return need{bit: bitOf(r)}
	}
	s := newRuneSet(set)
	return need{set: &s}
}

// possible reports whether text with these characters can hold a match.
func (e *expr) possible(has *runeSet) bool {
	for _, way := range e.ways {
		met := true
		for _, n := range way {
			if !n.met(has) {
				met = false
				break
			}
		}
		if met {
			return true
		}
	}
	return len(e.ways) == 0
}

// runeSet is a set of characters by a hash of ten bits: it may hold more than was put in.
type runeSet [16]uint64

func newRuneSet(s string) runeSet {
	var set runeSet
	for _, r := range s {
		h := bitOf(r)
		set[h>>6] |= 1 << (h & 63)
	}
	return set
}

// bitOf is the place of a character in a runeSet: the top ten bits of a Fibonacci hash.
func bitOf(r rune) uint32 { return uint32(r) * 2654435769 >> 22 }

func (s *runeSet) meets(o *runeSet) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// ways returns the alternatives of a pattern, each as sets of characters of which a match
// by it holds at least one each; nil if some alternative needs none.
func ways(n *syntax.Regexp) [][]string {
	switch n.Op {
	case syntax.OpCapture:
		return ways(n.Sub[0])
	case syntax.OpAlternate:
		var out [][]string
		for _, sub := range n.Sub {
			w := ways(sub)
			if w == nil {
				return nil
			}
			out = append(out, w...)
		}
		return out
	case syntax.OpConcat:
		return concatWays(n.Sub)
	}
	if all := needs(n); len(all) > 0 {
		return [][]string{all}
	}
	return nil
}

// concatWays distributes the longest alternation of a sequence over the rest of it.
func concatWays(subs []*syntax.Regexp) [][]string {
	var best [][]string
	at := -1
	for i, sub := range subs {
		if w := ways(sub); len(w) > max(1, len(best)) {
			best, at = w, i
		}
	}
	var rest []string
	for i, sub := range subs {
		if i != at {
			rest = append(rest, needs(sub)...)
		}
	}
	switch {
	case at >= 0:
		out := make([][]string, len(best))
		for i, way := range best {
			out[i] = append(slices.Clone(rest), way...)
		}
		return out
	case len(rest) > 0:
		return [][]string{rest}
	}
	return nil
}

// needs returns sets of characters such that every match holds at least one of each.
func needs(n *syntax.Regexp) []string {
	switch n.Op {
	case syntax.OpLiteral:
		return telling(n.Rune)
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

// telling are the characters of a word that are not frequent, or its first.
func telling(word []rune) []string {
	var out []string
	for _, r := range word {
		if !strings.ContainsRune(frequent, r) {
			out = append(out, string(r))
		}
	}
	if len(out) == 0 {
		out = append(out, string(word[0]))
	}
	return out
}
