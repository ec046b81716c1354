package stream

import (
	"fmt"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

const (
	eventPrefix    = "mem.events."
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

// emptyToken stands for the empty id: a lone escape mark, which no other id yields.
const emptyToken = "="

const upperHex = "0123456789ABCDEF"

// Token makes an id one subject token (and one KV key part): letters, digits, '-' and '_'
// of ASCII stand for themselves, every other byte becomes '=' and two upper-case hex
// digits. It is injective, Untoken is its inverse, and it is never empty. A valid id gives
// at most 768 bytes.
func Token(id string) string {
	if id == "" {
		return emptyToken
	}
	var b strings.Builder
	b.Grow(len(id))
	for i := range len(id) {
		c := id[i]
		if plain(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('=')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&0xf])
	}
	return b.String()
}

// Untoken is the inverse of Token. A token that Token never makes is an error wrapping
// ErrSubject, so that two subjects never name the same id.
func Untoken(token string) (string, error) {
	if token == emptyToken {
		return "", nil
	}
	var b strings.Builder
	b.Grow(len(token))
	for i := 0; i < len(token); i++ {
		c := token[i]
		if plain(c) {
			b.WriteByte(c)
			continue
		}
		if c != '=' || i+2 >= len(token) {
			return "", fmt.Errorf("%w: token %.80q", ErrSubject, token)
		}
		hi, lo := strings.IndexByte(upperHex, token[i+1]), strings.IndexByte(upperHex, token[i+2])
		if hi < 0 || lo < 0 || plain(byte(hi<<4|lo)) {
			return "", fmt.Errorf("%w: token %.80q", ErrSubject, token)
		}
		b.WriteByte(byte(hi<<4 | lo))
		i += 2
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("%w: empty token", ErrSubject)
	}
	return b.String(), nil
}

func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// EventSubject is where the events of a thread are stored: mem.events.<tenant>.<user>.<thread>.
func EventSubject(r memory.ThreadRef) string { return eventPrefix + threadTokens(r) }

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

func threadTokens(r memory.ThreadRef) string {
	return Token(string(r.Tenant)) + "." + Token(string(r.User)) + "." + Token(string(r.Thread))
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
	return emptyToken
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
