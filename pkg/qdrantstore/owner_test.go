package qdrantstore

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// awkward are scopes whose names could run into what stands between them.
var awkward = rapid.Custom(func(t *rapid.T) memory.Scope {
	part := rapid.OneOf(rapid.StringMatching(`[a:/0-9王]{1,6}|user|agent|tenant`), rapid.StringN(1, 80, memory.MaxIDBytes))
	s := memory.Scope{Tenant: memory.Tenant(part.Draw(t, "tenant"))}
	s.Owner.Kind = rapid.SampledFrom([]memory.OwnerKind{memory.OwnerUser, memory.OwnerAgent, memory.OwnerTenant}).Draw(t, "kind")
	if s.Owner.Kind != memory.OwnerTenant {
		s.Owner.ID = part.Draw(t, "id")
	}
	return s
}).Filter(func(s memory.Scope) bool { return s.Validate() == nil })

// TestOwnersWhoseNamesRunTogether: no two scopes have one keyword, and each is read back.
func TestOwnersWhoseNamesRunTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := awkward.Draw(t, "a"), awkward.Draw(t, "b")
		if (ownerOf(a) == ownerOf(b)) != (a == b) {
			t.Errorf("%+v and %+v are %q and %q", a, b, ownerOf(a), ownerOf(b))
		}
		if got, err := parseOwner(ownerOf(a)); got != a || err != nil {
			t.Errorf("%q is read as %+v, %v, want %+v", ownerOf(a), got, err, a)
		}
	})
}

func TestWhatIsNoOwner(t *testing.T) {
	for _, keyword := range []string{
		"", "0", "0:", "4", "acme", "4:acme", "4:acme/user", "4:acme/user/", "4:acme/someone/alice", "4:acme/tenant/alice", "4:acmeuser/alice",
		"3:acme/user/alice", "5:acme/user/alice", "99:acme/user/alice", "-1:acme/user/alice", "+4:acme/user/alice",
		"04:acme/user/alice", " 4:acme/user/alice", "4 :acme/user/alice", "x:acme/user/alice", ":acme/user/alice", "0:/user/alice",
		"4:acme/user/a\x00b", "4:acme/user/\xff", "4:acme/User/alice", "99999999999999999999:acme/user/alice",
	} {
		if s, err := parseOwner(keyword); !fault.IsPermanent(err) {
			t.Errorf("%q is read as %+v, %v, want a permanent error", keyword, s, err)
		}
	}
}

// FuzzParseOwner: whatever is read is what would be written.
func FuzzParseOwner(f *testing.F) {
	for _, s := range []memory.Scope{alice, memory.UserScope("a/b:c", "1:x/user/y"), {Tenant: "王", Owner: memory.Owner{Kind: memory.OwnerTenant}}} {
		f.Add(ownerOf(s))
	}
	f.Add("4:acme/user")
	f.Fuzz(func(t *testing.T, keyword string) {
		s, err := parseOwner(keyword)
		if err == nil && (s.Validate() != nil || ownerOf(s) != keyword) {
			t.Errorf("%q is read as %+v", keyword, s)
		}
	})
}
