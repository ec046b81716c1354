// Package retention says what time does to a memory: whether it may be recalled, how near
// at hand it is, and what is due. It is pure, and the only place that knows: recall and
// reaper ask the same functions.
package retention

import "time"

const day = 24 * time.Hour

// Never switches a limit off.
const Never time.Duration = -1

// Policy holds the limits of one tenant. A zero field means its default, Never that it does
// not apply.
type Policy struct {
	// WarmAfter and ColdAfter are how long after its last use a memory is warm, and moves
	// to the archive. Defaults 30 and 90 days.
	WarmAfter time.Duration `json:"warm_after"`
	ColdAfter time.Duration `json:"cold_after"`
	// ExpiryGrace is how long what has expired stays at hand, hidden, before it moves to
	// the archive. Default none.
	ExpiryGrace time.Duration `json:"expiry_grace"`
	// ArchiveFor is how long a memory stays in the archive before it is deleted. Default
	// Never.
	ArchiveFor time.Duration `json:"archive_for"`
	// UndoFor is how long a deletion can be undone, before the purge takes the text out of
	// the ledger. Default 7 days.
	UndoFor time.Duration `json:"undo_for"`
	// TombstoneFor is how long a deleted memory is known by its hash. It must not be shorter
	// than events can be replayed or imported. Default 400 days.
	TombstoneFor time.Duration `json:"tombstone_for"`
	// QuestionFor is how long a question waits for an answer. Default 14 days.
	QuestionFor time.Duration `json:"question_for"`
	// Cooldown is how long after an answer nothing is asked about the same memory again.
	// Default 30 days.
	Cooldown time.Duration `json:"cooldown"`
}
