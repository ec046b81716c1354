package canon

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var classes = []Class{ClassText, ClassPlace, ClassName, ClassLanguage, ClassDate}

// pieces are what interesting values are made of; joined at random they meet every rule.
var pieces = []string{
	"peanuts", "Peanut", "花生", "the ", "a ", "My ", "我的", "一只", "两只", "1个", "猫", "貓", "cats", "s", "es", "ies",
	"Shanghai", "上海", "上海市", "市", "省", "区", "西湖区", "浙江", "杭州", "中国", "China", "Paris", "Texas", "France", "CO", "LA",
	"Suzhou", "Anhui", "district", "City", "in", "New ", "York", "東京", "南京东路", "北京路", "St. ", "é", "e\u0301", "Ø", "İ",
	"May ", "4", "th", "1990", "5月", "日", "年", "十", "-", "--", "/", ",", "，", ", ", "、", " ", "\u3000", "\u200b", "\t",
	"\"", "'", "’", "´", "“", "(", ")", "（", "《", "》", ".", "。", "·", "•", "English", "英文", " language", "过敏", "吃", "by ",
	"still ", "还在", "一直", "也", "真的", "\xff", "ﬃ", "Ａ", "㈱", "\u0301", "ẞ", "Σ", "👩‍🔬", "が", "か\u3099", "-'", "named ",
}

func value() *rapid.Generator[string] {
	made := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 7), func(p []string) string { return strings.Join(p, "") })
	return rapid.OneOf(made, made, rapid.String())
}

func TestIdentityIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, c := value().Draw(t, "s"), rapid.SampledFrom(classes).Draw(t, "class")
		once := Identity(s, c)
		if twice := Identity(once, c); twice != once {
			t.Fatalf("%s: %q is %q, and that is %q", c, s, once, twice)
		}
		if st := Statement(s); Statement(st) != st {
			t.Fatalf("%q is stated as %q, and that as %q", s, st, Statement(st))
		}
	})
}

// Sameness is an equivalence that agrees with identity: what reconciliation calls the same
// has one point.
func TestSameIsAnEquivalence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(value(), 3, 3).Draw(t, "values")
		c := rapid.SampledFrom(classes).Draw(t, "class")
		a, b, d := v[0], v[1], v[2]
		if !Same(a, a, c) {
			t.Fatalf("%q is not the same as itself", a)
		}
		if Same(a, b, c) != Same(b, a, c) {
			t.Fatalf("sameness of %q and %q depends on their order", a, b)
		}
		if Same(a, b, c) && Same(b, d, c) && !Same(a, d, c) {
			t.Fatalf("%q, %q and %q are not transitive", a, b, d)
		}
		if Same(a, b, c) != (Identity(a, c) == Identity(b, c)) {
			t.Fatalf("sameness and identity of %q and %q disagree", a, b)
		}
	})
}

// How a value is written does not change what it is.
func TestIdentityIgnoresWriting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]Class{ClassText, ClassPlace, ClassLanguage}).Draw(t, "class")
		s := rapid.SampledFrom([]string{"peanuts", "花生", "Denver, Colorado", "杭州西湖区", "ICU nurse", "English", "貓"}).Draw(t, "s")
		dress := rapid.SampledFrom([]func(string) string{
			strings.ToUpper, strings.ToLower, wide,
			func(s string) string { return "  " + s + "。" },
			func(s string) string { return "“" + s + "”" },
			func(s string) string { return "(" + s + ")" },
			func(s string) string { return "the " + s },
			func(s string) string { return strings.ReplaceAll(s, " ", " \t ") },
		}).Draw(t, "dress")
		if got, want := Identity(dress(s), c), Identity(s, c); got != want {
			t.Fatalf("%s: %q is %q, but %q is %q", c, dress(s), got, s, want)
		}
	})
}

func wide(s string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7F {
			return r + 0xFEE0
		}
		return r
	}, s)
}

func TestRefinesReturnsOneOfTheTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := value().Draw(t, "a"), value().Draw(t, "b")
		c := rapid.SampledFrom(classes).Draw(t, "class")
		got, ok := Refines(a, b, c)
		back, ok2 := Refines(b, a, c)
		if ok != ok2 || got != back {
			t.Fatalf("Refines(%q, %q) depends on the order: %q, %q", a, b, got, back)
		}
		if ok && (got != a && got != b || Same(a, b, c)) {
			t.Fatalf("Refines(%q, %q) = %q", a, b, got)
		}
	})
}

func FuzzIdentity(f *testing.F) {
	for i, p := range pieces {
		f.Add(p, pieces[(i*7+3)%len(pieces)])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 1024 {
			return
		}
		for _, c := range classes {
			id := Identity(a, c)
			if again := Identity(id, c); again != id {
				t.Errorf("%s: %q is %q, and that is %q", c, a, id, again)
			}
			if _, ok := Refines(a, b, c); ok && Same(a, b, c) {
				t.Errorf("%s: %q refines its like %q", c, a, b)
			}
		}
		if s := Simplify(a); Simplify(s) != s {
			t.Errorf("Simplify is not idempotent on %q", a)
		}
	})
}
