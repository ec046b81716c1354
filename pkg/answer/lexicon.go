package answer

import (
	"regexp"
	"regexp/syntax"
)

// kind is what a word means for an answer.
type kind int

const (
	// unknown words make a clause no answer.
	unknown kind = iota
	// mark separates clauses.
	mark
	// filler words may stand anywhere: "it's", "please", 是, 啊.
	filler
	// mine is the user ("I", "my", 我), thine whom the user asks.
	mine
	thine
	// yes and no answer a question that offers one value.
	yes
	no
	// not denies the value behind it, wrong the one before it.
	not
	wrong
	// corrects and insists are signs that the matter is settled: "sorry", "still", 其实.
	corrects
	insists
	// upholds says that the value before it is the right one, and so settles the matter.
	upholds
	// hedge makes a guess of the sentence. ought does so unless it corrects, soft unless it
	// only picks one of the offers, either unless it denies.
	hedge
	ought
	soft
	either
	or
	and
	// The offers that are named without their values.
	both
	all
	none
	older
	newer
	first
	second
	third
	fourth
	fifth
	last
	// likesBoth is both where the question is about a preference.
	likesBoth
	// qualifies says where or when a value holds.
	qualifies
	// liking and disliking are values where the question is about an opinion.
	liking
	disliking
	// asker words are what an assistant adds when it puts a question.
	asker
	// changing asks whether a value has changed.
	changing
	// subject names what the question is about.
	subject
	// value is a side's value, elsewhere a date that is none.
	value
	elsewhere
)

// phrases are the expressions of one kind.
type phrases struct {
	kind kind
	re   *regexp.Regexp
}

// table holds phrases by the characters that they can begin with: most words begin none.
type table map[rune][]phrases

// lexicon is what users say, asking what assistants say when they put a question, in both
// languages. Phrases that mean something only for some questions are skipped for the others.
var (
	lexicon = compile([2]map[kind]string{english, chinese})
	asking  = compile([2]map[kind]string{english, chinese}, [2]map[kind]string{englishAsker, chineseAsker})
)

// compile makes a table of the expressions of two languages, by kind.
func compile(parts ...[2]map[kind]string) table {
	t := table{}
	for _, part := range parts {
		for k := unknown; k <= elsewhere; k++ {
			t.add(k, part[0][k], `\b`)
			t.add(k, part[1][k], ``)
		}
	}
	return t
}

func (t table) add(k kind, ways, end string) {
	if ways == "" {
		return
	}
	tree, err := syntax.Parse(ways, syntax.Perl)
	if err != nil {
		panic(err)
	}
	re := regexp.MustCompile(`^(?:` + ways + `)` + end)
	re.Longest()
	starts := map[rune]bool{}
	begins(tree, starts)
	for r := range starts {
		t[r] = append(t[r], phrases{k, re})
	}
}

// begins adds the characters with which a match can begin, and reports whether it can be
// empty.
func begins(n *syntax.Regexp, starts map[rune]bool) (empty bool) {
	switch n.Op {
	case syntax.OpLiteral:
		starts[n.Rune[0]] = true
	case syntax.OpCharClass:
		for i := 0; i+1 < len(n.Rune); i += 2 {
			for r := n.Rune[i]; r <= n.Rune[i+1]; r++ {
				starts[r] = true
			}
		}
	case syntax.OpAlternate:
		for _, sub := range n.Sub {
			empty = begins(sub, starts) || empty
		}
	case syntax.OpConcat:
		for _, sub := range n.Sub {
			if !begins(sub, starts) {
				return false
			}
		}
		return true
	case syntax.OpQuest, syntax.OpStar:
		begins(n.Sub[0], starts)
		return true
	case syntax.OpCapture, syntax.OpPlus:
		return begins(n.Sub[0], starts)
	case syntax.OpEmptyMatch:
		return true
	}
	return empty
}
