// Package project turns change sets into entries of the collections, and into the questions
// that wait for an answer. It is the only writer of both:
// the extractor, the reaper and the owner's own edits append change sets, and whoever
// comes next for an owner brings the projection up to the ledger's head. It decides
// nothing about memories.
package project

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Log is the ledger as the projector reads it.
type Log interface {
	decide.Reader
	// Holds reports whether the owner's change set at seq is still there.
	Holds(ctx context.Context, s memory.Scope, seq uint64) (bool, error)
}

// Store is the collections as the projector writes them.
type Store interface {
	// Cursor is the last change set projected for the owner, 0 when there is none.
	Cursor(ctx context.Context, s memory.Scope) (uint64, error)
	// Write puts a batch, and returns when it can be read.
	Write(ctx context.Context, b index.Batch) error
	// Erase deletes what change sets of the owner below the sequence have made.
	Erase(ctx context.Context, s memory.Scope, below uint64) (int, error)
}

// Questions is where questions wait for their answers.
type Questions interface {
	// Put stores a question as the change set at seq left it, over earlier states only.
	Put(ctx context.Context, q memory.Question, seq uint64) error
	// EraseOwner deletes the owner's questions that change sets up to the sequence have left.
	EraseOwner(ctx context.Context, s memory.Scope, upTo uint64) (int, error)
}

// Erasures knows who was erased.
type Erasures interface {
	// Erased is the sequence below which the owner's ledger was erased last, 0 for never.
	Erased(ctx context.Context, s memory.Scope) (uint64, error)
}

// Embedder makes one dense vector a text of an owner's, in order.
type Embedder interface {
	EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error)
}

// Vectors is where an embedder keeps its vectors.
type Vectors interface {
	// EraseOwner deletes the owner's, whatever change sets they are of.
	EraseOwner(ctx context.Context, s memory.Scope, upTo uint64) (int, error)
}

// Config is what a Projector is made of. All of it is required, but for Vectors.
type Config struct {
	Log       Log
	Store     Store
	Embed     Embedder
	Questions Questions
	Erasures  Erasures
	// Vectors is nil where the embedder keeps nothing.
	Vectors Vectors
}

// Projector keeps the collections up to the ledger.
type Projector struct{ Config }

// New returns a projector.
func New(c Config) *Projector { return &Projector{c} }

// CatchUp projects what the owner's collection lacks and returns the ledger's head that it
// has reached.
func (p *Projector) CatchUp(ctx context.Context, s memory.Scope) (uint64, error) {
	head, err := p.Log.Head(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("read ledger head: %w", err)
	}
	cursor, err := p.cursor(ctx, s, head)
	if err != nil {
		return 0, err
	}
	if cursor >= head {
		return head, nil
	}
	first, err := p.project(ctx, s, cursor, head)
	if first > 0 {
		err = after(err, p.takeBack(ctx, s, first))
	}
	if err != nil {
		return 0, err
	}
	return head, nil
}

// project projects what the owner's ledger holds after the cursor, up to head. First is the
// first change set of which something may have been written; 0 when nothing has been.
func (p *Projector) project(ctx context.Context, s memory.Scope, cursor, head uint64) (first uint64, err error) {
	b := newBatch()
	before, begun := cursor, false
	flush := func() error {
		begun = true
		return p.flush(ctx, b)
	}
	err = p.Log.Read(ctx, s, cursor, head, func(seq uint64, _ time.Time, data []byte) error {
		c, err := ledger.Decode(data, s)
		if err != nil {
			return fmt.Errorf("change set %d: %w", seq, err)
		}
		if first == 0 {
			first = seq
		}
		b.add(s, before, seq, &c)
		before = seq
		if b.size() < batchSize {
			return nil
		}
		return flush()
	})
	switch {
	case err != nil:
		err = fmt.Errorf("read ledger: %w", err)
	default:
		b.move(s, before, head) // the head itself may have been deleted since
		err = flush()
	}
	switch {
	case !begun:
		return 0, err
	case first == 0:
		first = head
	}
	return first, err
}

// Holds reports whether the owner's collections hold everything up to head. Readers are
// moved to another collection while a rebuild publishes it: what was read after CatchUp
// belongs to head only if Holds is true after the reading too.
func (p *Projector) Holds(ctx context.Context, s memory.Scope, head uint64) (bool, error) {
	cursor, err := p.Store.Cursor(ctx, s)
	if err != nil {
		return false, fmt.Errorf("read cursor: %w", err)
	}
	return cursor >= head, nil
}

// Apply projects a change set that its author has just appended at seq, after head.
func (p *Projector) Apply(ctx context.Context, s memory.Scope, head, seq uint64, c *ledger.ChangeSet) error {
	b := newBatch()
	b.add(s, head, seq, c)
	err := p.flush(ctx, b)
	return after(err, p.takeBack(ctx, s, seq))
}

func (p *Projector) flushIfFull(ctx context.Context, b *batch) error {
	if b.size() < batchSize {
		return nil
	}
	return p.flush(ctx, b)
}

func (p *Projector) flush(ctx context.Context, b *batch) error {
	if len(b.cursors) == 0 {
		return nil
	}
	entries, err := p.embedded(ctx, b)
	if err != nil {
		return err
	}
	documents, err := p.documents(ctx, b)
	if err != nil {
		return err
	}
	if p.Questions != nil {
		for _, q := range b.questions {
			if err := p.Questions.Put(ctx, q.Question, q.seq); err != nil {
				return fmt.Errorf("write question %s: %w", q.ID, err)
			}
		}
	}
	err = p.Store.Write(ctx, index.Batch{
		Erased: b.erased, Entries: entries, Checkpoints: b.checkpoints, Dropped: b.dropped,
		Accessed: slices.Collect(maps.Values(b.accessed)), Documents: documents, Cursors: b.cursors,
	})
	if err != nil {
		return fmt.Errorf("write %d memories and %d documents: %w", len(entries), len(documents), err)
	}
	*b = *newBatch()
	return nil
}

// embedded are the batch's entries with their vectors. A tombstone has none.
func (p *Projector) embedded(ctx context.Context, b *batch) ([]index.Entry, error) {
	entries := make([]index.Entry, 0, len(b.order))
	texts, places := map[memory.Scope][]string{}, map[memory.Scope][]int{}
	for i, id := range b.order {
		e := b.entries[id]
		if m := &e.Memory; m.Status != memory.StatusDeleted {
			text := index.Text(m)
			e.Sparse = terms.Document(text, index.Terms(m)...)
			texts[m.Scope], places[m.Scope] = append(texts[m.Scope], text), append(places[m.Scope], i)
		}
		entries = append(entries, e)
	}
	for scope, own := range texts {
		dense, err := p.Embed.EmbedFor(ctx, scope, own)
		if err != nil {
			return nil, fmt.Errorf("embed %d memories: %w", len(own), err)
		}
		for n, i := range places[scope] {
			entries[i].Dense = dense[n]
		}
	}
	return entries, nil
}
