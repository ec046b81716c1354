package stream

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestSecretIsMadeOnce(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	secrets := make([][]byte, 8)
	var wg sync.WaitGroup
	for i := range secrets {
		wg.Go(func() {
			var err error
			if secrets[i], err = Secret(testContext(t), js); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	for i, s := range secrets {
		if len(s) != 32 || !bytes.Equal(s, secrets[0]) {
			t.Errorf("process %d has the secret %x, process 0 %x", i, s, secrets[0])
		}
	}
	other, err := Secret(testContext(t), newJetStream(t, Options{}))
	if err != nil || bytes.Equal(other, secrets[0]) {
		t.Errorf("another installation has the same secret, %v", err)
	}
}

func TestSecretOfAnotherLengthIsRefused(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	kv, err := js.KeyValue(testContext(t), BucketMeta)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Put(testContext(t), secretKey, []byte("short")); err != nil {
		t.Fatal(err)
	}
	if s, err := Secret(testContext(t), js); !fault.IsPermanent(err) {
		t.Errorf("Secret = %x, %v, want a permanent error", s, err)
	}
}

func TestNamesTellNothingAndEverythingApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) memory.ThreadRef {
			return thread(idGen().Draw(t, label+" tenant"), idGen().Draw(t, label+" user"), idGen().Draw(t, label+" thread"))
		}
		a, b := draw("a"), draw("b")
		names, others := NewNames([]byte("one")), NewNames([]byte("two"))
		if (a == b) != (names.thread(a) == names.thread(b)) {
			t.Fatalf("%+v and %+v are named %s and %s", a, b, names.thread(a), names.thread(b))
		}
		if names.thread(a) == others.thread(a) {
			t.Fatal("another secret gives the same name")
		}
		tokens := strings.Split(names.TimerSetSubject(a), ".")
		if len(tokens) != 6 || strings.Join(tokens[3:5], ".") != names.owner(a.Scope()) || tokens[3] != names.tenant(a.Tenant) {
			t.Fatalf("the name %v of a thread does not begin with its owner's, %s", tokens, names.owner(a.Scope()))
		}
		for _, token := range tokens[3:] {
			if len(token) != 24 || strings.Trim(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
				t.Fatalf("%q is no token", token)
			}
		}
	})
}
