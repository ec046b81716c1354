package client

import (
	"sync"

	"github.com/mnemond/mnemond/pkg/memory"
)

// entry is an event on its way.
type entry struct {
	// seq orders what this client was given; 0 for what comes from the file.
	seq uint64
	id  string
	ref memory.ThreadRef
	raw []byte
	// size is that of its line in the file it comes from.
	size int
	// clean says that it is valid and without secrets; gone, that it was given up.
	clean, gone bool
}

// queue holds what waits, the oldest first: what is being sent, then the file, then what is on
// its way to the file, then the buffer. Only put is called by who publishes, and it waits for
// no I/O.
type queue struct {
	full      Policy
	maxEvents int
	maxBytes  int64
	file      *spill // nil without one

	// order is held while events change their place, so that none overtakes another.
	order sync.Mutex

	mu      sync.Mutex
	waiting []entry
	bytes   int64
	taken   []entry // being sent
	moving  []entry // on their way to the file
	seq     uint64  // of the last entry
	closed  bool
	settled chan struct{} // closed at the next change, for who waits; nil while nobody does

	wake, crowded chan struct{}
}

func newQueue(o *Options, file *spill) *queue {
	q := &queue{
		full: o.Full, maxEvents: o.MaxEvents, maxBytes: o.MaxBytes, file: file,
		wake: make(chan struct{}, 1), crowded: make(chan struct{}, 1),
	}
	if file.count() > 0 {
		q.wakeSender()
	}
	return q
}

// put adds an entry, in place of the one that is returned with the reason; an empty reason
// means that there was room.
func (q *queue) put(e entry) (lost entry, reason Reason) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return e, DroppedClosed
	}
	size := int64(len(e.raw))
	if len(q.waiting) >= q.maxEvents || q.bytes+size > q.maxBytes {
		if q.full != DropOldest || len(q.waiting) == 0 || q.bytes-int64(len(q.waiting[0].raw))+size > q.maxBytes {
			return e, DroppedFull
		}
		lost, reason = q.waiting[0], DroppedFull
		q.shift(1)
		q.changed()
	}
	q.seq++
	e.seq = q.seq
	q.waiting = append(q.waiting, e)
	q.bytes += size
	signal(q.wake)
	if q.file != nil && q.isCrowded() {
		signal(q.crowded)
	}
	return lost, reason
}

// isCrowded reports whether it is time to move what waits to the file. Called with mu held.
func (q *queue) isCrowded() bool {
	return 2*len(q.waiting) >= q.maxEvents || 2*q.bytes >= q.maxBytes
}

// shift takes the first n out of the buffer. Called with mu held.
func (q *queue) shift(n int) []entry {
	out := make([]entry, n)
	copy(out, q.waiting)
	clear(q.waiting[:n]) // what is gone shall not be kept from being collected
	q.waiting = q.waiting[n:]
	for _, e := range out {
		q.bytes -= int64(len(e.raw))
	}
	return out
}

// take takes the oldest to send: up to n events and maxBatchBytes.
func (q *queue) take(n int) ([]entry, error) {
	q.order.Lock()
	defer q.order.Unlock()
	var batch []entry
	var err error
	if q.file.count() > 0 {
		batch, err = q.file.peek(n, maxBatchBytes)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.file.count() == 0 {
		size, k := 0, 0
		for k < min(n, len(q.waiting)) && (k == 0 || size+len(q.waiting[k].raw) <= maxBatchBytes) {
			size += len(q.waiting[k].raw)
			k++
		}
		batch = q.shift(k)
	}
	q.taken = batch
	return batch, err
}

// settle says that the first n of what was taken are done with.
func (q *queue) settle(n int) {
	q.order.Lock()
	defer q.order.Unlock()
	q.mu.Lock()
	gone := q.taken[:n]
	q.mu.Unlock()
	if gone[0].seq == 0 {
		q.file.advance(gone)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken = q.taken[n:]
	q.changed()
	if q.file != nil && q.isCrowded() {
		signal(q.crowded)
	}
}

// move moves what waits to the file, once it was made ready; what the file had no room
// for stays. It returns how many were moved.
func (q *queue) move(ready func([]entry) []entry) (moved int, err error) {
	q.order.Lock()
	defer q.order.Unlock()
	q.mu.Lock()
	if !q.isCrowded() {
		q.mu.Unlock()
		return 0, nil
	}
	q.moving = q.shift(len(q.waiting))
	q.mu.Unlock()
	lines := ready(q.moving)
	moved, err = q.file.append(lines)
	q.mu.Lock()
	defer q.mu.Unlock()
	back := lines[moved:]
	q.moving = nil
	q.waiting = append(append(make([]entry, 0, len(back)+len(q.waiting)), back...), q.waiting...)
	for _, e := range back {
		q.bytes += int64(len(e.raw))
	}
	q.changed()
	return moved, err
}

// changed tells who waits. Called with mu held.
func (q *queue) changed() {
	if q.settled != nil {
		close(q.settled)
		q.settled = nil
	}
}

// settledUpTo reports whether nothing up to seq is left; if not, the channel is closed when
// that may have changed.
func (q *queue) settledUpTo(seq uint64) (<-chan struct{}, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := q.seq + 1
	for _, part := range [][]entry{q.waiting, q.moving, q.taken} {
		if len(part) > 0 {
			first = part[0].seq
		}
	}
	if q.file.count() > 0 {
		first = 0
	}
	if first > seq {
		return nil, true
	}
	if q.settled == nil {
		q.settled = make(chan struct{})
	}
	return q.settled, false
}

// last is the last entry's place.
func (q *queue) last() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.seq
}

// pending is how many have not been settled.
func (q *queue) pending() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.waiting) + len(q.moving) + q.file.count()
	if len(q.taken) > 0 && q.taken[0].seq > 0 { // else they are still in the file
		n += len(q.taken)
	}
	return n
}

// ready reports whether something can be taken, and whether it need not wait for more.
func (q *queue) ready(batch int) (something, enough bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	filed := q.file.count() > 0
	return filed || len(q.waiting) > 0, filed || len(q.waiting) >= batch || q.bytes >= maxBatchBytes
}

// close has put refuse from here on.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// rest is what was not sent: what was taken from the buffer, which is older than what is in
// the file, and the buffer.
type rest struct{ first, last []entry }

// drain empties the buffer. Nothing is being sent or moved any more.
func (q *queue) drain() rest {
	q.mu.Lock()
	defer q.mu.Unlock()
	var r rest
	if len(q.taken) > 0 && q.taken[0].seq > 0 {
		r.first = q.taken
	}
	r.last = q.shift(len(q.waiting))
	q.taken = nil
	return r
}

func (q *queue) wakeSender() { signal(q.wake) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is already set
	}
}
