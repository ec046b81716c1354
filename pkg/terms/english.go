package terms

import "strings"

// englishStop holds English words that say nothing about what a text is about: the usual
// function words, the words that questions are put with, courtesies, and what is said
// about remembering itself. They are compared before stemming and without contractions.
// "May" and "will" are here although they are names: see markNames.
var englishStop = wordSet(`
a an the this that these those such same other another both each every either neither
some any all no none nor not only own few more most much many several enough

i me my mine myself we us our ours ourselves you your yours yourself yourselves u ur
he him his himself she her hers herself it its itself they them their theirs themselves
one ones someone somebody something anyone anybody anything everyone everybody
everything nobody nothing

what which who whom whose when where why how whatever whichever whoever whenever
wherever however whether

am is are was were be been being isnt arent wasnt werent
have has had having havent hasnt hadnt
do does did done doing dont doesnt didnt
can could may might must shall should will would ought cannot cant couldnt shouldnt wont
wouldnt mustnt gonna wanna gotta aint
im ive youre youve theyre weve whats wheres whos hows thats theres lets

and or but if then else because as until while although though since unless so than too
very just also even still yet ever again already almost quite rather really actually
maybe perhaps please now then here there

of at by for with about against between among into through during before after above
below to from up down in out on off over under within without upon onto per via

hi hello hey thanks thank ok okay yes yeah yep please sorry oh hmm well
tell let say said get got give
remember recall remind

etc eg ie vs y'all
`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
