package subject_test

import (
	"crypto/sha256"
	"errors"
	"hash"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/subject"
)

// tokens are ids and what they become.
var tokens = map[string]string{
	"": "=", "u1": "u1", "A-z_9": "A-z_9", "a.b": "a=2Eb", "=": "=3D", "*": "=2A", ">": "=3E", " ": "=20", "\n": "=0A", "$": "=24", "杭州": "=E6=9D=AD=E5=B7=9E", "\xff": "=FF",
}

func TestToken(t *testing.T) {
	t.Parallel()
	for id, want := range tokens {
		if got := subject.Token(id); got != want {
			t.Errorf("%q becomes %q, want %q", id, got, want)
		}
		if back, err := subject.Untoken(want); back != id || err != nil {
			t.Errorf("%q is %q again, %v", want, back, err)
		}
	}
	if got := len(subject.Token(strings.Repeat("\xff", memory.MaxIDBytes))); got != 768 {
		t.Errorf("the longest token has %d bytes", got)
	}
}

// TestUntokenTakesWhatTokenMakes, and nothing else: else two subjects would name one id.
func TestUntokenTakesWhatTokenMakes(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"", "a.b", "a b", "杭州", "=2", "=2e", "=GG", "=41", "==", "a=", "a=2", "=5F", "*", ">"} {
		if id, err := subject.Untoken(token); !errors.Is(err, subject.ErrUnknown) || id != "" {
			t.Errorf("%q is %q, %v", token, id, err)
		}
	}
}

func FuzzToken(f *testing.F) {
	for id, token := range tokens {
		f.Add(id)
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, s string) {
		token := subject.Token(s)
		if back, err := subject.Untoken(token); back != s || err != nil {
			t.Errorf("%q becomes %q, which is %q, %v", s, token, back, err)
		}
		if token == "" || strings.ContainsAny(token, ".*> \t\r\n") {
			t.Errorf("%q becomes %q, which is not one token", s, token)
		}
		if id, err := subject.Untoken(s); err == nil && subject.Token(id) != s {
			t.Errorf("%q is taken for %q, whose token is %q", s, id, subject.Token(id))
		}
	})
}

func TestEvent(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]memory.ThreadRef{
		"mem.events.acme.u1.t1":                        {Tenant: "acme", User: "u1", Thread: "t1"},
		"mem.events.a=2Eb.=E6=9D=AD=E5=B7=9E.2026=2F1": {Tenant: "a.b", User: "杭州", Thread: "2026/1"},
	} {
		if got := subject.Event(r); got != want {
			t.Errorf("%+v is stored at %s, want %s", r, got, want)
		}
	}
}

// TestEventID is what is published beside an event by clients of other languages and versions:
// another value would store an event twice.
func TestEventID(t *testing.T) {
	t.Parallel()
	ref := memory.ThreadRef{Tenant: "acme", User: "张三", Thread: "t1"}
	const want = "IthOiGLZmOi2PQ6N-Z65o_wf"
	if got := subject.EventID(ref, "msg-1"); got != want {
		t.Errorf("the id is %s, want %s", got, want)
	}
	elsewhere := memory.ThreadRef{Tenant: "acme", User: "张三", Thread: "t2"}
	if got := subject.EventID(elsewhere, "msg-1"); got != want {
		t.Errorf("in another thread of the user it is %s", got)
	}
}

// TestMessageIDs of other parts are others, however the parts are cut.
func TestMessageIDs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.StringN(0, 3, 6), 0, 4)
		a, b := parts.Draw(t, "a"), parts.Draw(t, "b")
		same := slices.Equal(a, b)
		if got := subject.MessageID(a...) == subject.MessageID(b...); got != same {
			t.Errorf("%q and %q have one id: %t", a, b, got)
		}
		if id := subject.MessageID(a...); len(id) != 24 || strings.ContainsAny(id, "+/=") {
			t.Errorf("%q has the id %q", a, id)
		}
	})
	if ab, joined := subject.MessageID("a", "b"), subject.MessageID("ab"); ab == joined {
		t.Errorf("a and b have the id of ab, %s", ab)
	}
	if plain, keyed := subject.Digest(sha256.New(), []string{"a"}), subject.Digest(salted(), []string{"a"}); plain == keyed {
		t.Errorf("the digest does not depend on what the hash holds: %s", plain)
	}
}

// salted is a hash with something in it already.
func salted() hash.Hash {
	h := sha256.New()
	h.Write([]byte("salt"))
	return h
}
