package rank

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/mnemond/mnemond/pkg/terms"
)

// Further is what to search for once more after the first search: the terms of its best hits
// that the query lacks (pseudo-relevance feedback), over all sentences. It brings what is
// about the same without a word of the query. It is empty if no candidate shares a word with
// the query.
func (m Measure) Further(q Query, cs []Candidate) terms.SparseVector {
	x := newTermIndex(cs)
	sum := map[uint32]float32{}
	for _, s := range q.sentences {
		v := m.echoOf(x, s, m.scores(x, s.terms, nil))
		for i, index := range v.Indices {
			sum[index] += v.Values[i] * float32(m.weight(q, s))
		}
	}
	return vector(sum)
}

// echoOf are the terms of a sentence's best hits that it lacks, each with how much of it
// they hold; the heaviest weighs 1.
func (m Measure) echoOf(x *termIndex, s asked, words []float64) terms.SparseVector {
	sum := map[uint32]float32{}
	for _, hit := range top(words, m.EchoHits) {
		v := justWords(x.cs[hit].Terms)
		for i, index := range v.Indices {
			if _, asked := slices.BinarySearch(s.terms, index); !asked {
				sum[index] += float32(words[hit]) * v.Values[i]
			}
		}
	}
	for index := range sum {
		// What everything says tells nothing apart; by the root, as the scores weigh again.
		sum[index] *= float32(math.Sqrt(x.worth(index)))
	}
	byWeight := slices.SortedFunc(maps.Keys(sum), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(sum[b], sum[a]), cmp.Compare(a, b))
	})
	kept := map[uint32]float32{}
	for _, index := range byWeight[:min(m.EchoTerms, len(byWeight))] {
		kept[index] = sum[index] / sum[byWeight[0]]
	}
	return vector(kept)
}

// vector lays weights out in order.
func vector(weights map[uint32]float32) terms.SparseVector {
	if len(weights) == 0 {
		return terms.SparseVector{}
	}
	v := terms.SparseVector{Indices: slices.Sorted(maps.Keys(weights)), Values: make([]float32, len(weights))}
	for i, index := range v.Indices {
		v.Values[i] = weights[index]
	}
	return v
}

// termIndex finds the candidates that hold a term, and remembers them.
type termIndex struct {
	cs      []Candidate
	holders map[uint32][]holder
}

// holder is a candidate, by its place, that holds a term with a weight.
type holder struct {
	at     int
	weight float64
}

func newTermIndex(cs []Candidate) *termIndex {
	return &termIndex{cs: cs, holders: map[uint32][]holder{}}
}

func (x *termIndex) of(index uint32) []holder {
	found, ok := x.holders[index]
	if !ok {
		for i := range x.cs {
			if w := valueOf(x.cs[i].Terms, index); w > 0 {
				found = append(found, holder{i, w})
			}
		}
		x.holders[index] = found
	}
	return found
}

// worth is the inverse document frequency of a term, ln(1 + N/(df+0.5)). That of BM25 counts
// a term of more than half of the candidates for next to nothing, but candidates are there
// because they hold the query's terms.
func (x *termIndex) worth(index uint32) float64 {
	return math.Log(1 + float64(len(x.cs))/(float64(len(x.of(index)))+0.5))
}

// telling are the terms of v that at most two thirds of the candidates hold. The others, the
// year or a speaker's name, do not make one be about the same as another.
func (x *termIndex) telling(v terms.SparseVector) terms.SparseVector {
	var out terms.SparseVector
	for i, index := range v.Indices {
		if 3*len(x.of(index)) <= 2*len(x.cs) {
			out.Indices = append(out.Indices, index)
			out.Values = append(out.Values, v.Values[i])
		}
	}
	return out
}

// missing are those of indices that a hit lacks; none without a hit.
func (x *termIndex) missing(indices []uint32, hit []int) []uint32 {
	var out []uint32
	for _, index := range indices {
		if len(hit) > 0 && valueOf(x.cs[hit[0]].Terms, index) == 0 {
			out = append(out, index)
		}
	}
	return out
}

// valueOf is the weight of a term in a vector.
func valueOf(v terms.SparseVector, index uint32) float64 {
	if i, ok := slices.BinarySearch(v.Indices, index); ok {
		return float64(v.Values[i])
	}
	return 0
}
