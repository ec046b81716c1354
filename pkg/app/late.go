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
	for scope, r := range recalled(list, last) {
		fence, err := s.erasures.Erasures.Fence(ctx, scope)
		if err != nil {
			return fmt.Errorf("look for an erasure: %w", err)
		}
		if fence.At.IsZero() {
			continue
		}
		held, err := s.Store.Get(ctx, scope, r.ids)
		if err != nil {
			return fmt.Errorf("look for what was recalled: %w", err)
		}
		if len(held) > 0 {
			continue
		}
		if _, err := s.place(stream.PlaceRecalls).Erase(ctx, scope, stream.Horizon{At: r.until}); err != nil {
			return err
		}
	}
	return nil
}

// recollection is what the traces of one owner name, and when the last of them was stored.
type recollection struct {
	ids   []memory.ID
	until time.Time
}

// recalled are the traces of a list that may have come late, by owner.
func recalled(list []stream.Trace, lastErasure time.Time) map[memory.Scope]recollection {
	out := map[memory.Scope]recollection{}
	for _, st := range list {
		tr, ok := decodeTrace(st)
		if !ok || !lastErasure.After(st.StoredAt.Add(-lateTraces)) {
			continue
		}
		r := out[tr.Scope]
		for _, h := range tr.Hits {
			r.ids = append(r.ids, h.ID)
		}
		if st.StoredAt.After(r.until) {
			r.until = st.StoredAt
		}
		out[tr.Scope] = r
	}
	return out
}
