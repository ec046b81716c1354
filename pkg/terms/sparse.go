package terms

import (
	"maps"
	"slices"
)

// The constants of BM25. A turn of a conversation says a word once or twice, so that repeats
// mean little (a low k1), and a long one says more rather than being about less (a low b):
// of the values tried on conversations in both languages (k1 from 0.6 to 1.2, b from 0.3 to
// 0.75), these find most. averageLength is fixed, not measured, so that a document's vector
// does not depend on the others: a sentence or two with who said it and when.
const (
	bm25K1        = 0.9
	bm25B         = 0.5
	averageLength = 20
)

// SparseVector is a vector by its non-zero elements: Indices are unique and ascending, and
// Values[i] belongs to Indices[i]. Both are nil if there are none; a store must then not be
// asked to search by it.
type SparseVector struct {
	Indices []uint32
	Values  []float32
}

// Document is the term-frequency part of BM25 for a document, with k1 = 0.9, b = 0.5 and
// averageLength = 20:
//
//	tf*(k1+1) / (tf + k1*(1-b+b*length/averageLength))
//
// where length is the number of terms of text. The inverse document frequency is left to
// the store. Each of extra is one term more, verbatim and with weight 1 (that of a term
// which occurs once in a text of average length); it is not part of the length. Extra terms
// are apart from those of texts: no text can be written that matches one (see Extra).
func Document(text string, extra ...string) SparseVector {
	list := Of(text)
	counts := make(map[uint32]float64, len(list)+len(extra))
	for _, t := range list {
		counts[hash(textTerm, t)]++
	}
	norm := bm25K1 * (1 - bm25B + bm25B*float64(len(list))/averageLength)
	weights := make(map[uint32]float32, len(counts)+len(extra))
	for index, tf := range counts {
		weights[index] = float32(tf * (bm25K1 + 1) / (tf + norm))
	}
	return sparse(weights, extra)
}

// Query is the vector of a query: weight 1 for each different term of text and of extra,
// which match those of Document.
func Query(text string, extra ...string) SparseVector {
	list := Of(text)
	weights := make(map[uint32]float32, len(list)+len(extra))
	for _, t := range list {
		weights[hash(textTerm, t)] = 1
	}
	return sparse(weights, extra)
}

// sparse adds the extra terms and lays the weights out in order.
func sparse(weights map[uint32]float32, extra []string) SparseVector {
	for _, t := range extra {
		weights[hash(extraTerm, t)] = 1
	}
	if len(weights) == 0 {
		return SparseVector{}
	}
	v := SparseVector{
		Indices: slices.Sorted(maps.Keys(weights)),
		Values:  make([]float32, len(weights)),
	}
	for i, index := range v.Indices {
		v.Values[i] = weights[index]
	}
	return v
}

// The spaces that terms are hashed in.
const (
	textTerm  = 't'
	extraTerm = 'x'
)

// extraBit is set in the indices of extra terms alone.
const extraBit = 1 << 31

// Extra reports whether an index is that of an extra term.
func Extra(index uint32) bool { return index&extraBit != 0 }

// hash is the 32-bit FNV-1a hash of the space and the term, but for the bit that tells the
// spaces apart. It is written out because hash/fnv allocates for every term. Two terms may
// share an index, at a chance of one in two thousand million a pair; their weights then count
// as one term's.
func hash(space byte, term string) uint32 {
	const offset, prime = 2166136261, 16777619
	h := (uint32(offset) ^ uint32(space)) * prime
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * prime
	}
	if space == extraTerm {
		return h | extraBit
	}
	return h &^ extraBit
}
