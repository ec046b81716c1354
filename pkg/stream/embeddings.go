package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Embeddings is the cache of vectors in the bucket mem_embeddings, each under keyed hashes of
// its owner and a hash of its model and text, so that an erasure reaches it. A vector is
// never replaced; it expires.
type Embeddings struct {
	source
	names Names
}

// NewEmbeddings is the cache in the bucket mem_embeddings.
func NewEmbeddings(js jetstream.JetStream, names Names) *Embeddings {
	return &Embeddings{source: source{js: js, name: bucketStream(BucketEmbeddings)}, names: names}
}

// Load returns the vector that Store kept under the same names; ok is false if there is none.
func (e *Embeddings) Load(ctx context.Context, s memory.Scope, model, hash string) (vector []float32, ok bool, err error) {
	if err := s.Validate(); err != nil {
		return nil, false, err
	}
	m, err := e.last(ctx, e.subject(s, model, hash))
	if errors.Is(err, ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("load vector: %w", err)
	}
	if len(m.data)%4 != 0 {
		return nil, false, nil // not one of ours: as good as lost
	}
	vector = make([]float32, len(m.data)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(m.data[4*i:]))
	}
	return vector, true, nil
}

// Store keeps a vector. One that is kept already stays as it is.
func (e *Embeddings) Store(ctx context.Context, s memory.Scope, model, hash string, vector []float32) error {
	if err := s.Validate(); err != nil {
		return fault.Permanent(err)
	}
	m := nats.NewMsg(e.subject(s, model, hash))
	m.Data = make([]byte, 0, 4*len(vector))
	for _, v := range vector {
		m.Data = binary.LittleEndian.AppendUint32(m.Data, math.Float32bits(v))
	}
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, "0")
	_, err := e.js.PublishMsg(ctx, m)
	if err = classify(ctx, err); err != nil && !errors.Is(err, ErrConflict) {
		return fmt.Errorf("store vector: %w", err)
	}
	return nil
}

func (e *Embeddings) subject(s memory.Scope, model, hash string) string {
	return bucketPrefix(BucketEmbeddings) + e.names.owner(s) + "." + e.names.hash("vector", model, hash)
}
