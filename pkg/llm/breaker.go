package llm

import (
	"sync"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// breaker is the state of one tenant's calls to an endpoint: closed while they succeed, open
// after several outages in a row or when the server named a wait, then half open for one
// call that decides. It is written out because it is all that is needed, and because no
// library at hand carries the wait that a server asked for.
type breaker struct {
	failures int       // outages in a row
	until    time.Time // open before it, half open from it on; zero while closed
	pause    time.Duration
	probing  bool // the call that decides is on its way
}

// breakerLimits are when a breaker opens and for how long: after failures outages in a row,
// for shortest at first and up to longest.
type breakerLimits struct {
	failures          int
	shortest, longest time.Duration
}

// allow reports whether a call may be made, or for how long none may.
func (b *breaker) allow(now time.Time, l breakerLimits) (wait time.Duration, ok bool) {
	switch {
	case b.until.IsZero():
		return 0, true
	case now.Before(b.until):
		return b.until.Sub(now), false
	case b.probing:
		return l.shortest, false
	}
	b.probing = true
	return 0, true
}

// fail records an outage; after is the wait that the server named, or 0.
func (b *breaker) fail(now time.Time, after time.Duration, l breakerLimits) {
	b.failures++
	b.probing = false
	if b.failures < l.failures && after <= 0 && b.until.IsZero() {
		return
	}
	if now.Before(b.until) && after <= 0 {
		return // a call from before it opened
	}
	if b.failures >= l.failures || after <= 0 {
		b.pause = min(max(2*b.pause, l.shortest), l.longest)
	}
	if until := now.Add(max(b.pause, after)); until.After(b.until) {
		b.until = until
	}
}

// idle reports whether the breaker is as good as new.
func (b *breaker) idle() bool { return b.failures == 0 && b.until.IsZero() }

// maxBreakers bounds the tenants whose trouble is told apart; those beyond share one.
const maxBreakers = 10000

// breakers are those of an endpoint, a tenant each: a server may refuse the work of one (its
// size, its content, a quota) and serve the others. Only tenants in trouble have one.
type breakers struct {
	limits breakerLimits

	mu sync.Mutex
	by map[memory.Tenant]*breaker
}

func newBreakers(l breakerLimits) *breakers {
	return &breakers{limits: l, by: map[memory.Tenant]*breaker{}}
}

// of is the tenant's breaker; the caller holds the lock.
func (s *breakers) of(t memory.Tenant) *breaker {
	b := s.by[t]
	if b == nil && len(s.by) >= maxBreakers {
		t = ""
		b = s.by[t]
	}
	if b == nil {
		b = &breaker{}
		s.by[t] = b
	}
	return b
}

// allow reports whether the tenant may call, or for how long not.
func (s *breakers) allow(t memory.Tenant) (wait time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.of(t)
	wait, ok = b.allow(time.Now(), s.limits)
	s.forget(t, b)
	return wait, ok
}

// served records that the server answered, whatever it said.
func (s *breakers) served(t memory.Tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.of(t)
	*b = breaker{}
	s.forget(t, b)
}

// failed records an outage.
func (s *breakers) failed(t memory.Tenant, after time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of(t).fail(time.Now(), after, s.limits)
}

// cancelled records that an allowed call said nothing about the server.
func (s *breakers) cancelled(t memory.Tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.of(t)
	b.probing = false
	s.forget(t, b)
}

func (s *breakers) forget(t memory.Tenant, b *breaker) {
	if b.idle() && s.by[t] == b {
		delete(s.by, t)
	}
}
