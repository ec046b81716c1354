// Package ledger holds the change set: the record of one decision about one owner's
// memory. Change sets are the truth, the audit trail and the history of every fact; a
// collection is only their projection. The package encodes, decodes and folds change
// sets; it never reads or writes a stream.
package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Version is the version of the wire form.
const Version = 1

// MaxBytes bounds an encoded change set. What decides keeps its decisions small enough.
const MaxBytes = 512 << 10

// Author is who decided.
type Author string

// The authors.
const (
	AuthorExtractor Author = "extractor"
	AuthorReaper    Author = "reaper"
	// AuthorUser is the owner, through an API.
	AuthorUser Author = "user"
	// AuthorApplication is who puts and removes documents.
	AuthorApplication Author = "application"
	AuthorOperator    Author = "operator"
)

// Op is what a change does to a memory, or to a document.
type Op string

// The operations. All but OpHistory are projected: the memory's point takes the state
// that the change holds.
const (
	// OpAdd makes a memory current that was not.
	OpAdd Op = "add"
	// OpRefresh confirms a memory: its evidence grows and ConfirmedAt moves.
	OpRefresh Op = "refresh"
	// OpRefine makes a value more specific.
	OpRefine Op = "refine"
	// OpSupersede puts a later value in the place of an earlier one.
	OpSupersede Op = "supersede"
	// OpEnd marks a memory as no longer true, without putting a value in its place.
	OpEnd Op = "end"
	// OpDispute records a rival of a current value, which stays as it is.
	OpDispute Op = "dispute"
	// OpSettle closes a dispute that a later statement decided.
	OpSettle Op = "settle"
	// OpHistory records what was said before the evidence of the current state.
	OpHistory Op = "history"
	// OpMark changes nothing but what a memory is referred to by: its question.
	OpMark Op = "mark"
	// OpRequest records a standing request, such as not to mention a topic; OpLift ends it.
	OpRequest Op = "request"
	OpLift    Op = "lift"
	// OpSuppress keeps a memory from recall, OpUnsuppress gives it back.
	OpSuppress   Op = "suppress"
	OpUnsuppress Op = "unsuppress"
	// OpExpire moves what is over to the archive, OpArchive what has not been used for
	// long; OpReturn brings back what is used again.
	OpExpire  Op = "expire"
	OpArchive Op = "archive"
	OpReturn  Op = "return"
	// OpDelete leaves a tombstone, OpRestore undoes it.
	OpDelete  Op = "delete"
	OpRestore Op = "restore"
	// OpRedact takes words of a deleted memory out of another one's text and evidence.
	OpRedact Op = "redact"
	// OpPurge notes that a deleted memory's text has left the ledger.
	OpPurge Op = "purge"
	// OpDrop takes the last trace of a memory, or of a document, out of the collections.
	OpDrop Op = "drop"
	// OpPut stores a document, OpRemove leaves nothing of it but its identity.
	OpPut    Op = "put"
	OpRemove Op = "remove"
)

// Moves reports whether the change takes the memory from one collection to the other, or
// may find it in either.
func (c *Change) Moves() bool {
	switch c.Op {
	case OpExpire, OpArchive, OpReturn, OpDelete, OpRestore, OpDrop:
		return true
	}
	return c.Moved
}

// ChangeSet is one decision. Scope repeats the subject; where they disagree, the subject
// is right and the change set is refused.
type ChangeSet struct {
	V      int          `json:"v"`
	At     time.Time    `json:"at"`
	Author Author       `json:"author"`
	Scope  memory.Scope `json:"scope"`
	// Checkpoint says how far a thread has been consumed by this decision.
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
	Changes    []Change    `json:"changes,omitempty"`
	// Rejections are the candidates that were refused, by reason, without their text.
	Rejections []Rejection `json:"rejections,omitempty"`
	// QuestionOpened and QuestionClosed are the questions that the decision puts, adds a
	// rival or evidence to, or closes, each as it is then.
	QuestionOpened []memory.Question `json:"question_opened,omitempty"`
	QuestionClosed []memory.Question `json:"question_closed,omitempty"`
	// Accessed is when memories were last handed out; it holds one entry a memory.
	Accessed []Access `json:"accessed,omitempty"`
	// InPlaceOf is the sequence of a change set that this one takes the place of, since
	// text was purged from it. It counts as if it stood there still.
	InPlaceOf uint64 `json:"in_place_of,omitempty"`
	// Erased says that everything of the owner before this change set is being erased.
	Erased *Erased `json:"erased,omitempty"`
}

// Access is a use of a memory.
type Access struct {
	ID memory.ID `json:"id"`
	At time.Time `json:"at"`
}

// Erased fences an erasure: events up to EventHead, a sequence in MEM_EVENTS, are ignored
// by whoever still holds them.
type Erased struct {
	EventHead uint64 `json:"event_head"`
}

// Effective is the sequence under which a change set that stands at seq counts.
func (c *ChangeSet) Effective(seq uint64) uint64 {
	if c.InPlaceOf != 0 {
		return c.InPlaceOf
	}
	return seq
}

// Change is the new state of one memory, or of one document, and why.
type Change struct {
	Op Op `json:"op"`
	// Memory is zero in a change of a document.
	Memory memory.Memory `json:"memory,omitzero"`
	// Document is set with OpPut and OpRemove, and with the OpDrop of a document.
	Document *document.Document `json:"document,omitempty"`
	// Previous is the state that OpSupersede, OpRefine and OpEnd leave behind.
	Previous *memory.Memory `json:"previous,omitempty"`
	// Moved says that the memory was in the archive before and is not any more.
	Moved bool `json:"moved,omitempty"`
	// Reason says why in one stable word: see the Reason constants of pkg/reconcile, of
	// pkg/reap, and of pkg/shelve for documents.
	Reason string `json:"reason"`
}

// ID is that of the memory, or of the document.
func (c *Change) ID() memory.ID {
	if c.Document != nil {
		return c.Document.ID
	}
	return c.Memory.ID
}

// OfMemories yields the changes of memories, each with its place among all.
func (c *ChangeSet) OfMemories() iter.Seq2[int, *Change] {
	return func(yield func(int, *Change) bool) {
		for i := range c.Changes {
			if c.Changes[i].Document == nil && !yield(i, &c.Changes[i]) {
				return
			}
		}
	}
}

// Rejection counts the candidates that were refused for one reason.
type Rejection struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// Checkpoint is a thread's progress after the decision.
type Checkpoint struct {
	Thread memory.Thread `json:"thread"`
	// Seq is the sequence in MEM_EVENTS of the last event consumed.
	Seq uint64 `json:"seq"`
	// Events are the hashed ids of the events consumed (see HashEvent).
	Events []EventHash `json:"events"`
	// Recent are the sequences of the last few events, the context of what comes next.
	Recent []uint64 `json:"recent,omitempty"`
	// Parked says that the events were given up on, and lie in the dead letters.
	Parked bool `json:"parked,omitempty"`
	// Counts accounts for every message that was passed.
	Counts Counts `json:"counts"`
}

// Counts accounts for messages: Messages is the sum of the rest. A message that gave
// several candidates counts once, under the first of these that applies.
type Counts struct {
	Messages   int `json:"messages"`
	Remembered int `json:"remembered"`
	Refreshed  int `json:"refreshed"`
	Rejected   int `json:"rejected"`
	Nothing    int `json:"nothing"`
	Parked     int `json:"parked"`
}

// Add returns the sum.
func (c Counts) Add(o Counts) Counts {
	return Counts{
		Messages: c.Messages + o.Messages, Remembered: c.Remembered + o.Remembered,
		Refreshed: c.Refreshed + o.Refreshed, Rejected: c.Rejected + o.Rejected,
		Nothing: c.Nothing + o.Nothing, Parked: c.Parked + o.Parked,
	}
}

// Balanced reports whether every message is accounted for.
func (c Counts) Balanced() bool {
	return c.Messages == c.Remembered+c.Refreshed+c.Rejected+c.Nothing+c.Parked
}

// EventHash stands for an event id in the ledger: 8 bytes of its SHA-256, so that a
// thread's whole past stays small and an id itself is not kept.
type EventHash uint64

// HashEvent is the hash of an event id. A replayed dead letter counts as another event:
// replay is the sequence of the letter, 0 for an ordinary event.
func HashEvent(id string, replay uint64) EventHash {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, replay))
	h.Write([]byte(id))
	return EventHash(binary.BigEndian.Uint64(h.Sum(nil)))
}

// MarshalText writes 16 hexadecimal digits: JSON numbers lose precision beyond 2^53.
func (h EventHash) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText reads what MarshalText wrote.
func (h *EventHash) UnmarshalText(b []byte) error {
	v, err := strconv.ParseUint(string(b), 16, 64)
	if err != nil || len(b) != 16 {
		return fmt.Errorf("event hash %.20q: want 16 hexadecimal digits", b)
	}
	*h = EventHash(v)
	return nil
}

// Encode is the JSON form. It fails when the change set is larger than MaxBytes.
func (c *ChangeSet) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return nil, fmt.Errorf("encode change set: %w", err)
	}
	if b.Len() > MaxBytes {
		return nil, fmt.Errorf("encode change set: %d bytes, more than %d", b.Len(), MaxBytes)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Decode reads a change set and checks that it is about scope, in every memory and document
// that it holds.
// Its errors are permanent: reading the same again gives the same.
func Decode(raw []byte, scope memory.Scope) (ChangeSet, error) {
	c, err := decode(raw, scope)
	if err != nil {
		return c, fault.Permanent(fmt.Errorf("decode change set: %w", err))
	}
	return c, nil
}

func decode(raw []byte, scope memory.Scope) (ChangeSet, error) {
	var c ChangeSet
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return c, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return c, errors.New("more than one JSON value")
	}
	if c.V != Version {
		return c, fmt.Errorf("version %d, this program reads %d", c.V, Version)
	}
	if c.Scope != scope {
		return c, errors.New("its scope is not that of its subject")
	}
	for i := range c.Changes {
		if err := c.Changes[i].check(scope); err != nil {
			return c, fmt.Errorf("change %d: %w", i, err)
		}
	}
	return c, nil
}

func (c *Change) check(scope memory.Scope) error {
	d := c.Document
	switch {
	case d == nil && (c.Op == OpPut || c.Op == OpRemove):
		return fmt.Errorf("%s without a document", c.Op)
	case d == nil && (c.Memory.Scope != scope || c.Previous != nil && c.Previous.Scope != scope),
		d != nil && d.Scope != scope:
		return errors.New("its scope is not that of its subject")
	case d != nil && (c.Memory.ID != "" || c.Previous != nil || c.Op != OpPut && c.Op != OpRemove && c.Op != OpDrop):
		return fmt.Errorf("%s of a document and a memory at once", c.Op)
	}
	return nil
}

// ErrConflict means that an append expected another head than the owner's ledger has:
// another decision came between, and this one has to be made again.
var ErrConflict = errors.New("the owner's ledger has moved on")
