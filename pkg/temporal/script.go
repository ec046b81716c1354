package temporal

import "unicode"

// traditional maps the characters that the Chinese vocabulary uses to their simplified forms.
var traditional = foldTable(
	"後週禮號點個這來過兩從於間鐘鍾時節國慶聖誕幾內陽勞動婦兒師雙長續萬歲數當淩晩親頭級線樓門館機車選碼廳氣難經餅見議啟贊擊齡費圍邊語達連滿裡裏",
	"后周礼号点个这来过两从于间钟钟时节国庆圣诞几内阳劳动妇儿师双长续万岁数当凌晚亲头级线楼门馆机车选码厅气难经饼见议启赞击龄费围边语达连满里里",
)

func foldTable(from, to string) map[rune]rune {
	simple := []rune(to)
	table := make(map[rune]rune, len(simple))
	for i, r := range []rune(from) {
		table[r] = simple[i]
	}
	return table
}

// fold lowers case and maps full-width, typographic and traditional characters to the ones
// that the vocabularies are written in.
func fold(r rune) rune {
	switch {
	case r < 0x80:
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	case 0xFF01 <= r && r <= 0xFF5E:
		return fold(r - 0xFEE0)
	}
	switch r {
	case '’', '‘', 'ʼ':
		return '\''
	case '–', '—', '‐', '‑', '−':
		return '-'
	case '～', '〜':
		return '~'
	case '、':
		return ','
	}
	if s, ok := traditional[r]; ok {
		return s
	}
	return r
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isWord reports whether a rune belongs to a script that separates words by spaces.
func isWord(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z'
	}
	return unicode.IsLetter(r) && !unicode.Is(unicode.Han, r)
}

// hanDigit is the value of a Chinese numeral, or -1.
func hanDigit(r rune) int {
	switch r {
	case '〇', '零', '○':
		return 0
	case '一':
		return 1
	case '二', '两':
		return 2
	case '三':
		return 3
	case '四':
		return 4
	case '五':
		return 5
	case '六':
		return 6
	case '七':
		return 7
	case '八':
		return 8
	case '九':
		return 9
	case '十':
		return 10
	case '百':
		return 100
	}
	return -1
}

// hanNumber reads 十五, 三十一 and 一百零五, or digits one by one as in 二〇一九 and 零八; 两三 is
// not one number.
func hanNumber(runes []rune) (int, bool) {
	total, pending, digit, seen := 0, 0, false, 0
	for _, r := range runes {
		d := hanDigit(r)
		switch {
		case d < 10 && digit: // a second digit without 十 or 百: one by one
			pending = pending*10 + d
			seen++
		case d < 10:
			pending, digit, seen = d, true, seen+1
		default:
			if seen > 1 {
				return 0, false
			}
			if !digit {
				pending = 1
			}
			total += pending * d
			pending, digit, seen = 0, false, 0
		}
	}
	oneByOne := seen > 1 && total == 0
	if total > 0 && seen > 2 || oneByOne && seen != 4 && hanDigit(runes[0]) != 0 {
		return 0, false
	}
	return total + pending, true
}
