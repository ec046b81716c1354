package stream

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

var evening = time.Date(2026, 3, 2, 22, 0, 0, 0, time.UTC)

func newBudgets(t *testing.T, limit int64, now *time.Time) *Budgets {
	t.Helper()
	js := newJetStream(t, Options{})
	secret, err := Secret(testContext(t), js)
	if err != nil {
		t.Fatal(err)
	}
	return NewBudgets(js, NewNames(secret), limit, func() time.Time { return *now })
}

// TestTheCapIsHard: what does not fit is refused until midnight, and nothing of it is taken.
func TestTheCapIsHard(t *testing.T) {
	t.Parallel()
	ctx, now := testContext(t), evening
	b := newBudgets(t, 100, &now)
	if err := b.Reserve(ctx, "acme", 60); err != nil {
		t.Fatal(err)
	}
	err := b.Reserve(ctx, "acme", 41)
	if !errors.Is(err, ErrBudget) || !errors.Is(err, fault.ErrOutage) {
		t.Fatalf("Reserve beyond the cap = %v, want ErrBudget, an outage", err)
	}
	if after, ok := fault.Delay(err); !ok || after != 2*time.Hour {
		t.Errorf("it says to wait %s, want until midnight", after)
	}
	if err := b.Reserve(ctx, "other", 100); err != nil {
		t.Errorf("another tenant: %v", err)
	}
	if err := b.Settle(ctx, "acme", 60, 10); err != nil {
		t.Fatal(err)
	}
	if err := b.Reserve(ctx, "acme", 90); err != nil {
		t.Errorf("what was not used is not given back: %v", err)
	}
	now = evening.Add(3 * time.Hour)
	if err := b.Reserve(ctx, "acme", 100); err != nil {
		t.Errorf("the next day: %v", err)
	}
	got, err := b.Usage(ctx, "acme", 7)
	want := []Usage{{Day: "2026-03-03", Tokens: 100, Calls: 1, Limit: 100}, {Day: "2026-03-02", Tokens: 100, Calls: 2, Limit: 100}}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("Usage = %+v, %v, want %+v", got, err, want)
	}
}

// TestReservationsMeet: of many at once, none beyond the cap gets through.
func TestReservationsMeet(t *testing.T) {
	t.Parallel()
	ctx, now := testContext(t), evening
	b := newBudgets(t, 50, &now)
	var wg sync.WaitGroup
	var mu sync.Mutex
	passed := 0
	for range 16 {
		wg.Go(func() {
			err := b.Reserve(ctx, "acme", 10)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				passed++
			} else if !errors.Is(err, ErrBudget) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if passed != 5 {
		t.Errorf("%d reservations of 10 passed a cap of 50", passed)
	}
}

func TestVectorsAreKeptByOwner(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	js := newJetStream(t, Options{})
	names := NewNames(make([]byte, secretBytes))
	e := NewEmbeddings(js, names)
	alice, bob := memory.UserScope("acme", "alice"), memory.UserScope("acme", "bob")
	want := []float32{0.5, -1, 3e-7}
	for range 2 { // again is no conflict
		if err := e.Store(ctx, alice, "m", "h", want); err != nil {
			t.Fatal(err)
		}
	}
	got, ok, err := e.Load(ctx, alice, "m", "h")
	if err != nil || !ok || len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("Load = %v, %v, %v, want %v", got, ok, err, want)
	}
	for name, load := range map[string]func() (bool, error){
		"another owner": func() (bool, error) { _, ok, err := e.Load(ctx, bob, "m", "h"); return ok, err },
		"another model": func() (bool, error) { _, ok, err := e.Load(ctx, alice, "n", "h"); return ok, err },
		"another text":  func() (bool, error) { _, ok, err := e.Load(ctx, alice, "m", "i"); return ok, err },
	} {
		if ok, err := load(); ok || err != nil {
			t.Errorf("%s: found %v, %v", name, ok, err)
		}
	}
	for _, p := range Places(js, names) {
		if p.Name() != PlaceEmbeddings {
			continue
		}
		if n, err := p.Erase(ctx, alice, Horizon{}); n != 1 || err != nil {
			t.Errorf("erased %d vectors, %v, want one", n, err)
		}
	}
	if _, ok, err := e.Load(ctx, alice, "m", "h"); ok || err != nil {
		t.Errorf("after the erasure: %v, %v", ok, err)
	}
}
