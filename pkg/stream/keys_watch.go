package stream

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/fault"
)

// errKeysUnread is the outage of keys that have not been read yet.
var errKeysUnread = errors.New("the keys have not been read yet")

// coarse is how exact the time of the last use is: no key is written more often.
const coarse = time.Hour

// Key returns the key of that id from memory, revoked and expired ones included. It is
// access.ErrKeyNotFound when there is none, and an outage until Run has read the keys once.
func (k *Keys) Key(id string) (access.Key, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.ring == nil {
		return access.Key{}, fault.Outage(errKeysUnread, time.Second)
	}
	h, ok := k.ring[id]
	if !ok || h.key.ID == "" {
		return access.Key{}, access.ErrKeyNotFound
	}
	return h.key, nil
}

// Used notes that a key was used; Run stores it by and by, to the hour.
func (k *Keys) Used(id string, at time.Time) {
	k.mu.RLock()
	due := at.Sub(k.ring[id].key.LastUsedAt) >= coarse && at.Sub(k.used[id]) >= coarse
	k.mu.RUnlock()
	if !due {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used[id] = at
}

// Run keeps the keys in memory and stores when they were used, until ctx ends.
func (k *Keys) Run(ctx context.Context) error {
	defer k.noteLast(ctx)
	away := false
	for {
		err := k.watch(ctx, &away)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			continue // time to read them anew
		}
		k.say(&away, true, err)
		if !pauseFor(ctx, tick) {
			return nil
		}
	}
}

// tick is how often Run looks whether there is anything to do besides what it hears of.
const tick = time.Second

// watch reads all keys, and then hears of each change, until it is time to read them anew.
func (k *Keys) watch(ctx context.Context, away *bool) error {
	it, err := k.from(ctx, bucketPrefix(BucketKeys)+">", 1)
	if err != nil {
		return err
	}
	defer it.stop()
	// What was known is served until all has been read.
	ring, last := keyring{}, uint64(0)
	read, changed := it.pending == 0, true
	noted := time.Now()
	for begun := noted; ; {
		if read && changed {
			k.publish(ring)
			changed = false
		}
		if read && time.Since(begun) >= k.options.Reread {
			return nil
		}
		k.say(away, !k.js.Conn().IsConnected(), nil)
		if time.Since(noted) >= k.options.Note {
			noted = time.Now()
			k.note(ctx)
		}
		m, err := it.next(ctx, tick)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			read = read || k.nothingAfter(ctx, last)
			continue
		}
		if err != nil {
			return err
		}
		if err := ring.hear(m); err != nil {
			k.options.Logger.ErrorContext(ctx, "a key cannot be read", "error", err)
		}
		last, changed, read = m.seq, true, read || m.pending == 0
	}
}

// nothingAfter reports that no message follows: what is still waited for was erased meanwhile.
func (k *Keys) nothingAfter(ctx context.Context, seq uint64) bool {
	_, err := k.next(ctx, bucketPrefix(BucketKeys)+">", seq+1)
	return errors.Is(err, ErrNotFound)
}

// publish makes Key answer from a copy of ring, which goes on to change.
func (k *Keys) publish(ring keyring) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ring = maps.Clone(ring)
}

// say tells once that the keys are served from memory alone, and once that they are not.
func (k *Keys) say(was *bool, away bool, err error) {
	switch {
	case away && !*was:
		k.options.Logger.Warn("NATS is away: API keys are checked against memory, and revocations wait", "error", err)
	case !away && *was:
		k.options.Logger.Info("NATS is back: revocations of API keys take effect again")
	}
	*was = away
}

// note stores when keys were used. What cannot be stored now is noted with the next use.
func (k *Keys) note(ctx context.Context) {
	k.mu.Lock()
	used := k.used
	k.used = make(map[string]time.Time, len(used))
	subjects := make(map[string]string, len(used))
	for id := range used {
		subjects[id] = k.ring[id].subject
	}
	k.mu.Unlock()
	for id, at := range used {
		if subjects[id] == "" {
			continue // erased meanwhile
		}
		attempt, cancel := context.WithTimeout(ctx, tick)
		_, err := k.js.Publish(attempt, subjects[id]+keyUsed, timeText(at))
		cancel()
		if err != nil {
			k.options.Logger.Warn("the use of a key was not noted", "key", id, "error", err)
			return // nor will the others be, one by one
		}
	}
}

// noteLast is note once ctx has ended.
func (k *Keys) noteLast(ctx context.Context) {
	if !k.js.Conn().IsConnected() {
		return
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), tick)
	defer cancel()
	k.note(last)
}
