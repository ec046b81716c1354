package terms

import (
	"slices"
	"strings"
	"testing"
)

// A listed word must have an effect, once.
func TestHanListsAreConsistent(t *testing.T) {
	stop, kept := strings.Fields(hanStopWords), strings.Fields(hanKeptWords)
	all := slices.Concat(stop, kept)
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			t.Errorf("%s is listed twice", all[i])
		}
	}
	for _, w := range kept {
		if got := Of(w); !slices.Contains(got, string([]rune(w)[:2])) {
			t.Errorf("%s is kept, but gives %q", w, got)
		}
		if !containsStopWord(w, stop) {
			t.Errorf("%s is kept for nothing: no stop word is in it", w)
		}
	}
	for _, w := range stop {
		if got := Of(w); len(got) > 0 {
			t.Errorf("%s is a stop word, but gives %q", w, got)
		}
	}
}

func containsStopWord(w string, stop []string) bool {
	return slices.ContainsFunc(stop, func(s string) bool { return strings.Contains(w, s) })
}

func TestEnglishStopWordsAreNormalised(t *testing.T) {
	for w := range englishStop {
		if got := Of(w); len(got) > 0 {
			t.Errorf("%s is a stop word, but gives %q", w, got)
		}
	}
}
