package qdrantstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/memory"
)

// reading gathers an owner's memories from both collections, each once: where a write was
// cut off between the two, as the later change set left it. Its first error ends it.
type reading struct {
	store   *Store
	scope   memory.Scope
	found   map[memory.ID]version
	markers []memory.ID
	err     error
}

type version struct {
	memory.Memory
	seq uint64
}

func newReading(s *Store, scope memory.Scope) *reading {
	return &reading{store: s, scope: scope, found: map[memory.ID]version{}}
}

// read takes the memories, and the points of other types if they are named, that f holds for.
func (r *reading) read(ctx context.Context, collection string, f *qdrant.Filter, others ...string) {
	f = r.within(f, others...)
	if r.err != nil {
		return
	}
	for points, err := range r.store.pages(ctx, collection, f, pageSize, readFields...) {
		if r.err = cmp.Or(err, r.take(points)); r.err != nil {
			return
		}
	}
}

// readAfter takes the first memories, as many as limit, that f holds for and that have an id
// after the given one.
func (r *reading) readAfter(ctx context.Context, collection string, f *qdrant.Filter, after memory.ID, limit int) {
	f = r.within(f)
	if r.err != nil {
		return
	}
	// The page begins at the id itself.
	size := min(limit, maxPage-1) + 1
	for points, err := range r.store.pagesAfter(ctx, collection, f, after, size, readFields...) {
		points = points[:min(len(points), limit)]
		if r.err = cmp.Or(err, r.take(points)); r.err != nil {
			return
		}
		if limit -= len(points); limit == 0 {
			return
		}
	}
}

// within is f for the owner, and for memories and the other types.
func (r *reading) within(f *qdrant.Filter, others ...string) *qdrant.Filter {
	if r.err == nil {
		f, r.err = scoped(r.scope, f, append(others, typeMemory)...)
	}
	return f
}

func (r *reading) readIDs(ctx context.Context, collection string, ids []memory.ID) {
	for some := range slices.Chunk(ids, maxList) {
		r.read(ctx, collection, &qdrant.Filter{Must: []*qdrant.Condition{hasIDs(some)}})
	}
}

// readFields are what take reads.
var readFields = append([]string{fieldSeq, fieldType}, memoryFields...)

func (r *reading) take(points []*qdrant.RetrievedPoint) error {
	for _, p := range points {
		fields := p.GetPayload()
		if fields[fieldType].GetStringValue() == typeMarker {
			r.markers = append(r.markers, memory.ID(p.GetId().GetUuid()))
			continue
		}
		m, err := decode(fields)
		if err != nil {
			return err
		}
		v := version{m, sequence(fields)}
		if before, ok := r.found[m.ID]; !ok || before.seq < v.seq {
			r.found[m.ID] = v
		}
	}
	return nil
}

func (r *reading) memories() ([]memory.Memory, error) {
	if r.err != nil {
		return nil, fmt.Errorf("read memories: %w", r.err)
	}
	var out []memory.Memory
	for _, id := range slices.Sorted(maps.Keys(r.found)) {
		out = append(out, r.found[id].Memory)
	}
	return out, nil
}
