package bench_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/rank"
)

func labOf(t *testing.T, pools ...*bench.Pool) *bench.Lab {
	t.Helper()
	l, err := bench.NewLab(t.Context(), pools, embed.NewLexical(), rank.DefaultMeasure())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func ranked(t *testing.T, l *bench.Lab, p *bench.Pool, pipeline bench.Pipeline, query string) []int {
	t.Helper()
	got, err := l.Open(p, pipeline)(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPipelines(t *testing.T) {
	p := poolOf(
		"The book fair is in Lyon.",
		"I drink green tea.",
		"The book fair opens on 3 May.",
		"I'm a vegetarian.",
		"我的截止日期是4月20日。",
		"咖啡我每天喝。",
		"截止日期推迟到4月25日了。",
		"The rent is 900 euros a month.",
		"The rent for the flat was raised to 950 euros.",
	)
	l := labOf(t, p)
	for _, c := range []struct {
		name     string
		query    string
		pipeline bench.Pipeline
		want     []int
	}{
		{"words", "Which tea?", find.BM25, []int{1}},
		{"no words", "vegeterian", find.BM25, nil},
		{"spelling", "vegeterian", find.Hybrid, []int{3}},
		{"spelling", "vegeterian", find.Full, []int{3}},
		{"nothing near", "Where is the airport?", find.Full, nil},
		{"only what shares a word", "What happens in Lyon?", find.BM25, []int{0}},
		{"and what is about the same", "What happens in Lyon?", find.Full, []int{0, 2}},
		{"the older, which says it shorter", "How much is the rent a month?", find.BM25, []int{7, 8}},
		{"the newer, which says that it changed", "How much is the rent a month?", find.Full, []int{8, 7}},
		{"Chinese: the older", "我的截止日期是哪天？", find.BM25, []int{4, 6}},
		{"Chinese: the newer", "我的截止日期是哪天？", find.Full, []int{6, 4}},
		{"both questions", "Which tea? 我每天喝什么？", find.Full, []int{5, 1}},
	} {
		t.Run(c.name+", "+string(c.pipeline), func(t *testing.T) {
			if got := ranked(t, l, p, c.pipeline, c.query); !slices.Equal(got, c.want) {
				t.Errorf("%q: got %v, want %v", c.query, got, c.want)
			}
		})
	}
	if got := ranked(t, l, p, find.Dense, "green tea"); len(got) == 0 || got[0] != 1 {
		t.Errorf("dense: %v", got)
	}
}

// The turns of others in the pool are no neighbours.
func TestThreadsAreTheirUsers(t *testing.T) {
	turn := func(id, text string) bench.Turn {
		return bench.Turn{ID: id, Session: "Monday", Role: "user", Text: text}
	}
	s := bench.Set{Users: []bench.User{
		{ID: "u", Turns: []bench.Turn{turn("1", "My train was late."), turn("2", "I paid for a taxi.")}},
		{ID: "v", Turns: []bench.Turn{turn("1", "My bus was late."), turn("2", "I paid for a coach.")}},
	}}
	p := s.Pools(2)[0]
	l := labOf(t, p)
	got := ranked(t, l, p, find.Full, "What was paid because of the train?")
	if slices.Index(got, 1) > slices.Index(got, 3) {
		t.Errorf("order is %v, want turn 1, beside the train, before turn 3", got)
	}
}

// The weights are those that are set.
func TestMeasureIsUsed(t *testing.T) {
	p := poolOf("The book fair is in Lyon.", "The book fair opens on 3 May.")
	l := labOf(t, p)
	m := rank.DefaultMeasure()
	m.MinEcho, m.MinCosine = 2, 2
	l.Weigh(m)
	if got := ranked(t, l, p, find.Full, "What happens in Lyon?"); !slices.Equal(got, []int{0}) {
		t.Errorf("got %v", got)
	}
}

type brokenEmbedder struct{ left int }

var errBroken = errors.New("no embedder")

func (b *brokenEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if b.left--; b.left < 0 {
		return nil, errBroken
	}
	return embed.NewLexical().Embed(ctx, texts)
}

func TestLabErrors(t *testing.T) {
	p := poolOf("I drink tea.")
	if _, err := bench.NewLab(t.Context(), []*bench.Pool{p}, &brokenEmbedder{}, rank.DefaultMeasure()); !errors.Is(err, errBroken) {
		t.Errorf("without an embedder: %v", err)
	}
	l, err := bench.NewLab(t.Context(), []*bench.Pool{p}, &brokenEmbedder{left: 1}, rank.DefaultMeasure())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(p, find.Full)(t.Context(), "tea"); !errors.Is(err, errBroken) {
		t.Errorf("query: %v", err)
	}
	if _, err := labOf(t, p).Open(p, "magic")(t.Context(), "tea"); err == nil {
		t.Error("an unknown pipeline ranks")
	}
}
