package chinese

import (
	"strings"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/canon"
)

// respelt are spellings that stand for the same word here but that are no matter of
// traditional and simplified: each pair takes the same number of bytes.
var respelt = strings.NewReplacer("妳", "你", "祢", "你", "著", "着", "俺", "我")

// cantonese are words of written Cantonese. 係 stands for itself in 關係, so that only 我係
// is one.
var cantonese = strings.NewReplacer("我係", "我是", "喺", "在", "嘅", "的", "佢", "他", "唔", "不")

// fold returns s as the rules read it: simplified and with small Latin letters. Every
// byte keeps its place, so that an offset into the folded text is one into s; a character
// whose simplified form would take another number of bytes stays as it is.
func fold(s string) string {
	simple := canon.Simplify(cantonese.Replace(s))
	var b strings.Builder
	b.Grow(len(s))
	for i, j := 0, 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		r, width := utf8.DecodeRuneInString(simple[j:])
		switch {
		case width != size:
			b.WriteString(s[i : i+size])
		case 'A' <= r && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		default:
			b.WriteString(simple[j : j+width])
		}
		i += size
		j += width
	}
	return respelt.Replace(b.String())
}
