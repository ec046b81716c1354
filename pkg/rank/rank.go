// Package rank orders what a search has found: similarity, recency and importance, each
// part reported. It is pure: it takes the time and the hits and returns numbers.
package rank

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Weights are the shares of the parts in a score. Each part lies in [0, 1].
type Weights struct {
	Similarity float64
	Recency    float64
	Importance float64
	// HalfLife is the time after which Recency has halved.
	HalfLife time.Duration
}

// DefaultWeights let similarity decide, and the rest only between what is about as near.
func DefaultWeights() Weights {
	return Weights{Similarity: 0.75, Recency: 0.15, Importance: 0.10, HalfLife: 30 * 24 * time.Hour}
}

// Score is a total and its parts, each before it was weighted.
type Score struct {
	Total      float64 `json:"total"`
	Similarity float64 `json:"similarity"`
	Recency    float64 `json:"recency"`
	Importance float64 `json:"importance"`
}

// Ranked is a memory with its score.
type Ranked struct {
	Memory memory.Memory
	Score  Score
}

// Order scores the hits at now and returns the best limit of them, best first. Equal
// totals are ordered by the latest confirmation, then by id.
func Order(now time.Time, hits []index.Hit, w Weights, limit int) []Ranked {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Fused)
	}
	out := make([]Ranked, 0, len(hits))
	for _, h := range hits {
		s := Score{Recency: recency(now, h.Memory.ConfirmedAt, w.HalfLife), Importance: importance(&h.Memory)}
		if best > 0 {
			s.Similarity = h.Fused / best
		}
		s.Total = w.Similarity*s.Similarity + w.Recency*s.Recency + w.Importance*s.Importance
		out = append(out, Ranked{Memory: h.Memory, Score: s})
	}
	slices.SortFunc(out, func(a, b Ranked) int {
		return cmp.Or(
			cmp.Compare(b.Score.Total, a.Score.Total),
			b.Memory.ConfirmedAt.Compare(a.Memory.ConfirmedAt),
			cmp.Compare(a.Memory.ID, b.Memory.ID),
		)
	})
	return out[:min(len(out), max(limit, 0))]
}

// recency halves with each half-life since the last confirmation; the future counts as now.
func recency(now, confirmed time.Time, halfLife time.Duration) float64 {
	age := now.Sub(confirmed)
	if age <= 0 || halfLife <= 0 {
		return 1
	}
	return math.Exp2(-age.Seconds() / halfLife.Seconds())
}

// importance is what the user asked for by name, what may harm when it is forgotten, and
// then the rest.
func importance(m *memory.Memory) float64 {
	switch {
	case m.Pinned:
		return 1
	case m.Kind == memory.KindConstraint:
		return 0.8
	case m.Key != "":
		return 0.5
	default:
		return 0.3
	}
}
