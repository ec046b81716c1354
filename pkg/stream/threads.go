package stream

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Threads is the checkpoint cache, one value per thread in mem_threads. It may lose or
// return an old value at any time; the ledger is what counts.
type Threads struct {
	js jetstream.JetStream

	mu sync.Mutex
	kv jetstream.KeyValue
}

// NewThreads is the cache in the bucket mem_threads.
func NewThreads(js jetstream.JetStream) *Threads { return &Threads{js: js} }

// Load returns what was last stored for the thread; ok is false when nothing was.
func (c *Threads) Load(ctx context.Context, r memory.ThreadRef) (data []byte, ok bool, err error) {
	kv, err := c.bucket(ctx, r)
	if err != nil {
		return nil, false, err
	}
	entry, err := kv.Get(ctx, threadTokens(r))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("load thread: %w", classify(ctx, err))
	}
	return entry.Value(), true, nil
}

// Store replaces what is kept for the thread.
func (c *Threads) Store(ctx context.Context, r memory.ThreadRef, data []byte) error {
	kv, err := c.bucket(ctx, r)
	if err != nil {
		return err
	}
	if _, err := kv.Put(ctx, threadTokens(r), data); err != nil {
		return fmt.Errorf("store thread: %w", classify(ctx, err))
	}
	return nil
}

// EraseUser deletes what is kept for the user's threads, overwriting its bytes, and
// returns how many threads there were.
func (c *Threads) EraseUser(ctx context.Context, t memory.Tenant, u memory.User) (int, error) {
	if err := memory.UserScope(t, u).Validate(); err != nil {
		return 0, err
	}
	s := source{js: c.js, name: bucketStream(BucketThreads)}
	return s.erase(ctx, bucketPrefix(BucketThreads)+Token(string(t))+"."+Token(string(u))+".*", everything)
}

func (c *Threads) bucket(ctx context.Context, r memory.ThreadRef) (jetstream.KeyValue, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kv == nil {
		kv, err := c.js.KeyValue(ctx, BucketThreads)
		if err != nil {
			return nil, fmt.Errorf("open bucket %s: %w", BucketThreads, classify(ctx, err))
		}
		c.kv = kv
	}
	return c.kv, nil
}
