package llm

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// wording is what is said to a model in one language, and how days are called in it.
type wording struct {
	// rules are the prompt's fixed part, the registry's keys included: it comes first, so
	// that servers can keep what they made of it from call to call.
	rules string
	// schemaNote introduces the schema where only the prompt can hold it, and repair asks
	// for the reply again: %s is what was wrong.
	schemaNote, repair string
	days               [7]string // from Sunday
}

// wordings are those of a registry, by the language of the conversation.
type wordings map[sentence.Language]wording

func newWordings(r *profile.Registry) (wordings, error) {
	var keys struct{ Keys []profile.Field }
	for _, k := range r.Keys() {
		f, _ := r.Field(k)
		keys.Keys = append(keys.Keys, f)
	}
	out := wordings{
		sentence.English: {
			schemaNote: "The reply satisfies this JSON Schema:",
			repair:     "That could not be read: %s. Reply again with the whole JSON object and nothing else, as short as the rules allow.",
			days:       [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		},
		sentence.Chinese: {
			schemaNote: "回复必须符合以下 JSON Schema：",
			repair:     "无法读取上面的回复：%s。请重新回复完整的 JSON 对象，不要有别的内容，并在规则允许的范围内尽量简短。",
			days:       [7]string{"星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"},
		},
	}
	for language, w := range out {
		t, err := template.ParseFS(promptFiles, "prompts/"+string(language)+".txt")
		if err != nil {
			return nil, fmt.Errorf("read prompt: %w", err)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, keys); err != nil {
			return nil, fmt.Errorf("write prompt: %w", err)
		}
		w.rules = strings.TrimSpace(b.String())
		out[language] = w
	}
	return out, nil
}

// languageOf is the language that the user speaks in what is new.
func languageOf(messages []memory.Message) sentence.Language {
	var said strings.Builder
	for _, m := range messages {
		if source(m) {
			said.WriteString(m.Content)
			said.WriteByte('\n')
		}
	}
	return sentence.LanguageOf(said.String())
}

// source reports whether something may be learnt from a message.
func source(m memory.Message) bool {
	return m.Role == memory.RoleUser && !m.Context && strings.TrimSpace(m.Content) != ""
}

// The lines of the document that a model is given. Each is JSON, so that no text can end its
// place: quotation marks and line breaks in it are escaped.
type (
	knownLine struct {
		N     int        `json:"n"`
		Key   memory.Key `json:"key,omitempty"`
		Value string     `json:"value,omitempty"`
		Text  string     `json:"text"`
		Plan  bool       `json:"plan,omitempty"`
		Said  string     `json:"said,omitempty"`
		Until string     `json:"until,omitempty"`
	}
	questionLine struct {
		N     int        `json:"n"`
		Key   memory.Key `json:"key"`
		Asked string     `json:"asked"`
		Sides []string   `json:"sides"`
	}
	messageLine struct {
		N    int         `json:"n"`
		Role memory.Role `json:"role"`
		Name string      `json:"name,omitempty"`
		At   string      `json:"at"`
		Day  string      `json:"day"`
		Zone string      `json:"zone,omitempty"`
		New  bool        `json:"new,omitempty"`
		Text string      `json:"text"`
	}
)

// prompt asks about a part of a conversation. Known memories and questions are numbered from
// 1 in their order, messages keep their numbers.
func (w wording) prompt(part memory.Extraction) prompt {
	var b strings.Builder
	section := func(name string, n int, line func(i int) any, end string) {
		fmt.Fprintf(&b, "%q:[", name)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.WriteString(encode(line(i)))
		}
		b.WriteString("]" + end)
	}
	b.WriteByte('{')
	section("known", len(part.Known), func(i int) any { return known(i+1, &part.Known[i]) }, ",\n")
	section("questions", len(part.Questions), func(i int) any { return question(i+1, &part.Questions[i]) }, ",\n")
	section("messages", len(part.Messages), func(i int) any { return w.message(&part.Messages[i]) }, "}")
	return prompt{system: w.rules, user: b.String(), schemaNote: w.schemaNote, repair: w.repair}
}

func known(n int, m *memory.Memory) knownLine {
	l := knownLine{N: n, Key: m.Key, Value: m.Value, Text: m.Text, Plan: m.Plan}
	said := m.LastEvidence().At
	if !said.IsZero() {
		l.Said = said.Format(time.DateOnly)
	}
	if !m.ExpiresAt.IsZero() {
		l.Until = m.ExpiresAt.In(said.Location()).Add(-time.Second).Format(time.DateOnly)
	}
	return l
}

func question(n int, q *memory.Question) questionLine {
	l := questionLine{N: n, Key: q.Key, Asked: q.Text, Sides: []string{q.Current.Value}}
	for _, r := range q.Rivals {
		l.Sides = append(l.Sides, r.Value)
	}
	return l
}

func (w wording) message(m *memory.Message) messageLine {
	l := messageLine{
		N: m.Number, Role: m.Role, Name: m.Name, At: m.At.Format(time.RFC3339), Day: w.days[m.At.Weekday()],
		New: source(*m), Text: m.Content,
	}
	if zone := m.At.Location().String(); strings.Contains(zone, "/") {
		l.Zone = zone
	}
	if !l.New && m.Role != memory.RoleUser {
		l.Text = excerpt(m.Content)
	}
	return l
}

// Of a long message that nothing is learnt from, this much of both ends is shown, in
// characters: an assistant's question stands at the end.
const (
	excerptHead = 600
	excerptTail = 1200
)

func excerpt(s string) string {
	if len(s) <= excerptHead+excerptTail {
		return s
	}
	r := []rune(s)
	if len(r) <= excerptHead+excerptTail {
		return s
	}
	return string(r[:excerptHead]) + "\n[…]\n" + string(r[len(r)-excerptTail:])
}

// encode is one line of JSON, without escapes for HTML: models copy what they see.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // the lines are plain structs of strings and numbers
	}
	return strings.TrimRight(b.String(), "\n")
}
