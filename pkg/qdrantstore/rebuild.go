package qdrantstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

// Rebuild is a pair of collections that is being filled, beside the one that is read.
type Rebuild struct {
	*Store
}

// StartRebuild makes an empty pair of the next generation. An unfinished one of a rebuild
// that was cut off is dropped first.
func StartRebuild(ctx context.Context, c *qdrant.Client, m Model) (*Rebuild, error) {
	named, err := behindAliases(ctx, c)
	if err != nil {
		return nil, err
	}
	next := m.collections(max(generation(named.hand), generation(named.archive)) + 1)
	for _, name := range next.both() {
		exists, err := c.CollectionExists(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("look for collection %s: %w", name, classify(err))
		}
		if exists {
			if err := c.DeleteCollection(ctx, name); err != nil {
				return nil, fmt.Errorf("drop unfinished collection %s: %w", name, classify(err))
			}
		}
	}
	if err := create(ctx, c, next, m); err != nil {
		return nil, err
	}
	return &Rebuild{&Store{client: c, pair: next, model: m}}, nil
}

// Publish points both aliases at the new pair, in one step: a request sees one pair or the
// other.
func (r *Rebuild) Publish(ctx context.Context) error {
	if err := r.Check(ctx); err != nil {
		return err
	}
	err := r.client.UpdateAliases(ctx, []*qdrant.AliasOperations{
		qdrant.NewAliasCreate(Alias, r.hand), qdrant.NewAliasCreate(ArchiveAlias, r.archive),
	})
	if err != nil {
		return fmt.Errorf("move aliases to %s and %s: %w", r.hand, r.archive, classify(err))
	}
	return nil
}

// DropOld deletes the collections that the aliases named before, if there were any, and
// whatever rebuilds that were cut off have left: all of ours but the new ones and those that
// an alias names.
func (r *Rebuild) DropOld(ctx context.Context) error {
	names, err := ours(ctx, r.client)
	if err != nil {
		return err
	}
	named, err := behindAliases(ctx, r.client)
	if err != nil {
		return err
	}
	keep := slices.Concat(named.both(), r.both())
	for _, name := range names {
		if slices.Contains(keep, name) {
			continue
		}
		if err := r.client.DeleteCollection(ctx, name); err != nil {
			return fmt.Errorf("drop collection %s: %w", name, classify(err))
		}
	}
	return nil
}

// Published returns the store as readers know it, once Publish has succeeded.
func (r *Rebuild) Published() *Store {
	return &Store{client: r.client, pair: aliases, model: r.model}
}

// behindAliases are the collections that the aliases name, each "" where there is none.
func behindAliases(ctx context.Context, c *qdrant.Client) (named pair, err error) {
	all, err := c.ListAliases(ctx)
	if err != nil {
		return pair{}, fmt.Errorf("list aliases: %w", classify(err))
	}
	for _, a := range all {
		switch a.GetAliasName() {
		case Alias:
			named.hand = a.GetCollectionName()
		case ArchiveAlias:
			named.archive = a.GetCollectionName()
		}
	}
	return named, nil
}
