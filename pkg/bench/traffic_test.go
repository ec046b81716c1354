package bench_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestLatencyOf(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100-i) * time.Millisecond
	}
	for _, c := range []struct {
		name string
		in   []time.Duration
		want bench.Latency
	}{
		{"none", nil, bench.Latency{}},
		{"one", []time.Duration{3 * time.Millisecond}, bench.Latency{P50: 3, P95: 3, P99: 3, Max: 3}},
		{"two", []time.Duration{5 * time.Millisecond, time.Millisecond}, bench.Latency{P50: 1, P95: 5, P99: 5, Max: 5}},
		{"1 to 100", hundred, bench.Latency{P50: 50, P95: 95, P99: 99, Max: 100}},
	} {
		if got := bench.LatencyOf(c.in); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A recaller that finds the first answer in four first, the second in seventh place, the
// third in sixth and the last not at all, and something for every other unrelated question.
func TestTraffic(t *testing.T) {
	p := population(t, 1, 5, 100)
	questions, err := bench.Traffic{Recalls: 80, Draw: bench.Uniform, Unrelated: 50}.Questions(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var answered, strange int
	place := map[bench.Question]int{}
	for _, q := range questions {
		if q.Gold == "" {
			place[q] = strange % 2
			strange++
			continue
		}
		if _, again := place[q]; !again {
			place[q] = []int{0, 6, 5, -1}[answered%4]
			answered++
		}
	}
	var calls atomic.Int64
	got, err := bench.Traffic{Clients: 3}.Run(t.Context(), questions, func(_ context.Context, q bench.Question) (bench.Recalled, error) {
		calls.Add(1)
		r := bench.Recalled{Queries: 2}
		if q.Gold == "" {
			r.Found = make([]memory.ID, place[q])
			return r, nil
		}
		r.Found = make([]memory.ID, 7)
		if at := place[q]; at >= 0 {
			r.Found[at] = q.Gold
		}
		return r, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var first, hit, silent, answerable float64
	for _, q := range questions {
		switch {
		case q.Gold == "" && place[q] == 0:
			silent++
		case q.Gold != "":
			answerable++
			if place[q] == 0 {
				first++
			}
			if place[q] == 0 || place[q] == 5 {
				hit++
			}
		}
	}
	unrelated := float64(len(questions)) - answerable
	if got.Recalls != 80 || got.Answerable != int(answerable) || got.Unrelated != int(unrelated) || unrelated == 0 || first == 0 {
		t.Errorf("counts are %+v, want %v answerable and %v unrelated", got, answerable, unrelated)
	}
	if !near(got.FirstHit, 100*first/answerable) || !near(got.HitAt6, 100*hit/answerable) || !near(got.Silent, 100*silent/unrelated) {
		t.Errorf("shares are %+v, want %v, %v and %v", got, 100*first/answerable, 100*hit/answerable, 100*silent/unrelated)
	}
	if got.Returned != 7 || !near(got.QueriesPerRecall, 2) || got.Times.Recall.Max <= 0 || got.Times.RecallsPerSecond <= 0 {
		t.Errorf("got %+v", got)
	}
	if calls.Load() != 160 {
		t.Errorf("%d recalls, want each once to warm up and once to count", calls.Load())
	}
}

var errRefused = errors.New("refused")

func TestTrafficStopsAtAnError(t *testing.T) {
	questions := make([]bench.Question, 300)
	var calls atomic.Int64
	_, err := bench.Traffic{Clients: 2}.Run(t.Context(), questions, func(context.Context, bench.Question) (bench.Recalled, error) {
		if calls.Add(1) > 250 {
			return bench.Recalled{}, errRefused
		}
		return bench.Recalled{}, nil
	})
	if !errors.Is(err, errRefused) || calls.Load() > 253 {
		t.Errorf("%v after %d recalls", err, calls.Load())
	}
}

// By Zipf's law, a few owners are asked most of the time.
func TestDraw(t *testing.T) {
	p := population(t, 1, 50, 500)
	most := map[bench.Draw]int{}
	for _, draw := range []bench.Draw{bench.Uniform, bench.Zipf} {
		questions, err := bench.Traffic{Recalls: 1000, Draw: draw}.Questions(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := bench.Traffic{Recalls: 1000, Draw: draw}.Questions(t.Context(), p)
		if err != nil || !slices.Equal(questions, again) {
			t.Errorf("%s: the questions differ (%v)", draw, err)
		}
		asked := map[memory.Scope]int{}
		for _, q := range questions {
			asked[q.Scope]++
			most[draw] = max(most[draw], asked[q.Scope])
		}
	}
	if most[bench.Uniform] > 40 || most[bench.Zipf] < 60 {
		t.Errorf("asked most often: %v", most)
	}
}
