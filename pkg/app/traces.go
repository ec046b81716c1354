package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/stream"
)

// traces serves recall.Traces, recall.TraceLog, consolidate.Recalls, project.Traces and
// reap.Traces.
type traces struct {
	*stream.Recalls
	// since is how far back traces are worth reading.
	since func() time.Time
}

// Record translates stream.Recalls.Publish. Candidates are cut as far as need be.
func (t traces) Record(tr recall.Trace) {
	raw, err := tr.Encode(stream.MaxTraceBytes)
	if err != nil {
		return // a trace is texts and numbers: it always encodes
	}
	t.Publish(context.Background(), record(tr.Scope, raw))
}

func record(s memory.Scope, raw []byte) stream.Trace {
	return stream.Trace{Tenant: s.Tenant, User: memory.User(s.Owner.ID), Data: raw}
}

// decodeTrace reads a trace of which the subject says the same as it does itself.
func decodeTrace(st stream.Trace) (recall.Trace, bool) {
	var tr recall.Trace
	err := json.Unmarshal(st.Data, &tr)
	return tr, err == nil && tr.ID != "" && tr.Scope == memory.UserScope(st.Tenant, st.User)
}

// decodeTold reads what was told about a recall.
func decodeTold(st stream.Trace) (recall.Told, bool) {
	var told recall.Told
	err := json.Unmarshal(st.Data, &told)
	return told, err == nil && told.Recall != "" && told.Scope == memory.UserScope(st.Tenant, st.User)
}

// skew is how far the clocks of who recalls and of the server may be apart for a trace to be
// found at once.
const skew = 5 * time.Minute

// Find finds a recall among the traces of its user, with what was told about it. The id says
// from when on to look; where that is wrong, all of them are looked at.
func (t traces) Find(ctx context.Context, s memory.Scope, id string) (recall.Kept, error) {
	if s.Owner.Kind != memory.OwnerUser {
		return recall.Kept{}, recall.ErrNoTrace
	}
	if since := recall.Since(id); !since.IsZero() {
		if k, err := t.findSince(ctx, s, id, since.Add(-skew)); !errors.Is(err, recall.ErrNoTrace) {
			return k, err
		}
	}
	return t.findSince(ctx, s, id, time.Time{})
}

func (t traces) findSince(ctx context.Context, s memory.Scope, id string, from time.Time) (recall.Kept, error) {
	l := latest{limit: 1, wanted: func(tr *recall.Trace) bool { return tr.ID == id }}
	if err := t.Of(ctx, s.Tenant, memory.User(s.Owner.ID), from, l.take); err != nil {
		return recall.Kept{}, err
	}
	if len(l.kept) == 0 {
		return recall.Kept{}, recall.ErrNoTrace
	}
	return l.kept[0], nil
}

// latest gathers the last traces that are wanted, with what was told about them, which comes
// behind them.
type latest struct {
	limit  int
	wanted func(*recall.Trace) bool
	kept   []recall.Kept
}

func (l *latest) take(_ context.Context, st stream.Trace) error {
	if tr, ok := decodeTrace(st); ok {
		if !l.wanted(&tr) {
			return nil
		}
		if l.kept = append(l.kept, recall.Kept{Trace: tr}); len(l.kept) > l.limit {
			l.kept = slices.Delete(l.kept, 0, 1)
		}
		return nil
	}
	told, ok := decodeTold(st)
	if !ok {
		return nil
	}
	for i := range l.kept {
		k := &l.kept[i]
		twice := slices.ContainsFunc(k.Told, func(before recall.Told) bool { return before.Event == told.Event })
		if k.ID == told.Recall && !twice {
			k.Told = append(k.Told, told)
		}
	}
	return nil
}

// windows are how far back the last traces are looked for, one after the other; 0 is for all.
var windows = []time.Duration{time.Hour, 24 * time.Hour, 0}

// Latest finds the last traces of a user.
func (t traces) Latest(ctx context.Context, s memory.Scope, thread memory.Thread, limit int) ([]recall.Kept, error) {
	if s.Owner.Kind != memory.OwnerUser {
		return nil, nil
	}
	user := memory.User(s.Owner.ID)
	last, err := t.Last(ctx, s.Tenant, user)
	if err != nil || last.IsZero() {
		return nil, err
	}
	for _, w := range windows {
		from := time.Time{}
		if w > 0 {
			from = last.Add(-w)
		}
		l := latest{limit: limit, wanted: func(tr *recall.Trace) bool { return thread == "" || tr.Thread == thread }}
		if err := t.Of(ctx, s.Tenant, user, from, l.take); err != nil {
			return nil, err
		}
		if len(l.kept) == limit || w == 0 {
			slices.Reverse(l.kept)
			return l.kept, nil
		}
	}
	return nil, nil
}

// HandedOut finds the recall among the traces of its user.
func (t traces) HandedOut(ctx context.Context, s memory.Scope, id string) ([]memory.ID, error) {
	k, err := t.Find(ctx, s, id)
	if errors.Is(err, recall.ErrNoTrace) {
		return nil, nil
	}
	return own(&k.Trace), err
}

// own are the user's own memories of a trace: a user has no say in what others own.
func own(tr *recall.Trace) []memory.ID {
	var out []memory.ID
	for _, h := range tr.Hits {
		if h.Owner == (memory.Owner{}) {
			out = append(out, h.ID)
		}
	}
	return out
}

// maxAnswer bounds the bytes of an answer that are kept, so that it fits into a trace.
const maxAnswer = stream.MaxTraceBytes * 3 / 4

// Attach keeps what an event says about a recall beside its trace, once. Of a recall that the
// user did not have, nothing is kept.
func (t traces) Attach(ctx context.Context, s memory.Scope, told consolidate.Told) error {
	k, err := t.Find(ctx, s, told.Recall)
	if errors.Is(err, recall.ErrNoTrace) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find recall: %w", err)
	}
	if slices.ContainsFunc(k.Told, func(before recall.Told) bool { return before.Event == told.Event }) {
		return nil
	}
	out := recall.Told{
		Recall: k.ID, RecalledAt: k.At, Scope: s, Event: told.Event, At: told.At.UTC(), Rating: told.Rating, Memory: told.Memory,
	}
	for limit := maxAnswer; ; limit /= 2 { // a control character takes six bytes
		out.Answer, out.Cut = shortened(told.Answer, limit)
		raw, err := out.Encode()
		if err != nil {
			return fmt.Errorf("encode what was told: %w", err)
		}
		if len(raw) <= stream.MaxTraceBytes {
			return t.Put(ctx, record(s, raw))
		}
	}
}

// shortened is the beginning of a text in at most limit bytes, and whether that is not all.
func shortened(text string, limit int) (string, bool) {
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) <= limit {
		return text, false
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit], true
}

// Forget deletes what a user's recalls up to a time have left, and what was told about them:
// they may hold words of what was forgotten by then.
func (t traces) Forget(ctx context.Context, s memory.Scope, until time.Time) error {
	if s.Owner.Kind != memory.OwnerUser {
		return nil
	}
	var seqs []uint64
	err := t.Of(ctx, s.Tenant, memory.User(s.Owner.ID), time.Time{}, func(_ context.Context, st stream.Trace) error {
		at := time.Time{}
		if tr, ok := decodeTrace(st); ok {
			at = tr.At
		} else if told, ok := decodeTold(st); ok {
			at = told.RecalledAt
		}
		if !at.After(until) {
			seqs = append(seqs, st.Seq)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read recalls: %w", err)
	}
	return t.Delete(ctx, seqs...)
}
