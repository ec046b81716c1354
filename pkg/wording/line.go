package wording

import (
	"regexp"
	"strings"
	"unicode"
)

// mimicry is a bracket that would begin a citation: letters of any width, and whatever nobody
// sees between them, make no difference.
var mimicry = regexp.MustCompile(`[\[［【〔]((?:` + unseen + `/)?` + spelt("memor") + `)`)

// unseen is what may stand between two letters without being seen.
const unseen = `[\s\p{Cf}\p{Mn}]*`

// spelt matches a word of small ASCII letters, and what stands before it.
func spelt(word string) string {
	const small, wide = 'a' - 'A', 'ａ' - 'a'
	var b strings.Builder
	for _, r := range word {
		b.WriteString(unseen + "[" + string([]rune{r, r - small, r + wide, r + wide - small}) + "]")
	}
	return b.String()
}

var angles = strings.NewReplacer("<", "‹", ">", "›", "＜", "‹", "＞", "›", "﹤", "‹", "﹥", "›")

// Line is text as it may stand in a line of a prompt: on one line, without control
// characters, marks that turn the direction of writing and whatever else nobody sees, and
// unable to open or close a block of a prompt or to look like a citation.
func Line(text string) string {
	joined := true // nothing stands before it that a joiner could join
	text = strings.Map(func(r rune) rune {
		if joins(r) && joined {
			return -1
		}
		if r = visible(r); r >= 0 {
			joined = joins(r) || r == ' '
		}
		return r
	}, text)
	return mimicry.ReplaceAllString(angles.Replace(strings.Join(strings.Fields(text), " ")), "($1")
}

// joins reports whether r is one of the marks that emoji and some scripts are written with,
// one after a character; several could carry a text that nobody sees.
func joins(r rune) bool {
	const nonJoiner, joiner, textStyle, emojiStyle = '\u200c', '\u200d', '\ufe0e', '\ufe0f'
	return r == joiner || r == nonJoiner || r == textStyle || r == emojiStyle
}

// visible folds control characters into white space and drops marks that nobody sees.
func visible(r rune) rune {
	switch {
	case joins(r):
		return r
	case unicode.IsControl(r):
		return ' '
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return -1
	}
	return r
}

// maxValue is how much of a value stands in a sentence, in characters: a value is a few
// words, and what is longer is recognised by its beginning.
const maxValue = 60

// shorten cuts text behind its last whole word within n characters. Chinese has no gaps
// between words and is cut anywhere.
func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	end := n
	for end > n/2 && latin(runes[end-1]) && latin(runes[end]) {
		end--
	}
	if end == n/2 {
		end = n // one word: cut within it
	}
	return strings.TrimRightFunc(string(runes[:end]), unicode.IsSpace) + "…"
}

func latin(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

var innerQuotes = strings.NewReplacer("“", "‘", "”", "’", `"`, "'")

// value is a user's value as it stands in a sentence, in quotation marks where it would
// run into the sentence around it.
func value(v string, quoted bool) string {
	v = shorten(Line(v), maxValue)
	if quoted || v == "" || strings.ContainsAny(v, ".。;；!！?？:：…\"“”") {
		return "“" + innerQuotes.Replace(v) + "”"
	}
	return v
}
