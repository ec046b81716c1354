package stream

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestEnsureIsIdempotent(t *testing.T) {
	t.Parallel()
	_, js := startServer(t, t.TempDir())
	for i := range 3 {
		drift, err := NewTopology(Options{}).Ensure(testContext(t), js)
		if err != nil || len(drift) > 0 {
			t.Fatalf("round %d: drift %+v, %v", i, drift, err)
		}
	}
	for _, name := range []string{StreamEvents, StreamTimers, StreamLedger, StreamRecalls, StreamDead, StreamAdvisories} {
		if _, err := js.Stream(testContext(t), name); err != nil {
			t.Errorf("stream %s: %v", name, err)
		}
	}
	for _, name := range []string{BucketThreads, BucketQuestions, BucketWorking, BucketLeases, BucketEmbeddings, BucketErasures, BucketKeys, BucketReplies, BucketMeta} {
		if _, err := js.KeyValue(testContext(t), name); err != nil {
			t.Errorf("bucket %s: %v", name, err)
		}
	}
}

func TestEnsureTakesShortAges(t *testing.T) {
	t.Parallel()
	newJetStream(t, Options{
		EventsMaxAge: time.Minute, RecallsMaxAge: 30 * time.Second, WorkingTTL: time.Second, EmbeddingsTTL: 2 * time.Second,
	})
}

func TestEnsureReportsAndMendsDrift(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	ctx := testContext(t)
	s, err := js.Stream(ctx, StreamEvents)
	if err != nil {
		t.Fatal(err)
	}
	changed := s.CachedInfo().Config
	changed.MaxAge = time.Hour
	changed.AllowDirect = true
	changed.Description = "an operator's note"
	if _, err := js.UpdateStream(ctx, changed); err != nil {
		t.Fatal(err)
	}
	drift, err := NewTopology(Options{AckWait: time.Minute}).Ensure(ctx, js)
	if err != nil {
		t.Fatal(err)
	}
	want := Drift{
		{StreamEvents, "max_age", "720h0m0s", "1h0m0s"},
		{StreamEvents, "allow_direct", "false", "true"},
		{StreamEvents + "/" + ConsumerTimers, "ack_wait", "1m0s", "30s"},
		{StreamTimers + "/" + ConsumerExtractor, "ack_wait", "1m0s", "30s"},
	}
	if !slices.Equal(drift, want) {
		t.Errorf("drift\n%+v, want\n%+v", drift, want)
	}
	s, err = js.Stream(ctx, StreamEvents)
	if err != nil {
		t.Fatal(err)
	}
	if c := s.CachedInfo().Config; c.MaxAge != 30*24*time.Hour || c.AllowDirect || c.Description == "" {
		t.Errorf("after mending: %+v", c)
	}
}

func TestEnsureRefusesWhatCannotBeChanged(t *testing.T) {
	t.Parallel()
	for name, mutate := range map[string]func(*jetstream.StreamConfig){
		"storage":   func(c *jetstream.StreamConfig) { c.Storage = jetstream.MemoryStorage },
		"retention": func(c *jetstream.StreamConfig) { c.Retention = jetstream.WorkQueuePolicy },
		"ttl":       func(c *jetstream.StreamConfig) { c.AllowMsgTTL = true },
		"delete":    func(c *jetstream.StreamConfig) { c.DenyDelete = true },
	} {
		t.Run(name, func(t *testing.T) {
			_, js := startServer(t, t.TempDir())
			c := eventsStream(Options{}.withDefaults())
			mutate(&c)
			if _, err := js.CreateStream(testContext(t), c); err != nil {
				t.Fatal(err)
			}
			if _, err := NewTopology(Options{}).Ensure(testContext(t), js); !errors.Is(err, ErrTopology) {
				t.Errorf("Ensure = %v, want ErrTopology", err)
			}
		})
	}
}

func TestEnsureRefusesAResetLedger(t *testing.T) {
	t.Parallel()
	for name, recreate := range map[string]bool{"gone": false, "created again": true} {
		t.Run(name, func(t *testing.T) {
			js := newJetStream(t, Options{})
			ctx := testContext(t)
			log := NewLog(js)
			owner := memory.UserScope("acme", "alice")
			if _, err := log.Append(ctx, owner, 0, []byte("one")); err != nil {
				t.Fatal(err)
			}
			if err := RecordHeads(ctx, js); err != nil {
				t.Fatal(err)
			}
			if _, err := NewTopology(Options{}).Ensure(ctx, js); err != nil {
				t.Fatalf("healthy: %v", err)
			}
			if err := js.DeleteStream(ctx, StreamLedger); err != nil {
				t.Fatal(err)
			}
			if recreate {
				if _, err := js.CreateStream(ctx, ledgerStream(Options{}.withDefaults())); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := NewTopology(Options{}).Ensure(ctx, js); !errors.Is(err, ErrStreamReset) {
				t.Fatalf("Ensure = %v, want ErrStreamReset", err)
			}
			if _, err := NewTopology(Options{AcceptResetStreams: true}).Ensure(ctx, js); err != nil {
				t.Fatalf("accepting: %v", err)
			}
			if _, err := NewTopology(Options{}).Ensure(ctx, js); err != nil {
				t.Errorf("after accepting: %v", err)
			}
		})
	}
}

func TestRecordHeadsNeverLowers(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	ctx := testContext(t)
	if _, err := NewLog(js).Append(ctx, memory.UserScope("acme", "张三"), 0, []byte("一")); err != nil {
		t.Fatal(err)
	}
	if err := RecordHeads(ctx, js); err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteStream(ctx, StreamLedger); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(ctx, ledgerStream(Options{}.withDefaults())); err != nil {
		t.Fatal(err)
	}
	if err := RecordHeads(ctx, js); err != nil {
		t.Fatal(err)
	}
	if heads, err := recordedHeads(ctx, js); err != nil || heads[StreamLedger] != firstSeq {
		t.Errorf("recorded %v, %v, want %d for the ledger", heads, err, firstSeq)
	}
}

// TestAdvisoriesAreKept has the server give up on a message that nobody listens about.
func TestAdvisoriesAreKept(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{MaxDeliver: 1})
	ctx := testContext(t)
	event(t, js, alice)
	if err := newTimers(js, TimerOptions{}).Now(ctx, alice); err != nil {
		t.Fatal(err)
	}
	c, err := js.Consumer(ctx, StreamTimers, ConsumerExtractor)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := fetchOne(ctx, c)
	if err != nil || msg == nil {
		t.Fatalf("delivery: %v", err)
	}
	if err := msg.Nak(); err != nil {
		t.Fatal(err)
	}
	// The server decides when somebody asks for more.
	if msgs, err := fetch(ctx, c, 1, 500*time.Millisecond); err != nil || len(msgs) > 0 {
		t.Fatalf("delivered %d more, %v", len(msgs), err)
	}
	advisories, err := js.OrderedConsumer(ctx, StreamAdvisories, jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	advisory, err := advisories.Next(jetstream.FetchMaxWait(testWait))
	if err != nil {
		t.Fatalf("no advisory: %v", err)
	}
	if want := "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.MEM_TIMERS.extractor"; advisory.Subject() != want {
		t.Errorf("advisory on %s", advisory.Subject())
	}
}
