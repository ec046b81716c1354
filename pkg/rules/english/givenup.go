package english

import (
	"regexp"
	"strings"
)

// givenUp are the former likings that are called no hobby.
var givenUp = topic{name: "given up", rules: []rule{
	{name: "end.liking", cues: []string{"gave up", "given up", "stopped", "cut out", "no longer"}, key: keyLikes, take: consumed, ends: true,
		pattern: `^{i} (?:have )?(?:gave up|given up|cut out|stopped (?:drinking|eating|smoking|having|watching|buying)|no longer (?:drink|eat|watch)) (?:drinking |eating )?(?P<v>.+)$`},
	{name: "end.learning", cues: []string{"learning", "studying"}, take: studied, ends: true,
		pattern: `^{i} (?:have )?(?:gave up|given up|stopped|quit|am not|am no longer) (?P<v>(?:learning|studying) .+?)(?: any ?more)?$`},
	{name: "end.quit-food", cues: []string{"quit"}, key: keyLikes, take: eaten, ends: true,
		pattern: `^{i} (?:have )?quit (?:drinking |eating )?(?P<v>.+)$`},
	{name: "end.quit", cues: []string{"quit"}, key: keyLikes, take: consumed, ends: true, must: true,
		pattern: `^{i} (?:have )?quit (?:drinking |eating )?(?P<v>.+)$`},
}}

var noConsumed = regexp.MustCompile(`^(?:\w{3,}ing \w+|after|before|for|in|at|because|too|so|half|when|while|and|all|every|me|to|my|the|a|an|it|that|this|on|smoking|drinking|vaping|last|yesterday|today|recently|completely|altogether|entirely|` + amount + ` ago|working|trying|school|college|hope|job|you|playing)\b`)

func consumed(m match) []string {
	a, b, ok := m.group("v")
	if !ok || noConsumed.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	if at := forWhat.FindStringIndex(m.c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	var out []string
	for _, v := range m.c.each(a, b) {
		if len(strings.Fields(v)) <= 4 {
			out = append(out, v)
		}
	}
	return out
}

// studied is a subject with the verb, which tells it from all else that is Korean.
func studied(m match) []string {
	if _, what, _ := strings.Cut(m.folded("v"), " "); strings.HasPrefix(what, "for ") {
		return nil // an examination
	}
	return []string{m.said("v")}
}

// forWhat follows what was given up: the occasion, or the reason.
var forWhat = regexp.MustCompile(` (?:for|after|due to|thanks to|during|in favou?r of|on the advice|cold turkey)\b.*$`)

// eaten takes known food and drink alone: one quits many things.
func eaten(m match) []string {
	if !edible.MatchString(m.folded("v")) {
		return nil
	}
	return consumed(m)
}
