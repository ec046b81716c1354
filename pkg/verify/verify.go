// Package verify refuses candidates that are not borne out by what was said, whatever
// produced them. It is pure and the same for rules and models: evidence or nothing.
package verify

import (
	"math"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Reason says why a candidate was refused; the empty Reason means that it was not.
type Reason string

// The reasons.
const (
	ReasonNoMessage    Reason = "no_such_message"
	ReasonRole         Reason = "source_not_allowed"
	ReasonQuote        Reason = "quote_not_in_message"
	ReasonQuoted       Reason = "quoted_speech"
	ReasonSupposed     Reason = "supposed"
	ReasonAsked        Reason = "question_not_in_message"
	ReasonUngrounded   Reason = "not_in_evidence"
	ReasonUnsaidEnd    Reason = "ending_not_said"
	ReasonTransient    Reason = "transient"
	ReasonDates        Reason = "implausible_dates"
	ReasonKind         Reason = "unknown_kind"
	ReasonKey          Reason = "unknown_key"
	ReasonEmpty        Reason = "empty"
	ReasonTooLong      Reason = "too_long"
	ReasonSecret       Reason = "secret"
	ReasonConfidence   Reason = "low_confidence"
	ReasonNotToBeSaved Reason = "user_asked_not_to_save"
	ReasonTooMany      Reason = "too_many_statements"
)

// Bounds of a memory, in bytes, and the least confidence.
const (
	MaxText       = 1000
	MaxValue      = 500
	MinConfidence = 0.5
)

// How far a date may lie from the message that states it.
const (
	maxPast   = 150 * 366 * 24 * time.Hour
	maxFuture = 60 * 366 * 24 * time.Hour
)

// Candidate checks one candidate against the messages it refers to by number, and adjusts
// what it says about other memories to what its words bear out. A target that is of another
// matter is taken away, and an update without a sign of a change, or with such a target,
// becomes memory.RelationNew, so that a rival value asks instead of replacing one. Nothing
// else in *c changes, nor does what c.Target points to. An ending without a sign of an ending
// is refused. What a refused candidate says is undefined.
func Candidate(c *memory.Candidate, messages map[int]memory.Message, r *profile.Registry) Reason {
	m, ok := messages[c.Source.Message]
	if !ok {
		return ReasonNoMessage
	}
	if m.Role != memory.RoleUser || m.Context {
		return ReasonRole
	}
	if !Quoted(m.Content, c.Source.Quote) {
		return ReasonQuote
	}
	if why := spoken(m.Content, c.Source.Quote); why != "" {
		return why
	}
	evidence := c.Source.Quote
	if c.Source.AskedMessage != 0 {
		q, ok := messages[c.Source.AskedMessage]
		if !ok || q.Role != memory.RoleAssistant || !Quoted(q.Content, c.Source.AskedQuote) {
			return ReasonAsked
		}
		evidence += "\n" + c.Source.AskedQuote
	}
	for _, check := range []Reason{form(c, r), content(c, evidence), dates(c, m.At)} {
		if check != "" {
			return check
		}
	}
	return relate(c, m.Content, r)
}

// form checks sizes, kind, key and confidence.
func form(c *memory.Candidate, r *profile.Registry) Reason {
	switch {
	case strings.TrimSpace(c.Text) == "":
		return ReasonEmpty
	case len(c.Text) > MaxText || len(c.Value) > MaxValue || len(c.Source.Quote) > 2*MaxText || len(c.Source.AskedQuote) > 2*MaxText:
		return ReasonTooLong
	case c.Target != nil && len(c.Target.Value) > MaxValue:
		return ReasonTooLong
	case !c.Kind.Valid():
		return ReasonKind
	case math.IsNaN(c.Confidence) || c.Confidence < MinConfidence || c.Confidence > 1:
		return ReasonConfidence
	case c.Stability == memory.Transient && c.Relation != memory.RelationEnds:
		return ReasonTransient
	}
	keys := []memory.Key{c.Key, c.About}
	if c.Target != nil {
		keys = append(keys, c.Target.Key)
	}
	for _, k := range keys {
		if _, ok := r.Field(k); k != "" && !ok {
			return ReasonKey
		}
	}
	if c.Key != "" && strings.TrimSpace(c.Value) == "" && c.Relation != memory.RelationEnds {
		return ReasonEmpty
	}
	return ""
}

// content checks that nothing secret is kept and that numbers and names come from the
// evidence.
func content(c *memory.Candidate, evidence string) Reason {
	if secret(c.Source.Quote) || secret(c.Source.AskedQuote) ||
		c.Text != c.Source.Quote && secret(c.Text) || c.Value != c.Text && secret(c.Value) {
		return ReasonSecret
	}
	if !grounded(c.Text, evidence) || !grounded(c.Value, evidence) || !worded(c.Value, evidence, minValueShare) {
		return ReasonUngrounded
	}
	if c.Source.AskedQuote == "" && !worded(c.Text, evidence, minTextShare) {
		return ReasonUngrounded
	}
	return ""
}

func secret(s string) bool {
	_, found := guard.Redact(s)
	return len(found) > 0 || strings.Contains(s, "[redacted:")
}

func dates(c *memory.Candidate, at time.Time) Reason {
	for _, t := range []time.Time{c.ValidFrom, c.ExpiresAt} {
		if !t.IsZero() && (t.Before(at.Add(-maxPast)) || t.After(at.Add(maxFuture))) {
			return ReasonDates
		}
	}
	switch {
	case !c.ValidFrom.IsZero() && !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(c.ValidFrom):
		return ReasonDates
	case c.Stability == memory.Dated && c.ExpiresAt.IsZero():
		return ReasonDates
	case c.Plan && !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(at):
		return ReasonDates
	}
	return ""
}
