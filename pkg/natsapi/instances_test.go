package natsapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/micro"
	"go.opentelemetry.io/otel/trace"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/natsapi"
)

// doorman knows callers by the word that they send, in a header of any case.
type doorman map[string]access.Caller

func (d doorman) Caller(_ context.Context, h http.Header) (access.Caller, error) {
	for name, v := range h {
		if c, ok := d[strings.Join(v, ",")]; ok && strings.EqualFold(name, "Authorization") {
			return c, nil
		}
	}
	return access.Caller{}, access.ErrUnauthenticated
}

// TestCredentialsBindRequests: as over HTTP, a request narrows what its credential reaches.
func TestCredentialsBindRequests(t *testing.T) {
	t.Parallel()
	m, b := &mind{}, broker(t)
	serve(t, b, natsapi.Config{Table: everything(m), Access: doorman{
		"Bearer alice": {Tenant: "acme", User: "alice", Role: access.RoleUser, Key: "k1"},
		"Bearer agent": {Tenant: "顶点", Role: access.RoleAgent, Key: "k2"},
	}})
	nc := connect(t, b)
	for _, c := range []struct {
		header, who, operation, body string
		status                       int
		field                        string
	}{
		{"Authorization", "", "recall", `{"user":"alice"}`, 401, ""},
		{"Authorization", "Bearer nobody", "recall", `not even JSON`, 401, ""},
		{"Authorization", "Bearer alice", "recall", `{"user":"bob"}`, 403, "user"},
		{"Authorization", "Bearer alice", "forget", `{"tenant":"default","topic":"x"}`, 403, "tenant"},
		{"authorization", "Bearer alice", "consolidate", `{"thread":"t1"}`, 403, ""},
		{"Authorization", "Bearer agent", "recall", `{"tenant":"acme","user":"alice"}`, 403, "tenant"},
		{"Authorization", "Bearer agent", "erase_owner", `{"whole":"tenant"}`, 403, ""},
	} {
		reply := request(t, nc, c.operation, c.body, c.header, c.who)
		wantProblem(t, reply, c.status, c.field)
		if (reply.Header["Www-Authenticate"] != nil) != (c.status == 401) {
			t.Errorf("%s: the headers are %v", c.body, reply.Header)
		}
	}
	if m.asked != nil || m.scope != (memory.Scope{}) {
		t.Fatalf("what was refused was carried out: %+v, %+v", m.asked, m.scope)
	}
	for _, c := range []struct {
		header, who, body, tenant, user string
	}{
		{"Authorization", "Bearer alice", `{}`, "acme", "alice"},
		{"authorization", "Bearer alice", ``, "acme", "alice"},
		{"AUTHORIZATION", "Bearer agent", `{"user":"张三"}`, "顶点", "张三"},
	} {
		m.asked = nil
		reply := request(t, nc, "recall", c.body, c.header, c.who)
		if len(m.asked) != 1 || string(m.asked[0].Tenant) != c.tenant || string(m.asked[0].User) != c.user {
			t.Errorf("%s asked for %+v: %s", c.who, m.asked, reply.Data)
		}
	}
}

// TestInstancesShareTheLoad: each request is answered by one of them.
func TestInstancesShareTheLoad(t *testing.T) {
	t.Parallel()
	b := broker(t)
	first, second := &mind{}, &mind{}
	serve(t, b, natsapi.Config{Table: everything(first)})
	stop := serve(t, b, natsapi.Config{Table: everything(second)})
	nc := connect(t, b)
	const all = 200
	for range all {
		request(t, nc, "recall", `{"user":"alice"}`)
	}
	if a, z := len(first.asked), len(second.asked); a+z != all || a < all/10 || z < all/10 {
		t.Errorf("of %d requests one answered %d and the other %d", all, a, z)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	before := len(second.asked)
	for range 20 {
		request(t, nc, "recall", `{"user":"alice"}`)
	}
	if len(second.asked) != before {
		t.Error("who has stopped still answers")
	}
}

// TestWhatWasTakenIsAnsweredAtTheEnd: what runs and what waits; and what is too much is refused
// at once.
func TestWhatWasTakenIsAnsweredAtTheEnd(t *testing.T) {
	t.Parallel()
	m, b := &mind{entered: make(chan struct{}), leave: make(chan struct{})}, broker(t)
	const running, waiting = 4, 3 // and a slow one may run beside
	var log bytes.Buffer
	stop := serve(t, b, natsapi.Config{
		Table: everything(m), Concurrency: running, Waiting: waiting, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	nc := connect(t, b)
	inbox := nc.NewInbox()
	replies, err := nc.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(n int) {
		for range n {
			if err := nc.PublishRequest(natsapi.Subject("recall"), inbox, []byte(`{"user":"alice"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask(running)
	for range running {
		<-m.entered
	}
	ask(waiting + 1 + 2)
	for range 2 {
		reply, err := replies.NextMsg(wait)
		if err != nil {
			t.Fatal(err)
		}
		if wantProblem(t, reply, 503, ""); reply.Header.Get("Retry-After") != "1" {
			t.Errorf("the headers are %v", reply.Header)
		}
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	var entered sync.WaitGroup
	entered.Go(func() {
		for range waiting + 1 {
			<-m.entered
		}
	})
	close(m.leave)
	entered.Wait()
	for range running + waiting + 1 {
		reply, err := replies.NextMsg(wait)
		if err != nil || reply.Header.Get(micro.ErrorCodeHeader) != "" || !bytes.Contains(reply.Data, []byte(`"r1"`)) {
			t.Fatalf("a request was answered with %v, %v", reply, err)
		}
	}
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "fell behind") {
		t.Error(log.String())
	}
}

// TestStatisticsTellOfErrors although requests run beside one another.
func TestStatisticsTellOfErrors(t *testing.T) {
	t.Parallel()
	b := broker(t)
	serve(t, b, natsapi.Config{Table: everything(&mind{})})
	nc := connect(t, b)
	request(t, nc, "recall", `{"user":"alice"}`)
	request(t, nc, "recall", `{"user":""}`)
	reply, err := nc.Request("$SRV.STATS."+natsapi.Name, nil, wait)
	if err != nil {
		t.Fatal(err)
	}
	var stats micro.Stats
	if err := json.Unmarshal(reply.Data, &stats); err != nil {
		t.Fatal(err)
	}
	for _, e := range stats.Endpoints {
		var own natsapi.Stats
		if err := json.Unmarshal(e.Data, &own); err != nil {
			t.Fatal(err)
		}
		if e.Name == "recall" {
			if e.NumRequests != 2 || own.Answered != 2 || own.Errors != 1 || own.LastError != "400 invalid request" || own.ProcessingTime <= 0 {
				t.Errorf("%d requests, %+v", e.NumRequests, own)
			}
		} else if own != (natsapi.Stats{}) {
			t.Errorf("%s: %+v", e.Name, own)
		}
	}
}

// spy keeps the trace in which it is asked.
type spy struct{ got *trace.SpanContext }

func (s spy) Caller(ctx context.Context, _ http.Header) (access.Caller, error) {
	*s.got = trace.SpanContextFromContext(ctx)
	return access.Local(), nil
}

// TestTheTraceGoesOn, whatever the case in which other languages write its header.
func TestTheTraceGoesOn(t *testing.T) {
	t.Parallel()
	b := broker(t)
	var got trace.SpanContext
	serve(t, b, natsapi.Config{Table: everything(&mind{}), Access: spy{&got}})
	nc := connect(t, b)
	for i, name := range []string{"traceparent", "Traceparent", "TRACEPARENT"} {
		id := fmt.Sprintf("%032x", i+1)
		request(t, nc, "recall", `{"user":"alice"}`, name, "00-"+id+"-b7ad6b7169203331-01", "Tracestate", "v=1")
		if got.TraceID().String() != id || !got.IsSampled() || got.TraceState().Get("v") != "1" {
			t.Errorf("%s: the trace is %v", name, got)
		}
	}
}
