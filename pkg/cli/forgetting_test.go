package cli_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/cli"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
)

// has fails unless a command prints each of the words, and none of those that follow "-".
func has(t *testing.T, words string, args ...string) {
	t.Helper()
	out := mustRun(t, args...)
	want := true
	for _, w := range strings.Fields(words) {
		if w == "-" {
			want = false
		} else if strings.Contains(out, w) != want {
			t.Errorf("%v prints %q: %t, want %t\n%s", args, w, !want, want, out)
		}
	}
}

// TestForgettingAtTheCommandLine: forget, restore, suppress, unsuppress, reap and erase, on a
// running installation.
func TestForgettingAtTheCommandLine(t *testing.T) {
	d := startDev(t, t.TempDir())
	d.say(t, "1", "I work at a bakery. I live in Oslo. I like jazz. 我养了一只猫，叫年糕。")
	eventually(t, "年糕", "memories", "--user", "me")
	memories := []string{"memories", "--user", "me"}

	// By what it is about, and back by the id that was printed.
	out := mustRun(t, "forget", "--user", "me", "where I work")
	head, id, ok := strings.Cut(strings.TrimSpace(out), "\n")
	if !ok || !strings.HasPrefix(head, "1 forgotten") || !strings.Contains(head, "restore") || !memory.ID(id).Valid() {
		t.Fatalf("forget prints %q", out)
	}
	has(t, "Oslo jazz 年糕 - bakery", memories...)
	if out := mustRun(t, "restore", "--user", "me", id); out != id+"\n" {
		t.Errorf("restore prints %q", out)
	}
	has(t, "Oslo jazz 年糕 bakery", memories...)
	for _, gone := range []string{id, "no-such-memory"} { // it is there already
		if _, err := run(t, "restore", "--user", "me", gone); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("restore %s = %v, want that there is nothing", gone, err)
		}
	}
	if _, err := run(t, "restore", "--user", "somebody", id); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("restore for somebody else = %v, want that there is nothing", err)
	}
	var done curate.Outcome
	decode(t, mustRun(t, "forget", "--user", "me", "--json", "--contains", "年糕"), &done)
	if len(done.Memories) != 1 {
		t.Errorf("forget --json gives %+v", done)
	}
	if out := mustRun(t, "forget", "--user", "me", "--thread", "t9"); !strings.HasPrefix(out, "0 forgotten") || strings.Count(out, "\n") != 1 {
		t.Errorf("forget of nothing prints %q", out)
	}
	if out := mustRun(t, "forget", "--user", "me", "--id", id+","+id, "--key", "user.employer"); !strings.HasPrefix(out, "1 forgotten") {
		t.Errorf("forget by id and key prints %q", out)
	}
	has(t, "Oslo jazz - bakery 年糕", memories...)

	has(t, "1 not recalled", "suppress", "--user", "me", "--key", "user.likes")
	has(t, "jazz - Oslo", "memories", "--user", "me", "--status", "suppressed")
	has(t, "- jazz", "recall", "--user", "me", "do I like jazz?")
	has(t, "1 recalled again", "unsuppress", "--user", "me", "--contains", "JAZZ")
	has(t, "jazz", "recall", "--user", "me", "do I like jazz?")
	has(t, "- jazz", "memories", "--user", "me", "--status", "suppressed")

	d.say(t, "2", "I moved to Bergen.")
	eventually(t, "Bergen", memories...)
	has(t, "Oslo - Bergen", "memories", "--user", "me", "--archive", "--status", "superseded")
	for name, args := range map[string][]string{
		"ids":      {"forget", "--user", "me"},
		"topic":    {"forget", "--user", "me", "my job", "--key", "user.city"},
		"all":      {"suppress", "--user", "me", "--all", "--contains", "x"},
		"keys":     {"unsuppress", "--user", "me", "--key", "user.shoe_size"},
		"kinds":    {"forget", "--user", "me", "--kind", "weird"},
		"contains": {"forget", "--user", "me", "--contains", " "},
	} {
		if _, err := run(t, args...); err == nil || !strings.Contains(err.Error(), "invalid request") {
			t.Errorf("%v = %v, want that %s is refused", args, err, name)
		}
	}
	has(t, "Bergen jazz - Oslo", memories...)
	reapAtTheCommandLine(t)
	eraseAtTheCommandLine(t)
}

// reapAtTheCommandLine runs each job, of which nothing is due.
func reapAtTheCommandLine(t *testing.T) {
	t.Helper()
	for _, job := range []string{"expire", "tier", "purge", "questions"} {
		for _, args := range [][]string{{"reap", job, "--dry-run"}, {"reap", job}} {
			var r reap.Report
			dec := json.NewDecoder(strings.NewReader(mustRun(t, args...)))
			if err := dec.Decode(&r); err != nil || string(r.Job) != job || r.DryRun != (len(args) == 3) || r.Failed != 0 || dec.More() {
				t.Errorf("%v gives %+v, %v", args, r, err)
			}
		}
	}
	has(t, "Bergen jazz", "memories", "--user", "me")
	if _, err := run(t, "reap", "sleep"); err == nil || !strings.Contains(err.Error(), "sleep") {
		t.Errorf("reap sleep = %v, want that there is no such job", err)
	}
}

// eraseAtTheCommandLine removes the user, of whom there is something.
func eraseAtTheCommandLine(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{{"erase"}, {"erase", "--verify"}, {"erase", "--user", "me", "--agent", "a"}, {"erase", "--user", "me", "--whole-tenant"}} {
		if out, err := run(t, args...); err == nil || errors.Is(err, cli.ErrFailed) {
			t.Errorf("%v = %v, want that it does not say whom\n%s", args, err, out)
		}
	}
	out, err := run(t, "erase", "--user", "me", "--verify")
	if !errors.Is(err, cli.ErrFailed) || !strings.Contains(out, `"final": false`) {
		t.Errorf("verify before the erasure = %v\n%s", err, out)
	}
	var receipt curate.Receipt
	decode(t, mustRun(t, "erase", "--user", "me"), &receipt)
	if !receipt.Final || receipt.Memories < 2 || receipt.Removed["events"] != 2 {
		t.Errorf("erase gives %+v", receipt)
	}
	decode(t, mustRun(t, "erase", "--user", "me", "--verify"), &receipt)
	for place, n := range receipt.Removed {
		if n != 0 {
			t.Errorf("%d pieces are left in %s", n, place)
		}
	}
	has(t, "- Oslo Bergen jazz", "memories", "--user", "me")
	has(t, "- Oslo Bergen jazz", "ledger", "--user", "me")
	decode(t, mustRun(t, "erase", "--whole-tenant"), &receipt)
	if !receipt.Final {
		t.Errorf("erase --whole-tenant gives %+v", receipt)
	}
}
