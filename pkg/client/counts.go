package client

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Reason is why an event was given up, one stable word.
type Reason string

// The reasons.
const (
	// DroppedFull: there was no room.
	DroppedFull Reason = "full"
	// DroppedInvalid: it is no valid event. Sending it would fail those around it.
	DroppedInvalid Reason = "invalid"
	// DroppedRefused: the server will not have it, or not from this client.
	DroppedRefused Reason = "refused"
	// DroppedClosed: it was published after Close, or could not be sent before its end.
	DroppedClosed Reason = "closed"
)

// Dropped is an event that was given up. It holds nothing of what was said.
type Dropped struct {
	ID     string
	Ref    memory.ThreadRef
	Reason Reason
	// Err is what is wrong: an *event.Error for DroppedInvalid, an *Error for DroppedRefused;
	// else it may be nil.
	Err error
}

// Stats are counts of events since the client was made.
type Stats struct {
	// Queued were taken by Publish.
	Queued uint64
	// Sent were accepted by the server, those from an earlier client's file included.
	Sent uint64
	// Dropped were given up.
	Dropped map[Reason]uint64
	// Spilled were written to the file.
	Spilled uint64
	// Retried counts each event again each time that it is sent again.
	Retried uint64
	// Pending are in the buffer, in the file, or being sent.
	Pending int
}

// counts counts events, here and for OpenTelemetry: mnemond.client.queued, .sent, .dropped (by
// reason), .spilled and .retried.
type counts struct {
	mu sync.Mutex
	Stats
	queued, sent, dropped, spilled, retried metric.Int64Counter
}

func newCounts(m metric.Meter) (*counts, error) {
	c := &counts{Stats: Stats{Dropped: map[Reason]uint64{}}}
	for _, one := range []struct {
		to         *metric.Int64Counter
		name, says string
	}{
		{&c.queued, "queued", "Events taken to be sent."},
		{&c.sent, "sent", "Events that the server has accepted."},
		{&c.dropped, "dropped", "Events given up, by reason."},
		{&c.spilled, "spilled", "Events written to the spill file."},
		{&c.retried, "retried", "Events sent again, each time."},
	} {
		var err error
		if *one.to, err = m.Int64Counter("mnemond.client."+one.name, metric.WithDescription(one.says)); err != nil {
			return nil, fmt.Errorf("make counter %s: %w", one.name, err)
		}
	}
	return c, nil
}

func (c *counts) stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.Stats
	out.Dropped = maps.Clone(out.Dropped)
	return out
}

func (c *counts) add(to *uint64, counter metric.Int64Counter, n int, opts ...metric.AddOption) {
	if n == 0 {
		return
	}
	c.mu.Lock()
	*to += uint64(n)
	c.mu.Unlock()
	counter.Add(context.Background(), int64(n), opts...)
}

func (c *counts) queue()      { c.add(&c.Queued, c.queued, 1) }
func (c *counts) send(n int)  { c.add(&c.Sent, c.sent, n) }
func (c *counts) spill(n int) { c.add(&c.Spilled, c.spilled, n) }
func (c *counts) retry(n int) { c.add(&c.Retried, c.retried, n) }

func (c *counts) drop(r Reason, n int) {
	c.mu.Lock()
	c.Dropped[r] += uint64(n)
	c.mu.Unlock()
	c.dropped.Add(context.Background(), int64(n), metric.WithAttributes(attribute.String("reason", string(r))))
}

// drop counts events that are given up, and tells of them.
func (c *Client) drop(r Reason, err error, gone ...entry) {
	c.counts.drop(r, len(gone))
	if c.opts.OnDrop == nil {
		return
	}
	for _, e := range gone {
		c.opts.OnDrop(Dropped{ID: e.id, Ref: e.ref, Reason: r, Err: err})
	}
}
