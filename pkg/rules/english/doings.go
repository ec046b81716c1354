package english

import (
	"regexp"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// hobbies are what the user does for pleasure.
var hobbies = topic{name: "hobbies", rules: []rule{
	{name: "hobbies.are", cues: []string{"hobb", "pastime", "free time", "spare time", "for fun"}, key: keyHobbies, take: pastimes,
		pattern: `^my (?:main |favourite |only |new |biggest )*(?:hobby|hobbies|pastime|pastimes|interests)(?: is| are| include|:) (?:now |currently |mostly )*(?P<v>.+)$`},
	{name: "hobbies.free-time", cues: []string{"free time", "spare time", "weekends", "for fun", "hobby", "after work", "relax", "unwind"}, key: keyHobbies, take: pastimes, fronted: true,
		pattern: `^(?:(?:in|during) my (?:free|spare) time|on (?:the )?weekends|for fun|to relax|to unwind|as a hobby|after work),? i (?:usually |mostly |often |like to |love to |enjoy |like |love |really |always )*(?:do |go )?(?P<v>.+)$`},
	{name: "hobbies.free-time-after", cues: []string{"free time", "spare time", "for fun", "as a hobby"}, key: keyHobbies, take: pastimes,
		pattern: `^i (?:do |go |like to |love to )?(?P<v>.+?) (?:in my (?:free|spare) time|for fun|as a hobby)\b`},
	{name: "hobbies.play", cues: []string{"play"}, key: keyHobbies, take: played,
		pattern: `^{i} (?:play|am playing|have played|have been playing|started playing|have started playing|took up playing) (?P<v>.+)$`},
	{name: "hobbies.took-up", cues: []string{"took up", "taken up"}, key: keyHobbies, take: knownPastime,
		pattern: `^{i} (?:took up|have taken up) (?:playing )?(?:the )?(?P<v>[\w -]+?)(?: (?:again|recently|lately|last \w+|this \w+|in \w+))*$`},
	{name: "hobbies.do", cues: []string{"do ", "run ", "practise", "practising", "train"}, key: keyHobbies, take: sports,
		pattern: `^{i} (?:do|run|practise|train|have been doing|have been practising|started doing|started practising|teach myself) (?:a lot of |some )?(?P<v>.+)$`},
	{name: "hobbies.go", cues: []string{"took up", "taken up", "picked up", "started", "have been", "go ", "going", "hik", "climb", "run", "swim", "cycl", "surf", "ski", "danc", "paint", "knit", "garden", "fish", "camp", "sing", "draw", "sew", "bak"}, key: keyHobbies, take: pursuit,
		pattern: `^{i} (?:go|have been|started|have started|took up|have taken up|picked up|have picked up) (?P<v>(?:rock |trail |indoor |mountain |scuba |bird ?|ice |landscape |line |salsa |oil |long[- ]distance |open water |bread )?(?:hiking|climbing|bouldering|running|jogging|swimming|cycling|biking|surfing|skiing|snowboarding|diving|fishing|camping|dancing|painting|knitting|crocheting|gardening|singing|drawing|sewing|baking|kayaking|sailing|skating|birding|birdwatching|watching|rowing|riding|horseback riding|woodworking|pottery|photography|yoga|pilates|calligraphy|blogging|journaling|meditating|boxing|fencing|archery|karate|judo|taekwondo|crossfit|chess|coding))\b`},
	{name: "hobbies.group", cues: []string{" in a", " in the", " in our"}, key: keyHobbies, take: asWorded,
		pattern: `^{i} (?P<v>(?:sing|play|dance|act) in (?:a|an|the|our|my) (?:[\w'-]+ ){0,3}(?:choir|band|orchestra|ensemble|team|league|troupe|group|club|quartet))\b`},
	{name: "hobbies.often", cues: []string{"every", "twice", "once", "times", "a lot", "regularly", "weekends", "most", "daily", "often"}, key: keyHobbies, take: regular,
		pattern: `^{i} (?P<v>swim|run|jog|cycle|hike|paint|knit|draw|sing|dance|surf|ski|climb|garden|bake|meditate|box|row|sail) (?P<mid>(?:\w+ ){0,3}?)(?:every|twice|once|three times|a lot|regularly|on weekends|most|daily|often)\b.*$`},
	{name: "hobbies.spare-job", cues: []string{"spare time", "free time", "as a hobby", "on the side"}, key: keyHobbies, take: fewer(3, one),
		pattern: `^{i} am (?:an? )(?P<v>[\w -]+?) (?:in my (?:spare|free) time|as a hobby|on the side)$`},
	{name: "hobbies.collect", cues: []string{"collect"}, key: keyHobbies, take: fewer(5, one),
		pattern: `^{i} (?P<v>collect (?:[\w-]+ ){0,2}[\w-]+)$`},
	{name: "hobbies.am-a", cues: []string{"runner", "hiker", "cyclist", "gamer", "climber", "swimmer", "skier", "surfer", "photographer", "gardener", "birder", "reader", "diver", "snowboarder", "knitter", "golfer", "jogger", "pianist", "guitarist", "violinist", "cellist", "drummer"}, key: keyHobbies, take: one, weak: true,
		pattern: `^{i} am (?:an? )(?:avid |keen |amateur |hobby |casual |passionate |big |trail |marathon |serious |weekend |enthusiastic )*(?P<v>(?:trail |marathon |rock |bird |ice )?(?:runner|hiker|cyclist|gamer|climber|swimmer|skier|surfer|gardener|birder|reader|diver|snowboarder|knitter|golfer|jogger))$`},
	{name: "hobbies.amateur", cues: []string{"amateur", "avid", "hobby", "keen"}, key: keyHobbies, take: fewer(4, one), weak: true,
		pattern: `^{i} am (?:an? )(?:amateur|avid|hobby|keen) (?P<v>[\w -]+)$`},
	{name: "hobbies.learning", cues: []string{"learning to", "taking"}, kind: memory.KindFact, about: keyHobbies,
		pattern: `^{i} (?:am|have been|started) (?:taking|learning to) (?:(?:up )?\w+ )?(?:lessons|classes|play|cook|dance|swim|drive|sing|knit|sew|draw|paint|code|ski|surf|ride|sail|fly|speak)\b`},
}}

// regular is a pastime said with how often: one also runs a script every night.
func regular(m match) []string {
	if determined.MatchString(m.folded("mid")) {
		return nil
	}
	return one(m)
}

var determined = regexp.MustCompile(`^(?:an?|the|my|our|this|that|these|it|them|some|into|out|errands|tests)\b`)

var toWork = regexp.MustCompile(`^ to (?:work|the office|my office|school)\b`)

// pursuit is a pastime and no way to work.
func pursuit(m match) []string {
	if _, b, ok := m.group("v"); !ok || toWork.MatchString(m.c.body.text[b:]) {
		return nil
	}
	return one(m)
}

// noPlay are what people play that is no pastime.
var noPlay = regexp.MustCompile(`^(?:an? .*|with\b.*|along|around|by ear|it\b.*|devil's advocate|safe|dumb|fair|hard to get|music|the (?:role|part|game|lottery|fool|victim|song|video|same|latest|music|long game|market|demo)\b.*|host|catch.*|nice|god|hooky|possum|that\b.*|this\b.*|second fiddle|to win|no\b.*|them\b.*|your\b.*|on\b.*|in\b.*|for\b.*|at\b.*|as\b.*|too\b.*|against\b.*|by\b.*|nothing\b.*|the (?:audio|file|clip|sound|recording|tape|animation|track|playlist|intro|message|voicemail|next|first|second|last|level|trailer|odds|market|field|blame|villain|hero)\b.*|some (?:music|song).*|my (?:part|role|cards).*)$`)

var playEnds = regexp.MustCompile(`,? (?:with|in|for|at|on|since|every|as|when|but|because|professionally|competitively|really|badly|well|poorly|regularly|again|together|a lot|a bit|once|twice|three times|from|to|while|after|now|too|casually)\b.*$`)

func played(m match) []string {
	a, b, ok := m.group("v")
	if !ok || noPlay.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	if at := playEnds.FindStringIndex(m.c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	var out []string
	for _, v := range m.c.each(a, b) {
		if len(strings.Fields(v)) <= 4 && !noPlay.MatchString(strings.ToLower(v)) {
			out = append(out, v)
		}
	}
	return out
}

var sport = regexp.MustCompile(`^(?:(?:hot|bikram|rock|trail|indoor|olympic|brazilian|power|street|improv|stand-up|ballroom|salsa|landscape|film|street|oil|digital|mountain|road|muay|vinyasa) )?(?:yoga|pilates|karate|judo|jiu[- ]jitsu|bjj|taekwondo|aikido|kung fu|tai chi|muay thai|thai|boxing|kickboxing|fencing|archery|crossfit|gymnastics|ballet|dance|dancing|meditation|mindfulness|climbing|bouldering|photography|woodworking|carpentry|pottery|ceramics|calligraphy|origami|martial arts|triathlons?|marathons?|weightlifting|powerlifting|bodybuilding|parkour|athletics|improv|comedy|theat(?:re|er)|painting|watercolou?rs?|crossword(?: puzzle)?s?|puzzles|sudoku|gardening|embroidery|crochet|knitting|astronomy|cosplay|volunteer work|scuba diving|mma|capoeira|(?:half |ultra)?marathons|the piano|the guitar|the violin|piano|guitar|violin|drums)\b`)

func sports(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	var out []string
	for _, item := range m.c.items(a, b) {
		if at := sport.FindStringIndex(m.c.body.text[item[0]:item[1]]); at != nil {
			if v, ok := m.c.value(item[0], item[0]+at[1]); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

var noPastime = regexp.MustCompile(`^(?:am|was|have|cannot|do not|did|would|will|could|should|want|need|think|just|not|nothing|none|everything|(?:also )?(?:work|live|stay)|that|this|it|sometimes)\b|\bto (?:work|the office|my office)$`)

func pastimes(m match) []string {
	a, b, ok := m.group("v")
	if !ok || noPastime.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	var out []string
	for _, v := range fewer(6, each)(m) {
		out = append(out, v[len(playing.FindString(v)):])
	}
	return out
}

var playing = regexp.MustCompile(`^(?i:play(?:ing)? (?:the )?)`)

// kin are the days of the user's family: free, since the keys are the user's own.
var kin = topic{name: "kin", rules: []rule{
	{name: "kin.birthday", cues: []string{"birthday", "anniversary", "born"}, build: undated(keyFamily),
		pattern: `^(?:my ` + modifiers + `(?:` + familyRole + `|` + partnerRole + `|best friend|friend|dog|cat)(?: [\w'-]+)?(?:'s|s')? birthday is|my ` + modifiers + `(?:` + familyRole + `|` + partnerRole + `)(?: [\w'-]+)? was born|(?:my|our) (?:wedding )?anniversary is) (?:on |in )?` + dayName + `.*$`},
}}

// undated builds a free memory about key whose date is its content and not its time.
func undated(key memory.Key) func(match) []memory.Candidate {
	return func(m match) []memory.Candidate {
		c := m.candidate("", "")
		c.About = key
		return []memory.Candidate{c}
	}
}

// studies are what the user learns, researches, prepares or builds: free memories.
var studies = topic{name: "studies", rules: []rule{
	{name: "studies.study", cues: []string{"study", "major", "degree", "phd", "master", "bachelor", "thesis", "studying"}, take: something,
		pattern: `^{i} (?:study|am studying|are studying|major in|am majoring in|minor in|have been studying|am doing (?:a|my) (?:phd|master's|masters|bachelor's|degree|postdoc|mba)|am doing (?:a|my) (?:\w+ )?(?:degree|thesis)|am getting (?:a|my) (?:phd|master's|masters|degree|mba)|am pursuing (?:a|my)|am working on (?:a|my) (?:phd|thesis|dissertation|master's|degree)|am writing (?:a|my) (?:thesis|dissertation)|have (?:got )?(?:a|an|my) (?:phd|master's|masters|bachelor's|degree|mba|doctorate)|started (?:a|my) (?:phd|master's|masters|degree|mba)|am in (?:my )?(?:first|second|third|fourth|final|last) year|am a (?:freshman|sophomore|undergrad|phd student|grad student|graduate student|phd candidate|student)) ?(?P<v>.*)$`},
	{name: "studies.learn", cues: []string{"learn", "teaching myself"}, take: something,
		pattern: `^{i} (?:am|are|have been|started|have started|began) (?:trying to learn|learning|to learn|teaching myself) (?P<v>.+)$`},
	{name: "studies.course", cues: []string{"course", "class", "bootcamp", "program", "lessons"}, take: something,
		pattern: `^{i} (?:am|have|have been|just|have just)? ?(?:taking|doing|started|enrolled in|signed up for|attending) (?P<v>(?:a|an|my|evening|online) (?:[\w-]+ ){0,3}(?:course|class|classes|bootcamp|programme|program|lessons)\b.*)$`},
	{name: "studies.research", cues: []string{"research"}, take: something,
		pattern: `^(?:{i} (?:research|am researching|do research (?:on|in|into)|am doing research (?:on|in|into)|have been researching)|my (?:phd|doctoral|postdoc|current |main )*(?:research|thesis|dissertation|phd) (?:is (?:on|about|in|focused on)|focuses on|focusses on|concerns|deals with)) (?P<v>.+)$`},
	{name: "studies.prepare", cues: []string{"prepar", "train", "studying for", "practising", "revising", "cramming"}, take: something,
		pattern: `^{i} (?:am|are|have been|started) (?:preparing|prepping|training|studying|practising|revising|cramming|getting ready|in training) (?:for|to run|to become) (?P<v>.+)$`},
	{name: "studies.make", cues: []string{"writing", "building", "working on", "launching", "saving", "renovating", "planning", "organising", "organizing", "developing", "running", "restoring", "trying to", "starting"}, take: something,
		pattern: `^{i} (?:am|are|have been|started) (?:(?:writing|building|working on|launching|developing|designing|restoring|recording|making|composing|starting|setting up) (?:a|an|my|our|my own|our own) (?:\w+ ){0,3}(?:novel|book|memoir|blog|startup|start-up|game|album|house|boat|cabin|phd|podcast|business|company|film|documentary|screenplay|robot|app|non-profit|nonprofit|newsletter|compiler|synth|side project|open[- ]source project|music|collection|cookbook)|saving (?:up )?(?:for|to buy)|renovating|planning (?:a|an|my|our) (?:\w+ ){0,2}(?:wedding|trip|holiday|vacation|move|honeymoon|party|reunion|tour|road trip|conference)|organi[sz]ing (?:a|an|my|our) (?:[\w-]+ ){0,3}(?:wedding|party|conference|event|festival|trip|reunion|workshop|meetup|exhibition|tournament|fundraiser|concert|retreat|hackathon|summit|race)|trying to (?:lose weight|lose|quit|give up|stop|get pregnant|conceive|gain|cut down|learn|improve my|eat less|eat more|save)) ?(?P<v>.*)$`},
	{name: "studies.volunteer", cues: []string{"volunteer", "mentor", "coach"}, take: something,
		pattern: `^{i} (?:volunteer|am volunteering|mentor|coach) (?P<v>(?:at|with|for|as|in|a|my|the|kids|students) .+)$`},
	{name: "traits.not", cues: []string{"smoke", "drink"}, about: keyHealth, take: nil,
		pattern: `^i (?:do not|never|have never) (?:smoked?|drink(?: alcohol)?|drank(?: alcohol)?)(?: at all| any ?more)?$`},
	{name: "belongings", cues: []string{"drive", "own", "use", "have"}, take: something,
		pattern: `^{i} (?:(?:drive|own|have bought|have) (?P<v>an? (?:\w+ ){0,3}(?:tesla|toyota|honda|bmw|audi|ford|volvo|subaru|motorcycle|motorbike|boat|house|flat|apartment|cabin|farm|garden|electric car|car|van|truck|piano|twin)))$`},
	{name: "traits", cues: []string{"morning person", "night owl", "early bird", "introvert", "extrovert", "left-handed", "left handed", "religious", "muslim", "christian", "jewish", "hindu", "buddhist", "atheist", "gay", "lesbian", "bisexual", "non-binary", "nonbinary", "transgender", "homeowner", "teetotal", "single parent", "single mom", "single dad", "sober", "clean"}, take: nil,
		pattern: `^{i} (?:am|have been|have always been) (?:an? )?(?:devout |practising |total |big |real )*(?:morning person|night owl|early bird|introvert(?:ed)?|extrovert(?:ed)?|left-handed|left handed|religious|muslim|christian|catholic|jewish|hindu|buddhist|atheist|gay|lesbian|bisexual|non-binary|nonbinary|transgender|homeowner|teetotal(?:er|ler)?|single (?:parent|mom|mum|dad|mother|father)|sober|clean)(?: (?:for|since) .*)?$`},
}}

func something(m match) []string {
	v := strings.TrimSpace(m.folded("v"))
	if noThing.MatchString(v) {
		return nil
	}
	return []string{v}
}

var noThing = regexp.MustCompile(`^(?:hard|late|alone|here|a bit|at night|every \w+|best|better|later\b.*|(?:it|this|that|these|those)(?: .*)?|how|(?:what|why|whether|if|which|who|when|where)\b.*|how (?:this|it|that|the|your|you)\b.*|your|you|a lot\b.*|so much\b.*|more|something|anything|now|about you|from (?:you|this|that|it)\b.*|(?:the|this|that|your) (?:code|bug|issue|problem|answer|file|document|docs|documentation|text|question|options|menu|map|manual|instructions|photo|picture|image|screen|logs?|diagram|schedule|table|results|data|contract|paper|error|message|output|example|examples|list|page|screenshot|graph|chart|stack trace|report|email|ropes)\b.*|to (?:fix|debug|solve|understand|figure)\b.*)$`)

// doings are notable things that the user did: free memories with the date they name.
var doings = topic{name: "doings", rules: []rule{
	{name: "doings.go", cues: []string{"went", "travel", "flew", "visit", "been to", "trip", "hiked", "attended", "toured", "climbed", "back", "spent "}, build: journey,
		pattern: `^{i} (?:have )?(?:went (?:(?:hiking|camping|skiing|snowboarding|sailing|diving|snorkell?ing|surfing|climbing|backpacking|kayaking|cycling|fishing|trekking|rafting) (?:in|on|at|to|around|through|near|along|off|across)|on (?:a|an|my|our) (?:\w+ )*(?:trip|holiday|vacation|honeymoon|cruise|tour|retreat|pilgrimage|safari|road trip|hike)(?: to| in| through| around| across)?|back to|down to|up to|over to|to see|to)|travelled (?:to|around|through|across)|flew (?:back )?to|visited|toured|climbed|hiked|attended|got back from|came back from|returned from|have been to|been to|took (?:a|the|my \w+ on a) (?:trip|holiday|vacation) to|spent ` + whileAway + ` in(?: ` + month + `(?: \d{4})? in)?) (?P<v>.+)$`},
	{name: "doings.was-in", cues: []string{"was in ", "were in "}, build: sojourn,
		pattern: `^{i} (?:was|were) (?:back |over |out |up |down )?in (?P<v>.+)$`},
	{name: "doings.finish", cues: []string{"ran ", "finished", "completed", "graduat", "passed", "failed", "aced", "nailed", "took ", "dropped out", "won ", "earned", "published", "defended", "submitted", "launched", "performed", "gave a", "retired", "got my", "got into", "got a", "received", "founded", "started", "wrote", "learned", "quit ", "gave up", "stopped"}, take: notable,
		pattern: `^{i} (?:have )?(?:(?:ran|finished|completed|did) (?:a|an|my|the|our)(?: \w+)* (?P<v>(?:marathon|half[- ]marathon|ultramarathon|triathlon|ironman|race|\d+k|degree|phd|thesis|dissertation|master's|masters|mba|bootcamp|course|training|certification|novel|book|residency|internship|treatment|chemo|apprenticeship|trail|camino|project|house|renovation)\b.*)|(?P<x>graduated)(?: .*)?|(?P<q>retired)(?:$| (?:in|from|at|last|this|early|two|three|after|recently|a|\d+)\b.*)|(?:passed|failed|took|aced|nailed) (?:the|my|an?)(?: [\w-]+)* (?P<y>(?:exam|test|interview|bar|certification|finals|driving test|boards|cpa|ielts|toefl|gre|gmat|lsat|jlpt|delf|orals)\b.*)|(?P<z>(?:won|earned|published|defended|launched|received) (?:(?:a|an|my|our|first|second|third) .+|the (?:[\w-]+ )*(?:prize|award|championship|competition|lottery|tournament|cup|medal|title|election|contest|race)\b.*))|got (?:into|accepted to|accepted by|admitted to) (?P<s>(?:the |an? )?(?:university|college|grad school|medical school|law school|art school|harvard|yale|stanford|mit|oxford|cambridge|princeton|columbia|berkeley|caltech|eth|ucla|nyu)\b.*)|got my (?P<t>(?:\w+ ){0,3}(?:license|licence|degree|phd|citizenship|green card|visa|certificate|certification|black belt|diploma|results)\b.*)|(?P<r>dropped out of .+)|(?P<u>(?:quit|gave up|stopped) (?:smoking|drinking|vaping|gambling)\b.*))$`},
	{name: "doings.life", cues: []string{"bought", "sold", "married", "engaged", "divorced", "promoted", "laid off", "surgery", "operation", "broke", "hospital", "accident", "born", "had ", "gave birth", "adopted", "got ", "lost", "inherited", "emigrated", "immigrated", "became", "turned", "caught", "survived", "was in"}, take: event,
		pattern: `^{i} (?:have )?(?:(?:bought|sold|inherited|built|rented|leased|crashed) (?:a|an|our|my|the|another)(?: [\w-]+){0,3} ` + possession + `\b.*|(?:got|was|were|have been) (?:married|engaged|divorced|promoted|laid off|fired|hospitali[sz]ed|vaccinated|robbed|accepted (?:to|into|at|by)|baptised|baptized|naturalised|elected)\b.*|(?:had|underwent) (?:a |an |my |some )?(?:\w+ )*(?:surgery|operation|stroke|heart attack|miscarriage|transplant|c-section|car accident|accident|knee replacement|hip replacement|concussion|root canal)\b.*|(?:broke|fractured|sprained|tore|injured|dislocated) (?:my|both my) (?:left |right |lower |upper |big |little |middle )*` + limb + `\b.*|(?:emigrated|immigrated) .+|was in (?:a|an) (?:\w+ )?(?:accident|crash|car accident)\b.*|survived .+|gave birth\b.*|had (?:my|a|both|two) .+ (?:removed|replaced|amputated)\b.*|became (?:a|an|the) (?:\w+ )?(?:dad|mom|mum|father|mother|parent|grandparent|grandmother|grandfather|grandma|grandpa|uncle|aunt|citizen|homeowner)\b.*)$`},
	{name: "doings.lived", cues: []string{"lived", "worked", "studied", "used to", "grew up", "served"}, take: nil,
		pattern: `^{i} (?:lived|worked|studied|served|taught|interned|volunteered) (?:\w+ )?(?:in|at|for|as|with) .+ (?:for|from|in|until|during|between|when|back in) .+$`},
	{name: "doings.worked", cues: []string{"worked", "lived", "studied", "taught", "served", "volunteered"}, take: longAgo,
		pattern: `^{i} (?:lived|worked|studied|served|taught|interned|volunteered) (?:\w+ )?(?:in|at|for|as|with|on) .+$`},
	{name: "doings.dated", cues: []string{"attended", "joined", "signed up", "enrolled", "registered", "took part", "participated", "competed", "performed", "spoke at", "presented at", "gave a", "saw ", "finished reading", "read ", "met ", "painted", "planted", "knitted", "sewed", "sculpted", "recorded", "hosted", "celebrated", "volunteered", "donated", "opened", "organi", "started a", "began a", "ran a", "ran the", "ran in", "took my", "took our", "went to a", "went to the", "went to an"}, take: dated,
		pattern: `^{i} (?:have )?(?:(?:attended|joined|signed up for|enrolled in|registered for|took part in|participated in|competed in|performed at|performed in|spoke at|presented at) (?:a|an|the|my|our|two|three|another|[\w-]+ (?:class|course|race))\b.+|gave (?:a|my|the) .*(?:talk|speech|presentation|concert|lecture|recital|keynote)\b.*|saw .+ (?:live|in concert|perform|play live)\b.*|finished reading .+|met my (?:hero|idol|girlfriend|boyfriend|wife|husband|partner|future|birth)\b.*|(?:painted|planted|knitted|sewed|sculpted|recorded|hosted|organi[sz]ed|celebrated|opened|crocheted) (?:a|an|my|our|the) (?:[\w'-]+ ?)+|volunteered (?:at|with|for) .+|donated .+|(?:started|began) (?:a|an|my|our) (?:[\w-]+ ){0,3}(?:class|course|blog|band|business|podcast|diet|garden|book club|club|apprenticeship|internship|phd|degree|program|programme)\b.*|ran (?:in )?(?:a|the|my) (?:[\w'-]+ ){0,3}(?:race|marathon|10k|5k|half|relay)\b.*|took (?:my|our) (?:kids|children|family|son|daughter|mom|mum|dad|parents|wife|husband|partner|girlfriend|boyfriend|dog) to .+|went to (?:a|an|the) (?:[\w&'+-]+ )*(?:support group|group|conference|workshop|parade|rally|protest|festival|seminar|show|fair|class|reunion|pride event)\b.*)$`},
	{name: "doings.studied", cues: []string{"studied", "majored"}, take: nil,
		pattern: `^{i} (?:studied|majored in|read) .+ (?:at|in|college|university)\b.*$`},
}}

var (
	noJourney = regexp.MustCompile(`^(?:the |my |a |our |an )?(?:get|buy|pick|grab|do|make|check|find|look|fetch|kitchen|bed|store|shop|shops|gym|bathroom|toilet|sleep|lunch|dinner|breakfast|work|office|supermarket|mall|grocery store|market|bank|post office|park|door|school|class|town|sleep|loo|pub|bar|beach|doctor|dentist|movies|cinema|page|site|website|link|url|settings|trouble|hell|great|waste|war|court|church|meeting|garage|garden|corner|point|next|other|same|pharmacy|library|pool|url|docs|documentation|time|hours|night|morning|day|weekend|place|house|place|friend's|all|your|his|her|their|it|there|that|this|see|him|bottom|top|end|trial|bath|gas station|barber|hairdresser|atm)\b`)
	occasion  = regexp.MustCompile(`\b(?:concert|wedding|funeral|conference|festival|museum|hospital|exhibition|reunion|game|match|opera|ballet|retreat|workshop|summit|zoo|aquarium|party|show|graduation|meetup|camp|rehab|emergency room|er|convention|parade|seminar|ceremony|coast|mountains|alps|island|seaside)\b`)
)

// journey builds a visit to a proper place or a notable occasion.
func journey(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	s := m.c.body.text[a:b]
	proper := m.c.capital(a) || strings.HasPrefix(s, "the ") && m.c.capital(a+4) || strings.HasPrefix(s, "my ") && m.c.capital(a+3)
	trip := strings.Contains(m.c.body.text[:a], "trip") || strings.Contains(m.c.body.text[:a], "holiday") || strings.Contains(m.c.body.text[:a], "vacation") || strings.Contains(m.c.body.text[:a], "honeymoon")
	if strings.Contains(m.c.body.text[:a], "spent ") && (!proper || !m.onMap(a, b)) {
		return nil
	}
	if sporting.MatchString(m.c.body.text[:a]) && proper {
		return m.free()
	}
	_, dated := m.c.when(past)
	lower := dated && !noJourney.MatchString(s) && !strings.HasPrefix(s, "the ") && !strings.HasPrefix(s, "a ")
	relation := visited.MatchString(s)
	switch {
	case noJourney.MatchString(s) && !m.c.capital(a):
		return nil
	case proper, trip, occasion.MatchString(s), lower, relation:
		return m.free()
	}
	return nil
}

// whileAway is a time long enough to be somewhere.
const whileAway = `(?:[\w']+ ){0,4}?(?:days|weeks?|(?:long )?weekend|months?|years?|spring|summer|autumn|fall|winter|holidays?|vacation|christmas|easter|new year's(?: eve)?|thanksgiving|honeymoon|semester|nights|sabbatical)(?: (?:of )?\d{4})?`

// sojourn builds a stay at a proper place at a time that is over.
func sojourn(m match) []memory.Candidate {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	s := m.c.body.text[a:b]
	_, dated := m.c.when(past)
	switch {
	case !dated || today.MatchString(m.c.body.text):
		return nil
	case inpatient.MatchString(s):
		return m.free()
	case m.c.capital(a) || strings.HasPrefix(s, "the ") && m.c.capital(a+len("the ")):
		if m.onMap(a, b) {
			return m.free()
		}
	}
	return nil
}

// onMap reports whether the name that body[a:b] begins with may be that of a place, and not
// of a program, a department, a class or somebody's something.
func (m match) onMap(a, b int) bool {
	s := strings.TrimPrefix(m.c.body.text[a:b], "the ")
	a = b - len(s)
	first := strings.TrimRight(strings.Fields(s)[0], ",.!")
	said := m.c.words(a, a+len(first))
	shouted := len(first) > 1 && said == strings.ToUpper(said)
	return !noDestination.MatchString(s) && (!noPlace.MatchString(first) || newTown.MatchString(s)) && !indoors.MatchString(s) &&
		!strings.HasSuffix(first, "'s") && (!shouted || initialled.MatchString(first))
}

var (
	inpatient  = regexp.MustCompile(`^(?:the )?hospital(?:$| (?:in|for|with|last|this|two|three|a|because|after|from|on)\b)`)
	today      = regexp.MustCompile(`\b(?:today|this morning|this afternoon|tonight|an? (?:hour|minute)s? ago|earlier)\b`)
	initialled = regexp.MustCompile(`^(?:us|usa|uk|uae|nyc|la|dc|sf|nz|hk)$`)
	// indoors are names with a capital in which one is without being anywhere.
	indoors = regexp.MustCompile(`^(?:excel|word|powerpoint|photoshop|illustrator|figma|canva|salesforce|sap|trello|asana|miro|confluence|sheets|google (?:docs|sheets|drive|meet|analytics)|blender|autocad|matlab|minecraft|fortnite|roblox|skyrim|vr|grade|year|class|room|gate|terminal|building|seat|row|lane|aisle|line|group|team|phase|stage|zone|section|floor|block|ward|icu|ikea|therapy|trouble|shock|tears|agony|jenkins|court|office|parliament|congress|latin|english|french|german|math|maths|biology|chemistry|physics|history|covid|lockdown|quarantine)\b|^\S+(?: \S+)? (?:meeting|call|standup|class|traffic|mode|channel|chat|thread|review|planning|retro|retrospective|sync|interview)\b`)
)

var sporting = regexp.MustCompile(`^i (?:have )?went \w+ing `)

var visited = regexp.MustCompile(`^my ` + modifiers + `(?:` + familyRole + `|` + partnerRole + `)`)

// possession is what one does not buy every day.
const possession = `(?:house|flat|apartment|condo|car|home|farm|cabin|boat|yacht|motorcycle|motorbike|bike|bicycle|e-bike|scooter|piano|guitar|violin|cello|drum kit|synth|telescope|camera|laptop|computer|tent|kayak|canoe|surfboard|land|plot|van|cottage|camper|campervan|caravan|rv|truck|suv|horse|shop|restaurant|business|company|tesla|volvo|toyota|honda|bmw|audi|ford|subaru|mazda|nissan|volkswagen|vw|kia|hyundai|mercedes|porsche|renault|peugeot|fiat|skoda|jeep|vespa|harley)`

const limb = `(?:arms?|legs?|wrists?|ankles?|foot|feet|toes?|fingers?|hands?|nose|ribs?|collarbone|hips?|elbows?|shoulders?|jaw|back|spine|knees?|tooth|teeth|achilles|acl|meniscus|ligaments?|hamstring|thumbs?|neck|skull|pelvis|femur|tibia|shin|rotator cuff|calf)`

// dated takes a doing that names its day, or a longer time, and is no chore of the moment.
func dated(m match) []string {
	if _, ok := m.c.when(past); !ok || chore.MatchString(m.c.body.text) {
		return nil
	}
	return []string{m.c.body.text}
}

var chore = regexp.MustCompile(`\b(?:today|this morning|this afternoon|tonight|an hour ago|(?:meeting|call|zoom|standup|stand-up|ticket|pull request|repo|server|channel|slack|discord|file|newsletter|bug|website|app|account|trial|tab|window|link|email|document)s?\b)`)

// longAgo takes what is said of a month or a longer time: yesterday's work is no past.
func longAgo(m match) []string {
	span, ok := m.c.when(past)
	if !ok || span.End.Sub(span.Start) < 27*24*time.Hour || chore.MatchString(m.c.body.text) {
		return nil
	}
	return []string{m.c.body.text}
}

// event takes a turn in life; one is also engaged in a debate, and married to an idea.
func event(m match) []string {
	if noEvent.MatchString(m.c.body.text) {
		return nil
	}
	return []string{m.c.body.text}
}

var noEvent = regexp.MustCompile(`\bengaged in (?:an?|the|some|this|that|it)\b|\bengaged with\b|\bmarried to (?:the|my|this|that|it)\b`)

func notable(m match) []string { return []string{m.c.body.text} }
