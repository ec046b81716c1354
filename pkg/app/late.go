package app

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// lateTraces is for how long after an erasure traces are looked at twice: what a recall had
// handed out before may be stored that late.
const lateTraces = time.Hour

// takeBackLate deletes the traces of users who were erased while they were on their way:
// what they name is not there any more. One of somebody who has come anew since, and got
// nothing, may go with them, which is harmless.
func (s *Stack) takeBackLate(ctx context.Context, list []stream.Trace) error {
	last, err := s.erasures.Last(ctx)
	if err != nil {
		return err
	}
	named := map[memory.Scope][]memory.ID{}
	for _, st := range list {
		if tr, ok := decodeTrace(st); ok && last.After(st.StoredAt.Add(-lateTraces)) {
			ids := named[tr.Scope]
			for _, h := range tr.Hits {
				ids = append(ids, h.ID)
			}
			named[tr.Scope] = ids
		}
	}
	for scope, ids := range named {
		fence, err := s.erasures.Erasures.Fence(ctx, scope)
		if err != nil {
			return fmt.Errorf("look for an erasure: %w", err)
		}
		if fence.At.IsZero() {
			continue
		}
		held, err := s.Store.Get(ctx, scope, ids)
		if err != nil {
			return fmt.Errorf("look for what was recalled: %w", err)
		}
		if len(held) > 0 {
			continue
		}
		if _, err := s.place(stream.PlaceRecalls).Erase(ctx, scope, stream.Horizon{}); err != nil {
			return err
		}
	}
	return nil
}
