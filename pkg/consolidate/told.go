package consolidate

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Told is what an event says about a recall: what the model finally answered, or what the
// user thought of it. It is never a source of anything.
type Told struct {
	// Recall is the id that the event names, Event the event's own.
	Recall, Event string
	At            time.Time
	// Answer is what the model said, without secrets.
	Answer string
	// Rating is set for feedback; Memory when that is about one memory.
	Rating event.Rating
	Memory memory.ID
}

// hear notes what an event says about a recall.
func (g *gathered) hear(e *event.Event, st event.Stored) error {
	answer, err := e.Answer()
	if err != nil {
		return err
	}
	f, err := e.Feedback()
	if err != nil {
		return err
	}
	t := Told{Recall: answer.RecallID + f.RecallID, Event: e.ID, Rating: f.Rating}
	if t.Recall == "" {
		return nil
	}
	if f.MemoryID.Valid() {
		t.Memory = f.MemoryID
	}
	t.Answer, _ = guard.Redact(answer.Content)
	if t.At, err = saidAt(e, event.Message{}, st.ReceivedAt); err != nil {
		return err
	}
	g.told = append(g.told, t)
	return nil
}

// attachTimeout bounds how long consolidation waits for what was told to be kept.
const attachTimeout = 5 * time.Second

// attach keeps what was told about recalls beside their traces. It comes before the
// decision, so that a crash repeats it, which has no effect; and what cannot be kept is
// logged and let go, since nothing depends on it.
func (s *Service) attach(ctx context.Context, scope memory.Scope, told []Told) error {
	if len(told) == 0 {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, attachTimeout)
	defer cancel()
	for _, t := range told {
		if err := s.Recalls.Attach(bounded, scope, t); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("keep what was told: %w", err)
			}
			s.Logger.WarnContext(ctx, "what was told about a recall was not kept", "event", t.Event, "error", err)
		}
	}
	return nil
}
