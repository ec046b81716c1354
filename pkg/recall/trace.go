package recall

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
)

// Trace is what a recall was asked, what it handed out, and what it did not and why. It has
// no text but the query and the block that was injected.
type Trace struct {
	ID     string        `json:"id"`
	Scope  memory.Scope  `json:"scope"`
	Thread memory.Thread `json:"thread,omitempty"`
	At     time.Time     `json:"at"`
	Query  string        `json:"query"`
	Asked  Asked         `json:"asked,omitzero"`
	Hits   []TraceHit    `json:"hits"`
	// Candidates are the best of what was compared and not handed out, at most
	// MaxTraceCandidates; Left counts the others.
	Candidates []Candidate `json:"candidates,omitempty"`
	Left       int         `json:"left,omitempty"`
	// Counts is what became of all candidates.
	Counts *Explanation `json:"counts,omitempty"`
	// Prompt is the block that was injected. What belongs to another owner than the user has
	// its citation there and no text: that is looked up when it is read.
	Prompt string `json:"prompt"`
	// PromptLeft says that the block was too large to be kept.
	PromptLeft bool `json:"prompt_left,omitempty"`
}

// Asked is what a recall was asked beside its query: see Request.
type Asked struct {
	Agent          memory.Agent  `json:"agent,omitempty"`
	Shared         bool          `json:"shared,omitempty"`
	Namespace      string        `json:"namespace,omitempty"`
	Limit          int           `json:"limit,omitempty"`
	Budget         int           `json:"budget,omitempty"`
	Kinds          []memory.Kind `json:"kinds,omitempty"`
	Keys           []memory.Key  `json:"keys,omitempty"`
	IncludeArchive bool          `json:"include_archive,omitempty"`
	AsOf           time.Time     `json:"as_of,omitzero"`
}

// TraceHit is one memory that was handed out.
type TraceHit struct {
	ID memory.ID `json:"id"`
	// Owner is set where it is not the user's own.
	Owner memory.Owner `json:"owner,omitzero"`
	// Past is the identity of the value that it had, as the archive knows it.
	Past memory.ID   `json:"past,omitempty"`
	Tier memory.Tier `json:"tier"`
	Why
}

// Candidate is a memory that was compared and not handed out.
type Candidate struct {
	ID    memory.ID    `json:"id"`
	Owner memory.Owner `json:"owner,omitzero"`
	Score rank.Score   `json:"score"`
	Match rank.Match   `json:"match"`
	Fell  Fell         `json:"fell"`
}

// Fell says why a candidate fell away.
type Fell string

// The reasons.
const (
	// FellFloor shares neither words, nor asking-words, nor meaning with the query.
	FellFloor Fell = "floor"
	// FellLimit and FellBudget matter, but there was no room.
	FellLimit  Fell = "limit"
	FellBudget Fell = "budget"
)

// MaxTraceCandidates bounds the candidates that a trace lists.
const MaxTraceCandidates = 50

// newID is the id of a recall: it holds the time, by which its trace is found.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// Since is a time shortly before which no trace with that id was stored; zero when the id
// does not say.
func Since(id string) time.Time {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 {
		return time.Time{}
	}
	sec, nsec := u.Time().UnixTime()
	return time.Unix(sec, nsec).UTC()
}

// trace is what is kept of a recall.
func trace(now time.Time, r *Request, out *Response, fell ...Candidate) Trace {
	scope := memory.UserScope(r.Tenant, r.User)
	query, _ := guard.Redact(r.Query)
	t := Trace{
		ID: out.RecallID, Scope: scope, Thread: r.Thread, At: now.UTC(), Query: query,
		Asked: Asked{
			Agent: r.Agent, Shared: r.Shared, Namespace: r.Namespace, Limit: r.Limit, Budget: r.Budget, Kinds: r.Kinds, Keys: r.Keys,
			IncludeArchive: r.IncludeArchive, AsOf: r.AsOf,
		},
		Hits: make([]TraceHit, len(out.Memories)), Counts: out.Explain, Prompt: out.Prompt,
	}
	for i := range out.Memories {
		m := &out.Memories[i]
		h := TraceHit{ID: m.ID, Past: profile.PastIdentity(m.ID, m.Value), Tier: m.Tier}
		if m.Explain != nil {
			h.Why = *m.Explain
		}
		if m.Owner != scope.Owner {
			h.Owner = m.Owner
			t.Prompt = eachLine(t.Prompt, m.ID, func(citation, _ string) string { return citation })
		}
		t.Hits[i] = h
	}
	t.Candidates = slices.Clone(fell[:min(len(fell), MaxTraceCandidates)])
	t.Left = len(fell) - len(t.Candidates)
	for i := range t.Candidates {
		if t.Candidates[i].Owner == scope.Owner {
			t.Candidates[i].Owner = memory.Owner{}
		}
	}
	return t
}

// fellAway are the candidates that were not handed out, the best first: those that mattered
// and found no room, then those below the floor.
func fellAway(all []Result, p *picked, limit int, below []Candidate) []Candidate {
	var out []Candidate
	taken := 0
	for i := range all {
		m := &all[i]
		if taken < len(p.results) && p.results[taken].ID == m.ID && p.results[taken].Owner == m.Owner {
			taken++
			continue
		}
		c := Candidate{ID: m.ID, Owner: m.Owner, Fell: FellBudget}
		if taken == limit {
			c.Fell = FellLimit
		}
		if m.Explain != nil {
			c.Score, c.Match = m.Explain.Score, m.Explain.Match
		}
		out = append(out, c)
	}
	return append(out, below...)
}

// belowFloor is a candidate that does not matter.
func belowFloor(f *find.Found) Candidate {
	m := &f.Hit.Memory
	return Candidate{ID: m.ID, Owner: m.Scope.Owner, Score: f.Score, Match: f.Match, Fell: FellFloor}
}

// Encode is the trace as JSON in at most limit bytes: candidates are cut as far as need be,
// and the block only where it does not fit without any.
func (t Trace) Encode(limit int) ([]byte, error) {
	for {
		raw, err := encode(t)
		if err != nil || len(raw) <= limit {
			return raw, err
		}
		switch n := len(t.Candidates); {
		case n > 0:
			t.Candidates, t.Left = t.Candidates[:n/2], t.Left+n-n/2
		case !t.PromptLeft:
			t.Prompt, t.PromptLeft = "", true
		default:
			return raw, nil
		}
	}
}

// encode is JSON without the escapes of HTML.
func encode(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// eachLine replaces the lines of a block that cite a memory. The block has a line a memory,
// which begins with the citation.
func eachLine(prompt string, id memory.ID, replace func(citation, text string) string) string {
	lines := strings.Split(prompt, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "[memory "+id.Short()) {
			continue
		}
		if citation, text, ok := strings.Cut(line, "]"); ok {
			lines[i] = replace(citation+"]", strings.TrimPrefix(text, " "))
		}
	}
	return strings.Join(lines, "\n")
}
