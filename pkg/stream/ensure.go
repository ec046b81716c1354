package stream

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrTopology is wrapped when a stream or consumer differs in something that the server
// cannot change. The text says what to do.
var ErrTopology = errors.New("stream topology cannot be changed in place")

// ErrStreamReset is wrapped when a stream's head is below the recorded one: somebody has
// re-created it, and sequences that others hold now mean something else. The text says
// what to do.
var ErrStreamReset = errors.New("stream has lost messages that were acknowledged")

// Difference is a setting that was not as the topology has it.
type Difference struct {
	// Object is the stream, or "stream/consumer".
	Object, Field, Want, Have string
}

// Drift is what Ensure found different, and put right.
type Drift []Difference

// Ensure creates what is missing, updates what differs and may be updated, and returns
// those differences. Settings that the topology does not name (placement, compression,
// descriptions) are left as they are. It is idempotent. Nothing is created or changed in
// an object that it refuses: its error then wraps ErrTopology or ErrStreamReset.
func (t Topology) Ensure(ctx context.Context, js jetstream.JetStream) (Drift, error) {
	if have := js.Conn().MaxPayload(); have < minMaxPayload {
		return nil, fmt.Errorf("%w: max_payload of the server is %d and must be at least %d", ErrTopology, have, minMaxPayload)
	}
	var drift Drift
	heads := map[string]uint64{}
	for _, want := range t.Streams {
		found, err := ensureStream(ctx, js, want, heads[want.Name], t.AcceptResetStreams)
		if err != nil {
			return drift, fmt.Errorf("ensure stream %s: %w", want.Name, err)
		}
		drift = append(drift, found...)
		if want.Name == bucketStream(BucketMeta) {
			if heads, err = recordedHeads(ctx, js); err != nil {
				return drift, err
			}
		}
	}
	for _, want := range t.Consumers {
		found, err := ensureConsumer(ctx, js, want)
		if err != nil {
			return drift, fmt.Errorf("ensure consumer %s/%s: %w", want.Stream, want.Config.Durable, err)
		}
		drift = append(drift, found...)
	}
	if t.AcceptResetStreams {
		return drift, writeHeads(ctx, js, true)
	}
	return drift, nil
}

// minMaxPayload is the server's default: a dead letter with the largest event needs it.
const minMaxPayload = 1 << 20

func ensureStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig, head uint64, acceptReset bool) (Drift, error) {
	s, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if head > 0 && !acceptReset {
			return nil, resetError(0, head)
		}
		_, err = js.CreateStream(ctx, want)
		return nil, classify(ctx, err)
	}
	if err != nil {
		return nil, classify(ctx, err)
	}
	if have := headOf(s.CachedInfo()); have < head && !acceptReset {
		return nil, resetError(have, head)
	}
	have := s.CachedInfo().Config
	drift, err := reconcile(want.Name, streamFields, &want, &have)
	if err != nil || len(drift) == 0 {
		return nil, err
	}
	_, err = js.UpdateStream(ctx, have)
	return drift, classify(ctx, err)
}

func ensureConsumer(ctx context.Context, js jetstream.JetStream, want DurableConsumer) (Drift, error) {
	c, err := js.Consumer(ctx, want.Stream, want.Config.Durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		_, err = js.CreateConsumer(ctx, want.Stream, want.Config)
		return nil, classify(ctx, err)
	}
	if err != nil {
		return nil, classify(ctx, err)
	}
	have := c.CachedInfo().Config
	drift, err := reconcile(want.Stream+"/"+want.Config.Durable, consumerFields, &want.Config, &have)
	if err != nil || len(drift) == 0 {
		return nil, err
	}
	_, err = js.UpdateConsumer(ctx, want.Stream, have)
	return drift, classify(ctx, err)
}

func resetError(have, recorded uint64) error {
	return fmt.Errorf("%w: its head is %d, but %d was recorded. Restore it from a backup; or, if it was "+
		"emptied on purpose, start once with AcceptResetStreams", ErrStreamReset, have, recorded)
}

// RecordHeads notes the highest sequences of the event log and the ledger, which the next
// Ensure compares. It only ever raises them. Call it now and then, and when stopping.
func RecordHeads(ctx context.Context, js jetstream.JetStream) error {
	return writeHeads(ctx, js, false)
}

// recordedStreams are those whose sequences others hold: checkpoints and ledger positions.
var recordedStreams = []string{StreamEvents, StreamLedger}

func headKey(stream string) string { return "head." + stream }

func writeHeads(ctx context.Context, js jetstream.JetStream, lower bool) error {
	kv, err := js.KeyValue(ctx, BucketMeta)
	if err != nil {
		return fmt.Errorf("record heads: %w", classify(ctx, err))
	}
	recorded, err := recordedHeads(ctx, js)
	if err != nil {
		return err
	}
	for _, name := range recordedStreams {
		s, err := js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("record head of %s: %w", name, classify(ctx, err))
		}
		head := headOf(s.CachedInfo())
		if head == recorded[name] || head < recorded[name] && !lower {
			continue
		}
		if _, err := kv.PutString(ctx, headKey(name), strconv.FormatUint(head, 10)); err != nil {
			return fmt.Errorf("record head of %s: %w", name, classify(ctx, err))
		}
	}
	return nil
}

func recordedHeads(ctx context.Context, js jetstream.JetStream) (map[string]uint64, error) {
	kv, err := js.KeyValue(ctx, BucketMeta)
	if err != nil {
		return nil, fmt.Errorf("read recorded heads: %w", classify(ctx, err))
	}
	heads := map[string]uint64{}
	for _, name := range recordedStreams {
		entry, err := kv.Get(ctx, headKey(name))
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read recorded head of %s: %w", name, classify(ctx, err))
		}
		if heads[name], err = strconv.ParseUint(string(entry.Value()), 10, 64); err != nil {
			return nil, fmt.Errorf("read recorded head of %s: %w", name, err)
		}
	}
	return heads, nil
}
