package english

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/memory"
)

// The words that requests about a topic are made of.
const (
	// mine begins what is the user's: a thing, or a clause that states it.
	mine = `(?:my|our|where|who|that (?:i|we|my|our)|how|when (?:i|we|my|our)|which|the fact|what (?:i|we|my|our)|whether (?:i|we|my|our)|i|we)\b`
	// kept is everything that is remembered of something.
	kept = `(?:what|everything|all|anything|whatever)(?: that)?(?: you (?:know|remember|have|learned|saved|stored|noted|have (?:saved|stored|learned|noted|on file))| i(?: have)? (?:ever )?(?:told you|said|mentioned))?`
	// toldAbout is what was told of something; "what I said" alone is a message.
	toldAbout = `(?:what|everything|all|anything|whatever)(?: that)? i(?: have)? (?:ever )?(?:told you|said|mentioned) about`
	// erasing is done to memories and to other things.
	erasing = `(?:delete|remove|erase|wipe|clear|drop|purge|scrub|get rid of)`
	erased  = `(?:deleted|removed|erased|wiped|cleared)`
	// store is where memories are.
	store = `(?:your |the )?(?:memory|memories|records|notes|profile|what you know(?: about me)?)`
	// say is how a topic is brought into a talk.
	say = `(?:mention|mentioning|bring up|bringing up|(?:talk|talking|speak|speaking)(?: to me| with me)? (?:about|of)|remind me (?:of|about)|reminding me (?:of|about)|refer to|referring to|discuss|discussing|ask about|asking about|(?:ask|asking|tell|telling|bug|bugging|nag|nagging) me about|(?:go|going|harp|harping) on about)`
	// bring surrounds the topic.
	bring = `(?:bring|bringing) (?P<b>.+?) up`
	// hear is how others bring it in.
	hear = `(?:hear about|be reminded (?:of|about)|hear another word about|hear anything about)`
	// would is "I would" and "I'd".
	would = `(?:i would|i'd)`
	// data is what services keep of people.
	data = `(?:data|information|info|details)`
	// agreeing may open a permission, again closes it.
	agreeing = `(?:(?:ok|okay|yes|actually|well|so|and|but|please|also|sure|from now on),? )*`
	again    = `(?: now)?` + laterOn + `(?: now)?`
)

// petition is a kind of request about a topic.
type petition struct {
	action memory.Action
	// re matches the folded clause; each of its groups may hold the topic.
	re *regexp.Regexp
	// except are topics that are none.
	except *regexp.Regexp
	// needs, where it is set, must stand in the clause; points, if the topic is only pointed at.
	needs, points *regexp.Regexp
	// certain petitions are about one certain thing ("the bakery", Tom), and close their
	// sentence.
	certain bool
}

// oneOf is an expression for any of the ways to say something.
func oneOf(ways ...string) string { return `(?:` + strings.Join(ways, `|`) + `)` }

// clauseOf matches a clause that says it in one of the ways, each with a group for the topic.
func clauseOf(ways ...string) *regexp.Regexp { return regexp.MustCompile(`^` + oneOf(ways...) + `$`) }

var (
	forgets = &petition{
		action: memory.ActionForget,
		re: clauseOf(
			polite+`forget(?: about| all about)? (?P<a>`+mine+`.*)`,
			polite+`forget `+toldAbout+` (?P<b>.+)`,
			polite+`(?:`+erasing+`|forget) `+kept+` (?:about|on|of) (?P<c>.+?)(?: from `+store+`)?`,
			polite+erasing+` (?P<d>.+?) from `+store,
			polite+erasing+` (?P<e>the fact that .+)`,
			polite+`(?:`+erasing+`|forget) (?:all |any |every )?(?:of )?(?:your |the )?(?:memory|memories)(?: you have)? (?:of|about|on|that) (?P<f>.+)`,
			polite+`(?:stop remembering|do not (?:remember|save|store|keep)|(?:you (?:do not|no longer) (?:have|need)|(?:there is )?no need) to (?:remember|know|keep)) (?P<g>(?:(?:anything|everything) (?:about|on) )?(?:my|our|where i|what i|who i|how i|that i)\b ?.*)`,
			`i do not want you to (?:know|remember|store|save|keep) (?P<h>.+)`,
			would+` (?:rather|prefer(?: it if)?) you (?:forgot|did not (?:know|remember|store|save|keep)) (?P<i>`+mine+`.*)`,
			`(?P<j>(?:my|our) .+?) (?:should|must|needs? to|has to|have to) be (?:forgotten|`+erased+` from `+store+`)`,
			`(?:i|we) (?:want|need|would like) (?P<k>(?:my|our) .+?) (?:forgotten|`+erased+` from `+store+`)`,
			polite+erasing+` (?P<l>all (?:of )?my (?:personal )?`+data+`|my memories|all (?:of )?(?:the |my )?memories)`+laterOn,
			polite+erasing+` (?:all )?(?:of )?(?:the |my )?(?:personal )?`+data+` (?:that )?you (?:have|hold|keep|store|saved|stored) (?:about|on) (?P<m>me)`+laterOn,
		),
		except: regexp.MustCompile(`^` + oneOf(
			`(?:all|everything|my|the|what)(?: (?:of|the|my|your|i said))* (?:last|previous|earlier|prior|above|question|request|instructions?|first|message|messages|code|prompt|idea)\b`,
			`about (?:it|that|this)$`, `i (?:asked|said)`, `what i (?:asked|wrote|typed)\b`, `what i said$`, `(?:this|that|it)$`, `my (?:last|previous|question|request|earlier|comment|mistake)`,
			`how to\b`, `i am\b.*\bhere$`,
		)),
	}
	// forgetsThat is about a memory that was spoken of before.
	forgetsThat = &petition{
		action: memory.ActionForget,
		re: clauseOf(
			polite+erasing+` (?P<a>it|that|this|these|those) from `+store+laterOn,
			polite+`(?:`+erasing+`|forget) (?P<b>that|this|these|those) (?:memory|memories|facts?)(?: (?:about|of) me)?`+laterOn,
		),
	}
	// forgetsNamed needs a courteous word: without one, "forget about the bakery" means
	// never mind the bakery.
	forgetsNamed = &petition{
		action:  memory.ActionForget,
		certain: true,
		re:      clauseOf(polite + `forget(?: about| all about)? (?P<a>.+)`),
		except: regexp.MustCompile(oneOf(
			`^(?:about )?(?:it|that|this)\b`, `\byour?\b`, `\b(?:and|or|but|if|when)\b`, `,`,
			`\bfor (?:now|(?:a|one|the) (?:sec|second|moment|minute|while|bit|time being))\b`,
			`^the (?:last|previous|earlier|prior|above|first|second|third|next|questions?|requests?|instructions?|messages?|code|prompt|idea|fact|rules?|conversation|chat|context|history|files?|formatt?(?:ing)?|lists?|text|document|paragraphs?|sentences?|lines?|words?|emails?|letter|story|poem|example|output|answer|response|style)\b`,
		)),
	}
	suppresses = &petition{
		action: memory.ActionSuppress,
		re: clauseOf(
			polite+`(?:not|do not|never|stop|quit|no more|avoid|refrain from|you do not (?:need|have) to|(?:there is )?no need to|i do not want you to)(?: ever| you ever| please)? (?:`+say+` (?P<a>.+?)|`+bring+`)`+laterOn,
			`(?:i|we) (?:really |just )?(?:do not|no longer|never) (?:ever |really )?(?:want|wish) to (?:`+say+`|`+hear+`) (?P<c>.+?)`+laterOn,
			`(?P<t>(?:my|our) .+?) is not something (?:i|we) (?:want|like|wish) to (?:talk about|discuss|hear about)`+laterOn,
			`(?:`+would+` (?:rather|prefer to|prefer)|i prefer) not(?: to)? (?:`+say+`|`+hear+`) (?P<d>.+?)`+laterOn,
			`(?:let us|let's|lets|can we|could we|may we)(?: please| just)? not (?:`+say+`|go into) (?P<e>.+?)`+laterOn,
			polite+`(?:enough|no more (?:talk|questions|jokes|mention)) (?:about|of) (?P<f>.+?)`+laterOn,
			polite+`no more (?P<j>.+?) (?:talk|questions|jokes|reminders|mentions)`+laterOn,
			polite+`(?:(?:can|could) we )?(?:drop|avoid) the (?:topic|subject) of (?P<g>.+?)`+laterOn,
			polite+`drop (?P<h>the (?:topic|subject|matter))`+laterOn,
			would+` (?:really )?(?:rather|appreciate it|be grateful|be happy|like it|prefer it|prefer)(?: if)? you (?:did not|do not|would not|could not|never|stopped|avoided) `+say+` (?P<i>.+?)`+laterOn,
		),
		except: regexp.MustCompile(oneOf(
			`^(?:me|you|your|yourself|anything|everything|names?|their|its|small|the (?:same|obvious))\b`, inWriting, withOthers,
			` (?:right now|now|today|tonight|at the moment|for now|yet|this (?:week|morning|evening|afternoon))$`,
		)),
		points: regexp.MustCompile(`\b(?:stop|quit|never|enough|again|any more|any longer|no longer|ever|for good|in the future|from now on)\b`),
	}
	lifts = &petition{
		action: memory.ActionLift,
		re: clauseOf(
			agreeing+`(?:you|we) (?:can|may|could|are allowed to)(?: now| also| always| freely)? (?:`+say+` (?P<a>.+?)|`+bring+`)`+again,
			agreeing+`(?:feel free to|let us|let's|lets) `+say+` (?P<c>.+?)`+again,
			agreeing+`(?:it is|that is) (?:perfectly |totally |completely |now )?(?:fine|ok|okay|alright|all right|cool|safe|no problem)(?: now| again)?(?: with me| by me)?(?: for you)? to `+say+` (?P<d>.+?)`+again,
			agreeing+`i am (?:now |totally )?(?:(?:ready|happy|willing|able) to|(?:fine|ok|okay|cool|comfortable)(?: with)?(?: you)?) `+say+` (?P<e>.+?)`+again,
			agreeing+`i do not mind(?: if you| you)? `+say+` (?P<f>.+?)`+again,
			agreeing+`(?:you (?:do not (?:have|need) to|may stop|can stop)|(?:there is )?no need to|stop) (?:avoid|avoiding)(?: the (?:topic|subject) of)?(?: mentioning| talking about)? (?P<g>.+?)`+again,
		),
		except: regexp.MustCompile(oneOf(`^(?:me|you|your|yourself|anything|everything)\b`, inWriting, withOthers)),
		needs:  regexp.MustCompile(`\b(?:again|now|any more|any longer|from now on|avoid|avoiding|fine|ok|okay|alright|all right|feel free|do not mind)\b`),
	}
)

// Topics that are not for this conversation: what is to stand in a text, and what others
// are told.
const (
	inWriting  = `\bin (?:the|this|my|your|an?) (?:email|letter|essay|text|message|reply|answer|summary|article|post|story|report|code|response|title|intro|document|speech|poem|paragraph|cover letter|sentences?|prompt|output|captions?|slides?|presentation|list|review)\b`
	withOthers = `\b(?:with|to) (?:my|his|her|their|the|him|her|them|anyone|anybody|people|others|family|friends|strangers|everyone)\b`
)

var (
	// pointed is a topic that was named before.
	pointed = regexp.MustCompile(`^(?:it|that|this|these|those|him|her|them|(?:this|that|the) (?:topic|subject|matter|thing|stuff|issue)(?: again)?)$`)
	// topicHead and topicTail surround the topic of what is not to be mentioned.
	topicHead = regexp.MustCompile(`^(?:(?:the|my|our|any|that|this|a|an|topic|subject|matter|issue|whole|thing|things|anything|stuff|of|about|with) )+`)
	topicTail = regexp.MustCompile(` (?:topic|subject|thing|stuff|matter|business)$`)
	// factHead opens what is to be forgotten without being a part of it.
	factHead = regexp.MustCompile(`^(?:the fact that|the fact|that|about|everything about|anything about|all about|everything you know about|all you know about|what you know about|(?:what|everything|all|anything) i (?:have )?(?:ever )?(?:said|told you|mentioned) about|(?:that )?i (?:have )?(?:ever )?(?:told you|mentioned) about) `)
	// reservation says when or why.
	reservation = regexp.MustCompile(`(?: again)?(?:,| (?:unless|until|if|because|since|but|so|as long as)\b).*$`)
	politeTail  = regexp.MustCompile(`(?:,| now| lol| haha| though)*` + laterOn + `(?: now)?$`)
	// another is a clause that only adds a topic to the one before it.
	another = regexp.MustCompile(`^(?:my|our)(?: [\w'-]+){1,4}$|^(?:where|who|what|how|when|which|whether|that) (?:i|my|we|our)\b.+$`)
	// listed stands between the topics of one clause; what it captures begins the next.
	listed = regexp.MustCompile(`(?:,|,? (?:and|or|nor)) (?:about )?((?:my|our|where|who|how|that (?:i|my)|what (?:i|my))\b)`)
	// eitherOf is a list of things of few words, alternatives what stands between them, and idiom
	// an "or" that lists nothing.
	eitherOf     = regexp.MustCompile(`^(?:the |my |our )?[\w'-]+(?: [\w'-]+)?(?:, (?:the |my |our )?[\w'-]+(?: [\w'-]+)?)*,? (?:or|nor) (?:about )?(?:the |my |our )?[\w'-]+(?: [\w'-]+)?$`)
	alternatives = regexp.MustCompile(`(?:,? (?:or|nor) (?:about )?|, )(\w)`)
	idiom        = regexp.MustCompile(`\b(?:one|two|more|less|sooner|later|whether|not|so|something|anything|whatever|other|else|again|now)\b`)
	// predicate makes a statement of what looks like another topic.
	predicate = regexp.MustCompile(`^(?:my|our) .*\b(?:is|are|was|were|has|have|had|will|can|did|does|died|needs|likes|loves|hates|wants|lives|works|says|said)\b`)
	// joined stands between topics.
	joined = regexp.MustCompile(`^,? ?(?:and|or|nor|,) ?$`)
)

// longestTopic is how many words name something to talk about.
const longestTopic = 6

// asks records a request about a topic if the first of the clauses is one, and the topics
// that the clauses after it add.
func (r *reader) asks(p *petition, clauses []*clause) bool {
	c := clauses[0]
	at := p.re.FindStringSubmatchIndex(c.whole)
	if at == nil || p.needs != nil && !p.needs.MatchString(c.whole) || c.elided() || !p.meets(clauses) {
		return false
	}
	for g := 1; g < len(at)/2; g++ {
		if from, to := at[2*g], at[2*g+1]; from >= 0 {
			if !r.topics(p, c, from, to) {
				return false
			}
			r.moreTopics(p, clauses)
			return true
		}
	}
	return false
}

// meets reports whether clauses that have the form of the petition are one, as far as the
// ones after the first tell: "forget about my diet, I want cake" is none.
func (p *petition) meets(clauses []*clause) bool {
	c, rest := clauses[0], clauses[1:]
	closes := !slices.ContainsFunc(rest, func(c *clause) bool { return !thanks.MatchString(c.whole) })
	if p.certain {
		return closes && c.courteously()
	}
	return closes || !idle.MatchString(c.whole) || another.MatchString(rest[0].whole) || except.MatchString(rest[0].whole) || c.courteously()
}

var (
	// thanks may stand behind a request.
	thanks = regexp.MustCompile(`^(?:please|thanks|thank you|thx|cheers|ok|okay|alright|all right)\b`)
	// except says what else is to be kept.
	except = regexp.MustCompile(`^(?:but )?(?:not|keep|do not forget|remember)\b`)
	// idle is how one says never mind, as well.
	idle = regexp.MustCompile(`^` + polite + `forget about\b`)
)

// elided reports whether the clause goes on about what the user does: "I dance and forget
// my troubles".
func (c *clause) elided() bool {
	if c.before == nil || !subjectFirst.MatchString(c.before.whole) || courteous.MatchString(c.whole) {
		return false
	}
	between := strings.TrimSpace(c.message.Content[c.before.to:c.from])
	return strings.HasSuffix(between, "and") || between == "," && modal.MatchString(c.before.whole)
}

// modal is a verb that governs the ones after it.
var modal = regexp.MustCompile(`^(?:i|we) (?:\w+ )?(?:can|could|will|would|try|try to|like to|love to|want to|need to|get to)\b`)

var (
	// courteous begins a request that is addressed to the assistant.
	courteous = regexp.MustCompile(`^(?:please|kindly|can|could|would|will|you)\b`)
	// petitions ask it for something; pleading is what may stand before any clause.
	petitions = regexp.MustCompile(`^` + polite + `(?:please|kindly|can you|could you|would you|will you|i want you to|i need you to|i would like you to|i'd like you to)\b| please$`)
	pleading  = regexp.MustCompile(`(?i)\b(?:please|kindly),? *$`)
)

// courteously reports whether a clause asks the assistant for something in so many words.
func (c *clause) courteously() bool {
	return petitions.MatchString(c.whole) || pleading.MatchString(c.message.Content[:c.from])
}

// moreTopics records the topics that the clauses after the first only add to it.
func (r *reader) moreTopics(p *petition, clauses []*clause) {
	for i, c := range clauses[1:] {
		between := strings.ToLower(c.message.Content[clauses[i].to:c.from])
		if !joined.MatchString(between) || !another.MatchString(c.whole) || predicate.MatchString(c.whole) || !r.topics(p, c, 0, len(c.whole)) {
			return
		}
	}
}

// topics records requests about what whole[from:to] of the clause lists.
func (r *reader) topics(p *petition, c *clause, from, to int) bool {
	whole := c.whole[from:to]
	list := whole[:len(whole)-len(politeTail.FindString(whole))]
	if list == "" || p.excepts(whole) || p.excepts(list) || p.certain && !strings.HasPrefix(list, "the ") && !c.isName(from) {
		return false
	}
	said, start := len(r.requests), 0
	marks := listed
	if p.action != memory.ActionForget && eitherOf.MatchString(list) && !idiom.MatchString(list) {
		marks = alternatives
	}
	for _, at := range marks.FindAllStringSubmatchIndex(list, -1) {
		r.topic(p, c, from+start, from+at[0])
		start = at[2]
	}
	end := len(list) - len(reservation.FindString(list[start:]))
	r.topic(p, c, from+start, from+end)
	return len(r.requests) > said
}

// isName reports whether the word at whole[at] begins as a name does.
func (c *clause) isName(at int) bool {
	from, _ := c.all.span(at, at+1)
	r, _ := utf8.DecodeRuneInString(c.message.Content[from:])
	return unicode.IsUpper(r)
}

// excepts reports whether a topic is none.
func (p *petition) excepts(topic string) bool { return p.except != nil && p.except.MatchString(topic) }

// topic records a request about whole[from:to] of the clause.
func (r *reader) topic(p *petition, c *clause, from, to int) {
	topic := c.whole[from:to]
	switch {
	case p.action == memory.ActionForget && p != forgetsThat:
		from += len(factHead.FindString(topic))
	case pointed.MatchString(topic):
		if p.points == nil || p.points.MatchString(c.whole) {
			r.requests = append(r.requests, r.directive(p.action, "", c))
		}
		return
	default:
		from += len(topicHead.FindString(topic))
		if tail := topicTail.FindString(c.whole[from:to]); len(tail) < to-from {
			to -= len(tail)
		}
	}
	if from < to && (p.action == memory.ActionForget || len(strings.Fields(c.whole[from:to])) <= longestTopic) {
		a, b := c.all.span(from, to)
		r.requests = append(r.requests, r.directive(p.action, c.message.Content[a:b], c))
	}
}
