package rank

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/canon"
)

// minSame is the cosine of their terms above which two candidates may say the same.
const minSame = 0.9

// Distinct are the places of the first n candidates of an order: what says the same as a
// better one stands behind all that says something else. It says the same if it is by the
// same speaker, its terms are nearly the same, and it differs in no figure and no denial. read
// is called before the Text of a candidate is looked at; nil is not.
func Distinct(cs []Candidate, order []int, n int, read func(i int)) []int {
	d := distinct{cs: cs, lengths: make([]float64, len(cs)), read: read}
	var kept, again []int
	for _, i := range order {
		if len(kept) >= n {
			break
		}
		d.lengths[i] = length(cs[i].Terms)
		if slices.ContainsFunc(kept, func(j int) bool { return d.same(i, j) }) {
			again = append(again, i)
		} else {
			kept = append(kept, i)
		}
	}
	kept = append(kept, again...)
	return kept[:max(0, min(len(kept), n))]
}

type distinct struct {
	cs      []Candidate
	lengths []float64
	read    func(i int)
}

func (d *distinct) same(i, j int) bool {
	a, b := &d.cs[i], &d.cs[j]
	if a.Speaker != b.Speaker || product(a.Terms, b.Terms) <= minSame*d.lengths[i]*d.lengths[j] {
		return false
	}
	if d.read != nil {
		d.read(i)
		d.read(j)
	}
	return figures(a.Text) == figures(b.Text) && denies(a.Text) == denies(b.Text)
}

// figures are the digits and numerals of a text.
func figures(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || strings.ContainsRune("零一二三四五六七八九十百千万亿两半", r) {
			return r
		}
		return -1
	}, text)
}

var denialWords = wordsOf("not no never none neither nor without cannot stopped quit t")

// denies reports whether a text holds a word of denial. Function words are no terms.
func denies(text string) bool {
	text = canon.Simplify(strings.ToLower(text))
	if strings.ContainsAny(text, "不没未无别") {
		return true
	}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if denialWords[w] {
			return true
		}
	}
	return false
}
