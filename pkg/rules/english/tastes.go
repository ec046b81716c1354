package english

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
)

// tastes are likes, dislikes and favourites. What stops a liking comes first: "I don't like
// coffee any more" is a dislike.
var tastes = topic{name: "tastes", rules: []rule{
	{name: "favourite.is", cues: []string{"favourite"}, build: favourite,
		pattern: `^(?:my|our) (?:new |all-time |all time |absolute |current )*(?P<what>favourites? [\w ,'-]+?) (?:is|are|has always been|has to be|would be|would have to be|used to be) (?P<v>.+)$`},
	{name: "favourite.is-my", cues: []string{"favourite"}, build: favourite,
		pattern: `^(?P<v>[\w ,'&-]+?) (?:is|are) (?:now )?my (?:new |all-time |all time |absolute |current )*(?P<what>favourites?(?: [\w ,'-]+)?)$`},
	{name: "dislikes.not", cues: []string{"like", "love", "enjoy", "care for", "into", "fan", "keen", "fond", "want"}, key: keyDislikes, take: tasted,
		pattern: `^{i} (?:do not|did not|have never|never|am not|are not|no longer|was never|am no longer|are no longer|have stopped|stopped|cannot say i) (?:like|liked|love|loved|enjoy|enjoyed|enjoying|liking|care for|cared for|into|a (?:big |huge |great |real )?fan of|(?:big |huge |great )?fans of|keen on|fond of|crazy about|wild about) (?P<v>.+)$`},
	{name: "dislikes.hate", cues: []string{"hate", "dislike", "stand", "detest", "despise", "loathe", "abhor", "bear", "off ", "over ", "sick of", "tired of", "allergic", "put off", "grossed"}, key: keyDislikes, take: tasted,
		pattern: `^{i} (?:hate|hated|dislike|cannot stand|could not stand|cannot bear|cannot deal with|detest|despise|loathe|abhor|have a strong dislike (?:of|for)|strongly dislike|am not a fan of|have grown to hate|am put off by|am grossed out by) (?P<v>.+)$`},
	{name: "dislikes.gone-off", cues: []string{"off ", "sick of", "tired of", "over "}, key: keyDislikes, take: tasted, changes: true,
		pattern: `^{i} (?:have gone off|went off|have gotten sick of|have grown tired of|got sick of|got tired of|am sick of|have had enough of) (?P<v>.+)$`},
	{name: "likes.like", cues: []string{"like", "love", "enjoy", "adore", "prefer", "dig "}, key: keyLikes, take: tasted,
		pattern: `^{i} (?:like|love|enjoy|adore|prefer|dig|do like|do love|have (?:liked|loved|enjoyed|preferred)|have come to (?:like|love|enjoy)|have grown to (?:like|love)|have started to (?:like|love|enjoy)|started (?:liking|loving|enjoying)|am loving|am enjoying|fell in love with|have fallen in love with|am in love with) (?P<v>.+)$`},
	{name: "likes.am", cues: []string{" into ", "fan", "fond", "crazy", "obsessed", "addicted", "keen", "passionate", "hooked", "weakness", "soft spot", "lover", "sucker", "partial", "sweet tooth"}, key: keyLikes, take: tasted,
		pattern: `^{i} (?:(?:am|are|have been|became|have become|got|have got|have gotten) (?:into|(?:a |an )?(?:\w+ )?fans? of|fond of|crazy about|mad about|obsessed with|addicted to|keen on|passionate about|hooked on|a (?:big |huge )?lover of|a sucker for|partial to|nuts about)|have (?:got )?a (?:soft spot|weakness|passion|love|thing) for) (?P<v>.+)$`},
	{name: "likes.lover", cues: []string{"lover", "addict", "enthusiast", "fanatic", "nerd", "geek", "junkie", " fan", "aficionado", "buff"}, key: keyLikes, take: tasted,
		pattern: `^{i} (?:am|have been) (?:a |an )(?:big |huge |massive |total |real |true |complete |die-hard |avid |lifelong |bit of a )*(?P<v>[\w' -]+?)[ -](?:lover|addict|enthusiast|fanatic|nerd|geek|junkie|fan|aficionado|buff)$`},
	{name: "dislikes.not-my-thing", cues: []string{"not "}, key: keyDislikes, take: tasted, weak: true,
		pattern: `^(?P<v>[\w ,'-]+?) (?:is|are) (?:really |just |definitely )*not (?:really |exactly )*(?:my (?:thing|cup of tea|jam|style)|for me)$`},
	{name: "likes.person", cues: []string{" person"}, key: keyLikes, take: tasted,
		pattern: `^{i} am (?:more of )?an? (?:big |real |total )*(?P<v>coffee|tea|cat|dog|beach|mountain|wine|beer|book|outdoors|city|chocolate|sushi|pizza) person$`},
}}

// noTaste are objects of liking that say nothing lasting about the user: the matter at
// hand, the listener, a manner of speaking.
var noTaste = regexp.MustCompile(`^(?:(?:\w+ )?(?:short|long|brief|concise|detailed|direct|simple|shorter|longer) (?:answers?|replies|responses|explanations?|messages|sentences)|bullet points|emojis|it|(?:that|this|these|those|you|your|his|her|its|their|him|them|me|us|how|what|when|where|why|who|which|if|whatever|whoever)\b.*|the (?:way|idea|ideas|fact|first|second|third|last|other|others|new|one|ones|option|options|version|sound|look|looks|suggestion|suggestions|result|results|draft|design|title|part|ending|code|answer|answers|approach|concept|tone|style|layout|colou?rs?|plan|name|names|picture|image|text|response|responses|format|structure|direction|theme|logo|intro|introduction|feel|vibe|thought|latter|former|original|previous|current|following|same|rest|article|story|poem|email|report|script|output|explanation|example|examples|recipe|update|website|page|document|paragraph|sentence|wording|summary|list|top|bottom|left|right|blue one|red one|shorter|longer|simpler)\b.*|both|all|either|neither|one|another|option \w+|version \w+|number \w+|to (?:think|say|know|believe|be|ask|see|hear|admit|break|bother|interrupt|complain|disappoint|help|have|get|make sure|keep|brag|burst|do that|do this|understand|learn more|find|try|use|add|change|point out|tell)\b.*|being (?:told|asked|called)\b.*|saying .*|myself|my (?:life|job|wife|husband|girlfriend|boyfriend|partner|mom|mum|dad|mother|father|parents|sister|brother|kids?|son|daughter|family|boss|friends?|colleagues?|team|work|dogs?|cats?|pets?)\b.*|people|an? (?:lot|bit|challenge|hand|refund|copy|quote|receipt)\b.*|some|any|more|less|so|as|for|living in the .*|up\b.*|still|straight|idle|idly\b.*|trial|talking to you.*|chatting with you.*|working with you.*|life|doing that|doing this|such .*|every(?:thing|one).*|anything.*|something.*|nothing.*|things?|stuff|and|or|not|no|most|none|there|here|by|in|at|on|of|from|about|yes|an|a|the|too|much|ya|u|things? .*)$`)

// tasted takes the objects of a liking or dislike.
func tasted(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	b = a + len(strings.TrimRightFunc(m.c.body.text[a:b], outside))
	if at := comparison.FindStringIndex(m.c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	if at := follows.FindStringIndex(m.c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	if strings.HasSuffix(m.c.body.text[:a], " got into ") && m.c.capital(a) {
		return nil // a university
	}
	bare := strings.TrimSpace(m.c.body.text[a:b])
	for {
		at := tails.FindStringIndex(bare)
		if at == nil {
			break
		}
		bare = strings.TrimSpace(bare[:at[0]])
	}
	if noTaste.MatchString(bare) {
		return nil
	}
	var out []string
	for _, item := range m.c.items(a, b) {
		if item[0] >= item[1] || noTaste.MatchString(strings.TrimSpace(m.c.body.text[item[0]:item[1]])) {
			continue
		}
		if len(out) > 0 && noFurther.MatchString(m.c.body.text[item[0]:item[1]]) {
			break
		}
		if v, ok := m.c.value(item[0], item[1]); ok && len(strings.Fields(v)) <= 10 {
			out = append(out, v)
		}
	}
	return out
}

// noFurther are ends of an enumeration that are no item of it.
var noFurther = regexp.MustCompile(`^(?:sue|fight|bite|judge|trust|believe|try|come|look|see|go|get|let|ask|tell|give|help|change|make|you|please|thanks|no|not|what|who|how|can|could|any|lol|haha|okay|ok|right|period|end of)\b|\b(?:me|you|us)$`)

// comparison is where the lesser side of "X over Y" begins.
var comparison = regexp.MustCompile(` (?:over|to|rather than|more than|better than|much more than|instead of|than|as opposed to|compared to) (?:[\w' -]+)$`)

// favourite builds "my favourite colour is green", free and as said; a change of it names
// what it replaces.
func favourite(m match) []memory.Candidate {
	if strings.Contains(m.c.body.text, "used to be") {
		return nil
	}
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	if _, ok := m.c.value(a, b); !ok || pointing.MatchString(m.folded("v")) {
		return nil
	}
	found := m.candidate("", "")
	found.Kind = memory.KindPreference
	found.About = keyLikes
	if m.c.changed(true) {
		found.Relation = memory.RelationUpdates
		found.Target = &memory.Target{Value: strings.TrimSpace(m.said("what"))}
	}
	return []memory.Candidate{found}
}

var pointing = regexp.MustCompile(`^(?:it|that|this|these|those|the (?:first|second|third|last|one)|option|number|you|he|she|they)\b`)
