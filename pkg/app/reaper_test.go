package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/sim"
	"github.com/mnemond/mnemond/pkg/stream"
)

// The crowd of the reaper's crash test.
const (
	crowdOwners   = 100
	crowdMemories = 5000
)

// reaping is a policy under which everything becomes due within months.
var reaping = retention.Policies{
	Default: retention.Policy{ArchiveFor: 60 * 24 * time.Hour, TombstoneFor: 90 * 24 * time.Hour},
	Tenants: map[memory.Tenant]retention.Policy{"sacme": {ColdAfter: 40 * 24 * time.Hour, UndoFor: 2 * 24 * time.Hour, ExpiryGrace: 3 * 24 * time.Hour}},
}

// served is a stack on servers that other processes reach as well.
type served struct {
	*still
	nats, qdrant string
	// dying is who dies at points of the reaper's work; nil is nobody.
	dying atomic.Pointer[mortal]
	// close stops the stack and the servers; at the end of the test at the latest.
	close func()
}

func startServed(t *testing.T, policies retention.Policies) *served {
	t.Helper()
	x := &served{}
	dir := t.TempDir()
	server, err := stream.StartEmbedded(t.Context(), stream.EmbeddedOptions{Dir: dir, Listen: anywhere})
	must(t, err)
	x.nats = server.ClientURL()
	var stopQdrant func()
	x.qdrant, stopQdrant = startQdrant(t, anywhere)
	c := app.DefaultConfig()
	c.Stream.URL, c.QdrantStore.Address = x.nats, x.qdrant
	b, err := app.OpenExternal(c, "test", slog.New(slog.DiscardHandler))
	must(t, err)
	x.reachBy(t, b)
	likeTwins(t, b)
	x.still = startStill(t, stillOptions{policies: policies, backend: b, dir: dir, reached: func(decide.Step) { x.point() }})
	x.close = sync.OnceFunc(func() {
		x.still.close(t)
		stopQdrant()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(x.close)
	return x
}

// likeTwins gives an installation the secret that each other one here has: the ids and hashes
// that it keys are the same then.
func likeTwins(t *testing.T, b *app.Backend) {
	t.Helper()
	js, err := jetstream.New(b.NATS)
	must(t, err)
	_, err = stream.NewTopology(stream.Options{}).Ensure(t.Context(), js)
	must(t, err)
	kv, err := js.KeyValue(t.Context(), stream.BucketMeta)
	must(t, err)
	_, err = kv.Create(t.Context(), "secret", []byte(strings.Repeat("s", 32)))
	must(t, err)
}

// point is one of the reaper's work.
func (x *served) point() {
	if m := x.dying.Load(); m != nil {
		_ = m.point()
	}
}

// reachBy has every request to the engine be a point before it and one after it.
func (x *served) reachBy(t *testing.T, b *app.Backend) {
	t.Helper()
	address, err := url.Parse(x.qdrant)
	must(t, err)
	dial := func(ctx context.Context, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", address.Host)
	}
	intercept := func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		m, ok := ctx.Value(mortalKey{}).(*mortal)
		if !ok {
			return invoke(ctx, method, req, reply, cc, opts...)
		}
		if err := m.point(); err != nil {
			return err
		}
		return errors.Join(invoke(context.WithoutCancel(ctx), method, req, reply, cc, opts...), m.point())
	}
	must(t, b.Qdrant.Close())
	b.Qdrant, err = qdrantstore.ConnectWith(grpc.WithContextDialer(dial), grpc.WithChainUnaryInterceptor(intercept))
	must(t, err)
	client := b.Qdrant
	t.Cleanup(func() { _ = client.Close() })
}

// crowd is an installation with many owners, of which another one may be the twin.
type crowd struct {
	*served
	owners []memory.Scope
}

// startCrowd populates an installation, always in the same way for a seed.
func startCrowd(t *testing.T, seed uint64) *crowd {
	t.Helper()
	x := &crowd{served: startServed(t, reaping)}
	x.populate(t, rand.New(rand.NewPCG(seed, 5)))
	return x
}

// thing is the word of an owner's i-th memory.
func thing(i int) string { return fmt.Sprintf("kappa%03d", i) }

// populate gives the owners memories of all sorts: some expire, some go cold, some do
// neither.
func (x *crowd) populate(t *testing.T, rng *rand.Rand) {
	t.Helper()
	now := x.clock.Now()
	var entries []stream.LogEntry
	for i := range crowdOwners {
		s := memory.UserScope([]memory.Tenant{"acme", "sacme"}[i%2], memory.User(fmt.Sprintf("知更鸟 %03d", i/2)))
		x.owners = append(x.owners, s)
		c := ledger.ChangeSet{V: ledger.Version, At: now, Author: ledger.AuthorOperator, Scope: s}
		for n := range crowdMemories / crowdOwners {
			text := "My thing is " + thing(n)
			said := now.Add(-time.Duration(rng.IntN(60*24)) * time.Hour)
			m := memory.Memory{
				ID: x.Registry.Identity(s, "", "", text), Scope: s, Kind: memory.KindFact, Text: text, Language: "en",
				Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: said, CreatedAt: said, ConfirmedAt: said, Confidence: 1,
				Evidence: []memory.Evidence{{Event: fmt.Sprint("seed ", n), Thread: "seed", Role: memory.RoleUser, At: said, Quote: text}},
			}
			switch rng.IntN(4) {
			case 0:
				m.ExpiresAt = now.Add(time.Duration(rng.IntN(150*24)) * time.Hour)
			case 1:
				m.Lasting = true
			}
			c.Changes = append(c.Changes, ledger.Change{Op: ledger.OpAdd, Memory: m, Reason: "new"})
		}
		data, err := c.Encode()
		must(t, err)
		entries = append(entries, stream.LogEntry{Scope: s, Data: data})
	}
	_, err := x.Log.AppendAll(t.Context(), entries)
	must(t, err)
	x.rebuild(t)
}

// goOn lets days pass in which a few of the owners use, forget and say things.
func (x *crowd) goOn(t *testing.T, rng *rand.Rand, round int) {
	t.Helper()
	x.pass(time.Duration(1+rng.IntN(8)) * 24 * time.Hour)
	var uses []index.Access
	for range 40 {
		s := x.owners[rng.IntN(len(x.owners))]
		uses = append(uses, index.Access{Scope: s, ID: x.Registry.Identity(s, "", "", "My thing is "+thing(rng.IntN(50))), At: x.clock.Now()})
	}
	must(t, x.Reap.Use(t.Context(), uses))
	for i := range 12 {
		s := x.owners[rng.IntN(len(x.owners))]
		n := rng.IntN(50)
		content := []string{
			"Please forget what I told you about " + thing(n) + ".", "My thing is " + thing(n) + ".", "I live in Oslo.", "我住在青岛。",
		}[i%4]
		r := memory.ThreadRef{Tenant: s.Tenant, User: memory.User(s.Owner.ID), Thread: "t"}
		e := said(r, x.clock.Now(), content)
		e.ID = fmt.Sprintf("e%d-%d", round, i)
		x.publish(t, e)
		x.consolidate(t, r)
	}
}

// states are what there is of each owner, by what it says: twins have other sequences.
func (x *crowd) states(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range x.owners {
		held := x.holdings(t, s)
		records, err := x.Recall.Records(t.Context(), s)
		must(t, err)
		open, err := x.Curate.Pending(t.Context(), s)
		must(t, err)
		for i := range held {
			out[fmt.Sprint(s, " ", held[i].ID, " ", held[i].Status)] = encoded(t, held[i])
		}
		for i, r := range records {
			r.Seq, r.InPlaceOf = 0, 0
			out[fmt.Sprint(s, " change set ", i)] = encoded(t, r)
		}
		out[fmt.Sprint(s, " questions")] = encoded(t, open)
	}
	for _, collection := range []string{qdrantstore.Alias, qdrantstore.ArchiveAlias} {
		for _, p := range x.scroll(t, collection) {
			if p.GetPayload()["accessed"].GetBoolValue() {
				out["use unknown to the ledger "+p.GetId().GetUuid()] = collection
			}
		}
	}
	return out
}

// immortal is more points than any work has.
const immortal = 1 << 30

// dies has a job done by who dies at a point, and returns how many have been passed.
func (x *served) dies(t *testing.T, job reap.Job, at int) (report reap.Report, passed int) {
	t.Helper()
	m := newMortal(context.WithoutCancel(t.Context()), at)
	x.dying.Store(m)
	defer x.dying.Store(nil)
	report, err := x.Reap.RunOnce(m, job, x.clock.Now(), nil)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatalf("%s: %v", job, err)
	}
	return report, at - m.left
}

// The environment of a process that is to be killed at work.
const (
	envWork       = "MNEMOND_TEST_WORK"
	envWorkNow    = "MNEMOND_TEST_WORK_NOW"
	envWorkKill   = "MNEMOND_TEST_WORK_KILL"
	envWorkNATS   = "MNEMOND_TEST_WORK_NATS"
	envWorkQdrant = "MNEMOND_TEST_WORK_QDRANT"
)

// workErase is the erasure of a user; what else a process may do are the jobs of the reaper.
const workErase = "erase"

// isKilled has work done by a process of its own that is to kill itself, and reports whether
// it has.
func (x *served) isKilled(t *testing.T, work, kill string) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), envWork+"="+work, envWorkKill+"="+kill, envWorkNow+"="+x.clock.Now().Format(time.RFC3339Nano),
		envWorkNATS+"="+x.nats, envWorkQdrant+"="+x.qdrant)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL {
			return true
		}
	}
	t.Fatalf("%s: %v: %s", work, err, stderr.String())
	return false
}

// workChild does what its environment says.
func workChild(work string) error {
	now, err := time.Parse(time.RFC3339Nano, os.Getenv(envWorkNow))
	if err != nil {
		return err
	}
	c := app.DefaultConfig()
	c.Stream.URL, c.QdrantStore.Address = os.Getenv(envWorkNATS), os.Getenv(envWorkQdrant)
	c.Stream.Duplicates, c.Timers, c.Retention.Policies = sim.Duplicates, never, reaping
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenExternal(c, "test", log)
	if err != nil {
		return err
	}
	ctx, kill := context.Background(), os.Getenv(envWorkKill)
	s, err := app.NewStack(ctx, b, c, app.Options{Logger: log, Now: func() time.Time { return now }, Reached: killer(kill)})
	if err != nil {
		return err
	}
	if user, erases := strings.CutPrefix(work, workErase+":"); erases {
		err = eraseChild(ctx, s, memory.UserScope("acme", memory.User(user)), kill)
	} else {
		_, err = s.Reap.RunOnce(ctx, reap.Job(work), now, nil)
	}
	return errors.Join(err, b.Close())
}

// envReaperRounds is how many rounds the test below has, which are all 200 with "all".
const envReaperRounds = "MNEMOND_TEST_REAPER_ROUNDS"

// The rounds of a crowd, after which there is another one; and every how many of them kill a
// process.
const (
	crowdRounds = 25
	realKills   = 5
)

// TestAReaperMayBeKilledAnywhere: of two installations that are the same, one has a reaper
// that is never killed, and the other one that dies at a random point of each job, some
// times over, as a goroutine or as a process. After each round they are the same.
func TestAReaperMayBeKilledAnywhere(t *testing.T) {
	rounds := 2
	if v := os.Getenv(envReaperRounds); v == "all" {
		rounds = 200
	} else if v != "" {
		_, err := fmt.Sscan(v, &rounds)
		must(t, err)
	}
	for group := 0; group*crowdRounds < rounds; group++ {
		t.Run(fmt.Sprintf("crowd %d", group), func(t *testing.T) {
			killRounds(t, uint64(group), min(crowdRounds, rounds-group*crowdRounds))
		})
	}
}

func killRounds(t *testing.T, seed uint64, rounds int) {
	var whole, killed *crowd
	var both sync.WaitGroup
	both.Go(func() { whole = startCrowd(t, seed) })
	both.Go(func() { killed = startCrowd(t, seed) })
	both.Wait()
	deaths, processes := map[reap.Job]int{}, map[reap.Job]int{}
	kills := rand.New(rand.NewPCG(seed, 6))
	changed := map[string]int{}
	for round := range rounds {
		whole.goOn(t, rand.New(rand.NewPCG(seed, uint64(round))), round)
		killed.goOn(t, rand.New(rand.NewPCG(seed, uint64(round))), round)
		for _, job := range reap.Jobs {
			report, points := whole.dies(t, job, immortal)
			for op, n := range report.ByOp {
				changed[op] += n
			}
			if round%realKills == 1 && killed.isKilled(t, string(job), fmt.Sprintf("%s:%d", steps[kills.IntN(len(steps))], 1+kills.IntN(12))) {
				processes[job]++
			}
			for range 1 + kills.IntN(3) {
				if at := kills.IntN(points); at > 0 {
					killed.dies(t, job, at)
					deaths[job]++
				}
			}
			killed.reap(t, job)
		}
		differences(t, whole.states(t), killed.states(t))
		if t.Failed() {
			return
		}
	}
	t.Logf("died %v, killed processes %v, changes %v", deaths, processes, changed)
	for _, job := range reap.Jobs {
		if deaths[job] == 0 {
			t.Errorf("%s has not been killed at all: the test would show nothing", job)
		}
	}
	whole.close()
	killed.close()
}

// steps are the named points at which a process is killed.
var steps = append(slices.Clone(decide.Steps), reap.StepSwept, reap.StepReplaced, reap.StepDeleted)
