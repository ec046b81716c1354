package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// with opens the installation, calls f and closes it again.
func with(e *env, f func(ctx context.Context, s *app.Stack) error) error {
	s, closeAll, err := open(e.ctx, e)
	if err != nil {
		return err
	}
	return errors.Join(f(e.ctx, s), closeAll())
}

type ledgerCmd struct {
	owner `embed:""`
	JSON  bool `help:"Print the change sets as they are."`
}

// Run shows the change sets of a user.
func (c *ledgerCmd) Run(e *env) error {
	scope, err := c.scope()
	if err != nil {
		return err
	}
	return with(e, func(ctx context.Context, s *app.Stack) error {
		records, err := recall.Records(ctx, s.Log, scope)
		if err != nil {
			return err
		}
		for _, r := range records {
			if c.JSON {
				err = printJSON(e.out, r)
			} else {
				err = printRecord(e, r)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func printRecord(e *env, r ledger.Record) error {
	if _, err := fmt.Fprintf(e.out, "#%d  %s  by %s", r.Seq, r.At.Format(time.RFC3339), r.Author); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if cp := r.Checkpoint; cp != nil {
		n := cp.Counts
		if _, err := fmt.Fprintf(e.out, "  thread %s up to event %d: %d messages, %d remembered, %d refreshed, %d rejected, %d nothing, %d parked",
			cp.Thread, cp.Seq, n.Messages, n.Remembered, n.Refreshed, n.Rejected, n.Nothing, n.Parked); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if _, err := fmt.Fprintln(e.out); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, h := range ledger.Changes([]ledger.Record{r}) {
		if err := printEntry(e.out, h); err != nil {
			return err
		}
	}
	return nil
}

type dlqCmd struct {
	List   dlqListCmd   `cmd:"" help:"List dead letters."`
	Show   dlqShowCmd   `cmd:"" help:"Show one, with the events in it."`
	Replay dlqReplayCmd `cmd:"" help:"Put its events back into their thread, and drop it."`
	Drop   dlqDropCmd   `cmd:"" help:"Delete it for good."`
}

type dlqListCmd struct {
	Tenant string `help:"Tenant; without it, all."`
}

// Run lists dead letters.
func (c *dlqListCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		letters, err := s.DeadLetters(ctx, memory.Tenant(c.Tenant))
		if err != nil {
			return err
		}
		for _, l := range letters {
			if _, err := fmt.Fprintf(e.out, "%d  %s  %s/%s  %s/%s/%s  %d event(s), %d attempt(s)  %s\n", l.Seq, l.At.Format(time.RFC3339),
				l.Stage, l.Reason, l.Ref.Tenant, l.Ref.User, l.Ref.Thread, len(l.Events), l.Attempts, l.Detail); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		return nil
	})
}

// letter names one dead letter.
type letter struct {
	Seq uint64 `arg:"" help:"Number of the dead letter, as list shows it."`
}

type dlqShowCmd struct {
	letter `embed:""`
}

// Run shows a dead letter.
func (c *dlqShowCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		l, err := s.Dead.Get(ctx, c.Seq)
		if err != nil {
			return err
		}
		return printJSON(e.out, l)
	})
}

type dlqReplayCmd struct {
	letter `embed:""`
}

// Run replays a dead letter.
func (c *dlqReplayCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error { return s.Dead.Replay(ctx, c.Seq, time.Now()) })
}

type dlqDropCmd struct {
	letter `embed:""`
}

// Run drops a dead letter.
func (c *dlqDropCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error { return s.Dead.Drop(ctx, c.Seq) })
}

type rebuildCmd struct{}

// Run rebuilds the collection.
func (c *rebuildCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		report, err := s.Rebuild(ctx)
		if err != nil {
			return err
		}
		return printJSON(e.out, report)
	})
}
