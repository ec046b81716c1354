package qdrantmem

import (
	"maps"
	"slices"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// defaultHNSW is what the real server reports of a graph that nobody configured.
func defaultHNSW() *qdrant.HnswConfigDiff {
	return &qdrant.HnswConfigDiff{
		M: proto.Uint64(16), EfConstruct: proto.Uint64(100), FullScanThreshold: proto.Uint64(10000),
		MaxIndexingThreads: proto.Uint64(0), OnDisk: proto.Bool(false),
	}
}

func newCollection(req *qdrant.CreateCollection) (*collection, error) {
	if req.GetShardingMethod() == qdrant.ShardingMethod_Custom {
		return nil, unimplemented("custom sharding")
	}
	if err := unsupportedStrictMode(req.GetStrictModeConfig()); err != nil {
		return nil, err
	}
	c := emptyCollection(newConfig(req))
	dense := vectorParams(req.GetVectorsConfig())
	for _, name := range slices.Sorted(maps.Keys(dense)) {
		spec, err := newDenseSpec(name, dense[name])
		if err != nil {
			return nil, err
		}
		c.dense = append(c.dense, spec)
	}
	sparse := req.GetSparseVectorsConfig().GetMap()
	for _, name := range slices.Sorted(maps.Keys(sparse)) {
		if _, taken := c.denseIndex(name); taken {
			return nil, wrongInput("Dense and sparse vectors must have different names: %s", name)
		}
		spec := sparseSpec{name: name}
		if sparse[name].GetModifier() == qdrant.Modifier_Idf {
			spec.stats = &termStats{df: make(map[uint32]int)}
		}
		c.sparse = append(c.sparse, spec)
	}
	return c, nil
}

// vectorParams are the dense vectors by name; the unnamed one has the name "".
func vectorParams(v *qdrant.VectorsConfig) map[string]*qdrant.VectorParams {
	if only := v.GetParams(); only != nil {
		return map[string]*qdrant.VectorParams{"": only}
	}
	return v.GetParamsMap().GetMap()
}

func newDenseSpec(name string, p *qdrant.VectorParams) (denseSpec, error) {
	switch {
	case p.GetSize() == 0 || p.GetSize() > 65536:
		return denseSpec{}, invalidField("vectors.size", "value must be from 1 to 65536")
	case p.GetMultivectorConfig() != nil:
		return denseSpec{}, unimplemented("a multi-vector")
	case p.Datatype != nil && p.GetDatatype() != qdrant.Datatype_Float32 && p.GetDatatype() != qdrant.Datatype_Default:
		return denseSpec{}, unimplemented("the vector data type " + p.GetDatatype().String())
	}
	switch p.GetDistance() {
	case qdrant.Distance_Cosine, qdrant.Distance_Dot:
		return denseSpec{name: name, size: int(p.GetSize()), distance: p.GetDistance()}, nil
	case qdrant.Distance_UnknownDistance:
		return denseSpec{}, invalidField("vectors.distance", "is required")
	default:
		return denseSpec{}, unimplemented("the distance " + p.GetDistance().String())
	}
}

func newConfig(req *qdrant.CreateCollection) *qdrant.CollectionConfig {
	hnsw := defaultHNSW()
	proto.Merge(hnsw, req.GetHnswConfig())
	optimizers := &qdrant.OptimizersConfigDiff{
		DeletedThreshold: proto.Float64(0.2), VacuumMinVectorNumber: proto.Uint64(1000),
		DefaultSegmentNumber: proto.Uint64(0), IndexingThreshold: proto.Uint64(10000), FlushIntervalSec: proto.Uint64(5),
	}
	proto.Merge(optimizers, req.GetOptimizersConfig())
	wal := &qdrant.WalConfigDiff{WalCapacityMb: proto.Uint64(32), WalSegmentsAhead: proto.Uint64(0)}
	proto.Merge(wal, req.GetWalConfig())
	return &qdrant.CollectionConfig{
		Params: &qdrant.CollectionParams{
			ShardNumber: 1, OnDiskPayload: req.OnDiskPayload == nil || req.GetOnDiskPayload(),
			VectorsConfig: req.GetVectorsConfig(), SparseVectorsConfig: req.GetSparseVectorsConfig(),
			ReplicationFactor: proto.Uint32(1), WriteConsistencyFactor: proto.Uint32(1),
		},
		HnswConfig: hnsw, OptimizerConfig: optimizers, WalConfig: wal,
		QuantizationConfig: req.GetQuantizationConfig(), StrictModeConfig: req.GetStrictModeConfig(),
		Metadata: req.GetMetadata(),
	}
}

// info describes the collection. The caller holds the lock and encodes the answer later, so
// that nothing in it may change: reconfigure replaces the configuration as a whole.
func (c *collection) info() *qdrant.CollectionInfo {
	schema := make(map[string]*qdrant.PayloadSchemaInfo, len(c.indexes))
	for name, ix := range c.indexes {
		schema[name] = ix.info()
	}
	return &qdrant.CollectionInfo{
		Status: qdrant.CollectionStatus_Green, OptimizerStatus: &qdrant.OptimizerStatus{Ok: true}, SegmentsCount: 1,
		Config: c.config, PayloadSchema: schema,
		PointsCount: proto.Uint64(uint64(len(c.ids))), IndexedVectorsCount: proto.Uint64(0),
	}
}

// reconfigure merges what is set in req into the configuration, or fails without effect.
func (c *collection) reconfigure(req *qdrant.UpdateCollection) error {
	if req.GetQuantizationConfig() != nil {
		return unimplemented("a change of quantization")
	}
	if err := unsupportedStrictMode(req.GetStrictModeConfig()); err != nil {
		return err
	}
	next := proto.CloneOf(c.config)
	proto.Merge(next, &qdrant.CollectionConfig{
		HnswConfig: req.GetHnswConfig(), OptimizerConfig: req.GetOptimizersConfig(), StrictModeConfig: req.GetStrictModeConfig(),
	})
	if p := req.GetParams(); p != nil {
		params := next.GetParams()
		params.ReplicationFactor = or(p.ReplicationFactor, params.ReplicationFactor)
		params.WriteConsistencyFactor = or(p.WriteConsistencyFactor, params.WriteConsistencyFactor)
		params.OnDiskPayload = *or(p.OnDiskPayload, &params.OnDiskPayload)
	}
	if err := mergeVectorParams(vectorParams(next.GetParams().GetVectorsConfig()), req.GetVectorsConfig()); err != nil {
		return err
	}
	if err := c.mergeSparseParams(next.GetParams().GetSparseVectorsConfig().GetMap(), req.GetSparseVectorsConfig()); err != nil {
		return err
	}
	next.Metadata = mergeMetadata(next.GetMetadata(), req.GetMetadata())
	c.config = next
	return nil
}

func or[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

func mergeVectorParams(params map[string]*qdrant.VectorParams, diff *qdrant.VectorsConfigDiff) error {
	changes := diff.GetParamsMap().GetMap()
	if only := diff.GetParams(); only != nil {
		changes = map[string]*qdrant.VectorParamsDiff{"": only}
	}
	for name, change := range changes {
		p := params[name]
		if p == nil {
			return noVectorName(name)
		}
		if change.GetQuantizationConfig() != nil {
			return unimplemented("a change of quantization")
		}
		proto.Merge(p, &qdrant.VectorParams{HnswConfig: change.GetHnswConfig(), OnDisk: change.OnDisk})
	}
	return nil
}

func (c *collection) mergeSparseParams(params map[string]*qdrant.SparseVectorParams, diff *qdrant.SparseVectorConfig) error {
	for name, change := range diff.GetMap() {
		p := params[name]
		if p == nil {
			return noVectorName(name)
		}
		if change.Modifier != nil && change.GetModifier() != p.GetModifier() {
			return unimplemented("a change of a sparse vector's modifier")
		}
		proto.Merge(p, change)
	}
	return nil
}

// mergeMetadata is a shallow merge in which null removes.
func mergeMetadata(stored, changes map[string]*qdrant.Value) map[string]*qdrant.Value {
	merged := maps.Clone(stored)
	for name, value := range changes {
		if _, null := value.GetKind().(*qdrant.Value_NullValue); null || value.GetKind() == nil {
			delete(merged, name)
			continue
		}
		if merged == nil {
			merged = make(map[string]*qdrant.Value, len(changes))
		}
		merged[name] = value
	}
	return merged
}
