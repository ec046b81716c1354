package reconcile

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/terms"
)

// maxWords bounds the words of a text that are looked at; nobody's clause has more.
const maxWords = 256

// word is a word in Latin script or a run of Chinese characters, where words have no gaps.
type word struct {
	from, to int
	text     string
	han      bool
	// pieces are what it adds to what a text is about; none if it is a function word.
	pieces []string
}

// split takes text apart. What is joined by punctuation counts as several words.
func split(text string) []word {
	var out []word
	add := func(from, to int, han bool) {
		if from < to && len(out) < maxWords {
			w := word{from: from, to: to, text: text[from:to], han: han}
			w.pieces = piecesOf(w)
			out = append(out, w)
		}
	}
	start, han := 0, false
	for i, r := range text {
		isHan := unicode.Is(unicode.Han, r)
		inside := isHan || latin(r) || unicode.IsMark(r) || (r == '\'' || r == '’') && !han && start < i
		if inside && isHan == han && start <= i {
			continue
		}
		add(start, i, han)
		start, han = i, isHan
		if !inside {
			start = i + utf8.RuneLen(r)
		}
	}
	add(start, len(text), han)
	return out
}

func piecesOf(w word) []string {
	if w.han {
		return slices.DeleteFunc(terms.Of(beforeName.ReplaceAllString(w.text, " ")), func(p string) bool { return light[p] })
	}
	if len(terms.Of(w.text)) == 0 {
		return nil
	}
	plain := strings.ToLower(strings.ReplaceAll(w.text, "’", "'"))
	if light[strings.TrimSuffix(plain, "'s")] {
		return nil
	}
	folded := canon.Value(strings.TrimSuffix(plain, "'s"))
	if strings.ContainsFunc(folded, isHan) {
		return terms.Of(folded)
	}
	return []string{uninflected(folded)}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// beforeName is what stands before a being that somebody keeps, or before its name, in Chinese.
var beforeName = regexp.MustCompile(`名叫|叫做|叫|养了?`)

// light are words that a request adds to its topic without narrowing it.
var light = wordSet(`named called name names have own keep got thing things stuff fact facts know knew said told
	mentioned info information detail details matter topic subject idea ideas
	current present full real exact 方式 状况 情况 信息 名字 习惯 东西 样子 史 里 儿 边`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// uninflected takes the endings of verbs off a singular word. A full stemmer makes one word
// of police and policy, and who forgets the one would lose the other.
func uninflected(w string) string {
	if !isLatinWord(w) {
		return w
	}
	if stem, ok := strings.CutSuffix(w, "ied"); ok && len(stem) > 1 {
		return stem + "y"
	}
	for _, ending := range []string{"ing", "ed"} {
		if stem, ok := strings.CutSuffix(w, ending); ok && len(stem) > 2 {
			w = stem
			if n := len(w); w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
				w = w[:n-1]
			}
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func isLatinWord(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) })
}

// pieces are what a text is about: its words without function words, in one form for each,
// and neighbouring characters in Chinese.
func pieces(text string) []string { return piecesIn(split(text)) }

func piecesIn(words []word) []string {
	var out []string
	for _, w := range words {
		out = append(out, w.pieces...)
	}
	return out
}

// holds is every piece that can be found in a text: in Chinese also those of which the
// words are cut otherwise, or named otherwise.
func holds(text string) map[string]bool {
	set := map[string]bool{}
	addHeld(set, split(text))
	return set
}

func addHeld(set map[string]bool, words []word) {
	for _, w := range words {
		for _, p := range w.pieces {
			set[p] = true
		}
		if w.han {
			addHan(set, []rune(canon.Simplify(w.text)))
		}
	}
}

func addHan(set map[string]bool, run []rune) {
	for i := range run {
		set[string(run[i])] = true
		for n := 2; n <= 3 && i+n <= len(run); n++ {
			part := string(run[i : i+n])
			if n == 2 {
				set[part] = true
			}
			if folded := canon.Value(part); folded != part {
				for _, p := range terms.Of(folded) {
					set[p] = true
				}
			}
		}
	}
}

// parts are the single words of a text, and up to four neighbouring Chinese characters.
func parts(text string) []string {
	var out []string
	for _, w := range split(text) {
		if !w.han {
			out = append(out, w.text)
			continue
		}
		run := []rune(w.text)
		for i := range run {
			for n := 1; n <= 4 && i+n <= len(run); n++ {
				out = append(out, string(run[i:i+n]))
			}
		}
	}
	return out
}
