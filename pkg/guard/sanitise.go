package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Sanitise returns copies of messages with what may be learnt from them, in order:
//
//   - a message of any role but the user's is Context: it may be read, never learnt from;
//   - what recall injected is taken out of every message;
//   - what the user quoted or pasted is taken out of the user's messages: quoted lines,
//     code blocks, mails, transcripts, logs, and what follows a request such as
//     "Translate this:".
//
// What is left of a Content is a verbatim piece of it, or several with a line break in
// place of what was between; it may be empty. Numbers and all other fields stay. Quotation
// marks within a sentence stay too: see QuotedSpans. The argument is not changed.
func Sanitise(messages []memory.Message) []memory.Message {
	clean := slices.Clone(messages)
	for i := range clean {
		m := &clean[i]
		m.Content = withoutInjected(m.Content)
		if m.Role == memory.RoleUser {
			m.Content = withoutMaterial(m.Content)
		} else {
			m.Context = true
		}
	}
	return clean
}

// withoutMaterial is the user's own part of what the user said. The steps follow each
// other so that nothing within a quotation is taken for the user's introduction of another.
func withoutMaterial(s string) string {
	for _, find := range []func(string) []piece{fences, quotedLines, mails, transcripts, logs, introduced} {
		s = cut(s, find(s))
	}
	return s
}

// piece is a part of a text, by byte offsets.
type piece struct{ start, end int }

// cut takes pieces out of s and leaves a line break where text stood on both sides.
func cut(s string, pieces []piece) string {
	if len(pieces) == 0 {
		return s
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.start, b.start) })
	var out strings.Builder
	done := 0
	keep := func(part string) {
		if strings.TrimSpace(part) == "" {
			return
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(strings.Trim(part, "\r\n"))
	}
	for _, p := range pieces {
		if p.start > done {
			keep(s[done:p.start])
		}
		done = max(done, p.end)
	}
	keep(s[done:])
	return out.String()
}

// line is a line of a text: its place with the line break, and its text without.
type line struct {
	piece
	text string
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

func lines(s string) []line {
	var all []line
	for start := 0; start < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		all = append(all, line{piece{start, end}, strings.TrimRight(s[start:end], "\r\n")})
		start = end
	}
	return all
}
