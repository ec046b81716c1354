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
// return an old value at any time; the ledger is what counts. Values that are replaced are
// not overwritten on disk: the keys are hashes, and the values must name no one.
type Threads struct {
	js    jetstream.JetStream
	names Names

	mu sync.Mutex
	kv jetstream.KeyValue
}

// NewThreads is the cache in the bucket mem_threads.
func NewThreads(js jetstream.JetStream, names Names) *Threads { return &Threads{js: js, names: names} }

// Load returns what was last stored for the thread; ok is false when nothing was.
func (c *Threads) Load(ctx context.Context, r memory.ThreadRef) (data []byte, ok bool, err error) {
	kv, err := c.bucket(ctx, r)
	if err != nil {
		return nil, false, err
	}
	entry, err := kv.Get(ctx, c.names.thread(r))
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
	if _, err := kv.Put(ctx, c.names.thread(r), data); err != nil {
		return fmt.Errorf("store thread: %w", classify(ctx, err))
	}
	return nil
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
