// Package verify refuses candidates that are not borne out by what was said, whatever
// produced them. It is pure and the same for rules and models: evidence or nothing.
package verify

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Reason says why a candidate was refused; the empty Reason means that it was not.
type Reason string

// The reasons.
const (
	ReasonNoMessage     Reason = "no_such_message"
	ReasonRole          Reason = "source_not_allowed"
	ReasonQuote         Reason = "quote_not_in_message"
	ReasonAsked         Reason = "question_not_in_message"
	ReasonUngrounded    Reason = "not_in_evidence"
	ReasonTransient     Reason = "transient"
	ReasonDates         Reason = "implausible_dates"
	ReasonKind          Reason = "unknown_kind"
	ReasonKey           Reason = "unknown_key"
	ReasonEmpty         Reason = "empty"
	ReasonTooLong       Reason = "too_long"
	ReasonSecret        Reason = "secret"
	ReasonConfidence    Reason = "low_confidence"
	ReasonNotToBeSaved  Reason = "user_asked_not_to_save"
	ReasonTooMany       Reason = "too_many_statements"
	ReasonUnsupportedDo Reason = "directive_not_available"
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

// Candidate checks one candidate against the messages it refers to by number.
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
	return ""
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
	for _, s := range []string{c.Text, c.Value, c.Source.Quote, c.Source.AskedQuote} {
		if _, found := guard.Redact(s); len(found) > 0 || strings.Contains(s, "[redacted:") {
			return ReasonSecret
		}
	}
	if !grounded(c.Text+"\n"+c.Value, evidence) {
		return ReasonUngrounded
	}
	return ""
}

var (
	numbers = regexp.MustCompile(`[0-9]+`)
	words   = regexp.MustCompile(`\p{L}[\p{L}\p{M}'’-]+`)
)

// grounded reports whether the numbers of text, and its Latin words with a capital letter,
// stand in the evidence: they are what a model is most apt to invent. A number must stand
// there in whole. "I" is no name, and neither is the "My" of an answer put into a sentence.
func grounded(text, evidence string) bool {
	text, evidence = width.Fold.String(text), width.Fold.String(evidence)
	given := numbers.FindAllString(evidence, -1)
	for _, n := range numbers.FindAllString(text, -1) {
		if !slices.Contains(given, n) {
			return false
		}
	}
	folded := Fold(evidence)
	for _, w := range words.FindAllString(text, -1) {
		first, _ := utf8.DecodeRuneInString(w)
		if unicode.IsUpper(first) && w != "My" && !strings.Contains(folded, Fold(w)) {
			return false
		}
	}
	return true
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

// Quoted reports whether quote stands in content: white space, punctuation, letter case
// and character width are folded, and nothing fuzzier.
func Quoted(content, quote string) bool {
	q := Fold(quote)
	return q != "" && strings.Contains(Fold(content), q)
}

// Fold is text without what quoting changes: white space, punctuation, case and width.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range width.Fold.String(s) {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r) || unicode.IsMark(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
