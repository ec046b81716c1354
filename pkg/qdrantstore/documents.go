package qdrantstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// documents adds the points of documents.
func (b bySeq) documents(entries []index.DocumentEntry) error {
	for i := range entries {
		e := &entries[i]
		if err := e.Document.Scope.Validate(); err != nil {
			return fmt.Errorf("write document %s: %w", e.Document.ID, err)
		}
		point, err := documentPoint(e)
		if err != nil {
			return err
		}
		b[e.LedgerSeq] = append(b[e.LedgerSeq], point)
	}
	return nil
}

// documentPoint is a document's point. One that is not found by meaning has no vectors, and
// what is left of a removed one is found by nothing but its id and the jobs of the reaper.
func documentPoint(e *index.DocumentEntry) (*qdrant.PointStruct, error) {
	d := &e.Document
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(d); err != nil {
		return nil, fmt.Errorf("encode document %s: %w", d.ID, err)
	}
	p := newPayload(d.Scope, typeDocument, e.LedgerSeq)
	p.text(fieldDocument, strings.TrimSuffix(raw.String(), "\n"))
	p.texts(fieldNamespace, document.Prefixes(d.Namespace))
	p.texts(fieldPairs, document.Pairs(d))
	if t := d.Source.Thread; t != "" {
		p.text(fieldThread, string(t))
		p[fieldPlace] = qdrant.NewValueInt(d.Source.Place)
	}
	p.date(fieldUpdated, d.UpdatedAt)
	p.date(fieldExpires, d.ExpiresAt)
	p.date(fieldStale, d.StaleSince)
	if d.StaleSince.IsZero() {
		p.date(fieldRemoved, d.RemovedAt)
	}
	vectors := map[string]*qdrant.Vector{}
	if len(e.Dense) > 0 {
		vectors[vectorDense] = qdrant.NewVectorDense(e.Dense)
	}
	if len(e.Sparse.Indices) > 0 {
		vectors[vectorSparse] = qdrant.NewVectorSparse(e.Sparse.Indices, e.Sparse.Values)
	}
	return &qdrant.PointStruct{
		Id: qdrant.NewIDUUID(string(d.ID)), Payload: p, Vectors: qdrant.NewVectorsMap(vectors),
	}, nil
}

var errNoDocument = errors.New("point without a document")

func decodeDocument(p payload) (document.Document, error) {
	var d document.Document
	raw := p[fieldDocument].GetStringValue()
	if raw == "" {
		return d, errNoDocument
	}
	if err := json.Unmarshal([]byte(raw), &d); err != nil {
		return d, fmt.Errorf("decode document: %w", err)
	}
	return d, nil
}

// liveDocuments holds for documents that are there at q.Now, within what q narrows to.
func liveDocuments(scope memory.Scope, q index.Query) (*qdrant.Filter, error) {
	f := &qdrant.Filter{
		Must:    []*qdrant.Condition{laterThan(fieldExpires, q.Now)},
		MustNot: []*qdrant.Condition{qdrant.NewIsEmpty(fieldUpdated)},
	}
	if len(q.Namespace) > 0 {
		f.Must = append(f.Must, qdrant.NewMatchKeyword(fieldNamespace, document.Joined(q.Namespace)))
	}
	for _, pair := range q.Pairs[:min(len(q.Pairs), index.MaxPairs)] {
		f.Must = append(f.Must, qdrant.NewMatchKeywords(fieldPairs, pair, document.PairsOverflow))
	}
	return scoped(scope, f, typeDocument)
}

// documentPage is how many documents one answer holds: with their vectors, they stay below
// maxMessage however large each is. Without, largePage of them do.
const (
	documentPage = 200
	largePage    = 600
)

// Documents returns those of the owner's documents with these ids that there are, expired
// ones and what is left of removed ones included, ordered by id.
func (s *Store) Documents(ctx context.Context, scope memory.Scope, ids []memory.ID) ([]document.Document, error) {
	var out []document.Document
	for some := range slices.Chunk(ids, maxList) {
		f, err := scoped(scope, &qdrant.Filter{Must: []*qdrant.Condition{hasIDs(some)}}, typeDocument)
		if err != nil {
			return nil, fmt.Errorf("read documents: %w", err)
		}
		for points, err := range s.pages(ctx, s.hand, f, documentPage, fieldDocument) {
			if out, err = appendDocuments(out, points, err); err != nil {
				return nil, fmt.Errorf("read documents: %w", err)
			}
		}
	}
	slices.SortFunc(out, func(a, b document.Document) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return out, scope.Validate()
}

func appendDocuments(out []document.Document, points []*qdrant.RetrievedPoint, err error) ([]document.Document, error) {
	for _, p := range points {
		var d document.Document
		if d, err = decodeDocument(p.GetPayload()); err != nil {
			return out, err
		}
		out = append(out, d)
	}
	return out, err
}

// Newest yields the owner's documents that are there at q.Now and within what it narrows to,
// the one that was put last first. Those that were put at the same time come in any order.
// It ends after an error.
func (s *Store) Newest(ctx context.Context, scope memory.Scope, q index.Query) iter.Seq2[document.Document, error] {
	return func(yield func(document.Document, error) bool) {
		f, err := liveDocuments(scope, q)
		if err != nil {
			yield(document.Document{}, fmt.Errorf("read newest documents: %w", err))
			return
		}
		var last []memory.ID // those of the time at which the next page begins
		var at time.Time
		for size := documentPage; ; size = largePage { // most look at the first few only
			page, err := s.newestPage(ctx, f, at, last, size)
			if err != nil {
				yield(document.Document{}, fmt.Errorf("read newest documents: %w", err))
				return
			}
			for _, d := range page {
				if !yield(d, nil) {
					return
				}
				if !d.UpdatedAt.Equal(at) {
					at, last = d.UpdatedAt, nil
				}
				last = append(last, d.ID)
			}
			if len(page) < size {
				return
			}
		}
	}
}

// newestPage is a page of what f holds for that was put at the instant or before, but for
// some.
func (s *Store) newestPage(ctx context.Context, f *qdrant.Filter, at time.Time, but []memory.ID, size int) ([]document.Document, error) {
	from := &qdrant.OrderBy{Key: fieldUpdated, Direction: qdrant.Direction_Desc.Enum()}
	without := &qdrant.Filter{Must: f.GetMust(), MustNot: slices.Clone(f.GetMustNot())}
	if !at.IsZero() {
		from.StartFrom = &qdrant.StartFrom{Value: &qdrant.StartFrom_Timestamp{Timestamp: timestamppb.New(at)}}
		for some := range slices.Chunk(but, maxList) {
			without.MustNot = append(without.MustNot, hasIDs(some))
		}
	}
	points, err := s.client.Scroll(ctx, &qdrant.ScrollPoints{
		CollectionName: s.hand, Filter: without, OrderBy: from, Limit: qdrant.PtrOf(uint32(size)),
		WithPayload: qdrant.NewWithPayloadInclude(fieldDocument),
	})
	if err != nil {
		return nil, classify(err)
	}
	return appendDocuments(nil, points, nil)
}

// Within yields what Newest does, ordered by id and with the vectors.
func (s *Store) Within(ctx context.Context, scope memory.Scope, q index.Query) iter.Seq2[index.DocumentEntry, error] {
	return func(yield func(index.DocumentEntry, error) bool) {
		f, err := liveDocuments(scope, q)
		if err != nil {
			yield(index.DocumentEntry{}, fmt.Errorf("read documents: %w", err))
			return
		}
		request := &qdrant.ScrollPoints{
			CollectionName: s.hand, Filter: f, Limit: qdrant.PtrOf(uint32(documentPage)),
			WithPayload: qdrant.NewWithPayloadInclude(fieldDocument, fieldSeq), WithVectors: qdrant.NewWithVectors(true),
		}
		for more := true; more; {
			points, next, err := s.client.ScrollAndOffset(ctx, request)
			if err != nil {
				yield(index.DocumentEntry{}, fmt.Errorf("read documents: %w", classify(err)))
				return
			}
			for _, p := range points {
				e, err := documentEntry(p)
				if !yield(e, err) || err != nil {
					return
				}
			}
			request.Offset, more = next, next != nil
		}
	}
}

func documentEntry(p *qdrant.RetrievedPoint) (index.DocumentEntry, error) {
	d, err := decodeDocument(p.GetPayload())
	if err != nil {
		return index.DocumentEntry{}, fmt.Errorf("read documents: %w", err)
	}
	e := index.DocumentEntry{Document: d, LedgerSeq: sequence(p.GetPayload())}
	vectors := p.GetVectors().GetVectors().GetVectors()
	e.Dense = vectors[vectorDense].GetDense().GetData()
	sparse := vectors[vectorSparse].GetSparse()
	e.Sparse.Indices, e.Sparse.Values = sparse.GetIndices(), sparse.GetValues()
	return e, nil
}

// Namespaces returns the namespaces in which the owner has documents that are there at
// q.Now, within what it narrows to: each once, in the order of their labels. It reads the
// namespace of every one of these documents.
func (s *Store) Namespaces(ctx context.Context, scope memory.Scope, q index.Query) ([][]string, error) {
	f, err := liveDocuments(scope, q)
	if err != nil {
		return nil, fmt.Errorf("read namespaces: %w", err)
	}
	seen := map[string]bool{}
	var out [][]string
	for points, err := range s.pages(ctx, s.hand, f, maxPage, fieldNamespace) {
		if err != nil {
			return nil, fmt.Errorf("read namespaces: %w", err)
		}
		for _, p := range points {
			prefixes := p.GetPayload()[fieldNamespace].GetListValue().GetValues()
			whole := prefixes[len(prefixes)-1].GetStringValue()
			if !seen[whole] {
				seen[whole] = true
				out = append(out, document.Labels(whole))
			}
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out, nil
}

// DueDocuments returns the first documents of one owner that are due, as many as limit, which
// have an id after the given one (empty for the first of all), ordered by id, and whether
// there may be more.
func (s *Store) DueDocuments(ctx context.Context, scope memory.Scope, d index.Due, after memory.ID, limit int) ([]document.Document, bool, error) {
	f, err := dueFilter(d)
	if err == nil {
		f, err = scoped(scope, f, typeDocument)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read what is due: %w", err)
	}
	limit = min(max(limit, 1), documentPage)
	for points, err := range s.pagesAfter(ctx, s.hand, f, after, limit+1, fieldDocument) {
		out, err := appendDocuments(nil, points[:min(len(points), limit)], err)
		if err != nil {
			return nil, false, fmt.Errorf("read what is due: %w", err)
		}
		return out, len(out) == limit, nil
	}
	return nil, false, nil
}
