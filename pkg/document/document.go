// Package document holds an application's own JSON under a hierarchical namespace and a
// key: what a document is, its identity, which of its words it is found by, and filters on
// its fields. It is pure, and knows nothing of where documents are kept. Documents are never
// extracted from what is said, merged or asked about.
package document

import (
	"encoding/json"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Document is the full state of one document. Times are UTC; a zero time means none.
type Document struct {
	ID        memory.ID    `json:"id"`
	Scope     memory.Scope `json:"scope"`
	Namespace []string     `json:"namespace,omitempty"`
	Key       string       `json:"key,omitempty"`
	// Value is a JSON object, as it was put.
	Value json.RawMessage `json:"value,omitempty"`
	// Index are the paths of the fields that it is found by; nil means all of its text, and an
	// empty list that it is not found by meaning.
	Index []string `json:"index,omitzero"`
	// Source is where it was said, if it was.
	Source Source `json:"source,omitzero"`
	// CreatedAt is when it was first put, UpdatedAt when it was put last.
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// ExpiresAt hides it from that instant on.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// StaleSince is since when the ledger has held text that was the document's and is not any
	// more, since it was replaced or removed; zero when there is none.
	StaleSince time.Time `json:"stale_since,omitzero"`
	// RemovedAt is set on what is left of a removed document: its identity alone.
	RemovedAt time.Time `json:"removed_at,omitzero"`
}

// Source is where a document was said, for one that is a turn of a conversation: recall
// then finds what was said beside it, too.
type Source struct {
	Thread memory.Thread `json:"thread,omitempty"`
	// Place is where in the thread; the places of turns that follow one another differ by 1.
	Place   int64     `json:"place,omitempty"`
	Speaker string    `json:"speaker,omitempty"`
	At      time.Time `json:"at,omitzero"`
	// Assistant says that the speaker is the assistant.
	Assistant bool `json:"assistant,omitempty"`
}

// IsZero reports whether nothing is said of the source.
func (s Source) IsZero() bool { return s == Source{} }

func (s Source) same(o Source) bool {
	at := s.At.Equal(o.At)
	s.At, o.At = time.Time{}, time.Time{}
	return at && s == o
}

// Live reports whether the document is there at now: not removed, and not expired.
func (d *Document) Live(now time.Time) bool {
	return d.RemovedAt.IsZero() && (d.ExpiresAt.IsZero() || now.Before(d.ExpiresAt))
}

// Removed is what is left of a document that is removed at now: its identity alone.
func (d *Document) Removed(now time.Time) Document {
	return Document{ID: d.ID, Scope: d.Scope, RemovedAt: now.UTC(), StaleSince: d.staleFrom(now)}
}

// Over is d as it stands once it is put at now over what is there, which is nil, what is left
// of a removed document, or a document, live or not.
func (d Document) Over(before *Document, now time.Time) Document {
	d.CreatedAt, d.UpdatedAt = now.UTC(), now.UTC()
	if before == nil {
		return d
	}
	if before.Live(now) {
		d.CreatedAt = before.CreatedAt
	}
	d.StaleSince = before.StaleSince
	if before.RemovedAt.IsZero() {
		d.StaleSince = before.staleFrom(now)
	}
	return d
}

// staleFrom is since when the ledger holds stale text once d is no more, from now on.
func (d *Document) staleFrom(now time.Time) time.Time {
	if !d.StaleSince.IsZero() {
		return d.StaleSince
	}
	return now.UTC()
}
