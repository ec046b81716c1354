package bench

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
)

// Pipeline is a way to rank turns.
type Pipeline = find.Pipeline

// Pipelines are all of them, from the least to the whole.
func Pipelines() []Pipeline { return []Pipeline{find.BM25, find.Dense, find.Hybrid, find.Full} }

// Embedder makes one dense vector a text, in order.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Lab ranks the turns of a set in memory as the product ranks documents: all of them stand on
// one shelf, and each pool has its own owner. It is for trying out weights; what a store
// costs, it does not show.
type Lab struct {
	embed   Embedder
	measure rank.Measure
	shelf   *find.Shelf
	owners  map[*Pool]memory.Scope
}

// NewLab indexes the pools.
func NewLab(ctx context.Context, pools []*Pool, e Embedder, m rank.Measure) (*Lab, error) {
	l := &Lab{embed: e, measure: m, owners: map[*Pool]memory.Scope{}}
	var all []find.ShelfEntry
	for i, p := range pools {
		l.owners[p] = memory.UserScope("lab", memory.User(strconv.Itoa(i)))
		entries, err := l.entries(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("index turns of %s: %w", p.Users[0].ID, err)
		}
		all = append(all, entries...)
	}
	l.shelf = find.NewShelf(all...)
	return l, nil
}

func (l *Lab) entries(ctx context.Context, p *Pool) ([]find.ShelfEntry, error) {
	documents, err := p.Documents(l.owners[p], time.Unix(0, 0))
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(documents))
	out := make([]find.ShelfEntry, len(documents))
	for i := range documents {
		d := &documents[i]
		texts[i] = index.DocumentText(d)
		out[i].Hit = index.Hit{Document: d, Terms: index.DocumentSparse(d)}
	}
	dense, err := l.embed.Embed(ctx, texts)
	for i := range dense {
		out[i].Dense = dense[i]
	}
	return out, err
}

// labLimit is how many turns are ranked.
const labLimit = 100

// Weigh sets other weights than those that the lab was made with.
func (l *Lab) Weigh(m rank.Measure) { l.measure = m }

// Open returns the ranker of a pipeline for a pool of the lab.
func (l *Lab) Open(p *Pool, pipeline Pipeline) Ranker {
	c := find.Config{
		Store: l.shelf, Embed: owned{l.embed}, Measure: l.measure, MinDense: float32(l.measure.MinCosine), Weights: rank.DefaultWeights(),
	}
	if r, ok := l.embed.(interface{ Related(query, text string) bool }); ok {
		c.Related = r.Related
	}
	f := find.New(c)
	return func(ctx context.Context, query string) ([]int, error) {
		found, err := f.Find(ctx, find.Request{
			Scopes: []memory.Scope{l.owners[p]}, Query: query, Now: time.Unix(0, 0), Sort: index.SortDocument,
			Pipeline: pipeline, Limit: labLimit,
		})
		if err != nil {
			return nil, err
		}
		order := make([]int, len(found))
		for i := range found {
			if order[i], err = Place(found[i].Hit.Document); err != nil {
				return nil, err
			}
		}
		return order, nil
	}
}

// owned is an embedder that makes no difference between owners.
type owned struct{ Embedder }

// EmbedFor serves find.Embedder.
func (o owned) EmbedFor(ctx context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	return o.Embed(ctx, texts)
}
