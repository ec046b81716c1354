package story

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Answered is what must be true of a recall's answer.
type Answered struct {
	Contains      []string `json:"contains"`
	NoneContains  []string `json:"none_contains"`
	FirstContains string   `json:"first_contains"`
	Empty         bool     `json:"empty"`
	ResponseLacks []string `json:"response_lacks"`
	// Returned is how many memories there are; Order is what the first of them contain.
	Returned *int     `json:"returned"`
	Order    []string `json:"order"`
	Evidence []Source `json:"evidence"`

	PromptMatches             string   `json:"prompt_matches"`
	PromptContainsStaleNotice bool     `json:"prompt_contains_stale_notice"`
	PromptContains            []string `json:"prompt_contains"`
	PromptEmpty               bool     `json:"prompt_empty"`
	PromptTokensAtMost        int      `json:"prompt_tokens_at_most"`
	// PromptSafe: the block has one line a memory, which begins with its citation and holds no
	// other one, nor a mark of the block.
	PromptSafe bool `json:"prompt_safe"`
	// Explained says whether every part of the scores is told; ExplainedParts are those of
	// them that the first memory must have.
	Explained      *bool    `json:"explained"`
	ExplainedParts []string `json:"explained_parts"`
}

// Source is where a memory was said.
type Source struct {
	Contains string        `json:"contains"`
	Quote    string        `json:"quote"`
	Thread   memory.Thread `json:"thread"`
	Message  int           `json:"message"`
}

// answer checks a recall's response.
func (e *Expect) answer(raw []byte) faults {
	var f faults
	var resp recall.Response
	if err := json.Unmarshal(raw, &resp); err != nil {
		f.addf("answer: %v", err)
		return f
	}
	e.returned(resp.Memories, &f)
	for _, part := range e.ResponseLacks {
		if contains(string(raw), part) {
			f.addf("response_lacks: the answer has %q", part)
		}
	}
	if e.Questions != nil && len(resp.Questions) != *e.Questions {
		f.addf("questions: %d are returned, want %d", len(resp.Questions), *e.Questions)
	}
	e.prompt(&resp, &f)
	if e.Explained != nil {
		e.explained(&resp, &f)
	}
	return f
}

func says(m *recall.Result, part string) bool {
	return contains(m.Text, part) || contains(m.Value, part)
}

// returned checks the memories of an answer.
func (a *Answered) returned(rs []recall.Result, f *faults) {
	any := func(part string) bool {
		return slices.ContainsFunc(rs, func(m recall.Result) bool { return says(&m, part) })
	}
	for _, part := range a.Contains {
		if !any(part) {
			f.addf("contains: no returned memory has %q; returned: %s", part, texts(rs))
		}
	}
	for _, part := range a.NoneContains {
		if any(part) {
			f.addf("none_contains: a returned memory has %q; returned: %s", part, texts(rs))
		}
	}
	if a.FirstContains != "" && (len(rs) == 0 || !says(&rs[0], a.FirstContains)) {
		f.addf("first_contains: the first memory lacks %q; returned: %s", a.FirstContains, texts(rs))
	}
	if a.Empty && len(rs) > 0 {
		f.addf("empty: returned: %s", texts(rs))
	}
	if a.Returned != nil && len(rs) != *a.Returned {
		f.addf("returned: %d, want %d; returned: %s", len(rs), *a.Returned, texts(rs))
	}
	for i, part := range a.Order {
		if i >= len(rs) || !says(&rs[i], part) {
			f.addf("order: memory %d lacks %q; returned: %s", i+1, part, texts(rs))
		}
	}
	for _, want := range a.Evidence {
		want.check(rs, f)
	}
}

func (s *Source) check(rs []recall.Result, f *faults) {
	for i := range rs {
		if says(&rs[i], s.Contains) && slices.ContainsFunc(rs[i].Evidence, func(e memory.Evidence) bool {
			return contains(e.Quote, s.Quote) && e.Thread == s.Thread && e.Message == s.Message && e.Event != ""
		}) {
			return
		}
	}
	f.addf("evidence: no returned memory has %+v; returned: %s", *s, texts(rs))
}

// prompt checks the block to inject, whose length is always told.
func (a *Answered) prompt(resp *recall.Response, f *faults) {
	prompt := resp.Prompt
	if n := event.Tokens(prompt); resp.Tokens != n || a.PromptTokensAtMost > 0 && n > a.PromptTokensAtMost {
		f.addf("prompt_tokens_at_most: %d tokens, %d by the answer, want at most %d", n, resp.Tokens, a.PromptTokensAtMost)
	}
	if a.PromptEmpty && prompt != "" {
		f.addf("prompt_empty: %q", prompt)
	}
	if a.PromptMatches != "" {
		re, err := regexp.Compile(a.PromptMatches)
		if err != nil {
			f.addf("prompt_matches: %v", err)
		} else if !re.MatchString(prompt) {
			f.addf("prompt_matches: %q does not match %q", prompt, a.PromptMatches)
		}
	}
	for _, part := range a.PromptContains {
		if !contains(prompt, part) {
			f.addf("prompt_contains: %q lacks %q", prompt, part)
		}
	}
	if a.PromptContainsStaleNotice && !strings.HasSuffix(prompt, guard.StaleNoticeEN) && !strings.HasSuffix(prompt, guard.StaleNoticeZH) {
		f.addf("prompt_contains_stale_notice: %q does not end with it", prompt)
	}
	if a.PromptSafe {
		a.safe(resp, f)
	}
}

// mark begins a citation or a block.
var mark = regexp.MustCompile(`(?i)[\[［【]\s*memory|[<＜]`)

func (a *Answered) safe(resp *recall.Response, f *faults) {
	lines := strings.FieldsFunc(resp.Prompt, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) })
	if len(resp.Memories) == 0 || len(lines) != len(resp.Memories)+3 || lines[0] != guard.BlockOpen || lines[len(lines)-2] != guard.BlockClose {
		f.addf("prompt_safe: %d lines for %d memories: %q", len(lines), len(resp.Memories), resp.Prompt)
		return
	}
	for i := range resp.Memories {
		text, ok := strings.CutPrefix(lines[i+1], resp.Memories[i].Citation+" ")
		if !ok || mark.MatchString(text) {
			f.addf("prompt_safe: the line %q is not one memory", lines[i+1])
		}
	}
}

// explained checks that the parts of the scores add up, and that every candidate is
// accounted for; or that nothing of it is told.
func (a *Answered) explained(resp *recall.Response, f *faults) {
	x := resp.Explain
	told := x != nil
	for i := range resp.Memories {
		told = told && resp.Memories[i].Explain != nil
		if (resp.Memories[i].Explain != nil) != *a.Explained {
			f.addf("explained: of %q: %v, want %v", resp.Memories[i].Text, resp.Memories[i].Explain != nil, *a.Explained)
		}
	}
	if told != *a.Explained {
		f.addf("explained: %v, want %v", told, *a.Explained)
	}
	if !told {
		return
	}
	if sum := x.Hidden + x.BelowFloor + x.OverLimit + x.OverBudget + len(resp.Memories); x.Candidates != sum {
		f.addf("explained: %d candidates, of which %d are accounted for: %+v", x.Candidates, sum, *x)
	}
	for i := range resp.Memories {
		m, s := &resp.Memories[i], resp.Memories[i].Explain.Score
		w := x.Weights
		total := w.Similarity*s.Similarity + w.Recency*s.Recency + w.Importance*s.Importance + w.Tier*s.Tier
		if math.Abs(total-s.Total) > 1e-9 || m.Score != s.Total {
			f.addf("explained: the parts of %q make %v, its total is %v and its score %v", m.Text, total, s.Total, m.Score)
		}
	}
	a.parts(resp, f)
}

func (a *Answered) parts(resp *recall.Response, f *faults) {
	if len(a.ExplainedParts) == 0 {
		return
	}
	if len(resp.Memories) == 0 {
		f.addf("explained_parts: no memory is returned")
		return
	}
	why := resp.Memories[0].Explain
	parts := map[string]float64{
		"similarity": why.Score.Similarity, "recency": why.Score.Recency, "importance": why.Score.Importance, "tier": why.Score.Tier,
		"words": why.Match.Words, "echo": why.Match.Echo, "meaning": why.Match.Meaning, "context": why.Match.Context,
	}
	for _, name := range a.ExplainedParts {
		if v, ok := parts[name]; !ok || v <= 0 {
			f.addf("explained_parts: %s of %q is %v", name, resp.Memories[0].Text, v)
		}
	}
}

func texts(rs []recall.Result) string {
	out := make([]string, len(rs))
	for i := range rs {
		out[i] = fmt.Sprintf("%q", rs[i].Text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
