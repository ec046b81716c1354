package reconcile

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
)

// pointed is the topic of a request. One that names nothing is about what the assistant has
// just spoken of.
func (p *planner) pointed(r Request) memory.Topic {
	if !isEmpty(r.Topic) || r.Said == "" {
		return r.Topic
	}
	said := holds(r.Said)
	var topic memory.Topic
	for _, id := range p.sorted() {
		if m := p.state[id]; (m.Status == memory.StatusCurrent || m.Status == memory.StatusDisputed) && spokenOf(m, said) {
			topic.IDs = append(topic.IDs, id)
		}
	}
	return topic
}

// spokenOf reports whether a text in which those pieces stand speaks of m: of its value, or
// of two thirds of what its text is about; half is enough if there is a name in it.
func spokenOf(m *memory.Memory, said map[string]bool) bool {
	missing := func(p string) bool { return !said[p] }
	if value := pieces(m.Value); m.Key != "" && len(value) > 0 {
		return !slices.ContainsFunc(value, missing)
	}
	text := dropping(split(m.Text), true)
	found := len(text) - len(slices.DeleteFunc(slices.Clone(text), func(p string) bool { return said[p] }))
	name := slices.ContainsFunc(split(m.Text), func(w word) bool {
		return isProper(w) && len(w.pieces) > 0 && !slices.ContainsFunc(w.pieces, missing)
	})
	return found > 0 && (3*found >= 2*len(text) || name && 2*found >= len(text))
}
