package ledger

import (
	"encoding/binary"
	"errors"
	"slices"
)

// maxRecent is how many events before the checkpoint are kept as context.
const maxRecent = 4

// ThreadState is the fold of a thread's checkpoints up to a place in the ledger.
type ThreadState struct {
	// LedgerSeq is the last change set of the owner that has been folded in.
	LedgerSeq uint64
	// Checkpoint is the change set with the last checkpoint that has been folded in.
	Checkpoint uint64
	// Seq is the last event consumed.
	Seq    uint64
	Recent []uint64
	// Consumed holds the hashes of every event consumed, in order.
	Consumed []EventHash
	index    map[EventHash]struct{}
}

// Apply folds the thread's checkpoint of the change set at seq in. One that has been folded
// in before has no effect.
func (s *ThreadState) Apply(seq uint64, c *Checkpoint) {
	if seq <= s.LedgerSeq {
		return
	}
	s.LedgerSeq, s.Checkpoint = seq, seq
	s.Seq = max(s.Seq, c.Seq)
	s.Recent = append(s.Recent, c.Recent...)
	if n := len(s.Recent); n > maxRecent {
		s.Recent = slices.Clone(s.Recent[n-maxRecent:])
	}
	for _, h := range c.Events {
		if !s.Has(h) {
			s.Consumed = append(s.Consumed, h)
			s.index[h] = struct{}{}
		}
	}
}

// Has reports whether the event was consumed before.
func (s *ThreadState) Has(h EventHash) bool {
	if s.index == nil {
		s.index = make(map[EventHash]struct{}, len(s.Consumed))
		for _, c := range s.Consumed {
			s.index[c] = struct{}{}
		}
	}
	_, ok := s.index[h]
	return ok
}

// threadStateVersion starts the encoded form; another version is a cache miss.
const threadStateVersion = 2

var errThreadState = errors.New("not a thread state of this version")

// Encode is a compact binary form: a cache of what the ledger says, 8 bytes an event.
func (s *ThreadState) Encode() []byte {
	b := make([]byte, 0, 32+8*(len(s.Recent)+len(s.Consumed)))
	b = append(b, threadStateVersion)
	b = binary.AppendUvarint(b, s.LedgerSeq)
	b = binary.AppendUvarint(b, s.Checkpoint)
	b = binary.AppendUvarint(b, s.Seq)
	b = binary.AppendUvarint(b, uint64(len(s.Recent)))
	for _, r := range s.Recent {
		b = binary.AppendUvarint(b, r)
	}
	for _, h := range s.Consumed {
		b = binary.BigEndian.AppendUint64(b, uint64(h))
	}
	return b
}

// DecodeThreadState reads what Encode wrote.
func DecodeThreadState(b []byte) (ThreadState, error) {
	var s ThreadState
	if len(b) == 0 || b[0] != threadStateVersion {
		return s, errThreadState
	}
	b = b[1:]
	next := func() (uint64, bool) {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, false
		}
		b = b[n:]
		return v, true
	}
	var n uint64
	for _, p := range []*uint64{&s.LedgerSeq, &s.Checkpoint, &s.Seq, &n} {
		v, ok := next()
		if !ok {
			return ThreadState{}, errThreadState
		}
		*p = v
	}
	if n > maxRecent {
		return ThreadState{}, errThreadState
	}
	for range n {
		v, ok := next()
		if !ok {
			return ThreadState{}, errThreadState
		}
		s.Recent = append(s.Recent, v)
	}
	if len(b)%8 != 0 {
		return ThreadState{}, errThreadState
	}
	for ; len(b) > 0; b = b[8:] {
		s.Consumed = append(s.Consumed, EventHash(binary.BigEndian.Uint64(b)))
	}
	return s, nil
}
