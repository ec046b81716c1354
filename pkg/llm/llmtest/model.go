package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Model is what a model makes of one step of a story, in neutral words. It may be wrong on
// purpose.
type Model struct {
	Candidates []ModelCandidate `json:"candidates"`
	Directives []ModelDirective `json:"directives"`
	// Instructions and Summary are replies to other questions than what to remember.
	Instructions []ModelInstruction `json:"instructions"`
	Summary      string             `json:"summary"`
}

// ModelCandidate is a candidate of a Model.
type ModelCandidate struct {
	Kind      string `json:"kind"`
	Key       string `json:"key"`
	Value     string `json:"value"`
	Text      string `json:"text"`
	Quote     string `json:"quote"`
	Stability string `json:"stability"`
	ValidFrom string `json:"valid_from"`
	ExpiresAt string `json:"expires_at"`
	Plan      bool   `json:"plan"`
	About     string `json:"about"`
	// Message is which message of the step, from 1; 0 is the last of the user.
	Message  int            `json:"message"`
	Relation *ModelRelation `json:"relation"`
}

// ModelRelation relates a candidate to the first known memory whose text or value contains
// ToContains; to none if there is no such memory.
type ModelRelation struct {
	Type       string `json:"type"`
	ToContains string `json:"to_contains"`
}

// ModelDirective is a directive of a Model. Of answers, the question is the first one.
type ModelDirective struct {
	Do       string `json:"do"`
	What     string `json:"what"`
	Quote    string `json:"quote"`
	Message  int    `json:"message"`
	Decision string `json:"decision"`
}

// ModelInstruction is how an agent is to work from now on.
type ModelInstruction struct {
	Agent string `json:"agent"`
	Text  string `json:"text"`
	Quote string `json:"quote"`
}

// ParseModel reads a Model strictly.
func ParseModel(raw []byte) (Model, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var m Model
	if err := dec.Decode(&m); err != nil {
		return m, fmt.Errorf("read model's reply: %w", err)
	}
	return m, nil
}

// Says scripts the reply m to every prompt. The step's n messages are the last ones that the
// prompt shows.
func (m Model) Says(n int) Script {
	return func(p Prompt) (string, bool) { return encode(m.reply(p, n)), true }
}

// reply puts m into the form of the contract, with the numbers of a prompt.
func (m Model) reply(p Prompt, n int) wire.Reply {
	number := func(i int) int {
		if at := len(p.Messages) - n + i - 1; i > 0 && at >= 0 && at < len(p.Messages) {
			return p.Messages[at].Number
		}
		return p.last().Number
	}
	var r wire.Reply
	for _, c := range m.Candidates {
		w := fact(c.Text, c.Quote, number(c.Message))
		w.Kind, w.Key, w.Value, w.ValidFrom, w.ExpiresAt = c.Kind, c.Key, c.Value, c.ValidFrom, c.ExpiresAt
		w.Plan, w.About, w.Language = c.Plan, c.About, ""
		if c.Stability != "" {
			w.Stability = c.Stability
		}
		if c.Relation != nil {
			w.Relation = wire.Relation{Type: c.Relation.Type, To: p.number(func(m memory.Memory) bool {
				return contains(m.Text, c.Relation.ToContains) || contains(m.Value, c.Relation.ToContains)
			})}
		}
		r.Candidates = append(r.Candidates, w)
	}
	for _, d := range m.Directives {
		w := wire.Directive{Do: d.Do, What: d.What, Quote: d.Quote, Message: number(d.Message), Decision: d.Decision}
		if d.Do == string(memory.ActionAnswer) {
			w.Question = 1
		}
		r.Directives = append(r.Directives, w)
	}
	return r
}
