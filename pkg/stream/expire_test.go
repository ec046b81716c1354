package stream

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func TestExpiryBound(t *testing.T) {
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		age   time.Duration
		bytes uint64
		want  time.Time
	}{
		"a month":         {30 * day, expireBytes, noon.Add(25*time.Hour - 30*day)},
		"a short time":    {4 * time.Hour, 0, noon.Add(-3 * time.Hour)},
		"for ever":        {0, 0, time.Time{}},
		"a larger stream": {30 * day, expireBytes + 1, time.Time{}},
	} {
		info := &jetstream.StreamInfo{
			Config: jetstream.StreamConfig{MaxAge: c.age}, State: jetstream.StreamState{Bytes: c.bytes}, TimeStamp: noon,
		}
		if got := expiryBound(info); !got.Equal(c.want) {
			t.Errorf("%s: before %s, want %s", name, got, c.want)
		}
	}
}

// TestExpireOverwrites the oldest, up to the limit, and leaves the rest.
func TestExpireOverwrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, js := startServer(t, dir)
	ctx := testContext(t)
	if _, err := NewTopology(Options{}).Ensure(ctx, js); err != nil {
		t.Fatal(err)
	}
	e := runEvents(t, js)
	marking := thread("acme", idMark, "t")
	publish(t, e, outgoing(marking, "1", textMark), outgoing(marking, "2", hanMark), outgoing(alice, "1", "later"))
	last, err := e.last(ctx, EventSubject(alice))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := e.Expire(ctx, 100); err != nil || n != 0 {
		t.Errorf("%d events expired before their time, %v", n, err)
	}
	for i, want := range []int{1, 1, 0} {
		if n, err := e.expireBefore(ctx, last.at, 1); err != nil || n != want {
			t.Errorf("round %d: %d expired, %v, want %d", i, n, err, want)
		}
		if files := marked(t, dir); (len(files) > 0) != (i == 0) {
			t.Errorf("round %d: %v hold a mark", i, files)
		}
	}
	if head, err := e.Head(ctx, alice); err != nil || head != last.seq {
		t.Errorf("what is not due is gone: head %d, %v", head, err)
	}
}

// BenchmarkErase measures what an event costs to erase among those of nine others.
func BenchmarkErase(b *testing.B) {
	js := newJetStream(b, Options{})
	e := runEvents(b, js)
	const others = 10
	for published := 0; published < b.N*others || published < 20_000; published += 500 {
		events := make([]OutgoingEvent, 500)
		for i := range events {
			events[i] = outgoing(thread("acme", fmt.Sprint(i%others), "t"), fmt.Sprint(published+i), string(make([]byte, 600)))
		}
		if _, err := e.Publish(b.Context(), events); err != nil {
			b.Fatal(err)
		}
	}
	row := holdings(testNames)[0]
	left := b.N
	b.ResetTimer()
	_, err := row.each(b.Context(), &e.source, thread("acme", "0", "t").Scope(), Horizon{Events: everything}, func(m message) error {
		if left--; left < 0 {
			return errEnough
		}
		return e.overwrite(b.Context(), m.seq)
	})
	if err != nil && !errors.Is(err, errEnough) {
		b.Fatal(err)
	}
}
