package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// The types below translate between what services ask for and what the stream adapter
// speaks: neither knows the other.

// eventLog serves consolidate.EventLog.
type eventLog struct{ *stream.Events }

// ReadThread translates stream.Events.ReadThread.
func (l eventLog) ReadThread(ctx context.Context, r memory.ThreadRef, after uint64, limit int) ([]event.Stored, bool, error) {
	events, more, err := l.Events.ReadThread(ctx, r, after, limit)
	out := make([]event.Stored, len(events))
	for i, e := range events {
		out[i] = stored(e)
	}
	return out, more, err
}

// Get translates stream.Events.Get.
func (l eventLog) Get(ctx context.Context, r memory.ThreadRef, seq uint64) (event.Stored, error) {
	e, err := l.Events.Get(ctx, r, seq)
	if errors.Is(err, stream.ErrNotFound) {
		return event.Stored{}, fmt.Errorf("%w: %w", event.ErrGone, err)
	}
	return stored(e), err
}

func stored(e stream.StoredEvent) event.Stored {
	// An unreadable header is one that mnemond did not write: the event is an ordinary one.
	replay, _ := strconv.ParseUint(e.Header.Get(stream.HeaderReplay), 10, 64)
	trace := stream.HeaderCarrier(e.Header)
	return event.Stored{
		Ref: e.Ref, Seq: e.Seq, ReceivedAt: e.ReceivedAt, Data: e.Data,
		Replay: replay, Checked: replay == 0 && e.Header.Get(stream.HeaderReceivedAt) != "",
		TraceParent: trace.Get("traceparent"), TraceState: trace.Get("tracestate"),
	}
}

// publisher serves ingest.Publisher.
type publisher struct{ *stream.Events }

// Publish translates stream.Events.Publish.
func (p publisher) Publish(ctx context.Context, events []event.Outgoing) ([]event.Receipt, error) {
	out := make([]stream.OutgoingEvent, len(events))
	for i, e := range events {
		out[i] = stream.OutgoingEvent{Ref: e.Ref, EventID: e.ID, Data: e.Data, ReceivedAt: e.ReceivedAt}
		if e.TraceParent != "" {
			out[i].Header = nats.Header{}
			trace := stream.HeaderCarrier(out[i].Header)
			trace.Set("traceparent", e.TraceParent)
			trace.Set("tracestate", e.TraceState)
		}
	}
	receipts, err := p.Events.Publish(ctx, out)
	if err != nil {
		return nil, err
	}
	got := make([]event.Receipt, len(receipts))
	for i, r := range receipts {
		got[i] = event.Receipt{Seq: r.Seq, Duplicate: r.Duplicate}
	}
	return got, nil
}

// ledgerLog serves decide.Ledger and decide.Batch.
type ledgerLog struct{ *stream.Log }

// Append translates stream.Log.Append.
func (l ledgerLog) Append(ctx context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error) {
	seq, err := l.Log.Append(ctx, s, expect, data)
	if errors.Is(err, stream.ErrConflict) {
		return 0, fmt.Errorf("%w: %w", ledger.ErrConflict, err)
	}
	return seq, err
}

// AppendAll translates stream.Log.AppendAll.
func (l ledgerLog) AppendAll(ctx context.Context, entries []decide.Entry) ([]uint64, error) {
	out := make([]stream.LogEntry, len(entries))
	for i, e := range entries {
		out[i] = stream.LogEntry(e)
	}
	seqs, err := l.Log.AppendAll(ctx, out)
	if errors.Is(err, stream.ErrConflict) {
		return nil, fmt.Errorf("%w: %w", ledger.ErrConflict, err)
	}
	return seqs, err
}

// replayer serves project.Replayer.
type replayer struct{ *stream.Log }

// Replay translates stream.Log.Replay.
func (r replayer) Replay(ctx context.Context, from uint64, fn func(ctx context.Context, s memory.Scope, seq uint64, data []byte, pending uint64) error) (uint64, error) {
	return r.Log.Replay(ctx, from, fn)
}

// deadLetters serves consolidate.DeadLetters. A letter takes the events from the log, with
// the headers that a replay needs.
type deadLetters struct {
	dead     *stream.Dead
	events   *stream.Events
	erasures erasures
	// place is where an erasure finds the letters.
	place *stream.Place
}

// Put copies the letter's events as the log has them. Events that were erased meanwhile are
// not kept: the letter is taken back.
func (d deadLetters) Put(ctx context.Context, l event.DeadLetter) error {
	out := stream.DeadLetter{
		Stage: l.Stage, Reason: l.Reason, Detail: l.Detail, Attempts: l.Attempts, At: l.At,
		Ref: l.Ref, Scope: l.Ref.Scope(),
	}
	for _, e := range l.Events {
		raw, err := d.events.Get(ctx, l.Ref, e.Seq)
		if errors.Is(err, stream.ErrNotFound) {
			raw = stream.StoredEvent{
				Ref: e.Ref, Subject: stream.EventSubject(e.Ref), Seq: e.Seq, ReceivedAt: e.ReceivedAt, Data: e.Data,
			}
		} else if err != nil {
			return err
		}
		out.Events = append(out.Events, stream.NewDeadEvent(raw))
	}
	if err := d.dead.Put(ctx, out); err != nil {
		return err
	}
	fence, err := d.erasures.Fence(ctx, out.Scope)
	if err != nil {
		return fmt.Errorf("look for an erasure: %w", err)
	}
	if !slices.ContainsFunc(l.Events, func(e event.Stored) bool { return e.Seq <= fence }) {
		return nil
	}
	_, err = d.place.Erase(ctx, out.Scope, stream.Horizon{Events: fence})
	return err
}

// reject parks an event whose subject names no thread: nobody could consolidate it.
func (s *Stack) reject(ctx context.Context, e stream.StoredEvent, reason string) error {
	return s.Dead.Put(ctx, stream.DeadLetter{
		Stage: "timers", Reason: "invalid_subject", Detail: reason, At: s.options.Now(),
		Ref: e.Ref, Events: []stream.DeadEvent{stream.NewDeadEvent(e)},
	})
}

// measure tells the scheduler of an event's size. One that cannot be read counts as a
// turn: its thread is consolidated, and consolidation parks it.
func measure(data []byte) (turns, tokens int, closes bool, err error) {
	e, err := event.Decode(data)
	if err != nil {
		return 1, 0, false, nil
	}
	turn, err := e.Turn()
	if err != nil {
		return 1, 0, false, nil
	}
	for _, m := range turn.Messages {
		tokens += event.Tokens(m.Content)
	}
	return max(len(turn.Messages), 1), tokens, e.Type == event.TypeThreadClosed, nil
}

// handler lets a worker consolidate.
type handler struct{ s *consolidate.Service }

// Handle consolidates the job's thread.
func (h handler) Handle(ctx context.Context, j stream.Job) error { return h.s.Thread(ctx, j.Ref) }

// Park gives up on the job's thread.
func (h handler) Park(ctx context.Context, j stream.Job, reason string, cause error) error {
	detail := ""
	if cause != nil {
		detail = cause.Error()
	}
	var reply *llm.ReplyError
	if errors.As(cause, &reply) {
		reason = string(reply.Reason)
		detail += "\n" + reply.Reply
	}
	return h.s.Park(ctx, j.Ref, j.Attempt, reason, detail)
}
