package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Log is the ledger as bytes: one subject per owner, appended to by compare-and-set.
type Log struct {
	source
	patience time.Duration
}

// NewLog is the log in MEM_LEDGER.
func NewLog(js jetstream.JetStream) *Log {
	return &Log{source: source{js: js, name: StreamLedger}, patience: Patience}
}

// Head is the stream sequence of the owner's last change set, from the leader; 0 when
// there is none.
func (l *Log) Head(ctx context.Context, s memory.Scope) (uint64, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	head, err := l.head(ctx, LedgerSubject(s))
	if err != nil {
		return 0, fmt.Errorf("read ledger head: %w", err)
	}
	return head, nil
}

// LogEntry is one append of AppendAll.
type LogEntry struct {
	Scope memory.Scope
	// Expect is the owner's head; 0 expects an owner without change sets.
	Expect uint64
	// Data is the change set, at most MaxChangeSetBytes.
	Data []byte
}

// Append stores data as the owner's next change set if the owner's head is expect, and
// returns its sequence; otherwise ErrConflict. Data above MaxChangeSetBytes is ErrTooLarge,
// permanent. While the stream has no leader it tries again, for up to Patience, and an
// append whose answer was lost is recognised, not taken for a conflict.
func (l *Log) Append(ctx context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error) {
	seqs, err := l.AppendAll(ctx, []LogEntry{{Scope: s, Expect: expect, Data: data}})
	if err != nil {
		return 0, err
	}
	return seqs[0], nil
}

// AppendAll appends the change sets of one decision that concerns several owners: all of
// them or, when any owner's head has moved (ErrConflict), none. No owner may stand in it
// twice. The sequences are in the order of the entries.
func (l *Log) AppendAll(ctx context.Context, entries []LogEntry) ([]uint64, error) {
	if len(entries) == 0 || len(entries) > maxBatchMessages {
		return nil, fault.Permanent(fmt.Errorf("append %d change sets: must be 1 to %d", len(entries), maxBatchMessages))
	}
	for _, e := range entries {
		if err := e.Scope.Validate(); err != nil {
			return nil, fault.Permanent(err)
		}
		if len(e.Data) > MaxChangeSetBytes {
			return nil, fault.Permanent(fmt.Errorf("append change set of %d bytes: %w", len(e.Data), ErrTooLarge))
		}
	}
	var seqs []uint64
	// unsure: an earlier attempt was sent, and its answer lost.
	unsure := false
	err := persist(ctx, l.patience, func(ctx context.Context) error {
		var err error
		seqs, err = l.append(ctx, entries)
		if unsure && errors.Is(classify(ctx, err), ErrConflict) {
			seqs, err = l.stored(ctx, entries)
		}
		unsure = unsure || err != nil
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("append to ledger: %w", err)
	}
	return seqs, nil
}

func (l *Log) append(ctx context.Context, entries []LogEntry) ([]uint64, error) {
	msgs := make([]*nats.Msg, len(entries))
	for i, e := range entries {
		msgs[i] = nats.NewMsg(LedgerSubject(e.Scope))
		msgs[i].Data = e.Data
		msgs[i].Header.Set(jetstream.ExpectedStreamHeader, StreamLedger)
		msgs[i].Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(e.Expect, 10))
	}
	return publishAtomically(ctx, l.js, msgs)
}

// stored finds the entries where an append whose answer was lost has put them, or says
// ErrConflict.
func (l *Log) stored(ctx context.Context, entries []LogEntry) ([]uint64, error) {
	seqs := make([]uint64, len(entries))
	for i, e := range entries {
		m, err := l.next(ctx, LedgerSubject(e.Scope), e.Expect+1)
		if errors.Is(err, ErrNotFound) || err == nil && !bytes.Equal(m.data, e.Data) {
			return nil, ErrConflict
		}
		if err != nil {
			return nil, err
		}
		seqs[i] = m.seq
	}
	return seqs, nil
}

// Read calls fn for the owner's change sets with after < sequence <= upTo, in order, and
// returns fn's first error as it is.
func (l *Log) Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(seq uint64, at time.Time, data []byte) error) error {
	if err := s.Validate(); err != nil {
		return err
	}
	return l.read(ctx, LedgerSubject(s), after, upTo, func(m message) error { return fn(m.seq, m.at, m.data) })
}

// Holds reports whether the owner's change set at seq is still there.
func (l *Log) Holds(ctx context.Context, s memory.Scope, seq uint64) (bool, error) {
	if err := s.Validate(); err != nil {
		return false, err
	}
	m, err := l.at(ctx, seq)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for change set %d: %w", seq, err)
	}
	return m.subject == LedgerSubject(s), nil
}

// Follow calls fn for every change set of every owner from sequence from on, in order,
// and waits for new ones until ctx ends or fn fails; it returns that error. Pending is the
// number of change sets left after this one. With a name, its place is kept by a durable
// consumer, which processes share by taking turns, and from counts only the first time;
// without one it starts at from.
func (l *Log) Follow(ctx context.Context, name string, from uint64, fn FollowFunc) error {
	if name != "" {
		return l.follow(ctx, name, from, 0, func(m message) error { return follow(ctx, m, fn) })
	}
	it, err := l.from(ctx, ledgerPrefix+">", from)
	if err != nil {
		return err
	}
	defer it.stop()
	for {
		m, err := it.next(ctx, 0)
		if err != nil {
			return fmt.Errorf("follow ledger: %w", err)
		}
		if err := follow(ctx, m, fn); err != nil {
			return err
		}
	}
}

// FollowFunc takes one change set: its owner, its sequence, its bytes, and how many are
// left after it.
type FollowFunc func(ctx context.Context, s memory.Scope, seq uint64, data []byte, pending uint64) error

// Trail is Follow with a name for change sets at least lag old: the second look that
// repairs what a crash has left out.
func (l *Log) Trail(ctx context.Context, name string, lag time.Duration, fn FollowFunc) error {
	return l.follow(ctx, name, 1, lag, func(m message) error { return follow(ctx, m, fn) })
}

// Replay calls fn for every change set of every owner from sequence from up to the
// ledger's end as it is now, in order, and returns that end. Pending is 0 at the last.
func (l *Log) Replay(ctx context.Context, from uint64, fn FollowFunc) (uint64, error) {
	last, err := l.LastSeq(ctx)
	if err != nil {
		return 0, err
	}
	err = l.readStreaming(ctx, ledgerPrefix+">", max(from, 1)-1, last, func(m message) error { return follow(ctx, m, fn) })
	return last, err
}

// LastSeq is the sequence of the last change set of any owner; 0 when there is none.
func (l *Log) LastSeq(ctx context.Context) (uint64, error) { return l.lastSeq(ctx) }

// Delete deletes one of the owner's change sets and overwrites its bytes. One that is gone
// already, or is another owner's, is left as it is.
func (l *Log) Delete(ctx context.Context, s memory.Scope, seq uint64) error {
	held, err := l.Holds(ctx, s, seq)
	if err != nil || !held {
		return err
	}
	if err := l.overwrite(ctx, seq); err != nil {
		return fmt.Errorf("delete change set %d: %w", seq, err)
	}
	return nil
}

// NextOwner is the owner of the tenant's first change set after sequence after, and its
// sequence; ErrNotFound when there are no more. It is the way through a tenant's owners
// without a list of them: an owner may come more than once.
func (l *Log) NextOwner(ctx context.Context, t memory.Tenant, after uint64) (memory.Scope, uint64, error) {
	tenant := memory.Scope{Tenant: t, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	if err := tenant.Validate(); err != nil {
		return memory.Scope{}, 0, err
	}
	m, err := l.next(ctx, ledgerPrefix+Token(string(t))+".*", after+1)
	if err != nil {
		return memory.Scope{}, 0, fmt.Errorf("find the tenant's next owner: %w", err)
	}
	s, err := ParseLedgerSubject(m.subject)
	if err != nil {
		return memory.Scope{}, 0, fault.Permanent(fmt.Errorf("ledger message %d: %w", m.seq, err))
	}
	return s, m.seq, nil
}

func follow(ctx context.Context, m message, fn FollowFunc) error {
	s, err := ParseLedgerSubject(m.subject)
	if err != nil {
		return fault.Permanent(fmt.Errorf("ledger message %d: %w", m.seq, err))
	}
	return fn(ctx, s, m.seq, m.data, m.pending)
}

// everything is an upper bound for reads without one.
const everything = math.MaxUint64

// maxBatchMessages is the server's limit for one atomic batch.
const maxBatchMessages = 1000

// publishAtomically stores all messages or none and returns their sequences. A single
// message needs no batch.
func publishAtomically(ctx context.Context, js jetstream.JetStream, msgs []*nats.Msg) ([]uint64, error) {
	if len(msgs) == 1 {
		ack, err := js.PublishMsg(ctx, msgs[0])
		if err != nil {
			return nil, err
		}
		return []uint64{ack.Sequence}, nil
	}
	ack, err := jetstreamext.PublishMsgBatch(ctx, js, msgs,
		jetstreamext.BatchFlowControl{AckFirst: true, AckTimeout: attemptTimeout})
	if err != nil {
		return nil, err
	}
	// The server stores a batch without anything in between, and acknowledges its last.
	seqs := make([]uint64, len(msgs))
	for i := range seqs {
		seqs[i] = ack.Sequence - uint64(len(msgs)-1-i)
	}
	return seqs, nil
}
