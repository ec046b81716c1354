package qdrantstore

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Store reads and writes the two collections, what is at hand and the archive, known by
// their aliases or, while they are being rebuilt, by their own names.
type Store struct {
	client *qdrant.Client
	pair
	model Model
}

// Open returns the store behind the aliases, once both collections have been checked. It
// returns ErrNoCollection when nothing has been projected yet, into one of them or both.
func Open(ctx context.Context, c *qdrant.Client, m Model) (*Store, error) {
	for _, name := range aliases.both() {
		ok, err := c.CollectionExists(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("look for collection: %w", classify(err))
		}
		if !ok {
			return nil, ErrNoCollection
		}
	}
	s := &Store{client: c, pair: aliases, model: m}
	if err := s.Check(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Cursor is the last change set projected for the owner, 0 when there is none.
func (s *Store) Cursor(ctx context.Context, scope memory.Scope) (uint64, error) {
	if err := scope.Validate(); err != nil {
		return 0, fmt.Errorf("read cursor: %w", err)
	}
	points, err := s.client.Get(ctx, &qdrant.GetPoints{
		CollectionName: s.hand, Ids: []*qdrant.PointId{cursorID(scope)},
		WithPayload: qdrant.NewWithPayloadInclude(fieldSeq),
	})
	if err != nil {
		return 0, fmt.Errorf("read cursor: %w", classify(err))
	}
	if len(points) == 0 {
		return 0, nil
	}
	return sequence(points[0].GetPayload()), nil
}
