package story

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Expect is what must be true. Beside an action it looks at the action's answer, alone at
// the state of a user.
type Expect struct {
	Tenant memory.Tenant `json:"tenant"`
	User   memory.User   `json:"user"`

	Current           []Match         `json:"current"`
	Count             *int            `json:"count"`
	CountWithKey      []KeyCount      `json:"count_with_key"`
	NotCurrent        []string        `json:"not_current"`
	ArchivedOrCurrent []Match         `json:"archived_or_current"`
	ConfirmedAt       []Confirmed     `json:"confirmed_at"`
	History           []KeyHistory    `json:"history"`
	HistoryContains   []string        `json:"history_contains"`
	HistoryLacks      []string        `json:"history_lacks"`
	Confirmations     *int            `json:"confirmations"`
	DeadLetters       *int            `json:"dead_letters"`
	Pending           *int            `json:"pending"`
	RejectedAtLeast   *int            `json:"rejected_at_least"`
	ModelCallsAtLeast *int            `json:"model_calls_at_least"`
	ModelCallsAtMost  *int            `json:"model_calls_at_most"`
	Consolidations    []Consolidation `json:"consolidations"`
	Eventually        bool            `json:"eventually"`
	Nowhere           []string        `json:"nowhere"`
	NowhereUser       memory.User     `json:"nowhere_user"`
	Suppressed        []string        `json:"suppressed"`
	Archived          []string        `json:"archived"`
	Tier              []TierOf        `json:"tier"`
	QuestionContains  []string        `json:"question_contains"`
	Receipt           *Receipt        `json:"receipt"`
	Questions         *int            `json:"questions"`
	Refused           string          `json:"refused"`

	Contains                  []string `json:"contains"`
	NoneContains              []string `json:"none_contains"`
	FirstContains             string   `json:"first_contains"`
	Empty                     bool     `json:"empty"`
	ResponseLacks             []string `json:"response_lacks"`
	PromptMatches             string   `json:"prompt_matches"`
	PromptContainsStaleNotice bool     `json:"prompt_contains_stale_notice"`

	// Known, and not supported yet.
	VersionAtLeast   json.RawMessage `json:"version_at_least"`
	EvidenceContains json.RawMessage `json:"evidence_contains"`
	Found            json.RawMessage `json:"found"`
	Value            json.RawMessage `json:"value"`
	Keys             json.RawMessage `json:"keys"`
	SummaryContains  json.RawMessage `json:"summary_contains"`
}

// Match describes one memory.
type Match struct {
	Key              string      `json:"key,omitempty"`
	Value            string      `json:"value,omitempty"`
	Contains         string      `json:"contains,omitempty"`
	ExpiresAfter     time.Time   `json:"expires_after,omitzero"`
	ExpiresBy        time.Time   `json:"expires_by,omitzero"`
	ValidFromBetween []time.Time `json:"valid_from_between,omitempty"`
}

// KeyCount is how many active memories a key has.
type KeyCount struct {
	Key string `json:"key"`
	N   int    `json:"n"`
}

// TierOf is how near at hand a memory is.
type TierOf struct {
	Contains string      `json:"contains"`
	Tier     memory.Tier `json:"tier"`
}

// Receipt is what an erasure has removed.
type Receipt struct {
	Memories int `json:"memories"`
}

// Confirmed is when a memory was last said.
type Confirmed struct {
	Key      string    `json:"key"`
	Contains string    `json:"contains"`
	Equals   time.Time `json:"equals"`
}

// KeyHistory is what a key has been, oldest first.
type KeyHistory struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// Consolidation is how often a thread's checkpoint moved.
type Consolidation struct {
	Thread  memory.Thread `json:"thread"`
	AtLeast int           `json:"at_least"`
	AtMost  int           `json:"at_most"`
}

func (e *Expect) unsupported() string {
	for _, a := range []struct {
		name string
		raw  json.RawMessage
	}{
		{"version_at_least", e.VersionAtLeast}, {"evidence_contains", e.EvidenceContains}, {"found", e.Found}, {"value", e.Value}, {"keys", e.Keys},
		{"summary_contains", e.SummaryContains},
	} {
		if a.raw != nil {
			return a.name
		}
	}
	return ""
}

func (m *Match) fits(got *memory.Memory) bool {
	switch {
	case m.Key != "" && string(got.Key) != m.Key,
		m.Value != "" && !sameText(got.Value, m.Value),
		m.Contains != "" && !contains(got.Value, m.Contains) && !contains(got.Text, m.Contains),
		!m.ExpiresAfter.IsZero() && got.ExpiresAt.Before(m.ExpiresAfter),
		!m.ExpiresBy.IsZero() && (got.ExpiresAt.IsZero() || got.ExpiresAt.After(m.ExpiresBy)):
		return false
	}
	if b := m.ValidFromBetween; len(b) == 2 {
		return !got.ValidFrom.Before(b[0]) && got.ValidFrom.Before(b[1])
	}
	return true
}

func (m *Match) String() string {
	raw, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func sameText(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

func contains(whole, part string) bool {
	return strings.Contains(strings.ToLower(whole), strings.ToLower(part))
}

// faults gathers what does not hold.
type faults []string

func (f *faults) addf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// answer checks a recall's response.
func (e *Expect) answer(raw []byte) faults {
	var f faults
	var resp recall.Response
	if err := json.Unmarshal(raw, &resp); err != nil {
		f.addf("answer: %v", err)
		return f
	}
	has := func(i int, part string) bool {
		return contains(resp.Memories[i].Text, part) || contains(resp.Memories[i].Value, part)
	}
	any := func(part string) bool {
		for i := range resp.Memories {
			if has(i, part) {
				return true
			}
		}
		return false
	}
	for _, part := range e.Contains {
		if !any(part) {
			f.addf("contains: no returned memory has %q; returned: %s", part, texts(resp.Memories))
		}
	}
	for _, part := range e.NoneContains {
		if any(part) {
			f.addf("none_contains: a returned memory has %q; returned: %s", part, texts(resp.Memories))
		}
	}
	if e.FirstContains != "" && (len(resp.Memories) == 0 || !has(0, e.FirstContains)) {
		f.addf("first_contains: the first memory lacks %q; returned: %s", e.FirstContains, texts(resp.Memories))
	}
	if e.Empty && len(resp.Memories) > 0 {
		f.addf("empty: returned: %s", texts(resp.Memories))
	}
	for _, part := range e.ResponseLacks {
		if contains(string(raw), part) {
			f.addf("response_lacks: the answer has %q", part)
		}
	}
	if e.Questions != nil && len(resp.Questions) != *e.Questions {
		f.addf("questions: %d are returned, want %d", len(resp.Questions), *e.Questions)
	}
	e.prompt(resp.Prompt, &f)
	return f
}

func (e *Expect) prompt(prompt string, f *faults) {
	if e.PromptMatches != "" {
		re, err := regexp.Compile(e.PromptMatches)
		if err != nil {
			f.addf("prompt_matches: %v", err)
		} else if !re.MatchString(prompt) {
			f.addf("prompt_matches: %q does not match %q", prompt, e.PromptMatches)
		}
	}
	if e.PromptContainsStaleNotice && !strings.HasSuffix(prompt, guard.StaleNoticeEN) && !strings.HasSuffix(prompt, guard.StaleNoticeZH) {
		f.addf("prompt_contains_stale_notice: %q does not end with it", prompt)
	}
}

func texts(rs []recall.Result) string {
	out := make([]string, len(rs))
	for i, r := range rs {
		out[i] = fmt.Sprintf("%q", r.Text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}
