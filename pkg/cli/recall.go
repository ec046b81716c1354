package cli

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

type recallCmd struct {
	api       `embed:""`
	owner     `embed:""`
	Query     string        `arg:"" optional:"" help:"What the user asks; without it, what to know at the start of a thread."`
	Agent     string        `help:"Narrow to what this agent may know, and add what is its own."`
	Shared    bool          `help:"Add what belongs to the tenant itself."`
	Namespace string        `help:"Narrow to this namespace."`
	Limit     int           `help:"How many memories at most, up to 50." default:"6"`
	Budget    int           `help:"How long the block may be, in tokens; 0 is as long as it gets."`
	Kind      []memory.Kind `help:"Only these kinds."`
	Key       []memory.Key  `help:"Only what stands under these profile keys, such as user.city."`
	Archive   bool          `help:"Search what has gone cold as well."`
	AsOf      time.Time     `help:"What was believed at this time, such as 2026-03-01T09:00:00Z." format:"2006-01-02T15:04:05Z07:00"`
	Explain   bool          `help:"Show every part of the scores, and what became of the rest."`
	JSON      bool          `help:"Print the whole answer."`
}

// Run asks for the memories that matter and prints the block to inject.
func (c *recallCmd) Run(e *env) error {
	var resp recall.Response
	if err := c.call(e, http.MethodPost, "/v1/recall", recall.Request{
		Tenant: memory.Tenant(c.Tenant), User: memory.User(c.User), Agent: memory.Agent(c.Agent), Shared: c.Shared, Namespace: c.Namespace,
		Query: c.Query, Limit: c.Limit, Budget: c.Budget, Kinds: c.Kind, Keys: c.Key, IncludeArchive: c.Archive, AsOf: c.AsOf, Explain: c.Explain,
	}, &resp); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, resp)
	}
	text := resp.Prompt
	switch {
	case len(resp.Memories) > 0:
	case c.Query == "":
		text = "Nothing is remembered of this user."
	default:
		text = "Nothing is remembered about this."
	}
	if _, err := fmt.Fprintln(e.out, text); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if resp.Explain == nil {
		return nil
	}
	return printExplanation(e.out, &resp)
}

// printExplanation shows the parts of the scores as a table, their weights above them, or what
// each memory counts as where nothing was asked; and what became of the candidates.
func printExplanation(out io.Writer, resp *recall.Response) error {
	x := resp.Explain
	rows := [][]string{
		{"", "total", "similarity", "recency", "importance", "tier", "words", "echo", "meaning", "context"},
		{"weight", "", share(x.Weights.Similarity), share(x.Weights.Recency), share(x.Weights.Importance), share(x.Weights.Tier), "", "", "", ""},
	}
	for i := range resp.Memories {
		m := &resp.Memories[i]
		if m.Explain.Start != "" {
			rows = append(rows[:i:i], []string{m.ID.Short(), string(m.Explain.Start)})
			continue
		}
		s, near := m.Explain.Score, m.Explain.Match
		rows = append(rows, []string{
			m.ID.Short(), share(s.Total), share(s.Similarity), share(s.Recency), share(s.Importance), share(s.Tier),
			share(near.Words), share(near.Echo), share(near.Meaning), share(near.Context),
		})
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")+"\t"); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err := fmt.Fprintf(out, "\n%s\ncandidates: %d; returned: %d (%d tokens), not to be recalled: %d, below the floor (%.2f): %d, over the limit: %d, "+
		"over the budget: %d. Recency halves in %s.\n", table.String(), x.Candidates, len(resp.Memories), resp.Tokens, x.Hidden, x.Weights.MinCosine,
		x.BelowFloor, x.OverLimit, x.OverBudget, x.Weights.HalfLife)
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// share is a part of a score as the table shows it.
func share(v float64) string {
	if v == 0 {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
