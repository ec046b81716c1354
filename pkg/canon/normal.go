package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// outer is what normal form never begins or ends with. A full stop is trimmed at the end
// only (".NET"); signs that belong to names ("C++", "C#") never are.
const outer = ` ",;:!?。、…~·•'`

// brackets are trimmed where they enclose the whole.
var brackets = map[rune]rune{
	'(': ')', '[': ']', '{': '}', '<': '>', '《': '》', '〈': '〉', '【': '】', '〔': '〕', '「': '」', '『': '』',
}

// alike maps signs that are written one for another to one of them. It runs after NFKC,
// which leaves them apart.
var alike = strings.NewReplacer(
	"‘", "'", "’", "'", "ʼ", "'", "`", "'", "‛", "'",
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‟", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-",
	"•", "·", "‧", "·", "∙", "·", "⋅", "·", "・", "·",
)

// normal returns s in lower-case NFKC and simplified characters, with quotes and dashes
// unified, invisible characters dropped and white space collapsed; between two Chinese
// characters it is dropped.
func normal(s string) string {
	if !isASCII(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		s = strings.Map(dropInvisible, s)
		s = norm.NFKC.String(strings.ToLower(norm.NFKC.String(s)))
		s = Simplify(alike.Replace(s))
		return collapse(s)
	}
	return collapse(strings.ReplaceAll(strings.ToLower(s), "`", "'"))
}

func dropInvisible(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// collapse makes each run of white space and control characters one space, or none at
// the ends and between two Chinese characters.
func collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = true
			continue
		}
		if space && last != 0 && (!isHan(last) || !isHan(r)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last, space = r, false
	}
	return b.String()
}

func isHan(r rune) bool { return r >= 0x2E80 && unicode.Is(unicode.Han, r) }

// allHan reports whether s is one or more Chinese characters and nothing else.
func allHan(s string) bool {
	for _, r := range s {
		if !isHan(r) {
			return false
		}
	}
	return s != ""
}

// trim takes quotes, punctuation and enclosing brackets off a normal s, unless nothing
// would be left.
func trim(s string) string {
	whole := s
	for {
		before := len(s)
		s = strings.TrimRight(strings.TrimLeft(s, outer), outer+".")
		first, n := utf8.DecodeRuneInString(s)
		if closer, ok := brackets[first]; ok && strings.HasSuffix(s, string(closer)) {
			s = s[n : len(s)-utf8.RuneLen(closer)]
		}
		if len(s) == before {
			break
		}
	}
	if s == "" {
		return whole
	}
	return s
}

// unaccent replaces Latin letters with accents by the plain ones. Marks of other scripts
// stay, as there they make other letters.
func unaccent(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf && !isHan(r) }) {
		return s
	}
	var b strings.Builder
	latin := false
	for _, r := range norm.NFD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			if !latin {
				b.WriteRune(r)
			}
			continue
		}
		latin = unicode.Is(unicode.Latin, r)
		if plain, ok := plainLetters[r]; ok {
			b.WriteString(plain)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// plainLetters are the Latin letters that have no decomposition.
var plainLetters = map[rune]string{
	'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ı': "i",
}
