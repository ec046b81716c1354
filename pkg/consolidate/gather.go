package consolidate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// Bounds of one decision, so that its change set stays far below ledger.MaxBytes. One
// event is always taken, however large.
const (
	maxEvents   = 64
	maxMessages = 100
	maxBytes    = 256 << 10
	// maxCandidates bounds the memories of one decision; what is beyond it is rejected.
	maxCandidates = 100
)

// gathered is a bounded piece of a thread, ready to extract from.
type gathered struct {
	after  uint64         // the checkpoint it starts after
	last   uint64         // the change set that has consumed the thread up to now, 0 for none
	upTo   uint64         // the last event in it
	fresh  []event.Stored // the events not consumed before
	hashes []ledger.EventHash
	// messages are those of the context and then the new ones, numbered from 1.
	messages []memory.Message
	fromNew  int // index of the first new message
	sources  map[int]source
	// asked is the question that the backend says a message puts or answers.
	asked map[int]memory.ID
	// feedback is what was asked of the memory itself by a rating.
	feedback []reconcile.Request
	// told is what was said about recalls.
	told []Told
	// fence is the sequence up to which the owner's events are erased.
	fence   uint64
	invalid int // events that could not be read, and were parked
	more    bool
	parked  bool
}

// source is where a numbered message stands in the log.
type source struct {
	event event.Event
	seq   uint64
	index int
}

func (g *gathered) empty() bool { return g.upTo == g.after }

// gather reads the thread from its checkpoint, drops what was consumed before, parks what
// cannot be read, and hands the rest to the guard.
func (s *Service) gather(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState) (*gathered, error) {
	g := &gathered{after: state.Seq, upTo: state.Seq, last: state.Checkpoint, sources: map[int]source{}, asked: map[int]memory.ID{}}
	var err error
	if g.fence, err = s.fence(ctx, r.Scope(), state); err != nil {
		return nil, err
	}
	stored, more, err := s.Events.ReadThread(ctx, r, max(state.Seq, g.fence), maxEvents)
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	g.more = more
	if len(stored) == 0 {
		return g, nil
	}
	if err := s.before(ctx, r, state, g); err != nil {
		return nil, err
	}
	g.fromNew = len(g.messages)
	size := 0
	seen := map[ledger.EventHash]bool{}
	for _, st := range stored {
		e, err := decode(st)
		size += len(st.Data)
		if len(g.fresh) > 0 && (size > maxBytes || len(g.messages)-g.fromNew >= maxMessages) {
			g.more = true
			break
		}
		g.upTo = st.Seq
		if err != nil {
			if err := s.parkInvalid(ctx, st, err); err != nil {
				return nil, err
			}
			g.invalid++
			continue
		}
		h := ledger.HashEvent(e.ID, st.Replay)
		if state.Has(h) || seen[h] {
			continue
		}
		seen[h] = true
		g.hashes = append(g.hashes, h)
		g.fresh = append(g.fresh, st)
		if err := g.add(e, st, false); err != nil {
			return nil, err
		}
		if err := s.rate(ctx, g, &e, st); err != nil {
			return nil, err
		}
		if err := g.hear(&e, st); err != nil {
			return nil, err
		}
	}
	g.messages = guard.Sanitise(g.messages)
	return g, nil
}

// before adds the last few events before the checkpoint as context.
func (s *Service) before(ctx context.Context, r memory.ThreadRef, state *ledger.ThreadState, g *gathered) error {
	for _, seq := range state.Recent {
		st, err := s.Events.Get(ctx, r, seq)
		if errors.Is(err, event.ErrGone) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read context: %w", err)
		}
		e, err := decode(st)
		if err != nil {
			continue
		}
		if err := g.add(e, st, true); err != nil {
			return err
		}
	}
	return nil
}

// add appends the event's messages, cleared of secrets.
func (g *gathered) add(e event.Event, st event.Stored, isContext bool) error {
	turn, err := said(&e)
	if err != nil {
		return err
	}
	for i, m := range turn.Messages {
		at, err := saidAt(&e, m, st.ReceivedAt)
		if err != nil {
			return err
		}
		content, _ := guard.Redact(m.Content)
		n := len(g.messages) + 1
		g.messages = append(g.messages, memory.Message{
			Number: n, Event: e.ID, Seq: st.Seq, Index: i, Role: m.Role, Name: m.Name,
			At: at, Content: content, Context: isContext,
		})
		g.sources[n] = source{event: e, seq: st.Seq, index: i}
		if turn.QuestionID != "" {
			g.asked[n] = turn.QuestionID
		}
	}
	return nil
}

// said is what an event says in words: its turn, or the comment of a rating, which is the
// user's own.
func said(e *event.Event) (event.Turn, error) {
	f, err := e.Feedback()
	if err != nil || f.Comment == "" {
		turn, terr := e.Turn()
		return turn, errors.Join(err, terr)
	}
	return event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: f.Comment}}}, nil
}

// rate takes a thumbs-down for a request not to bring up what it is about: a memory, or
// what a recall has handed out.
func (s *Service) rate(ctx context.Context, g *gathered, e *event.Event, st event.Stored) error {
	f, err := e.Feedback()
	if err != nil {
		return err
	}
	if f.Rating != event.RatingDown {
		return nil
	}
	var topic memory.Topic
	switch {
	case f.MemoryID.Valid():
		topic.IDs = []memory.ID{f.MemoryID}
	case f.MemoryID == "" && f.RecallID != "":
		if topic.IDs, err = s.Recalls.HandedOut(ctx, st.Ref.Scope(), f.RecallID); err != nil {
			return fmt.Errorf("read recall: %w", err)
		}
	}
	if len(topic.IDs) == 0 {
		return nil
	}
	at, err := saidAt(e, event.Message{}, st.ReceivedAt)
	if err != nil {
		return err
	}
	words, _ := guard.Redact(f.Comment)
	if words == "" {
		words = string(f.Rating)
	}
	g.feedback = append(g.feedback, reconcile.Request{Action: memory.ActionSuppress, Topic: topic, Evidence: memory.Evidence{
		Event: e.ID, Seq: st.Seq, Thread: e.Thread, Role: memory.RoleUser, At: at, Quote: words,
	}})
	return nil
}

// fence is the sequence up to which the owner's events are erased. It is not asked for where
// the thread stands beyond it, having been consumed since.
func (s *Service) fence(ctx context.Context, scope memory.Scope, state *ledger.ThreadState) (uint64, error) {
	if state.Seq > 0 {
		return 0, nil
	}
	head, err := s.Erasures.Fence(ctx, scope)
	if err != nil {
		return 0, fmt.Errorf("look for an erasure: %w", err)
	}
	return head, nil
}

// saidAt is when a message was said, in the speaker's zone: that of the event's timezone,
// else the offset of the time itself.
func saidAt(e *event.Event, m event.Message, arrival time.Time) (time.Time, error) {
	at := m.At
	if at.IsZero() {
		at = e.Time
	}
	at = event.Clamp(at, arrival)
	if e.TimeZone == "" {
		return at, nil
	}
	loc, err := event.Zone(e.TimeZone)
	if err != nil {
		return at, fmt.Errorf("time zone of event: %w", err)
	}
	return at.In(loc), nil
}

var errSubject = errors.New("the event names another thread than its subject")

// decode reads a stored event; its subject decides whose it is.
func decode(st event.Stored) (event.Event, error) {
	read := event.Decode
	if st.Checked {
		read = event.Read
	}
	e, err := read(st.Data)
	if err != nil {
		return e, err
	}
	if e.Ref() != st.Ref {
		return e, errSubject
	}
	return e, nil
}

// parkInvalid keeps an event that cannot be read, which only a backend that publishes
// without the HTTP edge can send.
func (s *Service) parkInvalid(ctx context.Context, st event.Stored, cause error) error {
	reason, detail := "invalid_event", cause.Error()
	if errors.Is(cause, errSubject) {
		reason = "subject_mismatch"
	}
	err := s.Dead.Put(ctx, event.DeadLetter{
		Stage: "gather", Reason: reason, Detail: detail, At: s.Now(), Ref: st.Ref,
		Events: []event.Stored{st},
	})
	if err != nil {
		return fmt.Errorf("park event %d: %w", st.Seq, err)
	}
	return nil
}
