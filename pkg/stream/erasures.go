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

// Fence says what of an owner is erased, to whoever still holds it.
type Fence struct {
	// EventHead is the last event that is erased: events up to it are ignored.
	EventHead uint64 `json:"event_head"`
	// Ledger is the sequence of the change set that fences the owner's writers: those below
	// it are erased. 0 until it has been appended.
	Ledger uint64 `json:"ledger,omitempty"`
	// At is when the fence was set, by the server's clock. Leave it zero in a new fence.
	At time.Time `json:"at,omitzero"`
}

// Erasure is what stays of an erased owner or tenant, under a keyed hash.
type Erasure struct {
	Fence
	// Receipt is the caller's own JSON, which must name no one.
	Receipt json.RawMessage `json:"receipt,omitempty"`
}

// Erasures are the fences and receipts in the bucket mem_erasures. They are kept for ever.
type Erasures struct {
	source
	names Names
}

// NewErasures is the fences and receipts in the bucket mem_erasures.
func NewErasures(js jetstream.JetStream, names Names) *Erasures {
	return &Erasures{source: source{js: js, name: bucketStream(BucketErasures)}, names: names}
}

// Load returns what is stored for the scope itself and its revision; ErrNotFound when it
// was never erased. The scope of a tenant is the whole tenant, apart from its owners.
func (e *Erasures) Load(ctx context.Context, s memory.Scope) (erasure Erasure, revision uint64, err error) {
	if err := s.Validate(); err != nil {
		return erasure, 0, err
	}
	m, err := e.last(ctx, e.subject(s))
	if err != nil {
		return erasure, 0, fmt.Errorf("load erasure: %w", err)
	}
	if err := json.Unmarshal(m.data, &erasure); err != nil {
		return erasure, 0, fault.Permanent(fmt.Errorf("decode erasure at %d: %w", m.seq, err))
	}
	if erasure.At.IsZero() {
		erasure.At = m.at
	}
	return erasure, m.seq, nil
}

// Store replaces what is stored for the scope if its revision is still the one that was
// loaded, 0 for none, and returns the new one; otherwise ErrConflict.
func (e *Erasures) Store(ctx context.Context, s memory.Scope, erasure Erasure, revision uint64) (uint64, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	data, err := json.Marshal(erasure)
	if err != nil {
		return 0, fault.Permanent(fmt.Errorf("encode erasure: %w", err))
	}
	m := nats.NewMsg(e.subject(s))
	m.Data = data
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10))
	var ack *jetstream.PubAck
	err = persist(ctx, Patience, func(ctx context.Context) (err error) {
		ack, err = e.js.PublishMsg(ctx, m)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store erasure: %w", err)
	}
	return ack.Sequence, nil
}

// Fence is the fence that holds for the scope: its own or its tenant's, of each the higher
// bound. It is zero when neither was ever erased. It costs two reads: ask only when the
// ledger is empty, or an append has met a conflict.
func (e *Erasures) Fence(ctx context.Context, s memory.Scope) (Fence, error) {
	var fence Fence
	for _, scope := range []memory.Scope{s, {Tenant: s.Tenant, Owner: memory.Owner{Kind: memory.OwnerTenant}}} {
		found, _, err := e.Load(ctx, scope)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return Fence{}, err
		}
		fence.EventHead = max(fence.EventHead, found.EventHead)
		fence.Ledger = max(fence.Ledger, found.Ledger)
		if found.At.After(fence.At) {
			fence.At = found.At
		}
	}
	return fence, nil
}

// Last is when anything was last stored of any erasure, by the server's clock; the zero time
// when nothing ever was.
func (e *Erasures) Last(ctx context.Context) (time.Time, error) {
	st, err := e.stream(ctx)
	if err != nil {
		return time.Time{}, err
	}
	info, err := st.Info(ctx)
	if err != nil {
		return time.Time{}, fmt.Errorf("read time of last erasure: %w", classify(ctx, err))
	}
	if info.State.Msgs == 0 {
		return time.Time{}, nil
	}
	return info.State.LastTime, nil
}

// TakeBack records that the owner's change sets up to the sequence are erased as well: they
// came after the fence, by who had read what lies before it. A lower sequence changes nothing.
func (e *Erasures) TakeBack(ctx context.Context, s memory.Scope, seq uint64) error {
	for {
		known, revision, err := e.takenBack(ctx, s)
		if err != nil || known >= seq {
			return err
		}
		m := nats.NewMsg(e.subject(s) + takenBack)
		m.Data = strconv.AppendUint(nil, seq, 10)
		m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10))
		err = persist(ctx, Patience, func(ctx context.Context) error {
			_, err := e.js.PublishMsg(ctx, m)
			return err
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrConflict) {
			return fmt.Errorf("store what is taken back: %w", err)
		}
	}
}

// takenBack ends the subjects of what TakeBack records.
const takenBack = ".taken_back"

func (e *Erasures) takenBack(ctx context.Context, s memory.Scope) (seq, revision uint64, err error) {
	if err := s.Validate(); err != nil {
		return 0, 0, err
	}
	m, err := e.last(ctx, e.subject(s)+takenBack)
	if errors.Is(err, ErrNotFound) {
		return 0, 0, nil
	}
	if err == nil {
		seq, err = strconv.ParseUint(string(m.data), 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("load what is taken back: %w", err)
	}
	return seq, m.seq, nil
}

// Erased is the sequence up to which the owner's change sets are erased, the fence's own or
// that of what was taken back after it; 0 for never. It costs three reads.
func (e *Erasures) Erased(ctx context.Context, s memory.Scope) (uint64, error) {
	fence, err := e.Fence(ctx, s)
	if err != nil {
		return 0, err
	}
	seq, _, err := e.takenBack(ctx, s)
	return max(fence.Ledger, seq), err
}

func (e *Erasures) subject(s memory.Scope) string {
	if s.Owner.Kind == memory.OwnerTenant {
		return bucketPrefix(BucketErasures) + e.names.tenant(s.Tenant)
	}
	return bucketPrefix(BucketErasures) + e.names.owner(s)
}
