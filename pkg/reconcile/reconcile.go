// Package reconcile decides what becomes of verified statements, given what is known: the
// whole table of the design (add, refresh, history, refine, supersede, end, ask), and what
// the user makes of the questions that are asked. It is pure; it never looks anything up,
// and neither similarity nor an extractor's relation alone ever ends a memory.
package reconcile

import (
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/retention"
)

// Reasons of changes, as they stand in the ledger.
const (
	ReasonNew          = "new"
	ReasonRestated     = "restated"
	ReasonChanged      = "change_said"
	ReasonMoreSpecific = "more_specific"
	ReasonLessSpecific = "less_specific"
	ReasonEnded        = "end_said"
	ReasonSaidEarlier  = "said_earlier"
	ReasonUnmarked     = "unmarked_contradiction"
	ReasonDecided      = "decided_by_later_statement"
	ReasonSaidAgain    = "said_again"
	ReasonAsked        = "asked"
	ReasonAnswered     = "answered"
)

// Outcome is what became of one statement.
type Outcome string

// The outcomes.
const (
	Remembered Outcome = "remembered"
	Refreshed  Outcome = "refreshed"
	// Unchanged means that this very evidence is known already.
	Unchanged Outcome = "unchanged"
	// NoTarget means that the statement only ends or moves something that is not known, or
	// that the request concerns nothing that is remembered.
	NoTarget Outcome = "no_target"
	// Forgotten means that the user deleted what it says after it was said.
	Forgotten Outcome = "forgotten"
	// NoOption means that an answer fits no option of its question, which stays open.
	NoOption Outcome = "no_option"
	// Done means that a request or an answer was carried out.
	Done Outcome = "done"
)

// Statement is a verified candidate with the place where it was said.
type Statement struct {
	memory.Candidate
	Evidence memory.Evidence
	Agent    memory.Agent
	// Anew says that it stands behind every request to forget of its message, so that none of
	// them is about it.
	Anew bool
}

// Request is something that the user asks of the memory itself.
type Request struct {
	// Action is ActionForget, ActionSuppress or ActionLift.
	Action memory.Action
	// Topic is what it is about. Without words, keys and ids it is what was pointed at: what
	// the assistant has just said.
	Topic memory.Topic
	// Said is what the assistant said before the request, for a topic that is pointed at.
	Said string
	// Evidence is where it was asked; of a request through an API, its id, time and words.
	Evidence memory.Evidence
}

// Answer is what the user made of an open question.
type Answer struct {
	Question memory.ID
	// Key is the key that the question is about.
	Key      memory.Key
	Decision memory.Decision
	// Value is: with DecisionReplace, the rival that is meant (empty: the only one, or the
	// last); with DecisionOther, the value; with DecisionBoth, the qualification, if any.
	Value    string
	Evidence memory.Evidence
}

// Input is everything that a decision depends on.
type Input struct {
	// Now is the time of the decision.
	Now      time.Time
	Scope    memory.Scope
	Registry *profile.Registry
	Policy   retention.Policy
	// Secret keys the hashes of tombstones.
	Secret []byte
	// Statements are in the order in which they were said, and so are the others.
	Statements []Statement
	Requests   []Request
	Answers    []Answer
	Edits      []Edit
	// Existing are the memories that Needs names, in any status.
	Existing []memory.Memory
}

// Decision is what to append: the changes in order, the questions that they open, change
// or close, and for each statement, request, answer and edit its outcome. Opened are those that
// are open in the end; one that was opened and closed again is in Closed alone.
type Decision struct {
	Changes        []ledger.Change
	Opened, Closed []memory.Question
	Outcomes       []Outcome
	Requested      []Outcome
	Answered       []Outcome
	Edited         []Outcome
}

// Needs is what has to be loaded before Plan can decide: the memories with these ids; the
// rivals, open and decided, under Keys and the free ones about Keys; all current ones under
// Whole; unless it is zero, what PlanUntil says to concern plans at PlansSince or later; every
// standing request; and the tombstones under Keys or with one of the Hashes. What a memory is
// about is what AboutOf says. Standing requests come with what they keep from recall. All means
// everything of the owner. What is in the archive is loaded like the rest, but for past values.
type Needs struct {
	IDs    []memory.ID
	Keys   []memory.Key
	Whole  []memory.Key
	Hashes []string
	// PlansSince is the time of the earliest statement that could concern a plan.
	PlansSince time.Time
	All        bool
	// Free adds the current free memories.
	Free bool
	// Past adds the past values in the archive, and Open the open rivals and what they
	// contradict.
	Past, Open bool
}

// NeedsOf says what Plan needs for the input, whose Existing it does not look at.
func NeedsOf(in Input) Needs {
	var n Needs
	for _, s := range in.Statements {
		n.statement(in, aimed(s))
	}
	if len(in.Requests) > 0 {
		n.request()
	}
	for _, a := range in.Answers {
		n.answer(in, a)
	}
	for _, e := range in.Edits {
		n.edit(in, e)
	}
	compact(&n.IDs)
	compact(&n.Keys)
	compact(&n.Whole)
	compact(&n.Hashes)
	return n
}

func (n *Needs) statement(in Input, s Statement) {
	r, scope := in.Registry, in.Scope
	n.IDs = append(n.IDs, identity(r, scope, s))
	n.Hashes = append(n.Hashes, hashesOf(in, s)...)
	if s.Key != "" {
		n.IDs = append(n.IDs, r.DisputeIdentity(scope, s.Key, s.Value), noteID(r, scope, s.Text))
		n.Keys = append(n.Keys, s.Key)
		if f, ok := r.Field(s.Key); ok && f.Opposite != "" {
			n.Keys = append(n.Keys, f.Opposite)
		}
	}
	if t := s.Target; t != nil {
		n.IDs = append(n.IDs, noteID(r, scope, s.Text))
		if t.Key != "" {
			n.Whole = append(n.Whole, t.Key)
			n.Keys = append(n.Keys, t.Key)
			if f, ok := r.Field(t.Key); ok && f.Opposite != "" {
				n.Keys, n.Open = append(n.Keys, f.Opposite), true
			}
		} else if !t.Plan {
			n.Free = true
		}
	}
	if s.Plan || s.Target != nil && s.Target.Key == "" {
		if at := s.Evidence.At.UTC(); n.PlansSince.IsZero() || at.Before(n.PlansSince) {
			n.PlansSince = at
		}
	}
}

// identity is the statement's canonical id. That of a free memory, which an ending is too,
// is its text's: a short value such as "green" says nothing of what it is the value of.
func identity(r *profile.Registry, scope memory.Scope, s Statement) memory.ID {
	if s.Key == "" || s.Relation == memory.RelationEnds {
		return r.Identity(scope, "", "", s.Text)
	}
	return r.Identity(scope, s.Key, s.Value, s.Text)
}

func compact[T ~string](s *[]T) {
	slices.Sort(*s)
	*s = slices.Compact(*s)
}

// Plan decides, in the order of speech, each against what the ones before it left. Of one
// message, requests come first, then answers, edits and statements; what only points at what was
// said before it comes last.
func Plan(in Input) Decision {
	p := newPlanner(in)
	p.out = Decision{
		Outcomes:  make([]Outcome, len(in.Statements)),
		Requested: make([]Outcome, len(in.Requests)),
		Answered:  make([]Outcome, len(in.Answers)),
		Edited:    make([]Outcome, len(in.Edits)),
	}
	var steps, pointing []step
	for i, r := range in.Requests {
		s := step{r.Evidence, func() { p.out.Requested[i] = p.request(r) }}
		if isEmpty(r.Topic) {
			pointing = append(pointing, s)
		} else {
			steps = append(steps, s)
		}
	}
	for i, a := range in.Answers {
		steps = append(steps, step{a.Evidence, func() { p.out.Answered[i] = p.answer(a) }})
	}
	for i, e := range in.Edits {
		steps = append(steps, step{e.Evidence, func() { p.out.Edited[i] = p.edit(e) }})
	}
	for i, s := range in.Statements {
		steps = append(steps, step{s.Evidence, func() { p.out.Outcomes[i] = p.decide(s) }})
	}
	steps = append(steps, pointing...)
	slices.SortStableFunc(steps, func(a, b step) int { return order(a.said, b.said) })
	for _, s := range steps {
		s.take()
		p.tend()
	}
	return p.decision()
}

// step is one thing that was said, and what it leads to.
type step struct {
	said memory.Evidence
	take func()
}

// order is the order of speech.
func order(a, b memory.Evidence) int {
	switch {
	case a.Before(b):
		return -1
	case b.Before(a):
		return 1
	}
	return 0
}

type planner struct {
	Input
	state map[memory.ID]*memory.Memory
	// questions are the open ones.
	questions map[memory.ID]*question
	// buried are the memories that are or were deleted, tombstones and standing what could
	// concern any of the others.
	buried     map[memory.ID]*memory.Memory
	tombstones *tombstones
	standing   []standing
	// gists are of what standing requests point at, as it is now.
	gists map[memory.ID]*gist
	out   Decision
}

func newPlanner(in Input) *planner {
	p := &planner{Input: in, state: make(map[memory.ID]*memory.Memory, len(in.Existing)), gists: map[memory.ID]*gist{}}
	for i := range in.Existing {
		m := in.Existing[i]
		p.state[m.ID] = &m
	}
	p.recollect()
	p.heed()
	p.gather()
	return p
}

// decision is what has been decided so far.
func (p *planner) decision() Decision {
	p.out.Opened = p.opened()
	return p.out
}

func (p *planner) decide(s Statement) Outcome {
	if p.forgotten(s) {
		return Forgotten
	}
	s.Evidence = p.tombstones.cleaned(s)
	switch {
	case s.Relation == memory.RelationEnds:
		return p.end(s)
	case s.Key == "":
		return p.free(s)
	default:
		return p.keyed(s)
	}
}

// put records a change and makes it the state that later statements see. What is said or
// ended again comes back from the archive by that; what a standing request is about is kept
// from recall.
func (p *planner) put(op ledger.Op, m memory.Memory, previous *memory.Memory, reason string) {
	c := ledger.Change{Op: op, Previous: previous, Reason: reason}
	p.tombstones.redact(&m)
	p.suppressed(&m)
	if op != ledger.OpHistory {
		if !staysPut(op) {
			m.ArchivedAt = time.Time{}
		}
		before := p.state[m.ID]
		c.Moved = before != nil && !before.ArchivedAt.IsZero() && m.ArchivedAt.IsZero()
		p.state[m.ID] = &m
		delete(p.gists, m.ID)
	}
	c.Memory = m
	p.out.Changes = append(p.out.Changes, c)
}

// staysPut reports whether a change leaves a memory in the collection where it is.
func staysPut(op ledger.Op) bool {
	switch op {
	case ledger.OpSuppress, ledger.OpUnsuppress, ledger.OpMark, ledger.OpRedact, ledger.OpRestore:
		return true
	}
	return false
}

// fresh is the memory that a statement makes.
func (p *planner) fresh(s Statement, id memory.ID, status memory.Status) memory.Memory {
	said := s.Evidence.At.UTC()
	field, known := p.Registry.Field(s.Key)
	return memory.Memory{
		ID: id, Scope: p.Scope, Kind: s.Kind, Key: s.Key, About: s.About, Value: s.Value, Text: s.Text,
		Language: s.Language, Stability: s.Stability, Plan: s.Plan, Status: status,
		ValidFrom: utc(s.ValidFrom), ExpiresAt: utc(s.ExpiresAt),
		SaidAt: said, CreatedAt: p.Now.UTC(), ConfirmedAt: said,
		Confidence: s.Confidence, Pinned: s.Pinned, Agent: s.Agent,
		Lasting:  s.Pinned || known && !field.Ages || !s.ExpiresAt.IsZero(), // a date is an end of its own
		Evidence: []memory.Evidence{s.Evidence},
	}
}

// utc keeps the zero time zero.
func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}
