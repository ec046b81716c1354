package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

// TestTransferAtTheCommandLine writes a user's memory by hand, takes it to another user, and
// merges a third one.
func TestTransferAtTheCommandLine(t *testing.T) {
	startDev(t, t.TempDir())
	if out := mustRun(t, "remember", "--user", "me", "I live in Oslo. I like jazz."); strings.Count(out, "added") != 2 {
		t.Errorf("remember prints\n%s", out)
	}
	if out := mustRun(t, "remember", "--user", "me", "My password is hunter2swordfish"); out != "refused    secret\n" {
		t.Errorf("a secret prints %q", out)
	}
	if out := mustRun(t, "remember", "--user", "me", "--key", "user.city", "--value", "Bergen"); !strings.HasPrefix(out, "asked ") {
		t.Errorf("a contradiction prints %q", out)
	}
	var held struct{ Memories []memory.Memory }
	decode(t, mustRun(t, "memories", "--user", "me", "--json"), &held)
	for _, m := range held.Memories {
		if m.Key == "user.likes" {
			if out := mustRun(t, "edit", "--user", "me", string(m.ID), "--value", "opera"); !strings.Contains(out, "I like opera") {
				t.Errorf("edit prints %q", out)
			}
		}
	}
	_, err := run(t, "edit", "--user", "you", string(held.Memories[0].ID), "--pin")
	oneLine(t, err, "not found")

	file := filepath.Join(t.TempDir(), "me.ndjson")
	exported := mustRun(t, "export", "--user", "me")
	if !strings.HasPrefix(exported, `{"format":"mnemond.export","version":1}`+"\n") || !strings.Contains(exported, "I like opera") {
		t.Errorf("export prints\n%s", exported)
	}
	if err := os.WriteFile(file, []byte(exported), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := mustRun(t, "import", "--user", "you", file); !strings.Contains(out, " added\n") || !strings.Contains(out, "skipped (not_current)") {
		t.Errorf("import prints\n%s", out)
	}
	if out := mustRun(t, "import", "--user", "you", file); strings.Contains(out, "added") {
		t.Errorf("the second import prints\n%s", out)
	}
	if out := mustRun(t, "memories", "--user", "you"); !strings.Contains(out, "I like opera") {
		t.Errorf("memories prints\n%s", out)
	}
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = run(t, "import", "--user", "you", file)
	oneLine(t, err, "is no export")

	mustRun(t, "remember", "--user", "anon", "I love hiking.")
	if out := mustRun(t, "merge", "--user", "me", "anon", "--erase"); !strings.Contains(out, "1 added\n") || !strings.Contains(out, "anon is erased: 1 memories, final true") {
		t.Errorf("merge prints\n%s", out)
	}
	if out := mustRun(t, "memories", "--user", "anon"); out != "" {
		t.Errorf("left of the merged user is %q", out)
	}
}
