package app

import (
	"context"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// trailLag is the age at which a log is looked at a second time; see Stack.lag.
const trailLag = 15 * time.Minute

// repairPause is how long a repair waits after an outage before it goes on.
const repairPause = 5 * time.Second

// repairs is the second look at both logs, and the record of how far they go.
func (s *Stack) repairs() group {
	return group{
		{"events trail", s.again("events trail", s.trailEvents)},
		{"ledger trail", s.again("ledger trail", s.trailLedger)},
		{"heads", s.recordHeads},
	}
}

// again runs a repair until ctx ends, whatever it fails of: it must not stop the process.
func (s *Stack) again(name string, run func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			err := run(ctx)
			if ctx.Err() != nil {
				return nil
			}
			s.options.Logger.WarnContext(ctx, "repair failed, trying again", "repair", name, "error", err)
			if pause(ctx, repairPause) != nil {
				return nil
			}
		}
	}
}

// trailEvents gives every thread a timer that lacks one: the broker may lose a timer that
// is slid while it fires.
func (s *Stack) trailEvents(ctx context.Context) error {
	consumed := reached[memory.ThreadRef]{}
	return s.Events.Trail(ctx, "events-trail", s.lag, func(ctx context.Context, e stream.StoredEvent) error {
		if e.Ref == (memory.ThreadRef{}) || consumed.has(e.Ref, e.Seq) {
			return nil
		}
		at, err := s.Consolidate.Checkpoint(ctx, e.Ref)
		if err == nil && at < e.Seq {
			err = s.Timers.Now(ctx, e.Ref)
		}
		consumed.set(e.Ref, at)
		return s.passed(ctx, err)
	})
}

// trailLedger projects every change set that nobody has projected.
func (s *Stack) trailLedger(ctx context.Context) error {
	projected := reached[memory.Scope]{}
	return s.Log.Trail(ctx, "ledger-trail", s.lag, func(ctx context.Context, scope memory.Scope, seq uint64, data []byte, _ uint64) error {
		if projected.has(scope, seq) {
			return nil
		}
		if err := s.heal(ctx, scope, seq, data); err != nil {
			return s.passed(ctx, err)
		}
		head, err := s.Projector.CatchUp(ctx, scope)
		projected.set(scope, head)
		return s.passed(ctx, err)
	})
}

// reached remembers how far something has come, so that what a trail has seen to be done is
// not asked for again with each message. It forgets everything when it grows too large.
type reached[K comparable] map[K]uint64

// maxReached bounds the entries: some megabytes.
const maxReached = 50_000

func (r reached[K]) has(k K, seq uint64) bool { return seq <= r[k] }

func (r reached[K]) set(k K, seq uint64) {
	if len(r) >= maxReached {
		clear(r)
	}
	r[k] = seq
}

// passed lets a repair go on after what cannot be repaired; the log says so.
func (s *Stack) passed(ctx context.Context, err error) error {
	if fault.IsPermanent(err) {
		s.options.Logger.ErrorContext(ctx, "cannot be repaired", "error", err)
		return nil
	}
	return err
}

// headsInterval is how often the logs' heads are recorded, for Ensure to compare.
const headsInterval = time.Minute

func (s *Stack) recordHeads(ctx context.Context) error {
	tick := time.NewTicker(headsInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := stream.RecordHeads(ctx, s.js); err != nil {
				s.options.Logger.WarnContext(ctx, "record stream heads", "error", err)
			}
		}
	}
}
