package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Why a reply cannot be read.
var (
	ErrEmpty    = errors.New("the reply is empty")
	ErrNotJSON  = errors.New("the reply holds no complete JSON object")
	ErrContract = errors.New("the reply's JSON is not what was asked for")
)

// Bounds of what is looked at in one reply.
const (
	// maxItems is how many candidates, and how many directives, a reply may have.
	maxItems = 1000
	// maxStarts is at how many opening braces an object is looked for, so that time stays
	// linear in the length of the reply.
	maxStarts = 64
)

// Read finds the reply in a message's content. It takes the object alone, in a code fence,
// with sentences around it, behind a block of reasoning, with trailing commas or raw line
// breaks in strings, or the bare array of candidates; of several objects that fit, the last.
// Fields that the contract does not have are ignored. A candidate or directive whose fields
// have other types than the contract's is returned as the zero value, which refers to no
// message: so it is refused and counted like any other that nothing bears out.
//
// An error wraps ErrEmpty, ErrNotJSON or ErrContract. Half a reply is none.
func Read(content string) (Reply, error) {
	content = strings.TrimSpace(content)
	if r, err := decode(content); err == nil {
		return r, nil
	}
	content = unfenced(withoutReasoning(content))
	if content == "" {
		return Reply{}, ErrEmpty
	}
	if strings.HasPrefix(content, "[") {
		if r, err := decode(`{"candidates":` + mended(content) + `}`); err == nil {
			return r, nil
		}
	}
	return lastObject(content)
}

// lastObject is the last reply among the objects in s. Where braces close around what is no
// JSON, it looks inside; a part of a broken reply is no danger, since decode refuses it.
func lastObject(s string) (Reply, error) {
	var found Reply
	err := ErrNotJSON
	for from, starts := 0, 0; starts < maxStarts; starts++ {
		at := strings.IndexByte(s[from:], '{')
		if at < 0 {
			break
		}
		from += at
		end := closing(s[from:])
		r, readErr := decode(mended(s[from : from+end]))
		switch {
		case readErr == nil:
			found, err = r, nil
		case errors.Is(readErr, ErrContract) && err != nil:
			err = readErr
		}
		if errors.Is(readErr, ErrNotJSON) {
			end = 1
		}
		from += end
	}
	return found, err
}

func decode(object string) (Reply, error) {
	var raw struct {
		Candidates []json.RawMessage `json:"candidates"`
		Directives []json.RawMessage `json:"directives"`
	}
	if err := json.Unmarshal([]byte(object), &raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return Reply{}, ErrNotJSON
		}
		return Reply{}, fmt.Errorf("%w: candidates and directives are arrays", ErrContract)
	}
	switch {
	case raw.Candidates == nil && raw.Directives == nil:
		return Reply{}, fmt.Errorf("%w: it has no candidates", ErrContract)
	case len(raw.Candidates) > maxItems || len(raw.Directives) > maxItems:
		return Reply{}, fmt.Errorf("%w: it has more than %d items", ErrContract, maxItems)
	}
	return Reply{items[Candidate](raw.Candidates), items[Directive](raw.Directives)}, nil
}

// items decodes each one on its own: one that is malformed does not take the rest with it.
func items[T any](raw []json.RawMessage) []T {
	out := make([]T, len(raw))
	for i, r := range raw {
		var item T
		if json.Unmarshal(r, &item) == nil {
			out[i] = item
		}
	}
	return out
}

// reasoning are the names of the tags that models put around what they think.
var reasoning = []string{"think", "thinking", "thought", "reasoning"}

// withoutReasoning takes a block of reasoning off the start of s. One that never ends has
// no reply behind it.
func withoutReasoning(s string) string {
	for _, tag := range reasoning {
		rest, ok := strings.CutPrefix(s, "<"+tag+">")
		if !ok {
			continue
		}
		_, after, _ := strings.Cut(rest, "</"+tag+">")
		return strings.TrimSpace(after)
	}
	return s
}

// unfenced is s without the code fence that encloses all of it.
func unfenced(s string) string {
	inner, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	inner, ok = strings.CutSuffix(inner, "```")
	if !ok {
		return s
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(inner, "json"), "JSON"))
}

// closing is the length of the object that s begins with, or 0 if it does not end.
func closing(s string) int {
	depth, length := 0, 0
	scan(s, func(i int, c byte, quoted bool) bool {
		switch {
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				length = i + 1
			}
		}
		return length == 0
	})
	return length
}

// mended is JSON without the faults that models are apt to make: a comma before a closing
// bracket, and line breaks and tabs within a string.
func mended(s string) string {
	out := make([]byte, 0, len(s))
	comma := -1 // where a comma stands in out, as long as only space came behind it
	scan(s, func(_ int, c byte, quoted bool) bool {
		switch {
		case quoted && c < ' ':
			out = fmt.Appendf(out, `\u%04x`, c)
			return true
		case !quoted && c <= ' ':
		case !quoted && c == ',':
			comma = len(out)
		case !quoted && (c == '}' || c == ']') && comma >= 0:
			out = append(out[:comma], out[comma+1:]...)
			comma = -1
		default:
			comma = -1
		}
		out = append(out, c)
		return true
	})
	return string(out)
}

// scan calls visit for each byte of s, and says whether it belongs to a string, until visit
// returns false. The quotation marks belong to their string.
func scan(s string, visit func(i int, c byte, quoted bool) bool) {
	inString, escaped := false, false
	for i := range len(s) {
		c := s[i]
		quoted := inString || c == '"'
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
		if !visit(i, c, quoted) {
			return
		}
	}
}
