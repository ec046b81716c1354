// Package cmd_test builds the commands and runs them as they are deployed: four processes
// against a NATS server and a Qdrant-compatible engine that listen on loopback.
package cmd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/stream"
)

// wait bounds what a test waits for; reaching it is a failure.
const wait = 30 * time.Second

// bin is the folder of the commands as they are built.
var bin string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "mnemond-cmd-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(bin) }()
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin+string(filepath.Separator), "./...").CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// backends are the environment that points the commands at servers of the test's own.
func backends(t *testing.T) []string {
	t.Helper()
	server, err := stream.StartEmbedded(t.Context(), stream.EmbeddedOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- qdrantmem.New().Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, server.Close()); err != nil {
			t.Error(err)
		}
	})
	return []string{
		"MNEMOND_STREAM_URL=" + server.ClientURL(), "MNEMOND_QDRANTSTORE_ADDRESS=http://" + l.Addr().String(),
		"MNEMOND_HTTPAPI_LISTEN=127.0.0.1:0", "MNEMOND_TIMERS_QUIET=200ms",
	}
}

// process is a running command.
type process struct {
	name string
	cmd  *exec.Cmd
	url  string

	started chan string
	done    chan struct{}

	mu  sync.Mutex
	log strings.Builder
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// start runs a command; await waits until it serves.
func start(t *testing.T, name string, env []string) *process {
	t.Helper()
	p := &process{
		name: name, cmd: exec.Command(filepath.Join(bin, name)), started: make(chan string, 1), done: make(chan struct{}),
	}
	p.cmd.Env = env
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.done)
		for sc := bufio.NewScanner(stderr); sc.Scan(); {
			p.read(sc.Bytes())
		}
		_ = p.cmd.Wait() // its exit code is for who waits for done
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.done
	})
	return p
}

// read takes a line of the log: one of them has the address.
func (p *process) read(raw []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.Write(raw)
	p.log.WriteByte('\n')
	var line struct{ Msg, Part, Listen string }
	if json.Unmarshal(raw, &line) == nil && line.Msg == "started" && line.Part == p.name {
		p.started <- "http://" + line.Listen
	}
}

func (p *process) await(t *testing.T) {
	t.Helper()
	select {
	case p.url = <-p.started:
	case <-p.done:
		t.Fatalf("%s did not start:\n%s", p.name, p.output())
	case <-time.After(wait):
		t.Fatalf("%s does not say that it has started:\n%s", p.name, p.output())
	}
}

func (p *process) get(t *testing.T, path string) (int, string) {
	t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return answer(t, resp)
}

func (p *process) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(p.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return answer(t, resp)
}

func answer(t *testing.T, resp *http.Response) (int, string) {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

// stop asks the process to stop, as an orchestrator does, and checks that it does so well.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	select {
	case <-p.done:
	case <-time.After(wait / 3):
		t.Fatalf("%s does not stop:\n%s", p.name, p.output())
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("%s stopped with code %d:\n%s", p.name, code, p.output())
	}
}

// TestTheFourPartsTogether: each starts on an empty installation, at the same time as the
// others; what is posted to one is recalled from another, and each stops when it is told to.
func TestTheFourPartsTogether(t *testing.T) {
	names := []string{"ingest", "extractor", "recall", "reaper"}
	env := backends(t)
	parts := map[string]*process{}
	for _, n := range names {
		parts[n] = start(t, n, env)
	}
	for _, n := range names {
		parts[n].await(t)
		for _, path := range []string{"/healthz", "/readyz"} {
			if status, body := parts[n].get(t, path); status != http.StatusOK {
				t.Errorf("%s of %s: %d %s", path, n, status, body)
			}
		}
	}
	for n, path := range map[string]string{"recall": "/v1/events", "extractor": "/v1/events", "reaper": "/v1/recall", "ingest": "/v1/recall"} {
		if status, _ := parts[n].post(t, path, "{}"); status != http.StatusNotFound {
			t.Errorf("%s of %s answers %d: that door is another's", path, n, status)
		}
	}

	status, body := parts["ingest"].post(t, "/v1/events", `[
		{"specversion":"1.0","id":"1","source":"/test","type":"mnemond.turn.v1","user":"kim","thread":"t","timezone":"Asia/Shanghai",
		 "data":{"messages":[{"role":"user","content":"我住在杭州，我对花生过敏。"}]}},
		{"specversion":"1.0","id":"2","source":"/test","type":"mnemond.turn.v1","user":"robin","thread":"t",
		 "data":{"messages":[{"role":"user","content":"I live in Oslo."}]}}]`)
	if status != http.StatusAccepted {
		t.Fatalf("ingest answers %d %s", status, body)
	}
	recalled(t, parts["recall"], "kim", "我住在哪里？", "杭州")
	recalled(t, parts["recall"], "robin", "where do I live?", "Oslo")
	if _, body := parts["recall"].post(t, "/v1/recall", `{"user":"robin","query":"where do I live? 杭州"}`); strings.Contains(body, "杭州") {
		t.Errorf("robin is told where kim lives: %s", body)
	}

	for _, n := range names {
		parts[n].stop(t)
		for _, text := range []string{"杭州", "Oslo", "花生"} {
			if strings.Contains(parts[n].output(), text) {
				t.Errorf("the log of %s has what was said: %s", n, parts[n].output())
			}
		}
	}
}

// recalled asks until the answer has want in it.
func recalled(t *testing.T, p *process, user, query, want string) {
	t.Helper()
	deadline := time.After(wait)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		status, body := p.post(t, "/v1/recall", fmt.Sprintf(`{"user":%q,"query":%q}`, user, query))
		if status != http.StatusOK {
			t.Fatalf("recall answers %d %s", status, body)
		}
		if strings.Contains(body, want) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("recall of %q for %s never has %q: %s", query, user, want, body)
		}
	}
}

// TestWhatIsMissingIsOneLine: a part that cannot start says why in one line, with exit code
// 1, and does not hang.
func TestWhatIsMissingIsOneLine(t *testing.T) {
	names := []string{"ingest", "extractor", "recall", "reaper"}
	env := backends(t)
	for name, c := range map[string]struct{ set, want string }{
		"no NATS":                {"MNEMOND_STREAM_URL=nats://127.0.0.1:1", "NATS"},
		"an unusable value":      {"MNEMOND_TIMERS_QUIET=soon", "MNEMOND_TIMERS_QUIET"},
		"an address for all":     {"MNEMOND_HTTPAPI_LISTEN=0.0.0.0:0", "MNEMOND_HTTPAPI_LISTEN"},
		"no address for Qdrant":  {"MNEMOND_QDRANTSTORE_ADDRESS=localhost", "qdrant address"},
		"no credentials file":    {"MNEMOND_STREAM_CREDS_FILE=/nowhere/creds", "/nowhere/creds"},
		"no Qdrant":              {"MNEMOND_QDRANTSTORE_ADDRESS=http://127.0.0.1:1", "MNEMOND_QDRANTSTORE_ADDRESS"},
		"replicas on one server": {"MNEMOND_STREAM_REPLICAS=3", "replicas"},
	} {
		for _, n := range names {
			if name == "no Qdrant" && n == "ingest" {
				continue // it goes on without
			}
			t.Run(name+"/"+n, func(t *testing.T) {
				p := start(t, n, append(env[:len(env):len(env)], c.set))
				select {
				case <-p.done:
				case <-time.After(wait):
					t.Fatalf("%s does not give up:\n%s", n, p.output())
				}
				if code := p.cmd.ProcessState.ExitCode(); code != 1 {
					t.Errorf("exit code %d, want 1", code)
				}
				lines := strings.Split(strings.TrimSpace(p.output()), "\n")
				var last struct{ Level, Msg, Error string }
				if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
					t.Fatalf("the last line of the log is no record: %v\n%s", err, p.output())
				}
				if len(lines) != 1 || last.Level != "ERROR" || last.Msg != "stopped" || !strings.Contains(last.Error, c.want) {
					t.Errorf("the log is\n%s\nwant one line that speaks of %q", p.output(), c.want)
				}
			})
		}
	}
}

// TestArgumentsOfTheParts: --help ends well, and what is no argument is refused before
// anything is connected to.
func TestArgumentsOfTheParts(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--help"}, 0, "docs/operations.md"}, {[]string{"--loud"}, 2, "loud"}, {[]string{"now"}, 2, "unexpected argument now"},
		{[]string{"reaper", "-once", "tidy"}, 2, "expire, tier, purge or questions"}, {[]string{"reaper", "-dry-run"}, 2, "-once"},
	} {
		names := []string{"ingest", "extractor", "recall", "reaper"}
		if c.args[0] == "reaper" {
			names, c.args = c.args[:1], c.args[1:]
		}
		for _, n := range names {
			cmd := exec.Command(filepath.Join(bin, n), c.args...)
			cmd.Env = []string{"MNEMOND_STREAM_URL=nats://127.0.0.1:1"}
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) {
				t.Errorf("%s %v: code %d, %q, want %d and %q", n, c.args, code, out, c.code, c.want)
			}
		}
	}
}

// TestMnemondItself: its exit codes and where it prints.
func TestMnemondItself(t *testing.T) {
	story := filepath.Join(t.TempDir(), "story.json")
	err := os.WriteFile(story, []byte(`{"name":"bad","extractors":["rules"],"steps":[{"expect":{"count":1}}]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		"help":            {[]string{"--help"}, 0, "Usage: mnemond", ""},
		"unknown command": {[]string{"sing"}, 2, "", "mnemond: unexpected argument sing"},
		"a failing story": {[]string{"cases", story}, 1, "FAIL", ""},
		"nobody there":    {[]string{"memories", "--url", "http://127.0.0.1:1", "--user", "u"}, 1, "", "is mnemond running there?"},
		"no address":      {[]string{"memories", "--url", "nonsense", "--user", "u"}, 2, "", "--url"},
		"no NATS":         {[]string{"ledger", "--user", "u"}, 1, "", "connect to NATS at nats://127.0.0.1:1: nats: no servers available for connection (MNEMOND_STREAM_URL"},
		"nobody is meant": {[]string{"erase"}, 2, "", "say whom: --user"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(filepath.Join(bin, "mnemond"), c.args...)
			cmd.Env = append(os.Environ(), "MNEMOND_STREAM_URL=nats://127.0.0.1:1")
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) || c.stderr == "" && stderr.Len() > 0 {
				t.Errorf("stdout %q and stderr %q, want %q and %q", stdout.String(), stderr.String(), c.stdout, c.stderr)
			}
		})
	}
}
