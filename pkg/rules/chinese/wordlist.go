package chinese

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"
)

// The word lists. Each line is a kind, a colon and words; one without a colon is words of
// the kind "". Lines that begin with # are comments.
var (
	//go:embed data/openings.txt
	openingsData string
	//go:embed data/people.txt
	peopleData string
	//go:embed data/jobs.txt
	jobsData string
)

// wordKinds reads a word list into its kinds.
func wordKinds(data string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(data) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		kind, words, ok := strings.Cut(line, ":")
		if !ok {
			kind, words = "", line
		}
		out[kind] = append(out[kind], strings.Fields(words)...)
	}
	return out
}

var (
	peopleWords = wordKinds(peopleData)

	partnerWords = alternatives(peopleWords["partner"])
	familyWords  = alternatives(peopleWords["family"])
	relatives    = alternatives(peopleWords["partner"], peopleWords["family"], peopleWords["other"])

	relativeWords = newLexicon(peopleWords["partner"], peopleWords["family"], peopleWords["other"])
	bareWords     = newLexicon(peopleWords["bare"])
	theyWords     = newLexicon(peopleWords["they"])
	jobWords      = newLexicon(wordKinds(jobsData)[""])
)

// alternatives is a pattern of the words, longer ones before their own beginnings.
func alternatives(lists ...[]string) string {
	var words []string
	for _, list := range lists {
		words = append(words, list...)
	}
	longestFirst(words)
	return strings.Join(words, "|")
}

func longestFirst(words []string) {
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
}

// lexicon is a set of words that is looked up by the longest one at a place.
type lexicon struct {
	words   map[string]bool
	longest int
}

func newLexicon(lists ...[]string) *lexicon {
	l := &lexicon{words: map[string]bool{}}
	for _, list := range lists {
		for _, w := range list {
			l.words[w] = true
			l.longest = max(l.longest, len(w))
		}
	}
	return l
}

// prefix is the length in bytes of the longest word that s begins with, or 0.
func (l *lexicon) prefix(s string) int {
	for n := min(l.longest, len(s)); n > 0; n-- {
		if (n == len(s) || utf8.RuneStart(s[n])) && l.words[s[:n]] {
			return n
		}
	}
	return 0
}

// suffix is the length in bytes of the longest word that s ends with, or 0.
func (l *lexicon) suffix(s string) int {
	for n := min(l.longest, len(s)); n > 0; n-- {
		if utf8.RuneStart(s[len(s)-n]) && l.words[s[len(s)-n:]] {
			return n
		}
	}
	return 0
}
