package app

import (
	"context"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/shelve"
)

// changeLog is a ledger in memory, for what a benchmark stores.
type changeLog struct {
	head uint64
	sets map[memory.Scope][]changeSet
}

type changeSet struct {
	seq  uint64
	at   time.Time
	data []byte
}

func newChangeLog() *changeLog { return &changeLog{sets: map[memory.Scope][]changeSet{}} }

// putBytes is about how much of documents goes into one change set.
const putBytes = 256 << 10

// put appends change sets that put new documents of an owner.
func (l *changeLog) put(s memory.Scope, documents []document.Document) error {
	for len(documents) > 0 {
		n, size := 0, 0
		for n < len(documents) && (n == 0 || size < putBytes) {
			size += len(documents[n].Value)
			n++
		}
		c := ledger.ChangeSet{V: ledger.Version, At: documents[n-1].UpdatedAt, Author: ledger.AuthorOperator, Scope: s}
		for i := range documents[:n] {
			c.Changes = append(c.Changes, ledger.Change{Op: ledger.OpPut, Document: &documents[i], Reason: shelve.ReasonPut})
		}
		data, err := c.Encode()
		if err != nil {
			return err
		}
		l.head++
		l.sets[s] = append(l.sets[s], changeSet{l.head, c.At, data})
		documents = documents[n:]
	}
	return nil
}

// Head serves decide.Reader.
func (l *changeLog) Head(_ context.Context, s memory.Scope) (uint64, error) {
	sets := l.sets[s]
	if len(sets) == 0 {
		return 0, nil
	}
	return sets[len(sets)-1].seq, nil
}

// Read serves decide.Reader.
func (l *changeLog) Read(_ context.Context, s memory.Scope, after, upTo uint64, fn func(seq uint64, at time.Time, data []byte) error) error {
	for _, c := range l.sets[s] {
		if c.seq <= after || c.seq > upTo {
			continue
		}
		if err := fn(c.seq, c.at, c.data); err != nil {
			return err
		}
	}
	return nil
}

// Holds serves project.Log: nothing is ever erased.
func (l *changeLog) Holds(context.Context, memory.Scope, uint64) (bool, error) { return true, nil }
