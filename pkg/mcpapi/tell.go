package mcpapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// The replies as text. What users said stands in it as recall's own block has it, or as JSON
// strings, so that it cannot be taken for anything of the server's.

func tellRecall(reply []byte) (string, error) {
	var r recall.Response
	if err := json.Unmarshal(reply, &r); err != nil {
		return "", err
	}
	if len(r.Memories) == 0 {
		return "Nothing is known about this.", nil
	}
	var b strings.Builder
	b.WriteString(r.Prompt)
	b.WriteString("\n\nIds, for forget:")
	for _, m := range r.Memories {
		fmt.Fprintf(&b, "\n%s %s", m.Citation, m.ID)
		if m.Disputed {
			b.WriteString(" (disputed: see questions)")
		}
	}
	for i := range r.Questions {
		if i == 0 {
			b.WriteString("\n\nOpen questions to the user about this:")
		}
		b.WriteString("\n" + question(&r.Questions[i]))
	}
	return b.String(), nil
}

func tellWritten(reply []byte) (string, error) {
	var w curate.Written
	if err := json.Unmarshal(reply, &w); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Result: %s.", w.Result)
	for _, c := range w.Changed {
		fmt.Fprintf(&b, "\n%s %s %s", c.Result, c.Memory, quoted(c.Text))
		if c.Question != "" {
			fmt.Fprintf(&b, " (contradicts what is known: see the question %s)", c.Question)
		}
	}
	for _, r := range w.Refused {
		fmt.Fprintf(&b, "\nNot remembered: %s.", r.Reason)
	}
	return b.String(), nil
}

func tellOutcome(reply []byte) (string, error) {
	var o curate.Outcome
	if err := json.Unmarshal(reply, &o); err != nil {
		return "", err
	}
	switch n := len(o.Memories); n {
	case 0:
		return "There was nothing to forget.", nil
	case 1:
		return "1 memory is forgotten.", nil
	default:
		return fmt.Sprintf("%d memories are forgotten.", n), nil
	}
}

func tellQuestions(reply []byte) (string, error) {
	var q door.QuestionsReply
	if err := json.Unmarshal(reply, &q); err != nil {
		return "", err
	}
	if len(q.Questions) == 0 {
		return "There is no open question.", nil
	}
	lines := make([]string, len(q.Questions))
	for i := range q.Questions {
		lines[i] = question(&q.Questions[i])
	}
	return strings.Join(lines, "\n"), nil
}

// question is one line of a question.
func question(q *memory.Question) string {
	options := make([]string, len(q.Options))
	for i, o := range q.Options {
		options[i] = string(o)
	}
	return fmt.Sprintf("%s %s (decision: %s)", q.ID, quoted(q.Text), strings.Join(options, ", "))
}

func tellAnswered(reply []byte) (string, error) {
	var q memory.Question
	if err := json.Unmarshal(reply, &q); err != nil {
		return "", err
	}
	if q.FollowUp != "" {
		return "Answered. Ask the user further: " + quoted(q.FollowUp), nil
	}
	return "Answered.", nil
}

func tellProfile(reply []byte) (string, error) {
	var p struct {
		Profile json.RawMessage `json:"profile"`
	}
	if err := json.Unmarshal(reply, &p); err != nil {
		return "", err
	}
	if string(p.Profile) == "{}" {
		return "Nothing is known about the user yet.", nil
	}
	return string(p.Profile), nil
}

// quoted is a text as a JSON string in one line.
func quoted(text string) string {
	raw, err := door.Encode(text)
	if err != nil { // a string can be encoded
		return `""`
	}
	return strings.TrimSuffix(string(raw), "\n")
}
