package bench_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/schemas"
)

var june = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

func population(t *testing.T, seed uint64, owners, memories int) *bench.Population {
	t.Helper()
	r, err := profile.Parse(schemas.Profile)
	if err != nil {
		t.Fatal(err)
	}
	p, err := bench.NewPopulation(seed, owners, memories, r, june)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPopulation(t *testing.T) {
	const owners, memories = 40, 2000
	p, same, other := population(t, 1, owners, memories), population(t, 1, owners, memories), population(t, 2, owners, memories)
	var sum, chinese, keyed, hidden, differ int
	for i := range owners {
		all := p.Of(i)
		if len(all) != p.Size(i) || len(all) == 0 {
			t.Fatalf("owner %d has %d memories, want %d and at least one", i, len(all), p.Size(i))
		}
		if !reflect.DeepEqual(all, same.Of(i)) {
			t.Fatalf("the same seed gives owner %d other memories", i)
		}
		if !slices.ContainsFunc(other.Of(i), func(m memory.Memory) bool { return m.Text == all[0].Text }) {
			differ++
		}
		ids := map[memory.ID]bool{}
		for _, m := range all {
			sum++
			ids[m.ID] = true
			if m.Language == "zh" {
				chinese++
			}
			if m.Key != "" {
				keyed++
			}
			if !m.ArchivedAt.IsZero() || m.SuppressedBy != "" || !m.Live(june) {
				hidden++
			}
			if m.Scope != p.Scope(i) || m.Scope.Validate() != nil || m.Text == "" || m.Evidence[0].Quote != m.Text || m.UsedAt().After(june) {
				t.Fatalf("memory %+v", m)
			}
		}
		if len(ids) != len(all) {
			t.Errorf("owner %d: %d ids of %d memories", i, len(ids), len(all))
		}
	}
	if sum != memories {
		t.Errorf("%d memories, want %d", sum, memories)
	}
	if differ < owners*9/10 {
		t.Errorf("another seed gives the same to %d of %d owners", owners-differ, owners)
	}
	for name, c := range map[string]struct{ n, least, most int }{
		"Chinese": {chinese, 600, 1400}, "keyed": {keyed, 400, 1000}, "hidden": {hidden, 150, 350},
	} {
		if c.n < c.least || c.n > c.most {
			t.Errorf("%s: %d of %d, want %d to %d", name, c.n, sum, c.least, c.most)
		}
	}
	if s := bench.SizesOf(p); s.Least >= s.Median || s.Median*3 > s.Most*2 {
		t.Errorf("owners have %+v: want few with many", s)
	}
}

// A question has its answer among what can be recalled, or shares no word with anything.
func TestQuestions(t *testing.T) {
	p := population(t, 1, 10, 300)
	strange := 0
	for n := range 200 {
		owner := n % 10
		q := p.Question(owner, n, n%4 == 0)
		if q != p.Question(owner, n, n%4 == 0) || q.Query == "" || q.Scope != p.Scope(owner) {
			t.Fatalf("question %+v", q)
		}
		if q.Gold == "" {
			strange++
			continue
		}
		at := slices.IndexFunc(p.Of(owner), func(m memory.Memory) bool { return m.ID == q.Gold })
		if at < 0 {
			t.Fatalf("question %+v has an answer that nobody has", q)
		}
		if m := p.Of(owner)[at]; !m.Live(june) || m.SuppressedBy != "" || !m.ArchivedAt.IsZero() {
			t.Errorf("question %+v has an answer that cannot be recalled: %+v", q, m)
		}
	}
	if strange != 50 {
		t.Errorf("%d questions about nothing, want 50", strange)
	}
}

func TestPopulationErrors(t *testing.T) {
	for _, c := range [][2]int{{0, 10}, {-1, 10}, {10, 9}} {
		if _, err := bench.NewPopulation(1, c[0], c[1], nil, june); err == nil {
			t.Errorf("%d owners with %d memories are taken", c[0], c[1])
		}
	}
}
