package qdrantmem

import "math"

// defaultRRFConstant is the k of reciprocal rank fusion where a request gives none.
const defaultRRFConstant = 2

// fuser scores what prefetches found: scores[i][j] is for the j-th hit of the i-th list.
type fuser interface {
	scores(lists [][]hit) [][]float32
}

// rrf is reciprocal rank fusion: each place in a list counts 1/((place+1)/weight + k - 1),
// the place counted from zero.
type rrf struct {
	k       uint32
	weights []float32 // one per list, or none for equal weights
}

func (r rrf) scores(lists [][]hit) [][]float32 {
	return scoreLists(lists, func(list int, hits []hit, place int) float32 {
		weight := float32(1)
		if len(r.weights) > 0 {
			weight = r.weights[list]
		}
		return 1 / (float32(place+1)/weight + float32(r.k) - 1)
	})
}

// dbsf is distribution-based score fusion: each list's scores are scaled so that the mean
// minus and plus three sample standard deviations become 0 and 1.
type dbsf struct{}

func (dbsf) scores(lists [][]hit) [][]float32 {
	spread := make([]struct{ low, width float64 }, len(lists))
	for i, hits := range lists {
		mean, deviation := distribution(hits)
		spread[i].low, spread[i].width = mean-3*deviation, 6*deviation
	}
	return scoreLists(lists, func(list int, hits []hit, place int) float32 {
		if spread[list].width == 0 {
			return 0.5
		}
		return float32((float64(hits[place].score) - spread[list].low) / spread[list].width)
	})
}

func distribution(hits []hit) (mean, deviation float64) {
	if len(hits) < 2 {
		return 0, 0
	}
	for _, h := range hits {
		mean += float64(h.score)
	}
	mean /= float64(len(hits))
	var squares float64
	for _, h := range hits {
		squares += (float64(h.score) - mean) * (float64(h.score) - mean)
	}
	return mean, math.Sqrt(squares / float64(len(hits)-1))
}

func scoreLists(lists [][]hit, score func(list int, hits []hit, place int) float32) [][]float32 {
	out := make([][]float32, len(lists))
	for i, hits := range lists {
		out[i] = make([]float32, len(hits))
		for j := range hits {
			out[i][j] = score(i, hits, j)
		}
	}
	return out
}

// fuse sums each point's scores over the lists and keeps the best of those that reach
// threshold, if there is one.
func fuse(f fuser, lists [][]hit, threshold *float32, limit int) []hit {
	var total int
	for _, hits := range lists {
		total += len(hits)
	}
	sums := make(map[pointID]hit, total)
	for i, scores := range f.scores(lists) {
		for j, score := range scores {
			found := lists[i][j]
			found.score = sums[found.point.id].score + score
			sums[found.point.id] = found
		}
	}
	kept := best[hit]{k: limit, compare: byScore}
	for _, h := range sums {
		if threshold == nil || h.score >= *threshold {
			kept.add(h)
		}
	}
	return kept.ordered()
}
