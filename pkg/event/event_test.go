package event_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

var arrival = time.Date(2026, 5, 4, 1, 30, 0, 0, time.UTC)

func TestClamp(t *testing.T) {
	shanghai := time.FixedZone("", 8*3600)
	tests := []struct {
		name     string
		at, want time.Time
	}{
		{"none", time.Time{}, arrival},
		{"past", arrival.Add(-72 * time.Hour), arrival.Add(-72 * time.Hour)},
		{"a little ahead", arrival.Add(event.MaxAhead), arrival.Add(event.MaxAhead)},
		{"too far ahead", arrival.Add(event.MaxAhead + 1), arrival},
		{"years ahead", arrival.AddDate(70, 0, 0).In(shanghai), arrival.In(shanghai)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := event.Clamp(tt.at, arrival)
			if !got.Equal(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if !tt.at.IsZero() && got.Location() != tt.at.Location() {
				t.Errorf("zone is %v, want %v", got.Location(), tt.at.Location())
			}
		})
	}
}

func TestClampIsNeverFarAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 1<<34).Draw(t, "at"), 0)
		got := event.Clamp(at, arrival)
		if got.After(arrival.Add(event.MaxAhead)) {
			t.Fatalf("%v is ahead of %v", got, arrival)
		}
		if !at.After(arrival) && !got.Equal(at) {
			t.Fatalf("%v became %v", at, got)
		}
	})
}

func turnEvent(t *testing.T, turn event.Turn) event.Event {
	t.Helper()
	e := event.Event{SpecVersion: "1.0", ID: "e1", Source: "/app", Type: event.TypeTurn, User: "u1", Thread: "t1"}
	if err := e.SetTurn(turn); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestStamp(t *testing.T) {
	said := arrival.Add(-time.Hour)
	e := turnEvent(t, event.Turn{Messages: []event.Message{
		{Role: memory.RoleUser, Content: "a <b> & c", At: said},
		{Role: memory.RoleUser, Content: "后天去深圳", At: arrival.Add(time.Hour)},
		{Role: memory.RoleAssistant, Content: "好的"},
	}})
	e.Stamp(arrival)
	if e.Tenant != memory.DefaultTenant || !e.Time.Equal(arrival) {
		t.Errorf("tenant %q, time %v", e.Tenant, e.Time)
	}
	turn, err := e.Turn()
	if err != nil {
		t.Fatal(err)
	}
	if !turn.Clamp(arrival) {
		t.Error("Clamp says that it changed nothing")
	}
	if turn.Clamp(arrival) {
		t.Error("Clamp changes what it has clamped")
	}
	want := []time.Time{said, arrival, {}}
	for i, m := range turn.Messages {
		if !m.At.Equal(want[i]) {
			t.Errorf("message %d at %v, want %v", i, m.At, want[i])
		}
	}
	if !strings.Contains(string(e.Data), "a <b> & c") {
		t.Errorf("data is %s: HTML is not to be escaped", e.Data)
	}
}

func TestStampLeavesWhatWasSaid(t *testing.T) {
	e := turnEvent(t, event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: "x", At: arrival}}})
	e.Tenant, e.Time = "acme", arrival.Add(-time.Minute)
	before := string(e.Data)
	e.Stamp(arrival)
	if e.Tenant != "acme" || !e.Time.Equal(arrival.Add(-time.Minute)) || string(e.Data) != before {
		t.Errorf("event became %+v", e)
	}
}

func TestStampOfOtherTypes(t *testing.T) {
	e := event.Event{Type: event.TypeFeedback, Data: json.RawMessage(`{"rating":"up"}`), Time: arrival.Add(time.Hour)}
	e.Stamp(arrival)
	if !e.Time.Equal(arrival) || string(e.Data) != `{"rating":"up"}` {
		t.Errorf("event became %+v", e)
	}
}

func TestRefWithoutTenant(t *testing.T) {
	e := event.Event{User: "u", Thread: "t"}
	if want := (memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}); e.Ref() != want {
		t.Errorf("thread is %v", e.Ref())
	}
}

func TestTurnOfAnotherTypeIsEmpty(t *testing.T) {
	e := event.Event{Type: event.TypeTask, Data: json.RawMessage(`{"goal":"x"}`)}
	if turn, err := e.Turn(); err != nil || len(turn.Messages) != 0 {
		t.Errorf("turn is %v, %v", turn, err)
	}
	bad := event.Event{Type: event.TypeTurn, Data: json.RawMessage(`[]`)}
	if _, err := bad.Turn(); err == nil {
		t.Error("a turn that is an array was accepted")
	}
}

func TestTokens(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"", 0}, {"a", 1}, {"abcd", 1}, {"abcde", 2}, {"我住在杭州", 5}, {"我住在Berlin", 5},
		{"こんにちは", 5}, {"안녕", 2}, {strings.Repeat("word ", 100), 125},
	}
	for _, tt := range tests {
		if got := event.Tokens(tt.text); got != tt.want {
			t.Errorf("Tokens(%.20q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestTokensGrowWithTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		sum := event.Tokens(a) + event.Tokens(b)
		if both := event.Tokens(a + b); both > sum || both < sum-1 {
			t.Fatalf("%d for both, %d apart", both, sum)
		}
	})
}

func TestEventsRoundTrip(t *testing.T) {
	id := rapid.StringMatching(`[a-zA-Z0-9 ./:@杭州é]{1,60}`)
	rapid.Check(t, func(t *rapid.T) {
		e := event.Event{
			SpecVersion: "1.0", ID: id.Draw(t, "id"), Source: "/app", Type: event.TypeTurn,
			Tenant: memory.Tenant(id.Draw(t, "tenant")), User: memory.User(id.Draw(t, "user")), Thread: memory.Thread(id.Draw(t, "thread")),
			Time: time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "time"), 0).In(time.FixedZone("", rapid.IntRange(-14, 14).Draw(t, "offset")*3600)),
		}
		turn := event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: rapid.String().Draw(t, "content")}}}
		if err := e.SetTurn(turn); err != nil {
			t.Fatal(err)
		}
		raw, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := event.Decode(raw)
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		got, err := back.Turn()
		if err != nil || got.Messages[0] != turn.Messages[0] || back.Ref() != e.Ref() || !back.Time.Equal(e.Time) {
			t.Fatalf("%v: %+v, want %+v", err, back, e)
		}
	})
}
