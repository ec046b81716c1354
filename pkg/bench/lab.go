package bench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/terms"
)

// Pipeline is a way to rank turns.
type Pipeline string

// The pipelines, from the least to the whole.
const (
	// BM25 ranks by the terms alone, Dense by the embedder alone.
	BM25  Pipeline = "bm25"
	Dense Pipeline = "dense"
	// Hybrid fuses the two by reciprocal rank.
	Hybrid Pipeline = "hybrid"
	// Full is what recall does: it searches, searches once more for what the best hits say,
	// takes what was said around them, and compares all of that with the query.
	Full Pipeline = "full"
)

// Pipelines are all of them.
func Pipelines() []Pipeline { return []Pipeline{BM25, Dense, Hybrid, Full} }

// The breadth of the searches.
const (
	termHits    = 100
	denseHits   = 50
	furtherHits = 10
	// besideHits are the hits of which the turns up to besideReach away are taken too.
	besideHits  = 10
	besideReach = 3
	rrfK        = 60
)

// Embedder makes one dense vector a text, in order.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Lab ranks the turns of a set in memory by the product's own functions, as a store with
// one collection for the whole set would find them. It is for trying out weights; what a
// store costs, it does not show.
type Lab struct {
	embed   Embedder
	measure rank.Measure
	shelves map[*Pool]*shelf
	// holders is the number of turns in the whole set that hold a term, of all turns.
	holders map[uint32]int
	turns   int
}

// shelf is a pool that can be searched.
type shelf struct {
	lab *Lab
	// turns are the candidates that the turns make, without a cosine.
	turns []rank.Candidate
	dense [][]float32
}

// NewLab indexes the pools. A turn is found by its time, its text, and who says it.
func NewLab(ctx context.Context, pools []*Pool, e Embedder, m rank.Measure) (*Lab, error) {
	l := &Lab{embed: e, measure: m, shelves: map[*Pool]*shelf{}, holders: map[uint32]int{}}
	for _, p := range pools {
		s, err := l.shelve(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("index turns of %s: %w", p.Users[0].ID, err)
		}
		l.shelves[p] = s
	}
	return l, nil
}

func (l *Lab) shelve(ctx context.Context, p *Pool) (*shelf, error) {
	s := &shelf{lab: l}
	texts := make([]string, len(p.Turns))
	places := map[string]int64{}
	for i := range p.Turns {
		t := &p.Turns[i]
		texts[i] = indexText(t)
		thread := strconv.Itoa(p.Owners[i]) + "/" + t.Session
		s.turns = append(s.turns, rank.Candidate{
			Text: t.Text, Terms: terms.Document(texts[i]), Thread: thread, Place: places[thread],
			Speaker: t.Role, Assistant: t.Role == assistant, Seq: uint64(i),
		})
		places[thread]++
		for _, index := range s.turns[i].Terms.Indices {
			l.holders[index]++
		}
	}
	l.turns += len(p.Turns)
	var err error
	s.dense, err = l.embed.Embed(ctx, texts)
	return s, err
}

// indexText is what a turn is found by. Who speaks is told by a name; user and assistant are
// in every turn.
func indexText(t *Turn) string {
	if t.Role == "user" || t.Role == assistant {
		return t.Time + "\n" + t.Text
	}
	return t.Time + "\n" + t.Role + ": " + t.Text
}

// assistant is the role of the turns that a model wrote.
const assistant = "assistant"

// Weigh sets other weights than those that the lab was made with.
func (l *Lab) Weigh(m rank.Measure) { l.measure = m }

// Open returns the ranker of a pipeline for a pool of the lab.
func (l *Lab) Open(p *Pool, pipeline Pipeline) Ranker {
	s := l.shelves[p]
	return func(ctx context.Context, query string) ([]int, error) {
		vectors, err := l.embed.Embed(ctx, []string{query})
		if err != nil {
			return nil, fmt.Errorf("embed query: %w", err)
		}
		sparse := s.byTerms(terms.Query(query))
		cosines := s.cosines(vectors[0])
		switch pipeline {
		case BM25:
			return best(sparse, len(sparse), 0), nil
		case Dense:
			return best(cosines, len(cosines), 0), nil
		case Hybrid:
			return fused(best(sparse, termHits, 0), best(cosines, termHits, l.measure.MinCosine)), nil
		case Full:
			return s.full(rank.NewQuery(query), sparse, cosines), nil
		}
		return nil, fmt.Errorf("there is no pipeline %q", pipeline)
	}
}

// full ranks as recall does.
func (s *shelf) full(q rank.Query, sparse, cosines []float64) []int {
	m := s.lab.measure
	found := union(best(sparse, termHits, 0), best(cosines, denseHits, m.MinCosine))
	first := s.candidates(found, cosines)
	further := best(s.byTerms(m.Further(q, first)), furtherHits, 0)
	found = union(found, further, s.beside(found, m.Matches(q, first)))
	cs := s.candidates(found, cosines)
	var order []int
	totals := make([]float64, len(cs))
	for i, match := range m.Matches(q, cs) {
		totals[i] = match.Similarity
		if match.Own {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(totals[b], totals[a]) })
	order = rank.Renew(q, cs, order, totals)
	for i, at := range order {
		order[i] = found[at]
	}
	return order
}

func (s *shelf) candidates(turns []int, cosines []float64) []rank.Candidate {
	cs := make([]rank.Candidate, len(turns))
	for i, turn := range turns {
		cs[i] = s.turns[turn]
		cs[i].Cosine = cosines[turn]
	}
	return cs
}

// beside are the turns around the best of what was found.
func (s *shelf) beside(found []int, matches []rank.Match) []int {
	near := make([]float64, len(found))
	for i := range matches {
		near[i] = matches[i].Similarity
	}
	var out []int
	for _, at := range best(near, besideHits, 0) {
		turn := found[at]
		for i := max(0, turn-besideReach); i <= min(len(s.turns)-1, turn+besideReach); i++ {
			if s.turns[i].Thread == s.turns[turn].Thread {
				out = append(out, i)
			}
		}
	}
	return out
}

// byTerms are the scores of all turns for a sparse query, as the store weighs it.
func (s *shelf) byTerms(q terms.SparseVector) []float64 {
	scores := make([]float64, len(s.turns))
	for j, index := range q.Indices {
		n, df := float64(s.lab.turns), float64(s.lab.holders[index])
		weight := float64(q.Values[j]) * math.Log(1+(n-df+0.5)/(df+0.5))
		for i := range s.turns {
			if k, ok := slices.BinarySearch(s.turns[i].Terms.Indices, index); ok {
				scores[i] += weight * float64(s.turns[i].Terms.Values[k])
			}
		}
	}
	return scores
}

func (s *shelf) cosines(query []float32) []float64 {
	out := make([]float64, len(s.dense))
	for i, v := range s.dense {
		for j := range v {
			out[i] += float64(v[j]) * float64(query[j])
		}
	}
	return out
}

// best are the places of the n highest scores above least, best first, equal ones in their
// order.
func best(scores []float64, n int, least float64) []int {
	var out []int
	for i, x := range scores {
		if x > least {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return out[:min(n, len(out))]
}

// fused is the order by reciprocal rank (Cormack, Clarke and Büttcher 2009).
func fused(lists ...[]int) []int {
	scores := map[int]float64{}
	for _, list := range lists {
		for place, turn := range list {
			scores[turn] += 1 / float64(rrfK+place+1)
		}
	}
	out := union(lists...)
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return out
}

// union is what is in any of the lists, ascending.
func union(lists ...[]int) []int {
	out := slices.Concat(lists...)
	slices.Sort(out)
	return slices.Compact(out)
}
