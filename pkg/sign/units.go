package sign

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/canon"
)

// pause is the unit of punctuation, and of where the text begins and ends.
const pause = ""

// units takes text apart into words, characters of Chinese, and pauses, none of which
// follows another. A contraction is the words it is made of.
func units(text string) []string {
	text = canon.Simplify(strings.ToLower(text))
	c := cutter{text: text, start: -1, out: make([]string, 1, len(text)/3+4)}
	for i, r := range text {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			c.within(i)
		case r == '\'' || r == '’' || r == '`':
			if c.apostrophe < 0 && c.start >= 0 {
				c.apostrophe = i
			}
		case r == ' ' || r == '-' || r == '$' || r == '%':
			c.word(i)
		case r < utf8.RuneSelf:
			c.pause(i)
		case unicode.Is(unicode.Han, r):
			c.word(i)
			c.out = append(c.out, text[i:i+utf8.RuneLen(r)])
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			c.within(i)
		case unicode.IsSpace(r):
			c.word(i)
		default:
			c.pause(i)
		}
	}
	c.pause(len(text))
	return c.out
}

// cutter is the state of one taking apart.
type cutter struct {
	text string
	// start is where the word at hand begins, apostrophe where the first one in it stands;
	// -1 without one.
	start, apostrophe int
	out               []string
}

func (c *cutter) within(i int) {
	if c.start < 0 {
		c.start, c.apostrophe = i, -1
	}
}

// word ends the word at hand.
func (c *cutter) word(end int) {
	if c.start < 0 {
		return
	}
	if c.apostrophe < 0 {
		c.plain(c.text[c.start:end])
	} else {
		tail := strings.TrimLeft(c.text[c.apostrophe:end], "'’`")
		c.contracted(c.text[c.start:c.apostrophe], tail)
	}
	c.start = -1
}

func (c *cutter) pause(end int) {
	c.word(end)
	if c.out[len(c.out)-1] != pause {
		c.out = append(c.out, pause)
	}
}

// plain appends a word, taken apart where it is a contraction without its apostrophe.
func (c *cutter) plain(w string) {
	if parts, ok := unmarked[w]; ok {
		c.out = append(c.out, parts[:]...)
		return
	}
	c.out = append(c.out, w)
}

// contracted appends what a word with an apostrophe is made of.
func (c *cutter) contracted(base, tail string) {
	switch {
	case tail == "t" && strings.HasSuffix(base, "n"):
		if parts, ok := unmarked[base+tail]; ok {
			c.out = append(c.out, parts[:]...)
			return
		}
		c.out = append(c.out, base[:len(base)-1], "not")
	case tail == "s" && !isSubject[base]:
		c.out = append(c.out, base)
	case verbs[tail] != "":
		c.out = append(c.out, base, verbs[tail])
	default:
		c.out = append(c.out, base)
	}
}

// verbs are what may stand behind an apostrophe.
var verbs = map[string]string{"m": "am", "re": "are", "ve": "have", "s": "is", "ll": "will"}

// isSubject holds the words behind which 's is a verb.
var isSubject = map[string]bool{"it": true, "he": true, "she": true, "that": true, "there": true, "here": true, "what": true, "who": true}

// unmarked are contractions as they are typed in haste, and those that only a list knows.
var unmarked = map[string][2]string{
	"cannot": {"can", "not"}, "cant": {"can", "not"}, "wont": {"will", "not"}, "aint": {"is", "not"}, "shant": {"shall", "not"},
	"dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"}, "isnt": {"is", "not"}, "arent": {"are", "not"},
	"wasnt": {"was", "not"}, "werent": {"were", "not"}, "havent": {"have", "not"}, "hasnt": {"has", "not"}, "hadnt": {"had", "not"},
	"couldnt": {"could", "not"}, "wouldnt": {"would", "not"}, "shouldnt": {"should", "not"},
	"im": {"i", "am"}, "ive": {"i", "have"}, "its": {"it", "is"}, "thats": {"that", "is"}, "youre": {"you", "are"}, "theyre": {"they", "are"},
}
