package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// madeKey is what keys create --json prints.
type madeKey struct {
	ID, Key, Tenant, Role, User string
	Hash                        any
	ExpiresAt                   time.Time `json:"expires_at"`
}

func createKey(t *testing.T, args ...string) madeKey {
	t.Helper()
	out := mustRun(t, append([]string{"keys", "create", "--json"}, args...)...)
	var k madeKey
	if err := json.Unmarshal([]byte(out), &k); err != nil || k.Hash != nil || !strings.HasPrefix(k.Key, "mnk_"+k.ID+"_") {
		t.Fatalf("keys create prints %s, %v", out, err)
	}
	return k
}

// waitUntil waits until a command ends as so wants it.
func waitUntil(t *testing.T, what string, so func(out string, err error) bool, args ...string) {
	t.Helper()
	for deadline := time.Now().Add(devWait); ; {
		out, err := run(t, args...)
		if so(out, err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s: %v prints %q, %v", what, args, out, err)
		}
	}
}

// TestKeys makes, uses, lists and revokes keys of a running installation that wants them.
func TestKeys(t *testing.T) {
	t.Setenv("MNEMOND_AUTH_KEYS", "true")
	d := startDev(t, t.TempDir())
	alice := createKey(t, "--tenant", "acme", "--role", "user", "--user", "张三", "--name", "张三的手机", "--expires", "1h")
	if alice.Tenant != "acme" || alice.Role != "user" || alice.User != "张三" || !alice.ExpiresAt.After(time.Now()) {
		t.Errorf("made %+v", alice)
	}
	text := mustRun(t, "keys", "create", "--tenant", "acme", "--role", "admin")
	token, rest, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(token, "mnk_") || strings.Contains(rest, token) || !strings.Contains(rest, "admin  tenant acme") {
		t.Errorf("keys create prints\n%s", text)
	}
	list := mustRun(t, "keys", "list", "--tenant", "acme")
	for _, want := range []string{alice.ID + "  user   tenant acme, user 张三", `"张三的手机"`, "never used", "until "} {
		if !strings.Contains(list, want) {
			t.Errorf("keys list prints\n%s\nwithout %q", list, want)
		}
	}
	if n := strings.Count(list, "\n"); n != 2 || strings.Contains(list, alice.Key) || strings.Contains(list, token) {
		t.Errorf("keys list prints\n%s", list)
	}
	if out := mustRun(t, "keys", "list"); out != "" {
		t.Errorf("another tenant's list is\n%s", out)
	}
	mine := []string{"memories", "--tenant", "acme", "--user", "张三"}
	if out, err := run(t, mine...); err == nil {
		t.Errorf("without a key:\n%s", out)
	}
	t.Setenv("MNEMOND_API_KEY", alice.Key)
	waitUntil(t, "the key lets in", func(_ string, err error) bool { return err == nil }, mine...)
	if out, err := run(t, "memories", "--tenant", "acme", "--user", "bob"); err == nil || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("another user's = %v\n%s", err, out)
	}
	if out := mustRun(t, "keys", "revoke", "--tenant", "acme", alice.ID); out != "" {
		t.Errorf("keys revoke prints %q", out)
	}
	waitUntil(t, "the key is refused", func(_ string, err error) bool { return err != nil }, mine...)
	if list := mustRun(t, "keys", "list", "--tenant", "acme"); !strings.Contains(list, "revoked ") {
		t.Errorf("keys list prints\n%s", list)
	}
	if _, err := run(t, "keys", "revoke", alice.ID); err == nil || !strings.Contains(err.Error(), "no such key") {
		t.Errorf("by another tenant = %v", err)
	}
	d.stop(t)
}

func TestKeysThatCannotBeMade(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"create"}, "--role"},
		{[]string{"create", "--role", "operator"}, "--role"},
		{[]string{"create", "--role", "user"}, "user: "},
		{[]string{"create", "--role", "admin", "--user", "u"}, "user: "},
		{[]string{"create", "--role", "admin", "--agent", "a"}, "agent: "},
		{[]string{"create", "--role", "agent", "--expires=-1h"}, "expires_at: "},
		{[]string{"create", "--role", "agent", "--name", "a\nb"}, "name: "},
		{[]string{"revoke"}, "<id>"},
	} {
		if out, err := run(t, append([]string{"keys"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(out, "mnk_") {
			t.Errorf("%v = %v, want an error with %q\n%s", c.args, err, c.want, out)
		}
	}
}
