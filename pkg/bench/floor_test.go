package bench_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/find"
)

// floors are published figures of the reference BM25, and what the whole ranking reaches at
// least, with one set of weights for all.
var floors = []struct {
	set    string
	pooled int
	of     string
	// floor has R@3, R@5, R@10, NDCG@10 and the share of newer values that come first; 0 is
	// not published.
	floor [5]float64
	least [5]float64
}{
	{"locomo", 1, bench.Answerable, [5]float64{49.8, 56.1, 63.5, 50.2}, [5]float64{0, 0, 72.5, 55.0}},
	{"locomo", 1, bench.All, [5]float64{51.9, 58.5, 65.6, 51.6}, [5]float64{}},
	{"beam_100K", 1, bench.All, [5]float64{24.5, 30.3, 39.5, 30.0, 35.1}, [5]float64{0, 0, 45, 0, 60}},
	{"memdaily_zh", 1, bench.All, [5]float64{67.3, 80.5, 89.3, 86.7}, [5]float64{72}},
	{"memdaily_zh", 20, bench.All, [5]float64{34.3, 43.2, 54.7, 45.8}, [5]float64{0, 0, 62}},
}

func values(f bench.Figures) [5]float64 {
	return [5]float64{f.R3, f.R5, f.R10, f.NDCG10, f.NewerFirst}
}

// The harness is right if its own BM25 gives what is published, to 0.1; the weights are right
// if the ranking reaches what was set out, over all users and over either half of them.
func TestPublishedFigures(t *testing.T) {
	dir := os.Getenv("MNEMOND_BENCH_DATA")
	if dir == "" {
		t.Skip("MNEMOND_BENCH_DATA does not name a folder of data sets")
	}
	for _, f := range floors {
		s, err := bench.Load(filepath.Join(dir, f.set))
		if err != nil {
			t.Fatal(err)
		}
		pools := s.Pools(f.pooled)
		reference := figuresOf(t, pools, f.of, func(p *bench.Pool) []bench.Result {
			r := bench.NewReference(p)
			return answersOf(t, p, func(*bench.Pool) bench.Ranker {
				return func(_ context.Context, query string) ([]int, error) { return r.Rank(query), nil }
			})
		})
		for i, v := range values(reference) {
			if f.floor[i] > 0 && math.Abs(v-f.floor[i]) > 0.1 {
				t.Errorf("%s, %d pooled, %s: the reference gives %+v, want %v", f.set, f.pooled, f.of, reference, f.floor)
				break
			}
		}
		l := labOf(t, pools...)
		whole := func(p *bench.Pool) bench.Ranker { return l.Open(p, find.Full) }
		first, second := bench.Halves(pools)
		results := map[*bench.Pool][]bench.Result{}
		for _, p := range pools {
			results[p] = answersOf(t, p, whole)
		}
		for name, some := range map[string][]*bench.Pool{"all": pools, "first half": first, "second half": second} {
			got := figuresOf(t, some, f.of, func(p *bench.Pool) []bench.Result { return results[p] })
			t.Logf("%s, %d pooled, %s, %s: %+v", f.set, f.pooled, f.of, name, got)
			for i, v := range values(got) {
				if v < f.least[i] {
					t.Errorf("%s, %d pooled, %s, %s: the ranking gives %+v, want at least %v", f.set, f.pooled, f.of, name, got, f.least)
					break
				}
			}
		}
	}
}

func answersOf(t *testing.T, p *bench.Pool, open func(*bench.Pool) bench.Ranker) []bench.Result {
	t.Helper()
	results, err := bench.Ask(t.Context(), p, open(p))
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// figuresOf are the figures of one group over pools.
func figuresOf(t *testing.T, pools []*bench.Pool, of string, answers func(*bench.Pool) []bench.Result) bench.Figures {
	t.Helper()
	var results []bench.Result
	for _, p := range pools {
		results = append(results, answers(p)...)
	}
	for _, f := range bench.Summarise(results) {
		if f.Of == of {
			return f
		}
	}
	t.Fatalf("no figures of %s", of)
	return bench.Figures{}
}
