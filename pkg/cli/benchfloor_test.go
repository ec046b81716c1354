package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
)

// Through the product, the whole ranking reaches what was set out, over all owners and over
// either half of them.
func TestPublishedFiguresThroughTheProduct(t *testing.T) {
	dir := os.Getenv("MNEMOND_BENCH_DATA")
	if dir == "" {
		t.Skip("MNEMOND_BENCH_DATA does not name a folder of data sets")
	}
	for _, c := range []struct {
		set    string
		pooled int
		of     string
		least  bench.Figures
	}{
		{"locomo", 1, bench.Answerable, bench.Figures{R10: 72.5, NDCG10: 55.0}},
		{"beam_100K", 1, bench.All, bench.Figures{R10: 45, NewerFirst: 60}},
		{"memdaily_zh", 1, bench.All, bench.Figures{R3: 72}},
		{"memdaily_zh", 20, bench.All, bench.Figures{R10: 62}},
	} {
		out, err := run(t, "bench", "retrieval", "--json", "--halves", "--pipeline", "full", "--pooled", strconv.Itoa(c.pooled), filepath.Join(dir, c.set))
		if err != nil {
			t.Fatal(err)
		}
		var r bench.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		full := r.Runs[1]
		for half, figures := range map[string][]bench.Figures{"all": full.Figures, "first half": full.First, "second half": full.Second} {
			for _, f := range figures {
				if f.Of != c.of {
					continue
				}
				t.Logf("%s, %d pooled, %s: %+v", c.set, c.pooled, half, f)
				if f.R3 < c.least.R3 || f.R10 < c.least.R10 || f.NDCG10 < c.least.NDCG10 || f.NewerFirst < c.least.NewerFirst {
					t.Errorf("%s, %d pooled, %s: %+v, want at least %+v", c.set, c.pooled, half, f, c.least)
				}
			}
		}
	}
}
