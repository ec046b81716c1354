package curate

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/verify"
)

// clause is a part of a text that may be understood without the rest of its sentence:
// content[from:to], without what joins it to its neighbours.
type clause struct {
	from, to int
	// sentence is the place of its sentence among all.
	sentence int
	// asks says that it stands in a question, and read that somebody has understood it.
	asks, read bool
}

// joint is where clauses of a sentence are cut: a comma, a word that joins them, or both.
var joint = regexp.MustCompile(`(?i)(?:,\s+|[，：]\s*|:\s+|\s+[-–—]+\s+|——)(?:(?:and|but|also|plus|because|while|whereas|although|though)\b[\s,]*)*|` +
	`\s+(?:(?:and|but|also|plus|because|while|whereas|although|though)\s+)+|` +
	`另外|还有|而且|但是|不过|因为|并且`)

// lead is what opens a clause and says nothing.
var lead = regexp.MustCompile(`(?i)^(?:(?:and|but|also|plus|because|so|then|please|remember|note|keep in mind)\b[\s,:]*(?:that\b\s*)?|(?:另外|还有|而且|但是|不过|因为|并且|请|帮我|记住|记一下|记得)[，：\s]*)+`)

// filler is a clause that says nothing: a greeting, thanks, a word before the matter, or that
// it be remembered.
var filler = regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
	`hi|hello|hey|dear|there|good (?:morning|afternoon|evening|day)|thanks|thank you|cheers|so much|very much|a lot|in advance|bye|goodbye`,
	`please|remember|memori[sz]e|note|save|keep|in mind|don't forget|do not forget|can you|could you|would you|i want you to|i'd like you to|for me|for later|down|this|that|it|these|following`,
	`actually|well|ok|okay|yes|yeah|no|nope|sure|right|so|and|but|also|too|as well|oh|by the way|btw|fyi|for the record|for your information|just so you know|as you know|as i said|in fact|now|these days|nowadays|at the moment|anyway`,
	`你好|您好|大家好|嗨|哈喽|早上好|下午好|晚上好|早|谢谢|多谢|感谢|你|您|啦|了|啊|哦|嗯|吧|呢|再见|拜拜|麻烦|辛苦`,
	`请|帮|我|给|记住|记一下|记下|记下来|记得|别忘|不要忘记|以下|这个|这些|这件事|一下`,
	`其实|对了|对|是的|不是|好的|好|另外|还有|而且|但是|不过|因为|并且|顺便|说一下|现在|目前|最近`,
	`[\p{P}\p{S}\s]`,
}, "|") + `)+$`)

// adverbial is the beginning of a clause that only says when, where or with whom.
var adverbial = regexp.MustCompile(`(?i)^(?:as of|in|on|at|since|until|till|after|before|from|for|with|without|during|by|about|under|over|near|last|next|this)\b|^(?:从|自|在|到|直到|自从|上|下|这|今年|去年|明年)`)

// maxAdverbial is how many words a clause that is only one has at most.
const maxAdverbial = 5

// leastWords and leastHan are how much a clause must say to be understood by itself.
const (
	leastWords = 3
	leastHan   = 4
)

// rest is what is left of a text when what was read is taken from it: whole clauses, in its
// own words, of those that no quote reaches into. Greetings, questions and what only leads to
// something that was read are left out; what cannot be understood without the clause before
// it comes with that. Quote is the piece of the content in which all of it stands. Text is
// empty when nothing is left.
func rest(content string, read []string) (text, quote string) {
	clauses := clausesOf(content)
	folded := verify.Fold(content)
	for i := range clauses {
		c := &clauses[i]
		from := len(verify.Fold(content[:c.from]))
		c.read = reached(folded, from, from+len(verify.Fold(content[c.from:c.to])), read)
	}
	keep := make([]bool, len(clauses))
	for i := range clauses {
		said, whole := left(content, clauses, i)
		if said {
			keep[i] = true
			for j := i; !whole && clauses[j-1].read; j-- {
				keep[j-1] = true
				whole = starts(clauses, j-1) || stands(content, clauses[j-1])
			}
		}
	}
	return join(content, clauses, keep)
}

// reached reports whether one of the quotes reaches into folded[from:to].
func reached(folded string, from, to int, quotes []string) bool {
	for _, q := range quotes {
		q = verify.Fold(q)
		for start := 0; q != ""; {
			i := strings.Index(folded[start:], q)
			if i < 0 {
				break
			}
			if start+i < to && from < start+i+len(q) {
				return true
			}
			_, size := utf8.DecodeRuneInString(folded[start+i:])
			start += i + size
		}
	}
	return false
}

// left reports whether the i-th clause is one to keep, and whether it is understood by itself.
func left(content string, clauses []clause, i int) (keep, whole bool) {
	c := clauses[i]
	said := content[c.from:c.to]
	if c.read || c.asks || filler.MatchString(said) {
		return false, false
	}
	partly := false
	for _, other := range clauses {
		partly = partly || other.sentence == c.sentence && other.read
	}
	words, han := size(said)
	if partly && adverbial.MatchString(said) && words+han <= maxAdverbial {
		return false, false
	}
	return true, !partly || starts(clauses, i) || stands(content, c)
}

// stands reports whether a clause says enough to be understood by itself.
func stands(content string, c clause) bool {
	words, han := size(content[c.from:c.to])
	return words >= leastWords || han >= leastHan || words > 0 && han > 0
}

// size counts the words and the Han characters of a text.
func size(text string) (words, han int) {
	word := false
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
			word = false
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !word {
				words++
			}
			word = true
		case unicode.IsSpace(r):
			word = false
		}
	}
	return words, han
}

// clausesOf cuts a text into the clauses of its sentences, in order.
func clausesOf(content string) []clause {
	var out []clause
	for n, s := range sentence.Split(content) {
		from := 0
		for _, cut := range append(joint.FindAllStringIndex(s.Text, -1), []int{len(s.Text), len(s.Text)}) {
			if cut[0] > from && !s.InQuotes(cut[0], cut[1]) {
				out = append(out, clause{from: s.From + from, to: s.From + cut[0], sentence: n, asks: s.Question})
			}
			if !s.InQuotes(cut[0], cut[1]) {
				from = cut[1]
			}
		}
	}
	return out
}

// join puts what is kept together: neighbours as they stand in the content, and others one
// after another.
func join(content string, clauses []clause, keep []bool) (text, quote string) {
	var out strings.Builder
	at, end := -1, 0
	for i := 0; i < len(clauses); i++ {
		if !keep[i] {
			continue
		}
		first := i
		for i+1 < len(clauses) && keep[i+1] {
			i++
		}
		run := strings.TrimSpace(content[clauses[first].from:clauses[i].to])
		if bare := run[len(lead.FindString(run)):]; bare != "" {
			run = bare
		}
		if !wholly(clauses, keep, i) {
			run = strings.TrimRight(run, ".。!！,，;； ")
		}
		if out.Len() > 0 {
			out.WriteString(between(out.String(), run))
		}
		out.WriteString(run)
		if at < 0 {
			at = clauses[first].from
		}
		end = clauses[i].to
	}
	if at < 0 {
		return "", ""
	}
	return out.String(), content[at:end]
}

// starts reports whether the i-th clause is the first of its sentence.
func starts(clauses []clause, i int) bool {
	return i == 0 || clauses[i-1].sentence != clauses[i].sentence
}

// wholly reports whether all of the i-th clause's sentence is kept.
func wholly(clauses []clause, keep []bool, i int) bool {
	for j, c := range clauses {
		if c.sentence == clauses[i].sentence && !keep[j] {
			return false
		}
	}
	return true
}

// between is what stands between two pieces that do not belong together.
func between(before, after string) string {
	chinese := sentence.LanguageOf(after) == sentence.Chinese
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case strings.ContainsRune("。！？", last):
		return ""
	case strings.ContainsRune(".!?", last):
		return " "
	case chinese:
		return "；"
	}
	return "; "
}
