package access

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

var (
	alice  = Caller{Tenant: "acme", User: "alice", Role: RoleUser, Key: "k1"}
	shop   = Caller{Tenant: "acme", Role: RoleAgent, Key: "k2"}
	bound  = Caller{Tenant: "acme", Agent: "shop", Role: RoleAgent, Key: "k3"}
	boss   = Caller{Tenant: "acme", Role: RoleAdmin, Key: "k4"}
	张三     = Caller{Tenant: "顶点", User: "张三", Role: RoleUser, Key: "k5"}
	nobody Caller
)

func TestNarrow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		caller Caller
		said   Owner
		want   Owner
		field  string // of the refusal
	}{
		{"a user says nothing", alice, Owner{}, Owner{Tenant: "acme", User: "alice"}, ""},
		{"a user says the same", alice, Owner{Tenant: "acme", User: "alice"}, Owner{Tenant: "acme", User: "alice"}, ""},
		{"a user narrows to an agent", alice, Owner{Agent: "shop"}, Owner{Tenant: "acme", User: "alice", Agent: "shop"}, ""},
		{"a user names another", alice, Owner{User: "bob"}, Owner{}, "user"},
		{"a user names another by case", alice, Owner{User: "Alice"}, Owner{}, "user"},
		{"a user names another tenant", alice, Owner{Tenant: "globex", User: "alice"}, Owner{}, "tenant"},
		{"a user in Chinese", 张三, Owner{Tenant: "顶点"}, Owner{Tenant: "顶点", User: "张三"}, ""},
		{"a user in Chinese names another", 张三, Owner{User: "李四"}, Owner{}, "user"},
		{"a backend names a user", shop, Owner{User: "bob"}, Owner{Tenant: "acme", User: "bob"}, ""},
		{"a backend names an agent", shop, Owner{Agent: "any"}, Owner{Tenant: "acme", Agent: "any"}, ""},
		{"a backend names another tenant", shop, Owner{Tenant: "globex", User: "bob"}, Owner{}, "tenant"},
		{"a bound backend names a user", bound, Owner{User: "bob"}, Owner{Tenant: "acme", User: "bob", Agent: "shop"}, ""},
		{"a bound backend names another agent", bound, Owner{User: "bob", Agent: "desk"}, Owner{}, "agent"},
		{"an admin names nobody", boss, Owner{}, Owner{Tenant: "acme"}, ""},
		{"an admin names another tenant", boss, Owner{Tenant: memory.DefaultTenant}, Owner{}, "tenant"},
		{"the operator names nobody", Local(), Owner{}, Owner{Tenant: memory.DefaultTenant}, ""},
		{"the operator names anybody", Local(), Owner{Tenant: "globex", User: "bob", Agent: "a"}, Owner{Tenant: "globex", User: "bob", Agent: "a"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Narrow(c.caller, c.said)
			var far *ForbiddenError
			switch {
			case c.field == "" && (err != nil || got != c.want):
				t.Errorf("Narrow = %+v, %v, want %+v", got, err, c.want)
			case c.field != "" && (!errors.As(err, &far) || far.Field != c.field || !errors.Is(err, ErrForbidden)):
				t.Errorf("Narrow = %+v, %v, want it forbidden for %s", got, err, c.field)
			case c.field != "" && (got != Owner{} || !strings.HasPrefix(err.Error(), c.field+": ")):
				t.Errorf("Narrow = %+v, %v", got, err)
			}
		})
	}
}

// impossible are callers that no credential gives: more by mistake than by malice.
var impossible = map[string]Caller{
	"nobody":                            nobody,
	"a user without a name":             {Tenant: "acme", Role: RoleUser, Key: "k"},
	"a backend without a tenant":        {Role: RoleAgent, Key: "k"},
	"an admin without a tenant":         {Role: RoleAdmin, Key: "k"},
	"an admin of a tenant called local": {Tenant: "acme", Role: RoleAdmin, Key: "local"},
	"without a role":                    {Tenant: "acme", Key: "k"},
	"of an unknown role":                {Tenant: "acme", Role: "operator", Key: "k"},
	"without a key":                     {Tenant: "acme", Role: RoleAdmin},
	"a backend bound to a user":         {Tenant: "acme", User: "alice", Role: RoleAgent, Key: "k"},
	"an admin bound to an agent":        {Tenant: "acme", Agent: "shop", Role: RoleAdmin, Key: "k"},
	"a user bound to an agent":          {Tenant: "acme", User: "alice", Agent: "shop", Role: RoleUser, Key: "k"},
	"a tenant that is no id":            {Tenant: "a\x00b", Role: RoleAdmin, Key: "k"},
	"a user who is no id":               {Tenant: "acme", User: memory.User(strings.Repeat("x", 257)), Role: RoleUser, Key: "k"},
	"the operator with a tenant":        {Tenant: "acme", Role: RoleAdmin, Key: localKey},
}

func TestACallerThatNoCredentialGivesReachesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range impossible {
		if got, err := Narrow(c, Owner{Tenant: c.Tenant, User: c.User}); !errors.Is(err, ErrUnauthenticated) || got != (Owner{}) {
			t.Errorf("%s: Narrow = %+v, %v, want ErrUnauthenticated", name, got, err)
		}
		if err := Permit(c, RoleUser); !errors.Is(err, ErrUnauthenticated) {
			t.Errorf("%s: Permit = %v, want ErrUnauthenticated", name, err)
		}
	}
}

func TestRolesMay(t *testing.T) {
	t.Parallel()
	may := map[Role][]Role{
		RoleUser: {RoleUser}, RoleAgent: {RoleUser, RoleAgent}, RoleAdmin: {RoleUser, RoleAgent, RoleAdmin}, "operator": nil, "": nil,
	}
	callers := map[Role]Caller{RoleUser: alice, RoleAgent: shop, RoleAdmin: boss}
	for role, all := range may {
		for _, least := range []Role{RoleUser, RoleAgent, RoleAdmin, "", "operator"} {
			want := false
			for _, r := range all {
				want = want || r == least
			}
			if got := role.May(least); got != want {
				t.Errorf("%q may what is open to %q: %v", role, least, got)
			}
			caller, ok := callers[role]
			if !ok {
				continue
			}
			if err := Permit(caller, least); (err == nil) != want || err != nil && !errors.Is(err, ErrForbidden) {
				t.Errorf("Permit(%s, %s) = %v, want it allowed: %v", role, least, err, want)
			}
		}
	}
	if err := Permit(Local(), RoleAdmin); err != nil {
		t.Errorf("the operator may not what an admin may: %v", err)
	}
}

// ids are few, so that they are often the same, and some look like others.
var ids = rapid.SampledFrom([]string{"", "acme", "Acme", "acme ", "alice", "bob", "*", ">", "张三", "local", "default", "a\x00"})

func owners() *rapid.Generator[Owner] {
	return rapid.Custom(func(t *rapid.T) Owner {
		return Owner{Tenant: memory.Tenant(ids.Draw(t, "tenant")), User: memory.User(ids.Draw(t, "user")), Agent: memory.Agent(ids.Draw(t, "agent"))}
	})
}

func callers() *rapid.Generator[Caller] {
	return rapid.Custom(func(t *rapid.T) Caller {
		o := owners().Draw(t, "bound to")
		return Caller{
			Tenant: o.Tenant, User: o.User, Agent: o.Agent, Key: ids.Draw(t, "key"),
			Role: rapid.SampledFrom([]Role{RoleUser, RoleAgent, RoleAdmin, "operator", ""}).Draw(t, "role"),
		}
	})
}

// TestNarrowNeverWidens: whatever a request says, it is about the caller's own, or refused.
func TestNarrowNeverWidens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c, said := callers().Draw(t, "caller"), owners().Draw(t, "said")
		got, err := Narrow(c, said)
		if err != nil {
			if got != (Owner{}) || !errors.Is(err, ErrForbidden) && !errors.Is(err, ErrUnauthenticated) {
				t.Fatalf("Narrow = %+v, %v", got, err)
			}
			return
		}
		if got.Tenant == "" || c.Tenant != got.Tenant && c != Local() {
			t.Fatalf("the tenant is %q", got.Tenant)
		}
		if c.Role == RoleUser && (got.User == "" || got.User != c.User) {
			t.Fatalf("the user is %q", got.User)
		}
		if c.Agent != "" && got.Agent != c.Agent {
			t.Fatalf("the agent is %q", got.Agent)
		}
		if said.Tenant != "" && got.Tenant != said.Tenant || said.User != "" && got.User != said.User || said.Agent != "" && got.Agent != said.Agent {
			t.Fatalf("%+v was said, and %+v is meant", said, got)
		}
		if again, err := Narrow(c, got); err != nil || again != got {
			t.Fatalf("narrowed again it is %+v, %v", again, err)
		}
	})
}
