package english

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
)

// occupation is what the user does for a living.
var occupation = topic{name: "occupation", rules: []rule{
	{name: "job.work-as", cues: []string{"work"}, key: keyOccupation, take: jobAs,
		pattern: `^{i} (?:work|am working|have worked|have been working) (?:[\w-]+ ){0,3}?(?:(?:at|for|in) .+ )?as (?P<v>.+)$`},
	{name: "job.started-as", cues: []string{"as ", "became", "become", "job", "promoted", "switched", "retrained", "position", "role"}, key: keyOccupation, take: jobAs, changes: true,
		pattern: `^{i} (?:have )?(?:(?:started|began|begun) (?:out )?(?:working|work|a (?:new )?(?:job|role|position)|a new career|a career|my (?:new )?job)? ?(?:at .+ )?as|(?:got|landed|took|accepted|found|have got|have) (?:a|my|the) (?:new )?(?:job|role|position|gig) (?:at .+ |with .+ )?as|became|become|got (?:promoted|hired) (?:to|as)|(?:was|have been) (?:promoted|hired) (?:to|as)|(?:switched|changed) (?:careers |jobs )?to (?:being |working as )?|retrained (?:as|to be)|qualified as) (?P<v>.+)$`},
	{name: "job.am-now", cues: []string{"now", "no longer"}, key: keyOccupation, take: job, changes: true,
		pattern: `^{i} am (?:now|currently) (?:an? )(?P<v>.+)$`},
	{name: "job.am", cues: []string{"am ", "are ", "been "}, key: keyOccupation, take: job,
		pattern: `^{i} (?:am|have been) (?:working as )?(?:an? |the )(?P<v>.+)$`},
	{name: "job.am-bare", cues: []string{"am "}, key: keyOccupation, take: fewer(3, one),
		pattern: `^{i} am (?P<v>retired|unemployed|self-employed|self employed|between jobs|out of work|a stay-at-home (?:mom|mum|dad|parent)|freelance|freelancing)\b`},
	{name: "job.am-title", cues: []string{"am "}, key: keyOccupation, take: job,
		pattern: `^{i} am (?:now )?(?P<v>c[efto]o|head (?:chef|nurse|coach|teacher|of [\w ]+?)|team lead(?:er)?|(?:senior|lead|principal|staff|chief|junior|assistant|deputy) [\w -]+?) (?:at|for|with) .+$`},
	{name: "job.my-job-is", cues: []string{"job", "profession", "occupation", "work is", "role is", "title"}, key: keyOccupation, take: job,
		pattern: `^my (?:current |new |day |job )*(?:job|profession|occupation|work|role|title) is (?:now )?(?:being |working as |as )?(?:an? )?(?P<v>.+)$`},
	{name: "job.my-job-doing", cues: []string{"job is", "work is"}, key: keyOccupation, take: jobDoing,
		pattern: `^my (?:current |day )*(?:job|work) is (?:mostly |mainly )?(?P<v>\w+ing .+)$`},
	{name: "job.as-a", cues: []string{"as a", "being a"}, key: keyOccupation, take: job, weak: true,
		pattern: `^(?:as|being) (?:an? )(?P<v>.+?)(?:,? i .*)?$`},
	{name: "job.here", cues: []string{" here"}, key: keyOccupation, take: job, weak: true,
		pattern: `^(?:an? )?(?P<v>[\w -]+) here$`},
	{name: "job.by-trade", cues: []string{"by trade", "by profession", "for a living"}, key: keyOccupation, take: one,
		pattern: `^{i} (?:am (?:an? )?(?P<v>.+) by (?:trade|profession)|(?P<w>.+) for a living)$`, build: byTrade},
	{name: "job.teach", cues: []string{"teach"}, key: keyOccupation, take: taught,
		pattern: `^{i} (?P<v>teach \w+(?: \w+){0,2}?)(?: (?:at|in|to|for) .+)?$`},
	{name: "job.own", cues: []string{"run", "own"}, key: keyOccupation, take: one,
		pattern: `^{i} (?P<v>(?:run|own)(?: and (?:run|own))? (?:a|an|my own) (?:\w+ ){0,2}(?:business|company|shop|store|restaurant|cafe|bakery|agency|studio|startup|firm|bar|hotel|farm|salon|practise|school|gym|bookshop|bookstore|brewery|clinic|pharmacy))\b`},
	{name: "job.field", cues: []string{"work in"}, key: keyOccupation, take: one, weak: true,
		pattern: `^{i} (?:work|am working) in (?P<v>(?:\w+ )?(?:finance|marketing|sales|tech|it|hr|healthcare|health care|education|logistics|construction|consulting|retail|hospitality|insurance|real estate|advertising|publishing|academia|biotech|pharma|banking|journalism|cybersecurity|software|accounting|engineering|law|media|agriculture|tourism|manufacturing|aerospace|research|public health|customer service|customer support|design))\b`},
	{name: "job.am-in-field", cues: []string{"am in "}, key: keyOccupation, take: one, weak: true,
		pattern: `^{i} am in (?P<v>marketing|finance|sales|tech|hr|consulting|real estate|insurance|advertising|banking|publishing|construction|logistics|hospitality)$`},
}}

// employer is for whom the user works.
var employer = topic{name: "employer", rules: []rule{
	{name: "employer.called", cues: []string{"work"}, key: keyEmployer, take: properFirm,
		pattern: `^{i} (?:work|am working|have been working) (?:at|for|with) ` + firmCalled + `(?P<v>.+)$`},
	{name: "employer.work-at", cues: []string{"work", "employed"}, key: keyEmployer, take: firm,
		pattern: `^{i} (?:work|am working|am employed|have worked|have been working|am currently working) (?:(?:full|part)[- ]time |remotely |nights |weekends )*(?:as (?:an? |the )?[^,]+? )?(?:on .+ )?(?:at|for|by) (?P<v>.+)$`},
	{name: "employer.work-with", cues: []string{"work"}, key: keyEmployer, take: properFirm, weak: true,
		pattern: `^{i} (?:work|am working) with (?P<v>.+)$`},
	{name: "employer.job-at", cues: []string{" at ", " for ", " with "}, key: keyEmployer, take: jobFirm,
		pattern: `^{i} (?:am|became|have been) (?:(?:an? |the )?)(?P<job>[^,]+?) (?:working )?(?:at|for|with) (?P<v>.+)$`},
	{name: "employer.started-at", cues: []string{"started", "job at", "job with", "hired", "offer from", "position at", "role at"}, key: keyEmployer, take: firm, changes: true,
		pattern: `^{i} (?:have )?(?:(?:started|began) (?:working |work |a (?:new )?(?:job|role|position) |my new job |out )?(?:as .+ )?(?:at|for|with)|(?:got|landed|took|accepted|found|have|have got) (?:a|my|the) (?:new |dream )*(?:job|role|position|gig) (?:as .+ )?(?:at|with)|(?:got|was|have been) (?:hired|recruited) (?:by|at)|accepted an offer from|signed with) (?P<v>.+)$`},
	{name: "employer.left-for", cues: []string{" for ", "moved from", "switched"}, key: keyEmployer, take: properFirm, changes: true,
		pattern: `^{i} (?:have )?(?:(?:left|quit) .+ (?:for|to work (?:at|for)|to join)|switched from .+ to) (?P<v>.+)$`},
	{name: "employer.joined-called", cues: []string{"joined", "work", "started", "job"}, key: keyEmployer, take: properFirm, changes: true,
		pattern: `^{i} (?:have )?(?:just |recently )?(?:joined|started (?:working )?(?:at|for|with)|started a (?:new )?job (?:at|with)) ` + firmCalled + `(?P<v>.+)$`},
	{name: "employer.joined", cues: []string{"joined"}, key: keyEmployer, take: properFirm, changes: true,
		pattern: `^{i} (?:have )?joined (?P<v>.+)$`},
	{name: "employer.new-job-at", cues: []string{"job at"}, key: keyEmployer, take: firm, changes: true,
		pattern: `^{i} .+ for (?:my|a) (?:new )?job (?:at|with) (?P<v>.+)$`},
	{name: "employer.am-at", cues: []string{"am at", "am with", "am now"}, key: keyEmployer, take: announcedFirm, changes: true,
		pattern: `^i am (?:now )?(?:at|with) (?P<v>.+)$`},
	{name: "employer.is", cues: []string{"employer", "company"}, key: keyEmployer, take: firm,
		pattern: `^(?:my (?:current |new )?(?:employer|company)|the company i work for) is (?:now )?(?:called )?(?P<v>.+)$`},
	{name: "employer.founded", cues: []string{"founded", "founder", "ceo", "cto"}, key: keyEmployer, take: properFirm,
		pattern: `^{i} (?:(?:founded|co-founded)|am (?:the |a )?(?:co-founder|founder|ceo|cto|owner)(?: and \w+)? (?:of|at)) (?P<v>.+)$`},
}}

// firmCalled stands before the name of a firm: "a small startup called Lumo".
const firmCalled = `an? (?:[\w-]+ ){0,3}(?:startup|start-up|company|firm|agency|studio|bank|lab|clinic|consultancy|publisher|charity|non-profit|nonprofit|ngo|school|hospital|shop|restaurant) (?:called|named) `

// riding are ways to work as doings.
const riding = `(?:cycling|biking|walking|driving|running|carpooling|commuting|taking the [\w ]+?|riding (?:my|the) [\w ]+?)`

// commute is how the user gets to work.
var commute = topic{name: "commute", rules: []rule{
	{name: "commute.take", cues: []string{"to work", "to the office", "to my office"}, key: keyCommute, take: one,
		pattern: `^{i} (?:take|ride|catch|use|go by|travel by|get|commute by|am taking) (?P<v>.+?) to (?:work|the office|my office|get to work|my job)\b`},
	{name: "commute.move", cues: []string{"to work", "to the office"}, key: keyCommute, take: one,
		pattern: `^{i} (?P<v>walk|bike|cycle|drive|run|skate|scooter|carpool|bus)(?: (?:\w+ ){0,3})to (?:work|the office|my office)\b`},
	{name: "commute.switched", cues: []string{"switched", "changed", "went from"}, key: keyCommute, take: one, changes: true,
		pattern: `^{i} (?:have )?(?:switched|changed|went) from .+? to (?P<v>(?:cycling|biking|walking|driving|running|carpooling|taking the [\w ]+?|(?:the |my )?` + vehicle + `))(?: to (?:work|the office|my office)| for (?:my commute|commuting|getting to work))$`},
	{name: "commute.instead", cues: []string{"take", "ride", "catch", "use", "walk", "bike", "cycle", "drive", "run", "carpool"}, key: keyCommute, take: rideInstead, changes: true,
		pattern: `^{i} (?:(?:take|ride|catch|use) (?:the|my|a) (?P<v>(?:\w+ )?` + vehicle + `)|(?P<w>walk|bike|cycle|drive|run|carpool))(?: there| instead| now| these days)*$`},
	{name: "commute.takes-me", cues: []string{"takes me"}, key: keyCommute, take: fewer(10, one),
		pattern: `^it (?:usually |normally |always )?takes me (?:about |around |roughly )?(?P<v>.+ to (?:get|drive|walk|cycle|bike|commute|travel) to (?:work|the office|my office)\b.*)$`},
	{name: "commute.started", cues: []string{"started", "switched"}, key: keyCommute, take: one, changes: true,
		pattern: `^{i} (?:started|have started|switched to) (?P<v>` + riding + `) to (?:work|the office|my office)\b`},
	{name: "commute.been", cues: []string{"to work", "to the office"}, key: keyCommute, take: one,
		pattern: `^{i} have been (?P<v>` + riding + `) to (?:work|the office|my office)\b`},
	{name: "commute.get", cues: []string{"to work", "to the office"}, key: keyCommute, take: one,
		pattern: `^{i} (?:get|go|travel|come|commute) to (?:work|the office|my office) (?:by|on|using|with|via) (?P<v>.+)$`},
	{name: "commute.commute", cues: []string{"commute"}, key: keyCommute, take: one,
		pattern: `^{i} commute (?:to work |daily |every day |there )*(?:by|on|via|using|with|from|to) (?P<v>.+)$`},
	{name: "commute.is", cues: []string{"commute"}, key: keyCommute, take: ride,
		pattern: `^my (?:daily |morning |usual )*commute (?:to work )?(?:is|takes) (?:usually |about |around |now |mostly |roughly )*(?:by |on )?(?P<v>.+)$`},
}}

var means = regexp.MustCompile(`\d|\b(?:hours?|minutes?|mins?|train|bus|subway|metro|car|bike|bicycle|foot|walk|tram|ferry|underground|tube|drive|miles|km|scooter|short|long)\b`)

const vehicle = `(?:train|bus|subway|metro|car|bike|bicycle|e-bike|tram|ferry|underground|tube|scooter|motorbike|motorcycle|light rail)`

// rideInstead is the new way to work behind the one given up in the clause before.
func rideInstead(m match) []string {
	if m.c.before == nil || !formerRide.MatchString(m.c.before.body.text) {
		return nil
	}
	return []string{m.said("v") + m.said("w")}
}

var formerRide = regexp.MustCompile(`^i (?:used to|do not|no longer|stopped|have stopped|quit|gave up) .*\bto (?:work|the office|my office)\b`)

// ride is a commute that names a means or a length.
func ride(m match) []string {
	if !means.MatchString(m.folded("v")) {
		return nil
	}
	return one(m)
}

func byTrade(m match) []memory.Candidate {
	for _, group := range []string{"v", "w"} {
		if a, b, ok := m.group(group); ok {
			if v, ok := m.c.value(a, b); ok {
				return []memory.Candidate{m.candidate(keyOccupation, v)}
			}
		}
	}
	return nil
}

var (
	// jobEnds are words behind an occupation.
	jobEnds = regexp.MustCompile(`,.*$|,? (?:more of|at|in|for|with|from|who|that|and|but|on|by|based|working|living|specialising|specializing|focusing|focused|of \w+ years|to be|to a|now|since|because|so|here|or|trying|looking|not|married|doing|when|if|as|near|during|over|again|with a|about|currently|then|too)\b.*$`)
	// jobWords are the heads of occupations whose form does not give them away.
	jobWords = words(
		`nurse|chef|cook|nanny|surgeon|pilot|student|undergrad|architect|accountant|pm|ceo|cto|cfo|coo`,
		`sre|dev|devops|scientist|clerk|coach|judge|guard|cop|mechanic|professor|prof|attorney|barista`,
		`postdoc|intern|trainee|apprentice|consultant|analyst|assistant|agent|actress|waitress|waiter`,
		`housewife|househusband|stay-at-home mom|stay-at-home mum|stay-at-home dad|stay at home mom`,
		`stay at home mum|stay at home dad|retiree|pensioner|medic|paramedic|vet|doctor|dr|gp|sailor`,
		`soldier|marine|clergyman|priest|monk|nun|rabbi|imam|pastor|diplomat|bartender|butcher|composer`,
		`translator|florist|freelance|entrepreneur|ux designer|electrician|technician|sysadmin|admin`,
		`secretary|receptionist|midwife|au pair|model|dj|youtuber|streamer|influencer|phd|lead|associate`,
		`executive|exec|tutor|cashier|courier|chauffeur|sergeant|officer|captain|lieutenant|economist`,
		`athlete|sommelier|masseuse|aide|caregiver|carer|civil servant|public servant|handyman|salesman`,
		`saleswoman|businessman|businesswoman|fireman|policeman|policewoman|postman|cameraman|fisherman`,
		`spokesperson|salesperson|blacksmith|locksmith|goldsmith|contractor|freelancer|vp|advocate|notary`,
		`dba|swe|qa|ra|ta|professional|specialist|expert|representative|rep|operator|lecturer|academic`,
		`trader|banker|investor|broker|steward|stewardess|hostess|ballerina|nutritionist`,
	)
	// jobRanks are occupations that go on behind their head.
	jobRanks = regexp.MustCompile(`(?:^| )(?:director of \w+|head of \w+(?: \w+)?|vp of \w+|manager of \w+|owner of .+)$`)
	// jobOf are offices of a firm.
	jobOf = regexp.MustCompile(`^(?:ceo|cfo|cto|coo|founder|co-founder|owner|manager|principal|headmaster|headmistress) of (?:an?|the|my own|two|three) (?:[\w-]+ ){0,3}[\w-]+$|^(?:ceo|cfo|cto|coo|vp|director|manager|founder|co-founder|dean|editor|professor|chief|principal|head) of (?:an? |the |my own )?(?:\w+ )*(?:company|firm|startup|business|school|university|magazine|newspaper|bank|agency|hotel|restaurant|shop|department|division|team|biotech|charity|ngo|nonprofit|studio|engineering|marketing|sales|finance|product|history|physics|chemistry|biology|mathematics|design|operations|clinic|hospital)$`)
	// noJob are words of the forms of occupations, and roles, that are none.
	noJob = words(
		`longer|beginner|lover|user|member|owner|father|mother|brother|sister|teenager|foreigner|newcomer`,
		`grandmother|grandfather|godmother|godfather|stepmother|stepfather|stepbrother|stepsister`,
		`stranger|customer|believer|fighter|loser|winner|listener|person|runner|gamer|player|hiker`,
		`swimmer|cyclist|biker|climber|skier|snowboarder|surfer|diver|golfer|jogger|reader|early riser`,
		`riser|sleeper|smoker|drinker|eater|overthinker|thinker|outsider|insider|speaker|minor|senior`,
		`junior|elder|perfectionist|introvert|feminist|optimist|pessimist|realist|atheist|minimalist`,
		`vegetarian|pescatarian|flexitarian|libertarian|humanitarian|christian|sinner|dancer at heart`,
		`dreamer|collector|hoarder|learner|starter|sufferer|survivor|monster|computer|number|tester of`,
		`winter|summer|under|over|better|later|never|ever|other|another|either|neither|together`,
		`singer in the shower|caller|follower|leader|helper|lifesaver|donor|neighbor|homeowner`,
		`parishioner|subscriber|taxpayer|voter|visitor|tourist|racist|sexist|narcissist|idealist`,
		`nationalist|communist|socialist|capitalist|anarchist|populist|buddhist|taoist|agnostic|rider`,
		`northerner|southerner|westerner|easterner|foreigner|islander|outsider|newcomer`,
		`traveler|traveller|backpacker|camper|foster|procrastinator|beer|partner|daughter|order|folder`,
		`chapter|letter|paper|water|power|error|minister of|lister|twitter|fast learner|quick learner`,
		`slow learner|people pleaser|pleaser|go-getter|keeper|teetotaler|teetotaller|widower|admirer`,
		`supporter|prisoner|bachelor|major|debtor|commuter|prime minister|president|king|queen|spectator`,
		`competitor|stalker|browser|server|router|pointer|buffer|container|cancer|disaster|bummer|blocker`,
		`adopter|sucker|stickler|goner|spender|saver|hugger|crier|worrier|texter|talker|snorer|overachiever|bloomer|giver|taker`,
		`language model|role model|dinner|supper|summer|shower|sister|weather|center|theater|laser|beginner|`+
			`reminder|no-brainer|corner|quarter|matter|poor|for|or|mirror|color|actor in`,
	)
	// jobLeads open descriptions that are no occupation, whatever their head.
	jobLeads = words(
		`being|pretty|very|really|super|new|proud|total|huge|big|bit|little|kind|sort|complete|terrible`,
		`bad|horrible|great|good|decent|lousy|avid|keen|casual|amateur|hobby|aspiring|wannabe|would-be`,
		`future|former|ex|potential|possible|fake|not|better|light|heavy|slow|fast|quick|natural`,
		`recovering|level|ai|born|nervous|loyal|regular|long-time|longtime|first-time|frequent|secret|homebrew|weekend`,
	)
)

// jobForms are endings of occupations.
var jobForms = []string{"er", "or", "ist", "ician", "arian"}

// isJob reports whether a folded noun phrase names an occupation: by its last words.
func isJob(s string) bool {
	if at := jobEnds.FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	s = strings.TrimSpace(s)
	all := strings.Fields(s)
	if len(all) == 0 || len(all) > 6 || jobLeads[all[0]] {
		return false
	}
	for n := min(3, len(all)); n > 0; n-- {
		head := strings.Join(all[len(all)-n:], " ")
		switch {
		case noJob[head]:
			return false
		case jobWords[head]:
			return true
		}
	}
	if strings.Contains(s, " of ") {
		return jobRanks.MatchString(s) || jobOf.MatchString(s)
	}
	head := all[len(all)-1]
	for _, form := range jobForms {
		if len(head) >= len(form)+2 && strings.HasSuffix(head, form) {
			return true
		}
	}
	return false
}

// noJobHead reports whether a noun phrase ends in a word that is no occupation.
func noJobHead(s string) bool { return noJob[s[strings.LastIndexByte(s, ' ')+1:]] }

// job takes group "v" where it names an occupation.
func job(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	s := m.c.body.text[a:b]
	if spareTime.MatchString(s) {
		return nil
	}
	if at := jobEnds.FindStringIndex(s); at != nil {
		b = a + at[0]
	}
	a, b = m.c.tidy(a, b)
	if at := agePrefix.FindString(m.c.body.text[a:b]); at != "" {
		a += len(at)
	}
	if a >= b || !isJob(m.c.body.text[a:b]) || isNative(m.c.body.text[a:b]) {
		return nil
	}
	return []string{m.c.words(a, b)}
}

// isNative reports whether a folded noun phrase names people from a place, which ends as
// many jobs do: "a Londoner", "a proud New Yorker".
func isNative(s string) bool {
	place, ok := strings.CutSuffix(s, "er")
	for ok && place != "" {
		if strings.ContainsFunc(canon.Place(place), func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			return true // the places that are known have a Chinese name
		}
		_, place, _ = strings.Cut(place, " ")
	}
	return false
}

// taught is a subject that the user teaches for a living.
func taught(m match) []string {
	if noSubject.MatchString(m.folded("v")) {
		return nil
	}
	return one(m)
}

var noSubject = regexp.MustCompile(`^teach (?:by|my|our|you|me|him|her|it|them|us|people|myself|a lesson|the (?:dog|cat|kids|children))\b`)

// jobDoing takes a job that is told as a doing ("teaching kids how to swim").
func jobDoing(m match) []string {
	if noJobDoing.MatchString(m.folded("v")) {
		return nil
	}
	return fewer(8, one)(m)
}

var noJobDoing = regexp.MustCompile(`^(?:boring|exhausting|killing|driving|stressing|draining|interesting|demanding|challenging|rewarding|getting|going|becoming|ending|making|starting|taking|giving|burning|eating|being|changing|wearing|ruining|nothing|something|anything|amazing|fulfilling|overwhelming)\b`)

// spareTime makes a hobby of an occupation.
var spareTime = regexp.MustCompile(`\b(?:in my (?:spare|free) time|as a hobby|for fun|on the side|at heart)\b`)

var agePrefix = regexp.MustCompile(`^\d{1,2}[- ]?(?:year|yr)s?[- ]old `)

// jobAs takes what stands behind "as" where the verb says that it is an occupation.
func jobAs(m match) []string {
	a, b, ok := m.group("v")
	if !ok {
		return nil
	}
	s := m.c.body.text[a:b]
	if at := jobEnds.FindStringIndex(s); at != nil {
		b = a + at[0]
	}
	_, b = m.c.tidy(a, b)
	if a >= b {
		return nil
	}
	s = m.c.body.text[a:b]
	if !strings.HasPrefix(s, "a ") && !strings.HasPrefix(s, "an ") && !strings.HasPrefix(s, "the ") && !isJob(s) {
		return nil
	}
	if strings.HasPrefix(s, "a team") || noJobHead(s) || m.folded("v") == "" || len(strings.Fields(s)) > 7 {
		return nil
	}
	if m.rule.name == "job.started-as" && !isJob(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(s, "an "), "a "), "the ")) {
		return nil
	}
	if v, ok := m.c.value(a, b); ok {
		return []string{v}
	}
	return nil
}

// noFirm are what people work at, for or with that is no employer.
var noFirm = regexp.MustCompile(`^(?:(?:heart|large|best|hand|hire|fault|play|sea|risk|peace|war)$|the (?:beginning|end|start|top|bottom|back|front|age|office|gym|weekend|same)|home|night|nights|noon|times|all|ease|least|the moment|the weekend|weekends|my own pace|pace|myself|it|this|that|them|him|her|you|me|free|fun|money|a living|peanuts|the same|\d.*|hours|years|months|weeks|days|now|once|some|someone|a while|a long time|so long|a few .*|an? (?:year|month|week|day|hour|client|friend|deadline|couple .*|desk|computer|time|reason)|the (?:past|last|next|first|time) .*|the time being|most|clients|(?:people|kids|children)(?:$| )|animals|data|my hands|(?:my|our) (?:hands|brother|sister|dad|mom|mum|wife|husband|girlfriend|boyfriend|partner|dog|cat|kids|children|son|daughter|family|friend|friends|boss|team|colleagues|parents)(?: .*)?|both|what|two .*|three .*|my best|improvement|everyone|work|dinner|lunch|breakfast|christmas|halloween|easter|thanksgiving|sure|python|java|react|excel|computers|about|over|almost|around|as)\b|^(?:(?:a|an|the) )?(?:\w+ )?(?:company|firm|business|client|clients|organi[sz]ation|place|agency)(?:$| in\b| that\b| which\b| called\b| based\b)`)

// firm takes group "v" as the name or kind of an employer.
func firm(m match) []string {
	a, b, ok := m.group("v")
	if !ok || noFirm.MatchString(m.c.body.text[a:b]) {
		return nil
	}
	if at := firmEnds.FindStringIndex(m.c.body.text[a:b]); at != nil {
		b = a + at[0]
	}
	a, b = m.c.tidy(a, b)
	if a >= b || noFirm.MatchString(m.c.body.text[a:b]) || len(strings.Fields(m.c.body.text[a:b])) > 7 {
		return nil
	}
	if v, ok := m.c.value(a, b); ok {
		return []string{v}
	}
	return nil
}

var firmEnds = regexp.MustCompile(`,? (?:as|in [a-z]|on|for|with|doing|that|who|from|where|because|and (?:i|we|my|am|live)|until|since|during|by|to|near|which|writing|making|building) ?.*$`)

// properFirm is an employer that must be a proper name: one also joins a gym.
func properFirm(m match) []string {
	a, b, ok := m.group("v")
	if !ok || !m.c.capital(a) {
		return nil
	}
	if strings.HasPrefix(m.c.body.text[a:b], "the ") {
		return nil
	}
	return firm(m)
}

// announcedFirm is where one is after having announced a change; it would else be a
// whereabouts.
func announcedFirm(m match) []string {
	if !m.c.announced && (m.c.before == nil || !signsBefore.MatchString(m.c.before.body.text)) {
		return nil
	}
	return properFirm(m)
}

// noJobAt are descriptions behind which "with" and "at" name no employer: doings, and
// people of whom more is said than their work.
var noJobAt = regexp.MustCompile(`^(?:\w+ing (?:a |an |the |my |our )?(?:dinner|supper|order)|having|seeing|meeting|doing)\b|\b(?:living|based|residing|married|engaged|travelling|from)\b`)

// jobFirm is the employer of "an engineer at Google": students have none.
func jobFirm(m match) []string {
	a, b, ok := m.group("job")
	if !ok || !isJob(m.c.body.text[a:b]) || noJobAt.MatchString(m.c.body.text[a:b]) || strings.Contains(m.c.body.text[a:b], "student") || strings.HasPrefix(m.c.body.text[a:b], "phd") {
		return nil
	}
	if m.c.body.text[b:] != "" && strings.HasPrefix(strings.TrimLeft(m.c.body.text[b:], " "), "for ") {
		va, _, _ := m.group("v")
		if !m.c.capital(va) && !strings.HasPrefix(m.c.body.text[va:], "a ") && !strings.HasPrefix(m.c.body.text[va:], "an ") {
			return nil
		}
	}
	return firm(m)
}
