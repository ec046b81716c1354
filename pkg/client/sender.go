package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
)

const (
	maxBatch      = 100
	maxBatchBytes = 4 << 20
	// maxFaults is how often a batch is sent again that the server fails on by a fault of its
	// own, which may be one of the batch.
	maxFaults = 8
	// maxRetryAfter bounds what a server may ask for.
	maxRetryAfter = 5 * time.Minute
)

// send sends batches, one after the other, until ctx ends.
func (c *Client) send(ctx context.Context) {
	for c.gather(ctx) {
		batch, err := c.queue.take(c.opts.Batch)
		if err != nil { // the file cannot be read at the moment
			if !c.pause(ctx, c.backoff(0, 0)) {
				return
			}
			c.queue.wakeSender()
			continue
		}
		if !c.deliver(ctx, batch) {
			return
		}
	}
}

// gather waits until a batch is worth sending; false when ctx ends.
func (c *Client) gather(ctx context.Context) bool {
	var patience <-chan time.Time
	for {
		something, enough := c.queue.ready(c.opts.Batch)
		if enough || something && c.flushing.Load() > 0 {
			return ctx.Err() == nil
		}
		if something && patience == nil {
			timer := time.NewTimer(c.opts.Interval)
			defer timer.Stop()
			patience = timer.C
		}
		select {
		case <-c.queue.wake:
		case <-patience:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// progress is how a batch gets on.
type progress struct {
	// most is how many are sent at once; less than the batch once it was too large, or to find
	// the one that the server fails on.
	most int
	// failed counts tries in a row that failed, faults those by a fault of the server's own.
	failed, faults int
}

// outcome is what follows from a try.
type outcome int

const (
	settled outcome = iota // nothing is left to do for these
	again                  // another try, at once
	later                  // another try, after a pause
)

// deliver sends what was taken until all of it is settled; false when ctx ends before.
func (c *Client) deliver(ctx context.Context, batch []entry) bool {
	c.clean(batch)
	for p := (progress{most: len(batch)}); len(batch) > 0; {
		part := batch[:min(p.most, len(batch))]
		err := c.try(ctx, part)
		if err != nil && ctx.Err() != nil {
			return false
		}
		switch c.judge(&p, part, err) {
		case settled:
			c.queue.settle(len(part))
			batch, p.failed, p.faults = batch[len(part):], 0, 0
		case later:
			if !c.pause(ctx, c.backoff(p.failed, retryAfter(err))) {
				return false
			}
			p.failed++
			c.counts.retry(len(live(part)))
		}
	}
	return true
}

// try sends those that are still to be sent.
func (c *Client) try(ctx context.Context, part []entry) error {
	batch := live(part)
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	err := c.wire.publish(ctx, batch)
	if err == nil {
		c.counts.send(len(batch))
	}
	return err
}

// judge makes out what follows from a try.
func (c *Client) judge(p *progress, part []entry, err error) outcome {
	var e *Error
	switch batch := live(part); {
	case err == nil:
		return settled
	case !errors.As(err, &e):
		return later
	case e.Index != nil && *e.Index >= 0 && *e.Index < len(batch):
		id := batch[*e.Index].id
		i := slices.IndexFunc(part, func(one entry) bool { return !one.gone && one.id == id })
		part[i].gone = true
		c.drop(DroppedRefused, err, part[i])
		return again
	case e.Status == http.StatusRequestEntityTooLarge && len(batch) > 1:
		p.most = (len(part) + 1) / 2
		return again
	case e.Status == http.StatusBadRequest && len(batch) > 1:
		p.most = 1
		return again
	case e.Status == http.StatusInternalServerError:
		if p.faults++; p.faults <= maxFaults {
			return later
		}
		if len(batch) > 1 {
			p.most, p.faults = 1, 0
			return again
		}
	case !e.final():
		return later
	}
	c.drop(DroppedRefused, err, live(part)...)
	return settled
}

// live are those of a batch that are to be sent.
func live(batch []entry) []entry {
	if !slices.ContainsFunc(batch, func(e entry) bool { return e.gone }) {
		return batch
	}
	return slices.DeleteFunc(slices.Clone(batch), func(e entry) bool { return e.gone })
}

// clean cuts the secrets out of each event, and gives up those that are not valid: the server
// would refuse the batch for them.
func (c *Client) clean(batch []entry) {
	for i := range batch {
		e := &batch[i]
		if e.clean || e.gone {
			continue
		}
		raw, err := cleaned(e.raw)
		if err != nil {
			e.gone = true
			c.drop(DroppedInvalid, err, *e)
			continue
		}
		e.raw, e.clean = raw, true
	}
}

func cleaned(raw []byte) ([]byte, error) {
	e, err := event.Decode(raw)
	if err != nil {
		return nil, err
	}
	secrets, err := e.Clean(nil)
	if err != nil || secrets == 0 {
		return raw, err
	}
	return e.Encode()
}

// overflow moves what waits to the file whenever the buffer is half full, until ctx ends.
func (c *Client) overflow(ctx context.Context) {
	for {
		select {
		case <-c.queue.crowded:
		case <-ctx.Done():
			return
		}
		moved, err := c.queue.move(func(batch []entry) []entry {
			c.clean(batch)
			return live(batch)
		})
		c.counts.spill(moved)
		if err == nil && moved > 0 {
			c.queue.wakeSender()
			continue
		}
		// The file is full, or the disk is: it is of no use to try with every event.
		if !c.pause(ctx, c.backoff(0, 0)) {
			return
		}
	}
}

// backoff is the pause after so many failures in a row, or longer when the server asks for it.
func (c *Client) backoff(failures int, asked time.Duration) time.Duration {
	d := c.opts.BackoffMax
	if failures < 30 {
		d = min(d, c.opts.BackoffMin<<failures)
	}
	d = d/2 + rand.N(d/2+1)
	return max(d, min(asked, maxRetryAfter))
}

// pause waits; false when ctx ends before.
func (c *Client) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
