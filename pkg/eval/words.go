package eval

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/terms"
	"github.com/mnemond/mnemond/pkg/verify"
)

// words are the different terms of a text, in order: stems of English words, and pairs of
// neighbouring Chinese characters, without function words (see terms.Of).
type words []string

func wordsOf(text string) words {
	list := terms.Of(text)
	slices.Sort(list)
	return slices.Compact(list)
}

// weights says how much a word tells, by how few of a conversation's turns hold it.
type weights struct {
	turns  float64
	holder map[string]float64
}

func weigh(turns []bench.Turn) weights {
	w := weights{turns: float64(len(turns)), holder: map[string]float64{}}
	for i := range turns {
		for _, t := range wordsOf(turns[i].Text) {
			w.holder[t]++
		}
	}
	return w
}

// of is the inverse document frequency of a word, as BM25 has it.
func (w weights) of(word string) float64 {
	n := w.holder[word]
	return math.Log(1 + (w.turns-n+0.5)/(n+0.5))
}

// share is how much of what the words tell stands in a text that has the given ones; 0 where
// there are no words. The sum is in order, so that it is the same each time.
func (w weights) share(want words, given map[string]bool) float64 {
	var all, there float64
	for _, t := range want {
		weight := w.of(t)
		all += weight
		if given[t] {
			there += weight
		}
	}
	if all == 0 {
		return 0
	}
	return there / all
}

func setOf(list words) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, t := range list {
		set[t] = true
	}
	return set
}

// fact is a gold memory's text without what only the set's form puts there: a label in
// 【brackets】 before it, which names a project.
func fact(text string) string {
	if label, rest, ok := strings.Cut(text, "】"); ok && strings.HasPrefix(label, "【") && strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return text
}

// said are the words of a fact that the person could have said: a gold memory speaks of "the
// user" (用户) or by name where the person says "I" (我).
func said(text, name string) words {
	for _, subject := range []string{"用户", name} {
		if strings.ContainsFunc(subject, isHan) { // pairs of characters would reach beyond it
			text = strings.ReplaceAll(text, subject, " ")
		}
	}
	subjects := setOf(wordsOf("user " + name))
	return slices.DeleteFunc(wordsOf(text), func(t string) bool { return subjects[t] })
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

var (
	digits = regexp.MustCompile(`[0-9]+(?:[.,:][0-9]+)*`)
	// One numeral alone is more often part of a word, such as 一些 or 十分, than a number.
	numerals  = regexp.MustCompile(`[〇零一二两三四五六七八九十百千万亿]{2,}`)
	thousands = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{3})+$`)
	spelt     = regexp.MustCompile(`\p{L}[\p{L}\p{M}'’-]*\p{L}`)
	title     = regexp.MustCompile(`《([^》]+)》`)
)

// numbersOf are the different numbers of a text as they are written, in digits (commas that
// group thousands left out) or in two and more Chinese numerals.
func numbersOf(text string) []string {
	text = width.Fold.String(text)
	out := numerals.FindAllString(text, -1)
	for _, n := range digits.FindAllString(text, -1) {
		if thousands.MatchString(n) {
			n = strings.ReplaceAll(n, ",", "")
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// namesOf are the different names of a text that can be told from other words: Latin words of
// two and more letters with a capital one that do not begin a sentence, and what stands in
// 《》. Chinese names of people and places cannot, and are measured by coverage alone.
func namesOf(text string) []string {
	out := map[string]bool{}
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		out[m[1]] = true
	}
	for _, at := range spelt.FindAllStringIndex(text, -1) {
		first, _ := utf8.DecodeRuneInString(text[at[0]:])
		if unicode.IsUpper(first) && !beginsSentence(text[:at[0]]) {
			out[withoutGenitive(text[at[0]:at[1]])] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// beginsSentence reports whether what follows the text begins a sentence, or an item of a list.
func beginsSentence(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \t"))
	return !unicode.IsLetter(last) && !unicode.IsDigit(last) && last != ','
}

func withoutGenitive(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
}

// hasNumbers reports whether all of the numbers stand in the text.
func hasNumbers(text string, all []string) bool {
	have := numbersOf(text)
	return !slices.ContainsFunc(all, func(n string) bool { return !slices.Contains(have, n) })
}

// hasNames reports whether all of the names stand in the text, as words of their own where
// the script has words; letter case does not count.
func hasNames(text string, all []string) bool {
	spoken := spelt.FindAllString(text, -1)
	return !slices.ContainsFunc(all, func(name string) bool {
		if strings.ContainsFunc(name, isHan) {
			return !verify.Quoted(text, name)
		}
		return !slices.ContainsFunc(spoken, func(w string) bool { return strings.EqualFold(withoutGenitive(w), name) })
	})
}
