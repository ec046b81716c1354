package answer

// what one of the offers is called.
const enOffer = `(?: one| option| date| day| value| answer| version)`

// enThen is when something was said wrong.
const enThen = `(?: (?:earlier|before|previously|back then|at first|initially|last time|the first time|the other time|there))?`

// english are the phrases of users, by kind.
var english = map[kind]string{
	filler: `it|its|it's|i have(?: got)?|we have|that|that's|that is|that would be|this|these|those|them|the|an?|ones?|of|two|is|are|am|be|on|in|at|as|with` +
		`|so|well|oh+|ah+|uh|um+|hm+|ok|okay|alright|all right|that's all|please|pls|thanks(?: a lot| so much| for (?:asking|checking|noticing|reminding me))?|thank you(?: so much| very much)?|thx|cheers|hi|hello|hey|ha(?:ha)+|lol` +
		`|really|definitely|certainly|absolutely|for sure|i'm sure|i am sure|of course|obviously|clearly|simply|just|only|now|nowadays|currently|these days|at the moment|then|here|also|anyway|anymore|any more` +
		`|dates?|day|answers?|options?|values?|version|accurate|valid|since (?:last |this |early |late |mid )?(?:week|month|year|summer|spring|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)|by the way|btw|fyi|but|about|regarding|concerning|as for` +
		`|keep|use|take|pick|choose|i choose|i pick|go with|i'll go with|stick with|save|remember|store|note|put|make it|make that|set it to|change it to|change that to|update it to|update that to|switch (?:it )?to|correct it to|call me|it was always|like i said|as i said|i (?:already |just )?(?:told you|said)(?: that| so| before)?`,
	mine:  `i|i'm|im|i am|me|my|mine|our|we`,
	yes:   `yes|yeah|yep|yup|yea|right|correct|exactly|true|sure|indeed|that's (?:right|correct|true|it)|that is (?:right|correct|true)|it is|it has|it did|yes it (?:is|has|did)|i do|i am|i did|please do|go ahead|go for it|do (?:it|that|so)|by all means`,
	no:    `no|nope|nah|it hasn't|it has not|it didn't|it did not`,
	not:   `not|isn't|is not|it's not|it is not|it isn't|not the|i'm not|i am not|that's not|no longer|instead of|rather than|and not|never`,
	wrong: `(?:is|was|are|were|is just|was just) (?:wrong|incorrect|false|outdated|not right|not correct|not true|(?:a|my) (?:typo|mistake|slip|joke))|wrong|incorrect`,
	upholds: `(?:is|was) (?:indeed )?(?:the )?(?:right|correct|true|accurate)` + enOffer + `?` +
		`|is (?:now )?(?:my|the) (?:new|current|present|latest|actual|real)(?: (?:one|job|employer|company|place|home|city|address|name|school))?`,
	corrects: `sorry|so sorry|i'm sorry|sorry about that|apologies|my (?:mistake|bad|fault)|oops|whoops|actually|in fact|correction|scratch that|wait|no wait|hold on|i (?:misspoke|mistyped|was wrong|messed up)(?: it| that)?` + enThen + `|i (?:made|had) a (?:mistake|typo)` + enThen + `|i (?:said|got|had|wrote|typed|put) (?:it|that) wrong` + enThen + `|i mixed (?:it|them|those) up|i meant(?: to say)?|i mean|let me correct (?:that|myself)|to correct (?:that|myself)|(?:that|it|this) was (?:wrong|(?:a|my) (?:typo|mistake|slip))|typo` +
		`|(?:the )?other` + enOffer + `? (?:is|was) (?:just )?(?:wrong|incorrect|not right|not true|outdated|(?:a|my) (?:typo|mistake|slip))|(?:ignore|forget|drop|delete|discard) the other` + enOffer + `?`,
	insists: `still|always|has always been|it has always been` +
		`|i(?:'ve| have)? (?:just )?(?:checked|double-checked|looked (?:it )?up|looked at)(?: (?:it|again))*(?: (?:in |with |at )?(?:my |the )?(?:passport|id|id card|birth certificate|certificate|driver's licen[cs]e|papers|documents?|contract|calendar|records|notes))?`,
	hedge: `not (?:really |quite |entirely |so |too |at all )?(?:sure|certain)|unsure|uncertain|maybe|perhaps|probably|possibly|presumably|might(?: be)?|may be|could be|must be|i think|i guess|i suppose|i believe|i reckon|i assume|i feel|guess|i'd say|don't know|do not know|dunno|idk|no idea|no clue|not that i know|don't remember|do not remember|can't remember|cannot remember|don't recall|i forgot|i forget|forgot|hard to say|depends|(?:tell you|let you know|get back to you)(?: later| soon| tomorrow)?|whichever|whatever|any of them|any|doesn't matter|does not matter|don't care|do not care|later|some other time|skip|pass|rather not|prefer not|never mind|nevermind|nobody knows|who knows|let me (?:check|think|see|look)|i'll (?:check|think|see|look|tell|ask)|i will (?:check|think|see|look|tell|ask)` +
		`|if|unless|suppose|supposing|imagine|assume|assuming|pretend|hypothetically|let's say|let us say|say|what if|or not|or so|roughly|approximately|around|kidding|just kidding|jk|me neither`,
	ought:     `should be|should have been|ought to be`,
	either:    `either|either one|either way`,
	or:        `or`,
	and:       `and|as well as|plus`,
	both:      `(?:(?:they're|they are) )?both(?: of (?:them|those|these|the two))?|i am both|i'm both`,
	all:       `(?:they're |they are )?all(?: of (?:them|those|these|the above)| three| of it)`,
	none:      `neither(?: of (?:them|those|these|the two))?|none(?: of (?:them|those|these|the two|the above|it))?|(?:i (?:said|got|had|wrote|typed|put) (?:it|that|them|both) )?wrong both times|i (?:said|got|had|wrote|typed|put) (?:them )?both wrong|both (?:of (?:them|those|these) )?(?:are |is )?(?:wrong|incorrect|false|not right|not true)|(?:they're|they are) both (?:wrong|incorrect|false)|not (?:either|any) of (?:them|those|these)|not either`,
	likesBoth: `i (?:really )?(?:like|love|enjoy) (?:them )?both(?: of them)?|i (?:really )?(?:like|love|enjoy) both(?: of them)?|love both|like both`,
	older: `(?:the )?(?:old|older|oldest|original|previous|earlier|existing|current)` + enOffer + `|the (?:old|original|previous|earlier)|original|(?:what|the one|the value|the date) i (?:said|told you|gave you|gave|mentioned) (?:first|before|originally|earlier|at first)|(?:the )?first` + enOffer + ` i (?:said|told you|gave you|mentioned)` +
		`|no changes?|without changes?|nothing (?:has |'s )?changed|nothing's changed|unchanged|it (?:has not|hasn't|never) changed|it (?:did not|didn't) change|(?:the )?same as (?:before|ever|always)|still the same|(?:just )?(?:like|as) before|as it (?:was|is)|leave it(?: as (?:it )?(?:is|was)| alone| that way)?|keep it(?: as (?:it )?(?:is|was)| that way| the same)?|(?:don't|do not) change (?:it|anything|that)|i (?:have )?never (?:moved|changed(?: it)?)|i (?:have not|haven't|did not|didn't) (?:move|moved|change|changed)(?: it)?|no need to change(?: it| anything)?`,
	newer:  `(?:the )?(?:new|newer|newest|latest|most recent|recent|later|updated)` + enOffer + `|the (?:new|newest|latest|most recent)|newest|latest|(?:what|the one|the value|the date) i (?:said|told you|gave you|gave|mentioned) (?:last|later|just now|recently|most recently)|(?:change|update|replace|correct) (?:it|that)|it (?:has |'s )?changed|it's changed|it did change`,
	first:  `(?:the |option |number )?(?:first|1st)` + enOffer + `|the (?:first|1st)|#1|(?:the )?former(?: one)?|(?:option|number) (?:1|one|a)`,
	second: `(?:the |option |number )?(?:second|2nd)` + enOffer + `|the (?:second|2nd)|#2|(?:option|number) (?:2|two|b)`,
	third:  `(?:the )?(?:third|3rd)` + enOffer + `|the (?:third|3rd)|(?:option|number) (?:3|three|c)`,
	fourth: `(?:the )?(?:fourth|4th)` + enOffer + `|the fourth|(?:option|number) (?:4|four|d)`,
	fifth:  `(?:the )?(?:fifth|5th)` + enOffer + `|the fifth|(?:option|number) (?:5|five|e)`,
	last:   `the last` + enOffer + `|the last|(?:the )?latter(?: one)?`,
	qualifies: `(?:by |in |on |according to |with |per |after )?(?:the |my )?(?:lunar|solar|gregorian|chinese|western|julian|hebrew|jewish|islamic|persian|orthodox)(?: calendar| date)?|(?:on|in|according to|per) (?:my |the )?(?:passport|id|id card|identity card|birth certificate|certificate|papers?|driver's licen[cs]e|licen[cs]e|documents?|visa|records)|officially|legally|formally|informally|technically|in reality|in practice|on paper` +
		`|(?:on |during |at )?(?:the )?(?:weekdays?|weekends?|workdays|work days|weeknights)|during the week|in the week|monday (?:to|through) friday|(?:on )?(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)|(?:in |during )?(?:the )?(?:summers?|winters?|spring|autumn|term time|term|semester|holidays|vacations?)` +
		`|(?:for|at|during) work|at home|at school|at university|for fun|by day|by night|at night|during the day|in the (?:mornings?|afternoons?|evenings?)|(?:most|half|part|the rest) of the (?:time|year|week)|half the (?:time|year|week)|sometimes|usually|mostly|professionally|privately|by birth|by marriage|on stage|in (?:english|chinese|mandarin|german|french|spanish|public|private)|(?:with|to|among) (?:my )?(?:friends|family|colleagues)`,
	liking:    `(?:really |absolutely |do )?(?:love|like|enjoy|adore)`,
	disliking: `(?:really |absolutely )?(?:hate|dislike|detest|loathe)|(?:do not|don't|dont|no longer|not|never) (?:really |actually |even )?(?:love|like|enjoy|loved|liked)|(?:can't|cannot|can not) (?:stand|bear)|not a (?:big |huge )?fan of`,
}

// englishAsker are the phrases with which an assistant puts a question, beside the user's.
var englishAsker = map[kind]string{
	thine:    `you|you're|you are|your|yours`,
	asker:    `did|do|does|have|has|had|been|was|were|being|told|tell|said|say|says|mentioned|mention|gave|wrote|noted|earlier|before|previously|recently|originally|once|ago|later|first|last|week|month|year|time|today|yesterday|which|what|when|where|who|should|shall|would|can|could|may|i|i'm|i am|i have|i've|we|me|my|us|know|remember|saved|stored|down|record|records?|profile|memory|notes?|sure|confirm|check|double-check|double check|clarify|quick|question|to|from|for|between|if|whether|or|and|either|not|mean|meant|call|address|refer|no longer|no|different|differently|dates|days|values|answers|help|let|one thing|thing|keep|updated?|correct|correctly|conflict|conflicting|unsure|unclear|there|hello|hi|is it|it|get|got|right|wondering|asking|ask|i'd like|understand|both|live|another|other|still|than|since`,
	changing: `change|changed|changes|switch|switched|moved|become|became|update|updated|different now`,
}
