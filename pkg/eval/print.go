package eval

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes the report for people to read. It holds the same as its JSON.
func (r *Report) Print(w io.Writer) error {
	t := &table{w: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	t.row("set", r.Set)
	t.row("extractor", r.Extractor)
	t.row("corpus", "sha256 "+r.CorpusSHA256)
	t.row("queries", "sha256 "+r.QueriesSHA256)
	if r.MemoriesSHA256 != "" {
		t.row("gold memories", "sha256 "+r.MemoriesSHA256)
	}
	t.row("users", fmt.Sprint(r.Users))
	t.row("")
	if len(r.Coverage) > 0 {
		t.row("gold memories", "found", "from their own turn", "in their own turn")
		for _, c := range r.Coverage {
			t.row("  "+c.Group, c.Found.String(), c.AtSource.String(), c.InSource.String())
		}
		t.row("found ones with all numbers", r.Numbers.String())
		t.row("found ones with all names", r.Names.String())
	}
	t.row("gold turns remembered from", r.GoldTurns.String())
	t.row("")
	r.printMemories(t)
	r.printWork(t)
	return t.flush()
}

func (r *Report) printMemories(t *table) {
	m, u := &r.Memories, &r.Updates
	t.row("memories", fmt.Sprint(m.All))
	t.row("  current in the end", Share{m.Current, m.All}.String())
	t.row("  from a gold turn", Share{m.FromGold, m.All}.String())
	if r.MemoriesSHA256 != "" {
		t.row("  false: from no gold turn", Share{m.False, m.All}.String())
		t.row("    in a session without any", Share{m.FromNoise, m.All}.String())
	}
	t.row("updates", fmt.Sprint(u.All))
	if u.All > 0 {
		t.row("  correct", Share{u.Correct, u.All}.String())
		t.row("  both values active", Share{u.BothActive, u.All}.String())
		t.row("  asked about", Share{u.Asked, u.All}.String())
		t.row("  omitted", Share{u.Omitted, u.All}.String())
		t.row("    old value active", Share{u.Stale, u.All}.String())
	}
	t.row("")
}

func (r *Report) printWork(t *table) {
	n := r.Messages
	t.row("turns", fmt.Sprint(n.Messages))
	t.row("  remembered", Share{n.Remembered, n.Messages}.String())
	t.row("  refreshed", Share{n.Refreshed, n.Messages}.String())
	t.row("  rejected", Share{n.Rejected, n.Messages}.String())
	t.row("  nothing to remember", Share{n.Nothing, n.Messages}.String())
	t.row("  parked", Share{n.Parked, n.Messages}.String())
	t.row("turns refused at the edge", fmt.Sprint(r.Refused))
	for _, x := range r.Rejections {
		t.row("candidates refused: "+x.Reason, fmt.Sprint(x.Count))
	}
	t.row("calls", per(r.Usage.Calls, n.Messages))
	t.row("tokens", per(r.Usage.Tokens, n.Messages))
}

// per is such as "12 (0.40 a turn)".
func per(n, turns int) string {
	return fmt.Sprintf("%d (%.2f a turn)", n, float64(n)/float64(max(turns, 1)))
}

// table aligns rows and keeps the first error of writing them.
type table struct {
	w   *tabwriter.Writer
	err error
}

func (t *table) row(cells ...string) {
	for i, c := range cells {
		if i > 0 {
			c = "\t" + c
		}
		t.write(c)
	}
	t.write("\n")
}

func (t *table) write(s string) {
	if _, err := io.WriteString(t.w, s); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *table) flush() error {
	if err := t.w.Flush(); err != nil && t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fmt.Errorf("print report: %w", t.err)
	}
	return nil
}
