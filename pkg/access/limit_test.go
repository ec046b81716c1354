package access

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// TestLimitersForgetWhoHasNotAskedForLongest, and hold no more than they may.
func TestLimitersForgetWhoHasNotAskedForLongest(t *testing.T) {
	t.Parallel()
	l := newLimiters(rate.Limit(1), 1, 3)
	for _, name := range []string{"a", "b", "c", "a", "d"} { // b goes
		l.take(name, noon)
	}
	for name, kept := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if got := l.names.has(name); got != kept {
			t.Errorf("%s is kept: %v", name, got)
		}
	}
	if wait := l.take("a", noon); wait != time.Second {
		t.Errorf("who is kept has to wait %v", wait)
	}
	if wait := l.take("b", noon); wait != 0 {
		t.Errorf("who was forgotten has to wait %v", wait)
	}
	for i := range 100 {
		l.take(fmt.Sprint(i), noon)
	}
	if len(l.names.named) != 3 || l.names.order.Len() != 3 {
		t.Errorf("%d and %d are kept, want 3", len(l.names.named), l.names.order.Len())
	}
}

func TestWithoutALimitNobodyWaits(t *testing.T) {
	t.Parallel()
	for _, l := range []*limiters{Limits{}.requests(), Limits{Burst: 5}.requests(), Limits{}.failures()} {
		for range 100 {
			if l.take("a", noon) > 0 || l.spent("a", noon) > 0 {
				t.Fatal("somebody has to wait")
			}
		}
	}
}

// TestALimitBelowOneHasABurst: a tenth of a request a second is one in ten seconds.
func TestALimitBelowOneHasABurst(t *testing.T) {
	t.Parallel()
	l := Limits{PerSecond: 0.1}.requests()
	if wait := l.take("a", noon); wait != 0 {
		t.Errorf("the first waits %v", wait)
	}
	if wait := l.take("a", noon); wait != 10*time.Second {
		t.Errorf("the second waits %v, want 10s", wait)
	}
	if wait := l.spent("a", noon.Add(4*time.Second)); wait.Round(time.Millisecond) != 6*time.Second {
		t.Errorf("later it has %v left, want 6s", wait)
	}
}

func TestRemoteAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1:1234": "192.0.2.1", "192.0.2.1": "192.0.2.1", "[::ffff:192.0.2.1]:80": "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64", "2001:db8:1:2::9": "2001:db8:1:2::/64", "[fe80::1%eth0]:80": "fe80::/64",
		"": "", "pipe": "", "@": "", "example.com:80": "", "1.2.3.4.5:80": "",
	} {
		if got := remoteOf(WithRemote(t.Context(), address)); got != want {
			t.Errorf("%q counts as %q, want %q", address, got, want)
		}
	}
	if got := remoteOf(t.Context()); got != "" {
		t.Errorf("nothing counts as %q", got)
	}
}
