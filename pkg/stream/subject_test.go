package stream

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestToken(t *testing.T) {
	for id, want := range map[string]string{
		"alice": "alice", "A-b_9": "A-b_9", "a.b": "a=2Eb", "a b": "a=20b", "张": "=E5=BC=A0",
		"=": "=3D", "*": "=2A", ">": "=3E", "a=2Eb": "a=3D2Eb", "": "=", "%": "=25",
	} {
		if got := Token(id); got != want {
			t.Errorf("Token(%q) = %q, want %q", id, got, want)
		}
		if back, err := Untoken(want); err != nil || back != id {
			t.Errorf("Untoken(%q) = %q, %v, want %q", want, back, err, id)
		}
	}
}

func TestUntokenRejectsWhatTokenNeverMakes(t *testing.T) {
	for _, token := range []string{"", "a.b", "a b", "=2e", "=41", "=4", "a=", "==", "=GG", "张", "*", ">", "=2E="} {
		if id, err := Untoken(token); !errors.Is(err, ErrSubject) {
			t.Errorf("Untoken(%q) = %q, %v, want ErrSubject", token, id, err)
		}
	}
}

// idGen draws any id that memory.ValidateID accepts.
func idGen() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringN(1, 60, memory.MaxIDBytes), rapid.StringMatching(`[a-z=_.*> -]{1,12}`)).
		Filter(func(s string) bool { return memory.ValidateID(s) == nil })
}

func scopeGen() *rapid.Generator[memory.Scope] {
	return rapid.Custom(func(t *rapid.T) memory.Scope {
		s := memory.Scope{Tenant: memory.Tenant(idGen().Draw(t, "tenant"))}
		s.Owner.Kind = rapid.SampledFrom([]memory.OwnerKind{memory.OwnerUser, memory.OwnerAgent, memory.OwnerTenant}).Draw(t, "kind")
		if s.Owner.Kind != memory.OwnerTenant {
			s.Owner.ID = idGen().Draw(t, "id")
		}
		return s
	})
}

func TestLedgerSubjectRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := scopeGen().Draw(t, "a"), scopeGen().Draw(t, "b")
		back, err := ParseLedgerSubject(LedgerSubject(a))
		if err != nil || back != a {
			t.Fatalf("%+v came back as %+v, %v", a, back, err)
		}
		if (a == b) != (LedgerSubject(a) == LedgerSubject(b)) {
			t.Fatalf("%+v and %+v share %s", a, b, LedgerSubject(a))
		}
	})
}

func TestOwnersOfOneNameDoNotCollide(t *testing.T) {
	seen := map[string]memory.Owner{}
	for _, o := range []memory.Owner{
		{Kind: memory.OwnerTenant}, {Kind: memory.OwnerUser, ID: "t"}, {Kind: memory.OwnerAgent, ID: "t"},
		{Kind: memory.OwnerUser, ID: "a_t"}, {Kind: memory.OwnerAgent, ID: "u_t"},
	} {
		subject := LedgerSubject(memory.Scope{Tenant: "acme", Owner: o})
		if other, ok := seen[subject]; ok {
			t.Errorf("%+v and %+v share %s", o, other, subject)
		}
		seen[subject] = o
	}
}

func TestParseSubjectRejects(t *testing.T) {
	for _, subject := range []string{
		"", "mem.events", "mem.events.a.b", "mem.events.a.b.c.d", "mem.events.a..c", "mem.events.=.b.c",
		"mem.events.a.b.=00", "mem.ledger.a.u_b", "mem.events.a.b.=FF", "other.events.a.b.c",
		"mem.events.a.b." + strings.Repeat("x", 257),
	} {
		if r, err := ParseThreadSubject(subject); err == nil {
			t.Errorf("ParseThreadSubject(%.40q) = %+v", subject, r)
		}
	}
	for _, subject := range []string{
		"", "mem.ledger.a", "mem.ledger.a.b", "mem.ledger.a.u_", "mem.ledger.a.u_=", "mem.ledger.a.tt", "mem.ledger.=.t",
		"mem.ledger.a.u_b.c", "mem.events.a.u_b",
	} {
		if s, err := ParseLedgerSubject(subject); err == nil {
			t.Errorf("ParseLedgerSubject(%q) = %+v", subject, s)
		}
	}
}

func FuzzSubject(f *testing.F) {
	f.Add("acme", "alice", "t1")
	f.Add("默认", "张三", "对话.1")
	f.Add("a.b", "*", ">")
	f.Add("=41", "a=", "==")
	f.Add(strings.Repeat("\xff", 256), "\t", "\n")
	f.Fuzz(func(t *testing.T, tenant, user, id string) {
		for _, s := range []string{tenant, user, id} {
			token := Token(s)
			if back, err := Untoken(token); err != nil || back != s {
				t.Fatalf("%q came back from %q as %q, %v", s, token, back, err)
			}
			if token == "" || strings.ContainsFunc(token, func(r rune) bool {
				return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII || strings.ContainsRune(".*>", r)
			}) {
				t.Fatalf("Token(%q) = %q is not one token", s, token)
			}
			if id, err := Untoken(s); err == nil && Token(id) != s {
				t.Fatalf("Untoken takes %q, which Token(%q) does not make", s, id)
			}
		}
		r := thread(tenant, user, id)
		if r.Validate() != nil {
			return
		}
		subject := EventSubject(r)
		if back, err := ParseThreadSubject(subject); err != nil || back != r {
			t.Fatalf("%q came back as %+v, %v", subject, back, err)
		}
		if len(subject) > 3000 {
			t.Fatalf("subject of %d bytes", len(subject))
		}
	})
}
