package llm

import (
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/verify"
)

// defaultConfidence is that of a statement whose reply leaves it out, as servers let pass
// that cannot enforce a schema.
const defaultConfidence = 0.7

// resolver turns the numbers of a reply back into what they stand for in the part that the
// model was shown.
type resolver struct {
	part     memory.Extraction
	registry *profile.Registry
}

// resolve returns what the reply says. What refers to a message that was not shown to be
// learnt from keeps no number: verification refuses it, and it is counted there.
func (r resolver) resolve(reply wire.Reply) ([]memory.Candidate, []memory.Directive) {
	var candidates []memory.Candidate
	var directives []memory.Directive
	for _, w := range reply.Candidates {
		candidates = append(candidates, r.candidate(w))
	}
	for _, w := range reply.Directives {
		d := r.directive(w)
		directives = append(directives, d)
		if d.Action == memory.ActionRemember {
			r.pin(candidates, d)
		}
	}
	return candidates, directives
}

func (r resolver) candidate(w wire.Candidate) memory.Candidate {
	c := memory.Candidate{
		Kind: memory.Kind(w.Kind), Key: memory.Key(w.Key), Value: strings.TrimSpace(w.Value), Text: strings.TrimSpace(w.Text),
		Stability: stability(w.Stability), Confidence: defaultConfidence, Plan: w.Plan, Source: r.source(w.Evidence),
	}
	if w.Confidence != nil {
		c.Confidence = *w.Confidence
	}
	if c.Text == "" {
		c.Text = strings.TrimSpace(w.Evidence.Quote)
	}
	c.Language = language(w.Language, c.Text)
	r.setKey(&c, memory.Key(w.About))
	r.relate(&c, w.Relation)
	if m, ok := r.message(c.Source.Message); ok {
		setDates(&c, w, m.At)
	}
	return c
}

// setKey settles what the key decides. One that the schema lacks is the model's own idea:
// what it was to hold fits no key, and is a free memory.
func (r resolver) setKey(c *memory.Candidate, about memory.Key) {
	field, ok := r.registry.Field(c.Key)
	switch {
	case ok:
		c.Kind = field.Kind
	default:
		c.Key = ""
		if _, known := r.registry.Field(about); known {
			c.About = about
		}
		if c.Kind == "" || c.Kind == memory.KindProfile {
			c.Kind = memory.KindFact
		}
	}
}

// relate sets the relation and, if it names a memory on the same matter, the target. A
// number that was not shown, or that of another matter, relates to nothing.
func (r resolver) relate(c *memory.Candidate, w wire.Relation) {
	c.Relation = memory.RelationNew
	relation := memory.Relation(w.Type)
	switch relation {
	case memory.RelationSame, memory.RelationUpdates, memory.RelationContradicts, memory.RelationEnds:
	default:
		return
	}
	if w.To == 0 {
		c.Relation = relation
		return
	}
	if w.To >= 1 && w.To <= len(r.part.Known) {
		to := &r.part.Known[w.To-1]
		if t := target(to); t.Value != "" && (relation == memory.RelationEnds || r.sameMatter(c, to)) {
			c.Relation, c.Target = relation, t
			return
		}
	}
	if relation == memory.RelationEnds && c.Key != "" {
		// That something is over is no value of its key.
		c.About, c.Key, c.Value = c.Key, "", ""
	}
}

// sameMatter reports whether a candidate can say something about what a memory states: both
// under one key or under opposite ones, or both under none.
func (r resolver) sameMatter(c *memory.Candidate, to *memory.Memory) bool {
	field, _ := r.registry.Field(c.Key)
	return c.Key == to.Key || to.Key != "" && field.Opposite == to.Key
}

// target names a known memory: by its value under a key, by its text without one.
func target(m *memory.Memory) *memory.Target {
	t := &memory.Target{Key: m.Key, Value: m.Value}
	if m.Key == "" {
		t.Plan = m.Plan
		if len(m.Text) <= verify.MaxValue {
			t.Value = m.Text
		}
	}
	return t
}

func (r resolver) directive(w wire.Directive) memory.Directive {
	d := memory.Directive{
		Action: action(w.Do), What: strings.TrimSpace(w.What),
		Source: r.source(wire.Evidence{Message: w.Message, Quote: w.Quote}),
	}
	if d.Action == "" { // nothing that can be asked: refused like what nobody said
		return memory.Directive{Source: memory.Source{Quote: w.Quote}}
	}
	if d.Action != memory.ActionAnswer {
		return d
	}
	if w.Question < 1 || w.Question > len(r.part.Questions) {
		d.Source = memory.Source{Quote: w.Quote}
		return d
	}
	d.Question = r.part.Questions[w.Question-1].ID
	if decision := memory.Decision(w.Decision); slices.Contains(memory.Decisions, decision) {
		d.Decision = decision
	}
	return d
}

// pin marks the candidates of a message that the user asked to remember, in words that do
// stand there.
func (r resolver) pin(candidates []memory.Candidate, d memory.Directive) {
	m, ok := r.message(d.Source.Message)
	if !ok || !source(m) || !verify.Quoted(m.Content, d.Source.Quote) {
		return
	}
	for i := range candidates {
		if candidates[i].Source.Message == m.Number {
			candidates[i].Pinned = true
		}
	}
}

// source is where a reply says that something was said. One wrong number makes all of it
// unfounded.
func (r resolver) source(e wire.Evidence) memory.Source {
	s := memory.Source{Message: e.Message, Quote: e.Quote}
	if e.AskedMessage != 0 {
		s.AskedMessage, s.AskedQuote = e.AskedMessage, e.AskedQuote
	}
	for _, n := range []int{s.Message, s.AskedMessage} {
		if _, ok := r.message(n); n != 0 && !ok {
			return memory.Source{Quote: s.Quote}
		}
	}
	return s
}

func (r resolver) message(n int) (memory.Message, bool) {
	i := slices.IndexFunc(r.part.Messages, func(m memory.Message) bool { return m.Number == n })
	if i < 0 {
		return memory.Message{}, false
	}
	return r.part.Messages[i], true
}

func stability(s string) memory.Stability {
	switch v := memory.Stability(s); v {
	case memory.Stable, memory.Dated, memory.Transient:
		return v
	}
	return ""
}

// action is a known action, or none.
func action(s string) memory.Action {
	switch a := memory.Action(s); a {
	case memory.ActionRemember, memory.ActionDoNotSave, memory.ActionForget, memory.ActionSuppress, memory.ActionLift, memory.ActionAnswer:
		return a
	}
	return ""
}

// language is the primary tag that the model gave, or that of the text's script.
func language(tag, text string) string {
	primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	if n := len(primary); (n == 2 || n == 3) && strings.Trim(primary, "abcdefghijklmnopqrstuvwxyz") == "" {
		return primary
	}
	return string(sentence.LanguageOf(text))
}
