// Package project turns change sets into entries of a collection. It is the only writer of collections:
// the extractor, the reaper and the owner's own edits append change sets, and whoever
// comes next for an owner brings the projection up to the ledger's head. It decides
// nothing about memories.
package project

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Log is the ledger as the projector reads it.
type Log interface {
	// Head is the owner's last sequence, 0 when there is none.
	Head(ctx context.Context, s memory.Scope) (uint64, error)
	// Read calls fn for the owner's change sets in (after, upTo], in order.
	Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(seq uint64, at time.Time, data []byte) error) error
}

// Store is the collection as the projector writes it.
type Store interface {
	// Cursor is the last change set projected for the owner, 0 when there is none.
	Cursor(ctx context.Context, s memory.Scope) (uint64, error)
	// Write puts a batch, and returns when it can be read.
	Write(ctx context.Context, b index.Batch) error
}

// Embedder makes one dense vector a text, in order.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Projector keeps a collection up to the ledger.
type Projector struct {
	log   Log
	store Store
	embed Embedder
}

// New returns a projector from log into store.
func New(log Log, store Store, embed Embedder) *Projector {
	return &Projector{log: log, store: store, embed: embed}
}

// CatchUp projects what the owner's collection lacks and returns the ledger's head that it
// has reached.
func (p *Projector) CatchUp(ctx context.Context, s memory.Scope) (uint64, error) {
	head, err := p.log.Head(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("read ledger head: %w", err)
	}
	cursor, err := p.store.Cursor(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("read cursor: %w", err)
	}
	if cursor >= head {
		return head, nil
	}
	b := newBatch()
	before := cursor
	err = p.log.Read(ctx, s, cursor, head, func(seq uint64, _ time.Time, data []byte) error {
		c, err := ledger.Decode(data, s)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		b.add(s, before, seq, &c)
		before = seq
		return p.flushIfFull(ctx, b)
	})
	if err != nil {
		return 0, fmt.Errorf("read ledger: %w", err)
	}
	b.move(s, before, head) // the head itself may have been deleted since
	return head, p.flush(ctx, b)
}

// Holds reports whether the owner's collection holds everything up to head. Readers are
// moved to another collection while a rebuild publishes it: what was read after CatchUp
// belongs to head only if Holds is true after the reading too.
func (p *Projector) Holds(ctx context.Context, s memory.Scope, head uint64) (bool, error) {
	cursor, err := p.store.Cursor(ctx, s)
	if err != nil {
		return false, fmt.Errorf("read cursor: %w", err)
	}
	return cursor >= head, nil
}

// Apply projects a change set that its author has just appended at seq, after head.
func (p *Projector) Apply(ctx context.Context, s memory.Scope, head, seq uint64, c *ledger.ChangeSet) error {
	b := newBatch()
	b.add(s, head, seq, c)
	return p.flush(ctx, b)
}

// batchSize is how many points are embedded and written together.
const batchSize = 256

// batch gathers the last state of each memory.
type batch struct {
	entries     map[memory.ID]index.Entry
	order       []memory.ID
	checkpoints []index.Checkpoint
	cursors     map[memory.Scope]index.Step
}

func newBatch() *batch {
	return &batch{entries: map[memory.ID]index.Entry{}, cursors: map[memory.Scope]index.Step{}}
}

// add takes the owner's change set at seq; before is the one that lies before it.
func (b *batch) add(s memory.Scope, before, seq uint64, c *ledger.ChangeSet) {
	for _, ch := range c.Changes {
		if ch.Op == ledger.OpHistory {
			continue
		}
		if _, ok := b.entries[ch.Memory.ID]; !ok {
			b.order = append(b.order, ch.Memory.ID)
		}
		b.entries[ch.Memory.ID] = index.Entry{Memory: ch.Memory, LedgerSeq: seq}
	}
	if c.Checkpoint != nil {
		b.checkpoints = append(b.checkpoints, index.Checkpoint{Scope: s, LedgerSeq: seq, Checkpoint: *c.Checkpoint})
	}
	b.move(s, before, seq)
}

// move takes the owner's cursor on to seq; before is where it stands if this is its first
// move in the batch.
func (b *batch) move(s memory.Scope, before, seq uint64) {
	step, ok := b.cursors[s]
	if !ok {
		step.From = before
	}
	step.To = seq
	b.cursors[s] = step
}

func (p *Projector) flushIfFull(ctx context.Context, b *batch) error {
	if len(b.order)+len(b.checkpoints)+len(b.cursors) < batchSize {
		return nil
	}
	return p.flush(ctx, b)
}

func (p *Projector) flush(ctx context.Context, b *batch) error {
	if len(b.cursors) == 0 {
		return nil
	}
	entries := make([]index.Entry, 0, len(b.order))
	texts := make([]string, 0, len(b.order))
	for _, id := range b.order {
		e := b.entries[id]
		text := index.Text(&e.Memory)
		e.Sparse = terms.Document(text, index.Terms(&e.Memory)...)
		entries, texts = append(entries, e), append(texts, text)
	}
	if len(texts) > 0 {
		dense, err := p.embed.Embed(ctx, texts)
		if err != nil {
			return fmt.Errorf("embed %d memories: %w", len(texts), err)
		}
		for i := range entries {
			entries[i].Dense = dense[i]
		}
	}
	if err := p.store.Write(ctx, index.Batch{Entries: entries, Checkpoints: b.checkpoints, Cursors: b.cursors}); err != nil {
		return fmt.Errorf("write %d memories: %w", len(entries), err)
	}
	*b = *newBatch()
	return nil
}
