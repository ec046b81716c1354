package stream

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func TestWithLease(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	ctx := testContext(t)
	err := WithLease(ctx, js, "job", 3*time.Second, func(ctx context.Context) error {
		inner := WithLease(ctx, js, "job", 3*time.Second, func(context.Context) error {
			t.Error("two hold the lease at once")
			return nil
		})
		if !errors.Is(inner, ErrLeaseHeld) {
			t.Errorf("the second gets %v, want ErrLeaseHeld", inner)
		}
		return WithLease(ctx, js, "another job", 3*time.Second, func(context.Context) error { return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	want := errors.New("from the work")
	err = WithLease(ctx, js, "job", 3*time.Second, func(context.Context) error { ran = true; return want })
	if !ran || !errors.Is(err, want) {
		t.Errorf("after its release: ran %v, error %v", ran, err)
	}
}

func TestLeaseIsRenewedAndLost(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	ctx := testContext(t)
	kv, err := js.KeyValue(ctx, BucketLeases)
	if err != nil {
		t.Fatal(err)
	}
	watch, err := kv.Watch(ctx, Token("job"), jetstream.UpdatesOnly())
	if err != nil {
		t.Fatal(err)
	}
	err = WithLease(ctx, js, "job", 3*time.Second, func(ctx context.Context) error {
		var first, second jetstream.KeyValueEntry
		for second == nil { // taken, and then renewed after a second
			select {
			case e := <-watch.Updates():
				if first, second = e, first; first != nil && second != nil && first.Revision() <= second.Revision() {
					t.Errorf("renewed from revision %d to %d", second.Revision(), first.Revision())
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if _, err := kv.Put(ctx, Token("job"), []byte("somebody else")); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, errLeaseLost) {
		t.Errorf("WithLease = %v, want the loss of the lease", err)
	}
}

// TestALeaseOfTheDeadIsTaken: a holder that shows no sign of life loses it after its time.
func TestALeaseOfTheDeadIsTaken(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	ctx := testContext(t)
	kv, err := js.KeyValue(ctx, BucketLeases)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Create(ctx, Token("job"), nil, jetstream.KeyTTL(time.Second)); err != nil {
		t.Fatal(err)
	}
	watch, err := kv.Watch(ctx, Token("job"), jetstream.UpdatesOnly())
	if err != nil {
		t.Fatal(err)
	}
	if e := receive(t, watch.Updates(), "the end of the lease"); e.Operation() == jetstream.KeyValuePut {
		t.Fatalf("got %v, want the end of the lease", e.Operation())
	}
	ran := false
	if err := WithLease(ctx, js, "job", 3*time.Second, func(context.Context) error { ran = true; return nil }); err != nil || !ran {
		t.Errorf("the lease of the dead: ran %v, error %v", ran, err)
	}
}
