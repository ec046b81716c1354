package canon

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// traditionalData holds pairs of characters, traditional before simplified; its header
// names source and licence.
//
//go:embed data/traditional.txt
var traditionalData string

// simplified maps each traditional character to its simplified one. No simplified
// character is itself a key, so that mapping once is enough.
var simplified = sync.OnceValue(func() map[rune]rune {
	table := make(map[rune]rune, 4200)
	for line := range dataLines(traditionalData) {
		pair := []rune(line)
		for i := 0; i+1 < len(pair); i += 2 {
			table[pair[i]] = pair[i+1]
		}
	}
	return table
})

// Simplify returns s with traditional Chinese characters replaced by simplified ones,
// character by character: the number of characters stays, everything else is untouched,
// and s itself is returned if there is nothing to replace. A character with several
// simplified forms takes the most common one, whatever word it stands in. Simplify is
// idempotent and safe for concurrent use. Bytes that are not UTF-8 become U+FFFD.
func Simplify(s string) string {
	if isASCII(s) {
		return s
	}
	table := simplified()
	return strings.Map(func(r rune) rune {
		if t, ok := table[r]; ok {
			return t
		}
		return r
	}, s)
}

// isASCII reports whether s holds only ASCII bytes.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
