package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// The environment of a child process that is to be killed.
const (
	envChildDir  = "MNEMOND_TEST_CHILD_DIR"
	envChildKill = "MNEMOND_TEST_CHILD_KILL"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(envChildDir); dir != "" {
		if err := child(dir, os.Getenv(envChildKill)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if work := os.Getenv(envWork); work != "" {
		if err := workChild(work); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// crashConfig has a dedupe window that late duplicates outlive, and short waits.
func crashConfig() app.Config {
	c := app.DefaultConfig()
	c.Stream.Duplicates = 200 * time.Millisecond
	c.Timers.Quiet, c.Timers.MaxWait = 50*time.Millisecond, 200*time.Millisecond
	c.Worker.BackoffMin, c.Worker.BackoffMax = 20*time.Millisecond, 100*time.Millisecond
	c.Worker.AckWait = 500 * time.Millisecond
	c.Worker.MaxCrashes = 100 // the process dies on purpose, not on its input
	return c
}

// child runs a whole installation on dir until it is told to stop. With kill "step:n" it
// kills itself when it reaches that step for the nth time.
func child(dir, kill string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	b, err := app.OpenEmbedded(ctx, app.EmbeddedConfig{Dir: dir}, log)
	if err != nil {
		return err
	}
	s, err := app.NewStack(ctx, b, crashConfig(), app.Options{Logger: log, Reached: killer(kill)})
	if err != nil {
		return errors.Join(err, b.Close())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, b.Close())
	}
	fmt.Println("http://" + l.Addr().String())
	return errors.Join(s.RunAll(ctx, l), b.Close())
}

func killer(plan string) func(decide.Step) {
	step, count, ok := strings.Cut(plan, ":")
	if !ok {
		return nil
	}
	var n atomic.Int64
	if _, err := fmt.Sscan(count, new(int)); err != nil {
		return nil
	}
	var want int64
	_, _ = fmt.Sscan(count, &want)
	return func(reached decide.Step) {
		if string(reached) == step && n.Add(1) == want {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // SIGKILL is on its way; nothing more may happen
		}
	}
}

// process is a running child.
type process struct {
	cmd  *exec.Cmd
	url  string
	done chan error
}

func startChild(t *testing.T, dir, kill string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), envChildDir+"="+dir, envChildKill+"="+kill)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, done: make(chan error, 1)}
	first := make(chan string, 1)
	go func() {
		sc := bufio.NewScanner(out)
		for sc.Scan() {
			select {
			case first <- sc.Text():
			default:
			}
		}
		close(first)
		p.done <- cmd.Wait()
	}()
	p.url = <-first // empty when it died before it listened: posts fail, and it is started anew
	return p
}

func (p *process) alive() bool {
	select {
	case err := <-p.done:
		p.done <- err
		return false
	default:
		return true
	}
}

// utterance is one event of the crash script.
type utterance struct {
	event event.Event
	city  string
}

// script makes users who move again and again, in several threads each, published out of
// the order in which it was said.
func script(rng *rand.Rand, users, moves int) []utterance {
	cities := []string{"Oslo", "Lima", "Kyoto", "Accra", "Perth", "Quito", "Hanoi", "Turin", "Leeds", "Porto"}
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var out []utterance
	for u := range users {
		for i := range moves {
			city := cities[rng.IntN(len(cities))]
			said := base.Add(time.Duration(i) * 24 * time.Hour)
			e := event.Event{
				SpecVersion: "1.0", ID: fmt.Sprintf("u%d-%d", u, i), Source: "/crash", Type: event.TypeTurn, Time: said,
				User: memory.User(fmt.Sprintf("user-%d", u)), Thread: memory.Thread(fmt.Sprintf("t%d", rng.IntN(3))),
			}
			if err := e.SetTurn(event.Turn{Messages: []event.Message{
				{Role: memory.RoleUser, Content: "haha ok thanks"},
				{Role: memory.RoleUser, Content: "I moved to " + city + "."},
			}}); err != nil {
				panic(err)
			}
			out = append(out, utterance{event: e, city: city})
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// TestNoAcknowledgedEventIsLost, TestExactlyOnceEffect and TestRebuildEqualsLive are
// invariants 1, 2 and 7 of the design, which must hold together: a real process is killed
// between each two steps of consolidation, again and again, while events are published out
// of order, twice, and again after the broker has forgotten them. In the end each
// acknowledged event has been consumed exactly once, each user has the one value that was
// said last, every message is accounted for, and a rebuild gives what was live.
func TestNoAcknowledgedEventIsLost(t *testing.T) { crashes(t, 100) }

// TestExactlyOnceEffect: see TestNoAcknowledgedEventIsLost.
func TestExactlyOnceEffect(t *testing.T) { crashes(t, 200) }

// TestRebuildEqualsLive: see TestNoAcknowledgedEventIsLost.
func TestRebuildEqualsLive(t *testing.T) { crashes(t, 300) }

// envSeeds is how many seeds each of the crash tests tries; default 2.
const envSeeds = "MNEMOND_TEST_CRASH_SEEDS"

func crashes(t *testing.T, from uint64) {
	seeds := uint64(2)
	if v := os.Getenv(envSeeds); v != "" {
		if _, err := fmt.Sscan(v, &seeds); err != nil {
			t.Fatalf("%s: %v", envSeeds, err)
		}
	}
	for seed := from; seed < from+seeds; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			crash(t, rand.New(rand.NewPCG(seed, 7)))
		})
	}
}

func crash(t *testing.T, rng *rand.Rand) {
	dir := t.TempDir()
	utterances := script(rng, 3, 8)
	p := startChild(t, dir, plan(rng, 0))
	kills, next := 0, 0
	deadline := time.Now().Add(3 * time.Minute)
	for next < len(utterances) || kills < len(consolidate.Steps) {
		if time.Now().After(deadline) {
			t.Fatalf("after %d kills, %d of %d events are published", kills, next, len(utterances))
		}
		if !p.alive() {
			kills++
			p = startChild(t, dir, plan(rng, kills))
			continue
		}
		if next < len(utterances) && post(p.url, utterances[next].event) == nil {
			next++
		}
		// Duplicates of anything said before, within the dedupe window or long after it;
		// they also give a child that has run dry a reason to reach its step.
		if next > 0 && (next == len(utterances) || rng.IntN(2) == 0) {
			_ = post(p.url, utterances[rng.IntN(next)].event)
		}
	}
	_ = p.cmd.Process.Kill()
	if err := <-p.done; err == nil {
		t.Error("the child ended by itself, it was to be killed")
	}
	verifyStore(t, dir, utterances)
}

// plan kills at each step in turn, at the first or second time that it is reached.
func plan(rng *rand.Rand, kills int) string {
	if kills >= len(consolidate.Steps) {
		return ""
	}
	return fmt.Sprintf("%s:%d", consolidate.Steps[kills], 1+rng.IntN(2))
}

// verifyStore opens what the children left, lets it finish and checks the invariants.
func verifyStore(t *testing.T, dir string, utterances []utterance) {
	ctx := t.Context()
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenEmbedded(ctx, app.EmbeddedConfig{Dir: dir}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	s, err := app.NewStack(ctx, b, crashConfig(), app.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	threads := map[memory.ThreadRef]bool{}
	for _, u := range utterances {
		threads[u.event.Ref()] = true
	}
	for r := range threads {
		if err := s.Consolidate.Thread(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	letters, err := s.DeadLetters(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(letters) > 0 {
		t.Errorf("%d dead letters, want none: %s", len(letters), letters[0].Reason)
	}
	byUser := map[memory.Scope][]utterance{}
	for _, u := range utterances {
		byUser[u.event.Ref().Scope()] = append(byUser[u.event.Ref().Scope()], u)
	}
	for scope, said := range byUser {
		checkOwner(t, s, scope, said)
	}
}

// checkOwner checks one user's ledger and memories against what was said.
func checkOwner(t *testing.T, s *app.Stack, scope memory.Scope, said []utterance) {
	ctx := t.Context()
	records, err := s.Recall.Records(ctx, scope)
	if err != nil {
		t.Fatal(err)
	}
	var total ledger.Counts
	consumed := map[ledger.EventHash]int{}
	for _, r := range records {
		total = total.Add(r.Checkpoint.Counts)
		for _, h := range r.Checkpoint.Events {
			consumed[h]++
		}
	}
	for _, u := range said {
		if n := consumed[ledger.HashEvent(u.event.ID, 0)]; n != 1 {
			t.Errorf("%s: event %s was consumed %d times, want once", scope.Owner.ID, u.event.ID, n)
		}
	}
	if !total.Balanced() || total.Messages != 2*len(said) {
		t.Errorf("%s: accounts do not balance: %+v, want %d messages", scope.Owner.ID, total, 2*len(said))
	}
	last := slices.MaxFunc(said, func(a, b utterance) int { return a.event.Time.Compare(b.event.Time) })
	live, err := s.Recall.Memories(ctx, scope)
	if err != nil {
		t.Fatal(err)
	}
	var current []string
	for _, m := range live {
		if m.Key == "user.city" && m.Status == memory.StatusCurrent {
			current = append(current, m.Value)
		}
	}
	if !slices.Equal(current, []string{last.city}) {
		t.Errorf("%s: user.city is %q, want %q, which was said last", scope.Owner.ID, current, last.city)
	}
	if _, err := s.Rebuild(ctx, nil); err != nil {
		t.Fatal(err)
	}
	rebuilt, err := s.Recall.Memories(ctx, scope)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprintf("%+v", live), fmt.Sprintf("%+v", rebuilt); a != b {
		t.Errorf("%s: rebuilt state differs\nlive:    %s\nrebuilt: %s", scope.Owner.ID, a, b)
	}
}
