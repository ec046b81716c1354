package qdrantstore

import (
	"context"
	"iter"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/memory"
)

// pageSize is how many memories one request reads.
const pageSize = 256

// pages yields the points that f holds for, with the fields, ordered by id, in pages that are
// not empty. Who reads them may change and delete them. It ends after an error.
func (s *Store) pages(ctx context.Context, collection string, f *qdrant.Filter, size int, fields ...string) iter.Seq2[[]*qdrant.RetrievedPoint, error] {
	return s.pagesAfter(ctx, collection, f, "", size, fields...)
}

// pagesAfter is pages of the points after one, which need not be there.
func (s *Store) pagesAfter(ctx context.Context, collection string, f *qdrant.Filter, after memory.ID, size int, fields ...string) iter.Seq2[[]*qdrant.RetrievedPoint, error] {
	return func(yield func([]*qdrant.RetrievedPoint, error) bool) {
		var offset *qdrant.PointId
		if after != "" {
			offset = qdrant.NewIDUUID(string(after))
		}
		for more := true; more; {
			points, next, err := s.client.ScrollAndOffset(ctx, &qdrant.ScrollPoints{
				CollectionName: collection, Filter: f, Offset: offset,
				Limit: qdrant.PtrOf(uint32(size)), WithPayload: qdrant.NewWithPayloadInclude(fields...),
			})
			if err != nil {
				yield(nil, classify(err))
				return
			}
			if after != "" && len(points) > 0 && points[0].GetId().GetUuid() == string(after) {
				points = points[1:]
			}
			if len(points) > 0 && !yield(points, nil) {
				return
			}
			offset, more = next, next != nil
		}
	}
}
