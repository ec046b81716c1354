package rank_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/retention"
)

var now = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func hit(id memory.ID, fused float64, age time.Duration) index.Hit {
	return index.Hit{Memory: memory.Memory{ID: id, Kind: memory.KindFact, ConfirmedAt: now.Add(-age)}, Fused: fused}
}

func ids(rs []rank.Ranked) []memory.ID {
	var out []memory.ID
	for _, r := range rs {
		out = append(out, r.Memory.ID)
	}
	return out
}

func TestOrder(t *testing.T) {
	const day = 24 * time.Hour
	pinned, constraint, keyed := hit("pinned", 1, 0), hit("constraint", 1, 0), hit("keyed", 1, 0)
	pinned.Memory.Pinned = true
	constraint.Memory.Kind, constraint.Memory.Key = memory.KindConstraint, "user.allergies"
	keyed.Memory.Key = "user.city"
	tests := []struct {
		name string
		hits []index.Hit
		want []memory.ID
	}{
		{"nothing", nil, nil},
		{"nearest first", []index.Hit{hit("b", 0.4, 0), hit("a", 0.8, 0)}, []memory.ID{"a", "b"}},
		{"far nearer beats newer", []index.Hit{hit("new", 0.2, 0), hit("near", 0.9, 400*day)}, []memory.ID{"near", "new"}},
		{"about as near: the newer", []index.Hit{hit("old", 0.80, 400*day), hit("new", 0.78, 0)}, []memory.ID{"new", "old"}},
		{"importance", []index.Hit{hit("free", 1, 0), keyed, constraint, pinned}, []memory.ID{"pinned", "constraint", "keyed", "free"}},
		{"equal totals: the id", []index.Hit{hit("b", 1, 0), hit("a", 1, 0)}, []memory.ID{"a", "b"}},
		{"the future is now", []index.Hit{hit("b", 1, -day), hit("c", 1, 0)}, []memory.ID{"b", "c"}},
		{"without similarity", []index.Hit{hit("old", 0, 90*day), hit("new", 0, 0)}, []memory.ID{"new", "old"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(rank.Order(now, tt.hits, rank.DefaultWeights(), retention.Policy{}, 10)); !slices.Equal(got, tt.want) {
				t.Errorf("order is %v, want %v", got, tt.want)
			}
		})
	}
}

func TestParts(t *testing.T) {
	w := rank.Weights{Similarity: 0.5, Recency: 0.3, Importance: 0.2, HalfLife: 10 * time.Hour}
	got := rank.Order(now, []index.Hit{hit("a", 0.6, 20*time.Hour), hit("b", 0.3, 0)}, w, retention.Policy{}, 2)
	for _, r := range got {
		want := map[memory.ID]rank.Score{
			"a": {Similarity: 1, Recency: 0.25, Importance: 0.3, Total: 0.5 + 0.3*0.25 + 0.2*0.3},
			"b": {Similarity: 0.5, Recency: 1, Importance: 0.3, Total: 0.25 + 0.3 + 0.2*0.3},
		}[r.Memory.ID]
		if math.Abs(r.Score.Total-want.Total) > 1e-12 || math.Abs(r.Score.Recency-want.Recency) > 1e-12 ||
			r.Score.Similarity != want.Similarity || r.Score.Importance != want.Importance {
			t.Errorf("%s: score is %+v, want %+v", r.Memory.ID, r.Score, want)
		}
	}
}

func TestWithoutAHalfLifeNothingAges(t *testing.T) {
	got := rank.Order(now, []index.Hit{hit("a", 1, 1000*time.Hour)}, rank.Weights{Recency: 1}, retention.Policy{}, 1)
	if got[0].Score.Recency != 1 {
		t.Errorf("recency is %v", got[0].Score.Recency)
	}
}

func TestDefaultWeightsAddUpToOne(t *testing.T) {
	w := rank.DefaultWeights()
	if sum := w.Similarity + w.Recency + w.Importance + w.Tier; math.Abs(sum-1) > 1e-12 || w.HalfLife != 30*24*time.Hour {
		t.Errorf("weights are %+v", w)
	}
}

func TestOrderProperties(t *testing.T) {
	hits := rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) index.Hit {
		h := hit(memory.ID(rapid.StringMatching(`[a-f]{1,3}`).Draw(t, "id")), rapid.Float64Range(0, 1).Draw(t, "fused"),
			time.Duration(rapid.IntRange(-1000, 10000).Draw(t, "age"))*time.Hour)
		h.Memory.Pinned = rapid.Bool().Draw(t, "pinned")
		return h
	}), func(h index.Hit) memory.ID { return h.Memory.ID })
	rapid.Check(t, func(t *rapid.T) {
		in := hits.Draw(t, "hits")
		limit := rapid.IntRange(-1, 12).Draw(t, "limit")
		got := rank.Order(now, in, rank.DefaultWeights(), retention.Policy{}, limit)
		if len(got) != min(len(in), max(limit, 0)) {
			t.Fatalf("%d of %d with the limit %d", len(got), len(in), limit)
		}
		for i, r := range got {
			for _, part := range []float64{r.Score.Total, r.Score.Similarity, r.Score.Recency, r.Score.Importance} {
				if math.IsNaN(part) || part < 0 || part > 1+1e-9 {
					t.Fatalf("score is %+v", r.Score)
				}
			}
			if i > 0 && r.Score.Total > got[i-1].Score.Total {
				t.Fatalf("%v comes after %v", r.Score, got[i-1].Score)
			}
		}
		shuffled := rapid.Permutation(in).Draw(t, "shuffled")
		again := rank.Order(now, shuffled, rank.DefaultWeights(), retention.Policy{}, limit)
		for i := range again {
			if again[i].Score != got[i].Score || again[i].Memory.ID != got[i].Memory.ID {
				t.Fatalf("the order of the hits matters at %d", i)
			}
		}
	})
}
