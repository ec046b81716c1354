package eval

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/memory"
)

func spoken(roles ...string) *bench.User {
	u := &bench.User{ID: "u"}
	for _, r := range roles {
		u.Turns = append(u.Turns, bench.Turn{Role: r, Text: "x"})
	}
	return u
}

func TestPeople(t *testing.T) {
	gold := []Gold{{Text: "both"}, {Subject: "Ann", Text: "of Ann"}}
	for name, c := range map[string]struct {
		user  *bench.User
		gold  []Gold
		users []memory.User
		golds []int
		fault string
	}{
		"a user and an assistant": {spoken("user", "assistant", "user"), gold[:1], []memory.User{"u"}, []int{1}, ""},
		"a user alone":            {spoken("user"), nil, []memory.User{"u"}, []int{0}, ""},
		"two speakers":            {spoken("Ann", "Bob", "Ann"), gold, []memory.User{"u/Ann", "u/Bob"}, []int{2, 1}, ""},
		"one speaker":             {spoken("Ann"), nil, nil, nil, "want two speakers"},
		"three speakers":          {spoken("Ann", "Bob", "Cy"), nil, nil, nil, "want two speakers"},
		"speakers and a user":     {spoken("Ann", "Bob", "user"), nil, nil, nil, "want two speakers"},
		"a memory of a stranger":  {spoken("Bob", "Cy"), gold, nil, nil, `"Ann", who says nothing`},
	} {
		got, err := people(c.user, c.gold)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want an error with %q", name, err, c.fault)
			}
			continue
		}
		var users []memory.User
		var golds []int
		for _, p := range got {
			users, golds = append(users, p.user), append(golds, len(p.gold))
		}
		if err != nil || !reflect.DeepEqual(users, c.users) || !reflect.DeepEqual(golds, c.golds) {
			t.Errorf("%s: %v with %v gold memories (%v), want %v with %v", name, users, golds, err, c.users, c.golds)
		}
	}
}

// TestSessionsAreWhatIsSaidInARow: a session that is taken up again is consolidated again.
func TestSessionsAreWhatIsSaidInARow(t *testing.T) {
	p := person{turns: []bench.Turn{
		{Session: "a", Text: "x"}, {Session: "a", Text: ""}, {Session: "a", Text: "x"}, {Session: "b", Text: "x"}, {Session: "a", Text: "x"}, {Session: "c"},
	}}
	if got, want := p.sessions(), [][]int{{0, 2}, {3}, {4}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sessions %v, want %v", got, want)
	}
}
