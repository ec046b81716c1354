package stream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// message is a stored message, however it was read.
type message struct {
	subject string
	seq     uint64
	at      time.Time
	header  nats.Header
	data    []byte
	// pending is how many messages of the same read follow; 0 where it is not known.
	pending uint64
}

// source reads one stream, message by message, from its leader.
type source struct {
	js   jetstream.JetStream
	name string

	mu     sync.Mutex
	cached jetstream.Stream
}

// singleReads is how many messages are fetched one by one before a read sets up a
// consumer, which costs the server more than a get but then streams.
const singleReads = 64

// idleCheck is after how long without a message a bounded read asks whether any is left:
// what it waits for may have been erased.
const idleCheck = 2 * time.Second

func (s *source) stream(ctx context.Context) (jetstream.Stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached == nil {
		st, err := s.js.Stream(ctx, s.name)
		if err != nil {
			return nil, fmt.Errorf("open stream %s: %w", s.name, classify(ctx, err))
		}
		s.cached = st
	}
	return s.cached, nil
}

// last is the newest message on subject, or ErrNotFound.
func (s *source) last(ctx context.Context, subject string) (message, error) {
	return s.get(ctx, func(ctx context.Context, st jetstream.Stream) (*jetstream.RawStreamMsg, error) {
		return st.GetLastMsgForSubject(ctx, subject)
	})
}

// head is the sequence of the newest message on subject (which may have wildcards); 0 when
// there is none.
func (s *source) head(ctx context.Context, subject string) (uint64, error) {
	m, err := s.last(ctx, subject)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, err
	}
	return m.seq, nil
}

// next is the first message on subject (which may have wildcards) at or after seq, or
// ErrNotFound.
func (s *source) next(ctx context.Context, subject string, seq uint64) (message, error) {
	return s.get(ctx, func(ctx context.Context, st jetstream.Stream) (*jetstream.RawStreamMsg, error) {
		return st.GetMsg(ctx, max(seq, 1), jetstream.WithGetMsgSubject(subject))
	})
}

// at is the message with that sequence, or ErrNotFound.
func (s *source) at(ctx context.Context, seq uint64) (message, error) {
	if seq == 0 {
		return message{}, ErrNotFound
	}
	return s.get(ctx, func(ctx context.Context, st jetstream.Stream) (*jetstream.RawStreamMsg, error) {
		return st.GetMsg(ctx, seq)
	})
}

func (s *source) get(ctx context.Context, ask func(context.Context, jetstream.Stream) (*jetstream.RawStreamMsg, error)) (message, error) {
	st, err := s.stream(ctx)
	if err != nil {
		return message{}, err
	}
	attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	raw, err := ask(attempt, st)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return message{}, ErrNotFound
	}
	if err != nil {
		return message{}, classify(ctx, err)
	}
	return message{subject: raw.Subject, seq: raw.Sequence, at: raw.Time.UTC(), header: raw.Header, data: raw.Data}, nil
}

// lastSeq is the sequence of the stream's last message, 0 when it never had one.
func (s *source) lastSeq(ctx context.Context) (uint64, error) {
	st, err := s.stream(ctx)
	if err != nil {
		return 0, err
	}
	info, err := st.Info(ctx)
	if err != nil {
		return 0, fmt.Errorf("read end of %s: %w", s.name, classify(ctx, err))
	}
	return headOf(info), nil
}

// headOf is the sequence of a stream's last message, 0 when it never had one.
func headOf(info *jetstream.StreamInfo) uint64 {
	if info.State.LastSeq < info.Config.FirstSeq {
		return 0
	}
	return info.State.LastSeq
}

// firstSince is the sequence of the first message on subject that was stored at from or
// later; 0 when there is none.
func (s *source) firstSince(ctx context.Context, subject string, from time.Time) (uint64, error) {
	it, err := s.ordered(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject}, DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &from,
	})
	if err != nil {
		return 0, err
	}
	defer it.stop()
	if it.pending == 0 {
		return 0, nil
	}
	m, err := it.next(ctx, idleCheck)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return 0, nil // erased meanwhile
	}
	return m.seq, err
}

// read calls fn for every message on subject with after < sequence <= upTo, in order, and
// stops at fn's first error.
func (s *source) read(ctx context.Context, subject string, after, upTo uint64, fn func(message) error) error {
	for range singleReads {
		if after >= upTo {
			return nil
		}
		m, err := s.next(ctx, subject, after+1)
		if errors.Is(err, ErrNotFound) || err == nil && m.seq > upTo {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(m); err != nil {
			return err
		}
		after = m.seq
	}
	if after >= upTo {
		return nil
	}
	return s.readStreaming(ctx, subject, after, upTo, fn)
}

// readStreaming is read by way of a consumer.
func (s *source) readStreaming(ctx context.Context, subject string, after, upTo uint64, fn func(message) error) error {
	it, err := s.from(ctx, subject, after+1)
	if err != nil {
		return err
	}
	defer it.stop()
	if it.pending == 0 {
		return nil
	}
	for {
		m, err := it.next(ctx, idleCheck)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			left, err := s.next(ctx, subject, after+1)
			if errors.Is(err, ErrNotFound) || err == nil && left.seq > upTo {
				return nil
			}
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if m.seq > upTo {
			return nil
		}
		if err := fn(m); err != nil {
			return err
		}
		if after = m.seq; after == upTo || m.pending == 0 {
			return nil
		}
	}
}

// iterator reads a stream in order through a consumer that the server forgets.
type iterator struct {
	js       jetstream.JetStream
	stream   string
	consumer jetstream.Consumer
	messages jetstream.MessagesContext
	// pending is how many messages there were at the start.
	pending uint64
}

// from iterates over the messages on subject from sequence seq on.
func (s *source) from(ctx context.Context, subject string, seq uint64) (*iterator, error) {
	return s.ordered(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(seq, 1),
	})
}

func (s *source) ordered(ctx context.Context, config jetstream.OrderedConsumerConfig) (*iterator, error) {
	config.InactiveThreshold = time.Minute
	c, err := s.js.OrderedConsumer(ctx, s.name, config)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.name, classify(ctx, err))
	}
	messages, err := c.Messages(jetstream.PullMaxMessages(singleReads))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.name, classify(ctx, err))
	}
	return &iterator{js: s.js, stream: s.name, consumer: c, messages: messages, pending: c.CachedInfo().NumPending}, nil
}

// next waits for the next message; with wait > 0 no longer than that, and returns
// context.DeadlineExceeded then.
func (it *iterator) next(ctx context.Context, wait time.Duration) (message, error) {
	bounded, cancel := ctx, context.CancelFunc(func() {})
	if wait > 0 {
		bounded, cancel = context.WithTimeout(ctx, wait)
	}
	defer cancel()
	m, err := it.messages.Next(jetstream.NextContext(bounded))
	if err != nil {
		if bounded.Err() != nil && ctx.Err() == nil {
			return message{}, context.DeadlineExceeded
		}
		return message{}, classify(ctx, err)
	}
	return delivered(m)
}

// stop ends the read and removes its consumer. If that fails, the server does it later.
func (it *iterator) stop() {
	it.messages.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = it.js.DeleteConsumer(ctx, it.stream, it.consumer.CachedInfo().Name)
}

func delivered(m jetstream.Msg) (message, error) {
	meta, err := m.Metadata()
	if err != nil {
		return message{}, fmt.Errorf("read message metadata: %w", err)
	}
	return message{
		subject: m.Subject(), seq: meta.Sequence.Stream, at: meta.Timestamp.UTC(),
		header: m.Headers(), data: m.Data(), pending: meta.NumPending,
	}, nil
}
