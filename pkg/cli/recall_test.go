package cli_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/recall"
)

// TestRecallOnTheCommandLine asks in every way that the command knows.
func TestRecallOnTheCommandLine(t *testing.T) {
	start := time.Now()
	d := startDev(t, t.TempDir())
	d.say(t, "1", "I live in Tromsø. I love cloudberry jam. I'm allergic to mustard.")
	eventually(t, "mustard", "memories", "--user", "me")
	ask := func(args ...string) string { return mustRun(t, append([]string{"recall", "--user", "me"}, args...)...) }
	for _, c := range []struct {
		args         []string
		want, lacks  string
		nothing, all bool
	}{
		{args: nil, want: "Tromsø", all: true},
		{args: []string{"what should I eat?"}, want: "mustard", lacks: "Tromsø"},
		{args: []string{"--limit", "1"}, want: "mustard", lacks: "Tromsø"},
		{args: []string{"--key", "user.city", "--key", "user.pets"}, want: "Tromsø", lacks: "mustard"},
		{args: []string{"--kind", "preference", "what should I eat?"}, want: "cloudberry", lacks: "mustard"},
		{args: []string{"--agent", "coach", "--shared", "--namespace", "n", "--archive", "where do I live?"}, want: "Tromsø"},
		{args: []string{"--budget", "64"}, want: "mustard", lacks: "Tromsø"},
		{args: []string{"--budget", "10"}, want: "Nothing is remembered of this user.", nothing: true},
		{args: []string{"quantum chromodynamics"}, want: "Nothing is remembered about this.", nothing: true},
		{args: []string{"--as-of", start.Add(-time.Hour).Format(time.RFC3339), "where do I live?"}, want: "Nothing is remembered about this.", nothing: true},
	} {
		out := ask(c.args...)
		if !strings.Contains(out, c.want) || c.lacks != "" && strings.Contains(out, c.lacks) || c.nothing != !strings.Contains(out, "<memories>") {
			t.Errorf("recall %v prints\n%s", c.args, out)
		}
		if lines := strings.Count(out, "[memory "); c.all && lines != 3 {
			t.Errorf("recall %v prints %d memories\n%s", c.args, lines, out)
		}
	}
	var resp recall.Response
	decode(t, ask("--json", "--explain", "where do I live?"), &resp)
	if len(resp.Memories) != 1 || resp.Memories[0].Explain == nil || resp.Explain == nil || resp.Tokens == 0 {
		t.Errorf("recall --json --explain gives %+v", resp)
	}
	table := ask("--explain", "where do I live?")
	for _, row := range []string{
		`(?m)^ +total +similarity +recency +importance +tier +words +echo +meaning +context$`, `(?m)^ *weight +0\.70 +0\.15 +0\.10 +0\.05 *$`,
		`(?m)^ *` + resp.Memories[0].ID.Short() + ` +0\.95 +1\.00 +1\.00 +0\.50 +1\.00 +0\.\d\d( +(0\.\d\d|-)){3}$`,
		`(?m)^candidates: 1; returned: 1 \(\d+ tokens\), not to be recalled: 0, below the floor \(0\.\d\d\): 0, over the limit: 0, over the budget: 0\. Recency halves in 720h0m0s\.$`,
	} {
		if !regexp.MustCompile(row).MatchString(table) {
			t.Errorf("recall --explain lacks %s:\n%s", row, table)
		}
	}
	if table := ask("--explain"); !regexp.MustCompile(`(?m)^ *[0-9a-f]{8} +critical\n *[0-9a-f]{8} +profile\n *[0-9a-f]{8} +preference\n\ncandidates: 3; returned: 3`).MatchString(table) {
		t.Errorf("recall --explain without a query prints\n%s", table)
	}
	for field, args := range map[string][]string{
		"limit": {"--limit", "99"}, "keys": {"--key", "user.shoe_size"}, "kinds": {"--kind", "gossip"}, "budget": {"--budget=-1"},
		"as_of": {"--as-of", time.Now().AddDate(1, 0, 0).Format(time.RFC3339)},
	} {
		if out, err := run(t, append([]string{"recall", "--user", "me"}, args...)...); err == nil {
			t.Errorf("recall %v is not refused (%s):\n%s", args, field, out)
		}
	}
}
