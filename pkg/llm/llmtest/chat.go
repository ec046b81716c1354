package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mnemond/mnemond/pkg/event"
)

// The formats in which a reply can be asked for.
const (
	FormatSchema = "json_schema"
	FormatObject = "json_object"
	FormatTool   = "tool_call"
	FormatText   = "text"
)

// chatRequest is what is read of a request for a chat completion.
type chatRequest struct {
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Temperature         *float64 `json:"temperature"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	ResponseFormat      struct {
		Type       string          `json:"type"`
		JSONSchema json.RawMessage `json:"json_schema"`
	} `json:"response_format"`
	Tools []json.RawMessage `json:"tools"`
}

func (c *chatRequest) format() string {
	switch {
	case len(c.Tools) > 0:
		return FormatTool
	case c.ResponseFormat.Type != "":
		return c.ResponseFormat.Type
	}
	return FormatText
}

// size estimates the tokens of the prompt.
func (c *chatRequest) size() int {
	n := event.Tokens(string(c.ResponseFormat.JSONSchema))
	for _, m := range c.Messages {
		n += event.Tokens(m.Content)
	}
	for _, t := range c.Tools {
		n += event.Tokens(string(t))
	}
	return n
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.calls++
	script, quirkFor := s.script, s.quirk
	s.mu.Unlock()
	if !s.authorized(w, r) {
		return
	}
	var c chatRequest
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
		fail(w, http.StatusBadRequest, problem{Message: "the body is no JSON of the API", Type: "invalid_request_error"})
		return
	}
	p, err := readPrompt(&c)
	if err != nil {
		fail(w, http.StatusBadRequest, problem{Message: err.Error(), Type: "invalid_request_error"})
		return
	}
	quirk := QuirkNone
	if quirkFor != nil {
		quirk = quirkFor(p)
	}
	if s.interferes(w, r, quirk, &c) || s.overflows(w, &c) {
		return
	}
	content, ok := "", false
	if script != nil {
		content, ok = script(p)
	}
	if !ok {
		if content, err = s.fallback(r.Context(), p); err != nil {
			fail(w, http.StatusInternalServerError, problem{Message: err.Error(), Type: "server_error"})
			return
		}
	}
	write(w, http.StatusOK, completion(quirk.distort(content, p), quirk, &c))
}

// overflows refuses a prompt that does not fit with its reply, in the words of vLLM.
func (s *Server) overflows(w http.ResponseWriter, c *chatRequest) bool {
	reply := max(c.MaxTokens, c.MaxCompletionTokens)
	size := c.size()
	if s.opts.ContextTokens == 0 || size+reply <= s.opts.ContextTokens {
		return false
	}
	fail(w, http.StatusBadRequest, problem{Type: "BadRequestError", Message: fmt.Sprintf(
		"This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the messages, %d in the completion). Please reduce the length of the messages or completion.",
		s.opts.ContextTokens, size+reply, size, reply)})
	return true
}

// completion is the response with the model's content.
func completion(content string, q Quirk, c *chatRequest) any {
	message := map[string]any{"role": "assistant", "content": content}
	finish := "stop"
	if c.format() == FormatTool && q != QuirkProseOnly {
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{
			"id": "call_1", "type": "function", "function": map[string]string{"name": "remember", "arguments": content},
		}}
		finish = "tool_calls"
	}
	switch q {
	case QuirkTruncated:
		finish = "length"
	case QuirkRefusing:
		message["content"], message["refusal"] = nil, "I'm sorry, I can't help with that."
	case QuirkEmpty:
		message["content"] = ""
		delete(message, "tool_calls")
	case QuirkReasoning:
		message["reasoning_content"] = `{"candidates":[]}`
	}
	in, out := c.size(), event.Tokens(content)
	return map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out},
	}
}
