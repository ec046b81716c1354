package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestValidateID(t *testing.T) {
	tests := []struct{ name, id, want string }{
		{"plain", "u1", ""},
		{"Chinese", "用户", ""},
		{"as long as may be", strings.Repeat("x", memory.MaxIDBytes), ""},
		{"dots, spaces and wildcards", "a.b *>/\n", ""},
		{"empty", "", "must not be empty"},
		{"a byte too long", strings.Repeat("x", memory.MaxIDBytes+1), "must be at most 256 bytes, is 257"},
		{"too long in bytes, not in characters", strings.Repeat("杭", 86), "must be at most 256 bytes, is 258"},
		{"not UTF-8", "a\xff", "must be valid UTF-8"},
		{"NUL", "a\x00b", "must not contain NUL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := memory.ValidateID(tt.id)
			if got := message(err); got != tt.want {
				t.Errorf("error is %q, want %q", got, tt.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestScopeValidate(t *testing.T) {
	tests := []struct {
		name  string
		scope memory.Scope
		names string
	}{
		{"user", memory.UserScope("acme", "u1"), ""},
		{"agent", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "a"}}, ""},
		{"tenant", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}}, ""},
		{"zero", memory.Scope{}, "tenant"},
		{"no tenant", memory.UserScope("", "u1"), "tenant"},
		{"no user", memory.UserScope("acme", ""), "owner"},
		{"no kind", memory.Scope{Tenant: "acme", Owner: memory.Owner{ID: "u1"}}, "owner kind"},
		{"unknown kind", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: "group", ID: "g"}}, "owner kind"},
		{"tenant with an id", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant, ID: "x"}}, "owner"},
		{"agent without an id", memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent}}, "owner"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.scope.Validate()
			if tt.names == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, memory.ErrScope) || !strings.Contains(err.Error(), tt.names) {
				t.Errorf("error is %v, want one that wraps ErrScope and names %q", err, tt.names)
			}
		})
	}
}

func TestThreadRef(t *testing.T) {
	ok := memory.ThreadRef{Tenant: "acme", User: "u1", Thread: "t1"}
	if err := ok.Validate(); err != nil {
		t.Error(err)
	}
	if ok.Scope() != memory.UserScope("acme", "u1") {
		t.Errorf("scope is %v", ok.Scope())
	}
	for name, r := range map[string]memory.ThreadRef{
		"tenant": {User: "u", Thread: "t"}, "user": {Tenant: "a", Thread: "t"}, "thread": {Tenant: "a", User: "u"},
	} {
		if err := r.Validate(); !errors.Is(err, memory.ErrScope) || !strings.Contains(err.Error(), name+":") {
			t.Errorf("without %s the error is %v", name, err)
		}
	}
}
