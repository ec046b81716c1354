package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Report is what was measured on one set. It holds nothing of the set's texts, and but for
// Run.Times it is the same for the same input.
type Report struct {
	Set           string `json:"set"`
	CorpusSHA256  string `json:"corpus_sha256"`
	QueriesSHA256 string `json:"queries_sha256"`
	// Pooled is how many consecutive users share a pool.
	Pooled int `json:"pooled"`
	// Turns and Owners are what was searched.
	Turns  int   `json:"turns"`
	Owners int   `json:"owners"`
	Runs   []Run `json:"runs"`
}

// Run is what one way to rank gave.
type Run struct {
	Name string `json:"name"`
	// Figures are those of all queries, then of the answerable ones if others are among
	// them, then of each category by name.
	Figures []Figures `json:"figures"`
	// First and Second are those of every other pool, if they were asked for: what is chosen
	// by the one is to be judged by the other.
	First  []Figures `json:"first_half,omitempty"`
	Second []Figures `json:"second_half,omitempty"`
	Times  *Latency  `json:"search_ms,omitempty"`
}

// Figures are means over queries, in per cent.
type Figures struct {
	Of      string  `json:"of"`
	Queries int     `json:"queries"`
	R3      float64 `json:"r_3"`
	R5      float64 `json:"r_5"`
	R10     float64 `json:"r_10"`
	All10   float64 `json:"all_10"`
	NDCG10  float64 `json:"ndcg_10"`
	// Tokens10 and Tokens6 are what the first 10, and the first 6, cost a model to read: an
	// estimate (event.Tokens), of turns with their times and speakers.
	Tokens10 float64 `json:"tokens_10"`
	Tokens6  float64 `json:"tokens_6"`
	// Updated is how many of the queries ask for a value that was updated, NewerFirst in how
	// many per cent of them the current value stood above the replaced one.
	Updated    int     `json:"updated,omitempty"`
	NewerFirst float64 `json:"newer_first,omitempty"`
}

// The names of Figures that are no category's.
const (
	All        = "all"
	Answerable = "answerable"
)

// NewReport returns a report on a set without any run.
func NewReport(s *Set, pooled int) Report {
	r := Report{Set: s.Name, CorpusSHA256: s.CorpusSHA256, QueriesSHA256: s.QueriesSHA256, Pooled: max(pooled, 1)}
	for i := range s.Users {
		r.Turns += len(s.Users[i].Turns)
	}
	r.Owners = (len(s.Users) + r.Pooled - 1) / r.Pooled
	return r
}

// Summarise returns the figures of results. It is empty if there are none.
func Summarise(results []Result) []Figures {
	groups := map[string][]Result{}
	var answerable []Result
	for _, r := range results {
		groups[r.Category] = append(groups[r.Category], r)
		if !r.Abstain {
			answerable = append(answerable, r)
		}
	}
	var out []Figures
	if len(results) > 0 {
		out = append(out, figures(All, results))
	}
	if n := len(answerable); n > 0 && n < len(results) {
		out = append(out, figures(Answerable, answerable))
	}
	for _, category := range slices.Sorted(maps.Keys(groups)) {
		out = append(out, figures(category, groups[category]))
	}
	return out
}

func figures(of string, results []Result) Figures {
	f := Figures{Of: of, Queries: len(results)}
	newer := 0
	for _, r := range results {
		f.R3 += r.Score.R3
		f.R5 += r.Score.R5
		f.R10 += r.Score.R10
		f.All10 += r.Score.All10
		f.NDCG10 += r.Score.NDCG10
		f.Tokens10 += float64(r.Tokens10) / float64(len(results))
		f.Tokens6 += float64(r.Tokens6) / float64(len(results))
		if r.Updated {
			f.Updated++
		}
		if r.NewerFirst {
			newer++
		}
	}
	for _, sum := range []*float64{&f.R3, &f.R5, &f.R10, &f.All10, &f.NDCG10} {
		*sum *= 100 / float64(len(results))
	}
	if f.Updated > 0 {
		f.NewerFirst = 100 * float64(newer) / float64(f.Updated)
	}
	return f
}

// Print writes the report as tables.
func (r *Report) Print(w io.Writer) error {
	p := printer{w: w}
	p.f("%s: %d turns of %d owners, %d users an owner\ncorpus  sha256:%s\nqueries sha256:%s\n",
		r.Set, r.Turns, r.Owners, r.Pooled, r.CorpusSHA256, r.QueriesSHA256)
	for i := range r.Runs {
		run := &r.Runs[i]
		p.figures(run.Name, run.Figures)
		p.figures("  first half", run.First)
		p.figures("  second half", run.Second)
		if t := run.Times; t != nil {
			p.f("  a search took %.2f ms (p50), %.2f (p95), %.2f (p99), %.2f (max)\n", t.P50, t.P95, t.P99, t.Max)
		}
	}
	return p.err
}

// printer writes until the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// figures prints a table, if there is anything in it.
func (p *printer) figures(name string, all []Figures) {
	if len(all) == 0 {
		return
	}
	p.f("\n%-28s %6s %6s %6s %6s %6s %7s %6s %6s %6s\n", name, "n", "R@3", "R@5", "R@10", "all@10", "NDCG@10", "tok@10", "tok@6", "newer")
	for _, f := range all {
		p.f("  %-26s %6d %6.1f %6.1f %6.1f %6.1f %7.1f %6.0f %6.0f", f.Of, f.Queries, f.R3, f.R5, f.R10, f.All10, f.NDCG10, f.Tokens10, f.Tokens6)
		if f.Updated > 0 {
			p.f(" %6.1f", f.NewerFirst)
		}
		p.f("\n")
	}
}
