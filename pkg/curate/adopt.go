package curate

import (
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/verify"
)

// Why a memory from elsewhere is not taken, besides the reasons of pkg/verify.
const (
	reasonNotCurrent = "not_current"
	reasonExpired    = "expired"
	reasonEvidence   = "no_evidence"
	reasonLate       = "said_in_the_future"
)

// adoption takes memories from elsewhere, an export or another user, as what was said then:
// with their own evidence and dates, so that what contradicts is asked about.
type adoption struct {
	*Service
	in *reconcile.Input
	// of are the statements that each memory has become, by its place among all.
	of map[int][]int
	// hidden are those that are not to be recalled.
	hidden []memory.ID
}

// take adds a memory's statements, and says why if it has none.
func (a *adoption) take(i int, m *memory.Memory) (why string, refused bool) {
	if m.Status == memory.StatusStanding && m.Suppresses != nil && m.Suppresses.Words != "" && len(m.Evidence) > 0 {
		e := m.Evidence[0]
		e.Seq = 0
		if secret(m.Suppresses.Words) || e.At.After(a.in.Now) {
			return string(verify.ReasonSecret), true
		}
		a.in.Requests = append(a.in.Requests, reconcile.Request{
			Action: memory.ActionSuppress, Topic: memory.Topic{Words: m.Suppresses.Words}, Evidence: e,
		})
		return "", false
	}
	if why, refused = a.unfit(m); why != "" {
		return why, refused
	}
	c := memory.Candidate{
		Kind: m.Kind, Key: m.Key, About: m.About, Value: m.Value, Text: m.Text, Language: m.Language, Stability: m.Stability, Plan: m.Plan,
		ValidFrom: m.ValidFrom, ExpiresAt: m.ExpiresAt, Confidence: min(1, max(m.Confidence, verify.MinConfidence)), Relation: memory.RelationNew, Pinned: m.Pinned,
	}
	for _, e := range m.Evidence {
		e.Seq = 0 // its place in the log is another owner's
		a.of[i] = append(a.of[i], len(a.in.Statements))
		a.in.Statements = append(a.in.Statements, reconcile.Statement{Candidate: c, Evidence: e, Agent: m.Agent})
	}
	if m.SuppressedBy != "" {
		a.hidden = append(a.hidden, a.Registry.Identity(a.in.Scope, m.Key, m.Value, m.Text))
	}
	return "", false
}

// unfit says why a memory is not taken: it is skipped, or refused.
func (a *adoption) unfit(m *memory.Memory) (why string, refused bool) {
	now := a.in.Now
	_, known := a.Registry.Field(m.Key)
	switch {
	case m.Status != memory.StatusCurrent && m.Status != memory.StatusDisputed, m.Origin != "":
		return reasonNotCurrent, false
	case !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(now):
		return reasonExpired, false
	case !m.Kind.Valid():
		return string(verify.ReasonKind), true
	case m.Key != "" && !known:
		return string(verify.ReasonKey), true
	case strings.TrimSpace(m.Text) == "", m.Key != "" && strings.TrimSpace(m.Value) == "":
		return string(verify.ReasonEmpty), true
	case len(m.Text) > verify.MaxText, len(m.Value) > verify.MaxValue:
		return string(verify.ReasonTooLong), true
	case secret(m.Text), secret(m.Value):
		return string(verify.ReasonSecret), true
	case len(m.Evidence) == 0 || len(m.Evidence) > maxEvidence:
		return reasonEvidence, true
	case a.fits("value", m.Key, m.Value) != nil:
		return string(verify.ReasonUngrounded), true
	}
	for _, e := range m.Evidence {
		switch {
		case memory.ValidateID(e.Event) != nil, strings.TrimSpace(e.Quote) == "", e.At.IsZero(), e.Role != memory.RoleUser:
			return reasonEvidence, true
		case len(e.Quote) > 2*verify.MaxText, len(e.Asked) > 2*verify.MaxText, len(e.Thread) > memory.MaxIDBytes:
			return string(verify.ReasonTooLong), true
		case secret(e.Quote), secret(e.Asked):
			return string(verify.ReasonSecret), true
		case e.At.After(now.Add(time.Minute)):
			return reasonLate, true
		}
	}
	return "", false
}

// maxEvidence is how many sources a memory may come with.
const maxEvidence = 8

func secret(text string) bool {
	_, found := guard.Redact(text)
	return len(found) > 0
}

// hide asks not to recall what was kept from it before.
func (a *adoption) hide(place memory.Evidence) {
	if len(a.hidden) > 0 {
		slices.Sort(a.hidden)
		a.in.Requests = append(a.in.Requests, reconcile.Request{
			Action: memory.ActionSuppress, Topic: memory.Topic{IDs: slices.Compact(a.hidden)}, Evidence: place,
		})
	}
}

// became is what became of the i-th memory.
func (a *adoption) became(i int, m *memory.Memory, d reconcile.Decision) (r Result, why string) {
	r = ResultUnchanged
	for j := range d.Changes {
		c := &d.Changes[j]
		if c.Memory.Key == m.Key && c.Memory.Value == m.Value && c.Memory.Text == m.Text {
			if is, ok := results[c.Op]; ok && c.Op != ledger.OpSuppress {
				r = more(r, is)
			}
		}
	}
	for _, st := range a.of[i] {
		if r == ResultUnchanged && d.Outcomes[st] == reconcile.Forgotten {
			return ResultRefused, string(reconcile.Forgotten)
		}
	}
	return r, ""
}
