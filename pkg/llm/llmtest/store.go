package llmtest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Budget is a budget of tokens in memory, for one day without end.
type Budget struct {
	// Cap is how many tokens a tenant has.
	Cap int

	mu    sync.Mutex
	taken map[memory.Tenant]int
}

// errSpent is why a reservation is refused.
var errSpent = errors.New("the tenant's budget of tokens for today is spent")

// Reserve takes tokens, or fails with an outage until midnight UTC.
func (b *Budget) Reserve(_ context.Context, t memory.Tenant, tokens int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken[t]+tokens > b.Cap {
		now := time.Now().UTC()
		return fault.Outage(errSpent, now.Truncate(24*time.Hour).Add(24*time.Hour).Sub(now))
	}
	if b.taken == nil {
		b.taken = map[memory.Tenant]int{}
	}
	b.taken[t] += tokens
	return nil
}

// Settle replaces a reservation by what was used.
func (b *Budget) Settle(_ context.Context, t memory.Tenant, reserved, used int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken[t] += used - reserved
	return nil
}

// Taken is what the tenant has used and reserved.
func (b *Budget) Taken(t memory.Tenant) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken[t]
}

// Cache is a cache of embeddings in memory. The zero value is empty.
type Cache struct {
	mu      sync.Mutex
	vectors map[cacheKey][]float32
}

type cacheKey struct {
	scope       memory.Scope
	model, hash string
}

// Load returns what Store kept.
func (c *Cache) Load(_ context.Context, s memory.Scope, model, hash string) ([]float32, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.vectors[cacheKey{s, model, hash}]
	return slices.Clone(v), ok, nil
}

// Store keeps a vector.
func (c *Cache) Store(_ context.Context, s memory.Scope, model, hash string, vector []float32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.vectors == nil {
		c.vectors = map[cacheKey][]float32{}
	}
	c.vectors[cacheKey{s, model, hash}] = slices.Clone(vector)
	return nil
}
