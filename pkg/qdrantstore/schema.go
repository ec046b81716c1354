package qdrantstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mnemond/mnemond/pkg/fault"
)

// Alias is the name by which readers and writers know the collection of memories.
const Alias = "mnemond_memories"

// schemaVersion names the layout of points; a change of it asks for a rebuild.
const schemaVersion = 2

// The two vectors of a point.
const (
	vectorDense  = "dense"
	vectorSparse = "bm25"
)

// The payload fields. All but fieldMemory and fieldCheckpoint are indexed: strict mode
// refuses a filter on any other.
const (
	fieldOwner      = "owner"
	fieldType       = "type"
	fieldStatus     = "status"
	fieldKind       = "kind"
	fieldKey        = "key"
	fieldAbout      = "about"
	fieldPlan       = "plan"
	fieldExpires    = "expires_at"
	fieldSeq        = "ledger_seq"
	fieldThread     = "thread"
	fieldMemory     = "memory"
	fieldCheckpoint = "checkpoint"
)

// The values of fieldType.
const (
	typeMemory     = "memory"
	typeCursor     = "cursor"
	typeCheckpoint = "checkpoint"
)

// ErrNoCollection means that nothing has been projected yet: the ledger has to be replayed.
var ErrNoCollection = errors.New("no collection of memories")

// Model names what makes the dense vectors.
type Model struct {
	Name string
	Dim  int
}

// collectionName is unique for a model and a generation of it.
func (m Model) collectionName(generation int) string {
	sum := sha256.Sum256([]byte(m.Name))
	return fmt.Sprintf("%s_%s_%d", Alias, hex.EncodeToString(sum[:4]), generation)
}

// create makes a collection with the production set-up: one tenant index, both vectors,
// every payload index before the first point, and strict mode.
func create(ctx context.Context, c *qdrant.Client, name string, m Model) error {
	metadata, err := qdrant.TryValueMap(map[string]any{"embedding_model": m.Name, "schema": schemaVersion})
	if err != nil {
		return fmt.Errorf("describe collection: %w", err)
	}
	err = c.CreateCollection(ctx, &qdrant.CreateCollection{
		CollectionName: name,
		// No global graph: each owner's points get their own, and small owners are
		// searched exactly.
		HnswConfig: &qdrant.HnswConfigDiff{M: qdrant.PtrOf(uint64(0)), PayloadM: qdrant.PtrOf(uint64(16))},
		VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
			vectorDense: {Size: uint64(m.Dim), Distance: qdrant.Distance_Cosine},
		}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{
			vectorSparse: {Modifier: qdrant.Modifier_Idf.Enum()},
		}),
		StrictModeConfig: strictMode(),
		Metadata:         metadata,
	})
	if err != nil && status.Code(err) != codes.AlreadyExists {
		return fmt.Errorf("create collection %s: %w", name, classify(err))
	}
	for _, ix := range indexes() {
		_, err := c.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
			CollectionName: name, FieldName: ix.field, FieldType: ix.kind.Enum(),
			FieldIndexParams: ix.params, Wait: qdrant.PtrOf(true),
		})
		if err != nil {
			return fmt.Errorf("index %s of collection %s: %w", ix.field, name, classify(err))
		}
	}
	return nil
}

func strictMode() *qdrant.StrictModeConfig {
	return &qdrant.StrictModeConfig{
		Enabled:                    qdrant.PtrOf(true),
		UnindexedFilteringRetrieve: qdrant.PtrOf(false),
		UnindexedFilteringUpdate:   qdrant.PtrOf(false),
		SearchAllowExact:           qdrant.PtrOf(false),
		MaxQueryLimit:              qdrant.PtrOf(uint32(1000)),
		UpsertMaxBatchsize:         qdrant.PtrOf(uint64(1000)),
		FilterMaxConditions:        qdrant.PtrOf(uint64(64)),
		ConditionMaxSize:           qdrant.PtrOf(uint64(2000)),
	}
}

type fieldIndex struct {
	field  string
	kind   qdrant.FieldType
	params *qdrant.PayloadIndexParams
}

func indexes() []fieldIndex {
	out := []fieldIndex{{
		fieldOwner, qdrant.FieldType_FieldTypeKeyword,
		qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)}),
	}}
	for _, f := range []string{fieldType, fieldStatus, fieldKind, fieldKey, fieldAbout, fieldThread} {
		out = append(out, fieldIndex{
			f, qdrant.FieldType_FieldTypeKeyword,
			qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{EnableHnsw: qdrant.PtrOf(false)}),
		})
	}
	return append(
		out,
		fieldIndex{fieldPlan, qdrant.FieldType_FieldTypeBool, nil},
		fieldIndex{fieldExpires, qdrant.FieldType_FieldTypeDatetime, nil},
		fieldIndex{fieldSeq, qdrant.FieldType_FieldTypeInteger, nil},
	)
}

// Check compares the server and the collection behind name with what this program needs:
// version, dimension, distance, vectors, indexes, strict mode. Each difference is one line
// of one error.
func Check(ctx context.Context, c *qdrant.Client, name string, m Model) error {
	health, err := c.HealthCheck(ctx)
	if err != nil {
		return fmt.Errorf("check qdrant: %w", classify(err))
	}
	var wrong []string
	if !atLeast(health.GetVersion(), 1, 17) {
		wrong = append(wrong, fmt.Sprintf("server version %s, need 1.17 or later", health.GetVersion()))
	}
	info, err := c.GetCollectionInfo(ctx, name)
	if err != nil {
		return fmt.Errorf("check collection %s: %w", name, classify(err))
	}
	wrong = append(wrong, differences(info, m)...)
	if len(wrong) > 0 {
		return fault.Permanent(fmt.Errorf("collection %s does not fit: %s; run `mnemond rebuild` after mending the cause",
			name, strings.Join(wrong, "; ")))
	}
	return nil
}

func differences(info *qdrant.CollectionInfo, m Model) []string {
	var wrong []string
	params := info.GetConfig().GetParams()
	dense := params.GetVectorsConfig().GetParamsMap().GetMap()[vectorDense]
	switch {
	case dense == nil:
		wrong = append(wrong, "it has no vector named "+vectorDense)
	case dense.GetSize() != uint64(m.Dim):
		wrong = append(wrong, fmt.Sprintf("dimension %d, the embedding model %s makes %d", dense.GetSize(), m.Name, m.Dim))
	case dense.GetDistance() != qdrant.Distance_Cosine:
		wrong = append(wrong, fmt.Sprintf("distance %s, need Cosine", dense.GetDistance()))
	}
	if model := info.GetConfig().GetMetadata()["embedding_model"].GetStringValue(); model != m.Name {
		wrong = append(wrong, fmt.Sprintf("embedding model %q, configured is %q", model, m.Name))
	}
	if sparse := params.GetSparseVectorsConfig().GetMap()[vectorSparse]; sparse.GetModifier() != qdrant.Modifier_Idf {
		wrong = append(wrong, "sparse vector "+vectorSparse+" without the idf modifier")
	}
	for _, ix := range indexes() {
		if _, ok := info.GetPayloadSchema()[ix.field]; !ok {
			wrong = append(wrong, "no payload index on "+ix.field)
		}
	}
	if !info.GetConfig().GetStrictModeConfig().GetEnabled() {
		wrong = append(wrong, "strict mode is off")
	}
	return wrong
}

// atLeast compares "1.17.1" with a minimum.
func atLeast(version string, major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(version, "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}
