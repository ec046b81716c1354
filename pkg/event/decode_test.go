package event_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// with is a valid turn with one text replaced by another.
func with(old, replacement string) string {
	const valid = `{"specversion":"1.0","id":"e1","source":"/app","type":"mnemond.turn.v1",` +
		`"time":"2026-05-04T09:30:00+08:00","tenant":"acme","user":"u1","thread":"t1","agent":"a1","timezone":"Asia/Shanghai",` +
		`"data":{"messages":[{"role":"user","content":"我住在杭州。","at":"2026-05-04T09:29:00+08:00"},{"role":"assistant","content":"Noted."}]}}`
	if !strings.Contains(valid, old) {
		panic(old)
	}
	return strings.Replace(valid, old, replacement, 1)
}

func TestDecodeRefusesWithTheFieldAtFault(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	tests := []struct {
		name, raw, field, reason string
	}{
		{"missing id", with(`"id":"e1",`, ``), "id", "is required"},
		{"missing user", with(`"user":"u1",`, ``), "user", "is required"},
		{"missing thread", with(`"thread":"t1",`, ``), "thread", "is required"},
		{"missing type", with(`"type":"mnemond.turn.v1",`, ``), "type", "is required"},
		{"missing source", with(`"source":"/app",`, ``), "source", "is required"},
		{"missing role", with(`"role":"user",`, ``), "data.messages.0.role", "is required"},
		{"missing content in the second", with(`,"content":"Noted."`, ``), "data.messages.1.content", "is required"},
		{"missing data", `{"specversion":"1.0","id":"e","source":"s","type":"mnemond.turn.v1","user":"u","thread":"t"}`, "data", "is required"},
		{"missing rating", `{"specversion":"1.0","id":"e","source":"s","type":"mnemond.feedback.v1","user":"u","thread":"t","data":{}}`, "data.rating", "is required"},
		{"no messages", `{"specversion":"1.0","id":"e","source":"s","type":"mnemond.turn.v1","user":"u","thread":"t","data":{"messages":[]}}`, "data.messages", "must not be empty"},

		{"unknown field", with(`"id":"e1"`, `"id":"e1","colour":"red"`), "colour", "is not a known field"},
		{"unknown field of a message", with(`"role":"user"`, `"role":"user","mood":"glad"`), "data.messages.0.mood", "is not a known field"},
		{"data of another type", with(`mnemond.turn.v1`, `mnemond.thread.closed.v1`), "data.messages", "is not a known field"},
		{"wrong case", with(`"user":"u1"`, `"User":"u1"`), "User", `is not a known field; did you mean "user"?`},
		{"wrong case in a message", with(`"content":"N`, `"Content":"N`), "data.messages.1.Content", `did you mean "content"?`},

		{"number for a string", with(`"user":"u1"`, `"user":7`), "user", "must be of type string, not number"},
		{"null for a string", with(`"user":"u1"`, `"user":null`), "user", "must be of type string, not null"},
		{"object for text", with(`"content":"Noted."`, `"content":{"text":"x"}`), "data.messages.1.content", "must be of type string, not object"},
		{"string for data", with(`"data":{"messages":[{"role":"user","content":"我住在杭州。","at":"2026-05-04T09:29:00+08:00"},{"role":"assistant","content":"Noted."}]}`, `"data":"hello"`), "data", "must be of type object, not string"},
		{"array", `[]`, "", "must be of type object, not array"},
		{"string", `"x"`, "", "must be of type object, not string"},

		{"unknown type", with(`mnemond.turn.v1`, `mnemond.turn.v9`), "type", "value must be one of 'mnemond.turn.v1'"},
		{"unknown role", with(`"role":"user"`, `"role":"human"`), "data.messages.0.role", "value must be one of 'user', 'assistant', 'system', 'tool'"},
		{"other version", with(`"specversion":"1.0"`, `"specversion":"0.3"`), "specversion", "value must be '1.0'"},

		{"no time", with(`2026-05-04T09:30:00+08:00`, `yesterday`), "time", "must be an RFC 3339 time"},
		{"thirteenth month", with(`2026-05-04T09:30:00`, `2026-13-04T09:30:00`), "time", "must be an RFC 3339 time"},
		{"time without an offset", with(`2026-05-04T09:30:00+08:00`, `2026-05-04T09:30:00`), "time", "must be an RFC 3339 time"},
		{"leap second", with(`2026-05-04T09:30:00+08:00`, `2016-12-31T23:59:60Z`), "time", "must be an RFC 3339 time"},
		{"lower-case time", with(`2026-05-04T09:30:00+08:00`, `2026-05-04t09:30:00z`), "time", "must be an RFC 3339 time"},
		{"time of a message", with(`2026-05-04T09:29:00+08:00`, `09:29`), "data.messages.0.at", "must be an RFC 3339 time"},
		{"leap second of a message", with(`2026-05-04T09:29:00+08:00`, `2016-12-31T23:59:60Z`), "data.messages.0.at", "must be an RFC 3339 time"},
		{"the year nought", with(`2026-05-04T09:30:00+08:00`, `0000-01-01T00:00:00+08:00`), "time", "must not be before 1970"},
		{"the zero time of a message", with(`2026-05-04T09:29:00+08:00`, `0001-01-01T00:00:00Z`), "data.messages.0.at", "must not be before 1970"},

		{"unknown zone", with(`Asia/Shanghai`, `Asia/Atlantis`), "timezone", "must be an IANA time zone name"},
		{"the machine's zone", with(`Asia/Shanghai`, `Local`), "timezone", "must be an IANA time zone name"},
		{"zone outside of the database", with(`Asia/Shanghai`, `../../etc/passwd`), "timezone", "must be an IANA time zone name"},

		{"empty id", with(`"id":"e1"`, `"id":""`), "id", "must not be empty"},
		{"empty tenant", with(`"tenant":"acme"`, `"tenant":""`), "tenant", "must not be empty"},
		{"too many characters", with(`"id":"e1"`, `"id":"`+strings.Repeat("x", 257)+`"`), "id", "must be at most 256 characters, has 257"},
		{"too many bytes", with(`"user":"u1"`, `"user":"`+strings.Repeat("杭", 86)+`"`), "user", "must be at most 256 bytes, is 258"},
		{"NUL", with(`"thread":"t1"`, `"thread":"t\u00001"`), "thread", "must not contain NUL"},
		{"lone surrogate", with(`"agent":"a1"`, `"agent":"a\ud800"`), "agent", "unpaired surrogate"},
		{"surrogates in the wrong order", with(`"tenant":"acme"`, `"tenant":"\udc00\ud800"`), "tenant", "unpaired surrogate"},
		{"replacement character", with(`"id":"e1"`, `"id":"\ufffd"`), "id", "U+FFFD"},

		{"duplicate key", with(`"id":"e1"`, `"id":"e1","id":"e2"`), "id", "appears twice"},
		{"duplicate key, escaped", with(`"id":"e1"`, `"id":"e1","\u0069d":"e2"`), "id", "appears twice"},
		{"duplicate key in a message", with(`"role":"assistant"`, `"role":"assistant","role":"user"`), "data.messages.1.role", "appears twice"},
		{"two values", with(`"id":"e1"`, `"id":"e1"`) + `{}`, "", "more than one JSON value"},
		{"text behind", with(`"id":"e1"`, `"id":"e1"`) + ` x`, "", "more than one JSON value"},
		{"empty", ``, "", "not valid JSON"},
		{"cut off", with(`}]}}`, ``), "", "not valid JSON: unexpected EOF"},
		{"no JSON", `{"id": e1}`, "", "not valid JSON"},
		{"invalid UTF-8", with(`Noted.`, "\xff"), "", "not valid UTF-8"},
		{"too large", with(`Noted.`, strings.Repeat("x", event.MaxBytes)), "", "is larger than"},
		{"deep", deep, "", "nested more than 32 deep"},
		{"deep and long", strings.Repeat("[", event.MaxBytes), "", "nested more than 32 deep"},
		{"deep in a field", with(`"data":{`, `"data":{"x":`+deep+`,`), "", "nested more than 32 deep"},
		{"too many messages", with(`{"role":"assistant","content":"Noted."}`, strings.TrimSuffix(strings.Repeat(`{"role":"assistant","content":"x"},`, 100), ",")), "data.messages", "must have at most 100 elements, has 101"},
		{"too long a message", with(`Noted.`, strings.Repeat("杭", 100_001)), "data.messages.1.content", "must be at most 100000 characters, has 100001"},
		{"two faults: the outer one", with(`"user":"u1"`, `"user":7,"colour":1`), "colour", "is not a known field"},
		{"two faults: the first message", with(`"role":"user"`, `"role":1`), "data.messages.0.role", "must be"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := event.Decode([]byte(tt.raw))
			var e *event.Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %v, want an *event.Error", err)
			}
			if e.Field != tt.field || !strings.Contains(e.Reason, tt.reason) {
				t.Errorf("%q: %q\nwant %q: %q", e.Field, e.Reason, tt.field, tt.reason)
			}
			if tt.field != "" && !strings.HasPrefix(e.Error(), tt.field+": ") {
				t.Errorf("message %q does not begin with the field", e)
			}
		})
	}
}

func TestDecodeNamesTheSameFaultEachTime(t *testing.T) {
	raw := []byte(`{"specversion":"0","id":"","source":1,"type":"x","user":2,"thread":3,"b":1,"a":2}`)
	_, first := event.Decode(raw)
	for range 50 {
		if _, err := event.Decode(raw); err.Error() != first.Error() {
			t.Fatalf("now %q, before %q", err, first)
		}
	}
	if first.Error() != "a: is not a known field" {
		t.Errorf("error is %q", first)
	}
}

// A reason goes to logs and dead letters, where nothing that was said may stand.
func TestDecodeErrorsDoNotRepeatValues(t *testing.T) {
	const said = "I live in Reykjavik"
	for _, raw := range []string{
		with(`2026-05-04T09:30:00+08:00`, said), with(`2026-05-04T09:29:00+08:00`, said),
		with(`Asia/Shanghai`, said), with(`mnemond.turn.v1`, said), with(`"role":"user"`, `"role":"`+said+`"`),
		with(`"specversion":"1.0"`, `"specversion":"`+said+`"`), with(`"user":"u1"`, `"user":["`+said+`"]`),
		with(`"user":"u1"`, `"user":"`+strings.Repeat(said, 20)+`"`), said, `"` + said + `"`,
	} {
		_, err := event.Decode([]byte(raw))
		if err == nil || strings.Contains(err.Error(), "Reykjavik") {
			t.Errorf("error is %v", err)
		}
	}
	_, err := event.Decode([]byte(with(`"id":"e1"`, `"id":"e1","`+strings.Repeat("杭", 1000)+`":1`)))
	if err == nil || len(err.Error()) > 200 {
		t.Errorf("error has %d bytes", len(err.Error()))
	}
}

func TestDecodeAccepts(t *testing.T) {
	const base = `{"specversion":"1.0","id":"e","source":"s","user":"u","thread":"t",`
	tests := []struct{ name, raw string }{
		{"a turn", with(`"id":"e1"`, `"id":"e1"`)},
		{"an id of 256 bytes", with(`"id":"e1"`, `"id":"`+strings.Repeat("杭", 85)+`x"`)},
		{"an emoji in an id", with(`"user":"u1"`, `"user":"\ud83d\ude00"`)},
		{"a lone surrogate in the content", with(`Noted.`, `\ud800`)},
		{"white space around", " \n" + with(`"id":"e1"`, `"id":"e1"`) + "\t\n"},
		{"fractions of a second", with(`09:30:00+08:00`, `09:30:00.123456789+08:00`)},
		{"a negative offset", with(`09:30:00+08:00`, `09:30:00-03:30`)},
		{"UTC", with(`Asia/Shanghai`, `UTC`)},
		{"an empty content", with(`Noted.`, ``)},
		{"thread closed without data", base + `"type":"mnemond.thread.closed.v1"}`},
		{"thread closed", base + `"type":"mnemond.thread.closed.v1","data":{"reason":"left"}}`},
		{"feedback", base + `"type":"mnemond.feedback.v1","data":{"rating":"down","comment":"太长了"}}`},
		{"a task", base + `"type":"mnemond.task.v1","data":{"goal":"book a flight","completed_steps":["searched"],"outcome":"success"}}`},
		{"an answer", base + `"type":"mnemond.answer.v1","data":{"recall_id":"r1","content":"Bonjour"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := event.Decode([]byte(tt.raw)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestDecodeReadsEveryField(t *testing.T) {
	e, err := event.Decode([]byte(with(`"agent":"a1"`, `"agent":"a1","traceparent":"00-a-b-01","tracestate":"v=1","subject":"s","dataschema":"d","datacontenttype":"application/json"`)))
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "e1" || e.Source != "/app" || e.Type != event.TypeTurn || e.Agent != "a1" || e.TimeZone != "Asia/Shanghai" ||
		e.TraceParent != "00-a-b-01" || e.TraceState != "v=1" || e.Subject != "s" || e.DataSchema != "d" ||
		e.DataContentType != "application/json" || e.SpecVersion != "1.0" {
		t.Errorf("event is %+v", e)
	}
	if got := e.Time.Format("2006-01-02T15:04:05Z07:00"); got != "2026-05-04T09:30:00+08:00" {
		t.Errorf("time is %s", got)
	}
	if want := (memory.ThreadRef{Tenant: "acme", User: "u1", Thread: "t1"}); e.Ref() != want {
		t.Errorf("thread is %v, want %v", e.Ref(), want)
	}
	turn, err := e.Turn()
	if err != nil || len(turn.Messages) != 2 || turn.Messages[0].Content != "我住在杭州。" || turn.Messages[1].Role != memory.RoleAssistant {
		t.Errorf("turn is %+v, %v", turn, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(with(`"id":"e1"`, `"id":"e1"`)))
	f.Add([]byte(with(`Noted.`, `<b>\ud800\u2028\"`)))
	f.Add([]byte(with(`09:30:00+08:00`, `09:30:00.1234567890123Z`)))
	f.Add([]byte(`{"specversion":"1.0","id":"e","source":"s","type":"mnemond.task.v1","user":"u","thread":"t","data":{"goal":"g"}}`))
	f.Add([]byte(`{"a":[{"b":{}}],"a":1}`))
	f.Add([]byte("\xff"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := event.Decode(raw)
		if err != nil {
			var known *event.Error
			if !errors.As(err, &known) || known.Reason == "" {
				t.Fatalf("error is %#v", err)
			}
			return
		}
		if _, err := e.Turn(); err != nil {
			t.Fatalf("accepted, but its turn is %v", err)
		}
		first, err := e.Encode()
		if err != nil {
			t.Fatalf("accepted, but cannot be encoded: %v", err)
		}
		again, err := event.Decode(first)
		if err != nil {
			t.Fatalf("accepted, but refused when encoded: %v\n%s", err, first)
		}
		second, err := again.Encode()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	raw := []byte(with(`"id":"e1"`, `"id":"e1"`))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := event.Decode(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleDecode() {
	_, err := event.Decode([]byte(`{"specversion": "1.0", "id": "1", "source": "/chat", "type": "mnemond.turn.v1",
		"user": "u1", "thread": "t1", "data": {"messages": [{"role": "person", "content": "Hello"}]}}`))
	fmt.Println(err)
	// Output: data.messages.0.role: value must be one of 'user', 'assistant', 'system', 'tool'
}

// TestReadAgreesWithDecode: what Decode accepts, Read reads alike.
func TestReadAgreesWithDecode(t *testing.T) {
	for _, raw := range []string{
		`{"specversion":"1.0","id":"1","source":"/s","type":"mnemond.turn.v1","user":"u","thread":"t","time":"2026-03-01T09:00:00+08:00","timezone":"Asia/Shanghai","data":{"messages":[{"role":"user","content":"我住在杭州","at":"2026-03-01T08:59:00+08:00"}]}}`,
		`{"specversion":"1.0","id":"2","source":"/s","type":"mnemond.thread.closed.v1","user":"u","thread":"t"}`,
	} {
		want, err := event.Decode([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		got, err := event.Read([]byte(raw))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Read = %+v, %v, want %+v", got, err, want)
		}
	}
	for _, raw := range []string{``, `[]`, `{"id":"\u0000","user":"u","thread":"t"}`, `{"id":"1","user":"u","thread":"t","timezone":"Mars"}`} {
		if _, err := event.Read([]byte(raw)); err == nil {
			t.Errorf("Read(%q) accepts it", raw)
		}
	}
}
