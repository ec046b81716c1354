package recall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
)

var (
	evening = time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC)
	robin   = memory.UserScope("acme", "robin")
	helper  = memory.Owner{Kind: memory.OwnerAgent, ID: "helper"}
)

func numbered(n int) memory.ID { return memory.ID(fmt.Sprintf("%08d-0000-5000-8000-000000000000", n)) }

// believed is a current memory of robin's.
func believed(n int, value, text string) memory.Memory {
	return memory.Memory{
		ID: numbered(n), Scope: robin, Key: "user.city", Value: value, Text: text, Status: memory.StatusCurrent,
		SaidAt: evening, ConfirmedAt: evening, Evidence: []memory.Evidence{{Event: "e", Thread: "t", At: evening, Quote: text}},
	}
}

// tracedNow is the trace of a recall that hands out memories.
func tracedNow(query string, ms ...memory.Memory) Trace {
	out := Response{RecallID: newID()}
	for i := range ms {
		out.Memories = append(out.Memories, result(&ms[i], memory.TierHot, Why{Score: rank.Score{Total: 0.5}}))
	}
	out.Prompt = Prompt(query, out.Memories)
	r := Request{Tenant: "acme", User: "robin", Thread: "ask", Query: query, Limit: 6}
	return trace(evening, &r, &out)
}

// kept is a log of traces and a store of memories.
type kept struct {
	all  []Kept
	held []memory.Memory
	err  error
}

func (k *kept) Find(_ context.Context, s memory.Scope, id string) (Kept, error) {
	for _, t := range k.all {
		if t.ID == id && t.Scope == s {
			return t, k.err
		}
	}
	return Kept{}, errors.Join(ErrNoTrace, k.err)
}

func (k *kept) Latest(_ context.Context, _ memory.Scope, _ memory.Thread, limit int) ([]Kept, error) {
	return k.all[:min(limit, len(k.all))], k.err
}

func (k *kept) Get(_ context.Context, s memory.Scope, ids []memory.ID) ([]memory.Memory, error) {
	var out []memory.Memory
	for _, m := range k.held {
		if m.Scope == s && slices.Contains(ids, m.ID) {
			out = append(out, m)
		}
	}
	return out, nil
}

func tell(t *testing.T, k *kept) Account {
	t.Helper()
	a, err := NewTeller(k, k, func() time.Time { return evening.Add(time.Hour) }).Trace(t.Context(), robin, k.all[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func past(m memory.Memory) memory.Memory {
	m.ID, m.Origin, m.Status = profile.PastIdentity(m.ID, m.Value), m.ID, memory.StatusSuperseded
	return m
}

func with(m memory.Memory, change func(*memory.Memory)) memory.Memory {
	change(&m)
	return m
}

func deleted(m memory.Memory) memory.Memory {
	return memory.Memory{ID: m.ID, Scope: m.Scope, Status: memory.StatusDeleted, Tombstone: &memory.Tombstone{At: evening}}
}

// TestWhatIsToldOfAMemory: what has become of it decides what an old trace tells.
func TestWhatIsToldOfAMemory(t *testing.T) {
	oslo := believed(1, "Oslo", "I live in Oslo with Bob")
	bergen := believed(1, "Bergen", "I moved to Bergen")
	for name, c := range map[string]struct {
		now    []memory.Memory
		state  State
		text   string // what is told of it
		line   string // what stands in the block behind the citation
		answer string // "" is withheld
		query  string
	}{
		"nothing":        {[]memory.Memory{oslo}, StateSame, oslo.Text, oslo.Text, "Oslo it is", "is Oslo cold?"},
		"said again":     {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.ConfirmedAt = evening.Add(time.Minute) })}, StateSame, oslo.Text, oslo.Text, "Oslo it is", "is Oslo cold?"},
		"worded anew":    {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.Text = "Oslo is home" })}, StateChanged, "Oslo is home", "(worded otherwise since)", "Oslo it is", "is Oslo cold?"},
		"moved":          {[]memory.Memory{bergen, past(oslo)}, StateSuperseded, oslo.Text, oslo.Text, "Oslo it is", "is Oslo cold?"},
		"refined":        {[]memory.Memory{bergen}, StateChanged, bergen.Text, "(worded otherwise since)", "Oslo it is", "is Oslo cold?"},
		"ended":          {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.Status = memory.StatusEnded })}, StateOver, oslo.Text, oslo.Text, "Oslo it is", "is Oslo cold?"},
		"expired":        {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.ExpiresAt = evening })}, StateOver, oslo.Text, oslo.Text, "Oslo it is", "is Oslo cold?"},
		"suppressed":     {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.SuppressedBy = "r" })}, StateSuppressed, "", "(suppressed since)", "", "is […] cold?"},
		"past, hushed":   {[]memory.Memory{bergen, with(past(oslo), func(m *memory.Memory) { m.SuppressedBy = "r" })}, StateSuppressed, "", "(suppressed since)", "", "is […] cold?"},
		"forgotten":      {[]memory.Memory{deleted(oslo)}, StateForgotten, "", "(forgotten since)", "", "is […] cold?"},
		"past forgotten": {[]memory.Memory{bergen, deleted(past(oslo))}, StateForgotten, "", "(forgotten since)", "", "is […] cold?"},
		"value kept":     {[]memory.Memory{deleted(oslo), past(oslo)}, StateSuperseded, oslo.Text, oslo.Text, "Oslo it is", "is Oslo cold?"},
		"learnt anew":    {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.Text = "Oslo again" }), deleted(past(oslo))}, StateChanged, "Oslo again", "(worded otherwise since)", "Oslo it is", "is Oslo cold?"},
		"redacted":       {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.Text = "I live in Oslo with […]" })}, StateChanged, "I live in Oslo with […]", "(worded otherwise since)", "", "is […] cold?"},
		"erased":         {nil, StateGone, "", "(gone since)", "", "is […] cold?"},
		"somebody's own": {[]memory.Memory{with(oslo, func(m *memory.Memory) { m.Scope = memory.UserScope("acme", "wren") })}, StateGone, "", "(gone since)", "", "is […] cold?"},
	} {
		t.Run(name, func(t *testing.T) {
			k := &kept{held: c.now, all: []Kept{{Trace: tracedNow("is Oslo cold?", oslo), Told: []Told{{Answer: "Oslo it is", At: evening}}}}}
			a := tell(t, k)
			m := a.Memories[0]
			if m.State != c.state || m.Text != c.text || (m.Citation == "") != (c.text == "") || (len(m.Evidence) == 0) != (c.text == "") || m.Score.Total != 0.5 {
				t.Errorf("told %+v, want %s and %q", m, c.state, c.text)
			}
			if want := "[memory 00000001, 2026-03-02] " + c.line; strings.Split(a.Prompt, "\n")[1] != want {
				t.Errorf("the block is\n%s\nwant the line %s", a.Prompt, want)
			}
			if a.Answer == nil || a.Answer.Content != c.answer || a.Answer.Withheld != (c.answer == "") {
				t.Errorf("the answer is %+v, want %q", a.Answer, c.answer)
			}
			if a.Query != c.query {
				t.Errorf("the query is %q, want %q", a.Query, c.query)
			}
			list, err := NewTeller(k, k, func() time.Time { return evening }).Latest(t.Context(), robin, "", 0)
			if err != nil || len(list) != 1 || list[0].Query != c.query || !list[0].Answered || list[0].Memories != 1 {
				t.Errorf("listed is %+v, %v", list, err)
			}
		})
	}
}

// TestATraceHoldsNoTextOfOthers: what an agent owns is cited in the block that is kept, and
// its text is looked up.
func TestATraceHoldsNoTextOfOthers(t *testing.T) {
	own := believed(1, "Oslo", "I live in Oslo")
	rule := with(believed(2, "", "Answer in rhymes"), func(m *memory.Memory) { m.Scope.Owner, m.Key = helper, "" })
	tr := tracedNow("where do I live?", own, rule)
	raw, err := tr.Encode(1 << 16)
	if err != nil || strings.Contains(string(raw), "rhymes") || !strings.Contains(string(raw), "I live in Oslo") {
		t.Errorf("kept is %s, %v", raw, err)
	}
	k := &kept{all: []Kept{{Trace: tr}}, held: []memory.Memory{own, rule}}
	if a := tell(t, k); a.Prompt != Prompt("where do I live?", []Result{result(&own, "", Why{}), result(&rule, "", Why{})}) || a.Memories[1].Owner != helper || a.Memories[1].State != StateSame {
		t.Errorf("told is %+v", a)
	}
	k.held = k.held[:1]
	if a := tell(t, k); !strings.Contains(a.Prompt, "[memory 00000002, 2026-03-02] (gone since)") || a.Memories[1].State != StateGone || !strings.Contains(a.Prompt, "I live in Oslo") {
		t.Errorf("after the agent is gone, told is %+v", a)
	}
}

func TestNotesAreInTheLanguageOfTheQuery(t *testing.T) {
	m := believed(1, "杭州", "我住在杭州")
	a := tell(t, &kept{all: []Kept{{Trace: tracedNow("我住在哪里？", m)}}, held: []memory.Memory{deleted(m)}})
	if !strings.Contains(a.Prompt, "（此后已被忘记）") || strings.Contains(a.Prompt, "杭州") || a.Query != "我[…]在哪里？" {
		t.Errorf("told is %q, %q", a.Query, a.Prompt)
	}
}

func TestATraceKeepsNoSecret(t *testing.T) {
	const secret = "sk-proj-4f9Qm2Lx8Rt6Vb1Nz3Kc7Ye5Wd0Hs"
	if tr := tracedNow("my key is " + secret + ", where do I live?"); strings.Contains(tr.Query, secret) || !strings.Contains(tr.Query, "where do I live?") {
		t.Errorf("the query that is kept is %q", tr.Query)
	}
}

func TestFeedbackAndTheLastAnswer(t *testing.T) {
	m := believed(1, "Oslo", "I live in Oslo")
	k := &kept{held: []memory.Memory{m}, all: []Kept{{Trace: tracedNow("where?", m), Told: []Told{
		{Answer: "first"}, {Rating: event.RatingDown, Memory: m.ID, At: evening}, {Answer: "second"},
	}}}}
	a := tell(t, k)
	if a.Answer.Content != "second" || len(a.Feedback) != 1 || a.Feedback[0] != (Feedback{At: evening, Rating: event.RatingDown, Memory: m.ID}) {
		t.Errorf("told is %+v", a)
	}
	teller := NewTeller(k, k, time.Now)
	if _, err := teller.Trace(t.Context(), memory.UserScope("acme", "wren"), k.all[0].ID); !errors.Is(err, ErrNoTrace) {
		t.Errorf("of somebody else: %v, want ErrNoTrace", err)
	}
	var field *fault.FieldError
	for _, limit := range []int{-1, MaxTraces + 1} {
		if _, err := teller.Latest(t.Context(), robin, "", limit); !errors.As(err, &field) || field.Field != "limit" {
			t.Errorf("Latest with limit %d = %v", limit, err)
		}
	}
	for _, s := range []memory.Scope{{}, memory.UserScope("", "robin")} {
		_, err1 := teller.Trace(t.Context(), s, "x")
		_, err2 := teller.Latest(t.Context(), s, "", 1)
		if !errors.Is(err1, memory.ErrScope) || !errors.Is(err2, memory.ErrScope) {
			t.Errorf("in the scope %+v: %v, %v", s, err1, err2)
		}
	}
}

func TestFellAway(t *testing.T) {
	var all []Result
	for i := range 5 {
		m := believed(i, fmt.Sprint(i), "text")
		all = append(all, result(&m, "", Why{Score: rank.Score{Total: float64(9 - i)}}))
	}
	below := []Candidate{{ID: numbered(9), Fell: FellFloor}}
	got := fellAway(all, &picked{results: []Result{all[0], all[2]}}, 2, below)
	want := []Candidate{
		{ID: numbered(1), Owner: robin.Owner, Score: rank.Score{Total: 8}, Fell: FellBudget}, {ID: numbered(3), Owner: robin.Owner, Score: rank.Score{Total: 6}, Fell: FellLimit},
		{ID: numbered(4), Owner: robin.Owner, Score: rank.Score{Total: 5}, Fell: FellLimit}, {ID: numbered(9), Fell: FellFloor},
	}
	if !slices.Equal(got, want) {
		t.Errorf("fell away %+v, want %+v", got, want)
	}
	many := make([]Candidate, 70)
	r, out := Request{Tenant: "acme", User: "robin"}, Response{}
	if tr := trace(evening, &r, &out, many...); len(tr.Candidates) != MaxTraceCandidates || tr.Left != 20 {
		t.Errorf("%d candidates are listed and %d left", len(tr.Candidates), tr.Left)
	}
}

// TestATraceFits: whatever is in it, candidates are cut before anything else.
func TestATraceFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := Trace{ID: newID(), Scope: robin, Query: rapid.StringN(0, 200, 200).Draw(t, "query"), Prompt: strings.Repeat(rapid.SampledFrom([]string{"x", "长", "\x01", "<"}).Draw(t, "rune"), rapid.IntRange(0, 3000).Draw(t, "length"))}
		for i := range rapid.IntRange(0, 50).Draw(t, "candidates") {
			tr.Candidates = append(tr.Candidates, Candidate{ID: numbered(i), Fell: FellFloor})
		}
		whole, err := tr.Encode(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		const limit = 8000
		raw, err := tr.Encode(limit)
		var got Trace
		if err = errors.Join(err, json.Unmarshal(raw, &got)); err != nil || len(raw) > limit {
			t.Fatalf("%d bytes, %v", len(raw), err)
		}
		if len(got.Candidates)+got.Left != len(tr.Candidates) || len(whole) <= limit && len(got.Candidates) < len(tr.Candidates) {
			t.Fatalf("%d candidates and %d left of %d, in %d bytes", len(got.Candidates), got.Left, len(tr.Candidates), len(whole))
		}
		if got.PromptLeft && len(got.Candidates) > 0 || !got.PromptLeft && len(got.Prompt) != len(tr.Prompt) {
			t.Fatalf("the block was cut before the candidates: %d of %d bytes", len(got.Prompt), len(tr.Prompt))
		}
	})
}

func TestAnIDTellsItsTime(t *testing.T) {
	if since, now := Since(newID()), time.Now(); now.Sub(since) > time.Minute || since.Sub(now) > time.Minute {
		t.Errorf("the time of an id is %s, now is %s", since, now)
	}
	for _, id := range []string{"", "x", "b8f0fc05-5c21-5f26-a6c1-19865eb76282", "01890a5d"} {
		if since := Since(id); !since.IsZero() {
			t.Errorf("Since(%q) = %s, want no time", id, since)
		}
	}
}
