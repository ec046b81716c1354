package stream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// KeysOptions configure Keys. The zero value has the defaults.
type KeysOptions struct {
	// Reread is how often Run reads all keys anew. Default 10m. It hears of each change at
	// once anyhow.
	Reread time.Duration
	// Note is how often Run stores which keys were used. Default 1m.
	Note time.Duration
	// Logger takes what goes wrong; nil drops it.
	Logger *slog.Logger
}

// Keys is the API keys in the bucket mem_keys. A key has the subject
// "<tenant>.<owner>.<id>", the first two keyed hashes of whose it is, and never changes; that
// it was revoked, and when it was used, stands beside it, as a time and nothing else: so that
// an erasure has one message with a name in it to overwrite, and a revocation cannot be undone
// by who writes at the same moment.
//
// While Run runs, Key answers from memory. With NATS away it goes on to, and says so in the
// log: a key that is revoked meanwhile is refused when NATS is back.
type Keys struct {
	source
	names   Names
	options KeysOptions

	mu sync.RWMutex
	// ring is the keys by id; nil until they have been read.
	ring keyring
	// used is when keys were used since that was last stored.
	used map[string]time.Time
}

// NewKeys is the keys in the bucket mem_keys; it starts nothing.
func NewKeys(js jetstream.JetStream, names Names, o KeysOptions) *Keys {
	defaultTo(&o.Reread, 10*time.Minute)
	defaultTo(&o.Note, time.Minute)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Keys{source: source{js: js, name: bucketStream(BucketKeys)}, names: names, options: o, used: map[string]time.Time{}}
}

// The last tokens of the subjects beside a key's.
const (
	keyRevoked = ".revoked"
	keyUsed    = ".used"
)

func (k *Keys) subject(key *access.Key) string {
	return bucketPrefix(BucketKeys) + k.names.owner(key.Scope()) + "." + key.ID
}

// Create stores a new key; ErrConflict if there is one of that id.
func (k *Keys) Create(ctx context.Context, key access.Key) error {
	if err := key.Scope().Validate(); err != nil {
		return err
	}
	if !access.ValidKeyID(key.ID) {
		return fault.Permanent(fmt.Errorf("store key: %q is no id of one", key.ID))
	}
	data, err := json.Marshal(key)
	if err != nil {
		return fmt.Errorf("encode key: %w", err)
	}
	m := nats.NewMsg(k.subject(&key))
	m.Data = data
	err = persist(ctx, Patience, func(ctx context.Context) error {
		_, err := k.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
	if errors.Is(err, ErrConflict) {
		if there, lerr := k.last(ctx, m.Subject); lerr == nil && bytes.Equal(there.data, data) {
			return nil // it is the same, stored before the answer was lost
		}
	}
	if err != nil {
		return fmt.Errorf("store key %s: %w", key.ID, err)
	}
	return nil
}

// List returns the tenant's keys, revoked and expired ones included, oldest first.
func (k *Keys) List(ctx context.Context, t memory.Tenant) ([]access.Key, error) {
	if err := memory.ValidateID(string(t)); err != nil {
		return nil, fmt.Errorf("%w: tenant: %w", memory.ErrScope, err)
	}
	ring := keyring{}
	err := k.read(ctx, bucketPrefix(BucketKeys)+k.names.tenant(t)+".>", 0, everything, ring.hear)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	var out []access.Key
	for _, h := range ring {
		if h.key.ID != "" {
			out = append(out, h.key)
		}
	}
	slices.SortFunc(out, func(a, b access.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// Revoke has the tenant's key refused from now on, wherever Run runs within a second; at is
// when it was done. Revoked again, it stays revoked since the first time. Without such a key
// it is access.ErrKeyNotFound.
func (k *Keys) Revoke(ctx context.Context, t memory.Tenant, id string, at time.Time) error {
	if err := memory.ValidateID(string(t)); err != nil {
		return fmt.Errorf("%w: tenant: %w", memory.ErrScope, err)
	}
	if !access.ValidKeyID(id) {
		return access.ErrKeyNotFound // no wildcard among them
	}
	m, err := k.last(ctx, bucketPrefix(BucketKeys)+k.names.tenant(t)+".*."+id)
	if errors.Is(err, ErrNotFound) {
		return access.ErrKeyNotFound
	}
	if err == nil {
		err = k.markRevoked(ctx, m.subject, at)
	}
	if err != nil {
		return fmt.Errorf("revoke key %s: %w", id, err)
	}
	return nil
}

func (k *Keys) markRevoked(ctx context.Context, subject string, at time.Time) error {
	err := persist(ctx, Patience, func(ctx context.Context) error {
		_, err := k.js.Publish(ctx, subject+keyRevoked, timeText(at), jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
	if errors.Is(err, ErrConflict) {
		return nil // it is
	}
	return err
}

func timeText(at time.Time) []byte { return []byte(at.UTC().Format(time.RFC3339Nano)) }

// heldKey is what is known of a key.
type heldKey struct {
	key access.Key
	// subject is the key's.
	subject string
}

// keyring is what is known of keys, by id. What stands beside a key may be heard of before
// the key, or without one.
type keyring map[string]heldKey

// hear takes a message of the bucket in.
func (r keyring) hear(m message) error {
	subject, state := splitKey(m.subject)
	id := subject[strings.LastIndexByte(subject, '.')+1:]
	h := r[id]
	h.subject = subject
	var err error
	switch state {
	case "":
		revoked, used := h.key.RevokedAt, h.key.LastUsedAt
		h.key = access.Key{}
		err = json.Unmarshal(m.data, &h.key)
		h.key.RevokedAt, h.key.LastUsedAt = revoked, used
		if err == nil && h.key.ID != id {
			err = fmt.Errorf("it says that its id is %q", h.key.ID)
		}
	case keyRevoked:
		h.key.RevokedAt, err = time.Parse(time.RFC3339Nano, string(m.data))
		if err != nil { // revoked it is, whenever that was
			h.key.RevokedAt, err = m.at, nil
		}
	case keyUsed:
		h.key.LastUsedAt, err = time.Parse(time.RFC3339Nano, string(m.data))
	}
	if err != nil {
		return fault.Permanent(fmt.Errorf("decode key %s at %d: %w", id, m.seq, err))
	}
	r[id] = h
	return nil
}

// splitKey is the subject of the key that a message is about, and what it says of it.
func splitKey(subject string) (key, state string) {
	for _, state := range []string{keyRevoked, keyUsed} {
		if key, ok := strings.CutSuffix(subject, state); ok {
			return key, state
		}
	}
	return subject, ""
}
