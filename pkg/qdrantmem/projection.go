package qdrantmem

import (
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

// projection is which parts of a point a response holds.
type projection struct {
	payload func(object) object // nil for no payload
	vectors func(name string) bool
}

// newProjection reads the selectors of a request; payloadByDefault says what an absent
// payload selector means. Vectors are left out by default.
func newProjection(p *qdrant.WithPayloadSelector, v *qdrant.WithVectorsSelector, payloadByDefault bool) (projection, error) {
	out := projection{vectors: vectorSelector(v)}
	whole := func(o object) object { return o }
	switch kind := p.GetSelectorOptions().(type) {
	case nil:
		if payloadByDefault {
			out.payload = whole
		}
	case *qdrant.WithPayloadSelector_Enable:
		if kind.Enable {
			out.payload = whole
		}
	case *qdrant.WithPayloadSelector_Include:
		paths, err := parsePaths(kind.Include.GetFields())
		if err != nil {
			return projection{}, err
		}
		out.payload = func(o object) object {
			return o.pick(nil, func(at path) bool { return slices.ContainsFunc(paths, at.prefixes) })
		}
	case *qdrant.WithPayloadSelector_Exclude:
		paths, err := parsePaths(kind.Exclude.GetFields())
		if err != nil {
			return projection{}, err
		}
		out.payload = func(o object) object {
			return o.pick(nil, func(at path) bool {
				return !slices.ContainsFunc(paths, func(p path) bool { return len(p) <= len(at) && p.prefixes(at) })
			})
		}
	}
	return out, nil
}

func vectorSelector(v *qdrant.WithVectorsSelector) func(string) bool {
	switch kind := v.GetSelectorOptions().(type) {
	case *qdrant.WithVectorsSelector_Enable:
		return func(string) bool { return kind.Enable }
	case *qdrant.WithVectorsSelector_Include:
		names := kind.Include.GetNames()
		return func(name string) bool { return slices.Contains(names, name) }
	default:
		return func(string) bool { return false }
	}
}

func (pr projection) payloadOf(p *point) map[string]*qdrant.Value {
	if pr.payload == nil {
		return nil
	}
	return pr.payload(p.payload).proto()
}

// vectorSpace is the names of a collection's vectors, which do not change once it exists.
type vectorSpace struct {
	dense  []denseSpec
	sparse []sparseSpec
}

func (c *collection) vectorSpace() vectorSpace { return vectorSpace{c.dense, c.sparse} }

func (pr projection) vectorsOf(p *point, space vectorSpace) *qdrant.VectorsOutput {
	named := make(map[string]*qdrant.VectorOutput)
	for i, spec := range space.dense {
		if p.dense[i] != nil && pr.vectors(spec.name) {
			named[spec.name] = &qdrant.VectorOutput{Vector: &qdrant.VectorOutput_Dense{
				Dense: &qdrant.DenseVector{Data: p.dense[i]},
			}}
		}
	}
	for i, spec := range space.sparse {
		if v := p.sparse[i]; v.indices != nil && pr.vectors(spec.name) {
			named[spec.name] = &qdrant.VectorOutput{Vector: &qdrant.VectorOutput_Sparse{
				Sparse: &qdrant.SparseVector{Indices: v.indices, Values: v.values},
			}}
		}
	}
	if len(named) == 0 {
		return nil
	}
	if only, ok := named[""]; ok && len(named) == 1 {
		return &qdrant.VectorsOutput{VectorsOptions: &qdrant.VectorsOutput_Vector{Vector: only}}
	}
	return &qdrant.VectorsOutput{VectorsOptions: &qdrant.VectorsOutput_Vectors{
		Vectors: &qdrant.NamedVectorsOutput{Vectors: named},
	}}
}

func (pr projection) scored(hits []hit, space vectorSpace) []*qdrant.ScoredPoint {
	out := make([]*qdrant.ScoredPoint, len(hits))
	for i, h := range hits {
		out[i] = &qdrant.ScoredPoint{
			Id: h.point.id.proto(), Payload: pr.payloadOf(h.point), Vectors: pr.vectorsOf(h.point, space),
			Score: h.score, Version: h.point.version,
		}
		if h.order != nil {
			out[i].OrderValue = h.order.proto()
		}
	}
	return out
}

func (pr projection) retrieved(hits []hit, space vectorSpace) []*qdrant.RetrievedPoint {
	out := make([]*qdrant.RetrievedPoint, len(hits))
	for i, h := range hits {
		out[i] = &qdrant.RetrievedPoint{
			Id: h.point.id.proto(), Payload: pr.payloadOf(h.point), Vectors: pr.vectorsOf(h.point, space),
		}
		if h.order != nil {
			out[i].OrderValue = h.order.proto()
		}
	}
	return out
}
