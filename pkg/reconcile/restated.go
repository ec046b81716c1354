package reconcile

import (
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
)

// gist is what a memory is about, to be compared with another one's.
type gist struct {
	value, words []string
	held         map[string]bool
}

func gistOf(m *memory.Memory) *gist {
	value, text := split(m.Value), split(m.Text)
	g := &gist{value: piecesIn(value), words: dropping(text, true), held: map[string]bool{}}
	addHeld(g.held, value)
	addHeld(g.held, text)
	return g
}

// gistFor is that of a memory as it is now.
func (p *planner) gistFor(m *memory.Memory) *gist {
	g := p.gists[m.ID]
	if g == nil {
		g = gistOf(m)
		p.gists[m.ID] = g
	}
	return g
}

// restates reports whether a standing request that points at memories points at one that m
// says again, or says to be over.
func (p *planner) restates(request memory.ID, m *memory.Memory, c *content) bool {
	r := p.state[request]
	if r == nil || r.Suppresses == nil {
		return false
	}
	return slices.ContainsFunc(r.Suppresses.IDs, func(id memory.ID) bool {
		named := p.state[id]
		if named == nil || named.Status == memory.StatusDeleted || isRequest(named) || id == m.ID {
			return false
		}
		return m.Ends != nil && hits(*m.Ends, named, p.class(named.Key)) || p.alike(named, p.gistFor(named), m, c.gist())
	})
}

// alike reports whether two memories say the same: the same value of one key or of kindred
// ones, or as free memories the same words but for some. Of what somebody likes, a free
// memory may say no more than that.
func (p *planner) alike(a *memory.Memory, ga *gist, b *memory.Memory, gb *gist) bool {
	switch {
	case a.Key != "" && b.Key != "":
		return (a.Key == b.Key || p.bothLiked(a.Key, b.Key)) && canon.Same(a.Value, b.Value, p.class(a.Key))
	case a.Key != "":
		return p.named(a.Key, ga, gb) || ga.near(gb)
	case b.Key != "":
		return p.named(b.Key, gb, ga) || ga.near(gb)
	}
	return canon.Statement(a.Text) == canon.Statement(b.Text) || ga.near(gb)
}

// bothLiked reports whether a value of one key may as well stand under the other: of what
// somebody likes to do, some is a hobby.
func (p *planner) bothLiked(a, b memory.Key) bool {
	f, _ := p.Registry.Field(a)
	g, _ := p.Registry.Field(b)
	return f.Kind == memory.KindPreference && g.Kind == memory.KindPreference && f.Opposite != b
}

// named reports whether a free memory is about little else than a value that is liked.
func (p *planner) named(k memory.Key, value, free *gist) bool {
	f, _ := p.Registry.Field(k)
	return f.Kind == memory.KindPreference && len(value.value) > 0 &&
		free.lacks(value.value) == 0 && 2*len(value.value) >= len(free.words)
}

// near reports whether one of the two says all that the other says, and at most half as much
// besides.
func (g *gist) near(o *gist) bool {
	if len(g.words) == 0 || len(o.words) == 0 {
		return false
	}
	mine, others := o.lacks(g.words), g.lacks(o.words)
	return mine == 0 && 3*others <= len(o.words) || others == 0 && 3*mine <= len(g.words)
}

// lacks is how many of the pieces are not found. In Chinese, where neighbours change with the
// order of words, the characters of a piece are enough.
func (g *gist) lacks(pieces []string) int {
	n := 0
	for _, p := range pieces {
		if !g.held[p] && strings.ContainsFunc(p, func(r rune) bool { return !isHan(r) || !g.held[string(r)] }) {
			n++
		}
	}
	return n
}
