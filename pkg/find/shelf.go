package find

import (
	"context"
	"fmt"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// ShelfEntry is what stands on a shelf: a memory or a document with its vectors.
type ShelfEntry struct {
	// Hit has a memory or a document, and its terms. The rest of it is of no account.
	Hit   index.Hit
	Dense []float32
	// length is that of Dense.
	length float64
}

// Shelf is a Store in memory. What is put on it is found as in a collection that holds it
// all: current memories that have not expired and are not suppressed, those that have gone
// cold when they are asked for, and documents that are there. It may be read by any number of
// goroutines at once.
type Shelf struct{ hand, archive *stock }

// NewShelf returns a shelf that holds the entries. Their vectors must be of one length; a
// nil vector is near nothing.
func NewShelf(entries ...ShelfEntry) *Shelf {
	s := &Shelf{newStock(), newStock()}
	for i := range entries {
		e := &entries[i]
		if m := &e.Hit.Memory; e.Hit.Document == nil && (!m.ArchivedAt.IsZero() || m.Origin != "") {
			s.archive.add(e)
		} else {
			s.hand.add(e)
		}
	}
	return s
}

// Search serves Store.
func (s *Shelf) Search(ctx context.Context, scope memory.Scope, q index.Query) ([]index.Hit, error) {
	if err := usable(ctx, scope); err != nil {
		return nil, err
	}
	hits := s.hand.search(scope, &q)
	if q.Archive && q.Sort == index.SortMemory {
		hits = byFused(append(hits, s.archive.search(scope, &q)...))
	}
	return hits, nil
}

// Beside serves Store.
func (s *Shelf) Beside(ctx context.Context, scope memory.Scope, q index.Query, spots []index.Spot, reach int64) ([]index.Hit, error) {
	if err := usable(ctx, scope); err != nil {
		return nil, err
	}
	q.Sort = index.SortDocument
	return s.hand.beside(scope, &q, spots, reach), nil
}

// usable reports why a search cannot begin.
func usable(ctx context.Context, scope memory.Scope) error {
	if err := scope.Validate(); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return ctx.Err()
}
