package qdrantmem

import (
	"cmp"
	"math"
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

// sparseVector has its indices in ascending order; nil indices mean that a point has none.
type sparseVector struct {
	indices []uint32
	values  []float32
}

// anyVector is one vector of a request: dense or sparse, not yet checked against a collection.
type anyVector struct {
	dense    []float32
	sparse   sparseVector
	isSparse bool
}

// parseVectors reads the vectors of a point by name; the unnamed vector has the name "".
func parseVectors(v *qdrant.Vectors) (map[string]anyVector, error) {
	switch options := v.GetVectorsOptions().(type) {
	case *qdrant.Vectors_Vector:
		parsed, err := parseVector(options.Vector)
		return map[string]anyVector{"": parsed}, err
	case *qdrant.Vectors_Vectors:
		named := make(map[string]anyVector, len(options.Vectors.GetVectors()))
		for name, vector := range options.Vectors.GetVectors() {
			parsed, err := parseVector(vector)
			if err != nil {
				return nil, err
			}
			named[name] = parsed
		}
		return named, nil
	default:
		return nil, malformed("Expected some vectors")
	}
}

func parseVector(v *qdrant.Vector) (anyVector, error) {
	switch kind := v.GetVector().(type) {
	case *qdrant.Vector_Dense:
		return anyVector{dense: kind.Dense.GetData()}, nil
	case *qdrant.Vector_Sparse:
		return parseSparse(kind.Sparse.GetIndices(), kind.Sparse.GetValues())
	case nil:
		return parseDeprecatedVector(v)
	default:
		return anyVector{}, unimplemented("a vector that is neither dense nor sparse")
	}
}

// parseDeprecatedVector reads the flat fields that older clients fill instead of the oneof.
func parseDeprecatedVector(v *qdrant.Vector) (anyVector, error) {
	//nolint:staticcheck // The real server still accepts the deprecated fields.
	data, indices, count := v.GetData(), v.GetIndices(), v.GetVectorsCount()
	if count > 1 {
		return anyVector{}, unimplemented("a multi-vector")
	}
	if indices != nil {
		return parseSparse(indices.GetData(), data)
	}
	return anyVector{dense: data}, nil
}

func parseSparse(indices []uint32, values []float32) (anyVector, error) {
	if len(indices) != len(values) {
		return anyVector{}, invalidField("values", "must be the same length as indices")
	}
	sorted := sparseVector{indices: make([]uint32, len(indices)), values: make([]float32, len(values))}
	order := make([]int, len(indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(indices[a], indices[b]) })
	for to, from := range order {
		sorted.indices[to], sorted.values[to] = indices[from], values[from]
		if to > 0 && sorted.indices[to] == sorted.indices[to-1] {
			return anyVector{}, invalidField("indices", "must be unique")
		}
	}
	return anyVector{sparse: sorted, isSparse: true}, nil
}

// normalized is v at length one. A vector that is zero or already has that length stays.
func normalized(v []float32) []float32 {
	const epsilon = 1.1920929e-07 // the distance from 1 to the next float32
	square := dot(v, v)
	if square < epsilon || math.Abs(float64(square-1)) <= 1e-6 {
		return v
	}
	length := float32(math.Sqrt(float64(square)))
	scaled := make([]float32, len(v))
	for i := range v {
		scaled[i] = v[i] / length
	}
	return scaled
}

// dot sums in eight lanes, which the processor overlaps; the lengths are equal.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	b = b[:len(a)]
	for len(a) >= 8 && len(b) >= 8 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		s4 += a[4] * b[4]
		s5 += a[5] * b[5]
		s6 += a[6] * b[6]
		s7 += a[7] * b[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// sparseQuery is a sparse vector to compare many others with. A bit for each of its indices
// dismisses nearly all foreign ones without a search.
type sparseQuery struct {
	sparseVector
	bits [4]uint64
}

func newSparseQuery(v sparseVector) *sparseQuery {
	q := &sparseQuery{sparseVector: v}
	for _, index := range v.indices {
		q.bits[index>>6&3] |= 1 << (index & 63)
	}
	return q
}

// dot is the product over shared indices; false means that there are none.
func (q *sparseQuery) dot(v sparseVector) (sum float32, shared bool) {
	for i, index := range v.indices {
		if q.bits[index>>6&3]&(1<<(index&63)) == 0 {
			continue
		}
		if j, ok := slices.BinarySearch(q.indices, index); ok {
			sum += q.values[j] * v.values[i]
			shared = true
		}
	}
	return sum, shared
}

// termStats holds what the IDF modifier needs of one sparse vector, over the collection.
type termStats struct {
	points int            // with this vector
	df     map[uint32]int // points per index
}

func (t *termStats) add(v sparseVector, delta int) {
	t.points += delta
	for _, index := range v.indices {
		if n := t.df[index] + delta; n > 0 {
			t.df[index] = n
		} else {
			delete(t.df, index)
		}
	}
}

// weighted is the query vector with each value multiplied by ln((N-df+.5)/(df+.5)+1).
func (t *termStats) weighted(v sparseVector) sparseVector {
	values := make([]float32, len(v.values))
	for i, index := range v.indices {
		n, df := float64(t.points), float64(t.df[index])
		values[i] = v.values[i] * float32(math.Log((n-df+0.5)/(df+0.5)+1))
	}
	return sparseVector{indices: v.indices, values: values}
}
