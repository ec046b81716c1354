package rank

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/terms"
)

// maxSentences bounds the sentences that are weighed on their own. What stands before the
// last of them is weighed together: people tell first and ask at the end.
const maxSentences = 12

// Query is what is asked, by sentences: a message that asks two things is answered by what
// is near to the one or to the other.
type Query struct {
	sentences []asked
}

// asked is a sentence: the indices of its terms, ascending, and those of them that are not
// faint.
type asked struct {
	terms, firm []uint32
	asks        bool
	// keys says that the terms stand for keys and days that are asked for.
	keys bool
}

// NewQuery reads a query. keys are its terms beside those of its words (index.QueryTerms);
// together they count as a sentence that asks.
func NewQuery(text string, keys ...string) Query {
	var q Query
	all := sentence.Split(text)
	if early := len(all) - maxSentences; early > 0 {
		q.add(text[:all[early-1].To], false)
		all = all[early:]
	}
	for _, s := range all {
		q.add(s.Text, s.Question)
	}
	if len(keys) > 0 {
		q.add("", true, keys...)
	}
	return q
}

func (q *Query) add(text string, asks bool, keys ...string) {
	if v := terms.Query(text, keys...); len(v.Indices) > 0 {
		q.sentences = append(q.sentences, asked{terms: v.Indices, firm: firm(v.Indices), asks: asks, keys: len(keys) > 0})
	}
}

// terms are the indices of all terms of the query, ascending, each once.
func (q Query) terms() []uint32 {
	var all []uint32
	for _, s := range q.sentences {
		all = append(all, s.terms...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// asks reports whether any sentence is a question.
func (q Query) asks() bool {
	return slices.ContainsFunc(q.sentences, func(s asked) bool { return s.asks })
}

// Shares reports whether a vector holds a term of the query that is not faint.
func (q Query) Shares(v terms.SparseVector) bool {
	for _, s := range q.sentences {
		for _, index := range s.firm {
			if valueOf(v, index) > 0 {
				return true
			}
		}
	}
	return false
}
