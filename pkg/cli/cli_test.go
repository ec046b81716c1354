package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/cli"
	"github.com/mnemond/mnemond/pkg/demo"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/story"
)

// run runs a command and returns what it printed.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := cli.Run(t.Context(), args, &out, slog.New(slog.DiscardHandler))
	return out.String(), err
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--help"}, []string{"demo", "dev", "cases", "recall", "memories", "history", "consolidate", "ledger", "dlq", "rebuild"}},
		{[]string{"dev", "--help"}, []string{"--dir", "--listen", "--nats", "--qdrant", "--quiet"}},
		{[]string{"dlq", "--help"}, []string{"list", "show", "replay", "drop"}},
		{[]string{"demo", "-h"}, []string{"--file", "--json"}},
	} {
		out, err := run(t, c.args...)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%v does not speak of %s:\n%s", c.args, want, out)
			}
		}
	}
}

func TestWhatIsNoCommandIsRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "expected one of"},
		{[]string{"sing"}, "sing"},
		{[]string{"demo", "--loud"}, "--loud"},
		{[]string{"recall", "where?"}, "--user"},
		{[]string{"recall", "--user", "u", "--as-of", "yesterday"}, "--as-of"},
		{[]string{"recall", "--user", "u", "--budget", "much"}, "--budget"},
		{[]string{"cases"}, "<path>"},
		{[]string{"cases", filepath.Join(t.TempDir(), "nowhere")}, "nowhere"},
		{[]string{"cases", "--extractor", "oracle", t.TempDir()}, "--extractor"},
		{[]string{"demo", "--file", filepath.Join(t.TempDir(), "nowhere.jsonl")}, "nowhere.jsonl"},
		{[]string{"dlq", "show", "first"}, "first"},
		{[]string{"dev", "--quiet", "soon"}, "--quiet"},
		{[]string{"dev", "--listen", "0.0.0.0:0", "--dir", t.TempDir()}, "loopback"},
	} {
		_, err := run(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v = %v, want an error with %q", c.args, err, c.want)
		}
		if errors.Is(err, cli.ErrFailed) {
			t.Errorf("%v = %v: nothing was done", c.args, err)
		}
	}
}

func TestDemoPrintsOneObject(t *testing.T) {
	out, err := run(t, "demo", "--json")
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	var s demo.Summary
	if err := dec.Decode(&s); err != nil || dec.More() {
		t.Fatalf("demo --json prints more or less than a summary: %v\n%s", err, out)
	}
	if !s.Messages.Balanced() || s.Messages.Messages == 0 || len(s.Memories) < 4 || len(s.Recalls) == 0 {
		t.Errorf("summary %+v", s)
	}
}

func TestDemoPlaysAFile(t *testing.T) {
	path := file(t, "talk.jsonl", `{"at":"2026-03-01T09:00:00Z","user":"kim","content":"I live in Oslo."}
{"at":"2026-03-02T09:00:00Z","user":"kim","content":"我养了一只猫，叫咪咪。"}
`)
	out, err := run(t, "demo", "--file", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"No model is used", "user.city = Oslo", "user.pets = 猫，叫咪咪", "2 messages = 2 remembered"} {
		if !strings.Contains(out, want) {
			t.Errorf("the demo does not say %q:\n%s", want, out)
		}
	}
	bad := file(t, "bad.jsonl", `{"at":"2026-03-01T09:00:00Z","user":"kim","content":"I live in Oslo."}`+"\n{\"user\":\"kim\"}\n")
	if _, err := run(t, "demo", "--file", bad); err == nil || !strings.Contains(err.Error(), "bad.jsonl: line 2: at: is required") {
		t.Errorf("demo of a bad file = %v, want the file and the line named", err)
	}
}

const (
	passing = `{"name":"good","extractors":["rules"],"steps":[
		{"at":"2026-03-01T09:00:00Z","user":"u1","thread":"t1","say":[{"role":"user","content":"I live in Oslo."}]},
		{"expect":{"count":1}}]}`
	failing = `{"name":"bad","extractors":["rules"],"steps":[
		{"at":"2026-03-01T09:00:00Z","user":"u1","thread":"t1","say":[{"role":"user","content":"I live in Oslo."}]},
		{"expect":{"current":[{"key":"user.city","value":"Bergen"}]}}]}`
	foreign = `{"name":"other","extractors":["model"],"steps":[{"rebuild":true}]}`
)

func TestCases(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.json": passing, "b.json": failing, "c.json": foreign, "notes.txt": "no story"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("a folder with a failing story", func(t *testing.T) {
		out, err := run(t, "cases", dir)
		if !errors.Is(err, cli.ErrFailed) {
			t.Errorf("cases = %v, want ErrFailed", err)
		}
		for _, want := range []string{"PASS  good (", "FAIL  bad (", "      ", "Bergen", "OTHER other: for [model], not for rules", "1 passed, 1 failed\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("cases prints\n%s\nwithout %q", out, want)
			}
		}
	})
	t.Run("a file that passes", func(t *testing.T) {
		out, err := run(t, "cases", filepath.Join(dir, "a.json"))
		if err != nil || !strings.Contains(out, "1 passed, 0 failed") {
			t.Errorf("cases = %v\n%s", err, out)
		}
	})
	t.Run("as JSON", func(t *testing.T) {
		out, err := run(t, "cases", "--json", dir)
		if !errors.Is(err, cli.ErrFailed) {
			t.Errorf("cases = %v, want ErrFailed", err)
		}
		dec := json.NewDecoder(strings.NewReader(out))
		var names []string
		for dec.More() {
			var r story.Result
			if err := dec.Decode(&r); err != nil {
				t.Fatalf("%v in\n%s", err, out)
			}
			names = append(names, r.Name)
		}
		if strings.Join(names, " ") != "good bad" {
			t.Errorf("results of %q, want good and bad", names)
		}
	})
	t.Run("a file that is no story", func(t *testing.T) {
		path := file(t, "wrong.json", `{"name":"x"}`)
		if _, err := run(t, "cases", path); err == nil || errors.Is(err, cli.ErrFailed) || !strings.Contains(err.Error(), "wrong.json") {
			t.Errorf("cases = %v, want an error that names the file", err)
		}
	})
	t.Run("nothing to run", func(t *testing.T) {
		if out, err := run(t, "cases", t.TempDir()); err == nil {
			t.Errorf("cases of an empty folder passes:\n%s", out)
		}
	})
}

func TestNobodyIsThere(t *testing.T) {
	const nowhere = "http://127.0.0.1:1"
	t.Setenv("MNEMOND_STREAM_URL", "nats://127.0.0.1:1")
	t.Setenv("MNEMOND_QDRANTSTORE_ADDRESS", nowhere)
	for _, args := range [][]string{
		{"recall", "--url", nowhere, "--user", "u", "where?"}, {"memories", "--url", nowhere, "--user", "u"},
		{"history", "--url", nowhere, "--user", "u"}, {"consolidate", "--url", nowhere, "--user", "u", "--thread", "t"},
	} {
		if _, err := run(t, args...); err == nil || !strings.Contains(err.Error(), nowhere) || !strings.Contains(err.Error(), "is mnemond running there?") {
			t.Errorf("%v = %v, want that nobody is there", args, err)
		}
	}
	for _, args := range [][]string{{"ledger", "--user", "u"}, {"dlq", "list"}, {"rebuild"}} {
		if _, err := run(t, args...); err == nil || !strings.Contains(err.Error(), "NATS") {
			t.Errorf("%v = %v, want that NATS does not answer", args, err)
		}
	}
	if _, err := run(t, "ledger", "--user", strings.Repeat("u", 300)); !errors.Is(err, memory.ErrScope) {
		t.Errorf("ledger of an endless user = %v, want ErrScope", err)
	}
}

func TestAWriterThatFailsIsAnError(t *testing.T) {
	err := cli.Run(context.WithoutCancel(t.Context()), []string{"demo"}, brokenWriter{}, slog.New(slog.DiscardHandler))
	if !errors.Is(err, errBroken) {
		t.Errorf("demo = %v, want the writer's error", err)
	}
}

var errBroken = errors.New("broken pipe")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
