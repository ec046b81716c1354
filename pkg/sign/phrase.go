package sign

import (
	_ "embed"
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
//	!        before a phrase in which no other of the table may begin
var (
	//go:embed data/change.txt
	changes string
	//go:embed data/ending.txt
	endings string
	//go:embed data/denial.txt
	denials string
	//go:embed data/choice.txt
	choices string
	//go:embed data/addition.txt
	additions string

	// tables stand in the order of the bits of Signs.
	tables = [...]string{changes, endings, denials, choices, additions}
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

// phrase is one phrase of a table.
type phrase struct {
	words  []string
	table  int
	except bool
}

// read returns the phrases of a table, their alternatives written out.
func read(table int) []phrase {
	var out []phrase
	for line := range strings.Lines(tables[table]) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		for written := range strings.SplitSeq(line, ";") {
			for _, one := range expand(strings.TrimSpace(written)) {
				out = append(out, newPhrase(one, table))
			}
		}
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
			all := units(word)
			p.words = append(p.words, all[1:len(all)-1]...) // without the pauses around
		}
	}
	return p
}

// phrases is where the phrases of all tables begin.
var phrases = func() *node {
	root := &node{}
	for table := range tables {
		for _, p := range read(table) {
			root.add(p)
		}
	}
	return root
}()

// node is a place in phrases that begin alike.
type node struct {
	// next is where each word leads, gap and number among them.
	next map[string]*node
	// signs are those of the phrases that end here, and excepts those of the exceptions.
	signs, excepts Signs
}

func (n *node) add(p phrase) {
	for _, w := range p.words {
		if n.next == nil {
			n.next = map[string]*node{}
		}
		if n.next[w] == nil {
			n.next[w] = &node{}
		}
		n = n.next[w]
	}
	if p.except {
		n.excepts |= 1 << p.table
	} else {
		n.signs |= 1 << p.table
	}
}

// matches is what is found on the way through a text.
type matches struct {
	// begun are the signs of the phrases that begin at the word at hand.
	begun Signs
	// quiet is, by table, up to which word its phrases may not begin.
	quiet [len(tables)]int
}

// follow finds the phrases that go on from n with text[at:].
func (n *node) follow(text []string, at int, m *matches) {
	m.begun |= n.signs
	for t := range tables {
		if n.excepts.Has(1 << t) {
			end := at
			if text[at-1] == pause {
				end-- // with which the next phrase may begin
			}
			m.quiet[t] = max(m.quiet[t], end)
		}
	}
	if at == len(text) || n.next == nil {
		return
	}
	if next := n.next[text[at]]; next != nil {
		next.follow(text, at+1, m)
	}
	if next := n.next[number]; next != nil && figures(text[at]) {
		next.follow(text, at+1, m)
	}
	if next := n.next[gap]; next != nil {
		next.across(text, at, m)
	}
}

// across finds the phrases that go on from n within reach of text[at:].
func (n *node) across(text []string, at int, m *matches) {
	for left := maxHanGap; at < len(text); at++ {
		n.follow(text, at, m)
		if text[at] == pause || left <= 0 {
			return
		}
		if left--; text[at][0] < utf8.RuneSelf {
			left -= maxHanGap/maxGap - 1 // a word, not a character
		}
	}
}

func figures(w string) bool { return w != pause && '0' <= w[0] && w[0] <= '9' }
