package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
)

// with opens the installation, calls f and closes it again.
func with(e *env, f func(ctx context.Context, s *app.Stack) error) error {
	s, closeAll, err := open(e.ctx, e)
	if err != nil {
		return err
	}
	return errors.Join(f(e.ctx, s), closeAll())
}

// withAll is with for what needs the collections.
func withAll(e *env, f func(ctx context.Context, s *app.Stack) error) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		if err := s.Open(ctx); err != nil {
			return err
		}
		return f(ctx, s)
	})
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
		records, err := decide.Records(ctx, s.Log, scope)
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
	return printDocumentChanges(e.out, r)
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
			fault, _, _ := strings.Cut(l.Detail, "\n") // a model's reply is for show
			if _, err := fmt.Fprintf(e.out, "%d  %s  %s/%s  %s/%s/%s  %d event(s), %d attempt(s)  %s\n", l.Seq, l.At.Format(time.RFC3339),
				l.Stage, l.Reason, l.Ref.Tenant, l.Ref.User, l.Ref.Thread, len(l.Events), l.Attempts, fault); err != nil {
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

// Run rebuilds the collections.
func (c *rebuildCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		report, err := s.Rebuild(ctx, e.progress())
		if err != nil {
			return err
		}
		return printJSON(e.out, report)
	})
}

type usageCmd struct {
	Tenant string `help:"Tenant." default:"default"`
	Days   int    `help:"How many days back." default:"7"`
	JSON   bool   `help:"Print one object a day."`
}

// Run shows a tenant's tokens.
func (c *usageCmd) Run(e *env) error {
	return with(e, func(ctx context.Context, s *app.Stack) error {
		usage, err := s.Budgets.Usage(ctx, memory.Tenant(c.Tenant), min(max(c.Days, 1), maxUsageDays))
		if err != nil {
			return err
		}
		for _, u := range usage {
			if c.JSON {
				err = printJSON(e.out, u)
			} else {
				limit := "no cap"
				if u.Limit > 0 {
					limit = fmt.Sprintf("cap %d", u.Limit)
				}
				_, err = fmt.Fprintf(e.out, "%s  %d tokens in %d calls (%s)\n", u.Day, u.Tokens, u.Calls, limit)
			}
			if err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		return nil
	})
}

// maxUsageDays is for how long the tokens of a day are known.
const maxUsageDays = 90

type eraseCmd struct {
	Tenant      string `help:"Tenant." default:"default"`
	User        string `help:"This user." xor:"who"`
	Agent       string `help:"What belongs to this agent itself; users' memories stay." xor:"who"`
	WholeTenant bool   `help:"Every user and agent of the tenant." xor:"who"`
	Verify      bool   `help:"Count what is left, and fail if there is anything."`
}

// Run erases an owner, or counts what is left of one.
func (c *eraseCmd) Run(e *env) error {
	if c.User == "" && c.Agent == "" && !c.WholeTenant {
		return usage("say whom: --user, --agent or --whole-tenant")
	}
	return withAll(e, func(ctx context.Context, s *app.Stack) error {
		receipt, err := c.erase(ctx, s)
		if err != nil {
			return err
		}
		if err := printJSON(e.out, receipt); err != nil || !c.Verify {
			return err
		}
		for _, n := range receipt.Removed {
			if n > 0 {
				return ErrFailed
			}
		}
		return nil
	})
}

func (c *eraseCmd) erase(ctx context.Context, s *app.Stack) (curate.Receipt, error) {
	scope := memory.UserScope(memory.Tenant(c.Tenant), memory.User(c.User))
	if c.Agent != "" {
		scope.Owner = memory.Owner{Kind: memory.OwnerAgent, ID: c.Agent}
	}
	if c.WholeTenant {
		scope.Owner = memory.Owner{Kind: memory.OwnerTenant}
	}
	switch {
	case c.Verify:
		return s.Curate.Verify(ctx, scope)
	case c.WholeTenant:
		return s.Curate.EraseTenant(ctx, scope.Tenant)
	default:
		return s.Curate.Erase(ctx, scope)
	}
}

type reapCmd struct {
	Job    string `arg:"" help:"expire, tier, purge or questions." enum:"expire,tier,purge,questions"`
	DryRun bool   `help:"Print what would change, and change nothing."`
}

// Run does a job of the reaper once, while no other process does.
func (c *reapCmd) Run(e *env) error {
	return withAll(e, func(ctx context.Context, s *app.Stack) error {
		return s.ReapOnce(ctx, reap.Job(c.Job), c.DryRun, e.out)
	})
}
