package llm

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

var limits = breakerLimits{failures: 3, shortest: 5 * time.Second, longest: time.Minute}

// expectAllow fails unless the tenant may call, or must wait for exactly that long.
func expectAllow(t *testing.T, b *breakers, tenant memory.Tenant, wait time.Duration) {
	t.Helper()
	got, ok := b.allow(tenant)
	if ok != (wait == 0) || got != wait {
		t.Fatalf("allow(%s) = %s, %v, want a wait of %s", tenant, got, ok, wait)
	}
}

func TestBreakerOpensAndProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreakers(limits)
		for range 2 {
			expectAllow(t, b, "a", 0)
			b.failed("a", 0)
		}
		expectAllow(t, b, "a", 0)
		b.failed("a", 0)
		expectAllow(t, b, "a", 5*time.Second)
		expectAllow(t, b, "b", 0)
		b.served("b")

		time.Sleep(3 * time.Second)
		expectAllow(t, b, "a", 2*time.Second)
		time.Sleep(2 * time.Second)
		expectAllow(t, b, "a", 0)             // the probe
		expectAllow(t, b, "a", 5*time.Second) // and nobody else
		b.failed("a", 0)
		expectAllow(t, b, "a", 10*time.Second)

		time.Sleep(10 * time.Second)
		expectAllow(t, b, "a", 0)
		b.cancelled("a")
		expectAllow(t, b, "a", 0) // the cancelled probe said nothing
		b.served("a")
		expectAllow(t, b, "a", 0)
		b.failed("a", 0)
		expectAllow(t, b, "a", 0) // one outage after a success opens nothing
		b.served("a")
		if len(b.by) != 0 {
			t.Errorf("%d breakers are kept of tenants without trouble", len(b.by))
		}
	})
}

func TestBreakerHeedsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreakers(limits)
		expectAllow(t, b, "a", 0)
		b.failed("a", 2*time.Minute)
		expectAllow(t, b, "a", 2*time.Minute)
		b.failed("a", 0) // a call that was under way
		expectAllow(t, b, "a", 2*time.Minute)
		time.Sleep(2 * time.Minute)
		expectAllow(t, b, "a", 0)
	})
}

func TestBreakersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreakers(limits)
		for i := range maxBreakers + 50 {
			for range 3 {
				b.failed(memory.Tenant(fmt.Sprint(i)), 0)
			}
		}
		if len(b.by) > maxBreakers+1 {
			t.Errorf("%d breakers, want at most %d", len(b.by), maxBreakers+1)
		}
		expectAllow(t, b, "17", 5*time.Second)
		expectAllow(t, b, "another", 5*time.Second) // shared by those beyond the bound
	})
}

// In any order of events: the wait is bounded, one probe at a time, and the first success
// closes.
func TestBreakerProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, now, underway := &breaker{}, time.Unix(0, 0), 0
		t.Repeat(map[string]func(*rapid.T){
			"wait": func(t *rapid.T) { now = now.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "s")) * time.Second) },
			"call": func(t *rapid.T) {
				halfOpen := !b.until.IsZero() && !now.Before(b.until)
				probing := b.probing
				wait, ok := b.allow(now, limits)
				if ok {
					underway++
				}
				if wait < 0 || wait > 2*limits.longest || ok == (wait > 0) || halfOpen && probing && ok {
					t.Fatalf("wait %s, ok %v, half open %v, probing %v", wait, ok, halfOpen, probing)
				}
			},
			"fail": func(t *rapid.T) {
				if underway == 0 {
					t.Skip()
				}
				underway--
				b.fail(now, time.Duration(rapid.IntRange(0, 120).Draw(t, "after"))*time.Second, limits)
				if b.failures >= limits.failures {
					if _, ok := b.allow(now, limits); ok {
						t.Fatalf("closed after %d outages in a row", b.failures)
					}
				}
			},
			"succeed": func(t *rapid.T) {
				if underway == 0 {
					t.Skip()
				}
				underway--
				*b = breaker{}
				if _, ok := b.allow(now, limits); !ok {
					t.Fatal("open after a success")
				}
			},
		})
	})
}
