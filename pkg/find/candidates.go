package find

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
)

func idOf(h *index.Hit) memory.ID {
	if h.Document != nil {
		return h.Document.ID
	}
	return h.Memory.ID
}

func scopeOf(h *index.Hit) memory.Scope {
	if h.Document != nil {
		return h.Document.Scope
	}
	return h.Memory.Scope
}

// said is when a document was said, or else put.
func said(d *document.Document) time.Time {
	if !d.Source.At.IsZero() {
		return d.Source.At
	}
	return d.UpdatedAt
}

// sort lays the hits out in the order of what was said, whichever search found them.
func (s *search) sort() {
	if s.r.Sort == index.SortDocument {
		slices.SortFunc(s.hits, func(a, b index.Hit) int {
			return cmp.Or(
				said(a.Document).Compare(said(b.Document)), cmp.Compare(a.Document.Source.Place, b.Document.Source.Place),
				cmp.Compare(a.Document.ID, b.Document.ID),
			)
		})
		return
	}
	type sorted struct {
		index.Hit
		last memory.Evidence
	}
	all := make([]sorted, len(s.hits))
	for i := range s.hits {
		all[i] = sorted{s.hits[i], s.hits[i].Memory.LastEvidence()}
	}
	slices.SortFunc(all, func(a, b sorted) int {
		switch {
		case a.last.Before(b.last):
			return -1
		case b.last.Before(a.last):
			return 1
		}
		return cmp.Compare(a.Memory.ID, b.Memory.ID)
	})
	for i := range all {
		s.hits[i] = all[i].Hit
	}
}

// thread is one owner's.
type thread struct {
	scope memory.Scope
	id    memory.Thread
}

// candidates are what the hits are to the ranking, in their order. The texts of documents are
// left out: see read.
func (s *search) candidates() []rank.Candidate {
	out := make([]rank.Candidate, len(s.hits))
	names := map[thread]string{}
	places := map[string]int64{}
	for i := range s.hits {
		h := &s.hits[i]
		c := ofMemory(&h.Memory)
		if h.Document != nil {
			c = ofDocument(h.Document)
		}
		c.Terms, c.Cosine = h.Terms, s.cosine(h)
		if c.Thread != "" {
			c.Thread = nameOf(names, thread{scopeOf(h), memory.Thread(c.Thread)})
		}
		if h.Document == nil {
			c.Place = places[c.Thread]
			places[c.Thread]++
		}
		out[i] = c
	}
	return out
}

// read adds the text of hit i to its candidate. A document's has to be decoded, and few are
// looked at.
func (s *search) read(c *rank.Candidate, i int) {
	if d := s.hits[i].Document; d != nil && c.Text == "" {
		c.Text = document.Text(d)
	}
}

// nameOf is a name of a thread that no other one has.
func nameOf(names map[thread]string, t thread) string {
	if names[t] == "" {
		names[t] = strconv.Itoa(len(names) + 1)
	}
	return names[t]
}

func ofDocument(d *document.Document) rank.Candidate {
	return rank.Candidate{
		Thread: string(d.Source.Thread), Place: d.Source.Place, Speaker: d.Source.Speaker,
		Assistant: d.Source.Assistant, At: said(d), Seq: uint64(max(d.Source.Place, 0)),
	}
}

func ofMemory(m *memory.Memory) rank.Candidate {
	last := m.LastEvidence()
	return rank.Candidate{
		Text: m.Text, Thread: string(last.Thread), Speaker: string(last.Role),
		Assistant: last.Role == memory.RoleAssistant, At: last.At, Seq: last.Seq,
	}
}

// cosine is a hit's, or 0 where the embedder's was high by chance: it shares no word with the
// query, nor anything else.
func (s *search) cosine(h *index.Hit) float64 {
	if s.Related == nil || h.Cosine < float64(s.MinDense) || s.asked.Shares(h.Terms) {
		return h.Cosine
	}
	text := ""
	if h.Document != nil {
		text = index.DocumentText(h.Document)
	} else {
		text = index.Text(&h.Memory)
	}
	if !s.Related(s.firm, text) {
		return 0
	}
	return h.Cosine
}
