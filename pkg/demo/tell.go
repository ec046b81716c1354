package demo

import (
	"fmt"
	"io"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// teller writes the story of a demo and keeps the first error of doing so.
type teller struct {
	w   io.Writer
	err error
}

const (
	// margin is before what memory made of something.
	margin = "      "
	// marginText is how far the rest of such a line is indented, where it is too long.
	marginText = len(margin) + len("+ remembered ")
)

func (t *teller) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(t.w, format, args...); err != nil && t.err == nil {
		t.err = err
	}
}

// opening says how the story is to be read.
func (t *teller) opening(reaper bool) {
	t.title("What was said, and what memory made of it")
	text := "A simulated clock plays everything in a few seconds. Below what was said (in the speaker's own time) " +
		"or asked stands what memory made of it, with the reason in brackets."
	if reaper {
		text += " The reaper is the part of memory that works by the clock, each hour and each night."
	}
	t.text(text)
}

func (t *teller) title(text string) { t.printf("\n== %s ==\n", text) }

func (t *teller) text(text string) { t.printf("%s\n", wrap(text, 0)) }

// head begins what is told of one happening.
func (t *teller) head(at, text string) { t.printf("\n%s\n", wrap(at+"  "+text, len(at)+2)) }

// moment is a time on the simulated clock.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 MST") }

func (t *teller) line(mark, verb, what, why string) {
	if why != "" {
		why = "  (" + why + ")"
	}
	t.printf("%s\n", wrap(fmt.Sprintf("%s%s %-10s %s%s", margin, mark, verb, what, why), marginText))
}

func (t *teller) said(l Line) {
	who := string(l.User)
	if l.Role != memory.RoleUser {
		who = string(l.Role) + " to " + who
	}
	t.head(l.At.Format("2006-01-02 15:04"), who+": "+l.Content)
}

func (t *teller) redacted(n int) {
	t.line("x", "redacted", fmt.Sprintf("%d secret(s)", n), "cut out before anything is stored")
}

// ignored tells what of a change set's messages left nothing behind.
func (t *teller) ignored(r *ledger.Record) {
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

func (t *teller) waiting(n int, why string) {
	t.line("?", "waiting", fmt.Sprintf("%d question(s)", n), why)
}

func (t *teller) remembered(u memory.User, texts []string, archived int) {
	t.printf("  %s\n", u)
	for _, x := range texts {
		t.printf("%s%s\n", margin, x)
	}
	switch {
	case archived > 0:
		t.printf("%s(and in the archive: %d that are past, over or not used)\n", margin, archived)
	case len(texts) == 0:
		t.printf("%s(nothing)\n", margin)
	}
}

func (t *teller) counts(c ledger.Counts) {
	t.printf("\n%d messages = %d remembered + %d refreshed + %d rejected + %d nothing to remember + %d parked\n",
		c.Messages, c.Remembered, c.Refreshed, c.Rejected, c.Nothing, c.Parked)
}
