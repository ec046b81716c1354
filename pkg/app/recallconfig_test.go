package app

import (
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/rank"
)

func TestTheDefaultWeightsAreThoseThatWereMeasured(t *testing.T) {
	if got := DefaultConfig().Recall.weights(); got != rank.DefaultWeights() {
		t.Errorf("the weights are %+v, measured were %+v", got, rank.DefaultWeights())
	}
}

// TestRecallIsRankedAsConfigured: a stack takes its weights and its floor from the
// configuration, and without a floor the embedder's own.
func TestRecallIsRankedAsConfigured(t *testing.T) {
	s := newStack(t, Options{})
	if got := s.Recall.Find; got.MinDense != minDense || got.Weights != rank.DefaultWeights() {
		t.Errorf("by default %v and %+v", got.MinDense, got.Weights)
	}
	s.Config.Recall = RecallConfig{Similarity: 0.5, Recency: 0.3, Importance: 0.15, Tier: 0.05, HalfLife: time.Hour, Floor: 0.6}
	want := rank.Weights{Similarity: 0.5, Recency: 0.3, Importance: 0.15, Tier: 0.05, HalfLife: time.Hour}
	if got := s.finding(); got.MinDense != 0.6 || got.Weights != want {
		t.Errorf("configured as %v and %+v", got.MinDense, got.Weights)
	}
}
