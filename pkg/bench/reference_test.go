package bench_test

import (
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
)

func poolOf(texts ...string) *bench.Pool {
	s := bench.Set{Users: []bench.User{{ID: "u"}}}
	for i, text := range texts {
		s.Users[0].Turns = append(s.Users[0].Turns, bench.Turn{ID: string(rune('a' + i)), Session: "s", Role: "user", Text: text})
	}
	return s.Pools(1)[0]
}

func TestReference(t *testing.T) {
	p := poolOf(
		"Dogs barked.",           // user dog bark
		"A dog, a cat, a horse.", // user dog cat hors
		"The cat sleeps.",        // user cat sleep
		"我养了一只猫",                 // user 我养 养了 了一 一只 只猫
		"Dog dog dog.",           // user dog dog dog
		"It isn't raining",       // user isn rain
	)
	for _, c := range []struct {
		query string
		want  []int
	}{
		// dog is in 3 of 6 turns: thrice in one of 4 terms, once in one of 3 and one of 4; a
		// turn has 4.2 on average.
		{"dogs?", []int{4, 0, 1}},
		// cat, in 2 of 6, weighs 1.03 and dog 0.69: both, cat in 3 terms 1.16, dog three times 1.10.
		{"the dog's cat", []int{1, 2, 4, 0}},
		{"猫", nil}, // a single character is no pair
		{"一只猫", []int{3}},
		{"what is it?", nil},
		{"isn't it?", []int{5}},
		{"rain rained raining", []int{5}},
	} {
		if got := bench.NewReference(p).Rank(c.query); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.query, got, c.want)
		}
	}
}

// Equal scores keep the order of the pool.
func TestReferenceTies(t *testing.T) {
	p := poolOf("oslo", "bergen", "oslo", "oslo")
	if got := bench.NewReference(p).Rank("Oslo"); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

// A turn is found by its time and its role too.
func TestReferenceReadsTimeAndRole(t *testing.T) {
	p := (&bench.Set{Users: []bench.User{{ID: "u", Turns: []bench.Turn{
		{ID: "1", Role: "Ann", Time: "8 May 2023", Text: "Hello"}, {ID: "2", Role: "Bob", Time: "9 June 2023", Text: "Hello"},
	}}}}).Pools(1)[0]
	r := bench.NewReference(p)
	if got := r.Rank("Bob"); !slices.Equal(got, []int{1}) {
		t.Errorf("by role: %v", got)
	}
	if got := r.Rank("in May"); !slices.Equal(got, []int{0}) {
		t.Errorf("by time: %v", got)
	}
}
