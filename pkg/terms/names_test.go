package terms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/terms"
)

func TestNamesThatAreAuxiliaries(t *testing.T) {
	for text, want := range map[string]string{
		"When is Will's flight?":          "will flight",
		"Will lands at six":               "will land six",
		"I met Will.":                     "meet will",
		"Will, Ann and I":                 "will ann",
		"Will you come? Will it rain?":    "come rain",
		"May I ask you? - May we?":        "ask",
		"the fair is on 8 May, 2023":      "fair 8 may 2023",
		"in May":                          "may",
		"May 8 is fine":                   "may 8 fine",
		"it may rain and I will go":       "rain go",
		"Williams and Mayor and AprilMay": "william mayor aprilmay",
		"He said: Will the train come":    "train come",
		"我和 Will 去 May 的家":                "will may 家",
		"WILL IT RAIN":                    "rain",
		"Mayʹ Willʹ":                      "mayʹ willʹ",
	} {
		if got := terms.Of(text); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
