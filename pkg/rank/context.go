package rank

import (
	"cmp"
	"slices"
)

// addContext lifts candidates by what stands around them: a turn that answers, or goes on
// with, what matches a query often holds none of its words.
func (m Measure) addContext(cs []Candidate, out []Match) {
	own := make([]float64, len(out))
	for i := range out {
		own[i] = out[i].Words + out[i].Echo + out[i].Meaning
	}
	for _, thread := range threads(cs) {
		most := 0.0
		for _, i := range thread {
			most = max(most, own[i])
		}
		for at, i := range thread {
			out[i].Context = m.Thread*most +
				m.beside(cs, own, i, thread[at+1:], false) + m.beside(cs, own, i, thread[:at], true)
		}
	}
}

// threads are the places of the candidates by thread, each in the order of what was said.
// Candidates without a thread are in none.
func threads(cs []Candidate) [][]int {
	at := map[string]int{}
	var out [][]int
	for i := range cs {
		if cs[i].Thread == "" {
			continue
		}
		n, ok := at[cs[i].Thread]
		if !ok {
			n = len(out)
			at[cs[i].Thread] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], i)
	}
	for _, thread := range out {
		slices.SortStableFunc(thread, func(a, b int) int { return cmp.Compare(cs[a].Place, cs[b].Place) })
	}
	return out
}

// beside is what the turns on one side of candidate i lend it. side are the candidates of its
// thread there in the order of what was said; backwards says that they came before.
func (m Measure) beside(cs []Candidate, own []float64, i int, side []int, backwards bool) float64 {
	sum := 0.0
	same, other := 0, 0
	for k := range side {
		n := side[k]
		if backwards {
			n = side[len(side)-1-k]
		}
		if away := cs[n].Place - cs[i].Place; away > m.Reach || -away > m.Reach {
			break
		}
		switch {
		case cs[n].Speaker != cs[i].Speaker:
			if other == 0 {
				sum += m.Beside * own[n]
			}
			other++
		case same < len(m.Same):
			sum += m.Same[same] * own[n]
			same++
		}
	}
	return sum
}
