package curate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Documents is the collection, as one owner's documents are read from it.
type Documents interface {
	// Documents returns those with these ids that there are, expired ones and what is left of
	// removed ones included.
	Documents(ctx context.Context, s memory.Scope, ids []memory.ID) ([]document.Document, error)
	// Newest yields what is there at q.Now, what was put last first. It ends after an error.
	Newest(ctx context.Context, s memory.Scope, q index.Query) iter.Seq2[document.Document, error]
}

// MaxCarry and MaxCarryBytes bound the documents that a merge takes over.
const (
	MaxCarry      = 2000
	MaxCarryBytes = 32 << 20
)

// Carried is what became of one document of a user who was merged.
type Carried struct {
	Namespace []string `json:"namespace" nullable:"false" doc:"The namespace of the document."`
	Key       string   `json:"key" doc:"The key of the document."`
	Result    Result   `json:"result" doc:"added, unchanged where the same one is there, or skipped where another one is."`
	Reason    string   `json:"reason,omitempty" doc:"Why it was skipped."`
}

// ReasonOccupied is why a document is not taken over: there is another one in its place.
const ReasonOccupied = "another_document_is_there"

// reasonMerged is why a document was put, as it stands in the ledger.
const reasonMerged = "merged"

// carry decides which documents of one user another one takes over, and says what becomes of
// each. What there is of the other's stays.
func (s *Service) carry(ctx context.Context, from, into memory.Scope) ([]ledger.Change, []Carried, error) {
	now := s.Now().UTC().Truncate(time.Microsecond)
	theirs, ids, err := s.carried(ctx, from, into, now)
	if err != nil {
		return nil, nil, err
	}
	there := map[memory.ID]*document.Document{}
	if len(ids) > 0 {
		own, err := s.Documents.Documents(ctx, into, ids)
		if err != nil {
			return nil, nil, fmt.Errorf("read documents: %w", err)
		}
		for i := range own {
			there[own[i].ID] = &own[i]
		}
	}
	var puts []ledger.Change
	out := []Carried{}
	for _, d := range theirs {
		one := Carried{Namespace: d.Namespace, Key: d.Key, Result: ResultAdded}
		switch was := there[d.ID]; {
		case was == nil || !was.Live(now):
			d = d.Over(was, now)
			puts = append(puts, ledger.Change{Op: ledger.OpPut, Document: &d, Reason: reasonMerged})
		case document.Same(was, &d):
			one.Result = ResultUnchanged
		default:
			one.Result, one.Reason = ResultSkipped, ReasonOccupied
		}
		out = append(out, one)
	}
	return puts, out, nil
}

// carried are the documents of one user as they would be another one's, in the order of their
// namespaces and keys, and their ids.
func (s *Service) carried(ctx context.Context, from, into memory.Scope, now time.Time) ([]document.Document, []memory.ID, error) {
	var out []document.Document
	size := 0
	for d, err := range s.Documents.Newest(ctx, from, index.Query{Now: now, Sort: index.SortDocument}) {
		if err != nil {
			return nil, nil, fmt.Errorf("read documents: %w", err)
		}
		if size += len(d.Value); len(out) == MaxCarry || size > MaxCarryBytes {
			return nil, nil, fault.BadField("from", fmt.Sprintf("has more than %d documents or %d MB of them: export and import them", MaxCarry, MaxCarryBytes>>20))
		}
		out = append(out, document.Document{
			ID: document.Identity(into, d.Namespace, d.Key), Scope: into, Namespace: d.Namespace, Key: d.Key, Value: d.Value,
			Index: d.Index, Source: d.Source, ExpiresAt: d.ExpiresAt,
		})
	}
	slices.SortFunc(out, func(a, b document.Document) int {
		return cmp.Or(slices.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Key, b.Key))
	})
	ids := make([]memory.ID, len(out))
	for i := range out {
		ids[i] = out[i].ID
	}
	return out, ids, nil
}
