// Package rank compares what a search has found with a query and scores it: words, echo,
// meaning and context make the similarity; recency, importance and tier are added; each part
// is reported. It is pure, and knows neither how anything is found nor who may see it.
package rank

import (
	"math"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Weights are the shares of the parts in a score. Each part lies in [0, 1].
type Weights struct {
	Similarity float64
	Recency    float64
	Importance float64
	Tier       float64
	// HalfLife is the time after which Recency has halved.
	HalfLife time.Duration
}

// DefaultWeights let similarity decide, and the rest only between what is about as near.
func DefaultWeights() Weights {
	return Weights{Similarity: 0.70, Recency: 0.15, Importance: 0.10, Tier: 0.05, HalfLife: 30 * 24 * time.Hour}
}

// Score is a total and its parts, each before it was weighted.
type Score struct {
	Total      float64 `json:"total"`
	Similarity float64 `json:"similarity"`
	Recency    float64 `json:"recency"`
	Importance float64 `json:"importance"`
	// Tier is 1 for what is hot, less for what is warm, and nothing for what is cold.
	Tier float64 `json:"tier"`
}

// Score is that of a memory of a tier at now, as similar to a query as is given, in [0, 1].
func (w Weights) Score(now time.Time, similarity float64, m *memory.Memory, t memory.Tier) Score {
	s := Score{Similarity: similarity, Recency: recency(now, spokenOf(m), w.HalfLife), Importance: importance(m), Tier: nearness(t)}
	s.Total = w.Similarity*s.Similarity + w.Recency*s.Recency + w.Importance*s.Importance + w.Tier*s.Tier
	return s
}

// spokenOf is when a memory was last said or handed out.
func spokenOf(m *memory.Memory) time.Time {
	if m.AccessedAt.After(m.ConfirmedAt) {
		return m.AccessedAt
	}
	return m.ConfirmedAt
}

// nearness is what a tier adds.
func nearness(t memory.Tier) float64 {
	switch t {
	case memory.TierHot:
		return 1
	case memory.TierWarm:
		return 0.5
	default:
		return 0
	}
}

// recency halves with each half-life since the last use; the future counts as now.
func recency(now, used time.Time, halfLife time.Duration) float64 {
	age := now.Sub(used)
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
