package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/schemas"
)

// Error is what is wrong with an event: the field, as a path with dots, and the reason.
// Field is empty when the document as a whole is at fault.
type Error struct {
	Field  string
	Reason string
}

func (e *Error) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// Decode reads one event strictly: valid UTF-8, one JSON object, no duplicate or unknown
// field, every value within its schema. Any failure is an *Error for the first field at
// fault.
func Decode(raw []byte) (Event, error) {
	var e Event
	if len(raw) > MaxBytes {
		return e, &Error{Reason: fmt.Sprintf("event of %d bytes is larger than %d", len(raw), MaxBytes)}
	}
	if !utf8.Valid(raw) {
		return e, &Error{Reason: "not valid UTF-8"}
	}
	doc, err := document(raw)
	if err != nil {
		return e, err
	}
	if err := compiled().Validate(doc); err != nil {
		return e, firstError(err)
	}
	if err := checkTimes(doc); err != nil {
		return e, err
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, &Error{Reason: err.Error()}
	}
	return e, e.validate()
}

// Read reads an event that Decode has accepted before, without checking its form again.
func Read(raw []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, &Error{Reason: err.Error()}
	}
	return e, e.validate()
}

// validate checks what a JSON Schema cannot say.
func (e *Event) validate() error {
	for _, f := range []struct{ name, id string }{
		{"id", e.ID}, {"tenant", string(e.Tenant)}, {"user", string(e.User)},
		{"thread", string(e.Thread)}, {"agent", string(e.Agent)},
	} {
		if f.id == "" {
			continue
		}
		if err := memory.ValidateID(f.id); err != nil {
			return &Error{Field: f.name, Reason: err.Error()}
		}
		// U+FFFD is what a broken escape decodes to: two different ids would become one.
		if strings.ContainsRune(f.id, utf8.RuneError) {
			return &Error{Field: f.name, Reason: "must not contain U+FFFD or an unpaired surrogate"}
		}
	}
	if e.TimeZone != "" {
		if _, err := Zone(e.TimeZone); err != nil {
			return &Error{Field: "timezone", Reason: `must be an IANA time zone name, such as "Asia/Shanghai"`}
		}
	}
	return nil
}

var compiled = sync.OnceValue(func() *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const base = "https://mnemond.dev/schemas/"
	for _, name := range []string{
		"event.schema.json", "turn.schema.json", "thread.closed.schema.json",
		"feedback.schema.json", "task.schema.json", "answer.schema.json",
	} {
		raw, err := schemas.Files.ReadFile(name)
		if err != nil {
			panic(err) // embedded: cannot be missing
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			panic(fmt.Sprintf("schemas/%s: %v", name, err))
		}
		if err := c.AddResource(base+name, doc); err != nil {
			panic(fmt.Sprintf("schemas/%s: %v", name, err))
		}
	}
	return c.MustCompile(base + "event.schema.json")
})

// earliest is the earliest time that is believed: there was no chat to remember before.
var earliest = time.Unix(0, 0)

// checkTimes checks the times of a document that its schema accepts: some that the format
// allows, such as leap seconds, are none to Go.
func checkTimes(doc any) error {
	object, _ := doc.(map[string]any)
	if err := checkTime("time", object["time"]); err != nil {
		return err
	}
	data, _ := object["data"].(map[string]any)
	messages, _ := data["messages"].([]any)
	for i, m := range messages {
		fields, _ := m.(map[string]any)
		if err := checkTime(fmt.Sprintf("data.messages.%d.at", i), fields["at"]); err != nil {
			return err
		}
	}
	return nil
}

func checkTime(field string, value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	var t time.Time
	if err := t.UnmarshalText([]byte(text)); err != nil {
		return &Error{Field: field, Reason: reasonTime}
	}
	if t.Before(earliest) {
		return &Error{Field: field, Reason: "must not be before 1970"}
	}
	return nil
}

// document reads one JSON value as a schema validates it, with numbers as json.Number. It
// refuses a duplicate key, of which decoders silently keep one or the other, anything after
// the value, and what is nested without end.
func document(raw []byte) (any, error) {
	twice, err := scan(raw)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, &Error{Reason: "not valid JSON: " + err.Error()}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &Error{Reason: "more than one JSON value"}
	}
	if twice != nil {
		return nil, &Error{Field: fieldPath(twice...), Reason: "appears twice"}
	}
	return doc, nil
}
