package english

import (
	"regexp"
	"strings"
)

// company is a subject that the user shares: "we", "my wife and I", "Tom and I". Rules are
// written for "i" alone.
var company = regexp.MustCompile(`^(?:we|my [\w-]+(?: [\w-]+)? and i|me and my [\w-]+|[\w-]+ and i) `)

// lean returns a clause's body as the rules read it: with "i" for every subject that
// includes the user, and without the adverbs around the verb, which say nothing that a rule
// asks for ("we actually do both really love" is "i do love").
func lean(f folded) folded {
	if at := company.FindString(f.text); at != "" && len(at) < len(f.text) {
		f = f.cut(len(at), len(f.text)).led("i ")
	}
	if !strings.HasPrefix(f.text, "i ") {
		return f
	}
	var out folded
	slot := false
	for i := 0; i < len(f.text); {
		if slot {
			if n := adverbLen(f.text[i:]); n > 0 {
				i += n
				continue
			}
		}
		end := strings.IndexByte(f.text[i:], ' ')
		if end < 0 {
			end = len(f.text)
		} else {
			end += i + 1
		}
		slot = slots[strings.TrimSuffix(f.text[i:end], " ")]
		if !slot && i > 40 {
			end = len(f.text)
		}
		out.text += f.text[i:end]
		out.from = append(out.from, f.from[i:end]...)
		out.to = append(out.to, f.to[i:end]...)
		i = end
	}
	return out
}

// slots are the words behind which adverbs are dropped.
var slots = map[string]bool{
	"i": true, "am": true, "are": true, "have": true, "had": true, "was": true, "been": true, "not": true,
	"do": true, "did": true, "can": true, "cannot": true, "got": true, "live": true, "work": true,
	"living": true, "working": true, "come": true, "code": true, "program": true, "will": true, "were": true,
}

// stanceAdverbs are dropped.
var stanceAdverbs = phrases(
	`also|really|still|currently|now|actually|just|already|only|mostly|mainly|personally|always|usually|generally|normally`,
	`typically|absolutely|totally|truly|simply|definitely|certainly|quite|rather|pretty much|pretty|very much|both|all|even`,
	`recently|officially|proudly|happily|honestly|literally|finally|well|so|too|kinda|sorta|kind of|sort of|sometimes|often`,
	`especially|particularly|secretly|genuinely|completely|fully|severely|deathly|highly|super|extremely|very|mildly|slightly`,
	`a bit|a little|exclusively|primarily|presently|obviously|of course|in fact|unfortunately|sadly`,
)

// adverbLen is the length of the adverb that s begins with, with the space behind it; 0
// where it begins with none, or nothing follows.
func adverbLen(s string) int {
	for _, adverb := range stanceAdverbs[firstWord(s)] {
		if rest, ok := strings.CutPrefix(s, adverb); ok && len(rest) > 1 && rest[0] == ' ' {
			return len(adverb) + 1
		}
	}
	return 0
}
