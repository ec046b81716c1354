package demo

import (
	"fmt"
	"io"
	"strings"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// teller writes the story of a demo and keeps the first error of doing so.
type teller struct {
	w   io.Writer
	err error
}

func (t *teller) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(t.w, format, args...); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *teller) title(text string) { t.printf("\n== %s ==\n", text) }

func (t *teller) said(l Line) {
	who := string(l.User)
	if l.Role != memory.RoleUser {
		who = string(l.Role) + " to " + who
	}
	t.printf("\n%s  %s: %s\n", l.At.Format("2006-01-02 15:04"), who, l.Content)
}

func (t *teller) redacted(n int) {
	t.line("x", "redacted", fmt.Sprintf("%d secret(s)", n), "cut out before anything is stored")
}

// change tells one change and why it was made.
func (t *teller) change(c ledger.Change) {
	m := &c.Memory
	what := fmt.Sprintf("%q", m.Text)
	if m.Key != "" {
		what = fmt.Sprintf("%s = %s", m.Key, m.Value)
	}
	switch c.Op {
	case ledger.OpAdd:
		t.line("+", "remembered", what, until(m))
	case ledger.OpRefresh:
		t.line("=", "refreshed", what, "said again: confirmed "+m.ConfirmedAt.Format("2006-01-02"))
	case ledger.OpSupersede:
		t.line("~", "superseded", what, "a change was said; before: "+c.Previous.Value)
	case ledger.OpRefine:
		t.line("~", "refined", what, "more specific than: "+c.Previous.Value)
	case ledger.OpEnd:
		if c.Previous == nil {
			t.line("·", "noted", what, "nothing to recall, but what it calls off stays called off")
			return
		}
		t.line("-", "ended", what, "it is said to be over")
	case ledger.OpDispute:
		t.line("?", "disputed", what, "it contradicts what is known and no change was said: the old value is kept")
	case ledger.OpSettle:
		t.line("~", "settled", what, "a later statement decided")
	case ledger.OpHistory:
		t.line("·", "history", what, "it was said before what is known now")
	}
}

func (t *teller) line(mark, verb, what, why string) {
	if why != "" {
		why = "  (" + why + ")"
	}
	t.printf("      %s %-10s %s%s\n", mark, verb, what, why)
}

func until(m *memory.Memory) string {
	var parts []string
	if m.Pinned {
		parts = append(parts, "asked to remember")
	}
	if !m.ExpiresAt.IsZero() {
		parts = append(parts, "until "+m.ExpiresAt.Format("2006-01-02 15:04 MST"))
	}
	return strings.Join(parts, "; ")
}

// ignored tells what of a change set's messages left nothing behind.
func (t *teller) ignored(r ledger.Record) {
	for _, x := range r.Rejections {
		t.line("x", "rejected", fmt.Sprintf("%d statement(s)", x.Count), x.Reason)
	}
	if r.Checkpoint == nil {
		return
	}
	if n := r.Checkpoint.Counts.Nothing; n > 0 {
		t.line("·", "ignored", fmt.Sprintf("%d message(s)", n), "nothing to remember")
	}
}

func (t *teller) recalled(q Question, resp recall.Response) {
	t.printf("\n%s  %s asks: %s\n", q.At.Format("2006-01-02"), q.User, q.Query)
	if len(resp.Memories) == 0 {
		t.line("·", "recalled", "nothing", "nothing known is about this, or it is over")
	}
	for _, m := range resp.Memories {
		t.printf("      %s %s", m.Citation, m.Text)
		if len(m.Evidence) > 0 {
			e := m.Evidence[len(m.Evidence)-1]
			t.printf("  (thread %s: %q)", e.Thread, e.Quote)
		}
		t.printf("\n")
	}
}

func (t *teller) remembered(u memory.User, texts []string) {
	t.printf("  %s\n", u)
	for _, x := range texts {
		t.printf("      %s\n", x)
	}
}

func (t *teller) counts(c ledger.Counts) {
	t.printf("\n%d messages = %d remembered + %d refreshed + %d rejected + %d nothing to remember + %d parked\n",
		c.Messages, c.Remembered, c.Refreshed, c.Rejected, c.Nothing, c.Parked)
}
