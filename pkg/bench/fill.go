package bench

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Collection takes entries.
type Collection interface {
	Write(ctx context.Context, b index.Batch) error
}

// EmbedderFor makes one dense vector a text of an owner's, in order.
type EmbedderFor interface {
	EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error)
}

// fillBatch bounds the memories of one write, unless a single owner has more.
const fillBatch = 1000

// fillers is how many batches are made and written at a time.
const fillers = 4

// Fill writes a population as if each owner had been told of in one change set. progress, which
// may be nil, is called with the memories written so far, by one goroutine at a time.
func Fill(ctx context.Context, p *Population, c Collection, e EmbedderFor, progress func(done int)) (Stored, error) {
	var mu sync.Mutex
	var sum Stored
	g, filling := errgroup.WithContext(ctx)
	g.SetLimit(fillers)
	for first, last := 0, 0; first < p.Owners && filling.Err() == nil; first = last {
		last = p.fits(first)
		g.Go(func() error {
			b, n, err := p.batch(filling, first, last, e)
			if err != nil {
				return err
			}
			if err := c.Write(filling, b); err != nil {
				return fmt.Errorf("write owners %d to %d: %w", first, last-1, err)
			}
			mu.Lock()
			defer mu.Unlock()
			sum.add(n)
			if progress != nil {
				progress(sum.Memories)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return sum, err
	}
	return sum, ctx.Err()
}

// fits is the owner up to which, and without whom, those from first on go into one batch.
func (p *Population) fits(first int) int {
	last := first + 1
	for n := p.Size(first); last < p.Owners && n+p.Size(last) <= fillBatch; last++ {
		n += p.Size(last)
	}
	return last
}

// batch are the memories of the owners from first up to, and without, last.
func (p *Population) batch(ctx context.Context, first, last int, e EmbedderFor) (index.Batch, Stored, error) {
	b := index.Batch{Cursors: map[memory.Scope]index.Step{}}
	var n Stored
	for owner := first; owner < last; owner++ {
		scope, seq := p.Scope(owner), uint64(owner+1)
		memories := p.Of(owner)
		texts := make([]string, len(memories))
		for i := range memories {
			texts[i] = index.Text(&memories[i])
		}
		dense, err := e.EmbedFor(ctx, scope, texts)
		if err != nil {
			return b, n, fmt.Errorf("embed memories of owner %d: %w", owner, err)
		}
		for i := range memories {
			n.count(p, &memories[i])
			b.Entries = append(b.Entries, index.Entry{
				Memory: memories[i], LedgerSeq: seq, Dense: dense[i], Sparse: index.Sparse(&memories[i]),
			})
		}
		b.Cursors[scope] = index.Step{To: seq}
	}
	return b, n, nil
}

// Stored is what was written.
type Stored struct {
	Memories int `json:"memories"`
	// Recallable are those that a recall without the archive can find; the others are in the
	// archive, have expired or are suppressed.
	Recallable int `json:"recallable"`
	Archived   int `json:"archived"`
	Expired    int `json:"expired"`
	Suppressed int `json:"suppressed"`
	Keyed      int `json:"keyed"`
	Chinese    int `json:"chinese"`
}

func (s *Stored) count(p *Population, m *memory.Memory) {
	s.Memories++
	switch {
	case p.recallable(m):
		s.Recallable++
	case !m.ArchivedAt.IsZero():
		s.Archived++
	case m.SuppressedBy != "":
		s.Suppressed++
	default:
		s.Expired++
	}
	if m.Key != "" {
		s.Keyed++
	}
	if m.Language == "zh" {
		s.Chinese++
	}
}

func (s *Stored) add(o Stored) {
	s.Memories += o.Memories
	s.Recallable += o.Recallable
	s.Archived += o.Archived
	s.Expired += o.Expired
	s.Suppressed += o.Suppressed
	s.Keyed += o.Keyed
	s.Chinese += o.Chinese
}
