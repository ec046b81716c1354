package memory

import (
	"slices"
	"time"
)

// Topic is what a request about the memory itself concerns.
type Topic struct {
	// Words are the topic as the user named it ("IELTS", 雅思); empty when IDs say it all.
	Words string `json:"words,omitempty"`
	// Keys are the profile keys that the words ask for.
	Keys []Key `json:"keys,omitempty"`
	// IDs are memories that were meant without being named.
	IDs []ID `json:"ids,omitempty"`
}

// Tombstone is what is left of a memory that was deleted, or of a request to forget: no
// content, but enough to know the same statement again.
type Tombstone struct {
	// At, Seq and Message are the place of the deletion: what was said before it, or with
	// it, stays forgotten; what is said later is learnt anew. Seq is a sequence in
	// MEM_EVENTS: of the request's own event, or of the last one when an API was used.
	At      time.Time `json:"at"`
	Seq     uint64    `json:"seq"`
	Message int       `json:"message,omitempty"`
	// Keys are forgotten whole, whatever their value was.
	Keys []Key `json:"keys,omitempty"`
	// Hashes are entries by which the same statement is known again: keyed hashes, each with
	// the beginning that pkg/reconcile gives its sort.
	Hashes []string `json:"hashes,omitempty"`
	// PurgedAt is when the text left the ledger as well; from then on there is no undo.
	PurgedAt time.Time `json:"purged_at,omitzero"`
}

// Covers reports whether a statement was said before the deletion, or with it.
func (t *Tombstone) Covers(e Evidence) bool {
	return !Evidence{At: t.At, Seq: t.Seq, Message: t.Message}.Before(e)
}

// Blocks reports whether the tombstone concerns a statement under that key, with these
// hashes.
func (t *Tombstone) Blocks(k Key, hashes []string) bool {
	return k != "" && slices.Contains(t.Keys, k) ||
		slices.ContainsFunc(hashes, func(h string) bool { return slices.Contains(t.Hashes, h) })
}
