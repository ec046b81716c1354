// Package sign finds the words by which people say that something has changed, is over or
// is not so: "moved", "no longer", 搬到, 离婚了. It reads English and Chinese from tables of
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
)

// Has reports whether s holds any of the signs.
func (s Signs) Has(any Signs) bool { return s&any != 0 }

// Of returns the signs in text, which may be one or several sentences. Letter case,
// traditional characters, contractions and the apostrophes left out of them make no
// difference. It takes time linear in the length of text.
func Of(text string) Signs {
	var found Signs
	words := units(text)
	quiet := [len(tables)]int{}
	for i, w := range words {
		for _, p := range phrases[w] {
			if !p.except && found.Has(1<<p.table) {
				continue
			}
			end := p.at(words[i:])
			switch {
			case end == 0:
			case p.except:
				quiet[p.table] = max(quiet[p.table], i+end)
			case i >= quiet[p.table]:
				found |= 1 << p.table
			}
		}
	}
	return found
}
