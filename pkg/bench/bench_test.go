package bench_test

import (
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// written is a folder with a set of these lines.
func written(t *testing.T, corpus, queries string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	pack(t, filepath.Join(dir, "corpus.jsonl.gz"), corpus)
	pack(t, filepath.Join(dir, "queries.jsonl.gz"), queries)
	return dir
}

func pack(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
