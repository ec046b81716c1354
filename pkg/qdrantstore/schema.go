package qdrantstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The names by which readers and writers know the two collections.
const (
	// Alias names the collection of what is at hand.
	Alias = "mnemond_memories"
	// ArchiveAlias names the archive: the same points, on disk and without a graph.
	ArchiveAlias = "mnemond_archive"
)

// schemaVersion names the layout of points; a change of it asks for a rebuild.
const schemaVersion = 5

// The two vectors of a point.
const (
	vectorDense  = "dense"
	vectorSparse = "bm25"
)

// ErrNoCollection means that nothing has been projected yet: the ledger has to be replayed.
var ErrNoCollection = errors.New("no collection of memories")

// Model names what makes the dense vectors.
type Model struct {
	Name string
	Dim  int
}

// pair is the names, or aliases, of two collections that belong together.
type pair struct{ hand, archive string }

var aliases = pair{hand: Alias, archive: ArchiveAlias}

func (p pair) both() []string { return []string{p.hand, p.archive} }

// collections are named uniquely for a model and a generation of it.
func (m Model) collections(generation int) pair {
	sum := sha256.Sum256([]byte(m.Name))
	name := func(alias string) string {
		return fmt.Sprintf("%s_%s_%d", alias, hex.EncodeToString(sum[:4]), generation)
	}
	return pair{hand: name(Alias), archive: name(ArchiveAlias)}
}

var collectionName = regexp.MustCompile(`^(?:` + Alias + `|` + ArchiveAlias + `)(_[0-9a-f]{8}_[0-9]+)$`)

// pairOf is what the names of two collections that belong together have in common, "" for
// one that is not ours.
func pairOf(name string) string {
	m := collectionName.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return m[1]
}

// generation is the number at the end of a collection's name, 0 for none.
func generation(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '_')+1:])
	if err != nil {
		return 0
	}
	return n
}

// ours are all collections that a rebuild of any model has made, whether or not an alias
// names them.
func ours(ctx context.Context, c *qdrant.Client) ([]string, error) {
	all, err := c.ListCollections(ctx)
	if err != nil {
		return nil, fmt.Errorf("list collections: %w", classify(err))
	}
	var out []string
	for _, name := range all {
		if pairOf(name) != "" {
			out = append(out, name)
		}
	}
	return out, nil
}

// create makes both collections with the production set-up: one tenant index, both
// vectors, every payload index before the first point, and strict mode.
func create(ctx context.Context, c *qdrant.Client, p pair, m Model) error {
	metadata, err := qdrant.TryValueMap(map[string]any{"embedding_model": m.Name, "schema": schemaVersion})
	if err != nil {
		return fmt.Errorf("describe collection: %w", err)
	}
	for _, req := range []*qdrant.CreateCollection{atHand(p.hand, m), archived(p.archive, m)} {
		req.Metadata = metadata
		if err := c.CreateCollection(ctx, req); err != nil && status.Code(err) != codes.AlreadyExists {
			return fmt.Errorf("create collection %s: %w", req.GetCollectionName(), classify(err))
		}
		if err := createIndexes(ctx, c, req.GetCollectionName()); err != nil {
			return err
		}
	}
	return nil
}

func atHand(name string, m Model) *qdrant.CreateCollection {
	return &qdrant.CreateCollection{
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
		StrictModeConfig: strictMode(false),
	}
}

// archived has no graph at all, and nothing but the payload indexes in memory: it is
// searched seldom, within one owner.
func archived(name string, m Model) *qdrant.CreateCollection {
	onDisk := qdrant.PtrOf(true)
	return &qdrant.CreateCollection{
		CollectionName: name,
		HnswConfig:     &qdrant.HnswConfigDiff{M: qdrant.PtrOf(uint64(0)), PayloadM: qdrant.PtrOf(uint64(0))},
		OnDiskPayload:  onDisk,
		VectorsConfig: qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{
			vectorDense: {Size: uint64(m.Dim), Distance: qdrant.Distance_Cosine, OnDisk: onDisk},
		}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{
			vectorSparse: {Modifier: qdrant.Modifier_Idf.Enum(), Index: &qdrant.SparseIndexConfig{OnDisk: onDisk}},
		}),
		StrictModeConfig: strictMode(true),
	}
}

// The limits of strict mode, which requests keep to.
const (
	// maxPage bounds the points of one answer, maxPoints those of one operation.
	maxPage   = 1000
	maxPoints = 1000
	// maxConditions bounds the conditions of a filter, maxList the values of one of them.
	maxConditions = 64
	maxList       = 1000
)

// strictMode allows a scan of the vectors only where there is no graph to use.
func strictMode(scan bool) *qdrant.StrictModeConfig {
	return &qdrant.StrictModeConfig{
		Enabled:                    qdrant.PtrOf(true),
		UnindexedFilteringRetrieve: qdrant.PtrOf(false),
		UnindexedFilteringUpdate:   qdrant.PtrOf(false),
		SearchAllowExact:           qdrant.PtrOf(scan),
		MaxQueryLimit:              qdrant.PtrOf(uint32(maxPage)),
		UpsertMaxBatchsize:         qdrant.PtrOf(uint64(maxPoints)),
		FilterMaxConditions:        qdrant.PtrOf(uint64(maxConditions)),
		ConditionMaxSize:           qdrant.PtrOf(uint64(maxList)),
	}
}

type fieldIndex struct {
	field  string
	kind   qdrant.FieldType
	params *qdrant.PayloadIndexParams
}

// indexes are all payload indexes. None but the owner's costs links of the graph.
func indexes() []fieldIndex {
	no, yes := qdrant.PtrOf(false), qdrant.PtrOf(true)
	out := []fieldIndex{
		{
			fieldOwner, qdrant.FieldType_FieldTypeKeyword,
			qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: yes}),
		},
		{
			fieldSeq, qdrant.FieldType_FieldTypeInteger,
			qdrant.NewPayloadIndexParamsInt(&qdrant.IntegerIndexParams{EnableHnsw: no}),
		},
		{
			fieldPlace, qdrant.FieldType_FieldTypeInteger,
			qdrant.NewPayloadIndexParamsInt(&qdrant.IntegerIndexParams{EnableHnsw: no}),
		},
	}
	for _, f := range []string{
		fieldTenant, fieldType, fieldStatus, fieldKind, fieldKey, fieldAbout, fieldThread, fieldTombKey, fieldHash, fieldOrigin, fieldAgent, fieldWithin,
		fieldNamespace, fieldPairs,
	} {
		out = append(out, fieldIndex{
			f, qdrant.FieldType_FieldTypeKeyword,
			qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{EnableHnsw: no}),
		})
	}
	for _, f := range []string{fieldPlan, fieldAccessed, fieldSuppressed, fieldAsked} {
		out = append(out, fieldIndex{
			f, qdrant.FieldType_FieldTypeBool, qdrant.NewPayloadIndexParamsBool(&qdrant.BoolIndexParams{EnableHnsw: no}),
		})
	}
	for _, f := range []string{
		fieldExpires, fieldPlanUntil, fieldUsed, fieldLastingUsed, fieldArchived, fieldDeleted, fieldPurgedDeleted, fieldTimeout,
		fieldUpdated, fieldStale, fieldRemoved,
	} {
		out = append(out, fieldIndex{
			f, qdrant.FieldType_FieldTypeDatetime, qdrant.NewPayloadIndexParamsDatetime(&qdrant.DatetimeIndexParams{EnableHnsw: no}),
		})
	}
	return out
}

func createIndexes(ctx context.Context, c *qdrant.Client, collection string) error {
	for _, ix := range indexes() {
		_, err := c.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
			CollectionName: collection, FieldName: ix.field, FieldType: ix.kind.Enum(),
			FieldIndexParams: ix.params, Wait: qdrant.PtrOf(true),
		})
		if err != nil {
			return fmt.Errorf("index %s of collection %s: %w", ix.field, collection, classify(err))
		}
	}
	return nil
}
