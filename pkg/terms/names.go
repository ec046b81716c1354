package terms

import (
	"strings"
)

// nameMark follows a word that would be a stop word if it were no name here. It is a letter
// that no text is written with.
const nameMark = "ʹ"

// auxiliaryNames are stop words that are names too, as those are written.
var auxiliaryNames = []string{"Will", "May"}

// afterAuxiliary are words before which Will or May at the beginning of a sentence asks.
var afterAuxiliary = wordSet(`
i you he she it we they the a an this that these those there my your his her its our their
any some all no not someone somebody anyone anybody everyone everybody one
`)

// markNames marks the names among the words that mostly are no names: Will in "I met Will",
// "Will's flight" and "Will lands at six", May in "8 May" and "in May", but neither in "Will
// you come?" and "May I ask". Only those that are written as names count.
func markNames(text string) string {
	for _, name := range auxiliaryNames {
		if strings.Contains(text, name) {
			text = markName(text, name)
		}
	}
	return text
}

func markName(text, name string) string {
	var out strings.Builder
	rest := text
	for {
		before, after, found := strings.Cut(rest, name)
		if !found {
			break
		}
		out.WriteString(before)
		out.WriteString(name)
		whole := !endsInLetter(before) && (after == "" || !isLetter(after[0]|0x20))
		if whole && (!beginsSentence(before) || !afterAuxiliary[firstWord(after)]) {
			out.WriteString(nameMark)
		}
		rest = after
	}
	return out.String() + rest
}

func endsInLetter(s string) bool {
	return s != "" && (isLetter(s[len(s)-1]|0x20) || s[len(s)-1] >= 0x80)
}

// beginsSentence reports whether what follows s begins a sentence.
func beginsSentence(s string) bool {
	s = strings.TrimRight(s, " \t\r\"'(*-")
	return s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:\n")
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t\r\n")
	end := strings.IndexFunc(s, func(r rune) bool { return !isLetter(byte(min(r, 0x7f)) | 0x20) })
	if end < 0 {
		end = len(s)
	}
	return strings.ToLower(s[:end])
}
