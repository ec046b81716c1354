package sign

import (
	_ "embed"
	"slices"
	"strings"
	"unicode/utf8"
)

// The tables, a file for each sign. Lines that begin with # are comments. Phrases are
// written in the form that units gives to words (small letters, simplified characters,
// contractions written out), with
//
//	;        between phrases
//	(a|b|)   either, or nothing
//	..       up to maxGap words, or maxHanGap characters, without punctuation
//	,        punctuation, or where the text begins or ends
//	#        a number in figures
//	!        before a phrase in which no other may begin
var (
	//go:embed data/change.txt
	changes string
	//go:embed data/ending.txt
	endings string
	//go:embed data/denial.txt
	denials string
	//go:embed data/choice.txt
	choices string

	// tables stand in the order of the bits of Signs.
	tables = [...]string{changes, endings, denials, choices}
)

// How far apart the words around a gap may stand.
const (
	maxGap    = 5
	maxHanGap = 10
)

// gap and number are the words of a phrase that stand for others.
const (
	gap    = ".."
	number = "#"
)

// phrase is one compiled phrase.
type phrase struct {
	words  []string
	table  int
	except bool
}

// phrases are those of all tables by their first word; exceptions come first.
var phrases = compile()

func compile() map[string][]phrase {
	out := map[string][]phrase{}
	for i, table := range tables {
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
				continue
			}
			for written := range strings.SplitSeq(line, ";") {
				for _, one := range expand(strings.TrimSpace(written)) {
					p := newPhrase(one, i)
					out[p.words[0]] = append(out[p.words[0]], p)
				}
			}
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b phrase) int {
			switch {
			case a.except == b.except:
				return 0
			case a.except:
				return -1
			}
			return 1
		})
	}
	return out
}

// expand writes out the alternatives of a phrase, of which none stands inside another.
func expand(written string) []string {
	before, rest, ok := strings.Cut(written, "(")
	if !ok {
		return []string{written}
	}
	group, after, _ := strings.Cut(rest, ")")
	var out []string
	for _, tail := range expand(after) {
		for way := range strings.SplitSeq(group, "|") {
			out = append(out, before+way+tail)
		}
	}
	return out
}

func newPhrase(written string, table int) phrase {
	p := phrase{table: table}
	written, p.except = strings.CutPrefix(written, "!")
	for word := range strings.FieldsSeq(written) {
		switch word {
		case gap, number:
			p.words = append(p.words, word)
		case ",":
			p.words = append(p.words, pause)
		default:
			p.words = append(p.words, bare(units(word))...)
		}
	}
	return p
}

// bare is words without the pauses around them.
func bare(words []string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == pause })
}

// at returns how many words the phrase takes at the start of text, or 0.
func (p phrase) at(text []string) int { return take(p.words, text) }

func take(words, text []string) int {
	for i, w := range words {
		switch {
		case i >= len(text):
			return 0
		case w == gap:
			return across(words[i+1:], text[i:], i)
		case text[i] != w && (w != number || !figures(text[i])):
			return 0
		}
	}
	return len(words)
}

func figures(w string) bool { return w != pause && '0' <= w[0] && w[0] <= '9' }

// across takes the rest of a phrase after a gap at the start of text.
func across(rest, text []string, taken int) int {
	left := maxHanGap
	for skip, w := range text {
		if n := take(rest, text[skip:]); n > 0 {
			return taken + skip + n
		}
		if w == pause || left <= 0 {
			return 0
		}
		if left--; w[0] < utf8.RuneSelf {
			left -= maxHanGap/maxGap - 1 // a word, not a character
		}
	}
	return 0
}
