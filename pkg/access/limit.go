package access

import (
	"container/list"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound how often who asks is answered. The zero value bounds nothing.
type Limits struct {
	// PerSecond is how many requests a second each credential has; 0 is no bound.
	PerSecond float64
	// Burst is how many of them may come at once. Default: PerSecond, and at least 1.
	Burst int
	// FailuresPerMinute is how many wrong credentials an address may send; beyond it, only the
	// credentials that have been good before are looked at. 0 is no bound.
	FailuresPerMinute float64
}

// maxTracked bounds what is kept in memory of callers and of addresses: some 2 MB each.
const maxTracked = 10_000

func (l Limits) requests() *limiters {
	burst := l.Burst
	if burst <= 0 {
		burst = int(math.Ceil(l.PerSecond))
	}
	return newLimiters(rate.Limit(l.PerSecond), burst, maxTracked)
}

func (l Limits) failures() *limiters {
	return newLimiters(rate.Limit(l.FailuresPerMinute/60), int(math.Ceil(l.FailuresPerMinute)), maxTracked)
}

// limiters is a limiter for each name. Beyond a number of names it forgets whoever has not
// asked for longest, who by then has their whole burst again.
type limiters struct {
	limit rate.Limit
	burst int
	names *recent[*rate.Limiter]
}

// newLimiters is nil, which lets everything through, when limit is 0.
func newLimiters(limit rate.Limit, burst, most int) *limiters {
	if limit <= 0 {
		return nil
	}
	return &limiters{limit: limit, burst: max(burst, 1), names: newRecent[*rate.Limiter](most)}
}

// take uses one of name's requests; if there is none, it returns how long until there is.
func (l *limiters) take(name string, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	r := l.of(name).ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// spent is how long until name has a request again; 0 when it has one. It uses none.
func (l *limiters) spent(name string, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	left := l.of(name).TokensAt(now)
	if left >= 1 {
		return 0
	}
	return time.Duration((1 - left) / float64(l.limit) * float64(time.Second))
}

func (l *limiters) of(name string) *rate.Limiter {
	return l.names.get(name, func() *rate.Limiter { return rate.NewLimiter(l.limit, l.burst) })
}

// recent keeps what was asked for most recently, up to a number of names.
type recent[V any] struct {
	most int

	mu    sync.Mutex
	named map[string]*list.Element
	order *list.List // the most recent first
}

type named[V any] struct {
	name  string
	value V
}

func newRecent[V any](most int) *recent[V] {
	return &recent[V]{most: most, named: map[string]*list.Element{}, order: list.New()}
}

// get returns what name stands for, and makes it where there is nothing.
func (r *recent[V]) get(name string, make func() V) V {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.named[name]; ok {
		r.order.MoveToFront(e)
		return e.Value.(named[V]).value
	}
	if r.order.Len() >= r.most {
		oldest := r.order.Back()
		delete(r.named, oldest.Value.(named[V]).name)
		r.order.Remove(oldest)
	}
	v := make()
	r.named[name] = r.order.PushFront(named[V]{name, v})
	return v
}

// has reports whether there is anything of that name.
func (r *recent[V]) has(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.named[name]
	return ok
}
