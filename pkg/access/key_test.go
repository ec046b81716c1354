package access

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestNewKey(t *testing.T) {
	t.Parallel()
	made, token, err := NewKey(Key{
		Tenant: "顶点", User: "张三", Role: RoleUser, Name: "张三的手机", ExpiresAt: noon.Add(time.Hour).In(time.FixedZone("CST", 8*3600)),
		ID: "chosen", Hash: []byte("chosen"), RevokedAt: noon, LastUsedAt: noon,
	}, noon)
	if err != nil {
		t.Fatal(err)
	}
	id, secret, err := parseKey(token)
	if err != nil || id != made.ID || len(secret) != 40 || len(id) != 16 {
		t.Fatalf("the token %q is of %q, %q, %v", token, id, secret, err)
	}
	sum := sha256.Sum256([]byte(secret))
	if string(made.Hash) != string(sum[:]) {
		t.Error("what is kept is not the SHA-256 of the secret")
	}
	kept, err := json.Marshal(made)
	if err != nil || strings.Contains(string(kept), secret) {
		t.Errorf("kept is %s, %v", kept, err)
	}
	want := Key{
		ID: id, Name: "张三的手机", Tenant: "顶点", User: "张三", Role: RoleUser, Hash: sum[:], CreatedAt: noon, ExpiresAt: noon.Add(time.Hour),
	}
	if got, wanted := text(t, made), text(t, want); got != wanted {
		t.Errorf("made %s, want %s", got, wanted)
	}
	if got := made.caller(); got != (Caller{Tenant: "顶点", User: "张三", Role: RoleUser, Key: id}) {
		t.Errorf("it lets in %+v", got)
	}
	if _, other, err := NewKey(Key{Tenant: "a", Role: RoleAdmin}, noon); err != nil || other == token {
		t.Errorf("the next is %q, %v", other, err)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestNewKeyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key   Key
		field string
	}{
		{Key{Role: RoleAdmin}, "tenant"},
		{Key{Tenant: "a\x00", Role: RoleAdmin}, "tenant"},
		{Key{Tenant: "acme"}, "role"},
		{Key{Tenant: "acme", Role: "operator"}, "role"},
		{Key{Tenant: "acme", Role: RoleUser}, "user"},
		{Key{Tenant: "acme", Role: RoleUser, User: memory.User(strings.Repeat("长", 86))}, "user"},
		{Key{Tenant: "acme", Role: RoleAgent, User: "alice"}, "user"},
		{Key{Tenant: "acme", Role: RoleAdmin, User: "alice"}, "user"},
		{Key{Tenant: "acme", Role: RoleAdmin, Agent: "shop"}, "agent"},
		{Key{Tenant: "acme", Role: RoleUser, User: "alice", Agent: "shop"}, "agent"},
		{Key{Tenant: "acme", Role: RoleAgent, Agent: "\xff"}, "agent"},
		{Key{Tenant: "acme", Role: RoleAgent, Name: strings.Repeat("n", MaxNameBytes+1)}, "name"},
		{Key{Tenant: "acme", Role: RoleAgent, Name: "a\nb"}, "name"},
		{Key{Tenant: "acme", Role: RoleAgent, Name: "\xff"}, "name"},
		{Key{Tenant: "acme", Role: RoleAgent, ExpiresAt: noon}, "expires_at"},
	} {
		made, token, err := NewKey(c.key, noon)
		var f *fault.FieldError
		if !errors.As(err, &f) || f.Field != c.field || token != "" || made.ID != "" {
			t.Errorf("NewKey(%+v) = %+v, %q, %v, want %s refused", c.key, made, token, err, c.field)
		}
	}
}

func TestKeysBelongToWhomTheyAreFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  Key
		want memory.Owner
	}{
		{Key{Tenant: "acme", Role: RoleUser, User: "alice"}, memory.Owner{Kind: memory.OwnerUser, ID: "alice"}},
		{Key{Tenant: "acme", Role: RoleAgent, Agent: "shop"}, memory.Owner{Kind: memory.OwnerAgent, ID: "shop"}},
		{Key{Tenant: "acme", Role: RoleAgent}, memory.Owner{Kind: memory.OwnerTenant}},
		{Key{Tenant: "acme", Role: RoleAdmin}, memory.Owner{Kind: memory.OwnerTenant}},
	} {
		if got := c.key.Scope(); got != (memory.Scope{Tenant: "acme", Owner: c.want}) {
			t.Errorf("%+v belongs to %+v, want %+v", c.key, got, c.want)
		}
	}
}

// TestAKeyThatIsPastedIntoAChatIsCutOut before anything stores it.
func TestAKeyThatIsPastedIntoAChatIsCutOut(t *testing.T) {
	t.Parallel()
	for range 20 {
		_, token, err := NewKey(Key{Tenant: "acme", Role: RoleAdmin}, noon)
		if err != nil {
			t.Fatal(err)
		}
		_, secret, _ := parseKey(token)
		for _, said := range []string{"my key is " + token + " ok?", "我的密钥是" + token + "。", token} {
			if got, _ := guard.Redact(said); strings.Contains(got, secret) {
				t.Fatalf("%q stays as %q", said, got)
			}
		}
	}
}

const good = "mnk_" + "abcdefghijklmnop" + "_" + "abcdefghijklmnopqrstuvwxyz234567abcdefgh"

func TestParseKey(t *testing.T) {
	t.Parallel()
	if id, secret, err := parseKey(good); err != nil || id != "abcdefghijklmnop" || len(secret) != 40 {
		t.Fatalf("parseKey = %q, %q, %v", id, secret, err)
	}
	for _, bad := range []string{
		"", "mnk_", "mnk__", good + "a", good[:len(good)-1], " " + good, good + "\n", strings.ToUpper(good), "MNK" + good[3:],
		strings.Replace(good, "a", "1", 1), strings.Replace(good, "_abc", "_a\nc", 1), strings.Replace(good, "p_a", "pa", 1), good + "_",
		strings.Replace(good, "h", "é", 1), "mnk_*_" + good[21:], "mnk_>" + good[5:],
	} {
		if id, secret, err := parseKey(bad); err == nil || id != "" || secret != "" {
			t.Errorf("parseKey(%q) = %q, %q, %v", bad, id, secret, err)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, s := range []string{good, "", "mnk_a_b", good + good, "mnk_" + strings.Repeat("_", 57), "Bearer " + good} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, token string) {
		id, secret, err := parseKey(token)
		if err != nil {
			return
		}
		if "mnk_"+id+"_"+secret != token || !ValidKeyID(id) || strings.ContainsAny(id, "*>. _") {
			t.Errorf("parseKey(%q) = %q, %q", token, id, secret)
		}
		for name, part := range map[string]string{"id": id, "secret": secret} {
			raw, err := base32Lower.DecodeString(part)
			if err != nil || base32Lower.EncodeToString(raw) != part {
				t.Errorf("the %s %q stands for %x, %v", name, part, raw, err)
			}
		}
	})
}
