package retention

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

const day = 24 * time.Hour

// Never switches a limit off.
const Never time.Duration = -1

// Policy holds the limits of one tenant. A zero field means its default, Never that it does
// not apply. In JSON a limit is a Go duration ("720h") or "never".
type Policy struct {
	// WarmAfter and ColdAfter are how long after its last use a memory is warm, and moves
	// to the archive. Defaults 30 and 90 days.
	WarmAfter time.Duration
	ColdAfter time.Duration
	// ExpiryGrace is how long what has expired stays at hand, hidden, before it moves to
	// the archive. Default none.
	ExpiryGrace time.Duration
	// ArchiveFor is how long a memory stays in the archive before it is deleted. Default
	// Never.
	ArchiveFor time.Duration
	// UndoFor is how long a deletion can be undone, before the purge takes the text out of
	// the ledger. Default 7 days.
	UndoFor time.Duration
	// TombstoneFor is how long a deleted memory is known by its hash. It must not be shorter
	// than events can be replayed or imported. Default 400 days.
	TombstoneFor time.Duration
	// QuestionFor is how long a question waits for an answer. Default 14 days.
	QuestionFor time.Duration
	// Cooldown is how long after an answer nothing is asked about the same memory again;
	// with Never it may be at once. Default 30 days.
	Cooldown time.Duration
}

// limit is one field of a Policy.
type limit struct {
	name     string
	of       func(*Policy) *time.Duration
	standard time.Duration
}

// The limits, with their names in JSON and their defaults.
var (
	warmAfter    = limit{"warm_after", func(p *Policy) *time.Duration { return &p.WarmAfter }, 30 * day}
	coldAfter    = limit{"cold_after", func(p *Policy) *time.Duration { return &p.ColdAfter }, 90 * day}
	expiryGrace  = limit{"expiry_grace", func(p *Policy) *time.Duration { return &p.ExpiryGrace }, 0}
	archiveFor   = limit{"archive_for", func(p *Policy) *time.Duration { return &p.ArchiveFor }, Never}
	undoFor      = limit{"undo_for", func(p *Policy) *time.Duration { return &p.UndoFor }, 7 * day}
	tombstoneFor = limit{"tombstone_for", func(p *Policy) *time.Duration { return &p.TombstoneFor }, 400 * day}
	questionFor  = limit{"question_for", func(p *Policy) *time.Duration { return &p.QuestionFor }, 14 * day}
	cooldown     = limit{"cooldown", func(p *Policy) *time.Duration { return &p.Cooldown }, 30 * day}

	limits = []limit{warmAfter, coldAfter, expiryGrace, archiveFor, undoFor, tombstoneFor, questionFor, cooldown}
)

// in is what p holds for the limit, its default applied, and whether it applies at all.
func (l limit) in(p Policy) (time.Duration, bool) {
	d := *l.of(&p)
	if d == 0 {
		d = l.standard
	}
	return max(d, 0), d >= 0
}

// Warm is how long after its last use a memory is warm; false when never.
func (p Policy) Warm() (time.Duration, bool) { return warmAfter.in(p) }

// Cold is how long after its last use a memory is cold; false when never.
func (p Policy) Cold() (time.Duration, bool) { return coldAfter.in(p) }

// Grace is how long after its expiry a memory moves to the archive; false when never.
func (p Policy) Grace() (time.Duration, bool) { return expiryGrace.in(p) }

// Archive is how long a memory stays in the archive; false when for ever.
func (p Policy) Archive() (time.Duration, bool) { return archiveFor.in(p) }

// Undo is how long a deletion can be undone; false when for ever.
func (p Policy) Undo() (time.Duration, bool) { return undoFor.in(p) }

// Tombstone is how long a deleted memory is known; false when for ever.
func (p Policy) Tombstone() (time.Duration, bool) { return tombstoneFor.in(p) }

// QuestionTimeout is how long a question waits for an answer; false when for ever.
func (p Policy) QuestionTimeout() (time.Duration, bool) { return questionFor.in(p) }

// AskCooldown is how long after an answer nothing is asked about the same memory; 0 when
// there is no cooldown.
func (p Policy) AskCooldown() time.Duration {
	d, _ := cooldown.in(p)
	return d
}

// Validate reports the first field that cannot be used, or nil. Events is for how long
// events can be replayed.
func (p Policy) Validate(events time.Duration) error {
	for _, l := range limits {
		if d := *l.of(&p); d < 0 && d != Never {
			return fmt.Errorf("%s: must not be negative, is %s", l.name, d)
		}
	}
	warm, goesWarm := p.Warm()
	if cold, goesCold := p.Cold(); goesWarm && goesCold && cold < warm {
		return fmt.Errorf("%s: must not be less than %s (%s), is %s", coldAfter.name, warmAfter.name, warm, cold)
	}
	if kept, ends := p.Tombstone(); ends && kept < events {
		return fmt.Errorf("%s: must not be less than events are kept (%s), is %s: what was forgotten would be learnt again",
			tombstoneFor.name, events, kept)
	}
	return nil
}

// never is Never in JSON.
const never = "never"

// MarshalJSON leaves out the fields that are zero.
func (p Policy) MarshalJSON() ([]byte, error) {
	out := map[string]string{}
	for _, l := range limits {
		switch d := *l.of(&p); {
		case d < 0:
			out[l.name] = never
		case d > 0:
			out[l.name] = d.String()
		}
	}
	return json.Marshal(out)
}

var errDuration = errors.New(`must be a duration such as "720h", or "never"`)

// UnmarshalJSON reads what MarshalJSON writes. It refuses unknown fields.
func (p *Policy) UnmarshalJSON(raw []byte) error {
	var in map[string]any
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	out := Policy{}
	for name, value := range in {
		i := slices.IndexFunc(limits, func(l limit) bool { return l.name == name })
		if i < 0 {
			return fmt.Errorf("%s: unknown field", name)
		}
		d, err := parse(value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		*limits[i].of(&out) = d
	}
	*p = out
	return nil
}

func parse(value any) (time.Duration, error) {
	text, ok := value.(string)
	if !ok {
		return 0, errDuration
	}
	if text == never {
		return Never, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, errDuration
	}
	return d, nil
}
