package app

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
)

// RecallConfig says what counts in the order of what is recalled. A weight is the share
// of a part in a score; each part lies in [0, 1].
type RecallConfig struct {
	// Similarity is the weight of what a memory shares with the query. Default 0.7.
	Similarity float64 `env:"SIMILARITY" envDefault:"0.7"`
	// Recency is the weight of when it was last said or handed out, which halves with every
	// HalfLife. Defaults 0.15 and 720h (30 days).
	Recency  float64       `env:"RECENCY" envDefault:"0.15"`
	HalfLife time.Duration `env:"HALF_LIFE" envDefault:"720h"`
	// Importance is the weight of being asked for in words, a constraint or under a key.
	// Default 0.1.
	Importance float64 `env:"IMPORTANCE" envDefault:"0.1"`
	// Tier is the weight of being hot rather than warm. Default 0.05.
	Tier float64 `env:"TIER" envDefault:"0.05"`
	// Floor is the cosine of its vector and the query's from which a memory matters that shares
	// no word with the query: more than 0, less than 1. 0, the default, is the embedder's own:
	// 0.25 for the lexical one, 0.3 for a model.
	Floor float64 `env:"FLOOR" envDefault:"0"`
}

func (c RecallConfig) validate() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"SIMILARITY", c.Similarity}, {"RECENCY", c.Recency}, {"IMPORTANCE", c.Importance}, {"TIER", c.Tier}} {
		if !(f.value >= 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("MNEMOND_RECALL_%s: must be a number of at least 0, is %v", f.name, f.value)
		}
	}
	switch {
	case c.Similarity == 0:
		return errors.New("MNEMOND_RECALL_SIMILARITY: must be more than 0")
	case c.HalfLife <= 0:
		return errors.New("MNEMOND_RECALL_HALF_LIFE: must be more than 0")
	case !(c.Floor >= 0 && c.Floor < 1):
		return fmt.Errorf("MNEMOND_RECALL_FLOOR: must be at least 0 and less than 1, is %v", c.Floor)
	}
	return nil
}

func (c RecallConfig) weights() rank.Weights {
	return rank.Weights{Similarity: c.Similarity, Recency: c.Recency, Importance: c.Importance, Tier: c.Tier, HalfLife: c.HalfLife}
}

// finding is how memories are found and ranked.
func (c RecallConfig) finding(s find.Store, m *models, r *profile.Registry) find.Config {
	floor := m.minDense
	if c.Floor > 0 {
		floor = float32(c.Floor)
	}
	return find.Config{
		Store: s, Embed: m.query, Registry: r, Weights: c.weights(), Measure: rank.DefaultMeasure(), MinDense: floor, Related: m.related,
	}
}

// finding is how the stack does it.
func (s *Stack) finding() find.Config { return s.Config.Recall.finding(s.Store, s.models, s.Registry) }
