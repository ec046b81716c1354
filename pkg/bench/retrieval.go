package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/find"
)

// ReferenceName is the run of the reference BM25.
const ReferenceName = "reference bm25"

// Opener returns the ranker of a pipeline for a pool.
type Opener func(p *Pool, pipeline Pipeline) Ranker

// Retrieval is what to measure of a set.
type Retrieval struct {
	// Pooled is how many consecutive users share an owner; 0 means 1.
	Pooled int
	// Halves has the figures of either half of the pools reported too.
	Halves bool
	// Pipelines are those that are measured, beside the reference.
	Pipelines []Pipeline
}

// Measure asks every query of the set's pools, as Pools(Pooled) made them, of the reference and of
// each pipeline.
func (r Retrieval) Measure(ctx context.Context, s *Set, pools []*Pool, open Opener) (Report, error) {
	report := NewReport(s, r.Pooled)
	references := map[*Pool]*Reference{}
	for _, p := range pools {
		references[p] = NewReference(p)
	}
	run, err := r.run(ctx, ReferenceName, pools, func(p *Pool) Ranker {
		return func(_ context.Context, query string) ([]int, error) { return references[p].Rank(query), nil }
	})
	if err != nil {
		return report, err
	}
	report.Runs = append(report.Runs, run)
	for _, pipeline := range r.Pipelines {
		run, err := r.run(ctx, NameOf(pipeline), pools, func(p *Pool) Ranker { return open(p, pipeline) })
		if err != nil {
			return report, err
		}
		report.Runs = append(report.Runs, run)
	}
	return report, nil
}

// fullName is what the pipeline without a name is called.
const fullName = "full"

// NameOf is what a pipeline is called in a report.
func NameOf(p Pipeline) string {
	if p == find.Full {
		return fullName
	}
	return string(p)
}

// PipelineOf is the pipeline that is called so.
func PipelineOf(name string) Pipeline {
	if name == fullName {
		return find.Full
	}
	return Pipeline(name)
}

func (r Retrieval) run(ctx context.Context, name string, pools []*Pool, open func(*Pool) Ranker) (Run, error) {
	var took []time.Duration
	results := map[*Pool][]Result{}
	for _, p := range pools {
		found, err := Ask(ctx, p, timed(open(p), &took))
		if err != nil {
			return Run{}, fmt.Errorf("%s: %w", name, err)
		}
		results[p] = found
	}
	of := func(some []*Pool) []Figures {
		var all []Result
		for _, p := range some {
			all = append(all, results[p]...)
		}
		return Summarise(all)
	}
	times := LatencyOf(took)
	run := Run{Name: name, Figures: of(pools), Times: &times}
	if r.Halves {
		first, second := Halves(pools)
		run.First, run.Second = of(first), of(second)
	}
	return run, nil
}

// timed notes how long each search takes.
func timed(rank Ranker, took *[]time.Duration) Ranker {
	return func(ctx context.Context, query string) ([]int, error) {
		start := time.Now()
		order, err := rank(ctx, query)
		*took = append(*took, time.Since(start))
		return order, err
	}
}
