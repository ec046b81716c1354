package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/eval"
)

// packed writes a packed file into dir.
func packed(t *testing.T, dir, name, content string) {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEval: of two users who say the same in two languages, the rules hear both.
func TestEval(t *testing.T) {
	dir := t.TempDir()
	packed(t, dir, "corpus.jsonl.gz", `{"user":"a","sess":"s","ts":"2026-03-02","id":1,"role":"user","text":"I live in Oslo."}
{"user":"b","sess":"s","ts":"2026-03-02","id":1,"role":"user","text":"我住在杭州。"}`)
	packed(t, dir, "queries.jsonl.gz", "")
	packed(t, dir, "memories.jsonl.gz", `{"user":"a","id":"m1","sess":"s","text":"User lives in Oslo.","source":["1"]}
{"user":"b","id":"m1","sess":"s","text":"用户住在杭州。","source":["1"]}`)
	for _, c := range []struct {
		args []string
		want eval.Share
	}{
		{[]string{"eval", "--json", dir}, eval.Share{Count: 2, Of: 2}},
		{[]string{"eval", "--json", "--limit", "1", "--extractor", "rules", dir}, eval.Share{Count: 1, Of: 1}},
	} {
		out, err := run(t, c.args...)
		if err != nil {
			t.Fatal(err)
		}
		var r eval.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		if len(r.Coverage) == 0 || r.Coverage[0].Found != c.want || r.Extractor != "rules" || r.Set != filepath.Base(dir) {
			t.Errorf("%v: %s, want %v found", c.args, out, c.want)
		}
	}
	out, err := run(t, "eval", dir)
	if err != nil || !strings.Contains(out, "gold turns remembered from   2 of 2 (100.0 %)") {
		t.Errorf("eval prints %s (%v)", out, err)
	}
	if _, err := run(t, "eval", t.TempDir()); err == nil || !strings.Contains(err.Error(), "corpus.jsonl.gz") {
		t.Errorf("eval of an empty folder: %v", err)
	}
}
