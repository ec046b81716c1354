package app

import (
	"errors"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// TestErrorsOfTheLogsAreTheServices: services know their own sentinels only.
func TestErrorsOfTheLogsAreTheServices(t *testing.T) {
	s := newStack(t, Options{})
	background(t, s.Events.Run)
	seq := publish(t, s, "e1", "I live in Oslo.")
	log := eventLog{s.Events}
	if e, err := log.Get(t.Context(), robin, seq); err != nil || e.Ref != robin || e.Seq != seq || e.Replay != 0 || e.ReceivedAt.IsZero() {
		t.Errorf("Get = %+v, %v", e, err)
	}
	other := robin
	other.User = "mallory"
	for name, f := range map[string]func() error{
		"an event that never was": func() error { _, err := log.Get(t.Context(), robin, seq+1); return err },
		"another user's event":    func() error { _, err := log.Get(t.Context(), other, seq); return err },
	} {
		if err := f(); !errors.Is(err, event.ErrGone) {
			t.Errorf("Get of %s = %v, want ErrGone", name, err)
		}
	}
	decisions := ledgerLog{s.Log}
	if _, err := decisions.Append(t.Context(), robin.Scope(), 0, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := decisions.Append(t.Context(), robin.Scope(), 0, []byte("{ }")); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("Append = %v, want ErrConflict", err)
	}
}

func TestReadThreadTranslatesEveryEvent(t *testing.T) {
	s := newStack(t, Options{})
	background(t, s.Events.Run)
	for _, id := range []string{"e1", "e2", "e3"} {
		publish(t, s, id, id)
	}
	got, more, err := eventLog{s.Events}.ReadThread(t.Context(), robin, 0, 2)
	if err != nil || !more || len(got) != 2 {
		t.Fatalf("ReadThread = %d events, more %v, %v, want two and more", len(got), more, err)
	}
	for i, e := range got {
		if d, err := event.Decode(e.Data); err != nil || d.ID != []string{"e1", "e2"}[i] || e.Ref != robin {
			t.Errorf("event %d is %+v, %v", i, e, err)
		}
	}
}

// TestTheSendersTraceComesThrough: from the edge to the one who consolidates.
func TestTheSendersTraceComesThrough(t *testing.T) {
	s := newStack(t, Options{})
	background(t, s.Events.Run)
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for _, c := range []struct{ id, parent, state string }{{"with", parent, "a=b"}, {"parent only", parent, ""}, {"without", "", ""}} {
		received := time.Date(2026, 3, 2, 9, 0, 0, 123456789, time.UTC)
		receipts, err := publisher{s.Events}.Publish(t.Context(), []event.Outgoing{{
			Ref: robin, ID: c.id, Data: []byte("{}"), ReceivedAt: received, TraceParent: c.parent, TraceState: c.state,
		}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := eventLog{s.Events}.Get(t.Context(), robin, receipts[0].Seq)
		if err != nil || e.TraceParent != c.parent || e.TraceState != c.state || !e.ReceivedAt.Equal(received) {
			t.Errorf("%s: stored as %+v, %v", c.id, e, err)
		}
	}
}

// TestWhatWasParkedIsReplayedOnce: through the logs, with the time at which it came.
func TestWhatWasParkedIsReplayedOnce(t *testing.T) {
	s := newStack(t, Options{})
	background(t, s.Events.Run)
	seq := publish(t, s, "e1", "I live in Oslo.")
	for range 2 {
		if err := s.Consolidate.Park(t.Context(), robin, 5, "attempts", "it never worked"); err != nil {
			t.Fatal(err)
		}
	}
	letters, err := s.DeadLetters(t.Context(), robin.Tenant)
	if err != nil || len(letters) != 1 {
		t.Fatalf("%d letters, %v, want one", len(letters), err)
	}
	l := letters[0]
	if l.Stage != "consolidate" || l.Reason != "attempts" || l.Attempts != 5 || l.Scope != robin.Scope() || l.Ref != robin ||
		len(l.Events) != 1 || l.Events[0].Seq != seq || l.Events[0].Subject != stream.EventSubject(robin) {
		t.Errorf("letter %+v", l)
	}
	if other, err := s.DeadLetters(t.Context(), "other"); err != nil || len(other) != 0 {
		t.Errorf("another tenant has %d letters, %v", len(other), err)
	}
	for range 2 { // the second has nothing left to replay
		if err := s.ReplayDeadLetters(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.Consolidate.Thread(t.Context(), robin); err != nil {
				t.Fatal(err)
			}
		}
	}
	records, err := s.Recall.Records(t.Context(), robin.Scope())
	if err != nil || len(records) != 2 {
		t.Fatalf("%d change sets, %v, want one that passes and one that remembers", len(records), err)
	}
	want := ledger.Counts{Messages: 2, Parked: 1, Remembered: 1}
	if got := records[0].Checkpoint.Counts.Add(records[1].Checkpoint.Counts); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	all, err := s.Recall.Memories(t.Context(), robin.Scope())
	if err != nil || len(all) != 1 || all[0].Value != "Oslo" || !all[0].SaidAt.Equal(l.Events[0].ReceivedAt) {
		t.Errorf("memories %+v, %v, want Oslo, said when it first came", all, err)
	}
}

// TestManyDeadLettersAreAllListed: more than one page of them.
func TestManyDeadLettersAreAllListed(t *testing.T) {
	s := newStack(t, Options{})
	const n = 130
	for i := range n {
		err := s.reject(t.Context(), stream.StoredEvent{Subject: "mem.events.x", Seq: uint64(i + 1), Data: []byte("x")}, "no thread")
		if err != nil {
			t.Fatal(err)
		}
	}
	letters, err := s.DeadLetters(t.Context(), "")
	if err != nil || len(letters) != n {
		t.Fatalf("%d letters, %v, want %d", len(letters), err, n)
	}
	if l := letters[0]; l.Stage != "timers" || l.Reason != "invalid_subject" || l.Ref != (memory.ThreadRef{}) {
		t.Errorf("letter %+v", l)
	}
	if err := s.ReplayDeadLetters(t.Context()); err == nil {
		t.Error("a letter whose thread is unknown was replayed")
	}
}
