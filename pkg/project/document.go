package project

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// embedSize is how many documents are embedded at a time.
const embedSize = 256

// documents are the batch's documents with their vectors, ordered by id. One that is not to
// be found by meaning has none.
func (p *Projector) documents(ctx context.Context, b *batch) ([]index.DocumentEntry, error) {
	out := make([]index.DocumentEntry, 0, len(b.documents))
	texts, places := map[memory.Scope][]string{}, map[memory.Scope][]int{}
	for i, id := range slices.Sorted(maps.Keys(b.documents)) {
		e := b.documents[id]
		if text := index.DocumentText(&e.Document); text != "" {
			scope := e.Document.Scope
			e.Sparse = index.DocumentSparse(&e.Document)
			texts[scope], places[scope] = append(texts[scope], text), append(places[scope], i)
		}
		out = append(out, e)
	}
	for scope, own := range texts {
		n := 0
		for some := range slices.Chunk(own, embedSize) {
			dense, err := p.Embed.EmbedFor(ctx, scope, some)
			if err != nil {
				return nil, fmt.Errorf("embed %d documents: %w", len(some), err)
			}
			for _, vector := range dense {
				out[places[scope][n]].Dense = vector
				n++
			}
		}
	}
	return out, nil
}
