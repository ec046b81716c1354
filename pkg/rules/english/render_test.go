package english

import (
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// said is when every test message is said: a Wednesday.
var said = time.Date(2026, 3, 4, 10, 0, 0, 0, time.FixedZone("", -5*3600))

// conversation makes messages of lines: "A: " is the assistant, "T: " a tool, "S: " the
// system, "C: " the user in a message that is only context, anything else the user.
func conversation(lines ...string) []memory.Message {
	roles := map[string]memory.Role{"A: ": memory.RoleAssistant, "T: ": memory.RoleTool, "S: ": memory.RoleSystem, "C: ": memory.RoleUser}
	var out []memory.Message
	for i, line := range lines {
		m := memory.Message{Number: i + 1, Event: "e1", Index: i, Role: memory.RoleUser, At: said, Content: line}
		for prefix, role := range roles {
			if strings.HasPrefix(line, prefix) {
				m.Role, m.Content, m.Context = role, line[len(prefix):], prefix == "C: "
			}
		}
		out = append(out, m)
	}
	return out
}

// render writes a candidate as the tables do: key=value, then what is unusual about it.
// A free memory is its text.
func render(c memory.Candidate) string {
	var b strings.Builder
	switch {
	case c.Key != "":
		fmt.Fprintf(&b, "%s=%s", strings.TrimPrefix(string(c.Key), "user."), c.Value)
	default:
		fmt.Fprintf(&b, "%q", c.Text)
	}
	if c.Kind == memory.KindConstraint && c.Key == "" || c.Kind == memory.KindPreference && c.Key == "" {
		fmt.Fprintf(&b, " %s", c.Kind)
	}
	if c.About != "" && c.Relation != memory.RelationEnds {
		fmt.Fprintf(&b, " about %s", strings.TrimPrefix(string(c.About), "user."))
	}
	if c.Relation != memory.RelationNew {
		fmt.Fprintf(&b, " %s", c.Relation)
	}
	if t := c.Target; t != nil {
		fmt.Fprintf(&b, " %s=%s", strings.TrimPrefix(string(t.Key), "user."), t.Value)
		if t.Plan {
			b.WriteString(" (plan)")
		}
		if t.Must {
			b.WriteString(" (must)")
		}
	}
	switch {
	case c.Plan:
		fmt.Fprintf(&b, " plan %s..%s", day(c.ValidFrom), day(c.ExpiresAt))
	case !c.ValidFrom.IsZero():
		fmt.Fprintf(&b, " from %s", day(c.ValidFrom))
	}
	if c.Stability == memory.Transient {
		b.WriteString(" transient")
	}
	if c.Pinned {
		b.WriteString(" pinned")
	}
	return b.String()
}

func day(t time.Time) string {
	if t.Hour() != 0 || t.Minute() != 0 {
		return t.Format("06-01-02T15:04")
	}
	return t.Format("06-01-02")
}

// renderDirective writes a directive: !action #message (what).
func renderDirective(d memory.Directive) string {
	if d.What == "" {
		return fmt.Sprintf("!%s #%d", d.Action, d.Source.Message)
	}
	return fmt.Sprintf("!%s (%s)", d.Action, d.What)
}

// describe is render with the text where that is not simply what was said last.
func describe(c memory.Candidate, said []string) string {
	out := render(c)
	if c.Key != "" && c.Text != strings.TrimRight(said[len(said)-1], ".!") {
		out += " « " + c.Text + " »"
	}
	return out
}
