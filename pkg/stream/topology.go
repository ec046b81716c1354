package stream

import (
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/subject"
)

// The streams. Their subjects are in the design's table of streams and buckets.
const (
	StreamEvents     = subject.Events
	StreamTimers     = "MEM_TIMERS"
	StreamLedger     = "MEM_LEDGER"
	StreamRecalls    = "MEM_RECALLS"
	StreamDead       = "MEM_DEAD"
	StreamAdvisories = "MEM_ADVISORIES"
)

// The KV buckets.
const (
	BucketThreads    = "mem_threads"
	BucketQuestions  = "mem_questions"
	BucketWorking    = "mem_working"
	BucketLeases     = "mem_leases"
	BucketEmbeddings = "mem_embeddings"
	BucketErasures   = "mem_erasures"
	BucketBudgets    = "mem_budgets"
	BucketKeys       = "mem_keys"
	BucketReplies    = "mem_replies"
	// BucketMeta holds the installation's secret, and what Ensure compares streams with:
	// the highest sequences seen.
	BucketMeta = "mem_meta"
)

// The durable consumers.
const (
	// ConsumerTimers, on MEM_EVENTS, sets and slides the threads' timers.
	ConsumerTimers = "timers"
	// ConsumerExtractor, on MEM_TIMERS, works on the threads that are due.
	ConsumerExtractor = "extractor"
)

// MaxEventBytes is the largest event, headers included: parked in a dead letter, which
// holds it in base64, it must still fit a message of one megabyte.
const MaxEventBytes = 512 << 10

// MaxChangeSetBytes is the largest change set.
const MaxChangeSetBytes = 512 << 10

// budgetsTTL is for how long the tokens of a day are known.
const budgetsTTL = 90 * 24 * time.Hour

// deadDuplicates is for how long a dead letter that is put again is recognised.
const deadDuplicates = 24 * time.Hour

// Options are what an installation may choose about its streams. The zero value is one
// machine with the defaults.
type Options struct {
	// Replicas of every stream and bucket: 1 (the default), 3 or 5.
	Replicas int
	// Storage of every stream and bucket; default file. Memory is for tests.
	Storage jetstream.StorageType
	// EventsMaxAge is how long events can be replayed; default 30 days. Events.Expire comes
	// up to 25 hours before it.
	EventsMaxAge time.Duration
	// Duplicates is the window in which the server itself drops an event published again;
	// default 2 minutes. Later duplicates are dropped when a thread is read.
	Duplicates time.Duration
	// RecallsMaxAge is how long recall traces are kept; default 7 days.
	RecallsMaxAge time.Duration
	// WorkingTTL is how long the working memory of a task outlives its last change;
	// default 7 days.
	WorkingTTL time.Duration
	// EmbeddingsTTL is how long a cached embedding is kept; default 30 days.
	EmbeddingsTTL time.Duration
	// AckWait is after how long without a sign of life a job is given to another worker;
	// default 30 s.
	AckWait time.Duration
	// MaxDeliver is after how many deliveries the server itself gives up on a due thread
	// and says so in MEM_ADVISORIES; default 20. It is the net under the worker, which
	// parks long before (WorkerOptions.MaxCrashes).
	MaxDeliver int
	// AcceptResetStreams makes Ensure take a stream whose head is below the recorded one
	// as it is, and record its present head. Set it for one start only, after whoever
	// re-created the stream has confirmed that what is missing is meant to be.
	AcceptResetStreams bool
}

func (o Options) withDefaults() Options {
	defaultTo(&o.Replicas, 1)
	defaultTo(&o.EventsMaxAge, 30*24*time.Hour)
	defaultTo(&o.Duplicates, 2*time.Minute)
	defaultTo(&o.RecallsMaxAge, 7*24*time.Hour)
	defaultTo(&o.WorkingTTL, 7*24*time.Hour)
	defaultTo(&o.EmbeddingsTTL, 30*24*time.Hour)
	defaultTo(&o.AckWait, 30*time.Second)
	defaultTo(&o.MaxDeliver, 20)
	return o
}

// defaultTo sets *v to d where it is the zero value.
func defaultTo[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}

// Topology is every stream, bucket and durable consumer of an installation, as data.
// Buckets stand among the streams: CreateKeyValue would forbid the deletion of messages
// for ever, and erasure needs it.
type Topology struct {
	Streams   []jetstream.StreamConfig
	Consumers []DurableConsumer
	// AcceptResetStreams is Options.AcceptResetStreams.
	AcceptResetStreams bool
}

// DurableConsumer is a durable consumer and the stream that it reads.
type DurableConsumer struct {
	Stream string
	Config jetstream.ConsumerConfig
}

// NewTopology is the topology that o asks for.
func NewTopology(o Options) Topology {
	o = o.withDefaults()
	return Topology{
		Streams: []jetstream.StreamConfig{
			bucket(o, BucketMeta, 0),
			eventsStream(o), timersStream(o), ledgerStream(o),
			recallsStream(o), deadStream(o), advisoriesStream(o),
			bucket(o, BucketThreads, 0),
			questionsBucket(o),
			withMarkers(bucket(o, BucketWorking, o.WorkingTTL)),
			withMarkers(bucket(o, BucketLeases, 0)),
			bucket(o, BucketEmbeddings, o.EmbeddingsTTL),
			fromLeader(bucket(o, BucketErasures, 0)),
			fromLeader(bucket(o, BucketBudgets, budgetsTTL)),
			keysBucket(o),
			fromLeader(bucket(o, BucketReplies, RepliesTTL)),
		},
		Consumers:          []DurableConsumer{timersConsumer(o), extractorConsumer(o)},
		AcceptResetStreams: o.AcceptResetStreams,
	}
}

func baseStream(o Options, name string, subjects ...string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: name, Subjects: subjects, Replicas: o.Replicas, Storage: o.Storage,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld,
		MaxMsgs: -1, MaxBytes: -1, MaxMsgsPerSubject: -1, MaxMsgSize: -1,
		Duplicates: o.Duplicates,
	}
}

// firstSeq is the first sequence of a stream whose subjects hold names. An erasure has the
// server drop its index of them by a purge up to the first message, and a purge up to
// sequence 1 is none.
const firstSeq = 2

func withoutFirst(c jetstream.StreamConfig) jetstream.StreamConfig {
	c.FirstSeq = firstSeq
	return c
}

// expireAfter limits the age of messages; 0 does not. The server wants no duplicate window
// beyond it.
func expireAfter(c *jetstream.StreamConfig, age time.Duration) {
	c.MaxAge = age
	if age > 0 {
		c.Duplicates = min(c.Duplicates, age)
	}
}

// eventsStream allows no rollup, schedule or per-message TTL: subject permissions do not
// cover what headers do. No direct access, so that every read is the leader's.
func eventsStream(o Options) jetstream.StreamConfig {
	c := withoutFirst(baseStream(o, StreamEvents, eventPrefix+"*.*.*"))
	expireAfter(&c, o.EventsMaxAge)
	c.MaxMsgSize = MaxEventBytes
	c.AllowAtomicPublish = true
	return c
}

// timersStream has no limit of age or size, since such a limit would drop pending timers
// without a word. Schedules switch rollups on by themselves.
func timersStream(o Options) jetstream.StreamConfig {
	c := baseStream(o, StreamTimers, timerSetPrefix+"*.*.*", timerDuePrefix+"*.*.*")
	c.Retention = jetstream.WorkQueuePolicy
	c.MaxMsgsPerSubject = 1
	c.AllowMsgSchedules = true
	c.AllowRollup = true
	c.AllowAtomicPublish = true
	return c
}

func ledgerStream(o Options) jetstream.StreamConfig {
	c := withoutFirst(baseStream(o, StreamLedger, ledgerPrefix+"*.*"))
	c.AllowAtomicPublish = true
	return c
}

func recallsStream(o Options) jetstream.StreamConfig {
	c := withoutFirst(baseStream(o, StreamRecalls, recallsPrefix+"*.*"))
	expireAfter(&c, o.RecallsMaxAge)
	c.AllowAtomicPublish = true
	return c
}

func deadStream(o Options) jetstream.StreamConfig {
	c := withoutFirst(baseStream(o, StreamDead, deadPrefix+"*.*.*"))
	c.Duplicates = deadDuplicates
	return c
}

// advisoriesStream keeps what the server says, to whoever listens, about messages that it
// will deliver no more.
func advisoriesStream(o Options) jetstream.StreamConfig {
	return baseStream(o, StreamAdvisories,
		"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+StreamEvents+".*",
		"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+StreamTimers+".*")
}

func bucket(o Options, name string, ttl time.Duration) jetstream.StreamConfig {
	c := baseStream(o, bucketStream(name), bucketPrefix(name)+">")
	c.MaxMsgsPerSubject = 1
	expireAfter(&c, ttl)
	c.AllowRollup = true
	c.AllowDirect = true
	c.Discard = jetstream.DiscardNew
	return c
}

// questionsBucket keeps two states of a question: the one that is replaced stays until it
// has been overwritten.
func questionsBucket(o Options) jetstream.StreamConfig {
	c := withoutFirst(fromLeader(bucket(o, BucketQuestions, 0)))
	c.MaxMsgsPerSubject = 2
	return c
}

// keysBucket lets what stays of an erased key expire by itself.
func keysBucket(o Options) jetstream.StreamConfig {
	c := fromLeader(bucket(o, BucketKeys, 0))
	c.AllowMsgTTL = true
	return c
}

// fromLeader has every read answered by the leader, which knows every write.
func fromLeader(c jetstream.StreamConfig) jetstream.StreamConfig {
	c.AllowDirect = false
	return c
}

// withMarkers lets keys expire one by one, and tells watchers when they do.
func withMarkers(c jetstream.StreamConfig) jetstream.StreamConfig {
	c.AllowMsgTTL = true
	c.SubjectDeleteMarkerTTL = time.Minute
	return c
}

func bucketStream(name string) string { return "KV_" + name }

func bucketPrefix(name string) string { return "$KV." + name + "." }

func timersConsumer(o Options) DurableConsumer {
	return DurableConsumer{Stream: StreamEvents, Config: jetstream.ConsumerConfig{
		Durable: ConsumerTimers, AckPolicy: jetstream.AckExplicitPolicy, DeliverPolicy: jetstream.DeliverAllPolicy,
		AckWait: o.AckWait, MaxDeliver: -1, MaxAckPending: 10_000,
	}}
}

func extractorConsumer(o Options) DurableConsumer {
	return DurableConsumer{Stream: StreamTimers, Config: jetstream.ConsumerConfig{
		Durable: ConsumerExtractor, AckPolicy: jetstream.AckExplicitPolicy, DeliverPolicy: jetstream.DeliverAllPolicy,
		FilterSubject: timerDuePrefix + ">", AckWait: o.AckWait, MaxDeliver: o.MaxDeliver, MaxAckPending: 10_000,
	}}
}
