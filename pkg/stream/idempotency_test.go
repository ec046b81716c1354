package stream

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// newReplies is an empty bucket; now is its clock.
func newReplies(t *testing.T, now *time.Time) *Replies {
	t.Helper()
	js := newJetStream(t, Options{})
	secret, err := Secret(testContext(t), js)
	if err != nil {
		t.Fatal(err)
	}
	return NewReplies(js, NewNames(secret), func() time.Time { return *now })
}

// claims fails unless a claim ends as is wanted, and returns it.
func (r *Replies) claims(t *testing.T, s memory.Scope, name, request string, taken bool, reply string, same bool) uint64 {
	t.Helper()
	claim, kept, is, err := r.Claim(testContext(t), s, name, []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	if (claim > 0) != taken || string(kept) != reply || is != same {
		t.Fatalf("the claim of %q for %q is %d, with the reply %q; the same request: %t", name, request, claim, kept, is)
	}
	return claim
}

func TestRepliesAreKept(t *testing.T) {
	t.Parallel()
	ctx, now := testContext(t), noon
	r := newReplies(t, &now)
	alice, bob := memory.UserScope("acme", "alice"), memory.UserScope("acme", "bob")
	claim := r.claims(t, alice, "k1", "put 1", true, "", true)
	r.claims(t, alice, "k1", "put 1", false, "", true)  // it is running
	r.claims(t, alice, "k1", "put 2", false, "", false) // another request
	r.claims(t, bob, "k1", "put 1", true, "", true)     // another owner
	r.claims(t, alice, "k2", "put 1", true, "", true)   // another name
	if err := r.Keep(ctx, alice, "k1", []byte("put 1"), claim, []byte("done")); err != nil {
		t.Fatal(err)
	}
	r.claims(t, alice, "k1", "put 1", false, "done", true)
	r.claims(t, alice, "k1", "put 2", false, "", false)
	now = now.Add(time.Hour)
	r.claims(t, alice, "k1", "put 1", false, "done", true)
}

func TestClaimsFallFree(t *testing.T) {
	t.Parallel()
	ctx, now := testContext(t), noon
	r := newReplies(t, &now)
	s := memory.UserScope("acme", "alice")
	claim := r.claims(t, s, "k1", "put 1", true, "", true)
	if err := r.Release(ctx, s, "k1", claim); err != nil {
		t.Fatal(err)
	}
	left := r.claims(t, s, "k1", "put 2", true, "", true)
	now = now.Add(claimLease)
	again := r.claims(t, s, "k1", "put 2", true, "", true)
	// Whoever left it comes late, and neither takes it back nor keeps a reply.
	late := errors.Join(r.Release(ctx, s, "k1", left), r.Keep(ctx, s, "k1", []byte("put 2"), left, []byte("late")))
	if late != nil {
		t.Fatal(late)
	}
	r.claims(t, s, "k1", "put 2", false, "", true)
	if err := r.Keep(ctx, s, "k1", []byte("put 2"), again, bytes.Repeat([]byte("x"), maxReplyBytes+1)); err != nil {
		t.Fatal(err)
	}
	r.claims(t, s, "k1", "put 2", false, "", true)
	if _, _, _, err := r.Claim(ctx, memory.Scope{}, "k1", nil); !errors.Is(err, memory.ErrScope) {
		t.Errorf("a claim for nobody: %v", err)
	}
}

// TestOneClaimWins: of many at once, one carries the request out.
func TestOneClaimWins(t *testing.T) {
	t.Parallel()
	now := noon
	r := newReplies(t, &now)
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			claim, _, same, err := r.Claim(testContext(t), memory.UserScope("acme", "alice"), "k1", []byte("put 1"))
			if err != nil || !same {
				t.Errorf("Claim: same %t, %v", same, err)
			}
			if claim > 0 {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 8 have the claim", won.Load())
	}
}

// TestRepliesNameNobody: neither a name, nor the request, nor the reply is stored as it is; and
// after an erasure no late reply is.
func TestRepliesNameNobody(t *testing.T) {
	t.Parallel()
	ctx, now := testContext(t), noon
	r := newReplies(t, &now)
	s := memory.UserScope("acme", "alice-mark")
	const words = "word-mark"
	claim := r.claims(t, s, words, words, true, "", true)
	if err := r.Keep(ctx, s, words, []byte(words), claim, []byte(words)); err != nil {
		t.Fatal(err)
	}
	m, err := r.last(ctx, bucketPrefix(BucketReplies)+">")
	if err != nil || strings.Contains(m.subject+string(m.data), "mark") {
		t.Errorf("stored is %s: %s, %v", m.subject, m.data, err)
	}
	claim = r.claims(t, s, "k2", words, true, "", true)
	for _, p := range Places(r.js, r.names) {
		if p.Name() != PlaceReplies {
			continue
		}
		if n, err := p.Erase(ctx, s, Horizon{}); n != 2 || err != nil {
			t.Errorf("erased are %d, %v", n, err)
		}
	}
	if err := r.Keep(ctx, s, "k2", []byte(words), claim, []byte(words)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.last(ctx, bucketPrefix(BucketReplies)+">"); !errors.Is(err, ErrNotFound) {
		t.Errorf("after the erasure there is something: %v", err)
	}
}
