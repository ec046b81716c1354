package bench_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
)

func three() *bench.Set {
	user := func(id string, turns ...string) bench.User {
		u := bench.User{ID: id}
		for _, t := range turns {
			u.Turns = append(u.Turns, bench.Turn{ID: t, Session: "s", Text: id + t})
		}
		return u
	}
	s := &bench.Set{Name: "three", CorpusSHA256: "c", QueriesSHA256: "q", Users: []bench.User{user("u", "1", "2"), user("v", "1"), user("w", "1", "2", "3")}}
	s.Users[0].Queries = []bench.Query{
		{ID: "q1", Category: "b", Text: "second", Gold: []string{"2", "2"}},
		{ID: "q2", Category: "b", Text: "nothing", Gold: []string{"9"}},
	}
	s.Users[2].Queries = []bench.Query{
		{ID: "q3", Category: "a", Text: "second", Gold: []string{"1"}, New: []string{"2"}, Old: []string{"1"}},
		{ID: "q4", Category: "a", Text: "first", Gold: []string{"2", "3"}, New: []string{"3"}, Old: []string{"1"}, Abstain: true},
	}
	return s
}

func TestPools(t *testing.T) {
	for _, c := range []struct {
		size   int
		texts  []string
		owners [][]int
	}{
		{1, []string{"u1 u2", "v1", "w1 w2 w3"}, [][]int{{0, 0}, {0}, {0, 0, 0}}},
		{0, []string{"u1 u2", "v1", "w1 w2 w3"}, [][]int{{0, 0}, {0}, {0, 0, 0}}},
		{2, []string{"u1 u2 v1", "w1 w2 w3"}, [][]int{{0, 0, 1}, {0, 0, 0}}},
		{5, []string{"u1 u2 v1 w1 w2 w3"}, [][]int{{0, 0, 1, 2, 2, 2}}},
	} {
		var texts []string
		var owners [][]int
		for _, p := range three().Pools(c.size) {
			var of []string
			for _, turn := range p.Turns {
				of = append(of, turn.Text)
			}
			texts = append(texts, strings.Join(of, " "))
			owners = append(owners, p.Owners)
		}
		if !reflect.DeepEqual(texts, c.texts) || !reflect.DeepEqual(owners, c.owners) {
			t.Errorf("size %d: %v of %v", c.size, texts, owners)
		}
	}
}

func TestHalves(t *testing.T) {
	pools := three().Pools(1)
	first, second := bench.Halves(pools)
	if !reflect.DeepEqual(first, []*bench.Pool{pools[0], pools[2]}) || !reflect.DeepEqual(second, []*bench.Pool{pools[1]}) {
		t.Errorf("halves of %d and %d pools", len(first), len(second))
	}
}

// inOrder ranks the turns in the order of the pool, but for the first: queries say where it goes.
func inOrder(p *bench.Pool) bench.Ranker {
	return func(_ context.Context, query string) ([]int, error) {
		var order []int
		for i := 1; i < len(p.Turns); i++ {
			order = append(order, i)
		}
		switch query {
		case "first":
			return append([]int{0}, order...), nil
		case "second":
			return append([]int{order[0], 0}, order[1:]...), nil
		}
		return nil, errors.New("unknown query")
	}
}

func ask(t *testing.T, s *bench.Set, size int) []bench.Result {
	t.Helper()
	var out []bench.Result
	for _, p := range s.Pools(size) {
		results, err := bench.Ask(t.Context(), p, inOrder(p))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, results...)
	}
	return out
}

func TestAsk(t *testing.T) {
	at := func(place float64) float64 { return 1 / math.Log2(place+1) }
	all := func(r3, ndcg float64) bench.Score {
		return bench.Score{R3: r3, R5: 1, R10: 1, All10: 1, NDCG10: ndcg}
	}
	for _, c := range []struct {
		size int
		want []bench.Result
	}{
		{1, []bench.Result{
			{User: "u", Query: "q1", Category: "b", Score: all(1, 1)},
			{User: "w", Query: "q3", Category: "a", Score: all(1, at(2)), Updated: true, NewerFirst: true},
			{User: "w", Query: "q4", Category: "a", Score: all(1, (at(2)+at(3))/(at(1)+at(2))), Abstain: true, Updated: true},
		}},
		{3, []bench.Result{ // u1 u2 v1 w1 w2 w3
			{User: "u", Query: "q1", Category: "b", Score: all(1, 1)},
			{User: "w", Query: "q3", Category: "a", Score: all(0, at(4)), Updated: true},
			{User: "w", Query: "q4", Category: "a", Score: bench.Score{R5: 0.5, R10: 1, All10: 1, NDCG10: (at(5) + at(6)) / (at(1) + at(2))}, Abstain: true, Updated: true},
		}},
	} {
		got := ask(t, three(), c.size)
		if len(got) != len(c.want) {
			t.Fatalf("size %d: %+v", c.size, got)
		}
		for i, r := range got {
			if !near(r.Score.NDCG10, c.want[i].Score.NDCG10) {
				t.Errorf("size %d, %s: NDCG is %v, want %v", c.size, r.Query, r.Score.NDCG10, c.want[i].Score.NDCG10)
			}
			r.Score.NDCG10 = c.want[i].Score.NDCG10
			r.Tokens10, r.Tokens6 = 0, 0 // see TestRetrieval
			if r != c.want[i] {
				t.Errorf("size %d: got %+v, want %+v", c.size, r, c.want[i])
			}
		}
	}
}

func TestAskStopsAtAnError(t *testing.T) {
	s := three()
	s.Users[0].Queries[0].Text = "what?"
	p := s.Pools(1)[0]
	if got, err := bench.Ask(t.Context(), p, inOrder(p)); err == nil || !strings.Contains(err.Error(), "query q1: unknown query") {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestReport(t *testing.T) {
	s := three()
	r := bench.NewReport(s, 3)
	r.Runs = append(r.Runs, bench.Run{Name: "in order", Figures: bench.Summarise(ask(t, s, 3))})
	figures := r.Runs[0].Figures
	var of []string
	for _, f := range figures {
		of = append(of, f.Of)
	}
	if want := []string{"all", "answerable", "a", "b"}; !reflect.DeepEqual(of, want) {
		t.Fatalf("figures of %v, want %v", of, want)
	}
	all := figures[0]
	if all.Queries != 3 || !near(all.R3, 100./3) || !near(all.R5, 250./3) || !near(all.R10, 100) || all.Updated != 2 || all.NewerFirst != 0 {
		t.Errorf("all: %+v", all)
	}
	if f := figures[1]; f.Queries != 2 || !near(f.R3, 50) || !near(f.NDCG10, 50*(1+1/math.Log2(5))) || f.Updated != 1 {
		t.Errorf("answerable: %+v", f)
	}
	if f := figures[3]; f.Queries != 1 || f.R3 != 100 || f.Updated != 0 {
		t.Errorf("b: %+v", f)
	}
	if alone := bench.Summarise(ask(t, s, 1)); alone[2].Of != "a" || !near(alone[2].NewerFirst, 50) {
		t.Errorf("a alone: %+v", alone[2])
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"three: 6 turns of 1 owners, 3 users an owner\n", "corpus  sha256:c\n",
		"in order                          n    R@3    R@5   R@10 all@10 NDCG@10 tok@10  tok@6  newer\n",
		"  all                             3   33.3   83.3  100.0  100.0    62.9     12     12    0.0\n",
		"  b                               1  100.0  100.0  100.0  100.0   100.0     12     12\n",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
	if got := bench.Summarise(nil); len(got) != 0 {
		t.Errorf("figures of nothing: %v", got)
	}
}

func TestPrintReportsAFailedWrite(t *testing.T) {
	r := bench.NewReport(three(), 1)
	if err := r.Print(full{}); !errors.Is(err, errFull) {
		t.Errorf("error is %v", err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
