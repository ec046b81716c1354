package stream

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// RepliesTTL is for how long the reply to a request is kept.
const RepliesTTL = 24 * time.Hour

// claimLease is after how long a claim that nobody has kept or released falls free: longer
// than a request may run.
const claimLease = 2 * time.Minute

// maxReplyBytes bounds a reply that is kept.
const maxReplyBytes = 512 << 10

// Replies is the replies to requests that may be repeated, in the bucket mem_replies. Each is
// stored under keyed hashes of its owner and its name, so that an erasure reaches it, and is
// encrypted with a key that its name gives: once it has expired, what the server has left of
// it on disk can be read by nobody.
type Replies struct {
	source
	names Names
	now   func() time.Time
}

// NewReplies is the replies in the bucket mem_replies; now is the clock of claims.
func NewReplies(js jetstream.JetStream, names Names, now func() time.Time) *Replies {
	return &Replies{source: source{js: js, name: bucketStream(BucketReplies)}, names: names, now: now}
}

// storedReply is a claim, or with a reply what came of it.
type storedReply struct {
	// Request is a keyed hash of the request.
	Request string    `json:"request"`
	At      time.Time `json:"at"`
	Sealed  []byte    `json:"sealed,omitempty"`
}

// Claim takes the name for a request of the owner's. A claim above 0 is the caller's. Else the
// name is taken: same says whether by the same request, and reply is what was kept for it,
// nil while it is running.
func (r *Replies) Claim(ctx context.Context, s memory.Scope, name string, request []byte) (claim uint64, reply []byte, same bool, err error) {
	if err := s.Validate(); err != nil {
		return 0, nil, false, fault.Permanent(err)
	}
	subject, hash := r.subject(s, name), r.names.hash("request", name, string(request))
	for {
		m, err := r.last(ctx, subject)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return 0, nil, false, fmt.Errorf("read claim: %w", err)
		}
		if err == nil {
			var was storedReply
			if err := json.Unmarshal(m.data, &was); err != nil {
				return 0, nil, false, fault.Permanent(fmt.Errorf("decode reply at %d: %w", m.seq, err))
			}
			switch {
			case was.Request != hash:
				return 0, nil, false, nil
			case was.Sealed != nil:
				return 0, r.open(s, name, was.Sealed), true, nil
			}
			if r.now().Sub(was.At) < claimLease {
				return 0, nil, true, nil
			}
		}
		claim, err = r.put(ctx, subject, m.seq, storedReply{Request: hash, At: r.now().UTC()})
		if !errors.Is(err, ErrConflict) {
			return claim, nil, true, err
		}
	}
}

// Keep keeps the reply in place of the claim. If the claim has gone, with its owner's erasure
// say, nothing is kept; neither is a reply that is too large, whose claim stays.
func (r *Replies) Keep(ctx context.Context, s memory.Scope, name string, request []byte, claim uint64, reply []byte) error {
	if len(reply) > maxReplyBytes {
		return nil
	}
	sealed, err := r.seal(s, name, reply)
	if err != nil {
		return err
	}
	one := storedReply{Request: r.names.hash("request", name, string(request)), At: r.now().UTC(), Sealed: sealed}
	_, err = r.put(ctx, r.subject(s, name), claim, one)
	if errors.Is(err, ErrConflict) {
		return nil
	}
	return err
}

// Release takes the claim back.
func (r *Replies) Release(ctx context.Context, s memory.Scope, name string, claim uint64) error {
	m, err := r.last(ctx, r.subject(s, name))
	if err == nil && m.seq == claim {
		err = r.overwrite(ctx, claim)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("release claim: %w", err)
	}
	return nil
}

// put stores what takes the place of the message at over; 0 means that there is none.
func (r *Replies) put(ctx context.Context, subject string, over uint64, one storedReply) (uint64, error) {
	data, err := json.Marshal(one)
	if err != nil {
		return 0, fmt.Errorf("encode reply: %w", err)
	}
	m := nats.NewMsg(subject)
	m.Data = data
	ack, err := r.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(over))
	if err := classify(ctx, err); err != nil {
		return 0, fmt.Errorf("store reply: %w", err)
	}
	return ack.Sequence, nil
}

func (r *Replies) subject(s memory.Scope, name string) string {
	return bucketPrefix(BucketReplies) + r.names.owner(s) + "." + r.names.hash("reply", name)
}

func (r *Replies) cipher(s memory.Scope, name string) (cipher.AEAD, error) {
	key := sha256.Sum256([]byte(r.names.hash("reply key", r.names.owner(s), name)))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return cipher.NewGCM(block)
}

func (r *Replies) seal(s memory.Scope, name string, reply []byte) ([]byte, error) {
	c, err := r.cipher(s, name)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, c.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, fmt.Errorf("make nonce: %w", err)
	}
	return c.Seal(nonce, nonce, reply, nil), nil
}

// open is the reply, or nil when there is none or it is not one of ours.
func (r *Replies) open(s memory.Scope, name string, sealed []byte) []byte {
	c, err := r.cipher(s, name)
	if err != nil || len(sealed) < c.NonceSize() {
		return nil
	}
	reply, err := c.Open(nil, sealed[:c.NonceSize()], sealed[c.NonceSize():], nil)
	if err != nil {
		return nil
	}
	return reply
}
