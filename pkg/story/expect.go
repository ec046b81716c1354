package story

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
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

	Answered

	// Known, and not supported yet.
	VersionAtLeast   json.RawMessage `json:"version_at_least"`
	EvidenceContains json.RawMessage `json:"evidence_contains"`
	SummaryContains  json.RawMessage `json:"summary_contains"`

	Shelved
	Told
	Replied
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

// unsupported names what does not exist yet, or not of the step's answer.
func (e *Expect) unsupported(s *Step) string {
	if name := e.named(); name != "" && !s.Stored.any() {
		return name
	}
	for _, a := range []struct {
		name string
		raw  json.RawMessage
	}{
		{"version_at_least", e.VersionAtLeast}, {"evidence_contains", e.EvidenceContains},
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
