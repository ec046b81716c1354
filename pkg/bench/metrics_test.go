package bench_test

import (
	"math"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
)

// Figures by hand: a hit at the place i, counted from 1, is worth 1/log2(i+1).
func TestScoreOf(t *testing.T) {
	worth := func(places ...float64) float64 {
		sum := 0.0
		for _, p := range places {
			sum += 1 / math.Log2(p+1)
		}
		return sum
	}
	ten := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	for _, c := range []struct {
		name        string
		order, gold []int
		want        bench.Score
	}{
		{"first", ten, []int{0}, bench.Score{R3: 1, R5: 1, R10: 1, All10: 1, NDCG10: 1}},
		{"fourth", ten, []int{3}, bench.Score{R5: 1, R10: 1, All10: 1, NDCG10: 1 / math.Log2(5)}},
		{"tenth", ten, []int{9}, bench.Score{R10: 1, All10: 1, NDCG10: 1 / math.Log2(11)}},
		{"eleventh", ten, []int{10}, bench.Score{}},
		{"nothing found", nil, []int{3}, bench.Score{}},
		{
			"second and sixth of three", ten, []int{1, 5, 12},
			bench.Score{R3: 1. / 3, R5: 1. / 3, R10: 2. / 3, NDCG10: worth(2, 6) / worth(1, 2, 3)},
		},
		{
			"both of two, in the other order", []int{7, 2}, []int{2, 7},
			bench.Score{R3: 1, R5: 1, R10: 1, All10: 1, NDCG10: 1},
		},
		{
			"more gold than places", ten, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
			bench.Score{R3: 3. / 12, R5: 5. / 12, R10: 10. / 12, NDCG10: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := bench.ScoreOf(c.order, c.gold)
			for _, p := range [][2]float64{
				{got.R3, c.want.R3}, {got.R5, c.want.R5}, {got.R10, c.want.R10},
				{got.All10, c.want.All10}, {got.NDCG10, c.want.NDCG10},
			} {
				if !near(p[0], p[1]) {
					t.Errorf("got %+v, want %+v", got, c.want)
				}
			}
		})
	}
}
