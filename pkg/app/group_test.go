package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/fault"
)

// parts makes runnables that write down when they start and when they are told to stop.
type parts struct {
	mu   sync.Mutex
	said []string
}

func (p *parts) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, fmt.Sprintf(format, args...))
}

// part stops when it is told to, and then returns err.
func (p *parts) part(name string, started chan<- string, err error) runnable {
	return runnable{name, func(ctx context.Context) error {
		started <- name
		<-ctx.Done()
		p.say("%s stopped", name)
		return err
	}}
}

func TestAGroupStopsInReverse(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	var p parts
	started := make(chan string, 3)
	ctx, cancel := context.WithCancel(t.Context())
	g := group{p.part("a", started, nil), p.part("b", started, ctx.Err()), p.part("c", started, errors.New("of the shutdown itself"))}
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx) }()
	for range g {
		<-started
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run = %v, want nil: it was told to stop", err)
	}
	if want := []string{"c stopped", "b stopped", "a stopped"}; !slices.Equal(p.said, want) {
		t.Errorf("%q, want %q", p.said, want)
	}
}

// TestEachPartStopsBeforeTheOneItRestsOn: what comes later is told to stop, and has ended,
// before what comes earlier is told.
func TestEachPartStopsBeforeTheOneItRestsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var p parts
		release := make(chan struct{})
		started := make(chan string, 2)
		g := group{
			p.part("event log", started, nil),
			{"http", func(ctx context.Context) error {
				started <- "http"
				<-ctx.Done()
				p.say("http drains")
				<-release
				p.say("http stopped")
				return nil
			}},
		}
		done := make(chan error, 1)
		go func() { done <- g.Run(ctx) }()
		<-started
		<-started
		cancel()
		synctest.Wait()
		if want := []string{"http drains"}; !slices.Equal(p.said, want) {
			t.Errorf("%q while http drains, want %q", p.said, want)
		}
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if want := []string{"http drains", "http stopped", "event log stopped"}; !slices.Equal(p.said, want) {
			t.Errorf("%q, want %q", p.said, want)
		}
	})
}

func TestTheFirstErrorEndsAGroup(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"an error":         {broken, "b: broken"},
		"an unasked end":   {nil, "b stopped"},
		"a cancelled call": {context.Canceled, "b: context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			var p parts
			started := make(chan string, 2)
			g := group{
				p.part("a", started, nil),
				{"b", func(context.Context) error { <-started; <-started; return c.err }},
				p.part("c", started, errors.New("of the shutdown itself")),
			}
			err := g.Run(t.Context())
			if err == nil || err.Error() != c.want || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("Run = %v, want %q", err, c.want)
			}
			if want := []string{"c stopped", "a stopped"}; !slices.Equal(p.said, want) {
				t.Errorf("%q, want %q", p.said, want)
			}
		})
	}
}

func TestAnEmptyGroupWaitsForItsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (group{}).Run(ctx); err != nil {
		t.Errorf("Run = %v", err)
	}
}

// TestARepairIsTriedAgain: an outage ends neither the repair nor the process.
func TestARepairIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Stack{options: Options{Logger: slog.New(slog.DiscardHandler)}}
		ctx, cancel := context.WithCancel(t.Context())
		var at []time.Duration
		start := time.Now()
		run := s.again("trail", func(ctx context.Context) error {
			at = append(at, time.Since(start))
			if len(at) < 3 {
				return fault.Outage(errors.New("down"), 0)
			}
			<-ctx.Done()
			return ctx.Err()
		})
		done := make(chan error, 1)
		go func() { done <- run(ctx) }()
		time.AfterFunc(time.Hour, cancel)
		if err := <-done; err != nil {
			t.Errorf("the repair ended with %v", err)
		}
		if want := []time.Duration{0, repairPause, 2 * repairPause}; !slices.Equal(at, want) {
			t.Errorf("it ran at %v, want %v", at, want)
		}
	})
}
