package qdrantstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Store reads and writes one collection, known by its alias or, while it is being rebuilt,
// by its own name.
type Store struct {
	client     *qdrant.Client
	collection string
	model      Model
}

// Open returns the store behind the alias, once it has been checked. It returns
// ErrNoCollection when nothing has been projected yet.
func Open(ctx context.Context, c *qdrant.Client, m Model) (*Store, error) {
	ok, err := c.CollectionExists(ctx, Alias)
	if err != nil {
		return nil, fmt.Errorf("look for collection: %w", classify(err))
	}
	if !ok {
		return nil, ErrNoCollection
	}
	if err := Check(ctx, c, Alias, m); err != nil {
		return nil, err
	}
	return &Store{client: c, collection: Alias, model: m}, nil
}

// Write puts a batch: entries each only over a lower ledger sequence, checkpoints, and then
// the cursors, never backwards. It returns when all of it is applied.
func (s *Store) Write(ctx context.Context, b index.Batch) error {
	bySeq := map[uint64][]*qdrant.PointStruct{}
	for i := range b.Entries {
		e := &b.Entries[i]
		if err := e.Memory.Scope.Validate(); err != nil {
			return fmt.Errorf("write memory %s: %w", e.Memory.ID, err)
		}
		p, err := point(e)
		if err != nil {
			return err
		}
		bySeq[e.LedgerSeq] = append(bySeq[e.LedgerSeq], p)
	}
	for i := range b.Checkpoints {
		c := &b.Checkpoints[i]
		if err := c.Scope.Validate(); err != nil {
			return fmt.Errorf("write checkpoint: %w", err)
		}
		p, err := checkpointPoint(c)
		if err != nil {
			return err
		}
		bySeq[c.LedgerSeq] = append(bySeq[c.LedgerSeq], p)
	}
	var ops []*qdrant.PointsUpdateOperation
	for _, seq := range sorted(bySeq) {
		ops = append(ops, upsert(index.Step{To: seq}, bySeq[seq]))
	}
	for scope, step := range b.Cursors {
		if err := scope.Validate(); err != nil {
			return fmt.Errorf("write cursor: %w", err)
		}
		ops = append(ops, upsert(step, []*qdrant.PointStruct{cursorPoint(scope, step.To)}))
	}
	if len(ops) == 0 {
		return nil
	}
	results, err := s.client.UpdateBatch(ctx, &qdrant.UpdateBatchPoints{
		CollectionName: s.collection, Operations: ops, Wait: qdrant.PtrOf(true),
		Ordering: &qdrant.WriteOrdering{Type: qdrant.WriteOrderingType_Strong},
	})
	if err != nil {
		return fmt.Errorf("write points: %w", classify(err))
	}
	for _, r := range results {
		if r.GetStatus() != qdrant.UpdateStatus_Completed {
			return fmt.Errorf("write points: status %s", r.GetStatus())
		}
	}
	return nil
}

func sorted[V any](m map[uint64]V) []uint64 {
	keys := make([]uint64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// upsert writes points over lower sequences only, and from step.From on. A point that is
// not there is inserted only if nothing has to lie before it.
func upsert(step index.Step, points []*qdrant.PointStruct) *qdrant.PointsUpdateOperation {
	list := &qdrant.PointsUpdateOperation_PointStructList{Points: points}
	within := &qdrant.Range{Lt: qdrant.PtrOf(float64(step.To))}
	if step.From > 0 {
		within.Gte = qdrant.PtrOf(float64(step.From))
		list.UpdateMode = qdrant.UpdateMode_UpdateOnly.Enum()
	}
	list.UpdateFilter = &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewRange(fieldSeq, within)}}
	return qdrant.NewPointsUpdateUpsert(list)
}

func point(e *index.Entry) (*qdrant.PointStruct, error) {
	m := &e.Memory
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode memory %s: %w", m.ID, err)
	}
	payload := map[string]*qdrant.Value{
		fieldOwner:  qdrant.NewValueString(ownerOf(m.Scope)),
		fieldType:   qdrant.NewValueString(typeMemory),
		fieldStatus: qdrant.NewValueString(string(m.Status)),
		fieldKind:   qdrant.NewValueString(string(m.Kind)),
		fieldPlan:   qdrant.NewValueBool(m.Plan),
		fieldSeq:    qdrant.NewValueInt(int64(e.LedgerSeq)),
		fieldMemory: qdrant.NewValueString(string(raw)),
	}
	if m.Key != "" {
		payload[fieldKey] = qdrant.NewValueString(string(m.Key))
	}
	if m.About != "" {
		payload[fieldAbout] = qdrant.NewValueString(string(m.About))
	}
	if !m.ExpiresAt.IsZero() {
		payload[fieldExpires] = qdrant.NewValueString(m.ExpiresAt.UTC().Format(timeFormat))
	}
	vectors := map[string]*qdrant.Vector{vectorDense: qdrant.NewVectorDense(e.Dense)}
	if len(e.Sparse.Indices) > 0 {
		vectors[vectorSparse] = qdrant.NewVectorSparse(e.Sparse.Indices, e.Sparse.Values)
	}
	return &qdrant.PointStruct{
		Id: qdrant.NewIDUUID(string(m.ID)), Payload: payload, Vectors: qdrant.NewVectorsMap(vectors),
	}, nil
}

// timeFormat is RFC 3339 in UTC with microseconds, the precision of a datetime index.
const timeFormat = "2006-01-02T15:04:05.000000Z"

// ownerOf names a scope in one keyword. The length in front keeps the fields apart,
// whatever they contain.
func ownerOf(s memory.Scope) string {
	return fmt.Sprintf("%d:%s/%s/%s", len(s.Tenant), s.Tenant, s.Owner.Kind, s.Owner.ID)
}

// The spaces keep the ids of cursors and checkpoints apart from those of memories.
var (
	cursorSpace     = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://mnemond.dev/cursor"))
	checkpointSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://mnemond.dev/checkpoint"))
)

func cursorID(s memory.Scope) *qdrant.PointId {
	return qdrant.NewIDUUID(uuid.NewSHA1(cursorSpace, []byte(ownerOf(s))).String())
}

// checkpointPoint is found by its thread; there is one a change set.
func checkpointPoint(c *index.Checkpoint) (*qdrant.PointStruct, error) {
	raw, err := json.Marshal(c.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("encode checkpoint: %w", err)
	}
	name := fmt.Appendf(nil, "%d/%s", c.LedgerSeq, ownerOf(c.Scope))
	return &qdrant.PointStruct{
		Id: qdrant.NewIDUUID(uuid.NewSHA1(checkpointSpace, name).String()),
		Payload: map[string]*qdrant.Value{
			fieldOwner:      qdrant.NewValueString(ownerOf(c.Scope)),
			fieldType:       qdrant.NewValueString(typeCheckpoint),
			fieldThread:     qdrant.NewValueString(string(c.Checkpoint.Thread)),
			fieldSeq:        qdrant.NewValueInt(int64(c.LedgerSeq)),
			fieldCheckpoint: qdrant.NewValueString(string(raw)),
		},
		Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{}),
	}, nil
}

func cursorPoint(s memory.Scope, seq uint64) *qdrant.PointStruct {
	return &qdrant.PointStruct{
		Id: cursorID(s),
		Payload: map[string]*qdrant.Value{
			fieldOwner: qdrant.NewValueString(ownerOf(s)),
			fieldType:  qdrant.NewValueString(typeCursor),
			fieldSeq:   qdrant.NewValueInt(int64(seq)),
		},
		Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{}),
	}
}

// Cursor is the last change set projected for the owner, 0 when there is none.
func (s *Store) Cursor(ctx context.Context, scope memory.Scope) (uint64, error) {
	if err := scope.Validate(); err != nil {
		return 0, fmt.Errorf("read cursor: %w", err)
	}
	points, err := s.client.Get(ctx, &qdrant.GetPoints{
		CollectionName: s.collection, Ids: []*qdrant.PointId{cursorID(scope)},
		WithPayload: qdrant.NewWithPayloadInclude(fieldSeq),
	})
	if err != nil {
		return 0, fmt.Errorf("read cursor: %w", classify(err))
	}
	if len(points) == 0 {
		return 0, nil
	}
	return uint64(points[0].GetPayload()[fieldSeq].GetIntegerValue()), nil
}
