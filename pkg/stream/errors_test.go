package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/mnemond/mnemond/pkg/fault"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	code := func(http int, code jetstream.ErrorCode) error {
		return fmt.Errorf("publish: %w", &jetstream.APIError{Code: http, ErrorCode: code})
	}
	for name, c := range map[string]struct {
		err               error
		outage, permanent bool
		is                error
	}{
		"timeout":            {err: nats.ErrTimeout, outage: true},
		"deadline":           {err: fmt.Errorf("x: %w", context.DeadlineExceeded), outage: true},
		"no responders":      {err: nats.ErrNoResponders, outage: true},
		"no stream response": {err: jetstream.ErrNoStreamResponse, outage: true},
		"closed":             {err: nats.ErrConnectionClosed, outage: true},
		"no leader":          {err: code(503, 10008), outage: true},
		"too many batches":   {err: code(429, jetstreamext.JSErrCodeAtomicPublishTooManyInflight), outage: true},
		"abandoned batch":    {err: code(400, jetstreamext.JSErrCodeBatchPublishIncomplete), outage: true},
		"duplicate batch":    {err: code(400, jetstreamext.JSErrCodeBatchPublishDuplicateMsgID)},
		"conflict":           {err: code(400, 10071), is: ErrConflict},
		"replicated":         {err: code(400, 10164), is: ErrConflict},
		"no message":         {err: code(404, 10037), is: ErrNotFound},
		"too large":          {err: code(400, 10054), permanent: true, is: ErrTooLarge},
		"max payload":        {err: nats.ErrMaxPayload, permanent: true, is: ErrTooLarge},
		"bad request":        {err: code(400, 10003), permanent: true},
		"no stream":          {err: code(404, 10059), is: jetstream.ErrStreamNotFound},
		"unknown":            {err: errors.New("odd")},
		"classified":         {err: fault.Permanent(nats.ErrTimeout), permanent: true},
	} {
		got := classify(context.Background(), c.err)
		if errors.Is(got, fault.ErrOutage) != c.outage || fault.IsPermanent(got) != c.permanent {
			t.Errorf("%s: outage %v, permanent %v", name, errors.Is(got, fault.ErrOutage), fault.IsPermanent(got))
		}
		if !errors.Is(got, c.err) || c.is != nil && !errors.Is(got, c.is) {
			t.Errorf("%s: %v lost its cause", name, got)
		}
	}
	if classify(context.Background(), nil) != nil {
		t.Error("nil is an error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := classify(ctx, nats.ErrTimeout); !errors.Is(got, context.Canceled) {
		t.Errorf("after the caller gave up: %v", got)
	}
}

// lossy is a connection on which the answers to the first single publishes get lost.
type lossy struct {
	jetstream.JetStream
	lose int
}

func (l *lossy) PublishMsg(ctx context.Context, m *nats.Msg, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	ack, err := l.JetStream.PublishMsg(ctx, m, o...)
	if l.lose > 0 {
		l.lose--
		return nil, nats.ErrTimeout
	}
	return ack, err
}

func TestAppendWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	first := appendOne(t, NewLog(js), aliceScope, 0, "a1")
	l := NewLog(&lossy{JetStream: js, lose: 2})
	seq, err := l.Append(testContext(t), aliceScope, first, []byte("a2"))
	if err != nil || seq != first+1 {
		t.Fatalf("Append = %d, %v, want %d", seq, err, first+1)
	}
	var stored []string
	err = l.Read(testContext(t), aliceScope, 0, everything, func(_ uint64, _ time.Time, data []byte) error {
		stored = append(stored, string(data))
		return nil
	})
	if err != nil || !slices.Equal(stored, []string{"a1", "a2"}) {
		t.Errorf("stored %q, %v", stored, err)
	}
}

// TestAppendWhoseAnswerIsLostInARace has somebody else win: the lost attempt was none.
func TestAppendWhoseAnswerIsLostInARace(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	appendOne(t, NewLog(js), aliceScope, 0, "theirs")
	l := NewLog(&lossy{JetStream: js, lose: 1})
	if _, err := l.Append(testContext(t), aliceScope, 0, []byte("ours")); !errors.Is(err, ErrConflict) {
		t.Errorf("Append = %v, want ErrConflict", err)
	}
}

func TestPublishWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	e := runEvents(t, &lossy{JetStream: newJetStream(t, Options{}), lose: 2})
	r := publish(t, e, outgoing(alice, "1", "one"))
	if got, _, err := e.ReadThread(testContext(t), alice, 0, 10); err != nil || len(got) != 1 || got[0].Seq != r[0].Seq {
		t.Errorf("%d events, %v, receipts %+v", len(got), err, r)
	}
}

func TestTimerWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	event(t, js, alice)
	timers := newTimers(&lossy{JetStream: js, lose: 1}, TimerOptions{})
	if err := timers.Retry(testContext(t), alice, 3, time.Hour); err != nil {
		t.Fatal(err)
	}
	if p, _, err := timers.pending(testContext(t), testNames.thread(alice)); err != nil || p.Attempt != 3 {
		t.Errorf("pending %+v, %v", p, err)
	}
}
