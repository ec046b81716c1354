package cli_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/cli"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/recall"
)

// TestTracesAndProfilesAtTheCommandLine: why it said that, and what is known of a user, on a
// running installation.
func TestTracesAndProfilesAtTheCommandLine(t *testing.T) {
	d := startDev(t, t.TempDir())
	d.say(t, "1", "I live in Oslo and I have a dog named Rex.")
	eventually(t, "Oslo", "memories", "--user", "me")
	eventually(t, "/user/city", "profile", "--user", "me")
	has(t, `"city": "Oslo" /user/pets/0 [memory - disputed`, "profile", "--user", "me")
	has(t, `"sources" "memory_id" "unfit"`, "profile", "show", "--user", "me", "--json")
	if out := mustRun(t, "profile", "check"); out != "0 of 1 users have memories that the profile schema has no place for\n" {
		t.Errorf("profile check prints %q", out)
	}
	mustRun(t, "recall", "--user", "me", "Where do I live?")
	eventually(t, "live", "trace", "--user", "me")
	id, _, _ := strings.Cut(mustRun(t, "trace", "--user", "me", "--limit", "1"), " ")
	var a recall.Account
	if err := json.Unmarshal([]byte(mustRun(t, "trace", id, "--user", "me", "--json")), &a); err != nil || a.RecallID != id || len(a.Memories) == 0 {
		t.Fatalf("trace --json = %+v, %v", a, err)
	}
	out := mustRun(t, "trace", id, "--user", "me")
	for _, want := range []string{
		`"Where do I live?"`, "limit: 6", "Handed out: ", "1. [memory ", "I live in Oslo", "score ", "said in thread t1, message 1, ", `"I live in Oslo`,
		"Injected:\n   <memories>", "is not known",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the trace does not say %q:\n%s", want, out)
		}
	}
	d.send(t, "2", string(event.TypeAnswer), `{"recall_id":"`+id+`","content":"You live in Oslo.\nNice town."}`)
	eventually(t, "The model answered at", "trace", id, "--user", "me")
	has(t, "answered", "trace", "--user", "me")
	if out := mustRun(t, "trace", "--user", "me", "--thread", "nowhere"); out != "" {
		t.Errorf("of another thread, trace prints %q", out)
	}
	mustRun(t, "forget", "--user", "me", "--contains", "Oslo")
	has(t, `forgotten shown - Oslo`, "trace", id, "--user", "me")
	if _, err := run(t, "trace", id, "--user", "you"); err == nil || !strings.Contains(err.Error(), "no such recall") {
		t.Errorf("the trace of somebody else is %v", err)
	}
	t.Setenv("MNEMOND_PROFILE_SCHEMA", file(t, "schema.json", `{"type":"object","properties":{"user":{"type":"object","properties":{"name":{"type":"string"}}}}}`))
	for _, args := range [][]string{{"profile", "check"}, {"profile", "check", "--user", "me", "--user", "you", "--json"}} {
		out, err := run(t, args...)
		if !errors.Is(err, cli.ErrFailed) || !strings.Contains(out, "user.pets") || !strings.Contains(out, "no such key") {
			t.Errorf("%v with another schema: %v\n%s", args, err, out)
		}
	}
	d.stop(t)
}
