package app

import (
	"context"
	"errors"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/stream"
)

// consumerUses is the durable consumer of MEM_RECALLS that notes the uses of memories.
const consumerUses = "uses"

// usesBatch bounds the traces that are noted together.
const usesBatch = 256

// Accessed reads the uses of memories back.
func (t traces) Accessed(ctx context.Context, fn func([]index.Access) error) error {
	return t.Since(ctx, t.since(), func(_ context.Context, st stream.Trace) error {
		if uses := usesOf([]stream.Trace{st}); len(uses) > 0 {
			return fn(uses)
		}
		return nil
	})
}

// usesOf are the last uses of the memories in traces.
func usesOf(list []stream.Trace) []index.Access {
	var out []index.Access
	at := map[index.Ref]int{}
	for _, st := range list {
		tr, ok := decodeTrace(st)
		if !ok {
			continue
		}
		for _, u := range tr.Uses() {
			ref := index.Ref{Scope: u.Scope, ID: u.ID}
			i, seen := at[ref]
			if !seen {
				at[ref] = len(out)
				out = append(out, u)
			} else if out[i].At.Before(u.At) {
				out[i] = u
			}
		}
	}
	return out
}

// noteUses writes the times of use to the points, once an interval, and brings back what was
// found in the archive.
func (s *Stack) noteUses(ctx context.Context) error {
	return s.Recalls.Consume(ctx, consumerUses, usesBatch, s.Config.Recalls.Interval, func(ctx context.Context, list []stream.Trace) error {
		return errors.Join(s.takeBackLate(ctx, list), s.Reap.Use(ctx, usesOf(list)))
	})
}
