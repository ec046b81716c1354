package natsapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/natsapi"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/shelve"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wait bounds what a test waits for; reaching it is a failure.
const wait = 10 * time.Second

// mind is a read side and an owner's side with one memory, for whoever asks.
type mind struct {
	mu    sync.Mutex
	asked []recall.Request
	scope memory.Scope
	err   error
	// entered and leave hold recalls up, unless nil.
	entered, leave chan struct{}
}

func (m *mind) Recall(ctx context.Context, r recall.Request) (recall.Response, error) {
	if m.entered != nil {
		m.entered <- struct{}{}
		select {
		case <-m.leave:
		case <-ctx.Done():
			return recall.Response{}, ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r)
	switch r.Query {
	case "panic":
		panic("at once")
	case "large":
		return recall.Response{Prompt: strings.Repeat("长", 400_000)}, nil
	}
	if len(r.Keys) > 0 {
		return recall.Response{}, &fault.FieldError{Field: "keys", Reason: "the profile schema has no such key"}
	}
	return recall.Response{RecallID: "r1", Memories: []recall.Result{{ID: "m1", Text: "I like <b> & 杭州"}}, Prompt: "for " + string(r.User)}, m.err
}

func (m *mind) Memories(context.Context, memory.Scope) ([]memory.Memory, error) { return nil, m.err }

func (m *mind) History(context.Context, memory.Scope, memory.Key) ([]ledger.Entry, error) {
	return nil, m.err
}

func (m *mind) Forget(_ context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scope = s
	return curate.Outcome{Memories: append([]memory.ID{"f" + memory.ID(sel.Topic)}, sel.IDs...)}, m.err
}

func (m *mind) Now(context.Context, memory.ThreadRef) error { return m.err }

func (m *mind) Restore(context.Context, memory.Scope, memory.ID) error { return m.err }

// everything is a table of all operations, of which recall, forget and what goes with them can
// be called.
func everything(m *mind) *door.Table {
	return door.New(door.Services{
		Ingest: (*ingest.Service)(nil), Trigger: m, Read: m, Archive: (*recall.Service)(nil), Tell: (*recall.Teller)(nil),
		Profile: (*recall.Service)(nil), Write: (*curate.Service)(nil), Account: (*curate.Service)(nil), Forget: m, Suppress: (*curate.Service)(nil),
		Ask: (*curate.Service)(nil), Erase: (*curate.Service)(nil), Keep: (*shelve.Service)(nil), Search: (*shelve.Service)(nil),
	})
}

// broker is a NATS server in this process.
func broker(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(wait) {
		t.Fatal("the NATS server does not start")
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func connect(t *testing.T, s *server.Server) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// serve runs a service until the test ends, or until what it returns is called.
func serve(t *testing.T, s *server.Server, c natsapi.Config) (stop func() error) {
	t.Helper()
	c.Conn = connect(t, s)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- natsapi.New(c).Run(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	const verbs = 9 // PING, INFO and STATS: of all, of this kind, of this instance
	deadline, tick := time.After(wait), time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for c.Conn.NumSubscriptions() < len(c.Table.Operations())+verbs {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("the service does not start")
		}
	}
	if err := c.Conn.FlushTimeout(wait); err != nil {
		t.Fatal(err)
	}
	return stop
}

func infoOf(t *testing.T, nc *nats.Conn) micro.Info {
	t.Helper()
	reply, err := nc.Request("$SRV.INFO."+natsapi.Name, nil, wait)
	if err != nil {
		t.Fatal(err)
	}
	if len(reply.Data) > 256<<10 {
		t.Errorf("the information has %d bytes: it has to go into one message", len(reply.Data))
	}
	var info micro.Info
	if err := json.Unmarshal(reply.Data, &info); err != nil {
		t.Fatal(err)
	}
	return info
}

// request asks an operation, with headers in pairs.
func request(t *testing.T, nc *nats.Conn, operation, body string, header ...string) *nats.Msg {
	t.Helper()
	m := nats.NewMsg(natsapi.Subject(operation))
	m.Data = []byte(body)
	for i := 0; i < len(header); i += 2 {
		m.Header[header[i]] = append(m.Header[header[i]], header[i+1])
	}
	reply, err := nc.RequestMsg(m, wait)
	if err != nil {
		t.Fatalf("%s %s: %v", operation, body, err)
	}
	return reply
}

// wantProblem fails unless the reply is one problem, in its headers and in its data.
func wantProblem(t *testing.T, reply *nats.Msg, status int, field string) door.Problem {
	t.Helper()
	var p door.Problem
	if err := json.Unmarshal(reply.Data, &p); err != nil {
		t.Fatalf("%q: %v", reply.Data, err)
	}
	if p.Status != status || p.Field != field || p.Title == "" {
		t.Errorf("the problem is %s, want %d for %q", reply.Data, status, field)
	}
	if got := reply.Header.Get(micro.ErrorCodeHeader); got != strconv.Itoa(status) {
		t.Errorf("the error code is %q, want %d", got, status)
	}
	if got := reply.Header.Get(micro.ErrorHeader); got != p.Title {
		t.Errorf("the error is %q, want %q", got, p.Title)
	}
	if p.RequestID == "" || reply.Header.Get("X-Request-Id") != p.RequestID || reply.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("the headers are %v", reply.Header)
	}
	return p
}

// TestEveryOperationIsDiscoverable, with what a client has to know of it.
func TestEveryOperationIsDiscoverable(t *testing.T) {
	t.Parallel()
	b, table := broker(t), everything(&mind{})
	serve(t, b, natsapi.Config{Table: table})
	info := infoOf(t, connect(t, b))
	if info.Name != "mnemond" || info.Version != natsapi.Version() || len(info.Endpoints) != len(table.Operations()) || len(info.Endpoints) < 25 {
		t.Fatalf("the service is %s %s with %d endpoints, want %d", info.Name, info.Version, len(info.Endpoints), len(table.Operations()))
	}
	for _, op := range table.Operations() {
		i := slices.IndexFunc(info.Endpoints, func(e micro.EndpointInfo) bool { return e.Name == op.ID })
		if i < 0 {
			t.Errorf("there is no endpoint %s", op.ID)
			continue
		}
		e := info.Endpoints[i]
		var schema struct{ Type string }
		if err := json.Unmarshal([]byte(e.Metadata["request_schema"]), &schema); err != nil || schema.Type != "object" {
			t.Errorf("%s: the schema is %.80q, %v", op.ID, e.Metadata["request_schema"], err)
		}
		if e.Subject != "mnemond.api."+op.ID || e.QueueGroup != "mnemond" || e.Metadata["least_role"] != string(op.Role) ||
			e.Metadata["summary"] != op.Summary || (e.Metadata["writes"] == "true") != op.Writes {
			t.Errorf("%s is described as %+v", op.ID, e)
		}
	}
}

// TestTheJSONIsThatOfHTTP: byte for byte, replies and problems.
func TestTheJSONIsThatOfHTTP(t *testing.T) {
	t.Parallel()
	m := &mind{}
	table := everything(m)
	web := httpapi.New(httpapi.Config{Table: table, Logger: slog.New(slog.DiscardHandler)})
	b := broker(t)
	serve(t, b, natsapi.Config{Table: table})
	nc := connect(t, b)
	for _, c := range []struct {
		operation, path, body string
		status                int
	}{
		{"recall", "/v1/recall", `{"user":"alice","query":"where do I live?"}`, 200},
		{"recall", "/v1/recall", `{"user":"张三","query":"我住在哪里？"}`, 200},
		{"forget", "/v1/forget", `{"user":"alice","topic":"<b> & 杭州"}`, 200},
		{"forget", "/v1/forget", `{"user":"张三","ids":["m7"]}`, 200},
		{"recall", "/v1/recall", `{"query":"x"}`, 400},
		{"recall", "/v1/recall", `{"user":"alice","keys":["no.such"]}`, 400},
		{"forget", "/v1/forget", `{"user":"alice","tpoic":"x"}`, 400},
		{"forget", "/v1/forget", `{"user":7}`, 400},
	} {
		r := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Request-Id", "q1")
		w := httptest.NewRecorder()
		web.ServeHTTP(w, r)
		reply := request(t, nc, c.operation, c.body, "X-Request-Id", "q1")
		if w.Code != c.status || !bytes.Equal(reply.Data, w.Body.Bytes()) {
			t.Errorf("%s %s: over NATS %s\nover HTTP %d %s", c.operation, c.body, reply.Data, w.Code, w.Body)
		}
		if got := reply.Header.Get("Content-Type"); got != w.Header().Get("Content-Type") || reply.Header.Get("X-Request-Id") != "q1" {
			t.Errorf("%s: the headers are %v", c.body, reply.Header)
		}
	}
	if m.scope != memory.UserScope("default", "张三") {
		t.Errorf("forgotten for %+v", m.scope)
	}
}

// TestWhatIsWrongIsNamed, and what is the server's own fault is not told.
func TestWhatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	m := &mind{}
	b := broker(t)
	serve(t, b, natsapi.Config{Table: everything(m)})
	nc := connect(t, b)
	for _, c := range []struct {
		operation, body string
		status          int
		field           string
	}{
		{"recall", ``, 400, "user"},
		{"recall", `[]`, 400, ""},
		{"recall", `{"user":"alice"`, 400, ""},
		{"recall", "{\"user\":\"\xff\"}", 400, ""},
		{"recall", `{"user":"alice","user":"bob"}`, 400, "user"},
		{"recall", `{"user":"alice","limit":51}`, 400, "limit"},
		{"recall", `{"user":"alice","limit":"6"}`, 400, "limit"},
		{"recall", `{"user":"alice","as_of":"yesterday"}`, 400, "as_of"},
		{"recall", `{"user":"alice","surprise":1}`, 400, "surprise"},
		{"answer_question", `{"user":"alice","id":"q1","decision":"perhaps"}`, 400, "decision"},
		{"events", `{"events":[]}`, 400, "events"},
		{"recall", `{"user":"` + strings.Repeat("a", door.MaxBody) + `"}`, 413, ""},
		{"recall", `{"user":"alice","query":"large"}`, 413, ""},
		{"recall", `{"user":"alice","query":"panic"}`, 500, ""},
	} {
		p := wantProblem(t, request(t, nc, c.operation, c.body), c.status, c.field)
		if strings.Contains(p.Detail, "at once") {
			t.Errorf("the caller is told %q", p.Detail)
		}
	}
	if p := wantProblem(t, request(t, nc, "forget", `{"user":"alice","topic":"x"}`, "Idempotency-Key", "k"), 400, "Idempotency-Key"); p.Detail == "" {
		t.Error("it is not said why")
	}
	m.err = fault.Outage(io.ErrUnexpectedEOF, time.Second)
	if reply := request(t, nc, "recall", `{"user":"alice"}`); reply.Header.Get("Retry-After") != "1" {
		t.Errorf("an outage has the headers %v", reply.Header)
	}
	if m.asked[len(m.asked)-1].User != "alice" {
		t.Error("nothing was asked")
	}
}
