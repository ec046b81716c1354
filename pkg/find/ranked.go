package find

import (
	"cmp"
	"slices"

	"github.com/mnemond/mnemond/pkg/rank"
)

// ranked compares the hits with the query and orders those that matter.
func (s *search) ranked(m rank.Measure) []Found {
	s.sort()
	cs := s.candidates()
	all := make([]Found, len(cs))
	totals := make([]float64, len(cs))
	var order []int
	for i, match := range m.Matches(s.asked, cs) {
		all[i] = s.found(i, match)
		totals[i] = all[i].Score.Total
		switch {
		case match.Own:
			order = append(order, i)
		case s.r.Below != nil:
			s.r.Below(&all[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(totals[b], totals[a]) })
	read := func(i int) { s.read(&cs[i], i) }
	for _, i := range order[:min(len(order), rank.Renewed)] {
		read(i)
	}
	order = rank.Distinct(cs, rank.Renew(s.asked, cs, order, totals), s.r.Limit, read)
	var out []Found
	for _, i := range order {
		out = append(out, all[i])
	}
	return out
}

// found is a hit with its scores.
func (s *search) found(i int, match rank.Match) Found {
	out := Found{Hit: s.hits[i], Match: match}
	if out.Hit.Document != nil {
		out.Score = rank.Score{Total: match.Similarity, Similarity: match.Similarity}
		return out
	}
	if s.r.Tier != nil {
		out.Tier = s.r.Tier(&out.Hit.Memory)
	}
	out.Score = s.Weights.Score(s.r.Now, match.Similarity, &out.Hit.Memory, out.Tier)
	return out
}
