package bench

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/porter"
)

// Reference is BM25 as textbooks have it, over one pool, and shares nothing with the
// product: k1 = 1.2, b = 0.75, idf = ln(1 + (N-df+0.5)/(df+0.5)), ties in the order of the
// pool. A turn is found by its time, its role and its text. It tells whether a set and the
// harness are what they were when a figure was published.
type Reference struct {
	postings map[string][]posting
	lengths  []float64
	average  float64
}

// posting is a turn that holds a term, and how often.
type posting struct {
	turn  int
	count float64
}

// NewReference indexes the turns of a pool.
func NewReference(p *Pool) *Reference {
	r := &Reference{postings: map[string][]posting{}, lengths: make([]float64, len(p.Turns))}
	for i := range p.Turns {
		t := &p.Turns[i]
		terms := referenceTerms(t.Time + " " + t.Role + ": " + t.Text)
		r.lengths[i] = float64(len(terms))
		r.average += r.lengths[i] / float64(len(p.Turns))
		for term, count := range counted(terms) {
			r.postings[term] = append(r.postings[term], posting{i, count})
		}
	}
	return r
}

// Rank returns the positions of the turns that share a term with the query, best first.
func (r *Reference) Rank(query string) []int {
	const k1, b = 1.2, 0.75
	scores := map[int]float64{}
	terms := referenceTerms(query)
	counts := counted(terms)
	slices.Sort(terms)
	for _, term := range slices.Compact(terms) { // in a fixed order: sums depend on it
		holders := r.postings[term]
		n, df := float64(len(r.lengths)), float64(len(holders))
		weight := counts[term] * math.Log(1+(n-df+0.5)/(df+0.5))
		for _, p := range holders {
			scores[p.turn] += weight * p.count * (k1 + 1) / (p.count + k1*(1-b+b*r.lengths[p.turn]/r.average))
		}
	}
	order := make([]int, 0, len(scores))
	for turn := range scores {
		order = append(order, turn)
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(scores[y], scores[x]), cmp.Compare(x, y))
	})
	return order
}

func counted(terms []string) map[string]float64 {
	counts := make(map[string]float64, len(terms))
	for _, t := range terms {
		counts[t]++
	}
	return counts
}

var (
	referenceWord = regexp.MustCompile(`[a-z0-9]+(?:'[a-z]+)?`)
	referenceHan  = regexp.MustCompile(`[\x{3400}-\x{9fff}]+`)
)

var referenceStop = wordSet(`
a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it
its me my of on or our she so than that the their them then there these they this those to was we were what when where
which who whom why will with would you your yours about
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// referenceTerms are the words of a text, stemmed (Porter 1980) and without stop words, and
// the pairs of neighbouring characters of its Chinese.
func referenceTerms(text string) []string {
	var out []string
	for _, w := range referenceWord.FindAllString(strings.ToLower(text), -1) {
		if referenceStop[w] {
			continue
		}
		w, _, _ = strings.Cut(w, "'")
		if len(w) > 2 {
			env := snowballstem.NewEnv(w)
			porter.Stem(env)
			w = env.Current()
		}
		out = append(out, w)
	}
	for _, run := range referenceHan.FindAllString(text, -1) {
		if utf8.RuneCountInString(run) == 1 {
			out = append(out, run)
			continue
		}
		chars := []rune(run)
		for i := range len(chars) - 1 {
			out = append(out, string(chars[i:i+2]))
		}
	}
	return out
}
