package profile

import "github.com/mnemond/mnemond/pkg/memory"

// Asked returns the keys, sorted, whose asking-words occur in query, and whether plans are
// asked for. Letter case, width, traditional characters and the endings -s, -ing and -ed
// make no difference; a Latin word must occur as a whole, Chinese characters anywhere, and
// a phrase without punctuation inside. An occurrence inside of an excepted phrase (an entry
// that begins with "!") does not count. Time grows with the length of query alone.
func (r *Registry) Asked(query string) (keys []memory.Key, plans bool) {
	asked := r.asks.asked(query)
	for i, k := range r.keys {
		if asked[i] {
			keys = append(keys, k)
		}
	}
	return keys, asked[len(r.keys)]
}

// pattern is a compiled entry of asks.
type pattern struct {
	words []string
	// except marks a phrase in which the other entries do not count.
	except bool
}

// newPattern compiles an entry. It refuses entries without words and with punctuation.
func newPattern(entry string) (pattern, bool) {
	var p pattern
	if len(entry) > 0 && entry[0] == '!' {
		p.except, entry = true, entry[1:]
	}
	for _, u := range units(entry) {
		if u.stop() {
			return pattern{}, false
		}
		p.words = append(p.words, u[0])
	}
	return p, len(p.words) > 0
}

// asker finds the patterns of all keys in one pass. A target is the index of a key, or
// one more for plans.
type asker struct {
	// byFirst holds the patterns by their first word.
	byFirst map[string][]targeted
	targets int
	// longest is the length of the longest exception, in words.
	longest int
}

type targeted struct {
	pattern
	target int
}

func newAsker(keys []memory.Key, fields map[memory.Key]Field, plans map[string][]string) *asker {
	a := &asker{byFirst: map[string][]targeted{}, targets: len(keys) + 1}
	for i, k := range keys {
		a.add(i, fields[k].Asks)
	}
	a.add(len(keys), plans)
	return a
}

func (a *asker) add(target int, asks map[string][]string) {
	for _, entries := range asks {
		for _, entry := range entries {
			if p, ok := newPattern(entry); ok {
				if p.except {
					a.longest = max(a.longest, len(p.words))
				}
				a.byFirst[p.words[0]] = append(a.byFirst[p.words[0]], targeted{p, target})
			}
		}
	}
}

// span is a place in the query where a pattern of target was found.
type span struct{ target, start, end int }

func (s span) covers(o span) bool {
	return s.target == o.target && s.start <= o.start && o.end <= s.end
}

// asked reports for each target whether one of its patterns occurs.
func (a *asker) asked(query string) []bool {
	var hits, exceptions []span
	text := units(query)
	for i, u := range text {
		for _, form := range u {
			if form == "" {
				break
			}
			for _, p := range a.byFirst[form] {
				if !p.at(text[i:]) {
					continue
				}
				s := span{p.target, i, i + len(p.words)}
				if p.except {
					exceptions = append(exceptions, s)
				} else {
					hits = append(hits, s)
				}
			}
		}
	}
	asked := make([]bool, a.targets)
	for _, hit := range hits {
		for len(exceptions) > 0 && exceptions[0].start+a.longest < hit.end {
			exceptions = exceptions[1:]
		}
		asked[hit.target] = asked[hit.target] || !excepted(exceptions, hit)
	}
	return asked
}

// excepted reports whether one of the exceptions, sorted by start, covers hit.
func excepted(exceptions []span, hit span) bool {
	for _, e := range exceptions {
		if e.start > hit.start {
			break
		}
		if e.covers(hit) {
			return true
		}
	}
	return false
}

// at reports whether the pattern stands at the start of text.
func (p pattern) at(text []unit) bool {
	if len(text) < len(p.words) {
		return false
	}
	for i, w := range p.words {
		if !text[i].is(w) {
			return false
		}
	}
	return true
}
