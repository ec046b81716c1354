package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/stream"
)

// lateTraces is for how long after an erasure traces are looked at twice: what a recall had
// handed out before may be stored that late.
const lateTraces = time.Hour

// takeBackLate deletes the traces of users who were erased while they were on their way:
// what they name is not there any more. One of somebody who has come anew since, and got
// nothing, may go with them, which is harmless. What was told about a recall goes when its
// trace is gone.
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
		if err := s.takeBackTraces(ctx, scope, r); err != nil {
			return err
		}
		if err := s.takeBackTold(ctx, scope, r.told); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stack) takeBackTraces(ctx context.Context, scope memory.Scope, r recollection) error {
	if r.until.IsZero() {
		return nil
	}
	held, err := s.Store.Get(ctx, scope, r.ids)
	if err != nil {
		return fmt.Errorf("look for what was recalled: %w", err)
	}
	if len(held) > 0 {
		return nil
	}
	_, err = s.place(stream.PlaceRecalls).Erase(ctx, scope, stream.Horizon{At: r.until})
	return err
}

// takeBackTold deletes what was told about recalls that are gone, by where it is stored.
func (s *Stack) takeBackTold(ctx context.Context, scope memory.Scope, told map[uint64]string) error {
	for seq, id := range told {
		_, err := s.traces().Find(ctx, scope, id)
		if errors.Is(err, recall.ErrNoTrace) {
			err = s.Recalls.Delete(ctx, seq)
		}
		if err != nil {
			return fmt.Errorf("look for the recall that was told about: %w", err)
		}
	}
	return nil
}

// recollection is what the traces of one owner name, when the last of them was stored, and
// where what was told is stored, with the id of its recall.
type recollection struct {
	ids   []memory.ID
	until time.Time
	told  map[uint64]string
}

// recalled are the traces of a list that may have come late, by owner.
func recalled(list []stream.Trace, lastErasure time.Time) map[memory.Scope]recollection {
	out := map[memory.Scope]recollection{}
	for _, st := range list {
		if !lastErasure.After(st.StoredAt.Add(-lateTraces)) {
			continue
		}
		scope := memory.UserScope(st.Tenant, st.User)
		r := out[scope]
		if tr, ok := decodeTrace(st); ok {
			r.ids = append(r.ids, own(&tr)...)
			if st.StoredAt.After(r.until) {
				r.until = st.StoredAt
			}
		} else if told, ok := decodeTold(st); ok {
			if r.told == nil {
				r.told = map[uint64]string{}
			}
			r.told[st.Seq] = told.Recall
		}
		out[scope] = r
	}
	return out
}
