package english

import (
	"slices"
	"strings"
)

// noise are phrases that open clauses without adding to what they say, by their first word,
// the longest first. They are looked up rather than matched by a pattern, since every
// clause of every message is tried.
var noise = phrases(
	`and|but|so|because|or|well|also|oh|ah|ok|okay|yes|yeah|yep|yup|no|nope|nah|hm|hmm|hmmm|um|umm|uh|er`,
	`look|listen|anyway|anyways|btw|by the way|fyi|honestly|frankly|tbh|to be honest|to be fair|basically`,
	`you know|you see|thanks|thank you|please|sure|right|great|cool|nice|ha|haha|hahaha|hehe|ugh|wow`,
	`thx|thnx|ty|tx|k|kk|yo|sup|aight|alright|all right|heya|howdy|morning|evening|afternoon`,
	`hey|hi|hello|hiya|greetings|good morning|good evening|good afternoon|hi there|hey there|hello there`,
	`hi everyone|hello everyone|hey everyone|hi all|hello all|hey all|hi again|hello again|hey guys|hi guys|hi folks|hello folks`,
	`for context|for reference|for the record|for your information|quick note|side note|fun fact|a bit about me|a little about me`,
	`about me|some background|background|quick intro|intro|just so you know|just fyi|just to let you know|so you know|as you know`,
	`as i said|as i mentioned|like i said|let me tell you|the thing is|thing is|the truth is|truth is|the fact is|it is true that`,
	`i should mention|i should say|i should add|i forgot to say|i forgot to mention|i forgot to tell you|before i forget|i have to say|i must say|i must admit|i admit|i confess`,
	`i want you to know|you should know|you might want to know|did i mention|in case it matters|in case you wonder`,
	`if it helps|if that helps|if you must know|unfortunately|sadly|luckily|fortunately|thankfully|happily|apparently|obviously`,
	`of course|personally|as for me|for me|speaking of which|first of all|first|second|secondly|finally|update|news|good news`,
	`turns out|it turns out|turned out|it turned out|as it turns out|i found out|i just found out|i have found out`,
	`given that|given|seeing that|seeing as|considering that|considering|now that`,
	`big news|bad news|guess what|in addition|besides|additionally|furthermore|moreover|plus`,
)

func phrases(lists ...string) map[string][]string {
	byFirst := map[string][]string{}
	for _, list := range lists {
		for _, phrase := range strings.Split(list, "|") {
			first := firstWord(phrase)
			byFirst[first] = append(byFirst[first], phrase)
		}
	}
	for _, all := range byFirst {
		slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	}
	return byFirst
}

// words is the set of the words in lists.
func words(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for _, word := range strings.Split(list, "|") {
			set[word] = true
		}
	}
	return set
}

func firstWord(s string) string {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return s[:i]
		}
	}
	return s
}

// openingLen is the length of the noise that s opens with. "No" is noise before a
// statement, and a word of its own before a noun ("no peanuts please").
func openingLen(s string) int {
	n := 0
	for {
		step := phraseLen(s[n:])
		if step == 0 || strings.TrimRight(s[n:n+step], ", ") == "no" && !opens.MatchString(s[n+step:]) {
			return n
		}
		n += step
	}
}

// phraseLen is the length of the phrase that s begins with and of the marks behind it.
func phraseLen(s string) int {
	for _, phrase := range noise[firstWord(s)] {
		rest, ok := strings.CutPrefix(s, phrase)
		if !ok {
			continue
		}
		end := len(s) - len(strings.TrimLeft(rest, ",:!.;- "))
		if end == len(phrase) {
			continue
		}
		if strings.HasPrefix(s[end:], "that ") {
			end += len("that ")
		}
		return end
	}
	return 0
}

// adverbsLen is the length of the adverbs and time words that s opens with.
func adverbsLen(s string) int {
	switch firstWord(s) {
	case "i", "my", "we", "it", "he", "she", "you", "can", "could", "do", "our", "they":
		return 0
	}
	return len(adverbs.FindString(s))
}

// joints are conjunctions at which a clause may end.
var joints = map[string]bool{
	"and": true, "but": true, "so": true, "because": true, "although": true, "though": true,
	"while": true, "plus": true, "yet": true, "however": true, "whereas": true, "then": true,
}

// separators returns the places at which a clause of a folded sentence may end: marks and
// conjunctions with the spaces and the comma around them, and " i ".
func separators(s string) [][2]int {
	var out [][2]int
	for i := 0; i < len(s); {
		end := separator(s, i)
		if end == i {
			i++
			continue
		}
		out = append(out, [2]int{i, end})
		i = end
	}
	return out
}

// separator returns where a separator that begins at s[i] ends; i where none does.
func separator(s string, i int) int {
	end := i
	switch c := s[i]; {
	case c == ',' || c == ';' || c == '(' || c == ')':
		end++
	case c == '.' && strings.HasPrefix(s[i:], ".."):
		end = i + len(s[i:]) - len(strings.TrimLeft(s[i:], "."))
	case strings.HasPrefix(s[i:], "…"):
		end += len("…")
	case c == ':' && (i+1 == len(s) || s[i+1] == ' '):
		end++
	case c == ' ' && strings.HasPrefix(s[i:], " - "), c == ' ' && strings.HasPrefix(s[i:], " -- "):
		return i + 1 + len(strings.TrimRight(s[i+1:i+3], " ")) + 1
	case c == ' ' && strings.HasPrefix(s[i:], " / "):
		return i + len(" / ")
	case c != ' ':
		return i
	}
	if end < len(s) && s[end] == ' ' {
		end++
	}
	if end > 0 && end < len(s) && s[end-1] == ' ' {
		word := firstWord(s[end:])
		if after := end + len(word); joints[word] && after < len(s) && s[after] == ' ' {
			return after + 1
		}
		if word == "i" && end == i+1 && s[i] == ' ' && strings.HasPrefix(s[end:], "i ") {
			return end + len("i ")
		}
	}
	if s[i] == ' ' {
		return i
	}
	return end
}
