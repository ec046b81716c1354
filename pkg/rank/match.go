package rank

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/terms"
)

// Candidate is a memory that may matter to a query: a search has found it, or it was said
// beside one that a search has found.
type Candidate struct {
	// Text is the memory's own.
	Text string
	// Terms are those of its index text, as terms.Document weighs them.
	Terms terms.SparseVector
	// Cosine is that of its dense vector and the query's; 0 if they were not compared.
	Cosine float64
	// Thread is where it was said, and Place where in the thread: the places of turns that
	// follow one another differ by 1. An empty thread has no neighbours.
	Thread string
	Place  int64
	// Speaker is who said it.
	Speaker string
	// Assistant says that the speaker is the assistant: what it says is about what the user
	// says, at greater length.
	Assistant bool
	// At is when it was said, and Seq the order of what was said at one time.
	At  time.Time
	Seq uint64
}

// Match is how near a candidate is to a query. The parts are what they add to the whole,
// before it is scaled.
type Match struct {
	// Similarity is the sum of the parts, scaled so that the best candidate has 1.
	Similarity float64 `json:"similarity"`
	// Words is for the terms that it shares with the query (BM25, each sentence by itself).
	Words float64 `json:"words"`
	// Echo is for the terms that it shares with the best of what shares words with the query.
	Echo float64 `json:"echo"`
	// Meaning is for its cosine.
	Meaning float64 `json:"meaning"`
	// Context is for what was said around it and in its thread.
	Context float64 `json:"context"`
	// Own says that it matters by itself: it shares a word with the query, or is near enough
	// in meaning, or echoes enough. What does not is near to something that matters, and
	// nothing more.
	Own bool `json:"own"`
}

// Measure weighs what makes a candidate similar to a query. The shares are relative to the
// best match of words, which counts 1.
type Measure struct {
	// Aside is the weight of a sentence that does not ask, where another one does.
	Aside float64
	// Keys is the weight of the keys and days that are asked for: who asks for their pet means
	// the pet, whatever else has the word in it.
	Keys float64
	// Assistant is the weight of what the assistant said.
	Assistant float64
	// Echo is the share of the terms of the best hits, EchoHits how many hits of each
	// sentence are followed, EchoTerms how many of their terms.
	Echo      float64
	EchoHits  int
	EchoTerms int
	// Hop is the share of what both echoes the best hit and holds words of the sentence that
	// this lacks: the answer to "when is the fair in Lyon" after "the book fair is in Lyon".
	Hop float64
	// Meaning is the share of the cosine.
	Meaning float64
	// Beside is the share of the nearest turn of another speaker on either side, Same[0] that
	// of the nearest turn of the same speaker, Same[1] that of the one beyond, all at most
	// Reach places away.
	Beside float64
	Same   [2]float64
	Reach  int64
	// Thread is the share of the best candidate of its thread.
	Thread float64
	// MinCosine and MinEcho are from where on meaning and echo make a candidate matter by
	// itself. Of echo, only terms count that set candidates apart; the most that any candidate
	// has of a sentence's is 1.
	MinCosine float64
	MinEcho   float64
	// Strict says that echo never does, nor a faint word, such as "like".
	Strict bool
}

// DefaultMeasure has the weights that find most on conversations in English and Chinese with
// the lexical embedder. With an embedding model, Meaning deserves more.
func DefaultMeasure() Measure {
	return Measure{
		Aside: 0.8, Keys: 2, Assistant: 0.4,
		Echo: 0.7, EchoHits: 2, EchoTerms: 20, Hop: 0.4,
		Meaning: 0.2,
		Beside:  0.15, Same: [2]float64{0.1, 0.05}, Reach: 4, Thread: 0.05,
		MinCosine: 0.25, MinEcho: 0.1,
	}
}

// Matches compares the candidates with the query, one match for each in their order. What a
// term is worth depends on how many of the candidates hold it, never on memories of other
// owners.
func (m Measure) Matches(q Query, cs []Candidate) []Match {
	out := make([]Match, len(cs))
	x := newTermIndex(cs)
	for _, s := range q.sentences {
		m.addSentence(x, s, m.weight(q, s), out)
	}
	most := 0.0
	for i := range out {
		most = max(most, out[i].Words+out[i].Echo)
	}
	for i := range out {
		p := &out[i]
		if most > 0 {
			p.Words, p.Echo = p.Words/most, p.Echo/most
		}
		p.Meaning = m.Meaning * max(cs[i].Cosine, 0) * m.voice(&cs[i])
		p.Own = p.Own || cs[i].Cosine >= m.MinCosine
	}
	m.addContext(cs, out)
	most = 0
	for i := range out {
		p := &out[i]
		p.Similarity = p.Words + p.Echo + p.Meaning + p.Context
		most = max(most, p.Similarity)
	}
	for i := range out {
		if most > 0 {
			out[i].Similarity /= most
		}
	}
	return out
}

// weight is that of a sentence of the query.
func (m Measure) weight(q Query, s asked) float64 {
	switch {
	case s.keys:
		return m.Keys
	case !s.asks && q.asks():
		return m.Aside
	}
	return 1
}

// voice is the weight of who speaks.
func (m Measure) voice(c *Candidate) float64 {
	if c.Assistant {
		return m.Assistant
	}
	return 1
}

// addSentence adds what the candidates have of one sentence, times its weight.
func (m Measure) addSentence(x *termIndex, s asked, weight float64, out []Match) {
	words := m.scores(x, s.terms, nil)
	echoed := m.echoOf(x, s, words)
	echo := m.scores(x, echoed.Indices, echoed.Values)
	told := x.telling(echoed)
	telling := m.scores(x, told.Indices, told.Values)
	missing := m.scores(x, x.missing(s.terms, top(words, 1)), nil)
	reasons := words
	if m.Strict {
		reasons = m.scores(x, s.firm, nil)
	}
	for i := range out {
		out[i].Words += weight * words[i]
		out[i].Echo += weight * (m.Echo*echo[i] + m.Hop*math.Sqrt(echo[i]*missing[i]))
		out[i].Own = out[i].Own || reasons[i] > 0 || !m.Strict && telling[i] >= m.MinEcho
	}
}

// scores are those of the candidates for some terms, the best of them 1; weights nil means
// that the terms weigh alike.
func (m Measure) scores(x *termIndex, indices []uint32, weights []float32) []float64 {
	scores := make([]float64, len(x.cs))
	for j, index := range indices {
		worth := x.worth(index)
		if weights != nil {
			worth *= float64(weights[j])
		}
		for _, h := range x.of(index) {
			scores[h.at] += worth * h.weight
		}
	}
	most := 0.0
	for i := range scores {
		scores[i] *= m.voice(&x.cs[i])
		most = max(most, scores[i])
	}
	for i := range scores {
		if most > 0 {
			scores[i] /= most
		}
	}
	return scores
}

// top are the places of the n highest scores above 0, best first.
func top(scores []float64, n int) []int {
	var at []int
	for i, s := range scores {
		if s > 0 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return at[:min(n, len(at))]
}
