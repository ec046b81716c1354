// Package reconcile decides what becomes of verified statements, given what is known: the
// whole table of the design (add, refresh, history, refine, supersede, end, dispute). It is
// pure; it never looks anything up, and neither similarity nor an extractor's relation
// alone ever ends a memory.
package reconcile

import (
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
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
)

// Outcome is what became of one statement.
type Outcome string

// The outcomes.
const (
	Remembered Outcome = "remembered"
	Refreshed  Outcome = "refreshed"
	// Unchanged means that this very evidence is known already.
	Unchanged Outcome = "unchanged"
	// NoTarget means that the statement only ends or moves something that is not known.
	NoTarget Outcome = "no_target"
)

// Statement is a verified candidate with the place where it was said.
type Statement struct {
	memory.Candidate
	Evidence memory.Evidence
	Agent    memory.Agent
}

// Input is everything that a decision depends on.
type Input struct {
	// Now is the time of the decision.
	Now      time.Time
	Scope    memory.Scope
	Registry *profile.Registry
	// Statements are in the order in which they were said.
	Statements []Statement
	// Existing are the memories that Needs names, in any status.
	Existing []memory.Memory
}

// Decision is what to append: the changes in order, and for each statement its outcome.
type Decision struct {
	Changes  []ledger.Change
	Outcomes []Outcome
}

// Needs is what has to be loaded before Plan can decide: the memories with these ids; the
// rivals, open and decided, under Keys and the free ones about Keys; all current ones under
// Whole; unless it is zero, the plans that end after PlansSince; every standing request; and
// the tombstones under Keys or with one of the Hashes. All means everything of the owner.
// What is in the archive is loaded like the rest, but for past values.
type Needs struct {
	IDs    []memory.ID
	Keys   []memory.Key
	Whole  []memory.Key
	Hashes []string
	// PlansSince is the time of the earliest statement that could concern a plan.
	PlansSince time.Time
	All        bool
}

// NeedsOf says what Plan needs for the statements.
func NeedsOf(r *profile.Registry, scope memory.Scope, statements []Statement) Needs {
	var n Needs
	for _, s := range statements {
		s = aimed(s)
		n.IDs = append(n.IDs, identity(r, scope, s))
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
			}
		}
		if s.Plan || s.Target != nil && s.Target.Key == "" {
			if at := s.Evidence.At.UTC(); n.PlansSince.IsZero() || at.Before(n.PlansSince) {
				n.PlansSince = at
			}
		}
	}
	compact(&n.IDs)
	compact(&n.Keys)
	compact(&n.Whole)
	return n
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

// Plan decides, statement by statement, each against what the ones before it left.
func Plan(in Input) Decision {
	p := &planner{Input: in, state: make(map[memory.ID]*memory.Memory, len(in.Existing))}
	for i := range in.Existing {
		m := in.Existing[i]
		p.state[m.ID] = &m
	}
	for _, s := range in.Statements {
		p.out.Outcomes = append(p.out.Outcomes, p.decide(s))
	}
	return p.out
}

type planner struct {
	Input
	state map[memory.ID]*memory.Memory
	out   Decision
}

func (p *planner) decide(s Statement) Outcome {
	switch {
	case s.Relation == memory.RelationEnds:
		return p.end(s)
	case s.Key == "":
		return p.free(s)
	default:
		return p.keyed(s)
	}
}

// put records a change and makes it the state that later statements see.
func (p *planner) put(op ledger.Op, m memory.Memory, previous *memory.Memory, reason string) {
	p.out.Changes = append(p.out.Changes, ledger.Change{Op: op, Memory: m, Previous: previous, Reason: reason})
	if op != ledger.OpHistory {
		p.state[m.ID] = &m
	}
}

// fresh is the memory that a statement makes.
func (p *planner) fresh(s Statement, id memory.ID, status memory.Status) memory.Memory {
	said := s.Evidence.At.UTC()
	return memory.Memory{
		ID: id, Scope: p.Scope, Kind: s.Kind, Key: s.Key, About: s.About, Value: s.Value, Text: s.Text,
		Language: s.Language, Stability: s.Stability, Plan: s.Plan, Status: status,
		ValidFrom: utc(s.ValidFrom), ExpiresAt: utc(s.ExpiresAt),
		SaidAt: said, CreatedAt: p.Now.UTC(), ConfirmedAt: said,
		Confidence: s.Confidence, Pinned: s.Pinned, Agent: s.Agent,
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
