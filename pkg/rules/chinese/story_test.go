package chinese

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// story is what is said and what must be found, one line a candidate or directive in the
// order of speech. Messages are divided by " || "; those of the assistant begin with A:.
// The last is said on Wednesday 4 March 2026 at 10:00 in Shanghai.
type story struct {
	say  string
	want []string
}

func messages(say string) []memory.Message {
	var out []memory.Message
	for i, part := range strings.Split(say, " || ") {
		m := said(part)[0]
		m.Number = i + 1
		if text, ok := strings.CutPrefix(part, "A:"); ok {
			m.Role, m.Content = memory.RoleAssistant, text
		}
		out = append(out, m)
	}
	return out
}

// lines renders what was extracted: key=value or the kind of a free memory, its relation
// where it is not new, what it ends, its dates, and the text where it is not the whole.
func lines(say string, candidates []memory.Candidate, directives []memory.Directive) []string {
	var out []string
	for _, c := range candidates {
		out = append(out, line(say, c))
	}
	for _, d := range directives {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s! %s @%d", d.Action, d.What, d.Source.Message)))
	}
	return out
}

func line(say string, c memory.Candidate) string {
	var b strings.Builder
	switch {
	case c.Key != "":
		fmt.Fprintf(&b, "%s=%s", c.Key, c.Value)
	case c.Plan:
		b.WriteString("plan")
	default:
		b.WriteString(string(c.Kind))
		if c.About != "" {
			fmt.Fprintf(&b, " about %s", c.About)
		}
	}
	if c.Relation != memory.RelationNew {
		fmt.Fprintf(&b, " %s", c.Relation)
	}
	if t := c.Target; t != nil {
		fmt.Fprintf(&b, " (%s %s", t.Key, t.Value)
		if t.Plan {
			b.WriteString(" plan")
		}
		if t.Must {
			b.WriteString(" must")
		}
		b.WriteString(")")
	}
	if !c.ValidFrom.IsZero() {
		b.WriteString(" from " + day(c.ValidFrom))
	}
	if !c.ExpiresAt.IsZero() {
		b.WriteString(" to " + day(c.ExpiresAt))
	}
	if c.Pinned {
		b.WriteString(" pinned")
	}
	if c.Source.AskedMessage != 0 {
		b.WriteString(" asked")
	}
	if c.Text != strings.TrimRight(say, "。") {
		b.WriteString(" <" + c.Text + ">")
	}
	return b.String()
}

func day(t time.Time) string { return strings.TrimSuffix(t.Format("2006-01-02T15"), "T00") }

func check(t *testing.T, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.say, func(t *testing.T) {
			candidates, directives := Extract(messages(s.say))
			got := lines(s.say, candidates, directives)
			if strings.Join(got, "\n") != strings.Join(s.want, "\n") {
				t.Errorf("found\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(s.want, "\n\t"))
			}
		})
	}
}

// nothing checks that nothing at all is found.
func nothing(t *testing.T, says []string) {
	t.Helper()
	for _, say := range says {
		check(t, []story{{say: say}})
	}
}
