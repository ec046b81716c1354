package cli_test

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/cli"
)

// TestWhoIsToBlame: wrong arguments are told from what failed, also where the installation
// is the one who finds them wrong.
func TestWhoIsToBlame(t *testing.T) {
	startDev(t, t.TempDir())
	for _, c := range []struct {
		args  []string
		usage bool
		want  string
	}{
		{[]string{"memories", "--user", "me", "--status", "odd"}, true, "status"},
		{[]string{"remember", "--user", "me"}, true, "text"},
		{[]string{"store", "put", "a", "b", "{"}, true, "value"},
		{[]string{"edit", "--user", "me", "x", "--pin", "--unpin"}, true, "--pin"},
		{[]string{"recall", "--user", "me", "--url", "ftp://x"}, true, "--url"},
		{[]string{"recall", "--user", "me", "--url", "http://127.0.0.1:1"}, false, "MNEMOND_URL"},
		{[]string{"restore", "--user", "me", "nothing"}, false, "not found"},
		{[]string{"dlq", "show", "1"}, false, "not found"},
	} {
		_, err := run(t, c.args...)
		var usage *cli.UsageError
		if err == nil || errors.As(err, &usage) != c.usage || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v = %v, want an error of usage: %t, with %q", c.args, err, c.usage, c.want)
		}
	}
}

// TestAKeyGivesTheTenant: no command names another one on its own.
func TestAKeyGivesTheTenant(t *testing.T) {
	t.Setenv("MNEMOND_AUTH_KEYS", "true")
	startDev(t, t.TempDir())
	k := createKey(t, "--tenant", "acme", "--role", "agent")
	t.Setenv("MNEMOND_API_KEY", k.Key)
	waitUntil(t, "the key lets in", func(_ string, err error) bool { return err == nil }, "memories", "--user", "u")
	mustRun(t, "remember", "--user", "u", "I live in Oslo.")
	for _, args := range [][]string{
		{"recall", "where do I live?"},
		{"memories"}, {"history"}, {"rejected"}, {"profile"}, {"questions"}, {"trace"}, {"export"}, {"forget", "where I live"},
		{"suppress", "work"}, {"unsuppress", "work"}, {"consolidate", "--thread", "t"}, {"store", "put", "a", "b", "{}"}, {"store", "get", "a", "b"},
		{"store", "search"}, {"store", "list"}, {"store", "delete", "a", "b"},
	} {
		mustRun(t, append(args, "--user", "u")...)
	}
	if out := mustRun(t, "ledger", "--user", "u"); out != "" {
		t.Errorf("the tenant default has\n%s", out)
	}
}

// TestWhatIsShownCanBeUsed: the ids in a list are those that other commands take, and what was
// deleted has the date of its deletion.
func TestWhatIsShownCanBeUsed(t *testing.T) {
	startDev(t, t.TempDir())
	mustRun(t, "remember", "--user", "me", "我住在杭州。")
	id, _, _ := strings.Cut(mustRun(t, "memories", "--user", "me"), " ")
	if out := mustRun(t, "forget", "--user", "me", "--id", id); !strings.HasPrefix(out, "1 forgotten") {
		t.Errorf("forget --id %s prints %q", id, out)
	}
	day := time.Now().UTC().Format("2006-01-02")
	for _, args := range [][]string{{"ledger", "--user", "me"}, {"history", "--user", "me"}} {
		for line := range strings.Lines(mustRun(t, args...)) {
			if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, day) {
				t.Errorf("%v: the line %q, want one of %s", args, line, day)
			}
		}
	}
	if out := mustRun(t, "forget", "--user", "me", "--id", id[:8]); !strings.Contains(out, "nothing was meant by this") {
		t.Errorf("forget --id %s prints %q", id[:8], out)
	}
	if out := mustRun(t, "merge", "--user", "me", "nobody"); strings.TrimSpace(out) == "" {
		t.Error("a merge of nothing says nothing")
	}
}

// TestDevSaysWhatToDo when it cannot start.
func TestDevSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	startDev(t, dir)
	const free = "127.0.0.1:0"
	l, err := net.Listen("tcp", free)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	taken := l.Addr().String()
	for want, args := range map[string][]string{
		"choose another folder with --dir":               {"--dir", dir, "--listen", free, "--nats", free, "--qdrant", free},
		"other addresses with --listen, --nats":          {"--dir", t.TempDir(), "--listen", taken, "--nats", free, "--qdrant", free},
		taken + ": bind: address already in use: is mne": {"--dir", t.TempDir(), "--listen", free, "--nats", taken, "--qdrant", free},
		"(port 0 is any that is free)":                   {"--dir", t.TempDir(), "--listen", free, "--nats", free, "--qdrant", taken},
	} {
		if _, err := run(t, append([]string{"dev"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("dev %v = %v, want %q", args, err, want)
		}
	}
}
