package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// news tells the user's change sets since the last time. Whose stands before the name of
// each memory, where nothing else says whose it is.
func (p *player) news(ctx context.Context, u memory.User, whose string) error {
	records, err := p.fresh(ctx, u)
	for i := range records {
		r := &records[i]
		if r.Checkpoint != nil {
			p.summary.Messages = p.summary.Messages.Add(r.Checkpoint.Counts)
		}
		p.changes(r, whose)
		p.tell.ignored(r)
	}
	return err
}

// fresh are the user's change sets since the last time. What a purge has written anew counts
// where it stood before.
func (p *player) fresh(ctx context.Context, u memory.User) ([]ledger.Record, error) {
	scope := scopeOf(u)
	records, err := p.sim.Stack.Recall.Records(ctx, scope)
	if err != nil {
		return nil, err
	}
	var out []ledger.Record
	for _, r := range records {
		if seq := r.Effective(r.Seq); seq > p.told[scope] {
			p.told[scope] = seq
			out = append(out, r)
		}
	}
	return out, nil
}

// changes tells what a change set does to memories and questions, and how many of these
// there are.
func (p *player) changes(r *ledger.Record, whose string) int {
	n := 0
	for _, c := range r.OfMemories() {
		p.summary.Changes[c.Op]++
		if name := p.name(&c.Memory); name != "" {
			p.summary.changed(r.At, c, name)
			p.tell.change(c, whose+quoted(&c.Memory, name))
			n++
		}
	}
	for i := range r.QuestionOpened {
		p.summary.question(&r.QuestionOpened[i])
		p.tell.question(&r.QuestionOpened[i])
	}
	for i := range r.QuestionClosed {
		p.summary.question(&r.QuestionClosed[i])
		p.tell.closed(&r.QuestionClosed[i], whose)
	}
	return n + len(r.QuestionOpened) + len(r.QuestionClosed)
}

// name is what a memory is called: a tombstone, which has no content, what it was called
// before. That of a request to forget never had a name.
func (p *player) name(m *memory.Memory) string {
	if m.Tombstone == nil {
		p.names[m.ID] = nameOf(m)
	}
	return p.names[m.ID]
}

func nameOf(m *memory.Memory) string {
	if m.Key != "" {
		return fmt.Sprintf("%s = %s", m.Key, m.Value)
	}
	return m.Text
}

// quoted is a memory's name as it is told: what has no key is its words.
func quoted(m *memory.Memory, name string) string {
	if m.Key != "" {
		return name
	}
	return fmt.Sprintf("%q", name)
}

// change tells one change and why it was made.
func (t *teller) change(c *ledger.Change, what string) {
	m := &c.Memory
	switch c.Op {
	case ledger.OpAdd:
		t.line("+", "remembered", what, until(c))
	case ledger.OpRefresh:
		t.line("=", "refreshed", what, by(c, "said again")+": confirmed "+m.ConfirmedAt.Format(time.DateOnly))
	case ledger.OpSupersede:
		t.line("~", "superseded", what, by(c, "a change was said")+"; before: "+c.Previous.Value)
	case ledger.OpRefine:
		t.line("~", "refined", what, "more specific than: "+c.Previous.Value)
	case ledger.OpEnd:
		if c.Previous == nil {
			t.line("·", "noted", what, "nothing to recall, but what it calls off stays called off")
			return
		}
		t.line("-", "ended", what, by(c, "it is said to be over"))
	case ledger.OpDispute, ledger.OpSettle:
		t.dispute(c, what)
	case ledger.OpHistory:
		t.line("·", "history", what, "it was said before what is known now")
	default:
		t.fate(c, what)
	}
}

// dispute tells of a rival. How one ends that stands in a question is told with the question.
func (t *teller) dispute(c *ledger.Change, what string) {
	const contradicts = "it contradicts what is known and no change was said: the old value is kept"
	asked := c.Memory.Dispute != nil && c.Memory.Dispute.Question != ""
	switch {
	case c.Op == ledger.OpSettle && !asked:
		t.line("~", "settled", what, "a later statement decided")
	case c.Op == ledger.OpDispute && asked:
		t.line("?", "asked", what, contradicts)
	case c.Op == ledger.OpDispute:
		t.line("?", "disputed", what, contradicts+", and no question is worth it now")
	}
}

// fate tells what has become of a memory by time, by use or by a request about it.
func (t *teller) fate(c *ledger.Change, what string) {
	switch c.Op {
	case ledger.OpExpire:
		t.line("v", "expired", what, "moved to the archive; over since "+moment(c.Memory.ExpiresAt))
	case ledger.OpArchive:
		t.line("v", "archived", what, "cold; not used since "+c.Memory.UsedAt().Format(time.DateOnly))
	case ledger.OpReturn:
		t.line("^", "returned", what, "used again: it is at hand as before")
	case ledger.OpRequest:
		t.line("·", "noted", what, "a request that holds until it is lifted")
	case ledger.OpSuppress:
		t.line("-", "suppressed", what, "asked for: its owner can see it, recall does not hand it out")
	case ledger.OpLift:
		t.line("·", "lifted", what, "the request holds no more")
	case ledger.OpUnsuppress:
		t.line("+", "given back", what, "recall may hand it out again")
	case ledger.OpDelete:
		t.line("x", "forgotten", what, "asked for: a tombstone without its words is left; until the purge it can be undone")
	case ledger.OpRedact:
		t.line("x", "cut", what, "without the words of what is forgotten")
	case ledger.OpPurge:
		t.line("x", "purged", what, "its text has left the ledger too: it cannot be undone any more")
	}
}

// by is why a change was made: an answer to a question, or what was said.
func by(c *ledger.Change, said string) string {
	if c.Reason == reconcile.ReasonAnswered {
		return "the user's answer"
	}
	return said
}

func until(c *ledger.Change) string {
	var parts []string
	if why := by(c, ""); why != "" {
		parts = append(parts, why)
	}
	if c.Memory.Pinned {
		parts = append(parts, "asked to remember")
	}
	if !c.Memory.ExpiresAt.IsZero() {
		parts = append(parts, "until "+moment(c.Memory.ExpiresAt))
	}
	return strings.Join(parts, "; ")
}

// question tells what is asked.
func (t *teller) question(q *memory.Question) {
	why := "waits until it fits"
	if !q.TimeoutAt.IsZero() {
		why += "; no answer by " + q.TimeoutAt.Format(time.DateOnly) + " means " + string(q.Default)
	}
	t.line("?", "question", fmt.Sprintf("%q", q.Text), why)
}

// closed tells how a question ended.
func (t *teller) closed(q *memory.Question, whose string) {
	how := strings.ReplaceAll(string(q.Closing), "_", " ")
	if q.Decision != "" {
		how += ": " + string(q.Decision)
	}
	t.line("?", "closed", whose+"the question about "+string(q.Key), how)
}
