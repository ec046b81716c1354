package stream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrLeaseHeld means that another process does just this at the moment.
var ErrLeaseHeld = errors.New("another process holds the lease")

// errLeaseLost ends the work of a lease that could not be renewed in time.
var errLeaseLost = errors.New("the lease was lost")

// WithLease calls f while this process, and no other, holds the lease of that name in
// mem_leases; ErrLeaseHeld if another holds it. The lease is renewed every third of ttl (at
// least 3 s, whole seconds); when that fails, f's context ends. A process that dies leaves
// it to the next after ttl. It keeps two runners apart, but does not fence one that was
// paused: what f writes has to be harmless when it is late.
func WithLease(ctx context.Context, js jetstream.JetStream, name string, ttl time.Duration, f func(ctx context.Context) error) error {
	kv, err := js.KeyValue(ctx, BucketLeases)
	if err != nil {
		return fmt.Errorf("open leases: %w", classify(ctx, err))
	}
	key := Token(name)
	seq, err := kv.Create(ctx, key, nil, jetstream.KeyTTL(ttl))
	if errors.Is(err, jetstream.ErrKeyExists) {
		return fmt.Errorf("%w: %s", ErrLeaseHeld, name)
	}
	if err != nil {
		return fmt.Errorf("take lease %s: %w", name, classify(ctx, err))
	}
	l := &lease{js: js, subject: bucketPrefix(BucketLeases) + key, ttl: ttl, seq: seq}
	work, cancel := context.WithCancelCause(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(work, cancel)
	}()
	err = f(work)
	if cause := context.Cause(work); errors.Is(cause, errLeaseLost) {
		err = errors.Join(cause, err)
	}
	cancel(nil)
	<-renewed
	release, done := context.WithTimeout(context.WithoutCancel(ctx), Patience)
	defer done()
	if derr := kv.Delete(release, key, jetstream.LastRevision(l.seq)); derr != nil && err == nil {
		// It ends by itself after ttl; the work is done.
		return nil
	}
	return err
}

// lease is a held lease. KeyValue.Update would drop the time to live, so it is renewed by
// a publish of its own.
type lease struct {
	js      jetstream.JetStream
	subject string
	ttl     time.Duration
	seq     uint64
}

func (l *lease) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(l.ttl / 3)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		msg := nats.NewMsg(l.subject)
		msg.Header.Set(jetstream.MsgTTLHeader, strconv.Itoa(int(l.ttl/time.Second)))
		ack, err := l.js.PublishMsg(ctx, msg, jetstream.WithExpectLastSequencePerSubject(l.seq))
		switch {
		case err == nil:
			l.seq, last = ack.Sequence, time.Now()
		case errors.Is(classify(ctx, err), ErrConflict) || time.Since(last) > l.ttl*2/3:
			cancel(errLeaseLost)
			return
		}
	}
}
