package demo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// maxLine bounds a line of a conversation file.
const maxLine = 1 << 20

// Parse reads one JSON object a line, strictly; an error names the line and, where one is at
// fault, the field.
func Parse(r io.Reader) ([]Line, error) {
	var out []Line
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 1
	for ; sc.Scan(); n++ {
		raw := bytes.TrimSpace(sc.Bytes())
		if len(raw) == 0 {
			continue
		}
		l, err := parseLine(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, l)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	if len(out) == 0 {
		return nil, errors.New("no line in the conversation")
	}
	return out, nil
}

func parseLine(raw []byte) (Line, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var l Line
	if err := dec.Decode(&l); err != nil {
		return l, unreadable(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return l, errors.New("more than one JSON value")
	}
	switch {
	case l.At.IsZero():
		return l, errors.New("at: is required")
	case l.User == "":
		return l, errors.New("user: is required")
	case l.Content == "":
		return l, errors.New("content: is required")
	}
	if l.Thread == "" {
		l.Thread = "main"
	}
	if l.Role == "" {
		l.Role = memory.RoleUser
	}
	return l, l.check()
}

// unreadable says in words of the file why a line cannot be decoded.
func unreadable(err error) error {
	var wrong *json.UnmarshalTypeError
	var at *time.ParseError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: ")
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("must be one JSON object: %w", err)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: must not be a %s", wrong.Field, wrong.Value)
	case errors.As(err, &at), strings.HasPrefix(err.Error(), "Time."):
		return fmt.Errorf("at: must be a time such as 2026-05-04T09:30:00+08:00: %w", err)
	case isUnknown:
		return errors.New(unknown)
	default:
		return fmt.Errorf("not valid JSON: %w", err)
	}
}

// check reports why the line cannot become an event.
func (l Line) check() error {
	e, err := turnEvent("check", []Line{l})
	if err != nil {
		return err
	}
	e.Time = time.Time{} // it is the message's
	raw, err := e.Encode()
	if err != nil {
		return err
	}
	_, err = event.Decode(raw)
	var bad *event.Error
	if errors.As(err, &bad) {
		return &event.Error{Field: strings.TrimPrefix(bad.Field, "data.messages.0."), Reason: bad.Reason}
	}
	return err
}

// turnEvent is an exchange as an agent's backend would send it.
func turnEvent(id string, lines []Line) (event.Event, error) {
	last := lines[len(lines)-1]
	e := event.Event{
		SpecVersion: "1.0", ID: id, Source: "/demo", Type: event.TypeTurn,
		Time: last.At, User: last.User, Thread: last.Thread,
	}
	var turn event.Turn
	for _, l := range lines {
		turn.Messages = append(turn.Messages, event.Message{Role: l.Role, Content: l.Content, At: l.At})
	}
	return e, e.SetTurn(turn)
}
