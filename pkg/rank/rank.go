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
	"github.com/mnemond/mnemond/pkg/retention"
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

// Ranked is a memory with its tier and its score.
type Ranked struct {
	Memory memory.Memory
	Tier   memory.Tier
	Score  Score
}

// Order scores the hits at now, under a tenant's policy, and returns the best limit of
// them, best first. Equal totals are ordered by the latest confirmation, then by id.
func Order(now time.Time, hits []index.Hit, w Weights, p retention.Policy, limit int) []Ranked {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Fused)
	}
	out := make([]Ranked, 0, len(hits))
	for _, h := range hits {
		tier := p.Tier(&h.Memory, now)
		s := Score{Recency: recency(now, spokenOf(&h.Memory), w.HalfLife), Importance: importance(&h.Memory), Tier: nearness(tier)}
		if best > 0 {
			s.Similarity = h.Fused / best
		}
		s.Total = w.Similarity*s.Similarity + w.Recency*s.Recency + w.Importance*s.Importance + w.Tier*s.Tier
		out = append(out, Ranked{Memory: h.Memory, Tier: tier, Score: s})
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
