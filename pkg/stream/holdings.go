package stream

import (
	"context"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// The names of the places where an owner's data stands.
const (
	PlaceEvents    = "events"
	PlaceTimers    = "timers"
	PlaceThreads   = "thread_cache"
	PlaceQuestions = "questions"
	PlaceWorking   = "working_memory"
	PlaceRecalls   = "recall_traces"
	PlaceDead      = "dead_letters"
	// PlaceUnplaced is the dead letters of events whose subjects name a user, but no thread.
	PlaceUnplaced   = "unplaced_dead_letters"
	PlaceEmbeddings = "embedding_cache"
	// PlaceKeys is the API keys that are bound to the owner; of a tenant, all of them.
	PlaceKeys = "api_keys"
	// PlaceReplies is the replies to requests that may be repeated.
	PlaceReplies = "replies"
	// PlaceConsumers is the durable consumers that somebody made for one owner's subjects:
	// their filters name the owner.
	PlaceConsumers = "consumers"
	PlaceLedger    = "change_sets"
)

// holding is what one stream holds of an owner.
type holding struct {
	name, stream string
	// subject matches all of it; empty when the owner can have none.
	subject func(memory.Scope) string
	// readable says that the subjects hold names; else they hold hashes.
	readable bool
	// upTo bounds the sequences within a horizon, and within decides among them; nil bounds
	// nothing.
	upTo   func(Horizon) uint64
	within func(Horizon, memory.Scope, message) bool
	// before is done before a message is overwritten, for whoever will not hear of that; nil
	// is nothing.
	before func(context.Context, *source, message) error
}

// holdings is where an owner's data stands, stream by stream. A bucket that nothing is
// written to yet stands here already: its keys are to begin with Names.owner.
func holdings(names Names) []holding {
	return []holding{
		{name: PlaceEvents, stream: StreamEvents, subject: ofUser(eventPrefix, ".>"), readable: true, upTo: Horizon.events},
		{name: PlaceTimers, stream: StreamTimers, subject: names.subject("mem.timer.*."), within: timerWithin},
		{name: PlaceThreads, stream: bucketStream(BucketThreads), subject: names.subject(bucketPrefix(BucketThreads)), within: olderWithin},
		questionsHolding,
		{name: PlaceWorking, stream: bucketStream(BucketWorking), subject: names.subject(bucketPrefix(BucketWorking)), within: olderWithin},
		{name: PlaceRecalls, stream: StreamRecalls, subject: ofUser(recallsPrefix, ""), readable: true, within: olderWithin},
		{name: PlaceDead, stream: StreamDead, subject: ofOwner(deadPrefix+"*.", ""), readable: true, within: letterWithin},
		{name: PlaceUnplaced, stream: StreamDead, subject: unplaced, within: unplacedWithin},
		{name: PlaceEmbeddings, stream: bucketStream(BucketEmbeddings), subject: names.subject(bucketPrefix(BucketEmbeddings)), within: olderWithin},
		{name: PlaceKeys, stream: bucketStream(BucketKeys), subject: names.subject(bucketPrefix(BucketKeys)), within: keyWithin, before: revokeErased},
		{name: PlaceReplies, stream: bucketStream(BucketReplies), subject: names.subject(bucketPrefix(BucketReplies)), within: olderWithin},
		{name: PlaceLedger, stream: StreamLedger, subject: ofOwner(ledgerPrefix, ""), readable: true, upTo: Horizon.ledger},
	}
}

var questionsHolding = holding{
	name: PlaceQuestions, stream: bucketStream(BucketQuestions), subject: ofOwner(bucketPrefix(BucketQuestions), ".>"),
	readable: true, within: func(h Horizon, _ memory.Scope, m message) bool { return ledgerSeq(m) <= h.Ledger },
}

func (h Horizon) events() uint64 { return h.Events }
func (h Horizon) ledger() uint64 { return h.Ledger }

// ofOwner makes subjects of the tenant's and the owner's tokens, with tail after them; for
// a tenant, of all its owners.
func ofOwner(prefix, tail string) func(memory.Scope) string {
	return func(s memory.Scope) string {
		if s.Owner.Kind == memory.OwnerTenant {
			return prefix + Token(string(s.Tenant)) + ".>"
		}
		return prefix + scopeTokens(s) + tail
	}
}

// ofUser makes subjects of the tenant's and the user's tokens. An agent has none: a user may
// bear its name.
func ofUser(prefix, tail string) func(memory.Scope) string {
	return func(s memory.Scope) string {
		switch s.Owner.Kind {
		case memory.OwnerTenant:
			return prefix + Token(string(s.Tenant)) + ".>"
		case memory.OwnerUser:
			return prefix + Token(string(s.Tenant)) + "." + Token(s.Owner.ID) + tail
		}
		return ""
	}
}

// subject makes subjects of the tenant's and the owner's hashes.
func (n Names) subject(prefix string) func(memory.Scope) string {
	return func(s memory.Scope) string {
		if s.Owner.Kind == memory.OwnerTenant {
			return prefix + n.tenant(s.Tenant) + ".>"
		}
		return prefix + n.owner(s) + ".>"
	}
}

// unplaced is the subject of the letters that no owner could be found for.
func unplaced(s memory.Scope) string {
	if s.Owner.Kind == memory.OwnerAgent {
		return ""
	}
	return deadPrefix + "*." + scopeTokens(memory.Scope{})
}

func timerWithin(h Horizon, _ memory.Scope, m message) bool {
	return decodePending(m.data).Seq <= h.Events
}

func olderWithin(h Horizon, _ memory.Scope, m message) bool {
	return h.At.IsZero() || !m.at.After(h.At)
}

// letterWithin takes a letter that holds any event of the horizon: those beyond it are
// consumed anew, since their checkpoint is erased.
func letterWithin(h Horizon, s memory.Scope, m message) bool {
	entry, err := decodeEntry(m)
	if err != nil || len(entry.Events) == 0 {
		return olderWithin(h, s, m)
	}
	return slices.ContainsFunc(entry.Events, func(e DeadEvent) bool { return e.Seq <= h.Events })
}

// unplacedWithin takes a letter that holds any such event on a subject of the scope.
func unplacedWithin(h Horizon, s memory.Scope, m message) bool {
	entry, err := decodeEntry(m)
	if err != nil {
		return false
	}
	pattern := ofUser(eventPrefix, ".>")(s)
	return slices.ContainsFunc(entry.Events, func(e DeadEvent) bool { return e.Seq <= h.Events && covers(pattern, e.Subject) })
}

// covers reports whether a subject, or a filter, lies within a pattern, whose "*" stand for
// any token and whose ".>" for any rest.
func covers(pattern, subject string) bool {
	want := strings.Split(strings.TrimSuffix(pattern, ".>"), ".")
	have := strings.Split(subject, ".")
	if len(have) < len(want) {
		return false
	}
	for i, token := range want {
		if token != "*" && token != have[i] {
			return false
		}
	}
	return true
}
