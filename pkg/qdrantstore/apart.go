package qdrantstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// ErrInUse means that a server has collections of mnemond already.
var ErrInUse = errors.New("the server has collections of mnemond")

// StartApart makes an empty pair that no alias will ever name, for a measurement. It is
// ErrInUse if the server has any collection of ours: a rebuild there would take the pair for
// a leftover.
func StartApart(ctx context.Context, c *qdrant.Client, m Model) (*Rebuild, error) {
	names, err := ours(ctx, c)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrInUse, names[0])
	}
	return StartRebuild(ctx, c, m)
}

// Drop deletes the pair.
func (r *Rebuild) Drop(ctx context.Context) error {
	for _, name := range r.both() {
		if err := r.client.DeleteCollection(ctx, name); err != nil {
			return fmt.Errorf("drop collection %s: %w", name, classify(err))
		}
	}
	return nil
}
