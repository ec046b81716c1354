package app_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/stream"
)

// mortal dies at a point, as a process does: what would follow does not happen.
type mortal struct {
	context.Context
	die context.CancelFunc
	mu  sync.Mutex
	// left is how many points are passed yet.
	left int
}

func newMortal(ctx context.Context, left int) *mortal {
	m := &mortal{left: left}
	m.Context, m.die = context.WithCancel(ctx)
	return m
}

// mortalKey is the key under which contexts know whose they are.
type mortalKey struct{}

// Value serves context.Context.
func (m *mortal) Value(key any) any {
	if key == (mortalKey{}) {
		return m
	}
	return m.Context.Value(key)
}

// point is passed, or else its error is that of the end.
func (m *mortal) point() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left--; m.left < 0 {
		m.die()
	}
	return m.Err()
}

// between does f, with a point before it and one after it.
func between[T any](m *mortal, f func() (T, error)) (T, error) {
	var zero T
	if err := m.point(); err != nil {
		return zero, err
	}
	got, err := f()
	return got, errors.Join(err, m.point())
}

// mortalRecords, mortalPlace and mortalFences have points around everything that changes
// something.
type mortalRecords struct {
	curate.Records
	m *mortal
}

func (r mortalRecords) Store(ctx context.Context, s memory.Scope, b curate.Bounds, receipt []byte, revision uint64) (uint64, error) {
	return between(r.m, func() (uint64, error) { return r.Records.Store(ctx, s, b, receipt, revision) })
}

type mortalPlace struct {
	curate.Place
	m *mortal
}

func (p mortalPlace) Erase(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	return between(p.m, func() (int, error) { return p.Place.Erase(ctx, s, b) })
}

type mortalFences struct {
	curate.Fences
	m *mortal
}

func (f mortalFences) Delete(ctx context.Context, s memory.Scope, seq uint64) error {
	_, err := between(f.m, func() (struct{}, error) { return struct{}{}, f.Fences.Delete(ctx, s, seq) })
	return err
}

// mortalEraser is an eraser whose process is m.
func (x *still) mortalEraser(m *mortal) *curate.Service {
	c := x.Curate.Config
	c.Records, c.Fences = mortalRecords{c.Records, m}, mortalFences{c.Fences, m}
	places := c.Places
	c.Places = make([]curate.Place, len(places))
	for i, p := range places {
		c.Places[i] = mortalPlace{p, m}
	}
	c.Decider = &decide.Decider{
		Ledger: c.Decider.Ledger, Projector: c.Decider.Projector, Reached: func(decide.Step) { _ = m.point() },
	}
	return curate.New(c)
}

// envKills is how many kills the test below tries; "all" tries each point. Default 16.
const envKills = "MNEMOND_TEST_ERASURE_KILLS"

// TestErasureGoesOnWhereItWasKilled is invariant 8 for an eraser that dies between any two
// steps, and perhaps once more: the next run finishes it, with the receipt of one that was
// never killed.
func TestErasureGoesOnWhereItWasKilled(t *testing.T) {
	x := startStill(t, stillOptions{})
	n := 0
	leaves := func() heir {
		n++
		h := heir{memory.ThreadRef{Tenant: "acme", User: memory.User(fmt.Sprintf("知更鸟 %03d", n))}, "marblewort", "蓝铃石风车"}
		h.tells(t, x, "talk", "I like {word}.")
		h.tells(t, x, "talk", "I moved to {Word}ville.")
		h.tells(t, x, "talk", "I live in {Word}stead.") // asked
		x.ask(t, h.Scope(), "Do I like marblewort?", false)
		x.park(t, h.in("parked"), "我喜欢"+h.han+"。")
		return h
	}
	m := newMortal(context.WithoutCancel(t.Context()), immortal)
	want, err := x.mortalEraser(m).Erase(m, leaves().Scope())
	must(t, err)
	points := immortal - m.left
	if points < 40 {
		t.Errorf("an erasure has %d points only", points)
	}
	for _, at := range killsAt(t, points-1) { // behind the last one it is over
		h := leaves()
		m := newMortal(context.WithoutCancel(t.Context()), at)
		if _, err := x.mortalEraser(m).Erase(m, h.Scope()); !errors.Is(err, context.Canceled) {
			t.Fatalf("killed at point %d of %d: %v", at, points, err)
		}
		if at%2 == 0 {
			m = newMortal(context.WithoutCancel(t.Context()), at/2)
			if _, err := x.mortalEraser(m).Erase(m, h.Scope()); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		got, err := x.Curate.Erase(t.Context(), h.Scope())
		must(t, err)
		if !got.Final || got.Memories != want.Memories || !maps.Equal(got.Removed, want.Removed) {
			t.Errorf("killed at point %d of %d: receipt %+v, want that of %+v", at, points, got, want)
		}
		x.hasNothing(t, fmt.Sprintf("killed at point %d of %d", at, points), h)
	}
}

// eraseChild erases a user, and kills its process at a point. It holds no lease, which would
// have whoever goes on wait until it has run out.
func eraseChild(ctx context.Context, s *app.Stack, scope memory.Scope, kill string) error {
	at, err := strconv.Atoi(kill)
	if err != nil {
		return err
	}
	m := newMortal(ctx, at)
	m.die = func() {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // SIGKILL is on its way; nothing more may happen
	}
	c := (&still{Stack: s}).mortalEraser(m).Config
	c.Alone = func(ctx context.Context, f func(context.Context) error) error { return f(ctx) }
	_, err = curate.New(c).Erase(ctx, scope)
	return err
}

// TestErasureByProcessesThatAreKilled is the same for processes.
func TestErasureByProcessesThatAreKilled(t *testing.T) {
	x := startServed(t, retention.Policies{})
	h := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"}
	h.lives(t, x.still)
	for _, at := range []string{"2", "4", "9", "25"} { // counted, fenced, and in the midst
		if !x.isKilled(t, workErase+":"+string(h.User), at) {
			t.Errorf("it has not been killed at point %s", at)
		}
	}
	receipt, err := x.Curate.Erase(t.Context(), h.Scope())
	must(t, err)
	if !receipt.Final || receipt.Memories < 9 || receipt.Removed[stream.PlaceEvents] < 12 {
		t.Errorf("receipt %+v, want a final one of what there was at first", receipt)
	}
	x.hasNothing(t, "killed", h)
}

// killsAt are the points at which to kill: those about the fence, and others at random.
func killsAt(t *testing.T, points int) []int {
	const first = 10
	var all []int
	for i := range first {
		all = append(all, i)
	}
	for _, i := range rand.New(rand.NewPCG(uint64(points), 8)).Perm(points - first) {
		all = append(all, first+i)
	}
	n := 16
	switch v := os.Getenv(envKills); v {
	case "":
	case "all":
		n = points
	default:
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatalf("%s: %v", envKills, err)
		}
	}
	return all[:min(n, points)]
}

// TestErasureOfATenantOrAnAgent is invariant 8 for those: with everybody in it, or by itself;
// a user may bear the same name, in the tenant or in another one.
func TestErasureOfATenantOrAnAgent(t *testing.T) {
	x := startStill(t, stillOptions{})
	tenant := memory.Tenant("acme 租户")
	agent := memory.Scope{Tenant: tenant, Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "robin 知更鸟"}}
	whole := memory.Scope{Tenant: tenant, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	inside := []heir{
		{memory.ThreadRef{Tenant: tenant, User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"},
		{memory.ThreadRef{Tenant: tenant, User: "wren 鹪鹩"}, "sourdough", "紫藤摇椅"},
	}
	outside := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "pottery", "竹编灯笼"}
	for _, h := range append(inside, outside) {
		h.lives(t, x)
	}
	x.seed(t, agent, 30, "stonechat")
	x.seed(t, whole, 20, "goldcrest")
	before := []string{x.state(t, inside[0].Scope()), x.state(t, outside.Scope())}
	receipt, err := x.Curate.Erase(t.Context(), agent)
	must(t, err)
	if !receipt.Final || receipt.Memories != 30 {
		t.Errorf("of the agent: receipt %+v, want a final one with 30 memories", receipt)
	}
	if found := holders(x.stored(t), []string{"stonechat", stream.LedgerSubject(agent)}); len(found) > 0 {
		t.Errorf("of the agent: found in %d places, such as %s", len(found), found[0])
	}
	if after := x.state(t, inside[0].Scope()); after != before[0] {
		t.Errorf("the user with the agent's name is not what it was:\nbefore %s\nafter  %s", before[0], after)
	}
	for _, at := range []int{30, 130} { // the eraser dies twice
		m := newMortal(context.WithoutCancel(t.Context()), at)
		if _, err := x.mortalEraser(m).EraseTenant(m, tenant); !errors.Is(err, context.Canceled) {
			t.Fatalf("killed at point %d: %v", at, err)
		}
	}
	receipt, err = x.Curate.EraseTenant(t.Context(), tenant)
	must(t, err)
	if !receipt.Final || receipt.Memories < 40 {
		t.Errorf("of the tenant: receipt %+v, want a final one with 40 memories and more", receipt)
	}
	marks := []string{"stonechat", "goldcrest", stream.Token(string(tenant)), string(tenant)}
	for _, h := range inside {
		x.hasNothing(t, "the tenant", h)
		marks = append(marks, h.marks()...)
	}
	for _, places := range []map[string][]byte{x.files(t), x.stored(t)} {
		if found := holders(places, marks); len(found) > 0 {
			t.Errorf("of the tenant: found in %d places, such as %s", len(found), found[0])
		}
	}
	if after := x.state(t, outside.Scope()); after != before[1] {
		t.Errorf("the other tenant's user is not what it was:\nbefore %s\nafter  %s", before[1], after)
	}
	x.pass(time.Hour)
	x.comesAnew(t, inside[0])
	for place, n := range x.left(t, whole) {
		if n > 0 {
			t.Errorf("with somebody who came anew, %d pieces count as left in %s", n, place)
		}
	}
}
