package recall

import (
	"context"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Memories are the owner's memories in any status, ordered by id.
func (s *Service) Memories(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	return s.Lists.List(ctx, scope)
}

// Archive is what the owner has in the archive, past values included, ordered by id.
func (s *Service) Archive(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	return s.Lists.ListArchive(ctx, scope)
}

// History is what a key of the owner has been, oldest statement first; without a key it is
// every change in the order of decision.
func (s *Service) History(ctx context.Context, scope memory.Scope, key memory.Key) ([]ledger.Entry, error) {
	records, err := s.Records(ctx, scope)
	if err != nil {
		return nil, err
	}
	if key == "" {
		return ledger.Changes(records), nil
	}
	return ledger.History(records, key), nil
}

// Refusals are the candidates about the owner that were refused, by decision, latest first.
func (s *Service) Refusals(ctx context.Context, scope memory.Scope) ([]ledger.Refused, error) {
	records, err := s.Records(ctx, scope)
	return ledger.Refusals(records), err
}

// Records are the owner's change sets, oldest first.
func (s *Service) Records(ctx context.Context, scope memory.Scope) ([]ledger.Record, error) {
	return decide.Records(ctx, s.Ledger, scope)
}
