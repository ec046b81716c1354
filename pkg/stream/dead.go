package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// DeadLetter is what a stage has given up on, with what is needed to try it again.
type DeadLetter struct {
	// Stage is the step that gave up: "timers", "gather" or "consolidate".
	Stage string `json:"stage"`
	// Reason is a short constant, Detail the error, at most maxDetail bytes of it, and below
	// its first line a model's reply, where that was the fault. But for such a reply neither
	// holds text of a thread.
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"`
	// Attempts is how many attempts were made.
	Attempts int       `json:"attempts"`
	At       time.Time `json:"at"`
	// Ref is the thread and Scope the owner; both zero when the subject did not parse.
	Ref    memory.ThreadRef `json:"ref"`
	Scope  memory.Scope     `json:"scope"`
	Events []DeadEvent      `json:"events"`
	// Part of Parts: a letter that is too large for one message becomes several.
	Part  int `json:"part"`
	Parts int `json:"parts"`
}

// DeadEvent is an event as it stood in MEM_EVENTS.
type DeadEvent struct {
	Seq        uint64    `json:"seq"`
	ReceivedAt time.Time `json:"received_at"`
	Subject    string    `json:"subject"`
	// Header is left out where the letter could not be stored with it.
	Header nats.Header `json:"header,omitempty"`
	Data   []byte      `json:"data"`
}

// NewDeadEvent is the dead letter's copy of an event.
func NewDeadEvent(e StoredEvent) DeadEvent {
	return DeadEvent{Seq: e.Seq, ReceivedAt: e.ReceivedAt, Subject: e.Subject, Header: e.Header, Data: e.Data}
}

// Entry is a dead letter in MEM_DEAD.
type Entry struct {
	// Seq identifies it.
	Seq uint64 `json:"seq"`
	DeadLetter
}

// DeadFilter narrows List; zero fields mean any.
type DeadFilter struct {
	Stage  string
	Tenant memory.Tenant
	// Owner needs Tenant.
	Owner memory.Owner
}

func (f DeadFilter) subject() (string, error) {
	stage, tenant, owner := "*", "*", "*"
	if f.Stage != "" {
		stage = Token(f.Stage)
	}
	if f.Tenant != "" {
		tenant = Token(string(f.Tenant))
	}
	if f.Owner != (memory.Owner{}) {
		if err := (memory.Scope{Tenant: f.Tenant, Owner: f.Owner}).Validate(); err != nil {
			return "", err
		}
		owner = ownerToken(f.Owner)
	}
	return deadPrefix + stage + "." + tenant + "." + owner, nil
}

// maxDetail bounds DeadLetter.Detail.
const maxDetail = 4 << 10

// letterRoom is what a letter may need besides its events: ids of several hundred bytes,
// the detail, and the message's headers.
const letterRoom = 32 << 10

// Dead is the dead letters in MEM_DEAD. They stay until they are replayed or dropped.
type Dead struct{ source }

// NewDead is the dead letters in MEM_DEAD.
func NewDead(js jetstream.JetStream) *Dead { return &Dead{source{js: js, name: StreamDead}} }

// Put stores a letter, in several messages if it is too large for one, and returns when
// all are acknowledged. Put again within a day, the same events from the same stage are
// stored once; so are letters without events, of the same reason and detail.
func (d *Dead) Put(ctx context.Context, l DeadLetter) error {
	if len(l.Detail) > maxDetail {
		l.Detail = l.Detail[:maxDetail]
	}
	groups, err := splitEvents(l.Events, int(d.js.Conn().MaxPayload())-letterRoom)
	if err != nil {
		return fmt.Errorf("put dead letter: %w", err)
	}
	l.Parts = len(groups)
	for i, events := range groups {
		l.Part, l.Events = i+1, events
		if err := d.put(ctx, l); err != nil {
			return fmt.Errorf("put dead letter %d of %d: %w", l.Part, l.Parts, err)
		}
	}
	return nil
}

func (d *Dead) put(ctx context.Context, l DeadLetter) error {
	data, err := json.Marshal(l)
	if err != nil {
		return fault.Permanent(fmt.Errorf("encode: %w", err))
	}
	subject := DeadSubject(l.Stage, l.Scope)
	id := letterID(subject, l)
	for {
		m := nats.NewMsg(subject)
		m.Data = data
		m.Header.Set(jetstream.MsgIDHeader, id)
		var ack *jetstream.PubAck
		err := persist(ctx, Patience, func(ctx context.Context) (err error) {
			ack, err = d.js.PublishMsg(ctx, m)
			return err
		})
		if err != nil || !ack.Duplicate {
			return err
		}
		// The server remembers the ids of letters that have been replayed or dropped
		// since: then this one is new.
		if _, err := d.at(ctx, ack.Sequence); !errors.Is(err, ErrNotFound) {
			return err
		}
		id = messageID(id, strconv.FormatUint(ack.Sequence, 10))
	}
}

func letterID(subject string, l DeadLetter) string {
	parts := []string{"dead", subject}
	if len(l.Events) == 0 {
		parts = append(parts, l.Reason, l.Detail, string(l.Ref.Thread))
	}
	for _, e := range l.Events {
		parts = append(parts, e.Subject, strconv.FormatUint(e.Seq, 10))
	}
	return messageID(parts...)
}

// splitEvents groups events, in order, so that each group's JSON fits in limit bytes.
// There is always one group, which may be empty.
func splitEvents(events []DeadEvent, limit int) ([][]DeadEvent, error) {
	groups := [][]DeadEvent{nil}
	room := limit
	for _, e := range events {
		data, err := json.Marshal(e)
		if err != nil {
			return nil, fault.Permanent(fmt.Errorf("encode event %d: %w", e.Seq, err))
		}
		if len(data) >= limit {
			// Headers may grow sixfold in JSON. Without them an event of MaxEventBytes fits.
			e.Header = nil
			if data, err = json.Marshal(e); err != nil {
				return nil, fault.Permanent(fmt.Errorf("encode event %d: %w", e.Seq, err))
			}
		}
		size := len(data) + 1
		if size > limit {
			return nil, fault.Permanent(fmt.Errorf("event %d of %d bytes: %w", e.Seq, size, ErrTooLarge))
		}
		last := len(groups) - 1
		if size > room && len(groups[last]) > 0 {
			groups = append(groups, nil)
			last++
			room = limit
		}
		groups[last] = append(groups[last], e)
		room -= size
	}
	return groups, nil
}

// List returns the letters after sequence after, in order, at most limit, and the sequence
// to go on from; 0 when there are no more.
func (d *Dead) List(ctx context.Context, f DeadFilter, after uint64, limit int) (entries []Entry, next uint64, err error) {
	subject, err := f.subject()
	if err != nil {
		return nil, 0, err
	}
	err = d.read(ctx, subject, after, everything, func(m message) error {
		if len(entries) == limit {
			next = after
			return errEnough
		}
		entry, err := decodeEntry(m)
		if err != nil {
			return err
		}
		entries = append(entries, entry)
		after = m.seq
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, 0, fmt.Errorf("list dead letters: %w", err)
	}
	return entries, next, nil
}

// Get returns one letter; ErrNotFound if there is none with that sequence.
func (d *Dead) Get(ctx context.Context, seq uint64) (Entry, error) {
	m, err := d.at(ctx, seq)
	if err != nil {
		return Entry{}, fmt.Errorf("get dead letter %d: %w", seq, err)
	}
	return decodeEntry(m)
}

func decodeEntry(m message) (Entry, error) {
	e := Entry{Seq: m.seq}
	if err := json.Unmarshal(m.data, &e.DeadLetter); err != nil {
		return Entry{}, fault.Permanent(fmt.Errorf("decode dead letter %d: %w", m.seq, err))
	}
	return e, nil
}

// Drop deletes a letter and overwrites its bytes; ErrNotFound if there is none.
func (d *Dead) Drop(ctx context.Context, seq uint64) error {
	if _, err := d.at(ctx, seq); err != nil {
		return fmt.Errorf("drop dead letter %d: %w", seq, err)
	}
	if err := d.overwrite(ctx, seq); err != nil {
		return fmt.Errorf("drop dead letter %d: %w", seq, err)
	}
	return nil
}

// Replay publishes a letter's events anew, in order, each on its own subject with the
// header HeaderReplay, and then drops the letter. A replay that broke off can be repeated
// without doubling events. A letter with an event whose subject does not parse cannot be
// replayed: that is a permanent error, and nothing is published.
func (d *Dead) Replay(ctx context.Context, seq uint64, now time.Time) error {
	entry, err := d.Get(ctx, seq)
	if err != nil {
		return err
	}
	for _, e := range entry.Events {
		r, err := ParseThreadSubject(e.Subject)
		if err == nil && EventSubject(r) != e.Subject {
			err = ErrSubject
		}
		if err != nil {
			return fault.Permanent(fmt.Errorf("replay dead letter %d: event %d: %w", seq, e.Seq, err))
		}
	}
	for _, e := range entry.Events {
		err := persist(ctx, Patience, func(ctx context.Context) error {
			_, err := d.js.PublishMsg(ctx, replayed(seq, e, now))
			return err
		})
		if err != nil {
			return fmt.Errorf("replay dead letter %d: event %d: %w", seq, e.Seq, err)
		}
	}
	return d.Drop(ctx, seq)
}

func replayed(letter uint64, e DeadEvent, now time.Time) *nats.Msg {
	m := &nats.Msg{Subject: e.Subject, Header: ownHeader(e.Header), Data: e.Data}
	text := strconv.FormatUint(letter, 10)
	m.Header.Set(HeaderReceivedAt, e.ReceivedAt.UTC().Format(time.RFC3339Nano))
	m.Header.Set(HeaderReplay, text)
	m.Header.Set(HeaderReplayedAt, now.UTC().Format(time.RFC3339Nano))
	m.Header.Set(jetstream.MsgIDHeader, messageID("replay", text, strconv.FormatUint(e.Seq, 10)))
	m.Header.Set(jetstream.ExpectedStreamHeader, StreamEvents)
	return m
}
