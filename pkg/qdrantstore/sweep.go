package qdrantstore

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// dueDates are the fields that hold the date of each question: on the points that it is
// about, and on no others.
var dueDates = map[index.DueJob]string{
	index.DueExpired:    fieldExpires,
	index.DueUnused:     fieldUsed,
	index.DueDeleted:    fieldDeleted,
	index.DueTombstones: fieldPurgedDeleted,
	index.DueArchived:   fieldArchived,
	index.DueQuestions:  fieldTimeout,

	index.DueExpiredDocuments: fieldExpires,
	index.DueStaleDocuments:   fieldStale,
	index.DueRemovedDocuments: fieldRemoved,
}

// Sweep calls fn for what is due, of every owner, in pages of at most limit (from 1 to
// 1000). It is the reaper's read and the only one that crosses owners: it gives away whose
// a memory is and its id, and nothing else of it. All that is due when it begins and still
// is when its page is read is in exactly one page, however much that is; fn may change it,
// and take what it likes from the collections. An error of fn ends it.
func (s *Store) Sweep(ctx context.Context, d index.Due, limit int, fn func([]index.Ref) error) error {
	f, err := dueFilter(d)
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	for _, collection := range s.heldIn(d.Job) {
		for points, err := range s.pages(ctx, collection, f, min(max(limit, 1), maxPage), fieldOwner) {
			if err != nil {
				return fmt.Errorf("sweep for %s: %w", d.Job, err)
			}
			refs, err := refsOf(points)
			if err != nil {
				return fmt.Errorf("sweep for %s: %w", d.Job, err)
			}
			if err := fn(refs); err != nil {
				return err
			}
		}
	}
	return nil
}

// DueOf returns the first memories of one owner that are due, as many as limit, which have
// an id after the given one (empty for the first of all), ordered by id, tombstones included.
func (s *Store) DueOf(ctx context.Context, scope memory.Scope, d index.Due, after memory.ID, limit int) ([]memory.Memory, error) {
	f, err := dueFilter(d)
	if err != nil {
		return nil, fmt.Errorf("read what is due: %w", err)
	}
	limit = max(limit, 1)
	r := newReading(s, scope)
	for _, collection := range s.heldIn(d.Job) {
		r.readAfter(ctx, collection, f, after, limit)
	}
	out, err := r.memories()
	return out[:min(len(out), limit)], err
}

// heldIn are the collections in which what a job looks for may be.
func (s *Store) heldIn(job index.DueJob) []string {
	switch job {
	case index.DueArchived:
		return []string{s.archive}
	case index.DueAccessed:
		return s.both()
	default:
		return []string{s.hand}
	}
}

// dueFilter names no owner: only Sweep uses it as it is.
func dueFilter(d index.Due) (*qdrant.Filter, error) {
	f := &qdrant.Filter{}
	field, dated := dueDates[d.Job]
	switch d.Job { // what both memories and documents have
	case index.DueExpired:
		f.Must = append(f.Must, qdrant.NewMatchKeyword(fieldType, typeMemory))
	case index.DueExpiredDocuments:
		f.Must = append(f.Must, qdrant.NewMatchKeyword(fieldType, typeDocument))
	}
	switch {
	case dated:
		f.Must = append(f.Must, qdrant.NewDatetimeRange(field, &qdrant.DatetimeRange{Lte: timestamppb.New(d.Before)}))
	case d.Job == index.DueAccessed:
		f.Must = append(f.Must, qdrant.NewMatchBool(fieldAccessed, true))
	default:
		return nil, fault.Permanent(fmt.Errorf("no such job %q", d.Job))
	}
	if d.Tenant != "" {
		f.Must = append(f.Must, qdrant.NewMatchKeyword(fieldTenant, string(d.Tenant)))
	}
	f.MustNot = anyOf(fieldTenant, d.Except)
	return f, nil
}

func refsOf(points []*qdrant.RetrievedPoint) ([]index.Ref, error) {
	refs := make([]index.Ref, 0, len(points))
	for _, p := range points {
		scope, err := parseOwner(p.GetPayload()[fieldOwner].GetStringValue())
		if err != nil {
			return nil, fmt.Errorf("point %s: %w", p.GetId().GetUuid(), err)
		}
		refs = append(refs, index.Ref{Scope: scope, ID: memory.ID(p.GetId().GetUuid())})
	}
	return refs, nil
}
