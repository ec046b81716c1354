package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/memory"
)

var arrival = time.Date(2026, 5, 4, 9, 0, 0, 0, time.FixedZone("", 8*3600))

// log stands where the stream does: it keeps what is published.
type log struct {
	events []event.Outgoing
	err    error
}

func (l *log) Publish(_ context.Context, events []event.Outgoing) ([]event.Receipt, error) {
	if l.err != nil {
		return nil, l.err
	}
	receipts := make([]event.Receipt, len(events))
	for i, e := range events {
		for j, before := range l.events {
			if before.ID == e.ID && before.Ref == e.Ref {
				receipts[i] = event.Receipt{Seq: uint64(j + 1), Duplicate: true}
			}
		}
		if receipts[i].Duplicate {
			continue
		}
		l.events = append(l.events, e)
		receipts[i].Seq = uint64(len(l.events))
	}
	return receipts, nil
}

func service(t testing.TB, l *log) *ingest.Service {
	t.Helper()
	s, err := ingest.New(l, func() time.Time { return arrival })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// accept sends one event and returns it as the log has it.
func accept(t *testing.T, raw string) event.Event {
	t.Helper()
	var l log
	if _, err := service(t, &l).Accept(t.Context(), [][]byte{[]byte(raw)}, nil); err != nil {
		t.Fatal(err)
	}
	e, err := event.Decode(l.events[0].Data)
	if err != nil {
		t.Fatalf("the log holds %s: %v", l.events[0].Data, err)
	}
	return e
}

func turn(id, message string) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"/app","type":"mnemond.turn.v1","user":"u1","thread":"t1","data":{"messages":[%s]}}`, id, message)
}

const hello = `{"role":"user","content":"我住在杭州 <b>&</b>"}`

func TestAccept(t *testing.T) {
	var l log
	s := service(t, &l)
	got, err := s.Accept(t.Context(), [][]byte{[]byte(turn("e1", hello)), []byte(turn("e2", hello)), []byte(turn("e1", hello))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []ingest.Accepted{{ID: "e1", Seq: 1}, {ID: "e2", Seq: 2}, {ID: "e1", Seq: 1, Duplicate: true}}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("event %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	o := l.events[0]
	if o.Ref != (memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u1", Thread: "t1"}) || !o.ReceivedAt.Equal(arrival) || o.ReceivedAt.Location() != time.UTC {
		t.Errorf("published %+v", o)
	}
	if !strings.Contains(string(o.Data), "我住在杭州 <b>&</b>") {
		t.Errorf("data is %s", o.Data)
	}
}

func TestAcceptStamps(t *testing.T) {
	e := accept(t, turn("e1", hello))
	if e.Tenant != memory.DefaultTenant || !e.Time.Equal(arrival) {
		t.Errorf("tenant %q, time %v", e.Tenant, e.Time)
	}
	ahead := strings.Replace(turn("e1", `{"role":"user","content":"x","at":"2030-01-01T00:00:00Z"}`), `"id"`, `"tenant":"acme","time":"2030-01-01T00:00:00Z","id"`, 1)
	e = accept(t, ahead)
	said, err := e.Turn()
	if err != nil || e.Tenant != "acme" || !e.Time.Equal(arrival) || !said.Messages[0].At.Equal(arrival) {
		t.Errorf("%+v, %+v, %v: times ahead are not clamped", e, said, err)
	}
}

func TestAcceptCarriesTheTrace(t *testing.T) {
	var l log
	raw := strings.Replace(turn("e1", hello), `"id"`, `"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","tracestate":"v=1","id"`, 1)
	if _, err := service(t, &l).Accept(t.Context(), [][]byte{[]byte(raw)}, nil); err != nil {
		t.Fatal(err)
	}
	if o := l.events[0]; o.TraceParent != "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" || o.TraceState != "v=1" {
		t.Errorf("trace is %q, %q", o.TraceParent, o.TraceState)
	}
}

// Invariant 11: secrets do not even reach the event log.
func TestAcceptCutsSecrets(t *testing.T) {
	const secret = "sk-proj-Zq8Jw2Lx9Vb4Nm7Tc1Rf6Yh3Kd5Gs0Pa"
	base := `{"specversion":"1.0","id":"e1","source":"/app","user":"u1","thread":"t1",`
	tests := []struct{ name, raw string }{
		{"content", turn("e1", `{"role":"user","content":"my key is `+secret+`"}`)},
		{"内容", turn("e1", `{"role":"user","content":"我的密钥是`+secret+`，帮我看看"}`)},
		{"an assistant's content", turn("e1", `{"role":"assistant","content":"use `+secret+`"}`)},
		{"tool output", turn("e1", `{"role":"tool","content":"{\"token\": \"`+secret+`\"}"}`)},
		{"name", turn("e1", `{"role":"user","content":"x","name":"`+secret+`"}`)},
		{"source", strings.Replace(turn("e1", hello), "/app", "/app?key="+secret, 1)},
		{"subject", strings.Replace(turn("e1", hello), `"id"`, `"subject":"`+secret+`","id"`, 1)},
		{"data schema", strings.Replace(turn("e1", hello), `"id"`, `"dataschema":"https://x/?key=`+secret+`","id"`, 1)},
		{"feedback", base + `"type":"mnemond.feedback.v1","data":{"rating":"up","comment":"` + secret + `"}}`},
		{"answer", base + `"type":"mnemond.answer.v1","data":{"recall_id":"r","content":"it is ` + secret + `"}}`},
		{"task", base + `"type":"mnemond.task.v1","data":{"goal":"log in","completed_steps":["used ` + secret + `"]}}`},
		{"reason of closing", base + `"type":"mnemond.thread.closed.v1","data":{"reason":"` + secret + `"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(tt.raw, secret) {
				t.Fatal("there is no secret to cut")
			}
			e := accept(t, tt.raw)
			raw, err := e.Encode()
			if err != nil || strings.Contains(string(raw), secret[8:]) || !strings.Contains(string(raw), "[redacted:") {
				t.Errorf("%v: the log holds %s", err, raw)
			}
		})
	}
}

func TestAcceptAllOrNothing(t *testing.T) {
	tests := []struct {
		name, bad string
		field     string
	}{
		{"no JSON", `{`, ""},
		{"unknown role", turn("e2", `{"role":"human","content":"x"}`), "data.messages.0.role"},
		{"no user", strings.Replace(turn("e2", hello), `"user":"u1",`, ``, 1), "user"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l log
			_, err := service(t, &l).Accept(t.Context(), [][]byte{[]byte(turn("e1", hello)), []byte(tt.bad), []byte(turn("e3", hello))}, nil)
			var e *ingest.EventError
			if !errors.As(err, &e) || e.Index != 1 || e.Err.Field != tt.field {
				t.Errorf("error is %v", err)
			}
			if len(l.events) != 0 {
				t.Errorf("%d events were stored", len(l.events))
			}
		})
	}
}

// What grows by redaction is measured after it.
func TestAcceptMeasuresWhatIsStored(t *testing.T) {
	cards := strings.Repeat(`{\"password\": \"a1B2c3D4\"} `, 100)
	room := event.MaxBytes - len(turn("e1", `{"role":"user","content":""}`)) - len(cards)
	var l log
	long := strings.Repeat("x", 90_000)
	var parts []string
	for ; room > 0; room -= 90_040 {
		parts = append(parts, `{"role":"user","content":"`+long[:min(90_000, max(room-40, 0))]+`"}`)
	}
	parts = append(parts, `{"role":"user","content":"`+cards+`"}`)
	raw := turn("e1", strings.Join(parts, ","))
	if len(raw) > event.MaxBytes {
		raw = strings.Replace(raw, strings.Repeat("x", len(raw)-event.MaxBytes), "", 1)
	}
	if _, err := event.Decode([]byte(raw)); err != nil {
		t.Fatalf("the event as sent is bad: %v", err)
	}
	_, err := service(t, &l).Accept(t.Context(), [][]byte{[]byte(raw)}, nil)
	var e *ingest.EventError
	if !errors.As(err, &e) || !strings.Contains(e.Err.Reason, "larger than") || len(l.events) != 0 {
		t.Errorf("error is %v, %d events stored", err, len(l.events))
	}
}

func TestAcceptKeepsTheClassOfAFailure(t *testing.T) {
	l := log{err: fault.Outage(errors.New("no leader"), time.Second)}
	got, err := service(t, &l).Accept(t.Context(), [][]byte{[]byte(turn("e1", hello))}, nil)
	if !errors.Is(err, fault.ErrOutage) || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if strings.Contains(err.Error(), "杭州") {
		t.Errorf("the error holds what was said: %v", err)
	}
}

func TestAcceptNothing(t *testing.T) {
	var l log
	if got, err := service(t, &l).Accept(t.Context(), nil, nil); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// Text without secrets is stored as it was said.
func TestAcceptKeepsText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringMatching(`[a-z杭州。<>&"\\ \n]{0,60}`).Draw(rt, "text")
		quoted, err := json.Marshal(text)
		if err != nil {
			rt.Fatal(err)
		}
		said, err := content(t, turn("e1", `{"role":"user","content":`+string(quoted)+`}`))
		if err != nil || said != text {
			rt.Fatalf("%q became %q, %v", text, said, err)
		}
	})
}

func content(t *testing.T, raw string) (string, error) {
	e := accept(t, raw)
	said, err := e.Turn()
	if err != nil {
		return "", err
	}
	return said.Messages[0].Content, nil
}

func BenchmarkAccept(b *testing.B) {
	var l log
	s := service(b, &l)
	raw := [][]byte{[]byte(turn("e1", hello))}
	for b.Loop() {
		if _, err := s.Accept(b.Context(), raw, nil); err != nil {
			b.Fatal(err)
		}
	}
}
