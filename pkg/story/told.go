package story

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Looked are the steps that tell of recalls, or look at what was told, and at profiles.
type Looked struct {
	ModelAnswer   *ModelAnswer    `json:"answer"`
	Trace         *TraceOf        `json:"trace"`
	Recalls       *RecallsOf      `json:"recalls"`
	ProfileOf     *Owner          `json:"profile"`
	ProfileSchema json.RawMessage `json:"profile_schema"`
}

func (l *Looked) any() bool {
	return l.ModelAnswer != nil || l.Trace != nil || l.Recalls != nil || l.ProfileOf != nil || l.ProfileSchema != nil
}

// ModelAnswer is what a model said after a recall.
type ModelAnswer struct {
	Content  string `json:"content"`
	RecallID string `json:"recall_id"`
}

// TraceOf names a recall: the last one, or the user's nth last.
type TraceOf struct {
	Owner
	Nth int `json:"nth"`
}

// RecallsOf asks for the last recalls of a user.
type RecallsOf struct {
	Owner
	Thread memory.Thread `json:"thread"`
	Limit  int           `json:"limit"`
}

// Told is what must be true of the answer to such a step.
type Told struct {
	// States are those of the memories that were handed out, in order.
	States []recall.State `json:"states"`
	// TraceHas and TraceLacks are parts of the whole answer.
	TraceHas   []string `json:"trace_has"`
	TraceLacks []string `json:"trace_lacks"`
	// Injected and NotInjected are parts of the block.
	Injected    []string `json:"injected"`
	NotInjected []string `json:"not_injected"`
	// ModelSaid is a part of the answer; "-" is none, and "withheld" one that is not shown.
	ModelSaid string `json:"model_said"`
	// Rated are the ratings, in order.
	Rated []event.Rating `json:"rated"`
	// Fell counts the candidates that were not handed out, by reason.
	Fell map[recall.Fell]int `json:"fell"`
	// Listed are parts of the queries, the newest first.
	Listed []string `json:"listed"`

	// WholeProfile is the document; Disputed are the pointers of what is disputed in it.
	WholeProfile json.RawMessage `json:"profile"`
	Disputed     []string        `json:"disputed"`
	Unfit        []Unfit         `json:"unfit"`
}

// Unfit is a memory that the schema has no place for.
type Unfit struct {
	Key    memory.Key `json:"key"`
	Value  string     `json:"value"`
	Reason string     `json:"reason"`
}

// look takes such a step.
func (r *run) look(ctx context.Context, s *Step) (faults, error) {
	r.sim.Clock.Advance(s.At)
	switch {
	case s.ModelAnswer != nil:
		return nil, r.answered(ctx, s)
	case s.Trace != nil:
		return r.trace(ctx, s)
	case s.Recalls != nil:
		q := s.Recalls.params()
		if s.Recalls.Thread != "" {
			q.Set("thread", string(s.Recalls.Thread))
		}
		if s.Recalls.Limit > 0 {
			q.Set("limit", fmt.Sprint(s.Recalls.Limit))
		}
		list, raw, err := r.latest(ctx, q)
		if err != nil || s.Expect == nil {
			return nil, err
		}
		return s.Expect.listed(list, raw), nil
	case s.ProfileOf != nil:
		return r.profile(ctx, s)
	default:
		file := filepath.Join(r.sim.Dir, "profile.schema.json")
		if err := os.WriteFile(file, s.ProfileSchema, 0o600); err != nil {
			return nil, fmt.Errorf("write profile schema: %w", err)
		}
		return nil, r.sim.Restart(ctx, func(c *app.Config) { c.Profile.Schema = file })
	}
}

func (o Owner) params() url.Values {
	scope := o.scope()
	return url.Values{"tenant": {string(scope.Tenant)}, "user": {scope.Owner.ID}}
}

// lastRecall is the id of the last recall, whose trace is kept by now.
func (r *run) lastRecall(ctx context.Context) (string, error) {
	var last struct {
		ID string `json:"recall_id"`
	}
	if err := json.Unmarshal(r.recalled, &last); err != nil {
		return "", fmt.Errorf("no recall before it: %w", err)
	}
	deadline := time.Now().Add(expectTimeout)
	for {
		_, err := r.sim.Stack.Teller.Trace(ctx, r.recalledOf, last.ID)
		if r.traced == last.ID || !errors.Is(err, recall.ErrNoTrace) || time.Now().After(deadline) {
			r.traced = last.ID // from now on it may be gone
			return last.ID, nil
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// answered sends what the model said.
func (r *run) answered(ctx context.Context, s *Step) error {
	a := *s.ModelAnswer
	if a.RecallID == "" {
		var err error
		if a.RecallID, err = r.lastRecall(ctx); err != nil {
			return err
		}
	}
	e, err := r.event(s, s.At, event.Turn{})
	if err != nil {
		return err
	}
	e.Type = event.TypeAnswer
	if e.Data, err = json.Marshal(event.Answer{RecallID: a.RecallID, Content: a.Content}); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	seq, err := r.sim.Publish(ctx, e)
	if err != nil {
		return err
	}
	return r.sim.Settle(ctx, e.Ref(), seq)
}

func (r *run) latest(ctx context.Context, q url.Values) ([]recall.Summary, []byte, error) {
	raw, err := r.sim.Call(ctx, http.MethodGet, "/v1/recalls?"+q.Encode(), nil)
	if err != nil {
		return nil, nil, err
	}
	var list struct {
		Recalls []recall.Summary `json:"recalls"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, nil, fmt.Errorf("recalls: %w", err)
	}
	return list.Recalls, raw, nil
}

// trace looks at what a recall did.
func (r *run) trace(ctx context.Context, s *Step) (faults, error) {
	id, err := r.lastRecall(ctx)
	if err != nil {
		return nil, err
	}
	q := s.Trace.params()
	if n := s.Trace.Nth; n > 0 {
		list, _, err := r.latest(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(list) < n {
			return nil, fmt.Errorf("trace: there are %d recalls, want %d", len(list), n)
		}
		id = list[n-1].RecallID
	}
	raw, err := r.sim.Call(ctx, http.MethodGet, "/v1/recalls/"+url.PathEscape(id)+"?"+q.Encode(), nil)
	if err != nil || s.Expect == nil {
		return nil, err
	}
	return s.Expect.traced(raw), nil
}

// traced checks an account of a recall.
func (t *Told) traced(raw []byte) faults {
	var f faults
	var a recall.Account
	if err := json.Unmarshal(raw, &a); err != nil {
		f.addf("trace: %v", err)
		return f
	}
	var states []recall.State
	for _, m := range a.Memories {
		states = append(states, m.State)
	}
	if t.States != nil && !slices.Equal(states, t.States) {
		f.addf("states: %q, want %q", states, t.States)
	}
	t.mentions(raw, &f)
	for _, part := range t.Injected {
		if !contains(a.Prompt, part) {
			f.addf("injected: %q lacks %q", a.Prompt, part)
		}
	}
	for _, part := range t.NotInjected {
		if contains(a.Prompt, part) {
			f.addf("not_injected: %q has %q", a.Prompt, part)
		}
	}
	t.said(a.Answer, &f)
	var rated []event.Rating
	for _, x := range a.Feedback {
		rated = append(rated, x.Rating)
	}
	if t.Rated != nil && !slices.Equal(rated, t.Rated) {
		f.addf("rated: %q, want %q", rated, t.Rated)
	}
	fell := map[recall.Fell]int{}
	for _, c := range a.Candidates {
		fell[c.Fell]++
	}
	for reason, n := range t.Fell {
		if fell[reason] != n {
			f.addf("fell: %d by %s, want %d", fell[reason], reason, n)
		}
	}
	return f
}

func (t *Told) mentions(raw []byte, f *faults) {
	for _, part := range t.TraceHas {
		if !contains(string(raw), part) {
			f.addf("trace_has: %q is not in %s", part, raw)
		}
	}
	for _, part := range t.TraceLacks {
		if contains(string(raw), part) {
			f.addf("trace_lacks: %q is in %s", part, raw)
		}
	}
}

func (t *Told) said(a *recall.Answer, f *faults) {
	switch {
	case t.ModelSaid == "":
	case t.ModelSaid == "-":
		if a != nil {
			f.addf("model_said: %+v, want nothing", *a)
		}
	case a == nil:
		f.addf("model_said: nothing, want %q", t.ModelSaid)
	case t.ModelSaid == "withheld":
		if !a.Withheld || a.Content != "" {
			f.addf("model_said: %+v, want that it is withheld", *a)
		}
	case !contains(a.Content, t.ModelSaid):
		f.addf("model_said: %q lacks %q", a.Content, t.ModelSaid)
	}
}

// listed checks a list of recalls.
func (t *Told) listed(list []recall.Summary, raw []byte) faults {
	var f faults
	var queries []string
	for _, s := range list {
		queries = append(queries, s.Query)
	}
	if t.Listed != nil && !slices.EqualFunc(queries, t.Listed, contains) {
		f.addf("listed: %q, want %q", queries, t.Listed)
	}
	t.mentions(raw, &f)
	return f
}

// profile looks at a profile: it is valid, and each value has a memory that is there.
func (r *run) profile(ctx context.Context, s *Step) (faults, error) {
	raw, err := r.sim.Call(ctx, http.MethodGet, "/v1/profile?"+s.ProfileOf.params().Encode(), nil)
	if err != nil {
		return nil, err
	}
	var p recall.Profile
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	var f faults
	if err := r.sim.Stack.Registry.Validate(p.Profile); err != nil {
		f.addf("profile: %v", err)
	}
	held, err := r.held(ctx, s.ProfileOf.scope())
	if err != nil {
		return f, err
	}
	for pointer, source := range p.Sources {
		if !slices.ContainsFunc(held.active, func(m memory.Memory) bool { return m.ID == source.Memory && source.Citation == recall.Citation(&m) }) {
			f.addf("profile: no active memory %s behind %s", source.Memory, pointer)
		}
	}
	if n := leaves(p.Profile); n != len(p.Sources) {
		f.addf("profile: %d values with %d sources", n, len(p.Sources))
	}
	if s.Expect != nil {
		s.Expect.known(&p, &f)
		s.Expect.mentions(raw, &f)
	}
	return f, nil
}

// leaves counts the values of a document.
func leaves(v any) int {
	n := 0
	switch node := v.(type) {
	case map[string]any:
		for _, child := range node {
			n += leaves(child)
		}
	case []any:
		for _, child := range node {
			n += leaves(child)
		}
	default:
		n = 1
	}
	return n
}

// known checks what a profile says.
func (t *Told) known(p *recall.Profile, f *faults) {
	if t.WholeProfile != nil {
		var want map[string]any
		got, err := json.Marshal(p.Profile)
		if err = errors.Join(err, json.Unmarshal(t.WholeProfile, &want)); err != nil {
			f.addf("profile: %v", err)
		} else if sorted, err := json.Marshal(want); err != nil || !bytes.Equal(got, sorted) {
			f.addf("profile: %s, want %s", got, sorted)
		}
	}
	var disputed []string
	for pointer, s := range p.Sources {
		if s.Disputed {
			disputed = append(disputed, pointer)
		}
	}
	slices.Sort(disputed)
	if t.Disputed != nil && !slices.Equal(disputed, t.Disputed) {
		f.addf("disputed: %q, want %q", disputed, t.Disputed)
	}
	if t.Unfit == nil {
		return
	}
	if len(p.Unfit) != len(t.Unfit) {
		f.addf("unfit: %+v, want %+v", p.Unfit, t.Unfit)
		return
	}
	for i, want := range t.Unfit {
		got := p.Unfit[i]
		if got.Key != want.Key || got.Value != want.Value || !strings.Contains(got.Reason, want.Reason) {
			f.addf("unfit: %+v, want %+v", got, want)
		}
	}
}
