// Package shelve keeps an application's own documents: it puts, hands out and removes JSON
// under a namespace and a key, lists namespaces, and searches by prefix, field and meaning.
// A put and a removal are decisions like any other, made by compare-and-set on the owner's
// ledger. It never reads what is said, and nothing in a document is ever extracted, merged
// with a memory or asked about.
package shelve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Documents is the collection as one owner's documents are read from it.
type Documents interface {
	// Documents returns those with these ids that there are, expired ones and what is left of
	// removed ones included.
	Documents(ctx context.Context, s memory.Scope, ids []memory.ID) ([]document.Document, error)
	// Newest yields what is there at q.Now and within what it narrows to, what was put last
	// first. It ends after an error.
	Newest(ctx context.Context, s memory.Scope, q index.Query) iter.Seq2[document.Document, error]
	// Namespaces returns the namespaces of the same, each once, in the order of their labels.
	Namespaces(ctx context.Context, s memory.Scope, q index.Query) ([][]string, error)
}

// Vectors is the collection as it is read for a search that it cannot make itself.
type Vectors interface {
	// Within yields what Documents.Newest does, in any order and with the vectors.
	Within(ctx context.Context, s memory.Scope, q index.Query) iter.Seq2[index.DocumentEntry, error]
}

// Config is what a Service is made of. All of it is required.
type Config struct {
	Decider   *decide.Decider
	Documents Documents
	Vectors   Vectors
	Find      *find.Finder
	// Now is the clock of decisions.
	Now func() time.Time
}

// Service keeps documents.
type Service struct{ Config }

// New returns a service; it starts nothing.
func New(c Config) *Service { return &Service{c} }

// Bounds of what is put at once.
const (
	MaxItems = 100
	// MaxTTL bounds how long after a put a document may expire: beyond it there is no date.
	MaxTTL = 100 * 365 * 24 * time.Hour
)

// Reasons of changes, as they stand in the ledger.
const (
	ReasonPut     = "put"
	ReasonRemoved = "removed"
)

// Item is a document to put.
type Item struct {
	Namespace []string
	Key       string
	Value     json.RawMessage
	// Index are the paths of the fields that it is found by; nil means all of its text, and an
	// empty list that it is not found by meaning.
	Index []string
	// TTL is how long after the put it expires; 0 means never.
	TTL    time.Duration
	Source document.Source
}

// Put stores up to MaxItems documents of an owner, each in the place of the one that was
// there under its namespace and key, and returns them as they are then. What is as it was
// before is left alone. They can be read and searched for when Put returns. Many large ones
// become several change sets, each valid alone: an error may leave some of them stored, and
// the same put again stores the rest. What is wrong with an item is a *fault.FieldError that
// begins with its place, such as "items[3].key".
func (s *Service) Put(ctx context.Context, scope memory.Scope, items []Item) ([]document.Document, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	now := s.now()
	put, err := documents(scope, items, now)
	if err != nil {
		return nil, err
	}
	ids := make([]memory.ID, len(put))
	for i := range put {
		ids[i] = put[i].ID
	}
	var out []document.Document
	_, err = s.Decider.Do(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		before, err := s.before(ctx, scope, ids)
		if err != nil {
			return nil, err
		}
		set := change(scope, now)
		out = out[:0]
		for _, d := range put {
			was := before[d.ID]
			if was != nil && was.Live(now) && document.Same(was, &d) {
				out = append(out, *was)
				continue
			}
			d = d.Over(was, now)
			out = append(out, d)
			set.Changes = append(set.Changes, ledger.Change{Op: ledger.OpPut, Document: &d, Reason: ReasonPut})
		}
		if len(set.Changes) == 0 {
			return nil, nil
		}
		return set, nil
	})
	if err != nil {
		return nil, fmt.Errorf("put documents: %w", err)
	}
	return out, nil
}

// now is the time of a decision, as exact as the collections keep dates.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

func change(scope memory.Scope, now time.Time) *ledger.ChangeSet {
	return &ledger.ChangeSet{V: ledger.Version, At: now, Author: ledger.AuthorApplication, Scope: scope}
}

// before are the documents with these ids, and what is left of them, by id.
func (s *Service) before(ctx context.Context, scope memory.Scope, ids []memory.ID) (map[memory.ID]*document.Document, error) {
	all, err := s.Documents.Documents(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID]*document.Document, len(all))
	for i := range all {
		out[all[i].ID] = &all[i]
	}
	return out, nil
}

// documents are the items as documents of the owner, without times of putting.
func documents(scope memory.Scope, items []Item, now time.Time) ([]document.Document, error) {
	if len(items) == 0 || len(items) > MaxItems {
		return nil, fault.BadField("items", fmt.Sprintf("must be 1 to %d, are %d", MaxItems, len(items)))
	}
	seen := map[memory.ID]bool{}
	out := make([]document.Document, len(items))
	for i, item := range items {
		d := document.Document{
			Scope: scope, Namespace: item.Namespace, Key: item.Key, Value: document.Compact(item.Value),
			Index: item.Index, Source: item.Source,
		}
		err := d.Validate()
		switch {
		case err != nil:
		case item.TTL < 0 || item.TTL > MaxTTL:
			err = fault.BadField("ttl", "must be more than 0, and at most a hundred years")
		case item.TTL > 0:
			d.ExpiresAt = now.Add(item.TTL).Truncate(time.Microsecond)
		}
		d.ID = document.Identity(scope, d.Namespace, d.Key)
		if err == nil && seen[d.ID] {
			err = fault.BadField("key", "is put twice in one request")
		}
		if err != nil {
			return nil, within(i, err)
		}
		seen[d.ID] = true
		out[i] = d
	}
	return out, nil
}

// within names the item at fault in the error's field.
func within(item int, err error) error {
	var f *fault.FieldError
	if errors.As(err, &f) {
		return fault.BadField(fmt.Sprintf("items[%d].%s", item, f.Field), f.Reason)
	}
	return err
}

// Get returns the owner's document under a namespace and a key; ok is false when there is
// none, or it has expired.
func (s *Service) Get(ctx context.Context, scope memory.Scope, namespace []string, key string) (d document.Document, ok bool, err error) {
	id, err := identify(scope, namespace, key)
	if err != nil {
		return d, false, err
	}
	all, err := s.before(ctx, scope, []memory.ID{id})
	if err != nil {
		return d, false, fmt.Errorf("get document: %w", err)
	}
	if found := all[id]; found != nil && found.Live(s.now()) {
		return *found, true, nil
	}
	return d, false, nil
}

// Delete removes the owner's document under a namespace and a key, and reports whether there
// was one. Its text leaves the ledger with the reaper's purge, as that of a deleted memory.
func (s *Service) Delete(ctx context.Context, scope memory.Scope, namespace []string, key string) (bool, error) {
	id, err := identify(scope, namespace, key)
	if err != nil {
		return false, err
	}
	now, was := s.now(), false
	_, err = s.Decider.Do(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		before, err := s.before(ctx, scope, []memory.ID{id})
		if err != nil {
			return nil, err
		}
		d := before[id]
		was = d != nil && d.Live(now)
		if d == nil || !d.RemovedAt.IsZero() {
			return nil, nil
		}
		left, set := d.Removed(now), change(scope, now)
		set.Changes = []ledger.Change{{Op: ledger.OpRemove, Document: &left, Reason: ReasonRemoved}}
		return set, nil
	})
	if err != nil {
		return false, fmt.Errorf("delete document: %w", err)
	}
	return was, nil
}

func identify(scope memory.Scope, namespace []string, key string) (memory.ID, error) {
	if err := scope.Validate(); err != nil {
		return "", err
	}
	if err := document.ValidateNamespace("namespace", namespace); err != nil {
		return "", err
	}
	if err := document.ValidateKey(key); err != nil {
		return "", err
	}
	return document.Identity(scope, namespace, key), nil
}
