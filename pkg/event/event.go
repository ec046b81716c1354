// Package event holds the wire form of what agent backends send: CloudEvents 1.0 in JSON
// with mnemond's types and extension attributes. It decodes strictly and validates against
// the JSON Schemas in schemas/; it knows nothing of streams, subjects or storage.
package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Type is the CloudEvents type of an event.
type Type string

// The types.
const (
	TypeTurn         Type = "mnemond.turn.v1"
	TypeThreadClosed Type = "mnemond.thread.closed.v1"
	TypeFeedback     Type = "mnemond.feedback.v1"
	TypeTask         Type = "mnemond.task.v1"
	TypeAnswer       Type = "mnemond.answer.v1"
)

// MaxBytes bounds the JSON of one event. In the log's messages of at most 512 KiB it leaves
// room for the subject and the headers.
const MaxBytes = 500 << 10

// MaxAhead is how far a time may lie ahead of the arrival before it is clamped to it.
const MaxAhead = 5 * time.Minute

// Event is one CloudEvents 1.0 event. Time keeps the offset it was sent with.
type Event struct {
	SpecVersion     string          `json:"specversion"`
	ID              string          `json:"id"`
	Source          string          `json:"source"`
	Type            Type            `json:"type"`
	Time            time.Time       `json:"time,omitzero"`
	DataContentType string          `json:"datacontenttype,omitempty"`
	DataSchema      string          `json:"dataschema,omitempty"`
	Subject         string          `json:"subject,omitempty"`
	Tenant          memory.Tenant   `json:"tenant,omitempty"`
	User            memory.User     `json:"user"`
	Thread          memory.Thread   `json:"thread"`
	Agent           memory.Agent    `json:"agent,omitempty"`
	TimeZone        string          `json:"timezone,omitempty"`
	TraceParent     string          `json:"traceparent,omitempty"`
	TraceState      string          `json:"tracestate,omitempty"`
	Data            json.RawMessage `json:"data,omitempty"`
}

// Turn is the data of TypeTurn.
type Turn struct {
	Messages []Message `json:"messages"`
	// QuestionID is the open question that the user's words answer, where the backend has
	// put one.
	QuestionID memory.ID `json:"question_id,omitempty"`
}

// Rating is what the user thought of a recalled memory, or of an answer.
type Rating string

// The ratings.
const (
	RatingUp   Rating = "up"
	RatingDown Rating = "down"
)

// Feedback is the data of TypeFeedback. It is about a memory, about what a recall handed
// out, or about nothing but its comment, which counts as said by the user.
type Feedback struct {
	Rating   Rating    `json:"rating"`
	RecallID string    `json:"recall_id,omitempty"`
	MemoryID memory.ID `json:"memory_id,omitempty"`
	Comment  string    `json:"comment,omitempty"`
}

// Answer is the data of TypeAnswer: what the model finally said after a recall.
type Answer struct {
	RecallID string `json:"recall_id"`
	Content  string `json:"content"`
}

// Message is one message of a turn.
type Message struct {
	Role    memory.Role `json:"role"`
	Content string      `json:"content"`
	Name    string      `json:"name,omitempty"`
	// At is when it was said; zero means the event's time.
	At time.Time `json:"at,omitzero"`
}

// Ref is the thread that the event belongs to; an event without a tenant belongs to
// memory.DefaultTenant.
func (e *Event) Ref() memory.ThreadRef {
	t := e.Tenant
	if t == "" {
		t = memory.DefaultTenant
	}
	return memory.ThreadRef{Tenant: t, User: e.User, Thread: e.Thread}
}

// Turn decodes the data of a TypeTurn event; for any other type it returns the zero Turn.
func (e *Event) Turn() (Turn, error) {
	var t Turn
	if e.Type != TypeTurn {
		return t, nil
	}
	if err := json.Unmarshal(e.Data, &t); err != nil {
		return t, &Error{Field: "data", Reason: err.Error()}
	}
	return t, nil
}

// Feedback decodes the data of a TypeFeedback event; for any other type it returns the
// zero Feedback.
func (e *Event) Feedback() (Feedback, error) {
	var f Feedback
	if e.Type != TypeFeedback {
		return f, nil
	}
	if err := json.Unmarshal(e.Data, &f); err != nil {
		return f, &Error{Field: "data", Reason: err.Error()}
	}
	return f, nil
}

// Answer decodes the data of a TypeAnswer event; for any other type it returns the zero
// Answer.
func (e *Event) Answer() (Answer, error) {
	var a Answer
	if e.Type != TypeAnswer {
		return a, nil
	}
	if err := json.Unmarshal(e.Data, &a); err != nil {
		return a, &Error{Field: "data", Reason: err.Error()}
	}
	return a, nil
}

// SetTurn replaces the data of a TypeTurn event.
func (e *Event) SetTurn(t Turn) error {
	raw, err := marshal(t)
	if err != nil {
		return fmt.Errorf("encode turn of event %q: %w", e.ID, err)
	}
	e.Data = raw
	return nil
}

// Stamp fills what the sender left out, given the arrival time: tenant and time. A time more
// than MaxAhead ahead of the arrival is clamped to it.
func (e *Event) Stamp(arrival time.Time) {
	if e.Tenant == "" {
		e.Tenant = memory.DefaultTenant
	}
	e.Time = Clamp(e.Time, arrival)
}

// Clamp clamps the messages' own times like Stamp does the event's, and reports whether it
// changed one.
func (t *Turn) Clamp(arrival time.Time) bool {
	changed := false
	for i := range t.Messages {
		at := &t.Messages[i].At
		if at.IsZero() {
			continue
		}
		if c := Clamp(*at, arrival); !c.Equal(*at) {
			*at, changed = c, true
		}
	}
	return changed
}

// Clamp returns at, or arrival where at is zero or lies more than MaxAhead after it.
// The zone of at is kept.
func Clamp(at, arrival time.Time) time.Time {
	switch {
	case at.IsZero():
		return arrival
	case at.After(arrival.Add(MaxAhead)):
		return arrival.In(at.Location())
	default:
		return at
	}
}

// Encode is the JSON form of the event, without HTML escaping.
func (e *Event) Encode() ([]byte, error) {
	raw, err := marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode event %q: %w", e.ID, err)
	}
	return raw, nil
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Tokens estimates how many tokens a model makes of text: a Han character, kana or hangul
// syllable is about one, four bytes of anything else are about one.
func Tokens(text string) int {
	wide, other := 0, 0
	for _, r := range text {
		if r >= 0x2E80 {
			wide++
		} else {
			other++
		}
	}
	return wide + (other+3)/4
}
