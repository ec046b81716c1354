package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// ErrBudget means that a tenant has spent what it may spend on a day.
var ErrBudget = errors.New("the tenant's tokens of today are spent")

// Usage is what a tenant has spent on a day (UTC).
type Usage struct {
	Day string `json:"day"`
	// Tokens is what calls to models have used, and what those that are under way, or were
	// cut off, have reserved.
	Tokens int64 `json:"tokens"`
	Calls  int64 `json:"calls"`
	// Limit is the hard cap when it was last asked for; 0 is none.
	Limit int64 `json:"limit,omitempty"`
}

// Budgets counts the tokens of each tenant and day in the bucket mem_budgets, under a keyed
// hash of the tenant, across all processes. Days are kept for 90 days.
type Budgets struct {
	source
	names Names
	limit int64
	now   func() time.Time
}

// NewBudgets is the counts in the bucket mem_budgets. Limit is the hard cap a tenant and day;
// 0 only counts. Now is the clock that says which day it is.
func NewBudgets(js jetstream.JetStream, names Names, limit int64, now func() time.Time) *Budgets {
	return &Budgets{source: source{js: js, name: bucketStream(BucketBudgets)}, names: names, limit: limit, now: now}
}

// Reserve takes tokens off what is left of the tenant's day. When too few are left it is
// ErrBudget, an outage until midnight UTC, and nothing is taken.
func (b *Budgets) Reserve(ctx context.Context, t memory.Tenant, tokens int) error {
	now := b.now().UTC()
	err := b.change(ctx, t, now, func(u *Usage) error {
		if b.limit > 0 && u.Tokens+int64(tokens) > b.limit {
			midnight := now.Truncate(day).Add(day)
			return fault.Outage(ErrBudget, midnight.Sub(now))
		}
		u.Tokens += int64(tokens)
		u.Calls++
		return nil
	})
	if err != nil {
		return fmt.Errorf("reserve %d tokens: %w", tokens, err)
	}
	return nil
}

// Settle replaces a reservation by what was used.
func (b *Budgets) Settle(ctx context.Context, t memory.Tenant, reserved, used int) error {
	err := b.change(ctx, t, b.now().UTC(), func(u *Usage) error {
		u.Tokens = max(u.Tokens+int64(used-reserved), 0)
		return nil
	})
	if err != nil {
		return fmt.Errorf("settle %d tokens: %w", used, err)
	}
	return nil
}

const day = 24 * time.Hour

// Usage is what the tenant has spent on each of the last days, the latest first; days
// without any are left out.
func (b *Budgets) Usage(ctx context.Context, t memory.Tenant, days int) ([]Usage, error) {
	var out []Usage
	for i := range days {
		u, _, err := b.load(ctx, t, b.now().UTC().Add(-time.Duration(i)*day))
		if err != nil {
			return nil, fmt.Errorf("read usage: %w", err)
		}
		if u.Calls > 0 {
			out = append(out, u)
		}
	}
	return out, nil
}

func (b *Budgets) subject(t memory.Tenant, at time.Time) string {
	return bucketPrefix(BucketBudgets) + b.names.tenant(t) + "." + at.Format(time.DateOnly)
}

func (b *Budgets) load(ctx context.Context, t memory.Tenant, at time.Time) (Usage, uint64, error) {
	u := Usage{Day: at.Format(time.DateOnly)}
	if err := memory.ValidateID(string(t)); err != nil {
		return u, 0, fault.Permanent(fmt.Errorf("tenant: %w", err))
	}
	m, err := b.last(ctx, b.subject(t, at))
	if errors.Is(err, ErrNotFound) {
		return u, 0, nil
	}
	if err != nil {
		return u, 0, err
	}
	if err := json.Unmarshal(m.data, &u); err != nil {
		return u, 0, fault.Permanent(fmt.Errorf("decode usage: %w", err))
	}
	return u, m.seq, nil
}

// change replaces the tenant's count of the day by what f makes of it, by compare-and-set.
func (b *Budgets) change(ctx context.Context, t memory.Tenant, at time.Time, f func(*Usage) error) error {
	for {
		u, seq, err := b.load(ctx, t, at)
		if err != nil {
			return err
		}
		if err := f(&u); err != nil {
			return err
		}
		u.Limit = b.limit
		data, err := json.Marshal(u)
		if err != nil {
			return fmt.Errorf("encode usage: %w", err)
		}
		m := nats.NewMsg(b.subject(t, at))
		m.Data = data
		m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(seq, 10))
		err = persist(ctx, Patience, func(ctx context.Context) error {
			_, err := b.js.PublishMsg(ctx, m)
			return err
		})
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
}
