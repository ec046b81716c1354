package reconcile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Redacted stands for words that were taken out.
const Redacted = "[…]"

// Redactor takes the words of deleted memories out of what else was said in the same
// messages, and what a request to forget named out of what only mentions it. Words that
// stand in a memory's own value stay in it: it states them itself, and was not meant.
type Redactor struct{ ts *tombstones }

// NewRedactor makes a redactor of one owner's tombstones; the secret is that of their hashes.
func NewRedactor(r *profile.Registry, secret []byte, scope memory.Scope, deleted []memory.Memory) *Redactor {
	ts := newTombstones(r, seal{secret, scope})
	for i := range deleted {
		if t := deleted[i].Tombstone; t != nil {
			ts.add(deleted[i].ID, t)
		}
	}
	return &Redactor{ts}
}

func newTombstones(r *profile.Registry, s seal) *tombstones {
	return &tombstones{seal: s, registry: r, byEntry: map[string][]*tombstone{}, byKey: map[memory.Key][]*tombstone{}}
}

// Redact changes m, without touching what it shares with copies of it, and reports whether
// there was anything to take out. What was said after a deletion stays as it is.
func (r *Redactor) Redact(m *memory.Memory) bool { return r.ts.redact(m) }

func (ts *tombstones) redact(m *memory.Memory) bool {
	if m.Status == memory.StatusDeleted || isRequest(m) || ts.none() {
		return false
	}
	own, text, changed := holds(m.Value), m.Text, false
	for i := range m.Evidence {
		e := m.Evidence[i]
		if cut := ts.cutter(m.ID, e, m.Text); cut != nil {
			text = without(text, cut, own)
		}
		if clean := ts.clean(m.ID, e, own); clean != e {
			if !changed {
				m.Evidence = slices.Clone(m.Evidence)
			}
			m.Evidence[i], changed = clean, true
		}
	}
	changed = changed || text != m.Text
	m.Text = text
	return changed
}

// cleaned is the evidence of a statement, redacted.
func (ts *tombstones) cleaned(s Statement) memory.Evidence {
	if ts.none() {
		return s.Evidence
	}
	return ts.clean("", s.Evidence, holds(s.Value))
}

// clean is evidence of a memory of whose value the pieces are own, redacted.
func (ts *tombstones) clean(self memory.ID, e memory.Evidence, own map[string]bool) memory.Evidence {
	if cut := ts.cutter(self, e, e.Quote); cut != nil {
		e.Quote = without(e.Quote, cut, own)
	}
	if e.Asked == "" {
		return e
	}
	if cut := ts.cutter(self, e, e.Asked); cut != nil {
		e.Asked = without(e.Asked, cut, own)
	}
	return e
}

// without is text with Redacted in the place of what is to be cut, but for what is kept. It
// makes no difference whether words are cut at once or one after the other.
func without(text string, cut func(piece string) bool, kept map[string]bool) string {
	is := func(p string) bool { return !kept[p] && cut(p) }
	var spans [][2]int
	mark := func(from, to int) { spans = append(spans, [2]int{from, to}) }
	for _, w := range split(text) {
		switch {
		case w.han:
			markHan(w, is, mark)
		case len(w.pieces) > 0 && !slices.ContainsFunc(w.pieces, func(p string) bool { return !is(p) }):
			mark(w.from, w.to)
		}
	}
	if len(spans) == 0 {
		return text
	}
	for from := 0; ; {
		at := strings.Index(text[from:], Redacted)
		if at < 0 {
			break
		}
		mark(from+at, from+at+len(Redacted))
		from += at + len(Redacted)
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var b strings.Builder
	from := 0
	for i, s := range spans {
		if i > 0 && s[1] <= from {
			continue
		}
		if i == 0 || s[0] > from && !isGap(text[from:s[0]]) {
			b.WriteString(text[from:s[0]])
			b.WriteString(Redacted)
		}
		from = s[1]
	}
	b.WriteString(text[from:])
	return b.String()
}

// markHan marks the characters of a run that are to be cut, alone or with the next.
func markHan(w word, is func(piece string) bool, mark func(from, to int)) {
	run := []rune(w.text)
	plain := []rune(canon.Simplify(w.text))
	at := w.from
	for i := range run {
		end := at + len(string(run[i]))
		switch {
		case i+1 < len(plain) && is(string(plain[i:i+2])):
			mark(at, end+len(string(run[i+1])))
		case is(string(plain[i])):
			mark(at, end)
		}
		at = end
	}
}

// maxGap is the longest gap, in bytes, that is cut with the words on both sides of it.
const maxGap = 24

// isGap reports whether a part of a text says nothing on its own.
func isGap(part string) bool { return len(part) <= maxGap && len(pieces(part)) == 0 }
