// Package sign finds the words by which people say that something has changed, is over, is
// not so or holds besides: "moved", "no longer", 搬到, 离婚了. It reads English and Chinese from tables of
// phrases. It does not know what has changed and decides nothing: whoever asks does.
package sign

// Signs is a set of signs; the zero value is none.
type Signs uint8

// The signs.
const (
	// Change says that something takes the place of something else, or puts right what was
	// said before ("now", "actually", "I meant", 现在, 换成, 说错了).
	Change Signs = 1 << iota
	// Ending says that something is over ("died", "gave up", 取消, 不喝了).
	Ending
	// Denial says that something is not so, without saying that it ever was ("I don't have
	// a dog", 我没有高血压).
	Denial
	// Choice puts one thing against another, as a question does ("Oslo or Bergen?", 还是).
	Choice
	// Addition says that what the user does holds beside something else, or only now and
	// then ("I also", "sometimes", 兼职).
	Addition
)

// Has reports whether s holds one of the signs in of.
func (s Signs) Has(of Signs) bool { return s&of != 0 }

// Of returns the signs in text, which may be one or several sentences. Letter case,
// traditional characters, contractions and the apostrophes left out of them make no
// difference. It takes time linear in the length of text.
func Of(text string) Signs {
	var found Signs
	var m matches
	words := units(text)
	for i := range words {
		m.begun = 0
		phrases.follow(words, i, &m)
		for t := range tables {
			if i >= m.quiet[t] {
				found |= m.begun & (1 << t)
			}
		}
	}
	return found
}
