package app

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/stream"
)

// consumerUses is the durable consumer of MEM_RECALLS that notes the uses of memories.
const consumerUses = "uses"

// usesBatch bounds the traces that are noted together.
const usesBatch = 256

// traces serves recall.Traces, consolidate.Recalls and project.Traces.
type traces struct {
	*stream.Recalls
	// since is how far back traces are worth reading.
	since func() time.Time
}

// Record translates stream.Recalls.Publish. A trace that is too large goes without the
// block that was injected, which its memories make again.
func (t traces) Record(tr recall.Trace) {
	raw, err := json.Marshal(tr)
	if err == nil && len(raw) > stream.MaxTraceBytes {
		tr.Prompt = ""
		raw, err = json.Marshal(tr)
	}
	if err != nil {
		return // a trace is texts and numbers: it always encodes
	}
	t.Publish(context.Background(), stream.Trace{Tenant: tr.Scope.Tenant, User: memory.User(tr.Scope.Owner.ID), Data: raw})
}

// HandedOut finds the recall among the traces of its user.
func (t traces) HandedOut(ctx context.Context, s memory.Scope, id string) ([]memory.ID, error) {
	var out []memory.ID
	err := t.Of(ctx, s.Tenant, memory.User(s.Owner.ID), func(_ context.Context, st stream.Trace) error {
		if tr, ok := decodeTrace(st); ok && tr.ID == id {
			for _, h := range tr.Hits {
				out = append(out, h.ID)
			}
		}
		return nil
	})
	return out, err
}

// Accessed reads the uses of memories back.
func (t traces) Accessed(ctx context.Context, fn func([]index.Access) error) error {
	return t.Since(ctx, t.since(), func(_ context.Context, st stream.Trace) error {
		if uses := usesOf([]stream.Trace{st}); len(uses) > 0 {
			return fn(uses)
		}
		return nil
	})
}

// decodeTrace reads a trace of which the subject says the same as it does itself.
func decodeTrace(st stream.Trace) (recall.Trace, bool) {
	var tr recall.Trace
	err := json.Unmarshal(st.Data, &tr)
	return tr, err == nil && tr.Scope == memory.UserScope(st.Tenant, st.User)
}

// usesOf are the last uses of the memories in traces.
func usesOf(list []stream.Trace) []index.Access {
	var out []index.Access
	at := map[memory.ID]int{}
	for _, st := range list {
		tr, ok := decodeTrace(st)
		if !ok {
			continue
		}
		for _, h := range tr.Hits {
			i, seen := at[h.ID]
			if !seen {
				at[h.ID] = len(out)
				out = append(out, index.Access{Scope: tr.Scope, ID: h.ID, At: tr.At})
			} else if out[i].At.Before(tr.At) {
				out[i].At = tr.At
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
