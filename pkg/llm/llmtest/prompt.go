package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Prompt is what a request shows to the model.
type Prompt struct {
	// System are the instructions.
	System string
	// Known are the memories, numbered from 1: of each, the key, value and text are known.
	Known []memory.Memory
	// Questions are the open questions, numbered from 1: of each, the key and the sides' values.
	Questions []Question
	// Messages have their numbers, roles, names, times and texts. Those that are not to be
	// learnt from are Context.
	Messages []memory.Message
	// Format is how the reply is asked for.
	Format string
	// Repair is set when a reply is asked for again.
	Repair bool
	// Tokens is the estimated size.
	Tokens int
}

// Question is an open question as a model sees it.
type Question struct {
	Key   memory.Key
	Sides []string
}

// last is the last message to learn from, or the zero Message.
func (p Prompt) last() memory.Message {
	for _, m := range slices.Backward(p.Messages) {
		if !m.Context {
			return m
		}
	}
	return memory.Message{}
}

var errPrompt = errors.New("the messages are a system message, a user message that is the document, and what is asked again")

// readPrompt reads a request as a model would: it knows the document's form, and nothing
// beyond it.
func readPrompt(c *chatRequest) (Prompt, error) {
	var doc struct {
		Known []struct {
			Key   memory.Key `json:"key"`
			Value string     `json:"value"`
			Text  string     `json:"text"`
			Plan  bool       `json:"plan"`
		} `json:"known"`
		Questions []struct {
			Key   memory.Key `json:"key"`
			Sides []string   `json:"sides"`
		} `json:"questions"`
		Messages []struct {
			N    int         `json:"n"`
			Role memory.Role `json:"role"`
			Name string      `json:"name"`
			At   time.Time   `json:"at"`
			Zone string      `json:"zone"`
			New  bool        `json:"new"`
			Text string      `json:"text"`
		} `json:"messages"`
	}
	if len(c.Messages) < 2 || c.Messages[0].Role != "system" || c.Messages[1].Role != "user" {
		return Prompt{}, errPrompt
	}
	if err := json.Unmarshal([]byte(c.Messages[1].Content), &doc); err != nil {
		return Prompt{}, fmt.Errorf("%w: %w", errPrompt, err)
	}
	p := Prompt{System: c.Messages[0].Content, Format: c.format(), Repair: len(c.Messages) > 2, Tokens: c.size()}
	for _, k := range doc.Known {
		p.Known = append(p.Known, memory.Memory{Key: k.Key, Value: k.Value, Text: k.Text, Plan: k.Plan, Status: memory.StatusCurrent})
	}
	for _, q := range doc.Questions {
		p.Questions = append(p.Questions, Question{q.Key, q.Sides})
	}
	for _, m := range doc.Messages {
		at := m.At
		if zone, err := time.LoadLocation(m.Zone); m.Zone != "" && err == nil {
			at = at.In(zone)
		}
		p.Messages = append(p.Messages, memory.Message{Number: m.N, Role: m.Role, Name: m.Name, At: at, Content: m.Text, Context: !m.New})
	}
	return p, nil
}

// fallback is what the fallback extractor finds, in the form of the contract.
func (s *Server) fallback(ctx context.Context, p Prompt) (string, error) {
	var r wire.Reply
	if s.opts.Fallback != nil {
		candidates, directives, err := s.opts.Fallback.Extract(ctx, memory.Extraction{Messages: p.Messages, Known: p.Known})
		if err != nil {
			return "", err
		}
		for i := range candidates {
			if w, ok := p.candidate(&candidates[i]); ok {
				r.Candidates = append(r.Candidates, w)
			}
		}
		for _, d := range directives {
			r.Directives = append(r.Directives, wire.Directive{Do: string(d.Action), What: d.What, Quote: d.Source.Quote, Message: d.Source.Message})
		}
	}
	return encode(r), nil
}

// candidate is a candidate in the form of the contract. One that only counts if a memory is
// known, and it is not, is none.
func (p Prompt) candidate(c *memory.Candidate) (wire.Candidate, bool) {
	w := wire.Candidate{
		Kind: string(c.Kind), Key: string(c.Key), Value: c.Value, Text: c.Text, Language: c.Language,
		Stability: string(c.Stability), Confidence: &c.Confidence, Plan: c.Plan, About: string(c.About),
		Relation: wire.Relation{Type: string(c.Relation)},
		Evidence: wire.Evidence{
			Message: c.Source.Message, Quote: c.Source.Quote,
			AskedMessage: c.Source.AskedMessage, AskedQuote: c.Source.AskedQuote,
		},
	}
	if !c.ValidFrom.IsZero() {
		w.ValidFrom = c.ValidFrom.Format("2006-01-02T15:04:05")
	}
	if !c.ExpiresAt.IsZero() {
		w.ExpiresAt = lastHour(c.ExpiresAt)
	}
	if c.Target == nil {
		return w, true
	}
	w.Relation.To = p.number(func(m memory.Memory) bool {
		return m.Key == c.Target.Key && (!c.Target.Plan || m.Plan) &&
			(contains(m.Value, c.Target.Value) || m.Key == "" && contains(m.Text, c.Target.Value))
	})
	return w, w.Relation.To > 0 || !c.Target.Must
}

// lastHour writes the instant at which something ends as the last day or hour of it.
func lastHour(end time.Time) string {
	if end.Hour() == 0 && end.Minute() == 0 && end.Second() == 0 {
		return end.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return end.Add(-time.Hour).Format("2006-01-02T15:04:05")
}

// number is that of the first known memory that fits, or 0.
func (p Prompt) number(fits func(memory.Memory) bool) int {
	return slices.IndexFunc(p.Known, fits) + 1
}

func contains(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

func encode(r wire.Reply) string {
	if r.Candidates == nil {
		r.Candidates = []wire.Candidate{}
	}
	if r.Directives == nil {
		r.Directives = []wire.Directive{}
	}
	raw, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(raw)
}
