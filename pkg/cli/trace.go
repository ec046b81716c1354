package cli

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

type traceCmd struct {
	api    `embed:""`
	owner  `embed:""`
	ID     string `arg:"" optional:"" help:"Id of the recall; without it, the last recalls are listed."`
	Thread string `help:"List the recalls for this thread alone."`
	Limit  int    `help:"How many to list." default:"20"`
	JSON   bool   `help:"Print the whole answer."`
}

// Run says why a recall handed out what it did, or lists the last recalls.
func (c *traceCmd) Run(e *env) error {
	if c.ID == "" {
		return c.list(e)
	}
	var a recall.Account
	if err := c.call(e, http.MethodGet, "/v1/recalls/"+url.PathEscape(c.ID)+"?"+c.query().Encode(), nil, &a); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, a)
	}
	if _, err := fmt.Fprint(e.out, inWords(&a)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

func (c *traceCmd) list(e *env) error {
	q := c.query()
	if c.Thread != "" {
		q.Set("thread", c.Thread)
	}
	q.Set("limit", fmt.Sprint(c.Limit))
	var list struct {
		Recalls []recall.Summary `json:"recalls"`
	}
	if err := c.call(e, http.MethodGet, "/v1/recalls?"+q.Encode(), nil, &list); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, list)
	}
	for _, r := range list.Recalls {
		answered := ""
		if r.Answered {
			answered = ", answered"
		}
		_, err := fmt.Fprintf(e.out, "%s  %s  %q: %d memories%s\n", r.RecallID, r.At.Format("2006-01-02 15:04:05"), asked(r.Query), r.Memories, answered)
		if err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

func asked(query string) string {
	if query == "" {
		return "(the start of a thread)"
	}
	return query
}

// inWords is an account in plain words.
func inWords(a *recall.Account) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Asked at %s: %q\n", a.At.Format("2006-01-02 15:04:05 MST"), asked(a.Query))
	for _, line := range wanted(a) {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "\nHanded out: %d\n", len(a.Memories))
	for i := range a.Memories {
		tellMemory(&b, i+1, &a.Memories[i])
	}
	tellCandidates(&b, a)
	switch {
	case a.PromptLeft:
		b.WriteString("\nInjected: too large to be kept\n")
	case a.Prompt == "":
		b.WriteString("\nInjected: nothing\n")
	default:
		fmt.Fprintf(&b, "\nInjected:\n%s\n", indent(a.Prompt))
	}
	b.WriteString(answerOf(a.Answer))
	for _, f := range a.Feedback {
		about := "all of it"
		if f.Memory != "" {
			about = "memory " + f.Memory.Short()
		}
		fmt.Fprintf(&b, "The user gave a thumbs-%s to %s at %s\n", f.Rating, about, f.At.Format("2006-01-02 15:04:05 MST"))
	}
	return b.String()
}

// wanted are the lines about what was asked for beside the query.
func wanted(a *recall.Account) []string {
	var out []string
	add := func(name, value string) {
		if value != "" {
			out = append(out, name+": "+value)
		}
	}
	add("thread", string(a.Thread))
	add("agent", string(a.Asked.Agent))
	add("namespace", a.Asked.Namespace)
	if a.Asked.Limit > 0 {
		add("limit", fmt.Sprint(a.Asked.Limit))
	}
	if a.Asked.Budget > 0 {
		add("budget", fmt.Sprint(a.Asked.Budget, " tokens"))
	}
	add("kinds", joined(a.Asked.Kinds))
	add("keys", joined(a.Asked.Keys))
	if !a.Asked.AsOf.IsZero() {
		add("as of", a.Asked.AsOf.Format("2006-01-02 15:04:05 MST"))
	}
	return out
}

func joined[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = string(x)
	}
	return strings.Join(out, ", ")
}

// states say what has become of a memory.
var states = map[recall.State]string{
	recall.StateChanged:    "it has changed since; now:",
	recall.StateSuperseded: "a later value has taken its place",
	recall.StateOver:       "it is over",
	recall.StateSuppressed: "suppressed since: its text is not shown",
	recall.StateForgotten:  "forgotten since: there is no text any more",
	recall.StateGone:       "not there any more",
}

func tellMemory(b *strings.Builder, n int, m *recall.Accounted) {
	name := m.Citation
	if name == "" {
		name = "[memory " + m.ID.Short() + "]"
	}
	fmt.Fprintf(b, "%d. %s", n, name)
	if m.Owner.Kind != memory.OwnerUser && m.Owner.Kind != "" {
		fmt.Fprintf(b, " of the %s %s", m.Owner.Kind, m.Owner.ID)
	}
	if state, ok := states[m.State]; ok {
		fmt.Fprintf(b, " (%s)", state)
	}
	if m.Text != "" {
		fmt.Fprintf(b, " %s", m.Text)
	}
	b.WriteByte('\n')
	if m.Start != "" {
		fmt.Fprintf(b, "   at the start of a thread, as %s\n", m.Start)
	} else {
		fmt.Fprintf(b, "   score %.2f: similarity %.2f (words %.2f, echo %.2f, meaning %.2f, context %.2f), recency %.2f, importance %.2f, tier %.2f (%s)\n",
			m.Score.Total, m.Score.Similarity, m.Match.Words, m.Match.Echo, m.Match.Meaning, m.Match.Context, m.Score.Recency, m.Score.Importance, m.Score.Tier, m.Tier)
	}
	for _, e := range m.Evidence {
		fmt.Fprintf(b, "   said in thread %s, message %d, %s: %q\n", e.Thread, e.Message+1, e.At.Format("2006-01-02 15:04 MST"), e.Quote)
	}
}

// maxTold bounds the candidates that are printed.
const maxTold = 10

// fell says why a candidate fell away.
var fell = map[recall.Fell]string{
	recall.FellFloor: "shares nothing with the query", recall.FellLimit: "beyond the limit", recall.FellBudget: "beyond the budget",
}

func tellCandidates(b *strings.Builder, a *recall.Account) {
	n := len(a.Candidates) + a.Left
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\nConsidered, and not handed out: %d\n", n)
	for _, c := range a.Candidates[:min(len(a.Candidates), maxTold)] {
		fmt.Fprintf(b, "   memory %s: %s, score %.2f, similarity %.2f\n", c.ID.Short(), fell[c.Fell], c.Score.Total, c.Score.Similarity)
	}
	if n > maxTold {
		fmt.Fprintf(b, "   and %d more\n", n-maxTold)
	}
}

func answerOf(a *recall.Answer) string {
	switch {
	case a == nil:
		return "\nWhat the model answered is not known.\n"
	case a.Withheld:
		return "\nWhat the model answered is not shown: it was given with a memory that must not be told any more.\n"
	}
	more := ""
	if a.Cut {
		more = " (the beginning of it)"
	}
	return fmt.Sprintf("\nThe model answered at %s%s:\n%s\n", a.At.Format("2006-01-02 15:04:05 MST"), more, indent(a.Content))
}

func indent(text string) string { return "   " + strings.ReplaceAll(text, "\n", "\n   ") }
