package english

import (
	"regexp"
	"strings"
)

// grams is the set of letter pairs of a text, hashed: what it lacks the text lacks.
type grams [64]uint64

func gram(a, b byte) (word, bit uint) {
	h := (uint(a)*31 + uint(b)) & 4095
	return h / 64, h % 64
}

func gramsOf(s string) *grams {
	var g grams
	for i := 1; i < len(s); i++ {
		word, bit := gram(s[i-1], s[i])
		g[word] |= 1 << bit
	}
	return &g
}

// mayContain reports whether a text with these pairs can contain cue.
func (g *grams) mayContain(cue string) bool {
	for i := 1; i < len(cue); i++ {
		if word, bit := gram(cue[i-1], cue[i]); g[word]&(1<<bit) == 0 {
			return false
		}
	}
	return true
}

// gated is a pattern that is tried only on texts with one of its cues, which is what most
// texts are spared.
type gated struct {
	cues []string
	re   *regexp.Regexp
}

func (p gated) match(s string, g *grams) bool {
	return g.containsAny(s, p.cues) && p.re.MatchString(s)
}

// containsAny reports whether s contains one of the cues; g are its pairs.
func (g *grams) containsAny(s string, cues []string) bool {
	for _, cue := range cues {
		if g.mayContain(cue) && strings.Contains(s, cue) {
			return true
		}
	}
	return false
}

// grams returns the letter pairs of the clause's body.
func (c *clause) grams() *grams {
	if c.pairs == nil {
		c.pairs = gramsOf(c.body.text)
	}
	return c.pairs
}

// wholeGrams returns the letter pairs of the whole clause.
func (c *clause) wholeGrams() *grams {
	if c.wholePairs == nil {
		c.wholePairs = gramsOf(c.whole)
	}
	return c.wholePairs
}
