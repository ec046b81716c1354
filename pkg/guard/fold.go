package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded is a text in the form in which secrets are looked for: full-width letters and
// digits as ASCII, all blanks and dashes as the plain ones, and nothing invisible in between.
// Offsets of detectors are offsets into s.
type folded struct {
	s string
	// low is s with ASCII letters in lower case, byte for byte at the same place.
	low string
	// at maps offsets of s to offsets of the original text; nil when they are the same.
	at []int32
	// digits counts the ASCII digits, longest is the longest run of bytes of a token.
	digits, longest int
	// pairs marks the pairs of neighbouring bytes in low, so that most cues need no search.
	pairs [64]uint64
}

// may reports whether a lower-case word can stand in low; false is certain.
func (t *folded) may(word string) bool {
	for i := 1; i < len(word); i++ {
		if t.pairs[word[i-1]&63]&(1<<(word[i]&63)) == 0 {
			return false
		}
	}
	return true
}

// original is the offset in the original text of offset i of s.
func (t *folded) original(i int) int {
	if t.at == nil {
		return i
	}
	return int(t.at[i])
}

func fold(text string) *folded {
	t := &folded{s: text}
	if needsFolding(text) {
		t.refold(text)
	}
	t.low = lowerASCII(t.s)
	run := 0
	for i := range len(t.s) {
		b := t.s[i]
		if i > 0 {
			t.pairs[t.low[i-1]&63] |= 1 << (t.low[i] & 63)
		}
		if isDigit(b) {
			t.digits++
		}
		if isTokenByte(b) {
			run++
			t.longest = max(t.longest, run)
		} else {
			run = 0
		}
	}
	return t
}

func (t *folded) refold(text string) {
	s := make([]byte, 0, len(text))
	at := make([]int32, 0, len(text)+1)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		plain, keep := foldRune(r)
		switch {
		case !keep:
		case plain != r:
			s, at = append(s, byte(plain)), append(at, int32(i))
		default:
			for j := range n {
				s, at = append(s, text[i+j]), append(at, int32(i+j))
			}
		}
		i += n
	}
	at = append(at, int32(len(text)))
	t.s, t.at = string(s), at
}

func needsFolding(text string) bool {
	for _, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		if f, keep := foldRune(r); f != r || !keep {
			return true
		}
	}
	return false
}

// foldRune returns what stands for r, which is r itself or an ASCII character, and
// whether anything does: invisible characters are dropped. Full-width marks other than
// those of assignments stay, because they end a value where ASCII marks may be part of it.
func foldRune(r rune) (rune, bool) {
	switch {
	case r < 0xA0:
		return r, true
	case unicode.Is(unicode.Cf, r), r == 0x034F, r == 0x115F, r == 0x1160, r == 0x3164,
		r >= 0xFE00 && r <= 0xFE0F:
		return 0, false
	case r >= '０' && r <= '９', r >= 'Ａ' && r <= 'Ｚ', r >= 'ａ' && r <= 'ｚ':
		return r - '０' + '0', true
	}
	switch r {
	case '：', '＝', '－', '＿', '＠', '．', '／', '＋', '＃':
		return r - '０' + '0', true
	case '﹣', '−', '‐', '‑', '‒', '–', '—', '―':
		return '-', true
	case '\u2028', '\u2029':
		return '\n', true
	}
	if unicode.Is(unicode.Zs, r) {
		return ' ', true
	}
	return r, true
}

// lowerASCII is strings.ToLower for ASCII letters alone: it moves no byte.
func lowerASCII(s string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' })
	if first < 0 {
		return s
	}
	low := []byte(s)
	for i := first; i < len(low); i++ {
		if low[i] >= 'A' && low[i] <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	return string(low)
}

func isDigit(b byte) bool     { return b >= '0' && b <= '9' }
func isLower(b byte) bool     { return b >= 'a' && b <= 'z' }
func isUpper(b byte) bool     { return b >= 'A' && b <= 'Z' }
func isLetter(b byte) bool    { return isLower(b) || isUpper(b) }
func isAlnum(b byte) bool     { return isLetter(b) || isDigit(b) }
func isHex(b byte) bool       { return isDigit(b) || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }
func isURLSafe(b byte) bool   { return isAlnum(b) || b == '_' || b == '-' }
func isDotted(b byte) bool    { return isURLSafe(b) || b == '.' }
func isBase64(b byte) bool    { return isAlnum(b) || b == '+' || b == '/' || b == '=' }
func isTokenByte(b byte) bool { return isDotted(b) || isBase64(b) || b == '~' }

// runEnd is the end of the run of bytes of a class that begins at i.
func runEnd(s string, i int, class func(byte) bool) int {
	for i < len(s) && class(s[i]) {
		i++
	}
	return i
}

// isCJK reports whether r belongs to Chinese or Japanese text: a letter or a mark of it.
// Such a character ends a value that is written in other letters.
func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF || strings.ContainsRune("“”‘’…·", r)
}

// words makes a set of the words of its arguments.
func words(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for _, w := range strings.Fields(list) {
			set[w] = true
		}
	}
	return set
}
