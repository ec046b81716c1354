package shelve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Bounds of a search.
const (
	DefaultLimit = 10
	MaxLimit     = 1000
	// MaxQueryBytes bounds the query.
	MaxQueryBytes = 8 << 10
	// MaxRead is how many documents a search reads at most.
	MaxRead = 10000
)

// Request asks for documents of an owner.
type Request struct {
	// Prefix is what their namespaces begin with; empty means all.
	Prefix []string
	// Filter is as document.ParseFilter reads it; nil holds for all.
	Filter json.RawMessage
	// Query is what they are to be about. Without it they come in the order of their last put,
	// the latest first, and those of one time in that of their keys.
	Query string
	// Limit is how many to return: 1 to MaxLimit, DefaultLimit if 0. Offset is how many of the
	// first ones to leave out.
	Limit, Offset int
}

// Found is one document.
type Found struct {
	Document document.Document
	// Score is how near it is to the query, above 0; 0 without one.
	Score float64
}

func (r *Request) validate() (document.Filter, error) {
	if err := document.ValidatePrefix("namespace_prefix", r.Prefix); err != nil {
		return document.Filter{}, err
	}
	if err := bounded(&r.Limit, r.Offset, DefaultLimit); err != nil {
		return document.Filter{}, err
	}
	r.Query = strings.TrimSpace(r.Query)
	if len(r.Query) > MaxQueryBytes {
		return document.Filter{}, fault.BadField("query", fmt.Sprintf("must be at most %d bytes, is %d", MaxQueryBytes, len(r.Query)))
	}
	return document.ParseFilter(r.Filter)
}

func bounded(limit *int, offset, standard int) error {
	if *limit == 0 {
		*limit = standard
	}
	switch {
	case *limit < 0 || *limit > MaxLimit:
		return fault.BadField("limit", fmt.Sprintf("must be between 1 and %d", MaxLimit))
	case offset < 0 || offset > MaxRead:
		return fault.BadField("offset", fmt.Sprintf("must be between 0 and %d", MaxRead))
	}
	return nil
}

// Search returns what the request asks for and the filter holds for. With a query, what is
// not about it is not returned, however little there is. Whatever the filter is, nothing that
// it holds for is missed because of what it does not hold for; where that would take reading
// more than MaxRead documents, it is a *fault.FieldError of the filter.
func (s *Service) Search(ctx context.Context, scope memory.Scope, r Request) ([]Found, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	filter, err := r.validate()
	if err != nil {
		return nil, err
	}
	q := index.Query{Now: s.now(), Sort: index.SortDocument, Namespace: r.Prefix, Pairs: filter.Pairs()}
	var out []Found
	if r.Query == "" {
		out, err = s.newest(ctx, scope, &r, q, filter)
	} else {
		out, err = s.nearest(ctx, scope, &r, q, filter)
	}
	if err != nil {
		return nil, fmt.Errorf("search documents: %w", err)
	}
	return out[min(r.Offset, len(out)):min(r.Offset+r.Limit, len(out))], nil
}

// newest are the documents that were put last, those to leave out included.
func (s *Service) newest(ctx context.Context, scope memory.Scope, r *Request, q index.Query, filter document.Filter) ([]Found, error) {
	var out []Found
	read, want := 0, r.Offset+r.Limit
	for d, err := range s.Documents.Newest(ctx, scope, q) {
		if err != nil {
			return nil, err
		}
		if n := len(out); n >= want && !d.UpdatedAt.Equal(out[n-1].Document.UpdatedAt) {
			break
		}
		if read++; read > MaxRead {
			return nil, tooMany(filter)
		}
		if filter.Match(&d) {
			out = append(out, Found{Document: d})
		}
	}
	slices.SortStableFunc(out, func(a, b Found) int {
		return cmp.Or(b.Document.UpdatedAt.Compare(a.Document.UpdatedAt), strings.Compare(a.Document.Key, b.Document.Key),
			slices.Compare(a.Document.Namespace, b.Document.Namespace))
	})
	return out, nil
}

func tooMany(filter document.Filter) error {
	if filter.IsZero() {
		return fault.BadField("offset", fmt.Sprintf("goes beyond the %d documents that a search reads; narrow namespace_prefix", MaxRead))
	}
	return fault.BadField("filter", fmt.Sprintf(
		"needs more than %d documents to be read: ask for equality of a field as well, or narrow namespace_prefix", MaxRead))
}

// nearest are the documents that are about the query. The collection narrows by equality. If
// it finds what the filter does not hold for, it may have missed what it would have found
// otherwise: then all documents of the prefix are read, and those that the filter holds for
// are searched.
func (s *Service) nearest(ctx context.Context, scope memory.Scope, r *Request, q index.Query, filter document.Filter) ([]Found, error) {
	missed := false
	request := find.Request{
		Scopes: []memory.Scope{scope}, Query: r.Query, Now: q.Now, Sort: q.Sort, Namespace: q.Namespace, Pairs: q.Pairs,
		Limit: r.Offset + r.Limit,
		Keep: func(h *index.Hit) bool {
			holds := filter.Match(h.Document)
			missed = missed || !holds
			return holds
		},
	}
	found, err := s.Find.Find(ctx, request)
	if err == nil && missed {
		var shelf *find.Shelf
		if shelf, err = s.shelf(ctx, scope, q, filter); err == nil {
			all := s.Find.Config
			all.Store = shelf
			found, err = find.New(all).Find(ctx, request)
		}
	}
	if err != nil {
		return nil, err
	}
	out := make([]Found, len(found))
	for i, f := range found {
		out[i] = Found{Document: *f.Hit.Document, Score: f.Score.Total}
	}
	return out, nil
}

// shelf holds the documents that the filter holds for.
func (s *Service) shelf(ctx context.Context, scope memory.Scope, q index.Query, filter document.Filter) (*find.Shelf, error) {
	var entries []find.ShelfEntry
	read := 0
	for e, err := range s.Vectors.Within(ctx, scope, q) {
		if err != nil {
			return nil, err
		}
		if read++; read > MaxRead {
			return nil, tooMany(filter)
		}
		if filter.Match(&e.Document) {
			entries = append(entries, find.ShelfEntry{Hit: index.Hit{Document: &e.Document, Terms: e.Sparse}, Dense: e.Dense})
		}
	}
	return find.NewShelf(entries...), nil
}
