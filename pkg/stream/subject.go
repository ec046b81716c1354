package stream

import (
	"fmt"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/subject"
)

const (
	eventPrefix    = subject.EventPrefix
	timerSetPrefix = "mem.timer.set."
	timerDuePrefix = "mem.timer.due."
	ledgerPrefix   = "mem.ledger."
	recallsPrefix  = "mem.recalls."
	deadPrefix     = "mem.dead."
)

// The owner token is a kind mark followed by the id's token, so that a user can never be
// taken for an agent of the same id, nor either for the tenant itself.
const (
	userMark   = "u_"
	agentMark  = "a_"
	tenantMark = "t"
)

// Token makes an id one subject token (and one KV key part): see subject.Token.
func Token(id string) string { return subject.Token(id) }

// Untoken is the inverse of Token. A token that Token never makes is an error wrapping
// ErrSubject, so that two subjects never name the same id.
func Untoken(token string) (string, error) { return subject.Untoken(token) }

// EventSubject is where the events of a thread are stored: mem.events.<tenant>.<user>.<thread>.
func EventSubject(r memory.ThreadRef) string { return subject.Event(r) }

// LedgerSubject is where the change sets of an owner stand: mem.ledger.<tenant>.<owner>.
func LedgerSubject(s memory.Scope) string { return ledgerPrefix + scopeTokens(s) }

// RecallsSubject is where the recall traces of a user stand: mem.recalls.<tenant>.<user>.
func RecallsSubject(t memory.Tenant, u memory.User) string {
	return recallsPrefix + Token(string(t)) + "." + Token(string(u))
}

// DeadSubject is where what a stage gave up is parked: mem.dead.<stage>.<tenant>.<owner>.
// The zero scope stands for letters that no owner could be found for.
func DeadSubject(stage string, s memory.Scope) string {
	return deadPrefix + Token(stage) + "." + scopeTokens(s)
}

// ParseThreadSubject reads the thread out of a subject made by EventSubject. Its error wraps
// ErrSubject, or memory.ErrScope when an id is none.
func ParseThreadSubject(subject string) (memory.ThreadRef, error) {
	var zero memory.ThreadRef
	rest, ok := strings.CutPrefix(subject, eventPrefix)
	if !ok {
		return zero, fmt.Errorf("%w: %.200q", ErrSubject, subject)
	}
	ids, err := untokens(rest, 3)
	if err != nil {
		return zero, fmt.Errorf("parse %.200q: %w", subject, err)
	}
	r := memory.ThreadRef{Tenant: memory.Tenant(ids[0]), User: memory.User(ids[1]), Thread: memory.Thread(ids[2])}
	if err := r.Validate(); err != nil {
		return zero, fmt.Errorf("parse %.200q: %w", subject, err)
	}
	return r, nil
}

// ParseLedgerSubject reads the owner out of a subject made by LedgerSubject. Its error
// wraps ErrSubject, or memory.ErrScope when an id is none.
func ParseLedgerSubject(subject string) (memory.Scope, error) {
	rest, ok := strings.CutPrefix(subject, ledgerPrefix)
	tenant, owner, two := strings.Cut(rest, ".")
	if !ok || !two {
		return memory.Scope{}, fmt.Errorf("%w: %.200q", ErrSubject, subject)
	}
	s, err := parseScope(tenant, owner)
	if err != nil {
		return memory.Scope{}, fmt.Errorf("parse %.200q: %w", subject, err)
	}
	return s, nil
}

func parseScope(tenantToken, ownerToken string) (memory.Scope, error) {
	tenant, err := Untoken(tenantToken)
	if err != nil {
		return memory.Scope{}, err
	}
	owner, err := parseOwner(ownerToken)
	if err != nil {
		return memory.Scope{}, err
	}
	s := memory.Scope{Tenant: memory.Tenant(tenant), Owner: owner}
	return s, s.Validate()
}

func scopeTokens(s memory.Scope) string { return Token(string(s.Tenant)) + "." + ownerToken(s.Owner) }

func ownerToken(o memory.Owner) string {
	switch o.Kind {
	case memory.OwnerUser:
		return userMark + Token(o.ID)
	case memory.OwnerAgent:
		return agentMark + Token(o.ID)
	case memory.OwnerTenant:
		return tenantMark
	}
	return Token("")
}

func parseOwner(token string) (memory.Owner, error) {
	if token == tenantMark {
		return memory.Owner{Kind: memory.OwnerTenant}, nil
	}
	kind := memory.OwnerUser
	rest, ok := strings.CutPrefix(token, userMark)
	if !ok {
		kind = memory.OwnerAgent
		if rest, ok = strings.CutPrefix(token, agentMark); !ok {
			return memory.Owner{}, fmt.Errorf("%w: owner token %.80q", ErrSubject, token)
		}
	}
	id, err := Untoken(rest)
	return memory.Owner{Kind: kind, ID: id}, err
}

func untokens(rest string, n int) ([]string, error) {
	tokens := strings.Split(rest, ".")
	if len(tokens) != n {
		return nil, fmt.Errorf("%w: %d tokens, want %d", ErrSubject, len(tokens), n)
	}
	for i, token := range tokens {
		id, err := Untoken(token)
		if err != nil {
			return nil, err
		}
		tokens[i] = id
	}
	return tokens, nil
}
