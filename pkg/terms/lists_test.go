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

// A form leads to a word that is none itself, and is listed once.
func TestFormsAreConsistent(t *testing.T) {
	for name, list := range map[string]string{"irregular": irregularForms, "everyday": everydayForms, "Chinese": hanEverydayForms} {
		base := map[string]string{}
		for line := range strings.Lines(list) {
			words := strings.Fields(line)
			for i, w := range words {
				if other, ok := base[w]; ok {
					t.Errorf("%s forms: %s is listed for %s and for %s", name, w, other, words[0])
				}
				base[w] = words[0]
				if got, want := Of(w), Of(words[0]); i > 0 && !slices.Equal(got, want) {
					t.Errorf("%s forms: %s gives %q, %s gives %q", name, w, got, words[0], want)
				}
			}
		}
	}
}
