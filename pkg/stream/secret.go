package stream

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/subject"
)

// secretBytes is the length of an installation's secret.
const secretBytes = 32

const secretKey = "secret"

// replicaPause is how long a replica is given to learn what the leader has stored.
const replicaPause = 50 * time.Millisecond

// Secret is the installation's secret, 32 random bytes that key every hash which stands for
// a name or a value. It is made when it is first asked for and never changes. Run
// Topology.Ensure first.
func Secret(ctx context.Context, js jetstream.JetStream) ([]byte, error) {
	kv, err := js.KeyValue(ctx, BucketMeta)
	if err != nil {
		return nil, fmt.Errorf("read secret: %w", classify(ctx, err))
	}
	for {
		entry, err := kv.Get(ctx, secretKey)
		if err == nil && len(entry.Value()) != secretBytes {
			return nil, fault.Permanent(fmt.Errorf("read secret: it has %d bytes, not %d", len(entry.Value()), secretBytes))
		}
		if err == nil {
			return entry.Value(), nil
		}
		if !errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil, fmt.Errorf("read secret: %w", classify(ctx, err))
		}
		secret := make([]byte, secretBytes)
		if _, err := rand.Read(secret); err != nil {
			return nil, fmt.Errorf("make secret: %w", err)
		}
		_, err = kv.Create(ctx, secretKey, secret)
		if err == nil {
			return secret, nil
		}
		// Another process was first. A replica may learn of it a little later.
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return nil, fmt.Errorf("make secret: %w", classify(ctx, err))
		}
		if !pauseFor(ctx, replicaPause) {
			return nil, fmt.Errorf("read secret: %w", ctx.Err())
		}
	}
}

// Names are the names that stand for tenants, owners and threads where the server removes
// messages without overwriting them: keyed hashes, which name no one to whoever lacks the
// installation's secret. The zero value must not be used.
type Names struct{ key []byte }

// NewNames is the names that an installation's secret gives: see Secret.
func NewNames(secret []byte) Names {
	// A key of its own, so that no hash for another purpose equals a name.
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("mnemond/stream/names"))
	return Names{key: mac.Sum(nil)}
}

// TimerSetSubject holds the pending timer of a thread: mem.timer.set.<tenant>.<user>.<thread>,
// each a keyed hash.
func (n Names) TimerSetSubject(r memory.ThreadRef) string { return timerSetPrefix + n.thread(r) }

// TimerDueSubject is where the timer of a thread fires: mem.timer.due.<tenant>.<user>.<thread>,
// each a keyed hash.
func (n Names) TimerDueSubject(r memory.ThreadRef) string { return timerDuePrefix + n.thread(r) }

// thread is three tokens: the thread's tenant, its user and the thread.
func (n Names) thread(r memory.ThreadRef) string {
	return n.owner(r.Scope()) + "." + n.hash("thread", string(r.Tenant), string(r.User), string(r.Thread))
}

// owner is two tokens: the scope's tenant and its owner.
func (n Names) owner(s memory.Scope) string {
	return n.tenant(s.Tenant) + "." + n.hash("owner", string(s.Tenant), ownerToken(s.Owner))
}

func (n Names) tenant(t memory.Tenant) string { return n.hash("tenant", string(t)) }

func (n Names) hash(parts ...string) string {
	return subject.Digest(hmac.New(sha256.New, n.key), parts)
}
