package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Asked is the step that sends any request of the HTTP API.
type Asked struct {
	Request *Request `json:"request"`
}

// Request is one: {method, path, body}. Within the path {id} stands for the memory of the
// user that contains memory_of, and within path and body $name for what an earlier reply
// had at a JSON pointer that keep gave that name; as a whole value of the body, "$name" is
// that value as it was.
type Request struct {
	Owner
	At       time.Time         `json:"at"`
	Method   string            `json:"method"`
	Path     string            `json:"path"`
	Body     json.RawMessage   `json:"body"`
	MemoryOf string            `json:"memory_of"`
	Keep     map[string]string `json:"keep"`
}

// Replied is what must be true of the reply.
type Replied struct {
	// ReplyHas and ReplyLacks are parts of it.
	ReplyHas   []string `json:"reply_has"`
	ReplyLacks []string `json:"reply_lacks"`
	// Reply are values by JSON pointer.
	Reply map[string]any `json:"reply"`
}

// ask sends a step's request.
func (r *run) ask(ctx context.Context, s *Step) (faults, error) {
	q := s.Request
	r.sim.Clock.Advance(later(s.At, q.At))
	path, body := r.fill(q.Path), r.fill(string(q.Body))
	if q.MemoryOf != "" {
		ids, err := r.ids(ctx, q.scope(), q.MemoryOf)
		if err != nil {
			return nil, err
		}
		path = strings.ReplaceAll(path, "{id}", url.PathEscape(string(ids[0])))
	}
	var send any
	if body != "" {
		send = json.RawMessage(body)
	}
	raw, err := r.sim.Call(ctx, q.Method, path, send)
	if err != nil {
		return nil, err
	}
	for name, pointer := range q.Keep {
		got, err := at(raw, pointer)
		if err != nil {
			return nil, err
		}
		r.mu.Lock()
		r.kept = append(r.kept, `"$`+name+`"`, string(got), "$"+name, strings.Trim(string(got), `"`))
		r.mu.Unlock()
	}
	if s.Expect == nil {
		return nil, nil
	}
	return s.Expect.replied(raw), nil
}

// fill puts in what earlier replies had.
func (r *run) fill(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.NewReplacer(r.kept...).Replace(text)
}

func (p *Replied) replied(raw []byte) faults {
	var f faults
	for _, part := range p.ReplyHas {
		if !contains(string(raw), part) {
			f.addf("reply_has: %q is not in %s", part, raw)
		}
	}
	for _, part := range p.ReplyLacks {
		if contains(string(raw), part) {
			f.addf("reply_lacks: %q is in %s", part, raw)
		}
	}
	for pointer, value := range p.Reply {
		want, err := json.Marshal(value)
		if err != nil {
			f.addf("reply: %v", err)
			continue
		}
		if got, err := at(raw, pointer); err != nil || !bytes.Equal(got, want) {
			f.addf("reply: %s is %s (%v), want %s, in %s", pointer, got, err, want, raw)
		}
	}
	return f
}

// at is the value at a JSON pointer, compact; null where there is none.
func at(raw []byte, pointer string) ([]byte, error) {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("reply: %w", err)
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch v := value.(type) {
		case map[string]any:
			value = v[part]
		case []any:
			value = nil
			var i int
			if _, err := fmt.Sscanf(part, "%d", &i); err == nil && i >= 0 && i < len(v) {
				value = v[i]
			}
		default:
			value = nil
		}
	}
	return json.Marshal(value)
}
