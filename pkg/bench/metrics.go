package bench

import (
	"math"
	"slices"
)

// Score is how well one query was answered, each between 0 and 1.
type Score struct {
	// R3, R5 and R10 are the shares of the gold turns among the first 3, 5 and 10.
	R3  float64
	R5  float64
	R10 float64
	// All10 is 1 if every gold turn is among the first 10.
	All10 float64
	// NDCG10 is the normalised discounted cumulative gain of the first 10 with gains of 0
	// and 1 (Järvelin and Kekäläinen 2002).
	NDCG10 float64
}

// ScoreOf compares an order, best first, with the gold turns: positions in a pool, at least
// one, none twice.
func ScoreOf(order, gold []int) Score {
	s := Score{R3: recall(order, gold, 3), R5: recall(order, gold, 5), R10: recall(order, gold, 10)}
	if s.R10 == 1 {
		s.All10 = 1
	}
	s.NDCG10 = ndcg(order, gold, 10)
	return s
}

// recall is the share of gold among the first k.
func recall(order, gold []int, k int) float64 {
	found := 0
	for _, at := range order[:min(k, len(order))] {
		if slices.Contains(gold, at) {
			found++
		}
	}
	return float64(found) / float64(len(gold))
}

func ndcg(order, gold []int, k int) float64 {
	var gain, ideal float64
	for i, at := range order[:min(k, len(order))] {
		if slices.Contains(gold, at) {
			gain += discount(i)
		}
	}
	for i := range min(k, len(gold)) {
		ideal += discount(i)
	}
	return gain / ideal
}

// discount is what a hit at a place, counted from 0, is worth.
func discount(place int) float64 { return 1 / math.Log2(float64(place+2)) }

// newerFirst reports whether the best of the newer turns stands above the best of the older.
// What is not found stands below everything that is.
func newerFirst(order, newer, older []int) bool {
	place := func(turns []int) int {
		if i := slices.IndexFunc(order, func(at int) bool { return slices.Contains(turns, at) }); i >= 0 {
			return i
		}
		return len(order)
	}
	return place(newer) < place(older)
}
