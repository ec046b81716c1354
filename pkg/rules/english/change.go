package english

import "regexp"

var (
	// signs are words by which a clause says that it replaces what was said before.
	signs = gated{[]string{"now", "days", "actually", "in fact", "longer", "more", "instead", "changed", "switched", "converted", "recently", "lately", "correct", "again", "forward", "turned out", "as of", "used to", "new ", "just ", "meant", "make that", "sorry", "not ", "since", "rather", "wait"}, regexp.MustCompile(`\b(?:now|nowadays|these days|actually|in fact|no longer|any more|instead|changed|switched|converted|recently|lately|correction|corrected|again|from now on|going forward|turned out|as of|used to|new (?:job|role|position|name|address|city|town|home|place|flat|apartment|company|employer|girlfriend|boyfriend|partner|wife|husband)|just (?:got|started|moved|became|switched|joined)|i meant|make that|sorry,? (?:it is|i|my)|not .+,? but|since (?:last|this|yesterday|recently|a few|two|three)|rather than|wait)\b`)}
	// signsBefore are clauses that announce a replacement in the clause after them.
	signsBefore = regexp.MustCompile(`^(?:i|we) (?:have |just |recently |had )*(?:changed|switched|quit|left|used to|said|told you|mentioned|misspoke|made a mistake|got (?:it|that) wrong|was wrong|got divorced|broke up|am not|do not|no longer|moved|had been|previously|got (?:a|my) new|ended)\b|^(?:correction|scratch that|wait|sorry|oops|typo|my mistake|my bad|update)\b|^(?:it|that|this|my \w+) (?:is|was) (?:a typo|a mistake|an error|not|wrong|no longer|outdated|incorrect|out of date|old)|\b(?:not true|no longer true|wrong|outdated)\b`)
	signsAfter  = regexp.MustCompile(`^not \w+|^(?:instead of|rather than)\b`)
)

// changed reports whether the words say that something replaces something: in the clause
// itself or, if neighbours is set, in the clauses around it.
func (c *clause) changed(neighbours bool) bool {
	if signs.match(c.whole, c.wholeGrams()) {
		return true
	}
	if !neighbours {
		return false
	}
	if c.before != nil && (signsBefore.MatchString(c.before.whole) || signsBefore.MatchString(c.before.body.text)) {
		return true
	}
	if c.announced {
		return true
	}
	return c.after != nil && signsAfter.MatchString(c.after.whole)
}
