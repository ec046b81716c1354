package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Draw is how the owners of recalls are drawn.
type Draw string

// The ways to draw: every owner alike, or by Zipf's law a few most of the time.
const (
	Uniform Draw = "uniform"
	Zipf    Draw = "zipf"
)

// Traffic is recalls to be made of a population.
type Traffic struct {
	// Clients recall at the same time, each one recall after the other.
	Clients int
	Recalls int
	Draw    Draw
	// Unrelated is how many recalls in a hundred ask for what the owner has nothing of.
	Unrelated int
}

// Questions are those of the recalls, in their order: the same for the same population and
// traffic.
func (t Traffic) Questions(ctx context.Context, p *Population) ([]Question, error) {
	r := rand.New(rand.NewPCG(p.Seed, 11))
	zipf := rand.NewZipf(r, zipfExponent, zipfOffset, uint64(p.Owners-1))
	out := make([]Question, t.Recalls)
	for i := range out {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		owner := r.IntN(p.Owners)
		if t.Draw == Zipf {
			owner = int(zipf.Uint64())
		}
		out[i] = p.Question(owner, i, r.IntN(100) < t.Unrelated)
	}
	return out, nil
}

// Recalled is what one recall gave, and what was spent within it.
type Recalled struct {
	// Found are the memories, best first.
	Found []memory.ID
	// Embedding is the time that embedding the query took, Raw that of the queries to the
	// collection, and Queries their number.
	Embedding time.Duration
	Raw       time.Duration
	Queries   int
}

// Recaller answers a question.
type Recaller func(ctx context.Context, q Question) (Recalled, error)

// outcome is one recall of the traffic.
type outcome struct {
	Recalled
	took time.Duration
}

// warmUp is how many recalls are made before those that count.
const warmUp = 200

// Run makes the recalls, after a few that warm up, and returns what they gave. The first
// error ends it.
func (t Traffic) Run(ctx context.Context, questions []Question, recall Recaller) (Outcomes, error) {
	for _, q := range questions[:min(warmUp, len(questions))] {
		if _, err := recall(ctx, q); err != nil {
			return Outcomes{}, fmt.Errorf("recall %q: %w", q.Query, err)
		}
	}
	outcomes := make([]outcome, len(questions))
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	begin, before := time.Now(), cpuTime()
	for range t.Clients {
		g.Go(func() error {
			for i := next.Add(1) - 1; i < int64(len(questions)); i = next.Add(1) - 1 {
				at := time.Now()
				r, err := recall(ctx, questions[i])
				if err != nil {
					return fmt.Errorf("recall %q: %w", questions[i].Query, err)
				}
				outcomes[i] = outcome{r, time.Since(at)}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return Outcomes{}, err
	}
	out := summed(questions, outcomes)
	out.Times.RecallsPerSecond = float64(len(outcomes)) / time.Since(begin).Seconds()
	out.Times.CPU = milliseconds(cpuTime()-before) / float64(len(outcomes))
	return out, nil
}

// Outcomes are what the recalls gave: first what does not depend on the machine.
type Outcomes struct {
	Recalls int `json:"recalls"`
	// Answerable are the recalls that a memory answers, HitAt6 in how many per cent of them
	// it was among the first 6, FirstHit in how many it was the first.
	Answerable int     `json:"answerable"`
	FirstHit   float64 `json:"first_hit"`
	HitAt6     float64 `json:"hit_at_6"`
	// Returned is how many memories they gave on average.
	Returned float64 `json:"returned"`
	// Unrelated are the recalls that have to do with nothing, Silent in how many per cent of
	// them nothing came back.
	Unrelated int     `json:"unrelated"`
	Silent    float64 `json:"silent"`
	// QueriesPerRecall are the requests to the collection.
	QueriesPerRecall float64 `json:"queries_per_recall"`

	Times Times `json:"times"`
}

// Times are what depends on the machine.
type Times struct {
	// RecallsPerSecond are those of all clients together, with the embedding of queries.
	RecallsPerSecond float64 `json:"recalls_per_second"`
	// CPU is what the process used for one recall on average, in milliseconds of one CPU, with
	// everything that runs in it; 0 where the system does not tell.
	CPU float64 `json:"cpu_ms_per_recall"`
	// Recall is a recall without the embedding of its query, Raw what it spent in the
	// collection, Embedding the embedding.
	Recall    Latency `json:"recall_ms"`
	Raw       Latency `json:"raw_ms"`
	Embedding Latency `json:"embedding_ms"`
	// Over is the p50 of Recall less 1.3 times that of Raw, in milliseconds.
	Over float64 `json:"over_ms"`
}

// Latency is the distribution of durations, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// LatencyOf sorts the durations, of which each counts exactly. It is zero without any.
func LatencyOf(d []time.Duration) Latency {
	if len(d) == 0 {
		return Latency{}
	}
	slices.Sort(d)
	// The q-quantile is the least value that q of all do not exceed.
	at := func(percent int) float64 { return milliseconds(d[(len(d)*percent+99)/100-1]) }
	return Latency{P50: at(50), P95: at(95), P99: at(99), Max: at(100)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func summed(questions []Question, outcomes []outcome) Outcomes {
	s := Outcomes{Recalls: len(outcomes)}
	var whole, raw, embedding []time.Duration
	first, hit, silent := 0, 0, 0
	for i, o := range outcomes {
		whole, raw, embedding = append(whole, o.took-o.Embedding), append(raw, o.Raw), append(embedding, o.Embedding)
		s.QueriesPerRecall += float64(o.Queries) / float64(len(outcomes))
		if questions[i].Gold == "" {
			s.Unrelated++
			if len(o.Found) == 0 {
				silent++
			}
			continue
		}
		s.Answerable++
		s.Returned += float64(len(o.Found))
		switch at := slices.Index(o.Found, questions[i].Gold); {
		case at == 0:
			first++
			hit++
		case at > 0 && at < 6:
			hit++
		}
	}
	s.FirstHit, s.HitAt6, s.Silent = share(first, s.Answerable), share(hit, s.Answerable), share(silent, s.Unrelated)
	if s.Answerable > 0 {
		s.Returned /= float64(s.Answerable)
	}
	s.Times = Times{Recall: LatencyOf(whole), Raw: LatencyOf(raw), Embedding: LatencyOf(embedding)}
	s.Times.Over = s.Times.Recall.P50 - 1.3*s.Times.Raw.P50
	return s
}

// share is n of all in per cent, 0 of nothing.
func share(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return 100 * float64(n) / float64(all)
}
