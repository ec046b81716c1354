package rank

import (
	"math"

	"github.com/mnemond/mnemond/pkg/terms"
)

// alike is the cosine of the words of two vectors; 0 if either has none. A key or a day that
// they share makes two memories be about the same no more than one that they do not share
// makes them differ.
func alike(a, b terms.SparseVector) float64 {
	dot := product(a, b)
	if dot == 0 {
		return 0
	}
	return dot / (length(a) * length(b))
}

func product(a, b terms.SparseVector) float64 {
	a, b = justWords(a), justWords(b)
	sum := 0.0
	for i, j := 0, 0; i < len(a.Indices) && j < len(b.Indices); {
		switch {
		case a.Indices[i] < b.Indices[j]:
			i++
		case a.Indices[i] > b.Indices[j]:
			j++
		default:
			sum += float64(a.Values[i]) * float64(b.Values[j])
			i, j = i+1, j+1
		}
	}
	return sum
}

func length(v terms.SparseVector) float64 {
	sum := 0.0
	for _, x := range justWords(v).Values {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// justWords is a vector without its extra terms, which come last.
func justWords(v terms.SparseVector) terms.SparseVector {
	n := len(v.Indices)
	for n > 0 && terms.Extra(v.Indices[n-1]) {
		n--
	}
	return terms.SparseVector{Indices: v.Indices[:n], Values: v.Values[:n]}
}
