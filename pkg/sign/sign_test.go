package sign_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/sign"
)

func TestHas(t *testing.T) {
	tests := []struct {
		s, of sign.Signs
		want  bool
	}{
		{none, change, false},
		{change, none, false},
		{change, change, true},
		{change | denial, ending | denial, true},
		{change, ending | denial | choice, false},
	}
	for _, tt := range tests {
		if got := tt.s.Has(tt.of); got != tt.want {
			t.Errorf("%b.Has(%b) = %v", tt.s, tt.of, got)
		}
	}
}

func TestWritingMakesNoDifference(t *testing.T) {
	for _, same := range [][]string{
		{"I no longer live there", "I NO LONGER LIVE THERE", "i no  longer\tlive there"},
		{"I don't smoke any more", "I don’t smoke any more", "i dont smoke any more", "I do not smoke any more"},
		{"我从北京搬到上海了", "我從北京搬到上海了", "我从北京 搬到 上海了！"},
		{"I'm not at Shell, I'm at Esso", "im not at shell, im at esso"},
		{"I've become a vet", "ive become a vet"},
	} {
		for _, text := range same {
			if got, want := sign.Of(text), sign.Of(same[0]); got != want || got == none {
				t.Errorf("%q has %s, %q has %s", text, names(got), same[0], names(want))
			}
		}
	}
}

// A gap has an end, and does not reach over punctuation.
func TestSignsHoldTogether(t *testing.T) {
	texts{
		"I did not go to that one":                                    none,
		"I do not like the very long and winding road there any more": none,
		"我不喜欢我家楼下那条路上的那家店里的人。他来了":                                     none,
		"I am not here, the day is long, any more of it hurts":        none,
	}.check(t)
}

var pieces = rapid.SampledFrom([]string{
	"I live in Oslo", "now", "not", "for", "moved", "quit", "to", "but", "I", "we", "Bergen", "5", "or", "no", "don't", ",", ".", "\n",
	"我", "不", "了", "现在", "改", "想", "搬到", "以前", "没", "是", "，", "。", "还是", "猫", "刚", "\xff", "'", "’",
})

func TestSignsStayWhenMoreIsSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, label), " ")
		}
		a, b := draw("a"), draw("b")
		apart, together := sign.Of(a)|sign.Of(b), sign.Of(a+"\n"+b)
		if apart&^together != none {
			t.Fatalf("%q has %s, then %q, together only %s", a, names(apart), b, names(together))
		}
	})
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{"", "I'm no longer there", "我不住在北京了，现在住上海", "'''", "not not , not", "\xff不\xfe了", "$5% to 6"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if a, b := sign.Of(text), sign.Of(text+"\n"); a != b {
			t.Errorf("%q has %s, and with a line's end %s", text, names(a), names(b))
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{
		"english": "We moved to Denver last month, and I started working as a paramedic.",
		"plain":   "I have two cats and a dog, and my sister lives in Rome with her kids.",
		"chinese": "我去年从北京搬到了上海，现在在一家医院上班。",
		"long":    strings.Repeat("I do not know, not now, but 我不想去那里 or not. ", 200),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				sign.Of(text)
			}
		})
	}
}
