package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// durableAckWait is after how long another process takes over from one that died.
const durableAckWait = 30 * time.Second

// follow calls fn for every message of s from sequence from on, strictly in order, until
// ctx ends or fn fails. The place is kept by a durable consumer of that name with a single
// message in flight, so that processes that share the name take turns; from counts only
// when the consumer is new. A message is handed out when it is at least lag old.
func (s *source) follow(ctx context.Context, name string, from uint64, lag time.Duration, fn func(message) error) error {
	consumer, err := s.durable(ctx, name, from)
	if err != nil {
		return err
	}
	for {
		msg, err := fetchOne(ctx, consumer)
		if err != nil {
			return fmt.Errorf("follow %s as %s: %w", s.name, name, err)
		}
		if msg == nil {
			continue
		}
		m, err := delivered(msg)
		if err != nil {
			return err
		}
		// The delay holds up this consumer alone, as it should: whatever comes later is
		// younger still.
		if wait := lag - time.Since(m.at); wait > 0 {
			if err := msg.NakWithDelay(wait); err != nil {
				return fmt.Errorf("delay message %d: %w", m.seq, classify(ctx, err))
			}
			continue
		}
		if err := handleInOrder(ctx, msg, m, fn); err != nil {
			return err
		}
	}
}

func handleInOrder(ctx context.Context, msg jetstream.Msg, m message, fn func(message) error) error {
	stop := keepAlive(msg, durableAckWait/3)
	err := fn(m)
	stop()
	if err != nil {
		return errors.Join(err, classify(ctx, msg.Nak()))
	}
	// Confirmed, since a lost ack would deliver the message again out of order.
	if err := msg.DoubleAck(ctx); err != nil {
		return fmt.Errorf("acknowledge message %d: %w", m.seq, classify(ctx, err))
	}
	return nil
}

func (s *source) durable(ctx context.Context, name string, from uint64) (jetstream.Consumer, error) {
	consumer, err := s.js.Consumer(ctx, s.name, name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		consumer, err = s.js.CreateConsumer(ctx, s.name, jetstream.ConsumerConfig{
			Durable: name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: durableAckWait,
			MaxAckPending: 1, MaxDeliver: -1,
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(from, 1),
		})
	}
	if err != nil {
		return nil, fmt.Errorf("open consumer %s of %s: %w", name, s.name, classify(ctx, err))
	}
	return consumer, nil
}

// fetchWait is how long one pull request stands at the server.
const fetchWait = 20 * time.Second

// fetchOne waits for a message. It returns nil and no error when none came in fetchWait.
func fetchOne(ctx context.Context, c jetstream.Consumer) (jetstream.Msg, error) {
	msgs, err := fetch(ctx, c, 1, fetchWait)
	if err != nil || len(msgs) == 0 {
		return nil, err
	}
	return msgs[0], nil
}

// fetch waits at most wait for the first of up to n messages, and returns what there was
// then. A batch that breaks off without a message is an error.
func fetch(ctx context.Context, c jetstream.Consumer, n int, wait time.Duration) ([]jetstream.Msg, error) {
	if n > 1 {
		batch, err := c.FetchNoWait(n)
		if err != nil {
			return nil, classify(ctx, err)
		}
		if msgs, err := drain(ctx, batch); len(msgs) > 0 || err != nil {
			return msgs, err
		}
	}
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := c.Fetch(1, jetstream.FetchContext(bounded))
	if err != nil {
		return nil, classify(ctx, err)
	}
	msgs, err := drain(ctx, batch)
	if len(msgs) == 0 && bounded.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return msgs, err
}

func drain(ctx context.Context, batch jetstream.MessageBatch) ([]jetstream.Msg, error) {
	var msgs []jetstream.Msg
	for m := range batch.Messages() {
		msgs = append(msgs, m)
	}
	if err := batch.Error(); err != nil && len(msgs) == 0 {
		return nil, classify(ctx, err)
	}
	return msgs, nil
}

// keepAlive tells the server every interval that msg is still worked on, until the
// returned function is called, which waits for the telling to end.
func keepAlive(msg jetstream.Msg, interval time.Duration) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				// If it does not get through, the message is delivered again, and what
				// this process does about it loses the compare-and-set.
				_ = msg.InProgress()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}
