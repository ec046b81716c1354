package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a piece of a content in the one spelling that the rules are written in: lower
// case, straight apostrophes, single spaces, contractions written out ("im" and "I’m" are
// "i am"). Every byte knows which bytes of the content it stands for, so that what a rule
// finds is handed out in the user's own words.
type folded struct {
	text string
	// from[i] and to[i] are the bounds in the content of what text[i] stands for.
	from, to []int
}

// fold returns content[from:to] folded.
func fold(content string, from, to int) folded {
	w := folder{text: make([]byte, 0, to-from+8)}
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(content[i:to])
		if !wordRune(r) {
			w.mark(r, i, i+size)
			i += size
			continue
		}
		end := i
		for end < to {
			r, size := utf8.DecodeRuneInString(content[end:to])
			if !wordRune(r) {
				break
			}
			end += size
		}
		w.word(content, i, end)
		i = end
	}
	return folded{text: string(w.text), from: w.from, to: w.to}
}

// span returns the bounds in the content of text[a:b], which must not be empty.
func (f folded) span(a, b int) (from, to int) { return f.from[a], f.to[b-1] }

// cut returns the piece text[a:b].
func (f folded) cut(a, b int) folded {
	return folded{text: f.text[a:b], from: f.from[a:b], to: f.to[a:b]}
}

// led returns f with lead before it, which stands for no bytes of the content.
func (f folded) led(lead string) folded {
	at := f.from[0]
	out := folded{text: lead + f.text}
	for range len(lead) {
		out.from = append(out.from, at)
		out.to = append(out.to, at)
	}
	out.from = append(out.from, f.from...)
	out.to = append(out.to, f.to...)
	return out
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !joiner(r) || r == '\'' || r == '’'
}

// pictorial reports whether r is an emoji or a part of one: it parts words and says nothing.
func pictorial(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.Is(unicode.So, r) || r >= 0x1F3FB && r <= 0x1F3FF || joiner(r)
}

// joiner reports whether r only joins or varies emojis.
func joiner(r rune) bool { return r == 0xFE0F || r == 0x200D }

type folder struct {
	text     []byte
	from, to []int
}

func (w *folder) put(s string, from, to int) {
	w.text = append(w.text, s...)
	for range len(s) {
		w.from = append(w.from, from)
		w.to = append(w.to, to)
	}
}

// mark folds a rune that is no part of a word.
func (w *folder) mark(r rune, from, to int) {
	switch {
	case unicode.IsSpace(r), pictorial(r):
		if n := len(w.text); n > 0 && w.text[n-1] != ' ' {
			w.put(" ", from, to)
		}
	case r == '，' || r == '、':
		w.put(", ", from, to)
	case r == '–' || r == '—':
		w.put("-", from, to)
	case r == utf8.RuneError:
		w.put("?", from, to)
	default:
		w.put(string(r), from, to)
	}
}

// word folds content[from:to], which is one word.
func (w *folder) word(content string, from, to int) {
	spelt := strings.ToLower(strings.ReplaceAll(content[from:to], "’", "'"))
	if full, ok := writtenOut[spelt]; ok {
		w.put(full, from, to)
		return
	}
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(content[i:to])
		switch {
		case r == '’':
			r = '\''
		case r > unicode.MaxASCII:
			r = unaccented(r)
		}
		if unicode.IsMark(r) && len(w.text) > 0 {
			w.to[len(w.to)-1] = i + size
		} else {
			w.put(string(unicode.ToLower(r)), i, i+size)
		}
		i += size
	}
}

// unaccented is the Latin letter under an accent; other runes stay as they are. The word
// borders of RE2 know ASCII letters only.
func unaccented(r rune) rune {
	if !unicode.Is(unicode.Latin, r) {
		return r
	}
	base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	return base
}

// writtenOut maps contractions, chat spellings and frequent slips to the spelling of the rules.
var writtenOut = map[string]string{
	"i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'll": "i will",
	"we're": "we are", "we've": "we have", "we'll": "we will", "you're": "you are",
	"youre": "you are", "they're": "they are", "he's": "he is", "hes": "he is",
	"she's": "she is", "shes": "she is", "it's": "it is", "that's": "that is",
	"thats": "that is", "there's": "there is", "theres": "there is", "what's": "what is",
	"whats": "what is", "where's": "where is", "who's": "who is", "when's": "when is",
	"here's": "here is", "name's": "name is", "birthday's": "birthday is",
	"don't": "do not", "dont": "do not", "doesn't": "does not", "doesnt": "does not",
	"didn't": "did not", "didnt": "did not", "isn't": "is not", "isnt": "is not",
	"aren't": "are not", "arent": "are not", "wasn't": "was not", "wasnt": "was not",
	"weren't": "were not", "haven't": "have not", "havent": "have not", "hasn't": "has not",
	"won't": "will not", "wouldn't": "would not", "can't": "cannot", "cant": "cannot",
	"couldn't": "could not", "shouldn't": "should not", "ain't": "is not",
	"gonna": "going to", "wanna": "want to", "gotta": "have to", "u": "you", "ur": "your",
	"pls": "please", "plz": "please", "cuz": "because", "coz": "because", "cos": "because",
	"'cause": "because", "bday": "birthday", "fav": "favourite", "fave": "favourite",
	"favorite": "favourite", "favorites": "favourites", "anymore": "any more",
	"alergic": "allergic", "allergix": "allergic", "alergies": "allergies",
	"vegeterian": "vegetarian", "vegatarian": "vegetarian", "bf": "boyfriend",
	"gf": "girlfriend", "canceled": "cancelled", "luv": "love", "becuase": "because",
	"traveling": "travelling", "traveled": "travelled", "learnt": "learned", "tmrw": "tomorrow",
	"tmr": "tomorrow", "wfh": "work from home", "practice": "practise", "coeliac": "celiac",
	"practicing": "practising", "&": "and",
}
