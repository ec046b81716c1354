package rank_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
)

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestScore(t *testing.T) {
	w := rank.Weights{Similarity: 0.5, Recency: 0.3, Importance: 0.15, Tier: 0.05, HalfLife: 10 * time.Hour}
	ago := func(d time.Duration) memory.Memory {
		return memory.Memory{Kind: memory.KindFact, ConfirmedAt: now.Add(-d)}
	}
	pinned, constraint, keyed, used := ago(0), ago(0), ago(0), ago(100*time.Hour)
	pinned.Pinned = true
	constraint.Kind, constraint.Key = memory.KindConstraint, "user.allergies"
	keyed.Key = "user.city"
	used.AccessedAt = now.Add(-10 * time.Hour)
	for _, c := range []struct {
		name       string
		similarity float64
		m          memory.Memory
		tier       memory.Tier
		want       rank.Score
	}{
		{"just said", 1, ago(0), memory.TierHot, rank.Score{Similarity: 1, Recency: 1, Importance: 0.3, Tier: 1, Total: 0.5 + 0.3 + 0.045 + 0.05}},
		{"two half-lives ago", 0.5, ago(20 * time.Hour), memory.TierWarm, rank.Score{Similarity: 0.5, Recency: 0.25, Importance: 0.3, Tier: 0.5, Total: 0.25 + 0.075 + 0.045 + 0.025}},
		{"handed out since", 0, used, memory.TierCold, rank.Score{Recency: 0.5, Importance: 0.3, Total: 0.15 + 0.045}},
		{"the future is now", 0, ago(-time.Hour), memory.TierCold, rank.Score{Recency: 1, Importance: 0.3, Total: 0.3 + 0.045}},
		{"asked for in words", 0, pinned, memory.TierCold, rank.Score{Recency: 1, Importance: 1, Total: 0.3 + 0.15}},
		{"a constraint", 0, constraint, memory.TierCold, rank.Score{Recency: 1, Importance: 0.8, Total: 0.3 + 0.12}},
		{"under a key", 0, keyed, memory.TierCold, rank.Score{Recency: 1, Importance: 0.5, Total: 0.3 + 0.075}},
	} {
		got := w.Score(now, c.similarity, &c.m, c.tier)
		for _, part := range [][2]float64{
			{got.Total, c.want.Total}, {got.Similarity, c.want.Similarity}, {got.Recency, c.want.Recency},
			{got.Importance, c.want.Importance}, {got.Tier, c.want.Tier},
		} {
			if !within(part[0], part[1]) {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
				break
			}
		}
	}
}

func TestWithoutAHalfLifeNothingAges(t *testing.T) {
	m := memory.Memory{ConfirmedAt: now.AddDate(-1, 0, 0)}
	if got := (rank.Weights{Recency: 1}).Score(now, 0, &m, memory.TierCold); got.Recency != 1 || got.Total != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestDefaultWeightsAddUpToOne(t *testing.T) {
	w := rank.DefaultWeights()
	if sum := w.Similarity + w.Recency + w.Importance + w.Tier; !within(sum, 1) || w.HalfLife != 30*24*time.Hour {
		t.Errorf("weights are %+v", w)
	}
}

// Each part of a score lies in [0, 1], and what is more similar, or said later, never scores
// less.
func TestScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		age := time.Duration(rapid.IntRange(-1000, 100000).Draw(t, "age")) * time.Hour
		near := rapid.Float64Range(0, 1).Draw(t, "similarity")
		tier := rapid.SampledFrom([]memory.Tier{memory.TierHot, memory.TierWarm, memory.TierCold}).Draw(t, "tier")
		m := memory.Memory{ConfirmedAt: now.Add(-age), Pinned: rapid.Bool().Draw(t, "pinned")}
		s := rank.DefaultWeights().Score(now, near, &m, tier)
		for _, part := range []float64{s.Total, s.Similarity, s.Recency, s.Importance, s.Tier} {
			if math.IsNaN(part) || part < 0 || part > 1+1e-9 {
				t.Fatalf("score is %+v", s)
			}
		}
		if nearer := rank.DefaultWeights().Score(now, 1, &m, tier); nearer.Total < s.Total {
			t.Fatalf("%+v is nearer than %+v", nearer, s)
		}
		m.ConfirmedAt = m.ConfirmedAt.Add(time.Hour)
		if newer := rank.DefaultWeights().Score(now, near, &m, tier); newer.Total < s.Total {
			t.Fatalf("%+v is newer than %+v", newer, s)
		}
	})
}
