package index

import (
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Text is what a memory is found by: its text, and where that lacks their words, its value,
// the questions that it answers, and what was said in the user's own words. A model may
// state a memory in other words than the user did.
func Text(m *memory.Memory) string {
	t := newLines(m.Text)
	t.add(m.Value)
	for _, e := range m.Evidence {
		t.add(e.Asked)
		t.add(e.Quote)
	}
	return strings.Join(t.kept, "\n")
}

// lines are texts of which each has a term that those before it lack.
type lines struct {
	kept []string
	// seen are the terms of kept; nil until they are needed.
	seen map[string]bool
}

func newLines(first string) *lines { return &lines{kept: []string{first}} }

func (l *lines) add(text string) {
	if text == "" || slices.Contains(l.kept, text) { // has no term that is lacking
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
		for _, term := range terms.Of(l.kept[0]) {
			l.seen[term] = true
		}
	}
	lacking := false
	for _, term := range terms.Of(text) {
		lacking = lacking || !l.seen[term]
		l.seen[term] = true
	}
	if lacking {
		l.kept = append(l.kept, text)
	}
}

// DocumentText is what a document is found by: when it was said and by whom, if that is
// known, and the fields that it names. That it was the user or the assistant tells nothing
// apart and is left out. It is empty for a document that is not to be found by meaning.
func DocumentText(d *document.Document) string {
	text := document.Text(d)
	if text == "" {
		return ""
	}
	if s := d.Source.Speaker; s != "" && s != string(memory.RoleUser) && !d.Source.Assistant {
		text = s + ": " + text
	}
	if at := d.Source.At; !at.IsZero() {
		text = dateText(at, text) + "\n" + text
	}
	return text
}

// Sparse is the sparse vector of a memory.
func Sparse(m *memory.Memory) terms.SparseVector { return SparseOf(m, Text(m)) }

// SparseOf is Sparse of a memory whose Text is known.
func SparseOf(m *memory.Memory, text string) terms.SparseVector {
	return terms.Document(text, Terms(m)...)
}

// DocumentSparse is the sparse vector of a document.
func DocumentSparse(d *document.Document) terms.SparseVector {
	return terms.Document(DocumentText(d), DocumentTerms(d)...)
}

// termPlans is the term under which plans are found by who asks for plans.
const termPlans = "asks:plans"

func termKey(k memory.Key) string { return "asks:" + string(k) }

// Terms are the terms of a memory beside those of its text: they stand for the words with
// which people ask for its key, in any language, and for the days that it is about or was
// said on.
func Terms(m *memory.Memory) []string {
	var out []string
	for _, k := range []memory.Key{m.Key, m.About} {
		if k != "" {
			out = append(out, termKey(k))
		}
	}
	if m.Plan {
		out = append(out, termPlans)
	}
	return append(out, dateTerms(m)...)
}

// QueryTerms are the terms of a query beside those of its text: one for each key that it
// asks for. See QueryDates for the days.
func QueryTerms(r *profile.Registry, query string) []string {
	keys, plans := r.Asked(query)
	out := make([]string, 0, len(keys)+1)
	for _, k := range keys {
		out = append(out, termKey(k))
	}
	if plans {
		out = append(out, termPlans)
	}
	return out
}
