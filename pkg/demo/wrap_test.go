package demo_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/width"
	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/demo"
)

// columnsOf is how wide a terminal shows a text.
func columnsOf(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}

func TestWrap(t *testing.T) {
	tens := func(n int) string { return strings.Repeat("123456789 ", n) }
	for name, c := range map[string]struct{ text, want string }{
		"nothing":           {"", ""},
		"what fits":         {tens(9) + "1234567890", tens(9) + "1234567890"},
		"a word too many":   {tens(9) + "12345678901", strings.TrimRight(tens(9), " ") + "\n    12345678901"},
		"two spaces":        {tens(9) + "123456789  (why)", tens(9) + "123456789\n    (why)"},
		"an indented start": {"      " + tens(9) + "more words", "      " + tens(9) + "more\n    words"},
		"a long word":       {strings.Repeat("x", 120) + " y", strings.Repeat("x", 120) + "\n    y"},
		"Chinese": {
			strings.Repeat("一二三四五", 10) + "六七", strings.Repeat("一二三四五", 10) + "\n    六七",
		},
		"Chinese with a sign at the end": {
			strings.Repeat("一二三四五", 10) + "，六", strings.Repeat("一二三四五", 9) + "一二三四\n    五，六",
		},
		"Chinese in quotes": {
			strings.Repeat("一二三四五", 9) + "一二三四 \"五六\"", strings.Repeat("一二三四五", 9) + "一二三四\n    \"五六\"",
		},
		"a number in Chinese": {
			strings.Repeat("一二三四五", 9) + "一二三四2026年", strings.Repeat("一二三四五", 9) + "一二三四\n    2026年",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := demo.Wrap(c.text, 4); got != c.want {
				t.Errorf("Wrap:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestWrapKeepsEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab1,.\"() 中文，。（）")), 0, 300, -1).Draw(t, "text")
		indent := rapid.IntRange(0, 20).Draw(t, "indent")
		got := demo.Wrap(text, indent)
		without := strings.NewReplacer(" ", "", "\n", "")
		if without.Replace(got) != without.Replace(text) {
			t.Fatalf("Wrap(%q) = %q", text, got)
		}
		for i, line := range strings.Split(got, "\n") {
			if i > 0 && (!strings.HasPrefix(line, strings.Repeat(" ", indent)) || strings.TrimSpace(line) == "" && strings.TrimSpace(text) != "") {
				t.Fatalf("line %d of %q is %q", i, got, line)
			}
			// Only what has no place to break may be too wide.
			if rest := strings.TrimLeft(line, " "); columnsOf(line) > 100 && strings.ContainsAny(strings.TrimRight(rest, " "), " ") {
				t.Fatalf("line %d of %q is %d columns wide", i, got, columnsOf(line))
			}
		}
	})
}
