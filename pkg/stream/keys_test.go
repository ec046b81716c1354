package stream

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// newKey stores a key.
func newKey(t testing.TB, k *Keys, want access.Key, at time.Time) access.Key {
	t.Helper()
	key, _, err := access.NewKey(want, at)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Create(testContext(t), key); err != nil {
		t.Fatal(err)
	}
	return key
}

func userKey(tenant, user string) access.Key {
	return access.Key{Tenant: memory.Tenant(tenant), User: memory.User(user), Role: access.RoleUser, Name: user + " 的钥匙"}
}

func TestKeysAreListedByTenant(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	k := NewKeys(js, testNames, KeysOptions{})
	ctx := testContext(t)
	second := newKey(t, k, userKey("acme", "张三"), noon.Add(time.Minute))
	first := newKey(t, k, access.Key{Tenant: "acme", Role: access.RoleAgent, Agent: "shop", ExpiresAt: noon.Add(time.Hour)}, noon)
	other := newKey(t, k, access.Key{Tenant: "globex", Role: access.RoleAdmin}, noon)
	if err := k.Create(ctx, first); err != nil {
		t.Errorf("the same key again = %v", err)
	}
	taken := first
	taken.Hash = slices.Repeat([]byte{1}, 32)
	if err := k.Create(ctx, taken); !errors.Is(err, ErrConflict) {
		t.Errorf("another key of the same id = %v, want ErrConflict", err)
	}
	got, err := k.List(ctx, "acme")
	if err != nil || len(got) != 2 || got[0].ID != first.ID || got[1].ID != second.ID {
		t.Fatalf("List = %+v, %v, want %s and %s", got, err, first.ID, second.ID)
	}
	if got[1].User != "张三" || got[1].Name != "张三 的钥匙" || !bytes.Equal(got[1].Hash, second.Hash) || !got[0].ExpiresAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("kept as %+v", got)
	}
	if got, err = k.List(ctx, "globex"); err != nil || len(got) != 1 || got[0].ID != other.ID {
		t.Errorf("the other tenant's = %+v, %v", got, err)
	}
	if got, err = k.List(ctx, "nobody"); err != nil || len(got) != 0 {
		t.Errorf("nobody's = %+v, %v", got, err)
	}
	if _, err := k.List(ctx, ""); !errors.Is(err, memory.ErrScope) {
		t.Errorf("without a tenant = %v, want ErrScope", err)
	}
}

// TestAKeyIsRevokedByItsTenantOnly, once, and by its whole id.
func TestAKeyIsRevokedByItsTenantOnly(t *testing.T) {
	t.Parallel()
	k := NewKeys(newJetStream(t, Options{}), testNames, KeysOptions{})
	ctx := testContext(t)
	key := newKey(t, k, userKey("acme", "alice"), noon)
	for _, c := range []struct {
		tenant memory.Tenant
		id     string
		want   error
	}{
		{"globex", key.ID, access.ErrKeyNotFound}, {"acme", "*", access.ErrKeyNotFound}, {"acme", ">", access.ErrKeyNotFound},
		{"acme", "", access.ErrKeyNotFound}, {"acme", strings.Repeat("a", 16), access.ErrKeyNotFound}, {"", key.ID, memory.ErrScope},
	} {
		if err := k.Revoke(ctx, c.tenant, c.id, noon); !errors.Is(err, c.want) {
			t.Errorf("Revoke(%q, %q) = %v, want %v", c.tenant, c.id, err, c.want)
		}
	}
	for i := range 2 {
		if err := k.Revoke(ctx, "acme", key.ID, noon.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := k.List(ctx, "acme")
	if err != nil || len(got) != 1 || !got[0].RevokedAt.Equal(noon) || got[0].User != "alice" {
		t.Errorf("List = %+v, %v, want it revoked at %v", got, err, noon)
	}
}

// TestKeysAreServedFromMemory: what another process does is heard of.
func TestKeysAreServedFromMemory(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	elsewhere := NewKeys(js, testNames, KeysOptions{})
	early := newKey(t, elsewhere, userKey("acme", "alice"), noon)
	for name, o := range map[string]KeysOptions{"hearing": {}, "reading anew": {Reread: time.Nanosecond}} {
		t.Run(name, func(t *testing.T) {
			k := NewKeys(js, testNames, o)
			if _, err := k.Key(early.ID); !errors.Is(err, fault.ErrOutage) {
				t.Errorf("before they are read = %v, want an outage", err)
			}
			background(t, k.Run)
			until(t, "a key from before is there", func() bool { got, err := k.Key(early.ID); return err == nil && got.User == "alice" })
			late := newKey(t, elsewhere, userKey("acme", "bob"), noon)
			until(t, "a new key is there", func() bool { got, err := k.Key(late.ID); return err == nil && got.User == "bob" })
			if err := elsewhere.Revoke(testContext(t), "acme", late.ID, noon); err != nil {
				t.Fatal(err)
			}
			until(t, "it is revoked", func() bool { got, err := k.Key(late.ID); return err == nil && got.RevokedAt.Equal(noon) })
			if got, err := k.Key(early.ID); err != nil || !got.RevokedAt.IsZero() {
				t.Errorf("the other key is %+v, %v", got, err)
			}
			if _, err := k.Key(strings.Repeat("a", 16)); !errors.Is(err, access.ErrKeyNotFound) {
				t.Errorf("an unknown key = %v, want ErrKeyNotFound", err)
			}
		})
	}
}

// TestNoKeyAtAll: there is nothing to read, and that is known.
func TestNoKeyAtAll(t *testing.T) {
	t.Parallel()
	k := NewKeys(newJetStream(t, Options{}), testNames, KeysOptions{})
	background(t, k.Run)
	until(t, "it is known that there is none", func() bool { _, err := k.Key("x"); return errors.Is(err, access.ErrKeyNotFound) })
}

// TestUsesAreKeptToTheHour, by Run and not by who uses the key.
func TestUsesAreKeptToTheHour(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	k := NewKeys(js, testNames, KeysOptions{Note: time.Nanosecond})
	key := newKey(t, k, userKey("acme", "alice"), noon)
	stop := background(t, k.Run)
	used := func(at time.Time) func() bool {
		return func() bool { got, err := k.Key(key.ID); return err == nil && got.LastUsedAt.Equal(at) }
	}
	until(t, "the key is there", used(time.Time{}))
	k.Used("unknown", noon)
	k.Used(key.ID, noon)
	until(t, "the use is kept", used(noon))
	k.Used(key.ID, noon.Add(59*time.Minute))
	k.Used(key.ID, noon.Add(2*time.Hour))
	until(t, "the next use is kept", used(noon.Add(2*time.Hour)))
	k.Used(key.ID, noon.Add(5*time.Hour))
	stop()
	got, err := k.List(testContext(t), "acme")
	if err != nil || len(got) != 1 || !got[0].LastUsedAt.Equal(noon.Add(5*time.Hour)) {
		t.Errorf("List = %+v, %v, want the last use noted when stopping", got, err)
	}
	if n, err := k.lastSeq(testContext(t)); err != nil || n != 4 {
		t.Errorf("%d messages were stored, %v, want the key and three uses", n, err)
	}
}

// TestAnErasedKeyIsRefused by who holds it in memory.
func TestAnErasedKeyIsRefused(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	k := NewKeys(js, testNames, KeysOptions{})
	background(t, k.Run)
	alice, bob := newKey(t, k, userKey("acme", "alice"), noon), newKey(t, k, userKey("acme", "bob"), noon)
	until(t, "the keys are there", func() bool {
		_, a := k.Key(alice.ID)
		_, b := k.Key(bob.ID)
		return a == nil && b == nil
	})
	all := Places(js, testNames)
	place := all[slices.IndexFunc(all, func(p *Place) bool { return p.Name() == PlaceKeys })]
	if n, err := place.Erase(testContext(t), aliceScope, Horizon{}); err != nil || n != 1 {
		t.Fatalf("Erase = %d, %v", n, err)
	}
	until(t, "it is refused", func() bool { got, err := k.Key(alice.ID); return err != nil || !got.RevokedAt.IsZero() })
	if n, err := place.Count(testContext(t), aliceScope, Horizon{}); err != nil || n != 0 {
		t.Errorf("Count = %d, %v", n, err)
	}
	if got, err := k.List(testContext(t), "acme"); err != nil || len(got) != 1 || got[0].ID != bob.ID {
		t.Errorf("List = %+v, %v, want that of bob alone", got, err)
	}
	if got, err := k.Key(bob.ID); err != nil || !got.RevokedAt.IsZero() {
		t.Errorf("the other user's = %+v, %v", got, err)
	}
	m, err := k.last(testContext(t), "$KV.mem_keys.*.*."+alice.ID+".revoked")
	if err != nil || m.header.Get(jetstream.MsgTTLHeader) == "" {
		t.Errorf("what stays of it has the headers %v, %v: it would stay for ever", m.header, err)
	}
}

// lines is a log for the test to look at.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.b.String(), text)
}

// TestKeysAreServedWhileNATSIsAway, which is said; a revocation counts when it is back.
func TestKeysAreServedWhileNATSIsAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start := func(listen string) *Embedded {
		s, err := StartEmbedded(testContext(t), EmbeddedOptions{Dir: dir, Listen: listen})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := start("127.0.0.1:0")
	url := s.ClientURL()
	nc, err := Connect(ConnectOptions{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTopology(Options{}).Ensure(testContext(t), js); err != nil {
		t.Fatal(err)
	}
	var log lines
	k := NewKeys(js, testNames, KeysOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	key := newKey(t, k, userKey("acme", "alice"), noon)
	background(t, k.Run)
	until(t, "the key is there", func() bool { _, err := k.Key(key.ID); return err == nil })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, "it is said", func() bool { return log.has("NATS is away") })
	if got, err := k.Key(key.ID); err != nil || got.User != "alice" {
		t.Errorf("meanwhile Key = %+v, %v", got, err)
	}
	s = start(strings.TrimPrefix(url, "nats://"))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	until(t, "NATS is back", nc.IsConnected)
	if err := k.Revoke(testContext(t), "acme", key.ID, noon); err != nil {
		t.Fatal(err)
	}
	until(t, "it is revoked", func() bool { got, err := k.Key(key.ID); return err == nil && got.RevokedAt.Equal(noon) })
	until(t, "that is said as well", func() bool { return log.has("NATS is back") })
}

// TestAKeyThatSaysAnotherIDIsNone: what somebody else has written to the bucket.
func TestAKeyThatSaysAnotherIDIsNone(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	k := NewKeys(js, testNames, KeysOptions{})
	key := newKey(t, k, userKey("acme", "alice"), noon)
	forged := strings.Replace(k.subject(&key), key.ID, "a"+key.ID[1:], 1)
	if key.ID[0] == 'a' {
		forged = strings.Replace(k.subject(&key), key.ID, "b"+key.ID[1:], 1)
	}
	m, err := k.last(testContext(t), k.subject(&key))
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{m.data, []byte("{"), nil} {
		if _, err := js.Publish(testContext(t), forged, data); err != nil {
			t.Fatal(err)
		}
		k := NewKeys(js, testNames, KeysOptions{})
		stop := background(t, k.Run)
		until(t, "the right key is there", func() bool { _, err := k.Key(key.ID); return err == nil })
		if got, err := k.Key(forged[len(forged)-16:]); !errors.Is(err, access.ErrKeyNotFound) {
			t.Errorf("a key of %q = %+v, %v, want none", data, got, err)
		}
		stop()
	}
}
