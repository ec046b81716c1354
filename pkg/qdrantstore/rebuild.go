package qdrantstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/qdrant/go-client/qdrant"
)

// Rebuild is a collection that is being filled, beside the one that is read.
type Rebuild struct {
	*Store
	old string
}

// StartRebuild makes an empty collection of the next generation. An unfinished one of a
// rebuild that was cut off is dropped first.
func StartRebuild(ctx context.Context, c *qdrant.Client, m Model) (*Rebuild, error) {
	old, err := behindAlias(ctx, c)
	if err != nil {
		return nil, err
	}
	name := m.collectionName(generation(old) + 1)
	exists, err := c.CollectionExists(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("look for collection %s: %w", name, classify(err))
	}
	if exists {
		if err := c.DeleteCollection(ctx, name); err != nil {
			return nil, fmt.Errorf("drop unfinished collection %s: %w", name, classify(err))
		}
	}
	if err := create(ctx, c, name, m); err != nil {
		return nil, err
	}
	return &Rebuild{Store: &Store{client: c, collection: name, model: m}, old: old}, nil
}

// Publish points the alias at the new collection, in one step for readers.
func (r *Rebuild) Publish(ctx context.Context) error {
	if err := Check(ctx, r.client, r.collection, r.model); err != nil {
		return err
	}
	if err := r.client.CreateAlias(ctx, Alias, r.collection); err != nil {
		return fmt.Errorf("move alias to %s: %w", r.collection, classify(err))
	}
	return nil
}

// DropOld deletes the collection that the alias named before, if there was one.
func (r *Rebuild) DropOld(ctx context.Context) error {
	if r.old == "" || r.old == r.collection {
		return nil
	}
	if err := r.client.DeleteCollection(ctx, r.old); err != nil {
		return fmt.Errorf("drop collection %s: %w", r.old, classify(err))
	}
	return nil
}

// Published returns the store as readers know it, once Publish has succeeded.
func (r *Rebuild) Published() *Store {
	return &Store{client: r.client, collection: Alias, model: r.model}
}

// behindAlias is the collection that the alias names, or "".
func behindAlias(ctx context.Context, c *qdrant.Client) (string, error) {
	aliases, err := c.ListAliases(ctx)
	if err != nil {
		return "", fmt.Errorf("list aliases: %w", classify(err))
	}
	for _, a := range aliases {
		if a.GetAliasName() == Alias {
			return a.GetCollectionName(), nil
		}
	}
	return "", nil
}

// generation is the number at the end of a collection's name, 0 for none.
func generation(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '_')+1:])
	if err != nil {
		return 0
	}
	return n
}
