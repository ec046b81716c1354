package cli

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/wording"
)

// selection says which memories of a user are meant.
type selection struct {
	api      `embed:""`
	owner    `embed:""`
	Topic    string        `arg:"" optional:"" help:"What they are about, as a user would say it (\"where I work\", 我的住址)."`
	ID       []memory.ID   `help:"These memories."`
	Key      []memory.Key  `help:"Everything under these profile keys, such as user.city."`
	Kind     []memory.Kind `help:"Only these kinds."`
	Contains string        `help:"Those whose text or value contains this."`
	Thread   string        `help:"What was learnt from this thread alone."`
	Event    string        `help:"What was learnt from this event alone."`
	All      bool          `help:"Every memory of the user."`
	JSON     bool          `help:"Print the whole answer."`
}

// ask sends the selection and prints what was done. Nothing is what to say instead where there
// was nothing to do, if that is more.
func (c *selection) ask(e *env, path, done, nothing string) error {
	body := struct {
		Tenant string `json:"tenant"`
		User   string `json:"user"`
		curate.Selection
	}{c.Tenant, c.User, curate.Selection{
		Topic: c.Topic, IDs: c.ID, Keys: c.Key, Kinds: c.Kind, Contains: c.Contains,
		Thread: memory.Thread(c.Thread), Event: c.Event, All: c.All,
	}}
	var out curate.Outcome
	if err := c.call(e, http.MethodPost, path, body, &out); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, out)
	}
	if len(out.Memories) == 0 {
		done = cmp.Or(nothing, done)
	}
	if _, err := fmt.Fprintf(e.out, "%d %s\n", len(out.Memories), done); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return printIDs(e.out, out.Memories)
}

func printIDs(w io.Writer, ids []memory.ID) error {
	for _, id := range ids {
		if _, err := fmt.Fprintln(w, id); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type forgetCmd struct {
	selection `embed:""`
}

// Run deletes memories.
func (c *forgetCmd) Run(e *env) error {
	return c.ask(e, "/v1/forget", "forgotten (mnemond restore undoes it, until the purge)",
		"forgotten: nothing was meant by this (mnemond memories lists what there is, with the ids)")
}

type suppressCmd struct {
	selection `embed:""`
}

// Run keeps memories from recall.
func (c *suppressCmd) Run(e *env) error {
	return c.ask(e, "/v1/suppress", "not recalled any more", "")
}

type unsuppressCmd struct {
	selection `embed:""`
}

// Run gives memories back to recall.
func (c *unsuppressCmd) Run(e *env) error {
	return c.ask(e, "/v1/unsuppress", "recalled again", "")
}

type restoreCmd struct {
	api   `embed:""`
	owner `embed:""`
	ID    string `arg:"" help:"Id of the memory."`
}

// Run undoes a deletion.
func (c *restoreCmd) Run(e *env) error {
	var out curate.Outcome
	if err := c.call(e, http.MethodPost, "/v1/memories/"+url.PathEscape(c.ID)+"/restore", c.body(), &out); err != nil {
		return err
	}
	return printIDs(e.out, out.Memories)
}

func (o *owner) body() map[string]any { return map[string]any{"tenant": o.Tenant, "user": o.User} }

type questionsCmd struct {
	api   `embed:""`
	owner `embed:""`
	JSON  bool `help:"Print the whole answer."`
}

// Run lists open questions.
func (c *questionsCmd) Run(e *env) error {
	var out struct {
		Questions []memory.Question `json:"questions"`
	}
	if err := c.call(e, http.MethodGet, "/v1/questions?"+c.query().Encode(), nil, &out); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, out)
	}
	for _, q := range out.Questions {
		options := make([]string, len(q.Options))
		for i, o := range q.Options {
			options[i] = string(o)
		}
		_, err := fmt.Fprintf(e.out, "%s  %s  (since %s; %s)\n", q.ID, q.Text, q.OpenedAt.Format("2006-01-02"), strings.Join(options, ", "))
		if err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type answerCmd struct {
	api      `embed:""`
	owner    `embed:""`
	ID       string `arg:"" help:"Id of the question, as questions shows it."`
	Decision string `arg:"" help:"keep, replace, both, neither or other."`
	Value    string `arg:"" optional:"" help:"The value that is meant (replace, other), or what tells the two apart (both)."`
	JSON     bool   `help:"Print the closed question."`
}

// Run answers a question.
func (c *answerCmd) Run(e *env) error {
	body := c.body()
	body["decision"], body["value"] = c.Decision, c.Value
	var q memory.Question
	if err := c.call(e, http.MethodPost, "/v1/questions/"+url.PathEscape(c.ID)+"/answer", body, &q); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, q)
	}
	if _, err := fmt.Fprintln(e.out, settled(&q)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// settled says what an answered question has come to, and what is left to ask.
func settled(q *memory.Question) string {
	key := q.Key
	for _, r := range q.Rivals {
		if q.Decision == memory.DecisionReplace && r.Value == q.Value {
			key = r.Key // of an opinion, the opposite one
		}
	}
	text := fmt.Sprintf("%s is now %s", key, wording.Line(q.Value))
	if q.Value == "" {
		text = fmt.Sprintf("%s holds neither", key)
	}
	if q.FollowUp != "" {
		text += "\n" + q.FollowUp
	}
	return text
}
