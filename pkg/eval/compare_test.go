package eval

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/memory"
)

// TestUpdates: turn 1 has the old value of the budget, turn 2 the new one.
func TestUpdates(t *testing.T) {
	const current, disputed = memory.StatusCurrent, memory.StatusDisputed
	older := func(s memory.Status) found { return found{"my budget is 50", []string{"1"}, s} }
	newer := func(s memory.Status) found { return found{"my budget is 60 now", []string{"2"}, s} }
	for name, c := range map[string]struct {
		found []found
		want  Updates
	}{
		"the new value alone":          {[]found{older(memory.StatusSuperseded), newer(current)}, Updates{All: 1, Correct: 1}},
		"the new value only":           {[]found{newer(current)}, Updates{All: 1, Correct: 1}},
		"both":                         {[]found{older(current), newer(current)}, Updates{All: 1, BothActive: 1}},
		"an open question":             {[]found{older(current), newer(disputed)}, Updates{All: 1, Asked: 1}},
		"the old value alone":          {[]found{older(current)}, Updates{All: 1, Omitted: 1, Stale: 1}},
		"a question settled otherwise": {[]found{older(current), newer(memory.StatusSettled)}, Updates{All: 1, Omitted: 1, Stale: 1}},
		"nothing":                      {nil, Updates{All: 1, Omitted: 1}},
		"both turns say the new value": {[]found{{"my budget is 60", []string{"1", "2"}, current}}, Updates{All: 1, Correct: 1}},
		"something else from the turn with the new value": {
			[]found{older(current), {"it rains", []string{"2"}, current}}, Updates{All: 1, Omitted: 1, Stale: 1},
		},
		"something else from the turn with the old value": {
			[]found{{"it rains", []string{"1"}, current}, newer(current)}, Updates{All: 1, Correct: 1},
		},
		"the same from elsewhere": {[]found{{"my budget is 60 now", []string{"3"}, current}}, Updates{All: 1, Omitted: 1}},
	} {
		p := &person{name: "user", turns: []bench.Turn{
			{ID: "1", Text: "My budget is 50, and it rains."}, {ID: "2", Text: "My budget is 60 now, and it rains."}, {ID: "3", Text: "My budget is 60 now."},
		}, queries: []bench.Query{
			{Text: "What is my budget?", New: []string{"2"}, Old: []string{"1"}},
			{Text: "What is my budget?", New: []string{"2"}}, // nothing to compare it with
			{Text: "What is my budget?", New: []string{"2"}, Old: []string{"nowhere"}},
		}}
		r := &Report{}
		compare(p, c.found).addTo(r)
		if r.Updates != c.want {
			t.Errorf("%s: %+v, want %+v", name, r.Updates, c.want)
		}
	}
}

// TestFoundElsewhere: a fact may be found by a memory from a turn that is not its source.
func TestFoundElsewhere(t *testing.T) {
	p := &person{name: "user", turns: []bench.Turn{
		{ID: "1", Session: "a", Role: "user", Text: "Oslo it is."}, {ID: "2", Session: "b", Role: "user", Text: "I live in Oslo."},
	}, gold: []Gold{{Session: "a", Text: "User lives in Oslo.", Source: []string{"1"}}}}
	r := &Report{MemoriesSHA256: "some"}
	compare(p, []found{{"I live in Oslo", []string{"2"}, memory.StatusCurrent}}).addTo(r)
	if c := r.Coverage[0]; c.Found.Count != 1 || c.AtSource.Count != 0 || r.GoldTurns.Count != 0 {
		t.Errorf("got %+v, gold turns %v: want it found, but not at its source", c, r.GoldTurns)
	}
	if want := (Memories{All: 1, Current: 1, False: 1, FromNoise: 1}); r.Memories != want {
		t.Errorf("memories %+v, want %+v", r.Memories, want)
	}
}
