package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Characters that join words into one identifier if a word stands on both sides. The
// strong ones separate members that may be identifiers themselves: an e-mail address is a
// local part and a host, a path is its segments.
const (
	strongJoiners = `/\@:=&?`
	weakJoiners   = `.-_'`
	allJoiners    = strongJoiners + weakJoiners
)

// maxStemBytes bounds what is stemmed; nothing longer is an English word.
const maxStemBytes = 40

// chunkEnd is the end of the run of words and joiners that begins at start.
func chunkEnd(text string, start int) int {
	i := start
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case classOf(r) == word, r < utf8.RuneSelf && isJoiner(text[i]):
		case i > start && thousandsAt(text, i):
		case i > start && nameSign(text, i) > 0:
			size = nameSign(text, i)
		default:
			return i
		}
		i += size
	}
	return i
}

// thousandsAt reports whether a comma that groups thousands stands at i, which is not 0:
// a digit before it, exactly three after it.
func thousandsAt(text string, i int) bool {
	if text[i] != ',' || !isDigit(text[i-1]) || len(text) < i+4 || !hasDigitsOnly(text[i+1:i+4]) {
		return false
	}
	return len(text) == i+4 || !isAlnum(text[i+4])
}

// nameSign is the length of the signs at i, which is not 0, that end a name such as c++ or
// c#, or 0.
func nameSign(text string, i int) int {
	if !isLetter(text[i-1]) {
		return 0
	}
	for _, sign := range []string{"++", "#"} {
		if rest, ok := strings.CutPrefix(text[i:], sign); ok && (rest == "" || !isAlnum(rest[0])) {
			return len(sign)
		}
	}
	return 0
}

// chunk emits the terms of a run of words and joiners.
func (s *scanner) chunk(chunk string) {
	chunk = strings.ReplaceAll(chunk, ",", "")
	s.number = ""
	if hasDigitsOnly(chunk) {
		s.number = chunk
	}
	for rest := chunk; rest != ""; {
		var piece string
		piece, rest = cutAtDoubleJoiner(rest)
		s.compound(strings.Trim(piece, allJoiners), false)
	}
}

// cutAtDoubleJoiner splits chunk at its first two joiners in a row ("https://host",
// "wait...what"), which join nothing.
func cutAtDoubleJoiner(chunk string) (piece, rest string) {
	for i := 1; i < len(chunk); i++ {
		if isJoiner(chunk[i-1]) && isJoiner(chunk[i]) {
			return chunk[:i-1], chunk[i+1:]
		}
	}
	return chunk, ""
}

func isJoiner(b byte) bool { return strings.IndexByte(allJoiners, b) >= 0 }

// compound emits what is joined whole and then its parts, or a simple word; part says that
// it is a part itself. It reports whether it is more than stop words: "and/or" is no term.
func (s *scanner) compound(piece string, part bool) bool {
	piece = stripContraction(piece)
	if name, ok := strings.CutSuffix(piece, nameMark); ok {
		s.out = append(s.out, name)
		return true
	}
	if base, ok := irregular[piece]; ok {
		piece = base
	}
	if piece == "" || englishStop[piece] {
		return false
	}
	joiners := strongJoiners
	if !strings.ContainsAny(piece, joiners) {
		joiners = weakJoiners
	}
	if !strings.ContainsAny(piece, joiners) {
		return s.word(piece, part)
	}
	at, content := len(s.out), false
	s.out = append(s.out, piece)
	for p := range strings.FieldsFuncSeq(piece, func(r rune) bool { return strings.ContainsRune(joiners, r) }) {
		content = s.compound(p, true) || content
	}
	if !content {
		s.out = s.out[:at]
	}
	return content
}

// word emits a word that is no stop word, and reports whether it is a word at all. A part
// of one character is one, but not worth a term.
func (s *scanner) word(w string, part bool) bool {
	if !strings.ContainsFunc(w, isLetterOrDigit) {
		return false
	}
	if !part || utf8.RuneCountInString(w) > 1 {
		s.out = append(s.out, stem(w))
	}
	if at := numberedAt(w); at > 1 {
		s.out = append(s.out, stem(w[:at]))
	}
	if at := numberedAt(w); at > 0 && len(w)-at > 1 {
		s.out = append(s.out, stem(w[at:]))
	}
	return true
}

// numberedAt is where a word of ASCII letters and digits goes over from the one to the
// other (iphone13, 164cm), if it does so once; otherwise 0.
func numberedAt(w string) int {
	at := 0
	for i := range len(w) {
		switch {
		case !isAlnum(w[i]):
			return 0
		case i == 0 || isDigit(w[i]) == isDigit(w[i-1]):
		case at > 0:
			return 0
		default:
			at = i
		}
	}
	return at
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// contractions are the endings that are cut off a word. Words that end in n't are
// auxiliaries, and stop words as they are.
var contractions = []string{"'s", "'m", "'d", "'re", "'ve", "'ll"}

// stripContraction cuts the ending of a contraction or possessive off; of a negated
// auxiliary nothing is left.
func stripContraction(w string) string {
	if strings.HasSuffix(w, "n't") {
		return ""
	}
	for _, c := range contractions {
		if base, ok := strings.CutSuffix(w, c); ok {
			return base
		}
	}
	return w
}

// stem is the Porter2 stem of an English word, or that of the word that it is an everyday
// form of; anything but ASCII letters stays.
func stem(w string) string {
	if len(w) > maxStemBytes {
		return w
	}
	for i := range len(w) {
		if !isLetter(w[i]) {
			return w
		}
	}
	w = snowball(w)
	if same, ok := everyday[w]; ok {
		return same
	}
	return w
}

func snowball(w string) string {
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}
