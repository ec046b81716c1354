package profile

import (
	"testing"

	"github.com/google/uuid"
	"github.com/mnemond/mnemond/pkg/memory"
	"pgregory.net/rapid"
)

var alice = memory.UserScope("default", "alice")

func TestIdentity(t *testing.T) {
	type input struct {
		key         memory.Key
		value, text string
	}
	r := defaults(t)
	seen := map[memory.ID]input{}
	// Inputs in one group have one identity; no two groups do.
	for _, group := range [][]input{
		{{"user.city", "杭州", "我住在杭州"}, {"user.city", "Oslo", "I live in Oslo"}},
		{{"user.name", "Alice", ""}},
		{{"user.allergies", "花生", "我对花生过敏"}, {"user.allergies", "peanuts", "别放花生"}, {"user.allergies", "花生過敏", ""}},
		{{"user.allergies", "latex", ""}, {"user.allergies", "乳胶", ""}},
		{{"user.likes", "Chinese food", ""}, {"user.dislikes", "chinese food", ""}, {"user.likes", "中餐", ""}},
		{{"user.hobbies", "Chinese food", ""}},
		{{"user.languages", "English", ""}, {"user.languages", "英语", ""}},
		{{"", "", "I play the cello."}, {"", "", "i still play the cello"}},
		{{"", "备考雅思", "我在备考雅思"}, {"", "备考雅思", "我还在备考雅思"}},
		{{"", "green", "My favourite colour is green"}},
		{{"old.key", "x", ""}, {"old.key", "The X", "text"}},
		{{"", "user.city", ""}},
	} {
		first := r.Identity(alice, group[0].key, group[0].value, group[0].text)
		if u, err := uuid.Parse(string(first)); err != nil || u.Version() != 5 || u.String() != string(first) {
			t.Errorf("%q is no canonical UUIDv5", first)
		}
		for _, in := range group {
			if got := r.Identity(alice, in.key, in.value, in.text); got != first {
				t.Errorf("%+v and %+v differ", group[0], in)
			}
		}
		if other, ok := seen[first]; ok {
			t.Errorf("%+v and %+v are one", group[0], other)
		}
		seen[first] = group[0]
	}
}

// The ids of stored memories: if this fails, every memory gets another id.
func TestIdentityIsPinned(t *testing.T) {
	r := defaults(t)
	for want, got := range map[memory.ID]memory.ID{
		"b8f0fc05-5c21-5f26-a6c1-19865eb76282": r.Identity(alice, "user.city", "杭州", ""),
		"7b1dcf0b-2388-5522-8bbe-e1956acd2c8c": r.Identity(alice, "user.allergies", "花生", ""),
		"d1bcd14c-34b8-5d76-afa2-6851c9ed8cfa": r.Identity(alice, "", "", "I play the cello."),
		"fa7e80b7-4f23-53be-b940-ea88c3fc133d": r.DisputeIdentity(alice, "user.birthday", "May 14"),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestDisputeIdentity(t *testing.T) {
	r := defaults(t)
	rival := r.DisputeIdentity(alice, "user.birthday", "May 14")
	if rival != r.DisputeIdentity(alice, "user.birthday", "14 May") {
		t.Error("one rival said twice has two ids")
	}
	if rival == r.DisputeIdentity(alice, "user.birthday", "May 15") || rival == r.Identity(alice, "user.birthday", "May 14", "") {
		t.Error("different memories have one id")
	}
}

func scopes() *rapid.Generator[memory.Scope] {
	return rapid.Custom(func(t *rapid.T) memory.Scope {
		name := rapid.StringMatching(`[ab:/]{1,3}`)
		kind := rapid.SampledFrom([]memory.OwnerKind{memory.OwnerUser, memory.OwnerAgent}).Draw(t, "kind")
		return memory.Scope{Tenant: memory.Tenant(name.Draw(t, "tenant")), Owner: memory.Owner{Kind: kind, ID: name.Draw(t, "owner")}}
	})
}

// No identity crosses tenant or owner, whatever they are called.
func TestIdentityNeverCrossesScopes(t *testing.T) {
	r := defaults(t)
	rapid.Check(t, func(t *rapid.T) {
		a, b := scopes().Draw(t, "a"), scopes().Draw(t, "b")
		key := rapid.SampledFrom(append(r.Keys(), "")).Draw(t, "key")
		value := rapid.StringMatching(`[ab:/]{0,3}`).Draw(t, "value")
		if (r.Identity(a, key, value, value) == r.Identity(b, key, value, value)) != (a == b) {
			t.Fatalf("%v and %v", a, b)
		}
		if (r.DisputeIdentity(a, key, value) == r.DisputeIdentity(b, key, value)) != (a == b) {
			t.Fatalf("disputed: %v and %v", a, b)
		}
	})
}

// Different lists of fields are never one by the way they are joined.
func TestIDKeepsFieldsApart(t *testing.T) {
	fields := rapid.SliceOfN(rapid.StringMatching("[a\x00\x01\x02]{0,3}"), 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		a, b := fields.Draw(t, "a"), fields.Draw(t, "b")
		same := len(a) == len(b)
		for i := 0; same && i < len(a); i++ {
			same = a[i] == b[i]
		}
		if (id(alice, sortFree, a...) == id(alice, sortFree, b...)) != same {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

func BenchmarkIdentity(b *testing.B) {
	r := defaults(b)
	for b.Loop() {
		r.Identity(alice, "user.allergies", "peanuts", "")
	}
}
