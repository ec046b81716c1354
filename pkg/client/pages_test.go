package client_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// block is the first block of that kind behind a heading of a page.
func block(t *testing.T, page, heading, kind string) string {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "\n"+heading+"\n")
	_, rest, ok2 := strings.Cut(rest, "```"+kind+"\n")
	text, _, ok3 := strings.Cut(rest, "\n```")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no block %s under %s", page, kind, heading)
	}
	return text
}

// TestCurl runs each line of the page against the stack.
func TestCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	url, _, stop := serve()
	defer stop()
	wants := []string{`"accepted":1`, "Oslo", "Oslo", `"questions":[]`, "Oslo"}
	lines := strings.Split(block(t, "../../docs/doors.md", "## Over HTTP (curl)", "sh"), "\n")
	if len(lines) != len(wants) {
		t.Fatalf("%d lines, want %d", len(lines), len(wants))
	}
	for i, line := range lines {
		line = strings.Replace(strings.ReplaceAll(line, "http://127.0.0.1:7460", url), "curl", curl, 1)
		out, err := exec.CommandContext(testContext(t), "sh", "-c", line).CombinedOutput()
		if err != nil || !strings.Contains(string(out), wants[i]) {
			t.Errorf("%s\nanswered %s (%v), want %s", line, out, err, wants[i])
		}
	}
}

// program is what stands around the README's function. It says each thing until it is known:
// the second only once the question is answered.
const program = `package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/client"
	"github.com/mnemond/mnemond/pkg/memory"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c, err := client.New(client.Options{URL: os.Args[1]})
	if err != nil {
		panic(err)
	}
	asked := ""
	replace := func(q memory.Question) memory.Decision {
		asked = q.Text
		return memory.DecisionReplace
	}
	for _, city := range []string{"Oslo", "Lima"} {
		for says := "I live in " + city + "."; ; time.Sleep(50 * time.Millisecond) {
			prompt, err := turn(ctx, c, "alice", says, replace)
			if err != nil && ctx.Err() != nil {
				panic(err)
			}
			if strings.Contains(prompt, city) {
				break
			}
			c.Thread("alice", "chat-17").Close()
		}
	}
	if !strings.Contains(asked, "Oslo") || !strings.Contains(asked, "Lima") {
		panic("asked " + asked)
	}
	if err := c.Close(ctx); err != nil {
		panic(err)
	}
}

`

// TestBackendInItsOwnModule builds the README's backend outside of the repository's packages
// and runs it against the built program.
func TestBackendInItsOwnModule(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(mod), "module github.com/mnemond/mnemond", "module example.com/backend", 1) +
		"\nrequire github.com/mnemond/mnemond v0.0.0\n\nreplace github.com/mnemond/mnemond => " + root + "\n"
	for name, text := range map[string]string{"go.mod": own, "go.sum": string(sum), "main.go": program + block(t, "../../README.md", "## The doors", "go") + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := func(in, what, to string) {
		cmd := exec.Command("go", "build", "-o", to, what)
		cmd.Dir = in
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		if in == root {
			cmd.Env = os.Environ()
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", what, err, out)
		}
	}
	server, backend := filepath.Join(dir, "mnemond"), filepath.Join(dir, "backend")
	build(root, "./cmd/mnemond", server)
	build(dir, ".", backend)
	dev := exec.Command(server, "dev", "--dir", t.TempDir(), "--listen", "127.0.0.1:0", "--nats", "127.0.0.1:0", "--qdrant", "127.0.0.1:0", "--quiet", "100ms")
	pipe, err := dev.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := dev.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = dev.Process.Signal(syscall.SIGTERM)
		_ = dev.Wait() // its exit code is tested elsewhere
	}()
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	url, _, _ := strings.Cut("http://"+rest, ",")
	if out, err := exec.CommandContext(testContext(t), backend, url).CombinedOutput(); err != nil {
		t.Errorf("the backend fails with %v\n%s", err, out)
	}
}
