package stream

import (
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// mutability says whether the server changes a setting of an existing object.
type mutability int

const (
	mutable mutability = iota
	// immutable settings stay as they were created.
	immutable
	// switchOn settings can be switched on later, and never off.
	switchOn
)

// setting is one managed field of a configuration C.
type setting[C any] struct {
	name   string
	change mutability
	text   func(*C) string
	copy   func(dst, src *C)
}

func managed[C, T any](name string, change mutability, at func(*C) *T) setting[C] {
	return setting[C]{
		name: name, change: change,
		text: func(c *C) string { return fmt.Sprint(*at(c)) },
		copy: func(dst, src *C) { *at(dst) = *at(src) },
	}
}

// reconcile copies every managed setting that differs from want to have, and returns the
// differences; or an error, with have in an undefined state, if one cannot be changed.
func reconcile[C any](object string, settings []setting[C], want, have *C) (Drift, error) {
	var drift Drift
	for _, s := range settings {
		w, h := s.text(want), s.text(have)
		if w == h {
			continue
		}
		if s.change == immutable || s.change == switchOn && h == "true" {
			return nil, fmt.Errorf("%w: %s of %s is %s and must be %s. Back it up, delete it, let it be "+
				"created again, and restore the messages; or choose the settings that it was created with",
				ErrTopology, s.name, object, h, w)
		}
		drift = append(drift, Difference{Object: object, Field: s.name, Want: w, Have: h})
		s.copy(have, want)
	}
	return drift, nil
}

type streamConfig = jetstream.StreamConfig

var streamFields = []setting[streamConfig]{
	managed("storage", immutable, func(c *streamConfig) *jetstream.StorageType { return &c.Storage }),
	managed("retention", immutable, func(c *streamConfig) *jetstream.RetentionPolicy { return &c.Retention }),
	managed("deny_delete", switchOn, func(c *streamConfig) *bool { return &c.DenyDelete }),
	managed("deny_purge", switchOn, func(c *streamConfig) *bool { return &c.DenyPurge }),
	managed("allow_msg_ttl", switchOn, func(c *streamConfig) *bool { return &c.AllowMsgTTL }),
	managed("allow_msg_schedules", switchOn, func(c *streamConfig) *bool { return &c.AllowMsgSchedules }),
	managed("subjects", mutable, func(c *streamConfig) *[]string { return &c.Subjects }),
	managed("num_replicas", mutable, func(c *streamConfig) *int { return &c.Replicas }),
	managed("discard", mutable, func(c *streamConfig) *jetstream.DiscardPolicy { return &c.Discard }),
	managed("max_msgs", mutable, func(c *streamConfig) *int64 { return &c.MaxMsgs }),
	managed("max_bytes", mutable, func(c *streamConfig) *int64 { return &c.MaxBytes }),
	managed("max_age", mutable, func(c *streamConfig) *time.Duration { return &c.MaxAge }),
	managed("max_msgs_per_subject", mutable, func(c *streamConfig) *int64 { return &c.MaxMsgsPerSubject }),
	managed("max_msg_size", mutable, func(c *streamConfig) *int32 { return &c.MaxMsgSize }),
	managed("duplicate_window", mutable, func(c *streamConfig) *time.Duration { return &c.Duplicates }),
	managed("allow_direct", mutable, func(c *streamConfig) *bool { return &c.AllowDirect }),
	managed("allow_rollup_hdrs", mutable, func(c *streamConfig) *bool { return &c.AllowRollup }),
	managed("allow_atomic", mutable, func(c *streamConfig) *bool { return &c.AllowAtomicPublish }),
	managed("subject_delete_marker_ttl", mutable, func(c *streamConfig) *time.Duration { return &c.SubjectDeleteMarkerTTL }),
}

type consumerConfig = jetstream.ConsumerConfig

var consumerFields = []setting[consumerConfig]{
	managed("ack_policy", immutable, func(c *consumerConfig) *jetstream.AckPolicy { return &c.AckPolicy }),
	managed("deliver_policy", immutable, func(c *consumerConfig) *jetstream.DeliverPolicy { return &c.DeliverPolicy }),
	managed("filter_subject", mutable, func(c *consumerConfig) *string { return &c.FilterSubject }),
	managed("ack_wait", mutable, func(c *consumerConfig) *time.Duration { return &c.AckWait }),
	managed("max_deliver", mutable, func(c *consumerConfig) *int { return &c.MaxDeliver }),
	managed("max_ack_pending", mutable, func(c *consumerConfig) *int { return &c.MaxAckPending }),
}
