package canon

import (
	"regexp"
	"slices"
	"strings"
)

// filler words say that something is said again, or how firmly, and not what is said.
var filler = words("still also really just too actually again already")

// chineseFiller does the same for Chinese, where only some contexts make it safe: 还在备考
// says 在备考 again, but 还款 is another word.
var chineseFiller = regexp.MustCompile(`[还也又]+(在|是|有|想|喜欢|住)|(?:一直|仍然|依然|真的|其实)+`)

// maxStatementBytes bounds the search for fillers: nobody's clause is longer.
const maxStatementBytes = 2048

// Statement is the canonical form of a whole clause, for telling whether the same thing
// was said twice: as Value, but without the table of things, and without words such as
// "still", "also", 还 and 也 that only say it once more. It is idempotent.
func Statement(s string) string {
	for {
		next := unfilled(trim(normal(s)))
		if next == s {
			return s
		}
		s = next
	}
}

func unfilled(s string) string {
	if len(s) > maxStatementBytes {
		return s
	}
	short := chineseFiller.ReplaceAllString(s, "$1")
	short = strings.Join(slices.DeleteFunc(strings.Fields(short), func(w string) bool {
		return filler[strings.Trim(w, outer+".")]
	}), " ")
	if trim(short) == "" {
		return s
	}
	return short
}
