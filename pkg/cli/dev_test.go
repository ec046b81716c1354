package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/mnemond/mnemond/pkg/cli"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/stream"
)

// devWait bounds what a test waits for; reaching it is a failure.
const devWait = 30 * time.Second

// dev is a running `mnemond dev`.
type dev struct {
	url    string
	cancel context.CancelFunc
	done   chan error
}

// freePort is an address on which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// startDev runs dev on dir, and points the operator's commands at it.
func startDev(t *testing.T, dir string) *dev {
	t.Helper()
	const free = "127.0.0.1:0"
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	d := &dev{cancel: cancel, done: make(chan error, 1)}
	r, w := io.Pipe()
	go func() {
		err := cli.Run(ctx, []string{
			"dev", "--dir", dir, "--listen", free, "--nats", free, "--qdrant", free, "--quiet", "100ms",
		}, w, slog.New(slog.DiscardHandler))
		_ = w.CloseWithError(io.EOF)
		d.done <- err
	}()
	t.Cleanup(func() { d.stop(t) })
	out := bufio.NewReader(r)
	first, err := out.ReadString('\n')
	if err != nil {
		d.cancel = nil
		cancel()
		t.Fatalf("dev ended before it listened: %v", <-d.done)
	}
	_, rest, ok := strings.Cut(first, "http://")
	if !ok || !strings.Contains(first, dir) {
		t.Fatalf("dev says %q, want its address and its folder", first)
	}
	d.url, _, _ = strings.Cut("http://"+rest, ",")
	t.Setenv("MNEMOND_URL", d.url)
	line := first
	for err == nil && !strings.HasPrefix(line, "export ") {
		line, err = out.ReadString('\n')
	}
	if err != nil {
		t.Fatal("dev does not say how the operator's commands reach it")
	}
	for _, v := range strings.Fields(line)[1:] {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return d
}

// stop ends dev as an interrupt does; a second call has no effect.
func (d *dev) stop(t *testing.T) {
	t.Helper()
	if d.cancel == nil {
		return
	}
	d.cancel()
	d.cancel = nil
	select {
	case err := <-d.done:
		if err != nil {
			t.Errorf("dev ended with %v", err)
		}
	case <-time.After(devWait):
		t.Error("dev does not stop")
	}
}

func (d *dev) say(t *testing.T, id, content string) {
	t.Helper()
	d.send(t, id, "mnemond.turn.v1", fmt.Sprintf(`{"messages":[{"role":"user","content":%q}]}`, content))
}

// send publishes an event of the user's.
func (d *dev) send(t *testing.T, id, typ, data string) {
	t.Helper()
	body := fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/test","type":%q,"user":"me","thread":"t1","data":%s}`, id, typ, data)
	resp, err := http.Post(d.url+"/v1/events", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		t.Fatalf("%s: %s", resp.Status, answer)
	}
}

// eventually runs a command until what it prints has want in it.
func eventually(t *testing.T, want string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), devWait)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		out := mustRun(t, args...)
		if strings.Contains(out, want) {
			return out
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%v never prints %q, but\n%s", args, want, out)
		}
	}
}

func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := run(t, args...)
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out
}

// TestDevAndTheCommandsOnIt is a day with mnemond on one machine: what is said is
// remembered, the commands show it, and all of it is there after a restart.
func TestDevAndTheCommandsOnIt(t *testing.T) {
	dir := t.TempDir()
	d := startDev(t, dir)
	d.say(t, "1", "I live in Oslo and I have a dog named Rex.")
	eventually(t, "I live in Oslo", "memories", "--user", "me") // once it has been quiet
	d.say(t, "2", "其实我现在搬到上海了。")
	if out := mustRun(t, "consolidate", "--user", "me", "--thread", "t1"); out != "triggered\n" {
		t.Errorf("consolidate prints %q", out)
	}
	eventually(t, "搬到上海", "memories", "--user", "me")
	shown := func(t *testing.T) {
		t.Helper()
		if out := mustRun(t, "recall", "--user", "me", "where do I live?"); !strings.Contains(out, "其实我现在搬到上海了") || strings.Contains(out, "Oslo") {
			t.Errorf("recall prints\n%s", out)
		}
		if out := mustRun(t, "recall", "--user", "nobody", "where do I live?"); out != "Nothing is remembered about this.\n" {
			t.Errorf("recall for nobody prints %q", out)
		}
		var resp recall.Response
		decode(t, mustRun(t, "recall", "--user", "me", "--json", "--limit", "1", "我住在哪？"), &resp)
		if len(resp.Memories) != 1 || resp.Memories[0].Value != "上海" || resp.RecallID == "" {
			t.Errorf("recall --json gives %+v", resp)
		}
		if out := mustRun(t, "history", "--user", "me", "--key", "user.city"); strings.Index(out, "Oslo") > strings.Index(out, "上海") || !strings.Contains(out, "Oslo") {
			t.Errorf("history prints\n%s", out)
		}
		if out := mustRun(t, "history", "--user", "me"); strings.Count(out, "\n") != 3 || !strings.Contains(out, "Rex") {
			t.Errorf("history of everything prints\n%s", out)
		}
		var history struct{ History []ledger.Entry }
		decode(t, mustRun(t, "history", "--user", "me", "--key", "user.city", "--json"), &history)
		if len(history.History) != 2 {
			t.Errorf("history --json gives %+v", history)
		}
		var listed struct{ Memories []memory.Memory }
		decode(t, mustRun(t, "memories", "--user", "me", "--json"), &listed)
		if len(listed.Memories) != 2 {
			t.Errorf("memories --json gives %+v", listed)
		}
		if out := mustRun(t, "ledger", "--user", "me"); !strings.Contains(out, "by extractor  thread t1 up to event 2: 1 messages, 1 remembered") || !strings.Contains(out, "supersede") {
			t.Errorf("ledger prints\n%s", out)
		}
		var record ledger.Record
		decode(t, mustRun(t, "ledger", "--user", "me", "--json"), &record)
		if record.Seq == 0 || record.Checkpoint == nil {
			t.Errorf("ledger --json gives %+v", record)
		}
	}
	shown(t)
	var report struct {
		ChangeSets int `json:"change_sets"`
	}
	decode(t, mustRun(t, "rebuild"), &report)
	if report.ChangeSets != 2 {
		t.Errorf("rebuild gives %+v, want 2 change sets", report)
	}
	shown(t)
	d.stop(t)

	d = startDev(t, dir)
	shown(t)
	d.say(t, "1", "I live in Oslo and I have a dog named Rex.") // again, long after
	d.say(t, "3", "I'm allergic to peanuts.")
	eventually(t, "peanuts", "memories", "--user", "me")
	if out := mustRun(t, "history", "--user", "me"); strings.Count(out, "\n") != 4 {
		t.Errorf("history prints\n%s\nwant one change more", out)
	}
	if _, err := run(t, "memories", "--user", "me", "--status", "lost"); err == nil || !strings.Contains(err.Error(), "lost") {
		t.Errorf("memories of an unknown status = %v, want the server's answer", err)
	}
	if _, err := run(t, "recall", "--user", "me", "--limit", "99", "x"); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("recall of 99 = %v, want the server's answer", err)
	}
}

func decode(t *testing.T, out string, into any) {
	t.Helper()
	if err := json.NewDecoder(bytes.NewReader([]byte(out))).Decode(into); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
}

// TestDeadLettersAtTheCommandLine: an event that cannot be read, published past the edge.
func TestDeadLettersAtTheCommandLine(t *testing.T) {
	d := startDev(t, t.TempDir())
	if out := mustRun(t, "dlq", "list"); out != "" {
		t.Errorf("dlq list prints %q, want nothing", out)
	}
	ref := memory.ThreadRef{Tenant: "acme", User: "me", Thread: "t1"}
	out, err := run(t, "dlq", "show", "1")
	if err == nil {
		t.Errorf("dlq show of nothing prints %q", out)
	}
	publish(t, ref, "{")
	line := eventually(t, "gather/invalid_event", "dlq", "list")
	number, _, _ := strings.Cut(line, " ")
	if !strings.Contains(line, "acme/me/t1  1 event(s)") || strings.Count(line, "\n") != 1 {
		t.Errorf("dlq list prints %q", line)
	}
	if out := mustRun(t, "dlq", "list", "--tenant", "other"); out != "" {
		t.Errorf("dlq list of another tenant prints %q", out)
	}
	if out := mustRun(t, "dlq", "show", number); !strings.Contains(out, `"reason": "invalid_event"`) || !strings.Contains(out, `"events"`) {
		t.Errorf("dlq show prints %s", out)
	}
	mustRun(t, "dlq", "replay", number)
	line = eventually(t, "gather/invalid_event", "dlq", "list") // it cannot be read this time either
	again, _, _ := strings.Cut(line, " ")
	if again == number {
		t.Errorf("the letter is still there: %q", line)
	}
	mustRun(t, "dlq", "drop", again)
	if out := mustRun(t, "dlq", "list"); out != "" {
		t.Errorf("dlq list prints %q after the letter was dropped", out)
	}
	if _, err := run(t, "dlq", "drop", again); err == nil {
		t.Error("what was dropped can be dropped again")
	}
	d.stop(t)
}

// publish puts data on the thread's subject as a trusted backend may.
func publish(t *testing.T, ref memory.ThreadRef, data string) {
	t.Helper()
	nc, err := nats.Connect(os.Getenv("MNEMOND_STREAM_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if _, err := nc.Request(stream.EventSubject(ref), []byte(data), devWait); err != nil {
		t.Fatal(err)
	}
}

func TestDevSaysWhatIsTaken(t *testing.T) {
	dir := t.TempDir()
	d := startDev(t, dir)
	t.Run("the folder", func(t *testing.T) {
		_, err := run(t, "dev", "--dir", dir, "--listen", freePort(t), "--nats", freePort(t), "--qdrant", freePort(t))
		oneLine(t, err, dir, "in use by another process")
	})
	taken := strings.TrimPrefix(d.url, "http://")
	for _, flag := range []string{"--listen", "--nats", "--qdrant"} {
		t.Run(flag, func(t *testing.T) {
			args := []string{"dev", "--dir", t.TempDir()}
			for _, f := range []string{"--listen", "--nats", "--qdrant"} {
				address := freePort(t)
				if f == flag {
					address = taken
				}
				args = append(args, f, address)
			}
			_, err := run(t, args...)
			oneLine(t, err, taken, "address already in use")
		})
	}
	t.Run("a folder that is a file", func(t *testing.T) {
		path := file(t, "data", "x")
		_, err := run(t, "dev", "--dir", path, "--listen", freePort(t), "--nats", freePort(t), "--qdrant", freePort(t))
		oneLine(t, err, path)
	})
}

// oneLine checks that err is one line that says all of want.
func oneLine(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("it started")
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%v: more than one line", err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v: does not say %q", err, w)
		}
	}
}
