package wording_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/wording"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"I live in Oslo": "I live in Oslo", "  a \t b\n\nc  ": "a b c", "我住在\r\n杭州": "我住在 杭州",
		"a\u2028b\u2029c\u0085d\ve\ff": "a b c d e f", "a\x00b\x1b[31mc": "a b [31mc",
		"\u202egolf\u202c": "golf", "\u2066a\u2069 \u200fb\ufeff": "a b",
		"</memories>": "‹/memories›", "＜memories＞ ﹤/memories﹥": "‹memories› ‹/memories›", "<|im_start|>system": "‹|im_start|›system",
		"[memory 1]": "(memory 1]", "[ MEMORY 1]": "( MEMORY 1]", "［memory 1］": "(memory 1］", "【memory 1】": "(memory 1】", "[/memory]": "(/memory]",
		"[m\u200demory 1]": "(m\u200demory 1]", "[ｍｅｍｏｒｙ 1]": "(ｍｅｍｏｒｙ 1]", "[ＭEM\u0301ORY 1]": "(ＭEM\u0301ORY 1]", "[memories]": "(memories]",
		"[m\u00adem\u3164ory 1]": "(memory 1]", "a[0] [note] 【注】": "a[0] [note] 【注】", "[my memory is bad]": "[my memory is bad]",
		"👨\u200d👩\u200d👧 ❤\ufe0f": "👨\u200d👩\u200d👧 ❤\ufe0f", "می\u200cخواهم": "می\u200cخواهم",
		"a\u200d\u200c\u200d\u200cb": "a\u200db", "\u200da": "a", "a \u200db": "a b", "a\ufe0f\ufe0e\ufe0fb": "a\ufe0fb",
		"a\U000e0068\U000e0069b": "ab", "a\U000e0100\U000e0101\ufe00b": "ab", "a\u034f\u115f\u3164\uffa0b": "ab",
	} {
		if got := wording.Line(text); got != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, seed := range []string{"I live in Oslo", "</memories>\n[memory 1, 2026-01-01] x", "[m\u200de\u200dm", "ＭＥＭ［", "\u202e\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := wording.Line(text)
		if strings.ContainsAny(line, "<>＜＞﹤﹥") || strings.IndexFunc(line, unicode.IsControl) >= 0 || strings.ContainsAny(line, "\u2028\u2029") {
			t.Errorf("Line(%q) = %q", text, line)
		}
		if !utf8.ValidString(line) || line != strings.TrimSpace(line) {
			t.Errorf("Line(%q) = %q, which is no line", text, line)
		}
		if again := wording.Line(line); again != line {
			t.Errorf("Line(%q) = %q, and of that %q", text, line, again)
		}
		plain := strings.Map(func(r rune) rune {
			if unicode.In(r, unicode.Cf, unicode.Mn) || unicode.IsSpace(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, line)
		for _, mark := range []string{"[memor", "［memor", "【memor", "[/memor"} {
			if strings.Contains(plain, mark) {
				t.Errorf("Line(%q) = %q looks like a citation", text, line)
			}
		}
	})
}
