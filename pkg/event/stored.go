package event

import (
	"errors"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// ErrGone means that an event is no longer in the log, or never was in that thread.
var ErrGone = errors.New("event is not in the log")

// Stored is an event as the log holds it. Ref comes from its subject, which is the
// authority on whose event it is.
type Stored struct {
	Ref memory.ThreadRef
	// Seq is its sequence in MEM_EVENTS.
	Seq uint64
	// ReceivedAt is when it arrived at mnemond.
	ReceivedAt time.Time
	// Checked says that ingest has decoded it; what trusted backends publish themselves, and
	// what is replayed, has yet to be.
	Checked bool
	// Replay is the dead letter that it was replayed from, 0 for an ordinary event.
	Replay uint64
	// TraceParent and TraceState are the W3C trace context of the sender, or empty.
	TraceParent, TraceState string
	Data                    []byte
}

// DeadLetter is what was given up on: the events as they came and why. Whoever gives up
// writes it before passing anything over.
type DeadLetter struct {
	// Stage is the step that gave up, one lower-case word.
	Stage string
	// Reason is one stable word for lists and counters. Detail is the error's text, and
	// below its first line what a model replied, where that was the fault: only there may it
	// hold what was said.
	Reason, Detail string
	Attempts       int
	At             time.Time
	Ref            memory.ThreadRef
	Events         []Stored
}

// Outgoing is an event on its way into the log.
type Outgoing struct {
	Ref        memory.ThreadRef
	ID         string
	Data       []byte
	ReceivedAt time.Time
	// TraceParent and TraceState are the W3C trace context of the sender, or empty.
	TraceParent, TraceState string
}

// Receipt says where an event was stored.
type Receipt struct {
	Seq       uint64
	Duplicate bool
}
