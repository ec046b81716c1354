package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// ask recalls, and tells what is handed out and what that changes.
func (p *player) ask(ctx context.Context, q Question) error {
	raw, err := p.sim.Post(ctx, "/v1/recall", recall.Request{User: q.User, Query: q.Query, IncludeArchive: q.Archive})
	if err != nil {
		return err
	}
	var resp recall.Response
	if err := json.Unmarshal(raw, &resp); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	p.summary.recalled(q, resp)
	p.tell.recalled(q, resp)
	if n := p.summary.waiting(q.User) - len(resp.Questions); n > 0 {
		p.tell.waiting(n, "not brought up: this is not about it")
	}
	if err := p.sim.Used(ctx, scopeOf(q.User), raw); err != nil {
		return err
	}
	return p.news(ctx, q.User, "")
}

func (t *teller) recalled(q Question, resp recall.Response) {
	asks := " asks"
	if q.Archive {
		asks = " asks, of the archive too"
	}
	t.head(moment(q.At), string(q.User)+asks+": "+q.Query)
	if q.Note != "" {
		t.printf("%s\n", wrap(margin+"("+q.Note+")", marginText))
	}
	if len(resp.Memories) == 0 {
		t.line("·", "recalled", "nothing", "nothing that may be recalled is about this")
	}
	for i := range resp.Memories {
		m := &resp.Memories[i]
		t.printf("%s\n", wrap(fmt.Sprintf("%s%s %s  (%s)", margin, m.Citation, m.Text, source(m)), marginText))
	}
	for _, open := range resp.Questions {
		t.line("?", "offered", fmt.Sprintf("%q", open.Text), "beside the memories, and no part of the block to inject, which is this")
		for line := range strings.Lines(resp.Prompt) {
			t.printf("%s\n", wrap(margin+"| "+strings.TrimSpace(line), len(margin)+2))
		}
	}
}

// source says how near at hand a memory is, if that is not very, and where it was said.
func source(m *recall.Result) string {
	var parts []string
	if m.Tier != memory.TierHot {
		parts = append(parts, string(m.Tier))
	}
	if m.Disputed {
		parts = append(parts, "disputed")
	}
	if len(m.Evidence) > 0 {
		e := m.Evidence[len(m.Evidence)-1]
		said := "thread " + string(e.Thread)
		if e.Quote != m.Text {
			said += fmt.Sprintf(": %q", e.Quote)
		}
		parts = append(parts, said)
	}
	return strings.Join(parts, "; ")
}
