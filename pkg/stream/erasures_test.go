package stream

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestErasuresAreComparedAndSet(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	e := NewErasures(js, testNames)
	ctx := testContext(t)
	if _, _, err := e.Load(ctx, aliceScope); !errors.Is(err, ErrNotFound) {
		t.Fatalf("load of nothing = %v, want ErrNotFound", err)
	}
	if last, err := e.Last(ctx); err != nil || !last.IsZero() {
		t.Errorf("last = %s, %v, want none", last, err)
	}
	first, err := e.Store(ctx, aliceScope, Erasure{Fence: Fence{EventHead: 7}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, stale := range []uint64{0, first + 1} {
		if _, err := e.Store(ctx, aliceScope, Erasure{}, stale); !errors.Is(err, ErrConflict) {
			t.Errorf("store over revision %d = %v, want ErrConflict", stale, err)
		}
	}
	set, revision, err := e.Load(ctx, aliceScope)
	if err != nil || revision != first || set.EventHead != 7 || set.At.IsZero() || set.Receipt != nil {
		t.Fatalf("loaded %+v at %d, %v", set, revision, err)
	}
	if last, err := e.Last(ctx); err != nil || !last.Equal(set.At) {
		t.Errorf("last = %s, %v, want %s", last, err, set.At)
	}
	done := set
	done.Ledger, done.Receipt = 9, json.RawMessage(`{"events":3}`)
	if _, err := e.Store(ctx, aliceScope, done, revision); err != nil {
		t.Fatal(err)
	}
	got, _, err := e.Load(ctx, aliceScope)
	if err != nil || got.Ledger != 9 || string(got.Receipt) != `{"events":3}` || !got.At.Equal(set.At) {
		t.Errorf("loaded %+v, %v, want the fence's first time %s", got, err, set.At)
	}
	if _, err := e.Store(ctx, memory.Scope{}, Erasure{}, 0); !errors.Is(err, memory.ErrScope) {
		t.Errorf("zero scope = %v, want ErrScope", err)
	}
}

// TestAFenceHoldsForTheOwnerAndTheTenant: whoever asks hears of the farther one.
func TestAFenceHoldsForTheOwnerAndTheTenant(t *testing.T) {
	t.Parallel()
	e := NewErasures(newJetStream(t, Options{}), testNames)
	ctx := testContext(t)
	for s, fence := range map[memory.Scope]Fence{
		aliceScope:           {EventHead: 7, Ledger: 30, At: noon},
		tenantScope("acme"):  {EventHead: 9, Ledger: 20, At: noon.Add(time.Hour)},
		agentScope("x", "a"): {EventHead: 1, Ledger: 2, At: noon},
	} {
		if _, err := e.Store(ctx, s, Erasure{Fence: fence}, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		scope memory.Scope
		want  Fence
	}{
		{aliceScope, Fence{EventHead: 9, Ledger: 30, At: noon.Add(time.Hour)}},
		{zhangScope, Fence{EventHead: 9, Ledger: 20, At: noon.Add(time.Hour)}},
		{agentScope("acme", "alice"), Fence{EventHead: 9, Ledger: 20, At: noon.Add(time.Hour)}},
		{tenantScope("acme"), Fence{EventHead: 9, Ledger: 20, At: noon.Add(time.Hour)}},
		{agentScope("x", "a"), Fence{EventHead: 1, Ledger: 2, At: noon}},
		{memory.UserScope("x", "a"), Fence{}},
	} {
		if got, err := e.Fence(ctx, c.scope); err != nil || got != c.want {
			t.Errorf("fence of %+v = %+v, %v, want %+v", c.scope, got, err, c.want)
		}
		if below, err := e.Erased(ctx, c.scope); err != nil || below != c.want.Ledger {
			t.Errorf("%+v is erased below %d, %v, want %d", c.scope, below, err, c.want.Ledger)
		}
	}
}

func TestErasuresNameNoOne(t *testing.T) {
	t.Parallel()
	e := NewErasures(nil, testNames)
	for _, s := range []memory.Scope{aliceScope, agentScope("acme", "alice"), tenantScope("acme")} {
		if subject := e.subject(s); strings.Contains(subject, "alice") || strings.Contains(subject, "acme") {
			t.Errorf("%+v stands on %s", s, subject)
		}
	}
}

// TestWhatIsTakenBackIsErasedToo, without another fence.
func TestWhatIsTakenBackIsErasedToo(t *testing.T) {
	t.Parallel()
	e := NewErasures(newJetStream(t, Options{}), testNames)
	ctx := testContext(t)
	if _, err := e.Store(ctx, aliceScope, Erasure{Fence: Fence{EventHead: 7, Ledger: 30}}, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ seq, want uint64 }{{20, 30}, {40, 40}, {35, 40}, {50, 50}} {
		if err := e.TakeBack(ctx, aliceScope, c.seq); err != nil {
			t.Fatal(err)
		}
		if got, err := e.Erased(ctx, aliceScope); err != nil || got != c.want {
			t.Errorf("taken back up to %d: erased up to %d, %v, want %d", c.seq, got, err, c.want)
		}
	}
	if got, _, err := e.Load(ctx, aliceScope); err != nil || got.Ledger != 30 || got.EventHead != 7 {
		t.Errorf("loaded %+v, %v, want the fence as it was", got, err)
	}
	if got, err := e.Erased(ctx, memory.UserScope("acme", "bob")); err != nil || got != 0 {
		t.Errorf("of another owner, %d is erased, %v", got, err)
	}
	if err := e.TakeBack(ctx, memory.Scope{}, 1); !errors.Is(err, memory.ErrScope) {
		t.Errorf("zero scope = %v, want ErrScope", err)
	}
}
