package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/subject"
)

// maxBatchBytes bounds one batch, which a replicated stream proposes as a whole.
const maxBatchBytes = 4 << 20

// smallestBatch is from how many events on a batch is worth it: the server sets up a store
// for each, which costs as much as eight to fifteen single events, and single events wait
// for one another's answers.
const smallestBatch = 4

// publication is one call of Publish on its way.
type publication struct {
	slots []slot
	size  int64
	// left counts the slots without an outcome; Run alone writes it, err, and the slots'
	// receipts, and closes done at zero.
	left int
	err  error
	done chan struct{}
}

// slot is one event of a publication.
type slot struct {
	of      *publication
	subject string
	header  nats.Header
	data    []byte
	receipt Receipt
}

// newPublication checks the events: one that the server refused would take the whole batch
// down, with other callers' events.
func newPublication(events []OutgoingEvent, limit int) (*publication, error) {
	p := &publication{slots: make([]slot, len(events)), left: len(events), done: make(chan struct{})}
	for i, ev := range events {
		if err := ev.Ref.Validate(); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
		if err := memory.ValidateID(ev.EventID); err != nil {
			return nil, fmt.Errorf("event %d: id %w", i, err)
		}
		header := ownHeader(ev.Header)
		header.Set(HeaderReceivedAt, ev.ReceivedAt.UTC().Format(time.RFC3339Nano))
		header.Set(jetstream.MsgIDHeader, subject.EventID(ev.Ref, ev.EventID))
		header.Set(jetstream.ExpectedStreamHeader, StreamEvents)
		p.slots[i] = slot{of: p, subject: EventSubject(ev.Ref), header: header, data: ev.Data}
		size := p.slots[i].size()
		if size > limit {
			return nil, fmt.Errorf("event %d has %d bytes, at most %d are taken: %w", i, size, limit, ErrTooLarge)
		}
		p.size += int64(size)
	}
	return p, nil
}

// batchHeaderBytes is room for the headers that a batch adds to each message.
const batchHeaderBytes = 128

func (s *slot) size() int {
	return (&nats.Msg{Subject: s.subject, Header: s.header, Data: s.data}).Size() + batchHeaderBytes
}

// msg is made anew for every attempt, since a batch marks the messages it sends.
func (s *slot) msg() *nats.Msg {
	return &nats.Msg{Subject: s.subject, Header: maps.Clone(s.header), Data: s.data}
}

func (p *publication) receipts() []Receipt {
	out := make([]Receipt, len(p.slots))
	for i := range p.slots {
		out[i] = p.slots[i].receipt
	}
	return out
}

// Run sends the batches until ctx ends; then it finishes the batch under way, refuses what
// still waits with an outage, and returns nil. Call it once.
func (e *Events) Run(ctx context.Context) error {
	defer close(e.stopped)
	var waiting []*slot
	for {
		if len(waiting) == 0 {
			select {
			case p := <-e.queue:
				waiting = p.appendTo(waiting)
			case <-ctx.Done():
				return nil
			}
		}
		waiting = e.gather(waiting)
		batch := takeBatch(waiting)
		err := e.commit(ctx, batch)
		if err != nil && ctx.Err() != nil {
			err = fault.Outage(ErrStopped, 0)
		}
		settle(batch, err)
		waiting = waiting[len(batch):]
		if ctx.Err() != nil {
			settle(waiting, fault.Outage(ErrStopped, 0))
			return nil
		}
	}
}

// gather adds what has arrived, as far as the next batch has room. Publishers that are
// about to run are let through first, for as long as that brings more: those who have just
// been answered come back together, and a batch costs the server several syncs.
func (e *Events) gather(waiting []*slot) []*slot {
	for grown := true; grown && len(waiting) < maxBatchMessages; {
		runtime.Gosched()
		grown = false
		for len(e.queue) > 0 && len(waiting) < maxBatchMessages {
			waiting = (<-e.queue).appendTo(waiting)
			grown = true
		}
	}
	return waiting
}

func (p *publication) appendTo(waiting []*slot) []*slot {
	for i := range p.slots {
		waiting = append(waiting, &p.slots[i])
	}
	return waiting
}

func takeBatch(waiting []*slot) []*slot {
	bytes := 0
	for i, s := range waiting {
		bytes += s.size()
		if i == maxBatchMessages || i > 0 && bytes > maxBatchBytes {
			return waiting[:i]
		}
	}
	return waiting
}

// settle gives every slot of a batch its outcome: err where it has no receipt yet.
func settle(batch []*slot, err error) {
	for _, s := range batch {
		p := s.of
		if s.receipt.Seq == 0 && p.err == nil {
			p.err = err
		}
		if p.left--; p.left == 0 {
			close(p.done)
		}
	}
}

// commit stores a batch. Stopping does not interrupt an attempt, only its repetition.
func (e *Events) commit(ctx context.Context, batch []*slot) error {
	return persist(ctx, e.opts.Patience, func(attempt context.Context) error {
		unbroken, cancel := context.WithTimeout(context.WithoutCancel(attempt), attemptTimeout)
		defer cancel()
		return e.store(unbroken, batch)
	})
}

// store sends the slots that have no receipt yet as one atomic batch. The server rejects a
// batch with a duplicate as a whole: then the halves are sent, down to single events,
// which alone are told where their original is. The rest still shares its syncs.
func (e *Events) store(ctx context.Context, batch []*slot) error {
	batch = unsettled(batch)
	if len(batch) < smallestBatch {
		for _, s := range batch {
			if err := e.storeOne(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
	msgs := make([]*nats.Msg, len(batch))
	for i, s := range batch {
		msgs[i] = s.msg()
	}
	seqs, err := publishAtomically(ctx, e.js, msgs)
	if isDuplicateBatch(err) {
		half := len(batch) / 2
		if err := e.store(ctx, batch[:half]); err != nil {
			return err
		}
		return e.store(ctx, batch[half:])
	}
	if err != nil {
		return err
	}
	for i, s := range batch {
		s.receipt = Receipt{Seq: seqs[i]}
	}
	return nil
}

func (e *Events) storeOne(ctx context.Context, s *slot) error {
	ack, err := e.js.PublishMsg(ctx, s.msg())
	if err != nil {
		return err
	}
	s.receipt = Receipt{Seq: ack.Sequence, Duplicate: ack.Duplicate}
	return nil
}

func unsettled(batch []*slot) []*slot {
	var left []*slot
	for _, s := range batch {
		if s.receipt.Seq == 0 {
			left = append(left, s)
		}
	}
	return left
}

func isDuplicateBatch(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstreamext.JSErrCodeBatchPublishDuplicateMsgID
}
