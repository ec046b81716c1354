package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
)

// reap moves the clock to t, and has the reaper do each job at its times in between.
func (p *player) reap(ctx context.Context, t time.Time) error {
	starts, err := p.sim.Stack.Config.Reap.Starts(p.sim.Clock.Now(), t)
	if err != nil {
		return err
	}
	for _, s := range starts {
		p.sim.Clock.Advance(s.At)
		report, err := p.sim.Stack.Reap.RunOnce(ctx, s.Job, s.At, nil)
		if err != nil {
			return err
		}
		if report.Owners == 0 {
			continue
		}
		p.tell.reaped(&report)
		for _, u := range p.users {
			if err := p.news(ctx, u, string(u)+": "); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *teller) reaped(r *reap.Report) {
	text := "the reaper's job " + string(r.Job)
	if n := r.ByOp[reap.OpAccess]; n > 0 {
		text += " notes the use of " + memories(n)
	}
	t.head(moment(r.At), text)
}

func memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

func (p *player) act(ctx context.Context, a Act) error {
	switch {
	case a.Chapter != nil:
		p.tell.title(a.Chapter.Title)
		p.tell.text(a.Chapter.About)
		return nil
	case a.Look != "":
		return p.look(ctx, a)
	case a.Again != "":
		return p.again(ctx, a)
	case a.Erase:
		return p.erase(ctx, a)
	}
	return nil
}

// look tells how near at hand the user's memories of a kind are.
func (p *player) look(ctx context.Context, a Act) error {
	q := url.Values{"user": {string(a.User)}, "status": {string(memory.StatusCurrent)}}
	raw, err := p.sim.Call(ctx, http.MethodGet, "/v1/memories?"+q.Encode(), nil)
	if err != nil {
		return err
	}
	var got struct{ Memories []memory.Memory }
	if err := json.Unmarshal(raw, &got); err != nil {
		return fmt.Errorf("read memories: %w", err)
	}
	p.tell.head(moment(a.At), fmt.Sprintf("%s looks at the memories of the kind %s (looking is no use)", a.User, a.Look))
	for i := range got.Memories {
		if m := &got.Memories[i]; m.Kind == a.Look {
			p.tell.tier(m, p.sim.Stack.Policies.For(memory.DefaultTenant), a.At)
		}
	}
	return nil
}

func (t *teller) tier(m *memory.Memory, policy retention.Policy, now time.Time) {
	const day = 24 * time.Hour
	tier := policy.Tier(m, now)
	why := fmt.Sprintf("not used for %d days", now.Sub(m.UsedAt())/day)
	if cold, goes := policy.Cold(); tier == memory.TierWarm && goes {
		why += fmt.Sprintf(": it ranks lower, and after %d moves to the archive", cold/day)
	}
	t.line("·", string(tier), quoted(m, nameOf(m)), why)
}

// again has a thread consolidated once more, and tells what is learnt from it. Its messages
// have been counted before.
func (p *player) again(ctx context.Context, a Act) error {
	p.tell.head(moment(a.At), fmt.Sprintf("%s's thread %q is consolidated again, from its first message", a.User, a.Again))
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: a.User, Thread: a.Again}
	if err := p.sim.Stack.Consolidate.Again(ctx, ref); err != nil {
		return err
	}
	records, err := p.fresh(ctx, a.User)
	if err != nil {
		return err
	}
	learnt, read := 0, 0
	for i := range records {
		learnt += p.changes(&records[i], "")
		read += records[i].Checkpoint.Counts.Messages
	}
	if learnt == 0 {
		p.tell.line("·", "learnt", "nothing", fmt.Sprintf("%d message(s) read: what was forgotten stays forgotten", read))
	}
	return nil
}

// erase has the user erased, and counts what is left.
func (p *player) erase(ctx context.Context, a Act) error {
	p.tell.head(moment(a.At), string(a.User)+" is erased")
	got := Erased{User: a.User}
	who := map[string]any{"user": a.User}
	raw, err := p.sim.Post(ctx, "/v1/erase", who)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &got.Receipt); err != nil {
		return fmt.Errorf("read receipt: %w", err)
	}
	if raw, err = p.sim.Post(ctx, "/v1/erase/verify", who); err != nil {
		return err
	}
	var left struct{ Removed map[string]int }
	if err := json.Unmarshal(raw, &left); err != nil {
		return fmt.Errorf("read what is left: %w", err)
	}
	got.Left = left.Removed
	p.summary.Erased = append(p.summary.Erased, got)
	p.tell.erased(&got)
	return nil
}

func (t *teller) erased(e *Erased) {
	var counts []string
	left := 0
	for _, place := range slices.Sorted(maps.Keys(e.Receipt.Removed)) {
		if n := e.Receipt.Removed[place]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", place, n))
		}
		left += e.Left[place]
	}
	final := "not final yet"
	if e.Receipt.Final {
		final = "final: one more pass over every place has found nothing"
	}
	t.line("x", "erased", memories(e.Receipt.Memories), "")
	t.line("=", "receipt", strings.Join(counts, ", "), final)
	t.line("=", "verified", fmt.Sprintf("%d left in %d places", left, len(e.Left)), strings.Join(slices.Sorted(maps.Keys(e.Left)), ", "))
}
