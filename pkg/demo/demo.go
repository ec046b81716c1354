// Package demo plays conversations over simulated months through a whole embedded stack
// and tells what memory made of them and why. It shows; it decides nothing.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/sim"
)

// player plays a script on a simulation.
type player struct {
	sim     *sim.Sim
	tell    *teller
	summary Summary
	// told is the last change set of each owner that has been told.
	told map[memory.Scope]uint64
	// names are what memories were last called.
	names map[memory.ID]string
	// users in the order in which they first spoke.
	users  []memory.User
	events int
}

// Play plays the script and tells about it on w.
func Play(ctx context.Context, w io.Writer, s Script) (_ Summary, err error) {
	p := &player{tell: &teller{w: w}, told: map[memory.Scope]uint64{}, names: map[memory.ID]string{}, summary: newSummary()}
	steps := p.timeline(s)
	begin := time.Time{}
	if len(steps) > 0 {
		begin = steps[0].at
	}
	if p.sim, err = sim.Start(ctx, sim.Options{Start: begin}); err != nil {
		return p.summary, err
	}
	defer func() { err = errors.Join(err, p.sim.Close()) }()
	p.tell.opening(s.Reaper)
	for _, next := range steps {
		if s.Reaper {
			if err := p.reap(ctx, next.at); err != nil {
				return p.summary, err
			}
		}
		p.sim.Clock.Advance(next.at)
		if err := next.take(ctx); err != nil {
			return p.summary, err
		}
	}
	return p.summary, errors.Join(p.close(ctx), p.tell.err)
}

// step is something that happens at a time.
type step struct {
	at   time.Time
	take func(context.Context) error
}

// timeline is everything in the script in its order. Of what happens at once, acts come
// first and questions last.
func (p *player) timeline(s Script) []step {
	var steps []step
	for _, a := range s.Acts {
		steps = append(steps, step{a.At, func(ctx context.Context) error { return p.act(ctx, a) }})
	}
	lines := slices.Clone(s.Lines)
	slices.SortStableFunc(lines, func(a, b Line) int { return a.At.Compare(b.At) })
	for _, t := range turns(lines) {
		steps = append(steps, step{t[0].At, func(ctx context.Context) error { return p.turn(ctx, t) }})
	}
	for _, q := range s.Questions {
		steps = append(steps, step{q.At, func(ctx context.Context) error { return p.ask(ctx, q) }})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	return steps
}

// Bounds of an exchange, below those of an event.
const (
	maxTurnLines = 50
	maxTurnBytes = 100 << 10
)

// turns groups lines that belong to one exchange: the same user and thread, not an hour
// apart, and not too many for one event.
func turns(lines []Line) [][]Line {
	var out [][]Line
	size := 0
	for _, l := range lines {
		size += len(l.Content)
		if n := len(out); n > 0 {
			last := out[n-1][len(out[n-1])-1]
			if last.User == l.User && last.Thread == l.Thread && l.At.Sub(last.At) < time.Hour &&
				len(out[n-1]) < maxTurnLines && size <= maxTurnBytes {
				out[n-1] = append(out[n-1], l)
				continue
			}
		}
		out, size = append(out, []Line{l}), len(l.Content)
	}
	return out
}

func scopeOf(u memory.User) memory.Scope { return memory.UserScope(memory.DefaultTenant, u) }

// turn publishes an exchange, waits until it is consolidated and tells what changed.
func (p *player) turn(ctx context.Context, lines []Line) error {
	last := lines[len(lines)-1]
	if !slices.Contains(p.users, last.User) {
		p.users = append(p.users, last.User)
	}
	p.events++
	e, err := turnEvent(fmt.Sprintf("demo-%d", p.events), lines)
	if err != nil {
		return err
	}
	for _, l := range lines {
		p.said(l)
	}
	waiting := p.summary.waiting(last.User)
	p.sim.Clock.Advance(last.At)
	seq, err := p.sim.Publish(ctx, e)
	if err != nil {
		return err
	}
	if err := p.sim.Settle(ctx, e.Ref(), seq); err != nil {
		return err
	}
	if err := p.news(ctx, last.User, ""); err != nil {
		return err
	}
	if n := p.summary.waiting(last.User); n > 0 && n == waiting {
		p.tell.waiting(n, "nothing that was said is about it")
	}
	return nil
}

// said tells a message as it is stored, and what the edge cuts out of it.
func (p *player) said(l Line) {
	clean, findings := guard.Redact(l.Content)
	l.Content = clean
	p.tell.said(l)
	n := 0
	for _, f := range findings {
		n += f.Count
	}
	if n > 0 {
		p.summary.Redacted += n
		p.tell.redacted(n)
	}
}

// close tells what each user has in memory at the end.
func (p *player) close(ctx context.Context) error {
	p.tell.title("What is remembered in the end")
	for _, u := range p.users {
		all, err := p.sim.Stack.Recall.Memories(ctx, scopeOf(u))
		if err != nil {
			return err
		}
		out := []string{}
		for _, m := range all {
			if m.Live(p.sim.Clock.Now()) {
				out = append(out, m.Text)
			}
		}
		slices.Sort(out)
		p.summary.Memories[u] = out
		archive, err := p.sim.Stack.Recall.Archive(ctx, scopeOf(u))
		if err != nil {
			return err
		}
		p.tell.remembered(u, out, len(archive))
	}
	p.tell.counts(p.summary.Messages)
	return nil
}
